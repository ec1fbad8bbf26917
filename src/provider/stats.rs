//! Counters of one provider.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::histogram::{Histogram, Times};

/// What happened so far, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderStats {
    pub name: &'static str,
    /// Whether the operator lets it be asked.
    pub enabled: bool,
    /// Requests sent, retries and redirects included.
    pub requests: u64,
    /// Questions answered with something or with a definite nothing.
    pub answered: u64,
    /// Of these, how many with a definite nothing.
    pub not_found: u64,
    /// Questions that failed, time-outs included.
    pub failed: u64,
    pub timeouts: u64,
    pub rate_limited: u64,
    pub retries: u64,
    /// Questions turned away unasked: circuit open, or too many at a time.
    pub turned_away: u64,
    /// Questions under way now.
    pub in_flight: usize,
    pub breaker: BreakerState,
    /// How long questions took.
    pub times: Times,
    /// Bytes received, unpacked.
    pub received_bytes: u64,
}

/// Whether a provider is being asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BreakerState {
    /// As usual.
    #[default]
    Closed,
    /// Not until the pause is over.
    Open,
    /// One request is finding out whether it works again.
    HalfOpen,
}

impl BreakerState {
    /// `closed`, `open`, `half_open`.
    pub fn as_str(self) -> &'static str {
        match self {
            BreakerState::Closed => "closed",
            BreakerState::Open => "open",
            BreakerState::HalfOpen => "half_open",
        }
    }
}

/// The counters themselves. Each counts for itself; a snapshot may catch two of them apart.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub requests: Counter,
    pub answered: Counter,
    pub not_found: Counter,
    pub failed: Counter,
    pub timeouts: Counter,
    pub rate_limited: Counter,
    pub retries: Counter,
    pub turned_away: Counter,
    pub times: Histogram,
    pub received_bytes: Counter,
}

#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub fn one(&self) {
        self.add(1);
    }

    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
