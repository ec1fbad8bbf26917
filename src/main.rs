//! The program: reads the command line and runs one command.

use clap::Parser;

fn main() -> std::process::ExitCode {
    citation::cli::run(citation::cli::Cli::parse())
}
