//! Import and export: our own cases, and, where they lie beside the checkout, the messy files of
//! `../shared/data/import` with what trusted peers make of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "exchange/corpus.rs"]
mod corpus;
#[path = "exchange/hostile.rs"]
mod hostile;
#[path = "exchange/peers.rs"]
mod peers;
#[path = "exchange/round_trip.rs"]
mod round_trip;

use citation::exchange::{Format, WriteOptions, read, write};

/// Every entry that a file is expected to hold is read, or named among the problems.
#[test]
fn every_expected_entry_is_reached_or_explained() {
    let Some(files) = corpus::files() else { return };
    let mut short = Vec::new();
    let mut reached = 0;
    for file in &files {
        let reading = read(&file.text(), file.format);
        let explained = reading
            .problems
            .iter()
            .filter(|p| p.code == "data_only" || p.severity == citation::exchange::Severity::Error);
        let explained = explained.count();
        reached += reading.items.len();
        let wanted = file.expected_at_least;
        if reading.items.len() + explained < wanted {
            short.push(format!(
                "{}: {} read, {explained} explained, {wanted} wanted",
                file.name,
                reading.items.len()
            ));
        }
    }
    println!("{reached} entries of {} files read", files.len());
    assert!(short.is_empty(), "{}", short.join("\n"));
}

/// Field by field, on the fields where the peers agree with each other.
#[test]
fn fields_agree_with_the_peers_where_these_agree() {
    let Some(files) = corpus::files() else { return };
    let mut tally = peers::Tally::default();
    for file in &files {
        let reading = read(&file.text(), file.format);
        peers::compare(file, &reading.items, &mut tally);
    }
    println!("{}", tally.report());
    assert!(
        tally.share() >= 0.98,
        "only {:.4} of the fields agree",
        tally.share()
    );
}

#[test]
fn formats_are_told_apart() {
    let Some(files) = corpus::files() else { return };
    for file in &files {
        let told = citation::exchange::detect(None, &file.text());
        let holds_any = file.expected_at_least > 0;
        assert!(
            !holds_any || told == Some(file.format),
            "{}: {told:?}",
            file.name
        );
    }
    assert_eq!(
        citation::exchange::detect(Some("x.ris"), "nothing"),
        Some(Format::Ris)
    );
}

/// Writes without the braces that only help BibTeX's styles, which would be read as marks.
const EXACT: WriteOptions = WriteOptions {
    latex: false,
    protect_capitals: false,
};

#[track_caller]
fn check_round_trip(from: Format, to: Format, options: WriteOptions, least: f64) {
    let Some(files) = corpus::files() else { return };
    let mut tally = round_trip::Tally::default();
    for file in files.iter().filter(|file| file.format == from) {
        round_trip::compare(file, to, &options, &mut tally);
    }
    println!("{} {options:?} {}", to.name(), tally.report());
    assert!(
        tally.share() >= least,
        "only {:.4} of the items came back",
        tally.share()
    );
}

#[test]
fn bibtex_comes_back_from_bibtex() {
    check_round_trip(Format::Bibtex, Format::Bibtex, EXACT, 1.0);
}

#[test]
fn bibtex_comes_back_from_biblatex() {
    check_round_trip(Format::Bibtex, Format::Biblatex, EXACT, 1.0);
}

#[test]
fn bibtex_comes_back_from_latex() {
    let options = WriteOptions {
        latex: true,
        ..EXACT
    };
    check_round_trip(Format::Bibtex, Format::Bibtex, options, 1.0);
}

#[test]
fn ris_comes_back_from_ris() {
    check_round_trip(Format::Ris, Format::Ris, EXACT, 1.0);
}

#[test]
fn everything_comes_back_from_csl_json() {
    check_round_trip(Format::Bibtex, Format::CslJson, EXACT, 1.0);
    check_round_trip(Format::Ris, Format::CslJson, EXACT, 1.0);
}

/// What is written once is written the same ever after, with every option on.
#[test]
fn writing_settles() {
    let text = "@Article{k, title = {The mRNA of {E. coli} \\& caf\\'e}, author = {van Gogh, V.}, \
                year = 2001, month = may, url = {http://x.org/a_b}}";
    for format in Format::ALL {
        let options = WriteOptions {
            latex: true,
            ..WriteOptions::default()
        };
        let items = |text: &str, format| -> Vec<_> {
            read(text, format)
                .items
                .into_iter()
                .map(|read| read.item)
                .collect()
        };
        let once = write(&items(text, Format::Bibtex), format, &options);
        let twice = write(&items(&once, format), format, &options);
        assert_eq!(once, twice);
    }
}
