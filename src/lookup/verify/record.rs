//! The records that several sources have of one publication: a reference that agrees with one of them is not wrong.

use super::difference::{
    Difference, DifferenceReason, DifferenceSeverity, differences, differences_of, is_confirmed,
};
use super::form::is_same_publication;
use crate::lookup::reference::Candidate;
use citation_matching::explain::{FieldReport, explain};
use citation_matching::normalize::squeeze;
use citation_matching::rank;
use citation_matching::reference::Reference;
use citation_model::budget::{Budget, Exceeded};

/// A source's record of a publication, compared with a reference.
#[derive(Clone, Debug)]
pub(super) struct SourceRecord {
    pub source: &'static str,
    fields: Vec<FieldReport>,
    differences: Vec<Difference>,
}

/// The value of a field at one source.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SourceValue {
    pub source: &'static str,
    pub value: String,
}

impl SourceRecord {
    /// Whether the reference has the record's value.
    pub(super) fn agrees_in(&self, field: &str) -> bool {
        let is_grave = |d: &Difference| d.field == field && d.severity != DifferenceSeverity::Info;
        let is_it = |report: &FieldReport| report.field == field && is_confirmed(report);
        self.fields.iter().any(is_it) && !self.differences.iter().any(is_grave)
    }
}

/// The records of the publication at `at`, its own first.
pub(super) fn of_publication(
    reference: &Reference,
    candidates: &[Candidate],
    at: usize,
    budget: &Budget,
) -> Result<Vec<SourceRecord>, Exceeded> {
    let Some(best) = candidates.get(at) else {
        return Ok(Vec::new());
    };
    let mut records = vec![of_candidate(best)];
    for work in &best.further {
        let Some(found) = rank::rank(reference, [&work.item], budget)?
            .into_iter()
            .next()
        else {
            continue;
        };
        let fields = explain(reference, &work.item, &found);
        records.push(SourceRecord {
            source: work.provenance.source.as_str(),
            differences: differences(&fields, &found.evidence),
            fields,
        });
    }
    let others = candidates.iter().enumerate().filter(|(n, _)| *n != at);
    let others = others.filter(|(_, other)| is_same_publication(best, other));
    records.extend(others.map(|(_, other)| of_candidate(other)));
    Ok(records)
}

fn of_candidate(candidate: &Candidate) -> SourceRecord {
    SourceRecord {
        source: candidate.work.provenance.source.as_str(),
        fields: candidate.fields.clone(),
        differences: differences_of(candidate),
    }
}

/// Lowers the differences in which another source agrees with the reference.
pub(super) fn settle(differences: &mut [Difference], records: &[SourceRecord]) {
    for difference in differences {
        let is_open =
            difference.severity != DifferenceSeverity::Info && difference.reason.is_none();
        let agrees = |record: &SourceRecord| record.agrees_in(difference.field);
        if is_open && records.iter().skip(1).any(agrees) {
            difference.severity = DifferenceSeverity::Info;
            difference.reason = Some(DifferenceReason::SourcesDisagree);
        }
    }
}

/// What the sources have in a field, if they disagree.
pub(super) fn values(records: &[SourceRecord], field: &str) -> Vec<SourceValue> {
    let mut values: Vec<SourceValue> = Vec::new();
    for record in records {
        let report = record.fields.iter().find(|report| report.field == field);
        if let Some(value) = report.and_then(|report| report.found.clone()) {
            values.push(SourceValue {
                source: record.source,
                value,
            });
        }
    }
    let mut squeezed = values.iter().map(|value| squeeze(&value.value));
    let first = squeezed.next();
    if squeezed.all(|other| Some(other) == first) {
        Vec::new()
    } else {
        values
    }
}
