//! The first page. Its form carries the list, so it works without script and without an account; an
//! address with `q` looks one thing up.

use serde_json::{Value, json};

use super::formatted::{FormattedList, choice, format, style_choice};
use super::frame::{error_message, form, show, words, written_names};
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::policy;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::api::routes::convert::{self, TextContents};
use crate::api::routes::format as formatting;
use crate::api::routes::lookup_any::{Asked, look_up, refusal};
use crate::lookup::input::{Answer, FoundBy, TextSearch};
use crate::lookup::reference::Candidate;
use crate::ui::bibliography::WorkView;
use crate::ui::cite::{CandidateView, CitePage, OutcomeView};
use crate::ui::html::Html;
use crate::ui::page::Frame;
use crate::ui::work::{about, plain_title};
use citation_exchange::Content;
use citation_exchange::metadata::CitationMetadata;
use citation_matching::certainty::rounded;
use citation_model::identifier::input::Input;
use citation_model::work::Work;

/// Maximum number of works in a form.
const MAX_ENTRIES: usize = 500;

/// Maximum number of pasted lines looked up without script. `/batch` takes more.
const MAX_LINES: usize = 10;

/// `GET /?style=&locale=`.
pub fn home(context: &RequestContext) -> Result<Reply, ApiError> {
    let state = FormState {
        setting: context.query.clone(),
        ..FormState::default()
    };
    page(context, state)
}

/// `GET /cite?q=&style=&locale=`: looks something up, by a linkable address. `doi` and `isbn` are
/// aliases of `q`.
pub fn link(context: &RequestContext) -> Result<Reply, ApiError> {
    let asked = ["q", "doi", "isbn"]
        .into_iter()
        .find_map(|name| context.query.get(name));
    let mut state = FormState {
        query: asked.unwrap_or_default().to_owned(),
        setting: context.query.clone(),
        ..FormState::default()
    };
    state.find(context);
    page(context, state)
}

/// `POST /cite`: applies one step to the list carried by the form.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let mut state = FormState {
        query: form.get("q").unwrap_or_default().to_owned(),
        entries: carried(&form, "entries"),
        candidates: carried(&form, "candidates"),
        unread: serde_json::from_str(form.get("unread").unwrap_or_default()).ok(),
        setting: form.clone(),
        ..FormState::default()
    };
    let (action, index) = match form.get("do").and_then(|action| action.split_once(':')) {
        Some((action, index)) => (action, index.parse().unwrap_or(usize::MAX)),
        None => (form.get("do").unwrap_or("find"), usize::MAX),
    };
    match action {
        "find" => state.find(context),
        "pick" => state.pick(index),
        "remove" if index < state.entries.len() => {
            state.entries.remove(index);
        }
        "write" => state.write(&form),
        "up" if (1..state.entries.len()).contains(&index) => state.entries.swap(index, index - 1),
        _ => {}
    }
    page(context, state)
}

/// `POST /cite/export`: the form's list as a file.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let entries = Value::Array(carried(&form, "entries"));
    let (items, _) = formatting::read_entries(&context.job, &entries)?;
    let file_form = convert::form_named(form.get("format").unwrap_or_default())?;
    let file = convert::file(context, items, file_form, &style_choice(&form))?;
    Ok(file.with_header("cache-control", "no-store"))
}

/// A list carried by the form; empty if invalid.
fn carried(form: &Query, name: &str) -> Vec<Value> {
    serde_json::from_str(form.get(name).unwrap_or_default()).unwrap_or_default()
}

#[derive(Default)]
struct FormState {
    query: String,
    /// The metadata of the list's works, carried by the form.
    entries: Vec<Value>,
    /// The candidates, each `{metadata, score, source}`, carried by the form.
    candidates: Vec<Value>,
    /// The metadata of an unreadable page, to be completed.
    unread: Option<Value>,
    setting: Query,
    /// How works were found, if not as requested.
    notes: Vec<String>,
    outcome: Option<OutcomeView>,
}

/// The look-ups to make, each with its text, and the lines that are no references.
type Wanted = (Vec<(String, Input)>, Vec<String>);

impl FormState {
    /// Looks up the pasted text. Lines without a result stay in the box.
    fn find(&mut self, context: &RequestContext) {
        let query = std::mem::take(&mut self.query);
        self.candidates.clear();
        self.unread = None;
        let (wanted, left_out) = match self.wanted(context, &query) {
            Ok(wanted) => wanted,
            Err(error) => {
                self.outcome = Some(refused(context, &error));
                self.query = query;
                return;
            }
        };
        let mut added = self.entries.len();
        let mut left: Vec<(String, OutcomeView)> = Vec::new();
        for (n, (given, input)) in wanted.iter().enumerate() {
            let outcome = if n < MAX_LINES {
                self.find_one(context, given, input)
            } else {
                Some(OutcomeView::Later)
            };
            left.extend(outcome.map(|outcome| (given.clone(), outcome)));
        }
        added = self.entries.len() - added;
        let pieces = wanted.len() + left_out.len();
        left.extend(
            left_out
                .into_iter()
                .map(|text| (text, OutcomeView::NoReference)),
        );
        let rest: Vec<&str> = left.iter().map(|(given, _)| given.as_str()).collect();
        self.query = rest.join("\n");
        self.outcome = match (left.pop(), pieces) {
            (Some((_, only)), 1) => {
                self.query = query;
                Some(only)
            }
            (Some(last), _) => {
                left.push(last);
                self.candidates.clear();
                self.unread = None;
                Some(OutcomeView::Left(left))
            }
            (None, _) if query.trim().is_empty() => None,
            (None, _) => Some(OutcomeView::Added(added as u64)),
        };
    }

    /// What to look up of a paste. Records of a file are added at once.
    fn wanted(&mut self, context: &RequestContext, pasted: &str) -> Result<Wanted, ApiError> {
        let lines = pasted.lines().map(str::trim);
        let named: Vec<_> = lines
            .filter(|line| !line.is_empty())
            .flat_map(Input::list)
            .collect();
        let is_text = |(_, input): &(String, Input)| matches!(input, Input::Text(_));
        if !named.iter().any(is_text) {
            return Ok((named, Vec::new()));
        }
        match convert::read_text(context, &Content::of_text(pasted), "text/plain")? {
            // A single reference is looked up even without a year.
            TextContents::References(_) if named.len() == 1 => Ok((named, Vec::new())),
            TextContents::References(list) => {
                let references = list.references.iter();
                let left_out = list.left_out.into_iter().map(|line| line.text);
                let wanted = references.flat_map(|text| Input::list(text)).collect();
                Ok((wanted, left_out.collect()))
            }
            TextContents::Records(_, reading) => {
                for read in &reading.items {
                    self.add(json!(CitationMetadata::of_item(&read.item)));
                }
                Ok((Vec::new(), Vec::new()))
            }
        }
    }

    /// Looks up one thing and adds the work; otherwise returns the outcome.
    fn find_one(
        &mut self,
        context: &RequestContext,
        given: &str,
        input: &Input,
    ) -> Option<OutcomeView> {
        let asked = Asked {
            input,
            given,
            pointer: "/query",
            local_only: false,
        };
        match look_up(context, asked) {
            Ok(Answer::Work(found)) => {
                self.add(metadata(&found.work));
                self.notes.extend(note(context, given, &found.by));
                None
            }
            Ok(Answer::Unread { work, .. }) => {
                self.unread = Some(metadata(&work));
                Some(OutcomeView::Unread)
            }
            Ok(Answer::Candidates(search)) => Some(self.offer(context, &search)),
            Ok(Answer::Missing(missing)) => match &missing.unlikely {
                Some(search) if !search.candidates.is_empty() => Some(self.offer(context, search)),
                _ => Some(OutcomeView::Nothing(missing.tried)),
            },
            Ok(answer @ (Answer::Several(_) | Answer::Mistyped(_))) => {
                Some(refused(context, &refusal("/query", given, &answer)))
            }
            Err(error) => Some(refused(context, &error)),
        }
    }

    /// Offers the works that a text may mean.
    fn offer(&mut self, context: &RequestContext, search: &TextSearch) -> OutcomeView {
        let most = context.app.config.limits.reverse_candidates as usize;
        let candidates = search.candidates.iter().take(most);
        let candidates = candidates.map(|(_, candidate)| candidate);
        self.candidates = candidates.clone().map(candidate_to_carry).collect();
        OutcomeView::Hits(candidates.map(hit).collect())
    }

    /// Adds a page with the fields filled in by hand.
    fn write(&mut self, form: &Query) {
        let Some(Value::Object(mut page)) = self.unread.take() else {
            return;
        };
        let given = |name: &str| form.get(name).map_or("", str::trim);
        let authors = written_names(given("authors"));
        for (name, value) in [
            ("title", json!(given("title"))),
            ("authors", json!(authors)),
            ("date", json!(given("date"))),
        ] {
            if value != json!("") && value != json!([]) {
                page.insert(name.to_owned(), value);
            }
        }
        self.query.clear();
        let added = self.add(Value::Object(page));
        self.outcome = Some(OutcomeView::Added(added));
    }

    fn add(&mut self, metadata: Value) -> u64 {
        if self.entries.len() >= MAX_ENTRIES {
            return 0;
        }
        self.entries.push(metadata);
        1
    }

    fn pick(&mut self, index: usize) {
        let Some(candidate) = self.candidates.get_mut(index) else {
            return;
        };
        let metadata = candidate.get_mut("metadata").map(Value::take);
        self.candidates.clear();
        self.query.clear();
        if let Some(metadata) = metadata {
            let added = self.add(metadata);
            self.outcome = Some(OutcomeView::Added(added));
        }
    }
}

/// How a work was found, if not as requested.
fn note(context: &RequestContext, given: &str, by: &FoundBy) -> Option<String> {
    let (key, found) = match by {
        FoundBy::ShorterDoi(found) => ("notice.shorter_doi", found),
        FoundBy::NamedOnPage(found) => ("notice.found_on_page", found),
        FoundBy::Identifier | FoundBy::Page(_) | FoundBy::Text(_) => return None,
    };
    let found = found.to_string();
    Some(words(context).fill(key, &[("given", &given), ("found", &found)]))
}

fn metadata(work: &Work) -> Value {
    json!(CitationMetadata::of_work(work))
}

/// Why nothing was found.
fn refused(context: &RequestContext, error: &ApiError) -> OutcomeView {
    let is_exhausted = error.code == Code::QuotaExhausted;
    OutcomeView::Problem {
        text: error_message(words(context), error),
        resets: error.retry_after.filter(|_| is_exhausted),
    }
}

fn hit(candidate: &Candidate) -> CandidateView {
    CandidateView {
        title: plain_title(&candidate.work.item),
        about: about(&candidate.work.item),
        source: candidate.source(),
        percent: (candidate.score * 100.0).round() as u64,
    }
}

fn candidate_to_carry(candidate: &Candidate) -> Value {
    json!({
        "metadata": metadata(&candidate.work),
        "score": rounded(candidate.score),
        "source": candidate.source(),
    })
}

fn page(context: &RequestContext, state: FormState) -> Result<Reply, ApiError> {
    let words = words(context);
    let wanted = style_choice(&state.setting);
    let entries = Value::Array(state.entries);
    let (items, unreadable) = match formatting::read_entries(&context.job, &entries) {
        Ok((items, _)) => (items, None),
        Err(error) => (Vec::new(), Some(error_message(words, &error))),
    };
    let titles: Vec<String> = items.iter().map(plain_title).collect();
    let formatted = format(context, items, &wanted);
    let status = policy::quota_status(context)?;
    let sharing = &context.app.config.sharing;
    let main = CitePage {
        words,
        query: &state.query,
        lines: lines(titles, &formatted),
        has_hanging_indent: formatted.has_hanging_indent,
        choice: choice(context, formatted.style, wanted)?,
        entries: entries.to_string(),
        candidates: Value::Array(state.candidates).to_string(),
        unread: state
            .unread
            .map(|page| page.to_string())
            .unwrap_or_default(),
        notes: state.notes,
        outcome: state.outcome,
        lookups: (status.remaining, status.limit),
        problem: unreadable.or(formatted.problem),
        link_days: sharing.anonymous.then_some(sharing.anonymous_days),
    };
    let frame = Frame {
        current: "/",
        script: Some("home.js"),
        has_heading: true,
        is_listed: context.uri.path() == "/",
        ..Frame::default()
    };
    Ok(show(context, &frame, main))
}

fn lines(titles: Vec<String>, formatted: &FormattedList) -> Vec<WorkView> {
    let line = |(index, title): (usize, String)| {
        let shown = formatted.entry(index);
        let (entry, in_text) = shown.unwrap_or_else(|| (Html::text(&title), Html::default()));
        WorkView {
            entry,
            in_text,
            title,
            id: index.to_string(),
            can_rise: index > 0 && !formatted.is_sorted,
            ..WorkView::default()
        }
    };
    formatted.arranged(titles.into_iter().enumerate().map(line))
}
