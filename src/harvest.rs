//! Harvests of repositories by OAI-PMH: what is new or deleted since the last round, a part at a time. What
//! was harvested survives a kill after each part.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

use crate::background::{self, BackgroundThread};
use crate::clock::{self, Clock};
use crate::config::HarvestSettings;
use crate::corpus::ingest::{self, IngestOptions, IngestSummary, RecordFormat};
use crate::corpus::{Corpus, CorpusError};
use crate::provider::{Deadline, ProviderError, Repository};
use crate::store::StoreError;
use citation_model::identifier::percent_encode;
use citation_records::{RecordError, oai};

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
    #[error("a file cannot be written: {0}")]
    Io(#[from] std::io::Error),
}

/// What a round did to the corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HarvestSummary {
    /// Parts of the list.
    pub parts: u64,
    pub records: u64,
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub deleted: u64,
    pub rejected: u64,
    /// Whether the caller stopped it.
    pub stopped: bool,
}

impl HarvestSummary {
    fn add(&mut self, part: &IngestSummary) {
        self.parts += 1;
        self.records += part.records;
        self.new += part.new;
        self.changed += part.changed;
        self.unchanged += part.unchanged;
        self.deleted += part.deleted;
        self.rejected += part.rejected;
    }
}

/// A harvest, and where it stands.
struct Harvest<'a> {
    corpus: &'a Corpus,
    settings: &'a HarvestSettings,
}

/// Does one round at `now` (Unix seconds): every record changed since the last complete round, or the rest
/// of one that was interrupted. `progress` is called after each part.
pub fn round(
    corpus: &Corpus,
    settings: &HarvestSettings,
    now: i64,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&HarvestSummary),
) -> Result<HarvestSummary, HarvestError> {
    let harvest = Harvest { corpus, settings };
    let repository = Repository::new(settings);
    let mut summary = HarvestSummary::default();
    let mut token = harvest.fact("token")?;
    if token.is_empty() {
        harvest.begin(now)?;
    }
    loop {
        if stop.load(Ordering::Relaxed) {
            summary.stopped = true;
            return Ok(summary);
        }
        let query = harvest.query(&token)?;
        let answer = repository.ask(&query, &Deadline::of(PART_TIME))?;
        let answer = answer.ok_or(HarvestError::NotThere)?;
        match oai::error(&answer) {
            Some((code, _)) if code == "noRecordsMatch" => break,
            // It has forgotten the list: the round starts again.
            Some((code, _)) if code == "badResumptionToken" && !token.is_empty() => {
                token.clear();
                harvest.begin(now)?;
                continue;
            }
            Some((code, text)) => return Err(HarvestError::Refused { code, text }),
            None => {}
        }
        summary.add(&harvest.ingest(&answer)?);
        progress(&summary);
        let next = oai::resumption_token(&answer)?.unwrap_or_default();
        if !next.is_empty() && next == token {
            return Err(HarvestError::Endless);
        }
        token = next;
        harvest.set_fact("token", &token)?;
        if token.is_empty() {
            break;
        }
    }
    harvest.end(now)?;
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
    fn end(&self, now: i64) -> Result<(), StoreError> {
        let started = self.fact("started")?;
        self.set_fact("token", "")?;
        self.set_fact("from", &started)?;
        self.set_fact("finished", &now.to_string())
    }

    fn query(&self, token: &str) -> Result<String, StoreError> {
        if !token.is_empty() {
            let token = percent_encode(token);
            return Ok(format!("?verb=ListRecords&resumptionToken={token}"));
        }
        let settings = self.settings;
        let mut query = format!(
            "?verb=ListRecords&metadataPrefix={}",
            percent_encode(&settings.prefix)
        );
        for (name, value) in [("set", settings.set.clone()), ("from", self.fact("from")?)] {
            if !value.is_empty() {
                query.push_str(&format!("&{name}={}", percent_encode(&value)));
            }
        }
        Ok(query)
    }

    fn ingest(&self, answer: &[u8]) -> Result<IngestSummary, HarvestError> {
        let directory = self.corpus.store().directory().join("tmp");
        std::fs::create_dir_all(&directory)?;
        let path: PathBuf = directory.join(format!("harvest-{}.xml", self.settings.name));
        std::fs::write(&path, answer)?;
        let options = IngestOptions {
            format: Some(RecordFormat::Oai),
            threads: 1,
            again: true,
            index: false,
            ..IngestOptions::default()
        };
        let stop = AtomicBool::new(false);
        let read = ingest::ingest(
            self.corpus,
            std::slice::from_ref(&path),
            &options,
            &stop,
            &mut |_| {},
        );
        let _ = std::fs::remove_file(&path);
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
            new = summary.new,
            changed = summary.changed,
            deleted = summary.deleted,
            rejected = summary.rejected,
            "harvested"
        ),
        Err(cause) => {
            tracing::error!(harvest = name, %cause, "the harvest failed; it is tried again in an hour");
        }
    }
}
