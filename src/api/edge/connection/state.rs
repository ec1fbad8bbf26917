//! One connection: its requests, whom each one waits for, and its time-outs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::config::ServerSettings;
use crate::quota::address::Address;

/// How long a client may keep a connection waiting.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From opening to the end of the first request's headers. Hyper times later ones.
    header: Duration,
    /// Without a request.
    idle: Duration,
    /// Without reading from an answer.
    write: Duration,
}

impl Timeouts {
    pub fn new(settings: &ServerSettings) -> Timeouts {
        Timeouts {
            header: settings.header_timeout(),
            idle: settings.keep_alive(),
            write: settings.write_timeout(),
        }
    }

    /// How often a connection is checked. A time-out is late by this at most.
    fn interval(&self) -> Duration {
        self.header.min(self.idle).min(self.write) / 4
    }
}

/// One open connection.
#[derive(Debug)]
pub struct Connection {
    pub(super) id: u64,
    pub(super) address: Option<Address>,
    /// Its address has too many connections that the server works on: requests are rejected.
    pub(super) is_surplus: bool,
    pub(super) closing: Notify,
    pub(super) activity: Mutex<Activity>,
}

impl Connection {
    /// Registers a request whose headers have arrived.
    pub fn begin(self: &Arc<Connection>) -> Arc<Exchange> {
        let mut activity = self.activity();
        let id = activity.next_id;
        activity.next_id += 1;
        activity.has_served = true;
        activity.exchanges.push((id, Phase::Working));
        drop(activity);
        Arc::new(Exchange {
            id,
            connection: Arc::clone(self),
        })
    }

    /// Number of requests whose headers have arrived so far.
    pub(super) fn begun(&self) -> u64 {
        self.activity().next_id
    }

    /// Whether no request is running.
    pub(super) fn is_between_requests(&self) -> bool {
        self.activity().exchanges.is_empty()
    }

    /// Returns when the connection has to be closed for another one.
    pub async fn gives_way(&self) {
        self.closing.notified().await;
    }

    /// Returns when the client has exceeded its time.
    pub async fn overdue(&self, timeouts: &Timeouts) {
        loop {
            let now = Instant::now();
            let mut wake = now + timeouts.interval();
            if let Some(deadline) = self.activity().deadline(timeouts) {
                if deadline <= now {
                    return;
                }
                wake = wake.min(deadline);
            }
            tokio::time::sleep_until(wake).await;
        }
    }

    /// Records whether the client reads the answer.
    pub(super) fn sending(&self, is_blocked: bool) {
        let mut activity = self.activity();
        activity.blocked_since = if is_blocked {
            activity.blocked_since.or_else(|| Some(Instant::now()))
        } else {
            None
        };
    }

    pub(super) fn activity(&self) -> MutexGuard<'_, Activity> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One request and its answer. Dropping it ends it.
#[derive(Debug)]
pub struct Exchange {
    id: u64,
    connection: Arc<Connection>,
}

impl Exchange {
    /// Whether the request comes over a surplus connection.
    pub fn is_surplus(&self) -> bool {
        self.connection.is_surplus
    }

    /// The server works on the request.
    pub fn working(&self) {
        self.enter(Phase::Working);
    }

    /// The client must send the next part of the body.
    pub fn reading(&self) {
        self.enter(Phase::Reading(Instant::now()));
    }

    /// The client must read the answer so far.
    pub(super) fn writing(&self) {
        self.enter(Phase::Writing(Instant::now()));
    }

    fn enter(&self, phase: Phase) {
        let mut activity = self.connection.activity();
        let mine = activity.exchanges.iter_mut().find(|(id, _)| *id == self.id);
        if let Some((_, present)) = mine {
            *present = phase;
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let mut activity = self.connection.activity();
        activity.exchanges.retain(|(id, _)| *id != self.id);
        activity.idle_since = Instant::now();
    }
}

/// The state of a connection.
#[derive(Debug)]
pub(super) struct Activity {
    /// The running requests; over HTTP/2 there may be several.
    exchanges: Vec<(u64, Phase)>,
    next_id: u64,
    has_served: bool,
    idle_since: Instant,
    /// Since when the client reads nothing of the answer.
    blocked_since: Option<Instant>,
}

/// Whom a request waits for; for the client: since when.
#[derive(Clone, Copy, Debug)]
enum Phase {
    Working,
    Reading(Instant),
    Writing(Instant),
}

impl Activity {
    pub(super) fn new() -> Activity {
        Activity {
            exchanges: Vec::new(),
            next_id: 0,
            has_served: false,
            idle_since: Instant::now(),
            blocked_since: None,
        }
    }

    /// Since when the connection waits only for its client.
    pub(super) fn waiting_since(&self) -> Option<Instant> {
        let mut latest = None;
        for (_, phase) in &self.exchanges {
            match phase {
                Phase::Working => return None,
                Phase::Reading(since) | Phase::Writing(since) => latest = latest.max(Some(*since)),
            }
        }
        Some(latest.unwrap_or(self.idle_since))
    }

    /// When the answer that has been unread longest was last read from.
    pub(super) fn oldest_write(&self) -> Option<Instant> {
        let written = self.exchanges.iter().filter_map(|(_, phase)| match phase {
            Phase::Writing(since) => Some(*since),
            Phase::Working | Phase::Reading(_) => None,
        });
        written.min()
    }

    /// When the client will have exceeded its time. Bodies are timed where
    /// they are read.
    pub(super) fn deadline(&self, timeouts: &Timeouts) -> Option<Instant> {
        if !self.exchanges.is_empty() {
            return self.oldest_write().map(|since| since + timeouts.write);
        }
        // The end of an answer is in hyper's buffer when its exchange is over.
        if let Some(since) = self.blocked_since {
            return Some(since + timeouts.write);
        }
        let allowed = if self.has_served {
            timeouts.idle
        } else {
            timeouts.header
        };
        Some(self.idle_since + allowed)
    }
}
