//! A temporary database on disk for joining dumps that exceed the memory: small values
//! by table and number. It is useless after the join, so it is never made durable.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, params};

use super::{StoreError, query};

/// The join being filled.
pub struct JoinWriter {
    connection: Connection,
}

/// A value to look up later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinValue {
    /// The kind of value: numbers are unique within it.
    pub table: JoinTable,
    pub number: i64,
    /// Of two values with one number the one with the higher revision is kept.
    pub revision: u32,
    pub value: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinTable {
    Authors,
    Works,
}

impl JoinTable {
    fn name(self) -> &'static str {
        match self {
            JoinTable::Authors => "authors",
            JoinTable::Works => "works",
        }
    }
}

/// Marks in `user_version` that the join is complete.
const COMPLETE: i64 = 1;

impl JoinWriter {
    /// Starts an empty join, replacing an existing one.
    pub fn create(path: &Path) -> Result<JoinWriter, StoreError> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA cache_size = -65536;
             PRAGMA locking_mode = exclusive;
             CREATE TABLE authors (id INTEGER PRIMARY KEY, revision INTEGER, value BLOB) STRICT;
             CREATE TABLE works (id INTEGER PRIMARY KEY, revision INTEGER, value BLOB) STRICT;
             BEGIN",
        )?;
        Ok(JoinWriter { connection })
    }

    pub fn put(&self, value: &JoinValue) -> Result<(), StoreError> {
        let table = value.table.name();
        let sql = format!(
            "INSERT INTO {table} (id, revision, value) VALUES (?1, ?2, ?3)
             ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, value = excluded.value
             WHERE excluded.revision >= revision"
        );
        let parameters = params![value.number, value.revision, value.value];
        query::execute(&self.connection, &sql, parameters).map(drop)
    }

    /// Completes the join; only then can it be read.
    pub fn finish(self) -> Result<(), StoreError> {
        self.connection.execute_batch("COMMIT")?;
        self.connection
            .pragma_update(None, "user_version", COMPLETE)?;
        Ok(())
    }
}

/// A complete join.
pub struct JoinReader {
    connection: Connection,
}

impl JoinReader {
    /// Opens a join; `None` if it is missing or incomplete.
    pub fn open(path: &Path) -> Result<Option<JoinReader>, StoreError> {
        if !path.exists() {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.pragma_update(None, "mmap_size", 32_i64 << 30)?;
        connection.pragma_update(None, "cache_size", -4096)?;
        let state = connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0));
        Ok((state.ok() == Some(COMPLETE)).then_some(JoinReader { connection }))
    }

    pub fn get(&self, table: JoinTable, number: i64) -> Result<Option<Vec<u8>>, StoreError> {
        let table = table.name();
        let sql = format!("SELECT value FROM {table} WHERE id = ?1");
        query::value(&self.connection, &sql, [number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_reads_complete_files_and_keeps_the_highest_revision() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("join.db");
        assert!(JoinReader::open(&path).unwrap().is_none());
        let writer = JoinWriter::create(&path).unwrap();
        for (revision, value) in [(2, "new"), (1, "old")] {
            let value = JoinValue {
                table: JoinTable::Works,
                number: 7,
                revision,
                value: value.into(),
            };
            writer.put(&value).unwrap();
        }
        drop(writer);
        assert!(JoinReader::open(&path).unwrap().is_none());

        let writer = JoinWriter::create(&path).unwrap();
        let value = JoinValue {
            table: JoinTable::Authors,
            number: 7,
            revision: 1,
            value: b"Jane".to_vec(),
        };
        writer.put(&value).unwrap();
        writer.finish().unwrap();
        let reader = JoinReader::open(&path).unwrap().unwrap();
        assert_eq!(reader.get(JoinTable::Authors, 7).unwrap().unwrap(), b"Jane");
        assert_eq!(reader.get(JoinTable::Works, 7).unwrap(), None);
    }
}
