//! Work that has time: it gets the processors only as far as nobody else wants them.

/// How far it stands behind others, in the system's steps of niceness.
const STEPS_BACK: i32 = 10;

/// Puts this thread behind others, and the threads that it starts from now on. Nobody may have to
/// wait for such a thread.
pub fn step_back() {
    // Linux counts niceness by thread. Elsewhere it is the process's, which has requests to answer.
    if cfg!(target_os = "linux")
        && let Err(error) = rustix::process::nice(STEPS_BACK)
    {
        tracing::debug!(%error, "this thread keeps its priority");
    }
}
