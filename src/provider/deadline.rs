//! The time budget of one lookup, over all providers.

use std::time::{Duration, Instant};

use citation_model::budget::Budget;

/// A point in time after which nobody waits any more. The request may be cancelled earlier.
#[derive(Clone, Debug)]
pub struct Deadline {
    started: Instant,
    ends: Instant,
    request: Budget,
}

/// How often a waiting thread checks whether the request has been cancelled.
pub(super) const ASK_AGAIN: Duration = Duration::from_millis(50);

impl Deadline {
    /// The default budget of a whole lookup: eight seconds.
    pub const DEFAULT: Duration = Duration::from_secs(8);

    /// Starts now.
    pub fn of(time: Duration) -> Deadline {
        let started = Instant::now();
        Deadline {
            started,
            ends: started + time.min(Duration::from_secs(3_600)),
            request: Budget::unlimited(),
        }
    }

    /// The same, which also ends when the request of this budget is cancelled.
    pub fn for_request(self, request: &Budget) -> Deadline {
        Deadline {
            request: request.clone(),
            ..self
        }
    }

    /// The time left; zero if it is used up.
    pub fn left(&self) -> Duration {
        if self.is_given_up() {
            return Duration::ZERO;
        }
        self.ends.saturating_duration_since(Instant::now())
    }

    pub fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    /// Whether nobody waits for the answer any more.
    pub fn is_given_up(&self) -> bool {
        self.request.is_spent()
    }

    /// Milliseconds since the start.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The same deadline, limited to `time` from now.
    pub fn at_most(&self, time: Duration) -> Deadline {
        let part = Deadline::of(time);
        Deadline {
            ends: self.ends.min(part.ends),
            ..part.for_request(&self.request)
        }
    }

    /// Sleeps; false if interrupted.
    pub(super) fn sleep(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        loop {
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return true;
            }
            if self.is_over() {
                return false;
            }
            std::thread::sleep(rest.min(ASK_AGAIN));
        }
    }
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline::of(Deadline::DEFAULT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_deadline_ends_with_the_whole() {
        let whole = Deadline::of(Duration::from_secs(1));
        assert!(whole.at_most(Duration::from_secs(60)).left() <= Duration::from_secs(1));
        assert!(Deadline::of(Duration::ZERO).is_over());
    }

    #[test]
    fn cancelled_request_ends_every_wait() {
        let request = Budget::unlimited();
        let deadline = Deadline::of(Duration::from_secs(60)).for_request(&request);
        assert!(!deadline.is_over());
        request.cancel();
        assert!(deadline.at_most(Duration::from_secs(60)).is_over());
        assert!(!deadline.sleep(Duration::from_secs(60)));
    }
}
