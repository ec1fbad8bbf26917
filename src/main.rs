//! The program: reads the command line and runs one command.

use clap::Parser;

/// Answers and citations are made of many small values that live for a moment, which this allocator
/// gives and takes in less time than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    citation::cli::run(citation::cli::Cli::parse_from(citation::cli::arguments()))
}
