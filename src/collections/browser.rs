//! Merging collections that a browser kept, before its user had an account, into the account. The
//! browser's own names are remembered, so that what arrives again is not added again.

use super::change::NewCollection;
use super::compared::{Compared, Same, among};
use super::draft::Draft;
use super::{Change, CollectionError};
use crate::store::StoreError;
use crate::store::collections::{ClientName, CollectionRow, View};

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
        let wanted = self.not_merged(from, &same)?;
        let skipped = from.entries.len() - wanted.len();
        self.check_room(&collection, wanted.len())?;
        let added = self.append(&collection, wanted.iter().map(|entry| &entry.draft))?;
        for (entry, added) in wanted.iter().zip(added) {
            if let Some(name) = name_of(from, entry) {
                let id = Some(added.stored.row.id);
                self.edit.note_merged(user, name, collection.id, id)?;
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

    /// The entries that are not in the account yet.
    fn not_merged<'f>(
        &self,
        from: &'f ClientCollection,
        same: &Same,
    ) -> Result<Vec<&'f ClientEntry>, CollectionError> {
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

/// The collection of the account that a browser's collection goes into.
pub(super) fn present(
    view: &View<'_>,
    user: i64,
    from: &ClientCollection,
    strategy: MergeStrategy,
) -> Result<Option<CollectionRow>, StoreError> {
    if !from.client_id.is_empty()
        && let Some(uid) = view.merged_collection(user, &from.client_id)?
    {
        return view.collection(user, &uid);
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
