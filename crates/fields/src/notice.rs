//! Notices: what a reader repaired, dropped or left unparsed in a record.

use crate::clean::cut;

/// Maximum number of notices kept per record.
const MAX_PER_RECORD: usize = 20;

/// A notice of a reader: a stable code, a sentence, and the byte offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub code: &'static str,
    pub message: String,
    pub offset: usize,
}

impl Notice {
    pub fn new(code: &'static str, message: impl Into<String>, offset: usize) -> Notice {
        Notice {
            code,
            message: message.into(),
            offset,
        }
    }
}

/// The notices of one record; only the first are kept.
#[derive(Debug, Default)]
pub struct Notices {
    kept: Vec<Notice>,
    /// Number kept, including those already taken.
    listed: usize,
    unlisted: usize,
}

impl Notices {
    pub fn push(&mut self, notice: Notice) {
        if self.listed < MAX_PER_RECORD {
            self.listed += 1;
            self.kept.push(notice);
        } else {
            self.unlisted += 1;
        }
    }

    pub fn first(&self) -> Option<&Notice> {
        self.kept.first()
    }

    /// The codes of the notices kept.
    pub fn codes(&self) -> Vec<&'static str> {
        self.kept.iter().map(|notice| notice.code).collect()
    }

    /// Counts notices that were not created.
    pub fn skip(&mut self, count: usize) {
        self.unlisted += count;
    }

    /// Removes the notices kept so far.
    pub fn take(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.kept)
    }

    /// The number of notices that were not kept.
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }
}

/// The message about a date that was read without some of its numbers.
pub fn lost_numbers(date: &str) -> String {
    format!(
        "{} is no date; what can be of it was taken.",
        cut(date, MAX_SHOWN_BYTES)
    )
}

/// Maximum bytes of a date in a message.
const MAX_SHOWN_BYTES: usize = 100;
