//! Splits the members of a file into batches of records, which the next stage maps.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender};

use citation_exchange::bibtex::inheritance::Inheritance;

use super::buffers::{Buffer, Buffers};
use super::format::RecordFormat;
use super::frame::{FrameError, Framing, each_run};
use super::job::{FileJob, ReadOutcome};
use super::seen::{self, Seen};
use super::source::{Member, MemberPiece, MemberReader, StartPosition, read_member};
use super::window::ReadWindow;
use crate::corpus::error::CorpusError;
use crate::store::StoreError;

/// Maximum number of records in one batch. A transaction contains at least one batch.
const BATCH_RECORDS: usize = 32;

/// Maximum number of records in one batch that are not read again.
const BATCH_SKIPPED: usize = 4_096;

/// Approximate size of the records in one batch, in bytes.
const BATCH_BYTES: usize = 1 << 17;

/// The unparsed records of a part of a member.
pub struct RecordBatch {
    pub number: u64,
    pub format: RecordFormat,
    pub member: u64,
    pub member_name: Option<Arc<str>>,
    pub bytes: Buffer,
    pub records: Vec<RecordRange>,
    /// The fingerprints of records that are not read again.
    pub skipped: Vec<u64>,
    /// The position after the batch.
    pub next: StartPosition,
    /// The error after the last record.
    pub trouble: Option<SplitProblem>,
}

/// Why the data at a byte is rejected.
pub struct SplitProblem {
    pub offset: u64,
    pub reason: String,
    /// Whether it is one record, not all of the rest of the member.
    pub is_record: bool,
}

/// A record of a batch.
pub struct RecordRange {
    /// Where it ends in the batch's bytes.
    pub end: usize,
    /// Where it starts in the member.
    pub offset: u64,
    /// Number of its first bytes that are inherited from others.
    pub inherited: usize,
    /// Number of records of the batch before it that are not read again.
    pub skipped: usize,
    /// `None` if it says nothing about a later file.
    pub fingerprint: Option<u64>,
}

/// What the next record of a member was.
enum RecordStep {
    /// In the batch, or rejected there.
    Record,
    End,
    Broken(String),
}

/// Why splitting a file stops.
enum SplitError {
    /// The writer is gone.
    Unwanted,
    Store(StoreError),
    Broken(String),
}

/// Splits the members of a file into batches of records.
pub fn split(
    job: &FileJob<'_>,
    start: StartPosition,
    pieces: &Receiver<MemberPiece>,
    batches: SyncSender<RecordBatch>,
    permits: &Receiver<()>,
) -> Result<ReadOutcome, CorpusError> {
    let mut splitter = Splitter {
        job,
        batches,
        permits,
        buffers: Buffers::default(),
        numbers: 0,
        // A run that was stopped after the last record knew the format.
        known: start.member > 0 || start.offset > 0,
        archive: start.member > 0,
        too_long: 0,
        seen: Seen::new(job.store, job.earlier),
    };
    Ok(match splitter.members(pieces) {
        Ok(()) if job.stop.load(Ordering::Relaxed) => ReadOutcome::Stopped,
        Ok(()) if splitter.known => ReadOutcome::Finished {
            too_long: splitter.too_long,
        },
        Ok(()) => ReadOutcome::Unknown,
        Err(SplitError::Unwanted) => ReadOutcome::Stopped,
        Err(SplitError::Store(error)) => return Err(error.into()),
        Err(SplitError::Broken(reason)) => ReadOutcome::Broken(reason),
    })
}

/// Which of the two passes over a long file its runs need.
#[derive(Clone, Copy)]
enum RunPass {
    Note,
    Gather,
}

struct Splitter<'a> {
    job: &'a FileJob<'a>,
    batches: SyncSender<RecordBatch>,
    permits: &'a Receiver<()>,
    buffers: Buffers,
    numbers: u64,
    /// Whether any member had a known format.
    known: bool,
    /// Whether there is a second member, so that member names are useful.
    archive: bool,
    /// Number of records skipped for their length.
    too_long: u64,
    seen: Seen<'a>,
}

impl Splitter<'_> {
    fn members(&mut self, pieces: &Receiver<MemberPiece>) -> Result<(), SplitError> {
        // A broken member: if the file continues or ends well, only the member is lost.
        let mut broken: Option<(RecordBatch, String)> = None;
        loop {
            let piece = pieces.recv().map_err(|_| SplitError::Unwanted)?;
            if let (MemberPiece::End(Ok(())), false, Some((_, reason))) =
                (&piece, self.archive, &broken)
            {
                // The file has nothing else.
                return Err(SplitError::Broken(reason.clone()));
            }
            if matches!(piece, MemberPiece::Member(_) | MemberPiece::End(Ok(())))
                && let Some((mut batch, reason)) = broken.take()
            {
                batch.trouble = Some(SplitProblem {
                    offset: batch.next.offset,
                    reason,
                    is_record: false,
                });
                batch.next = StartPosition {
                    member: batch.member + 1,
                    offset: 0,
                };
                self.send(batch)?;
            }
            match piece {
                MemberPiece::Member(member) => {
                    self.archive |= member.number > 0;
                    if let Some((batch, reason)) = self.member(&member, pieces)? {
                        broken = Some((batch, reason));
                    }
                }
                MemberPiece::End(Ok(())) => return Ok(()),
                MemberPiece::End(Err(reason)) => return Err(SplitError::Broken(reason)),
                MemberPiece::Chunk(_) | MemberPiece::MemberEnd(_) => {}
            }
        }
    }

    /// Splits one member. Returns an empty batch at its last sound position and the reason if it broke.
    fn member(
        &mut self,
        member: &Member,
        pieces: &Receiver<MemberPiece>,
    ) -> Result<Option<(RecordBatch, String)>, SplitError> {
        let mut reader = MemberReader::new(pieces);
        let Some(format) = self.format(member) else {
            let _ = reader.finish();
            return Ok(None);
        };
        self.known = true;
        let mut framing = Framing::of(format, &member.head);
        let offset = skip_preamble(&mut reader, member.offset, framing.preamble() as u64);
        let mut window = ReadWindow::new(reader, offset);
        if framing.needs_inheritance(&mut window) {
            framing.inherit(self.inherited(member.number));
        }
        let is_alone = seen::is_alone(format, &framing);
        let mut batch = self.empty(format, member, offset);
        let broken = loop {
            match self.next(&mut framing, &mut window, &mut batch, is_alone)? {
                RecordStep::Record => {}
                RecordStep::End => break None,
                RecordStep::Broken(reason) => break Some(reason),
            }
            let is_full = batch.records.len() >= BATCH_RECORDS
                || batch.bytes.len() >= BATCH_BYTES
                || batch.skipped.len() >= BATCH_SKIPPED;
            if is_full || batch.trouble.is_some() {
                let next = self.empty(format, member, batch.next.offset);
                self.send(std::mem::replace(&mut batch, next))?;
            }
        };
        // A read error comes with its end; the rest after any other error is skipped.
        let ended = window.into_reader().finish();
        let last = self.empty(format, member, batch.next.offset);
        let broken = broken.or(ended.err());
        if broken.is_none() {
            batch.next = StartPosition {
                member: member.number + 1,
                offset: 0,
            };
        }
        self.send(batch)?;
        Ok(broken.map(|reason| (last, reason)))
    }

    /// The caller's format, else the one detected; `None` for a member that is not ingested.
    fn format(&self, member: &Member) -> Option<RecordFormat> {
        self.job
            .format
            .filter(|_| !is_listing(&member.name))
            .or_else(|| RecordFormat::sniff(&member.name, &member.head))
    }

    /// Adds the next record, or what is wrong with it, to a batch.
    fn next(
        &mut self,
        framing: &mut Framing,
        window: &mut ReadWindow<MemberReader<'_>>,
        batch: &mut RecordBatch,
        is_alone: bool,
    ) -> Result<RecordStep, SplitError> {
        match framing.next(window) {
            Ok(Some(record)) => {
                let bytes = window.bytes().get(record.start..record.end);
                let bytes = bytes.unwrap_or_default();
                let fingerprint = is_alone.then(|| seen::fingerprint(bytes));
                let known = fingerprint.map_or(Ok(false), |own| self.seen.has(own));
                match fingerprint {
                    Some(own) if known.map_err(SplitError::Store)? => batch.skipped.push(own),
                    _ => {
                        batch.bytes.extend_from_slice(record.text.as_bytes());
                        batch.bytes.extend_from_slice(bytes);
                        batch.records.push(RecordRange {
                            end: batch.bytes.len(),
                            offset: window.offset(),
                            inherited: record.inherited,
                            skipped: batch.skipped.len(),
                            fingerprint,
                        });
                    }
                }
                window.consume(record.consumed);
            }
            Ok(None) => return Ok(RecordStep::End),
            Err(FrameError::Read(error)) => return Ok(RecordStep::Broken(error.to_string())),
            Err(FrameError::Cut { offset }) => {
                let reason = format!("the text ends within the record at byte {offset}");
                return Ok(RecordStep::Broken(reason));
            }
            Err(FrameError::TooLong { offset }) => {
                self.too_long += 1;
                batch.trouble = Some(SplitProblem {
                    offset,
                    reason: "the record is longer than 64 MiB".to_owned(),
                    is_record: true,
                });
            }
        }
        batch.next.offset = window.offset();
        Ok(RecordStep::Record)
    }

    /// The entries that the runs of a member inherit from each other; none if the file cannot be read a second
    /// time.
    fn inherited(&self, member: u64) -> Inheritance {
        let mut inherited = Inheritance::default();
        let (path, stop) = (self.job.path, self.job.stop);
        for pass in [RunPass::Note, RunPass::Gather] {
            read_member(path, member, stop, |head, reader| {
                each_run(head, reader, |text, offset| match pass {
                    RunPass::Note => inherited.note(text),
                    RunPass::Gather => inherited.gather(text, offset),
                });
            });
        }
        inherited
    }

    fn empty(&self, format: RecordFormat, member: &Member, offset: u64) -> RecordBatch {
        RecordBatch {
            number: 0,
            format,
            member: member.number,
            member_name: self.archive.then(|| Arc::from(member.name.as_str())),
            bytes: self.buffers.take(),
            records: Vec::with_capacity(BATCH_RECORDS),
            skipped: Vec::new(),
            next: StartPosition {
                member: member.number,
                offset,
            },
            trouble: None,
        }
    }

    fn send(&mut self, mut batch: RecordBatch) -> Result<(), SplitError> {
        if self.job.stop.load(Ordering::Relaxed) {
            return Err(SplitError::Unwanted);
        }
        self.permits.recv().map_err(|_| SplitError::Unwanted)?;
        batch.number = self.numbers;
        self.numbers += 1;
        self.batches.send(batch).map_err(|_| SplitError::Unwanted)
    }
}

/// Skips what precedes the records; returns the offset after it.
fn skip_preamble(reader: &mut MemberReader<'_>, offset: u64, preamble: u64) -> u64 {
    if offset >= preamble {
        return offset;
    }
    let mut skipped = std::io::Read::take(reader, preamble - offset);
    match std::io::copy(&mut skipped, &mut std::io::sink()) {
        Ok(_) => preamble,
        Err(_) => offset,
    }
}

/// Tables of contents among dump files.
fn is_listing(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    let listings = [".csv", ".csv.gz", ".md5", ".sha256", ".txt", ".md", ".html"];
    name.starts_with("manifest") || listings.iter().any(|ending| name.ends_with(ending))
}
