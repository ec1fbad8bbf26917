//! Links to collections.

use rusqlite::params;

use super::Edit;
use super::row::ShareRow;
use crate::store::StoreError;

impl Edit<'_> {
    /// Creates or changes the link to a collection; an earlier token becomes invalid.
    pub fn set_share(&self, collection: i64, share: &ShareRow) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO shares (collection, token, with_notes, created_at, expires_at, can_edit)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (collection) DO UPDATE SET token = excluded.token,
                 with_notes = excluded.with_notes, created_at = excluded.created_at,
                 expires_at = excluded.expires_at,
                 can_edit = excluded.can_edit",
            params![
                collection,
                share.token,
                share.with_notes,
                share.created_at,
                share.expires_at,
                share.can_edit,
            ],
        )
    }

    /// Revokes the link to a collection, if there is one.
    pub fn delete_share(&self, collection: i64) -> Result<(), StoreError> {
        self.execute("DELETE FROM shares WHERE collection = ?1", [collection])
    }
}
