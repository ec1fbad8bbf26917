//! Citations by author and year: `(Doe, 2020; Roe & Poe, 2019a)`, `Doe (2020)`.

use std::collections::HashSet;
use std::ops::Range;

use citation_matching::reference::Reference as Parsed;
use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::CiteMode;

use super::citations::{MAX_GROUP_LENGTH, PrintedCitations, citation, cited, first_words, words};
use crate::document::{Block, Cited, ListedReference};
use crate::locator;
use crate::normalize::letters;

/// Citations by author and year.
pub(super) fn by_author(
    body: &[&Block],
    references: &[ListedReference],
    budget: &Budget,
) -> Result<PrintedCitations, Exceeded> {
    let mut entries = Vec::with_capacity(references.len());
    for reference in references {
        entries.push(DatedEntry::new(reference, budget)?);
    }
    let mut found = PrintedCitations::default();
    for block in body {
        let text = block.text.as_str();
        let mut at = 0;
        while let Some(open) = text.get(at..).and_then(|rest| rest.find('(')) {
            let open = at + open;
            at = open + 1;
            let rest = text.get(at..).unwrap_or_default();
            let near = rest
                .get(..rest.floor_char_boundary(MAX_GROUP_LENGTH))
                .unwrap_or(rest);
            let Some(inside) = closing(near).and_then(|close| near.get(..close)) else {
                continue;
            };
            let years = years(inside);
            budget.spend(years.len() as u64 * (1 + entries.len() as u64))?;
            if years.is_empty() {
                continue;
            }
            at += inside.len();
            let before = text.get(..open).unwrap_or_default();
            group(
                block,
                before,
                inside,
                &years,
                (entries.as_slice(), references),
                &mut found,
            );
        }
    }
    let is_sure = found.cited().len() * 4 >= references.len();
    Ok(if is_sure {
        found
    } else {
        PrintedCitations::default()
    })
}

/// The length up to the closing bracket.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Reads the content of parentheses, and the author before them.
fn group(
    block: &Block,
    before: &str,
    inside: &str,
    years: &[PrintedYear],
    (entries, references): (&[DatedEntry], &[ListedReference]),
    found: &mut PrintedCitations,
) {
    let start = before.floor_char_boundary(before.len().saturating_sub(120));
    let outside = CitedNames::at_end(before.get(start..).unwrap_or_default().trim_end());
    let mut names = CitedNames::default();
    let mut items: Vec<Cited> = Vec::new();
    let mut at = 0;
    for (n, year) in years.iter().enumerate() {
        let lead = inside.get(at..year.place.start).unwrap_or_default();
        let lead_end = lead.trim_end_matches(|c: char| c.is_whitespace() || ",:(".contains(c));
        let own = CitedNames::at_end(lead_end);
        let is_bare =
            lead.chars().all(|c| c.is_whitespace() || ",;&".contains(c)) || lead.trim() == "and";
        at = year.place.end;
        let is_first = n == 0;
        match () {
            () if !own.families.is_empty() => names = own,
            () if is_first && is_bare => names = outside.clone(),
            () if is_bare => {}
            () => continue,
        }
        match names.find(&year.text, entries) {
            Some(reference) => {
                let mut cited = cited(references, reference);
                let next = years.get(n + 1).map(|next| next.place.start);
                let behind = inside.get(at..next.unwrap_or(inside.len()));
                add_locator(&mut cited, behind.unwrap_or_default());
                if is_first && is_bare {
                    cited.cite.mode = CiteMode::Composite;
                }
                items.push(cited);
            }
            // Outside of parentheses, names and other words look alike.
            None if !is_bare && names.families.len() <= 3 => {
                let name = names.families.first().cloned().unwrap_or_default();
                let text = lead.trim_start_matches([';', ' ']);
                let citation = citation(block, Vec::new(), &format!("{text}{}", year.text));
                found.undefined.push((name, citation));
            }
            None => {}
        }
    }
    if items.is_empty() {
        return;
    }
    let is_composite =
        { items.first() }.is_some_and(|first| first.cite.mode == CiteMode::Composite);
    let shown = if is_composite {
        let name = words(before).last().map_or(before.len(), |(at, _)| at);
        format!("{}({inside})", before.get(name..).unwrap_or_default())
    } else {
        format!("({inside})")
    };
    found.citations.push(citation(block, items, &shown));
}

/// Reads the pages behind a year, up to the next cite.
fn add_locator(cited: &mut Cited, behind: &str) {
    let tail = behind.split(';').next().unwrap_or_default();
    if tail.starts_with([',', ':', ' ']) && tail.contains(|c: char| c.is_ascii_digit()) {
        locator::add(&mut cited.cite, &tail.replacen(':', ",", 1));
    }
}

/// A year in a text, with its disambiguating letter.
struct PrintedYear {
    place: Range<usize>,
    text: String,
}

fn years(text: &str) -> Vec<PrintedYear> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text
        .get(at..)
        .and_then(|rest| rest.find(|c: char| c.is_ascii_digit()))
    {
        let start = at + next;
        let digits = bytes
            .iter()
            .skip(start)
            .take_while(|b| b.is_ascii_digit())
            .count();
        at = start + digits;
        let year = text
            .get(start..at)
            .and_then(|year| year.parse::<u32>().ok());
        let is_year = digits == 4 && year.is_some_and(|year| (1450..2100).contains(&year));
        if !is_year || start.checked_sub(1).is_some_and(is_word) {
            continue;
        }
        if bytes.get(at).is_some_and(u8::is_ascii_lowercase) && !is_word(at + 1) {
            at += 1;
        }
        if is_word(at) {
            continue;
        }
        let text = text.get(start..at).unwrap_or_default().to_owned();
        found.push(PrintedYear {
            place: start..at,
            text,
        });
    }
    found
}

/// An entry identified by author and year.
struct DatedEntry {
    head: Vec<String>,
    /// Words before the year.
    names: HashSet<String>,
    authors: usize,
    years: HashSet<String>,
}

impl DatedEntry {
    fn new(reference: &ListedReference, budget: &Budget) -> Result<DatedEntry, Exceeded> {
        const MAX_AUTHORS_LENGTH: usize = 300;
        let text = &reference.text;
        budget.spend(Parsed::steps(text))?;
        let years = years(text);
        let end = years.first().map_or(text.len(), |year| year.place.start);
        let end = text.floor_char_boundary(end.clamp(60, MAX_AUTHORS_LENGTH));
        let before = text.get(..end).unwrap_or_default();
        Ok(DatedEntry {
            head: first_words(reference),
            names: words(before).map(|(_, word)| letters(word)).collect(),
            authors: Parsed::parse(text).names.len(),
            years: years.into_iter().map(|year| year.text).collect(),
        })
    }
}

/// The names before a year.
#[derive(Clone, Default)]
struct CitedNames {
    families: Vec<String>,
    has_others: bool,
}

impl CitedNames {
    /// The names at the end of a text, with nothing else between them.
    fn at_end(text: &str) -> CitedNames {
        const JOINING: [&str; 16] = [
            "and", "und", "et", "y", "e", "en", "al", "van", "von", "de", "der", "den", "la", "le",
            "du", "da",
        ];
        let mut names = CitedNames::default();
        let all: Vec<(usize, &str)> = words(text).collect();
        let mut end = text.len();
        for (at, word) in all.iter().rev() {
            let between = text.get(at + word.len()..end).unwrap_or_default();
            let is_joined = between
                .chars()
                .all(|c| c.is_whitespace() || ",.&'’".contains(c));
            let is_name = word.chars().next().is_some_and(char::is_uppercase);
            if !is_joined || !is_name && !JOINING.contains(word) {
                break;
            }
            end = *at;
            names.has_others |= *word == "al";
            if is_name && word.chars().count() > 1 {
                names.families.insert(0, letters(word));
            }
        }
        names
    }

    /// The only matching entry.
    fn find(&self, year: &str, entries: &[DatedEntry]) -> Option<usize> {
        let score = |entry: &DatedEntry| {
            let known = self
                .families
                .iter()
                .filter(|name| entry.names.contains(*name));
            let is_count = if self.has_others {
                entry.authors > 2
            } else {
                entry.authors == self.families.len()
            };
            known.count() * 2 + usize::from(is_count)
        };
        let fits = |entry: &&DatedEntry| {
            let is_first = |name: &String| entry.head.contains(name);
            entry.years.contains(year) && self.families.iter().any(is_first)
        };
        let best = entries.iter().filter(fits).map(score).max()?;
        let mut found = (0..entries.len()).filter(|n| {
            entries
                .get(*n)
                .is_some_and(|entry| fits(&entry) && score(entry) == best)
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}
