//! The first page. Its form carries the list along, so that it works without script and without an
//! account; an address with `q` looks one thing up.

use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};

use super::answers::{error_message, list, text};
use super::formatted::{self, choices, format, locales, setting};
use super::frame::{form, show, words};
use crate::api::context::{Query, RequestContext};
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest::{self, Answer};
use crate::model::identifier::input::Input;
use crate::ui::bibliography::{self, Choice, Line};
use crate::ui::cite::{self, Cite, Hit, Outcome};
use crate::ui::html::Html;
use crate::ui::page::Frame;
use crate::ui::rich::rich;

/// Works that a form may carry.
const MOST_ENTRIES: usize = 500;

/// Lines of one paste that are looked up without script. More of them are a batch.
const MOST_LINES: usize = 10;

/// The score from which on a text is taken for the work found, without a question.
const SURE: f64 = 0.95;

/// `GET /?style=&locale=`.
pub fn home(context: &RequestContext) -> Result<Reply, ApiError> {
    let state = State {
        setting: context.query.clone(),
        ..State::default()
    };
    Ok(page(context, state))
}

/// `GET /cite?q=&style=&locale=`: looks something up, by an address that anybody may link to. `doi`
/// and `isbn` stand for `q`.
pub fn link(context: &RequestContext) -> Result<Reply, ApiError> {
    let asked = ["q", "doi", "isbn"]
        .into_iter()
        .find_map(|name| context.query.get(name));
    let mut state = State {
        query: asked.unwrap_or_default().to_owned(),
        setting: context.query.clone(),
        ..State::default()
    };
    state.find(context);
    Ok(page(context, state))
}

/// `POST /cite`: one step of a list that travels with its form.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let read = |name: &str| -> Vec<Value> {
        let text = form.get(name).unwrap_or_default();
        serde_json::from_str(text).unwrap_or_default()
    };
    let mut state = State {
        query: form.get("q").unwrap_or_default().to_owned(),
        entries: read("entries"),
        candidates: read("candidates"),
        setting: form.clone(),
        ..State::default()
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
        "up" if (1..state.entries.len()).contains(&index) => state.entries.swap(index, index - 1),
        _ => {}
    }
    Ok(page(context, state))
}

/// `POST /cite/export`: the list of the form as a file.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let entries: Vec<Value> = form
        .get("entries")
        .and_then(|entries| serde_json::from_str(entries).ok())
        .unwrap_or_default();
    let format = form.get("format").unwrap_or_default();
    formatted::file(context, &entries, format, &setting(&form))
}

#[derive(Default)]
struct State {
    query: String,
    entries: Vec<Value>,
    candidates: Vec<Value>,
    setting: Query,
    outcome: Option<Outcome>,
}

impl State {
    /// Looks up what was pasted.
    fn find(&mut self, context: &RequestContext) {
        let query = std::mem::take(&mut self.query);
        self.candidates.clear();
        let lines: Vec<&str> = query
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        if lines.is_empty() {
            return;
        }
        let mut added = 0;
        let wanted: Vec<String> = match lines.as_slice() {
            [one] => match Input::parse(one) {
                Input::Several(inputs) => inputs.iter().map(Input::to_string).collect(),
                _ => vec![(*one).to_owned()],
            },
            several if several.iter().all(|line| identifies(line)) => {
                several.iter().map(|line| (*line).to_owned()).collect()
            }
            _ => {
                let (works, references) = take_apart(context, &query);
                added += works.into_iter().map(|work| self.add(work)).sum::<u64>();
                references
            }
        };
        for wanted in wanted.iter().take(MOST_LINES) {
            match look_up(context, wanted) {
                Found::Work(metadata) => added += self.add(*metadata),
                Found::Hits(candidates) => {
                    let hits = candidates.iter().map(hit).collect();
                    self.outcome = Some(Outcome::Hits(hits));
                    self.candidates = candidates;
                }
                Found::Nothing(outcome) => self.outcome = Some(outcome),
            }
        }
        if self.outcome.is_none() {
            self.outcome = Some(Outcome::Added(added));
        } else {
            self.query = query;
        }
    }

    fn add(&mut self, metadata: Value) -> u64 {
        if self.entries.len() >= MOST_ENTRIES {
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
            self.outcome = Some(Outcome::Added(added));
        }
    }
}

/// What came of looking one thing up.
enum Found {
    Work(Box<Value>),
    Hits(Vec<Value>),
    Nothing(Outcome),
}

/// A paste of several lines: the works of a bibliography file, or references as they stand in a paper.
fn take_apart(context: &RequestContext, text: &str) -> (Vec<Value>, Vec<String>) {
    let body = Bytes::from(text.to_owned());
    let read = subrequest::ask(
        context,
        Method::POST,
        "/api/v1/import",
        Some("text/plain"),
        body,
    )
    .body;
    let works = list(&read, "entries").iter();
    let references = list(&read, "references").iter().filter_map(Value::as_str);
    (
        works
            .filter_map(|entry| entry.get("metadata").cloned())
            .collect(),
        references.map(str::to_owned).collect(),
    )
}

fn identifies(text: &str) -> bool {
    !matches!(Input::parse(text), Input::Text(_))
}

/// Asks for whatever a text names or may mean.
fn look_up(context: &RequestContext, wanted: &str) -> Found {
    let body = json!({"query": wanted.trim()});
    let mut answer = subrequest::send(context, Method::POST, "/api/v1/lookup", &body);
    if !answer.is_ok() {
        return Found::Nothing(refused(context, &answer));
    }
    let tried = tried(context, &answer);
    let mut part = |name: &str| answer.body.get_mut(name).map(Value::take);
    let metadata = part("metadata").unwrap_or_default();
    let Some(Value::Array(mut candidates)) = part("candidates") else {
        return Found::Work(Box::new(metadata));
    };
    let score = |candidate: &Value| {
        candidate
            .get("score")
            .and_then(Value::as_f64)
            .unwrap_or(0.0)
    };
    let sure = candidates
        .iter()
        .filter(|candidate| score(candidate) >= SURE)
        .count();
    match candidates.first_mut() {
        None => Found::Nothing(Outcome::Nothing(tried)),
        Some(best) if sure == 1 => {
            let metadata = best.get_mut("metadata").map(Value::take);
            Found::Work(Box::new(metadata.unwrap_or_default()))
        }
        Some(_) => Found::Hits(candidates),
    }
}

/// The sources that were asked, by name, and what came of each.
fn tried(context: &RequestContext, answer: &Answer) -> Vec<(String, String)> {
    let tried = list(&answer.body, "sources_tried").iter();
    let named = tried.map(|tried| {
        let source = cite::source_name(words(context), text(tried, "source"));
        (source.to_owned(), text(tried, "outcome").to_owned())
    });
    named.collect()
}

/// Why nothing was found.
fn refused(context: &RequestContext, answer: &Answer) -> Outcome {
    let words = words(context);
    if answer.error() == "work_not_found" {
        return Outcome::Nothing(tried(context, answer));
    }
    let resets = answer.body.get("reset_seconds").and_then(Value::as_u64);
    Outcome::Problem {
        text: error_message(words, answer),
        resets: resets.filter(|_| answer.error() == "quota_exhausted"),
    }
}

fn hit(candidate: &Value) -> Hit {
    let metadata = candidate.get("metadata").unwrap_or(&Value::Null);
    let score = candidate
        .get("score")
        .and_then(Value::as_f64)
        .unwrap_or(0.0);
    Hit {
        title: plain_title(metadata),
        about: about(metadata),
        source: text(candidate, "source").to_owned(),
        percent: (score * 100.0).round() as u64,
    }
}

/// The title without the few tags that it may hold.
pub fn plain_title(metadata: &Value) -> String {
    let mut title = text(metadata, "title").to_owned();
    for tag in [
        "<i>",
        "</i>",
        "<b>",
        "</b>",
        "<sup>",
        "</sup>",
        "<sub>",
        "</sub>",
        "<span class=\"nocase\">",
        "</span>",
    ] {
        title = title.replace(tag, "");
    }
    title
}

/// Authors, container and year, for a line below a title.
pub fn about(metadata: &Value) -> String {
    let authors = list(metadata, "authors");
    let name = |author: &Value| {
        let family = text(author, "family");
        if family.is_empty() {
            text(author, "literal")
        } else {
            family
        }
        .to_owned()
    };
    let names: Vec<String> = authors.iter().take(3).map(name).collect();
    let mut parts = vec![names.join(", ") + if authors.len() > 3 { ", …" } else { "" }];
    parts.push(text(metadata, "journal").to_owned());
    parts.push(text(metadata, "publisher").to_owned());
    let year = metadata.pointer("/date/year").map(Value::to_string);
    parts.extend(year);
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

fn page(context: &RequestContext, state: State) -> Reply {
    let words = words(context);
    let wanted = setting(&state.setting);
    let formatted = format(context, &state.entries, &wanted);
    let (lines, hanging, problem) = match formatted.is_ok() {
        true => {
            let indent = formatted.body.pointer("/layout/hanging_indent");
            let hanging = indent.and_then(Value::as_bool).unwrap_or(false);
            (
                lines(context, &state.entries, &formatted.body),
                hanging,
                None,
            )
        }
        false => {
            let lines = state.entries.iter().enumerate().map(|(index, metadata)| {
                let title = plain_title(metadata);
                line(
                    context,
                    index,
                    title.clone(),
                    Html::text(&title),
                    Html::empty(),
                )
            });
            (
                lines.collect(),
                false,
                Some(error_message(words, &formatted)),
            )
        }
    };
    let style = match text(&formatted.body, "style") {
        "" => context.app.config.format.style.as_str(),
        style => style,
    };
    let me = subrequest::get(context, "/api/v1/me").body;
    let number = |pointer: &str| me.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    let main = cite::cite(
        words,
        &Cite {
            query: &state.query,
            choice: Choice {
                styles: choices(context, style),
                style: style.to_owned(),
                locales: locales(context),
                locale: wanted.locale,
            },
            entries: Value::Array(state.entries).to_string(),
            candidates: Value::Array(state.candidates).to_string(),
            outcome: state.outcome,
            lines,
            has_hanging_indent: hanging,
            lookups: (number("/lookups/remaining"), number("/lookups/limit")),
            problem,
        },
    );
    let frame = Frame {
        current: "/",
        script: Some("home.js"),
        has_heading: true,
        is_listed: context.uri.path() == "/",
        ..Frame::default()
    };
    show(context, &frame, main)
}

fn lines(context: &RequestContext, entries: &[Value], formatted: &Value) -> Vec<Line> {
    let rendered = list(formatted, "entries").iter();
    let both = entries.iter().zip(rendered).enumerate();
    both.map(|(index, (metadata, rendered))| {
        let entry = match text(rendered, "bibliography_html") {
            "" => text(rendered, "in_text_html"),
            entry => entry,
        };
        let in_text = rich(text(rendered, "in_text_html"));
        line(context, index, plain_title(metadata), rich(entry), in_text)
    })
    .collect()
}

fn line(context: &RequestContext, index: usize, title: String, entry: Html, in_text: Html) -> Line {
    let words = words(context);
    let button = |action: &str, key: &str| {
        bibliography::button(words, &format!("{action}:{index}"), key, &title)
    };
    let up = match index {
        0 => Html::empty(),
        _ => button("up", "entry.up"),
    };
    Line {
        buttons: Html::join([up, button("remove", "entry.remove")]),
        entry,
        in_text,
        title,
        ..Line::default()
    }
}
