//! Runs of whole records of a text format, some megabytes at a time.

use std::io::Read;

use memchr::memmem;

use super::record::{FrameError, FramedRecord, is_too_long, more, skip_record};
use crate::corpus::ingest::window::{MAX_RECORD, ReadWindow};
use citation_exchange::bibtex::inheritance::Inheritance;
use citation_exchange::encoding::sniff;
use citation_exchange::{self as exchange, Encoding};

/// Text formats are split into runs of about this many bytes; shorter files are one run.
pub(super) const RUN: usize = 8 << 20;

/// How a text is split into runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// The encoding, if characters have two bytes.
    wide: Option<Encoding>,
    /// The start of each record, at the start of a line.
    start: &'static str,
    pub inherited: Option<Inheritance>,
}

impl Runs {
    pub fn of(head: &[u8], start: &'static str) -> Runs {
        let encoding = sniff(head);
        Runs {
            wide: Some(encoding).filter(|e| matches!(e, Encoding::Utf16Le | Encoding::Utf16Be)),
            start,
            inherited: None,
        }
    }

    pub fn next<R: Read>(
        &self,
        window: &mut ReadWindow<R>,
    ) -> Result<Option<FramedRecord>, FrameError> {
        let end = self.run_end(window)?;
        let (bytes, offset) = (window.bytes(), window.offset());
        let run = bytes.get(..end).unwrap_or_default();
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        if run.iter().all(is_blank) {
            return Ok(None);
        }
        if self.wide.is_none() && self.inherited.is_none() {
            return Ok(Some(FramedRecord::new(0, end, end)));
        }
        let encoding = self.wide.unwrap_or_else(|| sniff(run));
        let own = exchange::encoding::decode_as(run, encoding);
        let before = self
            .inherited
            .as_ref()
            .map(|inherited| inherited.before(&own, offset));
        let before = before.unwrap_or_default();
        Ok(Some(FramedRecord {
            inherited: before.len(),
            text: before + &own,
            ..FramedRecord::new(0, 0, end)
        }))
    }

    /// Where a run ends: at the end of the stream, or before the last record that starts in the window, since
    /// that may continue after it.
    fn run_end<R: Read>(&self, window: &mut ReadWindow<R>) -> Result<usize, FrameError> {
        let mut length = RUN;
        loop {
            if fill_run(window, length)? {
                return Ok(window.bytes().len());
            }
            match self.last_start(window.bytes()) {
                Some(at) => return Ok(at),
                None if is_too_long(window) => {
                    return Err(skip_record(window, |bytes| {
                        // A line break and the start of a record may cross the edge.
                        let edge = bytes.len().saturating_sub(4 * (1 + self.start.len()));
                        self.next_start(bytes).ok_or(edge & !1)
                    }));
                }
                // Doubled, since the window is searched as a whole each time.
                None => length = (2 * window.bytes().len()).min(MAX_RECORD),
            }
        }
    }

    /// Where the last line that starts a record begins, after any kind of line break.
    fn last_start(&self, bytes: &[u8]) -> Option<usize> {
        let starts = self
            .starts(|sought| memmem::rfind_iter(bytes, sought).find(|at| self.is_character(*at)));
        starts.into_iter().flatten().max()
    }

    /// Where the first such line begins.
    fn next_start(&self, bytes: &[u8]) -> Option<usize> {
        let starts = self
            .starts(|sought| memmem::find_iter(bytes, sought).find(|at| self.is_character(*at)));
        starts.into_iter().flatten().min()
    }

    /// The match of `find` for any line break followed by the start of a record.
    fn starts(&self, find: impl Fn(&[u8]) -> Option<usize>) -> [Option<usize>; 2] {
        ["\n", "\r"].map(|line_break| {
            let at = find(&self.encoded(&format!("{line_break}{}", self.start)))?;
            Some(at + self.encoded(line_break).len())
        })
    }

    /// Whether a character starts at this byte.
    fn is_character(&self, at: usize) -> bool {
        self.wide.is_none() || at.is_multiple_of(2)
    }

    fn encoded(&self, text: &str) -> Vec<u8> {
        match self.wide {
            None => text.as_bytes().to_vec(),
            Some(Encoding::Utf16Be) => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Some(_) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        }
    }
}

/// Fills the window with at least so many bytes. True if the stream ends with it.
pub(super) fn fill_run<R: Read>(
    window: &mut ReadWindow<R>,
    length: usize,
) -> Result<bool, FrameError> {
    while window.bytes().len() <= length {
        if !more(window)? {
            return Ok(true);
        }
    }
    Ok(false)
}
