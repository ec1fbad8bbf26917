//! The one step from async into the core: a bounded number of blocking jobs, and a refusal where
//! a growing queue would be.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// Runs blocking jobs on tokio's blocking threads.
#[derive(Clone, Debug)]
pub struct Blocking {
    /// Jobs that run or wait for a thread.
    admitted: Arc<Semaphore>,
    capacity: usize,
}

/// Why a job was not run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockingError {
    /// As many jobs as are allowed run or wait already.
    #[error("too many jobs are waiting")]
    Full,
    /// The job panicked; the panic has been logged by the hook.
    #[error("the job panicked")]
    Panicked,
}

impl Blocking {
    /// Admits at most `capacity` jobs at once, running and waiting together.
    pub fn new(capacity: usize) -> Blocking {
        Blocking {
            admitted: Arc::new(Semaphore::new(capacity)),
            capacity,
        }
    }

    /// Runs `job` on a blocking thread.
    pub async fn run<T, F>(&self, job: F) -> Result<T, BlockingError>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let permit = Arc::clone(&self.admitted)
            .try_acquire_owned()
            .map_err(|_| BlockingError::Full)?;
        tokio::task::spawn_blocking(move || {
            // The permit goes with the job and not with the caller: a caller that goes away
            // leaves the job running, and it must go on counting.
            let _permit = permit;
            job()
        })
        .await
        .map_err(|_| BlockingError::Panicked)
    }

    /// Jobs that run or wait now.
    pub fn in_use(&self) -> usize {
        self.capacity - self.admitted.available_permits()
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn what_does_not_fit_is_refused_and_a_panic_is_contained() {
        let blocking = Blocking::new(1);
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let first = tokio::spawn({
            let blocking = blocking.clone();
            async move { blocking.run(move || wait.recv().is_ok()).await }
        });
        while blocking.in_use() == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(blocking.run(|| 1).await, Err(BlockingError::Full));
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Ok(true));
        let panicked = blocking.run(|| panic!("on purpose")).await;
        assert_eq!(panicked, Err::<(), _>(BlockingError::Panicked));
        assert_eq!(blocking.run(|| 1).await, Ok(1));
    }
}
