//! The thread that keeps the index up to date while a server runs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Corpus;
use super::error::CorpusError;
use super::indexer::{Indexer, IndexerStep};
use crate::background;

/// How often to check the database for works of other processes.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// How often a process without the index tries to acquire it.
const ASK_AGAIN: Duration = Duration::from_secs(5);

/// How often to check for works that await a commit.
const COMMIT_LOOK: Duration = Duration::from_millis(100);

/// Wakes the indexer when there is something to do or it must stop.
#[derive(Default)]
pub struct Notify {
    state: Mutex<NotifyState>,
    condvar: Condvar,
}

#[derive(Default)]
struct NotifyState {
    notified: bool,
    stop: bool,
}

impl Notify {
    pub fn notify(&self) {
        self.state().notified = true;
        self.condvar.notify_all();
    }

    fn stop(&self) {
        self.state().stop = true;
        self.condvar.notify_all();
    }

    fn stopped(&self) -> bool {
        self.state().stop
    }

    /// Waits for a notification, up to a time-out. False if it must stop.
    fn wait(&self, longest: Duration) -> bool {
        let state = self.state();
        let (mut state, _) = self
            .condvar
            .wait_timeout_while(state, longest, |state| !state.notified && !state.stop)
            .unwrap_or_else(PoisonError::into_inner);
        state.notified = false;
        !state.stop
    }

    fn state(&self) -> MutexGuard<'_, NotifyState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running indexer thread; stops on drop.
pub struct IndexerThread {
    wake: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

impl IndexerThread {
    pub(super) fn start(corpus: Corpus, wake: Arc<Notify>) -> IndexerThread {
        wake.state().stop = false;
        let inner = wake.clone();
        let thread = std::thread::Builder::new()
            .name("indexer".to_owned())
            .spawn(move || run(&corpus, &inner));
        if let Err(error) = &thread {
            tracing::error!(%error, "cannot start the indexer; searches will not find new works");
        }
        IndexerThread {
            wake,
            thread: thread.ok(),
        }
    }

    /// Commits pending works and ends the thread.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.wake.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the indexer panicked");
        }
    }
}

impl Drop for IndexerThread {
    fn drop(&mut self) {
        self.end();
    }
}

fn run(corpus: &Corpus, wake: &Notify) {
    background::step_back();
    loop {
        match corpus.indexer() {
            Ok(Some(indexer)) => match follow(indexer, wake) {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, "indexing failed; will retry"),
            },
            Ok(None) => tracing::debug!("another process indexes"),
            Err(error) => {
                tracing::warn!(%error, "cannot open the index; will retry");
            }
        }
        if wake.stopped() || !pause(wake, ASK_AGAIN) {
            return;
        }
    }
}

/// Sleeps; false if it must stop.
fn pause(wake: &Notify, length: Duration) -> bool {
    let end = std::time::Instant::now() + length;
    loop {
        let left = end.saturating_duration_since(std::time::Instant::now());
        if left.is_zero() {
            return true;
        }
        if !wake.wait(left) {
            return false;
        }
    }
}

fn follow(mut indexer: Indexer, wake: &Notify) -> Result<(), CorpusError> {
    while !wake.stopped() {
        if indexer.step()? == IndexerStep::Level {
            indexer.rebuild_if_requested()?;
            let rest = if indexer.has_pending() {
                COMMIT_LOOK
            } else {
                LOOK_AGAIN
            };
            // Whether notified or not, the next step looks for changes.
            let _ = wake.wait(rest);
        }
    }
    indexer.close()
}
