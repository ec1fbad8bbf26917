//! `citation lookup`: identifiers in, metadata out.

use clap::Args;
use serde_json::{Value, json};

use super::{Global, Outcome, Status, open};
use crate::app::App;
use crate::blocking::Job;
use crate::exchange::metadata::CitationMetadata;
use crate::lookup::resolve::{LookupError, Tried};
use crate::model::budget::Budget;
use crate::model::identifier::{Identifier, IdentifierError, Isbn};
use crate::model::item::Item;
use crate::model::variable::{NameVar, NumberVar, TextVar};
use crate::model::work::Work;

#[derive(Debug, Args)]
pub struct Lookup {
    /// DOIs, shortDOIs, ISBNs, PubMed or arXiv ids in any spelling, or words to search for
    #[arg(required = true, value_name = "DOI|ISBN|TEXT")]
    identifiers: Vec<String>,
    /// Ask no provider
    #[arg(long)]
    local_only: bool,
    /// The most works to show for a search by words
    #[arg(long, default_value_t = 5, value_name = "N")]
    limit: usize,
}

/// What became of one argument.
enum Answer {
    Found(Vec<Work>),
    NotFound(String),
    Failed(String),
}

impl Lookup {
    /// With `--json` one line an argument: the metadata that the REST interface gives, or an
    /// object with `error`.
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        super::log::start(&config.log);
        let app = open::app(config)?;
        let mut status = Status::Done;
        for text in &self.identifiers {
            let answer = self.answer(&app, text);
            if !matches!(answer, Answer::Found(_)) {
                status = Status::Negative;
            }
            print(text, &answer, global.json);
        }
        app.close();
        Ok(status)
    }

    fn answer(&self, app: &App, text: &str) -> Answer {
        let Some(identifier) = Identifier::parse(text) else {
            return match Isbn::parse(text) {
                Err(fault @ IdentifierError::CheckDigit { .. }) => {
                    Answer::Failed(fault.to_string())
                }
                _ => self.search(app, text),
            };
        };
        let resolution = if self.local_only {
            app.lookup
                .local(None, &identifier)
                .map(|found| found.and_then(|f| f.work).ok_or(vec![]))
        } else {
            app.lookup
                .resolve(None, &identifier, &Job::unbounded(Budget::unlimited()))
                .map(|r| r.work.ok_or(r.tried))
        };
        match resolution {
            Ok(Ok(work)) => Answer::Found(vec![work]),
            Ok(Err(tried)) => Answer::NotFound(sources(&tried)),
            Err(LookupError::Corpus(cause)) => Answer::Failed(cause.to_string()),
            Err(LookupError::Provider { cause, tried }) => {
                Answer::Failed(format!("{cause} ({})", sources(&tried)))
            }
        }
    }

    fn search(&self, app: &App, text: &str) -> Answer {
        match app.corpus.search(text, self.limit) {
            Ok(works) if works.is_empty() => Answer::NotFound("local: not_found".to_owned()),
            Ok(hits) => Answer::Found(hits.into_iter().map(|hit| hit.work).collect()),
            Err(cause) => Answer::Failed(cause.to_string()),
        }
    }
}

/// `local: not_found, crossref: timeout`.
fn sources(tried: &[Tried]) -> String {
    if tried.is_empty() {
        return "local: not_found".to_owned();
    }
    let list: Vec<String> = tried
        .iter()
        .map(|t| format!("{}: {}", t.source, t.outcome.as_str()))
        .collect();
    list.join(", ")
}

fn print(text: &str, answer: &Answer, as_json: bool) {
    match answer {
        Answer::Found(works) => {
            for work in works {
                if as_json {
                    match serde_json::to_string(&CitationMetadata::of_work(work)) {
                        Ok(line) => say!("{line}"),
                        Err(cause) => eprintln!("{text}: {cause}"),
                    }
                } else {
                    say!("{}", describe(work));
                }
            }
        }
        Answer::NotFound(sources) if as_json => {
            say!("{}", problem(text, "work_not_found", sources));
        }
        Answer::NotFound(sources) => eprintln!("{text}: not in the sources searched ({sources})"),
        Answer::Failed(reason) if as_json => say!("{}", problem(text, "lookup_failed", reason)),
        Answer::Failed(reason) => eprintln!("{text}: {reason}"),
    }
}

fn problem(input: &str, error: &str, message: &str) -> Value {
    json!({"error": error, "input": input, "message": message})
}

/// A few lines for a person.
fn describe(work: &Work) -> String {
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
        ("type", item.kind.wire().to_owned()),
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
    let mut lines = String::new();
    for (label, value) in rows {
        if !value.is_empty() {
            lines.push_str(&format!("{label:>8}  {value}\n"));
        }
    }
    for update in &work.updates {
        lines.push_str(&format!(
            "{:>8}  {} ({})\n",
            "notice",
            update.kind.as_str(),
            update.doi
        ));
    }
    lines
}
