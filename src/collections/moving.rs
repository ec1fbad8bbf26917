//! Moving and copying entries from one collection to another.

use std::collections::HashSet;

use super::change::Change;
use super::compared::{Compared, Same};
use super::duplicates::{self, DuplicateQuery};
use super::error::CollectionError;
use super::policy::CollectionAction;
use super::snapshot::Snapshot;
use crate::store::StoreError;
use crate::store::collections::{ChangeKind, CollectionRow, EntryRow, View};
use citation_model::item::Item;

/// The entries, the source and the target of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// UUIDs of collections.
    pub source: String,
    pub target: String,
    /// UUIDs, in their order in the target.
    pub entries: Vec<String>,
    /// Whether works that are already in the target are not moved.
    pub skip_duplicates: bool,
    /// Whether the source keeps the entries.
    pub copy: bool,
}

impl Move {
    fn action_on_source(&self) -> CollectionAction {
        if self.copy {
            CollectionAction::Read
        } else {
            CollectionAction::EditEntries
        }
    }
}

/// The result of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveResult {
    /// Number of entries moved.
    pub moved: usize,
    /// UUIDs of the others, each with the reason: `not_found`, `repeated`, `duplicate`.
    pub skipped: Vec<(String, &'static str)>,
    pub source: CollectionRow,
    pub target: CollectionRow,
}

impl Change<'_> {
    /// Moves or copies entries after those of another collection: all that can be moved, or none if
    /// they exceed the plan's limit.
    pub fn move_entries(
        &self,
        order: &Move,
        compared: &Compared<Same>,
    ) -> Result<MoveResult, CollectionError> {
        let source = self.open(&order.source, order.action_on_source())?;
        let target = self.find(&order.target, CollectionAction::EditEntries)?;
        if source.id == target.id {
            return Err(CollectionError::SameCollection);
        }
        let same = compared.or([&source, &target], || {
            in_target(self.edit, order, &source, &target)
        })?;
        let (going, skipped) = self.partition(order, &source, &same)?;
        self.check_room(&target, going.len())?;
        let mut arrived = Vec::with_capacity(going.len());
        for (rank, row) in (self.edit.next_rank(target.id)?..).zip(&going) {
            if order.copy {
                let uid = uuid::Uuid::now_v7().to_string();
                self.edit.copy_entry(row, &uid, target.id, rank, self.now)?;
                arrived.push(uid);
            } else {
                self.edit.place_entry(row.id, target.id, rank)?;
                arrived.push(row.uid.clone());
            }
        }
        Ok(MoveResult {
            moved: going.len(),
            skipped,
            source: if order.copy || going.is_empty() {
                source
            } else {
                self.touch(source.id, ChangeKind::EntriesRemoved, &arrived)?
            },
            target: if going.is_empty() {
                target
            } else {
                self.touch(target.id, ChangeKind::EntriesAdded, &arrived)?
            },
        })
    }

    /// The entries that can be moved, and those that cannot.
    #[allow(
        clippy::type_complexity,
        reason = "two lists, named where they are used"
    )]
    fn partition(
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

impl Snapshot<'_> {
    /// Which of the entries to move are already in the target.
    pub fn compare_move(&self, order: &Move) -> Result<Compared<Same>, CollectionError> {
        let source = self.permitted(&order.source, order.action_on_source())?;
        let target = self.permitted(&order.target, CollectionAction::EditEntries)?;
        let same = in_target(self.view, order, &source, &target)?;
        Ok(Compared::new([&source, &target], same))
    }
}

/// For each entry to move, the entry of the target that is the same work. Entries that the source
/// does not have match none.
fn in_target(
    view: &View<'_>,
    order: &Move,
    source: &CollectionRow,
    target: &CollectionRow,
) -> Result<Same, StoreError> {
    if !order.skip_duplicates {
        return Ok(vec![None; order.entries.len()]);
    }
    let mut found = Vec::with_capacity(order.entries.len());
    for uid in &order.entries {
        found.push(match view.entry(source.id, uid)? {
            Some(row) => Some(view.item(row.id)?),
            None => None,
        });
    }
    let nothing = Item::default();
    let items: Vec<&Item> = found
        .iter()
        .map(|item| item.as_ref().unwrap_or(&nothing))
        .collect();
    let blocking_keys: Vec<Vec<u32>> = items
        .iter()
        .map(|item| duplicates::blocking_keys(item))
        .collect();
    let asked: Vec<DuplicateQuery<'_>> = order
        .entries
        .iter()
        .zip(items.iter().zip(&blocking_keys))
        .map(|(uid, (item, blocking_keys))| DuplicateQuery {
            uid,
            item,
            blocking_keys,
        })
        .collect();
    duplicates::among(view, Some(target), &asked)
}
