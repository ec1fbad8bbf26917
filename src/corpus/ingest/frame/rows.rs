//! Rows of a CSV file, each behind the header of the file.

use std::io::Read;

use super::record::{FrameError, FramedRecord, is_too_long, more, skip_record};
use crate::corpus::ingest::window::ReadWindow;

/// The header of a file, with its line break.
pub(super) fn header_of(head: &[u8]) -> String {
    let end = memchr::memchr(b'\n', head).map_or(head.len(), |at| at + 1);
    let line = String::from_utf8_lossy(head.get(..end).unwrap_or_default());
    line.trim_start_matches('\u{feff}').to_owned()
}

/// The next row. A line break within quotation marks is part of it.
pub(super) fn next_row<R: Read>(
    header: &str,
    window: &mut ReadWindow<R>,
) -> Result<Option<FramedRecord>, FrameError> {
    let (mut searched, mut is_quoted) = (0, false);
    loop {
        let bytes = window.bytes();
        let rest = bytes.get(searched..).unwrap_or_default();
        let mut end = None;
        for at in memchr::memchr2_iter(b'"', b'\n', rest) {
            match rest.get(at) {
                Some(b'"') => is_quoted = !is_quoted,
                _ if !is_quoted => {
                    end = Some(searched + at);
                    break;
                }
                _ => {}
            }
        }
        searched = bytes.len();
        if let Some(end) = end {
            if bytes
                .get(..end)
                .is_some_and(|row| row.trim_ascii().is_empty())
            {
                window.consume(end + 1);
                (searched, is_quoted) = (0, false);
                continue;
            }
            return Ok(Some(row(header, end, end + 1)));
        }
        if is_too_long(window) {
            return Err(skip_record(window, |bytes| {
                memchr::memchr(b'\n', bytes).map_or(Err(bytes.len()), |at| Ok(at + 1))
            }));
        }
        if !more(window)? {
            let rest = window.bytes();
            let end = rest.len();
            return Ok((!rest.trim_ascii().is_empty()).then(|| row(header, end, end)));
        }
    }
}

fn row(header: &str, end: usize, consumed: usize) -> FramedRecord {
    FramedRecord {
        text: header.to_owned(),
        inherited: header.len(),
        ..FramedRecord::new(0, end, consumed)
    }
}
