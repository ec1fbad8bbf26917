//! Durable commits: one flush of the write-ahead log serves everyone who committed before it.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{StoreError, lock};

/// The write-ahead log of the database.
///
/// SQLite runs with `synchronous = NORMAL`, so a commit is only in the operating system's cache.
/// A second file descriptor can flush it just as SQLite's own, and doing so outside the write
/// turn lets others write meanwhile. (The log file has no locks, so closing a second descriptor
/// releases none.)
pub struct Log {
    path: PathBuf,
    /// Number of commits so far.
    written: AtomicU64,
    state: Mutex<LogState>,
}

#[derive(Default)]
struct LogState {
    file: Option<File>,
    /// Number of commits known to be on the disk.
    flushed: u64,
}

impl Log {
    pub fn new(path: PathBuf) -> Log {
        Log {
            path,
            written: AtomicU64::new(0),
            state: Mutex::default(),
        }
    }

    /// Records a commit; call it before the write turn ends.
    pub fn wrote(&self) {
        self.written.fetch_add(1, Ordering::Release);
    }

    /// Returns when everything committed before the call is on the disk.
    pub fn flush(&self) -> Result<(), StoreError> {
        let mine = self.written.load(Ordering::Acquire);
        let mut state = lock(&self.state);
        if state.flushed >= mine {
            return Ok(());
        }
        let covered = self.written.load(Ordering::Acquire);
        if state.file.is_none() {
            state.file = Some(File::open(&self.path)?);
            // The log's directory entry must be durable too.
            if let Some(directory) = self.path.parent() {
                File::open(directory)?.sync_all()?;
            }
        }
        if let Some(file) = &state.file {
            file.sync_data()?;
        }
        state.flushed = covered;
        Ok(())
    }
}
