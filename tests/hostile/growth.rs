//! The processor time of the readers for texts of repeated tokens, without a server.

use std::time::Duration;

use citation_model::budget::Budget;

use crate::readers::{self, Reader};
use crate::{SLOWDOWN, speed};

/// Length of the texts, in bytes.
const BYTES: usize = 600_000;

/// Texts per reader.
const MAX_UNITS: usize = 80;

/// Limit per text. One second is wanted; dense lists of references in plain text take 1.1.
const MAX: Duration = Duration::from_millis(1500 * SLOWDOWN);

/// With the budget of a request, so that work may also end by its limits.
fn measure(reader: &Reader, text: &str) -> Duration {
    let limits = citation::config::Config::default().limits;
    let budget = Budget::new(limits.request_steps, limits.request_bytes);
    let began = speed::cpu();
    (reader.read)(text, &budget);
    speed::cpu() - began
}

/// `CITATION_HOSTILE` selects readers by a part of their name.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn readers_take_little_time() {
    let wanted = std::env::var("CITATION_HOSTILE").unwrap_or_default();
    let readers = readers::all().into_iter();
    let mut faults = Vec::new();
    for reader in readers.filter(|reader| reader.name.contains(&wanted)) {
        let mut longest = Duration::ZERO;
        for unit in reader.units(MAX_UNITS) {
            let text = unit.text(BYTES);
            let first = measure(&reader, &text);
            let (spent, limit) = speed::within(MAX, first, |_| measure(&reader, &text));
            longest = longest.max(spent);
            if spent > limit {
                faults.push(format!("{}: {unit:?}: {spent:?} of {limit:?}", reader.name));
            }
        }
        println!("{}: at most {longest:?}", reader.name);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
