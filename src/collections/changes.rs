//! The differences between two states of an entry's metadata, field by field.

use serde_json::{Map, Value, json};

use crate::store::collections::EntryRow;
use citation_exchange::metadata::CitationMetadata;
use citation_model::item::Item;
use citation_model::item_type::ItemType;

/// One field that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// The API's name of the field.
    pub field: String,
    /// `None` if it was absent.
    pub from: Value,
    /// `None` if it is absent.
    pub to: Value,
}

/// A field that two people have changed differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The API's name of the field.
    pub field: String,
    /// Whether it is one of the entry's own fields: `note`, `tags`, `review_status`.
    pub is_of_entry: bool,
    /// The value that both started from. Null: absent, or unknown for the entry's own fields.
    pub base: Value,
    /// The stored value. Null: absent.
    pub theirs: Value,
    /// The value of the refused edit. Null: absent.
    pub yours: Value,
}

/// The changes when one item replaces another.
pub fn between(before: &Item, after: &Item) -> Vec<FieldChange> {
    let (before, now) = (flat(members(before)), flat(members(after)));
    changes(&before, &now, after.kind)
}

/// Changes besides the metadata, by API names.
pub(super) fn other_changes(before: &EntryRow, after: &EntryRow) -> Vec<FieldChange> {
    let change = |field: &str, from: Value, to: Value| FieldChange {
        field: field.to_owned(),
        from,
        to,
    };
    let changes = [
        change("note", json!(before.note), json!(after.note)),
        change("tags", json!(before.tags), json!(after.tags)),
    ];
    let changes = changes.into_iter();
    changes.filter(|change| change.from != change.to).collect()
}

/// Two names of one variable: the one that replies add for articles, and the general one.
pub(super) const SECOND_NAMES: [(&str, &str); 2] = [
    ("journal", "container_title"),
    ("journal_abbreviation", "container_title_short"),
];

/// An item's members, one name for each; unknown ones are in `extra`.
pub(super) fn members(item: &Item) -> Map<String, Value> {
    let metadata = CitationMetadata::of_item(item).with_abstract(true);
    let mut members = match serde_json::to_value(metadata) {
        Ok(Value::Object(members)) => members,
        // Serialisation only fails for maps with non-text keys, which no item has.
        _ => Map::new(),
    };
    members.remove("csl_type");
    for (second, _) in SECOND_NAMES {
        members.remove(second);
    }
    members
}

/// The same with the unknown members next to the others, unless their names clash.
fn flat(mut members: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(extra)) = members.remove("extra") {
        for (name, value) in extra {
            let name = if members.contains_key(&name) {
                format!("extra.{name}")
            } else {
                name
            };
            members.insert(name, value);
        }
    }
    members
}

/// The differing fields. The type decides under which of its two names a title is shown.
fn changes(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    kind: ItemType,
) -> Vec<FieldChange> {
    let mut fields: Vec<&String> = before.keys().chain(after.keys()).collect();
    fields.sort();
    fields.dedup();
    fields
        .into_iter()
        .filter(|field| before.get(*field) != after.get(*field))
        .map(|field| FieldChange {
            field: shown_name(field, kind).to_owned(),
            from: before.get(field).cloned().unwrap_or_default(),
            to: after.get(field).cloned().unwrap_or_default(),
        })
        .collect()
}

fn shown_name(field: &str, kind: ItemType) -> &str {
    let second = SECOND_NAMES.iter().find(|(_, name)| *name == field);
    match second {
        Some((second, _)) if kind.is_in_periodical() => second,
        _ => field,
    }
}
