//! The reports of a verification: a table, JSON lines, CSV, CI logs, an HTML page.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use super::facts::RunFacts;
use super::folder::SharedReferences;
use super::read::{ReferenceJob, shortened};
use crate::cli::finding::{CheckFinding, Level, sarif};
use crate::cli::position::FilePosition;
use crate::cli::signature::{self, SigningKey};
use crate::cli::{Failure, reverse, terminal};
use crate::lookup::overrides::{AppliedOverride, Decision, Override};
use crate::lookup::verify::{
    Difference, DifferenceReason, DifferenceSeverity, Verdict, Verification,
};
use crate::ui::report::ReportPage;
use crate::ui::verify::ReferenceView;
use crate::ui::words::Words;
use citation_documents::{self as documents, FindingKind};
use citation_exchange::metadata::{CitationMetadata, UpdatesView};
use citation_matching::certainty::rounded;
use citation_model::inert::{table, terminal as inert};
use citation_model::variable::TextVar;
use citation_model::work::{Update, UpdateKind, UpdateRelation};

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
    sources: BTreeMap<(&'static str, &'static str), usize>,
    /// Results for an object that is written at the end, with how grave they are.
    results: Vec<(u8, Value)>,
    /// Its file and the content so far; `None` for standard output.
    kept: Option<(PathBuf, String)>,
    counts: Vec<(Verdict, usize)>,
    /// Findings for a log that is written at the end.
    findings: Vec<CheckFinding>,
    /// Content for a page that is written at the end.
    rows: Vec<ReferenceView>,
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

    pub fn add(&mut self, index: usize, job: &ReferenceJob, verification: &Verification) {
        if verification.verdict == Verdict::NotFound {
            self.shared
                .add(&job.given.reference.text, &job.position.file);
        }
        for report in &mut self.reports {
            report.add(index, job, verification);
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

    fn add(&mut self, index: usize, job: &ReferenceJob, verification: &Verification) {
        for (verdict, count) in &mut self.counts {
            *count += usize::from(*verdict == verification.verdict);
        }
        for tried in &verification.tried {
            let answer = (tried.source, tried.outcome.as_str());
            *self.sources.entry(answer).or_default() += 1;
        }
        match self.output {
            ReportFormat::Table => self.table(job, verification),
            ReportFormat::Json => {
                let result = jsonl(index, job, verification);
                self.results.push((rank(verification.verdict), result));
            }
            ReportFormat::Jsonl => self.json(&jsonl(index, job, verification)),
            ReportFormat::Csv => self.line(csv(job, verification)),
            ReportFormat::Annotations => {
                if let Some(finding) = finding(job, verification) {
                    self.workflow_command(&finding);
                }
            }
            ReportFormat::Sarif => self.findings.extend(finding(job, verification)),
            ReportFormat::Html => self.rows.push(row(job, verification)),
        }
    }

    fn table(&mut self, job: &ReferenceJob, verification: &Verification) {
        let verdict = format!("{:<12}", verification.verdict.as_str());
        let colour = match verification.verdict {
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
        if let Some(matched) = verification
            .matched
            .as_ref()
            .filter(|_| verification.verdict != Verdict::Verified)
        {
            let described = reverse::describe(matched);
            self.line(format!("{:13}{:.3}  {described}", "", matched.score));
        }
        let unanswered = reverse::unanswered(&verification.tried);
        let unanswered = unanswered.filter(|_| verification.verdict == Verdict::NotChecked);
        let differences = verification.differences.iter().map(difference_text);
        let notices = notices(verification).map(notice_text);
        let decided = decision_text(verification);
        let told = decided.into_iter().chain(unanswered).chain(differences);
        for text in told.chain(notices) {
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
        let rank_of = |row: &ReferenceView| {
            let mut verdicts = Verdict::ALL.into_iter();
            verdicts
                .find(|verdict| verdict.as_str() == row.verdict)
                .map(rank)
        };
        self.rows.sort_by_key(rank_of);
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
            rows: &self.rows,
        };
        page.to_string()
    }
}

/// The order of verdicts in reports: problems first.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::NotFound => 0,
        Verdict::Retracted => 1,
        Verdict::Mismatch => 2,
        Verdict::Ambiguous => 3,
        Verdict::NotChecked | Verdict::QuotaExhausted => 4,
        Verdict::Verified => 5,
    }
}

/// `real, says Ann Ash on 2026-11-28: seen on paper (was not_found)`
fn decision_text(verification: &Verification) -> Option<String> {
    let AppliedOverride { made, replaced } = verification.decided.as_deref()?;
    let decision = match made.decision {
        Decision::Real => "real",
        Decision::OtherWork => "not the work found",
    };
    let Override { by, date, why, .. } = made;
    Some(format!(
        "{decision}, says {by} on {date}: {why} (was {replaced})"
    ))
}

fn jsonl(index: usize, job: &ReferenceJob, verification: &Verification) -> Value {
    let matched = verification.matched.as_ref();
    let tried: Vec<Value> = verification
        .tried
        .iter()
        .map(|t| json!({"source": t.source, "outcome": t.outcome.as_str()}))
        .collect();
    let mut line = placed(&job.position);
    line["index"] = index.into();
    line["reference"] = job.label.as_str().into();
    line["verdict"] = verification.verdict.as_str().into();
    line["message"] = verification.message.into();
    if let Some(decided) = &verification.decided {
        line["override"] = json!(decided);
    }
    line["text"] = job.given.reference.text.as_str().into();
    line["probability"] = json!(verification.probability.map(rounded));
    line["score"] = json!(matched.map(|m| m.score));
    line["match"] = json!(matched.map(|m| CitationMetadata::of_work(&m.work)));
    line["diffs"] = json!(verification.differences);
    line["fields"] = json!(verification.fields);
    let forms = verification.forms.iter();
    let forms = forms.map(|other| {
        json!({"form": other.form.as_str(), "match": CitationMetadata::of_work(&other.work)})
    });
    line["other_forms"] = forms.collect();
    line["updates"] = json!(UpdatesView(&verification.updates));
    line["sources_tried"] = json!(tried);
    line
}

/// A line about a manuscript as a whole.
fn document_finding(position: &FilePosition, finding: &documents::Finding) -> Value {
    let mut line = placed(position);
    line["finding"] = finding.kind.as_str().into();
    line["message"] = finding.message.as_str().into();
    line["keys"] = json!(finding.keys);
    line
}

/// An object with the members of a position.
fn placed(position: &FilePosition) -> Value {
    let characters = position.characters.as_ref();
    json!({
        "file": position.file,
        "line": position.line,
        "column": position.column,
        "start": characters.map(|range| range.start),
        "end": characters.map(|range| range.end),
        "page": position.page,
        "paragraph": position.paragraph,
        "note": position.note,
    })
}

fn csv(job: &ReferenceJob, verification: &Verification) -> String {
    let matched = verification.matched.as_ref();
    let differences: Vec<String> = verification
        .differences
        .iter()
        .map(difference_text)
        .collect();
    let updates: Vec<String> = notices(verification).map(notice_text).collect();
    let score = matched.map(|m| format!("{:.4}", m.score));
    let doi = matched.and_then(|m| m.work.item.doi());
    let title = matched.and_then(|m| m.work.item.text(TextVar::Title));
    let fields: Vec<String> = { verification.fields.iter() }
        .map(|field| {
            let source = field.source.unwrap_or_default();
            format!("{}: {} {source}", field.field, field.status.as_str())
                .trim()
                .to_owned()
        })
        .collect();
    let sources: Vec<String> = { verification.tried.iter() }
        .map(|tried| format!("{}: {}", tried.source, tried.outcome.as_str()))
        .collect();
    let probability = verification.probability.map(|p| format!("{p:.4}"));
    let further = [
        probability.unwrap_or_default(),
        verification.message.to_owned(),
        title.unwrap_or_default().to_owned(),
        fields.join("; "),
        sources.join("; "),
        decision_text(verification).unwrap_or_default(),
    ];
    csv_row(
        &job.position,
        [job.label.clone(), verification.verdict.as_str().to_owned()],
        [
            score.unwrap_or_default(),
            doi.map(|doi| doi.to_string()).unwrap_or_default(),
            differences.join("; "),
            updates.join("; "),
        ],
        further,
    )
}

/// A row: the position, the text and its kind, the result, and further columns.
fn csv_row(
    position: &FilePosition,
    what: [String; 2],
    found: [String; 4],
    further: [String; 6],
) -> String {
    let number = |number: Option<usize>| number.map(|n| n.to_string()).unwrap_or_default();
    let place = [
        position.file.clone(),
        number(position.line),
        number(position.column),
    ];
    let cells = place.into_iter().chain(what).chain(found);
    let cells = cells.chain([position.within()]).chain(further);
    table::row(cells)
}

fn row(job: &ReferenceJob, verification: &Verification) -> ReferenceView {
    let mut asked = HashSet::new();
    let sources = verification.tried.iter().map(|tried| tried.source);
    ReferenceView {
        place: job.position.to_string(),
        message: verification.message,
        notices: { decision_text(verification).into_iter() }
            .chain(notices(verification).map(notice_text))
            .collect(),
        asked: sources.filter(|source| asked.insert(*source)).collect(),
        ..ReferenceView::of(job.label.clone(), verification.clone())
    }
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

/// The message about a reference; `None` if it is verified and has no notice.
fn finding(job: &ReferenceJob, verification: &Verification) -> Option<CheckFinding> {
    let is_critical = |d: &Difference| d.severity == DifferenceSeverity::Critical;
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
    let message = message(verification);
    Some(CheckFinding {
        rule: verification.verdict.as_str(),
        level,
        message,
        position: job.position.clone(),
    })
}

/// The verdict with its differences and notices, one per line.
fn message(verification: &Verification) -> String {
    let verdict = format!(
        "{}: {}",
        verification.verdict.as_str(),
        verification.message
    );
    let differences = verification.differences.iter().map(difference_text);
    let notices = notices(verification).map(notice_text);
    let lines: Vec<String> = std::iter::once(verdict)
        .chain(differences)
        .chain(notices)
        .map(|line| inert::line(&line).into_owned())
        .collect();
    lines.join("\n")
}

/// The comment on a reference: the verdict, and the work or the sources behind it.
pub fn verdict_message(job: &ReferenceJob, verification: &Verification) -> Option<String> {
    finding(job, verification)?;
    let mut said = message(verification);
    match &verification.matched {
        Some(matched) => said.push_str(&format!(
            "\nFound: {}",
            inert::line(&reverse::describe(matched))
        )),
        None => {
            let mut asked: Vec<&str> = verification.tried.iter().map(|t| t.source).collect();
            asked.dedup();
            said.push_str(&format!("\nAsked: {}", asked.join(", ")));
        }
    }
    Some(said)
}

/// The notices about the matched work, without those that it makes about another.
fn notices(verification: &Verification) -> impl Iterator<Item = &Update> {
    let is_about = |update: &&Update| update.relation == UpdateRelation::UpdatedBy;
    verification.updates.iter().filter(is_about)
}

/// `retraction: 10.1000/notice (2010-02-06)`
fn notice_text(update: &Update) -> String {
    let kind = update.kind.as_str().replace('_', " ");
    let mut text = format!("{kind}: {}", update.doi);
    if let Some(date) = &update.date {
        text.push_str(&format!(" ({})", date.edtf()));
    }
    if !update.reasons.is_empty() {
        text.push_str(&format!(", {}", update.reasons.join("; ")));
    }
    text
}

fn difference_text(difference: &Difference) -> String {
    let shown = |text: &Option<String>| shortened(text.as_deref().unwrap_or_default(), 80);
    let (given, found) = (shown(&difference.given), shown(&difference.found));
    let told = match difference.reason {
        Some(DifferenceReason::NotRegistered) => format!("“{given}” is not registered"),
        Some(DifferenceReason::OtherWork) => format!("“{given}” is another work's"),
        Some(DifferenceReason::Unchecked) => format!("“{given}” was not checked"),
        Some(DifferenceReason::SourcesDisagree) => {
            format!("“{found}” instead of “{given}”, which another source has")
        }
        None => match (&difference.given, &difference.found) {
            (None, _) => format!("“{found}” is left out"),
            (_, None) => format!("“{given}” is not of the work"),
            _ => format!("“{found}” instead of “{given}”"),
        },
    };
    format!("{}: {told}", difference.field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use citation_model::date::Date;
    use citation_model::identifier::Doi;

    #[test]
    fn notice_has_its_doi_and_date() {
        let notice = |date: Option<Date>| Update {
            kind: UpdateKind::ExpressionOfConcern,
            relation: UpdateRelation::UpdatedBy,
            doi: Doi::parse("10.1000/notice").unwrap(),
            date,
            source: String::new(),
            reasons: Vec::new(),
        };
        let text = notice_text(&notice(Date::parse("2010-02-06")));
        assert_eq!(text, "expression of concern: 10.1000/notice (2010-02-06)");
        assert_eq!(
            notice_text(&notice(None)),
            "expression of concern: 10.1000/notice"
        );
    }
}
