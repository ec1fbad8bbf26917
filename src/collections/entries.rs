//! Adding and changing entries.

use super::change::{Change, NewCollection};
use super::compared::{Compared, Same, among};
use super::draft::{Draft, Metadata, citation_key};
use super::duplicates;
use super::entry::{Duplicate, Entry};
use super::error::{CollectionError, Resource};
use super::policy::CollectionAction;
use super::service::Collections;
use super::snapshot::{make_public, with_private_parts};
use crate::store::StoreError;
use crate::store::collections::{Cause, ChangeKind, CollectionRow, Edit, EntryRow};
use citation_model::item::Item;
use citation_model::review::ReviewStatus;
use citation_model::work::standing_retraction;

/// How to handle a work that is already in the collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDuplicate {
    /// Add it and report it.
    #[default]
    Add,
    /// Skip it and report it.
    Skip,
    /// Refuse.
    Refuse,
}

/// The result of adding an entry.
#[derive(Clone, Debug)]
pub struct Added {
    /// The new entry, or the existing one if `is_new` is false.
    pub entry: Entry,
    pub is_new: bool,
    /// Similar entries of the collection, best first.
    pub duplicates: Vec<Duplicate>,
}

/// The result of adding several entries.
#[derive(Clone, Debug, Default)]
pub struct BatchAdded {
    pub added: Vec<Entry>,
    /// By position of the draft: the entry that is the same work. Whether the draft was added depends
    /// on the caller's choice.
    pub duplicates: Vec<(usize, String)>,
}

/// Changes to an entry besides its metadata. The texts follow the rules of `input`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryPatch {
    /// `Some(None)` clears it.
    pub note: Option<Option<String>>,
    pub tags: Option<Vec<String>>,
    pub review_status: Option<ReviewStatus>,
}

/// The position for a new entry.
#[derive(Clone, Copy, Debug)]
struct EntryPosition {
    rank: i64,
    /// Position among the entries, from 0.
    position: u64,
}

impl EntryPosition {
    /// After all entries of a collection.
    fn after_all(edit: &Edit<'_>, collection: &CollectionRow) -> Result<EntryPosition, StoreError> {
        Ok(EntryPosition {
            rank: edit.next_rank(collection.id)?,
            position: collection.entries,
        })
    }

    /// So many entries further.
    fn plus(self, entries: u32) -> EntryPosition {
        EntryPosition {
            rank: self.rank + i64::from(entries),
            position: self.position + u64::from(entries),
        }
    }
}

impl Change<'_> {
    /// Adds one entry after the others.
    pub fn add(
        &self,
        collection: &str,
        draft: &Draft,
        compared: &Compared<Vec<Duplicate>>,
        on_duplicate: OnDuplicate,
    ) -> Result<(CollectionRow, Added), CollectionError> {
        let row = self.open(collection, CollectionAction::EditEntries)?;
        let duplicates = compared.or([&row], || duplicates::of(self.edit, &row, &draft.item))?;
        let same = duplicates.iter().find(|found| found.is_duplicate());
        match (on_duplicate, same) {
            (OnDuplicate::Refuse, Some(_)) => return Err(CollectionError::Duplicate(duplicates)),
            (OnDuplicate::Skip, Some(same)) => {
                let entry = same.entry.clone();
                let added = Added {
                    entry,
                    is_new: false,
                    duplicates,
                };
                return Ok((row, added));
            }
            _ => {}
        }
        self.check_room(&row, 1)?;
        let added = Added {
            entry: self.insert(
                &row,
                (draft, same.is_some()),
                EntryPosition::after_all(self.edit, &row)?,
            )?,
            is_new: true,
            duplicates,
        };
        let uids = [added.entry.stored.row.uid.clone()];
        Ok((self.touch(row.id, ChangeKind::EntriesAdded, &uids)?, added))
    }

    /// Adds entries after the others: all of them, or none if they exceed the plan's limit.
    pub fn add_many(
        &self,
        collection: &str,
        drafts: &[Draft],
        compared: &Compared<Same>,
        on_duplicate: OnDuplicate,
    ) -> Result<(CollectionRow, BatchAdded), CollectionError> {
        let row = self.open(collection, CollectionAction::EditEntries)?;
        let same = compared.or([&row], || among(self.edit, Some(&row), drafts))?;
        let mut duplicates = Vec::new();
        let mut wanted = Vec::with_capacity(drafts.len());
        for (index, (draft, same)) in drafts.iter().zip(same).enumerate() {
            let is_same = same.is_some();
            duplicates.extend(same.map(|uid| (index, uid)));
            if !is_same || on_duplicate == OnDuplicate::Add {
                wanted.push((draft, is_same));
            }
        }
        if on_duplicate == OnDuplicate::Refuse && !duplicates.is_empty() {
            return Err(CollectionError::Duplicates(duplicates));
        }
        self.check_room(&row, wanted.len())?;
        let added = self.append(&row, wanted)?;
        let row = if added.is_empty() {
            row
        } else {
            self.touch(row.id, ChangeKind::EntriesAdded, &uids(&added))?
        };
        Ok((row, BatchAdded { added, duplicates }))
    }

    /// Creates a collection with its first entries. `same` says which of them are the same work as an
    /// earlier one.
    pub fn create_with(
        &self,
        new: &NewCollection,
        drafts: &[Draft],
        same: &Same,
    ) -> Result<(CollectionRow, Vec<Entry>), CollectionError> {
        let row = self.create(new)?;
        if drafts.is_empty() {
            return Ok((row, Vec::new()));
        }
        self.check_room(&row, drafts.len())?;
        let is_same = |at: usize| same.get(at).is_some_and(Option::is_some);
        let drafts = drafts.iter().enumerate();
        let entries = self.append(&row, drafts.map(|(at, draft)| (draft, is_same(at))))?;
        let row = self.touch(row.id, ChangeKind::EntriesAdded, &uids(&entries))?;
        Ok((row, entries))
    }

    /// Stores entries after the others, each with whether the collection has the same work.
    pub(super) fn append<'d>(
        &self,
        collection: &CollectionRow,
        drafts: impl IntoIterator<Item = (&'d Draft, bool)>,
    ) -> Result<Vec<Entry>, CollectionError> {
        let first = EntryPosition::after_all(self.edit, collection)?;
        let drafts = (0..).zip(drafts);
        drafts
            .map(|(at, draft)| self.insert(collection, draft, first.plus(at)))
            .collect()
    }

    /// Stores an entry. Unless the user has chosen a review status, retracted works and
    /// duplicates get the matching status.
    fn insert(
        &self,
        collection: &CollectionRow,
        (draft, is_same): (&Draft, bool),
        place: EntryPosition,
    ) -> Result<Entry, CollectionError> {
        let new = &draft.entry;
        let mut row = self.edit.insert_entry(collection.id, place.rank, new)?;
        let updates = self.edit.notices_of_entry(row.id)?;
        let found = match is_same {
            _ if standing_retraction(&updates).is_some() => Some(ReviewStatus::Retracted),
            true => Some(ReviewStatus::PossibleDuplicate),
            false => None,
        };
        if let Some(status) = found.filter(|_| !draft.has_status) {
            row.review_status = status;
            self.edit.set_entry(&row)?;
        }
        let stored = new.record.shown_as(row, place.position);
        Ok(Entry { stored, updates })
    }

    pub(super) fn find_entry(
        &self,
        collection: &CollectionRow,
        uid: &str,
    ) -> Result<EntryRow, CollectionError> {
        let row = self.edit.entry(collection.id, uid)?;
        row.ok_or(CollectionError::NotFound(Resource::Entry))
    }

    pub(super) fn shown(&self, row: EntryRow) -> Result<Entry, CollectionError> {
        Ok(Entry::of_row(self.edit, row)?)
    }

    /// An entry without the parts that the link does not show by which it was changed.
    pub fn shown_by_link(&self, mut entry: Entry) -> Result<Entry, CollectionError> {
        let with_notes = self.link.as_ref().is_some_and(|link| link.with_notes);
        make_public(self.edit, &mut entry, with_notes, false)?;
        Ok(entry)
    }

    /// Changes the annotations of an entry.
    pub fn annotate(
        &self,
        collection: &str,
        entry: &str,
        patch: EntryPatch,
    ) -> Result<(CollectionRow, Entry), CollectionError> {
        let (collection, seen) = self.open_or_merge(collection)?;
        let row = self.find_entry(&collection, entry)?;
        if let Some(seen) = seen {
            self.check_annotations(&collection, &row, &patch, seen)?;
        }
        let patched = EntryRow {
            note: patch.note.unwrap_or_else(|| row.note.clone()),
            tags: patch.tags.unwrap_or_else(|| row.tags.clone()),
            review_status: patch.review_status.unwrap_or(row.review_status),
            ..row.clone()
        };
        if patched == row {
            return Ok((collection, self.shown(row)?));
        }
        let fields: Vec<&'static str> = [
            (patched.note != row.note, "note"),
            (patched.tags != row.tags, "tags"),
            (patched.review_status != row.review_status, "review_status"),
        ]
        .into_iter()
        .filter_map(|(is_changed, field)| is_changed.then_some(field))
        .collect();
        let row = EntryRow {
            updated_at: self.now,
            ..patched
        };
        self.edit.set_entry(&row)?;
        let (kind, uids) = (ChangeKind::EntriesAnnotated, [row.uid.clone()]);
        let collection = self.touch_fields(collection.id, kind, &uids, &fields)?;
        Ok((collection, self.shown(row)?))
    }

    /// Replaces an entry's metadata. A change without effect creates no new version.
    pub fn replace(
        &self,
        collections: &Collections,
        (collection, entry): (&str, &str),
        metadata: &Metadata,
    ) -> Result<(CollectionRow, Entry), CollectionError> {
        let (collection, seen) = self.open_or_merge(collection)?;
        let row = self.find_entry(&collection, entry)?;
        let merged = match (seen, &self.link) {
            (Some(seen), _) => {
                let item = self.merged_edit(&collection, &row, &metadata.item, seen)?;
                Some(collections.metadata(item)?)
            }
            (None, Some(link)) => {
                let stored = self.edit.item(row.id)?;
                let item = with_private_parts(metadata.item.clone(), &stored, link.with_notes);
                Some(collections.metadata(item)?)
            }
            (None, None) => None,
        };
        let metadata = merged.as_ref().unwrap_or(metadata);
        if self.edit.item(row.id)? == metadata.item {
            return Ok((collection, self.shown(row)?));
        }
        let cause = if self.has_been(&row, &metadata.item)? {
            Cause::Restored
        } else {
            Cause::Edited
        };
        let row = self.set_metadata(row, metadata, cause)?;
        let uids = [row.uid.clone()];
        let collection = self.touch(collection.id, ChangeKind::EntriesChanged, &uids)?;
        Ok((collection, self.shown(row)?))
    }

    /// Whether an entry has had this metadata before.
    fn has_been(&self, row: &EntryRow, item: &Item) -> Result<bool, StoreError> {
        let versions = self.edit.versions(row.id)?;
        Ok(versions.iter().any(|version| version.item == *item))
    }

    /// Replaces an entry's metadata and stores the previous version.
    pub(super) fn set_metadata(
        &self,
        row: EntryRow,
        metadata: &Metadata,
        cause: Cause,
    ) -> Result<EntryRow, CollectionError> {
        let replaced = (cause, self.author());
        self.edit
            .keep_version(row.id, replaced, self.now, self.limits.entry_versions)?;
        let row = EntryRow {
            citation_key: citation_key(&metadata.item),
            updated_at: self.now,
            ..row
        };
        self.edit
            .set_record(&row, &metadata.record, &metadata.blocking_keys)?;
        Ok(row)
    }
}

/// The UUIDs of entries.
fn uids(entries: &[Entry]) -> Vec<String> {
    let rows = entries.iter().map(|entry| &entry.stored.row);
    rows.map(|row| row.uid.clone()).collect()
}
