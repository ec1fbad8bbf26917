//! The first lines of a text as block YAML, to detect the kind of bibliography.

use crate::content::Content;

/// A line `key: value`, or `- key: value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Blanks and list hyphens before the key.
    pub indent: usize,
    /// Whether it begins a list element.
    pub is_listed: bool,
    pub key: &'a str,
    /// Without quotes; empty if the value is below.
    pub value: &'a str,
}

/// Maximum number of lines examined.
const MAX_LINES: usize = 500;

/// The lines with keys; empty if the first line is not one, because then no mapping begins there.
pub(crate) fn outline<'a>(content: &'a Content<'_>) -> Vec<Line<'a>> {
    let lines = content.lines().filter(|line| !is_comment(line));
    let mut lines = lines.take(MAX_LINES).peekable();
    match lines.peek().map(|line| read(line)) {
        Some(Some(_)) => lines.filter_map(read).collect(),
        _ => Vec::new(),
    }
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', '%']) || line == "---"
}

fn read(line: &str) -> Option<Line<'_>> {
    let bare = line.trim_start_matches([' ', '-']);
    let indent = line.len() - bare.len();
    let before = line.get(..indent)?.trim_start();
    let (key, value) = match bare.split_once(": ") {
        Some(parts) => parts,
        None => (bare.strip_suffix(':')?, ""),
    };
    let key = unquoted(key.trim_end());
    let is_key = !key.is_empty() && !key.contains(char::is_whitespace);
    (is_key && before.chars().filter(|c| *c == '-').count() <= 1).then_some(Line {
        indent,
        is_listed: !before.is_empty(),
        key,
        value: unquoted(value.trim()),
    })
}

fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_seen() {
        let content = Content::of_text("# x\n---\na:\n  - 'b': \"c: d\"\n    e:\ntext\n");
        let lines = outline(&content);
        let seen: Vec<_> = { lines.iter() }
            .map(|line| (line.indent, line.is_listed, line.key, line.value))
            .collect();
        assert_eq!(
            seen,
            [
                (0, false, "a", ""),
                (4, true, "b", "c: d"),
                (4, false, "e", "")
            ]
        );
        assert_eq!(outline(&Content::of_text("[1] Doe J. A: B\nc: d\n")), []);
    }
}
