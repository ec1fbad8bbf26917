//! What each source sent to ask later whether its record of a work has changed.

use rusqlite::{Transaction, params};

use super::works::WorkId;
use super::{Store, StoreError, keys};
use citation_model::identifier::Identifier;
use citation_model::work::{Source, Validator};

impl Store {
    /// The validators of a work, each with its source.
    pub fn validators(
        &self,
        identifier: &Identifier,
    ) -> Result<Vec<(Source, Validator)>, StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(Vec::new());
        };
        let sql = "SELECT v.source, v.request, v.etag, v.last_modified
                   FROM identifiers i CROSS JOIN validators v ON v.work = i.work
                   WHERE i.kind = ?1 AND i.value = ?2";
        let validators = self.all(sql, params![kind, identifier.as_str()], |row| {
            let source: String = row.get(0)?;
            let validator = Validator {
                request: row.get(1)?,
                etag: row.get(2)?,
                last_modified: row.get(3)?,
            };
            Ok(Source::parse(&source).map(|source| (source, validator)))
        })?;
        Ok(validators.into_iter().flatten().collect())
    }
}

/// Stores the validator of a source's record.
pub(super) fn put(
    transaction: &Transaction<'_>,
    work: WorkId,
    source: Source,
    validator: &Validator,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO validators (work, source, request, etag, last_modified)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            work,
            source.as_str(),
            validator.request,
            validator.etag,
            validator.last_modified,
        ])?;
    Ok(())
}

/// Removes that of a record that came without one.
pub(super) fn remove_of(
    transaction: &Transaction<'_>,
    work: WorkId,
    source: Source,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached("DELETE FROM validators WHERE work = ?1 AND source = ?2")?
        .execute(params![work, source.as_str()])?;
    Ok(())
}

/// Removes the validators of a work.
pub(super) fn remove(transaction: &Transaction<'_>, work: WorkId) -> Result<(), StoreError> {
    transaction
        .prepare_cached("DELETE FROM validators WHERE work = ?1")?
        .execute([work])?;
    Ok(())
}
