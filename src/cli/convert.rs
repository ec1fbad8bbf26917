//! `citation convert`: a bibliography file in one format in, the same in another out.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::input::read_items;
use super::{Failure, Outcome, Status};
use crate::exchange::{self, Target, WriteOptions};
use crate::model::budget::Budget;

#[derive(Debug, Args)]
pub struct Convert {
    /// BibTeX, biblatex, RIS or CSL-JSON; `-` for standard input
    file: PathBuf,
    /// What to write: bibtex, biblatex, ris, csl-json or hayagriva
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// The format of the file, instead of telling it from its name and beginning
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Write LaTeX commands instead of characters outside of ASCII (BibTeX and biblatex)
    #[arg(long)]
    latex: bool,
}

impl Convert {
    /// Ends with 1 where an entry could not be read or was never closed, and where there is none; what
    /// was read is written all the same.
    pub fn run(&self) -> Outcome {
        let to = target_named(&self.to)?;
        let (items, status) = read_items(&self.file, self.from.as_deref())?;
        let options = WriteOptions { latex: self.latex };
        for change in exchange::changed_keys(&items, to, &options) {
            let name = self.file.display();
            eprintln!(
                "{name}: the key “{}” is written as “{}” (changed_key)",
                change.from, change.to
            );
        }
        let text = exchange::write(&items, to, &options, &Budget::unlimited())
            .map_err(|cause| Failure(cause.to_string()))?;
        match std::io::stdout().lock().write_all(text.as_bytes()) {
            // Who reads may have had enough.
            Err(cause) if cause.kind() == std::io::ErrorKind::BrokenPipe => Ok(Status::Done),
            other => other.map(|()| status).map_err(Into::into),
        }
    }
}

fn target_named(name: &str) -> Result<Target, Failure> {
    Target::parse(name).ok_or_else(|| {
        let names: Vec<&str> = Target::ALL.iter().map(|target| target.name()).collect();
        Failure(format!(
            "“{name}” cannot be written; {} can",
            names.join(", ")
        ))
    })
}
