//! Writing works. Records that share an identifier are one work; what its sources say is merged,
//! and a record that comes again changes nothing. How is told in `batch`.

use super::batch::Batch;
use super::codec::{self, Fingerprint, Packed};
use super::keys::{self, Key};
use super::works::{WorkId, find_key};
use super::{Store, StoreError, journals};
use crate::journals::Pair;
use crate::model::identifier::{Doi, Identifier};
use crate::model::variable::TextVar;
use crate::model::work::{Provenance, Update, Work};

/// A work made ready to be written: all that needs no database is done, on whatever thread.
#[derive(Clone, Debug)]
pub struct Prepared {
    // The item itself is not kept: mostly nobody asks for it again.
    pub(super) packed: Packed,
    pub(super) provenance: Provenance,
    pub(super) hash: i64,
    pub(super) keys: Vec<Key>,
    pub(super) doi: Option<Doi>,
    pub(super) updates: Vec<Update>,
    pub(super) pair: Option<Pair>,
}

/// What a put did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    New(WorkId),
    Changed(WorkId),
    Unchanged(WorkId),
}

impl Outcome {
    pub fn id(self) -> WorkId {
        match self {
            Outcome::New(id) | Outcome::Changed(id) | Outcome::Unchanged(id) => id,
        }
    }
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
    pub fn prepare(&self, mut work: Work) -> Result<Prepared, StoreError> {
        if !self.keep_abstracts {
            work.item.set_text(TextVar::Abstract, "");
        }
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
            pair: journals::pair_of(&work.item, work.provenance.source),
            updates: work.updates,
            provenance: work.provenance,
            hash,
        })
    }

    /// Writes works as one batch. Keep a batch to what is written in some 20 ms (1,000 works).
    pub fn put(&self, works: &[Prepared]) -> Result<PutCounts, StoreError> {
        let counts = self.batch(|batch| {
            for work in works {
                batch.put(work)?;
            }
            Ok(())
        })?;
        self.checkpoint_if_due();
        Ok(counts)
    }

    /// Writes one work and says what became of it.
    pub fn put_one(&self, work: Work) -> Result<Outcome, StoreError> {
        let prepared = self.prepare(work)?;
        let mut outcome = None;
        self.batch(|batch| {
            outcome = Some(batch.put(&prepared)?);
            Ok(())
        })?;
        self.checkpoint_if_due();
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

    /// Runs several puts and deletions in one transaction. Checkpoints are left to the caller.
    pub(crate) fn batch(
        &self,
        job: impl FnOnce(&mut Batch<'_, '_>) -> Result<(), StoreError>,
    ) -> Result<PutCounts, StoreError> {
        let result = self.write_patiently(|transaction| {
            let mut batch = Batch::begin(self, transaction)?;
            job(&mut batch)?;
            batch.end()
        });
        if result.is_err() {
            self.pairs.clear();
        }
        result
    }

    /// Trains the first dictionary once there are enough works to learn from. Takes about half a
    /// second that one time; writers go on meanwhile, and other callers do not wait.
    pub fn train_dictionary_if_due(&self, now: i64) -> Result<bool, StoreError> {
        if !self.dictionaries.is_wanted() || self.counter("works")? < codec::TRAINING_WORKS {
            return Ok(false);
        }
        let Some(_training) = self.dictionaries.begin_training() else {
            return Ok(false);
        };
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
