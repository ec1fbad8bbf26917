//! Keeps the index in sync with the database: the only writer of the index follows the sequence of
//! changes.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tantivy::indexer::{IndexWriterOptions, NoMergePolicy};
use tantivy::{IndexWriter, TantivyDocument, Term};

use super::error::CorpusError;
use super::fresh::{CommittedBatch, Fresh};
use super::index::{CommitMark, IndexText, Opened, Rebuild, SearchIndex};
use crate::store::Store;
use crate::store::works::{ChangeKind, WorkChange, WorkId};

/// Memory of the index writer before it writes a segment, in bytes.
const WRITER_MEMORY: usize = 48 << 20;

/// Number of works read from the database at a time.
const SLICE: usize = 1000;

/// A commit is due after so many works …
const COMMIT_WORKS: usize = 250_000;

/// … or so long after the first uncommitted one, while many keep coming …
const COMMIT_AFTER: Duration = Duration::from_secs(10);

/// … or, for few works, after this time, so that they are found soon …
const COMMIT_FEW_AFTER: Duration = Duration::from_secs(1);

/// … or when nothing has come for this time.
const QUIET: Duration = Duration::from_millis(200);

/// Up to this number works are few: a commit costs about as much as indexing them.
const FEW: usize = 1000;

/// The exclusive right to write the index, and the writer: protected by a lock
/// file, which the system releases when the process ends, however it ends.
pub struct Indexer {
    store: Arc<Store>,
    index: Arc<SearchIndex>,
    opened: Arc<Opened>,
    writer: IndexWriter<TantivyDocument>,
    mark: CommitMark,
    /// Works added or deleted since the last commit.
    pending: usize,
    first_pending: Instant,
    last_worked: Instant,
    fresh: FreshReceiver,
    _lock: File,
}

/// Takes the batches of ingests in this process, as long as the indexer lives.
struct FreshReceiver(Arc<Fresh>);

impl FreshReceiver {
    fn new(fresh: Arc<Fresh>) -> FreshReceiver {
        fresh.begin();
        FreshReceiver(fresh)
    }
}

impl Drop for FreshReceiver {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The result of a step of the indexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexerStep {
    /// Number of works read; there may be more.
    Worked(usize),
    /// The index is up to date; a later step commits pending works.
    Level,
}

impl Indexer {
    /// Locks the index for writing; `None` if another process has it. A missing, damaged or
    /// foreign index is rebuilt.
    pub fn acquire(
        store: Arc<Store>,
        index: Arc<SearchIndex>,
        fresh: Arc<Fresh>,
    ) -> Result<Option<Indexer>, CorpusError> {
        let Some(lock) = take_lock(&index)? else {
            return Ok(None);
        };
        let opened = index.current_or_new()?;
        let (opened, writer) = match open_writer(&opened) {
            Ok(writer) => (opened, writer),
            Err(error) => {
                tracing::warn!(%error, "the search index cannot be written and is rebuilt");
                drop(opened);
                let opened = index.create()?;
                let writer = open_writer(&opened)?;
                (opened, writer)
            }
        };
        let mut indexer = Indexer {
            mark: CommitMark::new(&store.database_id()?),
            store,
            index,
            opened,
            writer,
            pending: 0,
            first_pending: Instant::now(),
            last_worked: Instant::now(),
            fresh: FreshReceiver::new(fresh),
            _lock: lock,
        };
        match indexer.opened.mark()? {
            Some(mark) if indexer.can_follow(&mark)? => indexer.mark = mark,
            // An empty index can follow from the first change if all changes are still listed.
            None if indexer.opened.documents() == 0 && indexer.has_every_change()? => {}
            _ => indexer.begin_rebuild()?,
        }
        Ok(Some(indexer))
    }

    /// Starts a rebuild: the index is emptied, and the next steps fill it.
    pub fn begin_rebuild(&mut self) -> Result<(), CorpusError> {
        let range = self.store.change_range()?;
        self.mark = CommitMark::new(&self.store.database_id()?);
        self.mark.seq = range.newest;
        self.mark.stamp = self.stamp_of_change(range.newest)?.unwrap_or_default();
        self.mark.rebuild = Some(Rebuild {
            done: 0,
            last: range.highest_work,
        });
        self.writer.delete_all_documents()?;
        self.commit()
    }

    /// Indexes the next batch of works, and commits when due.
    pub fn step(&mut self) -> Result<IndexerStep, CorpusError> {
        let rebuilding = self.mark.rebuild.is_some();
        let worked = match self.mark.rebuild {
            Some(rebuild) => self.rebuild_slice(rebuild)?,
            None => self.follow_slice()?,
        };
        if self.is_commit_due() {
            self.commit()?;
        }
        let level = worked == 0 && !rebuilding;
        Ok(if level {
            IndexerStep::Level
        } else {
            IndexerStep::Worked(worked)
        })
    }

    /// Steps until everything is indexed and committed; `progress` gets the number of works
    /// so far.
    pub fn catch_up(&mut self, mut progress: impl FnMut(u64)) -> Result<u64, CorpusError> {
        let mut works = 0;
        while let IndexerStep::Worked(more) = self.step()? {
            works += more as u64;
            progress(works);
        }
        if self.pending > 0 {
            self.commit()?;
        }
        Ok(works)
    }

    /// Completes the index and merges it into one segment, without deleted works.
    pub fn compact(mut self) -> Result<(), CorpusError> {
        // The writer's own merges would take segments away from this one.
        self.writer.set_merge_policy(Box::new(NoMergePolicy));
        self.catch_up(|_| {})?;
        self.merge_all()?;
        self.opened.reload()?;
        self.writer.garbage_collect_files().wait()?;
        self.close()
    }

    /// Merges the segments into one, if there are several or one has deleted works. Holding a
    /// segment's description keeps its files.
    fn merge_all(&mut self) -> Result<(), CorpusError> {
        let segments = self.opened.index.searchable_segment_metas()?;
        if segments.len() < 2 && !segments.iter().any(|segment| segment.has_deletes()) {
            return Ok(());
        }
        let ids: Vec<_> = segments.iter().map(|segment| segment.id()).collect();
        drop(segments);
        self.writer.merge(&ids).wait()?;
        Ok(())
    }

    /// Starts a rebuild if one was requested. Fails if the files are damaged;
    /// the next acquisition then rebuilds it.
    pub fn rebuild_if_requested(&mut self) -> Result<(), CorpusError> {
        self.index.check()?;
        let request = self.index.request_path();
        if request.exists() {
            tracing::info!("rebuilding the search index on request");
            self.begin_rebuild()?;
            // The requesting process watches the index from now on.
            std::fs::remove_file(request)?;
        }
        Ok(())
    }

    /// Whether works await a commit.
    pub fn has_pending(&self) -> bool {
        self.pending > 0
    }

    /// Shuts down: commits pending works and lets running merges finish.
    pub fn close(mut self) -> Result<(), CorpusError> {
        if self.pending > 0 {
            self.commit()?;
        }
        self.writer.wait_merging_threads()?;
        Ok(())
    }

    /// Whether the changes after this commit lead to the state of the database.
    fn can_follow(&self, mark: &CommitMark) -> Result<bool, CorpusError> {
        if !mark.fits(&self.mark.database) {
            return Ok(false);
        }
        let range = self.store.change_range()?;
        if range.newest == 0 {
            return Ok(mark.seq == 0);
        }
        let gap = range.oldest > mark.seq + 1;
        let went_back = range.newest < mark.seq;
        // The change itself is kept until a later one is in the index.
        let known = self.stamp_of_change(mark.seq)?;
        let other_history = known.is_some_and(|stamp| stamp != mark.stamp);
        Ok(!gap && !went_back && !other_history)
    }

    fn has_every_change(&self) -> Result<bool, CorpusError> {
        Ok(self.store.change_range()?.oldest <= 1)
    }

    fn stamp_of_change(&self, seq: i64) -> Result<Option<i64>, CorpusError> {
        let changes = self.store.changes_since(seq - 1, 1)?;
        Ok(changes
            .first()
            .filter(|change| change.seq == seq)
            .map(|change| change.stamp))
    }

    fn rebuild_slice(&mut self, rebuild: Rebuild) -> Result<usize, CorpusError> {
        let items = self.store.items_after(rebuild.done, rebuild.last, SLICE)?;
        for (id, item) in &items {
            self.writer
                .add_document(IndexText::of(item).document(self.opened.fields, *id))?;
        }
        self.note_pending(items.len());
        self.mark.rebuild = items.last().map(|(id, _)| Rebuild {
            done: *id,
            ..rebuild
        });
        if items.is_empty() {
            // The end of a rebuild must be committed even if nothing was added.
            self.note_pending(1);
        }
        Ok(items.len())
    }

    fn follow_slice(&mut self) -> Result<usize, CorpusError> {
        let longest = match self.fresh.0.take_after(self.mark.seq) {
            Ok(batch) => return self.add_batch(batch),
            // Up to the first queued batch, changes are read from the database.
            Err(Some(first)) => SLICE.min((first - self.mark.seq - 1).max(1) as usize),
            Err(None) => SLICE,
        };
        let changes = self.store.changes_since(self.mark.seq, longest)?;
        let Some(last) = changes.last() else {
            return Ok(0);
        };
        let (order, first_kinds) = by_work(&changes);
        let items = self.store.items(&order)?;
        for (id, item) in order.iter().zip(items) {
            // A new work cannot be in the index, and deletions cost time at every commit.
            if first_kinds.get(id) != Some(&ChangeKind::New) {
                let term = Term::from_field_u64(self.opened.fields.id, *id as u64);
                self.writer.delete_term(term);
            }
            if let Some(item) = item {
                self.writer
                    .add_document(IndexText::of(&item).document(self.opened.fields, *id))?;
            }
        }
        self.mark.seq = last.seq;
        self.mark.stamp = last.stamp;
        self.note_pending(changes.len());
        Ok(changes.len())
    }

    fn add_batch(&mut self, batch: CommittedBatch) -> Result<usize, CorpusError> {
        let works = batch.works.len();
        for (id, text) in batch.works {
            self.writer
                .add_document(text.document(self.opened.fields, id))?;
        }
        self.mark.seq = batch.changes.last_change;
        self.mark.stamp = batch.changes.last_stamp;
        self.note_pending(works);
        Ok(works)
    }

    fn is_commit_due(&self) -> bool {
        let waited = self.first_pending.elapsed();
        self.pending >= COMMIT_WORKS
            || self.pending > 0
                && (waited >= COMMIT_AFTER
                    || self.pending <= FEW && waited >= COMMIT_FEW_AFTER
                    || self.last_worked.elapsed() >= QUIET)
    }

    fn note_pending(&mut self, works: usize) {
        if self.pending == 0 {
            self.first_pending = Instant::now();
        }
        self.pending += works;
        self.last_worked = Instant::now();
    }

    fn commit(&mut self) -> Result<(), CorpusError> {
        let payload =
            serde_json::to_string(&self.mark).map_err(|e| CorpusError::Index(e.to_string()))?;
        let mut commit = self.writer.prepare_commit()?;
        commit.set_payload(&payload);
        commit.commit()?;
        self.pending = 0;
        self.opened.reload()?;
        if self.mark.rebuild.is_none() {
            self.store.trim_changes(self.mark.seq)?;
        }
        Ok(())
    }
}

fn open_writer(opened: &Opened) -> Result<IndexWriter<TantivyDocument>, CorpusError> {
    // Each merge takes memory, and none is urgent: one after the other.
    let options = IndexWriterOptions::builder()
        .memory_budget_per_thread(WRITER_MEMORY)
        .num_worker_threads(1)
        .num_merge_threads(1)
        .build();
    Ok(opened.index.writer_with_options(options)?)
}

/// The lock file is beside the index, not in it, because the index may be deleted.
fn take_lock(index: &SearchIndex) -> Result<Option<File>, CorpusError> {
    let path = index.directory().with_extension("lock");
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| CorpusError::Io(format!("{}: {e}", path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// The works of some changes, each once, with its first change.
fn by_work(changes: &[WorkChange]) -> (Vec<WorkId>, HashMap<WorkId, ChangeKind>) {
    let mut order = Vec::with_capacity(changes.len());
    let mut kinds = HashMap::with_capacity(changes.len());
    for change in changes {
        kinds.entry(change.work).or_insert_with(|| {
            order.push(change.work);
            change.kind
        });
    }
    (order, kinds)
}
