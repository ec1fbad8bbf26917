//! Works: reading them by identifier or id, following their changes, deleting them.
//! `put` writes them.

use rusqlite::{Connection, Row, params};

use super::{Store, StoreError, codec, keys, query, updates};
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::work::{Provenance, Source, Work};

/// The id of a work in this database; never reused.
pub type WorkId = i64;

/// A change to a work, in chronological order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkChange {
    pub seq: i64,
    pub work: WorkId,
    pub kind: ChangeKind,
    /// The hash of the changed record.
    pub stamp: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    New,
    Changed,
    Deleted,
}

impl ChangeKind {
    pub(super) fn number(self) -> i64 {
        match self {
            ChangeKind::New => 0,
            ChangeKind::Changed => 1,
            ChangeKind::Deleted => 2,
        }
    }

    fn from_number(number: i64) -> ChangeKind {
        match number {
            0 => ChangeKind::New,
            1 => ChangeKind::Changed,
            _ => ChangeKind::Deleted,
        }
    }
}

fn read_change(row: &Row<'_>) -> Result<WorkChange, StoreError> {
    Ok(WorkChange {
        seq: row.get(0)?,
        work: row.get(1)?,
        kind: ChangeKind::from_number(row.get(2)?),
        stamp: row.get(3)?,
    })
}

/// The columns that [`read_work`] reads.
macro_rules! work_columns {
    () => {
        "dictionary, record, source, record_id, url, license, fetched_at"
    };
}

impl Store {
    /// The work of an identifier, with notices.
    pub fn work(&self, identifier: &Identifier) -> Result<Option<Work>, StoreError> {
        self.read(|connection| work(connection, &self.dictionaries, identifier))
    }

    /// When the sources of a work were last asked for it: Unix seconds, UTC. `None` without a work.
    pub fn asked_at(&self, identifier: &Identifier) -> Result<Option<i64>, StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(None);
        };
        self.value(
            "SELECT max(w.fetched_at, w.asked_at) FROM identifiers i
             CROSS JOIN works w ON w.id = i.work WHERE i.kind = ?1 AND i.value = ?2",
            params![kind, identifier.as_str()],
        )
    }

    /// Notes that the sources of a work were asked for it.
    pub fn note_asked(&self, identifier: &Identifier, now: i64) -> Result<(), StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(());
        };
        self.write_bulk(|transaction| {
            transaction.execute(
                "UPDATE works SET asked_at = max(asked_at, ?3) WHERE id =
                     (SELECT work FROM identifiers WHERE kind = ?1 AND value = ?2)",
                params![kind, identifier.as_str(), now],
            )?;
            Ok(())
        })
    }

    /// Works by id, in the given order; deleted ones are omitted.
    pub fn works_by_id(&self, ids: &[WorkId]) -> Result<Vec<(WorkId, Work)>, StoreError> {
        self.read(|connection| {
            let mut works = Vec::with_capacity(ids.len());
            for &id in ids {
                if let Some(work) = load_work(connection, &self.dictionaries, id)? {
                    works.push((id, work));
                }
            }
            Ok(works)
        })
    }

    /// Changes after `seq`, oldest first, at most `limit`.
    pub fn changes_since(&self, seq: i64, limit: usize) -> Result<Vec<WorkChange>, StoreError> {
        let sql = "SELECT seq, work, kind, stamp FROM changes WHERE seq > ?1 ORDER BY seq LIMIT ?2";
        self.all(sql, params![seq, limit as i64], read_change)
    }

    /// Changes after `seq`, newest first, at most `limit`.
    pub fn newest_changes(&self, seq: i64, limit: usize) -> Result<Vec<WorkChange>, StoreError> {
        let sql =
            "SELECT seq, work, kind, stamp FROM changes WHERE seq > ?1 ORDER BY seq DESC LIMIT ?2";
        self.all(sql, params![seq, limit as i64], read_change)
    }

    /// The oldest and the newest listed change, and the highest id of a work, from one
    /// snapshot; zeros in an empty database.
    pub fn change_range(&self) -> Result<ChangeRange, StoreError> {
        self.snapshot(|connection| {
            let ends = |sql: &str| -> Result<i64, StoreError> {
                Ok(connection
                    .prepare_cached(sql)?
                    .query_row([], |row| row.get(0))?)
            };
            Ok(ChangeRange {
                oldest: ends("SELECT coalesce(min(seq), 0) FROM changes")?,
                newest: ends("SELECT coalesce(max(seq), 0) FROM changes")?,
                highest_work: ends("SELECT coalesce(max(id), 0) FROM works")?,
            })
        })
    }

    /// Deletes the changes before `seq`; the newest always stays, so that numbers keep increasing.
    pub fn trim_changes(&self, seq: i64) -> Result<(), StoreError> {
        // In slices, because each is one write and writes must be short: this one takes a millisecond.
        const SLICE: i64 = 2_000;
        loop {
            let oldest = self.change_range()?.oldest;
            if oldest == 0 || oldest >= seq {
                return Ok(());
            }
            let end = seq.min(oldest + SLICE);
            self.write_bulk(|transaction| {
                transaction.execute(
                    "DELETE FROM changes WHERE seq < ?1
                     AND seq < (SELECT max(seq) FROM changes)",
                    [end],
                )?;
                Ok(())
            })?;
            if self.change_range()?.oldest == oldest {
                return Ok(());
            }
        }
    }

    /// The items of works by id, in the given order; `None` for deleted ones.
    pub fn items(&self, ids: &[WorkId]) -> Result<Vec<Option<Item>>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT dictionary, record FROM works WHERE id = ?1")?;
            let mut items = Vec::with_capacity(ids.len());
            for id in ids {
                let mut rows = statement.query([id])?;
                let item = match rows.next()? {
                    Some(row) => Some(self.unpack_item(connection, row)?),
                    None => None,
                };
                items.push(item);
            }
            Ok(items)
        })
    }

    /// Works with an id in `after + 1 ..= up_to`, in order.
    pub fn items_after(
        &self,
        after: WorkId,
        up_to: WorkId,
        limit: usize,
    ) -> Result<Vec<(WorkId, Item)>, StoreError> {
        self.read(|connection| {
            query::all(
                connection,
                "SELECT dictionary, record, id FROM works
                 WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3",
                params![after, up_to, limit as i64],
                |row| Ok((row.get(2)?, self.unpack_item(connection, row)?)),
            )
        })
    }

    /// The ids of works in `after + 1 ..`, in order.
    pub fn work_ids_after(&self, after: WorkId, limit: usize) -> Result<Vec<WorkId>, StoreError> {
        let sql = "SELECT id FROM works WHERE id > ?1 ORDER BY id LIMIT ?2";
        self.all(sql, params![after, limit as i64], |row| Ok(row.get(0)?))
    }

    fn unpack_item(&self, connection: &Connection, row: &Row<'_>) -> Result<Item, StoreError> {
        unpack_row(connection, &self.dictionaries, row)
    }
}

/// The result of [`Store::change_range`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeRange {
    pub oldest: i64,
    pub newest: i64,
    pub highest_work: WorkId,
}

/// The first two columns of a row as an item.
pub(super) fn unpack_row(
    connection: &Connection,
    dictionaries: &codec::Dictionaries,
    row: &Row<'_>,
) -> Result<Item, StoreError> {
    codec::unpack(
        dictionaries,
        connection,
        row.get(0)?,
        codec::blob(row, 1)?,
        codec::from_json,
    )
}

/// The work of an identifier, with notices.
pub(super) fn work(
    connection: &Connection,
    dictionaries: &codec::Dictionaries,
    identifier: &Identifier,
) -> Result<Option<Work>, StoreError> {
    let Some(kind) = keys::kind(identifier) else {
        return Ok(None);
    };
    query::first(
        connection,
        concat!(
            "SELECT ",
            work_columns!(),
            " FROM identifiers CROSS JOIN works ON works.id = identifiers.work
         WHERE kind = ?1 AND value = ?2"
        ),
        params![kind, identifier.as_str()],
        |row| read_work(connection, dictionaries, row),
    )
}

pub(super) fn find_key(
    connection: &Connection,
    kind: i64,
    value: &str,
) -> Result<Option<WorkId>, StoreError> {
    query::value(
        connection,
        "SELECT work FROM identifiers WHERE kind = ?1 AND value = ?2",
        params![kind, value],
    )
}

fn load_work(
    connection: &Connection,
    dictionaries: &codec::Dictionaries,
    id: WorkId,
) -> Result<Option<Work>, StoreError> {
    query::first(
        connection,
        concat!("SELECT ", work_columns!(), " FROM works WHERE id = ?1"),
        [id],
        |row| read_work(connection, dictionaries, row),
    )
}

/// Reads the columns of `work_columns` and adds the notices. The row's statement is still running,
/// so the second one needs no locks of its own and sees the same state.
fn read_work(
    connection: &Connection,
    dictionaries: &codec::Dictionaries,
    row: &Row<'_>,
) -> Result<Work, StoreError> {
    let item = unpack_row(connection, dictionaries, row)?;
    let provenance = read_provenance(row, 2)?;
    let updates = match item.doi() {
        Some(doi) => updates::of(connection, &doi)?,
        None => Vec::new(),
    };
    Ok(Work {
        updates,
        ..Work::new(item, provenance)
    })
}

/// Reads source, record id, address, licence and time, from a column on.
pub(super) fn read_provenance(row: &Row<'_>, from: usize) -> Result<Provenance, StoreError> {
    let source = row.get_ref(from)?.as_str().unwrap_or_default();
    let source = Source::parse(source)
        .ok_or_else(|| StoreError::Corrupt(format!("unknown source “{source}”")))?;
    Ok(Provenance {
        source,
        record_id: row.get(from + 1)?,
        url: row.get(from + 2)?,
        license: row.get(from + 3)?,
        fetched_at: row.get(from + 4)?,
    })
}
