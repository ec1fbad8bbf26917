//! The cost of citations in pandoc, with its own processor and with ours: `cargo bench --bench pandoc`. A
//! generated document of 500 citations of 200 works is written as HTML without formatted citations, with
//! `--citeproc`, and with this program as filter; the first is subtracted from the others. pandoc
//! serialises its document for every filter, so the program is also run alone on that document. Without
//! pandoc, nothing is measured.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CITATIONS: usize = 500;
const WORKS: usize = 200;
const RUNS: usize = 5;

/// Target speed-up of the filter.
const WANTED: f64 = 5.0;

fn main() {
    if Command::new("pandoc").arg("--version").output().is_err() {
        println!("pandoc is not installed; nothing is measured");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("refs.bib"), library()).expect("a bibliography");
    fs::write(folder.join("paper.md"), paper()).expect("a paper");
    let style = citation_embedded::style("apa").expect("a style");
    fs::write(folder.join("apa.csl"), style).expect("a style");
    // pandoc runs filters by name and passes them no options.
    let filter = folder.join("citation-pandoc");
    let program = env!("CARGO_BIN_EXE_citation");
    std::os::unix::fs::symlink(program, &filter).expect("a link");

    let bare = best(folder, &[]);
    let own = best(folder, &["--citeproc"]);
    let ours = best(folder, &["--filter", &filter.to_string_lossy()]);
    write(folder, &["-o", "paper.json"]);
    let alone = (0..RUNS).map(|_| alone(folder)).min().unwrap_or_default();
    let cost = |time: Duration| time.saturating_sub(bare).as_secs_f64() * 1000.0;
    println!("| | whole, ms | citations, ms |");
    println!("|---|---|---|");
    println!(
        "| no citations set | {:.0} | |",
        bare.as_secs_f64() * 1000.0
    );
    println!(
        "| --citeproc | {:.0} | {:.0} |",
        own.as_secs_f64() * 1000.0,
        cost(own)
    );
    println!(
        "| --filter | {:.0} | {:.0} |",
        ours.as_secs_f64() * 1000.0,
        cost(ours)
    );
    let alone = alone.as_secs_f64() * 1000.0;
    println!("| the filter by itself | {alone:.0} | {alone:.0} |");
    println!(
        "\n{:.1} times faster, {:.1} with pandoc's way to a filter and back; wanted {WANTED}",
        cost(own) / alone.max(1.0),
        cost(own) / cost(ours).max(1.0)
    );
}

/// The shortest of several runs.
fn best(folder: &Path, options: &[&str]) -> Duration {
    let run = || {
        let start = Instant::now();
        write(folder, &[&["-o", "paper.html"], options].concat());
        start.elapsed()
    };
    (0..RUNS).map(|_| run()).min().unwrap_or_default()
}

fn write(folder: &Path, options: &[&str]) {
    let status = Command::new("pandoc")
        .current_dir(folder)
        .arg("paper.md")
        .args(options)
        .env("CITATION_DATA__DIR", folder.join("data"))
        .status()
        .expect("pandoc runs");
    assert!(status.success(), "pandoc failed with {options:?}");
}

/// Runs the filter on pandoc's document, without pandoc.
fn alone(folder: &Path) -> Duration {
    let open = |name: &str| File::open(folder.join(name)).expect("the document");
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_citation"))
        .current_dir(folder)
        .args(["pandoc", "html"])
        .env("CITATION_DATA__DIR", folder.join("data"))
        .stdin(open("paper.json"))
        .stdout(Stdio::null())
        .status()
        .expect("the filter runs");
    assert!(status.success(), "the filter failed");
    start.elapsed()
}

fn library() -> String {
    let mut out = String::new();
    for n in 0..WORKS {
        let (name, year) = (n % 60, 1950 + n % 70);
        let _ = writeln!(
            out,
            "@article{{work{n}, author = {{Author{name}, Ann and Writer{n}, Will}}, year = {year},\n  \
             title = {{On the subject of number {n} and others}}, journal = {{Journal of Numbers}},\n  \
             volume = {n}, pages = {{{n}--{}}}, doi = {{10.1000/{n}}}}}",
            n + 9
        );
    }
    out
}

fn paper() -> String {
    let mut out = String::from("---\nbibliography: refs.bib\ncsl: apa.csl\n---\n\n");
    for n in 0..CITATIONS {
        let (one, other) = (n * 7 % WORKS, n * 13 % WORKS);
        let _ = writeln!(
            out,
            "Paragraph {n} says what others have said [see @work{one}, p. {n}; @work{other}], and\nmore.\n"
        );
    }
    out
}
