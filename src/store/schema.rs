//! The schema and its history: creates a new database, migrates an older one after a backup,
//! refuses a newer one.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::backup;
use super::error::StoreError;

/// Creates an empty database at the first version.
const SCHEMA: &str = include_str!("../../schema.sql");

/// The version that `schema.sql` creates.
const FIRST: i64 = 1;

/// What later versions changed, in order; the first leads from version 1 to 2. Only ever append:
/// a migration that was released is never edited.
const MIGRATIONS: &[&str] = &[];

/// The version that this program works with.
pub const KNOWN: i64 = FIRST + MIGRATIONS.len() as i64;

/// Brings the database to [`KNOWN`]. An older one is first copied to `backups/` beside it. Two
/// processes may call this at once: the second waits and finds the work done.
pub fn prepare(connection: &mut Connection, directory: &Path) -> Result<(), StoreError> {
    prepare_with(connection, directory, MIGRATIONS)
}

fn prepare_with(
    connection: &mut Connection,
    directory: &Path,
    migrations: &[&str],
) -> Result<(), StoreError> {
    let known = FIRST + migrations.len() as i64;
    let found = version(connection)?;
    if found == known {
        return Ok(());
    }
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    if found > 0 {
        back_up(connection, directory, found)?;
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut at = version(&transaction)?;
    if at == 0 {
        transaction.execute_batch(SCHEMA)?;
        transaction.execute(
            "INSERT INTO meta (key, value) VALUES ('database_id', lower(hex(randomblob(16))))",
            [],
        )?;
        at = FIRST;
    }
    for migration in migrations.iter().skip((at - FIRST).max(0) as usize) {
        transaction.execute_batch(migration)?;
        at += 1;
    }
    transaction.pragma_update(None, "user_version", at)?;
    transaction.commit()?;
    Ok(())
}

pub fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Writes a compact copy to `backups/citation-vN.db`; an older copy of that name is replaced.
fn back_up(connection: &Connection, directory: &Path, version: i64) -> Result<(), StoreError> {
    let backups = directory.join("backups");
    std::fs::create_dir_all(&backups)?;
    let path = backups.join(format!("citation-v{version}.db"));
    backup::copy(connection, &path)?;
    tracing::info!(path = %path.display(), "database backed up before its migration");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(directory: &Path) -> Connection {
        Connection::open(directory.join("citation.db")).unwrap()
    }

    #[test]
    fn a_new_database_is_at_the_known_version() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = open(directory.path());
        prepare(&mut connection, directory.path()).unwrap();
        assert_eq!(version(&connection).unwrap(), KNOWN);
        prepare(&mut connection, directory.path()).unwrap();
        assert!(!directory.path().join("backups").exists());
    }

    #[test]
    fn a_migration_runs_once_and_after_a_backup() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = open(directory.path());
        prepare(&mut connection, directory.path()).unwrap();
        let more = [
            "CREATE TABLE extra (a INTEGER) STRICT",
            "INSERT INTO extra VALUES (7)",
        ];
        prepare_with(&mut connection, directory.path(), &more).unwrap();
        prepare_with(&mut connection, directory.path(), &more).unwrap();
        let rows: i64 = connection
            .query_row("SELECT count(*) FROM extra", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
        let backup = directory.path().join("backups/citation-v1.db");
        assert_eq!(version(&Connection::open(backup).unwrap()).unwrap(), 1);
    }

    #[test]
    fn a_failed_migration_leaves_the_old_version() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = open(directory.path());
        prepare(&mut connection, directory.path()).unwrap();
        let bad = ["CREATE TABLE extra (a INTEGER) STRICT", "NONSENSE"];
        assert!(prepare_with(&mut connection, directory.path(), &bad).is_err());
        assert_eq!(version(&connection).unwrap(), 1);
    }

    #[test]
    fn a_newer_database_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = open(directory.path());
        connection.pragma_update(None, "user_version", 99).unwrap();
        assert_eq!(
            prepare(&mut connection, directory.path()),
            Err(StoreError::Newer {
                found: 99,
                known: KNOWN
            })
        );
    }
}
