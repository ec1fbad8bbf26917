//! Detects damage early: runs SQLite's own check, table by table, users' data
//! first, for a limited time.

use std::time::Instant;

use rusqlite::{Connection, OpenFlags};

use super::{FILE_NAME, Store, StoreError, query};

/// Tables of the corpus, which can be fetched again: the largest, and checked last.
const CORPUS: &str =
    "'works', 'records', 'identifiers', 'updates', 'changes', 'misses', 'journals'";

/// Steps of SQLite's virtual machine between two checks of the time.
const STEPS: i32 = 10_000;

impl Store {
    /// Checks the tables until a deadline. Damage is recorded in [`Store::condition`].
    pub fn check(&self, until: Instant) -> Result<(), StoreError> {
        self.watch.reading(|| {
            let connection = Connection::open_with_flags(
                self.directory.join(FILE_NAME),
                OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )?;
            connection.pragma_update(None, "query_only", true)?;
            connection.progress_handler(STEPS, Some(move || Instant::now() >= until))?;
            for table in tables(&connection)? {
                if let Some(damage) = check_table(&connection, &table, until)? {
                    let damage = format!("{table}: {damage}");
                    self.watch.found_damaged(StoreError::Corrupt(damage));
                }
            }
            Ok(())
        })
    }
}

fn tables(connection: &Connection) -> Result<Vec<String>, StoreError> {
    query::all(
        connection,
        &format!(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
         ORDER BY name IN ({CORPUS}), rowid"
        ),
        [],
        |row| Ok(row.get(0)?),
    )
}

/// The first error of a table and its indexes; `None` also if time ran out.
fn check_table(
    connection: &Connection,
    table: &str,
    until: Instant,
) -> Result<Option<String>, StoreError> {
    let sql = format!("PRAGMA quick_check('{table}')");
    let found: Result<String, _> = connection.query_row(&sql, [], |row| row.get(0));
    match found {
        Ok(found) => Ok((found != "ok").then_some(found)),
        Err(_) if Instant::now() >= until => Ok(None),
        Err(error) => Err(error.into()),
    }
}
