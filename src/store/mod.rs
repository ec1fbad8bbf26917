//! Layer 2: the database, the source of truth for all durable data. Only this module uses
//! SQLite. Many readers and one writer: reads take a connection from a pool, writes take write_queue.
//!
//! - `works`, `prepared`, `put`, `batch`, `outcome`, `merge`, `updates`, `misses`, `journals`: the corpus
//! - `progress`, `join`: an ingest's progress, and its temporary joins
//! - `users`, `api_keys`, `sessions`, `holder`, `usage`, `audit`: accounts and their credentials
//! - `oauth`, `programs_schema`: programs that accounts have let in
//! - `collections`, `own_styles`: users' data · `permalinks`: links without an account
//! - `jobs`, `jobs_schema`: work in the background · `webhooks`: events to deliver
//! - `backup`, `restore`: copies of the database · `private`: file permissions · `generation`: matches logs
//!   and files
//! - `condition`, `check`: problems of the file · `copy`: a read-only copy · `compact`: its size
//! - `schema`, `query`, `write_queue`, `interprocess_lock`, `checkpoint`, `codec`, `keys`, `sources`: the basis of the
//!   others

pub mod api_keys;
pub mod audit;
mod backup;
pub(crate) mod batch;
mod check;
mod checkpoint;
pub mod codec;
pub mod collections;
mod compact;
mod condition;
mod copy;
pub mod error;
pub mod fingerprints;
mod flush;
mod generation;
pub mod holder;
mod interprocess_lock;
pub mod jobs;
mod jobs_schema;
pub mod join;
pub mod journals;
pub mod keys;
pub mod mails;
pub mod merge;
pub mod meta;
pub mod misses;
pub mod oauth;
pub mod open_copies;
pub mod outcome;
pub mod own_styles;
pub mod permalinks;
pub mod prepared;
mod private;
mod programs_schema;
pub mod progress;
mod put;
mod query;
mod readers;
pub mod restore;
pub mod reviews;
pub mod schema;
pub mod sessions;
mod sources;
pub mod styles;
pub mod updates;
pub mod usage;
pub mod users;
mod validators;
pub mod versions;
pub mod webhooks;
pub mod works;
mod write_queue;

use std::cell::Cell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::hooks::Wal;
use rusqlite::{Connection, Transaction, TransactionBehavior};

pub use condition::{DatabaseCondition, free_bytes};
pub use error::StoreError;

/// The options for opening the database.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// Maximum number of concurrent readers. Default 8.
    pub readers: u32,
    /// How long a write waits for another process, and a read for a connection. Default 5 s.
    pub busy_timeout: Duration,
    /// Page cache of the writer in MiB; readers share the operating system's. Default 32.
    pub cache_mib: u32,
    /// Maximum part of the file mapped into memory, in MiB. Default 32 768.
    pub mmap_mib: u64,
    /// Whether abstracts are stored. Default true.
    pub keep_abstracts: bool,
    /// Whether the file is an immutable, read-only copy. Default false.
    pub read_only: bool,
}

impl Default for StoreSettings {
    fn default() -> StoreSettings {
        StoreSettings {
            readers: 8,
            busy_timeout: Duration::from_secs(5),
            cache_mib: 32,
            mmap_mib: 32 * 1024,
            keep_abstracts: true,
            read_only: false,
        }
    }
}

/// The database file in the data directory.
pub const FILE_NAME: &str = "citation.db";

/// Whether a directory has, or had, a database: opening a missing one explains what happened.
pub fn is_in(directory: &Path) -> Result<bool, StoreError> {
    let path = directory.join(FILE_NAME);
    Ok(path.try_exists()? || generation::record_of(&path).try_exists()?)
}

/// The database. Shared freely among threads.
pub struct Store {
    directory: PathBuf,
    readers: readers::Readers,
    writer: Mutex<Connection>,
    write_queue: write_queue::WriteQueue,
    interprocess_lock: interprocess_lock::InterprocessLock,
    /// Runs checkpoints beside the writer, so that no write waits for one.
    checkpointer: Arc<checkpoint::Checkpointer>,
    log: flush::Log,
    busy_timeout: Duration,
    dictionaries: codec::Dictionaries,
    pairs: journals::Seen,
    keep_abstracts: bool,
    read_only: bool,
    watch: condition::ConditionWatch,
    /// Held open, see [`generation::Opening`]; dropped after the connections.
    _file: Option<File>,
}

impl Store {
    /// Opens the database in a directory; both are created if missing. With
    /// [`StoreSettings::read_only`] both must exist and are not changed.
    ///
    /// Fails with [`StoreError::Newer`] if the database is newer than the program.
    pub fn open(directory: &Path, settings: &StoreSettings) -> Result<Store, StoreError> {
        let path = directory.join(FILE_NAME);
        let (writer, file) = if settings.read_only {
            (copy::open(&path)?, None)
        } else {
            open_to_write(directory, &path, settings)?
        };
        // From here on `begin` waits, in shorter steps than SQLite.
        writer.busy_timeout(Duration::ZERO)?;
        writer.wal_hook(Some(note_log_pages));
        let checkpointer = if settings.read_only {
            copy::open(&path)?
        } else {
            connect(&path, settings)?
        };
        let dictionaries = codec::Dictionaries::load(&writer)?;
        Ok(Store {
            directory: directory.to_owned(),
            readers: readers::Readers::open(&path, settings)?,
            writer: Mutex::new(writer),
            write_queue: write_queue::WriteQueue::default(),
            interprocess_lock: if settings.read_only {
                interprocess_lock::InterprocessLock::none()
            } else {
                interprocess_lock::InterprocessLock::open(directory)
            },
            checkpointer: Arc::new(checkpoint::Checkpointer::new(checkpointer)),
            log: flush::Log::new(path.with_file_name(format!("{FILE_NAME}-wal"))),
            busy_timeout: settings.busy_timeout,
            dictionaries,
            pairs: journals::Seen::default(),
            keep_abstracts: settings.keep_abstracts,
            read_only: settings.read_only,
            watch: condition::ConditionWatch::default(),
            _file: file,
        })
    }

    /// The known problems of the database.
    pub fn condition(&self) -> DatabaseCondition {
        self.watch.condition()
    }

    /// If writes failed, checks whether they succeed again.
    pub fn recheck(&self) {
        if self.watch.is_unwritable() {
            // Failures are recorded by the call.
            let _ = self
                .write(|transaction| Ok(transaction.execute("UPDATE meta SET value = value", [])?));
        }
    }

    /// The directory of the database.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The version of the schema.
    pub fn schema_version(&self) -> Result<i64, StoreError> {
        self.read(schema::version)
    }

    /// Whether the store is read-only.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether a read can start now, without waiting for a connection.
    pub fn is_reader_free(&self) -> bool {
        self.readers.is_one_idle()
    }

    /// Runs a read. Only a single statement sees a consistent state; use
    /// [`Store::snapshot`] for several that must agree.
    pub(crate) fn read<T>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let connection = self.readers.get()?;
        self.watch.reading(|| job(&connection))
    }

    /// Runs a read in which every statement sees the same state.
    pub(crate) fn snapshot<T, E: From<StoreError>>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let connection = self.readers.get()?;
        self.watch.reading(|| {
            let _transaction = ReadTransaction::begin(&connection)?;
            job(&connection)
        })
    }

    /// Runs a write in its own transaction. When it returns, the change is on the disk: it
    /// survives the process and a power loss. Concurrent writers share one flush.
    pub(crate) fn write<T>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write_or(job)
    }

    /// Like [`Store::write`], for a job that may fail with its own error, which rolls back its
    /// changes.
    pub(crate) fn write_or<T, E: From<StoreError>>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.read_only {
            return Err(StoreError::ReadOnly.into());
        }
        let value = {
            let _turn = self.write_queue.urgent();
            let _guard = self.interprocess_lock.urgent();
            self.transact(job)?
        };
        self.log.flush()?;
        if self.checkpointer.is_due() {
            // Those who wait for this write must not wait for the checkpoint too.
            let checkpointer = self.checkpointer.clone();
            std::thread::spawn(move || checkpointer.run());
        }
        Ok(value)
    }

    /// Runs a repeatable write: it yields to every [`Store::write`], and a power loss
    /// may undo it completely. Keep it to some 20 ms, or check whether somebody waits.
    pub(crate) fn write_bulk<T>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let value = self.write_patiently(job)?;
        self.checkpoint_if_due();
        Ok(value)
    }

    /// Like [`Store::write_bulk`], for a caller who runs the checkpoints.
    fn write_patiently<T>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly);
        }
        let _turn = self.write_queue.patient();
        self.interprocess_lock.patient();
        self.transact(job)
    }

    /// Runs a checkpoint if the log is long. Others read and write meanwhile.
    pub(crate) fn checkpoint_if_due(&self) {
        if self.checkpointer.is_due() {
            self.checkpointer.run();
        }
    }

    /// Waits for a checkpoint if the log is so long that it must restart.
    pub(crate) fn checkpoint_if_overdue(&self) {
        if self.checkpointer.is_overdue() {
            self.checkpointer.run_to_end();
        }
    }

    /// Whether somebody waits for a [`Store::write_bulk`] to end, in this process or another.
    fn is_awaited(&self) -> bool {
        self.write_queue.is_awaited() || self.interprocess_lock.is_awaited()
    }

    fn transact<T, E: From<StoreError>>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let writer = lock(&self.writer);
        let value = self.watch.writing(|| {
            let transaction = begin(&writer, self.busy_timeout)?;
            let value = job(&transaction)?;
            transaction.commit().map_err(StoreError::from)?;
            Ok::<T, E>(value)
        })?;
        self.log.wrote();
        self.checkpointer.wrote(LOG_PAGES.with(Cell::get));
        Ok(value)
    }
}

/// A read-only transaction, until dropped. rusqlite's own compiles its statements each time.
struct ReadTransaction<'c>(&'c Connection);

impl ReadTransaction<'_> {
    fn begin(connection: &Connection) -> Result<ReadTransaction<'_>, StoreError> {
        connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(ReadTransaction(connection))
    }
}

impl Drop for ReadTransaction<'_> {
    fn drop(&mut self) {
        let ended = self.0.prepare_cached("ROLLBACK");
        if let Err(error) = ended.and_then(|mut statement| statement.execute([])) {
            tracing::error!(%error, "cannot end a read");
        }
    }
}

/// Creates the directory and the database if missing, and migrates an older one. The
/// file must live as long as the connections.
fn open_to_write(
    directory: &Path,
    path: &Path,
    settings: &StoreSettings,
) -> Result<(Connection, Option<File>), StoreError> {
    copy::check_owner(path)?;
    private::open(directory)
        .map_err(|e| StoreError::Io(format!("{}: {e}", directory.display())))?;
    let opening = generation::Opening::begin(path)?;
    let mut writer = connect(path, settings)?;
    schema::prepare(&mut writer, directory)?;
    let file = opening.end(&writer)?;
    Ok((writer, file))
}

fn connect(path: &Path, settings: &StoreSettings) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    configure_writer(&connection, settings)?;
    Ok(connection)
}

fn configure_writer(connection: &Connection, settings: &StoreSettings) -> Result<(), StoreError> {
    connection.busy_timeout(settings.busy_timeout)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -(i64::from(settings.cache_mib) * 1024))?;
    connection.pragma_update(None, "mmap_size", (settings.mmap_mib as i64) << 20)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

thread_local! {
    /// Pages in the log after this thread's last commit, from SQLite's hook.
    static LOG_PAGES: Cell<i32> = const { Cell::new(0) };
}

fn note_log_pages(_: &Wal, pages: std::ffi::c_int) -> rusqlite::Result<()> {
    LOG_PAGES.with(|cell| cell.set(pages));
    Ok(())
}

/// How often a writer checks whether another process has finished writing.
const ASK_AGAIN: Duration = Duration::from_micros(250);

/// Starts a write. While another process writes, it polls: SQLite's own waiting grows to
/// 100 ms per step and would starve beside an ingest, which leaves only short gaps.
fn begin(writer: &Connection, patience: Duration) -> Result<Transaction<'_>, StoreError> {
    let deadline = Instant::now() + patience;
    loop {
        let begun = Transaction::new_unchecked(writer, TransactionBehavior::Immediate);
        match begun.map_err(StoreError::from) {
            Err(StoreError::Busy) if Instant::now() < deadline => {
                std::thread::sleep(ASK_AGAIN);
            }
            other => return other,
        }
    }
}

/// A poisoned lock only means that another thread panicked; SQLite has rolled back its transaction.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_disk_rejects_writes_until_there_is_space() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), &StoreSettings::default()).unwrap();
        let allow = |pages: i64| {
            let writer = lock(&store.writer);
            writer.pragma_update(None, "max_page_count", pages).unwrap();
        };
        let fill = |key: &str| store.set_fact(key, &"x".repeat(1 << 20));
        allow(1);
        assert_eq!(fill("a"), Err(StoreError::Full));
        assert_eq!(store.condition().unwritable, Some(StoreError::Full));
        assert_eq!(store.fact("a").unwrap(), None, "nothing of it is there");
        assert_eq!(
            store.fact("database_id").unwrap().map(|id| id.len()),
            Some(32)
        );
        allow(1_000_000);
        store.recheck();
        assert_eq!(store.condition(), DatabaseCondition::default());
        fill("a").unwrap();
    }

    #[test]
    fn damage_found_by_a_read_is_reported() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), &StoreSettings::default()).unwrap();
        let read = store.read(|_| Err::<(), _>(corrupt().into()));
        assert!(matches!(read, Err(StoreError::Corrupt(_))));
        assert!(matches!(
            store.condition().damaged,
            Some(StoreError::Corrupt(_))
        ));
    }

    fn corrupt() -> rusqlite::Error {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        rusqlite::Error::SqliteFailure(code, None)
    }
}
