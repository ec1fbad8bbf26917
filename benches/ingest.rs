//! What an ingest costs beside its bare steps, and that its memory does not grow with the file.
//!
//! ```text
//! cargo bench --bench ingest                       # 100,000 records; memory with 1,000,000 too
//! CITATION_BENCH_RECORDS=20000 cargo bench --bench ingest
//! ```
//!
//! Records are like Crossref's: some 8 kB of JSON a line, gzipped, the same every time. Each step
//! is measured alone on one thread, then the ingest of the same file with everything in it: gunzip,
//! JSON, mapping, compression, merging, database, index.

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
use citation::model::identifier::{Doi, Identifier};
use citation::model::item::Item;
use citation::model::variable::{NameVar, NumberVar, TextVar};
use citation::records::crossref;
use citation::store::{Store, StoreSettings};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--memory-of") {
        return memory_child(Path::new(&arguments[at + 1]));
    }
    let records = std::env::var("CITATION_BENCH_RECORDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(100_000);
    let place = tempfile::tempdir().expect("a directory for the bench");
    let file = place.path().join("small.jsonl.gz");
    generate(&file, records);
    let slowest = steps(&file, records, place.path());
    whole(&file, records, slowest, place.path());
    memory(&file, records, place.path());
}

/// A figure of one step.
fn report(name: &str, records: usize, time: Duration) -> f64 {
    let rate = records as f64 / time.as_secs_f64();
    println!(
        "{name:<44} {rate:>10.0} records/s {:>8.2} µs each",
        time.as_secs_f64() * 1e6 / records as f64
    );
    rate
}

/// Measures every step alone and gives the rate of the slowest.
fn steps(file: &Path, records: usize, place: &Path) -> f64 {
    let mut slowest = f64::INFINITY;
    let mut note = |name: &str, time| slowest = slowest.min(report(name, records, time));

    let started = Instant::now();
    let mut sink = vec![0; 256 << 10];
    let mut reader = unpack(file);
    while reader.read(&mut sink).expect("sound gzip") > 0 {}
    note("gunzip", started.elapsed());

    let mut time = Duration::ZERO;
    let mut works = Vec::new();
    let mut mapping = Duration::ZERO;
    for line in BufReader::with_capacity(256 << 10, unpack(file)).split(b'\n') {
        let line = line.expect("sound gzip");
        let started = Instant::now();
        black_box(crossref::Record::from_slice(&line).expect("a record"));
        time += started.elapsed();
        let started = Instant::now();
        works.push(crossref::from_slice(&line).expect("a work"));
        mapping += started.elapsed();
    }
    note("JSON to a typed record", time);
    report("  JSON to a mapped work", records, mapping);

    let store = store(&place.join("steps"));
    let items: Vec<Item> = works.iter().map(|work| work.item.clone()).collect();
    let started = Instant::now();
    let prepared: Vec<_> = works
        .into_iter()
        .map(|work| store.prepare(work).expect("a work"))
        .collect();
    report("  compression, keys, hash", records, started.elapsed());
    let started = Instant::now();
    for batch in prepared.chunks(1000) {
        store.put(batch).expect("a write");
    }
    note("SQLite insert", started.elapsed());
    drop(prepared);

    note("tantivy add", tantivy_alone(&items, &place.join("bare")));
    drop(items);

    let corpus = Corpus::open(Arc::new(store));
    let started = Instant::now();
    corpus.index_pending().expect("an index");
    report("  index from the database", records, started.elapsed());
    lookups(&corpus, records);
    slowest
}

/// The bare cost of tantivy: the same terms into a lean index, its own plain tokenizer.
fn tantivy_alone(items: &[Item], place: &Path) -> Duration {
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
    let started = Instant::now();
    for (n, words) in texts.into_iter().enumerate() {
        let mut document = tantivy::TantivyDocument::default();
        document.add_u64(id, n as u64);
        document.add_text(text, words);
        writer.add_document(document).expect("a document");
    }
    writer.commit().expect("a commit");
    started.elapsed()
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

/// Lookups by DOI, record unpacked and parsed, on one thread.
fn lookups(corpus: &Corpus, records: usize) {
    let lookups = 100_000;
    let mut random = Random(7);
    let started = Instant::now();
    for _ in 0..lookups {
        let doi = doi(random.below(records as u64) as usize);
        let doi = Doi::parse(&doi).expect("a DOI");
        let work = corpus.get(&Identifier::Doi(doi)).expect("a read");
        assert!(black_box(work).is_some());
    }
    let each = started.elapsed().as_secs_f64() * 1e6 / f64::from(lookups);
    println!("{:<44} {each:>10.2} µs each", "  lookup by DOI");
}

/// The ingest of the file with all that belongs to it.
fn whole(file: &Path, records: usize, slowest: f64, place: &Path) {
    let corpus = Corpus::open(Arc::new(store(&place.join("whole"))));
    let options = IngestOptions::default();
    let stop = AtomicBool::new(false);
    let mut read = Duration::ZERO;
    let started = Instant::now();
    let summary = ingest(
        &corpus,
        &[file.to_owned()],
        &options,
        &stop,
        &mut |progress| {
            if progress.records as usize == records && read.is_zero() {
                read = started.elapsed();
            }
        },
    )
    .expect("an ingest");
    let time = started.elapsed();
    assert_eq!(summary.new as usize, records);
    report("ingest until all is stored", records, read);
    let rate = report("ingest until all is stored and indexed", records, time);
    println!(
        "{:<44} {:>10.2}   target 0.70",
        "ratio to the slowest step",
        rate / slowest
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
        "{:<44} {:>10.2}   target 1.20",
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

/// Ingests a file and prints the peak of this process's own memory, files mapped into it left out.
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

/// Anonymous memory of this process in KiB: what the system cannot take back.
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

/// DOIs in no order, as in the real files.
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
    let references: Vec<String> = (0..20 + random.below(24))
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
    let journal = format!(
        "{} of {}",
        capital(&words[random.below(500) as usize]),
        capital(&words[random.below(500) as usize])
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

    /// Words by Zipf's law, about: the rank is the vocabulary's size to a random power.
    fn word<'w>(&mut self, words: &'w [String]) -> &'w str {
        let uniform = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        let rank = (words.len() as f64).powf(uniform) as usize;
        words.get(rank - 1).map_or("a", String::as_str)
    }

    fn phrase(&mut self, words: &[String], length: usize) -> String {
        let words: Vec<&str> = (0..length).map(|_| self.word(words)).collect();
        words.join(" ")
    }
}
