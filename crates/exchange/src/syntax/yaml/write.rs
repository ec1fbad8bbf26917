//! A minimal YAML writer: mappings, lists and double-quoted texts. Existing writers omit quotes by rules of
//! their own, and YAML 1.1 readers then take a title such as `No` or `1e3` for something other than text.

use std::borrow::Cow;
use std::fmt::Write;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A word that needs no quotes.
    Word(&'static str),
    Text(String),
    List(Vec<Value>),
    Map(Map),
}

/// Members in output order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    members: Vec<(Cow<'static, str>, Value)>,
}

impl Map {
    pub fn members(&self) -> &[(Cow<'static, str>, Value)] {
        &self.members
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.members.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value)
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: Value) {
        self.members.push((name.into(), value));
    }

    /// Sets a text, if present.
    pub fn text(&mut self, name: impl Into<Cow<'static, str>>, text: Option<impl Into<String>>) {
        if let Some(text) = text {
            self.set(name, Value::Text(text.into()));
        }
    }

    /// Sets a list, unless empty.
    pub fn list(&mut self, name: &'static str, values: Vec<Value>) {
        if !values.is_empty() {
            self.set(name, Value::List(values));
        }
    }

    /// Sets a mapping, unless empty.
    pub fn map(&mut self, name: &'static str, map: Map) {
        if !map.is_empty() {
            self.set(name, Value::Map(map));
        }
    }
}

/// Writes one member of the outermost mapping.
pub fn write_member(key: &str, value: &Value, out: &mut String) {
    write_key(key, 0, out);
    write_value(value, 0, out);
    out.push('\n');
}

/// Writes one element of a list in the outermost mapping.
pub fn write_listed(value: &Value, out: &mut String) {
    out.push('-');
    match value {
        Value::Map(map) => write_in_list(map, 1, out),
        other => write_value(other, 0, out),
    }
    out.push('\n');
}

/// An implicit key has at most 1,024 characters (YAML 1.2, section 7.4.2).
const MAX_KEY_LENGTH: usize = 1_000;

fn write_key(key: &str, depth: usize, out: &mut String) {
    let before = out.len();
    if is_plain(key) {
        out.push_str(key);
    } else {
        write_text(key, out);
    }
    if out.len() - before > MAX_KEY_LENGTH {
        out.insert_str(before, "? ");
        begin_line(depth, out);
    }
    out.push(':');
}

/// Whether a key is unambiguous without quotes. `yes`, `null` and numbers are not.
fn is_plain(key: &str) -> bool {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let mut bytes = key.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(key))
}

fn write_map(map: &Map, depth: usize, out: &mut String) {
    for (name, value) in &map.members {
        begin_line(depth, out);
        write_key(name, depth, out);
        write_value(value, depth, out);
    }
}

fn write_value(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Word(word) => {
            out.push(' ');
            out.push_str(word);
        }
        Value::Text(text) => {
            out.push(' ');
            write_text(text, out);
        }
        Value::Map(map) => write_map(map, depth + 1, out),
        Value::List(values) => {
            for value in values {
                begin_line(depth + 1, out);
                out.push('-');
                match value {
                    Value::Map(map) => write_in_list(map, depth + 2, out),
                    other => write_value(other, depth + 1, out),
                }
            }
        }
    }
}

/// A mapping whose first member follows the hyphen.
fn write_in_list(map: &Map, depth: usize, out: &mut String) {
    for (at, (name, value)) in map.members.iter().enumerate() {
        if at == 0 {
            out.push(' ');
        } else {
            begin_line(depth, out);
        }
        write_key(name, depth, out);
        write_value(value, depth, out);
    }
}

fn begin_line(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Double quotes, with non-printable characters escaped (YAML 1.2, section 5.1).
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => escape(c, out),
            _ if c.is_control() => escape(c, out),
            _ => out.push(c),
        }
    }
    out.push('"');
}

fn escape(c: char, out: &mut String) {
    let _ = write!(out, "\\u{:04x}", u32::from(c));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted() {
        let check = |text: &str, expected: &str| {
            let mut out = String::new();
            write_text(text, &mut out);
            assert_eq!(out, expected);
        };
        check("a: b # c", r#""a: b # c""#);
        check("a\"b\\c\nd\u{7f}\u{85}é", r#""a\"b\\c\nd\u007f\u0085é""#);
    }

    #[test]
    fn keys_are_quoted_where_they_would_be_something_else() {
        let check = |key: &str, plain: bool| assert_eq!(is_plain(key), plain, "{key}");
        check("Smith2020a", true);
        check("a_b-c", true);
        for key in ["2020", "No", "a:b", "", "-a", "a.b"] {
            check(key, false);
        }
    }
}
