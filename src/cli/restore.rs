//! `citation restore`: replaces the database with a backup.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{Global, Outcome, Status, open, terminal};
use crate::recovery;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  systemctl stop citation
  citation --data /var/lib/citation restore citation-2026-11-22.db
  systemctl start citation")]
pub struct RestoreCommand {
    /// A file that `citation backup` wrote
    file: PathBuf,
}

impl RestoreCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let directory = &config.data.dir;
        let restored = recovery::put_back(&self.file, directory)?;
        let kept = restored
            .kept
            .as_ref()
            .map(|kept| kept.display().to_string());
        if global.json {
            let (works, accounts) = (restored.works, restored.accounts);
            terminal::print_json(&json!({"works": works, "accounts": accounts, "kept": kept}));
        } else {
            say!(
                "{} works and {} accounts are in {} again.",
                restored.works,
                restored.accounts,
                directory.display()
            );
            if let Some(kept) = kept {
                say!("The previous files are in {kept}; delete them when everything works.");
            }
        }
        Ok(Status::Done)
    }
}
