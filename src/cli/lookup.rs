//! `citation lookup`: looks up identifiers, addresses and references.

use std::path::Path;

use clap::Args;
use serde_json::{Value, json};

use super::{Failure, Global, Outcome, Status, input, open, reverse, terminal};
use crate::app::App;
use crate::blocking::Job;
use crate::lookup::input::{Answer, FoundBy, Lookup, Missing, TextSearch};
use crate::lookup::resolve::{LookupError, SourceResult};
use crate::lookup::scope::Scope;
use citation_exchange::metadata::CitationMetadata;
use citation_matching::certainty::Certainty;
use citation_model::budget::Budget;
use citation_model::identifier::input::Input;
use citation_model::item::Item;
use citation_model::variable::{NameVar, NumberVar, TextVar};
use citation_model::work::Work;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation lookup 10.1038/171737a0
  citation lookup 9780306406157 arXiv:1706.03762 --json
  citation lookup --local-only < identifiers.txt")]
pub struct LookupCommand {
    /// DOIs, ISBNs, PubMed and arXiv ids and others in any spelling, addresses of pages, or references
    /// (default, and for `-`: lines of standard input)
    #[arg(value_name = "IDENTIFIER|URL|TEXT")]
    identifiers: Vec<String>,
    /// Ask no provider and fetch no page
    #[arg(long)]
    local_only: bool,
    /// The most candidates to show for a text without a certain match
    #[arg(long, default_value_t = 5, value_name = "N")]
    limit: usize,
}

/// The result of one lookup.
enum LookupAnswer {
    /// The work, and notes on how it was found.
    Found(Box<Work>, Option<String>),
    /// No certain match.
    NotFound(String),
    Failed(String),
}

impl LookupCommand {
    /// With `--json` one line per work: the metadata of the REST interface, or an object with
    /// `error`.
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        super::log::start_for_output(&config.log);
        let app = open::app(config)?;
        let mut status = Status::Done;
        for text in self.texts()? {
            for (text, input) in Input::list(&text) {
                let answer = self.answer(&app, &text, &input);
                let answer = answer.unwrap_or_else(|failure| match failure {
                    LookupError::Corpus(cause) => LookupAnswer::Failed(cause.to_string()),
                    LookupError::TooComplex(cause) => LookupAnswer::Failed(cause.to_string()),
                    LookupError::Provider { cause, tried } => {
                        let unanswered = reverse::unanswered(&tried);
                        let list = unanswered.unwrap_or_else(|| sources(&tried));
                        LookupAnswer::Failed(format!("{cause}; {list}"))
                    }
                });
                if !matches!(answer, LookupAnswer::Found(..)) {
                    status = Status::Negative;
                }
                print(&text, &answer, global.json);
            }
        }
        app.close();
        Ok(status)
    }

    fn texts(&self) -> Result<Vec<String>, Failure> {
        let is_piped = match &self.identifiers[..] {
            [] => input::or_standard_input(&[])?.len() == 1,
            [only] => only == "-",
            _ => false,
        };
        if is_piped {
            Ok(input::lines(Path::new("-"))?.collect::<Result<_, _>>()?)
        } else {
            Ok(self.identifiers.clone())
        }
    }

    fn answer(&self, app: &App, text: &str, input: &Input) -> Result<LookupAnswer, LookupError> {
        let lookup = Lookup {
            resolver: &app.lookup,
            references: &app.references,
            pages: app.pages.as_ref(),
            scope: Scope {
                user: None,
                local_only: self.local_only,
            },
            now: app.clock.unix(),
            job: &Job::unbounded(Budget::unlimited()),
            certain_from: Certainty::Certain.threshold(),
        };
        Ok(match lookup.look_up(text, input)? {
            Answer::Work(found) => {
                let note = note(input, &found.by);
                LookupAnswer::Found(Box::new(found.work), note)
            }
            Answer::Candidates(search) => LookupAnswer::NotFound(self.list(&search)),
            Answer::Missing(Missing {
                unlikely: Some(search),
                ..
            }) => LookupAnswer::NotFound(self.list(&search)),
            Answer::Missing(missing) => LookupAnswer::NotFound(format!(
                "not in the sources searched ({})",
                sources(&missing.tried)
            )),
            Answer::Unread { reason, .. } => LookupAnswer::NotFound(format!("the page {reason}")),
            Answer::Mistyped(fault) => LookupAnswer::Failed(fault.to_string()),
            Answer::Several(_) => LookupAnswer::Failed("contains several identifiers".to_owned()),
        })
    }

    /// The candidates of a text without a certain match.
    fn list(&self, search: &TextSearch) -> String {
        let possible = search.candidates.iter().map(|(_, candidate)| candidate);
        let possible = possible.filter(|c| c.certainty() >= Certainty::Possible);
        let lines: Vec<String> = possible
            .take(self.limit)
            .map(|c| format!("\n  ? {:.3}  {}", c.score, reverse::describe(c)))
            .collect();
        let unanswered = reverse::unanswered(&search.tried);
        let unanswered = unanswered.map(|list| format!("; {list}"));
        let unanswered = unanswered.unwrap_or_default();
        if lines.is_empty() {
            format!("no match in the sources searched{unanswered}")
        } else {
            format!(
                "no certain match{unanswered}; candidates:{}",
                lines.concat()
            )
        }
    }
}

/// How a work was found, if not as asked.
fn note(input: &Input, by: &FoundBy) -> Option<String> {
    match by {
        FoundBy::Identifier | FoundBy::Text(_) => None,
        FoundBy::ShorterDoi(shorter) => Some(format!("{input} is unknown; this is {shorter}")),
        FoundBy::NamedOnPage(named) => Some(format!("the page is about {named}")),
        FoundBy::Page(lacking) if lacking.is_empty() => None,
        FoundBy::Page(lacking) => {
            let lacking: Vec<&str> = lacking.iter().map(|fact| fact.as_str()).collect();
            Some(format!("the page lacks: {}", lacking.join(", ")))
        }
    }
}

/// `local: not_found, crossref: timeout`.
fn sources(tried: &[SourceResult]) -> String {
    if tried.is_empty() {
        return "local: not_found".to_owned();
    }
    let list: Vec<String> = tried
        .iter()
        .map(|t| format!("{}: {}", t.source, t.outcome.as_str()))
        .collect();
    list.join(", ")
}

fn print(text: &str, answer: &LookupAnswer, as_json: bool) {
    match answer {
        LookupAnswer::Found(work, note) => {
            if let Some(note) = note {
                tell!("{text}: {note}");
            }
            if !as_json {
                terminal::print_lines(describe(work));
                return;
            }
            match serde_json::to_string(&CitationMetadata::of_work(work)) {
                Ok(line) => terminal::print_json(&line),
                Err(cause) => tell!("{text}: {cause}"),
            }
        }
        LookupAnswer::NotFound(reason) if as_json => {
            terminal::print_json(&problem(text, "work_not_found", reason));
        }
        LookupAnswer::Failed(reason) if as_json => {
            terminal::print_json(&problem(text, "lookup_failed", reason));
        }
        LookupAnswer::NotFound(reason) | LookupAnswer::Failed(reason) => {
            let mut lines = reason.lines();
            tell!("{text}: {}", lines.next().unwrap_or_default());
            terminal::tell_lines(lines.map(|line| format!("  {}", line.trim_start())));
        }
    }
}

fn problem(input: &str, error: &str, message: &str) -> Value {
    json!({"error": error, "input": input, "message": message})
}

/// The lines of the text output.
fn describe(work: &Work) -> Vec<String> {
    let item: &Item = &work.item;
    let names: Vec<String> = item
        .names(NameVar::Author)
        .iter()
        .map(|name| name.display())
        .collect();
    let text = |v| item.text(v).unwrap_or_default().to_owned();
    let number = |v| item.number(v).unwrap_or_default().to_owned();
    let container = [
        text(TextVar::ContainerTitle),
        number(NumberVar::Volume),
        number(NumberVar::Issue),
        number(NumberVar::Page),
        text(TextVar::Publisher),
    ];
    let rows = [
        ("type", item.kind.json_name().to_owned()),
        ("title", text(TextVar::Title)),
        ("authors", names.join("; ")),
        (
            "year",
            item.year().map(|y| y.to_string()).unwrap_or_default(),
        ),
        (
            "in",
            container
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(", "),
        ),
        ("DOI", text(TextVar::Doi)),
        ("ISBN", text(TextVar::Isbn)),
        ("source", work.provenance.source.as_str().to_owned()),
    ];
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
    let rows = rows.map(|(label, value)| format!("{label:>8}  {value}"));
    let notices = work.updates.iter().map(|update| {
        let kind = update.kind.as_str();
        format!("{:>8}  {kind} ({})", "notice", update.doi)
    });
    // A blank line parts the works.
    rows.chain(notices).chain([String::new()]).collect()
}
