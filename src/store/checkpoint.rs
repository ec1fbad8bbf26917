//! Moving the write-ahead log into the database, beside readers and writers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};

use rusqlite::Connection;

use super::lock;

/// Pages of the log (4 KiB each) that are not in the database, from which on they shall be moved. The
/// disk is busy meanwhile, which whoever waits for it feels: rather often than long.
const DUE: i32 = 2048;

/// Pages of the log from which it shall begin anew. It does so with the next write once all of it is
/// moved, so for that nobody may write meanwhile.
const OVERDUE: i32 = 6 * DUE;

/// The log as this process knows it, and the connection that moves it.
pub struct Checkpointer {
    connection: Mutex<Connection>,
    /// Pages in the log after the last write.
    logged: AtomicI32,
    /// Pages of them that are in the database.
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

    /// Notes how many pages the log has after a write.
    pub fn wrote(&self, pages: i32) {
        let before = self.logged.swap(pages, Ordering::Relaxed);
        if pages < before {
            // The log began anew.
            self.moved.store(0, Ordering::Relaxed);
        }
    }

    pub fn is_due(&self) -> bool {
        let logged = self.logged.load(Ordering::Relaxed);
        logged - self.moved.load(Ordering::Relaxed) >= DUE || logged >= OVERDUE
    }

    /// Whether whoever writes much shall wait until the log is moved.
    pub fn is_overdue(&self) -> bool {
        self.logged.load(Ordering::Relaxed) >= OVERDUE
    }

    /// Moves what is in the log, unless somebody does so already. Neither waits for readers and the
    /// writer nor stops them; what it could not move, the next one does.
    pub fn run(&self) {
        if let Ok(connection) = self.connection.try_lock() {
            self.move_log(&connection);
        }
    }

    /// Moves what is in the log, after whoever does so already.
    pub fn run_to_end(&self) {
        self.move_log(&lock(&self.connection));
    }

    fn move_log(&self, connection: &Connection) {
        let moved = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
            Ok((row.get::<_, bool>(0)?, row.get(2)?))
        });
        match moved {
            Ok((false, pages)) => self.moved.store(pages, Ordering::Relaxed),
            // Another process does it.
            Ok((true, _)) => {}
            Err(error) => tracing::warn!(%error, "checkpoint failed; it will be tried again"),
        }
    }
}
