//! Copies of the database in a separate file.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::{FILE_NAME, Store, StoreError, generation};

impl Store {
    /// Copies the current state of the database to a new file, without blocking readers and
    /// writers. The copy is compact and readable only by its owner, since it contains all data of the
    /// database.
    pub fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            let kept = format!("{} already exists; name another file", to.display());
            return Err(StoreError::Conflict(kept));
        }
        let connection = Connection::open(self.directory().join(FILE_NAME))?;
        copy(&connection, to)
    }
}

/// Writes a compact copy to a temporary file and renames it when it is complete and on the disk.
pub(super) fn copy(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = to.with_file_name(name);
    remove(&partial)?;
    let copied = copy_whole(connection, &partial).and_then(|()| Ok(std::fs::rename(&partial, to)?));
    if copied.is_err() {
        // The first failure is more useful than one of the clean-up.
        let _ = remove(&partial);
    }
    copied
}

fn copy_whole(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    create_private(to)?;
    connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
    let mut file = OpenOptions::new().write(true).open(to)?;
    generation::renew(connection, &mut file)?;
    Ok(file.sync_all()?)
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Creates an empty file for the copy.
fn create_private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_backup_leaves_no_file() {
        let directory = tempfile::tempdir().unwrap();
        let connection = Connection::open_in_memory().unwrap();
        // SQLite cannot copy within a transaction.
        connection.execute_batch("BEGIN").unwrap();
        assert!(copy(&connection, &directory.path().join("b.db")).is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
