//! The one step from async into the core. Blocking jobs run in four pools: light work, heavy work, waiting
//! for providers, and waiting for the process that reads a document. Each pool has slots, a queue, and a share
//! of both for each caller. A job that does not fit is refused at once.
//!
//! A job releases its slot while it waits ([`Job::without_slot`]), and takes a slot of another pool for
//! work of another kind ([`Job::enter_pool`]). So only running work holds a slot, and a pool never has
//! more threads than admitted jobs.
//!
//! - `job`: what a running job may do, and what it may cost
//! - `pool`: admission, queue and slots
//! - `threads`: the threads that jobs run on

mod job;
mod pool;
mod threads;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, oneshot};

use crate::config::ServerSettings;
use crate::quota::BurstKey;
use citation_model::budget::Budget;
pub use job::Job;
use pool::{Pool, Priority};

/// The kinds of work, each with a pool of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PoolKind {
    /// Reads and small writes.
    Light,
    /// Computing: formatting, reading and writing files, matching, passwords.
    Heavy,
    /// Waiting for outside services.
    Providers,
    /// Waiting for the process that reads a document. A slot is one such process.
    Documents,
}

impl PoolKind {
    pub const ALL: [PoolKind; 4] = [
        PoolKind::Light,
        PoolKind::Heavy,
        PoolKind::Providers,
        PoolKind::Documents,
    ];

    /// As in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            PoolKind::Light => "light",
            PoolKind::Heavy => "heavy",
            PoolKind::Providers => "providers",
            PoolKind::Documents => "documents",
        }
    }
}

/// How many jobs a pool takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolLimits {
    /// Jobs that run at the same time.
    pub slots: usize,
    /// Jobs that run, wait in the queue, or have released their slot. More are refused.
    pub jobs: usize,
    /// Slots that one caller may hold.
    pub caller_slots: usize,
    /// Jobs that one caller may have.
    pub caller_jobs: usize,
}

/// The limits of all pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub light: PoolLimits,
    pub heavy: PoolLimits,
    pub providers: PoolLimits,
    pub documents: PoolLimits,
}

impl Limits {
    /// The limits that the configuration sets.
    pub fn of(settings: &ServerSettings) -> Limits {
        let share = |count: usize| (count * settings.caller_share_percent as usize).div_ceil(100);
        let limits = |slots: usize, queue: u32| PoolLimits {
            slots,
            jobs: slots + queue as usize,
            caller_slots: slots,
            caller_jobs: share(slots + queue as usize),
        };
        let heavy_slots = match settings.heavy_slots {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            slots => slots as usize,
        };
        // These slots are held while a job waits for the disk or for a provider, so no caller gets all of
        // them.
        let shared = |slots: u32, queue: u32| PoolLimits {
            caller_slots: share(slots as usize),
            ..limits(slots as usize, queue)
        };
        Limits {
            light: shared(settings.light_slots, settings.light_queue),
            heavy: limits(heavy_slots, settings.heavy_queue),
            providers: shared(settings.provider_slots, settings.provider_queue),
            documents: limits(settings.document_slots as usize, settings.document_queue),
        }
    }
}

/// Helper threads that all jobs together may start in addition to their own.
const HELPERS: usize = 16;

/// Why a job was not completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockingError {
    /// The pool, or this caller's share of it, is full, or the system starts no further thread.
    #[error("too many jobs are waiting")]
    Full,
    /// Nobody waits for the result any more.
    #[error("the job was canceled")]
    Canceled,
    /// The job panicked. The panic hook has logged it.
    #[error("the job panicked")]
    Panicked,
}

/// Runs blocking jobs. Clones share the pools.
#[derive(Clone, Debug)]
pub struct Blocking(Arc<Pools>);

#[derive(Debug)]
struct Pools {
    light: Arc<Pool>,
    heavy: Arc<Pool>,
    providers: Arc<Pool>,
    documents: Arc<Pool>,
    helpers: Arc<Semaphore>,
}

impl Blocking {
    pub fn new(limits: &Limits) -> Blocking {
        Blocking(Arc::new(Pools {
            light: Arc::new(Pool::new(PoolKind::Light.as_str(), limits.light)),
            heavy: Arc::new(Pool::new(PoolKind::Heavy.as_str(), limits.heavy)),
            providers: Arc::new(Pool::new(PoolKind::Providers.as_str(), limits.providers)),
            documents: Arc::new(Pool::new(PoolKind::Documents.as_str(), limits.documents)),
            helpers: Arc::new(Semaphore::new(HELPERS)),
        }))
    }

    /// Runs `work` in a pool once a slot is free. The work sends its result through the channel and may
    /// continue after that. Dropping the future cancels a job that has not started.
    pub async fn run<T, F>(
        &self,
        kind: PoolKind,
        caller: BurstKey,
        budget: Budget,
        work: F,
    ) -> Result<T, BlockingError>
    where
        T: Send + 'static,
        F: FnOnce(Job, oneshot::Sender<T>) + Send + 'static,
    {
        let pool = self.pool(kind);
        let admission = pool.admit(caller)?;
        let slot = pool.ask(caller, Priority::InOrder).await;
        let slot = slot.map_err(|_| BlockingError::Canceled)?;
        let job = Job::new(
            self,
            kind,
            admission,
            budget,
            Priority::FirstOfCaller,
            Some(slot),
        );
        let (sender, answer) = oneshot::channel();
        let started = pool.threads.run(move || work(job, sender));
        started.map_err(|cause| {
            tracing::warn!(%cause, "no thread can be started for a request");
            BlockingError::Full
        })?;
        answer.await.map_err(|_| BlockingError::Panicked)
    }

    /// Waits until no job runs. False if some still run after `patience`.
    pub fn wait_until_idle(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        PoolKind::ALL.into_iter().all(|kind| {
            let left = deadline.saturating_duration_since(Instant::now());
            self.pool(kind).threads.wait_until_idle(left)
        })
    }

    /// The jobs of a pool, those in its queue included, and how many of them run.
    pub fn usage(&self, kind: PoolKind) -> (usize, usize) {
        let state = self.pool(kind).lock();
        (state.jobs, state.running)
    }

    pub fn limits(&self, kind: PoolKind) -> PoolLimits {
        self.pool(kind).limits
    }

    fn pool(&self, kind: PoolKind) -> &Arc<Pool> {
        match kind {
            PoolKind::Light => &self.0.light,
            PoolKind::Heavy => &self.0.heavy,
            PoolKind::Providers => &self.0.providers,
            PoolKind::Documents => &self.0.documents,
        }
    }
}

#[cfg(test)]
mod tests;
