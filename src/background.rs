//! Background work: small tasks every two seconds and once more at the end, and threads of low priority.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

/// A task. It logs its own failures and runs again in the next round.
pub type Task = Box<dyn Fn() + Send>;

/// The pause between rounds. After each write of a round, every reader maps the database again.
const PAUSE: Duration = Duration::from_secs(2);

/// The running thread. Dropping it ends the thread after one last round.
pub struct BackgroundTasks {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl BackgroundTasks {
    /// Starts the thread.
    pub fn start(tasks: Vec<Task>) -> std::io::Result<BackgroundTasks> {
        let (stop, stopped) = mpsc::channel();
        let rounds = move || loop {
            let last = stopped.recv_timeout(PAUSE) != Err(RecvTimeoutError::Timeout);
            for task in &tasks {
                task();
            }
            if last {
                return;
            }
        };
        let thread = std::thread::Builder::new()
            .name("background".to_owned())
            .spawn(rounds)?;
        Ok(BackgroundTasks {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for BackgroundTasks {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!(
                "a background task panicked; counts are carried over at the next start"
            );
        }
    }
}

/// The niceness of low-priority threads.
const STEPS_BACK: i32 = 10;

/// Lowers the priority of this thread and of the threads that it starts from now on. No request may wait for
/// such a thread.
pub fn step_back() {
    // Niceness is per thread on Linux only. Elsewhere it would slow the whole process.
    if cfg!(target_os = "linux")
        && let Err(error) = rustix::process::nice(STEPS_BACK)
    {
        tracing::debug!(%error, "this thread keeps its priority");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn last_run_is_at_the_end() {
        let rounds = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&rounds);
        let task = Box::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        drop(BackgroundTasks::start(vec![task]).unwrap());
        assert!(rounds.load(Ordering::SeqCst) >= 1);
    }
}
