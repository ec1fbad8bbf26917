//! One file through the stages: unpack, split into records, map, write. Each stage has its threads and
//! the queues between them are short, so memory use does not depend on the size of the file.
//! Mapped batches arrive out of order and are written in order, each with the position after it, so
//! that the written part is always a prefix of the file.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::background;
use crate::clock::unix_now;
use crate::store::Store;
use crate::store::outcome::PutCounts;
use crate::store::progress::Progress;
use citation_exchange::bibtex::inheritance::Inheritance;

use super::buffers::{Buffer, Buffers};
use super::format::Format;
use super::frame::{FrameError, Framing, each_run};
use super::map::{Mapped, Mapper};
use super::rejects::{Reject, Rejects, snippet};
use super::source::{Member, MemberReader, Piece, Start, Unpacker, read_member, unpack};
use super::window::Window;
use super::writer::{Operation, PERMITS, Ready, Writer};
use crate::corpus::error::CorpusError;
use crate::corpus::fresh::Fresh;
use crate::corpus::index::IndexText;

/// Maximum number of records in one batch. A transaction contains at least one batch.
const BATCH_RECORDS: usize = 32;

/// Approximate size of the records in one batch, in bytes.
const BATCH_BYTES: usize = 1 << 17;

/// The state shared by the stages of one file.
pub struct Job<'a> {
    pub store: &'a Store,
    /// Hands new works to the indexer.
    pub fresh: &'a Fresh,
    pub path: &'a Path,
    /// The caller's format; otherwise each member's is detected.
    pub format: Option<Format>,
    pub mapper: &'a (dyn Fn(Format) -> Result<Mapper, CorpusError> + Sync),
    pub threads: usize,
    /// Set when the caller wants to stop.
    pub stop: &'a AtomicBool,
}

/// How reading a file ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// At its end, except for a number of records that exceed the size limit.
    Finished { too_long: u64 },
    /// The caller wanted to stop; the next run resumes.
    Stopped,
    /// It contains no known format.
    Unknown,
    /// It broke off. The records before are in the corpus.
    Broken(String),
}

/// The unparsed records of a part of a member.
struct Batch {
    number: u64,
    format: Format,
    member: u64,
    member_name: Option<Arc<str>>,
    bytes: Buffer,
    records: Vec<Cut>,
    /// The position after the batch.
    next: Start,
    /// The error after the last record.
    trouble: Option<SplitProblem>,
}

/// Why the data at a byte is rejected.
struct SplitProblem {
    offset: u64,
    reason: String,
    /// Whether it is one record, not all of the rest of the member.
    is_record: bool,
}

/// A record of a batch.
struct Cut {
    /// Where it ends in the batch's bytes.
    end: usize,
    /// Where it starts in the member.
    offset: u64,
    /// Number of its first bytes that are inherited from others.
    inherited: usize,
}

/// Why splitting a file stops.
enum SplitError {
    /// The writer is gone.
    Unwanted,
    Broken(String),
}

/// Reads a file from its saved position and writes its records. `tell` is called at every step: the
/// counts of this run, the state of the file, and the packed bytes read.
pub fn run(
    job: &Job<'_>,
    mut progress: Progress,
    rejects: &mut Rejects,
    tell: &mut dyn FnMut(&PutCounts, &Progress, u64),
) -> Result<(ReadOutcome, Progress, PutCounts), CorpusError> {
    let start = Start {
        member: progress.member,
        offset: progress.offset,
    };
    let read = Arc::new(AtomicU64::new(0));
    let halt = AtomicBool::new(false);
    let width = job.threads.max(1) * 2;
    let mut counts = PutCounts::default();
    let ending = std::thread::scope(|scope| {
        let (pieces_in, pieces_out) = sync_channel(8);
        let (batches_in, batches_out) = sync_channel::<Batch>(width);
        let (ready_in, ready_out) = sync_channel::<Result<Ready, CorpusError>>(width);
        // A permit for each batch between splitting and writing limits their number even if
        // one of them takes long.
        let (permit_in, permit_out) = sync_channel::<()>(PERMITS);
        for _ in 0..PERMITS {
            let _ = permit_in.send(());
        }
        let unpacker = Unpacker {
            pieces: pieces_in,
            read: read.clone(),
            buffers: Buffers::default(),
        };
        let halt = &halt;
        named(scope, "unpack", move || {
            unpack(job.path, start, &unpacker, halt)
        })?;
        let cutter = named(scope, "cut", move || {
            cut(job, start, &pieces_out, batches_in, &permit_out)
        })?;
        let batches = Arc::new(Mutex::new(batches_out));
        for _ in 0..job.threads.max(1) {
            let (batches, ready) = (batches.clone(), ready_in.clone());
            named(scope, "map", move || map_batches(job, &batches, &ready))?;
        }
        drop((batches, ready_in));
        let (writes_in, writes_out) = sync_channel::<()>(1);
        named(scope, "checkpoint", move || {
            writes_out
                .iter()
                .for_each(|()| job.store.checkpoint_if_due());
        })?;
        let written = {
            let mut tell = |counts: &PutCounts, progress: &Progress| {
                tell(counts, progress, read.load(Ordering::Relaxed));
            };
            let mut writer = Writer {
                store: job.store,
                fresh: job.fresh,
                progress: &mut progress,
                rejects,
                counts: &mut counts,
                tell: &mut tell,
                writes: writes_in,
                awaited: None,
            };
            writer.write_all(&ready_out, &permit_in)
        };
        halt.store(true, Ordering::Relaxed);
        drop((ready_out, permit_in));
        let cut = cutter.join().unwrap_or_else(|_| {
            Ok(ReadOutcome::Broken(
                "internal error: splitting the file into records panicked".to_owned(),
            ))
        });
        written.and(cut)
    })?;
    if matches!(ending, ReadOutcome::Finished { .. }) {
        progress.finished_at = Some(unix_now());
        job.store.batch(|batch| batch.save_progress(&progress))?;
    }
    tell(&counts, &progress, read.load(Ordering::Relaxed));
    Ok((ending, progress, counts))
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

/// Splits the members of a file into batches of records.
fn cut(
    job: &Job<'_>,
    start: Start,
    pieces: &Receiver<Piece>,
    batches: SyncSender<Batch>,
    permits: &Receiver<()>,
) -> Result<ReadOutcome, CorpusError> {
    let mut cutter = Cutter {
        job,
        batches,
        permits,
        buffers: Buffers::default(),
        numbers: 0,
        // A run that was stopped after the last record knew the format.
        known: start.member > 0 || start.offset > 0,
        archive: start.member > 0,
        too_long: 0,
    };
    Ok(match cutter.members(pieces) {
        Ok(()) if job.stop.load(Ordering::Relaxed) => ReadOutcome::Stopped,
        Ok(()) if cutter.known => ReadOutcome::Finished {
            too_long: cutter.too_long,
        },
        Ok(()) => ReadOutcome::Unknown,
        Err(SplitError::Unwanted) => ReadOutcome::Stopped,
        Err(SplitError::Broken(reason)) => ReadOutcome::Broken(reason),
    })
}

/// Which of the two passes over a long file its runs need.
#[derive(Clone, Copy)]
enum Pass {
    Note,
    Gather,
}

struct Cutter<'a> {
    job: &'a Job<'a>,
    batches: SyncSender<Batch>,
    permits: &'a Receiver<()>,
    buffers: Buffers,
    numbers: u64,
    /// Whether any member had a known format.
    known: bool,
    /// Whether there is a second member, so that member names are useful.
    archive: bool,
    /// Number of records skipped for their length.
    too_long: u64,
}

impl Cutter<'_> {
    fn members(&mut self, pieces: &Receiver<Piece>) -> Result<(), SplitError> {
        // A broken member: if the file continues or ends well, only the member is lost.
        let mut broken: Option<(Batch, String)> = None;
        loop {
            let piece = pieces.recv().map_err(|_| SplitError::Unwanted)?;
            if let (Piece::End(Ok(())), false, Some((_, reason))) = (&piece, self.archive, &broken)
            {
                // The file has nothing else.
                return Err(SplitError::Broken(reason.clone()));
            }
            if matches!(piece, Piece::Member(_) | Piece::End(Ok(())))
                && let Some((mut batch, reason)) = broken.take()
            {
                batch.trouble = Some(SplitProblem {
                    offset: batch.next.offset,
                    reason,
                    is_record: false,
                });
                batch.next = Start {
                    member: batch.member + 1,
                    offset: 0,
                };
                self.send(batch)?;
            }
            match piece {
                Piece::Member(member) => {
                    self.archive |= member.number > 0;
                    if let Some((batch, reason)) = self.member(&member, pieces)? {
                        broken = Some((batch, reason));
                    }
                }
                Piece::End(Ok(())) => return Ok(()),
                Piece::End(Err(reason)) => return Err(SplitError::Broken(reason)),
                Piece::Chunk(_) | Piece::MemberEnd(_) => {}
            }
        }
    }

    /// Splits one member. Returns an empty batch at its last sound position and the reason if it broke.
    fn member(
        &mut self,
        member: &Member,
        pieces: &Receiver<Piece>,
    ) -> Result<Option<(Batch, String)>, SplitError> {
        let mut reader = MemberReader::new(pieces);
        let format = self
            .job
            .format
            .filter(|_| !is_listing(&member.name))
            .or_else(|| Format::sniff(&member.name, &member.head));
        let Some(format) = format else {
            let _ = reader.finish();
            return Ok(None);
        };
        self.known = true;
        let mut framing = Framing::of(format, &member.head);
        let preamble = framing.preamble() as u64;
        let mut offset = member.offset;
        if offset < preamble {
            let mut skipped = std::io::Read::take(&mut reader, preamble - offset);
            if std::io::copy(&mut skipped, &mut std::io::sink()).is_ok() {
                offset = preamble;
            }
        }
        let mut window = Window::new(reader, offset);
        if framing.needs_inheritance(&mut window) {
            framing.inherit(self.inherited(member.number));
        }
        let mut batch = self.empty(format, member, offset);
        let trouble = loop {
            match framing.next(&mut window) {
                Ok(Some(record)) => {
                    batch.bytes.extend_from_slice(record.text.as_bytes());
                    let bytes = window.bytes().get(record.start..record.end);
                    batch.bytes.extend_from_slice(bytes.unwrap_or_default());
                    batch.records.push(Cut {
                        end: batch.bytes.len(),
                        offset: window.offset(),
                        inherited: record.inherited,
                    });
                    window.consume(record.consumed);
                    batch.next.offset = window.offset();
                }
                Ok(None) => break None,
                Err(FrameError::Read(error)) => break Some(error.to_string()),
                Err(FrameError::Cut { offset }) => {
                    break Some(format!("the text ends within the record at byte {offset}"));
                }
                Err(FrameError::TooLong { offset }) => {
                    self.too_long += 1;
                    batch.next.offset = window.offset();
                    batch.trouble = Some(SplitProblem {
                        offset,
                        reason: "the record is longer than 64 MiB".to_owned(),
                        is_record: true,
                    });
                }
            }
            let is_full = batch.records.len() >= BATCH_RECORDS || batch.bytes.len() >= BATCH_BYTES;
            if is_full || batch.trouble.is_some() {
                let next = self.empty(format, member, batch.next.offset);
                self.send(std::mem::replace(&mut batch, next))?;
            }
        };
        // A read error comes with its end; the rest after any other error is skipped.
        let ended = window.into_reader().finish();
        let last = self.empty(format, member, batch.next.offset);
        match trouble.or(ended.err()) {
            Some(reason) => {
                self.send(batch)?;
                Ok(Some((last, reason)))
            }
            None => {
                batch.next = Start {
                    member: member.number + 1,
                    offset: 0,
                };
                self.send(batch)?;
                Ok(None)
            }
        }
    }

    /// The entries that the runs of a member inherit from each other; none if the file cannot be read a second
    /// time.
    fn inherited(&self, member: u64) -> Inheritance {
        let mut inherited = Inheritance::default();
        let (path, stop) = (self.job.path, self.job.stop);
        for pass in [Pass::Note, Pass::Gather] {
            read_member(path, member, stop, |head, reader| {
                each_run(head, reader, |text, offset| match pass {
                    Pass::Note => inherited.note(text),
                    Pass::Gather => inherited.gather(text, offset),
                });
            });
        }
        inherited
    }

    fn empty(&self, format: Format, member: &Member, offset: u64) -> Batch {
        Batch {
            number: 0,
            format,
            member: member.number,
            member_name: self.archive.then(|| Arc::from(member.name.as_str())),
            bytes: self.buffers.take(),
            records: Vec::with_capacity(BATCH_RECORDS),
            next: Start {
                member: member.number,
                offset,
            },
            trouble: None,
        }
    }

    fn send(&mut self, mut batch: Batch) -> Result<(), SplitError> {
        if self.job.stop.load(Ordering::Relaxed) {
            return Err(SplitError::Unwanted);
        }
        self.permits.recv().map_err(|_| SplitError::Unwanted)?;
        batch.number = self.numbers;
        self.numbers += 1;
        self.batches.send(batch).map_err(|_| SplitError::Unwanted)
    }
}

/// Tables of contents among dump files.
fn is_listing(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    let listings = [".csv", ".csv.gz", ".md5", ".sha256", ".txt", ".md", ".html"];
    name.starts_with("manifest") || listings.iter().any(|ending| name.ends_with(ending))
}

/// Maps batches until the queue is closed.
fn map_batches(
    job: &Job<'_>,
    batches: &Mutex<Receiver<Batch>>,
    ready: &SyncSender<Result<Ready, CorpusError>>,
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

fn map_batch(job: &Job<'_>, mapper: &Mapper, batch: Batch) -> Result<Ready, CorpusError> {
    let mut ready = Ready {
        number: batch.number,
        operations: Vec::with_capacity(batch.records.len()),
        rejects: Vec::new(),
        records: 0,
        format: batch.format,
        next: batch.next,
    };
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
    for cut in &batch.records {
        let bytes = batch.bytes.get(start..cut.end).unwrap_or_default();
        start = cut.end;
        for mapped in mapper.map(bytes, cut.inherited) {
            ready.records += 1;
            match mapped {
                Ok(Mapped::Work(work)) => {
                    let text = indexed.then(|| IndexText::of(&work.item));
                    let prepared = Box::new(job.store.prepare(*work)?);
                    ready.operations.push(Operation::Put(prepared, text));
                }
                Ok(Mapped::Withdrawn(pmids)) => {
                    ready
                        .operations
                        .extend(pmids.into_iter().map(Operation::Withdraw));
                }
                Ok(Mapped::Nothing) => {}
                Err(refused) => ready.rejects.push(reject(
                    ready.records,
                    cut.offset,
                    refused.line,
                    refused.reason,
                    bytes,
                )),
            }
        }
    }
    if let Some(trouble) = batch.trouble {
        ready.records += u64::from(trouble.is_record);
        let record = if trouble.is_record { ready.records } else { 0 };
        let told = reject(record, trouble.offset, None, trouble.reason, b"");
        ready.rejects.push(told);
    }
    Ok(ready)
}
