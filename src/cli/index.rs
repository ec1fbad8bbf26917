//! `citation index`: the search index, which can always be made anew from the database.

use clap::Subcommand;
use serde_json::json;

use super::{Failure, Global, Outcome, Status, open, progress};

#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Make the index anew from the database
    Rebuild,
    /// Compare the index with the database; ends with 1 where they differ
    Verify,
}

impl IndexCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let corpus = open::corpus(&config)?;
        match self {
            IndexCommand::Rebuild => {
                let Some(mut indexer) = corpus.indexer()? else {
                    return Err(Failure(
                        "another process is writing this index; stop the server first, or let it work"
                            .to_owned(),
                    ));
                };
                indexer.begin_rebuild()?;
                let bar = progress::counter(corpus.stats()?.works, "works indexed");
                let works = indexer.catch_up(|done| bar.set_position(done))?;
                indexer.close()?;
                bar.finish_and_clear();
                if global.json {
                    say!("{}", json!({"indexed": works}));
                } else {
                    say!("{works} works indexed");
                }
                Ok(Status::Done)
            }
            IndexCommand::Verify => {
                let found = corpus.verify()?;
                if global.json {
                    say!("{}", json!({"sound": found.is_sound(), "found": found}));
                } else {
                    say!("works in the database  {}", found.works);
                    say!("works in the index     {}", found.indexed);
                    say!("missing                {}", found.missing);
                    say!("too many               {}", found.surplus);
                    say!("more than once         {}", found.repeated);
                    say!("damaged files          {}", found.damaged_files);
                    say!(
                        "changes not taken in   {}",
                        found.newest_change - found.indexed_change
                    );
                }
                if found.is_sound() {
                    Ok(Status::Done)
                } else {
                    eprintln!(
                        "the index differs from the database; `citation index rebuild` makes it anew"
                    );
                    Ok(Status::Negative)
                }
            }
        }
    }
}
