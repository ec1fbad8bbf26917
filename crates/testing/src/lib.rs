//! Shared by the tests of all crates: access to the suites beside the checkout, and random numbers.

#![allow(clippy::panic)]

pub mod growth;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file or folder of the suites in `../shared` beside the checkout. `None`, with a printed line, if it is
/// absent; with `CITATION_REQUIRE_SUITES` set that is a failure.
#[track_caller]
pub fn suite(path: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(path);
    if found.exists() {
        return Some(found);
    }
    assert!(
        std::env::var_os("CITATION_REQUIRE_SUITES").is_none(),
        "../shared/{path} is absent, and CITATION_REQUIRE_SUITES is set"
    );
    println!("skipped: ../shared/{path} is absent");
    None
}

/// Pseudo-random numbers (xorshift64, Marsaglia 2003).
pub struct Random(u64);

impl Random {
    /// A generator with the seed in `CITATION_SEED`, or a new one. The seed is printed, so that a failure
    /// can be reproduced.
    pub fn new() -> Random {
        let seed = match std::env::var("CITATION_SEED") {
            Ok(text) => text
                .parse()
                .unwrap_or_else(|_| panic!("CITATION_SEED is a number, not `{text}`")),
            Err(_) => SystemTime::UNIX_EPOCH
                .elapsed()
                .map_or(1, |since| since.as_nanos() as u64),
        };
        println!("CITATION_SEED={seed}");
        Random::seeded(seed)
    }

    /// A generator that gives the same numbers in every run.
    pub fn seeded(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number from 0 up to, but not including, `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

impl Default for Random {
    fn default() -> Random {
        Random::new()
    }
}
