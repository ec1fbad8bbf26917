//! What is written into a Word document: the texts of its citations and its reference list.

use crate::wordml::TextRun;

/// What becomes of a citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitationChange {
    Set(CitationText),
    /// The text stays; its field stays if fields are kept.
    KeepText,
    /// Nothing changes.
    Leave,
}

/// The new text of a citation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CitationText {
    pub text: Vec<TextRun>,
    /// The content of a note for a citation in the text; if it is already in a note, part of that note.
    pub note: Vec<TextRun>,
    /// The whole text for the codes of Zotero and Mendeley, as RTF and unformatted.
    pub formatted: String,
    pub plain: String,
}

/// The reference list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordList {
    pub entries: Vec<Vec<TextRun>>,
    pub indent: Indent,
    /// Multiples of the line height.
    pub line_spacing: u32,
    /// Multiples of the line height.
    pub entry_spacing: u32,
    /// The heading, if the document has no place for a list.
    pub heading: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Indent {
    #[default]
    None,
    Hanging,
    /// Text after the first tab of an entry is aligned; the value is the number of characters before it.
    Aligned(u32),
}

/// Whether fields of citation programs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldHandling {
    /// Changes only their texts, the copies of the texts in Zotero's and Mendeley's codes, and the
    /// document's Zotero style.
    Keep,
    /// Replaces them by their texts.
    Replace,
}
