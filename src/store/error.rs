//! Errors of the database, with advice for the operator.

use super::condition;

/// An error of the store. Cheap to clone, because one failed write can affect several callers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another process or a long write holds the database, or every connection is in use. A
    /// retry may succeed.
    #[error("the database is busy; try again in a moment")]
    Busy,
    /// The caller's precondition no longer holds.
    #[error("{0}")]
    Conflict(String),
    /// The file or a row cannot be read as expected.
    #[error("the database is damaged ({0}); restore the latest backup")]
    Corrupt(String),
    /// The database was written by a newer version of the program.
    #[error(
        "the database has schema version {found}, but this program knows only version {known}; \
         start the newer program again, or {hint}"
    )]
    Newer {
        found: i64,
        known: i64,
        /// The alternative for the operator.
        hint: String,
    },
    /// The file is not the expected one. The message says what to do.
    #[error("{0}")]
    Unfit(String),
    /// The database was opened read-only.
    #[error("this is a read-only copy; make changes on the original server")]
    ReadOnly,
    /// No disk space left for a write.
    #[error("the disk is full; free some space")]
    Full,
    /// A file system error: missing permission, a failing disk.
    #[error("cannot read or write the database: {0}")]
    Io(String),
    /// An invalid statement or value: a bug in this program.
    #[error("the database rejected a statement: {0}")]
    Internal(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        use rusqlite::ErrorCode::*;
        let text = error.to_string();
        let extended = error.sqlite_error().map(|error| error.extended_code);
        let error = match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => StoreError::Busy,
            Some(DiskFull) => StoreError::Full,
            // The log's index, which is also a file, could not grow.
            _ if extended == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => StoreError::Full,
            Some(DatabaseCorrupt | NotADatabase) => StoreError::Corrupt(text),
            Some(ConstraintViolation) => StoreError::Conflict(text),
            Some(
                SystemIoFailure | CannotOpen | ReadOnly | PermissionDenied | NoLargeFileSupport,
            ) => StoreError::Io(text),
            _ => StoreError::Internal(text),
        };
        condition::note(&error);
        error
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> StoreError {
        use std::io::ErrorKind::*;
        let error = match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => StoreError::Full,
            _ => StoreError::Io(error.to_string()),
        };
        condition::note(&error);
        error
    }
}
