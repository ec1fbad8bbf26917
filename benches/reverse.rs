//! What a reverse lookup costs, step by step, on a corpus that is there already.
//!
//! ```text
//! citation ingest --data DIR works.jsonl            # CSL-JSON, of any size
//! CITATION_BENCH_DATA=DIR CITATION_BENCH_QUERIES=queries.jsonl cargo bench --bench reverse
//! ```
//!
//! A query is a line `{"text": …}`. Times are CPU time of the one thread that does the work, so
//! that a busy machine does not blur them: reading the reference, fetching candidates (index and
//! database), scoring them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use citation::corpus::Corpus;
use citation::matching::rank;
use citation::matching::reference::Reference;
use citation::matching::score::ACCEPTED;
use citation::store::{Store, StoreSettings};

/// Candidates fetched for a reference, as the service does.
const CANDIDATES: usize = 40;

/// Queries that are answered before measuring begins.
const WARM_UP: usize = 50;

fn main() {
    let (Ok(data), Ok(queries)) = (
        std::env::var("CITATION_BENCH_DATA"),
        std::env::var("CITATION_BENCH_QUERIES"),
    ) else {
        println!(
            "skipped: CITATION_BENCH_DATA and CITATION_BENCH_QUERIES name no corpus and no queries"
        );
        return;
    };
    let store = Store::open(Path::new(&data), &StoreSettings::default()).expect("a data directory");
    let corpus = Corpus::open(Arc::new(store));
    let texts = read_texts(&queries);
    let stats = corpus.stats().expect("an index");
    println!("{} works, {} queries", stats.indexed, texts.len());
    let mut steps: [Vec<Duration>; 4] = Default::default();
    let mut accepted = 0;
    for (n, text) in texts.iter().enumerate() {
        let start = cpu_time();
        let reference = Reference::parse(text);
        let read = cpu_time();
        let hits = corpus
            .candidates(&reference.search_text(), CANDIDATES)
            .expect("a search");
        let fetched = cpu_time();
        let matches = rank::rank(&reference, hits.iter().map(|hit| &hit.work.item));
        let scored = cpu_time();
        accepted += usize::from(matches.first().is_some_and(|best| best.score >= ACCEPTED));
        if n >= WARM_UP {
            let times = [
                read - start,
                fetched - read,
                scored - fetched,
                scored - start,
            ];
            for (step, time) in steps.iter_mut().zip(times) {
                step.push(time);
            }
        }
    }
    println!("{accepted} accepted");
    println!("{:12}{:>12}{:>12}{:>12}", "ms of CPU", "p50", "p90", "p99");
    for (name, mut times) in ["read", "fetch", "score", "together"]
        .into_iter()
        .zip(steps)
    {
        times.sort_unstable();
        let at = |share: f64| {
            times[((times.len() as f64 * share) as usize).min(times.len() - 1)].as_secs_f64() * 1e3
        };
        println!(
            "{name:12}{:>12.3}{:>12.3}{:>12.3}",
            at(0.5),
            at(0.9),
            at(0.99)
        );
    }
}

fn read_texts(path: &str) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Query {
        text: String,
    }
    let file = std::fs::File::open(path).expect("queries");
    BufReader::new(file)
        .lines()
        .map(|line| {
            serde_json::from_str::<Query>(&line.expect("a line"))
                .expect("a query")
                .text
        })
        .collect()
}

/// CPU time of this thread so far, from the kernel's own count (`schedstat`, nanoseconds first).
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    Duration::from_nanos(nanoseconds)
}
