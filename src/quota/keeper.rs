//! The thread that carries counts into the database and does other small chores, four times a
//! second and once more at the end.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

/// A chore. What fails in it is logged by itself, and it is done again in the next round.
pub type Chore = Box<dyn Fn() + Send>;

/// How long a round waits for the next.
const PAUSE: Duration = Duration::from_millis(250);

/// The running thread. Dropping it ends the thread after one last round.
pub struct Keeper {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread.
    pub fn start(chores: Vec<Chore>) -> std::io::Result<Keeper> {
        let (stop, stopped) = mpsc::channel();
        let rounds = move || loop {
            let last = stopped.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout);
            for chore in &chores {
                chore();
            }
            if last {
                return;
            }
        };
        let thread = std::thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(rounds)?;
        Ok(Keeper {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("a chore panicked; counts are carried over at the next start");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_last_round_is_made_at_the_end() {
        let rounds = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&rounds);
        let chore = Box::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        drop(Keeper::start(vec![chore]).unwrap());
        assert!(rounds.load(Ordering::SeqCst) >= 1);
    }
}
