//! What is known of each field of a reference, and from which source.

use super::difference::{Difference, DifferenceReason};
use super::identifier::OpenIdentifier;
use super::record::{self, SourceRecord, SourceValue};
use crate::lookup::reference::Candidate;
use crate::lookup::resolve::Registration;
use citation_matching::explain::{FieldReport, FieldVerdict};
use citation_matching::reference::Reference;

/// The result for one field.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct FieldCheck {
    /// `title`, `authors`, `year`, `volume`, `issue`, `pages`, `container_title`, `identifier`.
    pub field: &'static str,
    pub status: FieldStatus,
    /// The source of the value that it was compared with, or the registry of an identifier; null if unchecked.
    pub source: Option<&'static str>,
    /// What each source has, if they disagree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<SourceValue>,
}

/// How a field of a reference compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldStatus {
    /// As a source has it.
    Agrees,
    Differs,
    /// The work has it, the reference does not.
    Missing,
    /// The reference has it, but no source that was asked has a value to compare.
    Unchecked,
}

impl FieldStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            FieldStatus::Agrees => "agrees",
            FieldStatus::Differs => "differs",
            FieldStatus::Missing => "missing",
            FieldStatus::Unchecked => "unchecked",
        }
    }
}

/// The fields of a reference and of its work. `records` are those of its publication, the matched one first.
pub(super) fn checks(
    matched: &Candidate,
    differences: &[Difference],
    records: &[SourceRecord],
    open: &[OpenIdentifier],
) -> Vec<FieldCheck> {
    let own_source = matched.work.provenance.source.as_str();
    let check = |report: &FieldReport| {
        let (status, source) = match status(report, differences) {
            FieldStatus::Unchecked => (FieldStatus::Unchecked, None),
            FieldStatus::Differs if report.field == "identifier" => {
                (FieldStatus::Differs, denier(open).or(Some(own_source)))
            }
            FieldStatus::Agrees => {
                let mut agreeing = records
                    .iter()
                    .filter(|record| record.agrees_in(report.field));
                let source = agreeing.next().map_or(own_source, |record| record.source);
                (FieldStatus::Agrees, Some(source))
            }
            status => (status, Some(own_source)),
        };
        FieldCheck {
            field: report.field,
            status,
            source,
            values: record::values(records, report.field),
        }
    };
    matched.fields.iter().map(check).collect()
}

/// The fields of a reference without a work: nothing is known of them but an unregistered identifier.
pub(super) fn unmatched(reference: &Reference, open: &[OpenIdentifier]) -> Vec<FieldCheck> {
    let given = [
        ("title", reference.title.is_some()),
        ("authors", !reference.names.is_empty()),
        ("year", !reference.years.is_empty()),
        ("volume", reference.volume.is_some()),
        ("issue", reference.issue.is_some()),
        ("pages", reference.pages.is_some()),
        ("container_title", reference.container.is_some()),
        ("identifier", !reference.identifiers.is_empty()),
    ];
    let given = given.into_iter().filter(|(_, is_given)| *is_given);
    given
        .map(|(field, _)| {
            let denier = denier(open).filter(|_| field == "identifier");
            FieldCheck {
                field,
                status: match denier {
                    Some(_) => FieldStatus::Differs,
                    None => FieldStatus::Unchecked,
                },
                source: denier,
                values: Vec::new(),
            }
        })
        .collect()
}

fn status(report: &FieldReport, differences: &[Difference]) -> FieldStatus {
    let mut reasons = { differences.iter() }
        .filter(|difference| difference.field == report.field)
        .map(|difference| difference.reason)
        .peekable();
    let differs = |reason: &Option<DifferenceReason>| {
        use DifferenceReason::{SourcesDisagree, Unchecked};
        !matches!(reason, Some(SourcesDisagree | Unchecked))
    };
    let is_settled = reasons.peek() == Some(&Some(DifferenceReason::SourcesDisagree));
    if reasons.any(|reason| differs(&reason)) {
        return FieldStatus::Differs;
    }
    match (&report.given, &report.found) {
        _ if is_settled => FieldStatus::Agrees,
        (None, _) => FieldStatus::Missing,
        (_, None) => FieldStatus::Unchecked,
        // In another script, neither confirms nor contradicts the other.
        _ if report.verdict == FieldVerdict::Missing => FieldStatus::Unchecked,
        _ => FieldStatus::Agrees,
    }
}

/// The registry that does not know an identifier.
fn denier(open: &[OpenIdentifier]) -> Option<&'static str> {
    open.iter().find_map(|open| match open.registration {
        Registration::NotRegistered(registry) => Some(registry),
        _ => None,
    })
}
