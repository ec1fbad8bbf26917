//! Comparing before writing: what is the same work as what is found while others may write, and a
//! change takes the answer over where nobody has written to the collections in between.

use super::browser::{self, ClientCollection, MergeStrategy};
use super::draft::Draft;
use super::duplicates::{self, Asked, Duplicate};
use super::moving::Move;
use super::{CollectionError, Reading};
use crate::model::item::Item;
use crate::store::StoreError;
use crate::store::collections::{CollectionRow, View};

/// An answer as of one version of each collection that it was drawn from.
#[derive(Clone, Debug)]
pub struct Compared<T> {
    seen: Vec<(i64, i64)>,
    answer: T,
}

/// Of each work that was asked about, the UUID of the entry that is the same.
pub type Same = Vec<Option<String>>;

impl<T: Clone> Compared<T> {
    fn new<'r>(rows: impl IntoIterator<Item = &'r CollectionRow>, answer: T) -> Compared<T> {
        Compared {
            seen: versions(rows),
            answer,
        }
    }

    /// The answer, if the collections are as they were; else a new one.
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

impl Reading<'_> {
    /// The entries of a collection that are like an item, best first.
    pub fn compare_one(
        &self,
        collection: &str,
        item: &Item,
    ) -> Result<Compared<Vec<Duplicate>>, CollectionError> {
        let row = self.collection(collection)?;
        let found = duplicates::of(self.view, &row, item)?;
        Ok(Compared::new([&row], found))
    }

    /// Which drafts are in a collection already.
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

    /// Which entries of a browser's collection are in the one that it will be merged into.
    pub fn compare_merge(
        &self,
        from: &ClientCollection,
        strategy: MergeStrategy,
    ) -> Result<Compared<Same>, CollectionError> {
        let row = browser::present(self.view, self.user, from, strategy)?;
        let same = among(
            self.view,
            row.as_ref(),
            from.entries.iter().map(|e| &e.draft),
        )?;
        Ok(Compared::new(row.as_ref(), same))
    }

    /// Which of the entries to be moved are in the target already.
    pub fn compare_move(&self, order: &Move) -> Result<Compared<Same>, CollectionError> {
        let source = self.collection(&order.source)?;
        let target = self.collection(&order.target)?;
        let same = moving(self.view, order, &source, &target)?;
        Ok(Compared::new([&source, &target], same))
    }
}

/// Of each draft, the entry of a collection, or the earlier draft, that is the same work.
pub(super) fn among<'d>(
    view: &View<'_>,
    collection: Option<&CollectionRow>,
    drafts: impl IntoIterator<Item = &'d Draft>,
) -> Result<Same, StoreError> {
    let asked: Vec<Asked<'_>> = drafts
        .into_iter()
        .map(|draft| Asked {
            uid: &draft.entry.uid,
            item: &draft.item,
            marks: &draft.entry.marks,
        })
        .collect();
    duplicates::among(view, collection, &asked)
}

/// Of each entry to be moved, the entry of the target that is the same work. Entries that the source
/// does not have are the same as none.
pub(super) fn moving(
    view: &View<'_>,
    order: &Move,
    source: &CollectionRow,
    target: &CollectionRow,
) -> Result<Same, StoreError> {
    if !order.skip_duplicates {
        return Ok(vec![None; order.entries.len()]);
    }
    let mut found = Vec::with_capacity(order.entries.len());
    for uid in &order.entries {
        found.push(match view.entry(source.id, uid)? {
            Some(row) => Some(view.item(row.id)?),
            None => None,
        });
    }
    let nothing = Item::default();
    let items: Vec<&Item> = found
        .iter()
        .map(|item| item.as_ref().unwrap_or(&nothing))
        .collect();
    let marks: Vec<Vec<u32>> = items.iter().map(|item| duplicates::marks(item)).collect();
    let asked: Vec<Asked<'_>> = order
        .entries
        .iter()
        .zip(items.iter().zip(&marks))
        .map(|(uid, (item, marks))| Asked { uid, item, marks })
        .collect();
    duplicates::among(view, Some(target), &asked)
}
