//! Editions, works and authors in the formats of the API and the dumps.

use serde::Deserialize;

use crate::{RecordError, lenient, names};
use citation_model::name::Name;

/// An edition of a book.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Edition {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) key: Option<String>,
    #[serde(rename = "type", deserialize_with = "lenient::text")]
    pub(super) page_type: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) title_prefix: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) subtitle: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) translation_of: Option<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) works: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) authors: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) contributions: Vec<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) contributors: Vec<Contributor>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) by_statement: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) publish_date: Option<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) publishers: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) publish_places: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) isbn_13: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) isbn_10: Vec<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) edition_name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) number_of_pages: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) pagination: Option<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) series: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) languages: Vec<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) physical_format: Option<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) lc_classifications: Vec<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) subjects: Vec<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) last_modified: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Contributor {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) role: Option<String>,
}

/// A work: the common data of all editions of a book. Named to avoid a clash with the model's `Work`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct AbstractWork {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) key: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) subtitle: Option<String>,
    #[serde(deserialize_with = "lenient::list")]
    pub(super) authors: Vec<Role>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) first_publish_date: Option<String>,
    #[serde(deserialize_with = "lenient::texts")]
    pub(super) subjects: Vec<String>,
}

/// An author of a work: an object with a key, or only the key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Role {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) author: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) key: Option<String>,
}

/// An author.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Author {
    #[serde(deserialize_with = "lenient::text")]
    pub(super) key: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) personal_name: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(deserialize_with = "lenient::text")]
    pub(super) entity_type: Option<String>,
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
            key: Some(key.to_owned()),
            name: Some(name.to_owned()),
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
