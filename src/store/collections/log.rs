//! What each version of a collection changed, and who changed it.

use rusqlite::{Row, params};

use super::row::user_name;
use super::{CollectionRow, Edit, View};
use crate::store::StoreError;

/// The number of changes kept for a collection.
pub const KEPT_CHANGES: i64 = 1_000;

/// Maximum number of entries that a change lists.
const LISTED_ENTRIES: usize = 200;

/// What a change was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Name, description, style or tags of the collection.
    CollectionChanged,
    CollectionDeleted,
    CollectionRestored,
    EntriesAdded,
    /// Their metadata.
    EntriesChanged,
    /// Their notes, tags or review status.
    EntriesAnnotated,
    /// One entry was merged into another.
    EntriesMerged,
    EntriesRemoved,
    EntriesRestored,
    EntriesReordered,
    MembersChanged,
    ShareChanged,
}

impl ChangeKind {
    pub const ALL: [ChangeKind; 12] = [
        ChangeKind::CollectionChanged,
        ChangeKind::CollectionDeleted,
        ChangeKind::CollectionRestored,
        ChangeKind::EntriesAdded,
        ChangeKind::EntriesChanged,
        ChangeKind::EntriesAnnotated,
        ChangeKind::EntriesMerged,
        ChangeKind::EntriesRemoved,
        ChangeKind::EntriesRestored,
        ChangeKind::EntriesReordered,
        ChangeKind::MembersChanged,
        ChangeKind::ShareChanged,
    ];

    /// The spelling in replies and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            ChangeKind::CollectionChanged => "collection_changed",
            ChangeKind::CollectionDeleted => "collection_deleted",
            ChangeKind::CollectionRestored => "collection_restored",
            ChangeKind::EntriesAdded => "entries_added",
            ChangeKind::EntriesChanged => "entries_changed",
            ChangeKind::EntriesAnnotated => "entries_annotated",
            ChangeKind::EntriesMerged => "entries_merged",
            ChangeKind::EntriesRemoved => "entries_removed",
            ChangeKind::EntriesRestored => "entries_restored",
            ChangeKind::EntriesReordered => "entries_reordered",
            ChangeKind::MembersChanged => "members_changed",
            ChangeKind::ShareChanged => "share_changed",
        }
    }

    fn parse(text: &str) -> Option<ChangeKind> {
        ChangeKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// A change to log.
#[derive(Clone, Copy, Debug)]
pub struct NewChange<'c> {
    /// Who makes it, by row id. `None`: the server, or a link.
    pub user: Option<i64>,
    pub kind: ChangeKind,
    /// UUIDs of the entries concerned.
    pub entries: &'c [String],
    /// The entries' own fields that changed, besides their metadata.
    pub fields: &'c [&'static str],
}

/// A logged change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedChange {
    /// The version of the collection that it made.
    pub version: i64,
    /// Unix seconds.
    pub at: i64,
    /// Who made it, by row id. `None`: the server, or a link.
    pub user: Option<i64>,
    /// The name of whoever made it; `None` also for accounts that no longer exist.
    pub by: Option<String>,
    pub kind: ChangeKind,
    /// UUIDs of the entries concerned. `None`: too many to list.
    pub entries: Option<Vec<String>>,
    /// The entries' own fields that changed, besides their metadata.
    pub fields: Vec<String>,
}

impl LoggedChange {
    pub(super) fn of(row: &CollectionRow, now: i64, change: &NewChange<'_>) -> LoggedChange {
        let is_listed = change.entries.len() <= LISTED_ENTRIES;
        LoggedChange {
            version: row.version,
            at: now,
            user: change.user,
            by: None,
            kind: change.kind,
            entries: is_listed.then(|| change.entries.to_vec()),
            fields: change
                .fields
                .iter()
                .map(|field| (*field).to_owned())
                .collect(),
        }
    }

    /// Whether it concerns an entry.
    pub fn concerns(&self, entry: &str) -> bool {
        let entries = self.entries.as_ref();
        entries.is_none_or(|entries| entries.iter().any(|uid| uid == entry))
    }
}

impl View<'_> {
    /// The changes after a version, oldest first. `None` if some of them are no longer kept, or were
    /// made before changes were logged.
    pub fn changes_since(
        &self,
        collection: &CollectionRow,
        version: i64,
    ) -> Result<Option<Vec<LoggedChange>>, StoreError> {
        let changes = self.all(
            concat!(
                "SELECT l.version, l.at, l.user, l.kind, l.entries, l.fields, ",
                user_name!(),
                " FROM collection_changes l LEFT JOIN users u ON u.id = l.user
                 WHERE l.collection = ?1 AND l.version > ?2 ORDER BY l.version"
            ),
            params![collection.id, version],
            read_change,
        )?;
        // The first version is a new collection, which is no change.
        let wanted = collection.version - version.max(1);
        let is_complete = usize::try_from(wanted).is_ok_and(|wanted| wanted == changes.len());
        Ok(is_complete.then_some(changes))
    }
}

fn read_change(row: &Row<'_>) -> Result<LoggedChange, StoreError> {
    let kind = row.get_ref(3)?.as_str().unwrap_or_default();
    let list = |column: usize| -> Result<Option<Vec<String>>, StoreError> {
        let text: Option<String> = row.get(column)?;
        text.map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(|e| StoreError::Corrupt(format!("a list of a change is not JSON: {e}")))
    };
    Ok(LoggedChange {
        version: row.get(0)?,
        at: row.get(1)?,
        user: row.get(2)?,
        by: row.get(6)?,
        kind: ChangeKind::parse(kind)
            .ok_or_else(|| StoreError::Corrupt(format!("“{kind}” is not a kind of change")))?,
        entries: list(4)?,
        fields: list(5)?.unwrap_or_default(),
    })
}

impl Edit<'_> {
    /// Logs the change that made the version of `row`.
    pub(super) fn log_change(
        &self,
        row: &CollectionRow,
        now: i64,
        change: &NewChange<'_>,
    ) -> Result<(), StoreError> {
        let logged = LoggedChange::of(row, now, change);
        let text = |list: &[String]| {
            serde_json::to_string(list).map_err(|e| StoreError::Internal(e.to_string()))
        };
        self.execute(
            "INSERT INTO collection_changes (collection, version, at, user, kind, entries, fields)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                row.id,
                logged.version,
                logged.at,
                logged.user,
                logged.kind.as_str(),
                logged.entries.as_deref().map(text).transpose()?,
                text(&logged.fields)?,
            ],
        )?;
        self.execute(
            "DELETE FROM collection_changes WHERE collection = ?1 AND version <= ?2",
            params![row.id, row.version - KEPT_CHANGES],
        )
    }

    /// The change that made the current version of a collection.
    pub fn last_change(&self, row: &CollectionRow) -> Result<Option<LoggedChange>, StoreError> {
        let changes = self.changes_since(row, row.version - 1)?;
        Ok(changes.and_then(|changes| changes.into_iter().next()))
    }
}
