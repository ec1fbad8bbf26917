//! Candidates in order: a cheap look at all of them, a careful one at the best.

use super::align::Manner;
use super::evidence::{self, Evidence};
use super::normalize::squeeze;
use super::record::Record;
use super::reference::Reference;
use super::score::{self, Facts};
use crate::model::item::Item;
use crate::model::variable::TextVar;

/// How many candidates are looked at carefully.
pub const FINALISTS: usize = 10;

/// A candidate and how well it fits.
#[derive(Clone, Debug)]
pub struct Match {
    /// The place of the candidate in the list that was given.
    pub index: usize,
    /// The probability that it is the work that is meant, 0 to 1.
    pub score: f64,
    pub evidence: Evidence,
    /// How many other candidates have the same title.
    pub twins: usize,
}

/// Scores candidates and sorts them, best first; at most [`FINALISTS`] are returned. Of equal ones
/// the one that was given first stays first.
pub fn rank<'a>(reference: &Reference, items: impl IntoIterator<Item = &'a Item>) -> Vec<Match> {
    let mut candidates: Vec<Candidate> = items
        .into_iter()
        .enumerate()
        .map(|(index, item)| Candidate::new(reference, index, item))
        .collect();
    candidates.sort_by(|a, b| b.rough.total_cmp(&a.rough));
    candidates.truncate(FINALISTS);
    let titles: Vec<String> = candidates.iter().map(|c| c.title.clone()).collect();
    let mut matches: Vec<Match> = candidates
        .into_iter()
        .map(|candidate| {
            let same = titles.iter().filter(|title| **title == candidate.title);
            let twins = same.count().saturating_sub(1);
            candidate.judge(reference, twins)
        })
        .collect();
    matches.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
    matches
}

struct Candidate {
    index: usize,
    record: Record,
    /// The title without spaces and punctuation.
    title: String,
    rough: f64,
}

impl Candidate {
    fn new(reference: &Reference, index: usize, item: &Item) -> Candidate {
        let record = Record::of(item);
        let evidence = evidence::weigh(reference, &record, Manner::Exact);
        Candidate {
            index,
            rough: score::rough(&evidence),
            title: squeeze(item.text(TextVar::Title).unwrap_or_default()),
            record,
        }
    }

    fn judge(self, reference: &Reference, twins: usize) -> Match {
        let evidence = evidence::weigh(reference, &self.record, Manner::Tolerant);
        Match {
            index: self.index,
            score: score::probability(&Facts::new(&evidence, twins)),
            evidence,
            twins,
        }
    }
}
