#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - `document` is what comes out, `format` tells what a file is
//! - `docx`, `odt` (over `package`, `xml` and `fields`), `html`, `rtf`, `text` make paragraphs of a file, in
//!   which `list` finds the reference list by `headings` and `shape`
//! - `pdf` makes paragraphs of the places of glyphs, `printed` finds their citations
//! - `tex` (over `latex`), `markdown` and `typst` cite keys that a `library` defines; `keyed` puts both
//!   together
//! - `correct` puts corrected values into a printed list, `revise` into a Word document as tracked changes;
//!   `word` sets the citations and the list of a Word document (both over `related` and `wordml`), and the
//!   style in the `preferences` of Zotero;
//!   `findings` says what does not fit, `json` writes a document as one line

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

mod correct;
mod document;
mod docx;
mod error;
mod fields;
mod findings;
mod format;
mod headings;
mod html;
mod json;
mod keyed;
mod latex;
mod library;
mod list;
mod locator;
mod markdown;
mod odt;
mod package;
#[cfg(feature = "pdf")]
pub mod pdf;
mod preferences;
#[cfg(feature = "pdf")]
mod printed;
mod related;
mod revise;
mod rtf;
mod shape;
mod tex;
mod text;
mod typst;
mod word;
mod wordml;
mod xml;
mod yaml;

pub use correct::correct;
pub use document::{
    Block, BlockKind, Citation, Cited, Document, Finding, FindingKind, Place, Reference,
};
pub use error::DocumentError;
pub use format::{Format, detect};
pub use headings::list_heading;
pub use locator::Labels;
pub use preferences::StyleName;
pub use revise::{Change, Revised, Revision, Signature, revise};
pub use word::{
    CitationText, FieldHandling, Indent, SetDocument, WordCitation, WordDocument, WordList,
};
pub use wordml::{Height, Look, TextRun};

use citation_model::budget::Budget;

/// Reads a file that lies beside the document, by the path that the document gives, relative to it.
/// Answers with nothing where there is none.
pub type Companions<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// The longest file that is read, in bytes.
pub const LONGEST_FILE: usize = 256 * 1024 * 1024;

/// Reads a document. Its name tells the format where the content does not.
pub fn read(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    if bytes.len() > LONGEST_FILE {
        return Err(DocumentError::TooLarge {
            what: name.to_owned(),
            limit: LONGEST_FILE,
        });
    }
    budget.spend(bytes.len() as u64 / 8 + 1)?;
    let format = format::detect(name, bytes)?;
    let mut document = match format {
        Format::Docx => docx::read(bytes, budget)?,
        Format::Odt => odt::read(bytes, budget)?,
        Format::Tex => tex::read(name, bytes, companions, budget)?,
        Format::Markdown => markdown::read(bytes, companions, budget)?,
        Format::Typst => typst::read(bytes, companions, budget)?,
        Format::Html => html::read(bytes, budget)?,
        Format::Rtf => rtf::read(bytes, budget)?,
        Format::Text => text::read(bytes, budget)?,
        #[cfg(feature = "pdf")]
        Format::Pdf => pdf::read(name, bytes, budget)?,
        #[cfg(not(feature = "pdf"))]
        Format::Pdf => {
            return Err(DocumentError::Unsupported {
                kind: "a PDF",
                hint: "give its source, or its text",
            });
        }
    };
    finish(&mut document, format, budget)?;
    Ok(document)
}

fn finish(document: &mut Document, format: Format, budget: &Budget) -> Result<(), DocumentError> {
    document.format = format;
    findings::add(document, budget)
}
