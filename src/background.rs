//! Background work: small tasks every two seconds and once more at the end, and threads of low priority.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// The state of a [`SingleTask`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TaskState {
    /// Not started since the program started.
    #[default]
    Idle,
    /// How far it is.
    Running(String),
    /// What it did.
    Done(String),
    /// Why it failed.
    Failed(String),
}

/// A task that somebody starts, which runs once at a time; its last result is kept.
#[derive(Debug, Default)]
pub struct SingleTask(Mutex<TaskState>);

impl SingleTask {
    pub fn state(&self) -> TaskState {
        self.lock().clone()
    }

    /// Starts the task in a thread of low priority; false if it is running already. `work` reports how far
    /// it is, and returns what it did or why it failed.
    pub fn start(
        self: &Arc<SingleTask>,
        name: &str,
        work: impl FnOnce(&dyn Fn(String)) -> Result<String, String> + Send + 'static,
    ) -> std::io::Result<bool> {
        let mut state = self.lock();
        if matches!(*state, TaskState::Running(_)) {
            return Ok(false);
        }
        let task = Arc::clone(self);
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                step_back();
                // A task that panics has failed, and can be started again.
                let mut ended = TaskEnd {
                    task: &task,
                    state: TaskState::Failed("The task broke off; see the log.".to_owned()),
                };
                let report = |progress| *task.lock() = TaskState::Running(progress);
                ended.state = match work(&report) {
                    Ok(done) => TaskState::Done(done),
                    Err(reason) => TaskState::Failed(reason),
                };
            })?;
        *state = TaskState::Running(String::new());
        Ok(true)
    }

    fn lock(&self) -> MutexGuard<'_, TaskState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets the last state of a task when it ends.
struct TaskEnd<'t> {
    task: &'t SingleTask,
    state: TaskState,
}

impl Drop for TaskEnd<'_> {
    fn drop(&mut self) {
        *self.task.lock() = std::mem::take(&mut self.state);
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn single_task_runs_once_at_a_time() {
        let task = Arc::new(SingleTask::default());
        let (go, wait) = mpsc::channel::<()>();
        let started = task.start("test", move |_| {
            let _ = wait.recv();
            Ok("done".to_owned())
        });
        assert!(started.unwrap());
        assert!(!task.start("test", |_| Ok(String::new())).unwrap());
        drop(go);
        while matches!(task.state(), TaskState::Running(_)) {
            std::thread::yield_now();
        }
        assert_eq!(task.state(), TaskState::Done("done".to_owned()));
    }

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
