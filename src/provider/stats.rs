//! Counters of one provider.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::http::ProviderBudget;
use crate::histogram::{Histogram, Times};

/// A snapshot of the counters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProviderStats {
    pub name: &'static str,
    /// HTTP requests sent, including retries and redirects.
    pub requests: u64,
    /// Successful requests, including misses.
    pub answered: u64,
    /// Of these, the number of misses.
    pub not_found: u64,
    /// Failed requests, including time-outs.
    pub failed: u64,
    /// How many of the last [`RECENT`] requests failed.
    pub failed_recently: u32,
    pub timeouts: u64,
    pub rate_limited: u64,
    pub retries: u64,
    /// Rejected requests: circuit open, or too many at a time.
    pub turned_away: u64,
    /// Running requests.
    pub in_flight: usize,
    pub breaker: BreakerState,
    /// Durations of requests.
    pub times: Times,
    /// Bytes received, unpacked.
    pub received_bytes: u64,
    /// What the provider last said is left.
    pub budget: Option<ProviderBudget>,
    /// How long the provider is left alone, because it asked for that or its budget is spent. Zero: it is
    /// asked.
    pub quiet: Duration,
}

/// The number of requests that count as recent.
pub const RECENT: u32 = 30;

impl ProviderStats {
    /// Whether most recent requests failed, even if some succeeded between them.
    pub fn fails_mostly(&self) -> bool {
        self.failed_recently * 2 > RECENT
    }
}

/// The state of a provider's circuit breaker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BreakerState {
    /// Normal operation.
    #[default]
    Closed,
    /// Paused.
    Open,
    /// One request probes whether it works again.
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

/// The counters. They are independent; a snapshot may be inconsistent.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub requests: Counter,
    pub answered: Counter,
    pub not_found: Counter,
    pub failed: Counter,
    pub recent: Outcomes,
    pub timeouts: Counter,
    pub rate_limited: Counter,
    pub retries: Counter,
    pub turned_away: Counter,
    pub times: Histogram,
    pub received_bytes: Counter,
}

/// The outcomes of the last [`RECENT`] requests, a bit each: 1 for a failure.
#[derive(Debug, Default)]
pub(super) struct Outcomes(AtomicU64);

impl Outcomes {
    pub fn note(&self, has_failed: bool) {
        let next = |bits: u64| ((bits << 1) | u64::from(has_failed)) & ((1 << RECENT) - 1);
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |bits| {
                Some(next(bits))
            });
    }

    pub fn failed(&self) -> u32 {
        self.0.load(Ordering::Relaxed).count_ones()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_outcomes_forget_older_ones() {
        let outcomes = Outcomes::default();
        (0..29).for_each(|_| outcomes.note(true));
        outcomes.note(false);
        let stats = ProviderStats {
            failed_recently: outcomes.failed(),
            ..ProviderStats::default()
        };
        assert_eq!((outcomes.failed(), stats.fails_mostly()), (29, true));
        (0..RECENT).for_each(|_| outcomes.note(false));
        assert_eq!(outcomes.failed(), 0);
    }
}
