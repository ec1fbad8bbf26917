//! `citation jobs`: the jobs of an account on a server.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::remote::{Remote, RemoteOptions, RemoteReply};
use super::{Failure, Global, Outcome, Status, terminal};
use citation_model::identifier::percent_encode;

#[derive(Debug, Subcommand)]
pub enum JobsCommand {
    /// List the jobs, newest first
    #[command(after_help = "\
Example:
  citation jobs list --server https://citation.example.org")]
    List(RemoteOptions),
    /// Show the state of a job
    #[command(after_help = "\
Example:
  citation jobs show 6f1c1a3e-3c1d-4f0a-9a53-0f0f6f0b7a11 --server https://citation.example.org")]
    Show(OneJob),
    /// Cancel a job, or remove one that has ended
    #[command(after_help = "\
Example:
  citation jobs cancel 6f1c1a3e-3c1d-4f0a-9a53-0f0f6f0b7a11 --server https://citation.example.org")]
    Cancel(OneJob),
    /// Print the file that a job has made, or its results as JSON lines
    #[command(after_help = "\
Example:
  citation jobs result 6f1c1a3e-3c1d-4f0a-9a53-0f0f6f0b7a11 --server https://citation.example.org")]
    Result(OneJob),
}

#[derive(Debug, Args)]
pub struct OneJob {
    /// The job's id
    id: String,
    #[command(flatten)]
    server: RemoteOptions,
}

impl OneJob {
    fn path(&self) -> String {
        format!("/jobs/{}", percent_encode(&self.id))
    }
}

impl JobsCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        match self {
            JobsCommand::List(options) => list(&options.open()?, global.json),
            JobsCommand::Show(one) => {
                let reply = one.server.open()?.get(&one.path())?;
                of_known(reply, |reply| {
                    print_job(&reply.json()?, global.json);
                    Ok(())
                })
            }
            JobsCommand::Cancel(one) => {
                let reply = one.server.open()?.delete(&one.path())?;
                of_known(reply, |_| Ok(()))
            }
            JobsCommand::Result(one) => result(&one.server.open()?, &one.path()),
        }
    }
}

/// Does something with a reply about a job, if the job exists.
fn of_known(reply: RemoteReply, then: impl FnOnce(RemoteReply) -> Result<(), Failure>) -> Outcome {
    let Some(reply) = reply.found()? else {
        tell!("The job does not exist, or its results were removed.");
        return Ok(Status::Negative);
    };
    then(reply)?;
    Ok(Status::Done)
}

fn list(remote: &Remote, as_json: bool) -> Outcome {
    let jobs = remote.get("/jobs")?.checked()?.json()?;
    for job in jobs.as_array().into_iter().flatten() {
        print_job(job, as_json);
    }
    Ok(Status::Done)
}

/// A job in one line.
pub fn print_job(job: &Value, as_json: bool) {
    if as_json {
        terminal::print_json(job);
        return;
    }
    let text = |name: &str| job.get(name).and_then(Value::as_str).unwrap_or_default();
    let count = |name: &str| job.get(name).and_then(Value::as_u64).unwrap_or_default();
    let outcomes = job.get("summary").and_then(Value::as_object);
    let outcomes: Vec<String> = { outcomes.into_iter().flatten() }
        .map(|(outcome, count)| format!("{count} {outcome}"))
        .collect();
    terminal::print_line(&format!(
        "{}  {}  {}  {}  files {}/{}  items {}  {}",
        text("id"),
        text("created_at"),
        text("kind"),
        text("state"),
        count("files_done"),
        count("files"),
        count("items"),
        outcomes.join(", ")
    ));
}

fn result(remote: &Remote, path: &str) -> Outcome {
    if let Some(file) = remote.get(&format!("{path}/result"))?.found()? {
        terminal::print(file.body)?;
        return Ok(Status::Done);
    }
    let mut after = 0;
    loop {
        let page = remote.get(&format!("{path}/results?limit=1000&after={after}"))?;
        let Some(page) = page.found()? else {
            tell!("The job does not exist, or its results were removed.");
            return Ok(Status::Negative);
        };
        let page = page.json()?;
        let results = page.get("results").and_then(Value::as_array);
        let results = results.map(Vec::as_slice).unwrap_or_default();
        if results.is_empty() {
            return Ok(Status::Done);
        }
        results.iter().for_each(terminal::print_json);
        after = next_after(&page);
    }
}

/// Where the next page of results begins.
pub fn next_after(page: &Value) -> u64 {
    let next = page.get("next_after").and_then(Value::as_u64);
    next.unwrap_or(u64::MAX)
}
