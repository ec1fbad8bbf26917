//! The probability that a verdict is right.
//!
//! One logistic model for each verdict, of the same features. `tests/service/matching/verdicts.rs` fits the weights;
//! docs/matching.md has the reliability measured on works that they were not fitted to.

use super::difference::{Difference, DifferenceReason, DifferenceSeverity};
use super::field::FieldStatus;
use super::{Verdict, Verification};
use crate::config::Strictness;

/// Number of features.
pub const COUNT: usize = 10;

/// The names of the features, in the order of the weights.
pub const NAMES: [&str; COUNT] = [
    "constant",
    "log-odds of the score",
    "title dissimilarity",
    "authors dissimilarity",
    "critical differences",
    "warnings",
    "minor differences",
    "agreeing details",
    "agreeing identifier",
    "length of the title",
];

/// The weights of one verdict.
pub type Weights = [f64; COUNT];

const VERIFIED: Weights = [
    2.017, -0.488, 0.0, -1.574, 0.0, 0.0, 0.710, -0.699, 0.153, 1.362,
];
const MISMATCH: Weights = [
    3.852, 0.617, 0.983, 0.725, 0.358, -0.613, 0.0, 0.540, -0.080, -0.670,
];
const NOT_FOUND: Weights = [4.531, -1.233, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// The probability, 0 to 1; `None` for verdicts that decide nothing.
pub(super) fn probability(verification: &Verification) -> Option<f64> {
    let weights = match verification.verdict {
        Verdict::Verified | Verdict::Retracted => &VERIFIED,
        Verdict::Mismatch => &MISMATCH,
        Verdict::NotFound => &NOT_FOUND,
        Verdict::Ambiguous | Verdict::NotChecked | Verdict::QuotaExhausted => return None,
    };
    Some(logistic(weights, &features(verification)))
}

/// The probability from which a strict check takes a reference for verified.
const SURELY_VERIFIED: f64 = 0.8;

/// The probability from which a lenient check takes a reference for a mismatch.
const SURELY_MISMATCH: f64 = 0.98;

/// Whether a verdict is not sure enough to be given.
pub(super) fn is_too_unsure(verification: &Verification, strictness: Strictness) -> bool {
    let is_below =
        |least: f64| { verification.probability }.is_some_and(|probability| probability < least);
    match (strictness, verification.verdict) {
        (Strictness::Strict, Verdict::Verified) => is_below(SURELY_VERIFIED),
        (Strictness::Lenient, Verdict::Mismatch) => is_below(SURELY_MISMATCH),
        _ => false,
    }
}

/// The logistic function of weighted features.
pub fn logistic(weights: &Weights, features: &Weights) -> f64 {
    let products = weights.iter().zip(features).map(|(w, x)| w * x);
    1.0 / (1.0 + (-products.sum::<f64>()).exp())
}

/// The features of a verdict.
pub fn features(verification: &Verification) -> Weights {
    const DETAILS: [&str; 5] = ["year", "volume", "issue", "pages", "container_title"];
    const SURE: f64 = 0.9999;
    let nearest = verification
        .matched
        .as_ref()
        .or(verification.others.first());
    let score = nearest.map_or(0.0, |candidate| candidate.score);
    let score = score.clamp(1.0 - SURE, SURE);
    let dissimilarity = |field: &str| {
        let mut fields = nearest.into_iter().flat_map(|candidate| &candidate.fields);
        let report = fields.find(|report| report.field == field && report.found.is_some());
        report.map_or(0.0, |report| 1.0 - report.similarity)
    };
    let count = |severity, most: usize| {
        let is_of = |d: &&Difference| {
            d.severity == severity && d.reason != Some(DifferenceReason::Unchecked)
        };
        verification
            .differences
            .iter()
            .filter(is_of)
            .count()
            .min(most) as f64
    };
    let agreeing = |names: &[&str]| {
        let agrees = verification
            .fields
            .iter()
            .filter(|field| field.status == FieldStatus::Agrees && names.contains(&field.field));
        agrees.count() as f64
    };
    let title_weight = nearest.map_or(0.0, |candidate| candidate.found.evidence.title.weight);
    [
        1.0,
        (score / (1.0 - score)).ln() / 5.0,
        dissimilarity("title"),
        dissimilarity("authors"),
        count(DifferenceSeverity::Critical, 2),
        count(DifferenceSeverity::Warning, 3),
        count(DifferenceSeverity::Info, 3),
        agreeing(&DETAILS) / DETAILS.len() as f64,
        agreeing(&["identifier"]),
        (title_weight / 10.0).min(1.0),
    ]
}
