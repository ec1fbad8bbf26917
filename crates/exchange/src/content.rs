//! The bytes and text of a file, and the features used to detect its format: the XML root, the JSON
//! members.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::problem::{Problem, Problems, Subject};
use crate::syntax::encoding::{Encoding, EncodingSource, decode_as, detect};
use crate::unreadable;
use citation_fields::notice::Notice;

/// A file. Its encoding is detected once, before its format.
#[derive(Debug)]
pub struct Content<'a> {
    bytes: &'a [u8],
    text: Cow<'a, str>,
    encoding: Encoding,
    encoding_source: EncodingSource,
    head: OnceLock<usize>,
}

/// Bytes at the beginning that are searched to detect the format.
const HEAD: usize = 64 * 1024;

impl<'a> Content<'a> {
    /// Decodes a file. Containers and images, recognised by their first bytes, have no text.
    pub fn new(bytes: &'a [u8]) -> Content<'a> {
        let (encoding, encoding_source) = if unreadable::is_binary(bytes) {
            (Encoding::Utf8, EncodingSource::Certain)
        } else {
            detect(bytes)
        };
        let text = if unreadable::is_binary(bytes) {
            Cow::Borrowed("")
        } else {
            decode_as(bytes, encoding)
        };
        Content {
            bytes,
            text,
            encoding,
            encoding_source,
            head: OnceLock::new(),
        }
    }

    /// Wraps text that is already decoded.
    pub fn of_text(text: &'a str) -> Content<'a> {
        Content {
            bytes: text.as_bytes(),
            text: Cow::Borrowed(text),
            encoding: Encoding::Utf8,
            encoding_source: EncodingSource::Certain,
            head: OnceLock::new(),
        }
    }

    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// A warning at the first character that is not ASCII, if the encoding was guessed or repaired.
    pub(crate) fn assumed_encoding(&self) -> Option<Problem> {
        let message = match self.encoding_source {
            EncodingSource::Certain | EncodingSource::Declared => return None,
            EncodingSource::Repaired => {
                "The file is UTF-8 with bytes that are not; these were read as Windows-1252."
                    .to_owned()
            }
            EncodingSource::Guessed => format!(
                "The file is not UTF-8 and does not name its encoding; it was read as {}.",
                self.encoding.name()
            ),
        };
        let at = self.text.find(|c: char| !c.is_ascii()).unwrap_or(0);
        let mut problems = Problems::new(&self.text, 0);
        let notice = Notice::new("assumed_encoding", message, at);
        problems.add(Subject::between(""), notice);
        problems.finish().pop()
    }

    /// The beginning of the text after white space and byte order marks.
    pub(crate) fn head(&self) -> &str {
        let start = self.head.get_or_init(|| {
            let rest = self
                .text
                .trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.text.len() - rest.len()
        });
        let rest = self.text.get(*start..).unwrap_or_default();
        rest.get(..rest.floor_char_boundary(HEAD)).unwrap_or(rest)
    }

    /// The lines of the beginning without trailing white space.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.head().split(['\n', '\r']).map(str::trim_end)
    }

    /// Whether it is XML, HTML or JSON, whose strings may contain anything.
    pub(crate) fn is_structured(&self) -> bool {
        self.head().starts_with("<?xml") || self.root().is_some() || self.json().is_some()
    }

    /// The start tag of the root element, if the text is XML or HTML.
    pub(crate) fn root(&self) -> Option<StartTag<'_>> {
        StartTag::of_root(self.head())
    }

    /// The members of the top-level object, or of the first object in the top-level list.
    pub(crate) fn json(&self) -> Option<Members<'_>> {
        Members::of_first(self.head())
    }
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(text: &'a str) -> Content<'a> {
        Content::of_text(text)
    }
}

/// The start tag of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartTag<'a> {
    /// Without namespace prefix.
    pub name: &'a str,
    /// As written.
    pub attributes: &'a str,
}

impl<'a> StartTag<'a> {
    /// Skips the declaration, comments and the document type.
    fn of_root(text: &'a str) -> Option<StartTag<'a>> {
        let mut rest = text.trim_start();
        loop {
            let end = match rest.get(1..2)? {
                _ if !rest.starts_with('<') => return None,
                "?" => rest.find("?>")? + 2,
                "!" if rest.starts_with("<!--") => rest.find("-->")? + 3,
                "!" => end_of_doctype(rest)?,
                _ => break,
            };
            rest = rest.get(end..)?.trim_start();
        }
        let tag = rest.get(1..rest.find('>')?)?;
        let (qualified, attributes) = tag
            .split_once(|c: char| c.is_whitespace() || c == '/')
            .unwrap_or((tag, ""));
        let name = qualified.rsplit(':').next().unwrap_or(qualified);
        let starts_well = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        starts_well.then_some(StartTag { name, attributes })
    }
}

/// A document type may contain declarations in brackets.
fn end_of_doctype(text: &str) -> Option<usize> {
    let end = text.find('>')?;
    match text.find('[') {
        Some(open) if open < end => {
            let close = open + text.get(open..)?.find(']')?;
            Some(close + text.get(close..)?.find('>')? + 1)
        }
        _ => Some(end + 1),
    }
}

/// The members of a JSON object. They are scanned, not parsed, because the object may extend beyond the
/// beginning of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members<'a>(Vec<(&'a str, &'a str)>);

/// Maximum number of members per object.
const MAX_MEMBERS: usize = 200;

impl<'a> Members<'a> {
    /// Members of the object at the start of a text, or of the first one in a list there. `[1] Doe` is not
    /// a JSON list.
    pub fn of_first(text: &'a str) -> Option<Members<'a>> {
        let text = text.trim_start();
        let object = match text.strip_prefix('[').map(str::trim_start) {
            Some(list) if list.starts_with(']') => return Some(Members::default()),
            Some(list) => list,
            None => text,
        };
        let mut rest = object.strip_prefix('{')?.trim_start();
        if !rest.starts_with(['"', '}']) {
            return None;
        }
        let mut members = Vec::new();
        while let Some(name) = string(rest).filter(|_| members.len() < MAX_MEMBERS) {
            let Some(behind) = rest.get(name.len() + 2..) else {
                break;
            };
            let Some(value) = behind.trim_start().strip_prefix(':').map(str::trim_start) else {
                break;
            };
            let length = length_of_value(value);
            members.push((name, value.get(..length).unwrap_or_default()));
            let Some(next) = value.get(length..).and_then(|next| next.strip_prefix(',')) else {
                break;
            };
            rest = next.trim_start();
        }
        Some(Members(members))
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value as written; truncated if the text ends earlier.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }

    /// The value of a string member without escapes.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name).and_then(string)
    }

    /// The members of an object value, or of the first object in a list value.
    pub fn inside(&self, name: &str) -> Option<Members<'a>> {
        self.get(name).and_then(Members::of_first)
    }

    pub fn names(&self) -> impl ExactSizeIterator<Item = &'a str> {
        self.0.iter().map(|(name, _)| *name)
    }
}

/// The content of the quotes at the start of a text, with escapes as written.
fn string(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('"')?;
    let mut escaped = false;
    let end = inside.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })?;
    inside.get(..end)
}

/// Length up to the comma or bracket after a value.
fn length_of_value(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let end = text.bytes().position(|byte| {
        if quoted {
            quoted = byte != b'"' || escaped;
            escaped = byte == b'\\' && !escaped;
            return false;
        }
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return true,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        false
    });
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_found_behind_what_may_precede_it() {
        let check = |text: &str, name: Option<&str>| {
            let content = Content::of_text(text);
            assert_eq!(content.root().map(|root| root.name), name, "{text}");
        };
        check("<a/>", Some("a"));
        check(
            "\u{feff}\n<?xml version=\"1.0\"?><!-- <no> --><!DOCTYPE x [<!ENTITY y \"z\">]>\n<p:mods version=\"3\">",
            Some("mods"),
        );
        check("<!doctype html><html lang=\"en\">", Some("html"));
        check("< 3 years", None);
        check("Doe J <doe@example.org>", None);
        check("<!--", None);
    }

    #[test]
    fn members_of_the_first_object_are_seen() {
        let names = |text: &str| -> Option<Vec<String>> {
            let members = Members::of_first(text)?;
            Some(members.names().map(str::to_owned).collect())
        };
        let list = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(
            names(r#"[{"a": {"x": [1, "}"]}, "b": "q\"uo,te", "c": tru"#),
            list(&["a", "b", "c"])
        );
        assert_eq!(names("[]"), list(&[]));
        assert_eq!(names("{}"), list(&[]));
        assert_eq!(names("[1] Doe J. A of it."), None);
        let members = Members::of_first(r#"{"items": [{"id": "a"}]}"#).unwrap();
        assert_eq!(members.inside("items").unwrap().text("id"), Some("a"));
    }
}
