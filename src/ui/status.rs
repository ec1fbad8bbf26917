//! The state of the service: one line for readers, in full for the operator.

use super::words::Words;
use askama::Template;
use std::borrow::Borrow;

/// The page.
#[derive(Default, Template)]
#[template(path = "status.html")]
pub struct StatusPage {
    pub words: Words,
    /// `ok`, `degraded`, `unavailable`.
    pub status: &'static str,
    /// The problems, a sentence each, in English.
    pub problems: Vec<String>,
    pub version: String,
    pub works: u64,
    pub documents: u64,
    pub is_search_ready: bool,
    /// `disabled`, `idle`, `running`, `error`.
    pub ingest: &'static str,
    pub last_ingest: Option<String>,
    pub uptime_seconds: u64,
    pub providers: Vec<ProviderView>,
    /// Only for the operator.
    pub operator: Option<OperatorSection>,
}

/// What only the operator sees.
#[derive(Clone, Debug, Default)]
pub struct OperatorSection {
    pub accounts: u64,
    pub disabled: u64,
    /// Plan and accounts.
    pub plans: Vec<(&'static str, u64)>,
    /// The newest accounts, newest first.
    pub newest: Vec<NewAccountView>,
    /// `2026-11`.
    pub month: String,
    pub calls: u64,
    pub overage: u64,
    pub database_bytes: u64,
    pub index_bytes: u64,
    pub total_bytes: u64,
    /// Changes not yet in the search index.
    pub not_indexed: u64,
    /// Counters since the start.
    pub counts: Vec<CountView>,
    /// Database backups: name, bytes, ISO 8601 in UTC.
    pub backups: Vec<(String, u64, String)>,
    /// The limits of each plan.
    pub limits: Vec<PlanLimitsView>,
}

/// One counter since the start, named as in the metrics.
#[derive(Clone, Debug, Default)]
pub struct CountView {
    pub of: &'static str,
    pub label: &'static str,
    pub count: u64,
    pub mean_ms: Option<f64>,
    /// Cache hits among the cache's look-ups.
    pub hits: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct NewAccountView {
    /// The e-mail address, else the name, else the id.
    pub name: String,
    pub plan: &'static str,
    /// ISO 8601, UTC.
    pub created_at: String,
    pub is_disabled: bool,
}

#[derive(Clone, Debug, Default)]
pub struct PlanLimitsView {
    pub plan: &'static str,
    pub daily_lookups: u64,
    /// None if the plan has no allowance of calls.
    pub monthly_calls: Option<u64>,
    pub collections: u64,
    pub entries: u64,
    /// Requests a minute.
    pub burst: u64,
}

#[derive(Clone, Debug, Default)]
pub struct ProviderView {
    pub name: &'static str,
    /// `closed`, `open`, `half_open`.
    pub circuit: &'static str,
    /// Only for the operator.
    pub counts: Option<RequestCounts>,
}

/// Requests to a provider since the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestCounts {
    pub requests: u64,
    pub failures: u64,
}

/// The date of an ISO 8601 time.
fn day(moment: &str) -> &str {
    moment.get(..10).unwrap_or(moment)
}

/// `12.3 MB`: bytes in the largest unit with a value of at least 1.
pub fn size(bytes: impl Borrow<u64>) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = *bytes.borrow() as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && value < 99.95);
    format!("{value:.digits$} {}", UNITS.get(unit).unwrap_or(&"B"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_suitable_units() {
        let check = |bytes, expected| assert_eq!(size(bytes), expected, "{bytes}");
        check(0, "0 B");
        check(999, "999 B");
        check(1_000, "1.0 kB");
        check(999_999, "1.0 MB");
        check(123_456_789, "123 MB");
        check(5_250_000_000, "5.2 GB");
    }

    #[test]
    fn accounts_are_visible_only_to_the_operator() {
        let mut view = StatusPage::default();
        let html = view.to_string();
        assert!(!html.contains("operator"));
        view.operator = Some(OperatorSection {
            newest: vec![NewAccountView {
                name: "<b>".to_owned(),
                ..NewAccountView::default()
            }],
            ..OperatorSection::default()
        });
        let html = view.to_string();
        assert!(html.contains("id=\"operator\"") && html.contains("&#60;b&#62;"));
    }
}
