#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - `document` sets the citations of a document, however it is written; `word` and `text` call it
//! - `pandoc` processes pandoc's document, `text` Markdown, TeX, Typst and HTML, `word` Word documents
//! - `collect` returns the works of a manuscript, `works` resolves keys to works, `format` calls the processor

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod collect;
mod document;
mod format;
mod pandoc;
#[cfg(test)]
mod tests;
mod text;
mod word;
mod works;

pub use collect::{Collected, collect};
pub use document::{
    CitationPlace, CitingDocument, DocumentCitation, FieldText, SetDocument, is_note_style,
};
pub use format::{FormattedCitation, FormattedCitations};
pub use pandoc::filter;
pub use text::{CitedFiles, UnreadHandling, cite};
pub use word::runs::runs;
pub use word::{IncompleteList, ShortenedList, Word, WordOptions, cite_word};
pub use works::identifier;

use citation_csl::Compiled;
use citation_documents::{EditError, LeftCause, LeftPart};
use citation_model::budget::Exceeded;
use citation_model::item::Item;

/// What the engine needs from its caller.
pub trait Sources {
    /// A file that the document names: a bibliography, a table of abbreviations.
    fn file(&self, name: &str) -> Option<Vec<u8>>;

    /// The style with a name, address or path, or the default style, in the given locale or its own. The
    /// error is a sentence with the reason.
    fn style(&self, name: Option<&str>, locale: Option<&str>) -> Result<Compiled, String>;

    /// A work that no bibliography of the document has, by key: `doi:10.1038/171737a0`.
    fn work(&self, key: &str) -> Option<Item>;

    /// The work that a printed reference means with certainty.
    fn reference(&self, text: &str) -> Option<Item>;
}

/// Why a document could not be formatted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CitingError {
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    #[error("this is no document in pandoc's JSON")]
    NoDocument,
    #[error("{0} is not there or cannot be read")]
    MissingFile(String),
    #[error("{0} is no bibliography of a known format")]
    UnknownFormat(String),
    #[error("citations are set in Markdown, TeX, Typst, HTML, .docx and .odt alone")]
    NoMarkers,
    #[error("{}", unread(.0))]
    Unread(Vec<LeftPart>),
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The fields whose works the reference list would lack.
    #[error("the reference list would lack the works of {} fields, which cannot be read or are not known", .0.len())]
    IncompleteList(Vec<LeftPart>),
    #[error("{0}")]
    Document(String),
    #[error("{0}")]
    Style(String),
}

/// Names what was not read.
fn unread(parts: &[LeftPart]) -> String {
    let sentence = |part: &LeftPart| {
        let file = part.place.file.as_deref().map(|file| format!("{file}, "));
        let line = part.place.line.map(|line| format!("line {line}: "));
        let place = format!("{}{}", file.unwrap_or_default(), line.unwrap_or_default());
        let what = &part.text;
        match part.cause {
            LeftCause::MissingFile => format!("{place}the included file “{what}” is missing"),
            LeftCause::FurtherList => {
                format!("{place}“{what}” makes a further list, and one list can be formatted")
            }
            LeftCause::Markup | LeftCause::Field | LeftCause::Fixed | LeftCause::ByHand => {
                format!("{place}citations by “{what}” cannot be formatted")
            }
        }
    };
    let parts: Vec<String> = parts.iter().map(sentence).collect();
    format!(
        "nothing is formatted, because not all can be: {}",
        parts.join("; ")
    )
}
