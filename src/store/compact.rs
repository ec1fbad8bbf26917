//! Returns unused space to the disk.

use super::{Store, StoreError, lock};

impl Store {
    /// Rewrites the database without the space of deleted rows. The disk needs space for two copies. If
    /// interrupted, the database is unchanged.
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
