//! The matching engine from outside: references of many kinds against a few works, and against the
//! benchmark where it is at hand.

use std::collections::HashMap;
use std::path::PathBuf;

use citation::matching::query::{self, Breadth};
use citation::matching::rank::{self, Match};
use citation::matching::reference::Reference;
use citation::matching::score::ACCEPTED;
use citation::model::item::Item;

/// Works with an index of their terms, in memory.
struct Works {
    items: Vec<Item>,
    with_term: HashMap<String, Vec<usize>>,
}

impl Works {
    fn new(items: Vec<Item>) -> Works {
        let mut with_term: HashMap<String, Vec<usize>> = HashMap::new();
        for (n, item) in items.iter().enumerate() {
            let mut terms = query::terms_of(item);
            terms.sort_unstable();
            terms.dedup();
            for term in terms {
                with_term.entry(term).or_default().push(n);
            }
        }
        Works { items, with_term }
    }

    /// The works with the rarest terms of the reference, best first.
    fn candidates(&self, reference: &Reference) -> Vec<&Item> {
        const MOST: usize = 40;
        let works_with = |term: &str| {
            self.with_term
                .get(term)
                .map_or(0, |works| works.len() as u64)
        };
        let rated = query::rate(reference, works_with);
        let mut weights: HashMap<usize, f64> = HashMap::new();
        for chosen in query::choose(&rated, Breadth::NARROW) {
            let weight = (1.0 + self.items.len() as f64 / chosen.works as f64).ln();
            for work in &self.with_term[&chosen.term] {
                *weights.entry(*work).or_default() += weight;
            }
        }
        let mut found: Vec<(usize, f64)> = weights.into_iter().collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
            .iter()
            .take(MOST)
            .map(|(n, _)| &self.items[*n])
            .collect()
    }

    /// The best work and how it fits.
    fn best(&self, text: &str) -> Option<(&Item, Match)> {
        let reference = Reference::parse(text);
        let mut candidates = self.candidates(&reference);
        // Whoever searches looks identifiers up as well.
        candidates.extend(self.items.iter().filter(|item| {
            item.identifiers()
                .iter()
                .any(|id| reference.identifiers.contains(id))
        }));
        let best = rank::rank(&reference, candidates.iter().copied())
            .into_iter()
            .next()?;
        Some((candidates[best.index], best))
    }
}

fn read_items(lines: &str) -> Vec<Item> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("an item a line"))
        .collect()
}

#[test]
fn references_find_their_works_and_no_others() {
    let works = Works::new(read_items(include_str!("matching/works.jsonl")));
    let mut wrong = Vec::new();
    for line in include_str!("matching/references.tsv").lines() {
        let Some((text, expected)) = line.split_once('\t').filter(|_| !line.starts_with('#'))
        else {
            continue;
        };
        let best = works.best(&text.replace("\\n", "\n"));
        let (found, score) = match &best {
            Some((item, best)) => (item.id.as_str(), best.score),
            None => ("-", 0.0),
        };
        let accepted = if score >= ACCEPTED { found } else { "-" };
        if accepted != expected {
            wrong.push(format!("{text}\n    {found} {score:.3}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn anything_at_all_is_survived() {
    let works = Works::new(read_items(include_str!("matching/works.jsonl")));
    let alphabet: Vec<char> = "aZ0 .,;:()[]{}<>&-–—“”\"'/\\\n\t\u{0}\u{ad}\u{300}\u{200d}éßЩ日本語👩‍👩‍👧ﬁ\u{fffd}10.1000/x vol pp et al".chars().collect();
    // A small generator with a fixed start, so that a failure can be repeated.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..300 {
        let mut text = String::new();
        for _ in 0..2000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push(alphabet[(state % alphabet.len() as u64) as usize]);
        }
        works.best(&text);
        citation::matching::split(&text);
    }
    for text in [
        "",
        " ",
        "\n\n",
        "(",
        "10.",
        "[1]",
        "“",
        "-\n-",
        &"a ".repeat(1000),
        &"1".repeat(2000),
        &"A. ".repeat(700),
        &"日".repeat(2000),
    ] {
        works.best(text);
        citation::matching::split(text);
    }
}

#[test]
fn the_benchmark_is_matched() {
    let Some(works) = benchmark("corpus-dev.jsonl.gz") else {
        return;
    };
    let Some(queries) = benchmark("queries-dev.jsonl.gz") else {
        return;
    };
    let works = Works::new(read_items(&works));
    let (mut positive, mut first, mut negative, mut accepted_wrongly) = (0, 0, 0, 0);
    for line in queries.lines().step_by(40) {
        let query: serde_json::Value = serde_json::from_str(line).expect("a query a line");
        let best = works.best(query["text"].as_str().unwrap_or_default());
        let score = best.as_ref().map_or(0.0, |(_, best)| best.score);
        let found = best
            .map(|(item, _)| item.id.to_lowercase())
            .unwrap_or_default();
        let is_right =
            |id: &serde_json::Value| id.as_str().is_some_and(|id| id.to_lowercase() == found);
        if query["doi"].is_null() {
            negative += 1;
            accepted_wrongly += usize::from(score >= ACCEPTED);
        } else {
            positive += 1;
            let also = query["also"].as_array().cloned().unwrap_or_default();
            first += usize::from(is_right(&query["doi"]) || also.iter().any(is_right));
        }
    }
    println!(
        "right work first: {first} of {positive}; accepted wrongly: {accepted_wrongly} of {negative}"
    );
    assert!(first * 100 >= positive * 98);
    assert!(accepted_wrongly * 100 <= negative * 4);
}

/// A file of the benchmark, unpacked; nothing, with a printed line, where it is absent.
fn benchmark(name: &str) -> Option<String> {
    use std::io::Read;
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/matching")
        .join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: {} is absent", path.display());
        return None;
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("gzip");
    Some(text)
}
