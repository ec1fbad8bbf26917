//! Compares the processor with its peers and measures how its work scales.
//!
//! ```text
//! cargo bench --bench csl_peers                 # all styles; about a quarter of an hour
//! cargo bench --bench csl_peers -- ieee nature  # these styles
//! cargo bench --bench csl_peers -- --alone      # without peers
//! ```
//!
//! Every engine gets the same files: the embedded styles and locales, and items made from the starter
//! corpus. `CITATION_BENCH_STYLES`, `CITATION_BENCH_LOCALES` (folders) and `CITATION_BENCH_ITEMS` (a
//! CSL-JSON array) name others. Each engine runs in a separate process, pinned to one core if `taskset` is
//! available, renders a bibliography as HTML, and reports the CPU time of its best round without reading
//! styles and items. citeproc-js comes from npm, hayagriva is a published crate, pandoc is used if
//! installed; unavailable engines are reported and skipped.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "../clock.rs"]
mod clock;
mod growth;
mod items;
mod measure;
mod ours;
mod peers;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use peers::Peer;

/// The compared styles.
const STYLES: [&str; 5] = [
    "apa",
    "ieee",
    "chicago-author-date",
    "nature",
    "modern-language-association",
];

/// Numbers of items of a bibliography.
const SIZES: [usize; 2] = [1_000, 10_000];

/// The result of an engine for one bibliography.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Run {
    /// CPU time from the text of the style to a form that can format, in milliseconds.
    pub compile_ms: f64,
    /// CPU seconds of the best round.
    pub seconds: f64,
    pub entries: usize,
    /// Bytes of HTML of all entries together.
    pub bytes: usize,
    /// Peak memory of the process, in MB.
    pub peak_mb: f64,
}

/// The location of the shared input files.
pub struct Files {
    pub work: PathBuf,
    pub styles: PathBuf,
    pub locales: PathBuf,
    items: BTreeMap<usize, PathBuf>,
}

impl Files {
    pub fn style(&self, name: &str) -> PathBuf {
        self.styles.join(format!("{name}.csl"))
    }

    /// The file with `count` items.
    pub fn items(&self, count: usize) -> &Path {
        &self.items[&count]
    }
}

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    if let [mode, style, locales, items] = arguments.as_slice()
        && mode == ours::CHILD
    {
        return ours::answer(Path::new(style), Path::new(locales), Path::new(items));
    }
    let alone = arguments.iter().any(|a| a == "--alone");
    let named: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let styles = if named.is_empty() {
        STYLES.to_vec()
    } else {
        named
    };

    let files = write_files();
    let peers = if alone {
        Vec::new()
    } else {
        peers::all(&files)
    };
    compare(&files, &styles, &peers);
    growth::print(&files, &styles);
}

/// Writes the input files into the target directory.
fn write_files() -> Files {
    let work = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("csl_peers");
    let folder = |variable: &str, name: &str| match std::env::var_os(variable) {
        Some(folder) => (PathBuf::from(folder), true),
        None => (work.join(name), false),
    };
    let (styles, styles_given) = folder("CITATION_BENCH_STYLES", "styles");
    let (locales, locales_given) = folder("CITATION_BENCH_LOCALES", "locales");
    fs::create_dir_all(&work).unwrap();
    if !styles_given {
        fs::create_dir_all(&styles).unwrap();
        for (name, xml) in citation_embedded::styles() {
            fs::write(styles.join(format!("{name}.csl")), xml).unwrap();
        }
    }
    if !locales_given {
        fs::create_dir_all(&locales).unwrap();
        for tag in citation_embedded::locale_tags() {
            let xml = citation_embedded::locale(&tag).unwrap();
            fs::write(locales.join(format!("locales-{tag}.xml")), xml).unwrap();
        }
    }
    let base = items::base();
    println!("{} works to make items of", base.len());
    let items = [1].into_iter().chain(SIZES).map(|count| {
        let path = work.join(format!("items-{count}.json"));
        fs::write(
            &path,
            serde_json::to_vec(&items::distinct(&base, count)).unwrap(),
        )
        .unwrap();
        (count, path)
    });
    Files {
        items: items.collect(),
        work,
        styles,
        locales,
    }
}

/// Entries per CPU second of every engine, and their ratios.
fn compare(files: &Files, styles: &[&str], peers: &[Peer]) {
    for &style in styles {
        println!("\n{style}");
        println!(
            "  {:<12}{:>8}{:>12}{:>9}{:>9}{:>10}{:>12}{:>9}",
            "engine", "items", "entries/s", "ours is", "entries", "bytes", "compile ms", "peak MB"
        );
        let mut rates = Vec::new();
        for count in SIZES {
            let own = ours::run(files, style, count);
            let rate = own.entries as f64 / own.seconds;
            rates.push(rate);
            row("citation", count, &own, None);
            for peer in peers {
                match peer.run(files, style, count) {
                    Ok(run) => row(peer.name(), count, &run, Some(rate)),
                    Err(reason) => println!("  {:<12}{count:>8}  {reason}", peer.name()),
                }
            }
        }
        if let [few, many] = rates.as_slice() {
            println!(
                "  rate at 10,000 items by that at 1,000: {:.2} (at least 0.8 wanted)",
                many / few
            );
        }
    }
}

fn row(engine: &str, items: usize, run: &Run, own_rate: Option<f64>) {
    let rate = run.entries as f64 / run.seconds;
    let ratio = own_rate.map_or(String::new(), |own| format!("{:.1} x", own / rate));
    println!(
        "  {engine:<12}{items:>8}{rate:>12.0}{ratio:>9}{:>9}{:>10}{:>12.2}{:>9.0}",
        run.entries, run.bytes, run.compile_ms, run.peak_mb
    );
}
