//! How much is kept for a user.

use super::Collections;
use crate::store::StoreError;

impl Collections {
    /// How many bytes are kept for a user.
    pub fn bytes(&self, user: i64) -> Result<u64, StoreError> {
        self.read(user, |reading| reading.view.bytes_kept(user))
    }

    /// How many collections a user has.
    pub fn count(&self, user: i64) -> Result<u64, StoreError> {
        self.read(user, |reading| reading.view.count_collections(user))
    }
}
