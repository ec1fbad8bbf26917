//! Remembered misses: identifiers that no source has, stored for some time, so that repeated requests
//! cost nothing. Failures are never stored here.

use rusqlite::{Connection, Transaction, params};

use super::keys::{self, IdentifierKey};
use super::{Store, StoreError, query};
use citation_model::identifier::Identifier;

/// A remembered miss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The names of the sources asked.
    pub sources: Vec<String>,
    /// Unix seconds, UTC.
    pub expires_at: i64,
}

impl Store {
    /// The miss of an identifier that is valid at `now` (Unix seconds).
    pub fn miss(&self, identifier: &Identifier, now: i64) -> Result<Option<Miss>, StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(None);
        };
        let sql = "SELECT sources, expires_at FROM misses
            WHERE kind = ?1 AND value = ?2 AND expires_at > ?3";
        self.first(sql, params![kind, identifier.as_str(), now], |row| {
            let sources: String = row.get(0)?;
            Ok(Miss {
                sources: sources.split(',').map(str::to_owned).collect(),
                expires_at: row.get(1)?,
            })
        })
    }

    /// Stores a miss of the named sources. Also deletes expired misses.
    pub fn remember_miss(
        &self,
        identifier: &Identifier,
        sources: &[&str],
        now: i64,
        expires_at: i64,
    ) -> Result<(), StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(());
        };
        self.write_bulk(|transaction| {
            transaction.execute("DELETE FROM misses WHERE expires_at <= ?1", [now])?;
            transaction.execute(
                "INSERT OR REPLACE INTO misses (kind, value, sources, expires_at)
                 VALUES (?1, ?2, ?3, ?4)",
                params![kind, identifier.as_str(), sources.join(","), expires_at],
            )?;
            Ok(())
        })
    }
}

/// Whether there are any misses: checked once per batch, since there usually are none.
pub fn any(connection: &Connection) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM misses)")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// Deletes the miss of an identifier that now has a work.
pub fn forget(transaction: &Transaction<'_>, key: &IdentifierKey) -> Result<(), StoreError> {
    query::execute(
        transaction,
        "DELETE FROM misses WHERE kind = ?1 AND value = ?2",
        params![key.kind, key.value],
    )?;
    Ok(())
}
