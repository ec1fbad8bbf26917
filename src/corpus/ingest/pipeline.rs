//! One file through the stages: unpack, split into records, map, write. Each stage has its threads and
//! the queues between them are short, so memory use does not depend on the size of the file.
//! Mapped batches arrive out of order and are written in order, each with the position after it, so
//! that the written part is always a prefix of the file.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::background;
use crate::clock::unix_now;
use crate::store::outcome::PutCounts;
use crate::store::progress::Progress;

use super::buffers::Buffers;
use super::job::{FileJob, ReadOutcome};
use super::map::{Mapped, Mapper};
use super::rejects::{Reject, Rejects, snippet};
use super::seen::NewFingerprints;
use super::source::{StartPosition, Unpacker, unpack};
use super::split::{RecordBatch, split};
use super::writer::{BatchWriter, MappedBatch, PERMITS, WorkOperation};
use crate::corpus::error::CorpusError;
use crate::corpus::index::IndexText;

/// Reads a file from its saved position and writes its records. `tell` is called at every step: the
/// counts of this run, the state of the file, and the packed bytes read.
pub fn run(
    job: &FileJob<'_>,
    mut progress: Progress,
    rejects: &mut Rejects,
    tell: &mut dyn FnMut(&PutCounts, &Progress, u64),
) -> Result<(ReadOutcome, Progress, PutCounts), CorpusError> {
    let start = StartPosition {
        member: progress.member,
        offset: progress.offset,
    };
    let read = Arc::new(AtomicU64::new(0));
    let halt = AtomicBool::new(false);
    let mut counts = PutCounts::default();
    let mut fingerprints = NewFingerprints::default();
    let ending = std::thread::scope(|scope| {
        let stages = Stages::start(scope, job, start, &read, &halt)?;
        let mut tell = |counts: &PutCounts, progress: &Progress| {
            tell(counts, progress, read.load(Ordering::Relaxed));
        };
        let written = BatchWriter {
            store: job.store,
            fresh: job.fresh,
            progress: &mut progress,
            rejects,
            counts: &mut counts,
            fingerprints: &mut fingerprints,
            tell: &mut tell,
            writes: stages.checkpoints,
            awaited: None,
        }
        .write_all(&stages.mapped, &stages.permits);
        halt.store(true, Ordering::Relaxed);
        drop((stages.mapped, stages.permits));
        let split = stages.splitter.join().unwrap_or_else(|_| {
            Ok(ReadOutcome::Broken(
                "internal error: splitting the file into records panicked".to_owned(),
            ))
        });
        written.and(split)
    })?;
    if matches!(ending, ReadOutcome::Finished { .. }) {
        progress.finished_at = Some(unix_now());
        job.store.batch(|batch| {
            if let Some(last) = fingerprints.take(true) {
                batch.add_fingerprints(progress.id, &last)?;
            }
            batch.drop_earlier_fingerprints(progress.id)?;
            batch.save_progress(&progress)
        })?;
    }
    tell(&counts, &progress, read.load(Ordering::Relaxed));
    Ok((ending, progress, counts))
}

/// The threads before and beside the writer, and their ends of its queues.
struct Stages<'scope> {
    splitter: ScopedJoinHandle<'scope, Result<ReadOutcome, CorpusError>>,
    mapped: Receiver<Result<MappedBatch, CorpusError>>,
    /// Takes back the permit of each written batch.
    permits: SyncSender<()>,
    /// Requests a checkpoint of the database if one is due.
    checkpoints: SyncSender<()>,
}

impl<'scope> Stages<'scope> {
    fn start(
        scope: &'scope Scope<'scope, '_>,
        job: &'scope FileJob<'_>,
        start: StartPosition,
        read: &Arc<AtomicU64>,
        halt: &'scope AtomicBool,
    ) -> Result<Stages<'scope>, CorpusError> {
        let threads = job.threads.max(1);
        let (pieces_in, pieces_out) = sync_channel(8);
        let (batches_in, batches_out) = sync_channel::<RecordBatch>(threads * 2);
        let (mapped_in, mapped) = sync_channel(threads * 2);
        let (permits, permit_out) = permits();
        let (checkpoints, checkpoint_out) = sync_channel::<()>(1);
        let unpacker = Unpacker {
            pieces: pieces_in,
            read: Arc::clone(read),
            buffers: Buffers::default(),
        };
        named(scope, "unpack", move || {
            unpack(job.path, start, &unpacker, halt)
        })?;
        let splitter = named(scope, "split", move || {
            split(job, start, &pieces_out, batches_in, &permit_out)
        })?;
        let batches = Arc::new(Mutex::new(batches_out));
        for _ in 0..threads {
            let (batches, mapped) = (Arc::clone(&batches), mapped_in.clone());
            named(scope, "map", move || map_batches(job, &batches, &mapped))?;
        }
        named(scope, "checkpoint", move || {
            { checkpoint_out.iter() }.for_each(|()| job.store.checkpoint_if_due());
        })?;
        Ok(Stages {
            splitter,
            mapped,
            permits,
            checkpoints,
        })
    }
}

/// A permit for each batch between splitting and writing limits their number even if one of them
/// takes long.
fn permits() -> (SyncSender<()>, Receiver<()>) {
    let (permits, permit_out) = sync_channel(PERMITS);
    for _ in 0..PERMITS {
        let _ = permits.send(());
    }
    (permits, permit_out)
}

/// A thread with a name for profiling. It runs at low priority, except
/// the writing thread, since others wait for the database.
fn named<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    job: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, CorpusError> {
    let job = || {
        background::step_back();
        job()
    };
    Ok(Builder::new()
        .name(name.to_owned())
        .spawn_scoped(scope, job)?)
}

/// Maps batches until the queue is closed.
fn map_batches(
    job: &FileJob<'_>,
    batches: &Mutex<Receiver<RecordBatch>>,
    ready: &SyncSender<Result<MappedBatch, CorpusError>>,
) {
    let mut mapper: Option<Mapper> = None;
    loop {
        let next = batches
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(batch) = next else { return };
        let same = mapper.take().filter(|mapper| mapper.format == batch.format);
        let mapped = match same.map_or_else(|| (job.mapper)(batch.format), Ok) {
            Ok(fitting) => map_batch(job, mapper.insert(fitting), batch),
            Err(error) => Err(error),
        };
        if ready.send(mapped).is_err() {
            return;
        }
        if let Err(error) = job.store.train_dictionary_if_due(unix_now()) {
            let _ = ready.send(Err(error.into()));
            return;
        }
    }
}

fn map_batch(
    job: &FileJob<'_>,
    mapper: &Mapper,
    batch: RecordBatch,
) -> Result<MappedBatch, CorpusError> {
    let mut ready = MappedBatch {
        number: batch.number,
        operations: Vec::with_capacity(batch.records.len()),
        rejects: Vec::new(),
        records: 0,
        format: batch.format,
        next: batch.next,
        unchanged: batch.skipped.len() as u64,
        fingerprints: Vec::with_capacity(batch.skipped.len() + batch.records.len()),
    };
    let mut skipped = 0;
    let reject =
        |record: u64, offset: u64, line: Option<u64>, reason: String, bytes: &[u8]| Reject {
            file: job.path.display().to_string(),
            member: batch.member_name.as_deref().map(str::to_owned),
            record,
            offset,
            line,
            reason,
            snippet: snippet(bytes),
        };
    let indexed = job.fresh.is_wanted();
    let mut start = 0;
    for record in &batch.records {
        let bytes = batch.bytes.get(start..record.end).unwrap_or_default();
        start = record.end;
        ready.records += (record.skipped - skipped) as u64;
        skipped = record.skipped;
        let rejected = ready.rejects.len();
        for mapped in mapper.map(bytes, record.inherited) {
            ready.records += 1;
            match mapped {
                Ok(Mapped::Work(work)) => {
                    let text = indexed.then(|| IndexText::of(&work.item));
                    let prepared = Box::new(job.store.prepare(*work)?);
                    ready.operations.push(WorkOperation::Put(prepared, text));
                }
                Ok(Mapped::Withdrawn(source, ids)) => {
                    let ids = ids.into_iter();
                    ready
                        .operations
                        .extend(ids.map(|id| WorkOperation::Withdraw(source, id)));
                }
                Ok(Mapped::Notice(notice)) => {
                    ready.operations.push(WorkOperation::Notice(notice));
                }
                Ok(Mapped::Nothing) => {}
                Err(refused) => ready.rejects.push(reject(
                    ready.records,
                    record.offset,
                    refused.line,
                    refused.reason,
                    bytes,
                )),
            }
        }
        // A rejected record is told by every ingest.
        if ready.rejects.len() == rejected {
            ready.fingerprints.extend(record.fingerprint);
        }
    }
    ready.records += (batch.skipped.len() - skipped) as u64;
    ready.fingerprints.extend_from_slice(&batch.skipped);
    if let Some(trouble) = batch.trouble {
        ready.records += u64::from(trouble.is_record);
        let record = if trouble.is_record { ready.records } else { 0 };
        let told = reject(record, trouble.offset, None, trouble.reason, b"");
        ready.rejects.push(told);
    }
    Ok(ready)
}
