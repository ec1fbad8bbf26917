//! Threads that run jobs. A job goes to the thread that became idle last, so few threads do most of the
//! work: their caches are warm, and the allocator keeps the memory of large jobs for few threads only.

use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, ThreadId};
use std::time::Duration;

/// How long an idle thread waits for a job before it ends.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

type Task = Box<dyn FnOnce() + Send>;

/// The threads of one pool. They are as many as jobs run at the same time: the caller bounds that.
#[derive(Clone, Debug)]
pub struct Threads(Arc<SharedThreads>);

#[derive(Debug)]
struct SharedThreads {
    /// Of the threads, as the system shows it.
    name: &'static str,
    keep_alive: Duration,
    state: Mutex<ThreadsState>,
    finished: Condvar,
}

#[derive(Debug, Default)]
struct ThreadsState {
    /// The last one became idle last.
    idle: Vec<(ThreadId, Sender<Task>)>,
    running: usize,
}

impl Threads {
    pub fn new(name: &'static str) -> Threads {
        Threads::with_keep_alive(name, KEEP_ALIVE)
    }

    fn with_keep_alive(name: &'static str, keep_alive: Duration) -> Threads {
        Threads(Arc::new(SharedThreads {
            name,
            keep_alive,
            state: Mutex::default(),
            finished: Condvar::new(),
        }))
    }

    /// Runs `task` on its own thread until it returns or panics. Fails if the system cannot start another
    /// thread.
    pub fn run(&self, task: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let task: Task = Box::new(task);
        let mut state = self.0.lock();
        state.running += 1;
        let task = match state.idle.pop() {
            Some((_, tasks)) => match tasks.send(task) {
                Ok(()) => return Ok(()),
                Err(unsent) => unsent.0,
            },
            None => task,
        };
        drop(state);
        let shared = Arc::clone(&self.0);
        let started = Builder::new()
            .name(shared.name.to_owned())
            .spawn(move || shared.work(task));
        if started.is_err() {
            self.0.lock().running -= 1;
        }
        started.map(drop)
    }

    /// Waits until no job runs. False if some still run after `patience`.
    pub fn wait_until_idle(&self, patience: Duration) -> bool {
        let waited = self
            .0
            .finished
            .wait_timeout_while(self.0.lock(), patience, |state| state.running > 0);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.running == 0
    }
}

impl SharedThreads {
    /// One thread: runs a task, then those it is sent while it is idle.
    fn work(&self, first: Task) {
        let (tasks, mine) = channel();
        let mut next = Some(first);
        while let Some(task) = next {
            // The panic hook has logged it; a waiting caller learns of it from the channel.
            let _ = std::panic::catch_unwind(AssertUnwindSafe(task));
            let mut state = self.lock();
            state.running -= 1;
            if state.running == 0 {
                self.finished.notify_all();
            }
            state
                .idle
                .push((std::thread::current().id(), tasks.clone()));
            drop(state);
            next = self.next(&mine);
        }
    }

    /// The next task, or none when the thread has been idle for too long.
    fn next(&self, mine: &Receiver<Task>) -> Option<Task> {
        match mine.recv_timeout(self.keep_alive) {
            Ok(task) => return Some(task),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let mut state = self.lock();
        let id = std::thread::current().id();
        let at = state.idle.iter().position(|(idle, _)| *idle == id);
        match at {
            Some(at) => {
                state.idle.remove(at);
                None
            }
            // It was chosen at the last moment.
            None => {
                drop(state);
                mine.recv().ok()
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, ThreadsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The thread of a job, while `others` go on.
    fn thread_id(threads: &Threads, others: usize) -> ThreadId {
        let (sender, receiver) = channel();
        let tell = move || sender.send(std::thread::current().id()).unwrap();
        threads.run(tell).unwrap();
        let id = receiver.recv().unwrap();
        while threads.0.lock().running > others {
            std::thread::yield_now();
        }
        id
    }

    fn id(threads: &Threads) -> ThreadId {
        thread_id(threads, 0)
    }

    #[test]
    fn job_runs_on_the_last_idle_thread() {
        let threads = Threads::new("test");
        let (end, ended) = channel::<()>();
        threads
            .run(move || ended.recv().unwrap_or_default())
            .unwrap();
        let second = thread_id(&threads, 1);
        end.send(()).unwrap();
        assert!(threads.wait_until_idle(Duration::from_secs(60)));
        let first = id(&threads);
        assert_ne!(first, second);
        assert_eq!(id(&threads), first);
    }

    #[test]
    fn thread_survives_a_panic() {
        let threads = Threads::new("test");
        let before = id(&threads);
        threads.run(|| panic!("on purpose")).unwrap();
        assert!(threads.wait_until_idle(Duration::from_secs(60)));
        assert_eq!(id(&threads), before);
    }

    #[test]
    fn idle_thread_ends() {
        let threads = Threads::with_keep_alive("test", Duration::from_millis(1));
        id(&threads);
        while !threads.0.lock().idle.is_empty() {
            std::thread::yield_now();
        }
        id(&threads);
    }

    #[test]
    fn shutdown_waits_for_the_running_job() {
        let threads = Threads::new("test");
        let (end, ended) = channel::<()>();
        threads
            .run(move || ended.recv().unwrap_or_default())
            .unwrap();
        assert!(!threads.wait_until_idle(Duration::ZERO));
        end.send(()).unwrap();
        assert!(threads.wait_until_idle(Duration::from_secs(60)));
    }
}
