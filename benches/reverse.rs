//! The cost of a reverse lookup, step by step, on an existing corpus.
//!
//! ```text
//! citation ingest --data DIR works.jsonl            # CSL-JSON, of any size
//! CITATION_BENCH_DATA=DIR CITATION_BENCH_QUERIES=queries.jsonl cargo bench --bench reverse
//! ```
//!
//! A query is a line `{"text": …}`. Times are CPU times of the working thread, because wall-clock times are
//! unreliable on a busy machine: reading the reference, fetching candidates (index and database), scoring
//! them. The baseline, on the same index in the same run, is a plain query: BM25 over the first 25 terms of
//! the text, without loading its ten best works. The same follows for random texts of 2,000 characters, the
//! maximum of the API. Finally, lists of 100 references are verified on all cores; on a busy machine, use
//! their CPU time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod clock;
mod support;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use citation::app::App;
use citation::blocking::Job;
use citation::config::Config;
use citation::corpus::Corpus;
use citation::corpus::tokens::tokenize;
use citation::lookup::batch;
use citation::lookup::scope::Scope;
use citation::lookup::verify::VerificationInput;
use citation::store::{Store, StoreSettings};
use citation_matching::certainty::Certainty;
use citation_matching::rank;
use citation_matching::reference::Reference;
use citation_model::budget::Budget;
use clock::cpu_time;
use support::cpu_seconds;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

/// Candidates per reference, as in the service.
const CANDIDATES: usize = 40;

/// Number of queries before measuring begins.
const WARM_UP: usize = 50;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of random texts.
const ODD_TEXTS: usize = 200;

/// Characters of a random text.
const ODD_LENGTH: usize = 2_000;

/// References per verified list.
const LIST: usize = 100;

/// Number of verified lists, after one that is not counted.
const LISTS: usize = 10;

/// Target for references per second on two cores, among ten million works.
const WANTED: f64 = 150.0;

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
    let mut times = Times::default();
    let mut accepted = 0;
    for (n, text) in texts.iter().enumerate() {
        let mut ignored = Times::default();
        let into = if n < WARM_UP {
            &mut ignored
        } else {
            &mut times
        };
        accepted += usize::from(answer(&corpus, text, into));
        into.measure("plain query", || plain.run(text));
    }
    println!("{accepted} accepted");
    println!("{:24}{:>12}{:>12}{:>12}", "ms of CPU", "p50", "p90", "p99");
    times.print();
    let (ours, theirs) = (times.sorted("together"), times.sorted("plain query"));
    println!(
        "the plain query costs {:.1} times as much at p50, {:.1} times at p99",
        at(&theirs, 0.5) / at(&ours, 0.5),
        at(&theirs, 0.99) / at(&ours, 0.99)
    );
    let mut times = Times::default();
    for text in odd_texts(&texts) {
        answer(&corpus, &text, &mut times);
    }
    println!("{ODD_TEXTS} texts of {ODD_LENGTH} characters of anything");
    times.print();
    drop(corpus);
    verify_lists(&data, &texts);
}

/// Verifies lists against the local works, one after the other, as `citation verify` does.
fn verify_lists(data: &str, texts: &[String]) {
    let mut config = Config::default();
    config.data.dir = data.into();
    let app = App::open(config).expect("a data directory");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let verify = |_, text: &String| {
        let job = Job::unbounded(Budget::unlimited());
        let (search, resolver) = (&app.references, &app.lookup);
        VerificationInput::text(text)
            .verify(search, resolver, Scope::local(), &job)
            .expect("a search");
    };
    let (mut rates, mut spent) = (Vec::new(), 0.0);
    for (n, list) in texts.chunks_exact(LIST).take(1 + LISTS).enumerate() {
        let (since, before) = (Instant::now(), cpu_seconds());
        batch::run(list.iter().collect(), cores, verify, |_, ()| true);
        if n > 0 {
            rates.push(LIST as f64 / since.elapsed().as_secs_f64());
            spent += cpu_seconds() - before;
        }
    }
    if rates.is_empty() {
        println!("skipped: the queries do not fill two lists of {LIST} references");
        return;
    }
    rates.sort_unstable_by(f64::total_cmp);
    println!(
        "verification of lists of {LIST} on {cores} cores: {:.0} references a second ({:.0} to {:.0}; at \
         least {WANTED} wanted), {:.1} ms of CPU each",
        rates[rates.len() / 2],
        rates[0],
        rates[rates.len() - 1],
        spent * 1e3 / (rates.len() * LIST) as f64
    );
}

/// Answers a query as the service does; returns whether a work was accepted.
fn answer(corpus: &Corpus, text: &str, times: &mut Times) -> bool {
    let start = cpu_time();
    let reference = times.measure("read", || Reference::parse(text));
    let hits = times.measure("fetch", || {
        corpus.candidates(&reference, CANDIDATES).expect("a search")
    });
    let matches = times.measure("score", || {
        let items = hits.iter().map(|hit| &hit.work.item);
        rank::rank(&reference, items, &Budget::unlimited()).expect("no limit")
    });
    times.note("together", cpu_time() - start);
    matches
        .first()
        .is_some_and(|best| Certainty::of(best.score) >= Certainty::Accepted)
}

/// The durations of each step.
#[derive(Default)]
struct Times(Vec<(&'static str, Vec<Duration>)>);

impl Times {
    fn measure<T>(&mut self, step: &'static str, run: impl FnOnce() -> T) -> T {
        let start = cpu_time();
        let value = run();
        self.note(step, cpu_time() - start);
        value
    }

    fn note(&mut self, step: &'static str, time: Duration) {
        match self.0.iter_mut().find(|(name, _)| *name == step) {
            Some((_, times)) => times.push(time),
            None => self.0.push((step, vec![time])),
        }
    }

    fn sorted(&self, step: &str) -> Vec<Duration> {
        let times = self.0.iter().find(|(name, _)| *name == step);
        let mut times = times.map(|(_, times)| times.clone()).unwrap_or_default();
        times.sort_unstable();
        times
    }

    fn print(&self) {
        for (step, _) in &self.0 {
            let times = self.sorted(step);
            let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| at(&times, share));
            println!("{step:24}{p50:>12.3}{p90:>12.3}{p99:>12.3}");
        }
    }
}

/// The quantile of a sorted list, in milliseconds.
fn at(sorted: &[Duration], share: f64) -> f64 {
    let place = (sorted.len() as f64 * share) as usize;
    let time = sorted.get(place.min(sorted.len().saturating_sub(1)));
    time.map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

/// Texts of expensive parts, the same in every run: words, names and numbers of the queries, initials,
/// punctuation, other scripts.
fn odd_texts(texts: &[String]) -> Vec<String> {
    const PIECES: [&str; 16] = [
        "A.",
        "et al.",
        "10.1000/x",
        "vol.",
        "pp.",
        "(",
        ")",
        "“",
        "”",
        "12",
        "2001",
        "1–2",
        "\n",
        "日本語",
        "Ж",
        "e\u{301}",
    ];
    let words: Vec<&str> = texts
        .iter()
        .take(500)
        .flat_map(|text| text.split(' '))
        .chain(PIECES)
        .collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words[(state % words.len() as u64) as usize]
    };
    (0..ODD_TEXTS)
        .map(|_| {
            let mut text = String::new();
            while text.chars().count() < ODD_LENGTH {
                text.push_str(word());
                text.push(' ');
            }
            text.chars().take(ODD_LENGTH).collect()
        })
        .collect()
}

/// The query that a search engine would run by default.
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
