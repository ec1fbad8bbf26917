//! `citation mcp`: the Model Context Protocol on standard input and output, for clients that start this
//! program.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::{Failure, Global, Outcome, Status, open};
use crate::api::Edge;
use crate::api::mcp::{LocalClient, stdio};

/// The environment variable with the client's API key.
const API_KEY: &str = "CITATION_API_KEY";

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  citation mcp
  citation mcp --files ~/papers

The environment variable CITATION_API_KEY contains an API key of this server \
                        accounts; without it the client is anonymous.")]
pub struct McpCommand {
    /// The folder whose documents may be verified by path (default: none)
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
}

impl McpCommand {
    pub fn run(self, global: &Global) -> Outcome {
        let config = open::config(open::overrides(global))?;
        super::log::start(&config.log);
        if let Some(folder) = self.files.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(Failure(format!("{} is not a folder", folder.display())));
        }
        let app = open::app(config)?;
        app.quota.start_in_memory();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let client = LocalClient { files: self.files };
        let edge = Arc::new(Edge::for_local_client(Arc::clone(&app), client));
        let api_key = std::env::var(API_KEY).ok().filter(|key| !key.is_empty());
        let input = std::io::BufReader::new(std::io::stdin());
        runtime.block_on(stdio::serve(edge, api_key, input, std::io::stdout()));
        runtime.shutdown_background();
        app.blocking
            .wait_until_idle(app.config.server.shutdown_timeout());
        app.close();
        Ok(Status::Done)
    }
}
