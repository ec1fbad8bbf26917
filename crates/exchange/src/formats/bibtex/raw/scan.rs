//! Helpers to scan a text: blanks, lines, backslashes.

use memchr::{memchr2, memrchr2};

/// Whether an odd number of backslashes precedes the byte.
pub fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    before.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 1
}

pub fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// The text of the line before an offset, looking back at most 200 bytes.
pub fn line_before(text: &str, offset: usize) -> &str {
    let first = offset.saturating_sub(200);
    let near = text.as_bytes().get(first..offset).unwrap_or_default();
    let mut start = memrchr2(b'\n', b'\r', near).map_or(first, |found| first + found + 1);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..offset).unwrap_or_default()
}

/// A line that starts with `%` is a comment between entries, as in biber; entries are often commented out
/// so.
pub fn in_line_comment(text: &str, offset: usize) -> bool {
    line_before(text, offset).trim_start().starts_with('%')
}

pub fn line_end(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    memchr2(b'\n', b'\r', rest).map_or(text.len(), |found| from + found)
}
