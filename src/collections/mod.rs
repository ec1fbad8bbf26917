//! Layer 3: what users keep. Every change of one request is one transaction of the store, which
//! checks the owner, the version that the caller has seen and the plan before it writes.
//!
//! A reader opens [`Reading`], a writer [`Change`]; both know one owner only, so that nobody's
//! request can name what is somebody else's: it is not found.
//!
//! - `draft`: what a user gives becomes something to store · `input`: the rules for texts and tags
//! - `change`: collections · `entries`: entries · `removal`: deleting and restoring them ·
//!   `tagging`: the tags of many · `order`:
//!   their order · `moving`: from one collection to another · `combine`: two entries into one ·
//!   `uniting`: their notes and tags · `share`: read-only links
//! - `duplicates`: the same work twice · `compared`: looked for before a write · `import`: files · `browser`: what browsers kept
//! - `changes`: what differs between two states of an entry · `history`: its earlier ones
//! - `reading`: lists, filters, exports · `shown`: metadata as replies have it
//! - `holdings`: how much is kept for a user

pub mod browser;
pub mod change;
pub mod changes;
pub mod combine;
pub mod compared;
pub mod draft;
pub mod duplicates;
pub mod entries;
pub mod error;
pub mod history;
pub mod holdings;
pub mod import;
pub mod input;
pub mod moving;
pub mod order;
pub mod reading;
pub mod removal;
pub mod share;
pub mod shown;
pub mod tagging;
pub mod uniting;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::clock::Clock;
use crate::config::LimitSettings;
use crate::store::{Store, StoreError};
pub use change::{Change, Expected};
pub use error::{CollectionError, Resource};
pub use reading::Reading;

/// Whose collections are meant, and how much the owner's plan allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The number of the account.
    pub user: i64,
    /// Collections at most.
    pub collections: u64,
    /// Entries in one collection at most.
    pub entries: u64,
    /// Bytes at most of everything that is kept for the account: what is deleted and can be restored,
    /// earlier versions, remembered replies and own styles included.
    pub bytes: u64,
}

/// The collections of everybody. Shared by all threads.
pub struct Collections {
    store: Arc<Store>,
    clock: Clock,
    limits: LimitSettings,
    /// When what was deleted long ago was last removed, Unix seconds.
    purged_at: AtomicI64,
}

const DAY_SECONDS: i64 = 24 * 60 * 60;
const HOUR_SECONDS: i64 = 60 * 60;

/// How often what was deleted long ago is removed, in seconds.
const PURGE_SECONDS: i64 = 60;

impl Collections {
    pub fn new(store: Arc<Store>, limits: &LimitSettings, clock: Clock) -> Collections {
        Collections {
            store,
            clock,
            limits: limits.clone(),
            purged_at: AtomicI64::new(0),
        }
    }

    /// How large names, notes, tags and batches may be.
    pub fn limits(&self) -> &LimitSettings {
        &self.limits
    }

    /// Reads what one owner has; everything that is read is of one moment.
    pub fn read<T, E: From<StoreError>>(
        &self,
        user: i64,
        job: impl FnOnce(&Reading<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let now = self.clock.unix();
        self.store.view_collections(|view| {
            job(&Reading {
                view,
                user,
                now,
                replies_since: self.replies_since(),
            })
        })
    }

    /// Changes what one owner has. When this returns, the change outlives the process; an error
    /// leaves everything as it was.
    pub fn write<T, E: From<StoreError> + From<CollectionError>>(
        &self,
        owner: Owner,
        expected: &Expected,
        job: impl FnOnce(&Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.store.edit_collections(|edit| {
            let used = edit.bytes_kept(owner.user)?;
            let change = Change {
                edit,
                owner,
                expected,
                now: self.clock.unix(),
                restorable_since: self.restorable_since(),
                replies_since: self.replies_since(),
                limits: &self.limits,
                reply_bytes: Cell::new(0),
            };
            let value = job(&change)?;
            change.check_bytes(used)?;
            Ok(value)
        })
    }

    /// Does what [`Collections::write`] does and undoes it again: what would come of it.
    pub fn rehearse<T, E: From<StoreError> + From<CollectionError>>(
        &self,
        owner: Owner,
        expected: &Expected,
        job: impl FnOnce(&Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let outcome = self.write(owner, expected, |change| match job(change) {
            Ok(value) => Err::<(), _>(Undone::Rehearsed(value)),
            Err(error) => Err(Undone::Failed(error)),
        });
        match outcome {
            Err(Undone::Rehearsed(value)) => Ok(value),
            Err(Undone::Failed(error)) => Err(error),
            Ok(()) => Err(StoreError::Internal("a rehearsal was written".to_owned()).into()),
        }
    }

    /// Removes for good what can no longer be restored, and replies too old to be repeated. Does so
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
        if purged.collections + purged.entries > 0 {
            tracing::info!(
                collections = purged.collections,
                entries = purged.entries,
                "deleted collections and entries are past restoring and were removed"
            );
        }
        Ok(())
    }

    /// What was deleted after this moment can be restored.
    fn restorable_since(&self) -> i64 {
        self.clock.unix() - i64::from(self.limits.restore_days) * DAY_SECONDS
    }

    /// Replies given after this moment are repeated.
    pub fn replies_since(&self) -> i64 {
        self.clock.unix() - i64::from(self.limits.idempotency_hours) * HOUR_SECONDS
    }
}

/// Why a rehearsal ended.
enum Undone<T, E> {
    Rehearsed(T),
    Failed(E),
}

impl<T, E: From<CollectionError>> From<CollectionError> for Undone<T, E> {
    fn from(error: CollectionError) -> Undone<T, E> {
        Undone::Failed(error.into())
    }
}

impl<T, E: From<StoreError>> From<StoreError> for Undone<T, E> {
    fn from(error: StoreError) -> Undone<T, E> {
        Undone::Failed(error.into())
    }
}
