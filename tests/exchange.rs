//! Import and export: our own cases, and, where they lie beside the checkout, the messy files of
//! `../shared/data/import` with what trusted peers make of them.

#[path = "exchange/corpus.rs"]
mod corpus;
#[path = "exchange/peers.rs"]
mod peers;

use citation::exchange::{Format, read};

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
