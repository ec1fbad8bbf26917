//! What the account made of verifications: its decisions about references, and the reports that it shares.

use crate::ui::page::Moment;
use crate::ui::words::Words;
use askama::Template;

/// A decision about a reference.
#[derive(Clone, Debug)]
pub struct DecisionView {
    pub key: String,
    pub reference: String,
    /// `real` or `other_work`.
    pub decision: String,
    pub why: String,
    pub made_at: Moment,
}

/// A shared report.
#[derive(Clone, Debug)]
pub struct ReportView {
    pub token: String,
    pub title: String,
    pub created_at: Moment,
    pub expires_at: Moment,
}

/// The page.
#[derive(Template)]
#[template(path = "account/reviews.html")]
pub struct ReviewsPage {
    pub words: Words,
    pub decisions: Vec<DecisionView>,
    pub reports: Vec<ReportView>,
}

impl ReviewsPage {
    /// The title of a report, which may be empty.
    fn title<'r>(&'r self, report: &'r ReportView) -> &'r str {
        match report.title.trim() {
            "" => self.words.get("report.title"),
            title => title,
        }
    }
}
