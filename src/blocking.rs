//! The one step from async into the core. Blocking jobs run in three pools, each with so many places,
//! a queue, and a share of both for each caller: light work, heavy work, and waiting for providers.
//! What does not fit is refused at once.
//!
//! A job that has to wait gives its place up meanwhile ([`Job::away`]), and one that needs another
//! kind of place goes there and comes back ([`Job::visit`]). So a place is held by work alone, and
//! the threads are as many as jobs have been admitted at most.

use std::collections::{HashMap, VecDeque};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::config::ServerSettings;
use crate::quota::BurstKey;
use citation_model::budget::Budget;

/// The kinds of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PoolKind {
    /// Reads and small writes.
    Light,
    /// Computing: formatting, reading and writing files, matching, passwords.
    Heavy,
    /// Waiting for outside services.
    Providers,
}

impl PoolKind {
    pub const ALL: [PoolKind; 3] = [PoolKind::Light, PoolKind::Heavy, PoolKind::Providers];

    /// As in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            PoolKind::Light => "light",
            PoolKind::Heavy => "heavy",
            PoolKind::Providers => "providers",
        }
    }
}

/// How much a pool takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Jobs that run at the same time.
    pub places: usize,
    /// Jobs that run, wait, or are away: more are refused.
    pub jobs: usize,
    /// Places that one caller may have.
    pub caller_places: usize,
    /// Jobs that one caller may have.
    pub caller_jobs: usize,
}

/// The bounds of all pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub light: Bounds,
    pub heavy: Bounds,
    pub providers: Bounds,
}

impl Limits {
    /// The bounds that the configuration sets.
    pub fn of(settings: &ServerSettings) -> Limits {
        let share = |count: usize| (count * settings.caller_share_percent as usize).div_ceil(100);
        let bounds = |places: usize, queue: u32| Bounds {
            places,
            jobs: places + queue as usize,
            caller_places: places,
            caller_jobs: share(places + queue as usize),
        };
        let heavy_places = match settings.heavy_places {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            places => places as usize,
        };
        let provider_places = settings.provider_places as usize;
        Limits {
            light: bounds(settings.light_places as usize, settings.light_queue),
            heavy: bounds(heavy_places, settings.heavy_queue),
            providers: Bounds {
                // These places are held for seconds, so nobody may have all of them.
                caller_places: share(provider_places),
                ..bounds(provider_places, settings.provider_queue)
            },
        }
    }

    /// Threads that the jobs need at most, and one for what the server does beside them.
    pub fn threads(&self) -> usize {
        self.light.places + self.heavy.jobs + self.providers.jobs + 1
    }
}

/// Threads that all batches together may have beside those of their jobs.
const HELPERS: usize = 16;

/// How often a job that waits asks whether somebody still waits for it.
const ASK_AGAIN: Duration = Duration::from_millis(50);

/// Why a job was not run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockingError {
    /// As many jobs as are allowed run or wait already, altogether or of this caller.
    #[error("too many jobs are waiting")]
    Full,
    /// Nobody waits for the result any more.
    #[error("the job was given up")]
    GivenUp,
    /// The job panicked; the panic has been logged by the hook.
    #[error("the job panicked")]
    Panicked,
}

/// Runs blocking jobs on tokio's blocking threads.
#[derive(Clone, Debug)]
pub struct Blocking(Arc<Pools>);

#[derive(Debug)]
struct Pools {
    light: Arc<Pool>,
    heavy: Arc<Pool>,
    providers: Arc<Pool>,
    helpers: Arc<Semaphore>,
}

impl Blocking {
    pub fn new(limits: &Limits) -> Blocking {
        Blocking(Arc::new(Pools {
            light: Arc::new(Pool::new(limits.light)),
            heavy: Arc::new(Pool::new(limits.heavy)),
            providers: Arc::new(Pool::new(limits.providers)),
            helpers: Arc::new(Semaphore::new(HELPERS)),
        }))
    }

    /// Runs `work` in a pool when its turn has come. It answers through the channel and may go on
    /// after that. Dropping the future gives up a job that has not begun.
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
        let ticket = pool.admit(caller)?;
        let place = pool.ask(caller, Turn::InOrder).await;
        let place = place.map_err(|_| BlockingError::GivenUp)?;
        let job = Job::new(self, kind, ticket, budget, Turn::Next, Some(place));
        let (sender, answer) = oneshot::channel();
        tokio::task::spawn_blocking(move || work(job, sender));
        answer.await.map_err(|_| BlockingError::Panicked)
    }

    /// How many jobs a pool has, those that wait included, and how many of them run.
    pub fn usage(&self, kind: PoolKind) -> (usize, usize) {
        let state = self.pool(kind).lock();
        (state.jobs, state.running)
    }

    pub fn bounds(&self, kind: PoolKind) -> Bounds {
        self.pool(kind).bounds
    }

    fn pool(&self, kind: PoolKind) -> &Arc<Pool> {
        match kind {
            PoolKind::Light => &self.0.light,
            PoolKind::Heavy => &self.0.heavy,
            PoolKind::Providers => &self.0.providers,
        }
    }
}

/// A job that runs: where it runs, for whom, and what it may cost.
#[derive(Clone, Debug)]
pub struct Job {
    budget: Budget,
    /// Nothing for a job that no pool bounds.
    seat: Option<Arc<Seat>>,
}

#[derive(Debug)]
struct Seat {
    blocking: Blocking,
    kind: PoolKind,
    ticket: Arc<Ticket>,
    /// How it asks for a place to hold.
    turn: Turn,
    place: Mutex<Option<PoolSlot>>,
}

impl Job {
    /// A job that no pool bounds, such as one of the command line.
    pub fn unbounded(budget: Budget) -> Job {
        Job { budget, seat: None }
    }

    fn new(
        blocking: &Blocking,
        kind: PoolKind,
        ticket: impl Into<Arc<Ticket>>,
        budget: Budget,
        turn: Turn,
        place: Option<PoolSlot>,
    ) -> Job {
        Job {
            budget,
            seat: Some(Arc::new(Seat {
                blocking: blocking.clone(),
                kind,
                ticket: ticket.into(),
                turn,
                place: Mutex::new(place),
            })),
        }
    }

    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Runs `work`, which waits for something, without the place, and takes a place again before
    /// those that wait for their first one.
    pub fn away<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(seat) = &self.seat else {
            return work();
        };
        let had_place = seat.leave();
        let result = work();
        if had_place {
            // Without a place where the job was given up: all that is left is to end it.
            seat.sit(wait(seat.ask(Turn::Before), &self.budget, None).and_then(Result::ok));
        }
        result
    }

    /// Gives the place up and joins the jobs of a pool, in which `work` takes a place with
    /// [`Job::hold`] as it needs one. Refused where that pool is full.
    pub fn visit<T>(
        &self,
        kind: PoolKind,
        work: impl FnOnce(Job) -> T,
    ) -> Result<T, BlockingError> {
        let Some(seat) = self.seat.as_ref().filter(|seat| seat.kind != kind) else {
            return Ok(self.away(|| work(self.clone())));
        };
        let ticket = seat.blocking.pool(kind).admit(seat.ticket.caller)?;
        let budget = self.budget.clone();
        let visitor = Job::new(&seat.blocking, kind, ticket, budget, Turn::InOrder, None);
        Ok(self.away(|| work(visitor)))
    }

    /// Runs `work` in a place of the kind: in the one that the job has, or in one of another pool.
    pub fn run_in<T>(
        &self,
        kind: PoolKind,
        work: impl FnOnce(Job) -> T,
    ) -> Result<T, BlockingError> {
        if self.seat.as_ref().is_none_or(|seat| seat.kind == kind) {
            return Ok(work(self.clone()));
        }
        let visited = self.visit(kind, |job| job.hold(Duration::MAX, || work(job.clone())));
        visited.flatten()
    }

    /// Runs `work` in a place of the job's pool, for which it waits no longer than `patience`. A job
    /// whose budget is spent begins nothing more.
    pub fn hold<T>(
        &self,
        patience: Duration,
        work: impl FnOnce() -> T,
    ) -> Result<T, BlockingError> {
        if self.budget.is_spent() {
            return Err(BlockingError::GivenUp);
        }
        let Some(seat) = self.seat.as_ref().filter(|seat| !seat.is_taken()) else {
            return Ok(work());
        };
        let until = Instant::now().checked_add(patience);
        let place = match wait(seat.ask(seat.turn), &self.budget, until) {
            Some(Ok(place)) => place,
            None if !self.budget.is_spent() => return Err(BlockingError::Full),
            _ => return Err(BlockingError::GivenUp),
        };
        seat.sit(Some(place));
        let result = work();
        seat.leave();
        Ok(result)
    }

    /// The same job for another thread, without a place.
    pub fn fork(&self) -> Job {
        match &self.seat {
            Some(seat) => Job::new(
                &seat.blocking,
                seat.kind,
                Arc::clone(&seat.ticket),
                self.budget.clone(),
                Turn::Next,
                None,
            ),
            None => self.clone(),
        }
    }

    /// Runs `work` here to its end, and meanwhile on other threads in the places of the pool that are free,
    /// until somebody asks for them. `work` is given what tells it to stop.
    pub fn spread(&self, work: &(dyn Fn(&dyn Fn() -> bool) + Sync)) {
        let places = self
            .seat
            .as_ref()
            .map_or(1, |seat| seat.pool().bounds.places);
        std::thread::scope(|scope| {
            for right in self.helpers(places.saturating_sub(1)) {
                let job = self.fork();
                let help = move || {
                    let stops = || job.is_asked_to_leave();
                    // Where no place is free, the work is done without help.
                    let _ = job.hold(Duration::ZERO, || work(&stops));
                    drop(right);
                };
                let _ = std::thread::Builder::new().spawn_scoped(scope, help);
            }
            work(&|| false);
        });
    }

    /// Whether others wait for a place of the job's pool.
    fn is_asked_to_leave(&self) -> bool {
        let seat = self.seat.as_ref();
        seat.is_some_and(|seat| seat.pool().lock().is_waited_for())
    }

    /// The right to as many threads more as are wanted, or as there are.
    pub fn helpers(&self, wanted: usize) -> Vec<OwnedSemaphorePermit> {
        let Some(seat) = &self.seat else {
            return Vec::new();
        };
        let permit = || {
            Arc::clone(&seat.blocking.0.helpers)
                .try_acquire_owned()
                .ok()
        };
        std::iter::from_fn(permit).take(wanted).collect()
    }

    /// Waits for a future without the place: nothing where the job was given up or the time ended.
    pub fn wait_for<T>(&self, patience: Duration, future: impl Future<Output = T>) -> Option<T> {
        let until = Instant::now().checked_add(patience);
        self.away(|| wait(future, &self.budget, until))
    }
}

impl Seat {
    fn pool(&self) -> &Arc<Pool> {
        self.blocking.pool(self.kind)
    }

    fn ask(&self, turn: Turn) -> oneshot::Receiver<PoolSlot> {
        self.pool().ask(self.ticket.caller, turn)
    }

    fn sit(&self, place: Option<PoolSlot>) {
        *self.lock() = place;
    }

    /// Gives up the place, and says whether there was one.
    fn leave(&self) -> bool {
        let place = self.lock().take();
        place.is_some()
    }

    fn is_taken(&self) -> bool {
        self.lock().is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Option<PoolSlot>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits on this thread; nothing where the budget is spent or the time is over before.
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
        let left = until.map_or(ASK_AGAIN, |until| until - now);
        std::thread::park_timeout(left.min(ASK_AGAIN));
    }
}

/// One pool.
#[derive(Debug)]
struct Pool {
    bounds: Bounds,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    jobs: usize,
    running: usize,
    callers: HashMap<BurstKey, Caller>,
    /// Callers with jobs that wait, the next one first.
    turns: VecDeque<BurstKey>,
    /// Jobs that were away and go on.
    returning: VecDeque<(BurstKey, oneshot::Sender<PoolSlot>)>,
}

#[derive(Debug, Default)]
struct Caller {
    jobs: usize,
    running: usize,
    waiting: VecDeque<oneshot::Sender<PoolSlot>>,
}

/// Whom a job waits for a place behind.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// Callers take turns, each with its oldest job.
    InOrder,
    /// Before the other jobs of its caller, so that what has begun ends before the next begins.
    Next,
    /// Before all that wait in order.
    Before,
}

/// A job that counts as one of its pool.
#[derive(Debug)]
struct Ticket {
    pool: Arc<Pool>,
    caller: BurstKey,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.jobs -= 1;
        state.change(self.caller, |caller| caller.jobs -= 1);
    }
}

/// A place that is taken, until it is dropped.
#[derive(Debug)]
struct PoolSlot {
    pool: Option<Arc<Pool>>,
    caller: BurstKey,
}

impl Drop for PoolSlot {
    fn drop(&mut self) {
        if let Some(pool) = self.pool.take() {
            pool.lock().release(self.caller);
            pool.hand_out();
        }
    }
}

impl Pool {
    fn new(bounds: Bounds) -> Pool {
        Pool {
            bounds,
            state: Mutex::default(),
        }
    }

    /// Counts a job in, or refuses it.
    fn admit(self: &Arc<Pool>, caller: BurstKey) -> Result<Ticket, BlockingError> {
        let mut state = self.lock();
        let of_caller = state.callers.get(&caller).map_or(0, |caller| caller.jobs);
        if state.jobs >= self.bounds.jobs || of_caller >= self.bounds.caller_jobs {
            return Err(BlockingError::Full);
        }
        state.jobs += 1;
        state.callers.entry(caller).or_default().jobs += 1;
        Ok(Ticket {
            pool: Arc::clone(self),
            caller,
        })
    }

    /// Asks for a place. Dropping the receiver withdraws the question or gives the place back.
    fn ask(self: &Arc<Pool>, caller: BurstKey, turn: Turn) -> oneshot::Receiver<PoolSlot> {
        let (sender, receiver) = oneshot::channel();
        self.lock().queue(caller, turn, sender);
        self.hand_out();
        receiver
    }

    /// Gives the free places to those whose turn it is.
    fn hand_out(self: &Arc<Pool>) {
        loop {
            let next = self.lock().next(&self.bounds);
            let Some((caller, waiting)) = next else {
                return;
            };
            let place = PoolSlot {
                pool: Some(Arc::clone(self)),
                caller,
            };
            if let Err(mut place) = waiting.send(place) {
                // Who asked has gone. Not by dropping: that would hand out again, ever deeper.
                place.pool = None;
                self.lock().release(caller);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_waited_for(&self) -> bool {
        !self.turns.is_empty() || !self.returning.is_empty()
    }

    fn queue(&mut self, key: BurstKey, turn: Turn, sender: oneshot::Sender<PoolSlot>) {
        if let Turn::Before = turn {
            self.returning.push_back((key, sender));
            return;
        }
        let caller = self.callers.entry(key).or_default();
        if caller.waiting.is_empty() {
            self.turns.push_back(key);
        }
        // Those who have gone must not pile up before those who are there.
        if caller.waiting.len() > caller.jobs {
            caller.waiting.retain(|sender| !sender.is_closed());
        }
        match turn {
            Turn::Next => caller.waiting.push_front(sender),
            _ => caller.waiting.push_back(sender),
        }
    }

    /// Takes a place for whoever is next, if one is free.
    fn next(&mut self, bounds: &Bounds) -> Option<(BurstKey, oneshot::Sender<PoolSlot>)> {
        if self.running >= bounds.places {
            return None;
        }
        let (key, sender) = match self.returning.pop_front() {
            Some(next) => next,
            None => self.next_in_order(bounds.caller_places)?,
        };
        self.running += 1;
        self.callers.entry(key).or_default().running += 1;
        Some((key, sender))
    }

    fn next_in_order(&mut self, most: usize) -> Option<(BurstKey, oneshot::Sender<PoolSlot>)> {
        let callers = &self.callers;
        let may_run = |key: &BurstKey| callers.get(key).is_some_and(|c| c.running < most);
        let at = self.turns.iter().position(may_run)?;
        let key = self.turns.remove(at)?;
        let caller = self.callers.get_mut(&key)?;
        let sender = caller.waiting.pop_front()?;
        if !caller.waiting.is_empty() {
            self.turns.push_back(key);
        }
        Some((key, sender))
    }

    fn release(&mut self, key: BurstKey) {
        self.running -= 1;
        self.change(key, |caller| caller.running -= 1);
    }

    /// Changes the counts of a caller, and forgets callers of whom there is nothing left.
    fn change(&mut self, key: BurstKey, change: impl FnOnce(&mut Caller)) {
        if let Some(caller) = self.callers.get_mut(&key) {
            change(caller);
            if caller.jobs == 0 && caller.running == 0 && caller.waiting.is_empty() {
                self.callers.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::sync::mpsc;

    use super::*;

    const ADA: BurstKey = BurstKey::ApiKey(1);
    const BEN: BurstKey = BurstKey::ApiKey(2);
    const LONG: Duration = Duration::from_secs(60);

    fn bounds(places: usize, jobs: usize) -> Bounds {
        Bounds {
            places,
            jobs,
            caller_places: places,
            caller_jobs: jobs,
        }
    }

    fn blocking(light: Bounds, providers: Bounds) -> Blocking {
        Blocking::new(&Limits {
            light,
            heavy: bounds(1, 1),
            providers,
        })
    }

    /// A job that runs until it is told to end.
    struct Running {
        end: mpsc::Sender<()>,
        task: tokio::task::JoinHandle<Result<(), BlockingError>>,
    }

    fn start(blocking: &Blocking, caller: BurstKey) -> Running {
        let (end, ended) = mpsc::channel();
        let blocking = blocking.clone();
        let task = tokio::spawn(async move {
            let budget = Budget::unlimited();
            let work = move |_: Job, answer: oneshot::Sender<()>| {
                let _ = ended.recv();
                let _ = answer.send(());
            };
            blocking.run(PoolKind::Light, caller, budget, work).await
        });
        Running { end, task }
    }

    async fn until(mut is_so: impl FnMut() -> bool) {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    }

    async fn answer<T: Send + 'static>(
        blocking: &Blocking,
        caller: BurstKey,
        work: impl FnOnce(&Job) -> T + Send + 'static,
    ) -> Result<T, BlockingError> {
        let work = move |job: Job, answer: oneshot::Sender<T>| {
            let _ = answer.send(work(&job));
        };
        let budget = Budget::unlimited();
        blocking.run(PoolKind::Light, caller, budget, work).await
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn full_pool_refuses_and_panic_is_contained() {
        let blocking = blocking(bounds(1, 1), bounds(1, 1));
        let first = start(&blocking, ADA);
        until(|| blocking.usage(PoolKind::Light) == (1, 1)).await;
        assert_eq!(
            answer(&blocking, BEN, |_| 1).await,
            Err(BlockingError::Full)
        );
        first.end.send(()).unwrap();
        assert_eq!(first.task.await.unwrap(), Ok(()));
        until(|| blocking.usage(PoolKind::Light) == (0, 0)).await;
        let panicked: Result<(), _> = answer(&blocking, ADA, |_| panic!("on purpose")).await;
        assert_eq!(panicked, Err(BlockingError::Panicked));
        until(|| blocking.usage(PoolKind::Light) == (0, 0)).await;
        assert_eq!(answer(&blocking, ADA, |_| 1).await, Ok(1));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn caller_is_refused_beyond_its_share() {
        let light = Bounds {
            caller_jobs: 2,
            ..bounds(1, 4)
        };
        let blocking = blocking(light, bounds(1, 1));
        let jobs = [start(&blocking, ADA), start(&blocking, ADA)];
        until(|| blocking.usage(PoolKind::Light).0 == 2).await;
        assert_eq!(
            answer(&blocking, ADA, |_| 1).await,
            Err(BlockingError::Full)
        );
        let other = start(&blocking, BEN);
        for job in jobs.into_iter().chain([other]) {
            job.end.send(()).unwrap();
            assert_eq!(job.task.await.unwrap(), Ok(()));
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn callers_take_turns() {
        let blocking = blocking(bounds(1, 10), bounds(1, 1));
        let pool = Arc::clone(blocking.pool(PoolKind::Light));
        let first = pool.ask(ADA, Turn::InOrder).await.unwrap();
        let mut second = pool.ask(ADA, Turn::InOrder);
        let mut other = pool.ask(BEN, Turn::InOrder);
        let mut third = pool.ask(ADA, Turn::InOrder);
        let mut returning = pool.ask(BEN, Turn::Before);
        drop(first);
        drop(returning.try_recv().unwrap());
        drop(second.try_recv().unwrap());
        assert!(third.try_recv().is_err());
        drop(other.try_recv().unwrap());
        assert!(third.try_recv().is_ok());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn job_that_has_begun_goes_before_others_of_its_caller() {
        let pool = Arc::new(Pool::new(bounds(1, 10)));
        let first = pool.ask(ADA, Turn::InOrder).await.unwrap();
        let mut second = pool.ask(ADA, Turn::InOrder);
        let mut begun = pool.ask(ADA, Turn::Next);
        drop(first);
        assert!(second.try_recv().is_err());
        drop(begun.try_recv().unwrap());
        assert!(second.try_recv().is_ok());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn caller_leaves_places_to_others() {
        let light = Bounds {
            caller_places: 1,
            ..bounds(2, 10)
        };
        let pool = Arc::new(Pool::new(light));
        let first = pool.ask(ADA, Turn::InOrder).await.unwrap();
        let mut second = pool.ask(ADA, Turn::InOrder);
        assert!(second.try_recv().is_err());
        assert!(pool.ask(BEN, Turn::InOrder).try_recv().is_ok());
        drop(first);
        assert!(second.try_recv().is_ok());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn job_spreads_over_the_places_that_are_free() {
        let blocking = blocking(bounds(2, 4), bounds(1, 1));
        let meet = |job: &Job| {
            let both = std::sync::Barrier::new(2);
            job.spread(&|_| {
                both.wait();
            });
        };
        assert_eq!(answer(&blocking, ADA, meet).await, Ok(()));
        until(|| blocking.usage(PoolKind::Light) == (0, 0)).await;
        let other = start(&blocking, BEN);
        until(|| blocking.usage(PoolKind::Light) == (1, 1)).await;
        let count = |job: &Job| {
            let count = AtomicUsize::new(0);
            job.spread(&|_| {
                count.fetch_add(1, Relaxed);
            });
            count.into_inner()
        };
        assert_eq!(answer(&blocking, ADA, count).await, Ok(1));
        other.end.send(()).unwrap();
        assert_eq!(other.task.await.unwrap(), Ok(()));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn helper_leaves_its_place_to_others() {
        let blocking = blocking(bounds(2, 4), bounds(1, 1));
        let (asked, was_asked) = mpsc::channel::<()>();
        let work = move |job: &Job| {
            let here = std::thread::current().id();
            job.spread(&|stops| {
                if std::thread::current().id() == here {
                    return;
                }
                let _ = asked.send(());
                while !stops() {
                    std::thread::yield_now();
                }
            });
        };
        let spread = tokio::spawn({
            let blocking = blocking.clone();
            async move { answer(&blocking, ADA, work).await }
        });
        until(|| was_asked.try_recv().is_ok()).await;
        assert_eq!(answer(&blocking, BEN, |_| 1).await, Ok(1));
        assert_eq!(spread.await.unwrap(), Ok(()));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn job_that_waits_elsewhere_gives_its_place_up() {
        let blocking = blocking(bounds(1, 2), bounds(1, 1));
        let (end, ended) = mpsc::channel::<()>();
        let away = tokio::spawn({
            let blocking = blocking.clone();
            let work = move |job: &Job| {
                job.visit(PoolKind::Providers, |there| {
                    there.hold(LONG, || ended.recv().is_ok())
                })
            };
            async move { answer(&blocking, ADA, work).await }
        });
        until(|| blocking.usage(PoolKind::Providers) == (1, 1)).await;
        assert_eq!(blocking.usage(PoolKind::Light), (1, 0));
        let refused = answer(&blocking, BEN, |job| job.visit(PoolKind::Providers, |_| ()));
        assert_eq!(refused.await, Ok(Err(BlockingError::Full)));
        end.send(()).unwrap();
        assert_eq!(away.await.unwrap(), Ok(Ok(Ok(true))));
        until(|| blocking.usage(PoolKind::Light) == (0, 0)).await;
        assert_eq!(blocking.usage(PoolKind::Providers), (0, 0));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn job_that_is_given_up_leaves_the_queue() {
        let blocking = blocking(bounds(1, 3), bounds(1, 1));
        let first = start(&blocking, ADA);
        until(|| blocking.usage(PoolKind::Light) == (1, 1)).await;
        // Before it runs, by dropping the future.
        let waiting = start(&blocking, BEN);
        until(|| blocking.usage(PoolKind::Light) == (2, 1)).await;
        waiting.task.abort();
        until(|| blocking.usage(PoolKind::Light) == (1, 1)).await;
        // While it runs and waits for a place, by its budget.
        let pool = blocking.pool(PoolKind::Light);
        let budget = Budget::unlimited();
        let ticket = pool.admit(BEN).unwrap();
        let light = PoolKind::Light;
        let job = Job::new(
            &blocking,
            light,
            ticket,
            budget.clone(),
            Turn::InOrder,
            None,
        );
        let again = job.clone();
        let waiting = std::thread::spawn(move || job.hold(LONG, || ()));
        budget.cancel();
        assert_eq!(waiting.join().unwrap(), Err(BlockingError::GivenUp));
        first.end.send(()).unwrap();
        assert_eq!(first.task.await.unwrap(), Ok(()));
        until(|| blocking.usage(PoolKind::Light) == (1, 0)).await;
        // Though a place is free now.
        assert_eq!(again.hold(LONG, || ()), Err(BlockingError::GivenUp));
        drop(again);
        assert!(pool.lock().callers.is_empty());
    }
}
