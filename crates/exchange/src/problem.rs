//! Problems of the records of an input, with their positions.

use std::cmp::Ordering;

use citation_fields::clean::cut;
use citation_fields::notice::{Notice, Notices};
use citation_model::budget::Exceeded;
use memchr::memchr2_iter;
use serde::Serialize;

/// Whether a record was lost or only changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The record was not read.
    Error,
    /// The record was read, but a value was repaired, dropped or left unparsed.
    Warning,
}

/// A problem at a position of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Index of the record in the input, from 0; absent for text between records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The key of the record, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation_key: Option<String>,
    /// Stable and in snake case, such as `unbalanced_braces`.
    pub code: &'static str,
    /// One sentence for the user.
    pub message: String,
    /// The line at that position, at most 120 characters.
    pub snippet: String,
    pub severity: Severity,
}

impl Problem {
    /// Whether content may be lost: a record was not read, or it is unclosed, so that its end is a guess.
    pub fn is_loss(&self) -> bool {
        self.severity == Severity::Error
            || matches!(self.code, "unterminated_entry" | "unbalanced_braces")
    }
}

/// Why a record of a source cannot be read, where a broken one is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    #[error("{0}")]
    Syntax(String),
}

impl ReadError {
    /// An error if one of the problems is a loss.
    pub(crate) fn of_loss(problems: &[Problem]) -> Result<(), ReadError> {
        match problems.iter().find(|problem| problem.is_loss()) {
            Some(problem) => Err(ReadError::Syntax(problem.message.clone())),
            None => Ok(()),
        }
    }
}

/// Maximum number of problems listed per text and severity.
const MAX_SHARE_OF_TEXT: usize = 1_000;
/// Maximum bytes of a citation key in a problem; BibTeX accepts no longer keys.
const MAX_KEY_LENGTH: usize = 250;

/// The subject of a problem.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'k> {
    pub index: Option<usize>,
    /// May be empty.
    pub key: &'k str,
    pub severity: Severity,
}

impl<'k> Subject<'k> {
    /// A record that is read.
    pub fn read(index: usize, key: &'k str) -> Subject<'k> {
        Subject {
            index: Some(index),
            key,
            severity: Severity::Warning,
        }
    }

    /// A lost record.
    pub fn lost(index: usize, key: &'k str) -> Subject<'k> {
        Subject {
            severity: Severity::Error,
            ..Subject::read(index, key)
        }
    }

    /// Text between records.
    pub fn between(key: &'k str) -> Subject<'k> {
        Subject {
            index: None,
            key,
            severity: Severity::Warning,
        }
    }
}

/// The problems of a text; the first of each severity are listed.
#[derive(Debug)]
pub(crate) struct Problems<'t> {
    lines: Lines<'t>,
    /// Problems before this offset are not reported.
    from: usize,
    listed: Vec<Problem>,
    errors: Count,
    warnings: Count,
}

#[derive(Debug, Default)]
struct Count {
    all: usize,
    /// Offset of the first unlisted problem.
    first_unlisted: usize,
}

impl<'t> Problems<'t> {
    pub fn new(text: &'t str, from: usize) -> Problems<'t> {
        Problems {
            lines: Lines::new(text),
            from,
            listed: Vec::new(),
            errors: Count::default(),
            warnings: Count::default(),
        }
    }

    pub fn add(&mut self, subject: Subject<'_>, notice: Notice) {
        if notice.offset < self.from {
            return;
        }
        let count = match subject.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        count.all += 1;
        match count.all.cmp(&(MAX_SHARE_OF_TEXT + 1)) {
            Ordering::Less => self.list(subject, notice),
            Ordering::Equal => count.first_unlisted = notice.offset,
            Ordering::Greater => {}
        }
    }

    /// Adds the notices about a record so far.
    pub fn take(&mut self, subject: Subject<'_>, notices: &mut Notices) {
        for notice in notices.take() {
            self.add(subject, notice);
        }
    }

    /// Adds all notices about the record at an offset.
    pub fn add_all(&mut self, subject: Subject<'_>, offset: usize, mut notices: Notices) {
        self.take(subject, &mut notices);
        let unlisted = notices.unlisted();
        if unlisted > 0 {
            let message = format!("{unlisted} more problems here are not listed.");
            self.add(subject, more(message, offset));
        }
    }

    /// The number of the line at an offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.lines.line(offset)
    }

    /// The number of errors, listed or not.
    pub fn errors(&self) -> usize {
        self.errors.all
    }

    /// In the order of the text.
    pub fn finish(mut self) -> Vec<Problem> {
        for (severity, what) in [
            (Severity::Error, "records were not read"),
            (Severity::Warning, "warnings are not listed"),
        ] {
            let count = match severity {
                Severity::Error => &self.errors,
                Severity::Warning => &self.warnings,
            };
            if count.all > MAX_SHARE_OF_TEXT {
                let offset = count.first_unlisted;
                let message = format!("{} more {what}.", count.all - MAX_SHARE_OF_TEXT);
                let subject = Subject {
                    severity,
                    ..Subject::between("")
                };
                self.list(subject, more(message, offset));
            }
        }
        self.listed
            .sort_by_key(|problem| (problem.line, problem.column));
        self.listed
    }

    fn list(&mut self, subject: Subject<'_>, notice: Notice) {
        let place = self.lines.place(notice.offset);
        let key = cut(subject.key, MAX_KEY_LENGTH);
        self.listed.push(Problem {
            index: subject.index,
            line: place.line,
            column: place.column,
            citation_key: Some(key.to_owned()).filter(|key| !key.is_empty()),
            code: notice.code,
            message: notice.message,
            snippet: self.lines.snippet(notice.offset),
            severity: subject.severity,
        });
    }
}

fn more(message: String, offset: usize) -> Notice {
    Notice::new("more_problems", message, offset)
}

/// A position in characters, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// The line starts of a text; converts byte offsets to positions.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Line breaks are LF, CR LF and a lone CR.
    pub fn new(text: &'a str) -> Lines<'a> {
        let bytes = text.as_bytes();
        // Exact capacity: a text may consist only of line breaks.
        let most = memchr2_iter(b'\n', b'\r', bytes).count() + 1;
        let breaks = memchr2_iter(b'\n', b'\r', bytes)
            .filter(|&at| bytes.get(at) == Some(&b'\n') || bytes.get(at + 1) != Some(&b'\n'));
        let mut starts = Vec::with_capacity(most);
        starts.push(0);
        starts.extend(breaks.map(|at| at + 1));
        Lines { text, starts }
    }

    /// The position of a byte offset. After the first 10,000 bytes of a line, columns count bytes, so that
    /// many problems in a single-line file stay cheap.
    pub fn place(&self, offset: usize) -> LineColumn {
        let line = self.line_index(offset);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let near = self.text.get(start..offset.min(start + 10_000));
        let far = offset.saturating_sub(start + 10_000);
        LineColumn {
            line: line + 1,
            column: near.unwrap_or_default().chars().count() + far + 1,
        }
    }

    /// Only the line number, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.line_index(offset) + 1
    }

    fn line_index(&self, offset: usize) -> usize {
        self.starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// The line at an offset without outer white space, cut to at most 120 characters around the offset.
    pub fn snippet(&self, offset: usize) -> String {
        let line = self.line_index(offset);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let mut from = start;
        if offset > start + 80 {
            from = (offset - 40).min(self.text.len());
            while !self.text.is_char_boundary(from) {
                from -= 1;
            }
        }
        let rest = self.text.get(from..).unwrap_or_default();
        let shown = rest.trim_start_matches([' ', '\t']).chars();
        let shown: String = shown
            .take_while(|c| !matches!(c, '\n' | '\r'))
            .take(120)
            .collect();
        shown.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_of_every_kind() {
        let lines = Lines::new("ab\ncd\r\nef\rgh");
        let place = |offset| (lines.place(offset).line, lines.place(offset).column);
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(4), (2, 2));
        assert_eq!(place(7), (3, 1));
        assert_eq!(place(11), (4, 2));
        assert_eq!(place(99), (4, 1));
    }

    #[test]
    fn columns_are_characters_and_snippets_are_lines() {
        let lines = Lines::new("éé\n  ü = x  \n");
        assert_eq!(lines.place(4).column, 3);
        assert_eq!(lines.snippet(8), "ü = x");
        let long = "x".repeat(500);
        assert_eq!(Lines::new(&long).snippet(400).len(), 120);
    }
}
