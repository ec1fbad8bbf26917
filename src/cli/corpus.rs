//! `citation corpus`: statistics and maintenance of the corpus.

use clap::Subcommand;
use serde_json::json;

use super::{Failure, Global, Outcome, Status, open, terminal};
use crate::clock;
use crate::corpus::Corpus;
use crate::disk::Sizes;
use crate::quota::JOURNAL_FOLDER;
use crate::quota::journal::Journal;
use crate::ui::status::size;
use citation_exchange::metadata::CitationMetadata;
use citation_model::identifier::Identifier;
use citation_model::work::Work;

const DAY_SECONDS: i64 = 86_400;

#[derive(Debug, Subcommand)]
pub enum CorpusCommand {
    /// Count works by source and show the state of the index
    #[command(after_help = "\
Examples:
  citation corpus stats
  citation corpus stats --json")]
    Stats,
    /// Print one work
    #[command(after_help = "\
Examples:
  citation corpus get 10.1038/171737a0")]
    Get {
        #[arg(value_name = "DOI|ISBN|…")]
        identifier: String,
    },
    /// Print what the sources of a work said before their records changed, newest first
    #[command(after_help = "\
Examples:
  citation corpus history 10.1038/171737a0")]
    History {
        #[arg(value_name = "DOI|ISBN|…")]
        identifier: String,
    },
    /// Return the space of deleted and replaced works to the disk; needs a stopped server
    #[command(after_help = "\
Examples:
  systemctl stop citation
  citation --data /var/lib/citation corpus compact
  systemctl start citation")]
    Compact,
    /// Remove works from the corpus
    #[command(after_help = "\
Examples:
  citation corpus delete 10.1038/171737a0")]
    Delete {
        #[arg(required = true, value_name = "DOI|ISBN|…")]
        identifiers: Vec<String>,
    },
}

impl CorpusCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let corpus = open::corpus(&config)?;
        match self {
            CorpusCommand::Stats => {
                let stats = corpus.stats()?;
                if global.json {
                    terminal::print_json(&json!(stats));
                } else {
                    terminal::print_lines(stats.to_string().lines());
                }
                let days = i64::from(config.corpus.warn_after_days);
                let limit = days * DAY_SECONDS;
                let aged = stats.aged_source(clock::unix_now(), limit);
                if let Some((source, age)) = aged.filter(|_| limit > 0) {
                    tell!(
                        "the newest record of {} is {} days old, and corpus.warn_after_days is {days}",
                        source.as_str(),
                        age / DAY_SECONDS
                    );
                }
                Ok(Status::Done)
            }
            CorpusCommand::History { identifier } => {
                let versions = corpus.store().versions(&parse(identifier)?)?;
                let shown = versions.iter().map(|version| {
                    let work = Work::new(version.item.clone(), version.provenance.clone());
                    json!({
                        "number": version.number,
                        "replaced_at": clock::iso8601(version.replaced_at),
                        "metadata": CitationMetadata::of_work(&work),
                    })
                });
                let shown: Vec<_> = shown.collect();
                terminal::print_json(&serde_json::to_string_pretty(&shown)?);
                Ok(if shown.is_empty() {
                    Status::Negative
                } else {
                    Status::Done
                })
            }
            CorpusCommand::Compact => compact(&corpus, global),
            CorpusCommand::Get { identifier } => match corpus.get(&parse(identifier)?)? {
                Some(work) => {
                    let metadata = CitationMetadata::of_work(&work).with_abstract(true);
                    terminal::print_json(&serde_json::to_string_pretty(&metadata)?);
                    Ok(Status::Done)
                }
                None => {
                    tell!("{identifier} is not in the corpus");
                    Ok(Status::Negative)
                }
            },
            CorpusCommand::Delete { identifiers } => {
                let mut status = Status::Done;
                for text in identifiers {
                    let deleted = corpus.delete(&parse(text)?)?;
                    if !deleted {
                        status = Status::Negative;
                    }
                    if global.json {
                        terminal::print_json(&json!({"identifier": text, "deleted": deleted}));
                    } else {
                        say!(
                            "{text}: {}",
                            if deleted {
                                "deleted"
                            } else {
                                "not in the corpus"
                            }
                        );
                    }
                }
                corpus.index_pending()?;
                Ok(status)
            }
        }
    }
}

fn compact(corpus: &Corpus, global: &Global) -> Outcome {
    let directory = corpus.store().directory().to_owned();
    // Held to the end, so that no server starts in the meantime.
    let _journal = Journal::open(&directory.join(JOURNAL_FOLDER))?;
    let Some(indexer) = corpus.indexer()? else {
        return Err(Failure(
            "another process is writing the search index; wait until it ends".to_owned(),
        ));
    };
    let before = Sizes::of(&directory);
    corpus.store().compact()?;
    indexer.compact()?;
    let after = Sizes::of(&directory);
    if global.json {
        let sizes =
            |sizes: &Sizes| json!({"database": sizes.database + sizes.log, "index": sizes.index});
        terminal::print_json(&json!({"before": sizes(&before), "after": sizes(&after)}));
    } else {
        let line = |part: &str, before, after| {
            say!("{part:<9} {:>8} → {:>8}", size(before), size(after));
        };
        line(
            "database",
            before.database + before.log,
            after.database + after.log,
        );
        line("index", before.index, after.index);
    }
    Ok(Status::Done)
}

fn parse(text: &str) -> Result<Identifier, Failure> {
    Identifier::parse(text).map_err(|fault| Failure(fault.to_string()))
}
