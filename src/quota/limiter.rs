//! Token buckets in bounded memory: the number of requests of a caller in a period.
//!
//! A bucket that is unused for a period is full, so evicting it loses nothing. Buckets
//! are in two generations: when a period has passed, or the young generation has reached its
//! limit, it becomes the old one and the former old one is dropped. A flood of addresses thus uses
//! at most two generations of memory; it can only cause early eviction of a bucket.
//! Own code: `governor` keeps a bucket for every key until it is swept, without a limit on their number.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Buckets by key. Times are milliseconds of a monotonic clock.
pub struct Limiter<K> {
    shards: Vec<Mutex<Generations<K>>>,
    hasher: RandomState,
    /// Maximum number of buckets in one generation of one shard.
    bound: usize,
    period_ms: u64,
}

/// The result for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateDecision {
    pub allowed: bool,
    /// Requests left in the bucket.
    pub remaining: u32,
    /// Milliseconds until the next request is allowed; 0 if one is allowed now.
    pub retry_ms: u64,
    /// Milliseconds until the bucket is full.
    pub full_ms: u64,
}

struct Generations<K> {
    young: HashMap<K, Bucket>,
    old: HashMap<K, Bucket>,
    turned_at: u64,
}

/// A bucket of r tokens that fills in a period of p milliseconds. Its level is counted in p-ths of a
/// token, so that every millisecond adds exactly r.
#[derive(Clone, Copy)]
struct Bucket {
    level: u64,
    at: u64,
}

const SHARDS: usize = 16;

impl<K: Hash + Eq + Copy> Limiter<K> {
    /// A limiter that remembers at most some `2 * buckets` callers, and whose buckets fill in
    /// `period_ms` milliseconds.
    pub fn new(buckets: usize, period_ms: u64) -> Limiter<K> {
        let empty = || {
            Mutex::new(Generations {
                young: HashMap::new(),
                old: HashMap::new(),
                turned_at: 0,
            })
        };
        Limiter {
            shards: std::iter::repeat_with(empty).take(SHARDS).collect(),
            hasher: RandomState::new(),
            bound: (buckets / SHARDS).max(1),
            period_ms: period_ms.max(1),
        }
    }

    /// Takes one token from the caller's bucket of `tokens`.
    pub fn take(&self, key: K, tokens: u32, now_ms: u64) -> RateDecision {
        let rate = u64::from(tokens);
        self.shard(key)
            .bucket(key, rate * self.period_ms, now_ms, self)
            .take(rate, self.period_ms, now_ms)
    }

    /// Returns a token.
    pub fn refund(&self, key: K, tokens: u32, now_ms: u64) {
        let full = u64::from(tokens) * self.period_ms;
        let mut generations = self.shard(key);
        let bucket = generations.bucket(key, full, now_ms, self);
        bucket.level = (bucket.level + self.period_ms).min(full);
    }

    /// Number of buckets in memory.
    #[cfg(test)]
    pub fn size(&self) -> usize {
        let count = |shard: &Mutex<Generations<K>>| {
            let generations = shard.lock().unwrap_or_else(PoisonError::into_inner);
            generations.young.len() + generations.old.len()
        };
        self.shards.iter().map(count).sum()
    }

    fn shard(&self, key: K) -> MutexGuard<'_, Generations<K>> {
        let index = self.hasher.hash_one(key) as usize % SHARDS;
        // The remainder is always a valid index of the shards.
        #[allow(clippy::indexing_slicing)]
        self.shards[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq + Copy> Generations<K> {
    fn bucket(&mut self, key: K, full: u64, now: u64, limiter: &Limiter<K>) -> &mut Bucket {
        let has_aged = now.saturating_sub(self.turned_at) >= limiter.period_ms;
        if has_aged || (self.young.len() >= limiter.bound && !self.young.contains_key(&key)) {
            self.old = std::mem::take(&mut self.young);
            self.turned_at = now;
        }
        let old = &mut self.old;
        self.young.entry(key).or_insert_with(|| {
            old.remove(&key).unwrap_or(Bucket {
                level: full,
                at: now,
            })
        })
    }
}

impl Bucket {
    fn take(&mut self, rate: u64, period: u64, now: u64) -> RateDecision {
        let (token, full) = (period, rate * period);
        let passed = now.saturating_sub(self.at).min(period);
        self.level = (self.level + passed * rate).min(full);
        self.at = self.at.max(now);
        let allowed = self.level >= token;
        if allowed {
            self.level -= token;
        }
        let wait = |units: u64| {
            if rate == 0 {
                period
            } else {
                units.div_ceil(rate)
            }
        };
        RateDecision {
            allowed,
            remaining: (self.level / token) as u32,
            retry_ms: wait(token.saturating_sub(self.level)),
            full_ms: wait(full - self.level),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE_MS: u64 = 60_000;

    fn allowed(limiter: &Limiter<u32>, key: u32, tries: u32, now: u64) -> u32 {
        (0..tries)
            .filter(|_| limiter.take(key, 100, now).allowed)
            .count() as u32
    }

    #[test]
    fn full_bucket_holds_one_minute_and_refills_steadily() {
        let limiter = Limiter::new(1000, MINUTE_MS);
        assert_eq!(allowed(&limiter, 1, 150, 1_000), 100);
        assert_eq!(allowed(&limiter, 1, 5, 1_599), 0);
        assert_eq!(allowed(&limiter, 1, 5, 1_600), 1);
        assert_eq!(allowed(&limiter, 1, 50, 7_600), 10);
        assert_eq!(allowed(&limiter, 1, 500, 1_000_000), 100);
        assert_eq!(allowed(&limiter, 2, 150, 1_000_000), 100);
    }

    #[test]
    fn rejection_has_retry_after() {
        let limiter = Limiter::new(1000, MINUTE_MS);
        allowed(&limiter, 1, 100, 0);
        let refused = limiter.take(1, 100, 0);
        let expected = RateDecision {
            allowed: false,
            remaining: 0,
            retry_ms: 600,
            full_ms: 60_000,
        };
        assert_eq!(refused, expected);
        assert!(!limiter.take(1, 100, 599).allowed);
        assert!(limiter.take(1, 100, 600).allowed);
    }

    #[test]
    fn rejections_do_not_delay_the_refill() {
        let limiter = Limiter::new(1000, MINUTE_MS);
        allowed(&limiter, 1, 100, 0);
        let passed = (0..60_000)
            .filter(|ms| limiter.take(1, 100, *ms).allowed)
            .count();
        assert!((99..=100).contains(&passed), "{passed}");
    }

    #[test]
    fn returned_token_is_available_again() {
        let limiter = Limiter::new(1000, MINUTE_MS);
        assert_eq!(allowed(&limiter, 1, 150, 0), 100);
        limiter.refund(1, 100, 0);
        assert_eq!(allowed(&limiter, 1, 5, 0), 1);
        limiter.refund(2, 100, 0);
        assert_eq!(allowed(&limiter, 2, 150, 0), 100);
    }

    #[test]
    fn callers_are_kept_in_bounded_memory() {
        let limiter = Limiter::new(1_600, MINUTE_MS);
        for key in 0..1_000_000 {
            limiter.take(key, 100, 5);
        }
        assert!(limiter.size() <= 3_200, "{}", limiter.size());
        for key in 0..10 {
            limiter.take(key, 100, 500_000);
        }
        limiter.take(0, 100, 600_000);
        assert!(limiter.size() <= 3_200);
    }

    #[test]
    fn busy_caller_is_kept_for_a_minute() {
        let limiter = Limiter::new(1_000, MINUTE_MS);
        assert_eq!(allowed(&limiter, 1, 100, 59_999), 100);
        assert_eq!(allowed(&limiter, 1, 1, 60_001), 0);
    }

    #[test]
    fn zero_limit_rejects() {
        let limiter = Limiter::new(1_000, MINUTE_MS);
        assert_eq!(
            limiter.take(1, 0, 0),
            RateDecision {
                allowed: false,
                remaining: 0,
                retry_ms: MINUTE_MS,
                full_ms: MINUTE_MS
            }
        );
    }
}
