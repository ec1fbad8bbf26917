//! Applies corrected values to a text and leaves the rest byte for byte unchanged.

use std::ops::Range;

use crate::formats::bibtex::raw::{BlockKind, Entry, Field, Piece, blocks};
use crate::reword::{Capitals, mask, reword};
use citation_model::budget::{Budget, Exceeded};

/// A new value for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// `year`, `volume`, `issue`, `pages`, `container_title`, `title`, `doi`, or `author` for a family name.
    pub field: &'static str,
    pub given: String,
    pub found: String,
}

impl Correction {
    /// Whether the new value needs no markup in any format.
    pub fn is_plain(&self) -> bool {
        match self.field {
            "doi" => self.found.split(['/', '_', ';']).all(is_plain),
            _ => is_plain(&self.found),
        }
    }

    /// The edits in a text without markup that contains the words of the field exactly once.
    pub fn reworded(&self, text: &str) -> Option<Edits> {
        let capitals = match self.field {
            "title" => Capitals::Given,
            _ => Capitals::Found,
        };
        reword(text, &self.given, &self.found, capitals)
    }
}

/// Corrections for an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryCorrections {
    /// The first line of the entry, from 1.
    pub line: usize,
    pub corrections: Vec<Correction>,
}

/// A text with the corrections that could be applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corrected {
    pub text: String,
    /// Corrections without an unambiguous place.
    pub left_out: Vec<EntryCorrections>,
}

/// New texts and the ranges that they replace.
pub type Edits = Vec<(Range<usize>, String)>;

/// Two edits change the same text, or one names a range that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two edits overlap")]
pub struct OverlappingEdits;

/// Applies edits to a text and leaves the rest byte for byte unchanged.
pub fn apply(text: &str, mut edits: Edits) -> Result<String, OverlappingEdits> {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        let between = text.get(at..range.start).ok_or(OverlappingEdits)?;
        text.get(range.clone()).ok_or(OverlappingEdits)?;
        out.push_str(between);
        out.push_str(&new);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Ok(out)
}

impl Corrected {
    /// Applies the edits of some entries. If two overlap, the text stays and no correction is applied.
    pub fn new(
        text: &str,
        edits: Edits,
        left_out: Vec<EntryCorrections>,
        entries: &[EntryCorrections],
    ) -> Corrected {
        match apply(text, edits) {
            Ok(text) => Corrected { text, left_out },
            Err(OverlappingEdits) => Corrected {
                text: text.to_owned(),
                left_out: { entries.iter() }
                    .filter(|entry| !entry.corrections.is_empty())
                    .cloned()
                    .collect(),
            },
        }
    }
}

/// Whether a text needs no markup in any format.
pub fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | ':' | '(' | ')' | '-' | '–'))
}

/// The first page and the last page, if any.
pub fn page_ends(pages: &str) -> (&str, Option<&str>) {
    let mut ends = pages
        .split(['-', '–'])
        .map(str::trim)
        .filter(|end| !end.is_empty());
    (ends.next().unwrap_or_default(), ends.next())
}

/// Corrects entries of BibTeX and biblatex: fields whose value is a single piece.
pub fn correct_bibtex(
    text: &str,
    entries: &[EntryCorrections],
    budget: &Budget,
) -> Result<Corrected, Exceeded> {
    budget.spend(text.len() as u64 / 8 + 1)?;
    let (mut edits, mut left_out) = (Vec::new(), Vec::new());
    let mut blocks = blocks(text);
    let (mut line, mut counted) = (1, 0);
    let mut open: Option<Entry<'_>> = None;
    let mut sorted: Vec<&EntryCorrections> = entries.iter().collect();
    sorted.sort_by_key(|entry| entry.line);
    for wanted in sorted {
        while line < wanted.line || open.is_none() {
            let Some(block) = blocks.next() else { break };
            let passed = text.get(counted..block.offset).unwrap_or_default();
            line += passed.matches('\n').count();
            counted = block.offset;
            open = match block.kind {
                BlockKind::Entry(entry) => Some(entry),
                _ => None,
            };
        }
        let entry = open.as_ref().filter(|_| line == wanted.line);
        left_out.extend(wanted.apply(&mut edits, |correction| edit(text, entry?, correction)));
    }
    Ok(Corrected::new(text, edits, left_out, entries))
}

impl EntryCorrections {
    /// Adds the edits of the corrections; returns the corrections that cannot be applied, also because another
    /// one changes the same text.
    pub fn apply(
        &self,
        edits: &mut Edits,
        edit: impl Fn(&Correction) -> Option<Edits>,
    ) -> Option<EntryCorrections> {
        let mut left = EntryCorrections {
            line: self.line,
            corrections: Vec::new(),
        };
        let first = edits.len();
        for correction in &self.corrections {
            let own = edits.get(first..).unwrap_or_default();
            let is_free = |(range, _): &(Range<usize>, String)| {
                { own.iter() }
                    .all(|(other, _)| range.end <= other.start || other.end <= range.start)
            };
            match edit(correction).filter(|made| made.iter().all(is_free)) {
                Some(made) => edits.extend(made),
                None => left.corrections.push(correction.clone()),
            }
        }
        (!left.corrections.is_empty()).then_some(left)
    }
}

/// The range in the value that changes, and its new text.
fn edit(text: &str, entry: &Entry<'_>, correction: &Correction) -> Option<Edits> {
    let names: &[&str] = match correction.field {
        "year" => &["year", "date"],
        "volume" => &["volume"],
        "issue" => &["number", "issue"],
        "pages" => &["pages"],
        "container_title" => &["journal", "journaltitle", "booktitle"],
        "title" => &["title"],
        "doi" => &["doi"],
        "author" => &["author", "editor"],
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
        // Other bare values are names of strings.
        [Piece::Bare(value)] if value.bytes().all(|b| b.is_ascii_digit()) => *value,
        _ => return None,
    };
    let behind = text.get(field.offset + field.name.len()..)?;
    let sign = field.offset + field.name.len() + behind.find('=')? + 1;
    let start = sign + text.get(sign..)?.find(value)?;
    let range = start..start + value.len();
    if matches!(correction.field, "container_title" | "title" | "author") {
        let masked = mask(value, &commands(value));
        let edits = correction.reworded(&masked)?;
        let placed =
            |(place, new): (Range<usize>, String)| (start + place.start..start + place.end, new);
        return Some(edits.into_iter().map(placed).collect());
    }
    let is_whole = !value.trim().is_empty() && !value.contains(['\n', '{', '\\', '#']);
    if !is_whole || !correction.is_plain() {
        return None;
    }
    Some(vec![match correction.field {
        // The month is kept.
        "year" => {
            let start = range.start + value.find(&correction.given)?;
            let place = start..start + correction.given.len();
            (place, correction.found.clone())
        }
        "pages" => {
            let (first, last) = page_ends(&correction.found);
            let pages = last.map_or(first.to_owned(), |last| format!("{first}--{last}"));
            (range, pages)
        }
        _ => (range, correction.found.clone()),
    }])
}

/// The ranges of TeX commands without their arguments.
pub fn commands(text: &str) -> Vec<Range<usize>> {
    let named = |at: usize| {
        let name = text.get(at + 1..).unwrap_or_default();
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let first = name.chars().next().map_or(0, char::len_utf8);
        at..at + 1 + letters.max(first)
    };
    text.match_indices('\\').map(|(at, _)| named(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn correction(line: usize, field: &'static str, given: &str, found: &str) -> EntryCorrections {
        let correction = Correction {
            field,
            given: given.to_owned(),
            found: found.to_owned(),
        };
        EntryCorrections {
            line,
            corrections: vec![correction],
        }
    }

    const TEXT: &str = "% A list\n@string{n = \"Nature\"}\n\n@Article {doe,\n  Year=1965 ,journal = n,\n  pages = {9 -- 1},\n}\r\n@misc{roe, date = {1970-05}, volume = \"119\", journal = {A {B}}}\n@misc{poe, doi = {10.1/A}}\n";

    #[test]
    fn corrected_entry_differs_in_its_values_alone() {
        let corrections = [
            correction(8, "volume", "119", "109"),
            correction(4, "year", "1965", "1975"),
            correction(4, "pages", "9–1", "11–19"),
            correction(8, "year", "1970", "1971"),
            correction(9, "doi", "10.1/a", "10.2/b_(c)"),
        ];
        let corrected = correct_bibtex(TEXT, &corrections, &Budget::unlimited()).unwrap();
        assert_eq!(corrected.left_out, []);
        let expected = TEXT
            .replace("1965", "1975")
            .replace("9 -- 1", "11--19")
            .replace("1970-05", "1971-05")
            .replace("119\"", "109\"")
            .replace("10.1/A", "10.2/b_(c)");
        assert_eq!(corrected.text, expected);
    }

    #[test]
    fn correction_without_a_plain_place_is_left_out() {
        let check = |correction: EntryCorrections| {
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
        check(correction(8, "container_title", "A C", "B C"));
        check(correction(4, "volume", "1", "2"));
        check(correction(8, "volume", "119", "1 & 2"));
        check(correction(5, "year", "1965", "1975"));
        check(correction(99, "year", "1965", "1975"));
    }

    #[test]
    fn title_and_names_change_word_by_word() {
        let text = "@book{doe,\n  title = {{Studies of {DNA} in the\n    {H}ouse \\emph{of} Glass}},\n  author = \"Doe, Jane and Reo, Rik\",\n}\n";
        let corrections = [
            correction(
                1,
                "title",
                "Studies of DNA in the House of Glass",
                "Studies on DNA in the House of Stone",
            ),
            correction(1, "author", "Reo", "Roe"),
        ];
        let corrected = correct_bibtex(text, &corrections, &Budget::unlimited()).unwrap();
        assert_eq!(corrected.left_out, []);
        let expected = text
            .replace("Studies of", "Studies on")
            .replace("Glass", "Stone")
            .replace("Reo", "Roe");
        assert_eq!(corrected.text, expected);
        let house = correction(1, "title", "the House of Glass", "the Horse of Glass");
        let corrected = correct_bibtex(text, &[house], &Budget::unlimited()).unwrap();
        assert_eq!(corrected.text, text);
        assert_eq!(corrected.left_out.len(), 1);
    }
}
