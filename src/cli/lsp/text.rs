//! A text with the positions of the protocol: lines, and UTF-16 code units in a line.

use std::ops::Range;

use serde_json::{Value, json};

/// A text and where its lines start.
#[derive(Clone, Debug, Default)]
pub struct SourceText {
    text: String,
    /// In bytes. The first is 0.
    lines: Vec<usize>,
}

impl SourceText {
    pub fn new(text: String) -> SourceText {
        let mut lines = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // A carriage return alone ends a line, too.
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                lines.push(at + 1);
            }
        }
        SourceText { text, lines }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where a line starts, from 0; the end of the text behind the last one.
    pub fn line_start(&self, line: usize) -> usize {
        self.lines.get(line).copied().unwrap_or(self.text.len())
    }

    /// The byte of a position. One behind the end of its line is the end of the line, as the protocol says.
    pub fn offset(&self, position: &Value) -> usize {
        let number = |name: &str| {
            let number = position.get(name).and_then(Value::as_u64);
            usize::try_from(number.unwrap_or_default()).unwrap_or(usize::MAX)
        };
        let (line, character) = (number("line"), number("character"));
        let start = self.line_start(line);
        let end = self.line_start(line.saturating_add(1));
        let text = self.text.get(start..end).unwrap_or_default();
        let text = text.trim_end_matches(['\r', '\n']);
        let mut units = 0;
        for (at, c) in text.char_indices() {
            if units >= character {
                return start + at;
            }
            units += c.len_utf16();
        }
        start + text.len()
    }

    /// The position of a byte.
    pub fn position(&self, offset: usize) -> Value {
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        let before = self.text.get(self.line_start(line)..offset);
        let units: usize = before
            .unwrap_or_default()
            .chars()
            .map(char::len_utf16)
            .sum();
        json!({"line": line, "character": units})
    }

    pub fn range(&self, range: &Range<usize>) -> Value {
        json!({"start": self.position(range.start), "end": self.position(range.end)})
    }

    /// The text after a change: of a range, or of all.
    pub fn changed(&self, change: &Value) -> SourceText {
        let new = change.get("text").and_then(Value::as_str);
        let new = new.unwrap_or_default();
        let Some((start, end)) = change
            .get("range")
            .and_then(|range| Some((range.get("start")?, range.get("end")?)))
        else {
            return SourceText::new(new.to_owned());
        };
        let (start, end) = (self.offset(start), self.offset(end));
        let before = self.text.get(..start).unwrap_or_default();
        let behind = self.text.get(end.max(start)..).unwrap_or_default();
        SourceText::new([before, new, behind].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16() {
        let text = SourceText::new("a\u{e9}\u{1d11e}b\r\nc\rd".to_owned());
        let check = |offset: usize, line: u64, character: u64| {
            let position = json!({"line": line, "character": character});
            assert_eq!(text.position(offset), position, "{offset}");
            assert_eq!(text.offset(&position), offset, "{position}");
        };
        check(0, 0, 0);
        check(1, 0, 1);
        check(3, 0, 2);
        check(7, 0, 4);
        check(8, 0, 5);
        check(10, 1, 0);
        check(12, 2, 0);
        check(13, 2, 1);
        // Behind the end of a line, and of the text.
        assert_eq!(text.offset(&json!({"line": 0, "character": 99})), 8);
        assert_eq!(text.offset(&json!({"line": 9, "character": 0})), 13);
    }

    #[test]
    fn changes_are_applied() {
        let text = SourceText::new("ab\ncd".to_owned());
        let range =
            json!({"start": {"line": 0, "character": 1}, "end": {"line": 1, "character": 1}});
        let changed = text.changed(&json!({"range": range, "text": "\u{1d11e}"}));
        assert_eq!(changed.as_str(), "a\u{1d11e}d");
        assert_eq!(changed.changed(&json!({"text": "x"})).as_str(), "x");
    }
}
