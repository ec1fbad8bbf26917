//! How the database is doing: what failed in it and has not been seen to work since. Health and
//! the operator's page tell it.

use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{StoreError, lock};

/// What is wrong with the database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// Why the last write failed: the disk is full, or refuses. Nothing: writes succeed.
    pub unwritable: Option<StoreError>,
    /// What was found damaged since the program started.
    pub damaged: Option<StoreError>,
}

/// The condition, kept up to date by whoever reads and writes.
#[derive(Default)]
pub struct Watch {
    condition: Mutex<Condition>,
    /// Whether `unwritable` is set, so that a write that succeeds mostly looks no further.
    is_unwritable: AtomicBool,
}

thread_local! {
    /// The last failure of the file that this thread saw. A job may wrap it in an error of its own,
    /// which the store cannot look into.
    static FAILURE: RefCell<Option<StoreError>> = const { RefCell::new(None) };
}

/// Notes a failure of the file for whoever watches this thread's job.
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

impl Watch {
    pub fn condition(&self) -> Condition {
        lock(&self.condition).clone()
    }

    /// Runs a job that reads.
    pub fn reading<T, E>(&self, job: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let (result, failure) = watched(job);
        if let Some(failure @ StoreError::Corrupt(_)) = failure {
            self.found_damaged(failure);
        }
        result
    }

    /// Runs a job that writes to the disk where it succeeds.
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
            tracing::error!(%damage, "damage was found");
            condition.damaged = Some(damage);
        }
    }

    fn found_unwritable(&self, cause: StoreError) {
        let mut condition = lock(&self.condition);
        if condition.unwritable.as_ref() != Some(&cause) {
            tracing::error!(%cause, "nothing can be stored until this is mended");
            condition.unwritable = Some(cause);
        }
        self.is_unwritable.store(true, Ordering::Release);
    }

    fn found_writable(&self) {
        if self.is_unwritable.load(Ordering::Acquire) {
            let mut condition = lock(&self.condition);
            condition.unwritable = None;
            self.is_unwritable.store(false, Ordering::Release);
            tracing::info!("the database can be written again");
        }
    }

    pub fn is_unwritable(&self) -> bool {
        self.is_unwritable.load(Ordering::Acquire)
    }
}

/// Runs a job, and gives the failure of the file that it met, too.
fn watched<T, E>(job: impl FnOnce() -> Result<T, E>) -> (Result<T, E>, Option<StoreError>) {
    FAILURE.with(|failure| failure.take());
    let result = job();
    (result, FAILURE.with(|failure| failure.take()))
}
