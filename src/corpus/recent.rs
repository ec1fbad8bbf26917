//! Works stored since the last commit of the index: a search also reads them, so that new
//! works are found at once.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::error::CorpusError;
use super::index::IndexText;
use crate::store::Store;
use crate::store::works::{WorkChange, WorkId};

/// Maximum number of works kept, the newest. Only an ingest stores more between two commits.
const MAX_COUNT: usize = 512;

/// The works of the newest changes, read from the database on demand.
pub struct Recent {
    store: Arc<Store>,
    state: Mutex<RecentState>,
}

#[derive(Default)]
struct RecentState {
    /// Every change up to this one has been read.
    seq: i64,
    /// In the order of their changes.
    works: VecDeque<Arc<RecentWork>>,
}

/// A work and the frequencies of its words.
pub struct RecentWork {
    seq: i64,
    pub id: WorkId,
    pub words: HashMap<String, u32>,
}

impl Recent {
    pub fn new(store: Arc<Store>) -> Recent {
        Recent {
            store,
            state: Mutex::default(),
        }
    }

    /// The works of the changes after `seq`, newest first.
    pub fn since(&self, seq: i64) -> Result<Vec<Arc<RecentWork>>, CorpusError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = self.store.newest_changes(seq.max(state.seq), MAX_COUNT)?;
        if !changes.is_empty() {
            state.add(&self.store, changes)?;
        }
        let newest = state.works.iter().rev();
        Ok(newest
            .take_while(|work| work.seq > seq)
            .map(Arc::clone)
            .collect())
    }
}

impl RecentState {
    /// Adds changes, which come newest first.
    fn add(&mut self, store: &Store, mut changes: Vec<WorkChange>) -> Result<(), CorpusError> {
        let mut seen = HashSet::new();
        changes.retain(|change| seen.insert(change.work));
        changes.reverse();
        let ids: Vec<WorkId> = changes.iter().map(|change| change.work).collect();
        let items = store.items(&ids)?;
        self.works.retain(|work| !seen.contains(&work.id));
        for (change, item) in changes.iter().zip(items) {
            self.seq = change.seq;
            let Some(item) = item else { continue };
            let mut words = HashMap::new();
            for word in IndexText::of(&item).words() {
                *words.entry(word).or_default() += 1;
            }
            self.works.push_back(Arc::new(RecentWork {
                seq: change.seq,
                id: change.work,
                words,
            }));
        }
        let surplus = self.works.len().saturating_sub(MAX_COUNT);
        self.works.drain(..surplus);
        Ok(())
    }
}
