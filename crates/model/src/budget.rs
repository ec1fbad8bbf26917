//! Limits the work and memory of one request. The edge creates a budget and the engines spend it.
//!
//! ```
//! use citation_model::budget::{Budget, Exceeded};
//!
//! let budget = Budget::new(1_000, 64 * 1024);
//! assert_eq!(budget.spend(600), Ok(()));
//! assert_eq!(budget.spend(600), Err(Exceeded::Steps { limit: 1_000 }));
//! // Spent steps stay spent, so an engine may run to its end and check once there.
//! assert_eq!(budget.check(), Err(Exceeded::Steps { limit: 1_000 }));
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What one request may still cost. Clones share the remainder.
///
/// A step is one unit of repeated work: an element evaluated, a token read, a pair compared. Bytes are
/// those of text that is joined or copied. Counting is approximate if clones spend on several threads at
/// once; use one [`Budget::branch`] per thread if that matters.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// For a branch, what it has been granted.
    max_steps: AtomicU64,
    max_bytes: AtomicU64,
    steps: AtomicU64,
    bytes: AtomicU64,
    /// Why work must stop: one of the constants below.
    exceeded: AtomicU8,
    /// The budget that this is a branch of.
    whole: Option<Budget>,
}

/// Steps, and bytes, granted to a branch at a time.
const GRANT: u64 = 4096;

const WITHIN: u8 = 0;
const STEPS: u8 = 1;
const BYTES: u8 = 2;
const CANCELLED: u8 = 3;

/// Why an engine stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exceeded {
    /// More steps than the limit.
    #[error("this takes more than {limit} steps of work")]
    Steps { limit: u64 },
    /// More bytes of text than the limit.
    #[error("this makes more than {limit} bytes of text")]
    Bytes { limit: u64 },
    /// The caller no longer waits for the result.
    #[error("the request was given up")]
    Cancelled,
}

impl Budget {
    /// A budget with limits for steps and bytes.
    pub fn new(max_steps: u64, max_bytes: u64) -> Budget {
        Budget::made(max_steps, max_bytes, None)
    }

    /// A part of the budget for another thread; it draws from the parent as needed. While branches exist,
    /// only they may spend. Cancelling the parent reaches a branch at its next draw.
    pub fn branch(&self) -> Budget {
        let whole = self.0.whole.as_ref().unwrap_or(self);
        Budget::made(0, 0, Some(whole.clone()))
    }

    fn made(max_steps: u64, max_bytes: u64, whole: Option<Budget>) -> Budget {
        Budget(Arc::new(Shared {
            max_steps: AtomicU64::new(max_steps),
            max_bytes: AtomicU64::new(max_bytes),
            steps: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            exceeded: AtomicU8::new(WITHIN),
            whole,
        }))
    }

    /// A budget without limits, for trusted input of the program's operator.
    pub fn unlimited() -> Budget {
        Budget::new(u64::MAX, u64::MAX)
    }

    /// Spends steps.
    #[inline]
    pub fn spend(&self, steps: u64) -> Result<(), Exceeded> {
        let spent = self.0.steps.load(Relaxed).saturating_add(steps);
        self.0.steps.store(spent, Relaxed);
        if spent > self.0.max_steps.load(Relaxed) {
            self.exceed(STEPS);
        }
        self.check()
    }

    /// Spends bytes of text.
    #[inline]
    pub fn spend_bytes(&self, bytes: usize) -> Result<(), Exceeded> {
        let spent = self.0.bytes.load(Relaxed).saturating_add(bytes as u64);
        self.0.bytes.store(spent, Relaxed);
        if spent > self.0.max_bytes.load(Relaxed) {
            self.exceed(BYTES);
        }
        self.check()
    }

    /// Fails if a limit is exceeded or the work was cancelled.
    #[inline]
    pub fn check(&self) -> Result<(), Exceeded> {
        match self.0.exceeded.load(Relaxed) {
            WITHIN => Ok(()),
            kind => Err(self.reason(kind)),
        }
    }

    /// Whether a limit was exceeded or the work was cancelled; for walks that cannot return an error.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.0.exceeded.load(Relaxed) != WITHIN
    }

    /// Makes every later check fail, because the result is no longer needed.
    pub fn cancel(&self) {
        self.0.exceeded.store(CANCELLED, Relaxed);
    }

    /// Steps spent so far.
    pub fn steps(&self) -> u64 {
        self.0.steps.load(Relaxed)
    }

    /// Records the first limit that is exceeded. A branch first draws more from its parent.
    #[cold]
    fn exceed(&self, kind: u8) {
        let kind = match &self.0.whole {
            Some(whole) => match self.0.grant(whole, kind) {
                WITHIN => return,
                exceeded => exceeded,
            },
            None => kind,
        };
        let _ = (self.0.exceeded).compare_exchange(WITHIN, kind, Relaxed, Relaxed);
    }

    #[cold]
    fn reason(&self, kind: u8) -> Exceeded {
        if let Some(whole) = &self.0.whole {
            return whole.reason(kind);
        }
        match kind {
            STEPS => Exceeded::Steps {
                limit: self.0.max_steps.load(Relaxed),
            },
            BYTES => Exceeded::Bytes {
                limit: self.0.max_bytes.load(Relaxed),
            },
            _ => Exceeded::Cancelled,
        }
    }
}

impl Shared {
    /// The counter of one kind: spent and limit.
    fn counts(&self, kind: u8) -> (&AtomicU64, &AtomicU64) {
        match kind {
            BYTES => (&self.bytes, &self.max_bytes),
            _ => (&self.steps, &self.max_steps),
        }
    }

    /// Draws from the parent, and reports a limit exceeded there.
    fn grant(&self, whole: &Budget, kind: u8) -> u8 {
        let (spent, most) = self.counts(kind);
        let (taken, limit) = whole.0.counts(kind);
        let lacks = spent.load(Relaxed).saturating_sub(most.load(Relaxed));
        let add = |more: u64| {
            let update = |taken: u64| {
                taken
                    .checked_add(more)
                    .filter(|sum| *sum <= limit.load(Relaxed))
            };
            taken.fetch_update(Relaxed, Relaxed, update).is_ok()
        };
        let more = lacks.saturating_add(GRANT);
        // Near its end, the parent grants only what is needed.
        let granted = [more, lacks].into_iter().find(|more| add(*more));
        match granted {
            Some(more) => {
                most.fetch_add(more, Relaxed);
            }
            None => whole.exceed(kind),
        }
        whole.0.exceeded.load(Relaxed)
    }
}

impl Drop for Shared {
    /// A branch returns its unspent grant.
    fn drop(&mut self) {
        let Some(whole) = &self.whole else { return };
        for kind in [STEPS, BYTES] {
            let (spent, most) = self.counts(kind);
            let left = most.load(Relaxed).saturating_sub(spent.load(Relaxed));
            whole.0.counts(kind).0.fetch_sub(left, Relaxed);
        }
    }
}

/// Whether a text has more than this many characters. Counting stops at the limit.
pub fn is_longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().nth(most).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_what_is_left() {
        let budget = Budget::new(10, 10);
        let clone = budget.clone();
        assert_eq!(clone.spend(10), Ok(()));
        assert_eq!(budget.spend(1), Err(Exceeded::Steps { limit: 10 }));
        assert!(clone.is_spent());
    }

    #[test]
    fn the_first_limit_is_named() {
        let budget = Budget::new(10, 10);
        assert_eq!(budget.spend_bytes(11), Err(Exceeded::Bytes { limit: 10 }));
        assert_eq!(budget.spend(11), Err(Exceeded::Bytes { limit: 10 }));
    }

    #[test]
    fn branches_spend_of_the_whole() {
        let budget = Budget::new(20_000, 20_000);
        let branches = [budget.branch(), budget.branch()];
        for branch in &branches {
            assert_eq!(branch.spend(5_000), Ok(()));
        }
        let limit = Err(Exceeded::Steps { limit: 20_000 });
        assert_eq!(branches[0].spend(10_001), limit);
        assert_eq!(budget.check(), limit);
        let budget = Budget::new(10_000, 10_000);
        assert_eq!(budget.branch().spend_bytes(10_000), Ok(()));
        assert_eq!(budget.spend_bytes(0), Ok(()));
        let branch = budget.branch();
        assert_eq!(branch.spend(10), Ok(()));
        budget.cancel();
        assert_eq!(branch.spend(GRANT + 1), Err(Exceeded::Cancelled));
        drop(branch);
        assert_eq!(budget.steps(), GRANT + 11);
    }

    #[test]
    fn cancelled_work_stops_at_the_next_check() {
        let budget = Budget::unlimited();
        assert_eq!(budget.spend(u64::MAX), Ok(()));
        budget.clone().cancel();
        assert_eq!(budget.spend(1), Err(Exceeded::Cancelled));
    }
}
