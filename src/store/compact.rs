//! Giving space back to the disk.

use super::{Store, StoreError, lock};

impl Store {
    /// Writes the database anew without the space that deleted rows left. The disk must have room for it twice. Where that
    /// ends early, the database is as it was.
    pub fn compact(&self) -> Result<(), StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly);
        }
        let writer = lock(&self.writer);
        writer.busy_timeout(self.busy_timeout)?;
        let compacted = writer
            .execute_batch("VACUUM")
            .and_then(|()| writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        writer.busy_timeout(std::time::Duration::ZERO)?;
        Ok(compacted?)
    }
}
