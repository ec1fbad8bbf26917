//! One pool: which jobs it admits, and in which order they get slots.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::threads::Threads;
use super::{BlockingError, PoolLimits};
use crate::quota::BurstKey;

#[derive(Debug)]
pub struct Pool {
    pub limits: PoolLimits,
    pub threads: Threads,
    state: Mutex<PoolState>,
}

#[derive(Debug, Default)]
pub struct PoolState {
    pub jobs: usize,
    pub running: usize,
    pub callers: HashMap<BurstKey, CallerJobs>,
    /// Callers with waiting jobs, the next one first.
    turns: VecDeque<BurstKey>,
    /// Jobs that want their slot back.
    returning: VecDeque<(BurstKey, oneshot::Sender<Slot>)>,
}

#[derive(Debug, Default)]
pub struct CallerJobs {
    jobs: usize,
    running: usize,
    waiting: VecDeque<oneshot::Sender<Slot>>,
}

/// The order in which jobs get slots.
#[derive(Clone, Copy, Debug)]
pub enum Priority {
    /// Round robin among the callers, oldest job first.
    InOrder,
    /// Before the other jobs of its caller, so that a job that has started ends before the next starts.
    FirstOfCaller,
    /// Before all jobs that have not started.
    First,
}

/// Counts a job as one of its pool until it is dropped.
#[derive(Debug)]
pub struct Admission {
    pool: Arc<Pool>,
    pub caller: BurstKey,
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.jobs -= 1;
        state.change(self.caller, |caller| caller.jobs -= 1);
    }
}

/// A slot, held until it is dropped.
#[derive(Debug)]
pub struct Slot {
    pool: Option<Arc<Pool>>,
    caller: BurstKey,
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(pool) = self.pool.take() {
            pool.lock().release(self.caller);
            pool.hand_out();
        }
    }
}

impl Pool {
    /// `name` is that of its threads.
    pub fn new(name: &'static str, limits: PoolLimits) -> Pool {
        Pool {
            limits,
            threads: Threads::new(name),
            state: Mutex::default(),
        }
    }

    /// Admits a job, or refuses it if the pool or the caller's share is full.
    pub fn admit(self: &Arc<Pool>, caller: BurstKey) -> Result<Admission, BlockingError> {
        let mut state = self.lock();
        let of_caller = state.callers.get(&caller).map_or(0, |caller| caller.jobs);
        if state.jobs >= self.limits.jobs || of_caller >= self.limits.caller_jobs {
            return Err(BlockingError::Full);
        }
        state.jobs += 1;
        state.callers.entry(caller).or_default().jobs += 1;
        Ok(Admission {
            pool: Arc::clone(self),
            caller,
        })
    }

    /// Requests a slot. Dropping the receiver withdraws the request or releases the slot.
    pub fn ask(self: &Arc<Pool>, caller: BurstKey, priority: Priority) -> oneshot::Receiver<Slot> {
        let (sender, receiver) = oneshot::channel();
        self.lock().queue(caller, priority, sender);
        self.hand_out();
        receiver
    }

    /// Gives the free slots to the jobs that are next.
    fn hand_out(self: &Arc<Pool>) {
        loop {
            let next = self.lock().next(&self.limits);
            let Some((caller, waiting)) = next else {
                return;
            };
            let slot = Slot {
                pool: Some(Arc::clone(self)),
                caller,
            };
            if let Err(mut slot) = waiting.send(slot) {
                // The receiver is gone. Dropping the slot would call this function again, ever deeper.
                slot.pool = None;
                self.lock().release(caller);
            }
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PoolState {
    /// Whether a job waits for a slot.
    pub fn has_waiting(&self) -> bool {
        !self.turns.is_empty() || !self.returning.is_empty()
    }

    fn queue(&mut self, key: BurstKey, priority: Priority, sender: oneshot::Sender<Slot>) {
        if let Priority::First = priority {
            self.returning.push_back((key, sender));
            return;
        }
        let caller = self.callers.entry(key).or_default();
        if caller.waiting.is_empty() {
            self.turns.push_back(key);
        }
        // Canceled requests must not pile up.
        if caller.waiting.len() > caller.jobs {
            caller.waiting.retain(|sender| !sender.is_closed());
        }
        match priority {
            Priority::FirstOfCaller => caller.waiting.push_front(sender),
            _ => caller.waiting.push_back(sender),
        }
    }

    /// Takes a free slot for the job that is next.
    fn next(&mut self, limits: &PoolLimits) -> Option<(BurstKey, oneshot::Sender<Slot>)> {
        if self.running >= limits.slots {
            return None;
        }
        let (key, sender) = match self.returning.pop_front() {
            Some(next) => next,
            None => self.next_in_order(limits.caller_slots)?,
        };
        self.running += 1;
        self.callers.entry(key).or_default().running += 1;
        Some((key, sender))
    }

    fn next_in_order(&mut self, caller_slots: usize) -> Option<(BurstKey, oneshot::Sender<Slot>)> {
        let callers = &self.callers;
        let may_run = |key: &BurstKey| callers.get(key).is_some_and(|c| c.running < caller_slots);
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

    /// Changes the counts of a caller, and drops a caller without jobs.
    fn change(&mut self, key: BurstKey, change: impl FnOnce(&mut CallerJobs)) {
        if let Some(caller) = self.callers.get_mut(&key) {
            change(caller);
            if caller.jobs == 0 && caller.running == 0 && caller.waiting.is_empty() {
                self.callers.remove(&key);
            }
        }
    }
}
