//! Edits of two people on one entry: a three-way merge by field. What only one of them has changed is
//! taken; a field that both have changed differently is a conflict, which is shown and decided by a person.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::change::Change;
use super::changes::{Conflict, SECOND_NAMES, members};
use super::draft::{Metadata, metadata_limits, read_merged, take_extra};
use super::entries::EntryPatch;
use super::entry::Entry;
use super::error::{CollectionError, Resource};
use super::input::Fault;
use super::service::Collections;
use crate::store::StoreError;
use crate::store::collections::{Cause, ChangeKind, CollectionRow, EntryRow};
use citation_exchange::metadata;
use citation_model::item::Item;
use citation_model::review::ReviewStatus;

/// The fields of a merge, and its conflicts.
#[derive(Debug, Default)]
struct MergedFields {
    members: Map<String, Value>,
    conflicts: Vec<Conflict>,
}

/// Merges the changes from `base` to `yours` into `theirs`.
fn merge_items(
    base: &Item,
    theirs: &Item,
    yours: &Item,
    limits: &metadata::Limits,
) -> Result<Result<Item, Vec<Conflict>>, Fault> {
    let (mut base, mut theirs, mut yours) = (members(base), members(theirs), members(yours));
    let extra = merge_fields(
        &take_extra(&mut base),
        &take_extra(&mut theirs),
        &take_extra(&mut yours),
    );
    let mut merged = merge_fields(&base, &theirs, &yours);
    merged.conflicts.extend(extra.conflicts);
    if !merged.conflicts.is_empty() {
        return Ok(Err(merged.conflicts));
    }
    read_merged(merged.members, extra.members, limits).map(Ok)
}

fn merge_fields(
    base: &Map<String, Value>,
    theirs: &Map<String, Value>,
    yours: &Map<String, Value>,
) -> MergedFields {
    let mut merged = MergedFields::default();
    let fields: BTreeSet<&String> = [base, theirs, yours]
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    let is_journal = |field: &str| SECOND_NAMES.iter().find(|(_, name)| *name == field);
    for field in fields {
        let (was, their, your) = (base.get(field), theirs.get(field), yours.get(field));
        let value = if your == was || your == their {
            their
        } else if their == was {
            your
        } else {
            let is_article = yours.get("entry_type") == Some(&json!("article"));
            let shown = is_journal(field).filter(|_| is_article);
            merged.conflicts.push(Conflict {
                field: shown
                    .map_or(field.as_str(), |(second, _)| second)
                    .to_owned(),
                is_of_entry: false,
                base: was.cloned().unwrap_or_default(),
                theirs: their.cloned().unwrap_or_default(),
                yours: your.cloned().unwrap_or_default(),
            });
            continue;
        };
        if let Some(value) = value {
            merged.members.insert(field.clone(), value.clone());
        }
    }
    merged
}

impl Change<'_> {
    /// The metadata to store for an edit that was made on version `seen` of the collection. An edit whose
    /// base is no longer kept is refused.
    pub(super) fn merged_edit(
        &self,
        collection: &CollectionRow,
        row: &EntryRow,
        yours: &Item,
        seen: i64,
    ) -> Result<Item, CollectionError> {
        let stale = CollectionError::Stale {
            version: collection.version,
        };
        let base = self.base(row, seen)?.ok_or(stale)?;
        self.merge_into(collection, row, &base, yours)
    }

    fn merge_into(
        &self,
        collection: &CollectionRow,
        row: &EntryRow,
        base: &Item,
        yours: &Item,
    ) -> Result<Item, CollectionError> {
        let theirs = self.edit.item(row.id)?;
        let limits = metadata_limits(self.limits);
        merge_items(base, &theirs, yours, &limits)?.map_err(|conflicts| {
            CollectionError::Conflicting {
                version: collection.version,
                conflicts,
            }
        })
    }

    /// An entry's metadata at a version of its collection; `None` if it may no longer be kept.
    fn base(&self, row: &EntryRow, seen: i64) -> Result<Option<Item>, StoreError> {
        let versions = self.edit.versions(row.id)?;
        let later = versions
            .iter()
            .take_while(|version| version.collection_version > seen)
            .last();
        match later {
            None => Ok(Some(self.edit.item(row.id)?)),
            // An older one may have been removed, and may have been replaced later than `seen` too.
            Some(first) if is_last_kept(first.number, versions.last().map(|v| v.number)) => {
                Ok((first.number == 1).then(|| first.item.clone()))
            }
            Some(first) => Ok(Some(first.item.clone())),
        }
    }

    /// Whether annotations of an entry, made on version `seen`, touch none that somebody else has
    /// changed since.
    pub(super) fn check_annotations(
        &self,
        collection: &CollectionRow,
        row: &EntryRow,
        patch: &EntryPatch,
        seen: i64,
    ) -> Result<(), CollectionError> {
        let Some(changes) = self.edit.changes_since(collection, seen)? else {
            return Err(CollectionError::Stale {
                version: collection.version,
            });
        };
        let is_touched = |field: &str| {
            let mut changes = changes.iter().filter(|change| change.concerns(&row.uid));
            changes.any(|change| {
                change.kind == ChangeKind::EntriesMerged
                    || change.fields.iter().any(|changed| changed == field)
            })
        };
        let status = |status: ReviewStatus| json!(status.as_str());
        let wanted = [
            (
                "note",
                json!(row.note),
                patch.note.as_ref().map(|n| json!(n)),
            ),
            (
                "tags",
                json!(row.tags),
                patch.tags.as_ref().map(|t| json!(t)),
            ),
            (
                "review_status",
                status(row.review_status),
                patch.review_status.map(status),
            ),
        ];
        let conflicts: Vec<Conflict> = wanted
            .into_iter()
            .filter_map(|(field, theirs, yours)| {
                let yours = yours.filter(|yours| *yours != theirs && is_touched(field))?;
                Some(Conflict {
                    field: field.to_owned(),
                    is_of_entry: true,
                    base: Value::Null,
                    theirs,
                    yours,
                })
            })
            .collect();
        if conflicts.is_empty() {
            return Ok(());
        }
        Err(CollectionError::Conflicting {
            version: collection.version,
            conflicts,
        })
    }

    /// Takes back the change that replaced an earlier version of an entry, and keeps what was changed
    /// later: a conflict if a later change touched the same fields.
    pub fn undo(
        &self,
        collections: &Collections,
        (collection, entry): (&str, &str),
        number: i64,
    ) -> Result<(CollectionRow, Entry), CollectionError> {
        let (collection, _) = self.open_or_merge(collection)?;
        let row = self.find_entry(&collection, entry)?;
        let versions = self.edit.versions(row.id)?;
        let mut after = None;
        let mut before = None;
        for version in versions {
            if version.number == number {
                before = Some(version.item);
                break;
            }
            after = Some(version.item);
        }
        let before = before.ok_or(CollectionError::NotFound(Resource::Version))?;
        let current = self.edit.item(row.id)?;
        let after = after.unwrap_or_else(|| current.clone());
        let item = self.merge_into(&collection, &row, &after, &before)?;
        if item == current {
            return Ok((collection, self.shown(row)?));
        }
        let metadata: Metadata = collections.metadata(item)?;
        let row = self.set_metadata(row, &metadata, Cause::Restored)?;
        let uids = [row.uid.clone()];
        let collection = self.touch(collection.id, ChangeKind::EntriesChanged, &uids)?;
        Ok((collection, self.shown(row)?))
    }
}

fn is_last_kept(number: i64, last: Option<i64>) -> bool {
    last == Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Map<String, Value> {
        let pairs = text
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='));
        pairs
            .map(|(name, value)| (name.to_owned(), json!(value)))
            .collect()
    }

    #[test]
    fn fields_that_only_one_side_changed_are_taken() {
        let check = |base: &str, theirs: &str, yours: &str, expected: &str| {
            let merged = merge_fields(&fields(base), &fields(theirs), &fields(yours));
            assert_eq!(merged.members, fields(expected), "{base} {theirs} {yours}");
            assert!(merged.conflicts.is_empty());
        };
        check("a=1 b=1", "a=2 b=1", "a=1 b=2", "a=2 b=2");
        check("a=1 b=1", "b=1", "a=1", "");
        check("", "a=1", "b=1", "a=1 b=1");
        check("a=1", "a=2", "a=2", "a=2");
        check("a=1", "a=1", "a=1", "a=1");
    }

    #[test]
    fn field_that_both_sides_changed_is_a_conflict() {
        let check = |base: &str, theirs: &str, yours: &str, expected: [Value; 3]| {
            let merged = merge_fields(&fields(base), &fields(theirs), &fields(yours));
            let [conflict] = &merged.conflicts[..] else {
                panic!("{:?}", merged.conflicts)
            };
            let Conflict {
                base,
                theirs,
                yours,
                ..
            } = conflict.clone();
            assert_eq!([base, theirs, yours], expected);
        };
        check("a=1", "a=2", "a=3", [json!("1"), json!("2"), json!("3")]);
        check("a=1", "", "a=3", [json!("1"), Value::Null, json!("3")]);
        check("", "a=2", "a=3", [Value::Null, json!("2"), json!("3")]);
    }
}
