//! `citation backup`: copies everything that cannot be rebuilt, while the server runs.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{Global, Outcome, Status, open, terminal};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  citation backup monday.db
  citation --data /var/lib/citation backup /mnt/backup/citation.db")]
pub struct BackupCommand {
    /// The file to write; it must not exist yet
    file: PathBuf,
}

impl BackupCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        open::store(&config)?.back_up(&self.file)?;
        let bytes = std::fs::metadata(&self.file)?.len();
        let file = self.file.display();
        if global.json {
            terminal::print_json(&json!({"file": file.to_string(), "bytes": bytes}));
        } else {
            say!("{bytes} bytes in {file}");
            say!("To restore it, stop the server and run `citation restore {file}`.");
        }
        Ok(Status::Done)
    }
}
