//! `citation verify`: reference lists in, a verdict for each reference out.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::finding::{Finding, Level, sarif};
use super::{Failure, Global, Outcome, Status, open, progress, reverse};
use crate::app::App;
use crate::blocking;
use crate::exchange::metadata::{CitationMetadata, UpdatesView};
use crate::exchange::{self, Severity as ProblemSeverity};
use crate::lookup::batch::{self, InOrder};
use crate::lookup::reference::Scope;
use crate::lookup::resolve::LookupError;
use crate::lookup::verify::{self, Difference, Severity, Verdict, Verification};
use crate::matching::reference::Reference;
use crate::matching::{Place, split};
use crate::model::budget::Budget;
use crate::model::item::Item;
use crate::model::variable::TextVar;
use crate::model::work::{Update, UpdateKind, UpdateRelation};
use crate::quota::report::csv_field;

#[derive(Debug, Args)]
pub struct Verify {
    /// Text with references, BibTeX, biblatex or RIS; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Ask no provider
    #[arg(long)]
    local_only: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Output::Table)]
    output: Output,
    /// Threads; 0 for one a core
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A table for people
    Table,
    /// A JSON object a line
    Jsonl,
    /// Comma-separated values with a heading
    Csv,
    /// Workflow commands, which CI systems show beside the file
    Annotations,
    /// A SARIF log, for CI systems that collect those
    Sarif,
}

/// One reference of a file.
struct Job {
    file: String,
    line: usize,
    /// Where it stands in a text; a file's entries have their keys.
    place: Option<Place>,
    /// The key of the entry, or the text.
    label: String,
    reference: Reference,
}

impl Job {
    fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.column)
    }

    /// `refs.txt:3:1`, `refs.bib:12`
    fn position(&self) -> String {
        match self.column() {
            Some(column) => format!("{}:{}:{column}", self.file, self.line),
            None => format!("{}:{}", self.file, self.line),
        }
    }
}

/// A reference and what became of it.
struct Checked {
    job: Job,
    verification: Result<Verification, LookupError>,
}

impl Verify {
    /// Ends with 1 where a reference is anything but verified, or an entry could not be read.
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        super::log::start(&config.log);
        let (jobs, mut status) = self.read()?;
        let app = open::app(config)?;
        let output = if global.json {
            Output::Jsonl
        } else {
            self.output
        };
        let mut printer = Printer::new(output);
        let bar = progress::counter(jobs.len() as u64, "references");
        let mut order = InOrder::default();
        let mut failure = None;
        batch::run(
            jobs,
            self.threads(),
            |_, job| self.check(&app, job),
            |n, checked| {
                bar.inc(1);
                for (index, checked) in order.push(n, checked) {
                    match checked.verification {
                        Ok(verification) => {
                            if verification.verdict != Verdict::Verified {
                                status = Status::Negative;
                            }
                            bar.suspend(|| printer.print(index, &checked.job, &verification));
                        }
                        Err(cause) => failure = Some(Failure::from(cause)),
                    }
                }
                failure.is_none()
            },
        );
        bar.finish_and_clear();
        app.close();
        if let Some(failure) = failure {
            return Err(failure);
        }
        printer.finish();
        Ok(status)
    }

    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    fn check(&self, app: &App, job: Job) -> Checked {
        let scope = if self.local_only {
            Scope::LocalOnly
        } else {
            Scope::Everywhere
        };
        Checked {
            verification: verify::verify(
                &app.references,
                &app.lookup,
                &job.reference,
                None,
                scope,
                &blocking::Job::unbounded(Budget::unlimited()),
            ),
            job,
        }
    }

    fn read(&self) -> Result<(Vec<Job>, Status), Failure> {
        let mut jobs = Vec::new();
        let mut status = Status::Done;
        for path in &self.files {
            let file = path.display().to_string();
            let mut bytes = Vec::new();
            if file == "-" {
                std::io::stdin().lock().read_to_end(&mut bytes)?;
            } else {
                bytes = std::fs::read(path).map_err(|cause| Failure(format!("{file}: {cause}")))?;
            }
            let (text, _) = exchange::decode(&bytes);
            if !exchange::is_text(&text) {
                return Err(Failure(format!(
                    "{file} is no text; take the references out of it and check those"
                )));
            }
            let before = jobs.len();
            if !read_file(&file, &text, &mut jobs)? {
                status = Status::Negative;
            }
            if jobs.len() == before {
                eprintln!("{file}: there is no reference in it");
            }
        }
        Ok((jobs, status))
    }
}

/// Reads a file's references; false where an entry could not be read, which is told on standard
/// error.
fn read_file(file: &str, text: &str, jobs: &mut Vec<Job>) -> Result<bool, Failure> {
    let Some(format) = exchange::detect(Some(file), text) else {
        read_list(file, text, jobs);
        return Ok(true);
    };
    let reading = exchange::read(text, format, &Budget::unlimited())
        .map_err(|cause| Failure(format!("{file}: {cause}")))?;
    let mut whole = true;
    for problem in &reading.problems {
        whole &= problem.severity != ProblemSeverity::Error;
        eprintln!(
            "{file}:{}:{}: {} ({})",
            problem.line, problem.column, problem.message, problem.code
        );
    }
    jobs.extend(reading.items.into_iter().map(|read| Job {
        file: file.to_owned(),
        line: read.line,
        place: None,
        reference: Reference::of_item(&read.item),
        label: label(read.citation_key, &read.item),
    }));
    Ok(whole)
}

/// Reads a list as people paste it. What stands around it is told on standard error.
fn read_list(file: &str, text: &str, jobs: &mut Vec<Job>) {
    // The operator's own file.
    let list = split(text, &Budget::unlimited()).unwrap_or_default();
    for line in &list.left_out {
        let (place, text) = (&line.place, shortened(&line.text, 80));
        eprintln!("{file}:{}:{}: left out: {text}", place.line, place.column);
    }
    jobs.extend(list.pieces.into_iter().map(|piece| Job {
        file: file.to_owned(),
        line: piece.place.line,
        place: Some(piece.place),
        reference: Reference::parse(&piece.text),
        label: piece.text,
    }));
}

/// What an entry is called in the results: by its key, or, in a format without keys, its title.
fn label(key: String, item: &Item) -> String {
    match item.text(TextVar::Title) {
        Some(title) if key.is_empty() => title.to_owned(),
        _ => key,
    }
}

/// Prints results as they come.
struct Printer {
    output: Output,
    counts: Vec<(Verdict, usize)>,
    /// What a log that is printed at the end holds.
    findings: Vec<Finding>,
    with_colour: bool,
}

impl Printer {
    fn new(output: Output) -> Printer {
        if output == Output::Csv {
            say!("file,line,column,reference,verdict,score,doi,differences,updates");
        }
        Printer {
            output,
            counts: Verdict::ALL
                .into_iter()
                .map(|verdict| (verdict, 0))
                .collect(),
            findings: Vec::new(),
            with_colour: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        }
    }

    fn print(&mut self, index: usize, job: &Job, verification: &Verification) {
        for (verdict, count) in &mut self.counts {
            *count += usize::from(*verdict == verification.verdict);
        }
        match self.output {
            Output::Table => self.table(job, verification),
            Output::Jsonl => jsonl(index, job, verification),
            Output::Csv => csv(job, verification),
            Output::Annotations => {
                if let Some(finding) = finding(job, verification) {
                    say!("{}", finding.workflow_command());
                }
            }
            Output::Sarif => self.findings.extend(finding(job, verification)),
        }
    }

    fn table(&self, job: &Job, verification: &Verification) {
        let verdict = format!("{:<12}", verification.verdict.as_str());
        let colour = match verification.verdict {
            Verdict::Verified => "32",
            Verdict::Mismatch | Verdict::Ambiguous => "33",
            Verdict::Retracted | Verdict::NotFound => "31",
            Verdict::NotChecked | Verdict::QuotaExhausted => "2",
        };
        let verdict = if self.with_colour {
            format!("\u{1b}[{colour}m{verdict}\u{1b}[0m")
        } else {
            verdict
        };
        say!(
            "{verdict} {}  {}",
            job.position(),
            shortened(&job.label, 100)
        );
        if let Some(matched) = verification
            .matched
            .as_ref()
            .filter(|_| verification.verdict != Verdict::Verified)
        {
            say!(
                "{:13}{:.3}  {}",
                "",
                matched.score,
                reverse::describe(matched)
            );
        }
        for difference in &verification.differences {
            say!("{:13}{}", "", difference_text(difference));
        }
        for notice in notices(verification) {
            say!("{:13}{}", "", notice_text(notice));
        }
    }

    fn finish(&self) {
        match self.output {
            Output::Table => self.counted(),
            Output::Sarif => say!("{:#}", sarif(&self.findings)),
            Output::Jsonl | Output::Csv | Output::Annotations => {}
        }
    }

    fn counted(&self) {
        let parts: Vec<String> = self
            .counts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(verdict, count)| format!("{count} {}", verdict.as_str()))
            .collect();
        say!(
            "{}",
            if parts.is_empty() {
                "no references".to_owned()
            } else {
                parts.join(", ")
            }
        );
    }
}

fn jsonl(index: usize, job: &Job, verification: &Verification) {
    let matched = verification.matched.as_ref();
    let tried: Vec<Value> = verification
        .tried
        .iter()
        .map(|t| json!({"source": t.source, "outcome": t.outcome.as_str()}))
        .collect();
    let characters = job.place.as_ref().map(|place| &place.characters);
    let line = json!({
        "index": index,
        "file": job.file,
        "line": job.line,
        "column": job.column(),
        "start": characters.map(|range| range.start),
        "end": characters.map(|range| range.end),
        "reference": job.label,
        "verdict": verification.verdict.as_str(),
        "message": verification.message,
        "score": matched.map(|m| m.score),
        "match": matched.map(|m| CitationMetadata::of_work(&m.work)),
        "diffs": verification.differences,
        "updates": UpdatesView(&verification.updates),
        "sources_tried": tried,
    });
    say!("{line}");
}

fn csv(job: &Job, verification: &Verification) {
    let matched = verification.matched.as_ref();
    let differences: Vec<String> = verification
        .differences
        .iter()
        .map(difference_text)
        .collect();
    let updates: Vec<String> = notices(verification).map(notice_text).collect();
    let row = [
        job.file.clone(),
        job.line.to_string(),
        job.column()
            .map(|column| column.to_string())
            .unwrap_or_default(),
        job.label.clone(),
        verification.verdict.as_str().to_owned(),
        matched
            .map(|m| format!("{:.4}", m.score))
            .unwrap_or_default(),
        matched
            .and_then(|m| m.work.item.doi())
            .map(|doi| doi.to_string())
            .unwrap_or_default(),
        differences.join("; "),
        updates.join("; "),
    ];
    say!(
        "{}",
        row.iter()
            .map(|cell| csv_field(cell))
            .collect::<Vec<_>>()
            .join(",")
    );
}

/// What there is to say of a reference; nothing where it is verified and no notice is about its work.
fn finding(job: &Job, verification: &Verification) -> Option<Finding> {
    let is_critical = |d: &Difference| d.severity == Severity::Critical;
    let is_grave = |update: &Update| update.kind == UpdateKind::ExpressionOfConcern;
    let level = match verification.verdict {
        Verdict::Verified if notices(verification).any(is_grave) => Level::Warning,
        Verdict::Verified if notices(verification).next().is_some() => Level::Notice,
        Verdict::Verified => return None,
        Verdict::Retracted | Verdict::NotFound => Level::Error,
        Verdict::Mismatch if verification.differences.iter().any(is_critical) => Level::Error,
        Verdict::Mismatch | Verdict::Ambiguous => Level::Warning,
        Verdict::NotChecked | Verdict::QuotaExhausted => Level::Notice,
    };
    let mut message = format!(
        "{}: {}",
        verification.verdict.as_str(),
        verification.message
    );
    for difference in &verification.differences {
        message.push('\n');
        message.push_str(&difference_text(difference));
    }
    for notice in notices(verification) {
        message.push('\n');
        message.push_str(&notice_text(notice));
    }
    Some(Finding {
        verdict: verification.verdict,
        level,
        message,
        file: job.file.clone(),
        line: job.line,
        column: job.column(),
    })
}

/// The notices about the matched work, as opposed to those that it makes about another.
fn notices(verification: &Verification) -> impl Iterator<Item = &Update> {
    let is_about = |update: &&Update| update.relation == UpdateRelation::UpdatedBy;
    verification.updates.iter().filter(is_about)
}

/// `retraction: 10.1000/notice (2010-02-06)`
fn notice_text(update: &Update) -> String {
    let kind = update.kind.as_str().replace('_', " ");
    match &update.date {
        Some(date) => format!("{kind}: {} ({})", update.doi, date.edtf()),
        None => format!("{kind}: {}", update.doi),
    }
}

fn difference_text(difference: &Difference) -> String {
    let shown = |text: &Option<String>| shortened(text.as_deref().unwrap_or("nothing"), 80);
    format!(
        "{}: “{}”, not “{}”",
        difference.field,
        shown(&difference.found),
        shown(&difference.given)
    )
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::date::Date;
    use crate::model::identifier::Doi;

    /// The positions and labels that a file's references get.
    fn check(file: &str, text: &str, expected: &[(&str, &str)]) {
        let mut jobs = Vec::new();
        assert!(
            read_file(file, text, &mut jobs).is_ok_and(|whole| whole),
            "{text:?}"
        );
        let found: Vec<(String, &str)> = jobs
            .iter()
            .map(|job| (job.position(), job.label.as_str()))
            .collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(p, l)| (p.as_str(), *l)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn references_on_one_line_are_told_apart() {
        check(
            "refs.txt",
            "References\n[1] Doe J. A. Ring 1, 2. [2] Roe R. B. Ring 3, 4.",
            &[
                ("refs.txt:2:1", "Doe J. A. Ring 1, 2."),
                ("refs.txt:2:26", "Roe R. B. Ring 3, 4."),
            ],
        );
    }

    #[test]
    fn a_bibliography_under_any_name_is_read_as_one() {
        let bibtex = "@misc{doe, title={A}}\n@misc{roe, title={B}}";
        for file in ["refs.bib", "refs.txt", "-"] {
            let (first, second) = (format!("{file}:1"), format!("{file}:2"));
            check(file, bibtex, &[(&first, "doe"), (&second, "roe")]);
        }
        check("refs.txt", "", &[]);
    }

    #[test]
    fn a_notice_is_told_with_its_doi_and_date() {
        let notice = |date: Option<Date>| Update {
            kind: UpdateKind::ExpressionOfConcern,
            relation: UpdateRelation::UpdatedBy,
            doi: Doi::parse("10.1000/notice").unwrap(),
            date,
            source: String::new(),
        };
        let text = notice_text(&notice(Date::parse("2010-02-06")));
        assert_eq!(text, "expression of concern: 10.1000/notice (2010-02-06)");
        assert_eq!(
            notice_text(&notice(None)),
            "expression of concern: 10.1000/notice"
        );
    }
}
