//! Finds out whether two items are the same work, and which items of a list are.
//!
//! Identifiers count first, then title, people, year and place; each adds to or subtracts from the
//! log-odds. A veto rules a duplicate out regardless of agreement: different DOIs, a part and its whole,
//! another edition, a correction and the corrected work. Every comparison is explained field by field.
//!
//! `traits` prepares an item, `title` and `kinds` compare what needs more than equality, `veto` has the
//! exclusion rules, `fields` weighs, `index` finds the pairs worth comparing.

mod fields;
mod index;
mod kinds;
mod people;
mod title;
mod traits;
mod veto;

pub use index::{Index, SimilarItem};
pub use kinds::is_preprint;
pub(crate) use people::ComparedName;
pub use veto::Veto;

use super::explain::{FieldReport, FieldVerdict};
use citation_model::item::Item;
use traits::Traits;

/// From this probability on two items count as one work.
pub const DUPLICATE: f64 = 0.8;

/// From this probability on, and below [`DUPLICATE`], a person should check.
pub const POSSIBLE: f64 = 0.5;

/// The maximum score of a pair with a veto, and the maximum if its identifier is the same nevertheless.
const VETOED: f64 = 0.3;
const VETOED_UNDER_ONE_IDENTIFIER: f64 = 0.45;

/// The comparison of two items.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The probability that both are the same work, 0 to 1; below [`POSSIBLE`] with a veto.
    pub score: f64,
    /// The strongest argument for one work.
    pub basis: Basis,
    /// The reasons that exclude a duplicate; empty for most pairs.
    pub vetoes: Vec<Veto>,
    /// Every field that either item has: `given` is the first item's value, `found` the second's.
    pub fields: Vec<FieldReport>,
}

/// The basis of a likeness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    Doi,
    Isbn,
    Pmid,
    Pmcid,
    Arxiv,
    /// Title, people and year agree.
    TitleAuthorYear,
    /// The title roughly agrees, and the rest is partly unknown or different.
    TitleSimilar,
}

impl Basis {
    /// The API spelling: `doi`, `title_author_year`.
    pub fn as_str(self) -> &'static str {
        match self {
            Basis::Doi => "doi",
            Basis::Isbn => "isbn",
            Basis::Pmid => "pmid",
            Basis::Pmcid => "pmcid",
            Basis::Arxiv => "arxiv",
            Basis::TitleAuthorYear => "title_author_year",
            Basis::TitleSimilar => "title_similar",
        }
    }

    /// Whether both items carry the same identifier.
    fn is_identifier(self) -> bool {
        !matches!(self, Basis::TitleAuthorYear | Basis::TitleSimilar)
    }
}

impl Comparison {
    pub fn is_duplicate(&self) -> bool {
        self.score >= DUPLICATE
    }

    /// Whether to show the pair to a user: a likely duplicate, or one identifier on two works.
    pub fn is_worth_showing(&self) -> bool {
        self.score >= POSSIBLE || self.basis.is_identifier()
    }

    /// The names of the fields that agree.
    pub fn matched_fields(&self) -> Vec<&'static str> {
        self.fields_with(&[FieldVerdict::Equal, FieldVerdict::Similar])
    }

    /// The names of the fields that contradict.
    pub fn conflicting_fields(&self) -> Vec<&'static str> {
        self.fields_with(&[FieldVerdict::Different])
    }

    fn fields_with(&self, verdicts: &[FieldVerdict]) -> Vec<&'static str> {
        let agrees = |report: &&FieldReport| verdicts.contains(&report.verdict);
        self.fields
            .iter()
            .filter(agrees)
            .map(|report| report.field)
            .collect()
    }
}

/// Compares two items. Symmetric except for which side is given and found.
pub fn compare(given: &Item, found: &Item) -> Comparison {
    compare_traits(&Traits::of(given), &Traits::of(found))
}

fn compare_traits(given: &Traits, found: &Traits) -> Comparison {
    let judgement = fields::judge(given, found);
    Comparison {
        score: (judgement.score * 1000.0).round() / 1000.0,
        basis: judgement.basis,
        fields: fields::report(given, found, &judgement),
        vetoes: judgement.vetoes,
    }
}

#[cfg(test)]
mod tests;
