//! `citation convert` with the real program: files and standard input, every target, broken input.

use std::path::{Path, PathBuf};

use crate::support::program::{Run, run};

/// Something to convert: accents, a string, a name with a particle, a title with protection.
const GOOD: &str = "@string{j = {Annals of Examples}}\n\
    @article{berg2001, author = {van der Berg, Jan and M{\\\"u}ller, Jo}, title = {The {DNA} of \\emph{things}}, \
    journal = j, year = 2001, volume = 3, pages = {10--12}, doi = {10.1000/ABC}}\n";

/// A record without a key or a field between two good ones.
const BROKEN: &str = "@book{one, title = {One}}\n@article{\n@book{two, title = {Two}}\n";

fn convert(arguments: &[&str], input: &[u8]) -> Run {
    let all: Vec<&str> = ["convert"].iter().chain(arguments).copied().collect();
    run(Path::new("."), &all, input)
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn file(&self, name: &str, content: &[u8]) -> String {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

fn folder() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

#[test]
fn valid_file_converts_to_every_format() {
    let folder = folder();
    let file = folder.file("refs.bib", GOOD.as_bytes());
    let check = |target: &str, parts: &[&str]| {
        let run = convert(&[&file, "--to", target], b"");
        assert_eq!((run.code, run.said.as_str()), (0, ""), "{target}");
        for part in parts {
            assert!(run.out.contains(part), "{target}: {}", run.out);
        }
        assert!(run.out.ends_with('\n'), "{target}");
    };
    check(
        "bibtex",
        &[
            "@article{berg2001,",
            "Müller",
            "{DNA}",
            "journal = {Annals of Examples}",
        ],
    );
    check(
        "biblatex",
        &["@article{berg2001,", "journaltitle", "date = {2001}"],
    );
    check("ris", &["TY  - JOUR\n", "DO  - 10.1000/abc\n", "ER  - \n"]);
    check(
        "csl-json",
        &[
            "\"type\": \"article-journal\"",
            "\"non-dropping-particle\": \"van der\"",
        ],
    );
    check(
        "hayagriva",
        &[
            "berg2001:\n",
            "title: \"The {DNA} of things\"",
            "type: periodical",
        ],
    );
    let latex = convert(&[&file, "--to", "bibtex", "--latex"], b"");
    assert!(
        latex.out.is_ascii() && latex.out.contains("M{\\\"{u}}ller"),
        "{}",
        latex.out
    );
}

#[test]
fn file_format_is_detected_or_rejected_by_name() {
    let folder = folder();
    let nbib = folder.file("wrong.bib", b"PMID- 1\nTI  - One\nFAU - Doe, Jane\n");
    let run = convert(&[&nbib, "--to", "refer"], b"");
    assert_eq!(run.code, 0, "{}", run.said);
    assert!(run.out.contains("%A Doe, Jane\n%T One\n"), "{}", run.out);
    let table = folder.file("table.csv", b"Wer;Was;Wann\nDoe, Jane;One;2001\n");
    let columns = "Wer=author,Was=title,Wann=year";
    let run = convert(&[&table, "--columns", columns, "--to", "nbib"], b"");
    assert_eq!(run.code, 0, "{}", run.said);
    assert!(
        run.out.contains("TI  - One\nFAU - Doe, Jane\n"),
        "{}",
        run.out
    );
    let project = folder.file("a.ctv6", b"SQLite format 3\0 KnowledgeItem ReferenceAuthor");
    let run = convert(&[&project, "--to", "ris"], b"");
    assert_eq!(run.code, 2, "{}", run.said);
    assert!(
        run.said.contains("This is a Citavi project."),
        "{}",
        run.said
    );
}

#[test]
fn unreadable_records_are_reported_with_their_lines() {
    let folder = folder();
    let file = folder.file("broken.bib", BROKEN.as_bytes());
    let run = convert(&[&file, "--to", "ris"], b"");
    assert_eq!(run.code, 1, "{}", run.said);
    assert!(
        run.said.starts_with(&format!("{file}:2:1: ")),
        "{}",
        run.said
    );
    // The others are written all the same.
    assert!(run.out.contains("TI  - One\n") && run.out.contains("TI  - Two\n"));
    // What was read otherwise than it stands is told too, and is no failure.
    let odd = folder.file("odd.bib", b"@book{a, title = {A}, year = nowhen}\n");
    let run = convert(&[&odd, "--to", "ris"], b"");
    assert_eq!(run.code, 0, "{}", run.said);
    assert!(run.said.contains("undefined_string"), "{}", run.said);
}

#[test]
fn unclosed_entry_and_empty_file_exit_with_one() {
    let folder = folder();
    let open = folder.file(
        "open.bib",
        b"@book{one, title = {One}\n@book{two, title = {Two}}\n",
    );
    let run = convert(&[&open, "--to", "ris"], b"");
    assert_eq!(run.code, 1, "{}", run.said);
    assert!(run.said.contains("unterminated_entry"), "{}", run.said);
    assert!(run.out.contains("TI  - One\n") && run.out.contains("TI  - Two\n"));
    let json = folder.file("refs.json", br#"[{"id": "a", "title": "A"}]"#);
    let run = convert(&[&json, "--to", "bibtex", "--from", "ris"], b"");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.said.contains("no record of RIS"), "{}", run.said);
    let odd = folder.file("lost.bib", b"@{d,title={lost}}\n@book{ok,title={fine}}");
    let run = convert(&[&odd, "--to", "ris"], b"");
    assert!(run.said.contains("invalid_type"), "{}", run.said);
    assert!(run.out.contains("TI  - lost\n") && run.out.contains("TI  - fine\n"));
}

#[test]
fn keys_are_kept_or_changes_reported() {
    let text = "@book{müller2000, title = {A}}\n@book{毛2000, title = {B}}\n".as_bytes();
    let run = convert(&["-", "--to", "bibtex"], text);
    assert_eq!((run.code, run.said.as_str()), (0, ""));
    assert!(run.out.contains("@book{müller2000,") && run.out.contains("@book{毛2000,"));
    let run = convert(&["-", "--to", "bibtex", "--latex"], text);
    assert!(run.out.contains("@book{muller2000,") && run.out.contains("@book{Mao2000,"));
    assert_eq!(run.said.matches("changed_key").count(), 2, "{}", run.said);
}

#[test]
fn standard_input_is_read_as_a_file() {
    let run = convert(
        &["-", "--to", "csl-json"],
        b"TY  - BOOK\r\nTI  - A\xfc\r\nER  - \r\n",
    );
    // The encoding is a guess, and reported.
    assert_eq!(run.code, 0);
    assert!(run.said.contains("(assumed_encoding)"), "{}", run.said);
    assert!(run.out.contains("\"title\": \"A\u{fc}\""), "{}", run.out);
    let again = convert(
        &["-", "--to", "ris", "--from", "csl-json"],
        run.out.as_bytes(),
    );
    assert!(
        again.out.starts_with("TY  - BOOK\nTI  - A\u{fc}\n"),
        "{}",
        again.out
    );
}

#[test]
fn command_that_cannot_start_exits_with_two() {
    let folder = folder();
    let file = folder.file("refs.bib", GOOD.as_bytes());
    let text = folder.file("notes.txt", b"nothing of the kind");
    for (arguments, told) in [
        (vec![file.as_str(), "--to", "docx"], "docx"),
        (vec![file.as_str(), "--to", "ris", "--from", "docx"], "docx"),
        (vec![text.as_str(), "--to", "ris"], "--from"),
        (
            vec!["/no/such/file.bib", "--to", "ris"],
            "/no/such/file.bib",
        ),
        (vec![file.as_str()], "--to"),
    ] {
        let run = convert(&arguments, b"");
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.said.contains(told), "{}", run.said);
    }
}
