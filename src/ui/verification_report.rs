//! The report of a verification, as a page and as a file: problems first.

use super::html::Html;
use super::page::Moment;
use super::verify::marked;
use super::words::Words;
use askama::Template;
use serde::{Deserialize, Serialize};

/// What a report says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReportContent {
    /// What was checked: names of files, or of a collection.
    pub title: String,
    /// Who shares it; empty if nobody does.
    pub by: String,
    /// When the references were checked, Unix seconds.
    pub checked_at: i64,
    pub rows: Vec<ReportRow>,
}

/// One reference.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReportRow {
    /// Its number in the list, from 1.
    pub number: u64,
    pub text: String,
    /// A verdict.
    pub verdict: String,
    pub place: String,
    /// Title and location of the work found; empty without one.
    pub found: String,
    pub about: String,
    pub doi: String,
    pub source: String,
    pub differences: Vec<ReportDifference>,
    /// Notices about the work, and what a person has decided.
    pub notes: Vec<String>,
}

/// A field that differs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReportDifference {
    pub field: String,
    pub given: String,
    pub found: String,
}

/// The report within a page.
#[derive(Template)]
#[template(path = "verification_report.html")]
pub struct VerificationReport<'r> {
    pub words: Words,
    pub content: &'r ReportContent,
    /// When the link expires.
    pub expires_at: Option<Moment>,
}

/// The report as a self-contained file.
#[derive(Template)]
#[template(path = "report_file.html")]
pub struct ReportFile<'r> {
    pub words: Words,
    pub title: &'r str,
    pub body: Html,
}

/// Verdicts, the gravest first.
const ORDER: [&str; 7] = [
    "retracted",
    "not_found",
    "mismatch",
    "ambiguous",
    "not_checked",
    "quota_exhausted",
    "verified",
];

/// Whether a word is a verdict.
pub fn is_verdict(verdict: &str) -> bool {
    ORDER.contains(&verdict)
}

impl VerificationReport<'_> {
    /// Problems first, each kind in the order of the list.
    fn rows(&self) -> Vec<&ReportRow> {
        let mut rows: Vec<&ReportRow> = self.content.rows.iter().collect();
        let rank = |row: &ReportRow| ORDER.iter().position(|verdict| *verdict == row.verdict);
        rows.sort_by_key(|row| (rank(row), row.number));
        rows
    }

    /// Each verdict that occurs, and its number of rows.
    fn counts(&self) -> Vec<(&'static str, usize)> {
        let of = |verdict: &str| {
            { self.content.rows.iter() }
                .filter(|row| row.verdict == verdict)
                .count()
        };
        let counts = ORDER.into_iter().map(|verdict| (verdict, of(verdict)));
        counts.filter(|(_, n)| *n > 0).collect()
    }

    fn checked_at(&self) -> Moment {
        Moment(self.content.checked_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_come_first() {
        let row = |number, verdict: &str| ReportRow {
            number,
            verdict: verdict.to_owned(),
            text: format!("<i>{number}"),
            ..ReportRow::default()
        };
        let content = ReportContent {
            rows: vec![row(1, "verified"), row(2, "not_found"), row(3, "retracted")],
            ..ReportContent::default()
        };
        let report = VerificationReport {
            words: Words::default(),
            content: &content,
            expires_at: None,
        };
        let numbers: Vec<u64> = report.rows().iter().map(|row| row.number).collect();
        assert_eq!(numbers, [3, 2, 1]);
        assert_eq!(report.counts().len(), 3);
        let html = report.to_string();
        assert!(
            html.contains("&#60;i&#62;1") && !html.contains("<i>1"),
            "{html}"
        );
        let file = ReportFile {
            words: Words::default(),
            title: "",
            body: report.into(),
        };
        let file = file.to_string();
        assert!(
            file.contains("<!doctype html>") && !file.contains("src="),
            "{file}"
        );
    }
}
