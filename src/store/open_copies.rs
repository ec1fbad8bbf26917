//! Where the texts of works are open: one copy for each source that was asked.

use rusqlite::{Row, Transaction, params};

use super::works::{WorkId, find_key};
use super::{Store, StoreError, keys};
use citation_model::access::{CopyVersion, OpenCopy};
use citation_model::identifier::Identifier;
use citation_model::work::Source;

/// What a source said about open copies of a work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyStatement {
    pub by: Source,
    /// `None` if it knows of none.
    pub copy: Option<OpenCopy>,
    /// Unix seconds, UTC.
    pub stated_at: i64,
}

impl Store {
    /// What each source said about open copies of a work.
    pub fn open_copies(&self, identifier: &Identifier) -> Result<Vec<CopyStatement>, StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(Vec::new());
        };
        let sql = "SELECT c.stated_by, c.url, c.version, c.license, c.stated_at
                   FROM identifiers i CROSS JOIN open_copies c ON c.work = i.work
                   WHERE i.kind = ?1 AND i.value = ?2 ORDER BY c.stated_by";
        let statements = self.all(sql, params![kind, identifier.as_str()], read)?;
        Ok(statements.into_iter().flatten().collect())
    }

    /// Stores what a source that was asked for copies alone has said. A work that is not here is not noted.
    pub fn note_open_copy(
        &self,
        identifier: &Identifier,
        statement: &CopyStatement,
    ) -> Result<(), StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(());
        };
        self.write_bulk(
            |transaction| match find_key(transaction, kind, identifier.as_str())? {
                Some(work) => put(transaction, work, statement),
                None => Ok(()),
            },
        )
    }
}

/// None for a source that this version does not know.
fn read(row: &Row<'_>) -> Result<Option<CopyStatement>, StoreError> {
    let by: String = row.get(0)?;
    let Some(by) = Source::parse(&by) else {
        return Ok(None);
    };
    let (url, version): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
    let license = row.get(3)?;
    Ok(Some(CopyStatement {
        by,
        copy: url.map(|url| OpenCopy {
            url,
            version: version.as_deref().and_then(CopyVersion::parse),
            license,
            source: by.as_str().to_owned(),
        }),
        stated_at: row.get(4)?,
    }))
}

/// Replaces what the source said before.
fn put(
    transaction: &Transaction<'_>,
    work: WorkId,
    statement: &CopyStatement,
) -> Result<(), StoreError> {
    let copy = statement.copy.as_ref();
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO open_copies (work, stated_by, url, version, license, stated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            work,
            statement.by.as_str(),
            copy.map(|copy| &copy.url),
            copy.and_then(|copy| copy.version).map(CopyVersion::as_str),
            copy.and_then(|copy| copy.license.as_ref()),
            statement.stated_at,
        ])?;
    Ok(())
}

/// Stores the copy of a source's new record of a work; a record without one removes that of the record before.
pub(super) fn of_record(
    transaction: &Transaction<'_>,
    work: WorkId,
    statement: &CopyStatement,
) -> Result<(), StoreError> {
    match statement.copy {
        Some(_) => put(transaction, work, statement),
        None => remove_of(transaction, work, statement.by),
    }
}

/// Removes what a source said about a work.
pub(super) fn remove_of(
    transaction: &Transaction<'_>,
    work: WorkId,
    source: Source,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached("DELETE FROM open_copies WHERE work = ?1 AND stated_by = ?2")?
        .execute(params![work, source.as_str()])?;
    Ok(())
}

/// Gives the copies of a work that becomes part of another one to that one, which keeps its own.
pub(super) fn join(
    transaction: &Transaction<'_>,
    from: WorkId,
    to: WorkId,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached("UPDATE OR IGNORE open_copies SET work = ?2 WHERE work = ?1")?
        .execute([from, to])?;
    Ok(())
}

/// Removes the copies of a work.
pub(super) fn remove(transaction: &Transaction<'_>, work: WorkId) -> Result<(), StoreError> {
    transaction
        .prepare_cached("DELETE FROM open_copies WHERE work = ?1")?
        .execute([work])?;
    Ok(())
}
