//! The thread that keeps the index level while a server runs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Corpus;
use super::background;
use super::error::CorpusError;
use super::indexer::{Indexer, Step};

/// How often the database is looked at for what other processes wrote.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// How often a process without the index asks for it.
const ASK_AGAIN: Duration = Duration::from_secs(5);

/// How often works that wait for a commit are looked at.
const COMMIT_LOOK: Duration = Duration::from_millis(100);

/// Wakes the indexer when there is something to do or it shall stop.
#[derive(Default)]
pub struct Bell {
    state: Mutex<BellState>,
    rung: Condvar,
}

#[derive(Default)]
struct BellState {
    rung: bool,
    stop: bool,
}

impl Bell {
    pub fn ring(&self) {
        self.state().rung = true;
        self.rung.notify_all();
    }

    fn stop(&self) {
        self.state().stop = true;
        self.rung.notify_all();
    }

    fn stopped(&self) -> bool {
        self.state().stop
    }

    /// Waits for a ring, but not longer than that. False when it is time to stop.
    fn wait(&self, longest: Duration) -> bool {
        let state = self.state();
        let (mut state, _) = self
            .rung
            .wait_timeout_while(state, longest, |state| !state.rung && !state.stop)
            .unwrap_or_else(PoisonError::into_inner);
        state.rung = false;
        !state.stop
    }

    fn state(&self) -> MutexGuard<'_, BellState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running indexer thread; stops when it is dropped.
pub struct IndexerThread {
    bell: Arc<Bell>,
    thread: Option<JoinHandle<()>>,
}

impl IndexerThread {
    pub(super) fn start(corpus: Corpus, bell: Arc<Bell>) -> IndexerThread {
        bell.state().stop = false;
        let inner = bell.clone();
        let thread = std::thread::Builder::new()
            .name("indexer".to_owned())
            .spawn(move || run(&corpus, &inner));
        if let Err(error) = &thread {
            tracing::error!(%error, "the indexer cannot be started; searches will not see new works");
        }
        IndexerThread {
            bell,
            thread: thread.ok(),
        }
    }

    /// Commits what waits and ends the thread.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.bell.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the indexer ended by a panic");
        }
    }
}

impl Drop for IndexerThread {
    fn drop(&mut self) {
        self.end();
    }
}

fn run(corpus: &Corpus, bell: &Bell) {
    background::step_back();
    loop {
        match corpus.indexer() {
            Ok(Some(indexer)) => match follow(indexer, bell) {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, "indexing failed; it will be tried again"),
            },
            Ok(None) => tracing::debug!("another process indexes"),
            Err(error) => {
                tracing::warn!(%error, "the index cannot be opened; it will be tried again");
            }
        }
        if bell.stopped() || !pause(bell, ASK_AGAIN) {
            return;
        }
    }
}

/// Waits that long whatever rings; false when it is time to stop.
fn pause(bell: &Bell, length: Duration) -> bool {
    let end = std::time::Instant::now() + length;
    loop {
        let left = end.saturating_duration_since(std::time::Instant::now());
        if left.is_zero() {
            return true;
        }
        if !bell.wait(left) {
            return false;
        }
    }
}

fn follow(mut indexer: Indexer, bell: &Bell) -> Result<(), CorpusError> {
    while !bell.stopped() {
        if indexer.step()? == Step::Level {
            indexer.look_after()?;
            let rest = match indexer.has_pending() {
                true => COMMIT_LOOK,
                false => LOOK_AGAIN,
            };
            // Whether rung or not, the next step looks for changes.
            let _ = bell.wait(rest);
        }
    }
    indexer.close()
}
