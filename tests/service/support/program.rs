//! The program itself, run as people run it: what goes in, what it says, and how it ends.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::server_process::ServerProcess;

/// What the program said, and how it ended.
pub struct Run {
    pub out: String,
    pub said: String,
    pub code: i32,
}

impl Run {
    /// The output of a run that must have succeeded.
    #[track_caller]
    pub fn done(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.out, self.said);
        self.out
    }

    /// The same, read as JSON.
    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.done()).unwrap()
    }
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

/// Runs a command line, split at its blanks.
pub fn run_line(folder: &Path, line: &str) -> Run {
    run(folder, &line.split(' ').collect::<Vec<_>>(), b"")
}

/// The program as a server on the folder `data` in this one.
pub fn serve(folder: &Path) -> ServerProcess {
    serve_after(folder, "")
}

/// The same, started by a shell that first does something.
pub fn serve_after(folder: &Path, first: &str) -> ServerProcess {
    let program = env!("CARGO_BIN_EXE_citation");
    let serve = format!("{first}exec {program} serve --data data --listen 127.0.0.1:0");
    ServerProcess::start(
        Command::new("sh")
            .args(["-c", &serve])
            .current_dir(folder)
            .env("HOME", folder)
            .stderr(Stdio::piped()),
    )
}
