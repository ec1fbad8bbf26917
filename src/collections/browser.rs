//! Merging collections that a browser kept, before its user had an account, into the account. The
//! browser's own names are remembered, so that what arrives again is not added again.

use super::change::NewCollection;
use super::draft::Draft;
use super::{Change, CollectionError, duplicates};
use crate::store::collections::{ClientName, CollectionRow};

/// A collection that a browser kept.
#[derive(Clone, Debug)]
pub struct ClientCollection {
    /// The browser's own name of it; empty where it has none.
    pub client_id: String,
    pub new: NewCollection,
    pub entries: Vec<ClientEntry>,
}

/// An entry that a browser kept.
#[derive(Clone, Debug)]
pub struct ClientEntry {
    /// The browser's own name of it within its collection; empty where it has none.
    pub client_id: String,
    pub draft: Draft,
}

/// Where a browser's collection goes that was not merged before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergeStrategy {
    /// Into the collection of the same name, or else a new one.
    #[default]
    ByName,
    CreateNew,
}

/// What became of one collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedCollection {
    pub collection: CollectionRow,
    pub is_new: bool,
    pub added: usize,
    /// Entries left out because they, or the same works, are there already.
    pub skipped: usize,
}

impl Change<'_> {
    /// Merges one collection.
    pub fn merge(
        &self,
        from: &ClientCollection,
        strategy: MergeStrategy,
    ) -> Result<MergedCollection, CollectionError> {
        let present = self.present(from, strategy)?;
        let is_new = present.is_none();
        let collection = match present {
            Some(row) => row,
            None => self.create(&from.new)?,
        };
        let user = self.owner.user;
        if !from.client_id.is_empty() {
            let name = ClientName {
                collection: &from.client_id,
                entry: "",
            };
            self.edit.note_merged(user, name, collection.id, None)?;
        }
        let wanted = self.not_merged(from, &collection)?;
        let skipped = from.entries.len() - wanted.len();
        self.check_room(&collection, wanted.len())?;
        let first = self.edit.next_rank(collection.id)?;
        for (rank, entry) in (first..).zip(&wanted) {
            let row = self.insert(&collection, rank, &entry.draft)?;
            if let Some(name) = name_of(from, entry) {
                self.edit
                    .note_merged(user, name, collection.id, Some(row.id))?;
            }
        }
        Ok(MergedCollection {
            added: wanted.len(),
            skipped,
            is_new,
            collection: if wanted.is_empty() {
                collection
            } else {
                self.touch(collection.id)?
            },
        })
    }

    /// The collection of the account that a browser's collection goes into.
    fn present(
        &self,
        from: &ClientCollection,
        strategy: MergeStrategy,
    ) -> Result<Option<CollectionRow>, CollectionError> {
        let user = self.owner.user;
        if !from.client_id.is_empty()
            && let Some(uid) = self.edit.merged_collection(user, &from.client_id)?
        {
            return Ok(Some(self.find(&uid)?));
        }
        if strategy == MergeStrategy::CreateNew {
            return Ok(None);
        }
        let wanted = from.new.name.to_lowercase();
        let mut rows = self.edit.collections(user, false)?.into_iter();
        Ok(rows.find(|row| row.name.to_lowercase() == wanted))
    }

    /// The entries that are not in the account yet.
    fn not_merged<'f>(
        &self,
        from: &'f ClientCollection,
        collection: &CollectionRow,
    ) -> Result<Vec<&'f ClientEntry>, CollectionError> {
        let drafts: Vec<Draft> = from.entries.iter().map(|e| e.draft.clone()).collect();
        let same = duplicates::among(self.edit, collection, &drafts)?;
        let mut wanted = Vec::new();
        for (entry, same) in from.entries.iter().zip(same) {
            let is_merged = match name_of(from, entry) {
                Some(name) => self.edit.is_merged_entry(self.owner.user, name)?,
                None => false,
            };
            if !is_merged && same.is_none() {
                wanted.push(entry);
            }
        }
        Ok(wanted)
    }
}

fn name_of<'n>(from: &'n ClientCollection, entry: &'n ClientEntry) -> Option<ClientName<'n>> {
    let is_named = !from.client_id.is_empty() && !entry.client_id.is_empty();
    is_named.then_some(ClientName {
        collection: &from.client_id,
        entry: &entry.client_id,
    })
}
