//! Notices about works: stored separately, since a notice often arrives before or without
//! its work.

use rusqlite::{Connection, Transaction, params};

use super::StoreError;
use citation_model::date::Date;
use citation_model::identifier::Doi;
use citation_model::work::{Update, UpdateKind, UpdateRelation};

/// Every notice of a DOI, from either side.
pub fn of(connection: &Connection, doi: &Doi) -> Result<Vec<Update>, StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT relation, other, kind, date, source FROM updates WHERE doi = ?1")?;
    let mut rows = statement.query([doi.as_str()])?;
    let mut updates = Vec::new();
    while let Some(row) = rows.next()? {
        let other = row.get_ref(1)?.as_str().unwrap_or_default();
        let Ok(other) = Doi::parse(other) else {
            continue;
        };
        let relation = match row.get_ref(0)?.as_str() {
            Ok("update_to") => UpdateRelation::UpdateTo,
            _ => UpdateRelation::UpdatedBy,
        };
        updates.push(Update {
            kind: UpdateKind::parse(row.get_ref(2)?.as_str().unwrap_or_default()),
            relation,
            doi: other,
            date: row.get_ref(3)?.as_str().ok().and_then(Date::parse_iso),
            source: row.get(4)?,
        });
    }
    Ok(updates)
}

/// Stores the notices of a record of `doi`, for both works. The first version is kept.
pub fn add(transaction: &Transaction<'_>, doi: &Doi, updates: &[Update]) -> Result<(), StoreError> {
    let mut statement = transaction.prepare_cached(
        "INSERT OR IGNORE INTO updates (doi, relation, other, kind, date, source)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for update in updates.iter().filter(|update| update.doi != *doi) {
        let date = update.date.as_ref().map(Date::edtf);
        let (kind, source) = (update.kind.as_str(), &update.source);
        let (here, there) = match update.relation {
            UpdateRelation::UpdatedBy => (UpdateRelation::UpdatedBy, UpdateRelation::UpdateTo),
            UpdateRelation::UpdateTo => (UpdateRelation::UpdateTo, UpdateRelation::UpdatedBy),
        };
        let (a, b) = (doi.as_str(), update.doi.as_str());
        statement.execute(params![a, here.as_str(), b, kind, date, source])?;
        statement.execute(params![b, there.as_str(), a, kind, date, source])?;
    }
    Ok(())
}
