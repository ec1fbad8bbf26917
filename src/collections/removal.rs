//! Deleting and restoring entries.

use super::change::Change;
use super::entry::Entry;
use super::error::{CollectionError, Resource};
use super::policy::CollectionAction;
use crate::store::collections::{ChangeKind, CollectionRow, EntryRow};

/// The result of deleting, restoring or tagging several entries.
#[derive(Clone, Debug)]
pub struct Changed {
    pub collection: CollectionRow,
    /// The deleted, existing or tagged entries, in the given order.
    pub entries: Vec<EntryRow>,
    /// UUIDs of unknown entries.
    pub missing: Vec<String>,
}

impl Change<'_> {
    /// Deletes an entry; it can be restored for some time.
    pub fn remove(&self, collection: &str, entry: &str) -> Result<CollectionRow, CollectionError> {
        let removed = self.remove_many(collection, &[entry.to_owned()])?;
        if removed.entries.is_empty() {
            Err(CollectionError::NotFound(Resource::Entry))
        } else {
            Ok(removed.collection)
        }
    }

    /// Deletes entries, as one change.
    pub fn remove_many(
        &self,
        collection: &str,
        uids: &[String],
    ) -> Result<Changed, CollectionError> {
        let collection = self.open(collection, CollectionAction::EditEntries)?;
        let (mut entries, mut missing) = (Vec::new(), Vec::new());
        for uid in uids {
            match self.edit.entry(collection.id, uid)? {
                Some(row) => {
                    self.edit.mark_entry(row.id, Some(self.now))?;
                    entries.push(row);
                }
                None => missing.push(uid.clone()),
            }
        }
        Ok(Changed {
            collection: self.touch_if(
                !entries.is_empty(),
                collection,
                ChangeKind::EntriesRemoved,
                &uids_of(&entries),
            )?,
            entries,
            missing,
        })
    }

    /// Restores a deleted entry at its old position. Does nothing if it exists.
    pub fn restore_entry(
        &self,
        collection: &str,
        entry: &str,
    ) -> Result<(CollectionRow, Entry), CollectionError> {
        let restored = self.restore_many(collection, &[entry.to_owned()])?;
        match restored.entries.into_iter().next() {
            Some(row) => Ok((restored.collection, self.shown(row)?)),
            None => Err(CollectionError::NotFound(Resource::Entry)),
        }
    }

    /// Restores deleted entries at their old positions: all of them, or none if they exceed the plan's
    /// limit. Existing ones are left unchanged.
    pub fn restore_many(
        &self,
        collection: &str,
        uids: &[String],
    ) -> Result<Changed, CollectionError> {
        let collection = self.open(collection, CollectionAction::EditEntries)?;
        let (mut entries, mut missing) = (Vec::new(), Vec::new());
        let mut back = 0;
        for uid in uids {
            if let Some(row) = self.edit.entry(collection.id, uid)? {
                entries.push(row);
                continue;
            }
            match self.edit.deleted_entry(collection.id, uid)? {
                Some((row, deleted_at)) if deleted_at > self.restorable_since => {
                    self.edit.mark_entry(row.id, None)?;
                    entries.push(row);
                    back += 1;
                }
                _ => missing.push(uid.clone()),
            }
        }
        self.check_room(&collection, back)?;
        Ok(Changed {
            collection: self.touch_if(
                back > 0,
                collection,
                ChangeKind::EntriesRestored,
                &uids_of(&entries),
            )?,
            entries,
            missing,
        })
    }

    pub(super) fn touch_if(
        &self,
        is_changed: bool,
        collection: CollectionRow,
        kind: ChangeKind,
        entries: &[String],
    ) -> Result<CollectionRow, CollectionError> {
        if is_changed {
            self.touch(collection.id, kind, entries)
        } else {
            Ok(collection)
        }
    }
}

/// The UUIDs of entries.
pub(super) fn uids_of(rows: &[EntryRow]) -> Vec<String> {
    rows.iter().map(|row| row.uid.clone()).collect()
}
