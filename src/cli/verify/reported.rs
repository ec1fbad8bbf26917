//! One checked reference in the forms in which reports show it.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use askama::Template;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::read::{ReferenceJob, shortened};
use crate::cli::finding::{CheckFinding, Level};
use crate::cli::position::FilePosition;
use crate::cli::reverse;
use crate::lookup::overrides::{AppliedOverride, Decision, Override};
use crate::lookup::verify::{
    Difference, DifferenceReason, DifferenceSeverity, Verdict, Verification,
};
use crate::ui::report::ReportRow;
use crate::ui::verify::ReferenceView;
use crate::ui::words::Words;
use citation_exchange::metadata::{CitationMetadata, UpdatesView};
use citation_matching::certainty::rounded;
use citation_model::inert::{self, table};
use citation_model::variable::TextVar;
use citation_model::work::{Update, UpdateKind, UpdateRelation};

/// A reference as every report needs it, so that a run can keep it and a later run can go on from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReportedReference {
    pub verdict: Verdict,
    /// Sources and their answers, in the order of the requests.
    pub tried: Vec<(String, String)>,
    /// Lines of the table, without the columns of the first one.
    pub lines: Vec<String>,
    /// The line of JSON, without its index.
    pub object: Value,
    /// The row of CSV.
    pub row: String,
    /// The message for logs, and how grave it is; `None` if there is nothing to say.
    message: Option<(Level, String)>,
    /// The part of the page, as HTML.
    pub html: String,
}

impl ReportedReference {
    pub fn of(job: &ReferenceJob, verification: &Verification) -> ReportedReference {
        let tried = verification.tried.iter();
        let view = row(job, verification);
        let html = ReportRow {
            words: Words::default(),
            rows: &[view],
        };
        ReportedReference {
            verdict: verification.verdict,
            tried: tried
                .map(|t| (t.source.to_owned(), t.outcome.as_str().to_owned()))
                .collect(),
            lines: lines(verification),
            object: object(job, verification),
            row: csv(job, verification),
            message: finding(verification),
            html: html.render().unwrap_or_default(),
        }
    }

    /// The finding for logs.
    pub fn finding(&self, job: &ReferenceJob) -> Option<CheckFinding> {
        let (level, message) = self.message.clone()?;
        Some(CheckFinding {
            rule: self.verdict.as_str(),
            level,
            message,
            position: job.position.clone(),
        })
    }

    /// The line of JSON with the index of the reference in the run.
    pub fn indexed(&self, index: usize) -> Value {
        let mut object = self.object.clone();
        object["index"] = index.into();
        object
    }
}

/// The lines of the table below the first one.
fn lines(verification: &Verification) -> Vec<String> {
    let matched = { verification.matched.as_ref() }
        .filter(|_| verification.verdict != Verdict::Verified)
        .map(|matched| format!("{:.3}  {}", matched.score, reverse::describe(matched)));
    let unanswered = reverse::unanswered(&verification.tried);
    let unanswered = unanswered.filter(|_| verification.verdict == Verdict::NotChecked);
    let differences = verification.differences.iter().map(difference_text);
    let notices = notices(verification).map(notice_text);
    let told = matched.into_iter().chain(decision_text(verification));
    let told = told.chain(unanswered).chain(differences).chain(notices);
    told.collect()
}

/// The order of verdicts in reports: problems first.
pub fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::NotFound => 0,
        Verdict::Retracted => 1,
        Verdict::Mismatch => 2,
        Verdict::Ambiguous => 3,
        Verdict::NotChecked | Verdict::QuotaExhausted => 4,
        Verdict::Verified => 5,
    }
}

/// `real, says Ann Ash on 2026-11-28: seen on paper (was not_found)`
fn decision_text(verification: &Verification) -> Option<String> {
    let AppliedOverride { made, replaced } = verification.decided.as_deref()?;
    let decision = match made.decision {
        Decision::Real => "real",
        Decision::OtherWork => "not the work found",
    };
    let Override { by, date, why, .. } = made;
    Some(format!(
        "{decision}, says {by} on {date}: {why} (was {replaced})"
    ))
}

fn object(job: &ReferenceJob, verification: &Verification) -> Value {
    let matched = verification.matched.as_ref();
    let tried: Vec<Value> = verification
        .tried
        .iter()
        .map(|t| json!({"source": t.source, "outcome": t.outcome.as_str()}))
        .collect();
    let mut line = placed(&job.position);
    line["index"] = Value::Null;
    line["reference"] = job.label.as_str().into();
    line["verdict"] = verification.verdict.as_str().into();
    line["message"] = verification.message.into();
    if let Some(decided) = &verification.decided {
        line["override"] = json!(decided);
    }
    line["text"] = job.given.reference.text.as_str().into();
    line["probability"] = json!(verification.probability.map(rounded));
    line["score"] = json!(matched.map(|m| m.score));
    line["match"] = json!(matched.map(|m| CitationMetadata::of_work(&m.work)));
    line["diffs"] = json!(verification.differences);
    line["fields"] = json!(verification.fields);
    let forms = verification.forms.iter();
    let forms = forms.map(|other| {
        json!({"form": other.form.as_str(), "match": CitationMetadata::of_work(&other.work)})
    });
    line["other_forms"] = forms.collect();
    line["updates"] = json!(UpdatesView(&verification.updates));
    line["sources_tried"] = json!(tried);
    line
}

/// An object with the members of a position.
pub fn placed(position: &FilePosition) -> Value {
    let characters = position.characters.as_ref();
    json!({
        "file": position.file,
        "line": position.line,
        "column": position.column,
        "start": characters.map(|range| range.start),
        "end": characters.map(|range| range.end),
        "page": position.page,
        "paragraph": position.paragraph,
        "note": position.note,
    })
}

fn csv(job: &ReferenceJob, verification: &Verification) -> String {
    let matched = verification.matched.as_ref();
    let differences: Vec<String> = verification
        .differences
        .iter()
        .map(difference_text)
        .collect();
    let updates: Vec<String> = notices(verification).map(notice_text).collect();
    let score = matched.map(|m| format!("{:.4}", m.score));
    let doi = matched.and_then(|m| m.work.item.doi());
    let title = matched.and_then(|m| m.work.item.text(TextVar::Title));
    let fields: Vec<String> = { verification.fields.iter() }
        .map(|field| {
            let source = field.source.unwrap_or_default();
            format!("{}: {} {source}", field.field, field.status.as_str())
                .trim()
                .to_owned()
        })
        .collect();
    let sources: Vec<String> = { verification.tried.iter() }
        .map(|tried| format!("{}: {}", tried.source, tried.outcome.as_str()))
        .collect();
    let probability = verification.probability.map(|p| format!("{p:.4}"));
    let further = [
        probability.unwrap_or_default(),
        verification.message.to_owned(),
        title.unwrap_or_default().to_owned(),
        fields.join("; "),
        sources.join("; "),
        decision_text(verification).unwrap_or_default(),
    ];
    csv_row(
        &job.position,
        [job.label.clone(), verification.verdict.as_str().to_owned()],
        [
            score.unwrap_or_default(),
            doi.map(|doi| doi.to_string()).unwrap_or_default(),
            differences.join("; "),
            updates.join("; "),
        ],
        further,
    )
}

/// A row: the position, the text and its kind, the result, and further columns.
pub fn csv_row(
    position: &FilePosition,
    what: [String; 2],
    found: [String; 4],
    further: [String; 6],
) -> String {
    let number = |number: Option<usize>| number.map(|n| n.to_string()).unwrap_or_default();
    let place = [
        position.file.clone(),
        number(position.line),
        number(position.column),
    ];
    let cells = place.into_iter().chain(what).chain(found);
    let cells = cells.chain([position.within()]).chain(further);
    table::row(cells)
}

fn row(job: &ReferenceJob, verification: &Verification) -> ReferenceView {
    ReferenceView {
        place: job.position.to_string(),
        message: verification.message,
        notices: { decision_text(verification).into_iter() }
            .chain(notices(verification).map(notice_text))
            .collect(),
        ..ReferenceView::of(job.label.clone(), verification.clone())
    }
}

/// The message about a reference; `None` if it is verified and has no notice.
fn finding(verification: &Verification) -> Option<(Level, String)> {
    let is_critical = |d: &Difference| d.severity == DifferenceSeverity::Critical;
    let is_grave = |update: &Update| update.kind == UpdateKind::ExpressionOfConcern;
    let level = match verification.verdict {
        Verdict::Verified if notices(verification).any(is_grave) => Level::Warning,
        Verdict::Verified if notices(verification).next().is_some() => Level::Notice,
        Verdict::Verified => return None,
        Verdict::Retracted | Verdict::NotFound => Level::Error,
        Verdict::Mismatch if verification.differences.iter().any(is_critical) => Level::Error,
        Verdict::Mismatch | Verdict::Ambiguous => Level::Warning,
        Verdict::NotChecked | Verdict::QuotaExhausted => Level::Notice,
    };
    Some((level, message(verification)))
}

/// The verdict with its differences and notices, one per line.
fn message(verification: &Verification) -> String {
    let verdict = format!(
        "{}: {}",
        verification.verdict.as_str(),
        verification.message
    );
    let differences = verification.differences.iter().map(difference_text);
    let notices = notices(verification).map(notice_text);
    let lines: Vec<String> = std::iter::once(verdict)
        .chain(differences)
        .chain(notices)
        .map(|line| inert::terminal::line(&line).into_owned())
        .collect();
    lines.join("\n")
}

/// The comment on a reference: the verdict, and the work or the sources behind it.
pub fn verdict_message(verification: &Verification) -> Option<String> {
    finding(verification)?;
    let mut said = message(verification);
    match &verification.matched {
        Some(matched) => said.push_str(&format!(
            "\nFound: {}",
            inert::terminal::line(&reverse::describe(matched))
        )),
        None => {
            let mut asked: Vec<&str> = verification.tried.iter().map(|t| t.source).collect();
            asked.dedup();
            said.push_str(&format!("\nAsked: {}", asked.join(", ")));
        }
    }
    Some(said)
}

/// The notices about the matched work, without those that it makes about another.
fn notices(verification: &Verification) -> impl Iterator<Item = &Update> {
    let is_about = |update: &&Update| update.relation == UpdateRelation::UpdatedBy;
    verification.updates.iter().filter(is_about)
}

/// `retraction: 10.1000/notice (2010-02-06)`
fn notice_text(update: &Update) -> String {
    let kind = update.kind.as_str().replace('_', " ");
    let mut text = format!("{kind}: {}", update.doi);
    if let Some(date) = &update.date {
        text.push_str(&format!(" ({})", date.edtf()));
    }
    if !update.reasons.is_empty() {
        text.push_str(&format!(", {}", update.reasons.join("; ")));
    }
    text
}

fn difference_text(difference: &Difference) -> String {
    let shown = |text: &Option<String>| shortened(text.as_deref().unwrap_or_default(), 80);
    let (given, found) = (shown(&difference.given), shown(&difference.found));
    let told = match difference.reason {
        Some(DifferenceReason::NotRegistered) => format!("“{given}” is not registered"),
        Some(DifferenceReason::OtherWork) => format!("“{given}” is another work's"),
        Some(DifferenceReason::Unchecked) => format!("“{given}” was not checked"),
        Some(DifferenceReason::SourcesDisagree) => {
            format!("“{found}” instead of “{given}”, which another source has")
        }
        None => match (&difference.given, &difference.found) {
            (None, _) => format!("“{found}” is left out"),
            (_, None) => format!("“{given}” is not of the work"),
            _ => format!("“{found}” instead of “{given}”"),
        },
    };
    format!("{}: {told}", difference.field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::date::Date;
    use citation_model::identifier::Doi;

    #[test]
    fn notice_has_its_doi_and_date() {
        let notice = |date: Option<Date>| Update {
            kind: UpdateKind::ExpressionOfConcern,
            relation: UpdateRelation::UpdatedBy,
            doi: Doi::parse("10.1000/notice").unwrap(),
            date,
            source: String::new(),
            reasons: Vec::new(),
        };
        let text = notice_text(&notice(Date::parse("2010-02-06")));
        assert_eq!(text, "expression of concern: 10.1000/notice (2010-02-06)");
        assert_eq!(
            notice_text(&notice(None)),
            "expression of concern: 10.1000/notice"
        );
    }
}
