//! PDF: hayro extracts the glyphs, and the white space between them gives the order. A PDF may need any
//! amount of memory and time, so services read it in a separate process: [`answer`] is the output of that
//! process, [`document`] parses it.

mod columns;
mod direction;
mod glyphs;
mod margins;
mod paragraphs;
mod segments;
mod words;

use citation_model::budget::Budget;
use hayro_interpret::InterpreterCache;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use serde::{Deserialize, Serialize};

use crate::document::{Block, BlockKind, Document, Place};
use crate::error::DocumentError;
use crate::format::ManuscriptFormat;
use crate::{list, printed};

/// Maximum number of pages read.
const MOST_PAGES: usize = 5_000;
/// Minimum number of letters of a page that is not a picture.
const FEWEST_LETTERS: usize = 20;

/// A paragraph as passed between processes.
#[derive(Debug, Serialize, Deserialize)]
struct PdfParagraph {
    kind: BlockKind,
    text: String,
    page: usize,
}

/// Why a PDF was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Refusal {
    Encrypted,
    Scanned,
    Broken,
    TooManyPages,
}

/// What its files are made of, for tests that repeat it.
pub(crate) const TOKENS: &[&str] = &[
    "1 0 obj\n",
    "2 0 obj\n",
    "<<",
    ">>",
    "endobj\n",
    "stream\n",
    "endstream\n",
    "/Type /Catalog ",
    "/Pages 2 0 R ",
    "/Type /Page ",
    "/Kids [",
    "/Length 9 ",
    "/Filter /FlateDecode ",
    "[",
    "]",
    "(",
    ")",
    "xref\n",
    "trailer\n",
    "startxref\n",
    "%%EOF\n",
    "2 0 R ",
    "BT ",
    "/F1 1 Tf ",
    "1 ",
];

pub(crate) fn read(name: &str, bytes: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    assemble(name, paragraphs(bytes.to_vec()), budget)
}

/// Reads a PDF; returns its content, or the reason for failure, as JSON.
pub fn answer(bytes: Vec<u8>) -> Vec<u8> {
    serde_json::to_vec(&paragraphs(bytes)).unwrap_or_default()
}

/// The document of an [`answer`].
pub fn document(name: &str, answer: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    budget.spend(answer.len() as u64 / 8 + 1)?;
    let paragraphs = serde_json::from_slice(answer)
        .map_err(|_| DocumentError::broken(name, "what was read of it is cut off"))?;
    let mut document = assemble(name, paragraphs, budget)?;
    crate::finish(&mut document, ManuscriptFormat::Pdf, budget)?;
    Ok(document)
}

fn assemble(
    name: &str,
    paragraphs: Result<Vec<PdfParagraph>, Refusal>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let paragraphs = paragraphs.map_err(|refusal| match refusal {
        Refusal::Encrypted => DocumentError::Encrypted(name.to_owned()),
        Refusal::Scanned => DocumentError::Scanned(name.to_owned()),
        Refusal::Broken => DocumentError::broken(name, "it is no PDF, or a damaged one"),
        Refusal::TooManyPages => DocumentError::broken(name, "it has too many pages"),
    })?;
    let blocks = paragraphs.into_iter().enumerate().map(|(n, paragraph)| {
        let place = Place {
            page: Some(paragraph.page),
            paragraph: Some(n + 1),
            ..Place::default()
        };
        Block {
            kind: paragraph.kind,
            text: paragraph.text,
            place,
            ..Block::default()
        }
    });
    let mut document = list::assemble(blocks.collect(), Vec::new(), Vec::new(), budget)?;
    printed::add(&mut document, budget)?;
    Ok(document)
}

/// The paragraphs of a PDF in reading order.
fn paragraphs(bytes: Vec<u8>) -> Result<Vec<PdfParagraph>, Refusal> {
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::InvalidEncryption) => Refusal::Broken,
        LoadPdfError::Decryption(_) => Refusal::Encrypted,
        LoadPdfError::Invalid => Refusal::Broken,
    })?;
    let pages = pdf.pages();
    if pages.is_empty() {
        return Err(Refusal::Broken);
    }
    if pages.len() > MOST_PAGES {
        return Err(Refusal::TooManyPages);
    }
    let cache = InterpreterCache::new();
    let (mut drawn, mut known, mut unknown) = (Vec::new(), 0, 0);
    for page in pages.iter() {
        let drawing = glyphs::draw(&pdf, page, &cache);
        known += drawing.glyphs.len();
        unknown += drawing.unknown;
        drawn.push(margins::PageSegments {
            segments: segments::join(&drawing.glyphs),
            height: page.render_dimensions().1,
        });
    }
    if known < FEWEST_LETTERS * pages.len() || known < unknown {
        return Err(Refusal::Scanned);
    }
    margins::strip(&mut drawn);
    let segments = drawn.iter().flat_map(|page| &page.segments);
    let is_from_right = direction::is_from_right(segments.map(|segment| segment.text.as_str()));
    let mut lines = Vec::new();
    for (page, drawn) in drawn.into_iter().enumerate() {
        for mut column in columns::order(drawn.segments) {
            for line in &mut column {
                line.page = page;
                line.text = direction::logical(std::mem::take(&mut line.text), is_from_right);
            }
            lines.push(column);
        }
    }
    let paragraphs = paragraphs::build(lines).into_iter();
    Ok(paragraphs
        .map(|paragraph| PdfParagraph {
            kind: paragraph.kind,
            text: paragraph.text,
            page: paragraph.page + 1,
        })
        .collect())
}
