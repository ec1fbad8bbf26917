//! What can be wrong with a record of an input, and where it stands.

use memchr::memchr2_iter;
use serde::Serialize;

/// Whether a record was lost or only taken otherwise than it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The record was not read.
    Error,
    /// The record was read, but something in it was mended, dropped or left as it is.
    Warning,
}

/// Something wrong at one place of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The record's position among the records of the input, from 0; absent for what stands
    /// between records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The record's key, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation_key: Option<String>,
    /// Stable and in snake case, such as `unbalanced_braces`.
    pub code: &'static str,
    /// One sentence for the reader.
    pub message: String,
    /// The text at that place: its line, at most 120 characters.
    pub snippet: String,
    pub severity: Severity,
}

impl Problem {
    /// Whether something of the text may be lost with it: a record was not read, or it never ends, so
    /// that where it was taken to end is a guess.
    pub fn is_loss(&self) -> bool {
        self.severity == Severity::Error
            || matches!(self.code, "unterminated_entry" | "unbalanced_braces")
    }
}

/// A place in characters, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// The starts of the lines of a text: turns byte offsets into places.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Line breaks are LF, CR LF and a lone CR.
    pub fn new(text: &'a str) -> Lines<'a> {
        let bytes = text.as_bytes();
        let breaks = memchr2_iter(b'\n', b'\r', bytes)
            .filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        Lines {
            text,
            starts: std::iter::once(0).chain(breaks.map(|at| at + 1)).collect(),
        }
    }

    /// The place of a byte offset. Past the first 10,000 bytes of a line, columns count bytes, so
    /// that many problems in a file of one line stay cheap.
    pub fn place(&self, offset: usize) -> Place {
        let line = self.line_index(offset);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let near = self.text.get(start..offset.min(start + 10_000));
        let far = offset.saturating_sub(start + 10_000);
        Place {
            line: line + 1,
            column: near.unwrap_or_default().chars().count() + far + 1,
        }
    }

    /// The line's number alone, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.line_index(offset) + 1
    }

    fn line_index(&self, offset: usize) -> usize {
        self.starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1)
    }

    /// The text around an offset: its line without outer white space, at most 120 characters, cut
    /// so that the offset is in it.
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
