//! Layer 2: the local works and their search index. The database with the works is the source of truth;
//! the index is derived from it and follows it. Only this module uses the search engine.
//!
//! - `index`, `indexer`, `query`, `verify`: the index, its only writer, its readers, its check
//! - `ranking`: finds and ranks the works with given terms
//! - `recent`: works stored since the last commit of the index
//! - `worker`, `fresh`: the indexing thread, and its shortcut from an ingest
//! - `background`: low priority for such threads
//! - `tokens`: from text to search terms
//! - `starter`: the starter corpus
//! - `ingest`: from dumps and files to works

pub mod error;
mod fresh;
mod index;
pub mod indexer;
pub mod ingest;
mod query;
mod ranking;
mod recent;
pub mod starter;
pub mod tokens;
pub mod verify;
mod worker;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::clock;
use crate::store::outcome::{PutCounts, PutOutcome};
use crate::store::works::WorkId;
use crate::store::{Store, StoreError};
use citation_matching::reference::Reference;
use citation_model::identifier::Identifier;
use citation_model::work::{Source, Work};

pub use error::CorpusError;
pub use worker::IndexerThread;

use index::SearchIndex;
use indexer::Indexer;
use verify::CorpusCheck;

/// The directory of the index in the data directory.
pub const INDEX_DIRECTORY: &str = "index";

/// The local works. Cheap to clone.
#[derive(Clone)]
pub struct Corpus {
    store: Arc<Store>,
    index: Arc<SearchIndex>,
    wake: Arc<worker::Notify>,
    fresh: Arc<fresh::Fresh>,
    recent: Arc<recent::Recent>,
}

/// A work that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: WorkId,
    /// BM25; only comparable within one answer.
    pub score: f32,
    pub work: Work,
}

/// Numbers about the corpus; none of them counts rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct CorpusStats {
    pub works: u64,
    /// Works by their main source.
    pub by_source: BTreeMap<String, u64>,
    /// When the newest record of each source was fetched, or last changed there: Unix seconds.
    #[serde(serialize_with = "iso_times")]
    pub newest: BTreeMap<String, i64>,
    /// Number of searchable works.
    pub indexed: u64,
    /// Number of changes that are not indexed yet.
    pub pending: u64,
    /// Whether a complete index exists.
    pub search_ready: bool,
}

impl Corpus {
    /// The corpus of a store; its index lies beside the database.
    pub fn open(store: Arc<Store>) -> Corpus {
        let directory = store.directory().join(INDEX_DIRECTORY);
        Corpus::open_at(store, &directory)
    }

    /// The corpus of a store with its index in another directory.
    pub fn open_at(store: Arc<Store>, index_directory: &Path) -> Corpus {
        Corpus {
            recent: Arc::new(recent::Recent::new(Arc::clone(&store))),
            store,
            index: Arc::new(SearchIndex::open(index_directory)),
            wake: Arc::default(),
            fresh: Arc::default(),
        }
    }

    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The work of an identifier, with notices. `Ok(None)` if there is none.
    pub fn get(&self, identifier: &Identifier) -> Result<Option<Work>, CorpusError> {
        Ok(self.store.work(identifier)?)
    }

    /// Stores one work, merged with an existing one. Searches find it at once.
    pub fn put_one(&self, work: &Work) -> Result<PutOutcome, CorpusError> {
        let outcome = self.store.put_one(work.clone())?;
        self.notify();
        Ok(outcome)
    }

    /// Stores several works in one write.
    pub fn put(&self, works: Vec<Work>) -> Result<PutCounts, CorpusError> {
        let prepared = works
            .into_iter()
            .map(|work| self.store.prepare(work))
            .collect::<Result<Vec<_>, StoreError>>()?;
        let counts = self.store.put(&prepared)?;
        self.notify();
        Ok(counts)
    }

    /// Deletes the work of an identifier; false if there is none.
    pub fn delete(&self, identifier: &Identifier) -> Result<bool, CorpusError> {
        let deleted = self.store.delete_work(identifier)?;
        self.notify();
        Ok(deleted)
    }

    /// Works for a user's query, best first: those with every word, then those with some.
    pub fn search(&self, text: &str, limit: usize) -> Result<Vec<Hit>, CorpusError> {
        let Some(opened) = self.index.current()? else {
            return Ok(Vec::new());
        };
        self.load(
            self.index
                .watch(|| query::search(&opened, &self.recent, text, limit))?,
        )
    }

    /// Works that a reference may refer to, found by the rarest of its words, by its title and by its
    /// publication. Unknown words are ignored. The caller scores them again.
    pub fn candidates(&self, reference: &Reference, limit: usize) -> Result<Vec<Hit>, CorpusError> {
        let Some(opened) = self.index.current()? else {
            return Ok(Vec::new());
        };
        self.load(
            self.index
                .watch(|| query::candidates(&opened, &self.recent, reference, limit))?,
        )
    }

    pub fn stats(&self) -> Result<CorpusStats, StoreError> {
        let counters = self.store.counters()?;
        let unsigned = |value: i64| value.max(0) as u64;
        let newest = self.store.change_range()?.newest;
        let opened = self.index.current().ok().flatten();
        let mark = opened.as_ref().and_then(|opened| opened.mark().ok());
        let (indexed, behind, ready) = match (opened, mark) {
            (Some(opened), Some(mark)) => {
                // A new index has no metadata yet.
                let is_begun = mark.is_some() || newest == 0;
                let mark = mark.unwrap_or_default();
                let behind = unsigned(newest - mark.seq);
                let is_whole = is_begun && mark.rebuild.is_none();
                (opened.documents(), behind, is_whole)
            }
            _ => (0, unsigned(newest), false),
        };
        Ok(CorpusStats {
            works: unsigned(counters.get("works").copied().unwrap_or(0)),
            by_source: counters
                .iter()
                .filter_map(|(name, value)| {
                    Some((name.strip_prefix("works.")?.to_owned(), unsigned(*value)))
                })
                .collect(),
            newest: counters
                .iter()
                .filter_map(|(name, value)| {
                    Some((name.strip_prefix("newest.")?.to_owned(), *value))
                })
                .collect(),
            indexed,
            pending: behind,
            search_ready: ready,
        })
    }

    /// The right to write the index; `None` if another process has it.
    pub fn indexer(&self) -> Result<Option<Indexer>, CorpusError> {
        Indexer::acquire(self.store.clone(), self.index.clone(), self.fresh.clone())
    }

    /// Brings the index up to date, unless another process has it: then that one will.
    pub fn index_pending(&self) -> Result<(), CorpusError> {
        let work = || match self.indexer()? {
            Some(mut indexer) => {
                indexer.catch_up(|_| {})?;
                indexer.close()
            }
            None => Ok(()),
        };
        work().map_err(|error| self.index.cause(error))
    }

    /// Asks the process that writes the index to rebuild it. It accepts within seconds,
    /// as [`Corpus::is_rebuild_taken`] shows.
    pub fn ask_for_rebuild(&self) -> Result<(), CorpusError> {
        Ok(std::fs::write(self.index.request_path(), b"")?)
    }

    /// Whether a requested rebuild has started.
    pub fn is_rebuild_taken(&self) -> bool {
        !self.index.request_path().exists()
    }

    /// Withdraws the request of [`Corpus::ask_for_rebuild`].
    pub fn withdraw_rebuild(&self) -> Result<(), CorpusError> {
        Ok(std::fs::remove_file(self.index.request_path())?)
    }

    /// Starts the thread that keeps the index up to date while the server runs.
    pub fn start_indexer(&self) -> IndexerThread {
        IndexerThread::start(self.clone(), self.wake.clone())
    }

    /// Checks the index against the database.
    pub fn verify(&self) -> Result<CorpusCheck, CorpusError> {
        let opened = self.index.current()?;
        verify::verify(&self.store, opened.as_deref())
    }

    /// Notifies the indexer of new works.
    pub fn notify(&self) {
        self.wake.notify();
    }

    fn load(&self, found: Vec<query::Scored>) -> Result<Vec<Hit>, CorpusError> {
        let ids: Vec<WorkId> = found.iter().map(|scored| scored.id).collect();
        let works = self.store.works_by_id(&ids)?;
        let scores: BTreeMap<WorkId, f32> = found.iter().map(|s| (s.id, s.score)).collect();
        Ok(works
            .into_iter()
            .map(|(id, work)| Hit {
                id,
                score: scores.get(&id).copied().unwrap_or_default(),
                work,
            })
            .collect())
    }
}

impl CorpusStats {
    /// The source whose newest record is oldest at `now` (Unix seconds), if it is older than `limit` seconds,
    /// and its age in seconds. What users and operators bring along does not age.
    pub fn aged_source(&self, now: i64, limit: i64) -> Option<(Source, i64)> {
        let sources = self.newest.iter().filter_map(|(name, newest)| {
            let source = Source::parse(name).filter(|source| source.title().is_some())?;
            self.by_source.get(name).filter(|works| **works > 0)?;
            Some((source, now.saturating_sub(*newest)))
        });
        let oldest = sources.max_by_key(|(_, age)| *age);
        oldest.filter(|(_, age)| *age > limit)
    }
}

fn iso_times<S: serde::Serializer>(
    times: &BTreeMap<String, i64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(times.iter().map(|(name, at)| (name, clock::iso8601(*at))))
}

impl fmt::Display for CorpusStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>12} works", self.works)?;
        for (source, works) in &self.by_source {
            write!(f, "{works:>12}   from {source}")?;
            if let Some(newest) = self.newest.get(source) {
                let day = clock::iso8601(*newest);
                write!(f, ", the newest of {}", day.get(..10).unwrap_or(&day))?;
            }
            writeln!(f)?;
        }
        write!(f, "{:>12} in the search index", self.indexed)?;
        match (self.search_ready, self.pending) {
            (false, _) => write!(f, ", which is being built"),
            (true, 0) => Ok(()),
            (true, pending) => write!(f, ", {pending} changes behind"),
        }
    }
}
