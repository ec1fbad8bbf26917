//! Draws the pages of a PDF one after the other. Each page is drawn or left out on its own, so one that takes
//! too much work costs only itself.

use hayro_interpret::InterpreterCache;
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use serde::{Deserialize, Serialize};

use super::operators::{MAX_OPERATORS, OperatorCounter};
use super::segments::{MAX_SEGMENTS, Segment};
use super::{Refusal, glyphs, segments};

/// Maximum number of pages read.
pub(super) const MAX_PAGES: usize = 5_000;

/// What is known of a page.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum PageText {
    Drawn(DrawnPage),
    Unread(UnreadCause),
}

/// The text of a page.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct DrawnPage {
    pub segments: Vec<Segment>,
    pub height: f32,
    /// Number of glyphs with a known character.
    pub letters: usize,
    /// Number of glyphs without.
    pub unknown: usize,
}

/// Why a page is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum UnreadCause {
    /// More than [`MAX_OPERATORS`].
    Operators,
    /// More than [`MAX_SEGMENTS`].
    Segments,
    /// The process ended while it drew the page.
    Stopped,
    /// The time for the document was over before.
    Late,
    /// Its fonts do not say which characters most of its letters are.
    Letters,
}

impl UnreadCause {
    /// The end of a sentence about pages.
    pub fn text(self) -> String {
        match self {
            UnreadCause::Operators => format!("more than {MAX_OPERATORS} operators"),
            UnreadCause::Segments => format!("more than {MAX_SEGMENTS} pieces of text"),
            UnreadCause::Stopped => {
                "too much memory or time, or a part that breaks the reader".to_owned()
            }
            UnreadCause::Late => "the time for the document was over".to_owned(),
            UnreadCause::Letters => {
                "its fonts do not say which characters its letters are".to_owned()
            }
        }
    }
}

/// Follows the drawing of pages.
pub trait PageWatch {
    /// Whether there is time to draw another page.
    fn may_draw(&mut self) -> bool;

    /// Gets a line of output as soon as it is known: first the number of pages, then each page.
    fn report(&mut self, line: Vec<u8>);
}

/// The pages of a PDF: those that are known already, then the others.
pub(super) fn draw(
    bytes: Vec<u8>,
    mut known: Vec<PageText>,
    watch: &mut dyn PageWatch,
) -> Result<Vec<PageText>, Refusal> {
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::InvalidEncryption) => Refusal::Broken,
        LoadPdfError::Decryption(_) => Refusal::Encrypted,
        LoadPdfError::Invalid => Refusal::Broken,
    })?;
    let pages = pdf.pages();
    if pages.is_empty() {
        return Err(Refusal::Broken);
    }
    if pages.len() > MAX_PAGES {
        return Err(Refusal::TooManyPages);
    }
    watch.report(pages.len().to_string().into_bytes());
    let cache = InterpreterCache::new();
    let mut counter = OperatorCounter::default();
    for page in pages.iter().skip(known.len()) {
        let text = if watch.may_draw() {
            text(&pdf, page, &cache, &mut counter)
        } else {
            PageText::Unread(UnreadCause::Late)
        };
        watch.report(serde_json::to_vec(&text).unwrap_or_default());
        known.push(text);
    }
    Ok(known)
}

fn text<'a>(
    pdf: &'a Pdf,
    page: &Page<'a>,
    cache: &InterpreterCache<'a>,
    counter: &mut OperatorCounter<'a>,
) -> PageText {
    if counter.count(page) > MAX_OPERATORS {
        return PageText::Unread(UnreadCause::Operators);
    }
    let drawing = glyphs::draw(pdf, page, cache);
    match segments::join(&drawing.glyphs) {
        Some(segments) => PageText::Drawn(DrawnPage {
            segments,
            height: page.render_dimensions().1,
            letters: drawing.glyphs.len(),
            unknown: drawing.unknown,
        }),
        None => PageText::Unread(UnreadCause::Segments),
    }
}
