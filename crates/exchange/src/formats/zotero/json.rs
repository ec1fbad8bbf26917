//! Reads items alone, in a list, or as members `data` and `items` in the wrappers of the API and of Better
//! BibTeX.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::ZoteroRecord;
use crate::reading::{Reading, ReadingBuilder};
use citation_fields::notice::Notices;
use citation_fields::parts::person;
use citation_model::budget::{Budget, Exceeded};
use citation_model::name::Name;

/// Reads every item that is a reference.
pub(super) fn read(text: &str, budget: &Budget) -> Result<Reading, Exceeded> {
    let mut builder = ReadingBuilder::new(text, budget)?;
    budget.spend_bytes(text.len())?;
    let text = text.trim_start_matches('\u{feff}');
    let records = match records(text) {
        Ok(records) => records,
        Err(error) => {
            builder.lost(
                offset(text, &error),
                "invalid_json",
                format!("The JSON cannot be read: {error}."),
            );
            return Ok(builder.finish());
        }
    };
    for raw in records {
        let source = raw.get();
        let offset = source.as_ptr() as usize - text.as_ptr() as usize;
        builder.spend(0, source.len())?;
        match serde_json::from_str(source) {
            Ok(Value::Object(object)) => {
                let record = record(object);
                let kind = record.kind.clone();
                if let Some(item) = record.into_item() {
                    builder.add_plain(item, &kind, offset, Notices::default())?;
                }
            }
            Ok(_) => builder.lost(
                offset,
                "not_an_object",
                "An item is an object; this is none.".to_owned(),
            ),
            Err(error) => {
                builder.lost(
                    offset,
                    "invalid_json",
                    format!("The item cannot be read: {error}."),
                );
            }
        }
    }
    Ok(builder.finish())
}

/// The wrapper of a Better BibTeX export or of a connector's message.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
}

fn records(text: &str) -> Result<Vec<&RawValue>, serde_json::Error> {
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text);
    }
    match serde_json::from_str::<Envelope<'_>>(text)?.items {
        Some(items) => Ok(items),
        None => Ok(vec![serde_json::from_str(text)?]),
    }
}

/// The byte offset of an error in a text.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)
}

/// An item, or the `data` of an API object.
fn record(mut object: Map<String, Value>) -> ZoteroRecord {
    if let Some(Value::Object(data)) = object.remove("data") {
        object = data;
    }
    let mut record = ZoteroRecord::default();
    for (name, value) in object {
        match (name.as_str(), value) {
            ("itemType", Value::String(kind)) => record.kind = kind,
            ("creators", Value::Array(creators)) => {
                record.creators.extend(creators.iter().filter_map(creator));
            }
            ("tags", Value::Array(tags)) => {
                let tag =
                    |tag: &Value| tag.as_str().or(tag.get("tag")?.as_str()).map(str::to_owned);
                record.tags.extend(tags.iter().filter_map(tag));
            }
            // Properties of the library, not of the work.
            (
                "key" | "itemID" | "itemKey" | "libraryID" | "uri" | "dateAdded" | "dateModified"
                | "parentItem" | "id" | "select",
                _,
            ) => {}
            (_, Value::String(text)) => record.set(&name, &text),
            (_, Value::Number(number)) if !matches!(name.as_str(), "version" | "deleted") => {
                record.set(&name, &number.to_string());
            }
            _ => {}
        }
    }
    record
}

/// A name in two parts or one.
fn creator(value: &Value) -> Option<(String, Name)> {
    let part = |name: &str| {
        value
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim()
    };
    let (first, last, whole) = (part("firstName"), part("lastName"), part("name"));
    let is_single = value.get("fieldMode").and_then(Value::as_u64) == Some(1);
    let name = match (whole, first, last) {
        ("", "", last) if is_single => Name::literal(last),
        ("", first, last) => person(last, first, ""),
        (whole, _, _) => Name::literal(whole),
    };
    (!name.is_empty()).then(|| (part("creatorType").to_owned(), name))
}
