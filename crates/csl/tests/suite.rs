//! Runs the public CSL test suite and our own small cases, and compares the results with
//! `csl/passing.txt`. The list must match exactly: a new pass must be added, and a lost one fails the
//! test.
//!
//! Reads the suite from `CSL_TEST_SUITE` (a directory of fixtures) or `../shared/csl/suite`, and the
//! locales from `../shared/csl/styles.zip`; without them only our own cases in `csl/local` run.
//! `CSL_SUITE_REPORT=FILE` writes the failures, with expected and actual text, to a file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "csl/archive.rs"]
mod archive;
#[path = "csl/fixture.rs"]
mod fixture;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use citation_testing::suite;
use fixture::{Fixture, Locales};

fn manifest() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of our own cases, independent of where the crate is built.
fn own_cases() -> PathBuf {
    Path::new(file!())
        .parent()
        .map(|folder| folder.join("csl"))
        .filter(|folder| folder.is_dir())
        .unwrap_or_else(|| manifest().join("tests/csl"))
}

fn fixtures(folder: &Path) -> BTreeMap<String, Fixture> {
    let mut found = BTreeMap::new();
    let Ok(files) = std::fs::read_dir(folder) else {
        return found;
    };
    for file in files.flatten() {
        let path = file.path();
        if path.extension().is_some_and(|e| e == "txt") {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            found.insert(name, Fixture::parse(&text));
        }
    }
    found
}

/// The names that the suite's notes list as in scope; `None`, meaning all, without notes.
fn in_scope() -> Option<BTreeSet<String>> {
    let notes = std::fs::read_to_string(suite("csl/suite-notes.tsv")?).unwrap();
    Some(
        notes
            .lines()
            .skip(1)
            .filter_map(|line| {
                let mut columns = line.split('\t');
                let name = columns.next()?;
                (columns.next()? == "in-scope").then(|| name.to_owned())
            })
            .collect(),
    )
}

#[test]
fn own_cases_pass() {
    let locales = Locales::built_in();
    let cases = fixtures(&own_cases().join("local"));
    assert!(!cases.is_empty(), "tests/csl/local holds no case");
    let mut failed = String::new();
    for (name, case) in cases {
        let (result, expected) = (case.run(&locales).unwrap_or_else(|e| e), case.expected());
        if result != expected {
            let _ = writeln!(failed, "{name}\nexpected {expected}\nresult   {result}\n");
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn the_public_suite_passes_as_recorded() {
    let (Some(folder), Some(archive)) = (suite("csl/suite"), suite("csl/styles.zip")) else {
        return;
    };
    let locales = Locales::from_archive(&archive);
    let scope = in_scope();
    let mut passed = BTreeSet::new();
    let mut total = 0;
    let mut report = String::new();
    for (name, case) in fixtures(&folder) {
        if scope.as_ref().is_some_and(|scope| !scope.contains(&name)) {
            continue;
        }
        total += 1;
        let expected = case.expected();
        match case.run(&locales) {
            Ok(result) if result == expected => {
                passed.insert(name);
            }
            Ok(result) | Err(result) => {
                let _ = writeln!(report, "=== {name}\nE {expected}\nG {result}\n");
            }
        }
    }
    println!("suite: {} of {total}", passed.len());
    if let Some(path) = std::env::var_os("CSL_SUITE_REPORT") {
        std::fs::write(path, &report).unwrap();
    }
    let recorded: BTreeSet<String> = std::fs::read_to_string(own_cases().join("passing.txt"))
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect();
    if let Some(path) = std::env::var_os("CSL_SUITE_RECORD") {
        let list: String = passed.iter().map(|name| format!("{name}\n")).collect();
        std::fs::write(path, list).unwrap();
        return;
    }
    let lost: Vec<_> = recorded.difference(&passed).collect();
    let gained: Vec<_> = passed.difference(&recorded).collect();
    assert!(lost.is_empty(), "no longer pass: {lost:?}");
    assert!(
        gained.is_empty(),
        "pass now, record them in passing.txt: {gained:?}"
    );
}
