//! The command line: what can be said, and who does it. Exit codes: 0 done, 1 nothing found or a
//! check failed, 2 could not run.

mod audit;
pub mod citeproc;
mod config;
mod convert;
mod corpus;
mod format;
mod identify;
mod index;
mod ingest;
mod input;
mod journals;
mod log;
mod lookup;
mod open;
mod progress;
mod reverse;
mod serve;
mod styles;
mod usage;
mod user;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// Find, check, format and keep bibliographic references, on your own machine.
#[derive(Debug, Parser)]
#[command(name = "citation", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command takes.
#[derive(Clone, Debug, Default, Args)]
pub struct Global {
    /// The folder that holds the database and the index
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The configuration file; without it ./citation.toml, then DIR/citation.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print JSON for programs instead of text for people
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server
    Serve(serve::Serve),
    /// Read bibliographic files or dumps into the corpus
    Ingest(ingest::Ingest),
    /// Look into the corpus
    #[command(subcommand)]
    Corpus(corpus::CorpusCommand),
    /// Rebuild or verify the search index
    #[command(subcommand)]
    Index(index::IndexCommand),
    /// Look up works by DOI or ISBN
    Lookup(lookup::Lookup),
    /// Find the works that citation texts mean
    Reverse(reverse::Reverse),
    /// Check references against the known works
    Verify(verify::Verify),
    /// Read lines and print what identifier each one is
    Identify,
    /// Format a bibliography file
    Format(format::Format),
    /// Convert a bibliography file to another format
    Convert(convert::Convert),
    /// Import, ask and overrule lists of journals' short forms
    #[command(subcommand)]
    Journals(journals::JournalsCommand),
    /// Install, search and check citation styles
    #[command(subcommand)]
    Styles(styles::StylesCommand),
    /// Format citation jobs: JSON lines in, JSON lines out
    Citeproc(Citeproc),
    /// Check or show the configuration
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Make, change and delete accounts
    #[command(subcommand)]
    User(user::UserCommand),
    /// What is billed
    #[command(subcommand)]
    Usage(usage::UsageCommand),
    /// Who did what to accounts, and when
    Audit(audit::Audit),
    /// Ask a running server whether it is well
    Healthcheck(serve::Healthcheck),
}

/// Where `citeproc` finds styles and locales.
#[derive(Debug, Args)]
pub struct Citeproc {
    /// The folder with the style files (NAME.csl)
    #[arg(long, value_name = "DIR")]
    styles: PathBuf,
    /// The folder with the locale files (locales-TAG.xml)
    #[arg(long, value_name = "DIR")]
    locales: PathBuf,
}

impl Citeproc {
    fn run(&self) -> Outcome {
        let input = std::io::stdin().lock();
        let output = std::io::BufWriter::new(std::io::stdout().lock());
        citeproc::run(input, output, &self.styles, &self.locales)?;
        Ok(Status::Done)
    }
}

/// A command's end.
pub type Outcome = Result<Status, Failure>;

/// How a command that could run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Done,
    /// Nothing was found, or a check failed.
    Negative,
}

/// Why a command could not run, in whole sentences, one a line.
#[derive(Debug)]
pub struct Failure(pub String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(cause: E) -> Failure {
        let mut text = cause.to_string();
        let mut source = cause.source();
        while let Some(inner) = source {
            let inner_text = inner.to_string();
            if !text.contains(&inner_text) {
                text.push_str(&format!(": {inner_text}"));
            }
            source = inner.source();
        }
        Failure(text)
    }
}

/// Runs a command and turns its end into an exit code.
pub fn run(cli: Cli) -> ExitCode {
    let global = cli.global;
    let outcome = match cli.command {
        Command::Serve(command) => command.run(&global),
        Command::Ingest(command) => command.run(&global),
        Command::Corpus(command) => command.run(&global),
        Command::Index(command) => command.run(&global),
        Command::Lookup(command) => command.run(&global),
        Command::Reverse(command) => command.run(&global),
        Command::Verify(command) => command.run(&global),
        Command::Identify => identify::run(),
        Command::Format(command) => command.run(&global),
        Command::Convert(command) => command.run(),
        Command::Journals(command) => command.run(&global),
        Command::Styles(command) => command.run(&global),
        Command::Citeproc(command) => command.run(),
        Command::Config(command) => command.run(&global),
        Command::User(command) => command.run(&global),
        Command::Usage(command) => command.run(&global),
        Command::Audit(command) => command.run(&global),
        Command::Healthcheck(command) => command.run(&global),
    };
    match outcome {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::Negative) => ExitCode::from(1),
        Err(Failure(text)) => {
            eprintln!("citation: {text}");
            ExitCode::from(2)
        }
    }
}
