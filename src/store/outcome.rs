//! The effects of a put and of a batch.

use serde::Serialize;

use super::works::WorkId;

/// The effect of a put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOutcome {
    New(WorkId),
    Changed(WorkId),
    Unchanged(WorkId),
}

impl PutOutcome {
    pub fn id(self) -> WorkId {
        match self {
            PutOutcome::New(id) | PutOutcome::Changed(id) | PutOutcome::Unchanged(id) => id,
        }
    }
}

/// The changes of a batch that only added new works: one change per work, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewWorks {
    pub first_change: i64,
    pub last_change: i64,
    /// The stamp of the last change.
    pub last_stamp: i64,
}

/// Number of works by effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PutCounts {
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub deleted: u64,
    /// Notices of a list that are left out, since their articles have no DOI, in the list or here.
    pub unplaced_notices: u64,
}

impl PutCounts {
    pub fn count(&mut self, outcome: PutOutcome) {
        match outcome {
            PutOutcome::New(_) => self.new += 1,
            PutOutcome::Changed(_) => self.changed += 1,
            PutOutcome::Unchanged(_) => self.unchanged += 1,
        }
    }

    pub fn add(&mut self, other: PutCounts) {
        self.new += other.new;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        self.deleted += other.deleted;
        self.unplaced_notices += other.unplaced_notices;
    }
}
