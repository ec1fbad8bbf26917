//! Replaces the database with a backup, with nothing else open on it.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::{FILE_NAME, StoreError, backup, private, schema};

/// The result of a restore.
#[derive(Debug)]
pub struct Restored {
    /// The folder of the former database; `None` if there was none.
    pub kept: Option<PathBuf>,
    pub works: i64,
    pub accounts: i64,
}

/// The files that belong to a database. The index is derived, and rebuilt if it does not
/// match.
const BESIDE: [&str; 5] = [
    "citation.db",
    "citation.db-wal",
    "citation.db-shm",
    "citation.db-generation",
    "usage",
];

/// Checks a backup and moves it into the data directory. The former files are kept in a folder that ends
/// in `stamp`. The caller ensures that nobody has the database open.
///
/// Fails, with nothing changed, if the backup is damaged, not a database of this program, or of a
/// newer version.
pub fn restore(backup: &Path, directory: &Path, stamp: &str) -> Result<Restored, StoreError> {
    let (works, accounts) = check(backup)?;
    private::open(directory)
        .map_err(|e| StoreError::Io(format!("{}: {e}", directory.display())))?;
    // The copy is complete and on the disk before anything is moved.
    let incoming = directory.join("citation.db.restored");
    if incoming.exists() {
        std::fs::remove_file(&incoming)?;
    }
    backup::copy(&open(backup)?, &incoming)?;
    let kept = directory.join(format!("before-restore-{stamp}"));
    let mut has_moved = false;
    for name in BESIDE {
        let path = directory.join(name);
        if path.exists() {
            std::fs::create_dir_all(&kept)?;
            std::fs::rename(&path, kept.join(name))?;
            has_moved = true;
        }
    }
    std::fs::rename(&incoming, directory.join(FILE_NAME))?;
    Ok(Restored {
        kept: has_moved.then_some(kept),
        works,
        accounts,
    })
}

/// Checks the whole file, and counts its works and accounts.
pub fn check(backup: &Path) -> Result<(i64, i64), StoreError> {
    let unfit = |problem: &str| StoreError::Unfit(format!("{} {problem}", backup.display()));
    let connection = open(backup).map_err(|_| unfit("cannot be opened as a database"))?;
    let version = schema::version(&connection).map_err(|_| unfit("is not a database"))?;
    schema::check_owner(&connection, backup)?;
    if version > schema::KNOWN {
        let known = schema::KNOWN;
        return Err(StoreError::Newer {
            found: version,
            known,
            hint: "restore a backup from this version".to_owned(),
        });
    }
    let count = |table: &str| {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get(0))
    };
    let (Ok(works), Ok(accounts)) = (count("works"), count("users")) else {
        return Err(unfit("is a database, but not of this program, or damaged"));
    };
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match found.as_str() {
        "ok" => Ok((works, accounts)),
        damage => Err(unfit(&format!("is damaged: {damage}"))),
    }
}

fn open(backup: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(backup, flags)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Store, StoreSettings};

    fn new_store(directory: &Path) -> Store {
        Store::open(directory, &StoreSettings::default()).unwrap()
    }

    #[test]
    fn restore_keeps_the_previous_file() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new, file) = (
            folder.path().join("a"),
            folder.path().join("b"),
            folder.path().join("x.db"),
        );
        let store = new_store(&old);
        let id = store.database_id().unwrap();
        store.back_up(&file).unwrap();
        drop(store);
        drop(new_store(&new));
        let restored = restore(&file, &new, "1").unwrap();
        let kept = restored.kept.unwrap();
        assert!(kept.join(FILE_NAME).exists());
        assert_eq!(new_store(&new).database_id().unwrap(), id);
        // An empty folder has nothing to keep.
        let empty = folder.path().join("c");
        assert!(restore(&file, &empty, "1").unwrap().kept.is_none());
    }

    #[test]
    fn restore_rejects_a_broken_backup_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("data");
        let store = new_store(&directory);
        let id = store.database_id().unwrap();
        let file = folder.path().join("x.db");
        store.back_up(&file).unwrap();
        drop(store);
        let refused = |path: &Path, part: &str| {
            let problem = restore(path, &directory, "1").unwrap_err().to_string();
            assert!(problem.contains(part), "{problem}");
            assert_eq!(new_store(&directory).database_id().unwrap(), id);
        };
        let text = folder.path().join("text.db");
        std::fs::write(&text, "not a database at all, but long enough to look at").unwrap();
        refused(&text, "is not a database");
        refused(&folder.path().join("absent.db"), "cannot be opened");
        let foreign = folder.path().join("foreign.db");
        Connection::open(&foreign)
            .unwrap()
            .execute_batch("CREATE TABLE t (x)")
            .unwrap();
        refused(&foreign, "of another program");
        let newer = folder.path().join("newer.db");
        std::fs::copy(&file, &newer).unwrap();
        Connection::open(&newer)
            .unwrap()
            .pragma_update(None, "user_version", schema::KNOWN + 1)
            .unwrap();
        refused(&newer, "newer program");
        let mut bytes = std::fs::read(&file).unwrap();
        for byte in bytes.iter_mut().skip(4096).step_by(7) {
            *byte ^= 0x5a;
        }
        let damaged = folder.path().join("damaged.db");
        std::fs::write(&damaged, bytes).unwrap();
        refused(&damaged, "damaged");
    }
}
