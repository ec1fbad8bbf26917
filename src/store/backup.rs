//! Copies of the database in a file of their own.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::{FILE_NAME, Store, StoreError};

impl Store {
    /// Copies the database, as it is now, to a file that is not there yet; readers and writers go
    /// on. The copy is compact, and only its owner may read it, since it holds what the database
    /// holds.
    pub fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            let kept = format!("{} is there already; name another file", to.display());
            return Err(StoreError::Conflict(kept));
        }
        let connection = Connection::open(self.directory().join(FILE_NAME))?;
        copy(&connection, to)
    }
}

/// Writes a compact copy beside its place and moves it there once it is whole and on the disk.
pub(super) fn copy(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = to.with_file_name(name);
    match std::fs::remove_file(&partial) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    create_private(&partial)?;
    connection.execute("VACUUM INTO ?1", [partial.to_string_lossy()])?;
    File::open(&partial)?.sync_all()?;
    Ok(std::fs::rename(&partial, to)?)
}

/// Makes an empty file, which is what the copy may be written into.
fn create_private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}
