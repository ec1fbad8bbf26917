//! The pool of reading connections.

use std::ops::Deref;
use std::path::Path;

use r2d2::Pool;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::{Connection, OpenFlags};

use super::error::StoreError;
use super::{StoreSettings, copy};

pub(super) struct Readers(Pool<SqliteConnectionManager>);

impl Readers {
    pub fn open(path: &Path, settings: &StoreSettings) -> Result<Readers, StoreError> {
        let (mmap, busy) = (settings.mmap_mib, settings.busy_timeout);
        let manager = if settings.read_only {
            SqliteConnectionManager::file(copy::location(path)?).with_flags(copy::FLAGS)
        } else {
            SqliteConnectionManager::file(path)
                .with_flags(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        };
        let manager = manager.with_init(move |connection| {
            connection.busy_timeout(busy)?;
            connection.pragma_update(None, "query_only", true)?;
            connection.pragma_update(None, "mmap_size", (mmap as i64) << 20)?;
            connection.pragma_update(None, "cache_size", -4096)?;
            connection.set_prepared_statement_cache_capacity(128);
            Ok(())
        });
        let pool = Pool::builder()
            .max_size(settings.readers.max(1))
            .min_idle(Some(1))
            .test_on_check_out(false)
            .idle_timeout(None)
            .max_lifetime(None)
            .connection_timeout(settings.busy_timeout)
            .build(manager);
        Ok(Readers(pool.map_err(busy_error)?))
    }

    /// A connection, for which it waits if all are in use.
    pub fn get(&self) -> Result<impl Deref<Target = Connection> + use<>, StoreError> {
        self.0.get().map_err(busy_error)
    }

    /// Whether a connection is free now.
    pub fn is_one_idle(&self) -> bool {
        self.0.state().idle_connections > 0
    }
}

/// The pool only fails by waiting too long for a connection.
fn busy_error(_: r2d2::Error) -> StoreError {
    StoreError::Busy
}
