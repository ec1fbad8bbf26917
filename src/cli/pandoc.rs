//! `citation pandoc`: a pandoc filter that replaces `--citeproc`.

use std::io::{BufWriter, Read, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::manuscript::LocalSources;
use super::{Failure, Global, Outcome, Status, open};
use citation_citing as citing;
use citation_model::budget::Budget;

/// The program name under which pandoc runs the filter: `pandoc --filter citation-pandoc`.
pub const FILTER_NAME: &str = "citation-pandoc";

#[derive(Debug, Args)]
pub struct PandocCommand {
    /// The format that pandoc writes, which it passes to every filter
    #[arg(value_name = "FORMAT")]
    _format: Option<String>,
    /// The style instead of the document's own: short name, address, or a .csl file
    #[arg(long)]
    style: Option<String>,
    /// Ask no provider for works that are cited by identifier
    #[arg(long)]
    local_only: bool,
}

impl PandocCommand {
    /// Unknown keys are reported on standard error but do not fail the command, because pandoc would stop.
    pub fn run(self, global: &Global) -> Outcome {
        let mut text = Vec::new();
        std::io::stdin().lock().read_to_end(&mut text)?;
        let mut document: Value = serde_json::from_slice(&text).map_err(|cause| {
            Failure(format!("this is not a document in pandoc's JSON: {cause}"))
        })?;
        // pandoc runs filters in its own folder, and names in the document are relative to that.
        let sources = LocalSources::new(
            open::overrides(global),
            PathBuf::new(),
            self.local_only,
            self.style,
        )?;
        let unknown = citing::filter(&mut document, &sources, &Budget::unlimited())?;
        sources.close();
        for key in unknown {
            tell!("citation: no work is known of “{key}”");
        }
        let mut out = BufWriter::new(std::io::stdout().lock());
        serde_json::to_writer(&mut out, &document)?;
        out.flush()?;
        Ok(Status::Done)
    }
}
