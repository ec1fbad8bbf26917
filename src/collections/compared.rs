//! Finds duplicates before a write, while others may write. The write uses the answer if nobody
//! has changed the collections in the meantime.

use super::draft::Draft;
use super::duplicates::{self, DuplicateQuery};
use super::entry::Duplicate;
use super::error::CollectionError;
use super::snapshot::Snapshot;
use crate::store::StoreError;
use crate::store::collections::{CollectionRow, View};
use citation_model::item::Item;

/// An answer for given versions of the collections that it was computed from.
#[derive(Clone, Debug)]
pub struct Compared<T> {
    seen: Vec<(i64, i64)>,
    answer: T,
}

/// For each requested work, the UUID of the entry that is the same.
pub type Same = Vec<Option<String>>;

impl<T: Clone + Default> Compared<T> {
    /// No answer: the write looks itself.
    pub fn nothing() -> Compared<T> {
        Compared {
            seen: Vec::new(),
            answer: T::default(),
        }
    }
}

impl<T: Clone> Compared<T> {
    pub(super) fn new<'r>(
        rows: impl IntoIterator<Item = &'r CollectionRow>,
        answer: T,
    ) -> Compared<T> {
        Compared {
            seen: versions(rows),
            answer,
        }
    }

    /// The answer, if the collections have not changed; else a new one.
    pub(super) fn or<'r, E>(
        &self,
        rows: impl IntoIterator<Item = &'r CollectionRow>,
        again: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if self.seen == versions(rows) {
            return Ok(self.answer.clone());
        }
        again()
    }
}

fn versions<'r>(rows: impl IntoIterator<Item = &'r CollectionRow>) -> Vec<(i64, i64)> {
    let rows = rows.into_iter();
    rows.map(|row| (row.id, row.version)).collect()
}

impl Snapshot<'_> {
    /// The entries of a collection that resemble an item, best first.
    pub fn compare_one(
        &self,
        collection: &str,
        item: &Item,
    ) -> Result<Compared<Vec<Duplicate>>, CollectionError> {
        let row = self.collection(collection)?;
        let found = duplicates::of(self.view, &row, item)?;
        Ok(Compared::new([&row], found))
    }

    /// Which drafts are already in a collection.
    pub fn compare(
        &self,
        collection: &str,
        drafts: &[Draft],
    ) -> Result<Compared<Same>, CollectionError> {
        let row = self.collection(collection)?;
        let same = among(self.view, Some(&row), drafts)?;
        Ok(Compared::new([&row], same))
    }

    /// Which drafts for a new collection are the same work as an earlier one.
    pub fn compare_new(&self, drafts: &[Draft]) -> Result<Same, CollectionError> {
        Ok(among(self.view, None, drafts)?)
    }
}

/// For each draft, the entry of a collection, or the earlier draft, that is the same work.
pub(super) fn among<'d>(
    view: &View<'_>,
    collection: Option<&CollectionRow>,
    drafts: impl IntoIterator<Item = &'d Draft>,
) -> Result<Same, StoreError> {
    let asked: Vec<DuplicateQuery<'_>> = drafts
        .into_iter()
        .map(|draft| DuplicateQuery {
            uid: &draft.entry.uid,
            item: &draft.item,
            blocking_keys: &draft.entry.blocking_keys,
        })
        .collect();
    duplicates::among(view, collection, &asked)
}
