//! `citation harvest`: one round of a configured harvest.

use clap::Args;
use indicatif::HumanCount;
use serde_json::json;

use super::{Failure, Global, Outcome, Status, ingest, open, progress, terminal};
use crate::clock;
use crate::harvest;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation harvest arxiv
  citation --json harvest repository")]
pub struct HarvestCommand {
    /// The name of a table [[corpus.harvest]] of citation.toml
    #[arg(value_name = "NAME")]
    name: String,
}

impl HarvestCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        super::log::start(&config.log);
        let harvests = &config.corpus.harvest;
        let Some(settings) = harvests.iter().find(|harvest| harvest.name == self.name) else {
            let names: Vec<&str> = harvests.iter().map(|h| h.name.as_str()).collect();
            let known = if names.is_empty() {
                "there is no table [[corpus.harvest]]".to_owned()
            } else {
                format!("there are {}", names.join(", "))
            };
            return Err(Failure(format!(
                "no harvest is named {}: {known}",
                self.name
            )));
        };
        open::init(&config)?;
        let corpus = open::corpus(&config)?;
        let stop = ingest::stop_on_signal()?;
        let bar = progress::bytes(0);
        let summary = harvest::round(&corpus, settings, clock::unix_now(), &stop, &mut |now| {
            bar.set_message(format!("{} records", HumanCount(now.records)));
        })
        .map_err(|cause| Failure(cause.to_string()))?;
        bar.finish_and_clear();
        corpus.index_pending()?;
        if global.json {
            terminal::print_json(&json!(summary).to_string());
        } else {
            say!(
                "{} records: {} new, {} changed, {} unchanged, {} deleted, {} rejected",
                summary.records,
                summary.works.new,
                summary.works.changed,
                summary.works.unchanged,
                summary.works.deleted,
                summary.rejected
            );
        }
        Ok(Status::Done)
    }
}
