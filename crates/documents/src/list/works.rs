//! The works of citations, and the printed entries that they belong to.

use std::collections::{HashMap, HashSet};

use citation_model::budget::{Budget, Exceeded};
use citation_model::item::Item;
use citation_model::variable::TextVar;

use crate::document::{Cited, ListedReference, ManuscriptCitation};
use crate::identity::{WorkRecord, same_works};
use crate::library;
use crate::normalize::letters;

/// Adds the works of the document to the items cited by key.
pub(crate) fn resolve<'c>(
    citations: impl Iterator<Item = &'c mut ManuscriptCitation>,
    sources: &[Item],
) {
    let by_key: HashMap<&str, &Item> = sources
        .iter()
        .map(|item| (item.id.as_str(), item))
        .collect();
    for cited in citations.flat_map(|citation| &mut citation.items) {
        if cited.item.is_none()
            && let Some(item) = by_key.get(cited.cite.id.as_str())
        {
            cited.doi = item.doi();
            cited.item = Some((*item).clone());
        }
    }
}

/// Gives each cited work one key, and no two works the same.
pub(crate) fn unify<'c>(
    citations: impl Iterator<Item = &'c mut ManuscriptCitation>,
    budget: &Budget,
) -> Result<(), Exceeded> {
    let mut all: Vec<&mut Cited> = citations.flat_map(|citation| &mut citation.items).collect();
    let records: Vec<WorkRecord<'_>> = all.iter().map(|cited| WorkRecord::from(&**cited)).collect();
    let firsts = same_works(&records, budget)?;
    let mut used = DistinctKeys::default();
    let mut keys: Vec<String> = Vec::with_capacity(firsts.len());
    let mut items: HashMap<usize, Item> = HashMap::new();
    for (cited, first) in all.iter().zip(&firsts) {
        if let Some(item) = cited.item.as_ref().filter(|_| !items.contains_key(first)) {
            items.insert(*first, item.clone());
        }
        let key = match keys.get(*first) {
            Some(key) => key.clone(),
            None => free_key(cited, &mut used),
        };
        keys.push(key);
    }
    for ((cited, key), first) in all.iter_mut().zip(keys).zip(firsts) {
        cited.cite.id = key;
        cited.item = cited.item.take().or_else(|| items.get(&first).cloned());
        cited.doi = cited.doi.take().or_else(|| cited.item.as_ref()?.doi());
    }
    Ok(())
}

/// Keys that name one work each.
#[derive(Debug, Default)]
pub struct DistinctKeys {
    /// How often each key was wanted.
    wanted: HashMap<String, usize>,
}

impl DistinctKeys {
    /// The key, or one with a number if another work has it.
    pub fn add(&mut self, key: &str) -> String {
        loop {
            let count = self.wanted.entry(key.to_owned()).or_default();
            *count += 1;
            if *count == 1 {
                return key.to_owned();
            }
            let numbered = format!("{key}-{count}");
            if !self.wanted.contains_key(&numbered) {
                self.wanted.insert(numbered.clone(), 1);
                return numbered;
            }
        }
    }
}

/// The key of a work that the document gives no key.
const NO_KEY: &str = "work";

fn free_key(cited: &Cited, keys: &mut DistinctKeys) -> String {
    match (cited.cite.id.as_str(), &cited.item) {
        ("", None) => String::new(),
        ("", Some(_)) => keys.add(NO_KEY),
        (key, _) => keys.add(key),
    }
}

/// The distinct works cited, each with its first citation.
pub(super) fn cited(citations: &[ManuscriptCitation]) -> Vec<(&Cited, &ManuscriptCitation)> {
    let mut seen = HashSet::new();
    let cited = citations
        .iter()
        .flat_map(|citation| citation.items.iter().map(move |cited| (cited, citation)));
    cited
        .filter(|(cited, _)| seen.insert(cited.cite.id.as_str()))
        .collect()
}

/// The works as references, for a document without a printed list.
pub(super) fn references(works: &[(&Cited, &ManuscriptCitation)]) -> Vec<ListedReference> {
    let references = works.iter().map(|(cited, citation)| ListedReference {
        text: cited.item.as_ref().map(library::line).unwrap_or_default(),
        doi: cited.doi.clone(),
        key: Some(cited.cite.id.clone()).filter(|key| !key.is_empty()),
        item: cited.item.clone(),
        place: citation.place.clone(),
        ..ListedReference::default()
    });
    { references }
        .filter(|reference| !reference.text.is_empty())
        .collect()
}

fn title(cited: &Cited) -> String {
    let title = cited
        .item
        .as_ref()
        .and_then(|item| item.text(TextVar::Title));
    letters(title.unwrap_or_default())
}

/// Assigns to printed entries the works in citations with the same DOI or title.
pub(super) fn link(
    references: &mut [ListedReference],
    works: &[(&Cited, &ManuscriptCitation)],
    budget: &Budget,
) -> Result<(), Exceeded> {
    const MIN_TITLE_LENGTH: usize = 8;
    let titles: Vec<String> = works.iter().map(|(cited, _)| title(cited)).collect();
    let mut is_taken = vec![false; works.len()];
    for reference in references {
        let text = letters(&reference.text);
        budget.spend(works.len() as u64 * (1 + text.len() as u64 / 64))?;
        let by_doi = works
            .iter()
            .position(|(cited, _)| cited.doi.is_some() && cited.doi == reference.doi);
        // If the text contains two titles, the longer is used.
        let by_title = || {
            let fits = |n: &usize| {
                let title = titles.get(*n).map_or("", String::as_str);
                is_taken.get(*n) == Some(&false)
                    && title.chars().count() >= MIN_TITLE_LENGTH
                    && text.contains(title)
            };
            (0..works.len())
                .filter(fits)
                .max_by_key(|n| titles.get(*n).map_or(0, String::len))
        };
        let found = by_doi.or_else(|| reference.doi.is_none().then(by_title).flatten());
        let Some((position, (cited, _))) = found.and_then(|n| Some((n, works.get(n)?))) else {
            continue;
        };
        if let Some(taken) = is_taken.get_mut(position) {
            *taken = true;
        }
        reference.doi = reference.doi.take().or_else(|| cited.doi.clone());
        reference.key = Some(cited.cite.id.clone()).filter(|key| !key.is_empty());
        reference.item = cited.item.clone();
    }
    Ok(())
}
