//! Harvests: what is new or deleted at a source since the last round, a part at a time. What was harvested
//! survives a kill after each part.
//!
//! - `parts`: sources that give one list in parts: OAI-PMH, Crossref, OpenAlex, DataCite
//! - `files`: lists of files, and folders

mod files;
mod parts;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

use crate::background::{self, BackgroundThread};
use crate::clock::{self, Clock};
use crate::config::{HarvestKind, HarvestSettings};
use crate::corpus::ingest::{self, IngestOptions, IngestSummary, RecordFormat};
use crate::corpus::{Corpus, CorpusError};
use crate::provider::download::DownloadError;
use crate::provider::{Deadline, ProviderError, Repository};
use crate::store::StoreError;
use crate::store::outcome::PutCounts;
use citation_records::RecordError;

/// How often the thread checks whether a harvest is due.
const LOOK: Duration = Duration::from_secs(60);

/// How long a failed harvest is left alone, in seconds.
const RETRY_SECONDS: i64 = 3_600;

const HOUR_SECONDS: i64 = 3_600;

/// The time for one part of a list, with its retries.
const PART_TIME: Duration = Duration::from_secs(1_800);

/// Why a round ended early. The next one goes on where it ended.
#[derive(Debug, thiserror::Error)]
pub enum HarvestError {
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("an answer cannot be read: {0}")]
    Answer(#[from] RecordError),
    #[error("the repository refuses the request: {text} ({code})")]
    Refused { code: String, text: String },
    #[error("there is no repository at the address")]
    NotThere,
    #[error("the repository repeats itself: the same part comes again and again")]
    Endless,
    #[error("an answer broke off, or is no list of records")]
    Incomplete,
    #[error("another round of this harvest is running")]
    Running,
    #[error("{0}")]
    Download(#[from] DownloadError),
    #[error("{file} is at another place than the list that names it, or is no address of the web")]
    Elsewhere { file: String },
    #[error("the lists name more than {limit} further lists")]
    TooManyLists { limit: usize },
    #[error("a file cannot be written: {0}")]
    Io(#[from] std::io::Error),
}

/// What a round did to the corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HarvestSummary {
    /// Parts of the list.
    pub parts: u64,
    pub records: u64,
    pub rejected: u64,
    #[serde(flatten)]
    pub works: PutCounts,
    /// Whether the caller stopped it.
    pub stopped: bool,
}

impl HarvestSummary {
    fn add(&mut self, part: &IngestSummary) {
        self.parts += 1;
        self.records += part.records;
        self.rejected += part.rejected;
        self.works.add(part.works);
    }
}

/// A harvest, and where it stands.
struct Harvest<'a> {
    corpus: &'a Corpus,
    settings: &'a HarvestSettings,
}

/// Does one round at `now` (Unix seconds): every record changed since the last complete round, or the rest
/// of one that was interrupted. `progress` is called after each part. Of two rounds at once, in this process or
/// another, the second is refused.
pub fn round(
    corpus: &Corpus,
    settings: &HarvestSettings,
    now: i64,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&HarvestSummary),
) -> Result<HarvestSummary, HarvestError> {
    let harvest = Harvest { corpus, settings };
    let _lock = harvest.lock()?;
    let mut summary = HarvestSummary::default();
    match settings.kind {
        HarvestKind::List => files::listed(&harvest, stop, &mut summary, progress)?,
        HarvestKind::Folder => files::folder(&harvest, stop, &mut summary, progress)?,
        HarvestKind::Oai
        | HarvestKind::Crossref
        | HarvestKind::Openalex
        | HarvestKind::Datacite => parts::all(&harvest, now, stop, &mut summary, progress)?,
    }
    if !summary.stopped {
        harvest.set_fact("finished", &now.to_string())?;
    }
    Ok(summary)
}

impl Harvest<'_> {
    fn key(&self, name: &str) -> String {
        format!("harvest.{}.{name}", self.settings.name)
    }

    /// A fact about the harvest; empty if unknown.
    fn fact(&self, name: &str) -> Result<String, StoreError> {
        Ok(self
            .corpus
            .store()
            .fact(&self.key(name))?
            .unwrap_or_default())
    }

    fn set_fact(&self, name: &str, value: &str) -> Result<(), StoreError> {
        self.corpus.store().set_fact(&self.key(name), value)
    }

    fn begin(&self, now: i64) -> Result<(), StoreError> {
        self.set_fact("token", "")?;
        self.set_fact("started", &day(now))
    }

    /// The next round asks for what changed since this one started. Of its first day some records come
    /// twice, which changes nothing.
    fn end(&self) -> Result<(), StoreError> {
        let started = self.fact("started")?;
        self.set_fact("token", "")?;
        self.set_fact("from", &started)
    }

    /// A lock that lasts as long as the file is open, so that rounds of a job, a command and the schedule do not
    /// move the same mark. A file system without locks has none.
    fn lock(&self) -> Result<File, HarvestError> {
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        let file = options.open(self.temporary("lock")?)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(HarvestError::Running),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    /// A place for a file while it is read.
    fn temporary(&self, name: &str) -> Result<PathBuf, HarvestError> {
        let directory = self.corpus.store().directory().join("tmp");
        std::fs::create_dir_all(&directory)?;
        Ok(directory.join(format!("harvest-{}-{name}", self.settings.name)))
    }

    /// Reads files into the corpus. `again` reads those too that were read before.
    fn ingest(
        &self,
        paths: &[PathBuf],
        format: Option<RecordFormat>,
        again: bool,
        stop: &AtomicBool,
    ) -> Result<IngestSummary, HarvestError> {
        let options = IngestOptions {
            format,
            threads: 1,
            again,
            index: false,
            ..IngestOptions::default()
        };
        Ok(ingest::ingest(
            self.corpus,
            paths,
            &options,
            stop,
            &mut |_| {},
        )?)
    }

    /// Reads a file that was fetched, and removes it. A file is read whole.
    fn ingest_fetched(
        &self,
        path: &Path,
        format: Option<RecordFormat>,
    ) -> Result<IngestSummary, HarvestError> {
        let paths = [path.to_owned()];
        let read = self.ingest(&paths, format, true, &AtomicBool::new(false));
        let _ = std::fs::remove_file(path);
        let summary = read?;
        if summary.is_complete() {
            Ok(summary)
        } else {
            Err(HarvestError::Incomplete)
        }
    }
}

/// `2026-11-28`
fn day(now: i64) -> String {
    let moment = clock::iso8601(now);
    moment.get(..10).unwrap_or(&moment).to_owned()
}

/// Starts the thread that does the harvests when they are due. Dropping it ends it, after the part that it
/// reads. None if none has a schedule.
pub fn start(
    corpus: Corpus,
    harvests: Vec<HarvestSettings>,
    clock: Clock,
) -> std::io::Result<Option<BackgroundThread>> {
    let harvests: Vec<HarvestSettings> = harvests
        .into_iter()
        .filter(|harvest| harvest.every_hours > 0)
        .collect();
    if harvests.is_empty() {
        return Ok(None);
    }
    let thread = BackgroundThread::start("harvest", move |stop| {
        background::step_back();
        let mut failed_at = vec![None; harvests.len()];
        loop {
            for (settings, failed_at) in harvests.iter().zip(&mut failed_at) {
                let now = clock.unix();
                let is_waiting = failed_at.is_some_and(|at: i64| now - at < RETRY_SECONDS);
                if is_waiting || !is_due(&corpus, settings, now) {
                    continue;
                }
                // A part takes at most half an hour; then the thread looks whether it must end.
                let ended = AtomicBool::new(false);
                let look = &mut |_: &HarvestSummary| {
                    if stop.wait(Duration::ZERO) {
                        ended.store(true, Ordering::Relaxed);
                    }
                };
                let done = round(&corpus, settings, now, &ended, look);
                if matches!(done, Err(HarvestError::Running)) {
                    continue;
                }
                *failed_at = done.is_err().then_some(now);
                report(settings, done);
                if ended.load(Ordering::Relaxed) {
                    return;
                }
            }
            if stop.wait(LOOK) {
                return;
            }
        }
    });
    thread.map(Some)
}

fn is_due(corpus: &Corpus, settings: &HarvestSettings, now: i64) -> bool {
    let harvest = Harvest { corpus, settings };
    let finished = harvest.fact("finished").unwrap_or_default();
    let interval = i64::from(settings.every_hours) * HOUR_SECONDS;
    let finished = finished.parse::<i64>();
    !finished.is_ok_and(|finished| (0..interval).contains(&(now - finished)))
}

fn report(settings: &HarvestSettings, done: Result<HarvestSummary, HarvestError>) {
    let name = settings.name.as_str();
    match done {
        Ok(summary) => tracing::info!(
            harvest = name,
            records = summary.records,
            new = summary.works.new,
            changed = summary.works.changed,
            deleted = summary.works.deleted,
            rejected = summary.rejected,
            "harvested"
        ),
        Err(cause) => {
            tracing::error!(harvest = name, %cause, "the harvest failed; it is tried again in an hour");
        }
    }
}
