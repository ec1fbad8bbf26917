//! What can go wrong with the database, said so that the operator knows what to do.

use super::condition;

/// An error of the store. Cheap to clone, because one failed write can concern several callers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another process or a long write holds the database, or every connection is in use. The same
    /// call may succeed a moment later.
    #[error("the database is busy; try again in a moment")]
    Busy,
    /// What the caller assumed is no longer so.
    #[error("{0}")]
    Conflict(String),
    /// The file or a row in it cannot be read as what it should be.
    #[error("the database is damaged ({0}); restore the latest backup")]
    Corrupt(String),
    /// The database was written by a newer version of the program.
    #[error(
        "the database has schema version {found}, but this program knows only version {known}; \
         start the newer program again, or {way_back}"
    )]
    Newer {
        found: i64,
        known: i64,
        /// What else can be done.
        way_back: String,
    },
    /// The file is not what the directory says it should be. The sentence says what to do.
    #[error("{0}")]
    Unfit(String),
    /// The database was opened to be read alone.
    #[error("this is a copy that is only read; changes are made where it was copied from")]
    ReadOnly,
    /// There is no space left for what is to be written.
    #[error("the disk is full, so nothing can be stored; free some space")]
    Full,
    /// The file system refused: no permission, a failing disk.
    #[error("the database cannot be read or written: {0}")]
    Io(String),
    /// A statement or a value is wrong: a bug in this program.
    #[error("the database refused a statement: {0}")]
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
            // The log's index, which is a file too, could not grow.
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

impl From<r2d2::Error> for StoreError {
    /// The pool fails only by waiting too long for a connection.
    fn from(_: r2d2::Error) -> StoreError {
        StoreError::Busy
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
