//! The works that keys refer to: bibliography files next to a document, and records embedded by word
//! processors.

mod files;
mod hayagriva;
mod line;
mod record;
mod yaml_entries;

pub use files::read_bibliographies;
pub(crate) use line::line;
pub(crate) use record::CslRecord;
pub(crate) use yaml_entries::entries_of_yaml;

use std::collections::HashMap;

use citation_exchange::{Content, Reading};
use citation_model::budget::Budget;
use citation_model::identifier::Doi;
use citation_model::item::Item;

use self::files::extension;
use crate::document::{ListedReference, Place};
use crate::error::DocumentError;
use crate::yaml;

/// An entry of a bibliography.
#[derive(Clone, Debug)]
pub(crate) struct LibraryEntry {
    pub key: String,
    /// As printed, if the library is a printed list.
    pub text: Option<String>,
    pub item: Option<Item>,
    pub doi: Option<Doi>,
    pub place: Place,
}

impl LibraryEntry {
    pub fn of_item(item: Item, place: Place) -> LibraryEntry {
        LibraryEntry {
            key: item.id.clone(),
            text: None,
            doi: item.doi(),
            item: Some(item),
            place,
        }
    }

    pub fn reference(&self) -> ListedReference {
        let text = self.text.clone();
        ListedReference {
            label: None,
            text: text.unwrap_or_else(|| self.item.as_ref().map(line).unwrap_or_default()),
            doi: self.doi.clone(),
            key: Some(self.key.clone()),
            item: self.item.clone(),
            place: self.place.clone(),
        }
    }
}

/// The entries of all bibliographies of a document.
#[derive(Debug, Default)]
pub(crate) struct Library {
    pub entries: Vec<LibraryEntry>,
    by_key: HashMap<String, usize>,
}

impl Library {
    /// Adds entries; the first of two with the same key is kept.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = LibraryEntry>) {
        for entry in entries {
            if !entry.key.is_empty() && !self.by_key.contains_key(&entry.key) {
                self.by_key.insert(entry.key.clone(), self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    /// Another key of an existing entry: biblatex's `ids`.
    fn alias(&mut self, alias: String, key: &str) {
        if let Some(position) = self.by_key.get(key).copied() {
            self.by_key.entry(alias).or_insert(position);
        }
    }

    pub fn position(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds the entries of bibliography files: CSL-YAML, Hayagriva, and those of [`read_bibliographies`]. Returns the
    /// names of files that are no bibliographies.
    pub fn add_files<'f>(
        &mut self,
        files: &'f [(String, Vec<u8>)],
        budget: &Budget,
    ) -> Result<Vec<&'f str>, DocumentError> {
        let is_yaml = |name: &str| matches!(extension(name), "yml" | "yaml");
        let contents: Vec<(&str, Content<'_>)> = { files.iter() }
            .filter(|(name, _)| !is_yaml(name))
            .map(|(name, bytes)| (name.as_str(), Content::new(bytes)))
            .collect();
        let mut readings = read_bibliographies(&contents, budget)?.into_iter();
        let mut broken = Vec::new();
        for (name, bytes) in files {
            let is_read = if is_yaml(name) {
                self.add_yaml(name, bytes, budget)?
            } else {
                let reading = readings.next().flatten();
                let is_read = reading.is_some();
                self.add_reading(name, reading.unwrap_or_default());
                is_read
            };
            if !is_read {
                broken.push(name.as_str());
            }
        }
        Ok(broken)
    }

    /// Adds the entries of a file of YAML. Returns whether it is one.
    fn add_yaml(
        &mut self,
        name: &str,
        bytes: &[u8],
        budget: &Budget,
    ) -> Result<bool, DocumentError> {
        let (text, _) = citation_exchange::decode(bytes);
        let place = Place {
            file: Some(name.to_owned()),
            ..Place::default()
        };
        match yaml::parse(name, &text, budget) {
            Ok(tree) => self.extend(entries_of_yaml(&tree, &place)),
            Err(DocumentError::Exceeded(cause)) => return Err(cause.into()),
            Err(_) => return Ok(false),
        }
        Ok(true)
    }

    fn add_reading(&mut self, name: &str, reading: Reading) {
        for read in reading.items {
            let key = if read.citation_key.is_empty() {
                read.item.id.clone()
            } else {
                read.citation_key
            };
            let aliases = read.item.custom.get("ids").map(yaml::texts_of);
            let place = Place {
                file: Some(name.to_owned()),
                ..Place::line(read.line)
            };
            self.extend([LibraryEntry {
                key: key.clone(),
                ..LibraryEntry::of_item(read.item, place)
            }]);
            for alias in aliases.iter().flatten().flat_map(|ids| ids.split(',')) {
                self.alias(alias.trim().to_owned(), &key);
            }
        }
    }
}
