//! The fields in which a reference and a work differ, and how severe that is.

use crate::lookup::reference::Candidate;
use citation_matching::evidence::{Agreement, Evidence, Wording};
use citation_matching::explain::{EQUAL, FieldReport, FieldVerdict};

/// A field in which reference and work differ.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Difference {
    pub field: &'static str,
    pub given: Option<String>,
    pub found: Option<String>,
    pub severity: DifferenceSeverity,
    /// What the difference is, if it is not that of two values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<DifferenceReason>,
}

/// Why a field differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceReason {
    /// The identifier is registered nowhere.
    NotRegistered,
    /// The identifier is another work's.
    OtherWork,
    /// No source that was asked knows whose identifier it is.
    Unchecked,
    /// Another source agrees with the reference.
    SourcesDisagree,
}

/// The severity of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceSeverity {
    /// Another work may be meant: identifier, title, first author.
    Critical,
    /// Wrong publication details: year, volume, issue, page, container.
    Warning,
    /// Minor: the year is off by one, or a word is misspelt.
    Info,
}

/// The share of a field below which the text does not contain it.
const RECOGNISED: f64 = 0.4;

pub(super) fn is_confirmed(report: &FieldReport) -> bool {
    matches!(report.verdict, FieldVerdict::Equal | FieldVerdict::Similar)
}

/// Whether a difference means that the reference is about another work.
pub(super) fn means_other_work(difference: &Difference) -> bool {
    let names_the_work = matches!(difference.field, "identifier" | "title")
        && difference.reason != Some(DifferenceReason::NotRegistered);
    names_the_work && difference.severity == DifferenceSeverity::Critical
}

pub(super) fn differences_of(candidate: &Candidate) -> Vec<Difference> {
    differences(&candidate.fields, &candidate.found.evidence)
}

/// The differing fields, most severe first.
pub(super) fn differences(fields: &[FieldReport], evidence: &Evidence) -> Vec<Difference> {
    let mut found: Vec<Difference> = fields
        .iter()
        .filter_map(|report| {
            let severity = severity(report, evidence)?;
            Some(Difference {
                field: report.field,
                given: report.given.clone(),
                found: report.found.clone(),
                severity,
                reason: is_unchecked(report).then_some(DifferenceReason::Unchecked),
            })
        })
        .collect();
    found.sort_by_key(|difference| difference.severity);
    found
}

/// The severity of a differing field; `None` if it agrees or is missing on one side.
fn severity(report: &FieldReport, e: &Evidence) -> Option<DifferenceSeverity> {
    // The parser may not have separated the text in place of the title or the container;
    // unexplained words indicate a difference.
    let replaced = |share: f64, weight: f64, words: f64| {
        let found = is_confirmed(report);
        !found && share < RECOGNISED && weight > 0.0 && e.unexplained.longest >= words
    };
    if report.field == "title" && replaced(e.title.share, e.title.weight, 2.0) {
        return Some(DifferenceSeverity::Critical);
    }
    if report.field == "container_title" && replaced(e.container.share, e.container.weight, 1.0) {
        return Some(DifferenceSeverity::Warning);
    }
    match report.verdict {
        _ if is_unchecked(report) => Some(DifferenceSeverity::Info),
        FieldVerdict::Equal | FieldVerdict::Missing => None,
        FieldVerdict::Similar => Some(severity_of_likeness(report, e)),
        FieldVerdict::Different => Some(match report.field {
            "identifier" | "title" | "authors" => DifferenceSeverity::Critical,
            _ => DifferenceSeverity::Warning,
        }),
    }
}

/// Whether no source knows whose identifier it is.
fn is_unchecked(report: &FieldReport) -> bool {
    report.field == "identifier"
        && report.given.is_some()
        && report.verdict == FieldVerdict::Missing
}

/// The severity of a nearly equal field.
fn severity_of_likeness(report: &FieldReport, e: &Evidence) -> DifferenceSeverity {
    let grave = match report.field {
        // A word is missing or replaced; a typing error is less severe.
        "title" => {
            e.title.lacks_a_word() || e.title_wording == Wording::Reworded && e.damage == 0.0
        }
        "authors" => report.similarity <= EQUAL,
        // `Journal of Physics` for `Journal of Chemistry`: a word is replaced.
        "container_title" => {
            let is_there = e.container.share >= RECOGNISED;
            is_there && e.container.lacks_a_word() && e.unexplained.longest >= 0.5
        }
        // The year online and that of the issue, where the identifier says which work it is.
        "year" => !matches!(e.identifier, Agreement::Equal(_)),
        _ => true,
    };
    if grave {
        DifferenceSeverity::Warning
    } else {
        DifferenceSeverity::Info
    }
}
