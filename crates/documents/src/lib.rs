#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - `document` is the result, `format` detects the format of a file
//! - `docx`, `odt` (over `package`, `xml` and `fields`), `html`, `rtf`, `text` extract paragraphs, in which
//!   `list` finds the reference list with `headings` and `shape`
//! - `pdf` makes paragraphs from the positions of glyphs, `printed` finds their citations
//! - `tex` (over `latex`), `markdown` and `typst` cite keys defined by a `library`; `keyed` joins both;
//!   `sources` are their files, and applies edits to them; `tags` finds HTML in them
//! - `correct` corrects a printed list, `revise` a Word document with tracked changes
//! - `word` formats the citations and the list of a Word document (both over `related` and `wordml`), and
//!   changes the style in Zotero's `preferences`; `odt` does so in an OpenDocument text, `office` in either
//! - `identity` decides which records are one work, `findings` reports inconsistencies, `json` writes a document as one line

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
mod identity;
mod json;
mod keyed;
mod latex;
mod library;
mod list;
mod locator;
mod markdown;
mod normalize;
mod odt;
mod office;
mod package;
mod page;
#[cfg(feature = "pdf")]
pub mod pdf;
mod preferences;
// Without PDF, only what Word documents print beside their fields is asked for.
#[cfg_attr(not(feature = "pdf"), allow(dead_code))]
mod printed;
mod related;
mod revise;
mod rtf;
mod shape;
mod sources;
mod tags;
mod tex;
mod text;
mod tokens;
mod typst;
mod word;
mod wordml;
mod xml;
mod yaml;

pub use correct::correct;
pub use document::{
    Block, BlockKind, CitationForm, CitationFrame, CitationSetting, Cited, Document, Finding,
    FindingKind, HeadingArgument, LeftCause, LeftPart, ListHeading, ListPlace, ListPlaceKind,
    ListedReference, ManuscriptCitation, Place, PossibleCitation,
};
pub use error::DocumentError;
pub use fields::{CitationCode, CodeCite, citation_code};
pub use format::{ManuscriptFormat, detect};
pub use headings::list_heading;
pub use identity::{WorkRecord, same_works};
pub use library::read_bibliographies;
pub use list::DistinctKeys;
pub use locator::Labels;
pub use markdown::book_chapters;
pub use office::OfficeDocument;
pub use page::read_page;
pub use preferences::StyleName;
pub use revise::{Revised, Revision, Signature, TrackedChange, revise};
pub use sources::{
    ChangedFile, EditError, FileEdit, FileId, SourceFile, SourceFiles, SourceMode, SourceSpan,
};
pub use tokens::tokens;
pub use word::{
    CitationChange, CitationText, FieldHandling, FormattedDocument, Indent, WordCitation,
    WordDocument, WordList,
};
pub use wordml::{Height, TextRun, TextStyle};

use citation_model::budget::Budget;

/// Reads a companion file by its path relative to the document. Returns `None` if it does not exist.
pub type Companions<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// Maximum size of a file, in bytes.
pub const MAX_FILE_LENGTH: usize = 256 * 1024 * 1024;

/// Reads a document. Its name determines the format if the content does not.
pub fn read(
    name: &str,
    bytes: &[u8],
    companions: Companions<'_>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    if bytes.len() > MAX_FILE_LENGTH {
        return Err(DocumentError::TooLarge {
            what: name.to_owned(),
            limit: MAX_FILE_LENGTH,
        });
    }
    budget.spend(bytes.len() as u64 / 8 + 1)?;
    let format = format::detect(name, bytes)?;
    let mut document = match format {
        ManuscriptFormat::Docx => docx::read(bytes, budget)?,
        ManuscriptFormat::Odt => odt::read(bytes, budget)?,
        ManuscriptFormat::Tex => tex::read(name, bytes, companions, budget)?,
        ManuscriptFormat::Markdown => markdown::read(name, bytes, companions, budget)?,
        ManuscriptFormat::Typst => typst::read(bytes, companions, budget)?,
        ManuscriptFormat::Html => {
            let mut document = html::read(bytes, budget)?;
            document.sources.add_document(bytes);
            document
        }
        ManuscriptFormat::Rtf => rtf::read(bytes, budget)?,
        ManuscriptFormat::Text => {
            format::refuse_data(name, bytes, budget)?;
            text::read(bytes, budget)?
        }
        #[cfg(feature = "pdf")]
        ManuscriptFormat::Pdf => pdf::read(name, bytes, budget)?,
        #[cfg(not(feature = "pdf"))]
        ManuscriptFormat::Pdf => {
            return Err(DocumentError::Unsupported {
                kind: "a PDF",
                hint: "give its source, or its text",
            });
        }
    };
    finish(&mut document, format, budget)?;
    Ok(document)
}

fn finish(
    document: &mut Document,
    format: ManuscriptFormat,
    budget: &Budget,
) -> Result<(), DocumentError> {
    document.format = format;
    list::backreferences::remove(&mut document.references);
    findings::add(document, budget)
}
