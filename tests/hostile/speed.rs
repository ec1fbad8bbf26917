//! The speed of the machine at the moment, by a fixed piece of work: a limit of processor time is a multiple
//! of it, so that a slow or busy machine judges the program as a fast one does.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

/// Processor time of the work on the machine the limits were set on (a server of 2023).
const USUAL: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2400 } else { 160 });

/// Largest factor: a machine that is slower still is not fit to run the tests.
const MAX_FACTOR: f64 = 3.0;

/// Processor time of this thread (proc(5), schedstat).
pub fn cpu() -> Duration {
    // The count is brought up to date when the thread yields.
    std::thread::yield_now();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(stat.split(' ').next().unwrap().parse().unwrap())
}

/// A limit as it is on this machine now: never below the limit itself.
fn scaled(limit: Duration) -> Duration {
    let factor = measure().as_secs_f64() / USUAL.as_secs_f64();
    limit.mul_f64(factor.clamp(1.0, MAX_FACTOR))
}

/// The processor time of a piece of work that took `first`, and its limit. Others may share the processor and its caches: over
/// the limit the least of three counts, by the machine's speed then. `again` measures once more, given the limit.
pub fn within(
    limit: Duration,
    first: Duration,
    mut again: impl FnMut(Duration) -> Duration,
) -> (Duration, Duration) {
    let (mut spent, mut scaled_limit) = (first, limit);
    for _ in 0..2 {
        if spent > scaled_limit {
            scaled_limit = scaled(limit);
            spent = spent.min(again(scaled_limit));
        }
    }
    (spent, scaled_limit)
}

/// Like the program's own work: memory is allocated, texts are read, hashed and sorted.
fn measure() -> Duration {
    let began = cpu();
    let record = |n: u64| {
        let key = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        format!("{{\"id\":\"{key:x}\",\"n\":[{n},{key}],\"title\":\"Title \\u00e9 {key}\"}}")
    };
    let mut found = 0;
    for round in 0..ROUNDS {
        let records: Vec<String> = (0..RECORDS).map(|n| record(n + round)).collect();
        let text = format!("[{}]", records.join(","));
        let values: Vec<Value> = serde_json::from_str(&text).unwrap();
        let by_id: BTreeMap<&str, &Value> = values
            .iter()
            .filter_map(|value| Some((value["id"].as_str()?, value)))
            .collect();
        found += by_id.len();
    }
    assert_eq!(std::hint::black_box(found) as u64, ROUNDS * RECORDS);
    cpu() - began
}

const ROUNDS: u64 = 8;
const RECORDS: u64 = 10_000;

#[test]
fn a_limit_never_shrinks() {
    let limit = Duration::from_secs(1);
    let here = scaled(limit);
    println!(
        "the machine takes {:?} for the work; usual {USUAL:?}",
        measure()
    );
    assert!(here >= limit && here <= limit.mul_f64(MAX_FACTOR));
}
