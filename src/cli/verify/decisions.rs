//! The decisions of people about references, in `citation-verify.toml` beside each manuscript.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use clap::Args;

use super::read::ReferenceJob;
use crate::cli::Failure;
use crate::clock;
use crate::lookup::overrides::{Decision, FILE_NAME, Override, Overrides};
use crate::lookup::verify::Verification;

/// The options that record a decision.
#[derive(Debug, Args)]
pub struct DecisionOptions {
    /// Record that this reference is real and right (its key, or its text) in citation-verify.toml beside its file
    #[arg(long, value_name = "REFERENCE", requires = "why", requires = "by")]
    real: Vec<String>,
    /// Record that the work found for this reference is not the cited one
    #[arg(long, value_name = "REFERENCE", requires = "why", requires = "by")]
    other_work: Vec<String>,
    /// The reason of the decision
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Who decides
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

/// The decisions by folder.
#[derive(Debug, Default)]
pub struct Decisions(BTreeMap<PathBuf, Overrides>);

impl Decisions {
    /// Reads the files beside the references, and adds the decisions of the options.
    pub fn read(options: &DecisionOptions, jobs: &[ReferenceJob]) -> Result<Decisions, Failure> {
        let mut decisions = Decisions::default();
        for job in jobs {
            if let Entry::Vacant(entry) = decisions.0.entry(folder(job)) {
                let overrides = read(&entry.key().join(FILE_NAME))?;
                entry.insert(overrides);
            }
        }
        decisions.add(options, jobs)?;
        Ok(decisions)
    }

    /// Applies the decision about a reference, if there is one.
    pub fn apply(&self, job: &ReferenceJob, verification: &mut Verification) {
        if let Some(overrides) = self.0.get(&folder(job)) {
            overrides.apply(&job.given.reference, verification);
        }
    }

    /// The decision about a reference, if there is one.
    pub fn about(&self, job: &ReferenceJob) -> Option<&Override> {
        let overrides = self.0.get(&folder(job))?;
        overrides.about(&job.given.reference)
    }

    fn add(&mut self, options: &DecisionOptions, jobs: &[ReferenceJob]) -> Result<(), Failure> {
        let (Some(why), Some(by)) = (&options.why, &options.by) else {
            return Ok(());
        };
        let real = options.real.iter().map(|label| (label, Decision::Real));
        let other = options
            .other_work
            .iter()
            .map(|label| (label, Decision::OtherWork));
        let date: String = clock::iso8601(clock::unix_now()).chars().take(10).collect();
        for (label, decision) in real.chain(other) {
            let mut named = jobs.iter().filter(|job| job.label == *label);
            let (Some(job), None) = (named.next(), named.next()) else {
                return Err(Failure(format!(
                    "“{label}” is not the key or the text of one reference"
                )));
            };
            let folder = folder(job);
            let overrides = self.0.entry(folder.clone()).or_default();
            overrides.add(Override {
                reference: job.given.reference.text.clone(),
                decision,
                by: by.clone(),
                date: date.clone(),
                why: why.clone(),
            });
            let path = folder.join(FILE_NAME);
            std::fs::write(&path, overrides.written())
                .map_err(|cause| Failure(format!("{}: {cause}", path.display())))?;
        }
        Ok(())
    }
}

/// The folder of a reference's file; the current one for standard input.
fn folder(job: &ReferenceJob) -> PathBuf {
    let folder = Path::new(&job.position.file).parent();
    folder.unwrap_or(Path::new("")).to_owned()
}

fn read(path: &Path) -> Result<Overrides, Failure> {
    let fail = |cause: &dyn std::fmt::Display| Failure(format!("{}: {cause}", path.display()));
    match std::fs::read(path) {
        Ok(bytes) => Overrides::read(&bytes).map_err(|cause| fail(&cause)),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(Overrides::default()),
        Err(cause) => Err(fail(&cause)),
    }
}
