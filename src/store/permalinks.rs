//! Links to lists, created without an account.

use rusqlite::params;

use super::{Store, StoreError, updates};
use citation_model::identifier::Doi;
use citation_model::work::Update;

/// The largest unpacked list, in bytes. Larger ones are not accepted.
const MAX_BYTES: usize = 16_777_216;

const LEVEL: i32 = 3;

/// Number of rows deleted at a time, so that others can write in between.
const ROWS: i64 = 200;

/// A link to create.
pub struct NewPermalink<'n> {
    pub token: &'n str,
    /// The hash of the key that deletes it.
    pub hash: [u8; 32],
    /// JSON.
    pub content: &'n [u8],
}

/// The content of a link, and its last visit, Unix seconds.
pub struct PermalinkRow {
    pub content: Vec<u8>,
    pub visited_at: i64,
}

impl Store {
    /// The content of a link that was visited after a time.
    pub fn permalink(&self, token: &str, after: i64) -> Result<Option<PermalinkRow>, StoreError> {
        let sql = "SELECT content, visited_at FROM permalinks WHERE token = ?1 AND visited_at > ?2";
        let found: Option<(Vec<u8>, i64)> = self.first(sql, params![token, after], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        let unpack = |(packed, visited_at): (Vec<u8>, i64)| {
            let content = zstd::bulk::decompress(&packed, MAX_BYTES)
                .map_err(|cause| StoreError::Corrupt(format!("permalink {token}: {cause}")))?;
            Ok(PermalinkRow {
                content,
                visited_at,
            })
        };
        found.map(unpack).transpose()
    }

    /// The notices about works, in order; none for a work without a DOI.
    pub fn notices_of(&self, dois: &[Option<Doi>]) -> Result<Vec<Vec<Update>>, StoreError> {
        self.read(|connection| {
            let of = |doi: &Option<Doi>| match doi {
                Some(doi) => updates::of(connection, doi),
                None => Ok(Vec::new()),
            };
            dois.iter().map(of).collect()
        })
    }

    /// Records a visit.
    pub fn visit_permalink(&self, token: &str, now: i64) -> Result<(), StoreError> {
        self.write_bulk(|transaction| {
            transaction.execute(
                "UPDATE permalinks SET visited_at = max(visited_at, ?2) WHERE token = ?1",
                params![token, now],
            )?;
            Ok(())
        })
    }

    /// Stores a link, unless the total size would exceed a limit; returns whether it was stored.
    pub fn put_permalink(
        &self,
        new: &NewPermalink<'_>,
        now: i64,
        most_bytes: u64,
    ) -> Result<bool, StoreError> {
        let packed = zstd::bulk::compress(new.content, LEVEL)?;
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO permalinks (token, hash, content, visited_at) VALUES (?1, ?2, ?3, ?4)",
                params![new.token, new.hash, packed, now],
            )?;
            let fits: bool = transaction.query_row(
                "SELECT value <= ?1 FROM counters WHERE name = 'permalink_bytes'",
                [i64::try_from(most_bytes).unwrap_or(i64::MAX)],
                |row| row.get(0),
            )?;
            if !fits {
                transaction.execute("DELETE FROM permalinks WHERE token = ?1", [new.token])?;
            }
            Ok(fits)
        })
    }

    /// Deletes a link: with its key, or, without one, any link. Returns whether there was one.
    pub fn delete_permalink(
        &self,
        token: &str,
        hash: Option<[u8; 32]>,
    ) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let deleted = transaction.execute(
                "DELETE FROM permalinks WHERE token = ?1 AND (?2 IS NULL OR hash = ?2)",
                params![token, hash],
            )?;
            Ok(deleted > 0)
        })
    }

    /// Deletes links that have not been visited since a time.
    pub fn purge_permalinks(&self, visited_before: i64) -> Result<usize, StoreError> {
        const DUE: &str = "SELECT rowid FROM permalinks WHERE visited_at <= ?1 LIMIT ?2";
        let mut total = 0;
        while self.read(|connection| {
            let mut statement = connection.prepare_cached(DUE)?;
            Ok(statement.exists(params![visited_before, 1])?)
        })? {
            total += self.write_bulk(|transaction| {
                let delete = format!("DELETE FROM permalinks WHERE rowid IN ({DUE})");
                Ok(transaction.execute(&delete, params![visited_before, ROWS])?)
            })?;
        }
        Ok(total)
    }
}
