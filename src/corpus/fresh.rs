//! Hands the works that an ingest has just written to the indexer of the same process, which saves
//! reading them from the database. Optional: works that are not handed over are found by the indexer
//! in the sequence of changes.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::index::IndexText;
use crate::store::outcome::NewWorks;
use crate::store::works::WorkId;

/// Maximum number of queued batches. Each is one transaction.
const MAX_LENGTH: usize = 16;

/// How long an ingest waits for the indexer before it leaves a batch to the database.
const PATIENCE: Duration = Duration::from_millis(500);

/// The new works of one transaction, which made all of its changes.
pub struct CommittedBatch {
    pub changes: NewWorks,
    pub works: Vec<(WorkId, IndexText)>,
}

#[derive(Default)]
pub struct Fresh {
    state: Mutex<FreshState>,
    taken: Condvar,
}

#[derive(Default)]
struct FreshState {
    /// Number of indexers that take batches: 0 or 1.
    takers: usize,
    batches: VecDeque<CommittedBatch>,
}

impl Fresh {
    /// Registers an indexer.
    pub fn begin(&self) {
        self.state().takers += 1;
    }

    /// Unregisters it; queued batches are left to the database.
    pub fn end(&self) {
        let mut state = self.state();
        state.takers = state.takers.saturating_sub(1);
        state.batches.clear();
        self.taken.notify_all();
    }

    /// Whether an indexer takes batches: otherwise there is no use in building them.
    pub fn is_wanted(&self) -> bool {
        self.state().takers > 0
    }

    /// Queues a batch; waits for some time if the indexer is behind.
    pub fn offer(&self, batch: CommittedBatch) {
        let state = self.state();
        let full = |state: &mut FreshState| state.takers > 0 && state.batches.len() >= MAX_LENGTH;
        let (mut state, _) = self
            .taken
            .wait_timeout_while(state, PATIENCE, full)
            .unwrap_or_else(PoisonError::into_inner);
        if state.takers > 0 && state.batches.len() < MAX_LENGTH {
            state.batches.push_back(batch);
        }
    }

    /// The batch that follows a change. Otherwise the change before the next queued batch, if
    /// there is one.
    pub fn take_after(&self, seq: i64) -> Result<CommittedBatch, Option<i64>> {
        let mut state = self.state();
        while let Some(first) = state.batches.front().map(|s| s.changes.first_change) {
            if first > seq + 1 {
                return Err(Some(first));
            }
            let batch = state.batches.pop_front();
            self.taken.notify_all();
            match batch {
                Some(batch) if first == seq + 1 => return Ok(batch),
                // It has been read from the database meanwhile.
                _ => {}
            }
        }
        Err(None)
    }

    fn state(&self) -> MutexGuard<'_, FreshState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(first: i64, last: i64) -> CommittedBatch {
        CommittedBatch {
            changes: NewWorks {
                first_change: first,
                last_change: last,
                last_stamp: 0,
            },
            works: Vec::new(),
        }
    }

    #[test]
    fn batches_are_accepted_only_in_sequence() {
        let fresh = Fresh::default();
        fresh.offer(batch(1, 2));
        assert_eq!(fresh.take_after(0).err(), Some(None), "nobody wanted it");
        fresh.begin();
        fresh.offer(batch(1, 2));
        fresh.offer(batch(3, 5));
        fresh.offer(batch(8, 9));
        assert_eq!(
            fresh.take_after(2).map(|s| s.changes.last_change).ok(),
            Some(5)
        );
        assert_eq!(fresh.take_after(5).err(), Some(Some(8)));
        assert_eq!(fresh.take_after(8).err(), Some(None), "too late for it");
        fresh.end();
        assert!(!fresh.is_wanted());
    }
}
