//! Changing collections: creating, describing, deleting, restoring.

use std::cell::Cell;

use super::error::{CollectionError, Resource};
use super::snapshot::Snapshot;
use crate::config::LimitSettings;
use crate::store::collections::{CollectionRow, Edit, RememberedReply};

/// The owner of the collections, and the limits of the owner's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The account's row id.
    pub user: i64,
    /// Maximum number of collections.
    pub collections: u64,
    /// Maximum number of entries in one collection.
    pub entries: u64,
    /// Maximum number of bytes stored for the account, including restorable deletions, earlier
    /// versions, stored replies and own styles.
    pub bytes: u64,
}

/// The precondition of a request on a collection's version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precondition {
    /// One of these versions. `None`: any.
    pub versions: Option<Vec<i64>>,
    /// Not changed after this time, Unix seconds.
    pub unchanged_since: Option<i64>,
}

impl Precondition {
    /// Whether a collection meets the precondition.
    fn check(&self, row: &CollectionRow) -> Result<(), CollectionError> {
        let other_version = self
            .versions
            .as_ref()
            .is_some_and(|versions| !versions.contains(&row.version));
        let later = self
            .unchanged_since
            .is_some_and(|moment| row.updated_at > moment);
        if other_version || later {
            return Err(CollectionError::Stale {
                version: row.version,
            });
        }
        Ok(())
    }
}

/// A change to one owner's collections, in one transaction.
pub struct Change<'c> {
    pub(super) edit: &'c Edit<'c>,
    pub(super) owner: Owner,
    pub(super) expected: &'c Precondition,
    pub(super) now: i64,
    pub(super) restorable_since: i64,
    pub(super) replies_since: i64,
    pub(super) limits: &'c LimitSettings,
    /// Bytes of the replies stored by this change.
    pub(super) reply_bytes: Cell<u64>,
}

/// A collection to create. The texts follow the rules of `input`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewCollection {
    pub name: String,
    pub description: Option<String>,
    pub style: Option<String>,
    pub tags: Vec<String>,
    /// Creation time, Unix seconds. `None`: now.
    pub created_at: Option<i64>,
}

/// Changes to a collection. The texts follow the rules of `input`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionPatch {
    pub name: Option<String>,
    /// `Some(None)` clears it.
    pub description: Option<Option<String>>,
    /// `Some(None)` clears it.
    pub style: Option<Option<String>>,
    pub tags: Option<Vec<String>>,
}

impl Change<'_> {
    /// The caller's collection, if it meets the precondition.
    pub fn open(&self, uid: &str) -> Result<CollectionRow, CollectionError> {
        let row = self.find(uid)?;
        self.expected.check(&row)?;
        Ok(row)
    }

    /// The caller's collection, whatever its version.
    pub(super) fn find(&self, uid: &str) -> Result<CollectionRow, CollectionError> {
        let row = self.edit.collection(self.owner.user, uid)?;
        row.ok_or(CollectionError::NotFound(Resource::Collection))
    }

    /// Records a change; returns the collection in its new state.
    pub(super) fn touch(&self, collection: i64) -> Result<CollectionRow, CollectionError> {
        Ok(self.edit.touch_collection(collection, self.now)?)
    }

    /// Creates a collection, if the plan allows one more.
    pub fn create(&self, new: &NewCollection) -> Result<CollectionRow, CollectionError> {
        self.check_room_for_collection()?;
        let row = CollectionRow {
            id: 0,
            uid: uuid::Uuid::now_v7().to_string(),
            user: self.owner.user,
            name: new.name.clone(),
            description: new.description.clone(),
            style: new.style.clone(),
            tags: new.tags.clone(),
            version: 1,
            entries: 0,
            created_at: new.created_at.unwrap_or(self.now).min(self.now),
            updated_at: self.now,
            deleted_at: None,
            share: None,
        };
        let id = self.edit.insert_collection(&row)?;
        Ok(CollectionRow { id, ..row })
    }

    fn check_room_for_collection(&self) -> Result<(), CollectionError> {
        let current = self.edit.count_collections(self.owner.user)?;
        if current < self.owner.collections {
            return Ok(());
        }
        Err(CollectionError::CollectionLimit {
            limit: self.owner.collections,
            current,
        })
    }

    /// Whether the changed data fits the plan's limits. Even when full, users must be able to delete
    /// something, so replies alone may exceed the limit a little.
    pub(super) fn check_bytes(&self, used: u64) -> Result<(), CollectionError> {
        let after = self.edit.bytes_kept(self.owner.user)?;
        let own = after.saturating_sub(self.reply_bytes.get());
        let limit = if own > used {
            self.owner.bytes
        } else {
            self.owner.bytes.saturating_add(self.owner.bytes / 16)
        };
        if after <= used || after <= limit {
            return Ok(());
        }
        Err(CollectionError::StorageLimit {
            limit: self.owner.bytes,
            used,
            requested: after - used,
        })
    }

    /// Whether so many more entries fit into a collection.
    pub(super) fn check_room(
        &self,
        collection: &CollectionRow,
        requested: usize,
    ) -> Result<(), CollectionError> {
        let requested = requested as u64;
        if requested == 0 || collection.entries + requested <= self.owner.entries {
            return Ok(());
        }
        Err(CollectionError::EntryLimit {
            limit: self.owner.entries,
            current: collection.entries,
            requested,
        })
    }

    /// Changes a collection's description. A change without effect creates no new version.
    pub fn describe(
        &self,
        uid: &str,
        patch: CollectionPatch,
    ) -> Result<CollectionRow, CollectionError> {
        let row = self.open(uid)?;
        let patched = CollectionRow {
            name: patch.name.unwrap_or_else(|| row.name.clone()),
            description: patch.description.unwrap_or_else(|| row.description.clone()),
            style: patch.style.unwrap_or_else(|| row.style.clone()),
            tags: patch.tags.unwrap_or_else(|| row.tags.clone()),
            ..row.clone()
        };
        if patched == row {
            return Ok(row);
        }
        self.edit.set_collection(&patched)?;
        self.touch(row.id)
    }

    /// Deletes a collection; it can be restored for a while.
    pub fn delete(&self, uid: &str) -> Result<(), CollectionError> {
        let row = self.open(uid)?;
        self.edit.mark_collection(row.id, Some(self.now))?;
        self.touch(row.id)?;
        Ok(())
    }

    /// Restores a deleted collection, with its entries and its link. Does nothing if it
    /// already exists.
    pub fn restore(&self, uid: &str) -> Result<CollectionRow, CollectionError> {
        let found = self.edit.collection_or_deleted(self.owner.user, uid)?;
        let row = found.ok_or(CollectionError::NotFound(Resource::Collection))?;
        self.expected.check(&row)?;
        match row.deleted_at {
            None => Ok(row),
            Some(at) if at <= self.restorable_since => {
                Err(CollectionError::NotFound(Resource::Collection))
            }
            Some(_) => {
                self.check_room_for_collection()?;
                self.edit.mark_collection(row.id, None)?;
                self.touch(row.id)
            }
        }
    }

    /// The stored reply to the same request; an error if the key was used for another request.
    pub fn remembered(
        &self,
        key: &str,
        request: &[u8],
    ) -> Result<Option<Vec<u8>>, CollectionError> {
        let user = self.owner.user;
        same_request(
            self.edit.remembered(user, key, self.replies_since)?,
            request,
        )
    }

    /// Stores the reply to a request in the same transaction.
    pub fn remember(
        &self,
        key: &str,
        request: &[u8],
        reply: Vec<u8>,
    ) -> Result<(), CollectionError> {
        let remembered = RememberedReply {
            request: request.to_vec(),
            reply,
        };
        let user = self.owner.user;
        let before = self.edit.bytes_kept(user)?;
        self.edit.remember(user, key, &remembered, self.now)?;
        let grown = self.edit.bytes_kept(user)?.saturating_sub(before);
        self.reply_bytes.set(self.reply_bytes.get() + grown);
        Ok(())
    }
}

impl Snapshot<'_> {
    /// Like [`Change::remembered`], before anything that the request refers to is checked.
    pub fn remembered(
        &self,
        key: &str,
        request: &[u8],
    ) -> Result<Option<Vec<u8>>, CollectionError> {
        let found = self.view.remembered(self.user, key, self.replies_since)?;
        same_request(found, request)
    }
}

fn same_request(
    found: Option<RememberedReply>,
    request: &[u8],
) -> Result<Option<Vec<u8>>, CollectionError> {
    match found {
        None => Ok(None),
        Some(found) if found.request == request => Ok(Some(found.reply)),
        Some(_) => Err(CollectionError::OtherRequest),
    }
}
