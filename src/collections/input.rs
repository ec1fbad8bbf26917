//! Validation of user texts: names, descriptions, notes, tags.

use crate::config::LimitSettings;
use citation_exchange::keys;

/// An error in one member of a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} {message}")]
pub struct Fault {
    /// JSON pointer.
    pub field: String,
    /// `missing`, `too_long`, `too_many`, `too_large`, `unknown`, `invalid`.
    pub code: &'static str,
    /// The rest of a sentence that starts with the field.
    pub message: String,
}

impl Fault {
    pub fn new(field: &str, code: &'static str, message: impl Into<String>) -> Fault {
        Fault {
            field: field.to_owned(),
            code,
            message: message.into(),
        }
    }
}

/// A collection's name: one line, trimmed, not empty.
pub fn name(field: &str, text: &str, limits: &LimitSettings) -> Result<String, Fault> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(Fault::new(field, "missing", "must not be empty"));
    }
    if name.chars().any(char::is_control) {
        return Err(Fault::new(field, "invalid", "contains a control character"));
    }
    limited(field, name, limits.name_chars)
}

/// A collection's description; blank becomes `None`.
pub fn description(
    field: &str,
    text: Option<&str>,
    limits: &LimitSettings,
) -> Result<Option<String>, Fault> {
    optional(field, text, limits.description_chars)
}

/// The name or address of a style; blank becomes `None`. The caller checks whether the style
/// exists.
pub fn style(
    field: &str,
    text: Option<&str>,
    limits: &LimitSettings,
) -> Result<Option<String>, Fault> {
    optional(field, text, limits.name_chars)
}

/// An entry's note; blank becomes `None`.
pub fn note(
    field: &str,
    text: Option<&str>,
    limits: &LimitSettings,
) -> Result<Option<String>, Fault> {
    optional(field, text, limits.note_chars)
}

/// Tags: trimmed, deduplicated regardless of case, in order; the first spelling is kept.
pub fn tags(field: &str, given: &[String], limits: &LimitSettings) -> Result<Vec<String>, Fault> {
    let mut tags: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for (index, text) in given.iter().enumerate() {
        let tag = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if tag.is_empty() || !seen.insert(tag.to_lowercase()) {
            continue;
        }
        if tags.len() == limits.tags as usize {
            let message = format!("has more than {} tags", limits.tags);
            return Err(Fault::new(field, "too_many", message));
        }
        tags.push(limited(&format!("{field}/{index}"), tag, limits.tag_chars)?);
    }
    Ok(tags)
}

/// An entry's citation key: characters that BibTeX accepts, with letters of any script.
pub fn citation_key(field: &str, key: &str) -> Result<(), Fault> {
    // Exports transliterate names; programs that read UTF-8 accept the other letters too.
    let latin: String = key.chars().map(latin).collect();
    if keys::is_valid(&latin) {
        return Ok(());
    }
    let message = "may contain letters, digits and characters such as - _ : . + / but no blanks and none of \
                   { } , \" # % ~ \\ = @, and at most 250 characters";
    Err(Fault::new(field, "invalid", message))
}

fn latin(c: char) -> char {
    if c.is_ascii() || c.is_whitespace() || c.is_control() {
        c
    } else {
        'x'
    }
}

fn optional(field: &str, text: Option<&str>, most: u32) -> Result<Option<String>, Fault> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => limited(field, text.to_owned(), most).map(Some),
    }
}

fn limited(field: &str, text: String, most: u32) -> Result<String, Fault> {
    if text.chars().count() <= most as usize {
        return Ok(text);
    }
    let message = format!("is longer than {most} characters");
    Err(Fault::new(field, "too_long", message))
}

/// Whether a tag is among others, regardless of case.
pub fn has_tag(tags: &[String], wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    tags.iter().any(|tag| tag.to_lowercase() == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> LimitSettings {
        LimitSettings {
            name_chars: 5,
            tags: 2,
            tag_chars: 3,
            ..LimitSettings::default()
        }
    }

    #[test]
    fn names_are_one_trimmed_line() {
        let check = |text: &str, expected: Result<&str, &str>| {
            let found = name("/name", text, &limits());
            let found = found.as_deref().map_err(|fault| fault.code);
            assert_eq!(found, expected, "{text:?}");
        };
        check("  a \n b ", Ok("a b"));
        check("äöüßé", Ok("äöüßé"));
        check("abcdef", Err("too_long"));
        check(" \t ", Err("missing"));
        check("a\u{7}", Err("invalid"));
    }

    #[test]
    fn keys_have_letters_of_any_script() {
        let check = |key: &str, expected: bool| {
            assert_eq!(
                citation_key("/citation_key", key).is_ok(),
                expected,
                "{key:?}"
            );
        };
        for key in [
            "Smith2020",
            "DBLP:conf/x-1",
            "Müller_2020a",
            "山田2020",
            "हिन्दी1",
            "O'Neil+B(1)",
        ] {
            check(key, true);
        }
        for key in [
            "", "a b", "a\u{a0}b", "a,b", "a{b}", "100%", "a\\b", "a\u{7}", "x=y", "@a",
        ] {
            check(key, false);
        }
        check(&"ü".repeat(250), true);
        check(&"ü".repeat(251), false);
    }

    #[test]
    fn tags_are_kept_once() {
        let check = |given: &[&str], expected: Result<&[&str], &str>| {
            let given: Vec<String> = given.iter().map(|tag| (*tag).to_owned()).collect();
            let found = tags("/tags", &given, &limits());
            match (&found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(fault), Err(code)) => assert_eq!(fault.code, code),
                _ => panic!("{given:?}: {found:?}"),
            }
        };
        check(&[" Ab ", "aB", "", "c"], Ok(&["Ab", "c"]));
        check(&["a", "b", "c"], Err("too_many"));
        check(&["abcd"], Err("too_long"));
    }
}
