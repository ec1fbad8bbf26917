//! Kinds of web pages that were once read wrong: one page of each, with what must come out beside it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use citation_model::budget::Budget;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_records::{clean, webpage};
use serde_json::Value;

/// Letters and digits in lower case, as answers are compared.
fn fold(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The words of a name, in any order.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = name.split(' ').map(fold).collect();
    words.sort();
    words
}

/// What a page says of a field; names are separated by semicolons.
fn said(page: &webpage::WebPage, field: &str) -> String {
    let item = &page.item;
    match field {
        "type" => item.kind.csl().to_owned(),
        "title" => item
            .text(TextVar::Title)
            .map(clean::plain)
            .unwrap_or_default(),
        "authors" => {
            let names = item.names(NameVar::Author).iter();
            names
                .map(|name| name.display())
                .collect::<Vec<_>>()
                .join(";")
        }
        "date" => item
            .date(DateVar::Issued)
            .map(|date| date.edtf())
            .unwrap_or_default(),
        field => {
            let name = match field {
                "container_title" => "container-title",
                "pages" => "page",
                "doi" | "isbn" | "pmid" => &field.to_uppercase(),
                field => field,
            };
            let text = TextVar::from_csl(name).and_then(|variable| item.text(variable));
            let number = || NumberVar::from_csl(name).and_then(|variable| item.number(variable));
            text.or_else(number).unwrap_or_default().to_owned()
        }
    }
}

/// Whether a value is an expected one; dates count up to the coarser precision, pages by their first.
fn is_right(field: &str, wanted: &Value, said: &str) -> bool {
    match (field, wanted) {
        ("authors", Value::Array(names)) => {
            let wanted: Vec<_> = names.iter().filter_map(Value::as_str).map(words).collect();
            wanted == said.split(';').map(words).collect::<Vec<_>>()
        }
        (_, Value::Null) => said.is_empty(),
        ("date", Value::String(date)) => {
            let length = date.len().min(said.len());
            length > 0 && date.get(..length) == said.get(..length)
        }
        ("pages", Value::String(pages)) => {
            let first = |pages: &str| pages.split(['-', '–']).next().map(fold);
            first(pages) == first(said)
        }
        ("language", Value::String(language)) => said.starts_with(language.as_str()),
        (_, Value::String(text)) => fold(text) == fold(said),
        _ => false,
    }
}

#[test]
fn kinds_of_pages_are_read() {
    let Some(folder) = citation_testing::suite("data/reported/web") else {
        println!("skipped: no pages of each kind");
        return;
    };
    let mut wrong = Vec::new();
    let mut kinds = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        kinds += 1;
        let html = std::fs::read(&path).unwrap();
        let expected = std::fs::read(path.with_extension("json")).unwrap();
        let expected: serde_json::Map<String, Value> = serde_json::from_slice(&expected).unwrap();
        let page = webpage::read(&html, None, None, &Budget::unlimited()).unwrap();
        for (field, wanted) in expected
            .iter()
            .filter(|(field, _)| !field.ends_with("_also"))
        {
            let said = said(&page, field);
            let also = expected.get(&format!("{field}_also"));
            let also = also.and_then(Value::as_array).into_iter().flatten();
            let mut answers = std::iter::once(wanted).chain(also);
            if !answers.any(|answer| is_right(field, answer, &said)) {
                let kind = path.file_stem().unwrap_or_default().to_string_lossy();
                wrong.push(format!("{kind}: {field} is {wanted}, not {said:?}"));
            }
        }
    }
    assert!(kinds > 0, "the folder has no pages");
    assert!(wrong.is_empty(), "{} kinds:\n{}", kinds, wrong.join("\n"));
}
