//! Open Library editions, compared with an independent reader of the raw JSON.

use std::collections::BTreeSet;

use citation_model::variable::{NameVar, NumberVar, TextVar};
use citation_model::work::Work;
use citation_records::openlibrary;
use serde_json::Value;

use crate::compare::{
    Differences, Tally, files, first, issued, json, letters, lines, people, publisher, shared,
    sorted, text,
};

fn check_edition(record: &Value, work: &Work, differences: &mut Differences) {
    let item = &work.item;
    let key = first(&record["key"]).to_owned();
    let mut same = |field: &str, expected: &str, found: &str| {
        differences.same(&key, field, expected, found);
    };
    let part = |name: &str| letters(first(&record[name]));
    let title = letters(text(item, TextVar::Title));
    let (prefix, own, subtitle) = (part("title_prefix"), part("title"), part("subtitle"));
    let whole = if own.starts_with(&prefix) {
        own
    } else {
        format!("{prefix}{own}")
    };
    let whole = if whole.contains(&subtitle) {
        whole
    } else {
        format!("{whole}{subtitle}")
    };
    same("title", &whole, &title);
    same("type", "book", item.kind.csl());
    same(
        "publisher",
        &publisher(first(&record["publishers"])),
        &letters(text(item, TextVar::Publisher)),
    );
    same(
        "place",
        &part("publish_places"),
        &letters(text(item, TextVar::PublisherPlace)),
    );
    if let Some(year) = year_in(first(&record["publish_date"])) {
        let issued = issued(item);
        same("year", &year, issued.get(..4).unwrap_or_default());
    }
    let list = |name: &str| record[name].as_array().cloned().unwrap_or_default();
    for isbn in list("isbn_13").iter().filter_map(Value::as_str) {
        let digits: String = isbn.chars().filter(char::is_ascii_digit).collect();
        let is_valid = digits.len() == 13
            && digits
                .bytes()
                .zip([1, 3].iter().cycle())
                .map(|(d, w)| u32::from(d - b'0') * w)
                .sum::<u32>()
                % 10
                == 0;
        if is_valid {
            assert!(
                text(item, TextVar::Isbn).contains(&digits),
                "{key}: {digits}"
            );
        }
    }
    if let Some(pages) = record["number_of_pages"].as_i64() {
        let found = item.number(NumberVar::NumberOfPages).unwrap_or_default();
        same("pages", &pages.to_string(), found);
    }
    let language = list("languages")
        .first()
        .map(|l| first(&l["key"]).rsplit('/').next().unwrap_or("").to_owned());
    let expected = match language.as_deref() {
        Some("eng") => Some("en"),
        Some("fre") => Some("fr"),
        Some("ger") => Some("de"),
        Some("rus") => Some("ru"),
        Some("spa") => Some("es"),
        _ => None,
    };
    if let Some(expected) = expected {
        same("language", expected, text(item, TextVar::Language));
    }
}

/// The only four-digit number in a text.
fn year_in(text: &str) -> Option<String> {
    let runs: Vec<&str> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| run.len() == 4)
        .collect();
    match runs[..] {
        [year] => Some(year.to_owned()),
        _ => None,
    }
}

#[test]
fn every_recorded_edition_is_mapped() {
    let Some(folder) = shared("providers/openlibrary") else {
        return;
    };
    let mut differences = Differences::default();
    let authors: Vec<openlibrary::Author> = files(&folder.join("authors"))
        .iter()
        .map(|path| openlibrary::Author::from_slice(&std::fs::read(path).unwrap()).unwrap())
        .collect();
    for path in files(&folder.join("isbn")) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let edition = openlibrary::Edition::from_slice(&bytes).expect("an edition");
        let work = openlibrary::join(&edition, None, &authors).expect("a work");
        check_edition(&json(&path), &work, &mut differences);
    }
    for path in files(&folder.join("authors")) {
        let raw = json(&path);
        let key = first(&raw["key"])
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned();
        let edition = format!(
            r#"{{"key":"/books/OL1M","title":"t","authors":[{{"key":"/authors/{key}"}}]}}"#
        );
        let edition = openlibrary::Edition::from_slice(edition.as_bytes()).expect("an edition");
        let work = openlibrary::join(&edition, None, &authors).expect("a work");
        let [name] = work.item.names(NameVar::Author) else {
            panic!("{key}: {:?}", work.item.names(NameVar::Author));
        };
        // A title may be separate; all other letters of the name are present.
        let plain = if raw["title"].is_string() {
            &raw["personal_name"]
        } else {
            &raw["name"]
        };
        let expected = sorted(&letters(first(plain)));
        differences.same(&key, "name", &expected, &sorted(&letters(&name.display())));
    }
    let search = std::fs::read(folder.join("other/search-sabriel.json")).expect("a search");
    let hits = openlibrary::from_search(&search).expect("an answer");
    assert_eq!(hits.len(), 2);
    assert_eq!(
        text(&hits[0].item, TextVar::Title),
        "This Is How You Lose the Time War"
    );
    assert_eq!(
        people(hits[0].item.names(NameVar::Author)),
        "amalelmohtar|maxgladstone"
    );
    differences.none(200);
}

#[test]
fn open_library_dumps_are_joined() {
    let Some(folder) = shared("dumps/openlibrary") else {
        return;
    };
    let of = |name: &str| lines(&folder.join(format!("ol_dump_{name}_sample.txt.gz")));
    let names: Vec<String> = of("authors")
        .iter()
        .map(|line| openlibrary::DumpLine::parse(line).expect("five columns"))
        .map(|line| openlibrary::Author::from_slice(line.json).expect("an author"))
        .filter_map(|author| author.name().map(str::to_owned))
        .collect();
    assert_eq!(names.len(), 703);
    for line in of("works") {
        let line = openlibrary::DumpLine::parse(&line).expect("five columns");
        let work = openlibrary::AbstractWork::from_slice(line.json).expect("a work");
        assert_eq!(work.key(), Some(openlibrary::bare_key(line.key)));
        assert!(work.author_keys().next().is_some());
    }
    let mut tally = Tally::default();
    let mut differences = Differences::default();
    let mut named = 0;
    for (at, line) in of("editions").iter().enumerate() {
        let line = openlibrary::DumpLine::parse(line).expect("five columns");
        assert_eq!(line.kind, openlibrary::DumpKind::Edition);
        let edition = openlibrary::Edition::from_slice(line.json).expect("an edition");
        // The samples share no keys, so each edition gets arbitrary authors of the sample.
        let authors: Vec<openlibrary::Author> = edition
            .author_keys()
            .enumerate()
            .map(|(n, key)| openlibrary::Author::new(key, &names[(at + n) % names.len()]))
            .collect();
        let Some(work) = tally.count(openlibrary::join(&edition, None, &authors)) else {
            continue;
        };
        let raw: Value = serde_json::from_slice(line.json).expect("JSON");
        check_edition(&raw, &work, &mut differences);
        let found = work.item.names(NameVar::Author);
        let wanted: BTreeSet<&str> = authors.iter().filter_map(|author| author.name()).collect();
        if !wanted.is_empty() {
            named += 1;
            assert!(
                !found.is_empty() && found.len() <= wanted.len(),
                "{}",
                work.item.id
            );
        }
    }
    tally.is("open library", 703, 0);
    assert!(named > 500);
    differences.none(2_500);
}
