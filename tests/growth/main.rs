//! Every reader of external text does work that is linear in its length, counted in steps of the budget:
//! its tokens, repeated alone and in combination to a length and to twice as much. What is not counted shows
//! in `tests/hostile`, which limits the processor time of the same texts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod readers;

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use citation_model::budget::Budget;
use citation_testing::growth::Unit;
use readers::Reader;

/// Length of the shorter texts, in bytes.
const BYTES: usize = 8_000;

/// Texts per reader.
const MAX_UNITS: usize = 60;

/// Bytes of text per step at most: every byte is read at least once.
const BYTES_A_STEP: u64 = 16;

/// Twice the text is at most this many tenths of the work.
const MAX_TENTHS: u64 = 25;

/// Steps that do not depend on the text, such as those of a first record.
const FIXED_STEPS: u64 = 300;

fn steps(reader: &Reader, text: &str) -> u64 {
    let budget = Budget::unlimited();
    (reader.read)(text, &budget);
    budget.steps()
}

/// What is wrong with the work for a unit.
fn fault(reader: &Reader, unit: &Unit) -> Option<String> {
    let [short, long] = [BYTES, 2 * BYTES].map(|bytes| unit.text(bytes));
    let [once, twice] = [&short, &long].map(|text| steps(reader, text));
    let is_linear = twice * 10 <= once * MAX_TENTHS + FIXED_STEPS * 10;
    let is_counted = twice * BYTES_A_STEP >= long.len() as u64;
    (!is_linear || !is_counted).then(|| format!("{}: {unit:?}: {once}, {twice}", reader.name))
}

#[test]
fn work_of_every_reader_is_linear_in_the_text() {
    let (readers, next) = (readers::all(), AtomicUsize::new(0));
    let work = || {
        let mut faults = Vec::new();
        while let Some(reader) = readers.get(next.fetch_add(1, Relaxed)) {
            let units = reader.units(MAX_UNITS).into_iter();
            let counted = units.filter(|_| reader.is_counted);
            faults.extend(counted.filter_map(|unit| fault(reader, &unit)));
        }
        faults
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut faults: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let found = running.into_iter().map(|thread| thread.join().unwrap());
        found.flatten().collect()
    });
    let count = faults.len();
    faults.truncate(40);
    assert!(count == 0, "{count} texts:\n{}", faults.join("\n"));
}

#[test]
fn every_reader_has_tokens() {
    for reader in readers::all() {
        let count = reader.tokens.len();
        assert!(count >= 10, "{} declares {count} tokens", reader.name);
    }
}

/// A request that was given up ends recognition.
#[test]
fn recognition_stops_with_the_request() {
    let budget = Budget::unlimited();
    budget.cancel();
    let text = "<span class=\"Z3988\" title=\"".repeat(100);
    let content = citation_exchange::Content::of_text(&text);
    let told = citation_exchange::recognise(&content, Default::default(), &budget);
    assert!(told.is_err());
    assert!(budget.steps() < 10_000);
}
