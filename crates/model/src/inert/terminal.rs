//! Text shown on a terminal or in the log of a program. Invisible characters are written as Rust writes them
//! (`\u{1b}`, `\n`), so that they neither steer the terminal nor hide or reorder the text; and no text is a command
//! to a CI system that reads the log.

use std::borrow::Cow;
use std::fmt::Write;

use super::is_invisible;

/// One line, such as a message or the row of a table. Line breaks and tabs are shown too.
pub fn line(text: &str) -> Cow<'_, str> {
    if is_harmless(text, |_| false) && !has_command(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    push_line(text, Tab::Shown, &mut out);
    Cow::Owned(out)
}

/// Several lines for people, such as the difference of two files: the line breaks and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    if is_harmless(text, |c| matches!(c, '\n' | '\t')) && !has_command(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        push_line(line.strip_suffix('\r').unwrap_or(line), Tab::Kept, &mut out);
    }
    Cow::Owned(out)
}

/// JSON, with every invisible character of its strings as `\u001b`. It has the same meaning.
pub fn json(text: &str) -> Cow<'_, str> {
    // Raw, these stand only between the tokens.
    let is_blank = |c| matches!(c, '\n' | '\r' | '\t');
    if is_harmless(text, is_blank) && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        let is_command = c == '#' && is_marker(text, at);
        if is_command || !is_blank(c) && is_invisible(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[derive(Clone, Copy, PartialEq)]
enum Tab {
    Kept,
    Shown,
}

fn push_line(line: &str, tab: Tab, out: &mut String) {
    let command = command_start(line);
    let mut before = '\0';
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or('\0', |(_, c)| *c);
        let is_active = command == Some(at) || c == '#' && is_marker(line, at);
        match c {
            '\t' if tab == Tab::Kept => out.push(c),
            '\t' | '\n' | '\r' => out.extend(c.escape_default()),
            '\u{200c}' | '\u{200d}' if joins(before) && joins(after) => out.push(c),
            '\u{200e}' | '\u{200f}' | '\u{61c}' if is_right_to_left(before) => out.push(c),
            _ if is_active || is_invisible(c) => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
        before = c;
    }
}

/// Whether nothing has to be shown differently; a quick look at the common case.
fn is_harmless(text: &str, keeps: impl Fn(char) -> bool) -> bool {
    !text.chars().any(|c| is_invisible(c) && !keeps(c))
}

fn has_command(text: &str) -> bool {
    text.contains("##") || text.contains("::")
}

/// The position of the colons that make a line a workflow command of GitHub: `::error file=…::…`. Blanks may stand
/// before them.
fn command_start(line: &str) -> Option<usize> {
    let command = line.trim_start();
    let name = command.strip_prefix("::")?;
    let is_named = name.starts_with(|c: char| c.is_ascii_alphabetic());
    is_named.then_some(line.len() - command.len())
}

/// Whether the second sign of `##[error]`, `##vso[…]` or `##teamcity[…]` is at a position. Azure Pipelines and
/// GitHub's runner find these anywhere in a line.
fn is_marker(text: &str, at: usize) -> bool {
    let (before, from) = text.split_at_checked(at).unwrap_or_default();
    let name = from.strip_prefix('#').unwrap_or_default();
    let bracket = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    before.ends_with('#') && bracket.starts_with('[')
}

/// Whether a letter is of a script whose spelling has joiners: Arabic, Syriac, the scripts of India and South-East
/// Asia, Mongolian. Between two of them they hide nothing.
fn joins(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{109f}' | '\u{1780}'..='\u{18af}') && !is_invisible(c)
}

/// Whether a letter is of a script that is written from right to left. Behind it, a mark of direction only places
/// the punctuation, as locales of these scripts do.
fn is_right_to_left(c: char) -> bool {
    let is_script =
        matches!(c, '\u{5d0}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    is_script && c.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_shown() {
        let check = |text: &str, expected: &str| assert_eq!(line(text), expected);
        check("Zoë’s 語 – x", "Zoë’s 語 – x");
        check("a\u{1b}[31mb\u{7}", "a\\u{1b}[31mb\\u{7}");
        check("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}");
        check("a\r\nb\tc", "a\\r\\nb\\tc");
        check(
            "\u{202e}gpj.exe\u{2066}\u{200f}\u{61c}",
            "\\u{202e}gpj.exe\\u{2066}\\u{200f}\\u{61c}",
        );
        check(
            "pay\u{200d}pal\u{feff}\u{e0041}",
            "pay\\u{200d}pal\\u{feff}\\u{e0041}",
        );
        // A joiner of Persian spelling stays.
        check("می\u{200c}خواهم", "می\u{200c}خواهم");
        check("می\u{200c} x", "می\\u{200c} x");
        // And so does a mark behind a Hebrew letter.
        check("א\u{200f}. x\u{200f}", "א\u{200f}. x\\u{200f}");
    }

    #[test]
    fn no_line_is_a_command_to_a_ci_system() {
        let check = |text: &str, expected: &str| assert_eq!(line(text), expected);
        check("::error file=a::b", "\\u{3a}:error file=a::b");
        check("  ::add-mask::x", "  \\u{3a}:add-mask::x");
        check("x\n::error::y", "x\\n::error::y");
        check("a ##[error]b ##vso[x]", "a #\\u{23}[error]b #\\u{23}vso[x]");
        check("a::b ## c", "a::b ## c");
        check("::: {#refs}", "::: {#refs}");
    }

    #[test]
    fn several_lines_keep_their_breaks() {
        assert_eq!(
            lines("a\tb\r\n\u{1b}c\n ::error::d"),
            "a\tb\n\\u{1b}c\n \\u{3a}:error::d"
        );
        assert_eq!(lines("a\rb"), "a\\rb");
    }

    #[test]
    fn json_stays_the_same_value() {
        let check = |value: &str| {
            let written = serde_json::to_string(value).unwrap();
            let shown = json(&written);
            assert!(shown.chars().all(|c| !is_invisible(c)), "{shown}");
            assert!(!shown.contains("##["), "{shown}");
            assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), value);
        };
        check("plain é");
        check("\u{9b}x\u{202e}\u{7f}\u{e0041}\u{2028}\u{1b}\n");
        check("##[error]x ## #");
    }
}
