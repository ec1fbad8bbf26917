//! Writing mapped batches: in their order, in transactions that give way to others, each with the
//! place behind it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use crate::store::batch::Batch as Writing;
use crate::store::outcome::{Outcome, PutCounts};
use crate::store::prepared::Prepared;
use crate::store::progress::Progress;
use crate::store::works::WorkId;
use crate::store::{Store, StoreError};
use citation_model::identifier::Pmid;
use citation_model::work::Source;

use super::format::Format;
use super::map::withdrawn_identifier;
use super::rejects::{Reject, Rejects};
use super::source::Start;
use crate::corpus::error::CorpusError;
use crate::corpus::fresh::{CommittedBatch, Fresh};
use crate::corpus::index::IndexText;

/// How long a transaction may take while nobody waits to write. A page of the database that many
/// works touch is written once a transaction, so long ones cost less.
const LONG: Duration = Duration::from_millis(60);

/// How long while others write too: what it has changed is written to the log when it ends, and they
/// wait for that.
const SHORT: Duration = Duration::from_millis(5);

/// How long a transaction goes on although somebody waits: an ingest beside a busy server shall come
/// to its end too.
const LEAST: Duration = Duration::from_millis(1);

/// Others are taken to write on for this while after they were last seen to wait.
const COMPANY: Duration = Duration::from_secs(2);

/// Works that are gathered before a transaction begins …
const GATHERED: usize = 1000;

/// … unless that takes longer than this.
const GATHER: Duration = Duration::from_millis(200);

/// How often the caller hears of the progress while nothing is written.
const TICK: Duration = Duration::from_millis(200);

/// Batches between cutting and writing, at most: they bound the memory.
pub const PERMITS: usize = 144;

/// The records of a piece of a file, mapped.
pub struct Ready {
    /// The place of the batch among those of the file.
    pub number: u64,
    pub operations: Vec<Operation>,
    pub rejects: Vec<Reject>,
    /// Records in the batch, rejected ones included.
    pub records: u64,
    pub format: Format,
    /// The place behind the batch.
    pub next: Start,
}

pub enum Operation {
    Put(Box<Prepared>, Option<IndexText>),
    Withdraw(Pmid),
}

/// Writes batches in their order.
pub struct Writer<'a> {
    pub store: &'a Store,
    /// Where new works are handed to the indexer.
    pub fresh: &'a Fresh,
    pub progress: &'a mut Progress,
    pub rejects: &'a mut Rejects,
    pub counts: &'a mut PutCounts,
    pub tell: &'a mut dyn FnMut(&PutCounts, &Progress),
    /// Hears of every transaction; whoever listens sees to the checkpoints.
    pub writes: SyncSender<()>,
    /// When somebody was last seen to wait.
    pub awaited: Option<Instant>,
}

impl Writer<'_> {
    /// Writes what comes until nothing more does, and gives a permit back for every batch.
    pub fn write_all(
        &mut self,
        ready: &Receiver<Result<Ready, CorpusError>>,
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
            // It pays to gather; but not for long, and never so much that the mappers must wait.
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

    /// Writes batches that follow each other.
    fn write(
        &mut self,
        mut group: VecDeque<Ready>,
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

    /// Writes one batch, and further ones as long as there is time, in one transaction.
    fn write_some(&mut self, group: &mut VecDeque<Ready>) -> Result<(), CorpusError> {
        let has_company = self.awaited.is_some_and(|last| last.elapsed() < COMPANY);
        let longest = if has_company { SHORT } else { LONG };
        let mut progress = self.progress.clone();
        let (mut fresh, mut is_awaited) = (None, false);
        let counts = self.store.batch(|batch| {
            // Waiting for others is not the transaction's own time.
            let began = Instant::now();
            let (mut rejects, mut works) = (Vec::new(), Some(Vec::new()));
            while let Some(ready) = group.pop_front() {
                note(&ready, &mut progress, &mut rejects);
                put_all(batch, ready.operations, &mut works)?;
                let took = began.elapsed();
                is_awaited = took >= LEAST && batch.is_awaited();
                if is_awaited || took >= longest {
                    break;
                }
            }
            let changes = works.and_then(|works| Some((works, batch.new_works()?)));
            fresh = changes.map(|(works, changes)| CommittedBatch { changes, works });
            // The rejects are written first: should the process end in between, the next run cuts
            // them off again, since the database does not know of them.
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

/// Counts a batch in, and numbers its rejects within the file.
fn note(ready: &Ready, progress: &mut Progress, rejects: &mut Vec<Reject>) {
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

/// Writes the operations of a batch. `works` gathers what is new, as long as nothing else happens.
fn put_all(
    batch: &mut Writing<'_, '_>,
    operations: Vec<Operation>,
    works: &mut Option<Vec<(WorkId, IndexText)>>,
) -> Result<(), StoreError> {
    for operation in operations {
        match operation {
            Operation::Put(work, text) => {
                let outcome = batch.put(&work)?;
                match (outcome, text, &mut *works) {
                    (Outcome::New(id), Some(text), Some(works)) => works.push((id, text)),
                    (Outcome::Unchanged(_), _, _) => {}
                    _ => *works = None,
                }
            }
            Operation::Withdraw(pmid) => {
                batch.retract_record(Source::Pubmed, &withdrawn_identifier(&pmid))?;
            }
        }
    }
    Ok(())
}

/// Mapped batches that wait to be written: they come out of order and leave in order.
#[derive(Default)]
struct Queue {
    waiting: BTreeMap<u64, Ready>,
    next: u64,
}

impl Queue {
    fn add(&mut self, batch: Ready) {
        self.waiting.insert(batch.number, batch);
    }

    /// Batches that wait.
    fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Works in the batches whose turn it is.
    fn works(&self) -> usize {
        let in_turn = (self.next..).map_while(|number| self.waiting.get(&number));
        in_turn.map(|batch| batch.operations.len()).sum()
    }

    /// The batches whose turn it is.
    fn take(&mut self) -> VecDeque<Ready> {
        let mut group = VecDeque::new();
        while let Some(batch) = self.waiting.remove(&self.next) {
            group.push_back(batch);
            self.next += 1;
        }
        group
    }
}
