//! Waiting for what another thread or process is about to do.

use std::time::{Duration, Instant};

/// Far more than anything takes on a busy machine: a test that waits longer waits for nothing.
const MAX_LENGTH: Duration = Duration::from_secs(120);

/// Asks again and again until it is so. Panics after two minutes.
#[track_caller]
pub fn wait_until(is_so: impl Fn() -> bool) {
    wait_for(|| is_so().then_some(()));
}

/// Asks again and again until there is a value. Panics after two minutes.
#[track_caller]
pub fn wait_for<T>(look: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + MAX_LENGTH;
    loop {
        if let Some(value) = look() {
            return value;
        }
        assert!(Instant::now() < deadline, "it does not come to that");
        std::thread::sleep(Duration::from_millis(5));
    }
}
