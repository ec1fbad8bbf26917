//! Changing collections: creating, describing, deleting, restoring.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::error::{CollectionError, Resource};
use super::policy::{self, CollectionAction};
use super::snapshot::Snapshot;
use crate::config::LimitSettings;
use crate::quota::plans::Plans;
use crate::store::collections::{
    ChangeKind, CollectionRow, Edit, LoggedChange, NewChange, RememberedReply, Role,
};
use citation_model::plan::Plan;

/// An account, and the limits of its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The account's row id.
    pub user: i64,
    pub plan: Plan,
    /// Maximum number of collections.
    pub collections: u64,
    /// Maximum number of entries in one collection.
    pub entries: u64,
    /// Maximum number of bytes stored for the account, including restorable deletions, earlier
    /// versions, stored replies and own styles.
    pub bytes: u64,
}

impl Owner {
    /// An account on a plan.
    pub fn of(user: i64, plan: Plan, plans: &Plans) -> Owner {
        let rules = plans.rules(plan);
        Owner {
            user,
            plan,
            collections: rules.collections,
            entries: rules.entries_per_collection,
            bytes: rules.account_bytes,
        }
    }
}

/// What happens to an edit of an entry whose collection has changed since it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// It is refused.
    #[default]
    Refuse,
    /// It is applied if it touches no field that somebody else has changed.
    Merge,
}

/// The precondition of a request on a collection's version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precondition {
    /// One of these versions. `None`: any.
    pub versions: Option<Vec<i64>>,
    /// Not changed after this time, Unix seconds.
    pub unchanged_since: Option<i64>,
    pub on_conflict: OnConflict,
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

/// A change by one account, in one transaction.
pub struct Change<'c> {
    pub(super) edit: &'c Edit<'c>,
    /// Who makes the change; the owner of the collection if it is made by a link.
    pub(super) owner: Owner,
    /// The link by which it is made.
    pub(super) link: Option<LinkUse>,
    pub(super) plans: &'c Plans,
    pub(super) expected: &'c Precondition,
    pub(super) now: i64,
    pub(super) restorable_since: i64,
    pub(super) replies_since: i64,
    pub(super) limits: &'c LimitSettings,
    /// Bytes of the replies stored by this change.
    pub(super) reply_bytes: Cell<u64>,
    /// The other owners of changed collections, with the bytes stored for them before the change.
    pub(super) others: RefCell<BTreeMap<i64, (Owner, u64)>>,
    /// What was changed, by the row id of the collection.
    pub(super) logged: RefCell<Vec<(i64, LoggedChange)>>,
}

/// A link by which somebody without a role changes entries.
#[derive(Clone, Debug)]
pub struct LinkUse {
    pub(super) token: String,
    /// Whether the configuration allows links that edit.
    pub(super) edit_links: bool,
    /// Whether the link shows notes.
    pub(super) with_notes: bool,
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
    /// A collection for an action that the caller's role allows, if it meets the precondition.
    pub fn open(
        &self,
        uid: &str,
        action: CollectionAction,
    ) -> Result<CollectionRow, CollectionError> {
        let row = self.find(uid, action)?;
        self.expected.check(&row)?;
        Ok(row)
    }

    /// The same for an edit of an entry. If the collection has changed and the caller accepts a merge,
    /// also the version that the caller has seen.
    pub(super) fn open_or_merge(
        &self,
        uid: &str,
    ) -> Result<(CollectionRow, Option<i64>), CollectionError> {
        let row = self.find(uid, CollectionAction::EditEntries)?;
        let versions = self.expected.versions.as_ref();
        let seen = versions.and_then(|versions| versions.iter().max().copied());
        match (self.expected.check(&row), self.expected.on_conflict, seen) {
            (Ok(()), ..) => Ok((row, None)),
            (Err(_), OnConflict::Merge, Some(seen)) if seen < row.version => Ok((row, Some(seen))),
            (Err(stale), ..) => Err(stale),
        }
    }

    /// A collection for an action that the caller's role allows, whatever its version.
    pub(super) fn find(
        &self,
        uid: &str,
        action: CollectionAction,
    ) -> Result<CollectionRow, CollectionError> {
        let row = match &self.link {
            None => policy::permitted(self.edit.collection(self.owner.user, uid)?, action)?,
            Some(link) => {
                let row = self.edit.shared_collection(&link.token)?;
                let row = row.filter(|row| row.uid == uid);
                policy::permitted_by_link(row, action, link.edit_links, self.now)?
            }
        };
        self.owner_of(&row)?;
        Ok(row)
    }

    /// Who is noted as having made the change, by row id. `None`: whoever has the link.
    pub(super) fn author(&self) -> Option<i64> {
        self.link.is_none().then_some(self.owner.user)
    }

    /// The owner of a collection, whose plan limits it. The bytes stored for another owner are noted
    /// before the first change.
    pub(super) fn owner_of(&self, row: &CollectionRow) -> Result<Owner, CollectionError> {
        if row.user == self.owner.user {
            return Ok(self.owner);
        }
        if let Some((owner, _)) = self.others.borrow().get(&row.user) {
            return Ok(*owner);
        }
        let plan = self.edit.plan_of(row.user)?;
        let owner = Owner::of(row.user, plan.unwrap_or(Plan::Free), self.plans);
        let used = self.edit.bytes_kept(row.user)?;
        self.others.borrow_mut().insert(row.user, (owner, used));
        Ok(owner)
    }

    /// Records a change; returns the collection in its new state.
    pub(super) fn touch(
        &self,
        collection: i64,
        kind: ChangeKind,
        entries: &[String],
    ) -> Result<CollectionRow, CollectionError> {
        self.touch_fields(collection, kind, entries, &[])
    }

    /// The same, with the entries' own fields that changed.
    pub(super) fn touch_fields(
        &self,
        collection: i64,
        kind: ChangeKind,
        entries: &[String],
        fields: &[&'static str],
    ) -> Result<CollectionRow, CollectionError> {
        let change = NewChange {
            user: self.author(),
            kind,
            entries,
            fields,
        };
        let row = self.edit.touch_collection(collection, self.now, &change)?;
        let logged = self.edit.last_change(&row)?;
        let logged = logged.map(|logged| (row.id, logged));
        self.logged.borrow_mut().extend(logged);
        let role = self.edit.role(&row, self.owner.user)?.unwrap_or_default();
        Ok(CollectionRow { role, ..row })
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
            role: Role::Owner,
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
            plan: self.owner.plan,
            limit: self.owner.collections,
            current,
        })
    }

    /// Whether the changed data fits the plan's limits. Even when full, users must be able to delete
    /// something, so replies alone may exceed the limit a little.
    pub(super) fn check_bytes(&self, used: u64) -> Result<(), CollectionError> {
        self.check_bytes_of(self.owner, used, self.reply_bytes.get())?;
        let others = self.others.borrow();
        let mut others = others.values();
        others.try_for_each(|(owner, used)| self.check_bytes_of(*owner, *used, 0))
    }

    fn check_bytes_of(
        &self,
        owner: Owner,
        used: u64,
        reply_bytes: u64,
    ) -> Result<(), CollectionError> {
        let after = self.edit.bytes_kept(owner.user)?;
        let own = after.saturating_sub(reply_bytes);
        let limit = if own > used {
            owner.bytes
        } else {
            owner.bytes.saturating_add(owner.bytes / 16)
        };
        if after <= used || after <= limit {
            return Ok(());
        }
        Err(CollectionError::StorageLimit {
            plan: owner.plan,
            limit: owner.bytes,
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
        let owner = self.owner_of(collection)?;
        let limit = owner.entries;
        if requested == 0 || collection.entries + requested <= limit {
            return Ok(());
        }
        Err(CollectionError::EntryLimit {
            plan: owner.plan,
            limit,
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
        let row = self.open(uid, CollectionAction::Describe)?;
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
        self.touch(row.id, ChangeKind::CollectionChanged, &[])
    }

    /// Deletes a collection; it can be restored for a while.
    pub fn delete(&self, uid: &str) -> Result<(), CollectionError> {
        let row = self.open(uid, CollectionAction::Delete)?;
        self.edit.mark_collection(row.id, Some(self.now))?;
        self.touch(row.id, ChangeKind::CollectionDeleted, &[])?;
        Ok(())
    }

    /// Restores a deleted collection, with its entries and its link. Does nothing if it
    /// already exists.
    pub fn restore(&self, uid: &str) -> Result<CollectionRow, CollectionError> {
        let found = self.edit.collection_or_deleted(self.owner.user, uid)?;
        let row = match found {
            // For its members a deleted collection does not exist.
            Some(row) if row.deleted_at.is_some() && row.role != Role::Owner => {
                return Err(CollectionError::NotFound(Resource::Collection));
            }
            found => policy::permitted(found, CollectionAction::Delete)?,
        };
        self.expected.check(&row)?;
        match row.deleted_at {
            None => Ok(row),
            Some(at) if at <= self.restorable_since => {
                Err(CollectionError::NotFound(Resource::Collection))
            }
            Some(_) => {
                self.check_room_for_collection()?;
                self.edit.mark_collection(row.id, None)?;
                self.touch(row.id, ChangeKind::CollectionRestored, &[])
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
