//! Collections and their entries. Related changes are made in one transaction,
//! composed of the steps here: [`View`] reads, [`Edit`] also writes.
//!
//! - `row`: the tables' rows · `read`, `write`: collections and entries
//! - `version`: earlier versions of entries · `log`: what changed · `member`, `team`, `claimed`: access of others · `share`: links · `merged`: browsers' collections · `reply`: stored replies
//! - `purge`: final deletion · `sweep`: marks of retracted entries

mod claimed;
mod distinct;
mod log;
mod member;
mod merged;
mod purge;
mod read;
mod reply;
mod row;
mod share;
mod sweep;
mod team;
mod version;
mod write;

use std::ops::Deref;

use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, Row, Transaction};

pub use claimed::ConfiguredGroup;
pub use log::{ChangeKind, KEPT_CHANGES, LoggedChange, NewChange};
pub use member::{GroupRole, Member};
pub use merged::ClientName;
pub use purge::Purged;
pub use read::Range;
pub use reply::RememberedReply;
pub use row::{CollectionRow, EntryRow, NewEntry, PackedItem, Role, ShareRow, Stored};
pub use team::{Group, GroupMember, Invitation, InvitedTo};
pub use version::{Cause, Version};

use super::codec::{self, Dictionaries};
use super::{Store, StoreError, query};
use citation_model::item::Item;

/// A consistent snapshot of the collections, for reading.
pub struct View<'c> {
    connection: &'c Connection,
    dictionaries: &'c Dictionaries,
}

/// A transaction on the collections. Its changes are invisible to others until it ends.
pub struct Edit<'c> {
    view: View<'c>,
    pub(in crate::store) transaction: &'c Transaction<'c>,
}

impl View<'_> {
    /// [`query::first`] in this snapshot.
    fn first<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        query::first(self.connection, sql, parameters, read)
    }

    /// [`query::value`] in this snapshot.
    fn value<T: FromSql>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<Option<T>, StoreError> {
        query::value(self.connection, sql, parameters)
    }

    /// [`query::all`] in this snapshot.
    fn all<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        query::all(self.connection, sql, parameters, read)
    }

    /// Number of bytes stored for a user, including own styles.
    pub fn bytes_kept(&self, user: i64) -> Result<u64, StoreError> {
        bytes_kept(self.connection, user)
    }
}

/// Number of bytes stored for a user; 0 if unknown.
pub(super) fn bytes_kept(connection: &Connection, user: i64) -> Result<u64, StoreError> {
    let bytes: Option<i64> =
        query::value(connection, "SELECT bytes FROM users WHERE id = ?1", [user])?;
    Ok(bytes.map_or(0, |bytes| bytes.max(0) as u64))
}

impl Edit<'_> {
    /// [`query::execute`] in this transaction.
    fn execute(&self, sql: &str, parameters: impl Params) -> Result<(), StoreError> {
        query::execute(self.transaction, sql, parameters).map(drop)
    }
}

impl<'c> Deref for Edit<'c> {
    type Target = View<'c>;

    fn deref(&self) -> &View<'c> {
        &self.view
    }
}

impl Store {
    /// Reads from one snapshot.
    pub fn view_collections<T, E: From<StoreError>>(
        &self,
        job: impl FnOnce(&View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.snapshot(|connection| {
            job(&View {
                connection,
                dictionaries: &self.dictionaries,
            })
        })
    }

    /// Changes collections. When this returns, the change is on the disk; an error rolls it back.
    /// Others wait to write in the meantime, so prepare as much as possible before.
    pub fn edit_collections<T, E: From<StoreError>>(
        &self,
        job: impl FnOnce(&Edit<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.write_or(|transaction| {
            job(&Edit {
                view: View {
                    connection: transaction,
                    dictionaries: &self.dictionaries,
                },
                transaction,
            })
        })
    }

    /// Encodes an item for a row. `shown` is its form in replies, and `form` that form's version.
    pub fn pack_record(
        &self,
        item: &Item,
        shown: String,
        form: i64,
    ) -> Result<PackedItem, StoreError> {
        let json = codec::to_json(item)?;
        Ok(PackedItem {
            packed: codec::pack(&json, self.dictionaries.newest().as_deref())?,
            identifiers: item.identifiers(),
            shown,
            form,
        })
    }
}
