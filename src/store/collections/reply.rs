//! Stored replies to requests with an `Idempotency-Key`, so that a repeated request gets the same reply
//! without another change.

use rusqlite::params;

use super::{Edit, View};
use crate::store::{StoreError, codec};

/// A stored reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RememberedReply {
    /// SHA-256 of the request that it answered.
    pub request: Vec<u8>,
    /// In the API's encoding.
    pub reply: Vec<u8>,
}

impl View<'_> {
    /// The stored reply to a user's earlier request with the same key, if it is newer than
    /// `since`.
    pub fn remembered(
        &self,
        user: i64,
        key: &str,
        since: i64,
    ) -> Result<Option<RememberedReply>, StoreError> {
        let found: Option<(Vec<u8>, Vec<u8>)> = self.first(
            "SELECT request, reply FROM replies WHERE user = ?1 AND key = ?2 AND created_at > ?3",
            params![user, key, since],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let Some((request, packed)) = found else {
            return Ok(None);
        };
        let read = |bytes: &[u8]| Ok(bytes.to_vec());
        let reply = codec::unpack(self.dictionaries, self.connection, None, &packed, read)?;
        Ok(Some(RememberedReply { request, reply }))
    }
}

impl Edit<'_> {
    /// Stores a reply; replaces an older one with the same key.
    pub fn remember(
        &self,
        user: i64,
        key: &str,
        remembered: &RememberedReply,
        now: i64,
    ) -> Result<(), StoreError> {
        // REPLACE would not subtract the old row's bytes from the account's total.
        self.execute(
            "DELETE FROM replies WHERE user = ?1 AND key = ?2",
            params![user, key],
        )?;
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO replies (user, key, request, reply, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        let packed = codec::pack(&remembered.reply, None)?;
        statement.execute(params![user, key, remembered.request, packed.bytes, now])?;
        Ok(())
    }
}
