//! Notices about works: stored separately, since a notice often arrives before or without
//! its work. Each is stored once for every record that states it, so that it goes when none does.

use rusqlite::{Connection, Row, Transaction, params};

use super::{Store, StoreError};
use citation_model::date::Date;
use citation_model::identifier::Doi;
use citation_model::work::{Source, Update, UpdateKind, UpdateRelation};

/// Every notice of a DOI, from either side, each once, whoever states it.
pub fn of(connection: &Connection, doi: &Doi) -> Result<Vec<Update>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT relation, other, kind, date, source, reasons FROM updates WHERE doi = ?1",
    )?;
    let mut rows = statement.query([doi.as_str()])?;
    let mut updates = Vec::new();
    while let Some(row) = rows.next()? {
        if let Some(update) = read(row)? {
            add(&mut updates, update);
        }
    }
    drop_unidentified(&mut updates, doi);
    Ok(updates)
}

fn read(row: &Row<'_>) -> Result<Option<Update>, StoreError> {
    let text = |column: usize| Ok::<_, StoreError>(row.get_ref(column)?.as_str().ok());
    let Ok(other) = Doi::parse(text(1)?.unwrap_or_default()) else {
        return Ok(None);
    };
    let reasons = text(5)?.unwrap_or_default().lines().map(str::to_owned);
    Ok(Some(Update {
        kind: UpdateKind::parse(text(2)?.unwrap_or_default()),
        relation: match text(0)? {
            Some("update_to") => UpdateRelation::UpdateTo,
            _ => UpdateRelation::UpdatedBy,
        },
        doi: other,
        date: text(3)?.and_then(Date::parse_iso),
        source: row.get(4)?,
        reasons: reasons.collect(),
    }))
}

/// Adds a notice; one that is known gets what it lacks.
fn add(updates: &mut Vec<Update>, new: Update) {
    let is_same = |known: &&mut Update| {
        (known.kind, known.relation, &known.doi) == (new.kind, new.relation, &new.doi)
    };
    match updates.iter_mut().find(is_same) {
        Some(known) => complete(known, new),
        None => updates.push(new),
    }
}

fn complete(known: &mut Update, other: Update) {
    known.date = known.date.take().or(other.date);
    if known.reasons.is_empty() {
        known.reasons = other.reasons;
    }
}

/// Some sources do not identify a notice and give the work's own DOI instead. If another source
/// identifies a notice of that kind, it is the same one.
fn drop_unidentified(updates: &mut Vec<Update>, doi: &Doi) {
    let all = std::mem::take(updates);
    let is_unidentified = |update: &Update| update.concerns_work() && update.doi == *doi;
    let (unidentified, identified): (Vec<Update>, Vec<Update>) =
        all.into_iter().partition(is_unidentified);
    *updates = identified;
    for update in unidentified {
        let is_same = |known: &&mut Update| known.concerns_work() && known.kind == update.kind;
        match updates.iter_mut().find(is_same) {
            Some(known) => complete(known, update),
            None => updates.push(update),
        }
    }
}

/// Who states a notice: the record of the DOI itself, or that of the other work.
const OWN: i64 = 1;
const OF_OTHER: i64 = 0;

/// A statement of a notice: by whom, and by which ingest if it is from a list.
#[derive(Clone, Copy)]
struct Statement<'a> {
    by: &'a str,
    ingest: Option<i64>,
}

/// Replaces the notices that an earlier record of `doi` from the same source stated.
pub fn state(
    transaction: &Transaction<'_>,
    doi: &Doi,
    source: Source,
    updates: &[Update],
) -> Result<(), StoreError> {
    let by = source.as_str();
    let others: Vec<String> = transaction
        .prepare_cached(
            "SELECT DISTINCT other FROM updates WHERE doi = ?1 AND stated_by = ?2 AND is_own = 1",
        )?
        .query_map(params![doi.as_str(), by], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    if !others.is_empty() {
        transaction
            .prepare_cached("DELETE FROM updates WHERE doi = ?1 AND stated_by = ?2 AND is_own = 1")?
            .execute(params![doi.as_str(), by])?;
        let mut mirrored = transaction.prepare_cached(
            "DELETE FROM updates WHERE doi = ?1 AND other = ?2 AND stated_by = ?3 AND is_own = 0",
        )?;
        for other in others {
            mirrored.execute(params![other, doi.as_str(), by])?;
        }
    }
    let statement = Statement { by, ingest: None };
    updates
        .iter()
        .try_for_each(|update| add_statement(transaction, doi, update, statement))
}

/// Stores a notice of a list, found by an ingest.
pub fn list(
    transaction: &Transaction<'_>,
    doi: &Doi,
    update: &Update,
    ingest: i64,
) -> Result<(), StoreError> {
    let statement = Statement {
        by: &update.source,
        ingest: Some(ingest),
    };
    add_statement(transaction, doi, update, statement)
}

/// Stores a notice of a record of `doi`, for both works.
fn add_statement(
    transaction: &Transaction<'_>,
    doi: &Doi,
    update: &Update,
    statement: Statement<'_>,
) -> Result<(), StoreError> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO updates (doi, relation, other, kind, date, source, reasons, stated_by, is_own,
                              ingest)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT DO UPDATE SET date = excluded.date, source = excluded.source,
             reasons = excluded.reasons, ingest = excluded.ingest",
    )?;
    let date = update.date.as_ref().map(Date::edtf);
    let reasons = (!update.reasons.is_empty()).then(|| update.reasons.join("\n"));
    let (here, there) = match update.relation {
        UpdateRelation::UpdatedBy => (UpdateRelation::UpdatedBy, UpdateRelation::UpdateTo),
        UpdateRelation::UpdateTo => (UpdateRelation::UpdateTo, UpdateRelation::UpdatedBy),
    };
    let (own, other) = (doi.as_str(), update.doi.as_str());
    let sides = [(own, here, other, OWN), (other, there, own, OF_OTHER)];
    // A notice under the work's own DOI has one side.
    let sides = sides.iter().take(if own == other { 1 } else { 2 });
    for (from, relation, to, is_own) in sides {
        insert.execute(params![
            from,
            relation.as_str(),
            to,
            update.kind.as_str(),
            date,
            update.source,
            reasons,
            statement.by,
            is_own,
            statement.ingest,
        ])?;
    }
    Ok(())
}

/// The result of [`Store::finish_list`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListChanges {
    /// Number of notices in the list.
    pub listed: i64,
    /// Number of notices that the list no longer has.
    pub removed: i64,
}

impl Store {
    /// Removes the notices of a source's earlier list that a complete newer one, read by `ingest`, no longer
    /// has. A list with less than half of them is taken for a part and removes none.
    pub fn finish_list(&self, source: &str, ingest: i64) -> Result<ListChanges, StoreError> {
        self.write_bulk(|transaction| {
            let count = |sql: &str| -> Result<i64, StoreError> {
                let mut statement = transaction.prepare(sql)?;
                Ok(statement.query_row(params![source, ingest], |row| row.get(0))?)
            };
            let rows = "SELECT count(*) FROM updates WHERE stated_by = ?1 AND is_own = 1";
            let listed = count(&format!("{rows} AND ingest = ?2"))?;
            let absent = count(&format!("{rows} AND ingest <> ?2"))?;
            let is_part = listed < absent;
            if is_part || absent == 0 {
                return Ok(ListChanges { listed, removed: 0 });
            }
            transaction.execute(
                "DELETE FROM updates WHERE stated_by = ?1 AND ingest <> ?2",
                params![source, ingest],
            )?;
            Ok(ListChanges {
                listed,
                removed: absent,
            })
        })
    }
}
