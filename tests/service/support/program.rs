//! The program itself, run as people run it: what goes in, what it says, and how it ends.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

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

/// The program as a server on the folder `data`.
pub struct Server {
    process: Child,
    pub address: String,
    /// What it said before it listened.
    pub first_lines: Vec<String>,
    /// What it wrote to its log so far.
    log: Arc<Mutex<String>>,
}

impl Server {
    /// Starts it by a shell that first does something.
    pub fn start_after(folder: &Path, first: &str) -> Server {
        let program = env!("CARGO_BIN_EXE_citation");
        let serve = format!("{first}exec {program} serve --data data --listen 127.0.0.1:0");
        let mut process = Command::new("sh")
            .args(["-c", &serve])
            .current_dir(folder)
            .env("HOME", folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let (written, stderr) = (Arc::clone(&log), process.stderr.take().unwrap());
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut log = written.lock().unwrap();
                log.push_str(&line);
                log.push('\n');
            }
        });
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut first_lines = Vec::new();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let address = line.strip_prefix("listening on http://").map(str::to_owned);
            first_lines.push(line);
            address
        });
        std::thread::spawn(move || lines.for_each(drop));
        let said = || log.lock().unwrap().clone();
        Server {
            process,
            address: address.unwrap_or_else(|| panic!("it does not start: {}", said())),
            first_lines,
            log,
        }
    }

    pub fn start(folder: &Path) -> Server {
        Server::start_after(folder, "")
    }

    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub fn get(&self, path: &str) -> Option<String> {
        let mut answer = ureq::get(format!("http://{}{path}", self.address))
            .call()
            .ok()?;
        answer.body_mut().read_to_string().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
