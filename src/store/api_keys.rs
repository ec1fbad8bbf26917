//! API keys, stored by hash only.

use rusqlite::Row;

use super::audit::{self, Event};
use super::collections::RememberedReply;
use super::holder::{CredentialOwner, SecretHash, read_holder};
use super::{Store, StoreError, query};

/// An API key as shown to its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKeyRow {
    pub id: i64,
    /// UUID.
    pub uid: String,
    pub name: String,
    /// The first characters of the key, to distinguish keys.
    pub prefix: String,
    /// Bits: 1 read, 2 write.
    pub scopes: u8,
    pub created_at: i64,
    /// `None`: never.
    pub expires_at: Option<i64>,
    /// To the minute. `None`: never used.
    pub last_used_at: Option<i64>,
}

/// A key to store.
#[derive(Clone, Debug)]
pub struct NewApiKeyRow {
    pub user: i64,
    pub uid: String,
    pub name: String,
    pub prefix: String,
    pub hash: SecretHash,
    pub scopes: u8,
    pub expires_at: Option<i64>,
}

/// A request with an `Idempotency-Key`, whose reply is stored with its effect.
pub struct Repeatable<'r> {
    pub key: &'r str,
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// Replies from this time or earlier have expired, Unix seconds.
    pub since: i64,
    /// The answer to a repetition. Never contains the key itself.
    pub reply: &'r dyn Fn(&ApiKeyRow) -> Vec<u8>,
}

const COLUMNS: &str = "id, uid, name, prefix, scopes, created_at, expires_at, last_used_at";

impl Store {
    /// Stores a key, unless the user has `most` already: then returns `None`.
    /// Fails with a conflict if the request was answered before.
    pub fn add_api_key(
        &self,
        new: &NewApiKeyRow,
        most: u64,
        repeatable: Option<&Repeatable<'_>>,
        event: &Event,
    ) -> Result<Option<ApiKeyRow>, StoreError> {
        self.edit_collections(|edit| {
            let transaction = edit.transaction;
            if let Some(request) = repeatable
                && edit
                    .remembered(new.user, request.key, request.since)?
                    .is_some()
            {
                let answered = "the request has been answered before".to_owned();
                return Err(StoreError::Conflict(answered));
            }
            let count: i64 = transaction.query_row(
                "SELECT count(*) FROM api_keys WHERE user = ?1",
                [new.user],
                |row| row.get(0),
            )?;
            if count as u64 >= most {
                return Ok(None);
            }
            transaction.execute(
                "INSERT INTO api_keys (uid, user, name, prefix, hash, scopes, created_at, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                (
                    &new.uid,
                    new.user,
                    &new.name,
                    &new.prefix,
                    new.hash.as_slice(),
                    new.scopes,
                    event.at,
                    new.expires_at,
                ),
            )?;
            let id = transaction.last_insert_rowid();
            audit::insert(transaction, event)?;
            let row = ApiKeyRow {
                id,
                uid: new.uid.clone(),
                name: new.name.clone(),
                prefix: new.prefix.clone(),
                scopes: new.scopes,
                created_at: event.at,
                expires_at: new.expires_at,
                last_used_at: None,
            };
            if let Some(request) = repeatable {
                let remembered = RememberedReply {
                    request: request.request.to_vec(),
                    reply: (request.reply)(&row),
                };
                edit.remember(new.user, request.key, &remembered, event.at)?;
            }
            Ok(Some(row))
        })
    }

    /// The keys of a user, newest first.
    pub fn api_keys(&self, user: i64) -> Result<Vec<ApiKeyRow>, StoreError> {
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM api_keys WHERE user = ?1 ORDER BY id DESC");
            query::all(connection, &sql, [user], read_key)
        })
    }

    /// The owner of a key. Keys of disabled accounts have none.
    pub fn api_key_holder(&self, hash: &SecretHash) -> Result<Option<CredentialOwner>, StoreError> {
        let sql = "SELECT k.id, k.scopes, k.created_at, k.expires_at, k.last_used_at,
            u.id, u.uid, u.email, u.name, u.plan
            FROM api_keys k JOIN users u ON u.id = k.user
            WHERE k.hash = ?1 AND u.disabled_at IS NULL";
        self.first(sql, [hash.as_slice()], read_holder)
    }

    /// Revokes a user's key. Returns whether the user had it.
    pub fn delete_api_key(&self, user: i64, uid: &str, event: &Event) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let deleted = transaction.execute(
                "DELETE FROM api_keys WHERE user = ?1 AND uid = ?2",
                (user, uid),
            )?;
            if deleted > 0 {
                audit::insert(transaction, event)?;
            }
            Ok(deleted > 0)
        })
    }

    /// Records the last uses of keys and sessions, and the new expiry of the sessions.
    pub fn touch(
        &self,
        keys: &[(i64, i64)],
        sessions: &[(i64, i64, i64)],
        grants: &[(i64, i64)],
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let mut statement = transaction
                .prepare_cached("UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1")?;
            for touch in keys {
                statement.execute(*touch)?;
            }
            let mut statement = transaction.prepare_cached(
                "UPDATE sessions SET seen_at = ?2, expires_at = ?3 WHERE id = ?1",
            )?;
            for touch in sessions {
                statement.execute(*touch)?;
            }
            let mut statement = transaction
                .prepare_cached("UPDATE oauth_grants SET last_used_at = ?2 WHERE id = ?1")?;
            for touch in grants {
                statement.execute(*touch)?;
            }
            Ok(())
        })
    }
}

fn read_key(row: &Row<'_>) -> Result<ApiKeyRow, StoreError> {
    Ok(ApiKeyRow {
        id: row.get(0)?,
        uid: row.get(1)?,
        name: row.get(2)?,
        prefix: row.get(3)?,
        scopes: row.get(4)?,
        created_at: row.get(5)?,
        expires_at: row.get(6)?,
        last_used_at: row.get(7)?,
    })
}
