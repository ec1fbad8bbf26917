//! What a newer file of a source costs, compared with the first one: DBLP's records, of which one in a hundred
//! has changed.
//!
//! ```text
//! cargo bench --bench update                        # 100,000 records
//! CITATION_BENCH_RECORDS=1000000 cargo bench --bench update
//! ```
//!
//! The file is one gzipped XML document, as DBLP publishes it. Limit: 3 % of the first ingest.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use citation::corpus::Corpus;
use citation::corpus::ingest::{IngestOptions, IngestSummary, ingest};
use citation::store::{Store, StoreSettings};
use flate2::Compression;
use flate2::write::GzEncoder;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// One record in so many changes.
const CHANGED: usize = 100;

fn main() {
    let records = std::env::var("CITATION_BENCH_RECORDS").ok();
    let records: usize = records
        .and_then(|text| text.parse().ok())
        .unwrap_or(100_000);
    let place = tempfile::tempdir().expect("a directory for the bench");
    let file = place.path().join("dblp.xml.gz");
    let settings = StoreSettings::default();
    let store = Store::open(&place.path().join("data"), &settings).expect("a store");
    let corpus = Corpus::open(Arc::new(store));

    generate(&file, records, 0);
    let (first, first_took) = read(&corpus, &file);
    assert_eq!((first.works.new, first.rejected), (records as u64, 0));
    report("first file", records, first_took);

    generate(&file, records, 1);
    let (second, second_took) = read(&corpus, &file);
    let changed = records.div_ceil(CHANGED) as u64;
    assert_eq!(
        (second.works.changed, second.works.unchanged),
        (changed, records as u64 - changed)
    );
    report("second file, 1 % changed", records, second_took);

    let percent =
        |part: Duration, whole: Duration| 100.0 * part.as_secs_f64() / whole.as_secs_f64();
    println!(
        "the second costs {:.1} % of the time and {:.1} % of the CPU time of the first (limit 3 %)",
        percent(second_took.0, first_took.0),
        percent(second_took.1, first_took.1)
    );
}

/// Wall-clock and CPU time of an ingest, with its index.
fn read(corpus: &Corpus, file: &Path) -> (IngestSummary, (Duration, Duration)) {
    let (wall, cpu) = (Instant::now(), cpu_time());
    let files = [PathBuf::from(file)];
    let stop = AtomicBool::new(false);
    let options = IngestOptions::default();
    let summary = ingest(corpus, &files, &options, &stop, &mut |_| {}).expect("an ingest");
    (summary, (wall.elapsed(), cpu_time() - cpu))
}

/// Of the whole process, in steps of 10 ms.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_whitespace().skip(11).take(2);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn report(name: &str, records: usize, (wall, cpu): (Duration, Duration)) {
    let each = |time: Duration| time.as_secs_f64() * 1e6 / records as f64;
    println!(
        "{name:<28} {:>8.2} s {:>8.2} µs each {:>8.2} µs CPU",
        wall.as_secs_f64(),
        each(wall),
        each(cpu)
    );
}

const WORDS: [&str; 12] = [
    "distributed",
    "learning",
    "graphs",
    "queries",
    "robust",
    "streams",
    "proofs",
    "networks",
    "types",
    "search",
    "memory",
    "sparse",
];

/// A file of records. `edition` is that of every hundredth one.
fn generate(path: &Path, records: usize, edition: usize) {
    let file = BufWriter::new(File::create(path).expect("a file"));
    let mut out = GzEncoder::new(file, Compression::fast());
    writeln!(out, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE dblp SYSTEM \"dblp.dtd\">\n<dblp>").unwrap();
    for n in 0..records {
        let of_record = if n % CHANGED == 0 { edition } else { 0 };
        let word = |at: usize| WORDS[(n / (at * at + 1) + at * 5) % WORDS.len()];
        writeln!(
            out,
            "<article mdate=\"202{}-0{}-1{}\" key=\"journals/j{}/P{n}\">\n<author orcid=\"0000-0001-{:04}-{:04}\">Ada {} {:04}</author>\n\
             <author>Bo Example {:04}</author>\n<title>On {} {} for {} {} number {n}.</title>\n<pages>{}-{}</pages>\n<year>{}</year>\n\
             <volume>{}</volume>\n<journal>J. Ex. {}</journal>\n<number>{}</number>\n<ee type=\"oa\">https://doi.org/10.5555/DBLP.{n}</ee>\n\
             <url>db/journals/j{}/j{}.html#P{n}</url>\n</article>",
            3 + of_record,
            n % 9 + 1,
            n % 9,
            n % 500,
            n % 10_000,
            (n * 7) % 10_000,
            word(1),
            n % 4_000,
            n % 7_000,
            word(2),
            word(3),
            word(4),
            word(5 + of_record),
            n % 900,
            n % 900 + 12,
            1980 + n % 45,
            n % 90 + 1,
            n % 500,
            n % 12 + 1,
            n % 500,
            n % 90,
        )
        .unwrap();
    }
    writeln!(out, "</dblp>").unwrap();
    out.finish().unwrap().flush().unwrap();
}
