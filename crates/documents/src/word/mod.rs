//! Formats the citations and reference list of Word packages. Other content is copied unchanged.

mod citation;
mod document;
mod footnote;
mod list;
mod part;
mod texts;

pub use document::{FormattedDocument, WordCitation, WordDocument};
pub use texts::{CitationText, FieldHandling, Indent, WordList};
