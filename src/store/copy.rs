//! A read-only copy of a database, without concurrent writers, so that SQLite creates no further files.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use url::Url;

use super::{StoreError, schema};

pub const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY
    .union(OpenFlags::SQLITE_OPEN_URI)
    .union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// The file's URI, which says that the file is immutable.
pub fn location(path: &Path) -> Result<String, StoreError> {
    let unfit = || StoreError::Unfit(format!("{} is not a file path", path.display()));
    let whole = std::path::absolute(path)?;
    let url = Url::from_file_path(whole).map_err(|()| unfit())?;
    Ok(format!("{url}?immutable=1"))
}

/// Rejects a file of another program without creating or changing any. What cannot be read is for the
/// opening itself to report.
pub fn check_owner(path: &Path) -> Result<(), StoreError> {
    if !path.exists() {
        return Ok(());
    }
    match Connection::open_with_flags(location(path)?, FLAGS) {
        Ok(connection) => match schema::check_owner(&connection, path) {
            Err(StoreError::Unfit(fault)) => Err(StoreError::Unfit(fault)),
            _ => Ok(()),
        },
        Err(_) => Ok(()),
    }
}

/// Opens a copy. Fails if the copy lacks changes, or needs a
/// migration.
pub fn open(path: &Path) -> Result<Connection, StoreError> {
    let unfit = |problem: &str| StoreError::Unfit(format!("{} {problem}", path.display()));
    if !path.exists() {
        return Err(unfit(
            "is missing, and a read-only server creates no database",
        ));
    }
    let log = path.with_file_name(format!("{}-wal", super::FILE_NAME));
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        return Err(unfit(
            "is in use, or was copied while in use, and lacks its last changes; `citation backup` \
             makes a complete copy",
        ));
    }
    let connection = Connection::open_with_flags(location(path)?, FLAGS)?;
    schema::check_owner(&connection, path)?;
    let (found, known) = (schema::version(&connection)?, schema::KNOWN);
    match found {
        _ if found == known => Ok(connection),
        _ if found > known => Err(StoreError::Newer {
            found,
            known,
            hint: "copy the data of a server with this version".to_owned(),
        }),
        _ => Err(unfit(
            "was made by an older version; `citation corpus stats` with this version migrates it",
        )),
    }
}
