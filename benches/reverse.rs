//! What a reverse lookup costs, step by step, on a corpus that is there already.
//!
//! ```text
//! citation ingest --data DIR works.jsonl            # CSL-JSON, of any size
//! CITATION_BENCH_DATA=DIR CITATION_BENCH_QUERIES=queries.jsonl cargo bench --bench reverse
//! ```
//!
//! A query is a line `{"text": …}`. Times are CPU time of the one thread that does the work, so
//! that a busy machine does not blur them: reading the reference, fetching candidates (index and
//! database), scoring them. Beside them, on the same index and in the same run, the plain query
//! that all of this is to beat: BM25 over the first 25 terms of the text, its ten best works not
//! even loaded.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use citation::corpus::Corpus;
use citation::corpus::tokens::tokenize;
use citation::matching::rank;
use citation::matching::reference::Reference;
use citation::matching::score::ACCEPTED;
use citation::store::{Store, StoreSettings};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

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
    let plain = PlainQuery::open(&Path::new(&data).join("index"));
    let mut steps: [Vec<Duration>; 5] = Default::default();
    let mut accepted = 0;
    for (n, text) in texts.iter().enumerate() {
        let start = cpu_time();
        let reference = Reference::parse(text);
        let read = cpu_time();
        let hits = corpus.candidates(&reference, CANDIDATES).expect("a search");
        let fetched = cpu_time();
        let matches = rank::rank(&reference, hits.iter().map(|hit| &hit.work.item));
        let scored = cpu_time();
        plain.run(text);
        let searched = cpu_time();
        accepted += usize::from(matches.first().is_some_and(|best| best.score >= ACCEPTED));
        if n >= WARM_UP {
            let times = [
                read - start,
                fetched - read,
                scored - fetched,
                scored - start,
                searched - scored,
            ];
            for (step, time) in steps.iter_mut().zip(times) {
                step.push(time);
            }
        }
    }
    println!("{accepted} accepted");
    println!("{:12}{:>12}{:>12}{:>12}", "ms of CPU", "p50", "p90", "p99");
    let mut medians = Vec::new();
    for (name, mut times) in ["read", "fetch", "score", "together", "plain query"]
        .into_iter()
        .zip(steps)
    {
        times.sort_unstable();
        let at = |share: f64| {
            times[((times.len() as f64 * share) as usize).min(times.len() - 1)].as_secs_f64() * 1e3
        };
        medians.push((at(0.5), at(0.99)));
        println!(
            "{name:12}{:>12.3}{:>12.3}{:>12.3}",
            at(0.5),
            at(0.9),
            at(0.99)
        );
    }
    if let [.., (p50, p99), (plain_p50, plain_p99)] = medians.as_slice() {
        println!(
            "the plain query costs {:.1} times as much at p50, {:.1} times at p99",
            plain_p50 / p50,
            plain_p99 / p99
        );
    }
}

/// The query that an engine without a plan of its own would run.
struct PlainQuery {
    searcher: tantivy::Searcher,
    field: tantivy::schema::Field,
}

impl PlainQuery {
    fn open(directory: &Path) -> PlainQuery {
        let index = tantivy::Index::open_in_dir(directory).expect("an index");
        let field = index
            .schema()
            .get_field("text")
            .expect("the field of all words");
        let reader = index.reader().expect("a reader");
        PlainQuery {
            searcher: reader.searcher(),
            field,
        }
    }

    fn run(&self, text: &str) {
        const TERMS: usize = 25;
        let mut words = tokenize(text);
        let mut seen = std::collections::HashSet::new();
        words.retain(|word| seen.insert(word.clone()));
        let clauses: Vec<(Occur, Box<dyn Query>)> = words
            .iter()
            .take(TERMS)
            .map(|word| {
                let term = tantivy::Term::from_field_text(self.field, word);
                let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
                (Occur::Should, Box::new(query) as Box<dyn Query>)
            })
            .collect();
        self.searcher
            .search(
                &BooleanQuery::new(clauses),
                &TopDocs::with_limit(10).order_by_score(),
            )
            .expect("a search");
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
