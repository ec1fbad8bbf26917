//! Putting tags on many entries, and taking them off.

use super::change::Change;
use super::error::CollectionError;
use super::input::{Fault, has_tag};
use super::removal::Changed;
use crate::store::collections::EntryRow;

/// What is to be done with the tags of entries. The texts keep the rules of `input`; two spellings
/// that differ in case alone are one tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagChange {
    /// Go behind the tags that an entry has, where it does not have them.
    pub add: Vec<String>,
    /// Are taken off before the others are added.
    pub remove: Vec<String>,
    /// Tags that an entry may have.
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
    /// Changes the tags of entries, as one change: of all of them, or of none where one would have
    /// too many.
    pub fn tag_many(
        &self,
        collection: &str,
        uids: &[String],
        tags: &TagChange,
    ) -> Result<Changed, CollectionError> {
        let collection = self.open(collection)?;
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
            collection: self.touch_if(is_changed, collection)?,
            entries,
            missing,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_off_and_added_whatever_their_case() {
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
}
