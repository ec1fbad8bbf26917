//! Adding and removing tags of many entries; the tags of all entries of one owner.

use std::collections::BTreeMap;

use super::change::Change;
use super::error::{CollectionError, Resource};
use super::input::{Fault, has_tag};
use super::policy::CollectionAction;
use super::removal::{Changed, uids_of};
use super::snapshot::Snapshot;
use crate::store::StoreError;
use crate::store::collections::{ChangeKind, EntryRow};

/// Changes to the tags of entries. The texts follow the rules of `input`; spellings
/// that differ only in case are one tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagChange {
    /// Appended to an entry's tags, unless it already has them.
    pub add: Vec<String>,
    /// Removed before the others are added.
    pub remove: Vec<String>,
    /// Maximum number of tags of an entry.
    pub most: usize,
}

impl TagChange {
    /// The tags of an entry after the change.
    fn applied(&self, tags: &[String]) -> Vec<String> {
        let mut changed: Vec<String> = tags
            .iter()
            .filter(|tag| !has_tag(&self.remove, tag))
            .cloned()
            .collect();
        for tag in &self.add {
            if !has_tag(&changed, tag) {
                changed.push(tag.clone());
            }
        }
        changed
    }
}

impl Change<'_> {
    /// Changes the tags of entries in one change: of all of them, or of none if one would have
    /// too many.
    pub fn tag_many(
        &self,
        collection: &str,
        uids: &[String],
        tags: &TagChange,
    ) -> Result<Changed, CollectionError> {
        let collection = self.open(collection, CollectionAction::EditEntries)?;
        let (mut entries, mut missing) = (Vec::new(), Vec::new());
        let mut is_changed = false;
        for uid in uids {
            let Some(row) = self.edit.entry(collection.id, uid)? else {
                missing.push(uid.clone());
                continue;
            };
            let changed = tags.applied(&row.tags);
            if changed == row.tags {
                entries.push(row);
                continue;
            }
            if changed.len() > tags.most {
                let message = format!("would give an entry more than {} tags", tags.most);
                return Err(Fault::new("/add", "too_many", message).into());
            }
            let row = EntryRow {
                tags: changed,
                updated_at: self.now,
                ..row
            };
            self.edit.set_entry(&row)?;
            is_changed = true;
            entries.push(row);
        }
        Ok(Changed {
            collection: if is_changed {
                let uids = uids_of(&entries);
                let kind = ChangeKind::EntriesAnnotated;
                self.touch_fields(collection.id, kind, &uids, &["tags"])?
            } else {
                collection
            },
            entries,
            missing,
        })
    }
}

/// A tag in its first spelling, and the number of entries with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCount {
    pub tag: String,
    pub entries: u64,
}

/// The entries of a collection whose tag was renamed or removed.
#[derive(Clone, Debug, Default)]
pub struct RetaggedEntries {
    /// UUID of the collection.
    pub collection: String,
    /// UUIDs of its entries.
    pub entries: Vec<String>,
    /// Those that already had the other name.
    pub merged: Vec<String>,
}

impl Snapshot<'_> {
    /// The tags of all entries, by name.
    pub fn tags(&self) -> Result<Vec<TagCount>, StoreError> {
        let mut tags: BTreeMap<String, TagCount> = BTreeMap::new();
        for row in self.view.tagged(self.user)? {
            for tag in row.tags {
                let found = tags.entry(tag.to_lowercase());
                found.or_insert(TagCount { tag, entries: 0 }).entries += 1;
            }
        }
        Ok(tags.into_values().collect())
    }

    /// Whether an entry has a tag, regardless of case; an error if none has.
    pub fn has_tag(&self, tag: &str) -> Result<(), CollectionError> {
        let tagged = self.view.tagged(self.user)?;
        if tagged.iter().any(|row| has_tag(&row.tags, tag)) {
            Ok(())
        } else {
            Err(CollectionError::NotFound(Resource::Tag))
        }
    }
}

impl Change<'_> {
    /// Renames a tag in all entries, regardless of case, or removes it. An
    /// entry with both names keeps one.
    pub fn retag(
        &self,
        tag: &str,
        name: Option<&str>,
    ) -> Result<Vec<RetaggedEntries>, CollectionError> {
        let mut changed: BTreeMap<i64, RetaggedEntries> = BTreeMap::new();
        for row in self.edit.tagged(self.owner.user)? {
            if !has_tag(&row.tags, tag) {
                continue;
            }
            let found = changed.entry(row.collection).or_default();
            found.entries.push(row.uid.clone());
            let has_both = name.is_some_and(|name| {
                name.to_lowercase() != tag.to_lowercase() && has_tag(&row.tags, name)
            });
            found.merged.extend(has_both.then(|| row.uid.clone()));
            self.edit.set_entry(&EntryRow {
                tags: renamed(&row.tags, tag, name),
                updated_at: self.now,
                ..row
            })?;
        }
        if changed.is_empty() {
            return Err(CollectionError::NotFound(Resource::Tag));
        }
        let touched = changed.into_iter().map(|(id, retagged)| {
            let (kind, uids) = (ChangeKind::EntriesAnnotated, &retagged.entries);
            let collection = self.touch_fields(id, kind, uids, &["tags"])?.uid;
            Ok(RetaggedEntries {
                collection,
                ..retagged
            })
        });
        touched.collect()
    }
}

/// Tags after renaming or removing one.
fn renamed(tags: &[String], tag: &str, name: Option<&str>) -> Vec<String> {
    let tag = tag.to_lowercase();
    let mut renamed: Vec<String> = Vec::new();
    for old in tags {
        let new = if old.to_lowercase() == tag {
            name
        } else {
            Some(old.as_str())
        };
        if let Some(new) = new.filter(|new| !has_tag(&renamed, new)) {
            renamed.push(new.to_owned());
        }
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_removed_and_added_regardless_of_case() {
        let list = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let check = |tags: &str, add: &str, remove: &str, expected: &str| {
            let change = TagChange {
                add: list(add),
                remove: list(remove),
                most: 9,
            };
            let tags: Vec<String> = list(tags);
            assert_eq!(change.applied(&tags).join(" "), expected);
        };
        check("a b", "c", "", "a b c");
        check("a b", "B", "", "a b");
        check("a b c", "", "B", "a c");
        check("a b", "c", "a", "b c");
        check("a b", "A", "a", "b A");
        check("", "é É", "", "é");
    }

    #[test]
    fn renamed_tag_keeps_its_position() {
        let check = |tags: &str, tag: &str, name: Option<&str>, expected: &str| {
            let tags: Vec<String> = tags.split_whitespace().map(str::to_owned).collect();
            assert_eq!(renamed(&tags, tag, name).join(" "), expected);
        };
        check("a b c", "B", Some("d"), "a d c");
        check("a b c", "b", Some("C"), "a C");
        check("a b c", "b", Some("A"), "a c");
        check("a b", "b", Some("B"), "a B");
        check("a b", "b", None, "a");
    }
}
