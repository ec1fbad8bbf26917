//! Completion by `citation lsp` in a project whose bibliography has 10,000 entries: the time from a request to its
//! answer, by what was typed. The limit is 50 ms.
//!
//! `cargo bench --bench lsp`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const ENTRIES: usize = 10_000;
const ROUNDS: usize = 21;
/// Milliseconds.
const WANTED: f64 = 50.0;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("refs.bib"), library()).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_citation"))
        .args(["lsp", "--local-only", "--init", "--data"])
        .arg(folder.path().join(".data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut client = Client {
        input: child.stdin.take().unwrap(),
        output: BufReader::new(child.stdout.take().unwrap()),
        requests: 0,
    };
    let root = format!("file://{}", folder.path().display());
    let start = Instant::now();
    client.ask("initialize", json!({"rootUri": root, "capabilities": {}}));
    client.tell("initialized", json!({}));
    let uri = format!("{root}/paper.md");
    println!("| typed | ms |");
    println!("|---|---|");
    let mut worst: f64 = 0.0;
    for (n, typed) in [
        "",
        "w",
        "work99",
        "others",
        "author7",
        "nothing",
        "watson1953",
    ]
    .iter()
    .enumerate()
    {
        let text = format!("See [@{typed}");
        let document = json!({"uri": uri, "languageId": "markdown", "version": n, "text": text});
        client.tell("textDocument/didOpen", json!({"textDocument": document}));
        let params = json!({
            "textDocument": {"uri": uri}, "position": {"line": 0, "character": text.len()},
        });
        if n == 0 {
            client.ask("textDocument/completion", params.clone());
            println!(
                "| (start, until the first answer) | {:.0} |",
                ms(start.elapsed())
            );
        }
        let mut times: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                client.ask("textDocument/completion", params.clone());
                ms(start.elapsed())
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let median = times[ROUNDS / 2];
        worst = worst.max(median);
        println!("| {typed} | {median:.1} |");
    }
    let verdict = if worst <= WANTED { "reached" } else { "missed" };
    println!(
        "==> completion among {ENTRIES} entries: {worst:.1} ms, at most {WANTED} wanted: {verdict}"
    );
    client.ask("shutdown", Value::Null);
    client.tell("exit", Value::Null);
    child.wait().unwrap();
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn library() -> String {
    let mut out = String::new();
    for n in 0..ENTRIES {
        let _ = writeln!(
            out,
            "@article{{work{n}, author = {{Author{}, Ann and Writer{n}, Will}}, year = {}, title = {{On the subject of \
             number {n} and others}}, journal = {{Journal of Numbers}}, doi = {{10.1000/{n}}}}}",
            n % 600,
            1950 + n % 70
        );
    }
    out
}

struct Client {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Client {
    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut length = 0;
            let mut line = String::new();
            while self.output.read_line(&mut line).unwrap() > 2 {
                if let Some(given) = line.strip_prefix("Content-Length: ") {
                    length = given.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut text = vec![0; length];
            self.output.read_exact(&mut text).unwrap();
            let message: Value = serde_json::from_slice(&text).unwrap();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }
}
