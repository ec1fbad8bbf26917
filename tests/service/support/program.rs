//! The program itself, run as people run it: what goes in, what it says, and how it ends.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the program said, and how it ended.
pub struct Run {
    pub out: String,
    pub said: String,
    pub code: i32,
}

/// Runs it in a folder, with this on standard input.
pub fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Run {
    let mut process = Command::new(env!("CARGO_BIN_EXE_citation"))
        .current_dir(folder)
        // What the platform keeps for a user's programs is the folder's own, too.
        .env("HOME", folder)
        .env("XDG_DATA_HOME", folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    // A run that fails early does not read.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = process.wait_with_output().unwrap();
    Run {
        out: String::from_utf8(output.stdout).unwrap(),
        said: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}
