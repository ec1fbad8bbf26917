//! Writes mapped batches: in order, in transactions that yield to others, each with the
//! position after it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use crate::store::batch::Batch as Writing;
use crate::store::outcome::{PutCounts, PutOutcome};
use crate::store::prepared::PreparedWork;
use crate::store::progress::Progress;
use crate::store::works::WorkId;
use crate::store::{Store, StoreError};
use citation_model::identifier::Identifier;
use citation_model::work::Source;
use citation_records::retraction_watch::{ListedNotice, NotedWork};

use super::format::RecordFormat;
use super::rejects::{Reject, Rejects};
use super::seen::NewFingerprints;
use super::source::StartPosition;
use crate::corpus::error::CorpusError;
use crate::corpus::fresh::{CommittedBatch, Fresh};
use crate::corpus::index::IndexText;

/// Maximum duration of a transaction while nobody waits to write. A page of the database that many
/// works touch is written once per transaction, so long ones are cheaper.
const LONG: Duration = Duration::from_millis(60);

/// Maximum duration while others write too: its changes are written to the log when it ends, and they
/// wait for that.
const SHORT: Duration = Duration::from_millis(5);

/// How long a transaction continues although somebody waits, so that an ingest beside a busy server
/// still makes progress.
const MINIMUM: Duration = Duration::from_millis(1);

/// How long others are assumed to write after they were last seen waiting.
const COMPANY: Duration = Duration::from_secs(2);

/// Number of works collected before a transaction starts …
const GATHERED: usize = 1000;

/// … unless that takes longer than this.
const GATHER: Duration = Duration::from_millis(200);

/// The interval of progress reports while nothing is written.
const TICK: Duration = Duration::from_millis(200);

/// Maximum number of batches between splitting and writing: they bound the memory.
pub const PERMITS: usize = 144;

/// The mapped records of a part of a file.
pub struct MappedBatch {
    /// The number of the batch in the file.
    pub number: u64,
    pub operations: Vec<WorkOperation>,
    pub rejects: Vec<Reject>,
    /// Number of records in the batch, including rejected ones.
    pub records: u64,
    pub format: RecordFormat,
    /// The position after the batch.
    pub next: StartPosition,
    /// Number of records that were not read again.
    pub unchanged: u64,
    /// Those of the records that were not rejected.
    pub fingerprints: Vec<u64>,
}

pub enum WorkOperation {
    Put(Box<PreparedWork>, Option<IndexText>),
    /// The record of a source with this id.
    Withdraw(Source, String),
    Notice(Box<ListedNotice>),
}

/// Writes batches in order.
pub struct BatchWriter<'a> {
    pub store: &'a Store,
    /// Hands new works to the indexer.
    pub fresh: &'a Fresh,
    pub progress: &'a mut Progress,
    pub rejects: &'a mut Rejects,
    pub counts: &'a mut PutCounts,
    pub fingerprints: &'a mut NewFingerprints,
    pub tell: &'a mut dyn FnMut(&PutCounts, &Progress),
    /// Called after every transaction; the caller runs the checkpoints.
    pub writes: SyncSender<()>,
    /// When somebody was last seen waiting.
    pub awaited: Option<Instant>,
}

impl BatchWriter<'_> {
    /// Writes batches until the queue is closed, and releases a permit for each.
    pub fn write_all(
        &mut self,
        ready: &Receiver<Result<MappedBatch, CorpusError>>,
        permits: &SyncSender<()>,
    ) -> Result<(), CorpusError> {
        let mut queue = Queue::default();
        let (mut open, mut written) = (true, Instant::now());
        while open {
            match ready.recv_timeout(TICK) {
                Ok(batch) => queue.add(batch?),
                Err(RecvTimeoutError::Timeout) => (self.tell)(self.counts, self.progress),
                Err(RecvTimeoutError::Disconnected) => open = false,
            }
            while let Ok(batch) = ready.try_recv() {
                queue.add(batch?);
            }
            // Collecting works is faster, but must not take long, nor block the mappers.
            let is_due = !open
                || queue.works() >= GATHERED
                || queue.len() >= PERMITS / 2
                || written.elapsed() >= GATHER;
            if is_due {
                self.write(queue.take(), permits)?;
                written = Instant::now();
            }
        }
        Ok(())
    }

    /// Writes consecutive batches.
    fn write(
        &mut self,
        mut group: VecDeque<MappedBatch>,
        permits: &SyncSender<()>,
    ) -> Result<(), CorpusError> {
        while !group.is_empty() {
            let before = group.len();
            self.write_some(&mut group)?;
            for _ in group.len()..before {
                let _ = permits.send(());
            }
            let _ = self.writes.try_send(());
            self.store.checkpoint_if_overdue();
            (self.tell)(self.counts, self.progress);
        }
        Ok(())
    }

    /// Writes one batch, and more while there is time, in one transaction.
    fn write_some(&mut self, group: &mut VecDeque<MappedBatch>) -> Result<(), CorpusError> {
        let has_company = self.awaited.is_some_and(|last| last.elapsed() < COMPANY);
        let longest = if has_company { SHORT } else { LONG };
        let mut progress = self.progress.clone();
        let (mut fresh, mut is_awaited) = (None, false);
        let counts = self.store.batch(|batch| {
            // Waiting for the lock does not count.
            let began = Instant::now();
            let (mut rejects, mut works) = (Vec::new(), Some(Vec::new()));
            while let Some(ready) = group.pop_front() {
                note(&ready, &mut progress, &mut rejects);
                batch.note_unchanged(ready.unchanged);
                self.fingerprints.extend(&ready.fingerprints);
                while let Some(part) = self.fingerprints.take(false) {
                    batch.add_fingerprints(progress.id, &part)?;
                }
                put_all(batch, ready.operations, progress.id, &mut works)?;
                let took = began.elapsed();
                is_awaited = took >= MINIMUM && batch.is_awaited();
                if is_awaited || took >= longest {
                    break;
                }
            }
            let changes = works.and_then(|works| Some((works, batch.new_works()?)));
            fresh = changes.map(|(works, changes)| CommittedBatch { changes, works });
            // The rejects are written first: if the process ends in between, the next run truncates
            // them, since the database does not know them.
            self.rejects
                .add(&rejects)
                .map_err(|e| StoreError::Io(e.to_string()))?;
            progress.rejects_size = self.rejects.size();
            batch.save_progress(&progress)
        })?;
        if is_awaited {
            self.awaited = Some(Instant::now());
        }
        if let Some(committed) = fresh {
            self.fresh.offer(committed);
        }
        *self.progress = progress;
        self.counts.add(counts);
        Ok(())
    }
}

/// Adds a batch to the counts, and numbers its rejects within the file.
fn note(ready: &MappedBatch, progress: &mut Progress, rejects: &mut Vec<Reject>) {
    let records = progress.records;
    rejects.extend(ready.rejects.iter().map(|reject| Reject {
        record: match reject.record {
            0 => 0,
            within => records + within,
        },
        ..reject.clone()
    }));
    progress.records += ready.records;
    progress.rejected += ready.rejects.len() as u64;
    progress.member = ready.next.member;
    progress.offset = ready.next.offset;
    progress.format = ready.format.as_str().to_owned();
}

/// Writes the operations of a batch. `works` collects new works, as long as nothing else happens.
fn put_all(
    batch: &mut Writing<'_, '_>,
    operations: Vec<WorkOperation>,
    ingest: i64,
    works: &mut Option<Vec<(WorkId, IndexText)>>,
) -> Result<(), StoreError> {
    for operation in operations {
        match operation {
            WorkOperation::Put(work, text) => {
                let outcome = batch.put(&work)?;
                match (outcome, text, &mut *works) {
                    (PutOutcome::New(id), Some(text), Some(works)) => works.push((id, text)),
                    (PutOutcome::Unchanged(_), _, _) => {}
                    _ => *works = None,
                }
            }
            WorkOperation::Withdraw(source, id) => {
                batch.retract_record(source, &id)?;
            }
            WorkOperation::Notice(notice) => list_notice(batch, &notice, ingest)?,
        }
    }
    Ok(())
}

/// Stores a notice of a list. One about an article that has no DOI, in the list or here, is left out and
/// counted: notices are found by DOI.
fn list_notice(
    batch: &mut Writing<'_, '_>,
    notice: &ListedNotice,
    ingest: i64,
) -> Result<(), StoreError> {
    let doi = match &notice.work {
        NotedWork::Doi(doi) => Some(doi.clone()),
        NotedWork::Pmid(pmid) => batch.doi_of(&Identifier::Pmid(pmid.clone()))?,
    };
    match doi {
        Some(doi) => batch.list_notice(&doi, &notice.update(&doi), ingest),
        None => {
            batch.leave_out_notice();
            Ok(())
        }
    }
}

/// Mapped batches to be written: they arrive out of order and leave in order.
#[derive(Default)]
struct Queue {
    waiting: BTreeMap<u64, MappedBatch>,
    next: u64,
}

impl Queue {
    fn add(&mut self, batch: MappedBatch) {
        self.waiting.insert(batch.number, batch);
    }

    /// Number of waiting batches.
    fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Number of works in the batches that are next.
    fn works(&self) -> usize {
        let in_turn = (self.next..).map_while(|number| self.waiting.get(&number));
        in_turn.map(|batch| batch.operations.len()).sum()
    }

    /// The batches that are next.
    fn take(&mut self) -> VecDeque<MappedBatch> {
        let mut group = VecDeque::new();
        while let Some(batch) = self.waiting.remove(&self.next) {
            group.push_back(batch);
            self.next += 1;
        }
        group
    }
}
