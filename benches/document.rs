//! Sets the citations of a document over HTTP: 500 citations of 200 works, whole and as an edit with a token,
//! compared with `pandoc --citeproc` on the same document (without the time that pandoc takes for the document
//! itself). Without pandoc no ratio is printed.
//!
//! `cargo bench --bench document [-- STYLE…]`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod support;

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use citation::app::App;
use citation::config::Config;
use serde_json::{Value, json};
use support::Server;

const CITATIONS: usize = 500;
const WORKS: usize = 200;
const ROUNDS: usize = 9;
const STYLES: [&str; 3] = ["apa", "ieee", "chicago-notes-bibliography"];

/// Limits in milliseconds.
const WHOLE: f64 = 100.0;
const EDIT: f64 = 30.0;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let styles = support::styles(&STYLES);
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.data.dir = folder.path().join("data");
    config.limits.anonymous_per_minute = 1_000_000_000;
    let app = App::open(config).unwrap();
    app.quota.start().unwrap();
    let server = Server::start(&app);
    println!("| style | whole, ms | edit, ms | pandoc, ms | ratio |");
    println!("|---|---|---|---|---|");
    for style in &styles {
        let (whole, edit) = ours(&server, style);
        let pandoc = pandoc(folder.path(), style);
        let shown = pandoc.map_or("-".to_owned(), |ms| format!("{ms:.0}"));
        let ratio = pandoc.map_or("-".to_owned(), |ms| format!("{:.1}", ms / whole));
        println!("| {style} | {whole:.1} | {edit:.1} | {shown} | {ratio} |");
        let verdict = |ms: f64, most: f64| if ms <= most { "reached" } else { "missed" };
        println!(
            "==> {style}: whole {whole:.1} ms, at most {WHOLE} wanted: {}; edit {edit:.1} ms, at most {EDIT} wanted: {}",
            verdict(whole, WHOLE),
            verdict(edit, EDIT)
        );
    }
}

/// The medians of a whole document and of an edit, in milliseconds.
fn ours(server: &Server, style: &str) -> (f64, f64) {
    let request = document(style);
    let (mut whole, mut edits) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let (answer, time) = post(server, &request);
        assert_eq!(answer["citations"].as_array().unwrap().len(), CITATIONS);
        // Another locator in the middle of the document, and a citation moves.
        let mut places: Vec<Value> = (0..CITATIONS)
            .map(|n| json!({"id": n.to_string()}))
            .collect();
        places.swap(100, 101);
        let edit = json!({
            "token": answer["token"],
            "citations": [{"id": "250", "cites": [{"id": "w7", "locator": "99"}]}],
            "places": places,
        });
        let (edited, edit) = post(server, &edit);
        assert!(edited["citations"].as_array().unwrap().len() < CITATIONS / 2);
        if round > 0 {
            whole.push(time.as_secs_f64() * 1000.0);
            edits.push(edit.as_secs_f64() * 1000.0);
        }
    }
    (median(whole), median(edits))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn post(server: &Server, request: &Value) -> (Value, Duration) {
    let body = request.to_string();
    let start = Instant::now();
    let mut stream = TcpStream::connect(server.address).unwrap();
    write!(
        stream,
        "POST /api/v1/document HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let time = start.elapsed();
    let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    (serde_json::from_slice(&answer[end + 4..]).unwrap(), time)
}

fn cited(n: usize) -> [usize; 2] {
    [n * 7 % WORKS, n * 13 % WORKS]
}

fn item(n: usize) -> Value {
    json!({
        "id": format!("w{n}"), "type": "article-journal", "title": format!("On the subject of number {n} and others"),
        "author": [{"family": format!("Author{}", n % 60), "given": "Ann"}, {"family": format!("Writer{n}"), "given": "Will"}],
        "issued": {"date-parts": [[1950 + n % 70]]}, "container-title": "Journal of Numbers", "volume": n.to_string(),
        "page": format!("{n}-{}", n + 9), "DOI": format!("10.1000/{n}"),
    })
}

fn document(style: &str) -> Value {
    let works = (0..WORKS).map(|n| json!({"id": format!("w{n}"), "item": item(n)}));
    let citations = (0..CITATIONS).map(|n| {
        let [one, other] = cited(n);
        json!({
            "id": n.to_string(),
            "cites": [{"id": format!("w{one}"), "prefix": "see ", "locator": n.to_string()}, {"id": format!("w{other}")}],
        })
    });
    json!({"style": style, "works": works.collect::<Vec<_>>(), "citations": citations.collect::<Vec<_>>()})
}

/// What citations cost in pandoc, in milliseconds.
fn pandoc(folder: &Path, style: &str) -> Option<f64> {
    Command::new("pandoc").arg("--version").output().ok()?;
    let works: Vec<Value> = (0..WORKS).map(item).collect();
    std::fs::write(folder.join("refs.json"), json!(works).to_string()).unwrap();
    std::fs::write(folder.join("style.csl"), citation_embedded::style(style)?).unwrap();
    let mut paper = String::from("---\nbibliography: refs.json\ncsl: style.csl\n---\n\n");
    for n in 0..CITATIONS {
        let [one, other] = cited(n);
        let _ = writeln!(
            paper,
            "Paragraph {n} says what others have said [see @w{one}, p. {n}; @w{other}].\n"
        );
    }
    std::fs::write(folder.join("paper.md"), paper).unwrap();
    let run = |options: &[&str]| {
        let start = Instant::now();
        let status = Command::new("pandoc")
            .current_dir(folder)
            .args(["paper.md", "-o", "paper.html"])
            .args(options)
            .status()
            .unwrap();
        assert!(status.success());
        start.elapsed().as_secs_f64() * 1000.0
    };
    let best = |options: &[&str]| (0..3).map(|_| run(options)).fold(f64::MAX, f64::min);
    Some(best(&["--citeproc"]) - best(&[]))
}
