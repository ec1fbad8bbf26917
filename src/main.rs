//! The program: reads the command line and runs one command.

use clap::Parser;

/// Replies and citations consist of many small, short-lived values, which this allocator handles faster than
/// the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    citation::cli::run(citation::cli::Cli::parse_from(citation::cli::arguments()))
}
