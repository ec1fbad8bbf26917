//! Reading collections and entries.

use std::collections::HashMap;

use rusqlite::params;

use super::View;
use super::row::{
    CollectionRow, EntryRow, Role, Stored, read_collection, read_entry, select_collections,
    select_entries,
};
use crate::store::{StoreError, codec, keys, updates, works};
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::work::{Update, Work};

/// A page of a collection's entries, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub offset: u32,
    pub limit: u32,
}

impl Range {
    pub const ALL: Range = Range {
        offset: 0,
        limit: u32::MAX,
    };
}

impl View<'_> {
    /// A collection by UUID, with the role that a user has in it. `None` for those without one.
    pub fn collection(&self, user: i64, uid: &str) -> Result<Option<CollectionRow>, StoreError> {
        let collection = self.collection_or_deleted(user, uid)?;
        Ok(collection.filter(|collection| collection.deleted_at.is_none()))
    }

    /// The same, deleted or not.
    pub fn collection_or_deleted(
        &self,
        user: i64,
        uid: &str,
    ) -> Result<Option<CollectionRow>, StoreError> {
        let sql = select_collections!(
            " FROM collections c LEFT JOIN shares s ON s.collection = c.id WHERE c.uid = ?1"
        );
        let Some(row) = self.first(sql, [uid], read_collection)? else {
            return Ok(None);
        };
        let role = self.role(&row, user)?;
        Ok(role.map(|role| CollectionRow { role, ..row }))
    }

    /// The role of a user in a collection; `None`: no access.
    pub fn role(&self, collection: &CollectionRow, user: i64) -> Result<Option<Role>, StoreError> {
        if collection.user == user {
            return Ok(Some(Role::Owner));
        }
        let number: Option<Option<i64>> = self.value(
            "SELECT max(role) FROM granted WHERE collection = ?1 AND user = ?2",
            params![collection.id, user],
        )?;
        Ok(number.flatten().map(Role::of_number))
    }

    /// The collections of others in which a user has a role, oldest first.
    pub fn granted_collections(&self, user: i64) -> Result<Vec<CollectionRow>, StoreError> {
        let sql = select_collections!(
            " FROM collections c LEFT JOIN shares s ON s.collection = c.id
             WHERE c.id IN (SELECT collection FROM granted WHERE user = ?1)
               AND c.user <> ?1 AND c.deleted_at IS NULL ORDER BY c.id"
        );
        let rows = self.all(sql, [user], read_collection)?;
        let rows = rows.into_iter().map(|row| {
            let role = self.role(&row, user)?.unwrap_or_default();
            Ok(CollectionRow { role, ..row })
        });
        rows.collect()
    }

    /// A collection by its id, deleted or not.
    pub fn collection_by_id(&self, id: i64) -> Result<CollectionRow, StoreError> {
        let sql = select_collections!(
            " FROM collections c LEFT JOIN shares s ON s.collection = c.id WHERE c.id = ?1"
        );
        let row = self.first(sql, [id], read_collection)?;
        row.ok_or_else(|| StoreError::Internal(format!("collection {id} does not exist")))
    }

    /// The collections that a user owns, oldest first: either the deleted ones or the others.
    pub fn collections(&self, user: i64, deleted: bool) -> Result<Vec<CollectionRow>, StoreError> {
        let sql = select_collections!(
            " FROM collections c LEFT JOIN shares s ON s.collection = c.id
             WHERE c.user = ?1 AND (c.deleted_at IS NOT NULL) = ?2 ORDER BY c.id"
        );
        self.all(sql, params![user, deleted], |row| {
            let role = Role::Owner;
            Ok(CollectionRow {
                role,
                ..read_collection(row)?
            })
        })
    }

    /// Number of collections of a user.
    pub fn count_collections(&self, user: i64) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM collections WHERE user = ?1 AND deleted_at IS NULL",
        )?;
        let count: i64 = statement.query_row([user], |row| row.get(0))?;
        Ok(count.max(0) as u64)
    }

    /// The collection of a share token, unless it is deleted or its owner disabled.
    pub fn shared_collection(&self, token: &str) -> Result<Option<CollectionRow>, StoreError> {
        let sql = select_collections!(
            " FROM shares s JOIN collections c ON c.id = s.collection
             JOIN users u ON u.id = c.user
             WHERE s.token = ?1 AND c.deleted_at IS NULL AND u.disabled_at IS NULL"
        );
        self.first(sql, [token], read_collection)
    }

    /// An entry of a collection by UUID.
    pub fn entry(&self, collection: i64, uid: &str) -> Result<Option<EntryRow>, StoreError> {
        let sql = select_entries!(
            " FROM entries e WHERE e.uid = ?1 AND e.collection = ?2 AND e.deleted_at IS NULL"
        );
        self.first(sql, params![uid, collection], read_entry)
    }

    /// The entries of all of a user's collections with a tag.
    pub fn tagged(&self, user: i64) -> Result<Vec<EntryRow>, StoreError> {
        let sql = select_entries!(
            " FROM collections c CROSS JOIN entries e ON e.collection = c.id
             WHERE c.user = ?1 AND c.deleted_at IS NULL AND e.deleted_at IS NULL AND e.tags <> '[]'
             ORDER BY c.id, e.rank"
        );
        self.all(sql, [user], read_entry)
    }

    /// The most recently added entries of a user.
    pub fn added_last(&self, user: i64, most: u32) -> Result<Vec<EntryRow>, StoreError> {
        let sql = select_entries!(
            " FROM collections c CROSS JOIN entries e ON e.collection = c.id
             WHERE c.user = ?1 AND c.deleted_at IS NULL AND e.deleted_at IS NULL
             ORDER BY e.added_at DESC, e.id DESC LIMIT ?2"
        );
        self.all(sql, params![user, most], read_entry)
    }

    /// An entry by its id.
    pub fn entry_by_id(&self, id: i64) -> Result<EntryRow, StoreError> {
        let sql = select_entries!(" FROM entries e WHERE e.id = ?1");
        let row = self.first(sql, [id], read_entry)?;
        row.ok_or_else(|| StoreError::Internal(format!("entry {id} does not exist")))
    }

    /// A deleted entry of a collection by UUID, and the time of deletion.
    pub fn deleted_entry(
        &self,
        collection: i64,
        uid: &str,
    ) -> Result<Option<(EntryRow, i64)>, StoreError> {
        let sql = select_entries!(
            ", e.deleted_at FROM entries e
             WHERE e.uid = ?1 AND e.collection = ?2 AND e.deleted_at IS NOT NULL"
        );
        self.first(sql, params![uid, collection], |row| {
            Ok((read_entry(row)?, row.get(10)?))
        })
    }

    /// The entries of a collection in order, without metadata.
    pub fn entries(&self, collection: i64) -> Result<Vec<EntryRow>, StoreError> {
        let sql = select_entries!(
            " FROM entries e WHERE e.collection = ?1 AND e.deleted_at IS NULL
             ORDER BY e.rank, e.id"
        );
        self.all(sql, [collection], read_entry)
    }

    /// The entries of a collection in order, with metadata.
    pub fn stored(&self, collection: i64, range: Range) -> Result<Vec<Stored>, StoreError> {
        self.stored_by(
            select_entries!(
                ", r.shown, r.form FROM entries e CROSS JOIN entry_records r ON r.entry = e.id
                 WHERE e.collection = ?1 AND e.deleted_at IS NULL
                 ORDER BY e.rank, e.id LIMIT ?2 OFFSET ?3"
            ),
            collection,
            range,
        )
    }

    /// The restorable deleted entries of a collection, most recent first.
    pub fn stored_deleted(&self, collection: i64) -> Result<Vec<Stored>, StoreError> {
        self.stored_by(
            select_entries!(
                ", r.shown, r.form FROM entries e CROSS JOIN entry_records r ON r.entry = e.id
                 WHERE e.collection = ?1 AND e.deleted_at IS NOT NULL
                 ORDER BY e.deleted_at DESC, e.rank, e.id LIMIT ?2 OFFSET ?3"
            ),
            collection,
            Range::ALL,
        )
    }

    fn stored_by(
        &self,
        sql: &str,
        collection: i64,
        range: Range,
    ) -> Result<Vec<Stored>, StoreError> {
        let parameters = params![collection, range.limit, range.offset];
        let mut positions = u64::from(range.offset)..;
        self.all(sql, parameters, |row| {
            Ok(Stored {
                row: read_entry(row)?,
                position: positions.next().unwrap_or_default(),
                shown: row.get(10)?,
                form: row.get(11)?,
            })
        })
    }

    /// One entry with metadata and position.
    pub fn stored_entry(&self, row: EntryRow) -> Result<Stored, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT shown, form FROM entry_records WHERE entry = ?1")?;
        let (shown, form) =
            statement.query_row([row.id], |found| Ok((found.get(0)?, found.get(1)?)))?;
        Ok(Stored {
            position: self.position(&row)?,
            row,
            shown,
            form,
        })
    }

    /// The position of an entry in its collection, from 0.
    fn position(&self, row: &EntryRow) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM entries
             WHERE collection = ?1 AND deleted_at IS NULL AND (rank, id) < (?2, ?3)",
        )?;
        let before: i64 = statement
            .query_row(params![row.collection, row.rank, row.id], |found| {
                found.get(0)
            })?;
        Ok(before.max(0) as u64)
    }

    /// An entry's item.
    pub fn item(&self, entry: i64) -> Result<Item, StoreError> {
        let sql = "SELECT dictionary, record FROM entry_records WHERE entry = ?1";
        let item = self.first(sql, [entry], |row| {
            self.unpack(row.get(0)?, codec::blob(row, 1)?)
        })?;
        item.ok_or_else(|| StoreError::Corrupt(format!("entry {entry} has no record")))
    }

    /// The items of a collection in the order of its entries, by entry.
    pub fn items(&self, collection: i64) -> Result<Vec<(i64, Item)>, StoreError> {
        self.items_of(
            "SELECT e.id, r.dictionary, r.record
             FROM entries e CROSS JOIN entry_records r ON r.entry = e.id
             WHERE e.collection = ?1 AND e.deleted_at IS NULL ORDER BY e.rank, e.id",
            collection,
        )
    }

    /// The items of a collection's restorable deleted entries, by entry.
    pub fn deleted_items(&self, collection: i64) -> Result<Vec<(i64, Item)>, StoreError> {
        self.items_of(
            "SELECT e.id, r.dictionary, r.record
             FROM entries e CROSS JOIN entry_records r ON r.entry = e.id
             WHERE e.collection = ?1 AND e.deleted_at IS NOT NULL ORDER BY e.id",
            collection,
        )
    }

    /// The UUIDs of the entries that were deleted from a collection after a time.
    pub fn deleted_since(&self, collection: i64, moment: i64) -> Result<Vec<String>, StoreError> {
        self.all(
            "SELECT uid FROM entries WHERE collection = ?1 AND deleted_at > ?2 ORDER BY id",
            params![collection, moment],
            |row| Ok(row.get(0)?),
        )
    }

    fn items_of(&self, select: &str, collection: i64) -> Result<Vec<(i64, Item)>, StoreError> {
        self.all(select, [collection], |row| {
            let item = self.unpack(row.get(1)?, codec::blob(row, 2)?)?;
            Ok((row.get(0)?, item))
        })
    }

    pub(super) fn unpack(
        &self,
        dictionary: Option<i64>,
        record: &[u8],
    ) -> Result<Item, StoreError> {
        codec::unpack(
            self.dictionaries,
            self.connection,
            dictionary,
            record,
            codec::from_json,
        )
    }

    /// The blocking keys of every entry of a collection, in no particular order.
    pub fn blocking_keys(&self, collection: i64) -> Result<Vec<(i64, Vec<u32>)>, StoreError> {
        let sql =
            "SELECT id, blocking_keys FROM entries WHERE collection = ?1 AND deleted_at IS NULL";
        self.all(sql, [collection], |row| {
            let (blocking_keys, _) = codec::blob(row, 1)?.as_chunks::<4>();
            let blocking_keys = blocking_keys.iter().map(|key| u32::from_le_bytes(*key));
            Ok((row.get(0)?, blocking_keys.collect()))
        })
    }

    /// Entries of a user's collections with an identifier, oldest first.
    pub fn holders(&self, user: i64, identifier: &Identifier) -> Result<Vec<EntryRow>, StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(Vec::new());
        };
        let sql = select_entries!(
            " FROM entry_identifiers i
             CROSS JOIN entries e ON e.id = i.entry
             CROSS JOIN collections c ON c.id = e.collection
             WHERE i.user = ?1 AND i.kind = ?2 AND i.value = ?3
             AND e.deleted_at IS NULL AND c.deleted_at IS NULL ORDER BY i.entry"
        );
        self.all(sql, params![user, kind, identifier.as_str()], read_entry)
    }

    /// The entries for an identifier in the collections of others in which a user has a role.
    pub fn granted_holders(
        &self,
        user: i64,
        identifier: &Identifier,
    ) -> Result<Vec<EntryRow>, StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(Vec::new());
        };
        // The owners first: the index of identifiers begins with them.
        let sql = select_entries!(
            " FROM (SELECT DISTINCT c.user FROM granted g CROSS JOIN collections c
                    ON c.id = g.collection WHERE g.user = ?1) o
             CROSS JOIN entry_identifiers i ON i.user = o.user AND i.kind = ?2 AND i.value = ?3
             CROSS JOIN entries e ON e.id = i.entry
             CROSS JOIN collections c ON c.id = e.collection
             WHERE e.deleted_at IS NULL AND c.deleted_at IS NULL AND EXISTS
                 (SELECT 1 FROM granted g WHERE g.collection = c.id AND g.user = ?1)
             ORDER BY i.entry"
        );
        self.all(sql, params![user, kind, identifier.as_str()], read_entry)
    }

    /// The corpus's work for an identifier, with notices.
    pub fn work(&self, identifier: &Identifier) -> Result<Option<Work>, StoreError> {
        works::work(self.connection, self.dictionaries, identifier)
    }

    /// The notices about the works of a collection, by entry.
    pub fn notices(&self, collection: i64) -> Result<HashMap<i64, Vec<Update>>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT i.entry, i.value FROM entries e
             CROSS JOIN entry_identifiers i ON i.entry = e.id AND i.kind = ?2
             WHERE e.collection = ?1 AND e.deleted_at IS NULL
               AND EXISTS (SELECT 1 FROM updates u WHERE u.doi = i.value)",
        )?;
        let mut rows = statement.query(params![collection, keys::DOI])?;
        let mut found: HashMap<i64, Vec<Update>> = HashMap::new();
        while let Some(row) = rows.next()? {
            let value = row.get_ref(1)?.as_str().unwrap_or_default();
            let notices = self.notices_of_doi(value)?;
            found.entry(row.get(0)?).or_default().extend(notices);
        }
        Ok(found)
    }

    /// The notices about an entry's work.
    pub fn notices_of_entry(&self, entry: i64) -> Result<Vec<Update>, StoreError> {
        let doi: Option<String> = self.value(
            "SELECT value FROM entry_identifiers WHERE entry = ?1 AND kind = ?2",
            params![entry, keys::DOI],
        )?;
        doi.map_or(Ok(Vec::new()), |doi| self.notices_of_doi(&doi))
    }

    fn notices_of_doi(&self, doi: &str) -> Result<Vec<Update>, StoreError> {
        match citation_model::identifier::Doi::parse(doi) {
            Ok(doi) => updates::of(self.connection, &doi),
            Err(_) => Ok(Vec::new()),
        }
    }
}
