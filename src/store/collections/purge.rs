//! Final deletion of objects that can no longer be restored, and of expired
//! replies.

use rusqlite::params;

use crate::store::{Store, StoreError};

/// The number of rows deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    pub collections: usize,
    pub entries: usize,
    pub replies: usize,
}

/// Number of rows deleted at a time, so that others can write in between.
const ROWS: i64 = 500;

impl Store {
    /// Deletes objects deleted at `deleted_before` or earlier, and replies from
    /// `replied_before` or earlier.
    pub fn purge_collections(
        &self,
        deleted_before: i64,
        replied_before: i64,
    ) -> Result<Purged, StoreError> {
        Ok(Purged {
            // Entries first, a few at a time: deleting a collection deletes its entries, and
            // four thousand at once would block everybody else.
            entries: self.purge(
                "entries",
                "SELECT e.id FROM collections c CROSS JOIN entries e ON e.collection = c.id
                 WHERE c.deleted_at <= ?1 LIMIT ?2",
                deleted_before,
            )? + self.purge(
                "entries",
                "SELECT id FROM entries WHERE deleted_at <= ?1 LIMIT ?2",
                deleted_before,
            )?,
            collections: self.purge(
                "collections",
                "SELECT id FROM collections WHERE deleted_at <= ?1 LIMIT ?2",
                deleted_before,
            )?,
            replies: self.purge(
                "replies",
                "SELECT rowid FROM replies WHERE created_at <= ?1 LIMIT ?2",
                replied_before,
            )?,
        })
    }

    /// Deletes the rows of a table that a query selects, in steps. Usually there are none, and then
    /// nothing is written.
    fn purge(&self, table: &str, due: &str, before: i64) -> Result<usize, StoreError> {
        let delete = format!("DELETE FROM {table} WHERE rowid IN ({due})");
        let mut total = 0;
        while self.read(|connection| {
            let mut statement = connection.prepare_cached(due)?;
            Ok(statement.exists(params![before, 1])?)
        })? {
            total += self.write_bulk(|transaction| {
                let mut statement = transaction.prepare_cached(&delete)?;
                Ok(statement.execute(params![before, ROWS])?)
            })?;
        }
        Ok(total)
    }
}
