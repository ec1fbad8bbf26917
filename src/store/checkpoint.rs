//! Checkpoints: moves the write-ahead log into the database, beside readers and writers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};

use rusqlite::Connection;

use super::lock;

/// Number of log pages (4 KiB each) not yet in the database that triggers a checkpoint. It keeps the
/// disk busy, which delays those who wait for it: rather often than long.
const DUE: i32 = 2048;

/// Number of log pages at which the log must restart. It does so with the next write after all pages are
/// moved, so nobody may write in the meantime.
const OVERDUE: i32 = 6 * DUE;

/// This process's view of the log, and the connection for checkpoints.
pub struct Checkpointer {
    connection: Mutex<Connection>,
    /// Pages in the log after the last write.
    logged: AtomicI32,
    /// The number of them in the database.
    moved: AtomicI32,
}

impl Checkpointer {
    pub fn new(connection: Connection) -> Checkpointer {
        Checkpointer {
            connection: Mutex::new(connection),
            logged: AtomicI32::new(0),
            moved: AtomicI32::new(0),
        }
    }

    /// Records the size of the log after a write.
    pub fn wrote(&self, pages: i32) {
        let before = self.logged.swap(pages, Ordering::Relaxed);
        if pages < before {
            // The log was restarted.
            self.moved.store(0, Ordering::Relaxed);
        }
    }

    pub fn is_due(&self) -> bool {
        let logged = self.logged.load(Ordering::Relaxed);
        logged - self.moved.load(Ordering::Relaxed) >= DUE || logged >= OVERDUE
    }

    /// Whether bulk writers must wait for a checkpoint.
    pub fn is_overdue(&self) -> bool {
        self.logged.load(Ordering::Relaxed) >= OVERDUE
    }

    /// Runs a checkpoint, unless one is running. It neither waits for readers and the
    /// writer nor blocks them; the next one moves what it could not.
    pub fn run(&self) {
        if let Ok(connection) = self.connection.try_lock() {
            self.run_checkpoint(&connection);
        }
    }

    /// Runs a checkpoint, after a running one.
    pub fn run_to_end(&self) {
        self.run_checkpoint(&lock(&self.connection));
    }

    fn run_checkpoint(&self, connection: &Connection) {
        let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
            Ok((row.get::<_, bool>(0)?, row.get(2)?))
        });
        match moved {
            Ok((false, pages)) => self.moved.store(pages, Ordering::Relaxed),
            // Another process does it.
            Ok((true, _)) => {}
            Err(error) => tracing::warn!(%error, "checkpoint failed; will retry"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_is_checkpointed_when_due() {
        let directory = tempfile::tempdir().unwrap();
        let open = || {
            let connection = Connection::open(directory.path().join("a.db")).unwrap();
            connection
                .execute_batch("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
                .unwrap();
            connection
        };
        let (writer, checkpointer) = (open(), Checkpointer::new(open()));
        let fill = format!("CREATE TABLE t AS SELECT zeroblob({DUE} * 4096) AS filling");
        writer.execute_batch(&fill).unwrap();
        checkpointer.wrote(DUE - 1);
        assert!(!checkpointer.is_due());
        checkpointer.wrote(DUE + 1);
        assert!(checkpointer.is_due() && !checkpointer.is_overdue());
        checkpointer.run();
        assert!(!checkpointer.is_due(), "all is moved");
        checkpointer.wrote(1);
        assert!(!checkpointer.is_due(), "the log began anew");
        checkpointer.wrote(OVERDUE);
        assert!(checkpointer.is_due() && checkpointer.is_overdue());
    }

    #[test]
    fn checkpoints_do_not_run_concurrently() {
        let checkpointer = Checkpointer::new(Connection::open_in_memory().unwrap());
        let _running = lock(&checkpointer.connection);
        checkpointer.run();
    }
}
