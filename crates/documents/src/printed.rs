//! Recognises printed citations without markup: `[12]`, `[3–5]`, `(Doe, 2020; Roe & Poe, 2019a)`, `Doe
//! (2020)`. Each must match an entry of the printed list.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use citation_matching::reference::Reference as Parsed;
use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::CiteMode;

use crate::document::{
    Block, BlockKind, Citation, Cited, Document, Finding, FindingKind, Reference,
};
use crate::findings::uncited_entry;
use crate::list::letters;
use crate::locator;

/// Steps per letter of the text.
const LETTER_STEPS: u64 = 1;
/// Maximum number of letters in brackets.
const LONGEST_GROUP: usize = 400;

/// Adds the citations of a document with printed text and list, and findings if they are certain.
pub(crate) fn add(document: &mut Document, budget: &Budget) -> Result<(), Exceeded> {
    let references = &document.references;
    let places = || references.iter().filter_map(|r| r.place.paragraph);
    let is_list = references.iter().all(|r| r.place.note.is_none());
    let (Some(first), Some(last)) = (places().min(), places().max()) else {
        return Ok(());
    };
    if !is_list || !document.citations.is_empty() {
        return Ok(());
    }
    let is_body = |block: &&Block| {
        let at = block.place.paragraph.unwrap_or_default();
        !(first..=last).contains(&at) && !matches!(block.kind, BlockKind::Heading(_))
    };
    let body: Vec<&Block> = document.blocks.iter().filter(is_body).collect();
    let length: usize = body.iter().map(|block| block.text.len()).sum();
    budget.spend(length as u64 * LETTER_STEPS)?;
    let mut found = by_label(&body, references);
    if found.citations.is_empty() {
        found = by_author(&body, references, budget)?;
    }
    let list = { document.blocks.iter() }
        .filter(|block| block.place.paragraph.is_some_and(|at| at >= first))
        .map(|block| block.text.as_str());
    let findings = found.findings(&body, references, &list.collect::<Vec<_>>().join("\n"));
    document.citations = found.citations;
    document.findings.extend(findings);
    Ok(())
}

/// The citations of the text.
#[derive(Default)]
struct Printed {
    citations: Vec<Citation>,
    /// Possible citations without an entry, with the first word that the entry would have.
    undefined: Vec<(String, Citation)>,
    is_by_label: bool,
}

impl Printed {
    fn cited(&self) -> HashSet<usize> {
        let items = self.citations.iter().flat_map(|citation| &citation.items);
        items.filter_map(|cited| cited.reference).collect()
    }

    /// Missing entries are reported only if nearly everything else matches, because otherwise the text may
    /// be misread.
    fn findings(&self, body: &[&Block], references: &[Reference], list: &str) -> Vec<Finding> {
        let cited = self.cited();
        let left = references.len() - cited.len().min(references.len());
        let mut findings = Vec::new();
        if references.len() < 3 || left * 10 > references.len() {
            return findings;
        }
        let text: Vec<&str> = body.iter().map(|block| block.text.as_str()).collect();
        let text = text.join("\n");
        let words: HashSet<String> = words(&text).map(|(_, word)| letters(word)).collect();
        for (n, reference) in references.iter().enumerate() {
            let name = match self.is_by_label {
                true => reference.label.clone(),
                false => head(reference).first().cloned(),
            };
            let is_named = |name: &String| match self.is_by_label {
                true => is_number_in(&text, name),
                false => words.contains(name),
            };
            if !cited.contains(&n) && name.is_some_and(|name| !is_named(&name)) {
                findings.push(uncited_entry(reference));
            }
        }
        let known: HashSet<String> = self::words(list).map(|(_, word)| letters(word)).collect();
        for (name, citation) in &self.undefined {
            let is_known = match self.is_by_label {
                true => is_number_in(list, name),
                false => known.contains(name),
            };
            if !is_known {
                let text = &citation.text;
                findings.push(Finding {
                    kind: FindingKind::UndefinedKey,
                    message: format!("No entry of the list is what “{text}” cites."),
                    keys: vec![text.clone()],
                    place: citation.place.clone(),
                });
            }
        }
        findings
    }
}

/// Whether a number occurs in a text on its own.
fn is_number_in(text: &str, number: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    text.match_indices(number).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text
            .get(at + number.len()..)
            .and_then(|rest| rest.chars().next());
        !is_digit(before) && !is_digit(behind)
    })
}

fn citation(block: &Block, items: Vec<Cited>, text: &str) -> Citation {
    Citation {
        items,
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        place: block.place.clone(),
        span: None,
    }
}

fn cited(references: &[Reference], n: usize) -> Cited {
    Cited {
        doi: references
            .get(n)
            .and_then(|reference| reference.doi.clone()),
        reference: Some(n),
        ..Cited::default()
    }
}

/// Citations by bracketed number or mark.
fn by_label(body: &[&Block], references: &[Reference]) -> Printed {
    let mut labels: HashMap<String, usize> = HashMap::new();
    for (n, reference) in references.iter().enumerate() {
        if let Some(label) = &reference.label {
            labels.entry(label.clone()).or_insert(n);
        }
    }
    // If most entries lack their numbers, they are numbered by order.
    let is_counted = labels.len() * 5 < references.len() * 4;
    if is_counted {
        labels = (0..references.len())
            .map(|n| ((n + 1).to_string(), n))
            .collect();
    }
    let mut found = Printed {
        is_by_label: true,
        ..Printed::default()
    };
    for block in body {
        let text = block.text.as_str();
        let mut at = 0;
        while let Some(start) = text.get(at..).and_then(|rest| rest.find('[')) {
            let start = at + start;
            let Some(group) = Group::read(text, start) else {
                at = start + 1;
                continue;
            };
            at = group.end;
            let shown = text.get(start..group.end).unwrap_or_default();
            match group.items(&labels, references) {
                Some(items) => found.citations.push(citation(block, items, shown)),
                None => {
                    let beyond = group.numbers().find(|n| *n > references.len());
                    let near = beyond.filter(|n| *n <= references.len() + 5);
                    let citation = citation(block, Vec::new(), shown);
                    found
                        .undefined
                        .extend(near.map(|n| (n.to_string(), citation)));
                }
            }
        }
    }
    let cited = found.cited();
    let is_whole =
        cited.contains(&(references.len() - 1)) && cited.len() * 5 >= references.len() * 4;
    let is_sure = match is_counted {
        true => is_whole,
        false => cited.len() * 2 >= references.len(),
    };
    match is_sure {
        true => found,
        false => Printed::default(),
    }
}

/// The content of brackets, or of several consecutive ones: `[1], [3]–[5]`.
struct Group<'t> {
    /// Each with whether it ends a range.
    parts: Vec<(&'t str, bool)>,
    end: usize,
}

impl<'t> Group<'t> {
    fn read(text: &'t str, start: usize) -> Option<Group<'t>> {
        let mut group = Group {
            parts: Vec::new(),
            end: start,
        };
        let mut is_range = false;
        loop {
            let rest = text.get(group.end..)?;
            let rest = rest
                .get(..rest.floor_char_boundary(LONGEST_GROUP))
                .unwrap_or(rest);
            let open = rest.find('[')?;
            let close = rest.find(']')?;
            let inside = rest.get(open + 1..close)?;
            for part in inside.split([',', ';']) {
                let mut ends = part.split(['-', '–', '—', '‐', '‑', '−']);
                group.parts.push((ends.next()?.trim(), is_range));
                group.parts.extend(ends.map(|end| (end.trim(), true)));
                is_range = false;
            }
            group.end += close + 1;
            let behind = text.get(group.end..)?;
            let next = behind.find('[').and_then(|next| behind.get(..next));
            match next.map(str::trim) {
                Some("," | ", and" | "and" | "") => {}
                Some("-" | "–" | "—") => is_range = true,
                _ => return Some(group),
            }
        }
    }

    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().filter_map(|(part, _)| part.parse().ok())
    }

    /// The works cited; `None` if a part is neither a label nor a locator after one.
    fn items(
        &self,
        labels: &HashMap<String, usize>,
        references: &[Reference],
    ) -> Option<Vec<Cited>> {
        const LONGEST_RANGE: usize = 100;
        let mut items: Vec<Cited> = Vec::new();
        let mut before: Option<usize> = None;
        for (part, is_end) in &self.parts {
            let Some(n) = labels.get(*part).copied() else {
                let is_locator = part.starts_with(|c: char| c.is_alphabetic() || c == '§');
                let last = items.last_mut().filter(|_| is_locator && !is_end)?;
                locator::add(&mut last.cite, &format!(", {part}"));
                continue;
            };
            if *is_end {
                let first = before?;
                if first >= n || n - first > LONGEST_RANGE {
                    return None;
                }
                items.extend((first + 1..n).map(|n| cited(references, n)));
            }
            items.push(cited(references, n));
            before = Some(n);
        }
        Some(items)
    }
}

/// Words of letters with their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '‐' | '\u{301}');
    text.split(move |c: char| !is_part(c))
        .filter(|word| word.chars().any(char::is_alphabetic))
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The first words of an entry, which contain its first author.
fn head(reference: &Reference) -> Vec<String> {
    const WORDS: usize = 5;
    let is_name = |word: &&str| word.chars().count() > 1 && word.chars().any(char::is_uppercase);
    let words = words(&reference.text).map(|(_, word)| word).filter(is_name);
    words.take(WORDS).map(letters).collect()
}

/// A year in a text, with its disambiguating letter.
struct Year {
    place: Range<usize>,
    text: String,
}

fn years(text: &str) -> Vec<Year> {
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
        found.push(Year {
            place: start..at,
            text,
        });
    }
    found
}

/// An entry identified by author and year.
struct Entry {
    head: Vec<String>,
    /// Words before the year.
    names: HashSet<String>,
    authors: usize,
    years: HashSet<String>,
}

impl Entry {
    fn new(reference: &Reference, budget: &Budget) -> Result<Entry, Exceeded> {
        const LONGEST_AUTHORS: usize = 300;
        let text = &reference.text;
        budget.spend(Parsed::steps(text))?;
        let years = years(text);
        let end = years.first().map_or(text.len(), |year| year.place.start);
        let end = text.floor_char_boundary(end.clamp(60, LONGEST_AUTHORS));
        let before = text.get(..end).unwrap_or_default();
        Ok(Entry {
            head: head(reference),
            names: words(before).map(|(_, word)| letters(word)).collect(),
            authors: Parsed::parse(text).names.len(),
            years: years.into_iter().map(|year| year.text).collect(),
        })
    }
}

/// The names before a year.
#[derive(Clone, Default)]
struct Names {
    families: Vec<String>,
    has_others: bool,
}

impl Names {
    /// The names at the end of a text, with nothing else between them.
    fn at_end(text: &str) -> Names {
        const JOINING: [&str; 16] = [
            "and", "und", "et", "y", "e", "en", "al", "van", "von", "de", "der", "den", "la", "le",
            "du", "da",
        ];
        let mut names = Names::default();
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
    fn find(&self, year: &str, entries: &[Entry]) -> Option<usize> {
        let score = |entry: &Entry| {
            let known = self
                .families
                .iter()
                .filter(|name| entry.names.contains(*name));
            let is_count = match self.has_others {
                true => entry.authors > 2,
                false => entry.authors == self.families.len(),
            };
            known.count() * 2 + usize::from(is_count)
        };
        let fits = |entry: &&Entry| {
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

/// Citations by author and year.
fn by_author(
    body: &[&Block],
    references: &[Reference],
    budget: &Budget,
) -> Result<Printed, Exceeded> {
    let mut entries = Vec::with_capacity(references.len());
    for reference in references {
        entries.push(Entry::new(reference, budget)?);
    }
    let mut found = Printed::default();
    for block in body {
        let text = block.text.as_str();
        let mut at = 0;
        while let Some(open) = text.get(at..).and_then(|rest| rest.find('(')) {
            let open = at + open;
            at = open + 1;
            let rest = text.get(at..).unwrap_or_default();
            let near = rest
                .get(..rest.floor_char_boundary(LONGEST_GROUP))
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
    Ok(match is_sure {
        true => found,
        false => Printed::default(),
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
    years: &[Year],
    (entries, references): (&[Entry], &[Reference]),
    found: &mut Printed,
) {
    let start = before.floor_char_boundary(before.len().saturating_sub(120));
    let outside = Names::at_end(before.get(start..).unwrap_or_default().trim_end());
    let mut names = Names::default();
    let mut items: Vec<Cited> = Vec::new();
    let mut at = 0;
    for (n, year) in years.iter().enumerate() {
        let lead = inside.get(at..year.place.start).unwrap_or_default();
        let lead_end = lead.trim_end_matches(|c: char| c.is_whitespace() || ",:(".contains(c));
        let own = Names::at_end(lead_end);
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
        let behind = inside.get(at..).unwrap_or_default();
        match names.find(&year.text, entries) {
            Some(reference) => {
                let mut cited = cited(references, reference);
                let end = behind.find(';').unwrap_or(behind.len());
                let next = years
                    .get(n + 1)
                    .map_or(inside.len(), |next| next.place.start);
                let tail = behind
                    .get(..end.min(next.saturating_sub(at)))
                    .unwrap_or_default();
                if tail.starts_with([',', ':', ' ']) && tail.contains(|c: char| c.is_ascii_digit())
                {
                    locator::add(&mut cited.cite, &tail.replacen(':', ",", 1));
                }
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
    let shown = match is_composite {
        true => {
            let name = words(before).last().map_or(before.len(), |(at, _)| at);
            format!("{}({inside})", before.get(name..).unwrap_or_default())
        }
        false => format!("({inside})"),
    };
    found.citations.push(citation(block, items, &shown));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Place;
    use crate::list;

    /// Paragraphs of a text, a heading, and the entries of its list.
    fn document(text: &[&str], entries: &[&str]) -> Document {
        let all = text.iter().chain(&["References"]).chain(entries);
        let blocks = all.enumerate().map(|(n, text)| Block {
            text: (*text).to_owned(),
            place: Place {
                paragraph: Some(n + 1),
                ..Place::default()
            },
            ..Block::default()
        });
        let budget = Budget::unlimited();
        let blocks: Vec<Block> = blocks.collect();
        let mut document = list::assemble(blocks, Vec::new(), Vec::new(), &budget).unwrap();
        assert_eq!(document.references.len(), entries.len());
        add(&mut document, &budget).unwrap();
        document
    }

    /// Checks the entries of each citation, from 1.
    #[track_caller]
    fn check(text: &[&str], entries: &[&str], expected: &[(&str, &[usize])]) -> Vec<String> {
        let document = document(text, entries);
        let found: Vec<(&str, Vec<usize>)> = { document.citations.iter() }
            .map(|citation| {
                let items = citation.items.iter().filter_map(|cited| cited.reference);
                (citation.text.as_str(), items.map(|n| n + 1).collect())
            })
            .collect();
        let expected: Vec<(&str, Vec<usize>)> = expected
            .iter()
            .map(|(text, items)| (*text, items.to_vec()))
            .collect();
        assert_eq!(found, expected);
        let findings = document.findings.into_iter();
        findings.map(|finding| finding.message).collect()
    }

    const NUMBERED: [&str; 4] = [
        "[1] Doe, J. (2001). On rings. Journal of Rings, 3(2), 1–9.",
        "[2] Roe, R. (2002). On knots. Journal of Knots, 4(2), 11–19.",
        "[3] Poe, P. (2003). On bows. Journal of Bows, 5(2), 21–29.",
        "[4] Moe, M. (2004). On arrows. Journal of Bows, 6(2), 31–39.",
    ];

    #[test]
    fn numbers_in_brackets_are_citations() {
        let text = [
            "As said [1, p. 4], and again [2–4]; in [0, 1] it holds.",
            "Others [1], [3]–[4] agree [see there].",
        ];
        let expected: [(&str, &[usize]); 3] = [
            ("[1, p. 4]", &[1]),
            ("[2–4]", &[2, 3, 4]),
            ("[1], [3]–[4]", &[1, 3, 4]),
        ];
        assert!(check(&text, &NUMBERED, &expected).is_empty());
        let found = document(&text, &NUMBERED);
        let locator = found.citations[0].items[0].cite.locator.clone().unwrap();
        assert_eq!(
            (locator.label.as_str(), locator.value.as_str()),
            ("page", "4")
        );
    }

    #[test]
    fn numbers_without_a_list_are_no_citations() {
        check(
            &["In [1] and [2]."],
            &[
                "Doe, J. (2001). On rings. Journal of Rings, 3(2), 1–9.",
                "Roe, R. (2002). On knots. Journal of Knots, 4(2), 11–19.",
                "Poe, P. (2003). On bows. Journal of Bows, 5(2), 21–29.",
            ],
            &[],
        );
    }

    const DATED: [&str; 4] = [
        "Doe, J. (2001). On rings. Journal of Rings, 3(2), 1–9.",
        "Doe, J., & Roe, R. (2001). On knots. Journal of Knots, 4(2), 11–19.",
        "Poe, P. (2003a). On bows. Journal of Bows, 5(2), 21–29.",
        "Poe, P. (2003b). On arrows. Journal of Bows, 6(2), 31–39.",
    ];

    #[test]
    fn names_and_years_are_citations() {
        let text = [
            "As said (Doe, 2001; see Doe & Roe, 2001, p. 12), in May (2004) too.",
            "Poe (2003a, 2003b) disagrees (n = 12, 2019), and so do Doe and Roe (2001).",
        ];
        let expected: [(&str, &[usize]); 3] = [
            ("(Doe, 2001; see Doe & Roe, 2001, p. 12)", &[1, 2]),
            ("Poe (2003a, 2003b)", &[3, 4]),
            ("Roe (2001)", &[2]),
        ];
        assert!(check(&text, &DATED, &expected).is_empty());
    }

    #[test]
    fn findings_are_told_where_all_else_fits() {
        let entries: Vec<String> = (1..=10)
            .map(|n| format!("[{n}] Doe{n}, J. (20{n:02}). On rings of kind {n}. Journal of Rings, 3(2), 1–9."))
            .collect();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let expected: [(&str, &[usize]); 1] = [("[1–9]", &[1, 2, 3, 4, 5, 6, 7, 8, 9])];
        let told = check(&["See [1–9]. Elsewhere [12]."], &entries, &expected);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("Doe10"), "{told:?}");
        assert!(told[1].contains("[12]"), "{told:?}");
        let expected: [(&str, &[usize]); 1] = [("[1–7]", &[1, 2, 3, 4, 5, 6, 7])];
        let told = check(&["See [1–7]. Elsewhere [12]."], &entries, &expected);
        assert!(told.is_empty(), "{told:?}");
    }
}
