//! The time that one lookup may take, whatever it does and however many providers it asks.

use std::time::{Duration, Instant};

/// A point in time after which nobody waits any more.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    started: Instant,
    deadline: Instant,
}

impl Budget {
    /// The budget of a whole lookup unless the operator sets another: eight seconds.
    pub const DEFAULT: Duration = Duration::from_secs(8);

    /// Starts now.
    pub fn of(time: Duration) -> Budget {
        let started = Instant::now();
        Budget {
            started,
            deadline: started + time.min(Duration::from_secs(3_600)),
        }
    }

    /// What is left; zero when it is used up.
    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    pub fn is_spent(&self) -> bool {
        self.left().is_zero()
    }

    /// Milliseconds since the start.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The same budget, ended earlier where it would last longer than `time` from now.
    pub fn at_most(&self, time: Duration) -> Budget {
        let deadline = self
            .deadline
            .min(Instant::now() + time.min(Duration::from_secs(3_600)));
        Budget {
            started: Instant::now(),
            deadline,
        }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::of(Budget::DEFAULT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_never_outlasts_the_whole() {
        let whole = Budget::of(Duration::from_secs(1));
        assert!(whole.at_most(Duration::from_secs(60)).left() <= Duration::from_secs(1));
        assert!(Budget::of(Duration::ZERO).is_spent());
    }
}
