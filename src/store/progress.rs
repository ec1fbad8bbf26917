//! The progress of ingesting a file. Saved in the same transaction as the records, so that a
//! killed ingest resumes exactly where it stopped.

use rusqlite::{Connection, params};

use super::batch::Batch;
use super::{Store, StoreError, query};

/// The identity of a file. A copy or a move that keeps size and time is the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileKey {
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified_at: i64,
    /// A hash of the first and the last bytes.
    pub fingerprint: i64,
}

/// The position reached in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The row of this file.
    pub id: i64,
    pub format: String,
    /// The member of the archive with the next record, from 0; 0 without an archive.
    pub member: u64,
    /// Where the next record starts in the unpacked member, in bytes.
    pub offset: u64,
    /// Records read so far, including rejected ones.
    pub records: u64,
    pub rejected: u64,
    /// Length of the rejects file at this point, in bytes.
    pub rejects_size: u64,
    /// Unix seconds; set when the whole file was read.
    pub finished_at: Option<i64>,
}

impl Store {
    /// The progress of a file; an unknown file is added with the given format.
    pub fn begin_ingest(
        &self,
        path: &str,
        key: &FileKey,
        format: &str,
    ) -> Result<Progress, StoreError> {
        self.write_bulk(|transaction| {
            transaction.execute(
                "INSERT OR IGNORE INTO ingests (path, size, modified_at, fingerprint, format)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![
                    path,
                    key.size as i64,
                    key.modified_at,
                    key.fingerprint,
                    format
                ],
            )?;
            let progress = find_progress(transaction, key)?;
            progress.ok_or_else(|| StoreError::Internal(format!("no progress of {path}")))
        })
    }

    /// The progress of a file, without adding it.
    pub fn ingest_progress(&self, key: &FileKey) -> Result<Option<Progress>, StoreError> {
        self.read(|connection| find_progress(connection, key))
    }

    /// Deletes the progress of a file, so that it is read again.
    pub fn forget_ingest(&self, key: &FileKey) -> Result<(), StoreError> {
        self.write_bulk(|transaction| {
            transaction.execute(
                "DELETE FROM ingests WHERE size = ?1 AND modified_at = ?2 AND fingerprint = ?3",
                params![key.size as i64, key.modified_at, key.fingerprint],
            )?;
            Ok(())
        })
    }

    /// When the last file was finished: Unix seconds.
    pub fn last_ingest(&self) -> Result<Option<i64>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT max(finished_at) FROM ingests";
            Ok(connection.query_row(sql, [], |row| row.get(0))?)
        })
    }
}

impl Batch<'_, '_> {
    /// Saves the progress of a file with the batch.
    pub fn save_progress(&self, progress: &Progress) -> Result<(), StoreError> {
        self.transaction
            .prepare_cached(
                "UPDATE ingests SET member = ?2, offset = ?3, records = ?4, rejected = ?5,
                        rejects_size = ?6, finished_at = ?7, format = ?8
                 WHERE id = ?1",
            )?
            .execute(params![
                progress.id,
                progress.member as i64,
                progress.offset as i64,
                progress.records as i64,
                progress.rejected as i64,
                progress.rejects_size as i64,
                progress.finished_at,
                progress.format,
            ])?;
        Ok(())
    }
}

fn find_progress(connection: &Connection, key: &FileKey) -> Result<Option<Progress>, StoreError> {
    let sql = "SELECT id, format, member, offset, records, rejected, rejects_size, finished_at
         FROM ingests WHERE size = ?1 AND modified_at = ?2 AND fingerprint = ?3";
    let parameters = params![key.size as i64, key.modified_at, key.fingerprint];
    query::first(connection, sql, parameters, read_progress)
}

fn read_progress(row: &rusqlite::Row<'_>) -> Result<Progress, StoreError> {
    let unsigned =
        |column: usize| -> rusqlite::Result<u64> { Ok(row.get::<_, i64>(column)?.max(0) as u64) };
    Ok(Progress {
        id: row.get(0)?,
        format: row.get(1)?,
        member: unsigned(2)?,
        offset: unsigned(3)?,
        records: unsigned(4)?,
        rejected: unsigned(5)?,
        rejects_size: unsigned(6)?,
        finished_at: row.get(7)?,
    })
}
