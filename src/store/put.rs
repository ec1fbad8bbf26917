//! Writing works. Records that share an identifier are one work; what its sources say is merged,
//! and a record that comes again changes nothing.

use rusqlite::{Transaction, params};

use super::codec::{self, Fingerprint, Packed};
use super::keys::{self, Key};
use super::merge::{self, SourceRecord};
use super::meta::{self, CounterChanges};
use super::works::{self, ChangeKind, WorkId, find_key};
use super::{Store, StoreError, journals, misses, updates};
use crate::model::identifier::{Doi, Identifier};
use crate::model::work::{Provenance, Source, Update, Work};

/// A work made ready to be written: all that needs no database is done, on whatever thread.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The item itself is not kept: mostly nobody asks for it again.
    packed: Packed,
    provenance: Provenance,
    hash: i64,
    keys: Vec<Key>,
    doi: Option<Doi>,
    updates: Vec<Update>,
    pair: Option<journals::JournalPair>,
}

/// What a put did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    New(WorkId),
    Changed(WorkId),
    Unchanged(WorkId),
}

/// The changes of a batch that did nothing but put new works in: one change a work, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewWorks {
    pub first_change: i64,
    pub last_change: i64,
    /// The stamp of the last change.
    pub last_stamp: i64,
}

/// How many works a batch wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PutCounts {
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub deleted: u64,
}

impl PutCounts {
    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::New(_) => self.new += 1,
            Outcome::Changed(_) => self.changed += 1,
            Outcome::Unchanged(_) => self.unchanged += 1,
        }
    }

    pub fn add(&mut self, other: PutCounts) {
        self.new += other.new;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        self.deleted += other.deleted;
    }
}

impl Store {
    /// Makes a work ready: compresses it and works out its keys.
    pub fn prepare(&self, work: Work) -> Result<Prepared, StoreError> {
        let json = codec::to_json(&work.item)?;
        let packed = codec::pack(&json, self.dictionaries.newest().as_deref())?;
        let hash = hash(&json, &work);
        let identifiers = work.item.identifiers();
        let doi = identifiers.iter().find_map(|identifier| match identifier {
            Identifier::Doi(doi) => Some(doi.clone()),
            _ => None,
        });
        Ok(Prepared {
            keys: keys::of_record(
                &identifiers,
                work.provenance.source,
                &work.provenance.record_id,
                hash,
            ),
            packed,
            doi,
            pair: journals::JournalPair::of(&work.item),
            updates: work.updates,
            provenance: work.provenance,
            hash,
        })
    }

    /// Writes works as one batch. Keep a batch to what is written in some 20 ms (1,000 works).
    pub fn put(&self, works: &[Prepared]) -> Result<PutCounts, StoreError> {
        self.batch(|batch| {
            for work in works {
                batch.put(work)?;
            }
            Ok(())
        })
    }

    /// Writes one work and says what became of it.
    pub fn put_one(&self, work: Work) -> Result<Outcome, StoreError> {
        let prepared = self.prepare(work)?;
        let mut outcome = None;
        self.batch(|batch| {
            outcome = Some(batch.put(&prepared)?);
            Ok(())
        })?;
        outcome.ok_or_else(|| StoreError::Internal("a work was not written".to_owned()))
    }

    /// Deletes the work that an identifier names, all its sources' records with it. False where
    /// there is none.
    pub fn delete_work(&self, identifier: &Identifier) -> Result<bool, StoreError> {
        let Some(kind) = keys::kind(identifier) else {
            return Ok(false);
        };
        let counts = self.batch(|batch| {
            if let Some(id) = find_key(batch.transaction, kind, identifier.as_str())? {
                batch.delete(id)?;
            }
            Ok(())
        })?;
        Ok(counts.deleted > 0)
    }

    /// Runs several puts and deletions in one transaction.
    pub(crate) fn batch(
        &self,
        job: impl FnOnce(&mut Batch<'_, '_>) -> Result<(), StoreError>,
    ) -> Result<PutCounts, StoreError> {
        let result = self.write_bulk(|transaction| {
            let mut batch = Batch {
                store: self,
                transaction,
                counters: CounterChanges::default(),
                counts: PutCounts::default(),
                misses: misses::any(transaction)?,
                next_id: next_id(transaction)?,
                changes: Changes::default(),
            };
            job(&mut batch)?;
            batch.counters.save(transaction)?;
            Ok(batch.counts)
        });
        if result.is_err() {
            self.pairs.clear();
        }
        result
    }

    /// Trains the first dictionary once there are enough works to learn from. Takes about a second
    /// that one time; writers go on meanwhile.
    pub fn train_dictionary_if_due(&self, now: i64) -> Result<bool, StoreError> {
        if !self.dictionaries.is_wanted() {
            return Ok(false);
        }
        if self.counter("works")? < codec::TRAINING_WORKS {
            return Ok(false);
        }
        let highest = self.change_range()?.highest_work;
        let samples = self
            .items_after(
                (highest - codec::TRAINING_WORKS).max(0),
                highest,
                codec::TRAINING_WORKS as usize,
            )?
            .iter()
            .map(|(_, item)| codec::to_json(item))
            .collect::<Result<Vec<_>, _>>()?;
        let Some(content) = codec::train(&samples) else {
            self.dictionaries.give_up();
            return Ok(false);
        };
        self.write(|transaction| self.dictionaries.add(transaction, &content, now))?;
        Ok(true)
    }
}

/// The hash by which a record is known when it comes again: its item, notices, address, licence.
fn hash(json: &[u8], work: &Work) -> i64 {
    let mut hash = Fingerprint::default().with(json);
    for text in [&work.provenance.url, &work.provenance.license] {
        hash = hash
            .with(b"\0")
            .with(text.as_deref().unwrap_or_default().as_bytes());
    }
    for update in &work.updates {
        for text in [
            update.kind.as_str(),
            update.relation.as_str(),
            update.doi.as_str(),
        ] {
            hash = hash.with(b"\0").with(text.as_bytes());
        }
    }
    hash.value()
}

/// The counter that keeps numbers of deleted works from being used again.
const LAST_DELETED: &str = "last_deleted";

/// The number for the next new work.
fn next_id(transaction: &Transaction<'_>) -> Result<WorkId, StoreError> {
    let mut statement = transaction.prepare_cached("SELECT coalesce(max(id), 0) FROM works")?;
    let highest: WorkId = statement.query_row([], |row| row.get(0))?;
    Ok(highest.max(meta::counter(transaction, LAST_DELETED)?) + 1)
}

/// Puts and deletions within one transaction.
pub(crate) struct Batch<'s, 't> {
    store: &'s Store,
    pub(super) transaction: &'s Transaction<'t>,
    counters: CounterChanges,
    counts: PutCounts,
    misses: bool,
    next_id: WorkId,
    changes: Changes,
}

/// The changes that a batch has noted.
#[derive(Default)]
struct Changes {
    first: Option<i64>,
    last: i64,
    last_stamp: i64,
    /// Whether any change was not that of a new work.
    mixed: bool,
}

/// A work as it stands in the database before a put.
struct Standing {
    id: WorkId,
    records: Vec<SourceRecord>,
    /// The keys of the records as they are in the database.
    keys: Vec<Key>,
    /// Of the merged record, to see whether a put changes it.
    json: Vec<u8>,
    source: Source,
}

impl Batch<'_, '_> {
    pub fn put(&mut self, new: &Prepared) -> Result<Outcome, StoreError> {
        let outcome = match self.matches(new)?.as_slice() {
            [] => self.insert(new)?,
            [id] if self.is_known(*id, new)? => Outcome::Unchanged(*id),
            ids => self.join(new, ids)?,
        };
        self.counts.count(outcome);
        if outcome != Outcome::Unchanged(outcome.id()) {
            self.note_extras(new)?;
        }
        Ok(outcome)
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

    /// Takes back the record of a source whose id there is also an identifier of works: the whole
    /// work goes where no other source knows it. False where that source has no such record.
    pub fn retract_record(
        &mut self,
        source: Source,
        identifier: &Identifier,
    ) -> Result<bool, StoreError> {
        let record_id = identifier.as_str();
        let Some(kind) = keys::kind(identifier) else {
            return Ok(false);
        };
        let Some(id) = find_key(self.transaction, kind, record_id)? else {
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
        if self.save(standing)? {
            self.counts.changed += 1;
        }
        Ok(true)
    }

    /// Deletes a work and everything that hangs on it; notices stay, being about a DOI.
    pub fn delete(&mut self, id: WorkId) -> Result<(), StoreError> {
        let Some(standing) = self.load(id)? else {
            return Ok(());
        };
        self.remove(&standing)?;
        self.counts.deleted += 1;
        Ok(())
    }

    /// The works that a record's keys point at, strongest key first, each once.
    fn matches(&self, new: &Prepared) -> Result<Vec<WorkId>, StoreError> {
        let mut ids = Vec::new();
        for key in &new.keys {
            if let Some(id) = find_key(self.transaction, key.kind, &key.value)?
                && !ids.contains(&id)
            {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    fn insert(&mut self, new: &Prepared) -> Result<Outcome, StoreError> {
        let from = &new.provenance;
        let id = self.next_id;
        self.next_id += 1;
        self.transaction
            .prepare_cached(
                "INSERT INTO works (id, dictionary, record, source, record_id, url, license,
                                    fetched_at, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
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
        self.add_keys(id, &new.keys)?;
        self.note_change(id, ChangeKind::New, new.hash)?;
        self.counters.add_works(from.source, 1);
        Ok(Outcome::New(id))
    }

    /// Whether the very record is there already; its time of fetching is brought up to date.
    fn is_known(&self, id: WorkId, new: &Prepared) -> Result<bool, StoreError> {
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
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Brings a record together with the works that its keys point at.
    fn join(&mut self, new: &Prepared, ids: &[WorkId]) -> Result<Outcome, StoreError> {
        let mut doi = new.doi.clone();
        let mut joined: Vec<Standing> = Vec::new();
        for &id in ids {
            let Some(standing) = self.load(id)? else {
                continue;
            };
            let its_doi = standing.doi();
            // Two DOIs are two works, whatever else they share: the weaker key stays where it is.
            if doi.is_some() && its_doi.is_some() && doi != its_doi {
                continue;
            }
            doi = doi.or(its_doi);
            joined.push(standing);
        }
        if joined.is_empty() {
            return self.insert(new);
        }
        let mut target = joined.remove(0);
        let absorbs = !joined.is_empty();
        for other in joined {
            self.remove(&other)?;
            for record in other.records {
                target.take(record);
            }
        }
        let id = target.id;
        let took = target.take(self.record_of(new)?);
        if !took && !absorbs {
            return Ok(Outcome::Unchanged(id));
        }
        let changed = self.save(target)?;
        Ok(match changed {
            true => Outcome::Changed(id),
            false => Outcome::Unchanged(id),
        })
    }

    /// A prepared work as a record to be merged.
    fn record_of(&self, new: &Prepared) -> Result<SourceRecord, StoreError> {
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

    /// Writes a work anew from its records. False where readers see no difference.
    fn save(&mut self, standing: Standing) -> Result<bool, StoreError> {
        let Standing {
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
        let keys: Vec<Key> = records.iter().flat_map(keys_of).collect();
        let freed: Vec<Key> = old_keys
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

    /// Keeps every source's own record of a merged work; a work of one source needs none.
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

    fn pack(&self, json: &[u8]) -> Result<Packed, StoreError> {
        codec::pack(json, self.store.dictionaries.newest().as_deref())
    }

    fn load(&self, id: WorkId) -> Result<Option<Standing>, StoreError> {
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
        let mut standing = Standing {
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

    /// Takes a work out: its rows, its keys, its place in the counts.
    fn remove(&mut self, standing: &Standing) -> Result<(), StoreError> {
        self.drop_keys(standing.id, &standing.keys)?;
        self.transaction
            .prepare_cached("DELETE FROM records WHERE work = ?1")?
            .execute([standing.id])?;
        self.transaction
            .prepare_cached("DELETE FROM works WHERE id = ?1")?
            .execute([standing.id])?;
        meta::raise_counter(self.transaction, LAST_DELETED, standing.id)?;
        self.note_change(standing.id, ChangeKind::Deleted, 0)?;
        self.counters.add_works(standing.source, -1);
        Ok(())
    }

    /// Points keys at a work; a key that another work holds stays there.
    fn add_keys(&self, id: WorkId, keys: &[Key]) -> Result<(), StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "INSERT OR IGNORE INTO identifiers (kind, value, work) VALUES (?1, ?2, ?3)",
        )?;
        for key in keys {
            statement.execute(params![key.kind, key.value, id])?;
        }
        Ok(())
    }

    fn drop_keys(&self, id: WorkId, keys: &[Key]) -> Result<(), StoreError> {
        let mut statement = self.transaction.prepare_cached(
            "DELETE FROM identifiers WHERE kind = ?1 AND value = ?2 AND work = ?3",
        )?;
        for key in keys {
            statement.execute(params![key.kind, key.value, id])?;
        }
        Ok(())
    }

    fn note_change(&mut self, id: WorkId, kind: ChangeKind, stamp: i64) -> Result<(), StoreError> {
        self.transaction
            .prepare_cached("INSERT INTO changes (work, kind, stamp) VALUES (?1, ?2, ?3)")?
            .execute(params![id, kind.number(), stamp])?;
        let seq = self.transaction.last_insert_rowid();
        self.changes.first.get_or_insert(seq);
        self.changes.last = seq;
        self.changes.last_stamp = stamp;
        self.changes.mixed |= kind != ChangeKind::New;
        Ok(())
    }

    /// What a record tells beside its work: notices, a journal's short form, an end of a denial.
    fn note_extras(&self, new: &Prepared) -> Result<(), StoreError> {
        if let Some(doi) = &new.doi {
            updates::add(self.transaction, doi, &new.updates)?;
        }
        if let Some(pair) = &new.pair {
            let source = new.provenance.source;
            journals::learn(self.transaction, &self.store.pairs, pair, source)?;
        }
        if self.misses {
            for key in &new.keys {
                misses::forget(self.transaction, key)?;
            }
        }
        Ok(())
    }
}

impl Outcome {
    pub fn id(self) -> WorkId {
        match self {
            Outcome::New(id) | Outcome::Changed(id) | Outcome::Unchanged(id) => id,
        }
    }
}

impl Standing {
    fn doi(&self) -> Option<Doi> {
        self.records.iter().find_map(|record| record.item.doi())
    }

    /// Takes a record in. False where the standing record of that source and id is as new.
    fn take(&mut self, new: SourceRecord) -> bool {
        let same = |record: &&mut SourceRecord| {
            record.provenance.source == new.provenance.source
                && record.provenance.record_id == new.provenance.record_id
        };
        match self.records.iter_mut().find(same) {
            Some(old) if new.replaces(old) => *old = new,
            Some(_) => return false,
            None => self.records.push(new),
        }
        true
    }
}

fn keys_of(record: &SourceRecord) -> Vec<Key> {
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
