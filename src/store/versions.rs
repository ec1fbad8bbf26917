//! Earlier records of works: what a source said before it was asked again.

use rusqlite::{Transaction, params};

use super::codec::Packed;
use super::works::{self, WorkId, find_key};
use super::{Store, StoreError, keys, query};
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::work::Provenance;

/// Number of versions kept of each work.
const MAX_VERSIONS: i64 = 10;

/// What a source said about a work until its record changed.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkVersion {
    pub number: i64,
    pub item: Item,
    pub provenance: Provenance,
    /// When the record that replaced it was fetched: Unix seconds, UTC.
    pub replaced_at: i64,
}

impl Store {
    /// The earlier records of a work, newest first, at most ten.
    pub fn versions(&self, identifier: &Identifier) -> Result<Vec<WorkVersion>, StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(Vec::new());
        };
        self.read(|connection| {
            let Some(id) = find_key(connection, kind, identifier.as_str())? else {
                return Ok(Vec::new());
            };
            query::all(
                connection,
                "SELECT dictionary, record, source, record_id, url, license, fetched_at, number,
                        replaced_at
                 FROM work_versions WHERE work = ?1 ORDER BY number DESC",
                [id],
                |row| {
                    Ok(WorkVersion {
                        item: works::unpack_row(connection, &self.dictionaries, row)?,
                        provenance: works::read_provenance(row, 2)?,
                        number: row.get(7)?,
                        replaced_at: row.get(8)?,
                    })
                },
            )
        })
    }
}

/// Adds a version, and removes the oldest if there are too many.
pub(super) fn add(
    transaction: &Transaction<'_>,
    work: WorkId,
    from: &Provenance,
    record: &Packed,
    replaced_at: i64,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached(
            "INSERT INTO work_versions (work, number, source, record_id, dictionary, record, url,
                                        license, fetched_at, replaced_at)
             VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM work_versions WHERE work = ?1),
                     ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            work,
            from.source.as_str(),
            from.record_id,
            record.dictionary,
            record.bytes,
            from.url,
            from.license,
            from.fetched_at,
            replaced_at,
        ])?;
    transaction
        .prepare_cached(
            "DELETE FROM work_versions WHERE work = ?1
             AND number <= (SELECT max(number) FROM work_versions WHERE work = ?1) - ?2",
        )?
        .execute([work, MAX_VERSIONS])?;
    Ok(())
}

/// Removes the versions of a work.
pub(super) fn remove(transaction: &Transaction<'_>, work: WorkId) -> Result<(), StoreError> {
    transaction
        .prepare_cached("DELETE FROM work_versions WHERE work = ?1")?
        .execute([work])?;
    Ok(())
}
