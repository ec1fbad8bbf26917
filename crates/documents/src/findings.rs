//! What the references of a document lack: citations that nobody makes, works that are there twice.

use std::collections::HashSet;

use citation_matching::duplicate::Index;
use citation_model::budget::Budget;
use citation_model::identifier::Doi;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::TextVar;

use crate::document::{Document, Finding, FindingKind, Reference};
use crate::error::DocumentError;

/// What looking for the duplicates of an item costs, in steps.
const ITEM_STEPS: u64 = 400;
/// Entries among which duplicates are looked for.
const MOST_COMPARED: usize = 20_000;

pub(crate) fn add(document: &mut Document, budget: &Budget) -> Result<(), DocumentError> {
    let mut findings = std::mem::take(&mut document.findings);
    let cited = document.citations.iter().flat_map(|c| &c.items);
    let keys: HashSet<&str> = cited.clone().map(|cited| cited.cite.id.as_str()).collect();
    let dois: HashSet<&Doi> = cited.filter_map(|cited| cited.doi.as_ref()).collect();
    // The readers of formats without paragraphs know the keys themselves.
    if document.marks_citations && !document.blocks.is_empty() {
        let is_cited = |reference: &&Reference| {
            reference
                .key
                .as_deref()
                .is_some_and(|key| keys.contains(key))
                || reference.doi.as_ref().is_some_and(|doi| dois.contains(doi))
        };
        // Where no entry is known to be cited, the document does not say which is meant.
        if document
            .references
            .iter()
            .any(|reference| is_cited(&reference))
        {
            let uncited = document.references.iter().filter(|r| !is_cited(r));
            findings.extend(uncited.map(uncited_entry));
        }
    }
    findings.extend(document.uncited.iter().map(uncited_entry));
    findings.extend(duplicates(document, budget)?);
    document.findings = findings;
    Ok(())
}

/// What a message calls an entry: its key, or the start of its text.
fn name(reference: &Reference) -> String {
    const LONGEST: usize = 80;
    match &reference.key {
        Some(key) => key.clone(),
        None => reference.text.chars().take(LONGEST).collect(),
    }
}

pub(crate) fn uncited_entry(reference: &Reference) -> Finding {
    let name = name(reference);
    Finding {
        kind: FindingKind::UncitedEntry,
        message: format!("Nobody cites “{name}”."),
        keys: vec![name],
        place: reference.place.clone(),
    }
}

fn duplicates(document: &Document, budget: &Budget) -> Result<Vec<Finding>, DocumentError> {
    let all: Vec<&Reference> = document
        .references
        .iter()
        .chain(&document.uncited)
        .take(MOST_COMPARED)
        .collect();
    let items: Vec<Item> = all.iter().map(|reference| item(reference)).collect();
    let index = Index::new(&items);
    let mut findings = Vec::new();
    for (n, item) in items.iter().enumerate() {
        budget.spend(ITEM_STEPS)?;
        let later = index.like(item).into_iter().filter(|found| found.index > n);
        for found in later.filter(|found| found.comparison.is_duplicate()) {
            if let (Some(one), Some(other)) = (all.get(n), all.get(found.index)) {
                let (one, other) = (name(one), name(other));
                findings.push(Finding {
                    kind: FindingKind::DuplicateWork,
                    message: format!("“{one}” and “{other}” are one work."),
                    keys: vec![one, other],
                    place: all
                        .get(found.index)
                        .map(|r| r.place.clone())
                        .unwrap_or_default(),
                });
            }
        }
    }
    Ok(findings)
}

/// The work as the document carries it, or what the printed entry says for certain.
fn item(reference: &Reference) -> Item {
    reference.item.clone().unwrap_or_else(|| {
        let mut item = Item::new("", ItemType::Document);
        if let Some(doi) = &reference.doi {
            item.set_text(TextVar::Doi, doi.to_string());
        }
        item
    })
}
