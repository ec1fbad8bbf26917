//! `citation webpage`, run as people run it: files, standard input, gzip, what names no work.

use std::io::Write;
use std::path::Path;

use serde_json::Value;

use crate::support::program::{Run, run};

const PAGE: &str = "<title>Waves of water | The Example</title>\
    <meta name='citation_title' content='Waves of water'><meta name='citation_author' content='Roe, Jane'>\
    <meta name='citation_journal_title' content='Annals'><meta name='citation_date' content='2021/07/14'>\
    <meta name='citation_doi' content='10.5555/Waves.1'>";

fn webpage(arguments: &[&str], input: &[u8]) -> Run {
    let all: Vec<&str> = ["webpage"].iter().chain(arguments).copied().collect();
    run(Path::new("."), &all, input)
}

#[test]
fn webpage_prints_the_metadata_of_a_page() {
    let address = "https://example.org/waves?utm_source=mail";
    let run = webpage(&["-", "--url", address], PAGE.as_bytes());
    assert_eq!((run.code, run.said.as_str()), (0, ""));
    let metadata: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(metadata["entry_type"], "Article");
    assert_eq!(metadata["title"], "Waves of water");
    assert_eq!(metadata["journal"], "Annals");
    assert_eq!(metadata["doi"], "10.5555/waves.1");
    assert_eq!(metadata["url"], "https://example.org/waves");
}

#[test]
fn webpage_unpacks_gzip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html.gz");
    let file = std::fs::File::create(&path).unwrap();
    let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    packed.write_all(PAGE.as_bytes()).unwrap();
    packed.finish().unwrap();
    let run = webpage(&[path.to_str().unwrap()], b"");
    assert_eq!(run.code, 0);
    assert!(run.out.contains("Waves of water"), "{}", run.out);
    assert!(run.said.contains("lacks: url"), "{}", run.said);
}

#[test]
fn webpage_reports_page_without_work() {
    let challenge = "<title>Just a moment...</title><p>Enable JavaScript and cookies to continue";
    let run = webpage(&["-"], challenge.as_bytes());
    assert_eq!(run.code, 1);
    assert!(!run.out.contains("moment"), "{}", run.out);
    assert!(run.said.contains("robot check"), "{}", run.said);
    assert_eq!(webpage(&["-"], b"").code, 1);
    assert_eq!(webpage(&["no-such-page.html"], b"").code, 2);
}
