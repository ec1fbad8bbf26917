//! How the pools share slots among jobs and callers.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

use super::*;

const ADA: BurstKey = BurstKey::ApiKey(1);
const BEN: BurstKey = BurstKey::ApiKey(2);
const LONG: Duration = Duration::from_secs(60);

fn limits(slots: usize, jobs: usize) -> PoolLimits {
    PoolLimits {
        slots,
        jobs,
        caller_slots: slots,
        caller_jobs: jobs,
    }
}

fn blocking(light: PoolLimits, providers: PoolLimits) -> Blocking {
    Blocking::new(&Limits {
        light,
        heavy: limits(1, 1),
        providers,
        documents: limits(1, 2),
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
    let blocking = blocking(limits(1, 1), limits(1, 1));
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
    let light = PoolLimits {
        caller_jobs: 2,
        ..limits(1, 4)
    };
    let blocking = blocking(light, limits(1, 1));
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
    let blocking = blocking(limits(1, 10), limits(1, 1));
    let pool = Arc::clone(blocking.pool(PoolKind::Light));
    let first = pool.ask(ADA, Priority::InOrder).await.unwrap();
    let mut second = pool.ask(ADA, Priority::InOrder);
    let mut other = pool.ask(BEN, Priority::InOrder);
    let mut third = pool.ask(ADA, Priority::InOrder);
    let mut returning = pool.ask(BEN, Priority::First);
    drop(first);
    drop(returning.try_recv().unwrap());
    drop(second.try_recv().unwrap());
    assert!(third.try_recv().is_err());
    drop(other.try_recv().unwrap());
    assert!(third.try_recv().is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn job_that_has_begun_goes_before_others_of_its_caller() {
    let pool = Arc::new(Pool::new("test", limits(1, 10)));
    let first = pool.ask(ADA, Priority::InOrder).await.unwrap();
    let mut second = pool.ask(ADA, Priority::InOrder);
    let mut begun = pool.ask(ADA, Priority::FirstOfCaller);
    drop(first);
    assert!(second.try_recv().is_err());
    drop(begun.try_recv().unwrap());
    assert!(second.try_recv().is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn caller_leaves_places_to_others() {
    let light = PoolLimits {
        caller_slots: 1,
        ..limits(2, 10)
    };
    let pool = Arc::new(Pool::new("test", light));
    let first = pool.ask(ADA, Priority::InOrder).await.unwrap();
    let mut second = pool.ask(ADA, Priority::InOrder);
    assert!(second.try_recv().is_err());
    assert!(pool.ask(BEN, Priority::InOrder).try_recv().is_ok());
    drop(first);
    assert!(second.try_recv().is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn job_spreads_over_the_places_that_are_free() {
    let blocking = blocking(limits(2, 4), limits(1, 1));
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
async fn mapped_values_keep_their_order() {
    let blocking = blocking(limits(2, 4), limits(1, 1));
    let values: Vec<usize> = (0..1_000).collect();
    let expected: Vec<(usize, usize)> = values.iter().map(|value| (*value, *value)).collect();
    let map = move |job: &Job| job.map(&values, |_, at, value| Ok((at, *value)));
    assert_eq!(answer(&blocking, ADA, map).await, Ok(Ok(expected)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn helper_leaves_its_place_to_others() {
    let blocking = blocking(limits(2, 4), limits(1, 1));
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
    let blocking = blocking(limits(1, 2), limits(1, 1));
    let (end, ended) = mpsc::channel::<()>();
    let away = tokio::spawn({
        let blocking = blocking.clone();
        let work = move |job: &Job| {
            job.enter_pool(PoolKind::Providers, |there| {
                there.with_slot(LONG, || ended.recv().is_ok())
            })
        };
        async move { answer(&blocking, ADA, work).await }
    });
    until(|| blocking.usage(PoolKind::Providers) == (1, 1)).await;
    assert_eq!(blocking.usage(PoolKind::Light), (1, 0));
    let refused = answer(&blocking, BEN, |job| {
        job.enter_pool(PoolKind::Providers, |_| ())
    });
    assert_eq!(refused.await, Ok(Err(BlockingError::Full)));
    end.send(()).unwrap();
    assert_eq!(away.await.unwrap(), Ok(Ok(Ok(true))));
    until(|| blocking.usage(PoolKind::Light) == (0, 0)).await;
    assert_eq!(blocking.usage(PoolKind::Providers), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn job_that_is_given_up_leaves_the_queue() {
    let blocking = blocking(limits(1, 3), limits(1, 1));
    let first = start(&blocking, ADA);
    until(|| blocking.usage(PoolKind::Light) == (1, 1)).await;
    // Before it runs, by dropping the future.
    let waiting = start(&blocking, BEN);
    until(|| blocking.usage(PoolKind::Light) == (2, 1)).await;
    waiting.task.abort();
    until(|| blocking.usage(PoolKind::Light) == (1, 1)).await;
    // While it runs and waits for a slot, by its budget.
    let pool = blocking.pool(PoolKind::Light);
    let budget = Budget::unlimited();
    let admission = pool.admit(BEN).unwrap();
    let light = PoolKind::Light;
    let job = Job::new(
        &blocking,
        light,
        admission,
        budget.clone(),
        Priority::InOrder,
        None,
    );
    let again = job.clone();
    let waiting = std::thread::spawn(move || job.with_slot(LONG, || ()));
    budget.cancel();
    assert_eq!(waiting.join().unwrap(), Err(BlockingError::Canceled));
    first.end.send(()).unwrap();
    assert_eq!(first.task.await.unwrap(), Ok(()));
    until(|| blocking.usage(PoolKind::Light) == (1, 0)).await;
    // Though a slot is free now.
    assert_eq!(again.with_slot(LONG, || ()), Err(BlockingError::Canceled));
    drop(again);
    assert!(pool.lock().callers.is_empty());
}
