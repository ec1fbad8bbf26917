//! The fingerprints of the records of ingested files, in the order of the file: what a newer file at the same
//! place has in common with the last one need not be read again.

use rusqlite::params;

use super::batch::Batch;
use super::{Store, StoreError};

/// Number of fingerprints in a part; the last one of a file is smaller.
pub const PART: usize = 8_192;

impl Store {
    /// The newest finished ingest of a file at a path.
    pub fn last_ingest_of(&self, path: &str) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT id FROM ingests WHERE path = ?1 AND finished_at IS NOT NULL
                   ORDER BY finished_at DESC, id DESC LIMIT 1";
        self.value(sql, [path])
    }

    /// A part of the fingerprints of an ingest, counted from 0; empty if there is none.
    pub fn fingerprints(&self, ingest: i64, part: i64) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT fingerprints FROM ingest_fingerprints WHERE ingest = ?1 AND part = ?2";
        let bytes: Option<Vec<u8>> = self.value(sql, [ingest, part])?;
        let bytes = bytes.unwrap_or_default();
        let words = bytes
            .chunks_exact(8)
            .filter_map(|word| word.try_into().ok());
        Ok(words.map(u64::from_le_bytes).collect())
    }
}

impl Batch<'_, '_> {
    /// Adds a part to the fingerprints of an ingest.
    pub fn add_fingerprints(&self, ingest: i64, part: &[u64]) -> Result<(), StoreError> {
        let bytes: Vec<u8> = part.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.transaction
            .prepare_cached(
                "INSERT INTO ingest_fingerprints (ingest, part, fingerprints) VALUES
                     (?1, (SELECT count(*) FROM ingest_fingerprints WHERE ingest = ?1), ?2)",
            )?
            .execute(params![ingest, bytes])?;
        Ok(())
    }

    /// Deletes the fingerprints of earlier files at the place of a finished one.
    pub fn drop_earlier_fingerprints(&self, ingest: i64) -> Result<(), StoreError> {
        self.transaction.execute(
            "DELETE FROM ingest_fingerprints WHERE ingest IN
                 (SELECT id FROM ingests WHERE id <> ?1
                      AND path = (SELECT path FROM ingests WHERE id = ?1))",
            [ingest],
        )?;
        Ok(())
    }

    /// Counts records that an earlier file had too.
    pub fn note_unchanged(&mut self, records: u64) {
        self.counts.unchanged += records;
    }
}
