//! The entry point to all collections: consistent reads and atomic writes for one owner.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::change::{Change, LinkUse, Owner, Precondition};
use super::error::{CollectionError, Resource};
use super::live::Live;
use super::snapshot::Snapshot;
use crate::clock::Clock;
use crate::config::{LimitSettings, SharingSettings};
use crate::quota::plans::Plans;
use crate::store::collections::Edit;
use crate::store::{Store, StoreError};
use citation_model::plan::Plan;

/// The collections of all accounts. Shared by all threads.
pub struct Collections {
    pub(super) store: Arc<Store>,
    pub(super) clock: Clock,
    limits: LimitSettings,
    sharing: SharingSettings,
    plans: Plans,
    live: Live,
    /// When expired deletions were last purged, Unix seconds.
    purged_at: AtomicI64,
}

pub(super) const DAY_SECONDS: i64 = 24 * 60 * 60;
const HOUR_SECONDS: i64 = 60 * 60;

/// How often expired deletions are purged, in seconds.
const PURGE_SECONDS: i64 = 60;

impl Collections {
    pub fn new(
        store: Arc<Store>,
        limits: &LimitSettings,
        sharing: &SharingSettings,
        plans: Plans,
        clock: Clock,
    ) -> Collections {
        Collections {
            store,
            clock,
            limits: limits.clone(),
            sharing: sharing.clone(),
            plans,
            live: Live::default(),
            purged_at: AtomicI64::new(0),
        }
    }

    /// The size limits of names, notes, tags and batches.
    pub fn limits(&self) -> &LimitSettings {
        &self.limits
    }

    /// The changes as they are made.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// An account with the limits of its plan.
    pub fn owner(&self, user: i64, plan: Plan) -> Owner {
        Owner::of(user, plan, &self.plans)
    }

    /// The rules for sharing without an account.
    pub fn sharing(&self) -> &SharingSettings {
        &self.sharing
    }

    /// Reads what one account may read, in a consistent snapshot.
    pub fn read<T, E: From<StoreError>>(
        &self,
        user: i64,
        job: impl FnOnce(&Snapshot<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let now = self.clock.unix();
        self.store.view_collections(|view| {
            job(&Snapshot {
                view,
                user,
                now,
                replies_since: self.replies_since(),
            })
        })
    }

    /// Changes collections for one account. When this returns, the change is durable; an error
    /// leaves everything unchanged.
    pub fn write<T, E: From<StoreError> + From<CollectionError>>(
        &self,
        owner: Owner,
        expected: &Precondition,
        job: impl FnOnce(&Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.write_as(|_| Ok((owner, None)), expected, job)
    }

    /// Changes the entries of a collection for whoever has its link. The limits are those of its owner.
    pub fn write_by_link<T, E: From<StoreError> + From<CollectionError>>(
        &self,
        token: &str,
        expected: &Precondition,
        job: impl FnOnce(&Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let who = |edit: &Edit<'_>| {
            let row = edit.shared_collection(token)?;
            let row = row.ok_or(CollectionError::NotFound(Resource::Share))?;
            let plan = edit.plan_of(row.user)?.unwrap_or(Plan::Free);
            let link = LinkUse {
                token: token.to_owned(),
                edit_links: self.sharing.edit_links,
                with_notes: row.share.is_some_and(|share| share.with_notes),
            };
            Ok::<_, CollectionError>((self.owner(row.user, plan), Some(link)))
        };
        self.write_as(who, expected, job)
    }

    fn write_as<T, E: From<StoreError> + From<CollectionError>>(
        &self,
        who: impl FnOnce(&Edit<'_>) -> Result<(Owner, Option<LinkUse>), CollectionError>,
        expected: &Precondition,
        job: impl FnOnce(&Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let (value, logged) = self.store.edit_collections(|edit| {
            let (owner, link) = who(edit)?;
            let used = edit.bytes_kept(owner.user)?;
            let change = Change {
                edit,
                owner,
                link,
                plans: &self.plans,
                expected,
                now: self.clock.unix(),
                restorable_since: self.restorable_since(),
                replies_since: self.replies_since(),
                limits: &self.limits,
                reply_bytes: Cell::new(0),
                others: RefCell::new(BTreeMap::new()),
                logged: RefCell::new(Vec::new()),
            };
            let value = job(&change)?;
            change.check_bytes(used)?;
            Ok::<_, E>((value, change.logged.into_inner()))
        })?;
        for (collection, change) in logged {
            self.live.publish(collection, change);
        }
        Ok(value)
    }

    /// Runs a write like [`Collections::write`] and rolls it back, to preview its result.
    pub fn dry_run<T, E: From<StoreError> + From<CollectionError>>(
        &self,
        owner: Owner,
        expected: &Precondition,
        job: impl FnOnce(&Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let outcome = self.write(owner, expected, |change| match job(change) {
            Ok(value) => Err::<(), _>(Rollback::DryRun(value)),
            Err(error) => Err(Rollback::Failed(error)),
        });
        match outcome {
            Err(Rollback::DryRun(value)) => Ok(value),
            Err(Rollback::Failed(error)) => Err(error),
            Ok(()) => Err(StoreError::Internal("a dry run was committed".to_owned()).into()),
        }
    }

    /// Number of bytes stored for a user.
    pub fn bytes_kept(&self, user: i64) -> Result<u64, StoreError> {
        self.read(user, |snapshot| snapshot.view.bytes_kept(user))
    }

    /// Number of collections of a user.
    pub fn count(&self, user: i64) -> Result<u64, StoreError> {
        self.read(user, |snapshot| snapshot.view.count_collections(user))
    }

    /// Marks the entries of works whose notices have changed since the last call.
    pub fn sweep_notices(&self) -> Result<(), StoreError> {
        let entries = self.store.sweep_notices(self.clock.unix())?;
        if entries > 0 {
            tracing::info!(entries, "notices about works changed the marks of entries");
        }
        Ok(())
    }

    /// Purges deletions that can no longer be restored, and expired replies. Runs at most
    /// once a minute, however often it is called.
    pub fn purge(&self) -> Result<(), StoreError> {
        let now = self.clock.unix();
        let due = now - self.purged_at.load(Ordering::Relaxed);
        if (0..PURGE_SECONDS).contains(&due) {
            return Ok(());
        }
        self.purged_at.store(now, Ordering::Relaxed);
        let purged = self
            .store
            .purge_collections(self.restorable_since(), self.replies_since())?;
        self.store.purge_permalinks(self.visited_since())?;
        self.store.purge_invitations(now)?;
        if purged.collections + purged.entries > 0 {
            tracing::info!(
                collections = purged.collections,
                entries = purged.entries,
                "purged expired deletions of collections and entries"
            );
        }
        Ok(())
    }

    /// Deletions after this time can be restored.
    fn restorable_since(&self) -> i64 {
        self.clock.unix() - i64::from(self.limits.restore_days) * DAY_SECONDS
    }

    /// Links without an account that were visited after this time are still valid.
    pub(super) fn visited_since(&self) -> i64 {
        self.clock.unix() - i64::from(self.sharing.anonymous_days) * DAY_SECONDS
    }

    /// Replies after this time are replayed.
    pub fn replies_since(&self) -> i64 {
        self.clock.unix() - i64::from(self.limits.idempotency_hours) * HOUR_SECONDS
    }
}

/// Why a dry run was rolled back.
enum Rollback<T, E> {
    DryRun(T),
    Failed(E),
}

impl<T, E: From<CollectionError>> From<CollectionError> for Rollback<T, E> {
    fn from(error: CollectionError) -> Rollback<T, E> {
        Rollback::Failed(error.into())
    }
}

impl<T, E: From<StoreError>> From<StoreError> for Rollback<T, E> {
    fn from(error: StoreError) -> Rollback<T, E> {
        Rollback::Failed(error.into())
    }
}
