//! The time of day. Rules about windows and tokens take the time as an argument, so tests need not wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Seconds since 1970, UTC. A clock set before 1970 reads as 0.
pub fn unix_now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |passed| passed.as_secs() as i64)
}

/// `2026-11-21T04:00:00Z`. A second outside the calendar's range gives 1970.
pub fn iso8601(unix_seconds: i64) -> String {
    jiff::Timestamp::from_second(unix_seconds)
        .unwrap_or_default()
        .to_string()
}

/// The source of the time: the system, or a test that sets it.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System { started: Instant },
    Set(Arc<Set>),
}

#[derive(Debug)]
struct Set {
    unix: AtomicI64,
    elapsed_ms: AtomicU64,
}

impl Clock {
    pub fn system() -> Clock {
        Clock(Source::System {
            started: Instant::now(),
        })
    }

    /// A clock that stands still until it is moved. Clones share the time.
    pub fn set_to(unix_seconds: i64) -> Clock {
        Clock(Source::Set(Arc::new(Set {
            unix: AtomicI64::new(unix_seconds),
            elapsed_ms: AtomicU64::new(0),
        })))
    }

    /// Seconds since 1970, UTC. Goes back if the system's clock is set back.
    pub fn unix(&self) -> i64 {
        match &self.0 {
            Source::System { .. } => unix_now(),
            Source::Set(set) => set.unix.load(Ordering::SeqCst),
        }
    }

    /// Milliseconds since an arbitrary moment. Never goes back.
    pub fn elapsed_ms(&self) -> u64 {
        match &self.0 {
            Source::System { started } => started.elapsed().as_millis() as u64,
            Source::Set(set) => set.elapsed_ms.load(Ordering::SeqCst),
        }
    }

    /// Lets time pass on a manual clock. Does nothing on the system's clock.
    pub fn advance(&self, seconds: u64) {
        if let Source::Set(set) = &self.0 {
            set.unix.fetch_add(seconds as i64, Ordering::SeqCst);
            set.elapsed_ms.fetch_add(seconds * 1000, Ordering::SeqCst);
        }
    }

    /// Sets the time of day on a manual clock, as an operator or a time server would: no time passes.
    pub fn jump_to(&self, unix_seconds: i64) {
        if let Source::Set(set) = &self.0 {
            set.unix.store(unix_seconds, Ordering::SeqCst);
        }
    }
}
