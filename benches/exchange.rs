//! The speed of reading and writing bibliographies, compared with peers in the same run.
//!
//! ```text
//! cargo bench --bench exchange
//! CITATION_BENCH_PYTHON=venv/bin/python cargo bench --bench exchange   # bibtexparser and pybtex too
//! ```
//!
//! Generates a library of 4,000 entries, then ten and a hundred times as many; the last columns compare the
//! time per entry. Times are CPU times, the best of several runs, because wall-clock times are unreliable
//! on a busy machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod clock;

use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

use citation_exchange::{BIBTEX, Format, WriteOptions, read, write};
use citation_model::budget::Budget;
use citation_model::item::Item;
use clock::cpu_time;

const ENTRIES: usize = 4_000;
const RUNS: usize = 5;

/// Reads a file and prints its number of entries and the seconds.
const PEERS: [(&str, &str); 2] = [
    (
        "bibtexparser",
        "import sys, time, bibtexparser\n\
         text = open(sys.argv[1], encoding='utf-8').read()\n\
         parse = getattr(bibtexparser, 'parse_string', None) or bibtexparser.loads\n\
         start = time.process_time(); library = parse(text); end = time.process_time()\n\
         print(len(library.entries), end - start)",
    ),
    (
        "pybtex",
        "import sys, time\n\
         from pybtex.database import parse_string\n\
         text = open(sys.argv[1], encoding='utf-8').read()\n\
         start = time.process_time(); library = parse_string(text, 'bibtex'); end = time.process_time()\n\
         print(len(library.entries), end - start)",
    ),
];

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const UNLIMITED: &str = "an unlimited budget";

fn budget() -> Budget {
    Budget::unlimited()
}

fn main() {
    let text = library(ENTRIES);
    println!("{ENTRIES} entries of BibTeX, {} kB", text.len() / 1000);
    let ours = best(|| {
        read(&text.as_str().into(), &BIBTEX, &budget())
            .expect(UNLIMITED)
            .items
            .len()
    });
    row("citation, into items", ours, ours);
    let crate_peer = best(|| {
        let library = biblatex::Bibliography::parse(&text).expect("a library");
        let typed = |entry: &biblatex::Entry| {
            (
                entry.title().is_ok(),
                entry.author().is_ok(),
                entry.date().is_ok(),
            )
        };
        library
            .iter()
            .filter(|entry| typed(entry) == (true, true, true))
            .count()
    });
    row("biblatex crate, fields read", crate_peer, ours);
    python_peers(&text, ours);

    let items = items(&text);
    for format in Format::writable().filter(|format| format.is_readable()) {
        let options = WriteOptions::default();
        let written = write(&items, format, &options, &budget()).expect(UNLIMITED);
        let writing = best(|| {
            write(&items, format, &options, &budget())
                .expect(UNLIMITED)
                .len()
        });
        let reading = best(|| {
            read(&written.as_str().into(), format, &budget())
                .expect(UNLIMITED)
                .items
                .len()
        });
        println!(
            "{:17} written {:>9.0} entries/s, read {:>9.0} entries/s",
            format.id,
            rate(writing, ENTRIES),
            rate(reading, ENTRIES),
        );
    }
    for (id, head, record, tail) in READ_ONLY {
        let text = format!("{head}{}{tail}", record.repeat(ENTRIES));
        let format = Format::named(id).expect("a format");
        let reading = best(|| {
            let reading = read(&text.as_str().into(), format, &budget()).expect(UNLIMITED);
            assert_eq!(reading.items.len(), ENTRIES, "{id}");
        });
        println!("{id:17} read {:>9.0} entries/s", rate(reading, ENTRIES));
    }
    growth(ours);
}

/// Read-only formats: the start of a file, a record, and the end.
const READ_ONLY: [(&str, &str, &str, &str); 13] = [
    (
        "ovid-tagged",
        "",
        "<1. >\nVN  - Ovid Technologies\nDB  - BIOSIS Previews\nAU  - Doe, Jane B. [Author]\nAU  - Roe, Al [Author]\n\
         TI  - On the origin of records of many kinds\nSO  - Annals of Examples. 201(2-3):327-334, November 15, 2004.\n\
         PT  - Article\nIS  - 0378-1127 (ISSN print)\nLG  - English\nYR  - 2004\nAB  - Records come and go.\n\n",
        "",
    ),
    (
        "wos-tagged",
        "FN Clarivate Analytics Web of Science\nVR 1.0\n",
        "PT J\nAU Doe, J\n   Roe, A\nAF Doe, Jane\n   Roe, Al\nTI On the origin of records of\n   many kinds\n\
         SO ANNALS OF EXAMPLES\nLA English\nDT Article\nDE records; origins\nAB Records come and go.\nSN 0378-1127\n\
         PD DEC 16\nPY 2020\nVL 6\nIS 1\nBP 12\nEP 34\nDI 10.1000/abc\nUT WOS:000000000000001\nER\n\n",
        "",
    ),
    (
        "refworks",
        "",
        "RT Journal Article\nA1 Doe, Jane\nA1 Roe, Al\nT1 On the origin of records of many kinds\nJF Annals of Examples\n\
         YR 2004\nVO 6\nIS 1\nSP 12\nOP 34\nK1 records\nAB Records come and go.\nSN 0378-1127\nDO 10.1000/abc\n\n",
        "",
    ),
    (
        "scopus-csv",
        "Authors,Title,Year,Source title,Volume,Issue,Page start,Page end,DOI,Abstract,Document Type,EID\n",
        "\"Doe, J., Roe, A.\",\"On the origin of records of many kinds\",2004,\"Annals of Examples\",6,1,12,34,10.1000/abc,\
         \"Records come and go.\",Article,2-s2.0-1\n",
        "",
    ),
    (
        "zotero-csv",
        "\"Key\",\"Item Type\",\"Publication Year\",\"Author\",\"Title\",\"Publication Title\",\"ISSN\",\"DOI\",\"Url\",\"Pages\"\n",
        "\"ABCD2345\",\"journalArticle\",\"2004\",\"Doe, Jane; Roe, Al\",\"On the origin of records of many kinds\",\
         \"Annals of Examples\",\"0378-1127\",\"10.1000/abc\",\"https://example.org/abc\",\"12-34\"\n",
        "",
    ),
    (
        "wos-tab",
        "PT\tAU\tAF\tTI\tSO\tPY\tVL\tIS\tBP\tEP\tDI\tUT\n",
        "J\tDoe, J; Roe, A\tDoe, Jane; Roe, Al\tOn the origin of records of many kinds\tANNALS OF EXAMPLES\t2020\t6\t1\t\
         12\t34\t10.1000/abc\tWOS:000000000000001\n",
        "",
    ),
    (
        "pubmed-xml",
        "<?xml version=\"1.0\"?>\n<PubmedArticleSet>\n",
        "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><Journal><ISSN>0378-1127</ISSN><JournalIssue>\
         <Volume>6</Volume><Issue>1</Issue><PubDate><Year>2004</Year></PubDate></JournalIssue><Title>Annals of \
         Examples</Title></Journal><ArticleTitle>On the origin of records of many kinds</ArticleTitle><Pagination>\
         <MedlinePgn>12-34</MedlinePgn></Pagination><AuthorList><Author><LastName>Doe</LastName><ForeName>Jane\
         </ForeName></Author><Author><LastName>Roe</LastName><ForeName>Al</ForeName></Author></AuthorList></Article>\
         </MedlineCitation></PubmedArticle>\n",
        "</PubmedArticleSet>",
    ),
    (
        "jats",
        "<ref-list>",
        "<ref><element-citation publication-type=\"journal\"><person-group person-group-type=\"author\"><name>\
         <surname>Doe</surname><given-names>J</given-names></name><name><surname>Roe</surname><given-names>A\
         </given-names></name></person-group><year>2004</year><article-title>On the origin of records of many kinds\
         </article-title><source>Annals of Examples</source><volume>6</volume><fpage>12</fpage><lpage>34</lpage>\
         </element-citation></ref>\n",
        "</ref-list>",
    ),
    (
        "tei",
        "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><text><back><listBibl>",
        "<biblStruct><analytic><title level=\"a\">On the origin of records of many kinds</title><author><persName>\
         <forename>Jane</forename><surname>Doe</surname></persName></author></analytic><monogr><title level=\"j\">\
         Annals of Examples</title><imprint><biblScope unit=\"volume\">6</biblScope><date when=\"2004\"/></imprint>\
         </monogr></biblStruct>\n",
        "</listBibl></back></text></TEI>",
    ),
    (
        "marcxml",
        "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">",
        "<record><leader>00000nam a2200000 a 4500</leader><datafield tag=\"100\" ind1=\"1\" ind2=\" \"><subfield \
         code=\"a\">Doe, Jane.</subfield></datafield><datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield \
         code=\"a\">On the origin of records of many kinds /</subfield></datafield><datafield tag=\"260\" ind1=\" \" \
         ind2=\" \"><subfield code=\"a\">Oxford :</subfield><subfield code=\"b\">Ring,</subfield><subfield \
         code=\"c\">2004.</subfield></datafield></record>\n",
        "</collection>",
    ),
    (
        "rdf",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:bib=\"http://purl.org/net/biblio#\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:z=\"http://www.zotero.org/namespaces/export#\">",
        "<bib:Book><z:itemType>book</z:itemType><dc:title>On the origin of records of many kinds</dc:title>\
         <dc:publisher>Ring</dc:publisher><dc:date>2004</dc:date></bib:Book>\n",
        "</rdf:RDF>",
    ),
    (
        "contextobject-xml",
        "<context-objects>",
        "<context-object><referent><metadata-by-val><metadata><journal><atitle>On the origin of records of many \
         kinds</atitle><jtitle>Annals of Examples</jtitle><date>2004</date><volume>6</volume></journal></metadata>\
         </metadata-by-val></referent></context-object>\n",
        "</context-objects>",
    ),
    (
        "coins",
        "<html><body>",
        "<span class=\"Z3988\" title=\"ctx_ver=Z39.88-2004&amp;rft_val_fmt=info%3Aofi%2Ffmt%3Akev%3Amtx%3Ajournal&amp;\
         rft.atitle=On+the+origin+of+records&amp;rft.jtitle=Annals+of+Examples&amp;rft.aulast=Doe&amp;rft.aufirst=Jane&amp;\
         rft.au=Roe%2C+Al&amp;rft.date=2004&amp;rft.volume=6&amp;rft.pages=12-34\"></span>\n",
        "</body></html>",
    ),
];

/// The cost of an entry in larger files, as a multiple of that in the small one.
fn growth(small: Duration) {
    for factor in [10, 100] {
        let text = library(ENTRIES * factor);
        let start = cpu_time();
        let found = read(&text.as_str().into(), &BIBTEX, &budget())
            .expect(UNLIMITED)
            .items
            .len();
        let time = cpu_time() - start;
        assert_eq!(found, ENTRIES * factor);
        println!(
            "{:>7} entries: {:>9.0} entries/s, an entry takes {:.2} of its time in {ENTRIES}",
            found,
            rate(time, found),
            time.as_secs_f64() / factor as f64 / small.as_secs_f64(),
        );
    }
}

fn python_peers(text: &str, ours: Duration) {
    let Ok(python) = std::env::var("CITATION_BENCH_PYTHON") else {
        println!("skipped: CITATION_BENCH_PYTHON names no interpreter with bibtexparser or pybtex");
        return;
    };
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("a file");
    for (name, script) in PEERS {
        let output = Command::new(&python)
            .arg("-c")
            .arg(script)
            .arg(file.path())
            .output();
        let answer = output
            .ok()
            .map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
        let seconds = answer.as_deref().and_then(|answer| {
            let (count, seconds) = answer.trim().split_once(' ')?;
            (count.parse() == Ok(ENTRIES))
                .then_some(seconds)?
                .parse()
                .ok()
        });
        match seconds {
            Some(seconds) => row(name, Duration::from_secs_f64(seconds), ours),
            None => println!("skipped: {name} did not read the file"),
        }
    }
}

fn row(name: &str, time: Duration, ours: Duration) {
    println!(
        "{name:28} {:>9.0} entries/s, {:.1} times our time",
        rate(time, ENTRIES),
        time.as_secs_f64() / ours.as_secs_f64(),
    );
}

fn rate(time: Duration, entries: usize) -> f64 {
    entries as f64 / time.as_secs_f64()
}

fn best<T>(mut job: impl FnMut() -> T) -> Duration {
    let once = |_| {
        let start = cpu_time();
        std::hint::black_box(job());
        cpu_time() - start
    };
    (0..RUNS).map(once).min().unwrap_or_default()
}

fn items(text: &str) -> Vec<Item> {
    let reading = read(&text.into(), &BIBTEX, &budget()).expect(UNLIMITED);
    reading.items.into_iter().map(|read| read.item).collect()
}

/// Realistic entries: strings, accents, braces, occasional long abstracts.
fn library(entries: usize) -> String {
    const NAMES: [&str; 6] = [
        "Smith, John B.",
        "Garc{\\'i}a M{\\'a}rquez, Gabriel",
        "van der Berg, Anna",
        "M{\\\"u}ller, J{\\\"o}rg",
        "{World Health Organization}",
        "King, Jr., Martin L.",
    ];
    const TITLES: [&str; 4] = [
        "On the Growth of {mRNA} Networks in \\emph{E. coli}",
        "A Study of $\\alpha$-Decay and Its Consequences",
        "{\\'E}tude sur la r{\\'e}volution fran{\\c{c}}aise",
        "Deep Learning for Citations: A Survey",
    ];
    let pick = |list: &'static [&str], n: usize| list[n % list.len()];
    let mut text = String::from("@string{jacs = {Journal of the American Chemical Society}}\n");
    for n in 0..entries {
        let kind = ["article", "inproceedings", "book"][n % 3];
        let _ = write!(
            text,
            "@{kind}{{key{n},\n  author = {{{} and {}}},\n  title = {{{} {n}}},\n  year = {},\n",
            pick(&NAMES, n),
            pick(&NAMES, n / 2 + 1),
            pick(&TITLES, n),
            1950 + n % 75,
        );
        match kind {
            "article" => text.push_str("  journal = jacs,\n  volume = 12,\n  number = {3},\n"),
            "book" => text.push_str("  publisher = {Example \\& Sons},\n  address = {Oxford},\n"),
            _ => text.push_str("  booktitle = {Proceedings of the Conference on Things},\n"),
        }
        let _ = write!(
            text,
            "  pages = {{{}--{}}},\n  doi = {{10.1000/bench.{n}}},\n  url = {{https://example.org/{n}}}",
            n % 900 + 1,
            n % 900 + 12,
        );
        if n % 4 == 0 {
            let words = "The quick brown fox jumps over the lazy dog. ".repeat(20);
            let _ = write!(text, ",\n  abstract = {{{words}}}");
        }
        text.push_str("\n}\n\n");
    }
    text
}
