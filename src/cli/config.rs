//! `citation config`: checks and shows the configuration.

use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;

use super::{Failure, Global, Outcome, Status, open, terminal};
use crate::config::{self, ConfigError, ConfigSources, FILE_NAME};

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Check a configuration file; exits with 1 if it has errors
    #[command(after_help = "\
Examples:
  citation config check
  citation config check /etc/citation/citation.toml")]
    Check {
        /// The file (default: the one that the server would read)
        file: Option<PathBuf>,
    },
    /// Show every value and its origin
    #[command(after_help = "\
Examples:
  citation config show")]
    Show,
}

impl ConfigCommand {
    pub fn run(&self, global: &Global) -> Outcome {
        let sources = ConfigSources::of_process(open::overrides(global));
        match self {
            ConfigCommand::Check { file: Some(file) } => report(global, config::check(file)),
            ConfigCommand::Check { file: None } => report(global, config::load(&sources).map(drop)),
            ConfigCommand::Show => {
                let loaded = config::load(&sources).map_err(|faults| Failure(lines(&faults)))?;
                if global.json {
                    terminal::print_json(&loaded.to_json());
                } else {
                    match &loaded.file {
                        Some(file) => say!("# file: {}", file.display()),
                        None => say!("# no {FILE_NAME} found; these are the defaults"),
                    }
                    terminal::print(loaded.to_toml())?;
                }
                Ok(Status::Done)
            }
        }
    }
}

fn report(global: &Global, checked: Result<(), Vec<ConfigError>>) -> Outcome {
    match checked {
        Ok(()) => {
            if global.json {
                terminal::print_json(&json!({"ok": true, "problems": []}));
            } else {
                say!("the configuration is valid");
            }
            Ok(Status::Done)
        }
        Err(faults) => {
            if global.json {
                let problems: Vec<String> = faults.iter().map(ToString::to_string).collect();
                terminal::print_json(&json!({"ok": false, "problems": problems}));
            } else {
                terminal::tell_lines(faults.iter().map(ToString::to_string));
            }
            Ok(Status::Negative)
        }
    }
}

fn lines(faults: &[ConfigError]) -> String {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
