//! A circuit breaker: after consecutive failures a provider is paused, then one
//! request probes whether it works again. The time is an argument.
//! Own code: the available crates read the clock themselves or wrap async calls.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::stats::BreakerState;

/// The breaker of one provider.
#[derive(Debug)]
pub(super) struct Breaker {
    /// Consecutive failures that open it; 0 disables it.
    threshold: u32,
    pause: Duration,
    state: Mutex<Circuit>,
}

#[derive(Clone, Copy, Debug)]
enum Circuit {
    Closed { failures: u32 },
    Open { until: Instant },
    HalfOpen { is_probing: bool },
}

impl Breaker {
    pub fn new(threshold: u32, pause: Duration) -> Breaker {
        Breaker {
            threshold,
            pause,
            state: Mutex::new(Circuit::Closed { failures: 0 }),
        }
    }

    /// Lets a request pass, or returns how long none will.
    pub fn admit(&self, now: Instant) -> Result<Permit<'_>, Duration> {
        let mut state = self.lock();
        match *state {
            Circuit::Closed { .. } => {}
            Circuit::Open { until } if now < until => return Err(until - now),
            // The pause is over, or the last probe ended without a result.
            Circuit::Open { .. } | Circuit::HalfOpen { is_probing: false } => {
                *state = Circuit::HalfOpen { is_probing: true };
            }
            Circuit::HalfOpen { is_probing: true } => return Err(self.pause),
        }
        Ok(Permit {
            breaker: self,
            is_settled: false,
        })
    }

    pub fn state(&self, now: Instant) -> BreakerState {
        match *self.lock() {
            Circuit::Closed { .. } => BreakerState::Closed,
            Circuit::Open { until } if now < until => BreakerState::Open,
            Circuit::Open { .. } | Circuit::HalfOpen { .. } => BreakerState::HalfOpen,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Circuit> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Permission for one request, which must report its outcome. If dropped without one, it does not
/// count: the request was never sent, or its failure says nothing about the provider.
#[derive(Debug)]
pub(super) struct Permit<'a> {
    breaker: &'a Breaker,
    is_settled: bool,
}

impl Permit<'_> {
    pub fn succeeded(mut self) {
        self.is_settled = true;
        *self.breaker.lock() = Circuit::Closed { failures: 0 };
    }

    pub fn failed(mut self, now: Instant) {
        self.is_settled = true;
        let breaker = self.breaker;
        let mut state = breaker.lock();
        let open = Circuit::Open {
            until: now + breaker.pause,
        };
        *state = match *state {
            Circuit::HalfOpen { .. } => open,
            Circuit::Closed { failures } => {
                let failures = failures.saturating_add(1);
                if breaker.threshold > 0 && failures >= breaker.threshold {
                    open
                } else {
                    Circuit::Closed { failures }
                }
            }
            // A request from before the pause does not count.
            Circuit::Open { until } => Circuit::Open { until },
        };
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.breaker.lock();
        if let (false, Circuit::HalfOpen { is_probing }) = (self.is_settled, &mut *state) {
            *is_probing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(30);

    fn opened(now: Instant) -> Breaker {
        let breaker = Breaker::new(2, PAUSE);
        breaker.admit(now).unwrap().failed(now);
        assert_eq!(breaker.state(now), BreakerState::Closed);
        breaker.admit(now).unwrap().failed(now);
        breaker
    }

    #[test]
    fn consecutive_failures_open_the_breaker() {
        let now = Instant::now();
        let breaker = opened(now);
        assert_eq!(breaker.state(now), BreakerState::Open);
        let left = breaker.admit(now + Duration::from_secs(10)).unwrap_err();
        assert_eq!(left, Duration::from_secs(20));
    }

    #[test]
    fn success_resets_the_failure_count() {
        let now = Instant::now();
        let breaker = Breaker::new(2, PAUSE);
        breaker.admit(now).unwrap().failed(now);
        breaker.admit(now).unwrap().succeeded();
        breaker.admit(now).unwrap().failed(now);
        assert_eq!(breaker.state(now), BreakerState::Closed);
    }

    #[test]
    fn probe_decides_after_the_pause() {
        let now = Instant::now();
        let breaker = opened(now);
        let later = now + PAUSE;
        let probe = breaker.admit(later).unwrap();
        assert!(breaker.admit(later).is_err());
        probe.failed(later);
        assert_eq!(breaker.state(later), BreakerState::Open);
        let again = later + PAUSE;
        breaker.admit(again).unwrap().succeeded();
        assert_eq!(breaker.state(again), BreakerState::Closed);
    }

    #[test]
    fn probe_without_outcome_admits_the_next() {
        let now = Instant::now();
        let breaker = opened(now);
        drop(breaker.admit(now + PAUSE).unwrap());
        assert!(breaker.admit(now + PAUSE).is_ok());
    }

    #[test]
    fn zero_threshold_never_opens() {
        let now = Instant::now();
        let breaker = Breaker::new(0, PAUSE);
        for _ in 0..100 {
            breaker.admit(now).unwrap().failed(now);
        }
        assert!(breaker.admit(now).is_ok());
    }
}
