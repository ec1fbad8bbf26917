//! Merging metadata into an entry, with a list of what that changes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::changes::{self, FieldChange, SECOND_NAMES, members};
use super::draft::check_metadata;
use super::entries::Entry;
use super::input::Fault;
use super::{Change, CollectionError, Collections};
use crate::exchange::metadata;
use crate::model::item::Item;
use crate::model::item_type::ItemType;
use crate::store::collections::{Cause, CollectionRow};

/// Which side wins where both have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Ours,
    Theirs,
}

/// How two records become one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Only what the entry lacks is taken.
    #[default]
    Fill,
    /// Whatever the other record has is taken.
    Overwrite,
    /// As said for each field, by the interface's names; the others are filled.
    Fields(BTreeMap<String, Side>),
}

/// What a merge came to.
#[derive(Clone, Debug)]
pub struct Combined {
    pub collection: CollectionRow,
    pub entry: Entry,
    pub changes: Vec<FieldChange>,
}

impl Change<'_> {
    /// Merges metadata into an entry. Where the metadata is that of another entry of the collection,
    /// `delete_entry` names it, and it is deleted.
    pub fn combine(
        &self,
        collections: &Collections,
        (collection, entry): (&str, &str),
        theirs: Option<&Item>,
        strategy: &Strategy,
        delete_entry: Option<&str>,
    ) -> Result<Combined, CollectionError> {
        let collection = self.open(collection)?;
        let row = self.find_entry(&collection, entry)?;
        let other = delete_entry
            .map(|uid| self.find_entry(&collection, uid))
            .transpose()?;
        if other.as_ref().is_some_and(|other| other.id == row.id) {
            return Err(CollectionError::SameEntry);
        }
        let ours = self.edit.item(row.id)?;
        let of_other = match (theirs, &other) {
            (None, Some(other)) => Some(self.edit.item(other.id)?),
            _ => None,
        };
        let theirs = theirs.or(of_other.as_ref());
        let (merged, changes) = match theirs {
            Some(theirs) => combine(&ours, theirs, strategy)?,
            None => (ours, Vec::new()),
        };
        let row = if changes.is_empty() {
            row
        } else {
            self.set_metadata(row, &collections.metadata(merged)?, Cause::Merged)?
        };
        if let Some(other) = &other {
            self.edit.mark_entry(other.id, Some(self.now))?;
        }
        let collection = if changes.is_empty() && other.is_none() {
            collection
        } else {
            self.touch(collection.id)?
        };
        Ok(Combined {
            collection,
            entry: self.shown(row)?,
            changes,
        })
    }
}

/// Two records as one, and what that changes in the first.
fn combine(
    ours: &Item,
    theirs: &Item,
    strategy: &Strategy,
) -> Result<(Item, Vec<FieldChange>), Fault> {
    let (before, offered) = (members(ours), members(theirs));
    let mut merged = before.clone();
    for (field, value) in offered {
        let takes = match side(strategy, &field) {
            Some(Side::Theirs) => true,
            Some(Side::Ours) => false,
            None => lacks(&before, &field),
        };
        if takes {
            merged.insert(field, value);
        }
    }
    let item = metadata::read(&merged)
        .map(|(item, _)| item)
        .map_err(|faults| {
            let first = faults.into_iter().next();
            let (field, message) = first.map_or_else(Default::default, |f| (f.field, f.message));
            Fault::new(&format!("/metadata{field}"), "invalid", message)
        })?;
    check_metadata("/metadata", &item)?;
    let changes = changes::between(ours, &item);
    Ok((item, changes))
}

/// Whose value of a field is wanted; nothing: ours, where there is one.
fn side(strategy: &Strategy, field: &str) -> Option<Side> {
    match strategy {
        Strategy::Fill => None,
        Strategy::Overwrite if field == "id" => None,
        Strategy::Overwrite => Some(Side::Theirs),
        Strategy::Fields(sides) => {
            let second = SECOND_NAMES.iter().find(|(_, name)| *name == field);
            let named = sides.get(field);
            named.or_else(|| sides.get(second?.0)).copied()
        }
    }
}

fn lacks(ours: &Map<String, Value>, field: &str) -> bool {
    match ours.get(field) {
        None => true,
        // A record whose type nobody knew is a document.
        Some(kind) => field == "entry_type" && kind == ItemType::Document.wire(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(value: Value) -> Item {
        metadata::read_value(&value).unwrap().0
    }

    fn check(ours: Value, theirs: Value, strategy: Strategy, expected: Value) {
        let (_, changes) = combine(&item(ours), &item(theirs), &strategy).unwrap();
        let changes: Vec<Value> = changes
            .into_iter()
            .map(|change| json!([change.field, change.from, change.to]))
            .collect();
        assert_eq!(Value::Array(changes), expected);
    }

    #[test]
    fn each_strategy_takes_its_fields() {
        let ours = json!({"entry_type": "Article", "title": "T", "journal": "J", "shelf": 1});
        let theirs = json!({"entry_type": "Book", "title": "U", "journal": "K", "volume": "3",
                            "shelf": 2, "room": "R"});
        check(
            ours.clone(),
            theirs.clone(),
            Strategy::Fill,
            json!([["room", null, "R"], ["volume", null, "3"]]),
        );
        let fields = [
            ("journal".to_owned(), Side::Theirs),
            ("volume".to_owned(), Side::Ours),
        ];
        check(
            ours.clone(),
            theirs.clone(),
            Strategy::Fields(fields.into()),
            json!([["journal", "J", "K"], ["room", null, "R"]]),
        );
        check(
            ours,
            theirs,
            Strategy::Overwrite,
            json!([
                ["container_title", "J", "K"],
                ["entry_type", "Article", "Book"],
                ["room", null, "R"],
                ["shelf", 1, 2],
                ["title", "T", "U"],
                ["volume", null, "3"]
            ]),
        );
    }

    #[test]
    fn a_type_that_nobody_knew_is_filled() {
        check(
            json!({"entry_type": "Document", "title": "T"}),
            json!({"entry_type": "Article", "title": "T"}),
            Strategy::Fill,
            json!([["entry_type", "Document", "Article"]]),
        );
    }
}
