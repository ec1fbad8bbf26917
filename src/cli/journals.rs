//! `citation journals`: imports journal lists, queries and overrides them.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use super::{Failure, Global, Outcome, Status, input, open, terminal};
use crate::lookup::journals::{builtin_count, full_title, short_form};
use crate::store::Store;
use citation_exchange as exchange;
use citation_matching::journals::{TitleLookup, list};

/// The largest list in bytes, unpacked.
const MAX_LIST_BYTES: u64 = 256 << 20;

/// The number of faulty lines that are printed individually.
const SHOWN_FAULTS: usize = 20;

#[derive(Debug, Subcommand)]
pub enum JournalsCommand {
    /// Import lists of titles and short forms: JabRef's CSV, or a table with named columns; .gz too
    #[command(after_help = "\
Examples:
  citation journals import journal_abbreviations_*.csv
  citation journals import < list.csv")]
    Import {
        /// The lists (default, and for `-`: standard input)
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print the title of a short form
    #[command(after_help = "\
Examples:
  citation journals expand 'Phys. Rev. Lett.'")]
    Expand { abbreviation: String },
    /// Print the short form of a title
    #[command(after_help = "\
Examples:
  citation journals abbreviate 'Physical Review Letters'")]
    Abbreviate { title: String },
    /// Set the title of a short form, which overrides the lists
    #[command(after_help = "\
Examples:
  citation journals set 'J. Ex.' 'Journal of Examples'")]
    Set { abbreviation: String, title: String },
    /// Remove the title set for a short form
    #[command(after_help = "\
Examples:
  citation journals unset 'J. Ex.'")]
    Unset { abbreviation: String },
    /// Count the known pairs
    #[command(after_help = "\
Examples:
  citation journals stats")]
    Stats,
}

impl JournalsCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let store = open::store(&config)?;
        match self {
            JournalsCommand::Import { files } => {
                import(&store, &input::or_standard_input(files)?, global.json)
            }
            JournalsCommand::Expand { abbreviation } => {
                print(&full_title(&store, abbreviation)?, global.json)
            }
            JournalsCommand::Abbreviate { title } => {
                print(&short_form(&store, title)?, global.json)
            }
            JournalsCommand::Set {
                abbreviation,
                title,
            } => {
                if abbreviation.trim().is_empty() || title.trim().is_empty() {
                    return Err(Failure(
                        "both a short form and a title are required".to_owned(),
                    ));
                }
                store.set_journal(abbreviation.trim(), title.trim())?;
                Ok(Status::Done)
            }
            JournalsCommand::Unset { abbreviation } => Ok(if store.unset_journal(abbreviation)? {
                Status::Done
            } else {
                tell!("no title is set for “{abbreviation}”");
                Status::Negative
            }),
            JournalsCommand::Stats => {
                let (built_in, stored) = (builtin_count(), store.journal_count()?);
                if global.json {
                    terminal::print_json(&json!({"built_in": built_in, "stored": stored}));
                } else {
                    say!("{built_in} in the program, {stored} imported, set or learnt");
                }
                Ok(Status::Done)
            }
        }
    }
}

/// Exits with 1 if a line has no pair; the others are still imported.
fn import(store: &Store, files: &[PathBuf], as_json: bool) -> Outcome {
    let mut status = Status::Done;
    for file in files {
        let list = list::read(&read_text(file)?);
        for fault in list.faults.iter().take(SHOWN_FAULTS) {
            tell!("{}:{}: the line {}", file.display(), fault.line, fault.text);
        }
        if let Some(more) = list.faults.len().checked_sub(SHOWN_FAULTS + 1) {
            tell!("{}: {} more faulty lines", file.display(), more + 1);
        }
        if !list.faults.is_empty() || list.pairs.is_empty() {
            status = Status::Negative;
        }
        let new = store.import_journals(&list.pairs)?;
        let (read, faulty) = (list.pairs.len(), list.faults.len());
        if as_json {
            let file = file.display().to_string();
            terminal::print_json(
                &json!({"file": file, "read": read, "new": new, "faulty": faulty}),
            );
        } else {
            say!("{}: {read} pairs read, {new} of them new", file.display());
        }
    }
    Ok(status)
}

/// The text of a list, gunzipped if necessary.
fn read_text(file: &Path) -> Result<String, Failure> {
    let failed = |cause: std::io::Error| Failure(format!("{}: {cause}", file.display()));
    let bytes = input::bytes(file)?;
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        let reader = flate2::read::MultiGzDecoder::new(bytes.as_slice());
        reader
            .take(MAX_LIST_BYTES)
            .read_to_end(&mut unpacked)
            .map_err(failed)?;
        unpacked
    } else {
        bytes
    };
    Ok(exchange::decode(&bytes).0.into_owned())
}

fn print(answer: &TitleLookup, as_json: bool) -> Outcome {
    if as_json {
        let candidates: Vec<_> = answer
            .candidates
            .iter()
            .map(|c| json!({"text": c.text, "source": c.origin.as_str()}))
            .collect();
        terminal::print_json(&json!({"found": answer.certain, "candidates": candidates}));
    } else if let Some(certain) = &answer.certain {
        say!("{certain}");
    } else {
        for candidate in &answer.candidates {
            say!("? {}", candidate.text);
        }
    }
    Ok(match answer.certain {
        Some(_) => Status::Done,
        None => Status::Negative,
    })
}
