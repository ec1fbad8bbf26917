//! Puts and deletions within one transaction: finds the works of a record, joins
//! and merges them, and keeps keys, changes and counters consistent.

use rusqlite::{CachedStatement, OptionalExtension, Transaction, params};

use super::codec::{self, Packed};
use super::keys::{self, IdentifierKey};
use super::merge::{self, SourceRecord};
use super::meta::{self, CounterChanges};
use super::open_copies::{self, CopyStatement};
use super::outcome::{NewWorks, PutCounts, PutOutcome};
use super::prepared::PreparedWork;
use super::works::{self, ChangeKind, WorkId, find_key};
use super::{Store, StoreError, journals, misses, updates, validators, versions};
use citation_model::identifier::{Doi, Identifier};
use citation_model::work::{Provenance, Source, Update};

/// Puts and deletions within one transaction.
pub(crate) struct Batch<'s, 't> {
    store: &'s Store,
    pub(super) transaction: &'s Transaction<'t>,
    counters: CounterChanges,
    pub(super) counts: PutCounts,
    misses: bool,
    next_id: WorkId,
    changes: Changes,
    statements: Statements<'s>,
}

/// The statements for every new work, prepared once per batch.
struct Statements<'s> {
    find_key: CachedStatement<'s>,
    add_key: CachedStatement<'s>,
    add_work: CachedStatement<'s>,
    add_change: CachedStatement<'s>,
}

impl<'s> Statements<'s> {
    fn of(transaction: &'s Transaction<'_>) -> Result<Statements<'s>, StoreError> {
        Ok(Statements {
            find_key: transaction
                .prepare_cached("SELECT work FROM identifiers WHERE kind = ?1 AND value = ?2")?,
            add_key: transaction.prepare_cached(
                "INSERT OR IGNORE INTO identifiers (kind, value, work) VALUES (?1, ?2, ?3)",
            )?,
            add_work: transaction.prepare_cached(
                "INSERT INTO works (id, dictionary, record, source, record_id, url, license,
                                    fetched_at, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?,
            add_change: transaction
                .prepare_cached("INSERT INTO changes (work, kind, stamp) VALUES (?1, ?2, ?3)")?,
        })
    }
}

/// The counter that prevents reuse of deleted works' ids.
const LAST_DELETED: &str = "last_deleted";

/// The id for the next new work.
fn next_id(transaction: &Transaction<'_>) -> Result<WorkId, StoreError> {
    let mut statement = transaction.prepare_cached("SELECT coalesce(max(id), 0) FROM works")?;
    let highest: WorkId = statement.query_row([], |row| row.get(0))?;
    Ok(highest.max(meta::counter(transaction, LAST_DELETED)?) + 1)
}

/// The changes recorded by a batch.
#[derive(Default)]
struct Changes {
    first: Option<i64>,
    last: i64,
    last_stamp: i64,
    /// Whether any change was not that of a new work.
    mixed: bool,
}

/// A work in the database before a put.
struct ExistingWork {
    id: WorkId,
    records: Vec<SourceRecord>,
    /// The stored keys of the records.
    keys: Vec<IdentifierKey>,
    /// The merged record, to see whether a put changes it.
    json: Vec<u8>,
    source: Source,
}

impl<'s, 't> Batch<'s, 't> {
    pub(super) fn begin(
        store: &'s Store,
        transaction: &'s Transaction<'t>,
    ) -> Result<Batch<'s, 't>, StoreError> {
        Ok(Batch {
            store,
            transaction,
            counters: CounterChanges::default(),
            counts: PutCounts::default(),
            misses: misses::any(transaction)?,
            next_id: next_id(transaction)?,
            changes: Changes::default(),
            statements: Statements::of(transaction)?,
        })
    }

    /// Writes the counters; the transaction can then be committed.
    pub(super) fn end(self) -> Result<PutCounts, StoreError> {
        self.counters.save(self.transaction)?;
        Ok(self.counts)
    }
}

impl Batch<'_, '_> {
    pub fn put(&mut self, new: &PreparedWork) -> Result<PutOutcome, StoreError> {
        let from = &new.provenance;
        self.counters.add_time(from.source, from.fetched_at);
        // Most works are new and have one key: a single insert checks both.
        if let [key] = new.keys.as_slice()
            && self.add_key(self.next_id, key)?
        {
            let outcome = self.insert(new)?;
            self.counts.count(outcome);
            self.note_extras(outcome.id(), new, true)?;
            return Ok(outcome);
        }
        let (outcome, is_taken) = match self.matches(new)?.as_slice() {
            [] => (self.insert_with_keys(new)?, true),
            [id] if self.is_known(*id, new)? => (PutOutcome::Unchanged(*id), false),
            ids => self.join(new, ids)?,
        };
        self.counts.count(outcome);
        if is_taken {
            // A record whose notices alone are new leaves the item as it is.
            self.note_extras(outcome.id(), new, matches!(outcome, PutOutcome::New(_)))?;
        }
        if let (false, Some(validator)) = (is_taken, &new.validator) {
            // The same record may have another validator.
            validators::put(self.transaction, outcome.id(), from.source, validator)?;
        }
        Ok(outcome)
    }

    /// Whether somebody else waits to write, so that the batch should end soon.
    pub fn is_awaited(&self) -> bool {
        self.store.is_awaited()
    }

    /// The changes of the batch so far, if all of them are new works.
    pub fn new_works(&self) -> Option<NewWorks> {
        let first_change = self.changes.first.filter(|_| !self.changes.mixed)?;
        Some(NewWorks {
            first_change,
            last_change: self.changes.last,
            last_stamp: self.changes.last_stamp,
        })
    }

    /// Deletes the record of a source with an id of its own: the whole work is deleted if no other
    /// source knows it. False if that source has no such record.
    pub fn retract_record(&mut self, source: Source, record_id: &str) -> Result<bool, StoreError> {
        let mut found = None;
        for key in keys::of_record_id(source, record_id) {
            found = found.or(find_key(self.transaction, key.kind, &key.value)?);
        }
        let Some(id) = found else {
            return Ok(false);
        };
        let Some(mut standing) = self.load(id)? else {
            return Ok(false);
        };
        let before = standing.records.len();
        standing.records.retain(|record| {
            record.provenance.source != source || record.provenance.record_id != record_id
        });
        if standing.records.len() == before {
            return Ok(false);
        }
        if standing.records.is_empty() {
            self.delete(id)?;
            return Ok(true);
        }
        open_copies::remove_of(self.transaction, id, source)?;
        validators::remove_of(self.transaction, id, source)?;
        if self.save(standing)? {
            self.counts.changed += 1;
        }
        Ok(true)
    }

    /// Stores a notice of a list, found by an ingest, about the work with a DOI.
    pub fn list_notice(&self, doi: &Doi, update: &Update, ingest: i64) -> Result<(), StoreError> {
        updates::list(self.transaction, doi, update, ingest)
    }

    /// Counts a notice about an article without a known DOI.
    pub fn leave_out_notice(&mut self) {
        self.counts.unplaced_notices += 1;
    }

    /// The DOI of the work with another identifier.
    pub fn doi_of(&self, identifier: &Identifier) -> Result<Option<Doi>, StoreError> {
        let work = works::work(self.transaction, &self.store.dictionaries, identifier)?;
        Ok(work.and_then(|work| work.item.doi()))
    }

    /// Deletes a work and everything that belongs to it; notices stay, since they refer to a DOI.
    pub fn delete(&mut self, id: WorkId) -> Result<(), StoreError> {
        let Some(standing) = self.load(id)? else {
            return Ok(());
        };
        self.remove(&standing)?;
        self.counts.deleted += 1;
        Ok(())
    }

    /// The works of a record's keys, strongest key first, each once.
    fn matches(&mut self, new: &PreparedWork) -> Result<Vec<WorkId>, StoreError> {
        let mut ids = Vec::new();
        for key in &new.keys {
            let id = self
                .statements
                .find_key
                .query_row(params![key.kind, key.value], |row| row.get(0))
                .optional()?;
            ids.extend(id.filter(|id| !ids.contains(id)));
        }
        Ok(ids)
    }

    /// Inserts a new work with the next id, and its keys.
    fn insert_with_keys(&mut self, new: &PreparedWork) -> Result<PutOutcome, StoreError> {
        self.add_keys(self.next_id, &new.keys)?;
        self.insert(new)
    }

    /// Inserts a new work with the next id, which its keys already have.
    fn insert(&mut self, new: &PreparedWork) -> Result<PutOutcome, StoreError> {
        let from = &new.provenance;
        let id = self.next_id;
        self.next_id += 1;
        self.statements.add_work.execute(params![
            id,
            new.packed.dictionary,
            new.packed.bytes,
            from.source.as_str(),
            from.record_id,
            from.url,
            from.license,
            from.fetched_at,
            new.hash,
        ])?;
        self.note_change(id, ChangeKind::New, new.hash)?;
        self.counters.add_works(from.source, 1);
        Ok(PutOutcome::New(id))
    }

    /// Whether the identical record exists; updates its fetching time.
    fn is_known(&self, id: WorkId, new: &PreparedWork) -> Result<bool, StoreError> {
        let from = &new.provenance;
        for table in ["works", "records"] {
            let (key, alone) = match table {
                "works" => ("id", "AND fields IS NULL"),
                _ => ("work", ""),
            };
            let mut statement = self.transaction.prepare_cached(&format!(
                "SELECT fetched_at FROM {table}
                 WHERE {key} = ?1 AND source = ?2 AND record_id = ?3 AND hash = ?4 {alone}"
            ))?;
            let mut rows =
                statement.query(params![id, from.source.as_str(), from.record_id, new.hash])?;
            let Some(row) = rows.next()? else {
                continue;
            };
            if row.get::<_, i64>(0)? < from.fetched_at {
                self.transaction.execute(
                    &format!(
                        "UPDATE {table} SET fetched_at = ?4
                         WHERE {key} = ?1 AND source = ?2 AND record_id = ?3"
                    ),
                    params![id, from.source.as_str(), from.record_id, from.fetched_at],
                )?;
                self.transaction
                    .prepare_cached(
                        "UPDATE works SET fetched_at = max(fetched_at, ?4)
                         WHERE id = ?1 AND source = ?2 AND record_id = ?3",
                    )?
                    .execute(params![
                        id,
                        from.source.as_str(),
                        from.record_id,
                        from.fetched_at
                    ])?;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Merges a record with the works of its keys. Also returns whether the record is kept: false if a
    /// newer one of its source is there.
    fn join(
        &mut self,
        new: &PreparedWork,
        ids: &[WorkId],
    ) -> Result<(PutOutcome, bool), StoreError> {
        let mut doi = new.doi.clone();
        let mut joined: Vec<ExistingWork> = Vec::new();
        for &id in ids {
            let Some(standing) = self.load(id)? else {
                continue;
            };
            let its_doi = standing.doi();
            // Two DOIs are two works, whatever else they share: the weaker key is not moved.
            if doi.is_some() && its_doi.is_some() && doi != its_doi {
                continue;
            }
            doi = doi.or(its_doi);
            joined.push(standing);
        }
        if joined.is_empty() {
            return Ok((self.insert_with_keys(new)?, true));
        }
        let mut target = joined.remove(0);
        let absorbs = !joined.is_empty();
        for other in joined {
            open_copies::join(self.transaction, other.id, target.id)?;
            self.remove(&other)?;
            for record in other.records {
                target.take(record);
            }
        }
        let id = target.id;
        let taken = target.take(self.record_of(new)?);
        let is_taken = taken != Taken::Older;
        if !is_taken && !absorbs {
            return Ok((PutOutcome::Unchanged(id), false));
        }
        if let Taken::Replaced(old) = taken {
            self.keep_version(id, &old, new)?;
        }
        let outcome = if self.save(target)? {
            PutOutcome::Changed(id)
        } else {
            PutOutcome::Unchanged(id)
        };
        Ok((outcome, is_taken))
    }

    /// A prepared work as a record to merge.
    fn record_of(&self, new: &PreparedWork) -> Result<SourceRecord, StoreError> {
        let item = codec::unpack(
            &self.store.dictionaries,
            self.transaction,
            new.packed.dictionary,
            &new.packed.bytes,
            codec::from_json,
        )?;
        Ok(SourceRecord {
            item,
            provenance: new.provenance.clone(),
            hash: new.hash,
        })
    }

    /// Rewrites a work from its records. False if the merged work does not change.
    fn save(&mut self, standing: ExistingWork) -> Result<bool, StoreError> {
        let ExistingWork {
            id,
            records,
            keys: old_keys,
            json: old_json,
            source: old_source,
        } = standing;
        let Some(merged) = merge::merge(&records) else {
            return Err(StoreError::Internal("a work without records".to_owned()));
        };
        let Some(primary) = records.get(merged.primary) else {
            return Err(StoreError::Internal("a work without records".to_owned()));
        };
        let json = codec::to_json(&merged.item)?;
        let packed = self.pack(&json)?;
        let fields = (records.len() > 1).then(|| {
            let names: serde_json::Map<String, serde_json::Value> = merged
                .fields
                .iter()
                .map(|(field, source)| ((*field).to_owned(), source.as_str().into()))
                .collect();
            serde_json::Value::Object(names).to_string()
        });
        let from = &primary.provenance;
        self.transaction
            .prepare_cached(
                "UPDATE works SET dictionary = ?2, record = ?3, source = ?4, record_id = ?5,
                        url = ?6, license = ?7, fetched_at = ?8, hash = ?9, fields = ?10
                 WHERE id = ?1",
            )?
            .execute(params![
                id,
                packed.dictionary,
                packed.bytes,
                from.source.as_str(),
                from.record_id,
                from.url,
                from.license,
                from.fetched_at,
                primary.hash,
                fields,
            ])?;
        self.save_records(id, &records)?;
        let keys: Vec<IdentifierKey> = records.iter().flat_map(keys_of).collect();
        let freed: Vec<IdentifierKey> = old_keys
            .into_iter()
            .filter(|key| !keys.contains(key))
            .collect();
        self.drop_keys(id, &freed)?;
        self.add_keys(id, &keys)?;
        if old_source != from.source {
            self.counters.add_works(old_source, -1);
            self.counters.add_works(from.source, 1);
        }
        let changed = json != old_json || old_source != from.source;
        if changed {
            self.note_change(id, ChangeKind::Changed, primary.hash)?;
        }
        Ok(changed)
    }

    /// Stores every source's own record of a merged work; a work of one source needs none.
    fn save_records(&self, id: WorkId, records: &[SourceRecord]) -> Result<(), StoreError> {
        self.transaction
            .prepare_cached("DELETE FROM records WHERE work = ?1")?
            .execute([id])?;
        if records.len() < 2 {
            return Ok(());
        }
        let mut statement = self.transaction.prepare_cached(
            "INSERT INTO records (work, source, dictionary, record, record_id, url, license,
                                  fetched_at, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        for record in records {
            let packed = self.pack(&codec::to_json(&record.item)?)?;
            let from = &record.provenance;
            statement.execute(params![
                id,
                from.source.as_str(),
                packed.dictionary,
                packed.bytes,
                from.record_id,
                from.url,
                from.license,
                from.fetched_at,
                record.hash,
            ])?;
        }
        Ok(())
    }

    /// Keeps what a record said before, if its item changes.
    fn keep_version(
        &self,
        id: WorkId,
        old: &SourceRecord,
        new: &PreparedWork,
    ) -> Result<(), StoreError> {
        if self.record_of(new)?.item == old.item {
            return Ok(());
        }
        let packed = self.pack(&codec::to_json(&old.item)?)?;
        versions::add(
            self.transaction,
            id,
            &old.provenance,
            &packed,
            new.provenance.fetched_at,
        )
    }

    fn pack(&self, json: &[u8]) -> Result<Packed, StoreError> {
        codec::pack(json, self.store.dictionaries.newest().as_deref())
    }

    fn load(&self, id: WorkId) -> Result<Option<ExistingWork>, StoreError> {
        let dictionaries = &self.store.dictionaries;
        let mut statement = self.transaction.prepare_cached(
            "SELECT dictionary, record, source, record_id, url, license, fetched_at, hash,
                    fields IS NOT NULL
             FROM works WHERE id = ?1",
        )?;
        let mut rows = statement.query([id])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        let whole = read_record(self.transaction, dictionaries, row)?;
        let mut standing = ExistingWork {
            id,
            json: codec::to_json(&whole.item)?,
            source: whole.provenance.source,
            keys: Vec::new(),
            records: Vec::new(),
        };
        if !row.get::<_, bool>(8)? {
            standing.keys = keys_of(&whole);
            standing.records.push(whole);
            return Ok(Some(standing));
        }
        let mut statement = self.transaction.prepare_cached(
            "SELECT dictionary, record, source, record_id, url, license, fetched_at, hash
             FROM records WHERE work = ?1 ORDER BY source, record_id",
        )?;
        let mut rows = statement.query([id])?;
        while let Some(row) = rows.next()? {
            standing
                .records
                .push(read_record(self.transaction, dictionaries, row)?);
        }
        standing.keys = standing.records.iter().flat_map(keys_of).collect();
        Ok(Some(standing))
    }

    /// Removes a work: its rows, its keys, its counts.
    fn remove(&mut self, standing: &ExistingWork) -> Result<(), StoreError> {
        self.drop_keys(standing.id, &standing.keys)?;
        self.transaction
            .prepare_cached("DELETE FROM records WHERE work = ?1")?
            .execute([standing.id])?;
        versions::remove(self.transaction, standing.id)?;
        open_copies::remove(self.transaction, standing.id)?;
        validators::remove(self.transaction, standing.id)?;
        self.transaction
            .prepare_cached("DELETE FROM works WHERE id = ?1")?
            .execute([standing.id])?;
        meta::raise_counter(self.transaction, LAST_DELETED, standing.id)?;
        self.note_change(standing.id, ChangeKind::Deleted, 0)?;
        self.counters.add_works(standing.source, -1);
        Ok(())
    }

    /// Assigns keys to a work; a key of another work stays there.
    fn add_keys(&mut self, id: WorkId, keys: &[IdentifierKey]) -> Result<(), StoreError> {
        for key in keys {
            self.add_key(id, key)?;
        }
        Ok(())
    }

    /// Assigns a key to a work. False if another work has it.
    fn add_key(&mut self, id: WorkId, key: &IdentifierKey) -> Result<bool, StoreError> {
        let add_key = &mut self.statements.add_key;
        let added = add_key.execute(params![key.kind, key.value, id])?;
        Ok(added > 0)
    }

    fn drop_keys(&self, id: WorkId, keys: &[IdentifierKey]) -> Result<(), StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "DELETE FROM identifiers WHERE kind = ?1 AND value = ?2 AND work = ?3",
        )?;
        for key in keys {
            statement.execute(params![key.kind, key.value, id])?;
        }
        Ok(())
    }

    fn note_change(&mut self, id: WorkId, kind: ChangeKind, stamp: i64) -> Result<(), StoreError> {
        self.statements
            .add_change
            .execute(params![id, kind.number(), stamp])?;
        let seq = self.transaction.last_insert_rowid();
        self.changes.first.get_or_insert(seq);
        self.changes.last = seq;
        self.changes.last_stamp = stamp;
        self.changes.mixed |= kind != ChangeKind::New;
        Ok(())
    }

    /// Stores the other parts of a record: notices, an open copy, what asks whether it has changed, a journal's
    /// title; and removes a remembered miss.
    fn note_extras(&self, id: WorkId, new: &PreparedWork, is_new: bool) -> Result<(), StoreError> {
        let is_silent = is_new && new.updates.is_empty();
        if let Some(doi) = new.doi.as_ref().filter(|_| !is_silent) {
            updates::state(self.transaction, doi, new.provenance.source, &new.updates)?;
        }
        let from = &new.provenance;
        if !is_new || new.open_copy.is_some() {
            let statement = CopyStatement {
                by: from.source,
                copy: new.open_copy.clone(),
                stated_at: from.fetched_at,
            };
            open_copies::of_record(self.transaction, id, &statement)?;
        }
        match &new.validator {
            Some(validator) => validators::put(self.transaction, id, from.source, validator)?,
            None if is_new => {}
            None => validators::remove_of(self.transaction, id, from.source)?,
        }
        if let Some(pair) = &new.pair {
            journals::learn(self.transaction, &self.store.pairs, pair)?;
        }
        if self.misses {
            for key in &new.keys {
                misses::forget(self.transaction, key)?;
            }
        }
        Ok(())
    }
}

impl ExistingWork {
    fn doi(&self) -> Option<Doi> {
        self.records.iter().find_map(|record| record.item.doi())
    }

    /// Adds a record, unless the stored record of that source and id is as new.
    fn take(&mut self, new: SourceRecord) -> Taken {
        let same = |record: &&mut SourceRecord| {
            record.provenance.source == new.provenance.source
                && record.provenance.record_id == new.provenance.record_id
        };
        match self.records.iter_mut().find(same) {
            Some(old) if new.replaces(old) => {
                Taken::Replaced(Box::new(std::mem::replace(old, new)))
            }
            Some(_) => Taken::Older,
            None => {
                self.records.push(new);
                Taken::Added
            }
        }
    }
}

/// What became of a record that joins a work.
#[derive(PartialEq)]
enum Taken {
    Added,
    Replaced(Box<SourceRecord>),
    /// The stored one of its source and id is as new.
    Older,
}

fn keys_of(record: &SourceRecord) -> Vec<IdentifierKey> {
    let Provenance {
        source, record_id, ..
    } = &record.provenance;
    keys::of_record(&record.item.identifiers(), *source, record_id, record.hash)
}

fn read_record(
    connection: &rusqlite::Connection,
    dictionaries: &codec::Dictionaries,
    row: &rusqlite::Row<'_>,
) -> Result<SourceRecord, StoreError> {
    Ok(SourceRecord {
        item: works::unpack_row(connection, dictionaries, row)?,
        provenance: works::read_provenance(row, 2)?,
        hash: row.get(7)?,
    })
}
