//! The first page: a box to paste into and the bibliography below it. Without script the list travels
//! in the form; with script the browser keeps it.

use super::bibliography::{Choice, WorkView};
use super::words::Words;
use crate::lookup::resolve::SourceResult;
use askama::Template;

/// The page.
#[derive(Template)]
#[template(path = "cite.html")]
pub struct CitePage<'p> {
    pub words: Words,
    pub query: &'p str,
    pub choice: Choice,
    /// The list as JSON, sent back with the form.
    pub entries: String,
    /// The candidates as JSON.
    pub candidates: String,
    /// The metadata of a page to be completed, as JSON.
    pub unread: String,
    /// How works were found.
    pub notes: Vec<String>,
    pub outcome: Option<OutcomeView>,
    pub lines: Vec<WorkView>,
    pub has_hanging_indent: bool,
    /// Lookups left and allowed in 24 hours.
    pub lookups: (u64, u64),
    /// Why the list could not be formatted.
    pub problem: Option<String>,
    /// Days without a visit after which a link to a browser's list expires. None if such links cannot be
    /// made.
    pub link_days: Option<u32>,
}

/// The result of a look-up.
#[derive(Clone, Debug)]
pub enum OutcomeView {
    /// Number of works added to the list.
    Added(u64),
    /// Candidates to choose from.
    Hits(Vec<CandidateView>),
    /// No source has it.
    Nothing(Vec<SourceResult>),
    /// A page that could not be read and can be completed by hand.
    Unread,
    /// Not looked up, since the limit was reached before it.
    Later,
    /// A line that is no reference.
    NoReference,
    /// Of several lines, those without a result, each with its outcome.
    Left(Vec<(String, OutcomeView)>),
    /// An error in the reader's language, with the query and, if the quota is used up, the time of
    /// its reset.
    Problem { text: String, resets: Option<u64> },
}

/// A candidate.
#[derive(Clone, Debug)]
pub struct CandidateView {
    pub title: String,
    pub about: String,
    pub source: &'static str,
    /// 0 to 100.
    pub percent: u64,
}

impl OutcomeView {
    /// The reason for a missing result, in a few words.
    fn reason(&self, words: &Words) -> &str {
        match self {
            OutcomeView::Problem { text, .. } => text,
            OutcomeView::Later => words.get("left.later"),
            OutcomeView::NoReference => words.get("left.none"),
            OutcomeView::Unread => words.get("unread.title"),
            OutcomeView::Hits(_) => words.get("status.low_confidence"),
            _ => words.get("nothing.title"),
        }
    }
}

/// The sources asked, each once with its last answer.
pub fn last_answers(tried: &[SourceResult]) -> impl Iterator<Item = &SourceResult> {
    let is_last = move |at: usize, source: &str| {
        let mut later = tried.iter().skip(at + 1);
        !later.any(|tried| tried.source == source)
    };
    let answers = tried.iter().enumerate();
    let last = answers.filter(move |(at, tried)| is_last(*at, tried.source));
    last.map(|(_, tried)| tried)
}
