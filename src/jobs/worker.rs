//! The threads that run jobs, and what a running job may do.

use std::cell::Cell;
use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{JobKind, Jobs};
use crate::background::{self, BackgroundThread, Stop};
use crate::quota::{HeldLookups, Subject};
use crate::store::StoreError;
use crate::store::jobs::{ItemPlace, JobEnd, JobFile, JobOutput, JobRow, JobState, NewResult};
use crate::store::users::User;

/// Does the work of jobs.
pub trait JobRunner: Send + Sync + 'static {
    /// Runs a job from its last stored result to its end, or to an interruption. Returns the file that it has
    /// made, if any.
    fn run(&self, claim: &Claim<'_>) -> Result<Option<JobOutput>, Interruption>;
}

/// Why a job stops before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The server stops, or others wait for the place. It goes on later.
    Yielded,
    /// The daily lookups are used up.
    QuotaExhausted,
    /// It was canceled, or its account is gone.
    Ended,
    /// It cannot succeed. Why, as JSON.
    Failed(String),
    /// Something is not available now. It goes on later.
    Unavailable(String),
}

impl From<StoreError> for Interruption {
    fn from(cause: StoreError) -> Interruption {
        Interruption::Unavailable(cause.to_string())
    }
}

/// A result to store.
#[derive(Clone, Copy, Debug)]
pub struct SavedResult<'r> {
    pub place: ItemPlace,
    /// In one word, such as a verdict.
    pub outcome: &'r str,
    /// JSON.
    pub result: &'r str,
    /// Items that this result makes known: those of a file that was read.
    pub more_items: u64,
}

/// A job with a place.
pub struct Claim<'a> {
    jobs: &'a Jobs,
    stop: &'a Stop,
    pub job: JobRow,
    pub kind: JobKind,
    pub user: User,
    /// Results stored since the last look at who waits.
    saved: Cell<u32>,
}

/// How often an idle thread looks for a job, and how often for one whose quota may be there again.
const LOOK: Duration = Duration::from_millis(50);
const LOOK_AT_WAITING: Duration = Duration::from_secs(1);

/// How long a thread rests after something was not available: twice as long each time, up to the maximum.
const REST: Duration = Duration::from_secs(1);
const MAX_REST: Duration = Duration::from_secs(60);

/// The results of a job after which others may take its place.
const TURN_RESULTS: u32 = 20;

/// The error of a job whose work panicked.
const INTERNAL_ERROR: &str = r#"{"error":"internal_error","message":"The job failed because of an internal error, which has been logged."}"#;

impl Jobs {
    /// Starts the threads that run jobs, one for each place. Nothing runs before [`Jobs::start`].
    pub fn start_workers(
        self: &Arc<Jobs>,
        runner: Arc<dyn JobRunner>,
    ) -> std::io::Result<Vec<BackgroundThread>> {
        let start = |number: u32| {
            let (jobs, runner) = (Arc::clone(self), Arc::clone(&runner));
            BackgroundThread::start(&format!("job-{number}"), move |stop| {
                background::step_back();
                jobs.work(&*runner, &stop);
            })
        };
        (0..self.settings.places).map(start).collect()
    }

    fn work(&self, runner: &dyn JobRunner, stop: &Stop) {
        let mut looked = Instant::now();
        let mut rest = REST;
        while !stop.wait(LOOK) {
            let is_due = looked.elapsed() >= LOOK_AT_WAITING;
            if !self.queue.is_open() || !(self.queue.take_stir() || is_due) {
                continue;
            }
            looked = Instant::now();
            match self.claim() {
                Ok(Some((job, user))) => {
                    // Another thread may take the next one.
                    self.queue.stir();
                    let id = job.id;
                    let is_resting = self.run(runner, stop, job, user);
                    self.queue.release(id);
                    if !is_resting {
                        rest = REST;
                    } else if stop.wait(rest) {
                        return;
                    } else {
                        rest = (2 * rest).min(MAX_REST);
                    }
                }
                Ok(None) => {}
                Err(cause) => tracing::warn!(%cause, "cannot look for jobs; will retry"),
            }
        }
    }

    /// The next job, and its user.
    fn claim(&self) -> Result<Option<(JobRow, User)>, StoreError> {
        let places = self.settings.places_per_account as usize;
        let Some(job) = self.queue.claim(self.ready()?, places) else {
            return Ok(None);
        };
        match self.store.user(job.user) {
            Ok(Some(user)) => Ok(Some((job, user))),
            other => {
                self.queue.release(job.id);
                other.map(|_| None)
            }
        }
    }

    /// The jobs that may run: those whose account is enabled, and has lookups if they wait for them.
    fn ready(&self) -> Result<Vec<JobRow>, StoreError> {
        let mut ready = Vec::new();
        for job in self.store.open_jobs()? {
            let Some(user) = self.store.user(job.user)? else {
                continue;
            };
            let waits = job.state == JobState::WaitingForQuota;
            let has_lookups = !waits
                || self
                    .quota
                    .status(Subject::User(user.id), user.plan)?
                    .remaining
                    > 0;
            if user.disabled_at.is_none() && has_lookups {
                ready.push(job);
            }
        }
        Ok(ready)
    }

    /// Runs a job. Returns whether the thread should rest before the next one.
    fn run(&self, runner: &dyn JobRunner, stop: &Stop, job: JobRow, user: User) -> bool {
        let Some(kind) = JobKind::parse(&job.kind) else {
            return self.end(&job, &JobEnd::Failed(INTERNAL_ERROR.to_owned()));
        };
        match self
            .store
            .set_job_state(job.id, JobState::Running, self.clock.unix())
        {
            Ok(true) => {}
            // It was canceled meanwhile.
            Ok(false) => return false,
            Err(cause) => return unavailable(&job, &cause.to_string()),
        }
        let claim = Claim {
            jobs: self,
            stop,
            kind,
            user,
            job,
            saved: Cell::new(0),
        };
        let ran = std::panic::catch_unwind(AssertUnwindSafe(|| runner.run(&claim)));
        let job = &claim.job;
        let failed = |error: &str| JobEnd::Failed(error.to_owned());
        match ran {
            Ok(Ok(output)) => self.end(job, &JobEnd::Done(output)),
            Ok(Err(Interruption::Failed(error))) => self.end(job, &failed(&error)),
            Err(_) => self.end(job, &failed(INTERNAL_ERROR)),
            Ok(Err(Interruption::Ended)) => false,
            Ok(Err(Interruption::Yielded)) => self.set_state(job, JobState::Queued),
            Ok(Err(Interruption::QuotaExhausted)) => self.set_state(job, JobState::WaitingForQuota),
            Ok(Err(Interruption::Unavailable(cause))) => unavailable(job, &cause),
        }
    }

    fn end(&self, job: &JobRow, end: &JobEnd) -> bool {
        match self.store.end_job(job.id, end, self.clock.unix()) {
            Ok(_) => false,
            Err(cause) => unavailable(job, &cause.to_string()),
        }
    }

    fn set_state(&self, job: &JobRow, state: JobState) -> bool {
        match self.store.set_job_state(job.id, state, self.clock.unix()) {
            Ok(_) => false,
            Err(cause) => unavailable(job, &cause.to_string()),
        }
    }
}

fn unavailable(job: &JobRow, cause: &str) -> bool {
    tracing::warn!(job = %job.uid, %cause, "a job is interrupted; it goes on in a moment");
    true
}

impl Claim<'_> {
    /// Holds the lookups of the next item.
    pub fn hold(&self) -> HeldLookups {
        self.jobs.quota.hold(self.user.id, self.user.plan)
    }

    /// A file of the job.
    pub fn file(&self, number: u64) -> Result<JobFile, Interruption> {
        // The files of a canceled job are gone.
        let file = self.jobs.store.job_file(self.job.id, number)?;
        file.ok_or(Interruption::Ended)
    }

    /// The names of the files, in order, and whether each is a companion.
    pub fn names(&self) -> Result<Vec<(String, bool)>, Interruption> {
        Ok(self.jobs.store.job_file_names(self.job.id)?)
    }

    /// The items of a file that have a result.
    pub fn items_done(&self, file: u64) -> Result<HashSet<u64>, Interruption> {
        let done = self.jobs.store.job_items_done(self.job.id, file)?;
        Ok(done.into_iter().collect())
    }

    /// The results so far.
    pub fn results(&self) -> Result<Vec<crate::store::jobs::ResultRow>, Interruption> {
        Ok(self
            .jobs
            .store
            .job_results(self.job.id, 0, i64::MAX as u64)?)
    }

    /// Says when to stop: the server stops, or an account without a place waits.
    pub fn check(&self) -> Result<(), Interruption> {
        if self.stop.wait(Duration::ZERO) {
            return Err(Interruption::Yielded);
        }
        if self.saved.get() >= TURN_RESULTS {
            self.saved.set(0);
            if self.jobs.queue.is_awaited(&self.jobs.ready()?) {
                return Err(Interruption::Yielded);
            }
        }
        Ok(())
    }

    /// Stores a result with the price of its lookups, and counts them.
    pub fn save(&self, saved: &SavedResult<'_>, held: HeldLookups) -> Result<(), Interruption> {
        let new = NewResult {
            place: saved.place,
            outcome: saved.outcome,
            lookups: held.lookups(),
            result: saved.result,
        };
        let stored = self
            .jobs
            .store
            .save_job_result(self.job.id, &new, saved.more_items)?;
        let Some(key) = stored else {
            return Err(Interruption::Ended);
        };
        if new.lookups > 0 {
            self.jobs.count(held, key);
        }
        self.saved.set(self.saved.get() + 1);
        Ok(())
    }

    /// Notes that the files before a number are done.
    pub fn finish_files(&self, done: u64) -> Result<(), Interruption> {
        Ok(self.jobs.store.finish_job_files(self.job.id, done)?)
    }
}
