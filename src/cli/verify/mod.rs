//! `citation verify`: prints a verdict for each reference of manuscripts, bibliographies and reference
//! lists.

mod checkpoint;
mod decisions;
pub mod facts;
mod fix;
mod folder;
mod published;
mod read;
mod report;
mod reported;
mod server;

use std::path::{Path, PathBuf};

use clap::Args;

use self::checkpoint::{Checkpoint, CheckpointSettings, reference_key};
use self::decisions::{DecisionOptions, Decisions};
use self::facts::RunFacts;
use self::fix::Fixes;
use self::read::{ReferenceJob, VerifyInput};
use self::report::{ReportFormat, Reports};
use self::reported::ReportedReference;
use self::server::ServerCheck;
use super::signature::SigningKey;
use super::{Failure, Global, Outcome, Status, open, progress, threads};
use crate::app::App;
use crate::blocking;
use crate::config::Strictness;
use crate::lookup::batch::{self, InOrder};
use crate::lookup::scope::Scope;
use crate::lookup::verify::{Verdict, Verification};
use citation_model::budget::Budget;

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  citation verify paper.docx --report verification.html\n  citation verify refs.bib --fix\n  citation verify refs.bib --fix --published\n  citation verify paper.docx --fix -o reviewed.docx\n  citation verify paper.tex refs.bib --to annotations\n  citation verify paper.tex --to sarif -o references.sarif\n  citation verify papers/ --report papers.json --checkpoint papers.progress\n  citation verify --server https://citation.example.org manuscripts/"
)]
pub struct VerifyCommand {
    /// Manuscripts (Word, OpenDocument, TeX, Markdown, Typst, HTML, RTF or text, with bibliographies in the
    /// same folder), text with references, or bibliography files of any readable format; folders with such
    /// files; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Ask no provider
    #[arg(long)]
    local_only: bool,
    /// How sure a verdict must be: `strict` verifies only what is sure, `lenient` takes only what is sure for a
    /// mismatch; the rest is ambiguous [default: the setting `lookup.strictness`]
    #[arg(long, value_parser = strictness, value_name = "NAME")]
    strictness: Option<Strictness>,
    /// The output format
    #[arg(short, long, value_enum, default_value_t = ReportFormat::Table, value_name = "FORMAT")]
    to: ReportFormat,
    /// Also write a report to this file: a page (.html), .json, .csv, .jsonl or .sarif
    #[arg(long, value_name = "FILE", value_parser = report::file)]
    report: Vec<report::ReportFile>,
    /// Sign each report file with this private key (`citation report key`); the signature is a file beside it
    #[arg(long, value_name = "KEY", requires = "report")]
    sign: Option<PathBuf>,
    #[command(flatten)]
    decisions: DecisionOptions,
    /// Show the errors of works that are identified with certainty, and correct them in .bib, TeX, Markdown,
    /// Typst and HTML files; for a .docx in a copy, as tracked changes with comments on the rest
    #[arg(long)]
    fix: bool,
    /// With --fix: replace a preprint by its published version where that is known, and one alone
    #[arg(long, requires = "fix")]
    published: bool,
    /// The file to write (default, and for `-`: standard output). With --fix the corrected file
    /// (default: the input file)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep each verdict in this file as it comes: after an interruption the same command goes on where it ended
    #[arg(long, value_name = "FILE", conflicts_with = "fix")]
    checkpoint: Option<PathBuf>,
    /// Threads, also `--jobs`; 0 for one per core
    #[arg(long, alias = "jobs", default_value_t = 0, value_name = "N")]
    threads: usize,
    #[command(flatten)]
    server: ServerCheck,
}

fn strictness(name: &str) -> Result<Strictness, String> {
    let parsed = Strictness::parse(name);
    parsed.ok_or_else(|| "is one of strict, normal and lenient".to_owned())
}

fn read_key(path: &Path) -> Result<SigningKey, Failure> {
    let fail = |cause: &dyn std::fmt::Display| Failure(format!("{}: {cause}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|cause| fail(&cause))?;
    SigningKey::parse(&text).map_err(|Failure(cause)| fail(&cause))
}

/// A reference and its verdict.
struct Checked {
    job: ReferenceJob,
    result: Result<CheckResult, Failure>,
}

struct CheckResult {
    reported: ReportedReference,
    /// `None` if the verdict is from a checkpoint.
    verification: Option<Verification>,
}

impl VerifyCommand {
    /// Exits with 1 if a reference is not verified, an entry could not be read, or a manuscript
    /// cites an undefined key.
    pub fn run(&self, global: &Global) -> Outcome {
        let files = folder::expand(&self.files)?;
        if let Some(remote) = self.server.remote()? {
            return server::verify(&remote, &files, self.local_only, global.json);
        }
        if self.fix && self.output.is_some() && files.len() > 1 {
            return Err(Failure(
                "--fix with --output takes only one file".to_owned(),
            ));
        }
        let mut config = open::config(open::overrides(global))?;
        if let Some(strictness) = self.strictness {
            config.lookup.strictness = strictness;
        }
        super::log::start_for_output(&config.log);
        let input = VerifyInput::read(&files)?;
        let mut status = if input.is_whole() {
            Status::Done
        } else {
            Status::Negative
        };
        let key = self.sign.as_deref().map(read_key).transpose()?;
        let decisions = Decisions::read(&self.decisions, &input.jobs)?;
        let app = open::app(config)?;
        let mut facts = RunFacts::of(&app, self.local_only, input.files)?;
        let checkpoint = self.open_checkpoint(&facts)?;
        if let Some(checkpoint) = &checkpoint {
            let is_there =
                |job: &&ReferenceJob| checkpoint.has(&reference_key(job, decisions.about(job)));
            facts.from_checkpoint = input.jobs.iter().filter(is_there).count();
            if facts.from_checkpoint > 0 {
                let (kept, all) = (facts.from_checkpoint, input.jobs.len());
                tell!("{kept} of {all} references were checked by an interrupted run");
            }
        }
        let output = if global.json {
            ReportFormat::Jsonl
        } else {
            self.to
        };
        let (printed, corrected) = if self.fix {
            (None, self.output.as_deref())
        } else {
            (self.output.as_deref(), None)
        };
        let printed = printed.filter(|path| *path != Path::new("-"));
        let mut reports = Reports::new(output, printed, &self.report, facts, key);
        let bar = progress::counter(input.jobs.len() as u64, "references");
        let mut fixes = Fixes::new(self.published);
        let mut order = InOrder::default();
        let mut failure = None;
        batch::run(
            input.jobs,
            threads(self.threads),
            |_, job| {
                let result = self.check(&app, &decisions, checkpoint.as_ref(), &job);
                Checked { job, result }
            },
            |n, checked| {
                bar.inc(1);
                for (index, checked) in order.push(n, checked) {
                    match checked.result {
                        Ok(result) => {
                            if result.reported.verdict != Verdict::Verified {
                                status = Status::Negative;
                            }
                            if let Some(verification) = &result.verification {
                                fixes.add(&checked.job, verification);
                            }
                            bar.suspend(|| reports.add(index, &checked.job, &result.reported));
                        }
                        Err(cause) => failure = Some(cause),
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
        reports.finish(&input.findings)?;
        if self.fix {
            fixes.write(&files, corrected)?;
        }
        Ok(status)
    }

    fn open_checkpoint(&self, facts: &RunFacts) -> Result<Option<Checkpoint>, Failure> {
        let settings = CheckpointSettings {
            program: facts.program.to_owned(),
            local_only: self.local_only,
            strictness: facts.strictness.to_owned(),
        };
        let path = self.checkpoint.as_deref();
        path.map(|path| Checkpoint::open(path, &settings))
            .transpose()
    }

    /// Takes the verdict from the checkpoint, or checks the reference and keeps its verdict there.
    fn check(
        &self,
        app: &App,
        decisions: &Decisions,
        checkpoint: Option<&Checkpoint>,
        job: &ReferenceJob,
    ) -> Result<CheckResult, Failure> {
        let kept = checkpoint.map(|checkpoint| {
            let key = reference_key(job, decisions.about(job));
            (checkpoint, key)
        });
        if let Some((checkpoint, key)) = &kept
            && let Some(reported) = checkpoint.taken(key)?
        {
            return Ok(CheckResult {
                reported,
                verification: None,
            });
        }
        let scope = Scope {
            user: None,
            local_only: self.local_only,
        };
        let unbounded = blocking::Job::unbounded(Budget::unlimited());
        let (search, resolver) = (&app.references, &app.lookup);
        let mut verification = job.given.verify(search, resolver, scope, &unbounded)?;
        decisions.apply(job, &mut verification);
        let reported = ReportedReference::of(job, &verification);
        if let Some((checkpoint, key)) = kept {
            checkpoint.keep(key, &reported)?;
        }
        Ok(CheckResult {
            reported,
            verification: Some(verification),
        })
    }
}
