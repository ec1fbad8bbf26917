//! PDF: hayro extracts the glyphs, and the white space between them gives the order. A PDF may need any
//! amount of memory and time, so services read it in a separate process: [`serve`] is the work of that
//! process, [`document`] parses its output, and [`Transcript`] lets another process go on if it ends before.

mod bitmap;
mod columns;
mod direction;
mod glyphs;
mod margins;
mod operators;
mod pages;
mod paragraphs;
mod segments;
mod transcript;
mod words;

use citation_model::budget::Budget;
use serde::{Deserialize, Serialize};

pub use self::pages::PageWatch;
use self::pages::{DrawnPage, PageText, UnreadCause};
pub use self::transcript::{Remaining, Transcript};
use crate::document::{Block, BlockKind, Document, Finding, FindingKind, Place};
use crate::error::DocumentError;
use crate::format::ManuscriptFormat;
use crate::{list, printed};

/// Minimum number of letters of a page that is not a picture.
const MIN_LETTERS: usize = 20;

/// What the pages of a PDF say, as passed between processes.
#[derive(Debug, Serialize, Deserialize)]
struct PdfText {
    paragraphs: Vec<PdfParagraph>,
    unread: Vec<UnreadPages>,
}

#[derive(Debug, Serialize, Deserialize)]
struct PdfParagraph {
    kind: BlockKind,
    text: String,
    page: usize,
}

/// Consecutive pages that are not read for the same reason. Pages count from 1.
#[derive(Debug, Serialize, Deserialize)]
struct UnreadPages {
    first: usize,
    last: usize,
    cause: UnreadCause,
}

/// Why a PDF was not read.
#[derive(Debug, Serialize, Deserialize)]
enum Refusal {
    Encrypted,
    Scanned,
    Broken,
    TooManyPages,
    /// No page was read.
    Unread(UnreadPages),
}

/// Draws pages without a limit.
struct Unwatched;

impl PageWatch for Unwatched {
    fn may_draw(&mut self) -> bool {
        true
    }

    fn report(&mut self, _: Vec<u8>) {}
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
    let text = text(pages::draw(bytes.to_vec(), Vec::new(), &mut Unwatched));
    assemble(name, text, budget)
}

/// Reads a PDF and reports all lines of a [`Transcript`] to `watch`, and at the end what the pages say.
/// `transcript` is that of the processes before.
pub fn serve(bytes: Vec<u8>, transcript: &str, watch: &mut dyn PageWatch) {
    let known = transcript::parse(transcript);
    let text = text(pages::draw(bytes, known, watch));
    watch.report(serde_json::to_vec(&text).unwrap_or_default());
}

/// The document of the output of [`serve`].
pub fn document(name: &str, output: &[u8], budget: &Budget) -> Result<Document, DocumentError> {
    let answer = transcript::last_line(output);
    budget.spend(answer.len() as u64 / 8 + 1)?;
    let text = serde_json::from_slice(answer)
        .map_err(|_| DocumentError::broken(name, "what was read of it is cut off"))?;
    let mut document = assemble(name, text, budget)?;
    crate::finish(&mut document, ManuscriptFormat::Pdf, budget)?;
    Ok(document)
}

fn assemble(
    name: &str,
    text: Result<PdfText, Refusal>,
    budget: &Budget,
) -> Result<Document, DocumentError> {
    let text = text.map_err(|refusal| match refusal {
        Refusal::Encrypted => DocumentError::Encrypted(name.to_owned()),
        Refusal::Scanned => DocumentError::Scanned(name.to_owned()),
        Refusal::Broken => DocumentError::broken(name, "it is no PDF, or a damaged one"),
        Refusal::TooManyPages => DocumentError::broken(name, "it has too many pages"),
        Refusal::Unread(pages) => DocumentError::Stopped {
            what: name.to_owned(),
            cause: format!("page {}: {}", pages.numbers(), pages.cause.text()),
        },
    })?;
    let blocks = text.paragraphs.into_iter().enumerate();
    let blocks = blocks.map(|(n, paragraph)| {
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
    let unread = text.unread.iter().map(UnreadPages::finding);
    document.findings.splice(0..0, unread);
    Ok(document)
}

impl UnreadPages {
    fn count(&self) -> usize {
        self.last + 1 - self.first
    }

    /// `12` or `12–14`.
    fn numbers(&self) -> String {
        match self.count() {
            1 => self.first.to_string(),
            _ => format!("{}–{}", self.first, self.last),
        }
    }

    fn finding(&self) -> Finding {
        let (numbers, cause) = (self.numbers(), self.cause.text());
        Finding {
            kind: FindingKind::UnreadPage,
            message: match self.count() {
                1 => format!("Page {numbers} is not read: {cause}."),
                _ => format!("Pages {numbers} are not read: {cause}."),
            },
            keys: vec![numbers],
            place: Place {
                page: Some(self.first),
                ..Place::default()
            },
        }
    }
}

/// What the pages of a PDF say.
fn text(pages: Result<Vec<PageText>, Refusal>) -> Result<PdfText, Refusal> {
    let pages = pages?;
    let count = pages.len();
    let mut drawn = Vec::with_capacity(count);
    let mut unread: Vec<UnreadPages> = Vec::new();
    for (number, page) in (1..).zip(pages) {
        match page {
            PageText::Drawn(page) if page.unknown > page.letters.max(MIN_LETTERS) => {
                drawn.push(DrawnPage::default());
                add_unread(&mut unread, number, UnreadCause::Letters);
            }
            PageText::Drawn(page) => drawn.push(page),
            // Its place stays, since page numbers are recognised by their order.
            PageText::Unread(cause) => {
                drawn.push(DrawnPage::default());
                add_unread(&mut unread, number, cause);
            }
        }
    }
    let is_illegible = |pages: &UnreadPages| pages.cause == UnreadCause::Letters;
    let left_out: usize = unread.iter().map(UnreadPages::count).sum();
    if left_out == count && unread.iter().all(is_illegible) {
        return Err(Refusal::Scanned);
    }
    if left_out == count {
        return Err(unread.pop().map_or(Refusal::Broken, Refusal::Unread));
    }
    let letters: usize = drawn.iter().map(|page| page.letters).sum();
    if letters < MIN_LETTERS * (count - left_out) {
        return Err(Refusal::Scanned);
    }
    Ok(PdfText {
        paragraphs: paragraphs(drawn),
        unread,
    })
}

fn add_unread(unread: &mut Vec<UnreadPages>, number: usize, cause: UnreadCause) {
    match unread.last_mut() {
        Some(last) if last.last + 1 == number && last.cause == cause => last.last = number,
        _ => unread.push(UnreadPages {
            first: number,
            last: number,
            cause,
        }),
    }
}

/// The paragraphs in reading order.
fn paragraphs(mut pages: Vec<DrawnPage>) -> Vec<PdfParagraph> {
    margins::strip(&mut pages);
    let segments = pages.iter().flat_map(|page| &page.segments);
    let is_from_right = direction::is_from_right(segments.map(|segment| segment.text.as_str()));
    let mut lines = Vec::new();
    for (number, page) in pages.into_iter().enumerate() {
        for mut column in columns::order(page.segments) {
            for line in &mut column {
                line.page = number;
                line.text = direction::logical(std::mem::take(&mut line.text), is_from_right);
            }
            lines.push(column);
        }
    }
    let paragraphs = paragraphs::build(lines).into_iter();
    let paragraphs = paragraphs.map(|paragraph| PdfParagraph {
        kind: paragraph.kind,
        text: paragraph.text,
        page: paragraph.page + 1,
    });
    paragraphs.collect()
}
