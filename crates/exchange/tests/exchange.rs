//! Import and export: our own cases, and, if present, the messy files of `../shared/data/import`, compared
//! with trusted peers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "exchange/corpus.rs"]
mod corpus;
#[path = "exchange/formats.rs"]
mod formats;
#[path = "exchange/generated.rs"]
mod generated;
#[path = "exchange/hostile.rs"]
mod hostile;
#[path = "exchange/inert.rs"]
mod inert;
#[path = "exchange/kept.rs"]
mod kept;
#[path = "exchange/peers.rs"]
mod peers;
#[path = "exchange/round_trip.rs"]
mod round_trip;
#[path = "exchange/stable.rs"]
mod stable;

use citation_exchange::Reading;
use citation_exchange::{
    BIBLATEX, BIBTEX, CSL_JSON, Content, Format, Hints, RIS, Severity, WriteOptions,
};
use citation_model::budget::Budget;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// Reads without a limit.
fn read(text: &str, format: &Format) -> Reading {
    citation_exchange::read(&text.into(), format, &Budget::unlimited()).unwrap()
}

/// Writes without a limit.
fn write(items: &[Item], format: &Format, options: &WriteOptions) -> String {
    citation_exchange::write(items, format, options, &Budget::unlimited()).unwrap()
}

/// Every expected entry of a file is read or reported as a problem.
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
            .filter(|p| p.code == "data_only" || p.severity == Severity::Error);
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

/// Compares fields on which the peers agree.
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

fn recognise(text: &str, file_name: Option<&str>) -> Option<&'static Format> {
    let hints = Hints {
        file_name,
        ..Hints::default()
    };
    let budget = Budget::unlimited();
    let told = citation_exchange::recognise(&Content::of_text(text), hints, &budget);
    told.unwrap().unwrap()
}

#[test]
fn formats_are_told_apart() {
    let Some(files) = corpus::files() else { return };
    for file in &files {
        let told = recognise(&file.text(), None);
        let holds_any = file.expected_at_least > 0;
        assert!(
            !holds_any || told == Some(file.format),
            "{}: {told:?}",
            file.name
        );
    }
    assert_eq!(recognise("nothing", Some("x.ris")), Some(&RIS));
}

#[track_caller]
fn check_round_trip(from: &'static Format, to: &'static Format, options: WriteOptions, least: f64) {
    let Some(files) = corpus::files() else { return };
    let mut tally = round_trip::Tally::default();
    for file in files.iter().filter(|file| file.format == from) {
        round_trip::compare(file, to, &options, &mut tally);
    }
    println!("{} {options:?} {}", to.id, tally.report());
    assert!(
        tally.share() >= least,
        "only {:.4} of the items came back",
        tally.share()
    );
}

#[test]
fn bibtex_comes_back_from_bibtex() {
    check_round_trip(&BIBTEX, &BIBTEX, WriteOptions::default(), 1.0);
}

#[test]
fn bibtex_comes_back_from_biblatex() {
    check_round_trip(&BIBTEX, &BIBLATEX, WriteOptions::default(), 1.0);
}

#[test]
fn bibtex_comes_back_from_latex() {
    let options = WriteOptions { latex: true };
    check_round_trip(&BIBTEX, &BIBTEX, options, 1.0);
}

#[test]
fn ris_comes_back_from_ris() {
    check_round_trip(&RIS, &RIS, WriteOptions::default(), 1.0);
}

#[test]
fn everything_comes_back_from_csl_json() {
    check_round_trip(&BIBTEX, &CSL_JSON, WriteOptions::default(), 1.0);
    check_round_trip(&RIS, &CSL_JSON, WriteOptions::default(), 1.0);
}

/// The writer puts words with inner capitals into braces, so that BibTeX styles do not lower-case them.
/// These braces are not read as markup; braces in the source are.
#[test]
fn braces_of_the_writer_leave_titles_as_they_are() {
    for title in [
        "mRNA and iPhone pH McDonald",
        "DNA",
        "<span class=\"nocase\">mRNA</span> of <i>E. coli</i> K12 and <span class=\"nocase\">Paris</span>",
        "COVID-19: “XYZs” in the USA's ÉCOLE",
    ] {
        let json = serde_json::json!({"id": "k", "type": "book", "title": title}).to_string();
        let items: Vec<_> = items_of(&json, &CSL_JSON);
        for (format, latex) in [(&BIBTEX, false), (&BIBTEX, true), (&BIBLATEX, false)] {
            let written = write(&items, format, &WriteOptions { latex });
            let again = items_of(&written, format);
            assert_eq!(again[0].text(TextVar::Title), Some(title), "{written}");
        }
    }
}

/// Whatever looks like a record is read or reported with its line.
#[test]
fn no_record_is_lost_in_silence() {
    let check = |text: &str, format: &Format, ids: &[&str], told: &[&str]| {
        let reading = read(text, format);
        let titles: Vec<_> = reading
            .items
            .iter()
            .map(|read| read.item.text(TextVar::Title).unwrap_or_default())
            .collect();
        let problems: Vec<String> = reading
            .problems
            .iter()
            .map(|p| format!("{} {:?} {} {}", p.line, p.severity, p.code, p.snippet))
            .collect();
        assert_eq!(titles, ids, "{text}");
        assert_eq!(problems, told, "{text}");
        let lost = reading
            .problems
            .iter()
            .filter(|p| p.severity == Severity::Error)
            .count();
        assert_eq!(reading.total, ids.len() + lost);
    };
    check(
        "@{d,title={a}}\n@book{ok,title={b}}",
        &BIBTEX,
        &["a", "b"],
        &["1 Warning invalid_type @{d,title={a}}"],
    );
    check(
        "Some words.\n@bo ok{d}\n@book{ok,title={b}}",
        &BIBTEX,
        &["b"],
        &["2 Error invalid_type @bo ok{d}"],
    );
    check(
        "TY  - JOUR\nTI  - a\nER  - \nty  - JOUR\nti  - b\ner  -\nTy  - BOOK\nTi  - c\nEr  - \n",
        &RIS,
        &["a", "b", "c"],
        &[],
    );
    check(
        "%0 Journal Article\n%T lost\n\nTY  - JOUR\nTI  - a\nER  - \n",
        &RIS,
        &["a"],
        &["1 Error unknown_record %0 Journal Article"],
    );
    check(
        "TY  - JOUR\nTI  - a\nER  - \n\nPT J\nTI lost\nER\n",
        &RIS,
        &["a"],
        &["5 Error unknown_record PT J"],
    );
}

fn items_of(text: &str, format: &Format) -> Vec<Item> {
    let items = read(text, format).items.into_iter();
    items.map(|read| read.item).collect()
}

/// Written output is stable when read and written again, with every option on.
#[test]
fn writing_settles() {
    let text = "@Article{k, title = {The mRNA of {E. coli} \\& caf\\'e}, author = {van Gogh, V.}, \
                year = 2001, month = may, url = {http://x.org/a_b}}";
    for format in Format::writable().filter(|format| format.is_readable()) {
        let options = WriteOptions { latex: true };
        let once = write(&items_of(text, &BIBTEX), format, &options);
        let twice = write(&items_of(&once, format), format, &options);
        assert_eq!(once, twice, "{}", format.id);
    }
}
