//! `citation lsp`: the Language Server Protocol on standard input and output, for editors.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

mod complete;
mod edits;
mod entries;
mod links;
mod problems;
mod project;
mod server;
mod text;
mod uses;
mod worker;
mod works;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use self::works::Library;
use super::{Failure, Global, Outcome, Status, open};

/// The commands that the server carries out for its proposals and fixes.
const ADD_ENTRY: &str = "citation.addEntry";
const ADD_WORK: &str = "citation.addWork";

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  citation lsp
  citation lsp --style ieee --library ~/library.bib

An editor starts it (docs/editors.md). It completes citation keys of Markdown, Quarto, MyST, LaTeX, Typst and Org, shows \
                        entries, reports keys that are undefined, unused or there twice, renames keys in all files, \
                        and checks entries when a file is saved.")]
pub struct LspCommand {
    /// The style of shown entries: short name or address (default: the setting `format.style`)
    #[arg(long)]
    style: Option<String>,
    /// A bibliography beside those of the project, such as an export of a library; may be given several times
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// Ask no provider
    #[arg(long)]
    local_only: bool,
    /// Check no entries when a file is saved
    #[arg(long)]
    no_checks: bool,
    /// Ignored: standard input and output are always used
    #[arg(long, hide = true)]
    stdio: bool,
}

impl LspCommand {
    pub fn run(self, global: &Global) -> Outcome {
        let overrides = open::overrides(global);
        let config = open::config(overrides.clone())?;
        super::log::start_for_output(&config.log);
        // Without a database there is no corpus, and everything else works.
        let app = open::app(open::config(overrides)?).ok();
        let styles = open::styles(&config);
        let library = Arc::new(Library {
            styles,
            app,
            style: self.style,
            local_only: self.local_only,
            config,
        });
        let settings = server::Settings {
            libraries: self.library,
            checks: !self.no_checks,
        };
        let served = server::serve(&library, settings);
        if let Some(app) = &library.app {
            app.close();
        }
        served.map_err(|Failure(cause)| {
            Failure(format!("the connection to the editor broke: {cause}"))
        })?;
        Ok(Status::Done)
    }
}
