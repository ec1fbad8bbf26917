//! An entry ready to be stored: everything that needs no database is computed here, before the
//! write blocks others.

use serde_json::{Map, Value};

use super::service::Collections;
use super::{duplicates, input, shown};
use crate::config::LimitSettings;
use crate::store::StoreError;
use crate::store::collections::{NewEntry, PackedItem};
use citation_exchange::metadata;
use citation_fields::identifiers;
use citation_model::item::Item;
use citation_model::review::ReviewStatus;
use citation_model::variable::TextVar;

/// The annotations of an entry, besides its metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    pub note: Option<String>,
    pub tags: Vec<String>,
    /// The user's choice. `None`: derived from the work.
    pub review_status: Option<ReviewStatus>,
    /// Whether the entry needs a review, unless the user says otherwise.
    pub is_doubtful: bool,
    /// Creation time, Unix seconds. `None`: now.
    pub added_at: Option<i64>,
}

/// An entry ready to be stored.
#[derive(Clone, Debug)]
pub struct Draft {
    pub item: Item,
    pub(super) entry: NewEntry,
    /// Whether the review status is the user's choice.
    pub(super) has_status: bool,
}

/// Metadata ready to be stored.
#[derive(Clone, Debug)]
pub struct Metadata {
    pub item: Item,
    pub(super) record: PackedItem,
    pub(super) blocking_keys: Vec<u32>,
}

impl Collections {
    /// Prepares an entry.
    pub fn draft(&self, item: Item, annotations: Annotations) -> Result<Draft, StoreError> {
        let metadata = self.metadata(item)?;
        let status = if annotations.is_doubtful {
            ReviewStatus::NeedsReview
        } else {
            ReviewStatus::Clean
        };
        let entry = NewEntry {
            uid: uuid::Uuid::now_v7().to_string(),
            note: annotations.note,
            tags: annotations.tags,
            review_status: annotations.review_status.unwrap_or(status),
            citation_key: citation_key(&metadata.item),
            blocking_keys: metadata.blocking_keys,
            added_at: annotations.added_at.unwrap_or_else(|| self.clock.unix()),
            record: metadata.record,
        };
        Ok(Draft {
            item: metadata.item,
            entry,
            has_status: annotations.review_status.is_some(),
        })
    }

    /// Prepares metadata.
    pub fn metadata(&self, item: Item) -> Result<Metadata, StoreError> {
        let record = self
            .store
            .pack_record(&item, shown::metadata(&item), shown::FORM)?;
        Ok(Metadata {
            blocking_keys: duplicates::blocking_keys(&item),
            item,
            record,
        })
    }
}

pub(super) fn citation_key(item: &Item) -> Option<String> {
    item.text(TextVar::CitationKey).map(str::to_owned)
}

/// Takes the variables outside of CSL from the members of a record.
pub fn take_extra(members: &mut Map<String, Value>) -> Map<String, Value> {
    match members.remove("extra") {
        Some(Value::Object(extra)) => extra,
        _ => Map::new(),
    }
}

/// Reads the members of a merged record, and the variables outside of CSL.
pub fn read_merged(
    mut members: Map<String, Value>,
    extra: Map<String, Value>,
    limits: &metadata::Limits,
) -> Result<Item, input::Fault> {
    if !extra.is_empty() {
        members.insert("extra".to_owned(), Value::Object(extra));
    }
    let (item, _) = metadata::read_with(&members, limits).map_err(|faults| {
        let first = faults.into_iter().next();
        let (field, message) = first.map_or_else(Default::default, |f| (f.field, f.message));
        input::Fault::new(&format!("/metadata{field}"), "invalid", message)
    })?;
    check_metadata("/metadata", &item)?;
    Ok(item)
}

/// Whether an item has enough metadata to be stored: a title, a DOI or an ISBN that may be valid, or
/// an address (interface decisions, section 4).
pub fn check_metadata(field: &str, item: &Item) -> Result<(), input::Fault> {
    if is_known(item) {
        return Ok(());
    }
    let message = "needs at least one of title, doi, isbn and url";
    Err(input::Fault::new(field, "missing", message))
}

/// The size limits of one item (interface decisions, sections 4 and 10).
pub fn metadata_limits(limits: &LimitSettings) -> metadata::Limits {
    metadata::Limits {
        names: limits.authors as usize,
        extra_bytes: limits.extra_bytes as usize,
    }
}

/// Whether an item that was not sent as metadata may be stored: by the rule for one that was, so that a client
/// can send back whatever an entry shows.
pub fn check_entry(item: &Item, limits: &metadata::Limits) -> Result<(), input::Fault> {
    let shown = metadata::CitationMetadata::of_item(item).with_abstract(true);
    // A struct of texts and numbers always has a JSON form, and it is an object.
    if let Ok(Value::Object(members)) = serde_json::to_value(shown)
        && let Err(errors) = metadata::read_with(&members, limits)
        && let Some(first) = errors.into_iter().next()
    {
        let message = format!("is refused: {}", first.message);
        return Err(input::Fault::new(&first.field, first.code, message));
    }
    check_metadata("/metadata", item)
}

/// Whether an item identifies itself: by a title, an address, or a valid identifier.
fn is_known(item: &Item) -> bool {
    let says = |variable| item.text(variable).is_some();
    let names = |variable| {
        let text = item.text(variable);
        text.and_then(|text| identifiers::canonical(variable, text))
            .is_some_and(|read| read.is_ok())
    };
    says(TextVar::Title) || says(TextVar::Url) || names(TextVar::Doi) || names(TextVar::Isbn)
}
