//! The reports of a verification: a table, JSON lines, CSV, CI logs, an HTML page.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use super::facts::RunFacts;
use super::folder::SharedReferences;
use super::read::{ReferenceJob, shortened};
use super::reported::{ReportedReference, csv_row, placed, rank};
use crate::cli::finding::{CheckFinding, Level, sarif};
use crate::cli::position::FilePosition;
use crate::cli::signature::{self, SigningKey};
use crate::cli::{Failure, terminal};
use crate::lookup::verify::Verdict;
use crate::ui::report::ReportPage;
use crate::ui::words::Words;
use citation_documents::{self as documents, FindingKind};
use citation_model::inert::terminal as inert;

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// A table for people
    Table,
    /// One JSON object: the run, the sources, the results with problems first
    Json,
    /// A JSON object per line
    Jsonl,
    /// Comma-separated values with a heading
    Csv,
    /// Workflow commands, which CI systems show next to the file
    Annotations,
    /// A SARIF log for CI systems
    Sarif,
    /// A self-contained HTML page
    Html,
}

/// A file for a report, in the format of its extension.
#[derive(Clone, Debug)]
pub struct ReportFile {
    path: PathBuf,
    output: ReportFormat,
}

/// Parses the option `--report`.
pub fn file(text: &str) -> Result<ReportFile, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let output = match ending.to_ascii_lowercase().as_str() {
        "html" | "htm" => ReportFormat::Html,
        "csv" => ReportFormat::Csv,
        "jsonl" | "ndjson" => ReportFormat::Jsonl,
        "json" => ReportFormat::Json,
        "sarif" => ReportFormat::Sarif,
        "txt" => ReportFormat::Table,
        _ => {
            return Err(
                "the extension of a report must be one of .html, .json, .csv, .jsonl, .sarif or .txt"
                    .to_owned(),
            );
        }
    };
    Ok(ReportFile { path, output })
}

/// All reports of one run.
pub struct Reports {
    reports: Vec<Report>,
    /// References that no source has.
    shared: SharedReferences,
    key: Option<SigningKey>,
}

/// One report: printed immediately, or collected for its file.
struct Report {
    output: ReportFormat,
    facts: RunFacts,
    /// Number of answers of each source.
    sources: BTreeMap<(String, String), usize>,
    /// Results for an object that is written at the end, with how grave they are.
    results: Vec<(u8, Value)>,
    /// Its file and the content so far; `None` for standard output.
    kept: Option<(PathBuf, String)>,
    counts: Vec<(Verdict, usize)>,
    /// Findings for a log that is written at the end.
    findings: Vec<CheckFinding>,
    /// Content for a page that is written at the end, with how grave it is.
    rows: Vec<(u8, String)>,
    with_colour: bool,
}

impl Reports {
    /// One report to `printed` or standard output, and the others.
    pub fn new(
        output: ReportFormat,
        printed: Option<&Path>,
        further: &[ReportFile],
        facts: RunFacts,
        key: Option<SigningKey>,
    ) -> Reports {
        let further =
            { further.iter() }.map(|file| Report::new(file.output, Some(&file.path), &facts));
        let mut reports = vec![Report::new(output, printed, &facts)];
        reports.extend(further);
        Reports {
            reports,
            shared: SharedReferences::default(),
            key,
        }
    }

    pub fn add(&mut self, index: usize, job: &ReferenceJob, reported: &ReportedReference) {
        if reported.verdict == Verdict::NotFound {
            self.shared
                .add(&job.given.reference.text, &job.position.file);
        }
        for report in &mut self.reports {
            report.add(index, job, reported);
        }
    }

    /// Adds the document findings and writes the reports that go to files.
    pub fn finish(self, findings: &[(FilePosition, documents::Finding)]) -> Result<(), Failure> {
        let key = self.key.as_ref();
        let shared: Vec<(String, Vec<String>)> = self.shared.several().cloned().collect();
        let mut reports = self.reports.into_iter();
        reports.try_for_each(|report| report.finish(findings, &shared, key))
    }
}

impl Report {
    fn new(output: ReportFormat, path: Option<&Path>, facts: &RunFacts) -> Report {
        let mut report = Report {
            output,
            facts: facts.clone(),
            sources: BTreeMap::new(),
            results: Vec::new(),
            kept: path.map(|path| (path.to_owned(), String::new())),
            counts: Verdict::ALL
                .into_iter()
                .map(|verdict| (verdict, 0))
                .collect(),
            findings: Vec::new(),
            rows: Vec::new(),
            with_colour: path.is_none()
                && std::io::stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none(),
        };
        if output == ReportFormat::Csv {
            report.line(
                "file,line,column,reference,verdict,score,doi,differences,updates,place,\
                 probability,message,title,fields,sources,decision",
            );
        }
        report
    }

    /// Adds a line of text, in which nothing breaks the line.
    fn line(&mut self, line: impl AsRef<str>) {
        match &mut self.kept {
            None => say!("{}", line.as_ref()),
            Some((_, text)) => text.extend([&*inert::line(line.as_ref()), "\n"]),
        }
    }

    fn json(&mut self, json: &impl Display) {
        match &mut self.kept {
            None => terminal::print_json(json),
            Some((_, text)) => text.extend([&*inert::json(&json.to_string()), "\n"]),
        }
    }

    fn workflow_command(&mut self, finding: &CheckFinding) {
        let command = finding.workflow_command();
        match &mut self.kept {
            None => terminal::print_workflow_command(&command),
            Some((_, text)) => text.extend([&*command, "\n"]),
        }
    }

    fn add(&mut self, index: usize, job: &ReferenceJob, reported: &ReportedReference) {
        for (verdict, count) in &mut self.counts {
            *count += usize::from(*verdict == reported.verdict);
        }
        for answer in &reported.tried {
            *self.sources.entry(answer.clone()).or_default() += 1;
        }
        match self.output {
            ReportFormat::Table => self.table(job, reported),
            ReportFormat::Json => {
                let result = reported.indexed(index);
                self.results.push((rank(reported.verdict), result));
            }
            ReportFormat::Jsonl => self.json(&reported.indexed(index)),
            ReportFormat::Csv => self.line(&reported.row),
            ReportFormat::Annotations => {
                if let Some(finding) = reported.finding(job) {
                    self.workflow_command(&finding);
                }
            }
            ReportFormat::Sarif => self.findings.extend(reported.finding(job)),
            ReportFormat::Html => self
                .rows
                .push((rank(reported.verdict), reported.html.clone())),
        }
    }

    fn table(&mut self, job: &ReferenceJob, reported: &ReportedReference) {
        let verdict = format!("{:<12}", reported.verdict.as_str());
        let colour = match reported.verdict {
            Verdict::Verified => "32",
            Verdict::Mismatch | Verdict::Ambiguous => "33",
            Verdict::Retracted | Verdict::NotFound => "31",
            Verdict::NotChecked | Verdict::QuotaExhausted => "2",
        };
        let label = shortened(&job.label, 100);
        let rest = format!(" {}  {label}", job.position);
        if self.with_colour {
            terminal::print_coloured(colour, &verdict, &rest)
        } else {
            self.line(format!("{verdict}{rest}"))
        }
        for text in &reported.lines {
            self.line(format!("{:13}{text}", ""));
        }
    }

    fn finish(
        mut self,
        findings: &[(FilePosition, documents::Finding)],
        shared: &[(String, Vec<String>)],
        key: Option<&SigningKey>,
    ) -> Result<(), Failure> {
        match self.output {
            ReportFormat::Table => {
                for (position, finding) in findings {
                    let kind = finding.kind.as_str();
                    self.line(format!("{kind:<14} {position}  {}", finding.message));
                }
                for (reference, files) in shared {
                    let (reference, files) = (shortened(reference, 80), files.join(", "));
                    self.line(format!("not found, in {files}: {reference}"));
                }
                let counted = self.counted();
                self.line(counted);
            }
            ReportFormat::Json => {
                let report = format!("{:#}", self.whole(findings, shared));
                self.json(&report);
            }
            ReportFormat::Jsonl => {
                for (position, finding) in findings {
                    self.json(&document_finding(position, finding));
                }
            }
            ReportFormat::Csv => {
                for (position, finding) in findings {
                    let keys = finding.keys.join("; ");
                    self.line(csv_row(
                        position,
                        [keys, finding.kind.as_str().to_owned()],
                        Default::default(),
                        Default::default(),
                    ));
                }
            }
            ReportFormat::Annotations => {
                for finding in of_document(findings) {
                    self.workflow_command(&finding);
                }
            }
            ReportFormat::Sarif => {
                self.findings.extend(of_document(findings));
                let log = format!("{:#}", sarif(&self.findings));
                self.json(&log);
            }
            ReportFormat::Html => {
                let page = self.page(findings);
                let page = format!("{}\n", inert::lines(&page));
                match &mut self.kept {
                    None => terminal::print(page)?,
                    Some((_, text)) => text.push_str(&page),
                }
            }
        }
        match self.kept {
            None => Ok(()),
            Some((path, text)) => {
                let write = |path: &Path, text: &str| {
                    std::fs::write(path, text)
                        .map_err(|cause| Failure(format!("{}: {cause}", path.display())))
                };
                write(&path, &text)?;
                match key {
                    Some(key) => write(&signature::path_of(&path), &key.sign(text.as_bytes())),
                    None => Ok(()),
                }
            }
        }
    }

    /// The run, the sources, and the results, problems first.
    fn whole(
        &mut self,
        findings: &[(FilePosition, documents::Finding)],
        shared: &[(String, Vec<String>)],
    ) -> Value {
        self.results.sort_by_key(|(rank, _)| *rank);
        let results = std::mem::take(&mut self.results).into_iter();
        let findings = findings.iter();
        let summary = self.counts.iter().filter(|(_, count)| *count > 0);
        let summary = summary.map(|(verdict, count)| (verdict.as_str().to_owned(), json!(count)));
        let shared = shared.iter();
        let shared = shared.map(|(reference, files)| json!({"text": reference, "files": files}));
        json!({
            "run": self.facts,
            "shared_not_found": shared.collect::<Vec<Value>>(),
            "sources": self.sources(),
            "summary": Value::Object(summary.collect()),
            "results": results.map(|(_, result)| result).collect::<Vec<Value>>(),
            "findings": findings
                .map(|(position, finding)| document_finding(position, finding))
                .collect::<Vec<Value>>(),
        })
    }

    /// How often each source gave each answer.
    fn sources(&self) -> Vec<Value> {
        let answers = self.sources.iter();
        let answers = answers.map(|((source, outcome), count)| {
            json!({"source": source, "outcome": outcome, "references": count})
        });
        answers.collect()
    }

    fn counted(&self) -> String {
        let there = self.counts.iter().filter(|(_, count)| *count > 0);
        let parts: Vec<String> = there
            .map(|(verdict, count)| format!("{count} {}", verdict.as_str()))
            .collect();
        if parts.is_empty() {
            "no references".to_owned()
        } else {
            parts.join(", ")
        }
    }

    fn page(&mut self, findings: &[(FilePosition, documents::Finding)]) -> String {
        let there = self.counts.iter().filter(|(_, count)| *count > 0);
        let counts: Vec<(&'static str, usize)> = there
            .map(|(verdict, count)| (verdict.as_str(), *count))
            .collect();
        let findings: Vec<(String, String)> = findings
            .iter()
            .map(|(position, finding)| (position.to_string(), finding.message.clone()))
            .collect();
        self.rows.sort_by_key(|(rank, _)| *rank);
        let rows: Vec<String> = { std::mem::take(&mut self.rows).into_iter() }
            .map(|(_, row)| row)
            .collect();
        let mut sources: Vec<&str> = self.sources.keys().map(|(name, _)| &**name).collect();
        sources.dedup();
        let files = self.facts.inputs.iter();
        let files: Vec<(String, String)> = files
            .map(|input| (input.file.clone(), input.sha256.clone()))
            .collect();
        let page = ReportPage {
            words: Words::default(),
            at: &self.facts.checked_at,
            program: self.facts.program,
            files: &files,
            strictness: self.facts.strictness,
            local_only: self.facts.local_only,
            works: self.facts.corpus.works,
            counts: &counts,
            findings: &findings,
            sources: &sources,
            from_checkpoint: self.facts.from_checkpoint,
            rows: &rows,
        };
        page.to_string()
    }
}

/// A line about a manuscript as a whole.
fn document_finding(position: &FilePosition, finding: &documents::Finding) -> Value {
    let mut line = placed(position);
    line["finding"] = finding.kind.as_str().into();
    line["message"] = finding.message.as_str().into();
    line["keys"] = json!(finding.keys);
    line
}

/// A document finding for logs.
fn of_document(
    findings: &[(FilePosition, documents::Finding)],
) -> impl Iterator<Item = CheckFinding> {
    findings.iter().map(|(position, finding)| CheckFinding {
        rule: finding.kind.as_str(),
        level: match finding.kind {
            FindingKind::UndefinedKey
            | FindingKind::MissingFile
            | FindingKind::UnreadPage
            | FindingKind::UnreadField => Level::Error,
            FindingKind::DuplicateWork | FindingKind::MissingNumber => Level::Warning,
            FindingKind::UncitedEntry => Level::Notice,
        },
        message: finding.message.clone(),
        position: position.clone(),
    })
}
