//! Resolves keys to works, from bibliographies and from the caller.

use std::collections::{HashMap, HashSet};

use citation_documents::{WorkRecord, read_bibliographies, same_works};
use citation_exchange::{Content, Reading};
use citation_model::budget::{Budget, Exceeded};
use citation_model::cite::Citation;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::variable::TextVar;
use serde_json::Value;

use crate::{CitingError, Sources};

/// Works by key. Of two with the same key the later wins.
#[derive(Debug, Default)]
pub struct Works {
    items: Vec<Item>,
    by_key: HashMap<String, usize>,
}

impl Works {
    pub fn add(&mut self, item: Item) {
        match self.by_key.get(&item.id) {
            Some(at) => {
                if let Some(known) = self.items.get_mut(*at) {
                    *known = item;
                }
            }
            None => {
                self.by_key.insert(item.id.clone(), self.items.len());
                self.items.push(item);
            }
        }
    }

    /// The position of a work; those without a position sort last.
    pub fn position(&self, key: &str) -> usize {
        self.by_key.get(key).copied().unwrap_or(usize::MAX)
    }

    pub fn get(&self, key: &str) -> Option<&Item> {
        self.items.get(*self.by_key.get(key)?)
    }

    /// Adds the works of bibliography files; those of BibTeX share their strings and parents. Returns the keys of each.
    pub fn add_files<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n str>,
        sources: &dyn Sources,
        budget: &Budget,
    ) -> Result<Vec<Vec<String>>, CitingError> {
        let mut files = Vec::new();
        for name in names {
            let bytes = sources.file(name);
            files.push((
                name,
                bytes.ok_or_else(|| CitingError::MissingFile(name.to_owned()))?,
            ));
        }
        let contents: Vec<(&str, Content<'_>)> = { files.iter() }
            .map(|(name, bytes)| (*name, Content::new(bytes)))
            .collect();
        let mut keys = Vec::with_capacity(contents.len());
        let readings = read_bibliographies(&contents, budget)?;
        for ((name, _), reading) in contents.iter().zip(readings) {
            let reading = reading.ok_or_else(|| CitingError::UnknownFormat((*name).to_owned()))?;
            keys.push(self.add_reading(reading));
        }
        Ok(keys)
    }

    fn add_reading(&mut self, reading: Reading) -> Vec<String> {
        let mut keys = Vec::new();
        for read in reading.items {
            let mut item = read.item;
            if !read.citation_key.is_empty() {
                item.id = read.citation_key;
            }
            let key = item.id.clone();
            let aliases: Vec<String> = match item.custom.get("ids") {
                Some(Value::String(ids)) => ids.split(',').map(|id| id.trim().to_owned()).collect(),
                _ => Vec::new(),
            };
            self.add(item);
            if let Some(at) = self.by_key.get(&key).copied() {
                for alias in aliases {
                    self.by_key.entry(alias).or_insert(at);
                }
            }
            keys.push(key);
        }
        keys
    }

    /// The works of keys in order, without duplicates; the caller is asked for those that no bibliography
    /// has. Also returns the id of each key's work, which differs for an alias.
    pub fn select(
        &mut self,
        keys: &[String],
        sources: &dyn Sources,
        budget: &Budget,
    ) -> Result<(Vec<Item>, HashMap<String, String>), Exceeded> {
        let mut ids: HashMap<String, String> = HashMap::new();
        let mut asked: HashSet<&str> = HashSet::new();
        let mut selected: HashSet<String> = HashSet::new();
        let mut items = Vec::new();
        for key in keys {
            if !asked.insert(key) {
                continue;
            }
            budget.spend(1)?;
            if self.get(key).is_none()
                && let Some(mut item) = sources.work(key)
            {
                item.id.clone_from(key);
                self.add(item);
            }
            if let Some(item) = self.get(key) {
                ids.insert(key.clone(), item.id.clone());
                if selected.insert(item.id.clone()) {
                    items.push(item.clone());
                }
            }
        }
        Ok((items, ids))
    }

    /// All keys in the order of the bibliographies.
    pub fn keys(&self) -> Vec<String> {
        self.items.iter().map(|item| item.id.clone()).collect()
    }
}

/// The records of works, one for each.
#[derive(Debug, Default)]
pub struct DistinctWorks {
    pub items: Vec<Item>,
    /// The id of the record that is kept, by the id of each record of a work that is not.
    ids: HashMap<String, String>,
}

impl DistinctWorks {
    /// Keeps the first record of each work.
    pub fn new(items: Vec<Item>, budget: &Budget) -> Result<DistinctWorks, Exceeded> {
        let records: Vec<WorkRecord<'_>> = items.iter().map(WorkRecord::from).collect();
        let firsts = same_works(&records, budget)?;
        let ids = { firsts.iter().zip(&items) }
            .filter_map(|(first, item)| Some((item, items.get(*first)?)))
            .filter(|(item, first)| item.id != first.id)
            .map(|(item, first)| (item.id.clone(), first.id.clone()));
        let ids = ids.collect();
        let items = items.into_iter().zip(&firsts).enumerate();
        let kept = items.filter(|(n, (_, first))| n == *first);
        Ok(DistinctWorks {
            items: kept.map(|(_, (item, _))| item).collect(),
            ids,
        })
    }

    /// Names the records that are kept in citations.
    pub fn rename(&self, citations: &mut [Citation]) {
        for cite in citations
            .iter_mut()
            .flat_map(|citation| &mut citation.cites)
        {
            if let Some(id) = self.ids.get(&cite.id) {
                cite.id.clone_from(id);
            }
        }
    }
}

/// Applies the short titles of an abbreviation table: `{"default": {"container-title": {…}}}`.
pub fn abbreviate(items: &mut [Item], table: &Value) {
    let short = |variable: &str, text: &str| {
        let text = table.get("default")?.get(variable)?.get(text)?.as_str()?;
        Some(text.to_owned())
    };
    for item in items {
        for (long, variable) in [
            (TextVar::ContainerTitle, TextVar::ContainerTitleShort),
            (TextVar::Title, TextVar::TitleShort),
        ] {
            if let Some(text) = item.text(long).and_then(|text| short(long.csl(), text)) {
                item.set_text(variable, text);
            }
        }
    }
}

/// The identifier in a key; an ordinary key is none, even if it looks like a number.
pub fn identifier(key: &str) -> Option<Identifier> {
    const SCHEMES: [&str; 7] = ["doi", "isbn", "pmid", "pmcid", "arxiv", "http", "https"];
    let is_meant = match key.split_once(':') {
        Some((scheme, _)) => SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()),
        None => key.starts_with("10.") && key.contains('/'),
    };
    is_meant.then(|| Identifier::parse(key).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_with_a_scheme_are_identifiers() {
        let check = |key: &str, kind: Option<&str>| {
            assert_eq!(identifier(key).map(|found| found.kind()), kind, "{key}");
        };
        check("doi:10.1038/171737a0", Some("doi"));
        check("10.1038/171737a0", Some("doi"));
        check("isbn:9780306406157", Some("isbn"));
        check("pmid:13054692", Some("pmid"));
        check("13054692", None);
        check("watson1953", None);
        check("fig:one", None);
    }
}
