//! Merging metadata into an entry, with a list of the changes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::change::Change;
use super::changes::{self, FieldChange, SECOND_NAMES, members};
use super::draft::{metadata_limits, read_merged, take_extra};
use super::entry::Entry;
use super::error::CollectionError;
use super::input::Fault;
use super::merging::merged;
use super::policy::CollectionAction;
use super::service::Collections;
use crate::config::nearest::nearest_word;
use crate::store::collections::{Cause, ChangeKind, CollectionRow, EntryRow};
use citation_exchange::metadata;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};

/// Which side wins if both have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Ours,
    IncomingRecord,
}

/// How two records are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Takes only the fields that the entry lacks.
    #[default]
    Fill,
    /// Takes every field that the other record has.
    Overwrite,
    /// By field, under the API's names; other fields are filled.
    Fields(BTreeMap<String, Side>),
}

/// A record, or part of one, to merge into another.
#[derive(Clone, Debug, PartialEq)]
pub struct IncomingRecord {
    pub item: Item,
    /// Whether it states its type; an inferred type is not merged.
    pub names_type: bool,
}

/// The result of a merge.
#[derive(Clone, Debug)]
pub struct MergeResult {
    pub collection: CollectionRow,
    pub entry: Entry,
    /// The changes to the metadata.
    pub changes: Vec<FieldChange>,
    /// The changes besides the metadata: `note` and `tags`.
    pub beside: Vec<FieldChange>,
}

impl Change<'_> {
    /// Merges metadata into an entry. If the metadata is that of another entry of the collection,
    /// `delete_entry` names it: its note and tags are appended to the entry's, and it is deleted.
    pub fn combine(
        &self,
        collections: &Collections,
        (collection, entry): (&str, &str),
        theirs: Option<&IncomingRecord>,
        strategy: &Strategy,
        delete_entry: Option<&str>,
    ) -> Result<MergeResult, CollectionError> {
        let collection = self.open(collection, CollectionAction::EditEntries)?;
        let row = self.find_entry(&collection, entry)?;
        let other = delete_entry
            .map(|uid| self.find_entry(&collection, uid))
            .transpose()?;
        if other.as_ref().is_some_and(|other| other.id == row.id) {
            return Err(CollectionError::SameEntry);
        }
        let ours = self.edit.item(row.id)?;
        let of_other = match (theirs, &other) {
            (None, Some(other)) => Some(stored(self.edit.item(other.id)?)),
            _ => None,
        };
        let limits = metadata_limits(self.limits);
        let (merged, changes) = match theirs.or(of_other.as_ref()) {
            Some(theirs) => combine(&ours, theirs, strategy, &limits)?,
            None => (ours, Vec::new()),
        };
        let (mut row, beside) = match &other {
            Some(other) => self.absorb(row, other)?,
            None => (row, Vec::new()),
        };
        if !changes.is_empty() {
            row = self.set_metadata(row, &collections.metadata(merged)?, Cause::Merged)?;
        }
        let is_changed = !changes.is_empty() || other.is_some();
        let concerned: Vec<String> = [Some(&row), other.as_ref()]
            .into_iter()
            .flatten()
            .map(|row| row.uid.clone())
            .collect();
        let kind = match &other {
            Some(_) => ChangeKind::EntriesMerged,
            None => ChangeKind::EntriesChanged,
        };
        Ok(MergeResult {
            collection: self.touch_if(is_changed, collection, kind, &concerned)?,
            entry: self.shown(row)?,
            changes,
            beside,
        })
    }

    /// Appends the note and tags of another entry to an entry, and deletes the other one.
    fn absorb(
        &self,
        row: EntryRow,
        other: &EntryRow,
    ) -> Result<(EntryRow, Vec<FieldChange>), CollectionError> {
        let (note, field) = (other.note.as_deref(), "/delete_entry_id");
        let mut merged = merged(&row, note, &other.tags, self.limits, field)?;
        let beside = changes::other_changes(&row, &merged);
        if !beside.is_empty() {
            merged.updated_at = self.now;
            self.edit.set_entry(&merged)?;
        }
        self.edit.mark_entry(other.id, Some(self.now))?;
        Ok((merged, beside))
    }
}

/// A stored record. Unknown types are documents.
fn stored(item: Item) -> IncomingRecord {
    IncomingRecord {
        names_type: item.kind != ItemType::Document,
        item,
    }
}

/// Merges two records, and lists the changes to the first.
fn combine(
    ours: &Item,
    theirs: &IncomingRecord,
    strategy: &Strategy,
    limits: &metadata::Limits,
) -> Result<(Item, Vec<FieldChange>), Fault> {
    check_fields(strategy, [ours, &theirs.item])?;
    let (mut merged, mut offered) = (members(ours), members(&theirs.item));
    if !theirs.names_type {
        offered.remove("entry_type");
    }
    let (mut extra, more) = (take_extra(&mut merged), take_extra(&mut offered));
    take(&mut merged, offered, strategy);
    take(&mut extra, more, strategy);
    let item = read_merged(merged, extra, limits)?;
    let changes = changes::between(ours, &item);
    Ok((item, changes))
}

/// The members outside the API.
/// Takes the selected fields of the other record.
fn take(ours: &mut Map<String, Value>, theirs: Map<String, Value>, strategy: &Strategy) {
    for (field, value) in theirs {
        let takes = match side(strategy, &field) {
            Some(Side::IncomingRecord) => true,
            Some(Side::Ours) => false,
            None => lacks(ours, &field),
        };
        if takes {
            ours.insert(field, value);
        }
    }
}

/// Whether every field of a strategy is one of the API's, or an unknown member of either
/// record.
fn check_fields(strategy: &Strategy, records: [&Item; 2]) -> Result<(), Fault> {
    let Strategy::Fields(sides) = strategy else {
        return Ok(());
    };
    let known = field_names();
    let is_known = |field: &str| {
        known.contains(&field) || records.iter().any(|item| item.custom.contains_key(field))
    };
    let Some(unknown) = sides.keys().find(|field| !is_known(field)) else {
        return Ok(());
    };
    let message = match nearest_word(unknown, &known) {
        Some(nearest) => format!("is not a metadata field; did you mean “{nearest}”?"),
        None => "is not a metadata field".to_owned(),
    };
    let pointer = unknown.replace('~', "~0").replace('/', "~1");
    Err(Fault::new(
        &format!("/strategy/{pointer}"),
        "unknown",
        message,
    ))
}

/// The API's names of the mergeable fields.
fn field_names() -> Vec<&'static str> {
    let mut names = vec!["id", "entry_type", "keywords"];
    names.extend(SECOND_NAMES.map(|(second, _)| second));
    let texts = TextVar::ALL.iter().filter(|v| **v != TextVar::Keyword);
    names.extend(texts.map(|variable| variable.json_name()));
    names.extend(NumberVar::ALL.iter().map(|variable| variable.json_name()));
    names.extend(NameVar::ALL.iter().map(|variable| variable.json_name()));
    names.extend(DateVar::ALL.iter().map(|variable| variable.json_name()));
    names
}

/// Which side's value of a field to take; `None`: the entry's, if it has one.
fn side(strategy: &Strategy, field: &str) -> Option<Side> {
    match strategy {
        Strategy::Fill => None,
        Strategy::Overwrite if field == "id" => None,
        Strategy::Overwrite => Some(Side::IncomingRecord),
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
        // A record of unknown type is a document.
        Some(kind) => field == "entry_type" && kind == ItemType::Document.json_name(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(value: Value) -> Item {
        metadata::read_value(&value).unwrap().0
    }

    fn merge(ours: Value, theirs: Value, strategy: Strategy) -> Result<Vec<FieldChange>, Fault> {
        let theirs = IncomingRecord {
            names_type: metadata::names_type(theirs.as_object().unwrap()),
            item: item(theirs),
        };
        let limits = metadata::Limits::default();
        combine(&item(ours), &theirs, &strategy, &limits).map(|(_, changes)| changes)
    }

    fn check(ours: Value, theirs: Value, strategy: Strategy, expected: Value) {
        let changes = merge(ours, theirs, strategy).unwrap();
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
            ("journal".to_owned(), Side::IncomingRecord),
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
    fn missing_type_is_not_taken() {
        let thesis = json!({"entry_type": "Thesis", "title": "T"});
        let check = |theirs: Value, expected: Value| {
            for strategy in [Strategy::Fill, Strategy::Overwrite] {
                check(thesis.clone(), theirs.clone(), strategy, expected.clone());
            }
        };
        check(
            json!({"volume": "1", "issue": "2"}),
            json!([["issue", null, "2"], ["volume", null, "1"]]),
        );
        check(
            json!({"volume": "1", "type": null}),
            json!([["volume", null, "1"]]),
        );
        check(
            json!({"volume": "1", "itemType": " "}),
            json!([["volume", null, "1"]]),
        );
        let given = json!({"itemType": "report", "title": "T"});
        super::tests::check(
            thesis.clone(),
            given,
            Strategy::Overwrite,
            json!([["entry_type", "Thesis", "Report"]]),
        );
    }

    #[test]
    fn members_outside_the_interface_are_unchanged() {
        let ours = json!({"title": "T", "extra": {"address": "A", "year": 1, "title": "X"}});
        check(
            ours.clone(),
            json!({"extra": {"address": "B", "year": 2, "title": "Y"}}),
            Strategy::Overwrite,
            json!([
                ["address", "A", "B"],
                ["extra.title", "X", "Y"],
                ["year", 1, 2]
            ]),
        );
        check(ours, json!({"title": "T"}), Strategy::Fill, json!([]));
    }

    #[test]
    fn fields_of_strategies_exist() {
        let check = |field: &str, expected: Option<&str>| {
            let fields = [(field.to_owned(), Side::IncomingRecord)];
            let ours = json!({"title": "T", "shelf": 1});
            let strategy = Strategy::Fields(fields.into());
            let fault = merge(ours, json!({"title": "U", "room/1": 2}), strategy).err();
            let pointer = fault.as_ref().map(|fault| fault.field.as_str());
            assert_eq!(pointer, expected, "{field}");
        };
        for field in [
            "title",
            "journal",
            "keywords",
            "entry_type",
            "shelf",
            "room/1",
        ] {
            check(field, None);
        }
        check("titel", Some("/strategy/titel"));
        check("author", Some("/strategy/author"));
        check("a/b", Some("/strategy/a~1b"));
    }

    #[test]
    fn unknown_type_is_filled() {
        check(
            json!({"entry_type": "Document", "title": "T"}),
            json!({"entry_type": "Article", "title": "T"}),
            Strategy::Fill,
            json!([["entry_type", "Document", "Article"]]),
        );
    }
}
