//! Moving and copying entries from one collection to another.

use std::collections::HashSet;

use super::compared::{self, Compared, Same};
use super::{Change, CollectionError};
use crate::store::collections::{CollectionRow, EntryRow};

/// Which entries go where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// UUIDs of collections.
    pub source: String,
    pub target: String,
    /// UUIDs, in the order in which the entries are to stand.
    pub entries: Vec<String>,
    /// Whether works that are in the target already stay where they are.
    pub skip_duplicates: bool,
    /// Whether the source keeps the entries.
    pub copy: bool,
}

/// What came of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// How many entries went.
    pub moved: usize,
    /// UUIDs of those that did not, each with the reason: `not_found`, `repeated`, `duplicate`.
    pub skipped: Vec<(String, &'static str)>,
    pub source: CollectionRow,
    pub target: CollectionRow,
}

impl Change<'_> {
    /// Moves or copies entries behind those of another collection: all that can go, or none where the
    /// plan has no room for them.
    pub fn move_entries(
        &self,
        order: &Move,
        compared: &Compared<Same>,
    ) -> Result<Moved, CollectionError> {
        let source = self.open(&order.source)?;
        let target = self.find(&order.target)?;
        if source.id == target.id {
            return Err(CollectionError::SameCollection);
        }
        let same = compared.or([&source, &target], || {
            compared::moving(self.edit, order, &source, &target)
        })?;
        let (going, skipped) = self.sort_out(order, &source, &same)?;
        self.check_room(&target, going.len())?;
        for (rank, row) in (self.edit.next_rank(target.id)?..).zip(&going) {
            if order.copy {
                let uid = uuid::Uuid::now_v7().to_string();
                self.edit.copy_entry(row, &uid, target.id, rank, self.now)?;
            } else {
                self.edit.place_entry(row.id, target.id, rank)?;
            }
        }
        Ok(Moved {
            moved: going.len(),
            skipped,
            source: if order.copy || going.is_empty() {
                source
            } else {
                self.touch(source.id)?
            },
            target: if going.is_empty() {
                target
            } else {
                self.touch(target.id)?
            },
        })
    }

    /// The entries that can go, and those that cannot.
    #[allow(
        clippy::type_complexity,
        reason = "two lists, named where they are used"
    )]
    fn sort_out(
        &self,
        order: &Move,
        source: &CollectionRow,
        same: &Same,
    ) -> Result<(Vec<EntryRow>, Vec<(String, &'static str)>), CollectionError> {
        let (mut going, mut skipped) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for (uid, same) in order.entries.iter().zip(same) {
            let reason = if !seen.insert(uid) {
                "repeated"
            } else {
                match self.edit.entry(source.id, uid)? {
                    None => "not_found",
                    Some(_) if same.is_some() => "duplicate",
                    Some(row) => {
                        going.push(row);
                        continue;
                    }
                }
            };
            skipped.push((uid.clone(), reason));
        }
        Ok((going, skipped))
    }
}
