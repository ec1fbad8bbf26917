//! Shared by the tests of formats.

use crate::{CSL_JSON, Content, Format, Reading, WriteOptions, read, write};
use citation_model::budget::Budget;
use citation_model::item::Item;

pub fn reading(text: &str, format: &Format) -> Reading {
    read(&Content::of_text(text), format, &Budget::unlimited()).unwrap()
}

/// The items of CSL-JSON.
pub fn items(json: &str) -> Vec<Item> {
    let read = reading(json, &CSL_JSON).items.into_iter();
    read.map(|read| read.item).collect()
}

/// Checks the result of reading a text against CSL-JSON without ids. Only expected members are compared; an
/// empty expectation means no items.
#[track_caller]
pub fn check_read(format: &Format, text: &str, expected: &str) {
    check_content(format, &Content::of_text(text), expected);
}

#[track_caller]
pub fn check_content(format: &Format, content: &Content<'_>, expected: &str) {
    assert!(
        format.recognises(content, &Budget::unlimited()).unwrap(),
        "not recognised"
    );
    let reading = read(content, format, &Budget::unlimited()).unwrap();
    let items: Vec<Item> = reading.items.into_iter().map(|read| read.item).collect();
    let found = json(&items);
    let expected: Vec<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(expected).unwrap();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        for (name, value) in expected {
            let value = Some(value).filter(|value| !value.is_null());
            assert_eq!(found.get(&name), value.as_ref(), "{name} of {found:?}");
        }
    }
}

/// Checks that items round-trip through a format, except for their ids.
#[track_caller]
pub fn check_round_trip(format: &Format, json_items: &str) {
    let items = items(json_items);
    let written = write(
        &items,
        format,
        &WriteOptions::default(),
        &Budget::unlimited(),
    )
    .unwrap();
    let content = Content::of_text(&written);
    assert!(
        format.recognises(&content, &Budget::unlimited()).unwrap(),
        "{written}"
    );
    let again = read(&content, format, &Budget::unlimited()).unwrap();
    assert_eq!(again.problems, [], "{written}");
    let again: Vec<Item> = again.items.into_iter().map(|read| read.item).collect();
    for (item, again) in json(&items).iter().zip(json(&again)) {
        assert_eq!(*item, again, "{written}");
    }
    assert_eq!(items.len(), again.len());
}

/// Items as CSL-JSON without their ids.
fn json(items: &[Item]) -> Vec<serde_json::Map<String, serde_json::Value>> {
    let written = write(
        items,
        &CSL_JSON,
        &WriteOptions::default(),
        &Budget::unlimited(),
    )
    .unwrap();
    let mut all: Vec<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(&written).unwrap();
    for item in &mut all {
        item.remove("id");
    }
    all
}

/// An article and a chapter with variables that every record format supports.
pub const WRITTEN: &str = r#"[{"type": "article-journal", "citation-key": "doe", "title": "On x & y", "author": [{"family": "Doe", "given": "Jane"}, {"literal": "World Health Organization"}],
    "container-title": "J", "volume": "1", "issue": "2", "page": "3-9", "issued": {"date-parts": [[2001, 2]]}, "DOI": "10.5555/x", "ISSN": "1234-5679", "keyword": "a, b"},
    {"type": "chapter", "citation-key": "roe", "title": "C", "container-title": "B", "author": [{"family": "Roe", "given": "R."}], "editor": [{"family": "Poe", "given": "P."}],
    "publisher": "P", "publisher-place": "X", "page": "7", "issued": {"date-parts": [[1999]]}, "ISBN": "9780306406157", "URL": "https://x.org/a"}]"#;
