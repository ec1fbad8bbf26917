//! The text of the main part or of a note, its citations, and where both are in the source.

use std::ops::Range;

use crate::document::{Block, LeftPart, ManuscriptCitation};

/// The kind of a note, which is its element name, and its id. Both are empty for the main text.
pub(crate) type NoteKey = (&'static str, String);

/// The kinds of notes and their parts.
pub(crate) const NOTES: [(&str, &str); 2] =
    [("footnote", "footnotes.xml"), ("endnote", "endnotes.xml")];

/// The paragraphs and citations of the main text or of one note.
#[derive(Default)]
pub(crate) struct Story {
    pub blocks: Vec<Block>,
    pub citations: Vec<FoundCitation>,
    pub unread: Vec<LeftPart>,
    pub sources: Vec<ParagraphSource>,
    /// The reference list maintained by a citation program.
    pub list: Option<FieldSource>,
    /// Where paragraphs can be inserted after the last one.
    pub end: usize,
}

/// A citation and its position.
#[derive(Clone)]
pub(crate) struct FoundCitation {
    pub citation: ManuscriptCitation,
    pub note: NoteKey,
    /// Index of its paragraph in the sources of the text or note.
    pub source: usize,
    /// Range in the paragraph's text.
    pub text: Range<usize>,
    /// Number of notes called before it.
    pub notes_before: usize,
    /// Unset for a marker in the text.
    pub field: Option<FieldSource>,
    /// Whether a person wrote its text, or no style has its form.
    pub is_by_hand: bool,
}

/// A field or equivalent in the source of its part.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FieldSource {
    /// From its first element to its last.
    pub outer: Range<usize>,
    /// The runs of the first and last element, if they are within runs.
    pub runs: Option<[RunSource; 2]>,
    /// The range of its result.
    pub result: Range<usize>,
    /// Whether the result begins and ends within runs.
    pub is_result_in_runs: bool,
    /// Whether the result consists of whole paragraphs.
    pub holds_paragraphs: bool,
    /// The instruction and the range of its elements.
    pub code: Option<(Range<usize>, String)>,
}

/// The source of a paragraph.
#[derive(Default)]
pub(crate) struct ParagraphSource {
    /// The number in its position.
    pub paragraph: usize,
    pub text: String,
    pub pieces: Vec<TextPiece>,
    /// Its properties; empty if absent.
    pub properties: Range<usize>,
    /// From the end of its properties to its end tag.
    pub inside: Range<usize>,
    /// Its range including tags.
    pub start: usize,
    pub end: usize,
    /// Whether it is part of a table of contents.
    pub is_contents: bool,
}

impl ParagraphSource {
    /// The pieces that overlap a range of the text, with the bytes in each; for an empty range, the piece
    /// that ends there. `None` if part of the range is in no piece.
    pub fn pieces(&self, range: &Range<usize>) -> Option<Vec<(&TextPiece, Range<usize>)>> {
        let touches = |piece: &&TextPiece| {
            if range.is_empty() {
                piece.text.start < range.start && range.start <= piece.text.end
            } else {
                piece.text.start < range.end && range.start < piece.text.end
            }
        };
        let within = |piece: &TextPiece| {
            let start = range.start.max(piece.text.start) - piece.text.start;
            let end = range.end.min(piece.text.end) - piece.text.start;
            start..end
        };
        let pieces = self.pieces.iter().filter(touches);
        let pieces: Vec<(&TextPiece, Range<usize>)> =
            pieces.map(|piece| (piece, within(piece))).collect();
        let covered: usize = pieces.iter().map(|(_, range)| range.len()).sum();
        (!pieces.is_empty() && covered == range.len()).then_some(pieces)
    }
}

/// A `w:t`.
#[derive(Clone)]
pub(crate) struct TextPiece {
    /// Range in the paragraph's text.
    pub text: Range<usize>,
    pub element: Range<usize>,
    pub run: RunSource,
    /// Whether it is a tracked insertion.
    pub is_inserted: bool,
}

/// The run of a piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunSource {
    /// Its start tag.
    pub tag: Range<usize>,
    /// Its properties; empty if absent.
    pub properties: Range<usize>,
}
