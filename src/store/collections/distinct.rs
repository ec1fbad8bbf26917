//! Entries that people have found to be different works, although they look the same.

use rusqlite::params;

use super::{Edit, View};
use crate::store::StoreError;

impl View<'_> {
    /// The pairs of entries of a collection that are different works, the smaller number first.
    pub fn distinct_entries(&self, collection: i64) -> Result<Vec<(i64, i64)>, StoreError> {
        let sql = "SELECT d.one, d.other FROM distinct_entries d JOIN entries e ON e.id = d.one
                   WHERE e.collection = ?1";
        self.all(sql, [collection], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}

impl Edit<'_> {
    /// Notes that two entries are different works, or no longer.
    pub fn set_distinct(&self, pair: (i64, i64), is_distinct: bool) -> Result<(), StoreError> {
        let (one, other) = (pair.0.min(pair.1), pair.0.max(pair.1));
        let sql = if is_distinct {
            "INSERT OR IGNORE INTO distinct_entries (one, other) VALUES (?1, ?2)"
        } else {
            "DELETE FROM distinct_entries WHERE one = ?1 AND other = ?2"
        };
        self.execute(sql, params![one, other])
    }
}
