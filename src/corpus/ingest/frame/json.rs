//! Lines, and values of JSON.

use std::io::Read;

use super::Framing;
use super::record::{FrameError, FramedRecord, is_too_long, more, skip_record};
use crate::corpus::ingest::window::ReadWindow;
use citation_records::json_scan;

/// Lines, unless the start shows an array, alone or under a member with records, or a
/// value spread over several lines.
pub(super) fn json_framing(head: &[u8]) -> Framing {
    if let Some(preamble) = json_scan::find_array(head) {
        return Framing::JsonValues { preamble };
    }
    let first_line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let whole = json_scan::value_end(first_line, &mut json_scan::State::default()).is_some();
    let cut = first_line.len() == head.len();
    if whole || cut {
        Framing::Lines
    } else {
        Framing::JsonValues { preamble: 0 }
    }
}

pub(super) fn next_line<R: Read>(
    window: &mut ReadWindow<R>,
) -> Result<Option<FramedRecord>, FrameError> {
    let mut searched = 0;
    loop {
        let bytes = window.bytes();
        let rest = bytes.get(searched..).unwrap_or_default();
        if let Some(at) = memchr::memchr(b'\n', rest) {
            let end = searched + at;
            let line = bytes.get(..end).unwrap_or_default();
            if line.iter().all(u8::is_ascii_whitespace) {
                window.consume(end + 1);
                searched = 0;
                continue;
            }
            return Ok(Some(FramedRecord::new(0, end, end + 1)));
        }
        if is_too_long(window) {
            let line_end = |bytes: &[u8]| match memchr::memchr(b'\n', bytes) {
                Some(at) => Ok(at + 1),
                None => Err(bytes.len()),
            };
            return Err(match skip_record(window, line_end) {
                // The last line needs no line break.
                FrameError::Cut { offset } => FrameError::TooLong { offset },
                error => error,
            });
        }
        searched = bytes.len();
        if !more(window)? {
            let bytes = window.bytes();
            let blank = bytes.iter().all(u8::is_ascii_whitespace);
            return Ok((!blank).then(|| FramedRecord::new(0, bytes.len(), bytes.len())));
        }
    }
}

pub(super) fn next_value<R: Read>(
    window: &mut ReadWindow<R>,
) -> Result<Option<FramedRecord>, FrameError> {
    // Values are separated by commas, brackets and white space; a closing bracket ends the array.
    loop {
        let bytes = window.bytes();
        let start = bytes
            .iter()
            .position(|byte| !matches!(byte, b',' | b' ' | b'\n' | b'\r' | b'\t'));
        match start.and_then(|start| bytes.get(start)) {
            Some(b']' | b'}') => return Ok(None),
            Some(_) => {
                window.consume(start.unwrap_or_default());
                break;
            }
            None => {
                window.consume(bytes.len());
                if !more(window)? {
                    return Ok(None);
                }
            }
        }
    }
    let mut state = json_scan::State::default();
    loop {
        if let Some(end) = json_scan::value_end(window.bytes(), &mut state) {
            return Ok(Some(FramedRecord::new(0, end, end)));
        }
        if is_too_long(window) {
            return Err(skip_record(window, |bytes| {
                json_scan::value_end(bytes, &mut state).ok_or_else(|| state.forget())
            }));
        }
        if !more(window)? {
            return Err(FrameError::Cut {
                offset: window.offset(),
            });
        }
    }
}
