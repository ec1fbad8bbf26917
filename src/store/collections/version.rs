//! Earlier versions of entries' metadata, and the causes of their changes.

use rusqlite::{Row, params};

use super::row::user_name;
use super::{Edit, View};
use crate::store::{StoreError, codec};
use citation_model::item::Item;

/// Why an entry's metadata was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The client sent other metadata.
    Edited,
    /// Another record, or another entry, was merged into it.
    Merged,
    /// An earlier version was restored.
    Restored,
}

impl Cause {
    pub const ALL: [Cause; 3] = [Cause::Edited, Cause::Merged, Cause::Restored];

    /// The spelling in replies and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::Edited => "edited",
            Cause::Merged => "merged",
            Cause::Restored => "restored",
        }
    }

    fn parse(text: &str) -> Option<Cause> {
        Cause::ALL.into_iter().find(|cause| cause.as_str() == text)
    }
}

/// An earlier version of an entry's metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// The number of the version, from 1.
    pub number: i64,
    pub item: Item,
    /// When it was replaced, Unix seconds.
    pub replaced_at: i64,
    /// Why it was replaced.
    pub cause: Cause,
    /// Who replaced it, by row id. `None`: unknown.
    pub user: Option<i64>,
    /// Their name; `None` also if the account no longer exists.
    pub by: Option<String>,
    /// The version of the collection that replaced it; 0 if that was another collection.
    pub collection_version: i64,
}

impl View<'_> {
    /// The earlier versions of an entry, newest first.
    pub fn versions(&self, entry: i64) -> Result<Vec<Version>, StoreError> {
        let sql = concat!(
            "SELECT v.number, v.dictionary, v.record, v.replaced_at, v.cause, v.user,
                 v.collection_version, ",
            user_name!(),
            " FROM entry_versions v LEFT JOIN users u ON u.id = v.user
             WHERE v.entry = ?1 ORDER BY v.number DESC"
        );
        self.all(sql, [entry], |row| self.read_version(row))
    }

    fn read_version(&self, row: &Row<'_>) -> Result<Version, StoreError> {
        let cause = row.get_ref(4)?.as_str().unwrap_or_default();
        Ok(Version {
            number: row.get(0)?,
            item: self.unpack(row.get(1)?, codec::blob(row, 2)?)?,
            replaced_at: row.get(3)?,
            cause: Cause::parse(cause).ok_or_else(|| {
                StoreError::Corrupt(format!("“{cause}” is not a cause of a version"))
            })?,
            user: row.get(5)?,
            collection_version: row.get(6)?,
            by: row.get(7)?,
        })
    }
}

impl Edit<'_> {
    /// Stores an entry's metadata before it is replaced, and keeps the newest `most` of the entry's
    /// versions. The collection's next version is the one that replaces it.
    pub fn keep_version(
        &self,
        entry: i64,
        (cause, user): (Cause, Option<i64>),
        now: i64,
        most: u32,
    ) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO entry_versions (entry, number, dictionary, record, replaced_at, cause,
                 user, collection_version)
             SELECT entry,
                 1 + coalesce((SELECT max(number) FROM entry_versions WHERE entry = ?1), 0),
                 dictionary, record, ?2, ?3, ?4,
                 (SELECT c.version + 1 FROM entries e JOIN collections c ON c.id = e.collection
                  WHERE e.id = ?1)
             FROM entry_records WHERE entry = ?1",
            params![entry, now, cause.as_str(), user],
        )?;
        self.execute(
            "DELETE FROM entry_versions WHERE entry = ?1
               AND number <= (SELECT max(number) FROM entry_versions WHERE entry = ?1) - ?2",
            params![entry, most],
        )
    }
}
