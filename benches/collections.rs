//! Collections over HTTP: imports a file of 4,000 entries, reads a collection of 4,000 entries, searches
//! one for duplicates, and writes during an ingest.
//!
//! ```text
//! cargo bench --bench collections
//! CITATION_BENCH_PEERS=FOLDER cargo bench --bench collections   # other readers of BibTeX too
//! ```
//!
//! FOLDER is where `npm i @citation-js/core @citation-js/plugin-bibtex biblatex-csl-converter` was run.
//! Those only parse; the import parses, searches duplicates, stores durably and reports.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod support;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use citation::app::App;
use citation::config::Config;
use citation::corpus::Corpus;
use citation::corpus::ingest::{IngestOptions, ingest};
use citation::store::{Store, StoreSettings};
use citation_exchange::metadata::CitationMetadata;
use citation_exchange::{BIBTEX, read};
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::plan::Plan;
use serde::Serialize;
use serde_json::{Value, json};
use support::Server;

const ENTRIES: usize = 4_000;
const ROUNDS: usize = 5;

/// Number of timed writes, and the pause between them.
const WRITES: usize = 1_500;
const PAUSE: Duration = Duration::from_millis(5);

/// Records of the concurrent ingest; enough to outlast the writes.
const RECORDS: usize = 1_200_000;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--ingest") {
        let store = Store::open(Path::new(&arguments[at + 2]), &StoreSettings::default());
        let corpus = Corpus::open(Arc::new(store.expect("a store")));
        let files = [PathBuf::from(&arguments[at + 1])];
        let stop = AtomicBool::new(false);
        let options = IngestOptions::default();
        ingest(&corpus, &files, &options, &stop, &mut |_| {}).expect("an ingest");
        return;
    }
    let service = Service::start();
    imports(&service);
    reads(&service);
    scans(&service);
    writes(&service);
}

/// A server in this process, with one account.
struct Service {
    address: SocketAddr,
    bearer: String,
    agent: ureq::Agent,
    data: tempfile::TempDir,
    _server: Server,
}

impl Service {
    fn start() -> Service {
        let data = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.data.dir = data.path().to_path_buf();
        config.corpus.starter = false;
        config.limits.business_entries = 1_000_000;
        config.limits.business_collections = 1_000_000;
        config.limits.import_bytes = 1 << 30;
        config.limits.bodies_in_flight_bytes = 1 << 30;
        config.server.request_timeout_ms = 600_000;
        config.limits.credential_per_minute = 100_000_000;
        let app = App::open(config).unwrap();
        let key = support::new_key(&app, Plan::Business);
        let server = Server::start(&app);
        app.start_background().unwrap();
        let agent = ureq::Agent::config_builder()
            .accept_encoding("identity")
            .build();
        Service {
            address: server.address,
            bearer: format!("Bearer {key}"),
            agent: agent.into(),
            data,
            _server: server,
        }
    }

    fn post(&self, path: &str, content_type: &str, body: &[u8]) -> Value {
        let url = format!("http://{}/api/v1{path}", self.address);
        let request = self.agent.post(url).header("authorization", &self.bearer);
        let mut reply = request
            .header("content-type", content_type)
            .send(body)
            .unwrap();
        let text = reply
            .body_mut()
            .with_config()
            .limit(1 << 30)
            .read_to_vec()
            .unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    fn get(&self, path: &str) -> Vec<u8> {
        let url = format!("http://{}/api/v1{path}", self.address);
        let request = self.agent.get(url).header("authorization", &self.bearer);
        let mut reply = request.call().unwrap();
        reply
            .body_mut()
            .with_config()
            .limit(1 << 30)
            .read_to_vec()
            .unwrap()
    }

    fn collection(&self) -> String {
        let made = self.post("/collections", "application/json", b"{\"name\":\"bench\"}");
        format!("/collections/{}", made["id"].as_str().unwrap())
    }

    fn import(&self, collection: &str, file: &str) -> Duration {
        let started = Instant::now();
        let path = format!("{collection}/import");
        let report = self.post(&path, "application/x-bibtex", file.as_bytes());
        let took = started.elapsed();
        assert_eq!(
            (&report["failed"], &report["skipped"]),
            (&json!(0), &json!(0))
        );
        took
    }
}

/// A bibliography like those of reference managers: accents, braces, macros, some abstracts.
fn bibliography(entries: usize) -> String {
    let words = [
        "adaptive",
        "measurement",
        "of",
        "protein",
        "folding",
        "in",
        "tropical",
        "forests",
        "under",
        "stochastic",
        "networks",
        "and",
        "the",
        "history",
        "early",
        "modern",
        "trade",
        "{DNA}",
        "quantum",
        "inference",
        "for",
        "large",
        "archives",
        "migration",
        "urban",
        "energy",
    ];
    let mut text = String::from("@string{jour = {Journal of Results}}\n");
    for n in 0..entries {
        let word = |salt: usize| words[(n * 7 + salt * (n % 13 + 3)) % words.len()];
        let title: Vec<&str> = (0..9).map(word).collect();
        let _ = write!(
            text,
            "@article{{key{n},\n  author = {{M{{\\\"u}}ller, Anna B. and Garc{{\\'\\i}}a, Juan {n} and others}},\n  \
             title = {{{} {n}}},\n  journal = jour,\n  year = {{{}}},\n  volume = {{{}}},\n  number = {{{}}},\n  \
             pages = {{{n}--{}}},\n  doi = {{10.5555/bench.{n}}},\n  url = {{https://example.org/{n}}},\n  \
             keywords = {{one, two, three}}\n}}\n\n",
            title.join(" "),
            1950 + n % 75,
            n % 90 + 1,
            n % 12 + 1,
            n + 11,
        );
    }
    text
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64()
}

fn imports(service: &Service) {
    let file = bibliography(ENTRIES);
    let times = (0..ROUNDS)
        .map(|_| service.import(&service.collection(), &file))
        .collect();
    let ours = ENTRIES as f64 / median(times);
    let kib = file.len() / 1024;
    println!("import of {ENTRIES} entries ({kib} KiB) in one request: {ours:.0} entries/s");
    let parsing = ENTRIES as f64 / median((0..ROUNDS).map(|_| parse_alone(&file)).collect());
    println!(
        "  the crate biblatex, parsing alone: {parsing:.0} entries/s; ours is {:.2} times that",
        ours / parsing
    );
    for entries in [ENTRIES / 10, ENTRIES * 10] {
        let file = bibliography(entries);
        let took = service.import(&service.collection(), &file).as_secs_f64();
        println!(
            "  {entries} entries: {:.0} entries/s",
            entries as f64 / took
        );
    }
    let nameless = without_dois(&file);
    let took = service.import(&service.collection(), &nameless);
    println!(
        "  {ENTRIES} entries without DOIs, so that titles are compared: {:.0} entries/s",
        ENTRIES as f64 / took.as_secs_f64()
    );
    let Ok(folder) = std::env::var("CITATION_BENCH_PEERS") else {
        println!("  peers: absent (CITATION_BENCH_PEERS is not set)");
        return;
    };
    let path = service.data.path().join("bench.bib");
    std::fs::write(&path, &file).unwrap();
    for (name, parse) in PEERS {
        match peer(Path::new(&folder), &path, parse) {
            Some(rate) => println!(
                "  {name}, parsing alone: {rate:.0} entries/s; ours is {:.1} times that",
                ours / rate
            ),
            None => println!("  {name}: absent"),
        }
    }
}

/// The time in which the crate biblatex reads a text and its main fields.
fn parse_alone(text: &str) -> Duration {
    let started = Instant::now();
    let library = biblatex::Bibliography::parse(text).expect("a library");
    let read = library
        .iter()
        .filter(|entry| entry.title().is_ok() && entry.author().is_ok() && entry.date().is_ok());
    std::hint::black_box(read.count());
    started.elapsed()
}

fn without_dois(file: &str) -> String {
    let lines = file.lines().filter(|line| !line.starts_with("  doi"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The JavaScript with which each peer converts a text to CSL-JSON.
const PEERS: [(&str, &str); 2] = [
    (
        "citation-js",
        "const {Cite} = require('@citation-js/core'); require('@citation-js/plugin-bibtex'); \
         parse = text => new Cite(text).data.length;",
    ),
    (
        "biblatex-csl-converter",
        "const {BibLatexParser, CSLExporter} = await import('biblatex-csl-converter'); \
         parse = text => { const all = new BibLatexParser(text, {processUnexpected: true, \
         processUnknown: true}).parse().entries; new CSLExporter(all).parse(); \
         return Object.keys(all).length; };",
    ),
];

/// Entries per second, the best of three runs.
fn peer(folder: &Path, file: &Path, parse: &str) -> Option<f64> {
    let script = format!(
        "(async () => {{ let parse; {parse} const text = require('fs').readFileSync({file:?}, 'utf8'); \
         let best = 0; for (let i = 0; i < 3; i++) {{ const t = process.hrtime.bigint(); const n = parse(text); \
         best = Math.max(best, n / (Number(process.hrtime.bigint() - t) / 1e9)); }} console.log(best); }})()"
    );
    let output = Command::new("node")
        .args(["-e", &script])
        .current_dir(folder)
        .output()
        .ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// An entry as in responses, made only from the item.
#[derive(Serialize)]
struct Entry<'i> {
    id: &'i str,
    added_at: &'i str,
    updated_at: &'i str,
    metadata: CitationMetadata<'i>,
    note: Option<&'i str>,
    tags: [&'i str; 0],
    sort_order: usize,
    review_status: &'i str,
    citation_key: Option<&'i str>,
    updates: [&'i str; 0],
}

fn reads(service: &Service) {
    for entries in [ENTRIES / 10, ENTRIES, ENTRIES * 10] {
        let file = bibliography(entries);
        let collection = service.collection();
        service.import(&collection, &file);
        let items: Vec<Item> = read(&file.as_str().into(), &BIBTEX, &Budget::unlimited())
            .expect("an unlimited budget")
            .items
            .into_iter()
            .map(|r| r.item)
            .collect();
        let (mut whole, mut alone, mut bytes) = (Vec::new(), Vec::new(), 0);
        for _ in 0..ROUNDS * 3 {
            let started = Instant::now();
            bytes = service.get(&collection).len();
            whole.push(started.elapsed());
            let started = Instant::now();
            std::hint::black_box(serialise(&items));
            alone.push(started.elapsed());
        }
        let (whole, alone) = (median(whole), median(alone));
        println!(
            "a collection of {entries} entries ({} KiB) over HTTP: {:.1} ms; serialising it alone: {:.1} ms; \
             ratio {:.2}, target 1.3",
            bytes / 1024,
            whole * 1e3,
            alone * 1e3,
            whole / alone
        );
    }
}

/// Searches whole collections for duplicates, with and without DOIs.
fn scans(service: &Service) {
    for (name, with_dois) in [("with DOIs", true), ("without DOIs", false)] {
        let mut first = None;
        for entries in [ENTRIES / 10, ENTRIES, ENTRIES * 10] {
            let mut file = bibliography(entries);
            if !with_dois {
                file = without_dois(&file);
            }
            let collection = service.collection();
            service.import(&collection, &file);
            let started = Instant::now();
            let found = service.post(
                &format!("{collection}/check-duplicates"),
                "application/json",
                b"",
            );
            let each = started.elapsed().as_secs_f64() / entries as f64;
            println!(
                "looking through {entries} entries {name}: {:.0} ms, {} groups; an entry takes {:.2} times as long \
                 as of {}",
                each * entries as f64 * 1e3,
                found["groups"].as_array().map_or(0, Vec::len),
                each / *first.get_or_insert(each),
                ENTRIES / 10,
            );
        }
    }
}

fn serialise(items: &[Item]) -> Vec<u8> {
    let entries: Vec<Entry> = items
        .iter()
        .enumerate()
        .map(|(sort_order, item)| Entry {
            id: "01a1fd4f-ba21-757a-a96a-169f94bbcbfe",
            added_at: "2026-11-21T04:00:00Z",
            updated_at: "2026-11-21T04:00:00Z",
            metadata: CitationMetadata::of_item(item),
            note: None,
            tags: [],
            sort_order,
            review_status: "clean",
            citation_key: Some("key"),
            updates: [],
        })
        .collect();
    serde_json::to_vec(&entries).unwrap()
}

fn writes(service: &Service) {
    let collection = service.collection();
    let quiet = times_of_writes(service, &collection, &mut || true);
    report("quiet", &quiet);
    let records = service.data.path().join("records.jsonl");
    let mut file = BufWriter::new(File::create(&records).unwrap());
    for n in 0..RECORDS {
        writeln!(
            file,
            "{{\"id\":\"r{n}\",\"type\":\"article-journal\",\"title\":\"A record of the ingest number {n}\",\
             \"DOI\":\"10.5555/record.{n}\",\"container-title\":\"Journal {}\",\"volume\":{},\
             \"author\":[{{\"family\":\"Family{n}\",\"given\":\"Given\"}}],\"issued\":{{\"date-parts\":[[2001]]}}}}",
            n % 1000,
            n % 90
        )
        .unwrap();
    }
    file.into_inner().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg("--ingest")
        .args([&records, service.data.path()])
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let busy = times_of_writes(service, &collection, &mut || {
        child.try_wait().unwrap().is_none()
    });
    let outlasted = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    let _ = child.wait();
    report("beside an ingest", &busy);
    if !outlasted {
        println!("  (the ingest ended before the writes did)");
    }
    println!(
        "  ratio of the p99s: {:.2}, limit 3",
        at(&busy, 0.99) / at(&quiet, 0.99)
    );
}

/// Sorted times of single adds while `go_on` is true.
fn times_of_writes(
    service: &Service,
    collection: &str,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<f64> {
    let path = format!("{collection}/entries");
    let mut times = Vec::new();
    for n in 0..WRITES {
        if !go_on() {
            break;
        }
        let body = json!({"metadata": {"title": format!("Written {n}")}}).to_string();
        let started = Instant::now();
        service.post(&path, "application/json", body.as_bytes());
        times.push(started.elapsed().as_secs_f64() * 1e3);
        std::thread::sleep(PAUSE);
    }
    times.sort_by(f64::total_cmp);
    times
}

fn at(times: &[f64], share: f64) -> f64 {
    let index = (times.len() as f64 * share) as usize;
    times.get(index).copied().unwrap_or_default()
}

fn report(name: &str, times: &[f64]) {
    println!(
        "one add, {name}: p50 {:.1} ms, p99 {:.1} ms, of {}",
        at(times, 0.5),
        at(times, 0.99),
        times.len()
    );
}
