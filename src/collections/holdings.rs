//! What quotas ask: whether a work is free to look up again, and how many collections there are.

use super::service::Collections;
use crate::model::identifier::Identifier;
use crate::quota::Holdings;
use crate::store::StoreError;

impl Holdings for Collections {
    fn owns(&self, user: i64, identifier: &Identifier) -> Result<bool, StoreError> {
        self.read(user, |reading| {
            Ok(!reading.view.holders(user, identifier)?.is_empty())
        })
    }

    fn bytes(&self, user: i64) -> Result<u64, StoreError> {
        self.read(user, |reading| reading.view.bytes_kept(user))
    }

    fn collections(&self, user: i64) -> Result<u64, StoreError> {
        self.read(user, |reading| reading.view.count_collections(user))
    }
}
