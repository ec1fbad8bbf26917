//! Formats the citations and reference list of Word packages. Other content is copied unchanged.

mod anchors;
mod citation;
mod document;
mod footnote;
mod list;
mod part;
mod texts;

pub(crate) use anchors::is_replaceable;
pub use document::{FormattedDocument, WordCitation, WordDocument};
pub use texts::{CitationChange, CitationText, FieldHandling, Indent, WordList};
