//! Earlier versions of an entry's metadata.

use super::changes::{self, FieldChange};
use super::error::CollectionError;
use super::snapshot::Snapshot;
use crate::store::StoreError;
use crate::store::collections::{CollectionRow, EntryRow, Version};

/// An earlier version, and its differences from the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviousVersion {
    pub version: Version,
    /// From this version to its successor.
    pub changes: Vec<FieldChange>,
}

impl Snapshot<'_> {
    /// The stored earlier versions of an entry, newest first.
    pub fn history(
        &self,
        collection: &CollectionRow,
        entry: &str,
    ) -> Result<Vec<PreviousVersion>, CollectionError> {
        let row = self.find_entry(collection, entry)?;
        Ok(self.history_of(&row)?)
    }

    /// The same for a loaded entry.
    pub fn history_of(&self, entry: &EntryRow) -> Result<Vec<PreviousVersion>, StoreError> {
        let versions = self.view.versions(entry.id)?;
        if versions.is_empty() {
            return Ok(Vec::new());
        }
        let mut after = self.view.item(entry.id)?;
        let formers = versions.into_iter().map(|version| {
            let changes = changes::between(&version.item, &after);
            after = version.item.clone();
            PreviousVersion { version, changes }
        });
        Ok(formers.collect())
    }
}
