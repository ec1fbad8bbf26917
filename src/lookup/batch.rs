//! Runs many jobs on a few threads in order, and delivers each result as soon as it is
//! ready.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Threads per batch. Most of a batch's time is waiting for providers.
pub const WORKERS: usize = 4;

/// Runs every job on so many threads, including this one, and delivers its result with the job's
/// number, in order of completion. Stops early if `take` says that the receiver is gone.
pub fn run<J: Send, R: Send>(
    jobs: Vec<J>,
    workers: usize,
    run: impl Fn(usize, J) -> R + Sync,
    take: impl FnMut(usize, R) -> bool + Send,
) {
    let helpers = workers.min(jobs.len()).saturating_sub(1);
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let listener = Mutex::new(Some(take));
    let work = || {
        while let Some((n, job)) = lock(&queue).next() {
            let result = run(n, job);
            let mut listener = lock(&listener);
            let listens = listener.as_mut().is_some_and(|take| take(n, result));
            if !listens {
                *listener = None;
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            // If no thread can be started, the others do its work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Delivers results in the order of their jobs, buffering those that come too early.
pub struct InOrder<R> {
    waiting: std::collections::BTreeMap<usize, R>,
    next: usize,
}

impl<R> Default for InOrder<R> {
    fn default() -> InOrder<R> {
        InOrder {
            waiting: std::collections::BTreeMap::new(),
            next: 0,
        }
    }
}

impl<R> InOrder<R> {
    /// Takes a result and returns those that can be delivered.
    pub fn push(&mut self, n: usize, result: R) -> Vec<(usize, R)> {
        self.waiting.insert(n, result);
        let mut ready = Vec::new();
        while let Some(result) = self.waiting.remove(&self.next) {
            ready.push((self.next, result));
            self.next += 1;
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_run_once() {
        let mut found = Vec::new();
        run(
            (0..50).collect(),
            4,
            |_, job: u32| job * 2,
            |n, result| {
                found.push((n, result));
                true
            },
        );
        found.sort_unstable();
        let expected: Vec<(usize, u32)> = (0..50).map(|n| (n, n as u32 * 2)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn batch_ends_with_its_receiver() {
        let mut taken = 0;
        run(
            (0..1000).collect(),
            2,
            |_, job: u32| job,
            |_, _| {
                taken += 1;
                taken < 3
            },
        );
        assert_eq!(taken, 3);
    }

    #[test]
    fn results_are_delivered_in_order() {
        let mut order = InOrder::default();
        assert!(order.push(1, "b").is_empty());
        assert_eq!(order.push(0, "a"), [(0, "a"), (1, "b")]);
    }
}
