//! Lists that the server fetches by itself: when one is due, and how it reaches the corpus.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::background::{self, BackgroundThread};
use crate::clock::Clock;
use crate::config::{BaseUrl, UpdateSettings};
use crate::corpus::ingest::{self, IngestOptions, IngestSummary, RecordFormat};
use crate::corpus::{Corpus, CorpusError};
use crate::provider::download::{self, DownloadError};
use crate::store::StoreError;

/// How often the thread checks whether a list is due.
const LOOK: Duration = Duration::from_secs(30);

/// How long a failed fetch is left alone, in seconds.
const RETRY_SECONDS: i64 = 3_600;

const HOUR_SECONDS: i64 = 3_600;

/// The maximum size of a list in bytes; that of Retraction Watch has some 70 MB.
const MAX_BYTES: u64 = 1 << 30;

/// When the list of Retraction Watch was last fetched: the key of the database entry, in Unix seconds.
const FETCHED_AT: &str = "updates.retraction_watch";

/// Why a list was not fetched.
#[derive(Debug, thiserror::Error)]
enum UpdateError {
    #[error(transparent)]
    Download(#[from] DownloadError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the file cannot be written: {0}")]
    Io(#[from] std::io::Error),
    #[error("the file has no notices, or broke off")]
    Incomplete,
}

/// Starts the thread that fetches the lists. Dropping it ends it. None if there is nothing to fetch.
pub fn start(
    corpus: Corpus,
    settings: UpdateSettings,
    clock: Clock,
) -> std::io::Result<Option<BackgroundThread>> {
    let Some(url) = settings.retraction_watch_url else {
        return Ok(None);
    };
    let interval = i64::from(settings.every_hours) * HOUR_SECONDS;
    let thread = BackgroundThread::start("updates", move |stop| {
        background::step_back();
        let mut failed_at = None;
        loop {
            let now = clock.unix();
            let is_waiting = failed_at.is_some_and(|at| now - at < RETRY_SECONDS);
            if !is_waiting {
                let fetched = fetch_if_due(&corpus, &url, interval, now);
                failed_at = fetched.is_err().then_some(now);
                if let Err(cause) = fetched {
                    tracing::error!(%url, %cause, "the list of retractions was not fetched; it is tried again in an hour");
                }
            }
            if stop.wait(LOOK) {
                return;
            }
        }
    });
    thread.map(Some)
}

/// Fetches the list and reads it, unless it was fetched less than `interval` seconds before `now`.
fn fetch_if_due(
    corpus: &Corpus,
    url: &BaseUrl,
    interval: i64,
    now: i64,
) -> Result<(), UpdateError> {
    let store = corpus.store();
    let fetched_at = store.fact(FETCHED_AT)?;
    let fetched_at = fetched_at.and_then(|text| text.parse::<i64>().ok());
    // A time in the future, set while the clock was wrong, does not prevent a fetch.
    if fetched_at.is_some_and(|at| (0..interval).contains(&(now - at))) {
        return Ok(());
    }
    let directory = store.directory().join("tmp");
    std::fs::create_dir_all(&directory)?;
    let path = directory.join("retraction_watch.csv");
    let read = fetch(corpus, url, &path);
    let _ = std::fs::remove_file(&path);
    let summary = read?;
    store.set_fact(FETCHED_AT, &now.to_string())?;
    tracing::info!(
        notices = summary.records,
        rejected = summary.rejected,
        removed = summary.notices_removed,
        without_doi = summary.works.unplaced_notices,
        "the list of retractions was fetched"
    );
    Ok(())
}

fn fetch(corpus: &Corpus, url: &BaseUrl, path: &Path) -> Result<IngestSummary, UpdateError> {
    let mut file = File::create(path)?;
    download::to_writer(url.as_str(), &mut file, MAX_BYTES, &mut |_| {})?;
    drop(file);
    let options = IngestOptions {
        format: Some(RecordFormat::RetractionWatch),
        threads: 1,
        index: false,
        ..IngestOptions::default()
    };
    let files = [path.to_owned()];
    let stop = AtomicBool::new(false);
    let summary = ingest::ingest(corpus, &files, &options, &stop, &mut |_| {})?;
    if summary.is_complete() && summary.records > summary.rejected {
        Ok(summary)
    } else {
        Err(UpdateError::Incomplete)
    }
}
