//! What a running job may do: hold a slot or not, enter another pool, start helpers; and what it may
//! cost.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::pool::{Admission, Pool, Priority, Slot};
use super::{Blocking, BlockingError, PoolKind};
use citation_model::budget::{Budget, Exceeded};
use citation_model::spread::{Run, Spread};

/// How often a waiting job checks whether it was canceled.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// A running job. Clones are the same job.
#[derive(Clone, Debug)]
pub struct Job {
    budget: Budget,
    /// None for a job outside the pools.
    member: Option<Arc<PoolMember>>,
}

/// A job's part in a pool.
#[derive(Debug)]
struct PoolMember {
    blocking: Blocking,
    kind: PoolKind,
    admission: Arc<Admission>,
    /// Of its requests for a slot.
    priority: Priority,
    slot: Mutex<Option<Slot>>,
}

impl Job {
    /// A job outside the pools, such as a command of the command line.
    pub fn unbounded(budget: Budget) -> Job {
        Job {
            budget,
            member: None,
        }
    }

    pub(super) fn new(
        blocking: &Blocking,
        kind: PoolKind,
        admission: impl Into<Arc<Admission>>,
        budget: Budget,
        priority: Priority,
        slot: Option<Slot>,
    ) -> Job {
        Job {
            budget,
            member: Some(Arc::new(PoolMember {
                blocking: blocking.clone(),
                kind,
                admission: admission.into(),
                priority,
                slot: Mutex::new(slot),
            })),
        }
    }

    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Runs `work`, which waits for something, without the slot. Afterwards takes a slot again, ahead of
    /// the jobs that wait for their first one.
    pub fn without_slot<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(member) = &self.member else {
            return work();
        };
        let had_slot = member.release_slot();
        let result = work();
        if had_slot {
            // A canceled job goes on without a slot: it only has to end.
            member.set_slot(
                wait(member.ask(Priority::First), &self.budget, None).and_then(Result::ok),
            );
        }
        result
    }

    /// Releases the slot and joins another pool. There `work` takes a slot with [`Job::with_slot`] when it
    /// needs one. Fails if that pool is full.
    pub fn enter_pool<T>(
        &self,
        kind: PoolKind,
        work: impl FnOnce(Job) -> T,
    ) -> Result<T, BlockingError> {
        let Some(member) = self.member.as_ref().filter(|member| member.kind != kind) else {
            return Ok(self.without_slot(|| work(self.clone())));
        };
        let admission = member.blocking.pool(kind).admit(member.admission.caller)?;
        let budget = self.budget.clone();
        let visitor = Job::new(
            &member.blocking,
            kind,
            admission,
            budget,
            Priority::InOrder,
            None,
        );
        Ok(self.without_slot(|| work(visitor)))
    }

    /// Runs `work` in a slot of a pool: in the slot that the job holds, if it is of that pool.
    pub fn run_in<T>(
        &self,
        kind: PoolKind,
        work: impl FnOnce(Job) -> T,
    ) -> Result<T, BlockingError> {
        if self
            .member
            .as_ref()
            .is_none_or(|member| member.kind == kind)
        {
            return Ok(work(self.clone()));
        }
        let visited = self.enter_pool(kind, |job| {
            job.with_slot(Duration::MAX, || work(job.clone()))
        });
        visited.flatten()
    }

    /// Runs `work` in a slot of the job's pool, and waits at most `patience` for the slot. Fails if the
    /// budget is spent.
    pub fn with_slot<T>(
        &self,
        patience: Duration,
        work: impl FnOnce() -> T,
    ) -> Result<T, BlockingError> {
        if self.budget.is_spent() {
            return Err(BlockingError::Canceled);
        }
        let Some(member) = self.member.as_ref().filter(|member| !member.has_slot()) else {
            return Ok(work());
        };
        let until = Instant::now().checked_add(patience);
        let slot = match wait(member.ask(member.priority), &self.budget, until) {
            Some(Ok(slot)) => slot,
            None if !self.budget.is_spent() => return Err(BlockingError::Full),
            _ => return Err(BlockingError::Canceled),
        };
        member.set_slot(Some(slot));
        let result = work();
        member.release_slot();
        Ok(result)
    }

    /// The same job for another thread. It holds no slot.
    pub fn fork(&self) -> Job {
        match &self.member {
            Some(member) => Job::new(
                &member.blocking,
                member.kind,
                Arc::clone(&member.admission),
                self.budget.clone(),
                Priority::FirstOfCaller,
                None,
            ),
            None => self.clone(),
        }
    }

    /// Runs `work` on this thread until it returns, and at the same time on helper threads in the free slots
    /// of the pool. `work` gets a function that tells it to stop: a helper stops when another job waits for
    /// its slot.
    pub fn spread(&self, work: &(dyn Fn(&dyn Fn() -> bool) + Sync)) {
        let slots = self
            .member
            .as_ref()
            .map_or(1, |member| member.pool().limits.slots);
        std::thread::scope(|scope| {
            for permit in self.helper_permits(slots.saturating_sub(1)) {
                let job = self.fork();
                let help = move || {
                    let stops = || job.must_yield();
                    // Without a free slot there is no help.
                    let _ = job.with_slot(Duration::ZERO, || work(&stops));
                    drop(permit);
                };
                let _ = std::thread::Builder::new().spawn_scoped(scope, help);
            }
            work(&|| false);
        });
    }

    /// Returns the results of `step` for each of `values` and its position, in order, with a branch of the
    /// budget. Many are shared among the threads of [`Job::spread`].
    pub fn map<V: Sync, T: Send>(
        &self,
        values: &[V],
        step: impl Fn(&Budget, usize, &V) -> Result<T, Exceeded> + Sync,
    ) -> Result<Vec<T>, Exceeded> {
        let run: &Run = &|work| self.spread(work);
        #[allow(clippy::indexing_slicing, reason = "the position is one of `values`")]
        let step = |budget: &mut Budget, at: usize| step(budget, at, &values[at]);
        Spread(Some(run)).map(&self.budget, values.len(), Budget::clone, step)
    }

    /// Whether another job waits for a slot of the pool.
    fn must_yield(&self) -> bool {
        let member = self.member.as_ref();
        member.is_some_and(|member| member.pool().lock().has_waiting())
    }

    /// Permits for helper threads: as many as are wanted, or fewer.
    pub fn helper_permits(&self, wanted: usize) -> Vec<OwnedSemaphorePermit> {
        let Some(member) = &self.member else {
            return Vec::new();
        };
        let permit = || {
            Arc::clone(&member.blocking.0.helpers)
                .try_acquire_owned()
                .ok()
        };
        std::iter::from_fn(permit).take(wanted).collect()
    }

    /// Waits for a future without the slot. None if the job was canceled or `patience` is over.
    pub fn wait_for<T>(&self, patience: Duration, future: impl Future<Output = T>) -> Option<T> {
        let until = Instant::now().checked_add(patience);
        self.without_slot(|| wait(future, &self.budget, until))
    }
}

impl PoolMember {
    fn pool(&self) -> &Arc<Pool> {
        self.blocking.pool(self.kind)
    }

    fn ask(&self, priority: Priority) -> oneshot::Receiver<Slot> {
        self.pool().ask(self.admission.caller, priority)
    }

    fn set_slot(&self, slot: Option<Slot>) {
        *self.lock() = slot;
    }

    /// Releases the slot. False if there was none.
    fn release_slot(&self) -> bool {
        let slot = self.lock().take();
        slot.is_some()
    }

    fn has_slot(&self) -> bool {
        self.lock().is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Slot>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a future on this thread. None if the budget is spent or the time is over first.
fn wait<F: Future>(future: F, budget: &Budget, until: Option<Instant>) -> Option<F::Output> {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Unpark>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(output);
        }
        let now = Instant::now();
        if budget.is_spent() || until.is_some_and(|until| until <= now) {
            return None;
        }
        let left = until.map_or(CHECK_INTERVAL, |until| until - now);
        std::thread::park_timeout(left.min(CHECK_INTERVAL));
    }
}
