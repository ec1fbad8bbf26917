//! The database's condition: failures that have not been followed by a success. Shown by health and
//! the operator's page.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{StoreError, lock};

/// Bytes that the disk of a folder has left for this account; `None` if the system does not tell.
#[cfg(unix)]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
pub fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}

/// The problems of the database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseCondition {
    /// Why the last write failed: the disk is full, or rejects writes. `None`: writes succeed.
    pub unwritable: Option<StoreError>,
    /// Damage found since the program started.
    pub damaged: Option<StoreError>,
}

/// The condition, updated by readers and writers.
#[derive(Default)]
pub struct ConditionWatch {
    condition: Mutex<DatabaseCondition>,
    /// Whether `unwritable` is set, so that a successful write needs no lock.
    is_unwritable: AtomicBool,
}

thread_local! {
    /// The last file error on this thread. A job may wrap it in its own error,
    /// which the store cannot inspect.
    static FAILURE: RefCell<Option<StoreError>> = const { RefCell::new(None) };
}

/// Records a file error for the watcher of this thread's job.
pub fn note(error: &StoreError) {
    if is_of_the_file(error) {
        FAILURE.with(|failure| *failure.borrow_mut() = Some(error.clone()));
    }
}

fn is_of_the_file(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Full | StoreError::Io(_) | StoreError::Corrupt(_)
    )
}

impl ConditionWatch {
    pub fn condition(&self) -> DatabaseCondition {
        lock(&self.condition).clone()
    }

    /// Runs a reading job.
    pub fn reading<T, E>(&self, job: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let (result, failure) = watched(job);
        if let Some(failure @ StoreError::Corrupt(_)) = failure {
            self.found_damaged(failure);
        }
        result
    }

    /// Runs a writing job.
    pub fn writing<T, E>(&self, job: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let (result, failure) = watched(job);
        match (&result, failure) {
            (_, Some(failure @ StoreError::Corrupt(_))) => self.found_damaged(failure),
            (Err(_), Some(failure)) => self.found_unwritable(failure),
            (Ok(_), _) => self.found_writable(),
            (Err(_), None) => {}
        }
        result
    }

    pub fn found_damaged(&self, damage: StoreError) {
        let mut condition = lock(&self.condition);
        if condition.damaged.is_none() {
            tracing::error!(%damage, "the database is damaged");
            condition.damaged = Some(damage);
        }
    }

    fn found_unwritable(&self, cause: StoreError) {
        let mut condition = lock(&self.condition);
        if condition.unwritable.as_ref() != Some(&cause) {
            tracing::error!(%cause, "nothing can be stored until this is fixed");
            condition.unwritable = Some(cause);
        }
        self.is_unwritable.store(true, Ordering::Release);
    }

    fn found_writable(&self) {
        if self.is_unwritable.load(Ordering::Acquire) {
            let mut condition = lock(&self.condition);
            condition.unwritable = None;
            self.is_unwritable.store(false, Ordering::Release);
            tracing::info!("the database is writable again");
        }
    }

    pub fn is_unwritable(&self) -> bool {
        self.is_unwritable.load(Ordering::Acquire)
    }
}

/// Runs a job, and also returns the file error that occurred.
fn watched<T, E>(job: impl FnOnce() -> Result<T, E>) -> (Result<T, E>, Option<StoreError>) {
    FAILURE.with(|failure| failure.take());
    let result = job();
    (result, FAILURE.with(|failure| failure.take()))
}
