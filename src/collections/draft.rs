//! An entry on its way into a collection: everything that needs no database is done here, before
//! others have to wait for the write.

use super::{Collections, duplicates, input, shown};
use crate::model::item::Item;
use crate::model::review::ReviewStatus;
use crate::model::variable::TextVar;
use crate::store::StoreError;
use crate::store::collections::{NewEntry, Record};

/// What goes with an entry beside its metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    pub note: Option<String>,
    pub tags: Vec<String>,
    /// Nothing: `clean`, or what is known of the work.
    pub review_status: Option<ReviewStatus>,
    /// When it was added, Unix seconds. Nothing: now.
    pub added_at: Option<i64>,
}

/// An entry ready to be stored.
#[derive(Clone, Debug)]
pub struct Draft {
    pub item: Item,
    pub(super) entry: NewEntry,
    /// Whether the review status is the user's own choice.
    pub(super) has_status: bool,
}

/// Metadata ready to be stored.
#[derive(Clone, Debug)]
pub struct Metadata {
    pub item: Item,
    pub(super) record: Record,
    pub(super) marks: Vec<u32>,
}

impl Collections {
    /// Makes an entry ready.
    pub fn draft(&self, item: Item, remarks: Remarks) -> Result<Draft, StoreError> {
        let metadata = self.metadata(item)?;
        let entry = NewEntry {
            uid: uuid::Uuid::now_v7().to_string(),
            note: remarks.note,
            tags: remarks.tags,
            review_status: remarks.review_status.unwrap_or_default(),
            citation_key: citation_key(&metadata.item),
            marks: metadata.marks,
            added_at: remarks.added_at.unwrap_or_else(|| self.clock.unix()),
            record: metadata.record,
        };
        Ok(Draft {
            item: metadata.item,
            entry,
            has_status: remarks.review_status.is_some(),
        })
    }

    /// Makes metadata ready.
    pub fn metadata(&self, item: Item) -> Result<Metadata, StoreError> {
        let record = self
            .store
            .pack_record(&item, shown::metadata(&item), shown::FORM)?;
        Ok(Metadata {
            marks: duplicates::marks(&item),
            item,
            record,
        })
    }
}

pub(super) fn citation_key(item: &Item) -> Option<String> {
    item.text(TextVar::CitationKey).map(str::to_owned)
}

/// Whether an item says enough to be stored: a title, a DOI, an ISBN or an address (interface
/// decisions, section 4).
pub fn check_metadata(field: &str, item: &Item) -> Result<(), input::Fault> {
    if is_known(item) {
        return Ok(());
    }
    let message = "needs at least one of title, doi, isbn and url";
    Err(input::Fault::new(field, "missing", message))
}

pub(super) fn is_known(item: &Item) -> bool {
    let telling = [TextVar::Title, TextVar::Doi, TextVar::Isbn, TextVar::Url];
    telling
        .into_iter()
        .any(|variable| item.text(variable).is_some())
}
