//! Many jobs at once: a few threads take them in order, and each result is handed over as soon as
//! it is there.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, sync_channel};

/// Threads that work on one batch. Most of a batch's time is waiting for providers.
pub const WORKERS: usize = 4;

/// Runs every job and hands over its result with the job's number, in whatever order they end.
/// `run` is called on several threads. Stops early where `take` says that nobody listens any more.
pub fn run<J: Send, R: Send>(
    jobs: Vec<J>,
    workers: usize,
    run: impl Fn(usize, J) -> R + Sync,
    mut take: impl FnMut(usize, R) -> bool,
) {
    let workers = workers.clamp(1, jobs.len().max(1));
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let (sender, results) = sync_channel(workers);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, queue, run) = (sender.clone(), &queue, &run);
            scope.spawn(move || {
                while let Some((n, job)) = next(queue) {
                    if sender.send((n, run(n, job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        drain(results, &mut take);
    });
}

/// Takes results until all are there or nobody wants more; the threads stop when the receiver goes.
fn drain<R>(results: Receiver<(usize, R)>, take: &mut impl FnMut(usize, R) -> bool) {
    for (n, result) in results {
        if !take(n, result) {
            return;
        }
    }
}

fn next<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).next()
}

/// Hands results over in the order of their jobs, keeping back those that come too early.
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
    /// Takes a result and gives those whose turn has come.
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
    fn every_job_is_done_once() {
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
    fn nobody_listening_ends_the_batch() {
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
    fn early_results_wait_for_their_turn() {
        let mut order = InOrder::default();
        assert!(order.push(1, "b").is_empty());
        assert_eq!(order.push(0, "a"), [(0, "a"), (1, "b")]);
    }
}
