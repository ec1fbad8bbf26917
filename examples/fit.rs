//! Fits the weights that decide whether a record is the work of a reference, and measures what each is worth.
//!
//! ```text
//! citation ingest --data DIR works.jsonl            # CSL-JSON, of any size
//! cargo run --release --example fit -- DIR queries.jsonl.gz [--prune]
//! ```
//!
//! A query is a line `{"text": …, "doi": …, "style": …}`; `doi` is the work's, or null if the corpus lacks it.
//! `also` lists others that are equally right.
//!
//! Weights are found by logistic regression on the candidates of each query. They are pulled towards the present
//! ones and keep their signs, so that agreement never lowers a score. Works and styles are kept apart: a query is
//! judged by weights that have seen neither its half of the works nor its style. With `--prune`, features leave as
//! long as the loss is below [`MIN_WORTH`] of F1, after the others are fitted again; a weight of 0 means that it left.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::collections::{BTreeSet, hash_map::DefaultHasher};
use std::hash::{Hash, Hasher};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use citation::corpus::Corpus;
use citation::lookup::batch;
use citation::store::{Store, StoreSettings};
use citation_matching::certainty::Certainty;
use citation_matching::rank;
use citation_matching::reference::Reference;
use citation_matching::score::{BIAS, FEATURES, FeatureVector};
use citation_model::budget::Budget;
use citation_model::identifier::Identifier;
use flate2::read::GzDecoder;
use serde::Deserialize;

/// The constant and the features.
const COUNT: usize = FEATURES.len() + 1;

type Weights = [f64; COUNT];

/// Works taken from the index, as in the service.
const CANDIDATES: usize = 40;

/// Candidates of a query that are learned from: those behind have no chance.
const LEARNED: usize = 5;

/// How strongly weights are held where they are, beside one example's loss.
const PULL: f64 = 2.0;

/// Steps of the descent, and the length of the first.
const STEPS: usize = 250;
const RATE: f64 = 0.05;

/// A feature that changes F1 by less is not worth its row.
const MIN_WORTH: f64 = 0.0005;

#[derive(Deserialize)]
struct Query {
    text: String,
    doi: Option<String>,
    #[serde(default)]
    also: Vec<String>,
    style: String,
}

struct Example {
    style: String,
    /// The half of the works, by a hash of the work.
    half: u64,
    has_work: bool,
    candidates: Vec<Candidate>,
}

struct Candidate {
    values: Weights,
    is_right: bool,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [data, queries, options @ ..] = arguments.as_slice() else {
        eprintln!("usage: fit DIR QUERIES [--prune]");
        std::process::exit(2);
    };
    let store = Store::open(Path::new(data), &StoreSettings::default()).expect("a data directory");
    let corpus = Corpus::open(Arc::new(store));
    let examples = read_examples(&corpus, queries);
    let present = present();
    let all: Vec<&Example> = examples.iter().collect();
    println!(
        "{} queries; present weights: {}",
        all.len(),
        measure(&all, &present)
    );
    let fitted = fit_apart(&examples, &present, &BTreeSet::new());
    println!("fitted, works and styles apart: {fitted}");
    if options.iter().any(|option| option == "--prune") {
        prune(&examples, &present);
    }
}

/// Removes features one after the other, the least useful first.
fn prune(examples: &[Example], present: &Weights) {
    let all: Vec<&Example> = examples.iter().collect();
    let (learned, judged): (Vec<&Example>, Vec<&Example>) =
        all.iter().partition(|example| example.half == 0);
    let mut gone = BTreeSet::new();
    let mut weights = fit(&learned, present, &gone);
    let whole = measure(&judged, &weights).f1();
    loop {
        let left = (1..COUNT).filter(|n| !gone.contains(n));
        let worth = left.map(|n| {
            let mut without = weights;
            without[n] = 0.0;
            (measure(&learned, &without).f1(), n)
        });
        let Some((_, n)) = worth.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            break;
        };
        gone.insert(n);
        let without = fit(&learned, present, &gone);
        let measured = measure(&judged, &without);
        println!("without “{}”: {measured}", FEATURES[n - 1].name);
        if whole - measured.f1() >= MIN_WORTH {
            gone.remove(&n);
            break;
        }
        weights = without;
    }
    let weights = fit(&all, present, &gone);
    println!(
        "{} features left; weights of all queries:",
        COUNT - 1 - gone.len()
    );
    println!("{:60}{:8.2}{:8.2}", "constant", present[0], weights[0]);
    for (n, feature) in FEATURES.iter().enumerate() {
        println!(
            "{:60}{:8.2}{:8.2}",
            feature.name,
            present[n + 1],
            weights[n + 1]
        );
    }
}

/// Judges each half of the works and each style by weights of the other half and the other styles.
fn fit_apart(examples: &[Example], start: &Weights, gone: &BTreeSet<usize>) -> Measured {
    let styles: BTreeSet<&str> = examples.iter().map(|e| e.style.as_str()).collect();
    let mut sum = Measured::default();
    for style in styles {
        for half in 0..2 {
            let is_judged = |e: &&Example| e.style == style && e.half == half;
            let is_learned = |e: &&Example| e.style != style && e.half != half;
            let learned: Vec<&Example> = examples.iter().filter(is_learned).collect();
            let judged: Vec<&Example> = examples.iter().filter(is_judged).collect();
            let weights = fit(&learned, start, gone);
            sum = sum.and(measure(&judged, &weights));
        }
    }
    sum
}

fn present() -> Weights {
    let mut weights = [BIAS; COUNT];
    for (weight, feature) in weights[1..].iter_mut().zip(&FEATURES) {
        *weight = feature.weight;
    }
    weights
}

/// Weights by projected gradient descent (Adam).
fn fit(examples: &[&Example], start: &Weights, gone: &BTreeSet<usize>) -> Weights {
    let mut weights = *start;
    gone.iter().for_each(|n| weights[*n] = 0.0);
    let (mut mean, mut square) = ([0.0; COUNT], [0.0; COUNT]);
    for step in 1..=STEPS {
        let mut gradient = [0.0; COUNT];
        for candidate in examples
            .iter()
            .flat_map(|e| e.candidates.iter().take(LEARNED))
        {
            let error = probability(&weights, candidate) - f64::from(u8::from(candidate.is_right));
            for (sum, value) in gradient.iter_mut().zip(&candidate.values) {
                *sum += error * value;
            }
        }
        for n in (0..COUNT).filter(|n| !gone.contains(n)) {
            let slope = gradient[n] + PULL * (weights[n] - start[n]);
            mean[n] = 0.9 * mean[n] + 0.1 * slope;
            square[n] = 0.99 * square[n] + 0.01 * slope * slope;
            let step = step as i32;
            let mean = mean[n] / (1.0 - 0.9f64.powi(step));
            let square: f64 = square[n] / (1.0 - 0.99f64.powi(step));
            let moved = weights[n] - RATE * mean / (square.sqrt() + 1e-9);
            let keeps_sign = n == 0 || moved * start[n] >= 0.0;
            weights[n] = if keeps_sign { moved } else { 0.0 };
        }
    }
    weights
}

fn probability(weights: &Weights, candidate: &Candidate) -> f64 {
    let products = weights.iter().zip(&candidate.values).map(|(w, x)| w * x);
    1.0 / (1.0 + (-products.sum::<f64>()).exp())
}

/// Counts of answers.
#[derive(Clone, Copy, Default)]
struct Measured {
    with_work: usize,
    without_work: usize,
    right: usize,
    accepted: usize,
    /// Accepted although the corpus lacks the work.
    invented: usize,
}

impl Measured {
    fn and(self, other: Measured) -> Measured {
        Measured {
            with_work: self.with_work + other.with_work,
            without_work: self.without_work + other.without_work,
            right: self.right + other.right,
            accepted: self.accepted + other.accepted,
            invented: self.invented + other.invented,
        }
    }

    fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.accepted + self.with_work).max(1) as f64
    }
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        write!(
            f,
            "F1 {:.4}, recall {:.4}, precision {:.4}, accepted without a work {:.2} %",
            self.f1(),
            share(self.right, self.with_work),
            share(self.right, self.accepted),
            100.0 * share(self.invented, self.without_work)
        )
    }
}

fn measure(examples: &[&Example], weights: &Weights) -> Measured {
    let mut measured = Measured::default();
    for example in examples {
        measured.with_work += usize::from(example.has_work);
        measured.without_work += usize::from(!example.has_work);
        let scored = { example.candidates.iter() }
            .map(|candidate| (probability(weights, candidate), candidate.is_right));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((score, is_right)) = best
            && Certainty::of(score) >= Certainty::Accepted
        {
            measured.accepted += 1;
            measured.right += usize::from(is_right);
            measured.invented += usize::from(!example.has_work);
        }
    }
    measured
}

/// Runs all queries against the corpus.
fn read_examples(corpus: &Corpus, path: &str) -> Vec<Example> {
    let file = std::fs::File::open(path).expect("a file of queries");
    let plain: Box<dyn Read> = if path.ends_with(".gz") {
        Box::new(GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let lines = BufReader::new(plain).lines();
    let lines: Vec<String> = lines.map(Result::unwrap).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut examples: Vec<(usize, Example)> = Vec::new();
    let read = |_, line: String| example(corpus, &serde_json::from_str(&line).expect("a query"));
    batch::run(lines, cores, read, |n, example| {
        examples.push((n, example));
        true
    });
    // In one order, so that a second run has the same sums.
    examples.sort_by_key(|(n, _)| *n);
    examples.into_iter().map(|(_, example)| example).collect()
}

fn example(corpus: &Corpus, query: &Query) -> Example {
    let reference = Reference::parse(&query.text);
    let hits = corpus.candidates(&reference, CANDIDATES).expect("a search");
    let items = hits.iter().map(|hit| &hit.work.item);
    let matches = rank::rank(&reference, items, &Budget::unlimited()).expect("no limit");
    let right: Vec<Identifier> = { query.doi.iter().chain(&query.also) }
        .filter_map(|doi| Identifier::parse(doi).ok())
        .collect();
    let candidates = matches.iter().map(|found| {
        let facts = FeatureVector::new(&found.evidence, found.rivals);
        let mut values = [1.0; COUNT];
        for (value, feature) in values[1..].iter_mut().zip(&FEATURES) {
            *value = (feature.value)(&facts);
        }
        let identifiers = hits[found.index].work.identifiers();
        Candidate {
            values,
            is_right: right.iter().any(|right| identifiers.contains(right)),
        }
    });
    let mut hasher = DefaultHasher::new();
    query.doi.as_ref().unwrap_or(&query.text).hash(&mut hasher);
    Example {
        style: query.style.clone(),
        half: hasher.finish() % 2,
        has_work: query.doi.is_some(),
        candidates: candidates.collect(),
    }
}
