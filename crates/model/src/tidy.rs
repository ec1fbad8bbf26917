//! Cleans typed or scraped values for formatting: bare DOIs, single spaces, no control characters, one
//! hyphen in a range. The stored item keeps its text.

use std::borrow::Cow;

use super::item::{Item, VarMap};
use super::name::Name;
use super::variable::{NumberVar, TextVar};

impl Item {
    /// Cleans the values for display. Returns whether control characters were removed.
    pub fn tidy(&mut self) -> bool {
        let mut dropped = false;
        tidy_map(&mut self.text, |variable, value| {
            // A note may hold variables, one per line.
            let lines = match variable {
                TextVar::Note => Lines::Kept,
                _ => Lines::Joined,
            };
            dropped |= has_controls(value);
            folded(value, lines)
        });
        tidy_map(&mut self.number, |variable, value| {
            dropped |= has_controls(value);
            match variable {
                // `1.0--beta` is not a range.
                NumberVar::Version => folded(value, Lines::Joined),
                _ => ranged(value),
            }
        });
        for (_, names) in self.names.iter_mut() {
            names.iter_mut().for_each(tidy_name);
            names.retain(|name| !name.is_empty());
        }
        for (_, date) in self.date.iter_mut() {
            tidy_part(&mut date.literal);
        }
        self.strip_doi_address();
        dropped
    }

    /// Strips `https://doi.org/` or `doi:` from the variable `DOI`, because styles add their own prefix and
    /// a formatter shows variables unchanged. Case is kept.
    fn strip_doi_address(&mut self) {
        let bare = self.text(TextVar::Doi).and_then(|text| {
            let lower = text.to_ascii_lowercase();
            let start = if lower.starts_with("http") {
                lower.rfind("doi.org/")? + "doi.org/".len()
            } else {
                lower.starts_with("doi:").then_some("doi:".len())?
            };
            text.get(start..).map(str::to_owned)
        });
        if let Some(bare) = bare {
            self.set_text(TextVar::Doi, bare);
        }
    }
}

/// Collapses each run of spaces, line breaks and tabs to one space and removes control characters.
pub fn text(value: &str) -> Cow<'_, str> {
    folded(value, Lines::Joined).map_or(Cow::Borrowed(value), Cow::Owned)
}

/// Cleans a number or a list of numbers: as text, and with one hyphen for two or more that represent the
/// dash of a range (`100--105`).
pub fn number(value: &str) -> Cow<'_, str> {
    ranged(value).map_or(Cow::Borrowed(value), Cow::Owned)
}

/// How line breaks in a value are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    Kept,
    Joined,
}

fn tidy_map<K: Copy + Ord>(
    map: &mut VarMap<K, String>,
    mut tidied: impl FnMut(K, &str) -> Option<String>,
) {
    let mut empty = Vec::new();
    for (variable, value) in map.iter_mut() {
        if let Some(new) = tidied(variable, value) {
            new.trim().clone_into(value);
        }
        if value.is_empty() {
            empty.push(variable);
        }
    }
    for variable in empty {
        map.remove(variable);
    }
}

fn tidy_name(name: &mut Name) {
    for part in [
        &mut name.family,
        &mut name.given,
        &mut name.dropping_particle,
        &mut name.non_dropping_particle,
        &mut name.suffix,
        &mut name.literal,
    ] {
        tidy_part(part);
    }
}

fn tidy_part(part: &mut Option<String>) {
    let new = part
        .as_deref()
        .and_then(|text| folded(text, Lines::Joined))
        .map(|text| text.trim().to_owned());
    if let Some(new) = new {
        *part = (!new.is_empty()).then_some(new);
    }
}

/// The text with its white space collapsed, or `None` if nothing changes.
fn folded(text: &str, lines: Lines) -> Option<String> {
    let needs_folding = text.bytes().any(|b| b.is_ascii_control()) || text.contains("  ");
    if !needs_folding {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' if lines == Lines::Kept => {
                out.truncate(out.trim_end_matches([' ', '\n']).len());
                out.push('\n');
            }
            ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => {
                if !out.ends_with([' ', '\n']) {
                    out.push(' ');
                }
            }
            _ if c.is_ascii_control() => {}
            _ => out.push(c),
        }
    }
    Some(out)
}

/// Whether there are control characters other than white space.
fn has_controls(text: &str) -> bool {
    text.bytes()
        .any(|b| b.is_ascii_control() && !(b'\t'..=b'\r').contains(&b))
}

fn ranged(value: &str) -> Option<String> {
    let folded = folded(value, Lines::Joined);
    let text = folded.as_deref().unwrap_or(value);
    if !text.contains("--") {
        return folded;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let (before, hyphens) = rest.split_at(at);
        let after = hyphens.trim_start_matches('-');
        out.push_str(before);
        let is_number = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let between = is_number(out.trim_end().chars().next_back())
            && is_number(after.trim_start().chars().next());
        out.push_str(if between {
            "-"
        } else {
            hyphens.strip_suffix(after).unwrap_or(hyphens)
        });
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item_type::ItemType;
    use crate::variable::NameVar;

    #[test]
    fn blanks_are_folded_and_controls_dropped() {
        let check = |value, expected| assert_eq!(text(value), expected);
        check("As it is", "As it is");
        check("line\r\n   two", "line two");
        check("see ", "see ");
        check("a\u{0}b\u{7f}\tc", "ab c");
        check("narrow\u{a0} blank", "narrow\u{a0} blank");
    }

    #[test]
    fn two_hyphens_between_numbers_are_a_range() {
        let check = |value, expected| assert_eq!(number(value), expected);
        check("100--105", "100-105");
        check("e12 --- e15, 20--21", "e12 - e15, 20-21");
        check("12--", "12--");
        check("436S–439S", "436S–439S");
    }

    #[test]
    fn items_become_fit_to_be_shown() {
        let mut item = Item::new("a", ItemType::Book);
        item.set_text(TextVar::Title, "Title\n---");
        item.set_text(TextVar::Note, "first\r\n\n  original-date:  1980");
        item.text.insert(TextVar::Genre, "\u{1}".to_owned());
        item.set_number(NumberVar::Page, "1--\n2");
        item.set_names(NameVar::Author, vec![Name::person("Van\nDoe", "\u{2}J.")]);
        assert!(item.tidy());
        assert_eq!(item.text(TextVar::Title), Some("Title ---"));
        assert_eq!(item.text(TextVar::Note), Some("first\noriginal-date: 1980"));
        assert_eq!(item.text(TextVar::Genre), None);
        assert_eq!(item.number(NumberVar::Page), Some("1- 2"));
        assert_eq!(item.names(NameVar::Author), [Name::person("Van Doe", "J.")]);
        assert!(!item.tidy());
    }

    #[test]
    fn a_doi_loses_its_address_and_keeps_its_letters() {
        for text in [
            "10.1000/Ab",
            "doi: 10.1000/Ab",
            "https://doi.org/10.1000/Ab",
            "HTTP://dx.DOI.org/10.1000/Ab",
        ] {
            let mut item = Item::new("a", ItemType::Book);
            item.set_text(TextVar::Doi, text);
            item.tidy();
            assert_eq!(item.text(TextVar::Doi), Some("10.1000/Ab"), "{text}");
        }
    }
}
