//! The citation of a field, and where its text comes from.

use crate::document::Cited;

/// The citation of a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FieldCitation {
    pub items: Vec<Cited>,
    pub wording: Wording,
}

/// Where the text of a field comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Wording {
    /// The style of the citation program.
    #[default]
    Style,
    /// The style, as long as the printed text is this one.
    StyleIf(String),
    /// A person, or a form that no style has.
    Author,
}

impl Wording {
    /// Whether no style would print this text.
    pub fn is_by_hand(&self, printed: &str) -> bool {
        match self {
            Wording::Style => false,
            Wording::StyleIf(text) => bare(text) != bare(printed),
            Wording::Author => true,
        }
    }
}

/// A text without blanks and without the differences that Word's own corrections make.
fn bare(text: &str) -> String {
    let marks = text.chars().filter(|c| !c.is_whitespace());
    let marks = marks.map(|c| match c {
        '‐' | '‑' | '–' | '—' | '−' => '-',
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' | '‚' => '\'',
        c => c,
    });
    marks.filter(|c| !c.is_control()).collect()
}
