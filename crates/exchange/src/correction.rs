//! Corrected values put into a text, which otherwise stays as it is, byte for byte.

use std::ops::Range;

use crate::bibtex::raw::{BlockKind, Entry, Field, Piece, blocks};
use citation_model::budget::{Budget, Exceeded};

/// A field that should say something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The line on which the entry begins, from 1.
    pub line: usize,
    /// `year`, `volume`, `issue`, `pages`, `container_title`.
    pub field: &'static str,
    pub given: String,
    pub found: String,
}

/// A text with those corrections that could be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrected {
    pub text: String,
    /// Corrections whose place is not plain.
    pub left_out: Vec<Correction>,
}

impl Corrected {
    /// Puts new texts in the places of old ones; of two that overlap, the first is made.
    pub fn new(
        text: &str,
        mut edits: Vec<(Range<usize>, String)>,
        left_out: Vec<Correction>,
    ) -> Corrected {
        edits.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (range, new) in edits {
            let Some(between) = text.get(at..range.start) else {
                continue;
            };
            out.push_str(between);
            out.push_str(&new);
            at = range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        Corrected {
            text: out,
            left_out,
        }
    }
}

/// Whether a value needs no markup, whatever it is written in.
pub fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | ':' | '(' | ')' | '-' | '–'))
}

/// The first and, where there is one, the last page.
pub fn page_ends(pages: &str) -> (&str, Option<&str>) {
    let mut ends = pages
        .split(['-', '–'])
        .map(str::trim)
        .filter(|end| !end.is_empty());
    (ends.next().unwrap_or_default(), ends.next())
}

/// Corrects entries of BibTeX and biblatex: fields whose whole value is one text on one line.
pub fn correct_bibtex(
    text: &str,
    corrections: &[Correction],
    budget: &Budget,
) -> Result<Corrected, Exceeded> {
    budget.spend(text.len() as u64 / 8 + 1)?;
    let (mut edits, mut left_out) = (Vec::new(), Vec::new());
    let mut blocks = blocks(text);
    let (mut line, mut counted) = (1, 0);
    let mut entry: Option<Entry<'_>> = None;
    let mut sorted: Vec<&Correction> = corrections.iter().collect();
    sorted.sort_by_key(|correction| correction.line);
    for correction in sorted {
        while line < correction.line || entry.is_none() {
            let Some(block) = blocks.next() else { break };
            let passed = text.get(counted..block.offset).unwrap_or_default();
            line += passed.matches('\n').count();
            counted = block.offset;
            entry = match block.kind {
                BlockKind::Entry(entry) => Some(entry),
                _ => None,
            };
        }
        let found = entry.as_ref().filter(|_| line == correction.line);
        match found.and_then(|entry| edit(text, entry, correction)) {
            Some(edit) => edits.push(edit),
            None => left_out.push(correction.clone()),
        }
    }
    Ok(Corrected::new(text, edits, left_out))
}

/// The place of the value, and the new one.
fn edit(text: &str, entry: &Entry<'_>, correction: &Correction) -> Option<(Range<usize>, String)> {
    let names: &[&str] = match correction.field {
        "year" => &["year", "date"],
        "volume" => &["volume"],
        "issue" => &["number", "issue"],
        "pages" => &["pages"],
        "container_title" => &["journal", "journaltitle", "booktitle"],
        _ => return None,
    };
    let is_meant = |field: &&Field<'_>| {
        names
            .iter()
            .any(|name| field.name.eq_ignore_ascii_case(name))
    };
    let mut fields = entry.fields.iter().filter(is_meant);
    let (field, None) = (fields.next()?, fields.next()) else {
        return None;
    };
    let value = match field.value.as_slice() {
        [Piece::Braced(value) | Piece::Quoted(value)] => *value,
        // What is no number is the name of a string.
        [Piece::Bare(value)] if value.bytes().all(|b| b.is_ascii_digit()) => *value,
        _ => return None,
    };
    let is_whole = !value.trim().is_empty() && !value.contains(['\n', '{', '\\', '#']);
    if !is_whole || !is_plain(&correction.found) {
        return None;
    }
    let behind = text.get(field.offset + field.name.len()..)?;
    let sign = field.offset + field.name.len() + behind.find('=')? + 1;
    let start = sign + text.get(sign..)?.find(value)?;
    let range = start..start + value.len();
    match correction.field {
        // The month stays.
        "year" => {
            let at = value.find(&correction.given)?;
            let start = range.start + at;
            Some((
                start..start + correction.given.len(),
                correction.found.clone(),
            ))
        }
        "pages" => {
            let (first, last) = page_ends(&correction.found);
            let pages = last.map_or(first.to_owned(), |last| format!("{first}--{last}"));
            Some((range, pages))
        }
        _ => Some((range, correction.found.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn correction(line: usize, field: &'static str, given: &str, found: &str) -> Correction {
        Correction {
            line,
            field,
            given: given.to_owned(),
            found: found.to_owned(),
        }
    }

    const TEXT: &str = "% A list\n@string{n = \"Nature\"}\n\n@Article {doe,\n  Year=1965 ,journal = n,\n  pages = {9 -- 1},\n}\r\n@misc{roe, date = {1970-05}, volume = \"119\", journal = {A {B}}}\n";

    #[test]
    fn corrected_entry_differs_in_its_values_alone() {
        let corrections = [
            correction(8, "volume", "119", "109"),
            correction(4, "year", "1965", "1975"),
            correction(4, "pages", "9–1", "11–19"),
            correction(8, "year", "1970", "1971"),
        ];
        let corrected = correct_bibtex(TEXT, &corrections, &Budget::unlimited()).unwrap();
        assert_eq!(corrected.left_out, []);
        let expected = TEXT
            .replace("1965", "1975")
            .replace("9 -- 1", "11--19")
            .replace("1970-05", "1971-05")
            .replace("119\"", "109\"");
        assert_eq!(corrected.text, expected);
    }

    #[test]
    fn correction_without_a_plain_place_is_left_out() {
        let check = |correction: Correction| {
            let corrected = correct_bibtex(
                TEXT,
                std::slice::from_ref(&correction),
                &Budget::unlimited(),
            )
            .unwrap();
            assert_eq!(corrected.text, TEXT);
            assert_eq!(corrected.left_out, [correction]);
        };
        check(correction(4, "container_title", "Nature", "Science"));
        check(correction(8, "container_title", "A B", "C"));
        check(correction(4, "volume", "1", "2"));
        check(correction(8, "volume", "119", "1 & 2"));
        check(correction(5, "year", "1965", "1975"));
        check(correction(99, "year", "1965", "1975"));
    }
}
