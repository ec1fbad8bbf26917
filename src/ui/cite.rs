//! The first page: a box to paste into, and the bibliography that grows below it. Without script the
//! list travels within the form; with script the browser keeps it.

use super::bibliography::{Choice, Line};
use super::words::Words;
use crate::lookup::resolve::Tried;
use askama::Template;

/// The page.
#[derive(Template)]
#[template(path = "cite.html")]
pub struct Cite<'p> {
    pub words: Words,
    pub query: &'p str,
    pub choice: Choice,
    /// The list as JSON, to come back with the form.
    pub entries: String,
    /// What was found and may be taken, as JSON.
    pub candidates: String,
    /// The metadata of a page that is to be filled in, as JSON.
    pub unread: String,
    /// How works were found.
    pub notes: Vec<String>,
    pub outcome: Option<Outcome>,
    pub lines: Vec<Line>,
    pub has_hanging_indent: bool,
    /// Lookups left and allowed in 24 hours.
    pub lookups: (u64, u64),
    /// Why the list could not be formatted.
    pub problem: Option<String>,
    /// Days without a visit after which a link ends that is made to a list of the browser's own. Nothing:
    /// none can be made.
    pub link_days: Option<u32>,
}

/// What came of a look-up.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// So many works were put into the list.
    Added(u64),
    /// Works that may be meant.
    Hits(Vec<Hit>),
    /// No source has it.
    Nothing(Vec<Tried>),
    /// A page that could not be read and may be filled in.
    Unread,
    /// It was not looked up, since too much came before it.
    Later,
    /// Of several, those that came to nothing, and what came of each.
    Left(Vec<(String, Outcome)>),
    /// Said in the reader's language, with what was asked and, where the quota is spent, when it
    /// begins anew.
    Problem { text: String, resets: Option<u64> },
}

/// A work that may be meant.
#[derive(Clone, Debug)]
pub struct Hit {
    pub title: String,
    pub about: String,
    pub source: &'static str,
    /// 0 to 100.
    pub percent: u64,
}

impl Outcome {
    /// Why something came to nothing, in a few words.
    fn reason(&self, words: &Words) -> &str {
        match self {
            Outcome::Problem { text, .. } => text,
            Outcome::Later => words.get("left.later"),
            Outcome::Unread => words.get("unread.title"),
            Outcome::Hits(_) => words.get("status.low_confidence"),
            _ => words.get("nothing.title"),
        }
    }
}

/// The sources that were asked, each once with what it answered last.
pub fn last_answers(tried: &[Tried]) -> impl Iterator<Item = &Tried> {
    let is_last = move |at: usize, source: &str| {
        let mut later = tried.iter().skip(at + 1);
        !later.any(|tried| tried.source == source)
    };
    let answers = tried.iter().enumerate();
    let last = answers.filter(move |(at, tried)| is_last(*at, tried.source));
    last.map(|(_, tried)| tried)
}
