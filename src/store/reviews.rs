//! What people make of verifications: their decisions about references, and the reports that they share.

use rusqlite::{Row, params};

use super::{Store, StoreError, query};

/// The migration that adds both, entries that are no duplicates, and searches of the library.
pub const REVIEWS: &str = "
-- Decisions of an account about references. They hold for every list in which the reference stands.
CREATE TABLE decisions (
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- Names the reference by its letters, as hexadecimal digits.
    key         TEXT    NOT NULL,
    reference   TEXT    NOT NULL,
    decision    TEXT    NOT NULL CHECK (decision IN ('real', 'other_work')),
    made_by     TEXT    NOT NULL,
    why         TEXT    NOT NULL,
    made_at     INTEGER NOT NULL,
    PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;

-- Reports that open for whoever has the link, until they expire.
CREATE TABLE reports (
    token       TEXT    NOT NULL PRIMARY KEY,
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title       TEXT    NOT NULL,
    -- JSON, compressed with zstd.
    content     BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX reports_user ON reports (user, created_at);
CREATE INDEX reports_expiry ON reports (expires_at);

-- Pairs of entries that are different works, although they look the same; the smaller number first.
CREATE TABLE distinct_entries (
    one         INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    other       INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    PRIMARY KEY (one, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX distinct_entries_other ON distinct_entries (other);

-- Searches of the library that an account keeps.
CREATE TABLE saved_searches (
    user        INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The query of its address.
    query       TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    PRIMARY KEY (user, query)
) STRICT, WITHOUT ROWID;
";

/// The largest unpacked report, in bytes. Requests are smaller.
const MAX_BYTES: usize = 16_777_216;

const LEVEL: i32 = 3;

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRow {
    pub key: String,
    pub reference: String,
    /// `real` or `other_work`.
    pub decision: String,
    pub made_by: String,
    pub why: String,
    /// Unix seconds.
    pub made_at: i64,
}

/// A report that is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    pub token: String,
    pub title: String,
    /// Unix seconds.
    pub created_at: i64,
    pub expires_at: i64,
}

impl Store {
    /// Stores a decision in place of an earlier one about the same reference, unless its user has so many others.
    /// Returns whether it is stored.
    pub fn put_decision(
        &self,
        user: i64,
        row: &DecisionRow,
        most: u64,
    ) -> Result<bool, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.write(|transaction| {
            let stored = query::execute(
                transaction,
                "INSERT OR REPLACE INTO decisions (user, key, reference, decision, made_by, why, made_at)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
                 WHERE (SELECT count(*) FROM decisions WHERE user = ?1 AND key <> ?2) < ?8",
                params![
                    user,
                    row.key,
                    row.reference,
                    row.decision,
                    row.made_by,
                    row.why,
                    row.made_at,
                    most
                ],
            )?;
            Ok(stored > 0)
        })
    }

    /// The decisions of a user, newest first.
    pub fn decisions(&self, user: i64) -> Result<Vec<DecisionRow>, StoreError> {
        let sql = "SELECT key, reference, decision, made_by, why, made_at FROM decisions
                   WHERE user = ?1 ORDER BY made_at DESC, key";
        self.all(sql, [user], decision)
    }

    /// The decision of a user about a reference.
    pub fn decision(&self, user: i64, key: &str) -> Result<Option<DecisionRow>, StoreError> {
        let sql = "SELECT key, reference, decision, made_by, why, made_at FROM decisions
                   WHERE user = ?1 AND key = ?2";
        self.first(sql, params![user, key], decision)
    }

    /// Returns whether there was one.
    pub fn remove_decision(&self, user: i64, key: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM decisions WHERE user = ?1 AND key = ?2";
        self.write(|transaction| Ok(query::execute(transaction, sql, params![user, key])? > 0))
    }

    /// Keeps a search of the library under a name, unless its user has so many. Returns whether it is kept.
    pub fn put_search(
        &self,
        user: i64,
        search: &str,
        name: &str,
        most: u64,
    ) -> Result<bool, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.write(|transaction| {
            let kept = query::execute(
                transaction,
                "INSERT OR REPLACE INTO saved_searches (user, query, name) SELECT ?1, ?2, ?3
                 WHERE (SELECT count(*) FROM saved_searches WHERE user = ?1 AND query <> ?2) < ?4",
                params![user, search, name, most],
            )?;
            Ok(kept > 0)
        })
    }

    /// The searches that a user keeps: query and name, by name.
    pub fn searches(&self, user: i64) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT query, name FROM saved_searches WHERE user = ?1 ORDER BY name, query";
        self.all(sql, [user], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    pub fn remove_search(&self, user: i64, search: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM saved_searches WHERE user = ?1 AND query = ?2";
        self.write(|transaction| query::execute(transaction, sql, params![user, search]).map(drop))
    }

    /// Stores a report, unless its user shares so many; removes expired ones. Returns whether it is stored.
    pub fn add_report(
        &self,
        user: i64,
        row: &ReportRow,
        content: &[u8],
        most: u64,
    ) -> Result<bool, StoreError> {
        let packed = zstd::bulk::compress(content, LEVEL)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.write(|transaction| {
            let expired = "DELETE FROM reports WHERE expires_at <= ?1";
            query::execute(transaction, expired, [row.created_at])?;
            let stored = query::execute(
                transaction,
                "INSERT INTO reports (token, user, title, content, created_at, expires_at)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6
                 WHERE (SELECT count(*) FROM reports WHERE user = ?2) < ?7",
                params![
                    row.token,
                    user,
                    row.title,
                    packed,
                    row.created_at,
                    row.expires_at,
                    most
                ],
            )?;
            Ok(stored > 0)
        })
    }

    /// The reports that a user shares now, newest first.
    pub fn reports(&self, user: i64, now: i64) -> Result<Vec<ReportRow>, StoreError> {
        let sql = "SELECT token, title, created_at, expires_at FROM reports
                   WHERE user = ?1 AND expires_at > ?2 ORDER BY created_at DESC, token";
        self.all(sql, params![user, now], |row| {
            Ok(ReportRow {
                token: row.get(0)?,
                title: row.get(1)?,
                created_at: row.get(2)?,
                expires_at: row.get(3)?,
            })
        })
    }

    /// The content of a report that has not expired, as JSON, and when it expires.
    pub fn report(&self, token: &str, now: i64) -> Result<Option<(Vec<u8>, i64)>, StoreError> {
        let sql = "SELECT content, expires_at FROM reports WHERE token = ?1 AND expires_at > ?2";
        let found: Option<(Vec<u8>, i64)> = self.first(sql, params![token, now], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        let unpack = |(packed, expires_at): (Vec<u8>, i64)| {
            let content = zstd::bulk::decompress(&packed, MAX_BYTES)
                .map_err(|cause| StoreError::Corrupt(format!("a report: {cause}")))?;
            Ok((content, expires_at))
        };
        found.map(unpack).transpose()
    }

    /// Returns whether the user had one.
    pub fn remove_report(&self, user: i64, token: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM reports WHERE user = ?1 AND token = ?2";
        self.write(|transaction| Ok(query::execute(transaction, sql, params![user, token])? > 0))
    }
}

fn decision(row: &Row<'_>) -> Result<DecisionRow, StoreError> {
    Ok(DecisionRow {
        key: row.get(0)?,
        reference: row.get(1)?,
        decision: row.get(2)?,
        made_by: row.get(3)?,
        why: row.get(4)?,
        made_at: row.get(5)?,
    })
}
