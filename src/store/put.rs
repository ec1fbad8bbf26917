//! Writes works. Records that share an identifier are one work; their sources are merged,
//! and a repeated record changes nothing. `batch` has the rules.

use super::batch::Batch;
use super::outcome::{PutCounts, PutOutcome};
use super::prepared::PreparedWork;
use super::works::find_key;
use super::{Store, StoreError, codec, keys};
use citation_model::identifier::Identifier;
use citation_model::work::Work;

impl Store {
    /// Writes works as one batch. Limit a batch to what takes some 20 ms to write (1,000 works).
    pub fn put(&self, works: &[PreparedWork]) -> Result<PutCounts, StoreError> {
        let counts = self.batch(|batch| {
            for work in works {
                batch.put(work)?;
            }
            Ok(())
        })?;
        self.checkpoint_if_due();
        Ok(counts)
    }

    /// Writes one work and returns the effect.
    pub fn put_one(&self, work: Work) -> Result<PutOutcome, StoreError> {
        let prepared = self.prepare(work)?;
        let mut outcome = None;
        self.batch(|batch| {
            outcome = Some(batch.put(&prepared)?);
            Ok(())
        })?;
        self.checkpoint_if_due();
        outcome.ok_or_else(|| StoreError::Internal("a work was not written".to_owned()))
    }

    /// Deletes the work of an identifier, with all its sources' records. False if
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

    /// Runs several puts and deletions in one transaction. The caller runs the checkpoints.
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

    /// Trains the first dictionary when there are enough works. Takes about half a
    /// second once; writers continue meanwhile, and other callers do not wait.
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
