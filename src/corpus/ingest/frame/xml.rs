//! Elements of an XML document.

use std::io::Read;

use memchr::memmem;

use super::record::{FrameError, FramedRecord, is_too_long, more, skip_record};
use crate::corpus::ingest::window::ReadWindow;

/// The record elements of a PubMed file, and their end tags.
const PUBMED: [(&[u8], &[u8]); 3] = [
    (b"<PubmedArticle", b"</PubmedArticle>"),
    (b"<PubmedBookArticle", b"</PubmedBookArticle>"),
    (b"<DeleteCitation", b"</DeleteCitation>"),
];

pub(super) fn next_element<R: Read>(
    window: &mut ReadWindow<R>,
) -> Result<Option<FramedRecord>, FrameError> {
    let close = loop {
        let bytes = window.bytes();
        let found = PUBMED
            .iter()
            .filter_map(|(open, close)| Some((find_tag(bytes, open)?, *close)))
            .min_by_key(|(at, _)| *at);
        match found {
            Some((at, close)) => {
                window.consume(at);
                break close;
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
    let mut searched = 0;
    loop {
        let bytes = window.bytes();
        let rest = bytes.get(searched..).unwrap_or_default();
        if let Some(at) = memmem::find(rest, close) {
            let end = searched + at + close.len();
            return Ok(Some(FramedRecord::new(0, end, end)));
        }
        if is_too_long(window) {
            return Err(skip_record(window, |bytes| {
                match memmem::find(bytes, close) {
                    Some(at) => Ok(at + close.len()),
                    None => Err(bytes.len().saturating_sub(close.len())),
                }
            }));
        }
        searched = bytes.len().saturating_sub(close.len());
        if !more(window)? {
            return Err(FrameError::Cut {
                offset: window.offset(),
            });
        }
    }
}

/// Finds an opening tag by its name; `<PubmedArticleSet>` is not `<PubmedArticle>`.
fn find_tag(bytes: &[u8], open: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, open).find(|at| {
        let next = bytes.get(at + open.len());
        next.is_some_and(|byte| matches!(byte, b'>' | b' ' | b'\n' | b'\r' | b'\t' | b'/'))
    })
}
