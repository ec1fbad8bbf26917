//! Whose turn it is. Accounts take turns: the next place goes to the account with the fewest places, among
//! these to the one that was served longest ago, and there to its oldest job.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::jobs::JobRow;

#[derive(Default)]
pub(super) struct Queue {
    is_open: AtomicBool,
    /// A job may have become ready since the last look.
    is_stirred: AtomicBool,
    state: Mutex<Turns>,
}

#[derive(Default)]
struct Turns {
    /// The running jobs and their users.
    running: HashMap<i64, i64>,
    /// When each user was last served, as a number that grows.
    served: HashMap<i64, u64>,
    next: u64,
}

impl Turns {
    fn places(&self, user: i64) -> usize {
        self.running
            .values()
            .filter(|other| **other == user)
            .count()
    }
}

impl Queue {
    /// Jobs may run from now on.
    pub fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
        self.stir();
    }

    pub fn is_open(&self) -> bool {
        self.is_open.load(Ordering::SeqCst)
    }

    /// A job may be ready.
    pub fn stir(&self) {
        self.is_stirred.store(true, Ordering::SeqCst);
    }

    /// Whether a job may have become ready since the last call.
    pub fn take_stir(&self) -> bool {
        self.is_stirred.swap(false, Ordering::SeqCst)
    }

    /// The next of the jobs that may run, which are in the order of their making. An account gets at most so
    /// many places.
    pub fn claim(&self, ready: Vec<JobRow>, places_per_account: usize) -> Option<JobRow> {
        let mut turns = self.lock();
        let mut best: Option<((usize, u64), JobRow)> = None;
        for job in ready {
            if turns.running.contains_key(&job.id) {
                continue;
            }
            let places = turns.places(job.user);
            if places >= places_per_account {
                continue;
            }
            let served = turns.served.get(&job.user).copied().unwrap_or_default();
            let rank = (places, served);
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, job));
            }
        }
        let (_, job) = best?;
        turns.next += 1;
        let next = turns.next;
        turns.served.insert(job.user, next);
        turns.running.insert(job.id, job.user);
        Some(job)
    }

    /// Whether a ready job of an account without a place waits.
    pub fn is_awaited(&self, ready: &[JobRow]) -> bool {
        let turns = self.lock();
        ready.iter().any(|job| turns.places(job.user) == 0)
    }

    /// Gives back the place of a job.
    pub fn release(&self, job: i64) {
        let mut turns = self.lock();
        turns.running.remove(&job);
        drop(turns);
        self.stir();
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::jobs::JobState;

    fn job(id: i64, user: i64) -> JobRow {
        JobRow {
            id,
            uid: id.to_string(),
            user,
            kind: "verify".to_owned(),
            state: JobState::Queued,
            request: String::new(),
            files: 1,
            files_done: 0,
            items: 0,
            results: 0,
            lookups: 0,
            error: None,
            created_at: 0,
            started_at: None,
            ended_at: None,
        }
    }

    #[test]
    fn accounts_take_turns() {
        let queue = Queue::default();
        let ready = || vec![job(1, 1), job(2, 1), job(3, 1), job(4, 2), job(5, 3)];
        let mut order = Vec::new();
        for _ in 0..6 {
            let next = queue.claim(ready(), 1).unwrap();
            order.push(next.user);
            queue.release(next.id);
        }
        assert_eq!(order, [1, 2, 3, 1, 2, 3]);
    }

    #[test]
    fn account_gets_its_share_of_places() {
        let queue = Queue::default();
        let ready = || vec![job(1, 1), job(2, 1), job(3, 1), job(4, 2)];
        assert_eq!(queue.claim(ready(), 2).unwrap().id, 1);
        assert_eq!(queue.claim(ready(), 2).unwrap().id, 4);
        assert_eq!(queue.claim(ready(), 2).unwrap().id, 2);
        assert_eq!(queue.claim(ready(), 2), None);
        assert!(!queue.is_awaited(&ready()));
        queue.release(4);
        assert!(queue.is_awaited(&ready()));
    }
}
