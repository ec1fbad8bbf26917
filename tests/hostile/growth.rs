//! The processor time of the readers for texts of repeated tokens, without a server.

use citation_model::budget::Budget;

use crate::SLOWDOWN;
use crate::readers::{self, Reader};

/// Length of the texts, in bytes.
const BYTES: usize = 600_000;

/// Texts per reader.
const MAX_UNITS: usize = 80;

/// Limit per text, in nanoseconds. One second is wanted; dense lists of references in plain text take 1.1.
const MAX_NANOSECONDS: u64 = 1_500_000_000 * SLOWDOWN;

/// Processor time of this thread, in nanoseconds (proc(5), schedstat).
fn cpu() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

/// With the budget of a request, so that work may also end by its limits.
fn measure(reader: &Reader, text: &str) -> u64 {
    let limits = citation::config::Config::default().limits;
    let budget = Budget::new(limits.request_steps, limits.request_bytes);
    let began = cpu();
    (reader.read)(text, &budget);
    cpu() - began
}

/// `CITATION_HOSTILE` selects readers by a part of their name.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn readers_take_little_time() {
    let wanted = std::env::var("CITATION_HOSTILE").unwrap_or_default();
    let readers = readers::all().into_iter();
    let mut faults = Vec::new();
    for reader in readers.filter(|reader| reader.name.contains(&wanted)) {
        let mut longest = 0;
        for unit in reader.units(MAX_UNITS) {
            let text = unit.text(BYTES);
            let mut spent = measure(&reader, &text);
            // Other tests share the caches of the processor: the least of three counts.
            for _ in 0..2 {
                if spent > MAX_NANOSECONDS {
                    spent = spent.min(measure(&reader, &text));
                }
            }
            longest = longest.max(spent);
            if spent > MAX_NANOSECONDS {
                faults.push(format!(
                    "{}: {unit:?}: {} ms",
                    reader.name,
                    spent / 1_000_000
                ));
            }
        }
        println!("{}: at most {} ms", reader.name, longest / 1_000_000);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
