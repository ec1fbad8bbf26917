//! The collections and entries that a browser's ones were merged into.

use rusqlite::params;

use super::{Edit, EntryRow, View};
use crate::store::StoreError;

/// The browser's id of a collection, or of an entry in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientName<'n> {
    pub collection: &'n str,
    /// Empty for the collection itself.
    pub entry: &'n str,
}

impl View<'_> {
    /// The UUID of the collection that a browser's collection was merged into, unless it is
    /// deleted.
    pub fn merged_collection(&self, user: i64, name: &str) -> Result<Option<String>, StoreError> {
        self.value(
            "SELECT c.uid FROM merged m JOIN collections c ON c.id = m.collection
             WHERE m.user = ?1 AND m.client_collection = ?2 AND m.client_entry = ''
               AND c.deleted_at IS NULL",
            params![user, name],
        )
    }

    /// The entry of a browser's entry, in its current collection.
    pub fn merged_entry(
        &self,
        user: i64,
        name: ClientName<'_>,
    ) -> Result<Option<EntryRow>, StoreError> {
        let id: Option<i64> = self.value(
            "SELECT e.id FROM merged m JOIN entries e ON e.id = m.entry
                 JOIN collections c ON c.id = e.collection
             WHERE m.user = ?1 AND m.client_collection = ?2 AND m.client_entry = ?3
               AND e.deleted_at IS NULL AND c.deleted_at IS NULL",
            params![user, name.collection, name.entry],
        )?;
        id.map(|id| self.entry_by_id(id)).transpose()
    }
}

impl Edit<'_> {
    /// Records the target of a browser's collection or entry.
    pub fn note_merged(
        &self,
        user: i64,
        name: ClientName<'_>,
        collection: i64,
        entry: Option<i64>,
    ) -> Result<(), StoreError> {
        self.execute(
            "INSERT OR REPLACE INTO merged
                 (user, client_collection, client_entry, collection, entry)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![user, name.collection, name.entry, collection, entry],
        )
    }
}
