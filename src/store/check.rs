//! Looking for damage before somebody meets it: SQLite's own check, table by table, what users keep
//! first, for as long as it may take.

use std::time::Instant;

use rusqlite::{Connection, OpenFlags};

use super::{FILE_NAME, Store, StoreError};

/// Tables of the corpus, which can be fetched again: the largest, and looked at last.
const CORPUS: &str =
    "'works', 'records', 'identifiers', 'updates', 'changes', 'misses', 'journals'";

/// Steps of SQLite's machine between two looks at the time.
const STEPS: i32 = 10_000;

impl Store {
    /// Checks the tables until a moment. What is damaged is in [`Store::condition`] from then on.
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
    let mut statement = connection.prepare(&format!(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
         ORDER BY name IN ({CORPUS}), rowid"
    ))?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// The first thing wrong with a table and its indexes; nothing where time ran out.
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
