//! Priority of writers between processes: interactive writers go first, bulk writers
//! wait. SQLite has no such order, and beside an ingest, which writes batch after batch, a
//! server would only find the database free by chance.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// A file that urgent writers lock (shared) while they wait for the database and write to it.
pub struct InterprocessLock {
    /// `None` if the file cannot be created; the writers then only compete for the database.
    file: Option<File>,
}

/// The file's name in the data directory.
const FILE_NAME: &str = "citation.turn";

/// The longest wait of a bulk writer, so that a hanging process does not block it forever.
const PATIENCE: Duration = Duration::from_secs(2);

/// The polling interval.
const STEP: Duration = Duration::from_millis(1);

/// Held by an urgent writer; dropping it lets bulk writers of other processes write.
pub struct Guard<'t>(&'t InterprocessLock);

impl InterprocessLock {
    pub fn open(directory: &Path) -> InterprocessLock {
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        InterprocessLock {
            file: options.open(directory.join(FILE_NAME)).ok(),
        }
    }

    /// For read-only processes.
    pub fn none() -> InterprocessLock {
        InterprocessLock { file: None }
    }

    /// Blocks bulk writers of other processes. Each process may have only one writer here.
    pub fn urgent(&self) -> Guard<'_> {
        if let Some(file) = &self.file {
            // An exclusive lock is only held for an instant. Without the lock one only waits longer.
            let _ = file.lock_shared();
        }
        Guard(self)
    }

    /// Waits until no urgent writer of another process is active.
    pub fn patient(&self) {
        let Some(file) = &self.file else { return };
        let deadline = Instant::now() + PATIENCE;
        while is_held(file) && Instant::now() < deadline {
            std::thread::sleep(STEP);
        }
    }

    /// Whether an urgent writer of another process is active.
    pub fn is_awaited(&self) -> bool {
        self.file.as_ref().is_some_and(is_held)
    }
}

/// Whether another process has locked the file. Without file locks, none has.
fn is_held(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => {
            let _ = file.unlock();
            false
        }
        Err(fault) => matches!(fault, TryLockError::WouldBlock),
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Some(file) = &self.0.file {
            let _ = file.unlock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn background_writer_waits_for_an_urgent_one() {
        let directory = tempfile::tempdir().unwrap();
        // Two handles of a file behave like two processes.
        let (server, ingest) = (
            InterprocessLock::open(directory.path()),
            InterprocessLock::open(directory.path()),
        );
        ingest.patient();
        let is_done = AtomicBool::new(false);
        assert!(!ingest.is_awaited());
        let guard = server.urgent();
        assert!(ingest.is_awaited());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                ingest.patient();
                assert!(is_done.load(Ordering::SeqCst));
            });
            std::thread::sleep(Duration::from_millis(20));
            is_done.store(true, Ordering::SeqCst);
            drop(guard);
        });
        // Urgent ones do not wait for each other.
        let _both = (server.urgent(), ingest.urgent());
    }

    #[test]
    fn memory_database_never_waits() {
        let interprocess_lock = InterprocessLock::open(Path::new("/no/such/directory"));
        let _guard = interprocess_lock.urgent();
        interprocess_lock.patient();
    }
}
