//! Open connections: their number, by address and in total, whom each one waits for, and
//! which ones are closed because their client keeps the server waiting.

mod answer;
mod refusal;
mod state;
mod stream;

pub use answer::Answer;
pub use state::{Connection, Exchange, Timeouts};
pub use stream::ClientStream;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use self::state::Activity;
use crate::config::ServerSettings;
use crate::quota::address::Address;

/// All open connections.
#[derive(Debug)]
pub struct Connections {
    limit: usize,
    limit_per_address: usize,
    open: Mutex<OpenConnections>,
    left: Notify,
}

#[derive(Debug, Default)]
struct OpenConnections {
    connections: HashMap<u64, Arc<Connection>>,
    by_address: HashMap<Address, usize>,
    next_id: u64,
}

/// How often to check for a connection that can be closed, while the server works on all of them.
const RETRY: Duration = Duration::from_millis(10);

/// How long a reader may pause while another answer needs memory.
const STALL: Duration = Duration::from_secs(1);

impl Connections {
    pub fn new(settings: &ServerSettings) -> Connections {
        Connections {
            limit: settings.max_connections as usize,
            limit_per_address: settings.max_connections_per_address as usize,
            open: Mutex::default(),
            left: Notify::new(),
        }
    }

    /// Registers a connection. `address` is `None` for a trusted proxy, which represents many
    /// clients and only counts in the total.
    ///
    /// If there are too many, the connection that has waited longest for its client is closed,
    /// among those of the address with the most. If the server works on all of an address, the
    /// new one is surplus; if it works on all connections, this waits.
    pub async fn enter(self: &Arc<Connections>, address: Option<Address>) -> Membership {
        loop {
            if let Some(connection) = self.try_enter(address) {
                return Membership {
                    connection,
                    connections: Arc::clone(self),
                };
            }
            let _ = tokio::time::timeout(RETRY, self.left.notified()).await;
        }
    }

    fn try_enter(&self, address: Option<Address>) -> Option<Arc<Connection>> {
        let mut open = self.open();
        let is_surplus = address.is_some_and(|address| {
            open.count(Some(address)) >= self.limit_per_address && !open.close_one(Some(address))
        });
        if open.connections.len() >= self.limit && !open.close_one(None) {
            return None;
        }
        let connection = Arc::new(Connection {
            id: open.next_id,
            address,
            is_surplus,
            closing: Notify::new(),
            activity: Mutex::new(Activity::new()),
        });
        open.next_id += 1;
        if let Some(address) = address {
            *open.by_address.entry(address).or_default() += 1;
        }
        open.connections
            .insert(connection.id, Arc::clone(&connection));
        Some(connection)
    }

    /// Closes the connections whose clients have stopped reading an answer.
    pub fn close_stalled(&self) {
        let stalled = |connection: &&Arc<Connection>| {
            let written = connection.activity().oldest_write();
            written.is_some_and(|since| since.elapsed() >= STALL)
        };
        for connection in self.open().connections.values().filter(stalled) {
            connection.closing.notify_one();
        }
    }

    /// Returns when no connection is open. Only one task may wait here or in [`Connections::enter`].
    pub async fn closed(&self) {
        while !self.open().connections.is_empty() {
            self.left.notified().await;
        }
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn count(&self, address: Option<Address>) -> usize {
        let count = address.and_then(|address| self.by_address.get(&address));
        count.copied().unwrap_or_default()
    }

    /// Closes the connection, of one address or of all, that waits longest. False if the server
    /// works on all of them.
    fn close_one(&mut self, of: Option<Address>) -> bool {
        let candidates = self.connections.values().filter_map(|connection| {
            let since = connection.activity().waiting_since()?;
            let is_meant = of.is_none() || of == connection.address;
            is_meant.then(|| (self.count(connection.address), since, connection))
        });
        let chosen = candidates
            .max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, _, connection)| Arc::clone(connection));
        let Some(chosen) = chosen else {
            return false;
        };
        chosen.closing.notify_one();
        self.remove(&chosen);
        true
    }

    fn remove(&mut self, connection: &Connection) {
        if self.connections.remove(&connection.id).is_none() {
            return;
        }
        if let Some(address) = connection.address
            && let Some(count) = self.by_address.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                self.by_address.remove(&address);
            }
        }
    }
}

/// A registered connection; dropping it removes the registration.
#[derive(Debug)]
pub struct Membership {
    pub connection: Arc<Connection>,
    connections: Arc<Connections>,
}

impl Drop for Membership {
    fn drop(&mut self) {
        self.connections.open().remove(&self.connection);
        self.connections.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(limit: u32, limit_per_address: u32) -> Connections {
        Connections::new(&ServerSettings {
            max_connections: limit,
            max_connections_per_address: limit_per_address,
            ..ServerSettings::default()
        })
    }

    fn open(connections: &Connections, address: &str) -> Arc<Connection> {
        let address = Address::of(address.parse().unwrap());
        connections.try_enter(Some(address)).unwrap()
    }

    fn is_open(connections: &Connections, connection: &Connection) -> bool {
        connections.open().connections.contains_key(&connection.id)
    }

    #[test]
    fn longest_waiting_connection_is_closed() {
        let connections = connections(2, 2);
        let first = open(&connections, "192.0.2.1");
        let second = open(&connections, "192.0.2.2");
        // After a request the first one is the younger one.
        drop(first.begin());
        let third = open(&connections, "192.0.2.3");
        assert!(is_open(&connections, &first) && is_open(&connections, &third));
        assert!(!is_open(&connections, &second));
    }

    #[test]
    fn connection_of_the_busiest_address_is_closed_first() {
        let connections = connections(3, 3);
        let modest = open(&connections, "192.0.2.1");
        let flood = open(&connections, "2001:db8::1");
        open(&connections, "2001:db8::2");
        open(&connections, "192.0.2.3");
        assert!(is_open(&connections, &modest));
        assert!(!is_open(&connections, &flood));
    }

    #[test]
    fn address_over_its_limit_loses_its_own_connection() {
        let connections = connections(10, 2);
        let other = open(&connections, "192.0.2.1");
        let [first, second, third] = [(); 3].map(|()| open(&connections, "192.0.2.2"));
        assert!(!is_open(&connections, &first));
        assert!(
            [other, second, third]
                .iter()
                .all(|c| is_open(&connections, c))
        );
    }

    #[test]
    fn working_connection_is_never_closed() {
        let connections = connections(2, 1);
        let first = open(&connections, "192.0.2.1");
        let exchange = first.begin();
        let surplus = open(&connections, "192.0.2.1");
        let turned_away = surplus.begin();
        assert!(turned_away.is_surplus() && !exchange.is_surplus());
        assert!(connections.try_enter(None).is_none());
        // When the client has to continue, the server no longer works.
        turned_away.reading();
        assert!(connections.try_enter(None).is_some());
        assert!(is_open(&connections, &first) && !is_open(&connections, &surplus));
    }

    #[test]
    fn trusted_proxy_is_counted_with_all_others_only() {
        let connections = connections(3, 1);
        let proxy = connections.try_enter(None).unwrap();
        assert!(!connections.try_enter(None).unwrap().is_surplus);
        let client = open(&connections, "192.0.2.1");
        connections.try_enter(None).unwrap();
        assert!(is_open(&connections, &proxy) && !is_open(&connections, &client));
    }

    #[test]
    fn waits_for_the_client_time_out() {
        let settings = ServerSettings {
            header_timeout_ms: 1_000,
            keep_alive_ms: 4_000,
            write_timeout_ms: 2_000,
            ..ServerSettings::default()
        };
        let timeouts = Timeouts::new(&settings);
        let connection = connections(1, 1).try_enter(None).unwrap();
        let wait = || {
            let activity = connection.activity();
            let since = activity.waiting_since()?;
            Some(
                activity
                    .deadline(&timeouts)?
                    .duration_since(since)
                    .as_secs(),
            )
        };
        assert_eq!(wait(), Some(1), "for the first request");
        let exchange = connection.begin();
        assert_eq!(wait(), None, "while the server works");
        exchange.reading();
        assert_eq!(wait(), None, "for a body, which is timed where it is read");
        exchange.writing();
        assert_eq!(wait(), Some(2), "for an answer to be read");
        drop(exchange);
        assert_eq!(wait(), Some(4), "for the next request");
        connection.sending(true);
        assert_eq!(wait(), Some(2), "for the end of an answer to be read");
        connection.sending(false);
        assert_eq!(wait(), Some(4), "for the next request again");
    }
}
