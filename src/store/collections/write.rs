//! Changing collections and entries, step by step.

use rusqlite::params;

use super::Edit;
use super::log::NewChange;
use super::row::{CollectionRow, EntryRow, NewEntry, PackedItem, tags_text};
use crate::store::{StoreError, keys};

impl Edit<'_> {
    /// Stores a new, empty collection. The row's id, version and counts are
    /// ignored.
    pub fn insert_collection(&self, new: &CollectionRow) -> Result<i64, StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO collections
                 (uid, user, name, description, style, tags, version, entries, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 0, ?7, ?8)",
        )?;
        Ok(statement.insert(params![
            new.uid,
            new.user,
            new.name,
            new.description,
            new.style,
            tags_text(&new.tags)?,
            new.created_at,
            new.updated_at,
        ])?)
    }

    /// Sets the user-defined fields of a collection.
    pub fn set_collection(&self, row: &CollectionRow) -> Result<(), StoreError> {
        self.execute(
            "UPDATE collections SET name = ?2, description = ?3, style = ?4, tags = ?5
             WHERE id = ?1",
            params![
                row.id,
                row.name,
                row.description,
                row.style,
                tags_text(&row.tags)?,
            ],
        )
    }

    /// Records a change to a collection or its entries: a new version, the time, the number of
    /// entries, and what changed. Every change ends with this. Returns the collection in its new state.
    pub fn touch_collection(
        &self,
        id: i64,
        now: i64,
        change: &NewChange<'_>,
    ) -> Result<CollectionRow, StoreError> {
        self.execute(
            "UPDATE collections SET version = version + 1, updated_at = max(updated_at, ?2),
                 entries = (SELECT count(*) FROM entries
                            WHERE collection = ?1 AND deleted_at IS NULL)
             WHERE id = ?1",
            params![id, now],
        )?;
        let row = self.collection_by_id(id)?;
        self.log_change(&row, now, change)?;
        Ok(row)
    }

    /// Deletes a collection softly (`Some`), or restores it.
    pub fn mark_collection(&self, id: i64, deleted_at: Option<i64>) -> Result<(), StoreError> {
        self.execute(
            "UPDATE collections SET deleted_at = ?2 WHERE id = ?1",
            params![id, deleted_at],
        )
    }

    /// The rank after all entries of a collection, including deleted ones.
    pub fn next_rank(&self, collection: i64) -> Result<i64, StoreError> {
        // The index ends with the rank for either state, so both maxima are found without a scan.
        let mut statement = self.transaction.prepare_cached(
            "SELECT max(
                 coalesce((SELECT max(rank) FROM entries
                           WHERE collection = ?1 AND deleted_at IS NULL), -1),
                 coalesce((SELECT max(rank) FROM entries
                           WHERE collection = ?1 AND deleted_at IS NOT NULL), -1)) + 1",
        )?;
        Ok(statement.query_row([collection], |row| row.get(0))?)
    }

    /// Stores a new entry of a collection.
    pub fn insert_entry(
        &self,
        collection: i64,
        rank: i64,
        new: &NewEntry,
    ) -> Result<EntryRow, StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO entries (uid, collection, rank, note, tags, review_status, citation_key,
                 blocking_keys, added_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
        )?;
        let id = statement.insert(params![
            new.uid,
            collection,
            rank,
            new.note,
            tags_text(&new.tags)?,
            new.review_status.as_str(),
            new.citation_key,
            keys_blob(&new.blocking_keys),
            new.added_at,
        ])?;
        self.insert_record(id, &new.record)?;
        self.measure(id)?;
        Ok(EntryRow {
            id,
            uid: new.uid.clone(),
            collection,
            rank,
            note: new.note.clone(),
            tags: new.tags.clone(),
            review_status: new.review_status,
            citation_key: new.citation_key.clone(),
            added_at: new.added_at,
            updated_at: new.added_at,
        })
    }

    fn insert_record(&self, entry: i64, record: &PackedItem) -> Result<(), StoreError> {
        self.execute(
            "INSERT OR REPLACE INTO entry_records (entry, dictionary, record, shown, form)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                entry,
                record.packed.dictionary,
                record.packed.bytes,
                record.shown,
                record.form,
            ],
        )?;
        let mut statement = self.transaction.prepare_cached(
            "INSERT OR IGNORE INTO entry_identifiers (user, kind, value, entry)
             SELECT c.user, ?2, ?3, e.id FROM entries e JOIN collections c ON c.id = e.collection
             WHERE e.id = ?1",
        )?;
        for identifier in &record.identifiers {
            if let Some(kind) = keys::kind(identifier) {
                statement.execute(params![entry, kind, identifier.as_str()])?;
            }
        }
        Ok(())
    }

    /// Replaces an entry's item and its derived values.
    pub fn set_record(
        &self,
        row: &EntryRow,
        record: &PackedItem,
        blocking_keys: &[u32],
    ) -> Result<(), StoreError> {
        self.execute(
            "UPDATE entries SET citation_key = ?2, blocking_keys = ?3, updated_at = ?4
             WHERE id = ?1",
            params![
                row.id,
                row.citation_key,
                keys_blob(blocking_keys),
                row.updated_at
            ],
        )?;
        self.execute("DELETE FROM entry_identifiers WHERE entry = ?1", [row.id])?;
        self.insert_record(row.id, record)?;
        self.measure(row.id)
    }

    /// Updates the number of bytes stored for an entry, including its versions. Every change of an
    /// entry's content ends with this; triggers update the account's total.
    fn measure(&self, entry: i64) -> Result<(), StoreError> {
        self.execute(
            "UPDATE entries SET bytes = 256 + coalesce(octet_length(note), 0) + octet_length(tags)
                 + octet_length(blocking_keys)
                 + (SELECT coalesce(sum(octet_length(record) + octet_length(shown)), 0)
                    FROM entry_records WHERE entry = ?1)
                 + (SELECT coalesce(sum(64 + octet_length(record)), 0)
                    FROM entry_versions WHERE entry = ?1)
             WHERE id = ?1",
            [entry],
        )
    }

    /// Sets the user-defined fields of an entry besides its metadata.
    pub fn set_entry(&self, row: &EntryRow) -> Result<(), StoreError> {
        self.execute(
            "UPDATE entries SET note = ?2, tags = ?3, review_status = ?4, updated_at = ?5
             WHERE id = ?1",
            params![
                row.id,
                row.note,
                tags_text(&row.tags)?,
                row.review_status.as_str(),
                row.updated_at,
            ],
        )?;
        self.measure(row.id)
    }

    /// Deletes an entry softly (`Some`), or restores it at its old position.
    pub fn mark_entry(&self, id: i64, deleted_at: Option<i64>) -> Result<(), StoreError> {
        self.execute(
            "UPDATE entries SET deleted_at = ?2 WHERE id = ?1",
            params![id, deleted_at],
        )
    }

    /// Moves an entry to a rank of its own or another collection.
    pub fn place_entry(&self, id: i64, collection: i64, rank: i64) -> Result<(), StoreError> {
        self.execute(
            "UPDATE entries SET collection = ?2, rank = ?3 WHERE id = ?1",
            params![id, collection, rank],
        )
    }

    /// Copies an entry's record to a new entry.
    pub fn copy_entry(
        &self,
        from: &EntryRow,
        uid: &str,
        collection: i64,
        rank: i64,
        now: i64,
    ) -> Result<i64, StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO entries (uid, collection, rank, note, tags, review_status, citation_key,
                 blocking_keys, added_at, updated_at)
             SELECT ?2, ?3, ?4, note, tags, review_status, citation_key, blocking_keys, ?5, ?5
             FROM entries WHERE id = ?1",
        )?;
        let id = statement.insert(params![from.id, uid, collection, rank, now])?;
        self.execute(
            "INSERT INTO entry_records (entry, dictionary, record, shown, form)
             SELECT ?2, dictionary, record, shown, form FROM entry_records WHERE entry = ?1",
            params![from.id, id],
        )?;
        self.execute(
            "INSERT INTO entry_identifiers (user, kind, value, entry)
             SELECT (SELECT user FROM collections WHERE id = ?3), kind, value, ?2
             FROM entry_identifiers WHERE entry = ?1",
            params![from.id, id, collection],
        )?;
        self.measure(id)?;
        Ok(id)
    }
}

fn keys_blob(blocking_keys: &[u32]) -> Vec<u8> {
    blocking_keys
        .iter()
        .flat_map(|mark| mark.to_le_bytes())
        .collect()
}
