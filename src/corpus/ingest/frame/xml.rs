//! Elements of an XML document.

use std::io::Read;

use memchr::memmem;

use super::record::{FrameError, FramedRecord, is_too_long, more, skip_record};
use crate::corpus::ingest::window::ReadWindow;

/// A record element: the starts of its tag, and its end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordElement {
    open: &'static [u8],
    close: &'static [u8],
    /// Whether elements of the same name may stand inside.
    nests: bool,
}

const fn element(open: &'static str, close: &'static str) -> RecordElement {
    RecordElement {
        open: open.as_bytes(),
        close: close.as_bytes(),
        nests: false,
    }
}

pub(super) const PUBMED: [RecordElement; 3] = [
    element("<PubmedArticle", "</PubmedArticle>"),
    element("<PubmedBookArticle", "</PubmedBookArticle>"),
    element("<DeleteCitation", "</DeleteCitation>"),
];

pub(super) const DBLP: [RecordElement; 9] = [
    element("<article", "</article>"),
    element("<inproceedings", "</inproceedings>"),
    element("<proceedings", "</proceedings>"),
    element("<book", "</book>"),
    element("<incollection", "</incollection>"),
    element("<phdthesis", "</phdthesis>"),
    element("<mastersthesis", "</mastersthesis>"),
    element("<data", "</data>"),
    element("<www", "</www>"),
];

/// The metadata of a record may be a MARC record without a prefix.
pub(super) const OAI: [RecordElement; 1] = [RecordElement {
    nests: true,
    ..element("<record", "</record>")
}];

pub(super) fn next_element<R: Read>(
    elements: &'static [RecordElement],
    window: &mut ReadWindow<R>,
) -> Result<Option<FramedRecord>, FrameError> {
    let element = loop {
        let bytes = window.bytes();
        match first_tag(elements, bytes) {
            Some((at, element)) => {
                window.consume(at);
                break element;
            }
            None => {
                // A tag may cross the edge of the window.
                let keep = bytes.len().min(32);
                window.consume(bytes.len() - keep);
                if !more(window)? {
                    return Ok(None);
                }
            }
        }
    };
    let close = element.close;
    // Where the last end tag ended, the number of elements that were open there, and where to look for
    // the next one.
    let (mut counted, mut open, mut searched) = (0, 0_usize, 0);
    loop {
        let bytes = window.bytes();
        let rest = bytes.get(searched..).unwrap_or_default();
        if let Some(at) = memmem::find(rest, close) {
            let end = searched + at + close.len();
            let inside = bytes.get(counted..end).unwrap_or_default();
            if element.nests {
                open = (open + count_tags(inside, element.open)).saturating_sub(1);
            }
            if open == 0 {
                return Ok(Some(FramedRecord::new(0, end, end)));
            }
            (counted, searched) = (end, end);
            continue;
        }
        if is_too_long(window) {
            return Err(skip_record(window, |bytes| {
                match memmem::find(bytes, close) {
                    Some(at) => Ok(at + close.len()),
                    None => Err(bytes.len().saturating_sub(close.len())),
                }
            }));
        }
        searched = bytes.len().saturating_sub(close.len()).max(counted);
        if !more(window)? {
            return Err(FrameError::Cut {
                offset: window.offset(),
            });
        }
    }
}

/// The first record element, and where its tag starts.
fn first_tag(
    elements: &'static [RecordElement],
    bytes: &[u8],
) -> Option<(usize, &'static RecordElement)> {
    memchr::memchr_iter(b'<', bytes).find_map(|at| {
        let rest = bytes.get(at..)?;
        let found = elements
            .iter()
            .find(|element| starts_tag(rest, element.open));
        Some((at, found?))
    })
}

fn count_tags(bytes: &[u8], open: &[u8]) -> usize {
    let starts = memmem::find_iter(bytes, open);
    starts
        .filter(|at| bytes.get(*at..).is_some_and(|rest| starts_tag(rest, open)))
        .count()
}

/// Whether a text starts with a tag of this name; `<PubmedArticleSet>` is not `<PubmedArticle>`.
fn starts_tag(text: &[u8], open: &[u8]) -> bool {
    let next = text.strip_prefix(open).and_then(|rest| rest.first());
    next.is_some_and(|byte| matches!(byte, b'>' | b' ' | b'\n' | b'\r' | b'\t' | b'/'))
}
