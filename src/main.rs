//! The program: reads the command line and runs one command.

/// Replies and citations consist of many small, short-lived values, which this allocator handles faster than
/// the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    citation::cli::main()
}
