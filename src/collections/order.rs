//! The order of the entries of a collection.

use std::collections::HashMap;

use super::change::Change;
use super::error::CollectionError;
use super::policy::CollectionAction;
use crate::store::collections::{ChangeKind, CollectionRow, EntryRow};

impl Change<'_> {
    /// Puts the listed entries first, in the given order; the others follow in their old order. Returns
    /// the UUIDs of all in the new order. An unchanged order creates no new version.
    pub fn reorder(
        &self,
        collection: &str,
        listed: &[String],
    ) -> Result<(CollectionRow, Vec<String>), CollectionError> {
        let collection = self.open(collection, CollectionAction::EditEntries)?;
        let rows = self.edit.entries(collection.id)?;
        let before: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let ordered = in_order(rows, listed)?;
        let is_same = ordered.iter().map(|row| row.id).eq(before);
        let mut uids = Vec::with_capacity(ordered.len());
        for (rank, row) in (0_i64..).zip(ordered) {
            if !is_same && row.rank != rank {
                self.edit.place_entry(row.id, collection.id, rank)?;
            }
            uids.push(row.uid);
        }
        if is_same {
            Ok((collection, uids))
        } else {
            Ok((
                self.touch(collection.id, ChangeKind::EntriesReordered, listed)?,
                uids,
            ))
        }
    }
}

fn in_order(rows: Vec<EntryRow>, listed: &[String]) -> Result<Vec<EntryRow>, CollectionError> {
    let places: HashMap<String, usize> = rows
        .iter()
        .enumerate()
        .map(|(place, row)| (row.uid.clone(), place))
        .collect();
    let mut rows: Vec<Option<EntryRow>> = rows.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(rows.len());
    for (index, uid) in listed.iter().enumerate() {
        let place = places
            .get(&uid.to_ascii_lowercase())
            .ok_or(CollectionError::InvalidOrder {
                index,
                message: "is not an entry of this collection",
            })?;
        let row = rows.get_mut(*place).and_then(Option::take);
        ordered.push(row.ok_or(CollectionError::InvalidOrder {
            index,
            message: "is listed twice",
        })?);
    }
    ordered.extend(rows.into_iter().flatten());
    Ok(ordered)
}
