//! The rows of the collections' tables.

use rusqlite::Row;

use crate::store::StoreError;
use crate::store::codec::Packed;
use citation_model::identifier::Identifier;
use citation_model::review::ReviewStatus;

/// A collection without its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionRow {
    pub id: i64,
    /// UUID.
    pub uid: String,
    /// The owner's row id.
    pub user: i64,
    pub name: String,
    pub description: Option<String>,
    /// The collection's default style.
    pub style: Option<String>,
    pub tags: Vec<String>,
    /// Increases with every change to the collection or to its entries.
    pub version: i64,
    /// Number of entries.
    pub entries: u64,
    pub created_at: i64,
    pub updated_at: i64,
    /// `None`: not deleted.
    pub deleted_at: Option<i64>,
    pub share: Option<ShareRow>,
    /// The role of whoever reads it; a reader where nobody in particular does.
    pub role: Role,
}

/// What somebody is in a collection. Each role may do what the ones before it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    #[default]
    Reader,
    Editor,
    Owner,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Reader, Role::Editor, Role::Owner];

    /// The spelling in requests and replies.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Reader => "reader",
            Role::Editor => "editor",
            Role::Owner => "owner",
        }
    }

    pub fn parse(text: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == text)
    }

    /// The number in the database. Owners are rows of `collections`.
    pub(in crate::store) fn number(self) -> i64 {
        match self {
            Role::Reader => 1,
            Role::Editor => 2,
            Role::Owner => 3,
        }
    }

    /// Unknown numbers are readers.
    pub(in crate::store) fn of_number(number: i64) -> Role {
        let mut all = Role::ALL.into_iter();
        all.find(|role| role.number() == number).unwrap_or_default()
    }
}

/// The link to a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareRow {
    pub token: String,
    /// Whether the link also shows the notes.
    pub with_notes: bool,
    /// Whether whoever has the link may change the entries, if the configuration allows such links.
    pub can_edit: bool,
    pub created_at: i64,
    /// `None`: never.
    pub expires_at: Option<i64>,
}

impl ShareRow {
    pub fn is_open(&self, now: i64) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}

/// An entry without its metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRow {
    pub id: i64,
    /// UUID.
    pub uid: String,
    /// The collection's row id.
    pub collection: i64,
    /// The sort key of entries in a collection; there may be gaps.
    pub rank: i64,
    pub note: Option<String>,
    pub tags: Vec<String>,
    pub review_status: ReviewStatus,
    pub citation_key: Option<String>,
    pub added_at: i64,
    pub updated_at: i64,
}

/// An entry to store.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// UUID.
    pub uid: String,
    pub note: Option<String>,
    pub tags: Vec<String>,
    pub review_status: ReviewStatus,
    pub citation_key: Option<String>,
    /// Hashes of which two entries share one if they may be the same work.
    pub blocking_keys: Vec<u32>,
    pub added_at: i64,
    pub record: PackedItem,
}

/// An entry with its metadata in the form of replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub row: EntryRow,
    /// Position in its collection, from 0, without gaps.
    pub position: u64,
    pub shown: String,
    /// The version of the form of `shown`.
    pub form: i64,
}

/// An item ready to be stored.
#[derive(Clone, Debug)]
pub struct PackedItem {
    pub(super) packed: Packed,
    pub(super) identifiers: Vec<Identifier>,
    pub(super) shown: String,
    pub(super) form: i64,
}

impl PackedItem {
    /// The stored entry.
    pub fn shown_as(&self, row: EntryRow, position: u64) -> Stored {
        Stored {
            row,
            position,
            shown: self.shown.clone(),
            form: self.form,
        }
    }
}

/// A query for what [`read_collection`] reads, of `collections c LEFT JOIN shares s`.
macro_rules! select_collections {
    ($rest:literal) => {
        concat!(
            "SELECT c.id, c.uid, c.user, c.name, c.description, c.style, c.tags, c.version, \
             c.entries, c.created_at, c.updated_at, c.deleted_at, s.token, s.with_notes, \
             s.created_at, s.expires_at, s.can_edit",
            $rest
        )
    };
}

/// A query for what [`read_entry`] reads, of `entries e`. Further columns come behind those.
macro_rules! select_entries {
    ($rest:literal) => {
        concat!(
            "SELECT e.id, e.uid, e.collection, e.rank, e.note, e.tags, e.review_status, \
             e.citation_key, e.added_at, e.updated_at",
            $rest
        )
    };
}

/// The name of an account `u` for others: its address stays private.
macro_rules! user_name {
    () => {
        "coalesce(u.name, nullif(substr(u.email, 1, instr(u.email, '@') - 1), ''), \
         substr(u.uid, 1, 8))"
    };
}

pub(super) use {select_collections, select_entries, user_name};

pub fn read_collection(row: &Row<'_>) -> Result<CollectionRow, StoreError> {
    let token: Option<String> = row.get(12)?;
    let share = match token {
        None => None,
        Some(token) => Some(ShareRow {
            token,
            with_notes: row.get(13)?,
            can_edit: row.get(16)?,
            created_at: row.get(14)?,
            expires_at: row.get(15)?,
        }),
    };
    Ok(CollectionRow {
        id: row.get(0)?,
        uid: row.get(1)?,
        user: row.get(2)?,
        name: row.get(3)?,
        description: row.get(4)?,
        style: row.get(5)?,
        tags: read_tags(row, 6)?,
        version: row.get(7)?,
        entries: row.get::<_, i64>(8)?.max(0) as u64,
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
        deleted_at: row.get(11)?,
        share,
        role: Role::default(),
    })
}

pub fn read_entry(row: &Row<'_>) -> Result<EntryRow, StoreError> {
    let status = row.get_ref(6)?.as_str().unwrap_or_default();
    Ok(EntryRow {
        id: row.get(0)?,
        uid: row.get(1)?,
        collection: row.get(2)?,
        rank: row.get(3)?,
        note: row.get(4)?,
        tags: read_tags(row, 5)?,
        review_status: ReviewStatus::parse(status)
            .ok_or_else(|| StoreError::Corrupt(format!("“{status}” is not a review status")))?,
        citation_key: row.get(7)?,
        added_at: row.get(8)?,
        updated_at: row.get(9)?,
    })
}

fn read_tags(row: &Row<'_>, column: usize) -> Result<Vec<String>, StoreError> {
    let text = row.get_ref(column)?.as_str().unwrap_or_default();
    if text == "[]" {
        return Ok(Vec::new());
    }
    serde_json::from_str(text).map_err(|e| StoreError::Corrupt(format!("tags are not JSON: {e}")))
}

/// Tags in the stored form.
pub fn tags_text(tags: &[String]) -> Result<String, StoreError> {
    serde_json::to_string(tags).map_err(|e| StoreError::Internal(e.to_string()))
}
