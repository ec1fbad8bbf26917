//! Background work: small tasks every two seconds and once more at the end, and threads of low priority.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

/// A task. It logs its own failures and runs again in the next round.
pub type Task = Box<dyn Fn() + Send>;

/// The pause between rounds. After each write of a round, every reader maps the database again.
const PAUSE: Duration = Duration::from_secs(2);

/// A running thread. Dropping it stops the thread and waits until it has ended.
pub struct BackgroundThread {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Tells a thread when to stop.
pub struct Stop(mpsc::Receiver<()>);

impl Stop {
    /// Sleeps; true if the thread must stop.
    pub fn wait(&self, longest: Duration) -> bool {
        self.0.recv_timeout(longest) != Err(RecvTimeoutError::Timeout)
    }
}

impl BackgroundThread {
    /// Starts a thread, which must look at [`Stop`] again and again.
    pub fn start(
        name: &str,
        run: impl FnOnce(Stop) + Send + 'static,
    ) -> std::io::Result<BackgroundThread> {
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || run(Stop(stopped)))?;
        Ok(BackgroundThread {
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Runs tasks in rounds, with one last round at the end.
    pub fn run_tasks(tasks: Vec<Task>) -> std::io::Result<BackgroundThread> {
        BackgroundThread::start("background", move |stop| {
            loop {
                let is_last = stop.wait(PAUSE);
                tasks.iter().for_each(|task| task());
                if is_last {
                    return;
                }
            }
        })
    }
}

impl Drop for BackgroundThread {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take()
            && let name = thread.thread().name().unwrap_or_default().to_owned()
            && thread.join().is_err()
        {
            // Counts are carried over at the next start.
            tracing::error!("the thread “{name}” panicked");
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
        drop(BackgroundThread::run_tasks(vec![task]).unwrap());
        assert!(rounds.load(Ordering::SeqCst) >= 1);
    }
}
