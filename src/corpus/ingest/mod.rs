//! Ingests files and dumps into the corpus: streamed, resumable, idempotent.
//!
//! - `source`, `window`, `frame`: from a path to the bytes of its records
//! - `format`, `map`, `text`, `openlibrary`: from the bytes of a record to works
//! - `job`, `pipeline`, `split`, `seen`, `writer`, `buffers`, `refused`, `rejects`: the stages for one file,
//!   and rejected records

mod buffers;
mod format;
mod frame;
mod job;
mod map;
mod openlibrary;
mod pipeline;
mod refused;
mod rejects;
mod seen;
mod source;
mod split;
mod text;
mod window;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::store::join::JoinWriter;
use crate::store::outcome::PutCounts;
use crate::store::progress::FileKey;

use citation_records::retraction_watch;

use super::Corpus;
use super::error::CorpusError;

pub use format::RecordFormat;
pub use rejects::Reject;

use job::{FileJob, ReadOutcome};
use map::Mapper;
use openlibrary::{DumpFile, Join};
use rejects::Rejects;

/// The options of an ingest.
#[derive(Clone, Debug)]
pub struct IngestOptions {
    /// The format of every file; detected if `None`.
    pub format: Option<RecordFormat>,
    /// Threads that map records. Default: one per core.
    pub threads: usize,
    /// Whether to read files again that have been read to the end. Default false.
    pub again: bool,
    /// The folder of rejects files. Default: `rejects` beside the database.
    pub rejects: Option<PathBuf>,
    /// Whether the index is updated while records are written, and complete at the end. Default true.
    pub index: bool,
}

impl Default for IngestOptions {
    fn default() -> IngestOptions {
        IngestOptions {
            format: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            again: false,
            rejects: None,
            index: true,
        }
    }
}

/// The progress of an ingest, reported several times a second.
#[derive(Clone, Debug)]
pub struct IngestProgress {
    pub phase: Phase,
    /// Records read in this run, including rejected ones.
    pub records: u64,
    pub rejected: u64,
    /// Packed bytes read of all files, including finished and skipped ones.
    pub bytes_read: u64,
    pub bytes_total: u64,
    pub elapsed: Duration,
}

impl IngestProgress {
    /// Records per second, over the whole run.
    pub fn rate(&self) -> f64 {
        self.records as f64 / self.elapsed.as_secs_f64().max(0.001)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Reading Open Library's authors and works for the editions.
    Gathering,
    Reading,
    /// Indexing the last works.
    Indexing,
}

/// The result of an ingest.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IngestSummary {
    pub files: Vec<FileSummary>,
    /// Records read in this run, including rejected ones.
    pub records: u64,
    pub rejected: u64,
    #[serde(flatten)]
    pub works: PutCounts,
    /// Notices of an earlier list that a newer one no longer has.
    pub notices_removed: i64,
    /// Whether the caller stopped it; the next run resumes.
    pub stopped: bool,
}

impl IngestSummary {
    /// Whether every file has been read to its end, and no record was skipped unread.
    pub fn is_complete(&self) -> bool {
        let is_whole = |file: &FileSummary| {
            file.too_long == 0 && !matches!(file.outcome, FileOutcome::Broken { .. })
        };
        !self.stopped && self.files.iter().all(is_whole)
    }

    /// Adds what reading a file did to the corpus.
    fn add(&mut self, counts: PutCounts, file: FileSummary) {
        self.records += file.records;
        self.rejected += file.rejected;
        self.works.add(counts);
        self.files.push(file);
    }
}

/// The result for one file.
#[derive(Clone, Debug, Serialize)]
pub struct FileSummary {
    pub path: PathBuf,
    #[serde(flatten)]
    pub outcome: FileOutcome,
    /// The format of its last records.
    pub format: Option<String>,
    /// Records read in this run, including rejected ones.
    pub records: u64,
    pub rejected: u64,
    /// Number of records that were skipped because they exceed the size limit.
    pub too_long: u64,
    /// The rejects file, if there are rejected records.
    pub rejects: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum FileOutcome {
    Finished,
    /// It has been read to its end before and has not changed.
    AlreadyDone,
    /// It contains nothing that can be ingested.
    Skipped {
        reason: String,
    },
    /// It broke off; the records before are in the corpus.
    Broken {
        reason: String,
    },
    Stopped,
}

/// Ingests files and directories. Stops soon after `stop` is set; the next run resumes.
/// An error ends the whole ingest; errors of a file are part of the summary.
pub fn ingest(
    corpus: &Corpus,
    paths: &[PathBuf],
    options: &IngestOptions,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&IngestProgress),
) -> Result<IngestSummary, CorpusError> {
    let files = source::expand(paths)?;
    let named: Vec<bool> = files.iter().map(|file| paths.contains(file)).collect();
    let mut run = IngestRun {
        corpus,
        options,
        stop,
        progress,
        sizes: files.iter().map(|file| size_of(file)).collect(),
        files: &files,
        started: Instant::now(),
        summary: IngestSummary::default(),
    };
    let indexer = options.index.then(|| corpus.start_indexer());
    let result = run.all(&named);
    if let Some(indexer) = indexer {
        run.report_progress(Phase::Indexing, files.len(), 0, 0, 0);
        indexer.stop();
        // Errors of storing works are reported before those of the index.
        let indexed = corpus.index_pending();
        result.and(indexed)?;
    } else {
        result?;
    }
    Ok(run.summary)
}

fn size_of(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// One call of [`ingest`].
struct IngestRun<'a> {
    corpus: &'a Corpus,
    options: &'a IngestOptions,
    stop: &'a AtomicBool,
    progress: &'a mut dyn FnMut(&IngestProgress),
    files: &'a [PathBuf],
    sizes: Vec<u64>,
    started: Instant,
    summary: IngestSummary,
}

/// The companions of Open Library's editions among the files of a call.
#[derive(Default)]
struct Companions {
    /// The content of each file; `None` for other formats.
    holds: Vec<Option<DumpFile>>,
    fingerprint: i64,
    join: Option<PathBuf>,
}

impl IngestRun<'_> {
    fn all(&mut self, named: &[bool]) -> Result<(), CorpusError> {
        let companions = self.gather()?;
        for at in 0..self.files.len() {
            if self.is_stopped() {
                self.summary.stopped = true;
                break;
            }
            let holds = companions.holds.get(at).copied().flatten();
            if holds == Some(DumpFile::Companions) {
                self.file_done(at, FileOutcome::Finished);
                continue;
            }
            let is_named = named.get(at).copied().unwrap_or(true);
            self.file(at, is_named, &companions)?;
        }
        let join = companions.join.filter(|_| self.summary.is_complete());
        if let Some(path) = join {
            remove(&path)?;
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Reads one file from its saved position, unless it was read to its end before.
    fn file(&mut self, at: usize, named: bool, companions: &Companions) -> Result<(), CorpusError> {
        let Some(path) = self.files.get(at) else {
            return Ok(());
        };
        let store = self.corpus.store().clone();
        let key = match self.file_key(at, path, companions) {
            Ok(key) => key,
            Err(error) => {
                let reason = error.to_string();
                self.file_done(at, FileOutcome::Broken { reason });
                return Ok(());
            }
        };
        if self.options.again {
            store.forget_ingest(&key)?;
        }
        if let Some(before) = store.ingest_progress(&key)?
            && before.finished_at.is_some()
        {
            self.file_done(at, FileOutcome::AlreadyDone);
            return Ok(());
        }
        self.read_file(at, named, &key, companions.join.as_deref())
    }

    /// Reads one file from its saved position; `join` is the file of its companions' parts.
    fn read_file(
        &mut self,
        at: usize,
        named: bool,
        key: &FileKey,
        join: Option<&Path>,
    ) -> Result<(), CorpusError> {
        let Some(path) = self.files.get(at) else {
            return Ok(());
        };
        let store = self.corpus.store().clone();
        let format = self.options.format.map_or("", RecordFormat::as_str);
        let earlier = if self.options.again {
            None
        } else {
            store.last_ingest_of(&path.display().to_string())?
        };
        let begun = store.begin_ingest(&path.display().to_string(), key, format)?;
        let rejects_path = self.rejects_path(begun.id, path);
        let mut rejects = Rejects::resume(&rejects_path, begun.rejects_size)?;
        let modified_at = key.modified_at / 1_000_000_000;
        let mapper = |format: RecordFormat| mapper(format, path, modified_at, join);
        let job = FileJob {
            store: &store,
            fresh: &self.corpus.fresh,
            path,
            format: self.options.format,
            mapper: &mapper,
            threads: self.options.threads,
            earlier,
            stop: self.stop,
        };
        let (records, rejected) = (begun.records, begun.rejected);
        let (ending, after, counts) =
            pipeline::run(&job, begun, &mut rejects, &mut |_, now, read| {
                self.corpus.notify();
                self.report_progress(
                    Phase::Reading,
                    at,
                    now.records - records,
                    now.rejected - rejected,
                    read,
                );
            })?;
        if ending == ReadOutcome::Unknown {
            store.forget_ingest(key)?;
        }
        let is_list = after.format == RecordFormat::RetractionWatch.as_str();
        if is_list && matches!(ending, ReadOutcome::Finished { .. }) {
            self.summary.notices_removed += store
                .finish_list(retraction_watch::SOURCE, after.id)?
                .removed;
        }
        self.summary.stopped |= ending == ReadOutcome::Stopped;
        let too_long = match ending {
            ReadOutcome::Finished { too_long } => too_long,
            _ => 0,
        };
        let outcome = outcome(ending, named);
        self.summary.add(
            counts,
            FileSummary {
                too_long,
                path: path.clone(),
                outcome,
                format: (!after.format.is_empty()).then(|| after.format.clone()),
                records: after.records - records,
                rejected: after.rejected - rejected,
                rejects: (after.rejected > 0).then_some(rejects_path),
            },
        );
        Ok(())
    }

    /// What identifies the state of a file; for one that is joined with companions, of these too.
    fn file_key(
        &self,
        at: usize,
        path: &Path,
        companions: &Companions,
    ) -> std::io::Result<FileKey> {
        let mut key = source::file_key(path)?;
        if companions.holds.get(at).copied().flatten().is_some() {
            key.fingerprint ^= companions.fingerprint;
        }
        Ok(key)
    }

    fn file_done(&mut self, at: usize, outcome: FileOutcome) {
        self.summary.files.push(FileSummary {
            path: self.files.get(at).cloned().unwrap_or_default(),
            outcome,
            format: None,
            records: 0,
            rejected: 0,
            too_long: 0,
            rejects: None,
        });
        self.report_progress(Phase::Reading, at + 1, 0, 0, 0);
    }

    /// Reports the progress; `records`, `rejected` and `read` are of the current file.
    fn report_progress(&mut self, phase: Phase, at: usize, records: u64, rejected: u64, read: u64) {
        let before: u64 = self.sizes.iter().take(at).sum();
        (self.progress)(&IngestProgress {
            phase,
            records: self.summary.records + records,
            rejected: self.summary.rejected + rejected,
            bytes_read: before + read,
            bytes_total: self.sizes.iter().sum(),
            elapsed: self.started.elapsed(),
        });
    }

    fn rejects_path(&self, id: i64, path: &Path) -> PathBuf {
        let directory = match &self.options.rejects {
            Some(directory) => directory.clone(),
            None => self.corpus.store().directory().join("rejects"),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        directory.join(format!("{id}-{name}.jsonl"))
    }

    /// Finds Open Library's authors and works among the files and builds their join, unless
    /// an interrupted run has built it.
    fn gather(&mut self) -> Result<Companions, CorpusError> {
        let mut companions = Companions::default();
        for file in self.files {
            companions.holds.push(self.holds(file));
        }
        if !companions.holds.iter().any(Option::is_some) {
            return Ok(companions);
        }
        let mut sources: Vec<(usize, FileKey)> = Vec::new();
        for (at, holds) in companions.holds.iter().enumerate() {
            if let (Some(DumpFile::Companions | DumpFile::Everything), Some(file)) =
                (holds, self.files.get(at))
            {
                sources.push((at, source::file_key(file)?));
            }
        }
        let editions = companions
            .holds
            .iter()
            .any(|holds| matches!(holds, Some(DumpFile::Editions | DumpFile::Everything)));
        if sources.is_empty() || !editions {
            return Ok(companions);
        }
        let keys: Vec<FileKey> = sources.iter().map(|(_, key)| key.clone()).collect();
        companions.fingerprint = openlibrary::fingerprint(&keys);
        if self.editions_are_done(&companions)? {
            return Ok(companions);
        }
        let directory = self.corpus.store().directory().join("tmp");
        std::fs::create_dir_all(&directory)?;
        let path = openlibrary::join_path(&directory, &keys);
        if Join::open(&path)?.is_none() {
            let writer = JoinWriter::create(&path)?;
            for (at, _) in sources {
                self.gather_file(at, &writer)?;
            }
            if self.is_stopped() {
                return Ok(companions);
            }
            writer.finish()?;
        }
        companions.join = Some(path);
        Ok(companions)
    }

    fn holds(&self, file: &Path) -> Option<DumpFile> {
        let name = file.file_name()?.to_string_lossy();
        let is_candidate = match self.options.format {
            Some(format) => format == RecordFormat::Openlibrary,
            // These dumps are text files; other dumps have thousands of files that need not be opened.
            None => name.contains(".txt") || name.contains("ol_dump"),
        };
        if !is_candidate {
            return None;
        }
        let head = source::peek(file).ok()?;
        let is_dump = RecordFormat::sniff(&name, &head) == Some(RecordFormat::Openlibrary);
        is_dump.then(|| DumpFile::of(&name, &head))
    }

    /// Whether no file needs the join, because all have been read to the end before.
    fn editions_are_done(&self, companions: &Companions) -> Result<bool, CorpusError> {
        for (file, holds) in self.files.iter().zip(&companions.holds) {
            if !matches!(holds, Some(DumpFile::Editions | DumpFile::Everything)) {
                continue;
            }
            let mut key = source::file_key(file)?;
            key.fingerprint ^= companions.fingerprint;
            let before = self.corpus.store().ingest_progress(&key)?;
            if self.options.again || before.and_then(|before| before.finished_at).is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn gather_file(&mut self, at: usize, writer: &JoinWriter) -> Result<(), CorpusError> {
        let files = self.files;
        let Some(path) = files.get(at) else {
            return Ok(());
        };
        let stop = self.stop;
        let told = source::each_line(path, stop, &mut |line, read| {
            match openlibrary::companion(line) {
                Ok(Some(value)) => writer.put(&value)?,
                Ok(None) => {}
                Err(error) => tracing::debug!(%error, "skipped a line of a companion file"),
            }
            if let Some(read) = read {
                self.report_progress(Phase::Gathering, at, 0, 0, read);
            }
            Ok(())
        })?;
        if let Err(reason) = told {
            tracing::warn!(file = %path.display(), reason, "a companion file broke off");
        }
        Ok(())
    }
}

fn mapper(
    format: RecordFormat,
    path: &Path,
    modified_at: i64,
    join: Option<&Path>,
) -> Result<Mapper, CorpusError> {
    let join = match (format, join) {
        (RecordFormat::Openlibrary, Some(path)) => Join::open(path)?,
        _ => None,
    };
    Ok(Mapper {
        format,
        file_name: path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default(),
        modified_at,
        join,
    })
}

fn outcome(ending: ReadOutcome, named: bool) -> FileOutcome {
    match ending {
        ReadOutcome::Finished { .. } => FileOutcome::Finished,
        ReadOutcome::Stopped => FileOutcome::Stopped,
        ReadOutcome::Broken(reason) => FileOutcome::Broken { reason },
        ReadOutcome::Unknown => {
            let reason = format!(
                "the format is not recognised; name one with --format ({})",
                RecordFormat::names().join(", ")
            );
            // Directories may contain other files; a named file is meant to be read.
            if named {
                FileOutcome::Broken { reason }
            } else {
                FileOutcome::Skipped { reason }
            }
        }
    }
}

fn remove(path: &Path) -> Result<(), CorpusError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
