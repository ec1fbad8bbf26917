//! The cost of an ingest compared with its separate steps, and a check that its memory does not grow with
//! the file.
//!
//! ```text
//! cargo bench --bench ingest                       # 100,000 records; memory with 1,000,000 too
//! CITATION_BENCH_RECORDS=20000 cargo bench --bench ingest
//! cargo bench --bench ingest -- --generate FILE 1000000   # the records alone, for other benches
//! ```
//!
//! Records are like Crossref's: about 8 kB of JSON per line, gzipped, the same every time. Each step is
//! measured alone on one thread, then a complete ingest of the file: gunzip, JSON, mapping, compression,
//! merging, database, index.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use citation::corpus::Corpus;
use citation::corpus::ingest::{IngestOptions, ingest};
use citation::store::{Store, StoreSettings};
use citation_model::identifier::{Doi, Identifier};
use citation_model::item::Item;
use citation_model::variable::{NameVar, NumberVar, TextVar};
use citation_records::crossref;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--memory-of") {
        return memory_child(Path::new(&arguments[at + 1]));
    }
    if let Some(at) = arguments.iter().position(|a| a == "--generate") {
        return generate(
            Path::new(&arguments[at + 1]),
            arguments[at + 2].parse().expect("a number of records"),
        );
    }
    if let Some(at) = arguments.iter().position(|a| a == "--ingest") {
        let corpus = Corpus::open(Arc::new(store(Path::new(&arguments[at + 2]))));
        let files = [PathBuf::from(&arguments[at + 1])];
        let stop = AtomicBool::new(false);
        ingest(
            &corpus,
            &files,
            &IngestOptions::default(),
            &stop,
            &mut |_| {},
        )
        .expect("an ingest");
        return;
    }
    let records = std::env::var("CITATION_BENCH_RECORDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(100_000);
    let place = tempfile::tempdir().expect("a directory for the bench");
    let file = place.path().join("small.jsonl.gz");
    generate(&file, records);
    let slowest = steps(&file, records, place.path());
    if arguments.iter().any(|a| a == "--steps") {
        return;
    }
    whole(&file, records, slowest, place.path());
    beside(&file, place.path());
    memory(&file, records, place.path());
}

/// Wall-clock time, and CPU time of all threads of this process.
#[derive(Clone, Copy, Default)]
struct Took {
    wall: Duration,
    cpu: Duration,
}

impl Took {
    fn add(&mut self, more: Took) {
        self.wall += more.wall;
        self.cpu += more.cpu;
    }
}

struct Watch {
    wall: Instant,
    cpu: Duration,
}

impl Watch {
    fn start() -> Watch {
        Watch {
            wall: Instant::now(),
            cpu: cpu_time(),
        }
    }

    fn took(&self) -> Took {
        Took {
            wall: self.wall.elapsed(),
            cpu: cpu_time() - self.cpu,
        }
    }
}

/// Of the whole process, in steps of 10 ms.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

/// Prints a figure of one step and returns its rate.
fn report(name: &str, records: usize, took: Took) -> f64 {
    let rate = records as f64 / took.wall.as_secs_f64();
    let each = |time: Duration| time.as_secs_f64() * 1e6 / records as f64;
    println!(
        "{name:<44} {rate:>10.0} records/s {:>8.2} µs each {:>8.2} µs CPU",
        each(took.wall),
        each(took.cpu)
    );
    rate
}

/// Measures every step alone and returns the rate of the slowest.
fn steps(file: &Path, records: usize, place: &Path) -> f64 {
    let mut slowest = f64::INFINITY;
    let mut note = |name: &str, took| slowest = slowest.min(report(name, records, took));

    let watch = Watch::start();
    let mut sink = vec![0; 256 << 10];
    let mut reader = unpack(file);
    while reader.read(&mut sink).expect("sound gzip") > 0 {}
    note("gunzip", watch.took());

    let (mut parsing, mut mapping) = (Took::default(), Took::default());
    let mut works = Vec::new();
    let mut lines = BufReader::with_capacity(256 << 10, unpack(file)).split(b'\n');
    loop {
        let some: Vec<Vec<u8>> = lines.by_ref().take(2000).map_while(Result::ok).collect();
        if some.is_empty() {
            break;
        }
        let watch = Watch::start();
        for line in &some {
            black_box(crossref::record(line).expect("a record"));
        }
        parsing.add(watch.took());
        let watch = Watch::start();
        let mapped = some
            .iter()
            .map(|line| crossref::from_slice(line).expect("a work"));
        works.extend(mapped);
        mapping.add(watch.took());
    }
    note("JSON to a typed record", parsing);
    report("  JSON to a mapped work", records, mapping);

    let store = store(&place.join("steps"));
    let items: Vec<Item> = works.iter().map(|work| work.item.clone()).collect();
    let (mut preparing, mut writing) = (Took::default(), Took::default());
    let mut works = works.into_iter();
    loop {
        let watch = Watch::start();
        let some = works.by_ref().take(1000);
        let prepared: Vec<_> = some
            .map(|work| store.prepare(work).expect("a work"))
            .collect();
        if prepared.is_empty() {
            break;
        }
        preparing.add(watch.took());
        let watch = Watch::start();
        store.put(&prepared).expect("a write");
        writing.add(watch.took());
        store.train_dictionary_if_due(0).expect("a dictionary");
    }
    report("  compression, keys, hash", records, preparing);
    note("SQLite insert", writing);

    note("tantivy add", tantivy_alone(&items, &place.join("bare")));
    drop(items);

    let corpus = Corpus::open(Arc::new(store));
    let watch = Watch::start();
    corpus.index_pending().expect("an index");
    report("  index from the database", records, watch.took());
    lookups(&corpus, records);
    slowest
}

/// The bare cost of tantivy: the same terms in a minimal index with its plain tokenizer.
fn tantivy_alone(items: &[Item], place: &Path) -> Took {
    use tantivy::schema::{FAST, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
    std::fs::create_dir_all(place).expect("a directory");
    let mut schema = Schema::builder();
    let id = schema.add_u64_field("id", FAST);
    let terms = TextFieldIndexing::default().set_index_option(IndexRecordOption::WithFreqs);
    let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(terms));
    let index = tantivy::Index::create_in_dir(place, schema.build()).expect("an index");
    let texts: Vec<String> = items.iter().map(text_of).collect();
    let mut writer = index
        .writer_with_num_threads(1, 96 << 20)
        .expect("an index writer");
    let watch = Watch::start();
    for (n, words) in texts.into_iter().enumerate() {
        let mut document = tantivy::TantivyDocument::default();
        document.add_u64(id, n as u64);
        document.add_text(text, words);
        writer.add_document(document).expect("a document");
    }
    writer.commit().expect("a commit");
    watch.took()
}

fn text_of(item: &Item) -> String {
    let texts = [
        TextVar::Title,
        TextVar::ContainerTitle,
        TextVar::ContainerTitleShort,
        TextVar::Publisher,
    ];
    let numbers = [NumberVar::Volume, NumberVar::Issue, NumberVar::Page];
    let names = item.names(NameVar::Author).iter();
    let mut text: Vec<&str> = texts.iter().filter_map(|v| item.text(*v)).collect();
    text.extend(numbers.iter().filter_map(|v| item.number(*v)));
    text.extend(names.flat_map(|n| n.family.as_deref().into_iter().chain(n.given.as_deref())));
    text.join("\n")
}

/// Lookups by DOI, including decompression and parsing, on one thread.
fn lookups(corpus: &Corpus, records: usize) {
    let lookups = 100_000;
    let mut random = Random(7);
    let watch = Watch::start();
    for _ in 0..lookups {
        let doi = doi(random.below(records as u64) as usize);
        let doi = Doi::parse(&doi).expect("a DOI");
        let work = corpus.get(&Identifier::Doi(doi)).expect("a read");
        assert!(black_box(work).is_some());
    }
    report("  lookup by DOI", lookups, watch.took());
}

/// A complete ingest of the file.
fn whole(file: &Path, records: usize, slowest: f64, place: &Path) {
    let corpus = Corpus::open(Arc::new(store(&place.join("whole"))));
    let options = IngestOptions::default();
    let stop = AtomicBool::new(false);
    let mut stored = None;
    let watch = Watch::start();
    let summary = ingest(
        &corpus,
        &[file.to_owned()],
        &options,
        &stop,
        &mut |progress| {
            if progress.records as usize == records && stored.is_none() {
                stored = Some(watch.took());
            }
        },
    )
    .expect("an ingest");
    let took = watch.took();
    assert_eq!(summary.works.new as usize, records);
    report(
        "ingest until all is stored",
        records,
        stored.unwrap_or(took),
    );
    let rate = report("ingest until all is stored and indexed", records, took);
    println!(
        "{:<44} {:>10.2}   target 0.95",
        "ratio to the slowest step",
        rate / slowest
    );
    let processors = std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64);
    println!(
        "{:<44} {:>10.2}",
        "share of the processors' time that was used",
        took.cpu.as_secs_f64() / took.wall.as_secs_f64() / processors
    );
}

/// The duration of a durable write during an ingest in another process, as for a user.
fn beside(file: &Path, place: &Path) {
    let data = place.join("beside");
    let store = store(&data);
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .arg("--ingest")
        .args([file, &data])
        .spawn()
        .expect("a child process");
    let mut times = Vec::new();
    while child.try_wait().expect("a child process").is_none() {
        let started = Instant::now();
        store
            .set_fact("bench", &times.len().to_string())
            .expect("a write");
        times.push(started.elapsed());
        std::thread::sleep(Duration::from_millis(10));
    }
    times.sort();
    let at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        times.get(index).map_or(0.0, |t| t.as_secs_f64() * 1e3)
    };
    println!(
        "{:<44} {:>10.1} ms p50 {:>8.1} ms p99 {:>8.1} ms worst, of {}",
        "a durable write beside an ingest",
        at(0.5),
        at(0.99),
        times.last().map_or(0.0, |t| t.as_secs_f64() * 1e3),
        times.len()
    );
}

/// Peak memory of processes that ingest a file and one ten times its size.
fn memory(small: &Path, records: usize, place: &Path) {
    let large = place.join("large.jsonl.gz");
    generate(&large, records * 10);
    let peak_small = peak(small);
    let peak_large = peak(&large);
    println!(
        "{:<44} {peak_small:>10} MiB",
        format!("peak memory, {records} records")
    );
    println!(
        "{:<44} {peak_large:>10} MiB",
        format!("peak memory, {} records", records * 10)
    );
    println!(
        "{:<44} {:>10.2}   target 1.10",
        "ratio",
        peak_large as f64 / peak_small as f64
    );
}

fn peak(file: &Path) -> u64 {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .arg("--memory-of")
        .arg(file)
        .output()
        .expect("a child process");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().unwrap_or_else(|_| panic!("{output:?}"))
}

/// Ingests a file and prints the peak memory of this process, without mapped files.
fn memory_child(file: &Path) {
    let place = tempfile::tempdir().expect("a directory");
    let corpus = Corpus::open(Arc::new(store(place.path())));
    let stop = AtomicBool::new(false);
    let mut peak = 0;
    let mut looked = Instant::now();
    let files: [PathBuf; 1] = [file.to_owned()];
    ingest(
        &corpus,
        &files,
        &IngestOptions::default(),
        &stop,
        &mut |_| {
            if looked.elapsed() > Duration::from_millis(20) {
                looked = Instant::now();
                peak = peak.max(own_memory());
            }
        },
    )
    .expect("an ingest");
    println!("{}", peak.max(own_memory()) >> 10);
}

/// Anonymous memory of this process in KiB, which the system cannot reclaim.
fn own_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

fn store(directory: &Path) -> Store {
    Store::open(directory, &StoreSettings::default()).expect("a store")
}

fn unpack(file: &Path) -> MultiGzDecoder<BufReader<File>> {
    let file = File::open(file).expect("the generated file");
    MultiGzDecoder::new(BufReader::with_capacity(256 << 10, file))
}

// ------------------------------------------------------------------------------------------------
// Records

fn generate(file: &Path, records: usize) {
    let writer = BufWriter::new(File::create(file).expect("a file"));
    let mut writer = GzEncoder::new(writer, Compression::new(6));
    let mut random = Random(1);
    let words = vocabulary(&mut random);
    for n in 0..records {
        let line = record(n, &mut random, &words);
        writer.write_all(line.as_bytes()).expect("a write");
        writer.write_all(b"\n").expect("a write");
    }
    writer.finish().expect("a write").flush().expect("a write");
}

/// Number of journals.
const JOURNALS: usize = 60_000;

/// Unordered DOIs, as in the real files.
fn doi(n: usize) -> String {
    let scattered = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    format!("10.{}/j.{scattered:x}.{n}", 1000 + scattered % 700)
}

fn record(n: usize, random: &mut Random, words: &[String]) -> String {
    let authors: Vec<String> = (0..1 + random.below(7))
        .map(|_| {
            format!(
                r#"{{"ORCID":"http://orcid.org/0000-0002-{:04}-{:04}","authenticated-orcid":false,"given":"{} {}.","family":"{}","sequence":"additional","affiliation":[{{"name":"Department of {}, University of {}"}}]}}"#,
                random.below(10_000),
                random.below(10_000),
                capital(random.word(words)),
                char::from(b'A' + random.below(26) as u8),
                capital(random.word(words)),
                capital(random.word(words)),
                capital(random.word(words)),
            )
        })
        .collect();
    let references: Vec<String> = (0..16 + random.below(18))
        .map(|at| {
            format!(
                r#"{{"key":"{n}_ref{at}","doi-asserted-by":"crossref","unstructured":"{}. {}. {}, {}","DOI":"{}","volume":"{}","year":"{}"}}"#,
                random.word(words),
                random.phrase(words, 6),
                random.phrase(words, 2),
                random.below(900),
                doi(random.below(1 << 20) as usize),
                random.below(300),
                1950 + random.below(75),
            )
        })
        .collect();
    // Of 16,000 real records, a third are the first of a journal; the others repeat one.
    let rank = random.rank(JOURNALS);
    let journal = format!(
        "{} of {}",
        capital(&words[rank % 500]),
        capital(&words[rank / 500])
    );
    let short = journal.get(..4).unwrap_or("J");
    let (year, month) = (1990 + random.below(35), 1 + random.below(12));
    let page = 1 + random.below(900);
    format!(
        r#"{{"indexed":{{"date-parts":[[2024,{month},3]],"date-time":"2024-02-03T00:40:09Z","timestamp":{}}},"reference-count":{},"publisher":"{} Press","issue":"{}","license":[{{"start":{{"date-parts":[[{year},{month},1]],"date-time":"{year}-01-01T00:00:00Z","timestamp":1014940800000}},"content-version":"tdm","delay-in-days":0,"URL":"https://example.org/license/1.0/"}}],"content-domain":{{"domain":["example.org"],"crossmark-restriction":true}},"short-container-title":["{short}. J."],"abstract":"<jats:p>{}</jats:p>","DOI":"{}","type":"journal-article","created":{{"date-parts":[[{year},{month},2]],"date-time":"{year}-01-02T10:00:00Z","timestamp":1014940800000}},"page":"{page}-{}","update-policy":"https://doi.org/10.1016/policy","source":"Crossref","is-referenced-by-count":{},"title":["{}"],"prefix":"10.1016","volume":"{}","author":[{}],"member":"78","published-online":{{"date-parts":[[{year},{month},2]]}},"reference":[{}],"container-title":["{journal}"],"original-title":[],"language":"en","link":[{{"URL":"https://api.example.org/content/article/{n}?httpAccept=text/xml","content-type":"text/xml","content-version":"vor","intended-application":"text-mining"}}],"deposited":{{"date-parts":[[2024,1,3]],"date-time":"2024-01-03T00:40:09Z","timestamp":1704242409000}},"score":1,"resource":{{"primary":{{"URL":"https://example.org/article/{n}"}}}},"subtitle":[],"issued":{{"date-parts":[[{year},{month}]]}},"references-count":{},"journal-issue":{{"issue":"{}","published-print":{{"date-parts":[[{year},{month}]]}}}},"URL":"http://dx.doi.org/10.1016/{n}","ISSN":["0140-6736","1474-547X"],"issn-type":[{{"value":"0140-6736","type":"print"}}],"subject":["{}"],"published":{{"date-parts":[[{year},{month}]]}}}}"#,
        1_706_920_809_000_u64 + n as u64,
        references.len(),
        capital(random.word(words)),
        random.below(12),
        random.phrase(words, 90),
        doi(n),
        page + random.below(30),
        random.below(400),
        capital(&random.phrase(words, 11)),
        random.below(200),
        authors.join(","),
        references.join(","),
        references.len(),
        random.below(12),
        random.phrase(words, 2),
    )
}

fn vocabulary(random: &mut Random) -> Vec<String> {
    const SYLLABLES: [&str; 24] = [
        "ba", "con", "de", "fi", "gra", "hy", "in", "ka", "lo", "mo", "ne", "or", "pre", "qui",
        "ra", "sta", "tion", "ul", "ver", "wil", "xe", "ys", "zo", "mer",
    ];
    (0..200_000)
        .map(|_| {
            (0..2 + random.below(3))
                .map(|_| SYLLABLES[random.below(SYLLABLES.len() as u64) as usize])
                .collect()
        })
        .collect()
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A rank below `size`, approximately by Zipf's law: the number to a random power.
    fn rank(&mut self, size: usize) -> usize {
        let uniform = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (size as f64).powf(uniform) as usize - 1
    }

    fn word<'w>(&mut self, words: &'w [String]) -> &'w str {
        words
            .get(self.rank(words.len()))
            .map_or("a", String::as_str)
    }

    fn phrase(&mut self, words: &[String], length: usize) -> String {
        let words: Vec<&str> = (0..length).map(|_| self.word(words)).collect();
        words.join(" ")
    }
}
