//! Two limits for requests to a provider: concurrency and rate.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::deadline::{ASK_AGAIN, Deadline};

/// A semaphore.
#[derive(Debug)]
pub(super) struct Gate {
    capacity: usize,
    inside: Mutex<usize>,
    left: Condvar,
}

impl Gate {
    pub const fn new(capacity: usize) -> Gate {
        Gate {
            capacity,
            inside: Mutex::new(0),
            left: Condvar::new(),
        }
    }

    /// Waits for a slot; `None` if none becomes free in time.
    pub fn enter(&self, deadline: &Deadline) -> Option<GatePermit<'_>> {
        let mut inside = self.lock();
        while *inside >= self.capacity {
            let left = deadline.left();
            if left.is_zero() {
                return None;
            }
            let waited = self.left.wait_timeout(inside, left.min(ASK_AGAIN));
            (inside, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        *inside += 1;
        Some(GatePermit { gate: self })
    }

    pub fn inside(&self) -> usize {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot, released on drop.
#[derive(Debug)]
pub(super) struct GatePermit<'a> {
    gate: &'a Gate,
}

impl Drop for GatePermit<'_> {
    fn drop(&mut self) {
        let mut inside = self.gate.lock();
        *inside = inside.saturating_sub(1);
        self.gate.left.notify_one();
    }
}

/// Spreads requests evenly, and pauses on the provider's request. The time is an argument.
#[derive(Debug)]
pub(super) struct Pace {
    /// Between two requests, as configured.
    interval: Duration,
    slots: Mutex<PaceState>,
}

#[derive(Debug, Default)]
struct PaceState {
    /// When the next request may be sent.
    next: Option<Instant>,
    /// Until when the provider asked for a pause.
    quiet_until: Option<Instant>,
    /// The shortest time between two requests that the provider last allowed.
    allowed: Duration,
}

/// Why a request has to wait longer than it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooLong {
    /// Others are before it.
    Queue,
    /// The provider asked for a pause, with its remaining time.
    Quiet(Duration),
}

/// The longest pause that a provider gets, whatever it asks for: budgets are those of a day.
const MAX_SILENCE: Duration = Duration::from_secs(24 * 60 * 60);

impl Pace {
    /// Maximum requests per second; 0 means no limit.
    pub fn new(per_second: u32) -> Pace {
        let interval = Duration::from_secs(1).checked_div(per_second);
        Pace {
            interval: interval.unwrap_or_default(),
            slots: Mutex::new(PaceState::default()),
        }
    }

    /// Takes the next slot and returns its waiting time, unless that is longer than `patience`.
    pub fn take(&self, now: Instant, patience: Duration) -> Result<Duration, TooLong> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let quiet = slots
            .quiet_until
            .map_or(Duration::ZERO, |end| end.saturating_duration_since(now));
        if quiet > patience {
            return Err(TooLong::Quiet(quiet));
        }
        let earliest = now + quiet;
        let slot = slots.next.map_or(earliest, |next| next.max(earliest));
        let wait = slot.saturating_duration_since(now);
        if wait > patience {
            return Err(TooLong::Queue);
        }
        slots.next = Some(slot + self.interval.max(slots.allowed));
        Ok(wait)
    }

    /// Sets the shortest time between two requests that the provider allows, at most a minute.
    pub fn slow_down(&self, interval: Duration) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.allowed = interval.min(Duration::from_secs(60));
    }

    /// The time left of a pause.
    pub fn quiet(&self, now: Instant) -> Duration {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let until = slots.quiet_until;
        until.map_or(Duration::ZERO, |end| end.saturating_duration_since(now))
    }

    /// Pauses on the provider's request.
    pub fn keep_quiet(&self, now: Instant, time: Duration) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let until = now + time.min(MAX_SILENCE);
        slots.quiet_until = Some(slots.quiet_until.map_or(until, |known| known.max(until)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_limited() {
        let gate = Gate::new(2);
        let first = gate.enter(&Deadline::of(Duration::ZERO)).unwrap();
        let _second = gate.enter(&Deadline::of(Duration::ZERO)).unwrap();
        assert!(
            gate.enter(&Deadline::of(Duration::from_millis(5)))
                .is_none()
        );
        drop(first);
        assert!(gate.enter(&Deadline::of(Duration::ZERO)).is_some());
        assert_eq!(gate.inside(), 1);
    }

    #[test]
    fn waiting_request_gets_the_released_permit() {
        let gate = Gate::new(1);
        let place = gate.enter(&Deadline::of(Duration::ZERO)).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let patient = Deadline::of(Duration::from_secs(60));
                gate.enter(&patient).is_some()
            });
            drop(place);
            assert!(waiting.join().unwrap());
        });
    }

    #[test]
    fn requests_are_spread_evenly() {
        let pace = Pace::new(10);
        let now = Instant::now();
        let patience = Duration::from_millis(150);
        assert_eq!(pace.take(now, patience), Ok(Duration::ZERO));
        assert_eq!(pace.take(now, patience), Ok(Duration::from_millis(100)));
        assert_eq!(pace.take(now, patience), Err(TooLong::Queue));
        assert_eq!(
            pace.take(now + Duration::from_millis(500), patience),
            Ok(Duration::ZERO)
        );
        assert_eq!(Pace::new(0).take(now, Duration::ZERO), Ok(Duration::ZERO));
    }

    #[test]
    fn pause_is_kept() {
        let pace = Pace::new(0);
        let now = Instant::now();
        pace.keep_quiet(now, Duration::from_secs(5));
        let quiet = TooLong::Quiet(Duration::from_secs(5));
        assert_eq!(pace.take(now, Duration::from_secs(1)), Err(quiet));
        assert_eq!(
            pace.take(now, Duration::from_secs(8)),
            Ok(Duration::from_secs(5))
        );
        assert_eq!(
            pace.take(now + Duration::from_secs(6), Duration::ZERO),
            Ok(Duration::ZERO)
        );
        pace.keep_quiet(now, Duration::from_secs(1_000_000));
        let long = pace.take(now, Duration::ZERO);
        assert_eq!(long, Err(TooLong::Quiet(MAX_SILENCE)));
    }
}
