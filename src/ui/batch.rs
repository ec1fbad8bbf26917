//! Many references at once: identifiers and citation texts in, one bibliography out.

use super::bibliography::Choice;
use super::html::Html;
use super::words::Words;
use askama::Template;

/// The page.
#[derive(Default, Template)]
#[template(path = "batch.html")]
pub struct BatchPage<'p> {
    pub words: Words,
    /// The list as pasted.
    pub list: &'p str,
    pub choice: Choice,
    pub rows: Vec<BatchLineView>,
    pub problem: Option<String>,
    /// Whether the caller's plan includes batches without script.
    pub is_included: bool,
}

/// One line of the list and its result.
#[derive(Clone, Debug, Default)]
pub struct BatchLineView {
    /// `ok`, `not_found`, `low_confidence`, `error`, `quota_exhausted`.
    pub status: &'static str,
    pub given: String,
    /// The formatted entry; empty if there is none.
    pub entry: Html,
    pub failure: String,
}
