//! Ingest: every kind of file, interrupted and broken.

use citation_testing::{Random, suite};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use citation::corpus::Corpus;
use citation::corpus::ingest::{FileOutcome, IngestOptions, IngestSummary, RecordFormat, ingest};
use citation::store::{Store, StoreSettings};
use citation_model::identifier::Identifier;
use citation_model::variable::{NameVar, TextVar};

struct Bench {
    directory: tempfile::TempDir,
    corpus: Corpus,
}

impl Bench {
    fn new() -> Bench {
        let directory = tempfile::tempdir().unwrap();
        let corpus = open(&directory.path().join("data"));
        Bench { directory, corpus }
    }

    /// Writes a file to be ingested.
    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.directory.path().join("files").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    fn ingest(&self, paths: &[&Path]) -> IngestSummary {
        self.ingest_with(paths, &IngestOptions::default())
    }

    fn ingest_with(&self, paths: &[&Path], options: &IngestOptions) -> IngestSummary {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
        let stop = AtomicBool::new(false);
        ingest(&self.corpus, &paths, options, &stop, &mut |_| {}).unwrap()
    }

    fn titles(&self) -> Vec<String> {
        contents(&self.corpus)
            .iter()
            .map(|(_, json)| {
                let item: serde_json::Value = serde_json::from_str(json).unwrap();
                item["title"].as_str().unwrap_or_default().to_owned()
            })
            .collect()
    }
}

fn open(data: &Path) -> Corpus {
    let store = Store::open(data, &StoreSettings::default()).unwrap();
    Corpus::open(Arc::new(store))
}

/// Every work with its number and its whole record.
fn contents(corpus: &Corpus) -> Vec<(i64, String)> {
    let items = corpus
        .store()
        .items_after(0, i64::MAX, usize::MAX >> 1)
        .unwrap();
    items
        .into_iter()
        .map(|(id, item)| (id, serde_json::to_string(&item).unwrap()))
        .collect()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

fn crossref(n: usize, title: &str) -> String {
    format!(
        r#"{{"DOI":"10.5555/{n}","type":"journal-article","title":["{title}"],"member":"1",
            "prefix":"10.5555","container-title":["A Journal"],"indexed":{{"timestamp":1000}},
            "author":[{{"family":"Noether","given":"Emmy"}}],"reference":[{{"key":"]}}\""}}]}}"#
    )
    .replace('\n', " ")
}

fn lines(range: std::ops::Range<usize>) -> Vec<u8> {
    range
        .map(|n| crossref(n, &format!("Paper {n}")) + "\n")
        .collect::<String>()
        .into_bytes()
}

fn items(range: std::ops::Range<usize>) -> Vec<u8> {
    let records: Vec<String> = range.map(|n| crossref(n, &format!("Paper {n}"))).collect();
    format!("{{\"items\": [{}]}}", records.join(",\n")).into_bytes()
}

fn assert_sound(corpus: &Corpus) {
    let found = corpus.verify().unwrap();
    assert!(found.is_sound(), "{found:?}");
}

#[test]
fn packing_and_framing_do_not_change_the_corpus() {
    let tarred = tar(&[
        ("all/0.json.gz", &gzip(&items(0..300))),
        (
            "all/2019-01.csv.gz",
            &gzip(b"doi,state\n10.5555/1,findable\n"),
        ),
        ("all/1.json.gz", &gzip(&items(300..700))),
    ]);
    let array = String::from_utf8(items(0..700)).unwrap();
    let array = array
        .strip_prefix("{\"items\": ")
        .unwrap()
        .strip_suffix('}')
        .unwrap();
    let zstd = zstd::bulk::compress(&lines(0..700), 3).unwrap();
    let files: [(&str, Vec<u8>); 9] = [
        ("plain.jsonl", lines(0..700)),
        ("packed.jsonl.gz", gzip(&lines(0..700))),
        (
            "two-streams.jsonl.gz",
            [gzip(&lines(0..10)), gzip(&lines(10..700))].concat(),
        ),
        ("packed.jsonl.zst", zstd),
        ("items.json", items(0..700)),
        ("items.json.gz", gzip(&items(0..700))),
        ("array.json", array.as_bytes().to_vec()),
        ("dump.tar", tarred.clone()),
        ("dump.tar.gz", gzip(&tarred)),
    ];
    let mut expected: Option<Vec<(i64, String)>> = None;
    for (name, content) in &files {
        let bench = Bench::new();
        let file = bench.file(name, content);
        let summary = bench.ingest(&[&file]);
        assert_eq!(
            (summary.works.new, summary.rejected),
            (700, 0),
            "{name}: {summary:?}"
        );
        assert!(summary.is_complete(), "{name}");
        let found = contents(&bench.corpus);
        assert_sound(&bench.corpus);
        assert_eq!(
            *expected.get_or_insert_with(|| found.clone()),
            found,
            "{name}"
        );
    }
}

#[test]
fn second_ingest_changes_nothing() {
    let bench = Bench::new();
    let file = bench.file("a.jsonl", &lines(0..300));
    bench.ingest(&[&file]);
    let before = (
        contents(&bench.corpus),
        bench.corpus.store().change_range().unwrap(),
    );
    let summary = bench.ingest(&[&file]);
    assert_eq!(summary.files[0].outcome, FileOutcome::AlreadyDone);
    assert_eq!(summary.records, 0);
    let again = IngestOptions {
        again: true,
        ..IngestOptions::default()
    };
    let summary = bench.ingest_with(&[&file], &again);
    assert_eq!(
        (
            summary.works.unchanged,
            summary.works.new,
            summary.works.changed
        ),
        (300, 0, 0)
    );
    let after = (
        contents(&bench.corpus),
        bench.corpus.store().change_range().unwrap(),
    );
    assert_eq!(before, after);
}

#[test]
fn newer_file_at_the_same_place_is_read_where_it_differs() {
    let bench = Bench::new();
    let mut records: Vec<String> = { 0..20_000 }
        .map(|n| crossref(n, &format!("Paper {n}")) + "\n")
        .collect();
    let write = |records: &[String]| bench.file("dump.jsonl", records.concat().as_bytes());
    records[3] = "{\"title\": [\"No DOI\"]}\n".to_owned();
    let file = write(&records);
    let first = bench.ingest(&[&file]);
    assert_eq!((first.works.new, first.rejected), (19_999, 1));

    // A record that is the same is not even stored again.
    let doi = |n: usize| Identifier::parse(&format!("10.5555/{n}")).unwrap();
    let store = bench.corpus.store();
    assert!(store.delete_work(&doi(7)).unwrap());
    let changed =
        crossref(12_000, "Other title").replace("\"timestamp\":1000", "\"timestamp\":900000");
    records[12_000] = changed + "\n";
    records.remove(15_000);
    records.insert(40, crossref(20_000, "Inserted") + "\n");
    records.swap(100, 4_000);
    let file = write(&records);
    let second = bench.ingest(&[&file]);
    let counts = (
        second.records,
        second.works.new,
        second.works.changed,
        second.works.unchanged,
        second.rejected,
    );
    assert_eq!(counts, (20_000, 1, 1, 19_997, 1), "{second:?}");
    assert!(store.work(&doi(7)).unwrap().is_none());
    let title = work(&bench.corpus, "10.5555/12000").item;
    assert_eq!(title.text(TextVar::Title), Some("Other title"));
    let rejects = std::fs::read_to_string(second.files[0].rejects.as_ref().unwrap()).unwrap();
    assert!(rejects.contains("\"record\":4,"), "{rejects}");

    // The third file is compared with the second.
    records[12_001] =
        crossref(12_001, "Third").replace("\"timestamp\":1000", "\"timestamp\":900000") + "\n";
    let third = bench.ingest(&[&write(&records)]);
    assert_eq!(
        (third.works.changed, third.works.unchanged, third.rejected),
        (1, 19_998, 1),
        "{third:?}"
    );

    let again = IngestOptions {
        again: true,
        ..IngestOptions::default()
    };
    assert_eq!(bench.ingest_with(&[&file], &again).works.new, 1);
    assert!(store.work(&doi(7)).unwrap().is_some());
}

#[test]
fn directory_ingest_skips_other_files() {
    let bench = Bench::new();
    let first = bench.file("dump/0.json.gz", &gzip(&items(0..3)));
    bench.file("dump/deep/1.json.gz", &gzip(&items(3..5)));
    bench.file("dump/README.md", b"# Hello\n");
    bench.file("dump/.hidden.json", &items(5..9));
    let summary = bench.ingest(&[first.parent().unwrap()]);
    assert_eq!(summary.works.new, 5);
    assert!(summary.is_complete());
    let skipped = |file: &citation::corpus::ingest::FileSummary| {
        matches!(file.outcome, FileOutcome::Skipped { .. })
    };
    assert_eq!(summary.files.iter().filter(|file| skipped(file)).count(), 1);
}

#[test]
fn named_file_of_unknown_format_is_an_error() {
    let bench = Bench::new();
    let file = bench.file("notes.txt", b"Just some notes.\n");
    let summary = bench.ingest(&[&file]);
    assert!(matches!(
        summary.files[0].outcome,
        FileOutcome::Broken { .. }
    ));
    assert!(!summary.is_complete());
}

#[test]
fn bad_records_are_reported_and_never_stop_the_run() {
    let bench = Bench::new();
    let good = crossref(1, "Good");
    let content = format!(
        "{good}\n{{\"DOI\":\"10.5555/2\",\"title\":[\"cut\n\
         {{\"DOI\":\"nonsense\",\"type\":\"book\",\"title\":[\"No DOI\"]}}\n\
         not json at all\n{}\n",
        crossref(3, "Good too")
    );
    let file = bench.file("mixed.jsonl", content.as_bytes());
    let summary = bench.ingest(&[&file]);
    assert_eq!(
        (summary.records, summary.works.new, summary.rejected),
        (5, 2, 3)
    );
    let text = std::fs::read_to_string(summary.files[0].rejects.as_ref().unwrap()).unwrap();
    let rejects: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rejects.len(), 3);
    for (reject, (record, starts)) in
        rejects
            .iter()
            .zip([(2, "{\"DOI\":\"10"), (3, "{"), (4, "not")])
    {
        assert_eq!(reject["record"], record);
        let offset = reject["offset"].as_u64().unwrap() as usize;
        assert!(content[offset..].starts_with(starts), "{reject}");
        assert!(reject["snippet"].as_str().unwrap().starts_with(starts));
        assert!(!reject["reason"].as_str().unwrap().is_empty());
    }
    assert_eq!(bench.titles(), ["Good", "Good too"]);
}

#[test]
fn truncated_gzip_keeps_records_before_the_break() {
    let bench = Bench::new();
    let whole = gzip(&lines(0..5000));
    let file = bench.file("cut.jsonl.gz", &whole[..whole.len() / 2]);
    let summary = bench.ingest(&[&file]);
    let FileOutcome::Broken { reason } = &summary.files[0].outcome else {
        panic!("{summary:?}");
    };
    assert!(reason.contains("too early"), "{reason}");
    assert!(
        summary.works.new > 100 && summary.works.new < 5000,
        "{summary:?}"
    );
    assert_eq!(contents(&bench.corpus).len() as u64, summary.works.new);
    assert_sound(&bench.corpus);
    // The whole file, when it has come, is another file; what is there already is known.
    let file = bench.file("cut.jsonl.gz", &whole);
    let second = bench.ingest(&[&file]);
    assert_eq!(second.works.new + summary.works.new, 5000);
    assert_eq!(second.works.changed, 0);
}

#[test]
fn overlong_record_is_skipped_and_reported() {
    let long = "x".repeat(65 << 20);
    let check = |name: &str, content: String, format: Option<RecordFormat>| {
        let bench = Bench::new();
        let at = content.find(&long).unwrap() as u64;
        let file = bench.file(name, content.as_bytes());
        let options = IngestOptions {
            format,
            ..IngestOptions::default()
        };
        let summary = bench.ingest_with(&[&file], &options);
        assert_eq!(bench.titles(), ["Before", "After"], "{name}: {summary:?}");
        assert_eq!(summary.files[0].too_long, 1, "{name}");
        assert!(!summary.is_complete(), "{name}");
        let text = std::fs::read_to_string(summary.files[0].rejects.as_ref().unwrap()).unwrap();
        let reject: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(reject["record"], 2, "{name}");
        let offset = reject["offset"].as_u64().unwrap();
        assert!(offset < at && at - offset < 200, "{name}: {reject}");
    };
    let [before, after] = [crossref(1, "Before"), crossref(3, "After")];
    let middle = crossref(2, &long);
    check("a.jsonl", format!("{before}\n{middle}\n{after}\n"), None);
    check(
        "a.json",
        format!("{{\"items\":[{before},{middle},{after}]}}"),
        None,
    );
    let article = |n: u32, title: &str| {
        format!(
            "<PubmedArticle><MedlineCitation><PMID>{n}</PMID><Article><ArticleTitle>{title}\
             </ArticleTitle></Article></MedlineCitation></PubmedArticle>\n"
        )
    };
    check(
        "a.xml",
        format!(
            "<PubmedArticleSet>\n{}{}{}</PubmedArticleSet>",
            article(1, "Before"),
            article(2, &long),
            article(3, "After")
        ),
        Some(RecordFormat::Pubmed),
    );
}

#[test]
fn overlong_bibtex_entry_affects_only_itself() {
    let bench = Bench::new();
    let entry = |key: &str, title: &str| format!("@book{{{key}, title = {{{title}}}}}\n");
    let content = [
        entry("a", "Before"),
        entry("b", &"x".repeat(65 << 20)),
        entry("c", "After"),
        entry("d", "Last"),
    ];
    let file = bench.file("a.bib", content.concat().as_bytes());
    let summary = bench.ingest(&[&file]);
    assert_eq!(bench.titles(), ["Before", "After", "Last"], "{summary:?}");
    assert_eq!(summary.files[0].too_long, 1);
}

#[test]
fn truncated_file_is_not_finished() {
    let bench = Bench::new();
    let whole = format!("{{\"items\":[{},{}]}}", crossref(1, "A"), crossref(2, "B"));
    let file = bench.file("cut.json", &whole.as_bytes()[..whole.len() - 20]);
    for _ in 0..2 {
        let summary = bench.ingest(&[&file]);
        assert!(
            matches!(summary.files[0].outcome, FileOutcome::Broken { .. }),
            "{summary:?}"
        );
    }
    assert_eq!(bench.titles(), ["A"]);
}

#[test]
fn broken_member_affects_only_itself() {
    let bench = Bench::new();
    let mut broken = gzip(&items(10..500));
    let middle = broken.len() / 2;
    broken.truncate(middle);
    let archive = tar(&[
        ("0.json.gz", &gzip(&items(0..10))),
        ("1.json.gz", &broken),
        (
            "2.json",
            b"{\"items\":[{\"DOI\":\"10.5555/900\",\"prefix\":\"10\",\"member\":\"1\",",
        ),
        ("3.json.gz", &gzip(&items(500..510))),
    ]);
    let file = bench.file("dump.tar", &archive);
    let summary = bench.ingest(&[&file]);
    assert_eq!(
        summary.files[0].outcome,
        FileOutcome::Finished,
        "{summary:?}"
    );
    assert!(summary.rejected >= 2, "{summary:?}");
    let text = std::fs::read_to_string(summary.files[0].rejects.as_ref().unwrap()).unwrap();
    assert!(
        text.contains("1.json.gz") && text.contains("2.json"),
        "{text}"
    );
    for doi in ["10.5555/0", "10.5555/509"] {
        let identifier = Identifier::parse(doi).unwrap();
        assert!(bench.corpus.get(&identifier).unwrap().is_some(), "{doi}");
    }
}

#[test]
fn damaged_files_of_every_kind_do_no_harm() {
    let gz = gzip(&lines(0..50));
    let mut flipped = gz.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0xff;
    let garbage: Vec<u8> = (0..5000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let files: [(&str, Vec<u8>); 9] = [
        ("empty.json", Vec::new()),
        ("empty.json.gz", gzip(b"")),
        ("magic-only.gz", vec![0x1f, 0x8b]),
        ("flipped.jsonl.gz", flipped),
        ("garbage.json", garbage.clone()),
        ("garbage.tar", [tar(&[("a.json", b"[]")]), garbage].concat()),
        ("deep.json", "[".repeat(100_000).into_bytes()),
        ("nul.jsonl", vec![0; 4096]),
        ("utf16.json", [0xff, 0xfe, b'[', 0, b']', 0].to_vec()),
    ];
    let bench = Bench::new();
    for (name, content) in &files {
        let file = bench.file(name, content);
        let options = IngestOptions {
            format: Some(RecordFormat::Crossref),
            ..IngestOptions::default()
        };
        bench.ingest_with(&[&file], &options);
        let other = Bench::new();
        other.ingest(&[&file]);
    }
    assert_sound(&bench.corpus);
}

#[test]
fn own_files_are_ingested() {
    let bench = Bench::new();
    let array = bench.file(
        "refs.json",
        br#"[{"id":"a","type":"book","title":"Alpha","ISBN":"9780198526636"},
            {"id":"b","type":"book","title":"Beta"}]"#,
    );
    let pretty = bench.file(
        "one.json",
        b"{\n  \"id\": \"c\",\n  \"type\": \"book\",\n  \"title\": \"Gamma\"\n}\n",
    );
    let summary = bench.ingest(&[&array, &pretty]);
    assert_eq!((summary.works.new, summary.rejected), (3, 0), "{summary:?}");
    assert_eq!(bench.titles(), ["Alpha", "Beta", "Gamma"]);

    // An edited file replaces what it said before; it is another file for having another time.
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    let array = bench.file(
        "refs.json",
        br#"[{"id":"a","type":"book","title":"Alpha","ISBN":"9780198526636"},
            {"id":"b","type":"book","title":"Beta, revised"}]"#,
    );
    std::fs::File::options()
        .append(true)
        .open(&array)
        .unwrap()
        .set_modified(later)
        .unwrap();
    let summary = bench.ingest(&[&array]);
    assert_eq!(
        (
            summary.works.new,
            summary.works.changed,
            summary.works.unchanged
        ),
        (0, 1, 1),
        "{summary:?}"
    );
    assert_eq!(bench.titles(), ["Alpha", "Beta, revised", "Gamma"]);
}

#[test]
fn bibtex_and_ris() {
    let bench = Bench::new();
    let bib = bench.file(
        "refs.bib",
        b"@string{j = {Journal of Things}}\n\
          @article{a, author={Noether, Emmy}, title={On A}, journal=j, year=1918, doi={10.5555/a}}\n\
          @book{b, author={Curie, Marie}, title={On B}, year=1904}\n",
    );
    let ris = bench.file(
        "refs.ris",
        b"TY  - JOUR\r\nTI  - On C\r\nAU  - Meitner, Lise\r\nPY  - 1939\r\nDO  - 10.5555/c\r\nER  - \r\n",
    );
    let summary = bench.ingest(&[&bib, &ris]);
    assert_eq!((summary.works.new, summary.rejected), (3, 0), "{summary:?}");
    assert_eq!(bench.titles(), ["On A", "On B", "On C"]);
}

#[test]
fn open_librarys_files_are_joined_in_any_order() {
    let author = |n: usize, name: &str| {
        format!(
            "/type/author\t/authors/OL{n}A\t2\t2020-01-01T00:00:00\t\
             {{\"key\": \"/authors/OL{n}A\", \"name\": \"{name}\", \"bio\": \"long\"}}\n"
        )
    };
    let works = "/type/work\t/works/OL7W\t3\t2020-01-01T00:00:00\t{\"key\": \"/works/OL7W\", \
                 \"title\": \"Emma\", \"authors\": [{\"author\": {\"key\": \"/authors/OL1A\"}}]}\n";
    let editions = "/type/edition\t/books/OL5M\t1\t2020-01-01T00:00:00\t{\"key\": \"/books/OL5M\", \
                    \"title\": \"Emma\", \"works\": [{\"key\": \"/works/OL7W\"}], \
                    \"isbn_13\": [\"9780198526636\"]}\n\
                    /type/edition\t/books/OL6M\t1\t2020-01-01T00:00:00\t{\"key\": \"/books/OL6M\", \
                    \"title\": \"Emma again\", \"authors\": [{\"key\": \"/authors/OL2A\"}]}\n\
                    /type/redirect\t/books/OL8M\t1\t2020-01-01T00:00:00\t{\"key\": \"/books/OL8M\"}\n";
    let old = "/type/author\t/authors/OL1A\t1\t2019-01-01T00:00:00\t{\"name\": \"J. A.\"}\n";
    let authors = author(1, "Jane Austen") + old + &author(2, "Somebody Else");
    let bench = Bench::new();
    let editions = bench.file("ol_dump_editions.txt.gz", &gzip(editions.as_bytes()));
    let works = bench.file("ol_dump_works.txt.gz", &gzip(works.as_bytes()));
    let authors = bench.file("ol_dump_authors.txt.gz", &gzip(authors.as_bytes()));
    let summary = bench.ingest(&[&editions, &works, &authors]);
    assert_eq!((summary.works.new, summary.rejected), (2, 0), "{summary:?}");
    let isbn = Identifier::parse("9780198526636").unwrap();
    let work = bench.corpus.get(&isbn).unwrap().unwrap();
    assert_eq!(
        work.item.names(NameVar::Author)[0].family.as_deref(),
        Some("Austen")
    );
    let second = bench.ingest(&[&authors, &editions, &works]);
    assert_eq!(second.records, 0);
    // Nothing of the join stays behind.
    let left = std::fs::read_dir(bench.directory.path().join("data/tmp")).unwrap();
    assert_eq!(left.count(), 0);
}

#[test]
fn pubmed_withdraws_records() {
    let article = |pmid: usize| {
        format!(
            "<PubmedArticle><MedlineCitation Status=\"MEDLINE\" Owner=\"NLM\">\
             <PMID Version=\"1\">{pmid}</PMID><Article PubModel=\"Print\"><Journal>\
             <Title>A Journal</Title></Journal><ArticleTitle>Paper {pmid}</ArticleTitle>\
             </Article></MedlineCitation></PubmedArticle>\n"
        )
    };
    let bench = Bench::new();
    let baseline = format!(
        "<?xml version=\"1.0\"?>\n<PubmedArticleSet>\n{}{}</PubmedArticleSet>\n",
        article(11),
        article(12)
    );
    let update = format!(
        "<?xml version=\"1.0\"?>\n<PubmedArticleSet>\n{}<DeleteCitation>\
         <PMID Version=\"1\">11</PMID><PMID Version=\"1\">99</PMID></DeleteCitation>\n\
         </PubmedArticleSet>\n",
        article(13)
    );
    let baseline = bench.file("pubmed24n0001.xml.gz", &gzip(baseline.as_bytes()));
    let update = bench.file("pubmed24n1220.xml.gz", &gzip(update.as_bytes()));
    let summary = bench.ingest(&[&baseline, &update]);
    assert_eq!(
        (summary.works.new, summary.works.deleted, summary.rejected),
        (3, 1, 0),
        "{summary:?}"
    );
    assert_eq!(bench.titles().len(), 2);
    let pmid = Identifier::parse("PMID:11").unwrap();
    assert_eq!(bench.corpus.get(&pmid).unwrap(), None);
    assert_sound(&bench.corpus);
}

#[test]
fn stopped_ingest_resumes() {
    let bench = Bench::new();
    let file = bench.file("a.jsonl.gz", &gzip(&lines(0..6000)));
    let mut runs = 0;
    loop {
        runs += 1;
        let stop = AtomicBool::new(false);
        let summary = ingest(
            &bench.corpus,
            std::slice::from_ref(&file),
            &IngestOptions::default(),
            &stop,
            &mut |progress| {
                if progress.records > 0 {
                    stop.store(true, std::sync::atomic::Ordering::Relaxed);
                }
            },
        )
        .unwrap();
        assert_eq!(
            summary.works.new, summary.records,
            "nothing is read twice: {summary:?}"
        );
        if !summary.stopped {
            break;
        }
    }
    assert!(runs > 1);
    assert_eq!(contents(&bench.corpus).len(), 6000);
    assert_sound(&bench.corpus);
}

/// A file of one batch is whole when the ingest is stopped: the next run finds nothing more in it, and
/// neither calls it unknown nor begins again.
#[test]
fn ingest_stopped_after_last_record_is_finished() {
    let bench = Bench::new();
    let file = bench.file("a.jsonl.gz", &gzip(&lines(0..30)));
    let run = |stop_at: u64| {
        let stop = AtomicBool::new(false);
        ingest(
            &bench.corpus,
            std::slice::from_ref(&file),
            &IngestOptions::default(),
            &stop,
            &mut |progress| {
                if progress.records >= stop_at {
                    stop.store(true, std::sync::atomic::Ordering::Relaxed);
                }
            },
        )
        .unwrap()
    };
    let first = run(1);
    assert_eq!((first.works.new, first.records), (30, 30));
    for _ in 0..2 {
        let again = run(u64::MAX);
        assert_eq!((again.records, again.stopped), (0, false), "{again:?}");
        assert!(again.is_complete(), "{again:?}");
    }
}

/// Kills the real program at random moments, lets it go on each time, and compares with a run that
/// nobody disturbed.
#[test]
fn ingest_killed_and_resumed_gives_the_same_corpus() {
    let Some(program) = option_env!("CARGO_BIN_EXE_citation") else {
        println!("skipped: there is no program to run");
        return;
    };
    let bench = Bench::new();
    let mut archive = Vec::new();
    for part in 0..6 {
        let mut content = lines(part * 2000..(part + 1) * 2000);
        content.extend_from_slice(b"not a record\n");
        archive.push((format!("{part}.jsonl.gz"), gzip(&content)));
    }
    let members: Vec<(&str, &[u8])> = archive
        .iter()
        .map(|(name, content)| (name.as_str(), content.as_slice()))
        .collect();
    let first = bench.file("a.tar", &tar(&members));
    let second = bench.file("b.jsonl.gz", &gzip(&lines(11_000..20_000)));

    let run = |data: &Path| {
        let mut command = Command::new(program);
        command
            .arg("ingest")
            .arg(&first)
            .arg(&second)
            .arg("--data")
            .arg(data)
            .arg("--json");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let calm = bench.directory.path().join("calm");
    let started = std::time::Instant::now();
    assert!(run(&calm).status().unwrap().success());
    let whole = started.elapsed();

    let disturbed = bench.directory.path().join("disturbed");
    let mut random = Random::new();
    let mut killed = 0;
    for _ in 0..20 {
        let mut child = run(&disturbed).spawn().unwrap();
        // At most an eighth of the whole each time, so that most kills hit the middle of the work.
        let wait = whole.mul_f64(random.below(1000) as f64 / 1000.0 / 8.0);
        std::thread::sleep(wait);
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
    }
    assert!(killed > 0, "no run was caught at work");
    assert!(run(&disturbed).status().unwrap().success());

    let (calm, disturbed) = (open(&calm), open(&disturbed));
    assert_sound(&calm);
    assert_sound(&disturbed);
    let (expected, found) = (contents(&calm), contents(&disturbed));
    // The program may have loaded works of its own beside the file's.
    let ingested = |(_, json): &&(i64, String)| json.contains("10.5555/");
    assert_eq!(expected.iter().filter(ingested).count(), 20_000);
    assert!(expected == found, "the works differ");
    // The runs read the file at different times.
    let counts = |corpus: &Corpus| {
        let mut counters = corpus.store().counters().unwrap();
        counters.retain(|name, _| !name.starts_with("newest."));
        counters
    };
    assert_eq!(counts(&calm), counts(&disturbed));
    for query in ["paper 4711", "paper 19999 noether", "journal"] {
        let ids = |corpus: &Corpus| -> Vec<i64> {
            let mut ids: Vec<i64> = corpus
                .search(query, 30_000)
                .unwrap()
                .iter()
                .map(|hit| hit.id)
                .collect();
            ids.sort_unstable();
            ids
        };
        assert_eq!(ids(&calm), ids(&disturbed), "{query}");
    }
    let rejects = |data: &Corpus| -> Vec<String> {
        let directory = data.store().directory().join("rejects");
        let mut texts: Vec<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        texts.sort();
        texts
    };
    assert_eq!(rejects(&calm), rejects(&disturbed));
    assert_eq!(rejects(&calm).concat().lines().count(), 6);
}

#[test]
fn sample_dumps_are_ingested_whole() {
    let Some(dumps) = suite("data/dumps") else {
        return;
    };
    let check = |path: &str, records: u64, works: u64, rejected: u64| {
        let bench = Bench::new();
        let summary = bench.ingest(&[&dumps.join(path)]);
        assert!(summary.is_complete(), "{path}: {summary:?}");
        let found = (summary.records, summary.works.new, summary.rejected);
        assert_eq!(found, (records, works, rejected), "{path}");
        assert_sound(&bench.corpus);
        let again = bench.ingest(&[&dumps.join(path)]);
        assert_eq!(again.records, 0, "{path}");
    };
    check("crossref/items-array", 1259, 1259, 0);
    check("crossref/jsonl", 300, 300, 0);
    // Two of its records are of one DOI.
    check("crossref/fatcat-2018-mongoexport.jsonl", 14, 13, 0);
    check("crossref/span.ldj", 10, 10, 0);
    // Three records have no title, or one that says only that there is none.
    check("datacite", 667, 664, 3);
    check("openalex", 32, 31, 1);
    check("openlibrary", 703, 703, 0);
    // 176 articles and one withdrawal; two articles are of one DOI.
    check("pubmed/pubmedsample_2019.xml.gz", 177, 175, 0);
    check("pubmed/pubmed_31393839.xml", 1, 1, 0);
}

#[test]
fn all_sample_dumps_together_are_one_corpus() {
    let Some(dumps) = suite("data/dumps") else {
        return;
    };
    let bench = Bench::new();
    let summary = bench.ingest(&[&dumps]);
    assert!(summary.is_complete(), "{summary:?}");
    assert_eq!(summary.rejected, 4);
    assert_sound(&bench.corpus);
    let works = contents(&bench.corpus).len() as u64;
    assert_eq!(works, summary.works.new - summary.works.deleted);
    let again = IngestOptions {
        again: true,
        ..IngestOptions::default()
    };
    let before = contents(&bench.corpus);
    let summary = bench.ingest_with(&[&dumps], &again);
    assert_eq!((summary.works.new, summary.works.changed), (0, 0));
    assert!(
        before == contents(&bench.corpus),
        "the second ingest changed works"
    );
}

/// The work of an identifier.
fn work(corpus: &Corpus, identifier: &str) -> citation_model::work::Work {
    let identifier = Identifier::parse(identifier).unwrap();
    corpus.get(&identifier).unwrap().expect("a work")
}

#[test]
fn dblp_is_ingested() {
    let bench = Bench::new();
    let file = bench.file(
        "dblp.xml",
        b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE dblp SYSTEM \"dblp.dtd\">\n<dblp>\n\
        <article mdate=\"2020-01-02\" key=\"journals/f/A1\"><author>J&ouml; Doe 0001</author><title>One.</title>\
        <journal>Frogs</journal><year>2019</year><ee>https://doi.org/10.5555/one</ee></article>\n\
        <www mdate=\"2020-01-02\" key=\"homepages/1\"><author>A</author><title>Home Page</title></www>\n\
        <inproceedings mdate=\"2020-01-02\" key=\"conf/f/B2\"><title>Two.</title><year>2019</year></inproceedings>\n\
        <book mdate=\"2020-01-02\" key=\"books/f\"><year>2019</year></book>\n</dblp>\n",
    );
    let summary = bench.ingest(&[&file]);
    assert_eq!((summary.works.new, summary.rejected), (2, 1), "{summary:?}");
    let found = work(&bench.corpus, "10.5555/one");
    assert_eq!(found.item.names(NameVar::Author)[0].display(), "Jö Doe");
    assert_sound(&bench.corpus);
    let again = bench.ingest_with(
        &[&file],
        &IngestOptions {
            again: true,
            ..IngestOptions::default()
        },
    );
    assert_eq!(
        (again.works.new, again.works.changed, again.works.unchanged),
        (0, 0, 2)
    );
}

#[test]
fn collections_of_the_acl_anthology_are_ingested() {
    let bench = Bench::new();
    let file = bench.file(
        "2020.frog.xml",
        b"<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"2020.frog\"><volume id=\"1\"><meta>\
        <booktitle>Frog Conference</booktitle><year>2020</year></meta><paper id=\"1\"><title>One</title>\
        <doi>10.18653/v1/2020.frog-1.1</doi></paper><paper id=\"2\"><title>Two</title></paper>\
        <paper id=\"3\"/></volume></collection>",
    );
    let summary = bench.ingest(&[&file]);
    assert_eq!((summary.works.new, summary.rejected), (2, 1), "{summary:?}");
    let found = work(&bench.corpus, "10.18653/v1/2020.frog-1.1");
    assert_eq!(found.provenance.record_id, "2020.frog-1.1");
}

#[test]
fn arxiv_is_ingested_from_snapshot_and_harvest() {
    let bench = Bench::new();
    let line = |id: &str, title: &str, comments: &str| {
        format!(
            "{{\"id\":\"{id}\",\"title\":\"{title}\",\"comments\":\"{comments}\",\"versions\":[{{\"version\":\"v1\",\
             \"created\":\"Mon, 2 Apr 2007 19:18:42 GMT\"}}],\"update_date\":\"2008-11-26\",\
             \"authors_parsed\":[[\"Doe\",\"Jo\",\"\"]]}}\n"
        )
    };
    let lines = line("0704.0001", "One", "9 pages")
        + &line("0704.0002", "Two", "This paper has been withdrawn")
        + &line("nonsense", "Three", "");
    let snapshot = bench.file("arxiv-metadata-oai-snapshot.json", lines.as_bytes());
    let summary = bench.ingest(&[&snapshot]);
    assert_eq!((summary.works.new, summary.rejected), (2, 1), "{summary:?}");
    let withdrawn = work(&bench.corpus, "arxiv:0704.0002");
    assert!(citation_model::work::standing_retraction(&withdrawn.updates).is_some());

    // A harvest changes one, deletes one and adds one.
    let record = |id: &str, title: &str| {
        format!(
            "<record><header><identifier>oai:arXiv.org:{id}</identifier><datestamp>2009-01-01</datestamp></header>\
             <metadata><arXiv><id>{id}</id><created>2007-04-02</created><authors><author><keyname>Doe</keyname>\
             <forenames>Jo</forenames></author></authors><title>{title}</title></arXiv></metadata></record>"
        )
    };
    let answer = format!(
        "<?xml version=\"1.0\"?><OAI-PMH><ListRecords>{}{}<record><header status=\"deleted\">\
         <identifier>oai:arXiv.org:0704.0002</identifier><datestamp>2009-01-01</datestamp></header></record>\
         </ListRecords></OAI-PMH>",
        record("0704.0001", "One, revised"),
        record("0704.0003", "Three")
    );
    let harvest = bench.file("harvest.xml", answer.as_bytes());
    let summary = bench.ingest(&[&harvest]);
    assert_eq!(
        (
            summary.works.new,
            summary.works.changed,
            summary.works.deleted
        ),
        (1, 1, 1),
        "{summary:?}"
    );
    let revised = Identifier::parse("arxiv:0704.0001").unwrap();
    assert_eq!(
        bench.corpus.store().versions(&revised).unwrap()[0]
            .item
            .text(TextVar::Title),
        Some("One")
    );
    let gone = Identifier::parse("arxiv:0704.0002").unwrap();
    assert_eq!(bench.corpus.get(&gone).unwrap(), None);
    assert_sound(&bench.corpus);
}
