//! The effects of a put and of a batch.

use super::works::WorkId;

/// The effect of a put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    New(WorkId),
    Changed(WorkId),
    Unchanged(WorkId),
}

impl Outcome {
    pub fn id(self) -> WorkId {
        match self {
            Outcome::New(id) | Outcome::Changed(id) | Outcome::Unchanged(id) => id,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PutCounts {
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub deleted: u64,
}

impl PutCounts {
    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::New(_) => self.new += 1,
            Outcome::Changed(_) => self.changed += 1,
            Outcome::Unchanged(_) => self.unchanged += 1,
        }
    }

    pub fn add(&mut self, other: PutCounts) {
        self.new += other.new;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        self.deleted += other.deleted;
    }
}
