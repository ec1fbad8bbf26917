//! `citation convert`: a bibliography file in one format in, the same in another out.

use std::io::Write;

use clap::Args;

use super::input::{Input, one_of};
use super::{Failure, Outcome, Status};
use citation_exchange::{self as exchange, Format, WriteOptions};
use citation_model::budget::Budget;

#[derive(Debug, Args)]
pub struct Convert {
    #[command(flatten)]
    input: Input,
    /// What to write
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::writable()))]
    to: &'static Format,
    /// Write LaTeX commands instead of characters outside of ASCII (BibTeX and biblatex)
    #[arg(long)]
    latex: bool,
}

impl Convert {
    /// Ends with 1 where an entry could not be read or was never closed, and where there is none; what
    /// was read is written all the same.
    pub fn run(&self) -> Outcome {
        let (items, status) = self.input.read()?;
        let options = WriteOptions { latex: self.latex };
        for change in exchange::changed_keys(&items, self.to, &options) {
            let name = self.input.file.display();
            eprintln!(
                "{name}: the key “{}” is written as “{}” (changed_key)",
                change.from, change.to
            );
        }
        let text = exchange::write(&items, self.to, &options, &Budget::unlimited())
            .map_err(|cause| Failure(cause.to_string()))?;
        match std::io::stdout().lock().write_all(text.as_bytes()) {
            // Who reads may have had enough.
            Err(cause) if cause.kind() == std::io::ErrorKind::BrokenPipe => Ok(Status::Done),
            other => other.map(|()| status).map_err(Into::into),
        }
    }
}
