//! Works in memory with an index of their terms, and where tests read them from.

use std::collections::HashMap;
use std::path::PathBuf;

use citation::matching::query::{self, Breadth};
use citation::matching::rank::{self, Match};
use citation::matching::reference::Reference;
use citation::model::item::Item;

/// Works with an index of their terms, in memory.
pub struct Works {
    pub items: Vec<Item>,
    with_term: HashMap<String, Vec<usize>>,
}

impl Works {
    pub fn new(items: Vec<Item>) -> Works {
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
    pub fn candidates(&self, reference: &Reference) -> Vec<&Item> {
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
    pub fn best(&self, text: &str) -> Option<(&Item, Match)> {
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

/// One CSL-JSON item a line.
pub fn read_items(lines: &str) -> Vec<Item> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("an item a line"))
        .collect()
}

/// A file of the benchmark, unpacked; nothing, with a printed line, where it is absent.
pub fn benchmark(name: &str) -> Option<String> {
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
