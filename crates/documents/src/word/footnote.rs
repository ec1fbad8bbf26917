//! Footnotes for citations in the text.

use std::ops::Range;

use super::part::PartWriter;
use crate::docx::ParagraphSource;
use crate::wordml::{Markup, TextRun};

/// Footnotes for citations in the text.
pub(super) struct NewNotes {
    pub next_id: u64,
    pub text: String,
}

impl PartWriter<'_> {
    /// Creates a footnote; returns its call.
    pub fn add_note(
        &self,
        inside: Option<String>,
        shown: &[TextRun],
        notes: &mut NewNotes,
    ) -> String {
        let w = &self.markup.prefix;
        let id = notes.next_id;
        notes.next_id += 1;
        let reference = self.contents.parts.style("footnote reference");
        let look = |w: &str| match reference {
            Some(style) => format!("<{w}rPr><{w}rStyle {w}val=\"{style}\"/></{w}rPr>"),
            None => format!("<{w}rPr><{w}vertAlign {w}val=\"superscript\"/></{w}rPr>"),
        };
        let style = self.contents.parts.style("footnote text");
        let style = style.map(|style| format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>"));
        let inside = inside.unwrap_or_else(|| note_markup().runs("", shown));
        notes.text.push_str(&format!(
            "<w:footnote xmlns:w=\"{}\" w:id=\"{id}\"><w:p>{}<w:r>{}<w:footnoteRef/></w:r><w:r><w:t xml:space=\"preserve\"> </w:t></w:r>{inside}</w:p></w:footnote>",
            self.markup.namespace,
            style.unwrap_or_default(),
            look("w:")
        ));
        format!(
            "<{w}r>{}<{w}footnoteReference {w}id=\"{id}\"/></{w}r>",
            look(w)
        )
    }
}

/// The markup of new notes.
pub(super) fn note_markup() -> Markup {
    Markup {
        prefix: "w:".to_owned(),
        namespace: String::new(),
    }
}

/// The changes around a note: the blank before it is removed, and it follows the punctuation.
pub(super) struct NotePlace {
    pub blank: Range<usize>,
    pub marks: Range<usize>,
}

impl NotePlace {
    pub fn find(source: &ParagraphSource, cited: &Range<usize>, is_alone: bool) -> NotePlace {
        let before = source.text.get(..cited.start).unwrap_or_default();
        let kept = before.trim_end_matches([' ', '\u{a0}']).len();
        let behind = source.text.get(cited.end..).unwrap_or_default();
        let rest = behind.trim_start_matches(['.', ',', ';', ':', '!', '?']);
        let can_go = |range: Range<usize>| match source.pieces(&range) {
            Some(_) => range,
            None => cited.end..cited.end,
        };
        NotePlace {
            blank: can_go(if is_alone {
                kept..cited.start
            } else {
                cited.end..cited.end
            }),
            marks: can_go(cited.end..cited.end + behind.len() - rest.len()),
        }
    }
}
