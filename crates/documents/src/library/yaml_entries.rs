//! The entries of YAML bibliographies.

use citation_model::item::Item;
use serde_json::{Value, json};

use super::LibraryEntry;
use super::hayagriva::item as hayagriva_item;
use crate::document::Place;
use crate::yaml;

/// The entries of YAML: a list of CSL items, `references: […]`, or Hayagriva's mapping by key.
pub(crate) fn entries_of_yaml(value: &Value, place: &Place) -> Vec<LibraryEntry> {
    let list = match value {
        Value::Array(_) => Some(value),
        _ => value.get("references").filter(|list| list.is_array()),
    };
    if let Some(Value::Array(list)) = list {
        return list
            .iter()
            .filter_map(csl_item)
            .map(|item| LibraryEntry::of_item(item, place.clone()))
            .collect();
    }
    let Value::Object(entries) = value else {
        return Vec::new();
    };
    entries
        .iter()
        .filter(|(_, fields)| fields.is_object())
        .filter_map(|(key, fields)| {
            let mut item = hayagriva_item(fields)?;
            item.id = key.clone();
            Some(LibraryEntry::of_item(item, place.clone()))
        })
        .collect()
}

/// An item of CSL-JSON; `None` if it is not an object.
fn csl_item(value: &Value) -> Option<Item> {
    let mut value = value.clone();
    // Dates in CSL-YAML may be EDTF or mappings of their parts.
    if let Value::Object(members) = &mut value {
        for date in ["issued", "accessed"] {
            if let Some(Value::Array(parts)) = members.get(date) {
                let parts: Vec<Value> = parts
                    .iter()
                    .map(|part| {
                        let number = |name| yaml::text_of(part.get(name)?).parse::<i32>().ok();
                        let parts = [number("year"), number("month"), number("day")];
                        json!(parts.into_iter().map_while(|n| n).collect::<Vec<_>>())
                    })
                    .collect();
                members.insert(date.to_owned(), json!({"date-parts": parts}));
            }
        }
    }
    serde_json::from_value(value).ok()
}
