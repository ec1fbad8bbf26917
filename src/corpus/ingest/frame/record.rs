//! A record within the window.

use std::io::Read;

use crate::corpus::ingest::window::{MAX_RECORD, ReadWindow};

/// A record within the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FramedRecord {
    pub start: usize,
    pub end: usize,
    /// Number of bytes to consume.
    pub consumed: usize,
    /// The record, if it differs from the window's content.
    pub text: String,
    /// Number of bytes at the start of the text that are inherited from other runs.
    pub inherited: usize,
}

impl FramedRecord {
    pub fn new(start: usize, end: usize, consumed: usize) -> FramedRecord {
        FramedRecord {
            start,
            end,
            consumed,
            text: String::new(),
            inherited: 0,
        }
    }
}

/// Why no further record can be found.
#[derive(Debug)]
pub enum FrameError {
    Read(std::io::Error),
    /// A record exceeds the size limit. It has been skipped; the next one follows.
    TooLong {
        offset: u64,
    },
    /// The stream ends within a record.
    Cut {
        offset: u64,
    },
}

pub(super) fn more<R: Read>(window: &mut ReadWindow<R>) -> Result<bool, FrameError> {
    window.more().map_err(FrameError::Read)
}

pub(super) fn is_too_long<R: Read>(window: &ReadWindow<R>) -> bool {
    window.bytes().len() > MAX_RECORD
}

/// Consumes a record that is too long. `end` returns where it ends, or the number of bytes
/// that need not be searched again.
pub(super) fn skip_record<R: Read>(
    window: &mut ReadWindow<R>,
    mut end: impl FnMut(&[u8]) -> Result<usize, usize>,
) -> FrameError {
    let offset = window.offset();
    loop {
        match end(window.bytes()) {
            Ok(end) => {
                window.consume(end);
                return FrameError::TooLong { offset };
            }
            Err(seen) => window.consume(seen),
        }
        match more(window) {
            Ok(true) => {}
            Ok(false) => return FrameError::Cut { offset },
            Err(error) => return error,
        }
    }
}
