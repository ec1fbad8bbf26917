//! Merging the collections that a browser kept before its user had an account into the account. The
//! browser's ids are stored, so that a repeated request adds nothing twice.

use std::collections::HashSet;

use super::change::{Change, NewCollection};
use super::compared::{Compared, Same, among};
use super::draft::Draft;
use super::error::CollectionError;
use super::merging::merged;
use super::policy::{self, CollectionAction};
use super::snapshot::Snapshot;
use crate::store::StoreError;
use crate::store::collections::{ChangeKind, ClientName, CollectionRow, EntryRow, View};

/// A collection that a browser kept.
#[derive(Clone, Debug)]
pub struct ClientCollection {
    /// The browser's id of it; empty if it has none.
    pub client_id: String,
    pub new: NewCollection,
    pub entries: Vec<ClientEntry>,
}

/// An entry that a browser kept.
#[derive(Clone, Debug)]
pub struct ClientEntry {
    /// The browser's id of it within its collection; empty if it has none.
    pub client_id: String,
    pub draft: Draft,
}

/// The target of a browser's collection that has not been merged before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergeStrategy {
    /// The collection of the same name, or else a new one.
    #[default]
    ByName,
    CreateNew,
}

/// The result for one collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedCollection {
    pub collection: CollectionRow,
    pub is_new: bool,
    pub added: usize,
    /// Entries skipped because they, or the same works, already exist, in order.
    pub skipped: Vec<Skipped>,
}

/// A skipped entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Position among the entries of the browser's collection, from 0.
    pub index: usize,
    /// UUID of the entry that it became earlier, or that is the same work.
    pub entry: String,
    /// Whether this merge created that entry.
    pub is_new: bool,
}

/// The entries of a browser's collection by outcome, each with its position.
#[derive(Default)]
struct Sorted<'f> {
    /// New to the account.
    wanted: Vec<&'f ClientEntry>,
    /// Merged earlier, with the entries that they became.
    known: Vec<(usize, EntryRow)>,
    /// The same work as an existing entry, or as an earlier one of the request, with its UUID.
    same: Vec<(usize, &'f ClientEntry, String)>,
}

/// The entries whose works already exist, split.
#[derive(Default)]
struct SplitEntries<'f> {
    skipped: Vec<Skipped>,
    /// To be added anyway, because their notes or tags do not fit into the existing entry.
    left: Vec<&'f ClientEntry>,
    /// Whether an entry of the collection has been changed.
    is_changed: bool,
}

impl Change<'_> {
    /// Merges one collection. If an entry's work already exists, its note and tags are merged into the
    /// existing entry.
    pub fn merge(
        &self,
        from: &ClientCollection,
        compared: &Compared<Same>,
        strategy: MergeStrategy,
    ) -> Result<MergedCollection, CollectionError> {
        let user = self.owner.user;
        let present = present(self.edit, user, from, strategy)?;
        let drafts = from.entries.iter().map(|entry| &entry.draft);
        let same = compared.or(present.as_ref(), || {
            among(self.edit, present.as_ref(), drafts)
        })?;
        let is_new = present.is_none();
        let collection = match present {
            Some(row) => row,
            None => self.create(&from.new)?,
        };
        if !from.client_id.is_empty() {
            let name = ClientName {
                collection: &from.client_id,
                entry: "",
            };
            self.edit.note_merged(user, name, collection.id, None)?;
        }
        let sorted = self.sort(from, same)?;
        let mut concerned: Vec<String> = sorted.wanted.iter().map(|e| uid(e).to_owned()).collect();
        self.check_room(&collection, sorted.wanted.len())?;
        self.add_merged(from, &collection, &sorted.wanted, false)?;
        let merged = self.merge_same(from, &collection, &sorted)?;
        let added = sorted.wanted.len() + merged.left.len();
        self.check_room(&collection, added)?;
        self.add_merged(from, &collection, &merged.left, true)?;
        concerned.extend(merged.left.iter().map(|entry| uid(entry).to_owned()));
        concerned.extend(merged.skipped.iter().map(|skipped| skipped.entry.clone()));
        let is_changed = added > 0 || merged.is_changed;
        Ok(MergedCollection {
            added,
            is_new,
            collection: self.touch_if(
                is_changed,
                collection,
                ChangeKind::EntriesAdded,
                &concerned,
            )?,
            skipped: merged.skipped,
        })
    }

    /// Sorts the entries by outcome.
    fn sort<'f>(
        &self,
        from: &'f ClientCollection,
        same: Same,
    ) -> Result<Sorted<'f>, CollectionError> {
        let mut sorted = Sorted::default();
        for (index, (entry, same)) in from.entries.iter().zip(same).enumerate() {
            let known = match name_of(from, entry) {
                Some(name) => self.edit.merged_entry(self.owner.user, name)?,
                None => None,
            };
            match (known, same) {
                (Some(row), _) => sorted.known.push((index, row)),
                (None, Some(uid)) => sorted.same.push((index, entry, uid)),
                (None, None) => sorted.wanted.push(entry),
            }
        }
        Ok(sorted)
    }

    /// Stores entries after the others and records their ids.
    fn add_merged(
        &self,
        from: &ClientCollection,
        collection: &CollectionRow,
        entries: &[&ClientEntry],
        are_same: bool,
    ) -> Result<(), CollectionError> {
        let drafts = entries.iter().map(|entry| (&entry.draft, are_same));
        let added = self.append(collection, drafts)?;
        for (entry, added) in entries.iter().zip(added) {
            self.note(from, entry, collection, &added.stored.row)?;
        }
        Ok(())
    }

    fn note(
        &self,
        from: &ClientCollection,
        entry: &ClientEntry,
        collection: &CollectionRow,
        row: &EntryRow,
    ) -> Result<(), CollectionError> {
        if let Some(name) = name_of(from, entry) {
            let user = self.owner.user;
            self.edit
                .note_merged(user, name, collection.id, Some(row.id))?;
        }
        Ok(())
    }

    /// Merges the notes and tags of entries whose works already exist into the existing
    /// entries.
    fn merge_same<'f>(
        &self,
        from: &ClientCollection,
        collection: &CollectionRow,
        sorted: &Sorted<'f>,
    ) -> Result<SplitEntries<'f>, CollectionError> {
        let made: HashSet<&str> = sorted.wanted.iter().map(|entry| uid(entry)).collect();
        let known = sorted.known.iter().map(|(index, row)| Skipped {
            index: *index,
            entry: row.uid.clone(),
            is_new: false,
        });
        let mut parted = SplitEntries {
            skipped: known.collect(),
            ..SplitEntries::default()
        };
        for (index, entry, same) in &sorted.same {
            let Some(row) = self.entry_of(from, collection, sorted, same)? else {
                parted.left.push(*entry);
                continue;
            };
            let new = &entry.draft.entry;
            let Ok(merged) = merged(&row, new.note.as_deref(), &new.tags, self.limits, "") else {
                parted.left.push(*entry);
                continue;
            };
            if merged != row {
                self.edit.set_entry(&EntryRow {
                    updated_at: self.now,
                    ..merged
                })?;
                if row.collection == collection.id {
                    parted.is_changed = true;
                } else {
                    let (kind, uids) = (ChangeKind::EntriesAnnotated, [row.uid.clone()]);
                    self.touch_fields(row.collection, kind, &uids, &["note", "tags"])?;
                }
            }
            self.note(from, entry, collection, &row)?;
            parted.skipped.push(Skipped {
                index: *index,
                is_new: made.contains(row.uid.as_str()),
                entry: row.uid,
            });
        }
        parted.skipped.sort_by_key(|skipped| skipped.index);
        Ok(parted)
    }

    /// The entry of a UUID: one of the collection, or one that an earlier entry of the browser was merged
    /// into, which may have been moved since.
    fn entry_of(
        &self,
        from: &ClientCollection,
        collection: &CollectionRow,
        sorted: &Sorted<'_>,
        wanted: &str,
    ) -> Result<Option<EntryRow>, CollectionError> {
        if let Some(row) = self.edit.entry(collection.id, wanted)? {
            return Ok(Some(row));
        }
        let is_wanted = |index: usize| from.entries.get(index).is_some_and(|e| uid(e) == wanted);
        let earlier = sorted.known.iter().find(|(index, _)| is_wanted(*index));
        // Its current state: other entries may have been merged into it.
        let row = earlier.map(|(_, row)| self.edit.entry_by_id(row.id));
        Ok(row.transpose()?)
    }
}

impl Snapshot<'_> {
    /// Which entries of a browser's collection are already in its target collection.
    pub fn compare_merge(
        &self,
        from: &ClientCollection,
        strategy: MergeStrategy,
    ) -> Result<Compared<Same>, CollectionError> {
        let row = present(self.view, self.user, from, strategy)?;
        let same = among(
            self.view,
            row.as_ref(),
            from.entries.iter().map(|e| &e.draft),
        )?;
        Ok(Compared::new(row.as_ref(), same))
    }
}

/// The UUID that an entry has or gets.
fn uid(entry: &ClientEntry) -> &str {
    &entry.draft.entry.uid
}

/// The target collection for a browser's collection.
fn present(
    view: &View<'_>,
    user: i64,
    from: &ClientCollection,
    strategy: MergeStrategy,
) -> Result<Option<CollectionRow>, StoreError> {
    if !from.client_id.is_empty()
        && let Some(uid) = view.merged_collection(user, &from.client_id)?
    {
        let row = view.collection(user, &uid)?;
        let may_edit =
            |row: &CollectionRow| policy::allows(row.role, CollectionAction::EditEntries);
        return Ok(row.filter(may_edit));
    }
    if strategy == MergeStrategy::CreateNew {
        return Ok(None);
    }
    let wanted = from.new.name.to_lowercase();
    let mut rows = view.collections(user, false)?.into_iter();
    Ok(rows.find(|row| row.name.to_lowercase() == wanted))
}

fn name_of<'n>(from: &'n ClientCollection, entry: &'n ClientEntry) -> Option<ClientName<'n>> {
    let is_named = !from.client_id.is_empty() && !entry.client_id.is_empty();
    is_named.then_some(ClientName {
        collection: &from.client_id,
        entry: &entry.client_id,
    })
}
