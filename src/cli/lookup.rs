//! `citation lookup`: looks up identifiers, addresses and references.

use std::path::Path;

use clap::Args;
use serde_json::{Value, json};

use super::{Failure, Global, Outcome, Status, input, open, reverse, terminal};
use crate::app::App;
use crate::blocking::Job;
use crate::lookup::page::{PageLookup, PageOutcome};
use crate::lookup::reference::SearchScope;
use crate::lookup::resolve::{LookupError, Resolution, SourceResult};
use citation_exchange::metadata::CitationMetadata;
use citation_matching::reference::Reference;
use citation_matching::score;
use citation_model::budget::Budget;
use citation_model::identifier::input::Input;
use citation_model::identifier::{Identifier, address};
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
                        LookupAnswer::Failed(format!("{cause} ({})", sources(&tried)))
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
        match is_piped {
            true => Ok(input::lines(Path::new("-"))?.collect::<Result<_, _>>()?),
            false => Ok(self.identifiers.clone()),
        }
    }

    fn answer(&self, app: &App, text: &str, input: &Input) -> Result<LookupAnswer, LookupError> {
        match input {
            Input::Identifier(identifier) => self.find(app, text, identifier),
            Input::Url(address) => self.read_page(app, address),
            Input::Mistyped(fault) => Ok(LookupAnswer::Failed(fault.to_string())),
            Input::Text(text) => self.search(app, text),
            Input::Several(_) => Ok(LookupAnswer::Failed(
                "contains several identifiers".to_owned(),
            )),
        }
    }

    fn find(
        &self,
        app: &App,
        text: &str,
        identifier: &Identifier,
    ) -> Result<LookupAnswer, LookupError> {
        let resolution = match self.local_only {
            true => app
                .lookup
                .local(None, identifier)?
                .unwrap_or_else(Resolution::unknown),
            false => app.lookup.resolve(None, identifier, &unbounded())?,
        };
        let Some(work) = resolution.work else {
            let unknown = format!(
                "not in the sources searched ({})",
                sources(&resolution.tried)
            );
            let page = identifier.page().or_else(|| address::page(text));
            return match page.map(|page| self.read_page(app, &page)).transpose()? {
                Some(found @ LookupAnswer::Found(..)) => Ok(found),
                _ => Ok(LookupAnswer::NotFound(unknown)),
            };
        };
        let note = resolution
            .found_by
            .map(|shorter| format!("{identifier} is unknown; this is {shorter}"));
        Ok(LookupAnswer::Found(Box::new(work), note))
    }

    fn read_page(&self, app: &App, address: &str) -> Result<LookupAnswer, LookupError> {
        let lookup = PageLookup {
            resolver: &app.lookup,
            pages: app.pages.as_ref().filter(|_| !self.local_only),
            user: None,
            now: app.clock.unix(),
            job: &unbounded(),
        };
        Ok(match lookup.look_up(address)? {
            PageOutcome::Named {
                identifier,
                resolution,
            } => match resolution.work {
                Some(work) => {
                    let note = format!("the page is about {identifier}");
                    LookupAnswer::Found(Box::new(work), Some(note))
                }
                None => LookupAnswer::NotFound(sources(&resolution.tried)),
            },
            PageOutcome::Read { work, missing } => {
                let lacking: Vec<&str> = missing.iter().map(|fact| fact.as_str()).collect();
                let note = format!("the page lacks: {}", lacking.join(", "));
                LookupAnswer::Found(work, Some(note).filter(|_| !lacking.is_empty()))
            }
            PageOutcome::Unread { reason, .. } => {
                LookupAnswer::NotFound(format!("the page {reason}"))
            }
        })
    }

    /// Searches like `reverse`, and accepts the same matches.
    fn search(&self, app: &App, text: &str) -> Result<LookupAnswer, LookupError> {
        let scope = match self.local_only {
            true => SearchScope::LocalOnly,
            false => SearchScope::Everywhere,
        };
        let reference = Reference::parse(text);
        let found = app
            .references
            .find(&app.lookup, &reference, None, scope, &unbounded())?;
        if let Some(best) = found.accepted() {
            return Ok(LookupAnswer::Found(Box::new(best.work.clone()), None));
        }
        let possible = found
            .candidates
            .iter()
            .filter(|c| c.score >= score::POSSIBLE);
        let lines: Vec<String> = possible
            .take(self.limit)
            .map(|c| format!("\n  ? {:.3}  {}", c.score, reverse::describe(c)))
            .collect();
        let unanswered = reverse::unanswered(&found.tried);
        let unanswered = unanswered.map(|list| format!("; {list}"));
        let unanswered = unanswered.unwrap_or_default();
        Ok(LookupAnswer::NotFound(match lines.is_empty() {
            true => format!("no match in the sources searched{unanswered}"),
            false => format!(
                "no certain match{unanswered}; candidates:{}",
                lines.concat()
            ),
        }))
    }
}

fn unbounded() -> Job {
    Job::unbounded(Budget::unlimited())
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
