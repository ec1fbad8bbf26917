//! Editions, works and authors in the formats of the API and the dumps.

use serde::Deserialize;

use crate::lenient::{Lenient, List, Text, Texts};
use crate::{RecordError, names};
use citation_model::name::Name;

/// An edition of a book.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Edition {
    pub(super) key: Text,
    #[serde(rename = "type")]
    pub(super) page_type: Text,
    pub(super) title_prefix: Text,
    pub(super) title: Text,
    pub(super) subtitle: Text,
    pub(super) translation_of: Text,
    pub(super) works: Texts,
    pub(super) authors: Texts,
    pub(super) contributions: Texts,
    pub(super) contributors: List<Contributor>,
    pub(super) by_statement: Text,
    pub(super) publish_date: Text,
    pub(super) publishers: Texts,
    pub(super) publish_places: Texts,
    pub(super) isbn_13: Texts,
    pub(super) isbn_10: Texts,
    pub(super) edition_name: Text,
    pub(super) number_of_pages: Text,
    pub(super) pagination: Text,
    pub(super) series: Texts,
    pub(super) languages: Texts,
    pub(super) physical_format: Text,
    pub(super) lc_classifications: Texts,
    pub(super) subjects: Texts,
    pub(super) last_modified: Text,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Contributor {
    pub(super) name: Text,
    pub(super) role: Text,
}

/// A work: the common data of all editions of a book. Named to avoid a clash with the model's `Work`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct AbstractWork {
    pub(super) key: Text,
    pub(super) title: Text,
    pub(super) subtitle: Text,
    pub(super) authors: List<Role>,
    pub(super) first_publish_date: Text,
    pub(super) subjects: Texts,
}

/// An author of a work: an object with a key, or only the key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Role {
    pub(super) author: Text,
    pub(super) key: Text,
}

/// An author.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Author {
    pub(super) key: Text,
    pub(super) name: Text,
    pub(super) personal_name: Text,
    pub(super) title: Text,
    pub(super) entity_type: Text,
}

/// The id in a key: `OL1A` in `/authors/OL1A`.
pub fn bare_key(key: &str) -> &str {
    key.trim_end_matches('/').rsplit('/').next().unwrap_or(key)
}

impl Edition {
    pub fn from_slice(json: &[u8]) -> Result<Edition, RecordError> {
        Ok(serde_json::from_slice(json)?)
    }

    /// `OL1M`.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref().map(bare_key)
    }

    /// The work of this edition: `OL1W`.
    pub fn work_key(&self) -> Option<&str> {
        self.works.first().map(|key| bare_key(key))
    }

    /// The authors of the edition: `OL1A`. If it has none, those of its work are used.
    pub fn author_keys(&self) -> impl Iterator<Item = &str> {
        self.authors.iter().map(|key| bare_key(key))
    }
}

impl AbstractWork {
    pub fn from_slice(json: &[u8]) -> Result<AbstractWork, RecordError> {
        Ok(serde_json::from_slice(json)?)
    }

    /// `OL1W`.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref().map(bare_key)
    }

    /// `OL1A`, in order.
    pub fn author_keys(&self) -> impl Iterator<Item = &str> {
        let keys = self
            .authors
            .iter()
            .map(|role| role.author.as_deref().or(role.key.as_deref()));
        keys.flatten().map(bare_key)
    }
}

impl Author {
    pub fn from_slice(json: &[u8]) -> Result<Author, RecordError> {
        Ok(serde_json::from_slice(json)?)
    }

    /// An author with only key and name, as the reader of a dump may keep them.
    pub fn new(key: &str, name: &str) -> Author {
        Author {
            key: Lenient(Some(key.to_owned())),
            name: Lenient(Some(name.to_owned())),
            ..Author::default()
        }
    }

    /// `OL1A`.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref().map(bare_key)
    }

    /// The name in one string, without a title from a separate field.
    pub fn name(&self) -> Option<&str> {
        let name = self.name.as_deref().or(self.personal_name.as_deref())?;
        let untitled = self.title.as_deref().and_then(|title| {
            let rest = name.strip_suffix(title).or(name.strip_prefix(title))?;
            Some(rest.trim_matches([' ', ',']))
        });
        Some(untitled.filter(|name| !name.is_empty()).unwrap_or(name))
    }

    /// The parsed name.
    pub(super) fn person(&self) -> Name {
        let is_body = matches!(
            self.entity_type.as_deref(),
            Some("org" | "organization" | "event")
        );
        match self.name() {
            Some(name) if is_body => names::literal(name),
            Some(name) => names::from_text(name),
            None => Name::default(),
        }
    }
}
