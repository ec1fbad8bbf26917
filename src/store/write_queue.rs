//! Write turns within the process: urgent writers go before bulk writers, so that an ingest delays
//! nobody by more than the one batch being written.

use std::sync::{Condvar, Mutex};

use super::lock;

#[derive(Default)]
pub struct WriteQueue {
    state: Mutex<QueueState>,
    free: Condvar,
}

#[derive(Default)]
struct QueueState {
    taken: bool,
    urgent_waiting: usize,
}

/// The right to write, until dropped.
pub struct WriteGuard<'a>(&'a WriteQueue);

impl WriteQueue {
    /// Waits for the current writer.
    pub fn urgent(&self) -> WriteGuard<'_> {
        let mut state = lock(&self.state);
        state.urgent_waiting += 1;
        while state.taken {
            state = wait(&self.free, state);
        }
        state.urgent_waiting -= 1;
        state.taken = true;
        WriteGuard(self)
    }

    /// Whether an urgent writer waits.
    pub fn is_awaited(&self) -> bool {
        lock(&self.state).urgent_waiting > 0
    }

    /// Waits for the current writer and for every urgent writer.
    pub fn patient(&self) -> WriteGuard<'_> {
        let mut state = lock(&self.state);
        while state.taken || state.urgent_waiting > 0 {
            state = wait(&self.free, state);
        }
        state.taken = true;
        WriteGuard(self)
    }
}

fn wait<'a>(
    free: &Condvar,
    state: std::sync::MutexGuard<'a, QueueState>,
) -> std::sync::MutexGuard<'a, QueueState> {
    free.wait(state)
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Drop for WriteGuard<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).taken = false;
        // Both kinds wait on one condition, so all must check.
        self.0.free.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn urgent_writer_precedes_a_background_writer() {
        let write_queue = Arc::new(WriteQueue::default());
        let urgent_done = Arc::new(AtomicBool::new(false));
        let first = write_queue.patient();
        let urgent = std::thread::spawn({
            let (write_queue, done) = (write_queue.clone(), urgent_done.clone());
            move || {
                let _turn = write_queue.urgent();
                done.store(true, Ordering::SeqCst);
            }
        });
        while lock(&write_queue.state).urgent_waiting == 0 {
            std::thread::yield_now();
        }
        drop(first);
        let _second = write_queue.patient();
        assert!(urgent_done.load(Ordering::SeqCst));
        urgent.join().unwrap();
    }
}
