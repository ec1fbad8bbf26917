//! Which commands create a data folder, and which need one.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::program::{Run, run, run_line};

const BOOK: &str = "@book{a, author = {Abel, Ann}, title = {Oaks}, year = 1999}\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("refs.bib"), BOOK).unwrap();
    std::fs::write(folder.path().join("more.bib"), BOOK.replace("{a,", "{b,")).unwrap();
    std::fs::write(
        folder.path().join("paper.md"),
        "As said [@a].\n\n# References\n",
    )
    .unwrap();
    folder
}

fn names(folder: &Path) -> BTreeSet<String> {
    let listing = std::fs::read_dir(folder).unwrap();
    listing
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn commands_without_a_store_create_nothing() {
    let folder = folder();
    let before = names(folder.path());
    let check = |arguments: &[&str], input: &str, expected: &str| {
        let Run { out, said, code } = run(folder.path(), arguments, input.as_bytes());
        assert_eq!(code, 0, "{arguments:?}: {said}");
        assert!(out.contains(expected), "{arguments:?}: {out}");
        assert_eq!(names(folder.path()), before, "{arguments:?}");
    };
    check(&["format", "refs.bib"], "", "Abel, A. (1999)");
    check(&["format"], BOOK, "Abel, A. (1999)");
    check(&["convert", "refs.bib", "--to", "ris"], "", "TI  - Oaks");
    check(&["identify"], "10.1000/x\n", "10.1000/x");
    check(&["styles", "search", "apa"], "", "apa");
    check(&["styles", "show", "apa"], "", "apa");
    let job = "{\"kind\":\"items\",\"items\":[]}\n{\"id\":1,\"style\":\"apa\"}\n";
    check(&["citeproc"], job, "\"bib_ids\":[]");
    check(&["config", "show"], "", "dir = ");
}

#[test]
fn commands_without_data_report_missing_database() {
    let folder = folder();
    let before = names(folder.path());
    for arguments in [
        &["user", "add", "a@example.org"][..],
        &["lookup", "--local-only", "10.1038/171737a0"],
        &["reverse", "--local-only", "Oaks"],
        &["corpus", "stats"],
        &["index", "verify"],
        &["journals", "stats"],
        &["styles", "install", "x.csl"],
        &["usage", "report"],
        &["audit"],
        &["backup", "x.db"],
    ] {
        let Run { said, code, .. } = run(folder.path(), arguments, b"");
        let place = folder.path().join("citation");
        assert_eq!(code, 2, "{arguments:?}");
        assert!(
            said.contains(&format!("no database in {}", place.display())),
            "{said}"
        );
        assert!(said.contains("--data") && said.contains("--init"), "{said}");
        assert_eq!(names(folder.path()), before, "{arguments:?}");
    }
    run_line(folder.path(), "--init user add a@example.org").done();
    assert!(folder.path().join("citation/citation.db").exists());
}

#[test]
fn several_files_are_converted_into_one() {
    let folder = folder();
    let run = |arguments: &[&str]| run(folder.path(), arguments, b"");
    let done = run(&["convert", "refs.bib", "more.bib", "-o", "all.ris"]);
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.said);
    let text = std::fs::read_to_string(folder.path().join("all.ris")).unwrap();
    assert_eq!(text.matches("TI  - Oaks").count(), 2, "{text}");
    let done = run(&[
        "format", "-s", "ieee", "--format", "html", "refs.bib", "more.bib", "-o", "-",
    ]);
    assert_eq!(done.out.matches("csl-entry").count(), 2, "{}", done.said);
    let done = run(&["convert", "refs.bib", "-o", "all.xyz"]);
    assert_eq!(done.code, 2);
    assert!(done.said.contains(".xyz"), "{}", done.said);
}

#[test]
fn near_misses_are_suggested() {
    let folder = folder();
    let said = |arguments: &[&str]| {
        let Run { out, said, .. } = run(folder.path(), arguments, b"{\"style\":\"appa\"}\n");
        format!("{out}{said}")
    };
    let check = |arguments: &[&str], expected: &str| {
        let said = said(arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    };
    check(
        &["format", "refs.bib", "--style", "appa"],
        "near it are apa",
    );
    check(
        &["format", "refs.bib", "--locale", "de-DD"],
        "did you mean de-DE?",
    );
    check(&["styles", "show", "appa"], "near it are apa");
    check(&["citeproc"], "near it are apa");
    check(&["convert", "refs.bib", "--to", "bibtxe"], "bibtex");
    check(
        &["ingest", "refs.bib", "--format", "crosref"],
        "did you mean crossref?",
    );
}

/// A two as an author wrote it, and no code for a colour.
#[test]
fn text_is_kept_verbatim() {
    let folder = folder();
    let text = BOOK.replace("Oaks", "The x² of H₂O");
    let done = run(folder.path(), &["format"], text.as_bytes());
    assert!(done.out.contains("The x² of H₂O"), "{}", done.out);
    let done = run(folder.path(), &["ingest", "refs.bib"], b"");
    assert_eq!(done.code, 0, "{}", done.said);
    assert!(!done.said.contains('\u{1b}'), "{:?}", done.said);
}

/// A file of another program is neither changed nor filled.
#[test]
fn database_of_another_program_is_refused_unchanged() {
    let refused = |fill: &dyn Fn(&rusqlite::Connection)| {
        let folder = folder();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let file = data.join("citation.db");
        let connection = rusqlite::Connection::open(&file).unwrap();
        fill(&connection);
        drop(connection);
        let (before, listed) = (std::fs::read(&file).unwrap(), names(&data));
        for line in [
            "--data data --init user list",
            "--data data serve --listen 127.0.0.1:0",
        ] {
            let Run { said, code, .. } = run_line(folder.path(), line);
            assert_eq!(code, 2, "{line}: {said}");
            assert!(said.contains("another program"), "{line}: {said}");
            assert_eq!(std::fs::read(&file).unwrap(), before, "{line}");
            assert_eq!(names(&data), listed, "{line}");
        }
    };
    let table = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)";
    refused(&|other| other.execute_batch(table).unwrap());
    refused(&|other| {
        other.execute_batch(table).unwrap();
        other.pragma_update(None, "user_version", 2).unwrap();
    });
    refused(&|other| {
        other
            .execute_batch(
                "CREATE TABLE works (id INTEGER, data TEXT); CREATE TABLE users (id INTEGER)",
            )
            .unwrap();
        other.pragma_update(None, "user_version", 99).unwrap();
    });
}
