//! Measures work, both in our own processor and in a peer that is a crate.

use std::time::Duration;

use crate::clock::cpu_time;

/// Minimum duration of a batch of rounds.
const BATCH: Duration = Duration::from_millis(100);

/// Minimum total duration of the batches.
const ENOUGH: Duration = Duration::from_millis(1_000);

/// The result of the work and its CPU time in the best batch; batches are long enough for a clock that
/// advances only every few milliseconds.
pub fn best<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
    let (mut rounds, mut spent, mut best) = (1, Duration::ZERO, Duration::MAX);
    loop {
        let start = cpu_time();
        for _ in 1..rounds {
            work();
        }
        let result = work();
        let time = cpu_time() - start;
        spent += time;
        if time < BATCH {
            rounds *= 2;
        } else {
            best = best.min(time / rounds);
        }
        if spent >= ENOUGH && best < Duration::MAX {
            return (result, best);
        }
    }
}

/// Peak memory of this process, in MB.
pub fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(f64::NAN) / 1024.0
}
