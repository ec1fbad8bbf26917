//! DataCite DOIs, compared with an independent reader of the raw JSON.

use std::collections::BTreeMap;

use citation_model::item_type::ItemType;
use citation_model::variable::{NameVar, NumberVar, TextVar};
use citation_model::work::Work;
use citation_records::datacite;
use serde_json::Value;

use crate::compare::{
    Differences, Tally, files, first, issued, json, letters, lines, publisher, shared, sorted,
    text, undated,
};

fn check_datacite(record: &Value, work: &Work, differences: &mut Differences) {
    let attributes = &record["attributes"];
    let item = &work.item;
    let doi = attributes["doi"].as_str().expect("a DOI").to_lowercase();
    let mut same = |field: &str, expected: &str, found: &str| {
        differences.same(&doi, field, expected, found);
    };
    same("DOI", &doi, text(item, TextVar::Doi));
    let titles = attributes["titles"].as_array().cloned().unwrap_or_default();
    let own = titles
        .iter()
        .find(|t| t["titleType"].is_null())
        .or(titles.first());
    let own = own
        .map(|title| letters(first(&title["title"])))
        .unwrap_or_default();
    let found = letters(text(item, TextVar::Title));
    // Formulas in TeX are converted.
    let is_tex = titles
        .iter()
        .any(|title| first(&title["title"]).contains('$'));
    assert!(
        is_tex || found.starts_with(&own),
        "{doi}: {found} does not begin with {own}"
    );
    let is_code = |text: &str| {
        let text = text.to_lowercase();
        text.contains(":un")
            || text.contains(":(un")
            || text.contains(":{un")
            || text.contains(":none")
            || text.contains(":null")
            || text == "unknown"
            || text.starts_with("unbekannt")
    };
    let creators = attributes["creators"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let mut expected: Vec<String> = creators
        .iter()
        .filter(|creator| !is_code(first(&creator["name"])))
        .flat_map(people_of_creator)
        .collect();
    let nobody = [
        "anon",
        "anonymous",
        "unknown",
        "unbekannt",
        "others",
        "sn",
        "nn",
    ];
    expected.retain(|name| !nobody.iter().any(|n| sorted(n) == *name) && !name.is_empty());
    let found: Vec<String> = item
        .names(NameVar::Author)
        .iter()
        .map(|name| sorted(&undated(&letters(&name.display()))))
        .collect();
    same("author", &expected.join("|"), &found.join("|"));
    let dates = attributes["dates"].as_array().cloned().unwrap_or_default();
    let issued_on = dates
        .iter()
        .find(|date| date["dateType"] == "Issued")
        .map(|date| first(&date["date"]));
    let year = attributes["publicationYear"].to_string();
    let is_plain = |date: &&str| date.len() >= 4 && date[..4].bytes().all(|b| b.is_ascii_digit());
    let expected = issued_on.filter(is_plain).unwrap_or(&year);
    // 9999 and 0 stand for an unknown year.
    let expected = expected
        .get(..4)
        .filter(|year| !["9999", "0000"].contains(year));
    same(
        "year",
        expected.unwrap_or_default(),
        issued(item).get(..4).unwrap_or_default(),
    );
    let named = first(&attributes["publisher"]);
    if !is_code(named) {
        same(
            "publisher",
            &publisher(named),
            &letters(text(item, TextVar::Publisher)),
        );
    }
    let container = letters(first(&attributes["container"]["title"]));
    let places =
        [TextVar::ContainerTitle, TextVar::CollectionTitle].map(|v| letters(text(item, v)));
    let placed = places
        .iter()
        .find(|place| **place == container)
        .cloned()
        .unwrap_or_default();
    same("container", &container, &placed);
    let version = first(&attributes["version"]);
    same(
        "version",
        &letters(version),
        &letters(item.number(NumberVar::Version).unwrap_or_default()),
    );
}

/// The letters of a creator, or of each of several people in one name, without their affiliations.
fn people_of_creator(creator: &Value) -> Vec<String> {
    let whole = first(&creator["name"]);
    let people: Vec<&str> = whole.split(';').collect();
    let is_person = |person: &&str| person.matches(',').count() == 1;
    if people.len() < 2 || creator["familyName"].is_string() || !people.iter().all(is_person) {
        return vec![sorted_letters_of_creator(creator)];
    }
    let person = |text: &&str| sorted(&letters(text.split('(').next().unwrap_or_default()));
    people.iter().map(person).collect()
}

/// The order of name parts may differ, but not their letters.
fn sorted_letters_of_creator(creator: &Value) -> String {
    let whole = first(&creator["name"]);
    // A role or affiliation may follow in brackets.
    let whole = match whole.split_once(" (") {
        Some((person, _)) if person.contains(", ") => person,
        _ => whole,
    };
    let parts = format!(
        "{}{}",
        first(&creator["givenName"]),
        first(&creator["familyName"])
    );
    let is_body = creator["nameType"] == "Organizational";
    let has_family = creator["familyName"].is_string();
    let name = letters(if has_family && !is_body {
        &parts
    } else {
        whole
    });
    // Life dates are not part of a name, so digits are not compared.
    let undated = undated(&name);
    if undated.replace("unknown", "").is_empty() {
        String::new()
    } else {
        sorted(&undated)
    }
}

#[test]
fn every_recorded_datacite_doi_is_mapped() {
    let Some(folder) = shared("providers/datacite/dois") else {
        return;
    };
    let mut differences = Differences::default();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for path in files(&folder) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let work =
            datacite::from_envelope(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let record = &json(&path)["data"];
        check_datacite(record, &work, &mut differences);
        *kinds.entry(work.item.kind.csl()).or_default() += 1;
        let general = first(&record["attributes"]["types"]["resourceTypeGeneral"]).to_owned();
        let expected = match general.as_str() {
            "Dataset" => Some(ItemType::Dataset),
            "Software" => Some(ItemType::Software),
            "Preprint" => Some(ItemType::Preprint),
            "JournalArticle" => Some(ItemType::Article),
            "ConferencePaper" => Some(ItemType::ConferencePaper),
            "Image" => Some(ItemType::Graphic),
            "Collection" | "InteractiveResource" | "Other" => Some(ItemType::Document),
            _ => None,
        };
        if let Some(expected) = expected {
            differences.same(&work.item.id, "type", expected.csl(), work.item.kind.csl());
        }
    }
    println!("{kinds:?}");
    differences.none(300);
}

#[test]
fn datacite_dumps_are_mapped() {
    let Some(folder) = shared("dumps/datacite") else {
        return;
    };
    let mut tally = Tally::default();
    let mut differences = Differences::default();
    for line in lines(&folder.join("part_0000.jsonl.gz")) {
        if let Some(work) = tally.count(datacite::from_slice(&line)) {
            let record = serde_json::from_slice(&line).expect("JSON");
            check_datacite(&record, &work, &mut differences);
        }
    }
    // One has no title, and two have `:{unav)` instead.
    tally.is("datacite", 664, 3);
    differences.none(3_500);
}
