//! Finds inconsistencies in the references: uncited entries, duplicate works and missing numbers.

use std::collections::{HashMap, HashSet};

use citation_matching::duplicate::Index;
use citation_matching::reference::Reference as Printed;
use citation_model::budget::Budget;
use citation_model::identifier::{Doi, Identifier};
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::TextVar;

use crate::document::{Document, Finding, FindingKind, ListedReference};
use crate::error::DocumentError;
use crate::normalize::letters;
use crate::printed;

/// Steps to search the duplicates of an item.
const ITEM_STEPS: u64 = 400;
/// Maximum number of entries compared for duplicates.
const MAX_COMPARED: usize = 20_000;

pub(crate) fn add(document: &mut Document, budget: &Budget) -> Result<(), DocumentError> {
    let mut findings = std::mem::take(&mut document.findings);
    let cited = document.citations.iter().flat_map(|c| &c.items);
    let keys: HashSet<&str> = cited.clone().map(|cited| cited.cite.id.as_str()).collect();
    let dois: HashSet<&Doi> = cited.filter_map(|cited| cited.doi.as_ref()).collect();
    // The readers of formats without paragraphs compare the keys themselves.
    if document.marks_citations && !document.blocks.is_empty() {
        let is_cited = |reference: &&ListedReference| {
            reference
                .key
                .as_deref()
                .is_some_and(|key| keys.contains(key))
                || reference.doi.as_ref().is_some_and(|doi| dois.contains(doi))
        };
        // If no citation resolves to an entry, it is unknown which entries are cited.
        if document
            .references
            .iter()
            .any(|reference| is_cited(&reference))
        {
            let in_print = printed::cited(document, budget)?;
            let uncited = document.references.iter().enumerate();
            let uncited = uncited.filter(|(n, r)| !is_cited(r) && !in_print.contains(n));
            findings.extend(uncited.map(|(_, reference)| Finding::uncited(reference)));
        }
    }
    findings.extend(document.uncited.iter().map(Finding::uncited));
    findings.extend(missing_numbers(&document.references));
    findings.extend(duplicates(document, budget)?);
    document.findings = findings;
    Ok(())
}

/// The numbers that a numbered list leaves out. More than a few are not left out, but no labels.
fn missing_numbers(references: &[ListedReference]) -> Vec<Finding> {
    const MIN_COUNT: usize = 5;
    /// Maximum share of numbers left out.
    const MAX_SHARE: usize = 10;
    let number =
        |reference: &ListedReference| -> Option<u32> { reference.label.as_deref()?.parse().ok() };
    let numbers: Option<Vec<u32>> = references.iter().map(number).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() >= MIN_COUNT) else {
        return Vec::new();
    };
    let pairs = || numbers.iter().zip(numbers.iter().skip(1));
    let rises = pairs().all(|(before, number)| before < number);
    let last = numbers.last().copied().unwrap_or_default() as usize;
    if !rises
        || numbers.first() != Some(&1)
        || (last - numbers.len()) * MAX_SHARE > last.max(MAX_SHARE)
    {
        return Vec::new();
    }
    let gaps = pairs().zip(references.iter().skip(1));
    let missing = gaps.flat_map(|((before, number), behind)| {
        (before + 1..*number).map(move |missing| (missing, behind))
    });
    missing
        .map(|(missing, behind)| Finding {
            kind: FindingKind::MissingNumber,
            message: format!("The list has no entry with the number {missing}."),
            keys: vec![missing.to_string()],
            place: behind.place.clone(),
        })
        .collect()
}

fn duplicates(document: &Document, budget: &Budget) -> Result<Vec<Finding>, DocumentError> {
    let all: Vec<&ListedReference> = document
        .references
        .iter()
        .chain(&document.uncited)
        .take(MAX_COMPARED)
        .collect();
    let items: Vec<Item> = all.iter().map(|reference| item(reference)).collect();
    let index = Index::new(&items);
    let printed = printed_alike(&all, budget)?;
    let mut findings = Vec::new();
    for (n, item) in items.iter().enumerate() {
        budget.spend(ITEM_STEPS)?;
        let like = index.like(item).into_iter();
        let like = like.filter(|found| found.index > n && found.comparison.is_duplicate());
        let mut like: Vec<usize> = like.map(|found| found.index).collect();
        like.extend(printed.get(&n).filter(|other| !like.contains(other)));
        for other in like {
            if let (Some(one), Some(other)) = (all.get(n), all.get(other)) {
                let place = other.place.clone();
                let (one, other) = (one.name(), other.name());
                findings.push(Finding {
                    kind: FindingKind::DuplicateWork,
                    message: format!("“{one}” and “{other}” are one work."),
                    keys: vec![one, other],
                    place,
                });
            }
        }
    }
    Ok(findings)
}

/// Printed entries with the same title, year and first author and no distinguishing data, each with the
/// next such entry.
fn printed_alike(
    all: &[&ListedReference],
    budget: &Budget,
) -> Result<HashMap<usize, usize>, DocumentError> {
    /// Minimum number of letters of a distinctive title.
    const MIN_TITLE_LENGTH: usize = 20;
    /// Maximum number of entries with the same title that an entry is compared with.
    const MAX_LIKE: usize = 50;
    let mut seen: HashMap<(String, i32, String), Vec<(usize, Printed)>> = HashMap::new();
    let mut alike = HashMap::new();
    for (n, reference) in all.iter().enumerate().filter(|(_, r)| r.item.is_none()) {
        budget.spend(Printed::steps(&reference.text))?;
        let printed = Printed::parse(&reference.text);
        let title = letters(printed.title.as_deref().unwrap_or_default());
        let author = printed.names.first().map(|name| letters(&name.heading()));
        let (Some(year), Some(author)) = (printed.year(), author) else {
            continue;
        };
        if title.chars().count() < MIN_TITLE_LENGTH || author.is_empty() {
            continue;
        }
        let like = seen.entry((title, year, author)).or_default();
        let mut near = like.iter().rev().take(MAX_LIKE);
        let same = near.find(|(_, other)| !is_apart(other, &printed));
        if let Some((before, _)) = same {
            alike.insert(*before, n);
        }
        like.push((n, printed));
    }
    Ok(alike)
}

/// Whether two entries with the same title are different works: parts of a series, a preprint and its
/// article, a paper and a talk.
fn is_apart(one: &Printed, other: &Printed) -> bool {
    let differ = |one: &Option<String>, other: &Option<String>| matches!((one, other), (Some(one), Some(other)) if letters(one) != letters(other));
    let identifiers = one.identifiers.iter();
    let is_other = |id: &Identifier| {
        let mut known = other.identifiers.iter();
        let same_kind = known.clone().any(|known| known.kind() == id.kind());
        same_kind && !known.any(|known| known == id)
    };
    differ(&one.volume, &other.volume)
        || differ(&one.pages, &other.pages)
        || identifiers.clone().any(is_other)
}

/// The embedded work, or the certain data of the printed entry.
fn item(reference: &ListedReference) -> Item {
    reference.item.clone().unwrap_or_else(|| {
        let mut item = Item::new("", ItemType::Document);
        if let Some(doi) = &reference.doi {
            item.set_text(TextVar::Doi, doi.to_string());
        }
        item
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &[&str], expected: &[[usize; 2]]) {
        let references = list.iter().map(|text| ListedReference {
            text: (*text).to_owned(),
            ..ListedReference::default()
        });
        let mut document = Document {
            references: references.collect(),
            ..Document::default()
        };
        add(&mut document, &Budget::unlimited()).unwrap();
        let message = |[one, other]: &[usize; 2]| {
            let name = |n: usize| list[n].chars().take(80).collect::<String>();
            format!("“{}” and “{}” are one work.", name(*one), name(*other))
        };
        let expected: Vec<String> = expected.iter().map(message).collect();
        let found: Vec<&str> = document
            .findings
            .iter()
            .map(|f| f.message.as_str())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn duplicate_printed_entries_are_reported() {
        let apa = "Doe, J., & Roe, R. (2001). On the rings of the golden worm. Journal of Rings, 3(2), 1–9.";
        let other = "Doe, J. and Roe, R. (2001). On the Rings of the Golden Worm. J. Rings 3, 1–9.";
        check(
            &[
                apa,
                "Poe, P. (2002). Something else of some length. Knots, 1, 2–3.",
                other,
            ],
            &[[0, 2]],
        );
    }

    #[test]
    fn works_with_the_same_title_are_distinguished() {
        let first = "Doe, J. (2001). On the rings of the golden worm. Journal of Rings, 3(2), 1–9.";
        let second =
            "Doe, J. (2001). On the rings of the golden worm. Journal of Rings, 3(3), 11–19.";
        let part =
            "Doe, J. (2001). On the rings of the golden worm II. Journal of Rings, 3(2), 1–9.";
        let year = "Doe, J. (2002). On the rings of the golden worm. Journal of Rings.";
        let author = "Roe, R. (2001). On the rings of the golden worm. Journal of Rings.";
        for other in [second, part, year, author] {
            check(&[first, other], &[]);
        }
        check(
            &[
                "Doe, J. (2001). Editorial. Rings, 3, 1.",
                "Doe, J. (2001). Editorial. Rings, 3, 1.",
            ],
            &[],
        );
    }
}
