//! `citation backup`: a copy of everything that cannot be made anew, while the server runs.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{Failure, Global, Outcome, Status, open};
use crate::app;
use crate::store::FILE_NAME;

#[derive(Debug, Args)]
pub struct Backup {
    /// The file to write; it must not be there yet
    file: PathBuf,
}

impl Backup {
    pub fn run(&self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        let directory = &config.data.dir;
        if !directory.join(FILE_NAME).exists() {
            let missing = format!("there is no database in {}", directory.display());
            return Err(Failure(format!("{missing}; name its folder with --data")));
        }
        app::open_store(&config)?.back_up(&self.file)?;
        let bytes = std::fs::metadata(&self.file)?.len();
        let file = self.file.display();
        if global.json {
            say!("{}", json!({"file": file.to_string(), "bytes": bytes}));
        } else {
            say!("{bytes} bytes in {file}");
            say!("To restore it, stop the server and run `citation restore {file}`.");
        }
        Ok(Status::Done)
    }
}
