//! `citation ingest`: ingests files and dumps into the corpus.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Args;
use indicatif::HumanCount;

use super::{Failure, Global, Outcome, Status, open, progress, terminal};
use crate::config::nearest::nearest_word;
use crate::corpus::ingest::{self, FileOutcome, IngestOptions, IngestSummary, Phase, RecordFormat};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation ingest library.bib references.ris
  citation ingest crossref-public-data-file.tar --rejects rejects
  citation ingest ol_dump_editions.txt.gz ol_dump_works.txt.gz ol_dump_authors.txt.gz")]
pub struct IngestCommand {
    /// Files and folders: dumps of Crossref, DataCite, OpenAlex, Open Library, PubMed, DBLP, the ACL
    /// Anthology and arXiv, answers of OAI-PMH, the list of Retraction Watch, and bibliography files of every
    /// format that is read
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The format of every file (default: detected from each file's content)
    #[arg(long, value_parser = parse_format, value_name = "FORMAT")]
    format: Option<RecordFormat>,
    /// Read files again that have already been read to the end
    #[arg(long)]
    again: bool,
    /// Where to write rejected records (default: `rejects` in the data folder)
    #[arg(long, value_name = "DIR")]
    rejects: Option<PathBuf>,
    /// Threads that read records (default: one per core)
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl IngestCommand {
    /// Exits with 1 if a file broke off or could not be read, or a record was too long.
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        super::log::start(&config.log);
        open::init(&config)?;
        let corpus = open::corpus(&config)?;
        let defaults = IngestOptions::default();
        let options = IngestOptions {
            format: self.format,
            threads: self.threads.unwrap_or(defaults.threads).max(1),
            again: self.again,
            rejects: self.rejects.clone(),
            ..defaults
        };
        let stop = stop_on_signal()?;
        let bar = progress::bytes(0);
        let summary = ingest::ingest(&corpus, &self.paths, &options, &stop, &mut |now| {
            bar.set_length(now.bytes_total);
            bar.set_position(now.bytes_read);
            let doing = match now.phase {
                Phase::Gathering => "gathering authors and works",
                Phase::Reading => "reading",
                Phase::Indexing => "indexing",
            };
            bar.set_message(format!(
                "{doing}, {} records, {} rejected, {}",
                HumanCount(now.records),
                HumanCount(now.rejected),
                progress::rate(now.rate(), "records")
            ));
        })?;
        bar.finish_and_clear();
        report(&summary, global.json)?;
        Ok(if summary.is_complete() {
            Status::Done
        } else {
            Status::Negative
        })
    }
}

fn parse_format(text: &str) -> Result<RecordFormat, String> {
    RecordFormat::parse(text).ok_or_else(|| {
        let names = RecordFormat::names();
        let meant = nearest_word(text, &names);
        let meant = meant.map_or_else(String::new, |name| format!("did you mean {name}? "));
        format!("{meant}the formats are {}", names.join(", "))
    })
}

/// A switch that the first interrupt sets; the second one ends the program immediately.
pub fn stop_on_signal() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&stop);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            let _ = tokio::signal::ctrl_c().await;
            switch.store(true, Relaxed);
            tell!("stopping after this batch; the next run resumes here");
            let _ = tokio::signal::ctrl_c().await;
            // A second interrupt ends the program immediately; SQLite keeps what was committed.
            #[expect(clippy::exit)]
            std::process::exit(130);
        });
    });
    Ok(stop)
}

fn report(summary: &IngestSummary, as_json: bool) -> Result<(), Failure> {
    if as_json {
        terminal::print_json(&serde_json::to_string(summary)?);
        return Ok(());
    }
    for file in &summary.files {
        let path = file.path.display();
        match &file.outcome {
            FileOutcome::Finished => say!(
                "{path}: {} records, {} rejected",
                file.records,
                file.rejected
            ),
            FileOutcome::AlreadyDone => say!("{path}: already ingested, nothing to do"),
            FileOutcome::Skipped { reason } => say!("{path}: skipped, {reason}"),
            FileOutcome::Broken { reason } => tell!("{path}: broke off, {reason}"),
            FileOutcome::Stopped => say!("{path}: stopped after {} records", file.records),
        }
        if file.too_long > 0 {
            tell!(
                "{path}: {} records are longer than 64 MiB and were skipped",
                file.too_long
            );
        }
        if let Some(rejects) = &file.rejects {
            say!("  rejected records are listed in {}", rejects.display());
        }
    }
    say!(
        "{} new, {} changed, {} unchanged, {} deleted, {} rejected",
        summary.works.new,
        summary.works.changed,
        summary.works.unchanged,
        summary.works.deleted,
        summary.rejected
    );
    if summary.works.unplaced_notices > 0 {
        say!(
            "{} notices are left out: the list has no DOI for their articles, and no work here has the PubMed id",
            summary.works.unplaced_notices
        );
    }
    if summary.notices_removed > 0 {
        say!(
            "{} notices of the earlier list are gone",
            summary.notices_removed
        );
    }
    Ok(())
}
