//! The program: reads the command line and runs one command.

/// Replies and citations consist of many small, short-lived values, which this allocator handles faster than
/// the system's. SQLite and zstd use it too (its feature `override`): the system's would reserve 64 MiB of address
/// space for each of their threads, and single requests would fail where it is limited.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    citation::cli::main()
}
