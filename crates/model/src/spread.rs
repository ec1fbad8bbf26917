//! Splits work on many items into pieces that several threads of the caller may take in turn.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::budget::{Budget, Exceeded};

/// Runs a work that several threads may run at the same time, each until the work is done or the thread
/// is told to stop: on this thread to the end, on others as available. The argument of the work tells
/// whether to stop.
pub type Run<'r> = dyn Fn(&(dyn Fn(&dyn Fn() -> bool) + Sync)) + 'r;

/// The number of items that a thread takes at a time.
const PIECE: usize = 32;

/// How work runs: on this thread only, or by the caller.
#[derive(Clone, Copy)]
pub struct Spread<'r>(pub Option<&'r Run<'r>>);

impl Spread<'_> {
    /// Returns the results of `step` for each number below `count`, in order. Each thread has its own state,
    /// which `start` creates from its branch of the budget, and takes pieces of consecutive numbers.
    pub fn map<S, T: Send>(
        self,
        budget: &Budget,
        count: usize,
        start: impl Fn(&Budget) -> S + Sync,
        step: impl Fn(&mut S, usize) -> Result<T, Exceeded> + Sync,
    ) -> Result<Vec<T>, Exceeded> {
        let Some(run) = self.0.filter(|_| count >= 2 * PIECE) else {
            let mut state = start(budget);
            return (0..count).map(|at| step(&mut state, at)).collect();
        };
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(count.div_ceil(PIECE)));
        run(&|stops| {
            let budget = budget.branch();
            let mut state = start(&budget);
            while !stops() {
                let from = next.fetch_add(PIECE, Relaxed);
                if from >= count {
                    return;
                }
                let piece = from..count.min(from + PIECE);
                let made: Result<Vec<T>, Exceeded> = piece.map(|at| step(&mut state, at)).collect();
                let failed = made.is_err();
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.push((from, made));
                if failed {
                    return;
                }
            }
        });
        budget.check()?;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(from, _)| *from);
        let mut all = Vec::with_capacity(count);
        for (_, made) in done {
            all.append(&mut made?);
        }
        Ok(all)
    }
}
