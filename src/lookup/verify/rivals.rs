//! Other works that match a reference as well as one does: then nobody can say which is meant.

use super::difference::{differences_of, is_confirmed};
use super::form::{WorkForm, form, title};
use crate::lookup::reference::Candidate;
use citation_matching::certainty::Certainty;
use citation_matching::explain::FieldReport;

/// Candidates whose scores are closer than this cannot be distinguished.
const INDISTINGUISHABLE: f64 = 0.01;

/// Other candidates that match as well: accepted ones with nearly the same score, and those that
/// agree in every field in which this one does. Another registration of the same work, with the same
/// title and year, is not a rival.
pub fn rivals(candidates: &[Candidate], at: usize) -> Vec<Candidate> {
    let Some(best) = candidates.get(at) else {
        return Vec::new();
    };
    let is_accepted = |candidate: &Candidate| candidate.certainty() >= Certainty::Accepted;
    let is_close = |other: &Candidate| {
        let apart = best.score - other.score;
        is_accepted(best) && is_accepted(other) && apart < INDISTINGUISHABLE
    };
    candidates
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != at)
        .filter(|(_, other)| is_close(other) || agrees_like(other, best))
        .filter(|(_, other)| !is_same_record(best, other) && is_apart(best, other))
        .map(|(_, other)| other.clone())
        .collect()
}

/// Whether a candidate agrees with the reference in every field in which the best one does, and never differs.
fn agrees_like(other: &Candidate, best: &Candidate) -> bool {
    let confirmed = best.fields.iter().filter(|report| is_confirmed(report));
    let shared = |report: &FieldReport| {
        let same = |field: &&FieldReport| field.field == report.field;
        other.fields.iter().find(same).is_some_and(is_confirmed)
    };
    let titled = confirmed.clone().any(|report| report.field == "title");
    let is_about = other.found.evidence.companion_differs;
    titled && !is_about && confirmed.into_iter().all(shared) && differences_of(other).is_empty()
}

/// Whether a reference has to say which of two it means: other works, or other versions of one.
fn is_apart(best: &Candidate, other: &Candidate) -> bool {
    form(best, other).is_none_or(|form| form == WorkForm::Version)
}

fn is_same_record(a: &Candidate, b: &Candidate) -> bool {
    title(a) == title(b) && a.work.item.year() == b.work.item.year()
}
