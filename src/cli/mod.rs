//! The command line: commands and global options. Exit codes: 0 done, 1 nothing found or a
//! check failed, 2 could not run.

#[macro_use]
mod terminal;

mod audit;
mod backup;
mod cite;
pub mod citeproc;
mod collect;
mod config;
mod convert;
mod corpus;
mod doctor;
mod finding;
mod format;
mod harvest;
mod identify;
mod import;
mod index;
mod ingest;
mod input;
mod jobs;
mod journals;
mod log;
mod lookup;
mod lsp;
mod manuscript;
mod mcp;
mod notify;
mod open;
mod output;
mod pandoc;
mod position;
mod progress;
mod project;
mod references;
mod remote;
mod report;
mod restore;
mod reverse;
mod serve;
mod shell;
mod signature;
mod styles;
mod usage;
mod user;
mod verify;
mod webpage;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use citeproc::StyleLibrary;
use clap::{Args, Parser, Subcommand};

use crate::styles::{self as style_catalog, Styles};
use citation_model::inert::is_invisible;

/// Find, check, format and keep bibliographic references, on your own machine.
#[derive(Debug, Parser)]
#[command(name = "citation", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, Default, Args)]
pub struct Global {
    /// The folder of the database and the index (default: ./data if it exists, else
    /// the platform's data folder; `citation config show` prints it)
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Create that folder and its database if missing, as serve and ingest do
    #[arg(long, global = true)]
    pub init: bool,
    /// The configuration file (default: ./citation.toml, then DIR/citation.toml)
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server
    Serve(serve::ServeCommand),
    /// Ingest bibliographic files or dumps into the corpus
    Ingest(ingest::IngestCommand),
    /// Harvest a repository by OAI-PMH, once
    Harvest(harvest::HarvestCommand),
    /// Import a library of another service into the collections of an account
    #[command(subcommand)]
    Import(import::ImportCommand),
    /// Inspect and maintain the corpus
    #[command(subcommand)]
    Corpus(corpus::CorpusCommand),
    /// Rebuild or check the search index
    #[command(subcommand)]
    Index(index::IndexCommand),
    /// Look up works by DOI or ISBN
    Lookup(lookup::LookupCommand),
    /// Find the works that citation texts refer to
    Reverse(reverse::ReverseCommand),
    /// Check references against the known works
    Verify(verify::VerifyCommand),
    /// Show, cancel and read the jobs of an account on a server
    #[command(subcommand)]
    Jobs(jobs::JobsCommand),
    /// Make keys for signed reports, and check a signed report
    #[command(subcommand)]
    Report(report::ReportCommand),
    /// Find the reference list and the citations of a manuscript
    #[command(after_help = "\
Examples:
  citation references paper.pdf paper.docx
  citation references --jsonl paper.tex > references.jsonl")]
    References(references::ReferencesCommand),
    /// Print the identifiers in lines of text
    Identify(identify::IdentifyCommand),
    /// Format a bibliography file
    Format(format::FormatCommand),
    /// Convert a bibliography file to another format
    Convert(convert::ConvertCommand),
    /// Print the metadata of a saved web page
    Webpage(webpage::WebpageCommand),
    /// Import, query and override journal short forms
    #[command(subcommand)]
    Journals(journals::JournalsCommand),
    /// Install, search and check citation styles
    #[command(subcommand)]
    Styles(styles::StylesCommand),
    /// Format citation jobs: JSON lines in, JSON lines out
    #[command(after_help = "\
Examples:
  citation citeproc < jobs.jsonl > results.jsonl
  citation citeproc --styles styles --locales locales < jobs.jsonl")]
    Citeproc(CiteprocCommand),
    /// Format the citations of a manuscript and insert its bibliography
    #[command(after_help = "\
Examples:
  citation cite paper.md -o set.md
  citation cite paper.tex --style nature --local-only > set.tex
  citation cite paper.docx --style ieee --keep-fields -o set.docx
  citation cite thesis/ --style apa -o thesis-apa/")]
    Cite(cite::CiteCommand),
    /// Write a bibliography of every work that manuscripts cite
    #[command(after_help = "\
Examples:
  citation collect paper.tex -o refs.bib
  citation collect chapter1.md chapter2.md -o refs.bib --watch")]
    Collect(collect::CollectCommand),
    /// Serve editors on standard input and output (Language Server Protocol)
    Lsp(lsp::LspCommand),
    /// Serve language model clients on standard input and output (Model Context Protocol)
    Mcp(mcp::McpCommand),
    /// Format the citations of pandoc documents: a filter that replaces --citeproc
    #[command(after_help = "\
Examples:
  pandoc paper.md --filter citation-pandoc -o paper.docx
  pandoc paper.md -t json | citation pandoc --style apa | pandoc -f json -o paper.pdf")]
    Pandoc(pandoc::PandocCommand),
    /// Check or show the configuration
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Create, change and delete accounts
    #[command(subcommand)]
    User(user::UserCommand),
    /// Report usage for billing
    #[command(subcommand)]
    Usage(usage::UsageCommand),
    /// Show changes to accounts, who made them, and when
    Audit(audit::AuditCommand),
    /// Copy the database to a file, while the server runs
    Backup(backup::BackupCommand),
    /// Replace the database with a backup, while no server runs
    Restore(restore::RestoreCommand),
    /// Ask a running server whether it is healthy
    Healthcheck(serve::HealthcheckCommand),
    /// Check data, disk, clock and configuration; exits with 1 if there is a problem
    Doctor(doctor::DoctorCommand),
    /// Read a PDF from standard input; used internally by `references` and the server
    #[cfg(feature = "pdf")]
    #[command(name = crate::manuscript::READER, hide = true)]
    ReadPdf,
    /// Print the completions for a shell
    Completions(shell::CompletionsCommand),
    /// Print the manual
    Man(shell::ManualCommand),
}

/// Where `citeproc` reads styles and locales.
#[derive(Debug, Args)]
pub struct CiteprocCommand {
    /// The folder with the style files, NAME.csl (default: all known styles)
    #[arg(long, value_name = "DIR")]
    styles: Option<PathBuf>,
    /// The folder with the locale files, locales-TAG.xml (default: the built-in ones)
    #[arg(long, value_name = "DIR")]
    locales: Option<PathBuf>,
}

impl CiteprocCommand {
    fn run(&self, global: &Global) -> Outcome {
        let library = match (&self.styles, &self.locales) {
            (Some(styles), Some(locales)) => StyleLibrary::new(
                citeproc::styles_in(styles.clone()),
                citeproc::locales_in(locales.clone()),
            ),
            (styles, locales) => {
                let config = open::config(open::overrides(global))?;
                let all = std::sync::Arc::new(open::styles(&config));
                let known = std::sync::Arc::clone(&all);
                let styles = match styles {
                    Some(folder) => citeproc::styles_in(folder.clone()),
                    None => Box::new(move |name: &str| installed_xml(&all, name)),
                };
                let locales = match locales {
                    Some(folder) => citeproc::locales_in(folder.clone()),
                    None => Box::new(move |tag: &str| known.locales().get(tag)),
                };
                StyleLibrary::new(styles, locales)
            }
        };
        let input = std::io::stdin().lock();
        let output = std::io::BufWriter::new(std::io::stdout().lock());
        citeproc::run(input, output, library)?;
        Ok(Status::Done)
    }
}

/// The XML of a style, built-in, from the database or from the styles folder.
fn installed_xml(styles: &Styles, name: &str) -> Result<String, String> {
    let catalog = styles.catalog().map_err(|error| error.to_string())?;
    let entry = style_catalog::find(&catalog, name).map_err(|error| error.to_string())?;
    let xml = styles.xml(entry).map_err(|error| error.to_string())?;
    xml.ok_or_else(|| format!("the style “{name}” was just removed"))
}

/// The result of a command.
pub type Outcome = Result<Status, Failure>;

/// The result of a command that could run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Done,
    /// Nothing found, or a check failed.
    Negative,
}

/// Why a command could not run, in whole sentences, one per line.
#[derive(Debug)]
pub struct Failure(pub String);

impl Failure {
    /// An error of a file. Some causes already name the file.
    pub fn of_file(file: &str, cause: &dyn std::fmt::Display) -> Failure {
        let cause = cause.to_string();
        Failure(if cause.starts_with(file) {
            cause
        } else {
            format!("{file}: {cause}")
        })
    }
}

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

/// The number of threads to use; 0 stands for one per processor.
fn threads(wanted: usize) -> usize {
    match wanted {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        wanted => wanted,
    }
}

/// The arguments of the process. When pandoc runs the program as a filter, by its filter name, it is that filter.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    let name = arguments
        .first()
        .and_then(|path| Path::new(path).file_stem());
    if name.is_some_and(|name| name == pandoc::FILTER_NAME) {
        arguments.insert(1, "pandoc".into());
    }
    arguments
}

/// Reads the command line and runs its command.
pub fn main() -> ExitCode {
    let arguments = arguments();
    let is_visible = |argument: &OsString| {
        let shown = argument.to_string_lossy();
        !shown.contains(is_invisible)
    };
    let is_plain = arguments.iter().all(is_visible);
    match Cli::try_parse_from(arguments) {
        Ok(cli) => run(cli),
        Err(fault) if is_plain => fault.exit(),
        // The message quotes an argument, such as the name of a file that a shell filled in.
        Err(fault) => {
            terminal::tell_failure(&fault.to_string());
            ExitCode::from(2)
        }
    }
}

/// Runs a command and returns its exit code.
fn run(cli: Cli) -> ExitCode {
    match init(&cli.global).and_then(|()| dispatch(cli)) {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::Negative) => ExitCode::from(1),
        Err(Failure(text)) => {
            terminal::tell_failure(&text);
            ExitCode::from(2)
        }
    }
}

fn init(global: &Global) -> Result<(), Failure> {
    if global.init {
        open::init(&open::config(open::overrides(global))?)
    } else {
        Ok(())
    }
}

fn dispatch(cli: Cli) -> Outcome {
    let global = cli.global;
    match cli.command {
        Command::Serve(command) => command.run(&global),
        Command::Ingest(command) => command.run(&global),
        Command::Harvest(command) => command.run(&global),
        Command::Import(command) => command.run(&global),
        Command::Corpus(command) => command.run(&global),
        Command::Index(command) => command.run(&global),
        Command::Lookup(command) => command.run(&global),
        Command::Reverse(command) => command.run(&global),
        Command::Verify(command) => command.run(&global),
        Command::Jobs(command) => command.run(&global),
        Command::Report(command) => command.run(),
        Command::References(command) => command.run(&global),
        Command::Identify(command) => command.run(),
        Command::Format(command) => command.run(&global),
        Command::Convert(command) => command.run(),
        Command::Webpage(command) => command.run(),
        Command::Journals(command) => command.run(&global),
        Command::Styles(command) => command.run(&global),
        Command::Citeproc(command) => command.run(&global),
        Command::Cite(command) => command.run(&global),
        Command::Collect(command) => command.run(&global),
        Command::Lsp(command) => command.run(&global),
        Command::Mcp(command) => command.run(&global),
        Command::Pandoc(command) => command.run(&global),
        Command::Config(command) => command.run(&global),
        Command::User(command) => command.run(&global),
        Command::Usage(command) => command.run(&global),
        Command::Audit(command) => command.run(&global),
        Command::Backup(command) => command.run(&global),
        Command::Restore(command) => command.run(&global),
        Command::Healthcheck(command) => command.run(&global),
        Command::Doctor(command) => command.run(&global),
        #[cfg(feature = "pdf")]
        Command::ReadPdf => crate::manuscript::serve_reader()
            .map(|()| Status::Done)
            .map_err(Failure::from),
        Command::Completions(command) => command.run(&global),
        Command::Man(command) => command.run(&global),
    }
}
