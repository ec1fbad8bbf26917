//! `citation index`: rebuilds and checks the search index, which is derived from the database.

use std::time::{Duration, Instant};

use clap::Subcommand;
use serde_json::json;

use super::{Failure, Global, Outcome, Status, open, progress, terminal};
use crate::corpus::Corpus;

#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Rebuild the index from the database
    #[command(after_help = "\
Examples:
  citation index rebuild")]
    Rebuild,
    /// Compare the index with the database; exits with 1 if they differ
    #[command(after_help = "\
Examples:
  citation index verify --json")]
    Verify,
}

impl IndexCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let corpus = open::corpus(&config)?;
        match self {
            IndexCommand::Rebuild => {
                let bar = progress::counter(corpus.stats()?.works, "works indexed");
                let works = match corpus.indexer()? {
                    Some(mut indexer) => {
                        indexer.begin_rebuild()?;
                        let works = indexer.catch_up(|done| bar.set_position(done))?;
                        indexer.close()?;
                        works
                    }
                    None => have_rebuilt(&corpus, |done| bar.set_position(done))?,
                };
                bar.finish_and_clear();
                if global.json {
                    terminal::print_json(&json!({"indexed": works}));
                } else {
                    say!("{works} works indexed");
                }
                Ok(Status::Done)
            }
            IndexCommand::Verify => {
                let found = corpus.verify()?;
                if global.json {
                    terminal::print_json(&json!({"sound": found.is_sound(), "found": found}));
                } else {
                    say!("works in the database  {}", found.works);
                    say!("works in the index     {}", found.indexed);
                    say!("missing                {}", found.missing);
                    say!("surplus                {}", found.surplus);
                    say!("duplicates             {}", found.repeated);
                    say!("damaged files          {}", found.damaged_files);
                    say!(
                        "pending changes        {}",
                        found.newest_change - found.indexed_change
                    );
                }
                if found.is_sound() {
                    Ok(Status::Done)
                } else {
                    tell!(
                        "the index differs from the database; `citation index rebuild` rebuilds it"
                    );
                    Ok(Status::Negative)
                }
            }
        }
    }
}

/// How long to wait until a server accepts a request.
const PATIENCE: Duration = Duration::from_secs(30);

/// The interval between progress checks.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Asks the process that writes the index to rebuild it, and waits until it has. Returns the number of
/// works in the index.
fn have_rebuilt(corpus: &Corpus, mut progress: impl FnMut(u64)) -> Result<u64, Failure> {
    corpus.ask_for_rebuild()?;
    let asked = Instant::now();
    while !corpus.is_rebuild_taken() {
        if asked.elapsed() > PATIENCE {
            corpus.withdraw_rebuild()?;
            return Err(Failure(
                "another process is writing this index and has not accepted the request; stop it \
                 and try again"
                    .to_owned(),
            ));
        }
        std::thread::sleep(LOOK_AGAIN);
    }
    loop {
        // A rebuild that the other process has just started shows up a moment later.
        std::thread::sleep(LOOK_AGAIN);
        let stats = corpus.stats()?;
        progress(stats.indexed);
        if stats.search_ready && stats.pending == 0 {
            return Ok(stats.indexed);
        }
    }
}
