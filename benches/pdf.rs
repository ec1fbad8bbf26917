//! The cost of a 200-page PDF in the process that reads it: `cargo bench --bench pdf`. The pages are
//! generated, full of text, with a list of 400 references at the end.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PAGES: usize = 200;
const LINES: usize = 48;
const RUNS: usize = 3;
/// Upper limits.
const SECONDS: f64 = 3.0;
const MEGABYTES: f64 = 300.0;

fn main() {
    let pdf = pdf();
    println!("a PDF of {PAGES} pages and {} bytes", pdf.len());
    println!("| run | s | MB |");
    println!("|---|---|---|");
    for run in 1..=RUNS {
        let (time, memory) = read(&pdf);
        println!("| {run} | {:.2} | {memory:.0} |", time.as_secs_f64());
    }
    println!("\nwanted: {SECONDS} s, {MEGABYTES} MB");
}

/// The duration and the peak memory of the process, in megabytes.
fn read(pdf: &[u8]) -> (Duration, f64) {
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_citation"))
        .arg("read-pdf")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the reader");
    let status = format!("/proc/{}/status", child.id());
    let (mut input, mut output) = (
        child.stdin.take().expect("input"),
        child.stdout.take().expect("output"),
    );
    let mut memory = 0.0_f64;
    let answer = std::thread::scope(|scope| {
        let reading = scope.spawn(move || {
            let mut answer = Vec::new();
            output.read_to_end(&mut answer).expect("an answer");
            answer
        });
        let length = pdf.len();
        let header = format!("{{\"cpu_seconds\":3,\"length\":{length},\"transcript\":\"\"}}\n");
        let whole = [header.as_bytes(), pdf].concat();
        input.write_all(&whole).expect("a reader that reads");
        drop(input);
        while !reading.is_finished() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes =
                peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<f64>().ok());
            memory = memory.max(kilobytes.unwrap_or_default() / 1024.0);
            std::thread::sleep(Duration::from_millis(2));
        }
        reading.join().expect("an answer")
    });
    let time = began.elapsed();
    assert!(child.wait().expect("an end").success());
    let text = String::from_utf8(answer).expect("text");
    assert!(text.contains("[400] Doe"), "the last reference is there");
    (time, memory)
}

fn pdf() -> Vec<u8> {
    let kids: Vec<String> = (0..PAGES).map(|n| format!("{} 0 R", 10 + 2 * n)).collect();
    let mut out = format!(
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count {PAGES}/Kids[{}]/MediaBox[0 0 600 800]>>endobj\n3 0 obj<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>>>>>endobj\n",
        kids.join(" ")
    );
    let list = 400_usize.div_ceil(LINES / 2);
    let mut entry = 0;
    for page in 0..PAGES {
        let mut content = String::new();
        for line in 0..LINES {
            let text = match page + list < PAGES {
                true => format!(
                    "Line {line} of page {page} says what lines of papers say, and goes on to the edge of the page."
                ),
                false if page + list == PAGES && line == 0 => "References".to_owned(),
                false if page + list == PAGES && line == 1 => String::new(),
                false if line % 2 == 0 => {
                    entry += 1;
                    format!(
                        "[{entry}] Doe, J., Roe, R., and Poe, P. \\(2001\\). On the rings of worms of the kind {entry},"
                    )
                }
                false => format!("and on what follows from them. Journal of Rings, {entry}, 1-9."),
            };
            let top = 750 - 14 * line;
            writeln!(content, "BT /F 10 Tf 1 0 0 1 60 {top} Tm ({text}) Tj ET").expect("text");
        }
        let (object, stream) = (10 + 2 * page, 11 + 2 * page);
        write!(
            out,
            "{object} 0 obj<</Type/Page/Parent 2 0 R/Resources 3 0 R/Contents {stream} 0 R>>endobj\n{stream} 0 obj<</Length {}>>stream\n{content}endstream endobj\n",
            content.len()
        )
        .expect("text");
    }
    out.push_str("trailer<</Root 1 0 R/Size 999>>\n%%EOF\n");
    out.into_bytes()
}
