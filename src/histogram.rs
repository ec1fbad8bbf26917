//! Histograms of durations, and hits and misses of caches. Each counter is updated on its own, so a reader may
//! see one updated and another not yet.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds of the buckets, in seconds.
const BOUNDS: [f64; 14] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// One bucket for each bound, and one above the last.
const BUCKETS: usize = BOUNDS.len() + 1;

#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [AtomicU64; BUCKETS],
    microseconds: AtomicU64,
}

/// The content of a histogram at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Not cumulative.
    buckets: [u64; BUCKETS],
    microseconds: u64,
}

impl Histogram {
    pub fn add(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = BOUNDS.iter().position(|bound| seconds <= *bound);
        if let Some(count) = self.buckets.get(bucket.unwrap_or(BOUNDS.len())) {
            count.fetch_add(1, Relaxed);
        }
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(microseconds, Relaxed);
    }

    pub fn read(&self) -> Times {
        Times {
            buckets: std::array::from_fn(|n| self.buckets.get(n).map_or(0, |n| n.load(Relaxed))),
            microseconds: self.microseconds.load(Relaxed),
        }
    }
}

impl Times {
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// The sum of all durations, in seconds.
    pub fn seconds(&self) -> f64 {
        self.microseconds as f64 / 1e6
    }

    /// The mean in milliseconds. 0 without values.
    pub fn mean_ms(&self) -> f64 {
        self.microseconds as f64 / 1e3 / self.count().max(1) as f64
    }

    /// Each bound (None for the last bucket) with the number of durations up to it.
    pub fn cumulative(&self) -> impl Iterator<Item = (Option<f64>, u64)> {
        let bounds = BOUNDS.iter().copied().map(Some).chain([None]);
        bounds.zip(&self.buckets).scan(0, |total, (bound, count)| {
            *total += count;
            Some((bound, *total))
        })
    }
}

/// Hits and misses of a cache.
#[derive(Debug, Default)]
pub struct CacheCounts {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl CacheCounts {
    pub fn count(&self, is_hit: bool) {
        let counter = if is_hit { &self.hits } else { &self.misses };
        counter.fetch_add(1, Relaxed);
    }

    /// Hits and misses.
    pub fn read(&self) -> (u64, u64) {
        (self.hits.load(Relaxed), self.misses.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_add_up() {
        let histogram = Histogram::default();
        for micros in [700, 1_000, 9_000_000, 90_000_000] {
            histogram.add(Duration::from_micros(micros));
        }
        let times = histogram.read();
        let upto = |bound| {
            let mut all = times.cumulative();
            all.find(|(found, _)| *found == bound).map(|(_, n)| n)
        };
        assert_eq!((upto(Some(0.0005)), upto(Some(0.001))), (Some(0), Some(2)));
        assert_eq!((upto(Some(10.0)), upto(None)), (Some(3), Some(4)));
        assert_eq!((times.count(), times.seconds()), (4, 99.0017));
    }
}
