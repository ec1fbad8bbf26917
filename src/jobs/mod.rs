//! Layer 3: jobs, which are requests that are answered in the background: their limits, their turns, and what
//! happens to their results.
//!
//! A job is a list of items, each of which is what one synchronous request does. A result is stored in one
//! transaction with its price; then the usage journal counts the price together with the result's key. So
//! after a kill at any moment an item is neither done nor charged twice: a stored result is never made again, and
//! one whose price the journal does not know is counted at the next start.
//!
//! - `archive`: the files of an archive · `queue`: whose turn it is · `worker`: the threads that run jobs

pub mod archive;
mod queue;
mod worker;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::clock::Clock;
use crate::config::JobSettings;
use crate::quota::{HeldLookups, Quota, QuotaError};
use crate::store::jobs::{
    AddJobError, JobEnd, JobFile, JobOutput, JobRow, KeptReply, NewJob, ResultKey, ResultRow,
};
use crate::store::{Store, StoreError};
use citation_model::plan::Plan;
use queue::Queue;
pub use worker::{Claim, Interruption, JobRunner, SavedResult};

/// What a job does: the synchronous request of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    Verify,
    Format,
    Import,
    Export,
    /// One round of a configured harvest; its twin is the command of that name.
    Harvest,
}

impl JobKind {
    pub const ALL: [JobKind; 5] = [
        JobKind::Verify,
        JobKind::Format,
        JobKind::Import,
        JobKind::Export,
        JobKind::Harvest,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            JobKind::Verify => "verify",
            JobKind::Format => "format",
            JobKind::Import => "import",
            JobKind::Export => "export",
            JobKind::Harvest => "harvest",
        }
    }

    pub fn parse(text: &str) -> Option<JobKind> {
        JobKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A request to be answered in the background.
#[derive(Clone, Debug)]
pub struct JobRequest {
    pub user: i64,
    /// Of the account, which decides how much may be stored.
    pub plan: Plan,
    pub kind: JobKind,
    /// What the request said besides its files, as JSON.
    pub request: String,
    pub files: Vec<JobFile>,
}

/// The jobs of all accounts. Shared by all threads.
pub struct Jobs {
    store: Arc<Store>,
    quota: Arc<Quota>,
    settings: JobSettings,
    clock: Clock,
    queue: Queue,
    /// Stored results whose lookups could not be counted; they stay reserved, and are tried again.
    uncounted: Mutex<Vec<(HeldLookups, ResultKey)>>,
    /// When old jobs were last removed, Unix seconds.
    purged_at: AtomicI64,
}

const DAY_SECONDS: i64 = 86_400;

/// How often old jobs are removed, in seconds.
const PURGE_SECONDS: i64 = 60;

/// Maximum number of jobs in a list.
const LISTED: u64 = 1_000;

impl Jobs {
    pub fn new(
        store: Arc<Store>,
        quota: Arc<Quota>,
        settings: JobSettings,
        clock: Clock,
    ) -> Arc<Jobs> {
        Arc::new(Jobs {
            store,
            quota,
            settings,
            clock,
            queue: Queue::default(),
            uncounted: Mutex::default(),
            purged_at: AtomicI64::new(0),
        })
    }

    /// Counts the results that an earlier process stored and did not count, and lets jobs run. The quota has
    /// been started.
    pub fn start(&self) -> Result<(), QuotaError> {
        for result in self.store.uncounted_results()? {
            self.quota
                .count_result(result.user, result.lookups, result.key)?;
        }
        self.queue.open();
        Ok(())
    }

    pub fn settings(&self) -> &JobSettings {
        &self.settings
    }

    /// Stores a job, made at `now` (Unix seconds), which runs when it is its turn. `kept` is the reply to a
    /// request with an `Idempotency-Key`, stored with it.
    pub fn submit(
        &self,
        uid: String,
        request: JobRequest,
        kept: Option<KeptReply<'_>>,
        now: i64,
    ) -> Result<JobRow, AddJobError> {
        let new = NewJob {
            uid,
            user: request.user,
            kind: request.kind.as_str(),
            request: request.request,
            files: request.files,
        };
        let (most, ended) = (self.settings.max_per_account, self.settings.max_ended);
        let bytes = self.quota.plans().rules(request.plan).account_bytes;
        let job = self.store.add_job(&new, most, ended, bytes, kept, now)?;
        self.queue.stir();
        Ok(job)
    }

    /// The jobs of a user, newest first.
    pub fn list(&self, user: i64) -> Result<Vec<JobRow>, StoreError> {
        self.store.jobs(user, LISTED)
    }

    /// A job of a user; `None` also for one of another user.
    pub fn find(&self, user: i64, uid: &str) -> Result<Option<JobRow>, StoreError> {
        self.store.job(user, uid)
    }

    /// Number of results by outcome.
    pub fn outcomes(&self, job: &JobRow) -> Result<Vec<(String, u64)>, StoreError> {
        self.store.job_outcomes(job.id)
    }

    /// The results of a job behind a number, in order.
    pub fn results(
        &self,
        job: &JobRow,
        after: u64,
        most: u64,
    ) -> Result<Vec<ResultRow>, StoreError> {
        self.store.job_results(job.id, after, most)
    }

    /// The file that a job has made.
    pub fn output(&self, job: &JobRow) -> Result<Option<JobOutput>, StoreError> {
        self.store.job_output(job.id)
    }

    /// When an ended job is removed, Unix seconds.
    pub fn removed_at(&self, job: &JobRow) -> Option<i64> {
        let days = i64::from(self.settings.keep_days);
        job.ended_at.map(|ended| ended + days * DAY_SECONDS)
    }

    /// Cancels a job that has not ended: its results so far stay. Removes one that has.
    pub fn cancel(&self, job: &JobRow) -> Result<(), StoreError> {
        if self
            .store
            .end_job(job.id, &JobEnd::Canceled, self.clock.unix())?
        {
            return Ok(());
        }
        self.store.remove_job(job.id)
    }

    /// Removes old jobs, at most once a minute, and counts again what could not be counted.
    pub fn tidy(&self) -> Result<(), StoreError> {
        self.count_again();
        let now = self.clock.unix();
        let due = now - self.purged_at.load(Ordering::Relaxed);
        if (0..PURGE_SECONDS).contains(&due) {
            return Ok(());
        }
        self.purged_at.store(now, Ordering::Relaxed);
        let before = now - i64::from(self.settings.keep_days) * DAY_SECONDS;
        self.store.purge_jobs(before).map(drop)
    }

    /// Counts the lookups of a stored result. If they cannot be written they stay reserved, and are tried again.
    fn count(&self, held: HeldLookups, result: ResultKey) {
        if let Err(cause) = held.count(result) {
            tracing::error!(%cause, "cannot count the lookups of a job's result; will retry");
            self.lock_uncounted().push((held, result));
        }
    }

    fn count_again(&self) {
        let waiting = std::mem::take(&mut *self.lock_uncounted());
        for (held, result) in waiting {
            self.count(held, result);
        }
    }

    fn lock_uncounted(&self) -> std::sync::MutexGuard<'_, Vec<(HeldLookups, ResultKey)>> {
        self.uncounted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
