//! `citation reverse`: finds the works that citation texts refer to.

use std::io::{BufRead, IsTerminal};
use std::time::Instant;

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};

use super::terminal::{self, JsonLines};
use super::{Failure, Global, Outcome, Status, open, progress, threads};
use crate::app::App;
use crate::blocking::Job;
use crate::lookup::batch::{self, InOrder};
use crate::lookup::reference::{Candidate, SearchOutcome};
use crate::lookup::resolve::{LookupError, SourceResult};
use crate::lookup::scope::Scope;
use citation_exchange::metadata::CitationMetadata;
use citation_matching::certainty::Certainty;
use citation_matching::reference::Reference;
use citation_model::budget::Budget;
use citation_model::variable::{NameVar, TextVar};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation reverse 'Watson & Crick, molecular structure of nucleic acids, Nature 1953'
  citation reverse --local-only --limit 3 < references.txt")]
pub struct ReverseCommand {
    /// A citation (default: standard input, one citation per line)
    #[arg(value_name = "TEXT")]
    text: Vec<String>,
    /// Ask no provider
    #[arg(long)]
    local_only: bool,
    /// The most works to show per citation
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = at_least_one)]
    limit: usize,
    /// Read JSON lines with id and text, and write a line of ranked candidates for each
    #[arg(long, conflicts_with = "text")]
    jsonl: bool,
    /// Threads; 0 for one per core
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
}

/// One line of benchmark queries.
#[derive(Deserialize)]
struct BenchmarkQuery {
    id: String,
    text: String,
}

/// Candidates in a line of results.
const RESULT_CANDIDATES: usize = 10;

impl ReverseCommand {
    /// Exits with 1 if a citation has no accepted work.
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        super::log::start_for_output(&config.log);
        let app = open::app(config)?;
        let outcome = if self.jsonl {
            self.run_lines(&app)
        } else {
            self.run_texts(&app, global)
        };
        app.close();
        outcome
    }

    fn scope(&self) -> Scope {
        Scope {
            user: None,
            local_only: self.local_only,
        }
    }

    fn run_texts(&self, app: &App, global: &Global) -> Outcome {
        let texts = if self.text.is_empty() {
            read_lines()?
        } else {
            vec![self.text.join(" ")]
        };
        let bar = progress::counter(texts.len() as u64, "citations");
        let mut order = InOrder::default();
        let mut status = Status::Done;
        let mut failure = None;
        let find = |_, text: String| {
            let found = self.find(app, &text);
            (text, found)
        };
        batch::run(texts, threads(self.threads), find, |n, answer| {
            bar.inc(1);
            for (_, (text, found)) in order.push(n, answer) {
                match found {
                    Ok(found) => {
                        if found.accepted().is_none() {
                            status = Status::Negative;
                        }
                        bar.suspend(|| self.print(&text, &found, global.json));
                    }
                    Err(cause) => failure = Some(Failure::from(cause)),
                }
            }
            failure.is_none()
        });
        bar.finish_and_clear();
        match failure {
            Some(failure) => Err(failure),
            None => Ok(status),
        }
    }

    fn find(&self, app: &App, text: &str) -> Result<SearchOutcome, LookupError> {
        let reference = Reference::parse(text);
        let job = Job::unbounded(Budget::unlimited());
        app.references
            .find(&app.lookup, &reference, self.scope(), &job)
    }

    fn print(&self, text: &str, found: &SearchOutcome, as_json: bool) {
        let shown = found.candidates.iter().filter(|c| rounded(c.score) > 0.0);
        let candidates: Vec<&Candidate> = shown.take(self.limit).collect();
        if as_json {
            let list: Vec<Value> = candidates.iter().map(|c| candidate_json(c)).collect();
            terminal::print_json(&json!({"text": text, "candidates": list}));
            return;
        }
        say!("{text}");
        if candidates.is_empty() {
            say!("  no match in the sources searched");
        }
        for candidate in candidates {
            let mark = if candidate.certainty() >= Certainty::Accepted {
                "="
            } else {
                "?"
            };
            say!("  {mark} {:.3}  {}", candidate.score, describe(candidate));
        }
        if let Some(unanswered) = unanswered(&found.tried) {
            say!("  {unanswered}");
        }
    }

    /// Each line `{"id", "text"}` gives a line `{"id", "candidates": [{"doi", "score",
    /// "accepted"}], "ms"}`, in the order of the input.
    fn run_lines(&self, app: &App) -> Outcome {
        let queries: Vec<BenchmarkQuery> = read_lines()?
            .iter()
            .enumerate()
            .map(|(n, line)| {
                serde_json::from_str(line)
                    .map_err(|cause| Failure(format!("line {}: {cause}", n + 1)))
            })
            .collect::<Result<_, Failure>>()?;
        let mut output = JsonLines(std::io::BufWriter::new(std::io::stdout()));
        let bar = progress::counter(queries.len() as u64, "queries");
        let mut order = InOrder::default();
        let mut failure = None;
        batch::run(
            queries,
            threads(self.threads),
            |_, query| self.answer(app, &query),
            |n, answer| {
                bar.inc(1);
                for (_, answer) in order.push(n, answer) {
                    let written = answer.and_then(|line| Ok(output.write(&line)?));
                    if let Err(cause) = written {
                        failure = Some(cause);
                    }
                }
                failure.is_none()
            },
        );
        bar.finish_and_clear();
        output.flush()?;
        match failure {
            Some(failure) => Err(failure),
            None => Ok(Status::Done),
        }
    }

    fn answer(&self, app: &App, query: &BenchmarkQuery) -> Result<Value, Failure> {
        let started = Instant::now();
        let found = self.find(app, &query.text)?;
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        let candidates: Vec<Value> = found
            .candidates
            .iter()
            .take(RESULT_CANDIDATES)
            .enumerate()
            .map(|(n, candidate)| {
                let accepted = n == 0 && candidate.certainty() >= Certainty::Accepted;
                json!({"doi": key_of(candidate), "score": candidate.score, "accepted": accepted})
            })
            .collect();
        Ok(json!({"id": query.id, "candidates": candidates, "ms": milliseconds}))
    }
}

/// The work's name in results: its DOI, else the id of its record.
fn key_of(candidate: &Candidate) -> String {
    let item = &candidate.work.item;
    item.doi()
        .map_or_else(|| item.id.clone(), |doi| doi.to_string())
}

/// A score for display; `None` if it would be shown as 0.
fn rounded(score: f64) -> f64 {
    (score * 1_000.0).round() / 1_000.0
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(cause) => Err(format!("must be a whole number: {cause}")),
    }
}

fn candidate_json(candidate: &Candidate) -> Value {
    json!({
        "score": candidate.score,
        "source": if candidate.is_local { "local" } else { candidate.work.provenance.source.as_str() },
        "metadata": CitationMetadata::of_work(&candidate.work),
        "explanation": {"method": "evidence", "fields": candidate.fields},
    })
}

/// The sources that could not say whether they have the work: `no answer from: crossref (timeout)`.
pub fn unanswered(tried: &[SourceResult]) -> Option<String> {
    let list: Vec<String> = tried
        .iter()
        .filter(|tried| !tried.outcome.is_definitive())
        .map(|tried| format!("{} ({})", tried.source, tried.outcome.as_str()))
        .collect();
    (!list.is_empty()).then(|| format!("no answer from: {}", list.join(", ")))
}

/// Names, year, title and identifier on one line.
pub fn describe(candidate: &Candidate) -> String {
    let item = &candidate.work.item;
    let names: Vec<String> = item
        .names(NameVar::Author)
        .iter()
        .take(3)
        .map(|name| name.heading())
        .collect();
    let parts = [
        names.join(", "),
        item.year().map(|year| year.to_string()).unwrap_or_default(),
        item.text(TextVar::Title).unwrap_or_default().to_owned(),
        item.text(TextVar::ContainerTitle)
            .unwrap_or_default()
            .to_owned(),
        item.doi().map(|doi| doi.to_string()).unwrap_or_default(),
    ];
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(". ")
}

/// The non-empty lines of standard input.
fn read_lines() -> Result<Vec<String>, Failure> {
    let input = std::io::stdin();
    if input.is_terminal() {
        tell!("Reading citations from the terminal, one per line; end with Ctrl-D.");
    }
    // Invalid UTF-8 becomes replacement characters; the rest of the line is kept.
    let lines = input.lock().split(b'\n').collect::<Result<Vec<_>, _>>()?;
    let texts = lines.iter().map(|line| String::from_utf8_lossy(line));
    Ok(texts
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect())
}
