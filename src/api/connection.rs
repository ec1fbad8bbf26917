//! Open connections: their number, by address and in total, whom each one waits for, and
//! which ones are closed because their client keeps the server waiting.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
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

/// All open connections.
#[derive(Debug)]
pub struct Connections {
    limit: usize,
    limit_per_address: usize,
    open: Mutex<Open>,
    left: Notify,
}

#[derive(Debug, Default)]
struct Open {
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

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
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

/// One open connection.
#[derive(Debug)]
pub struct Connection {
    id: u64,
    address: Option<Address>,
    /// Its address has too many connections that the server works on: requests are rejected.
    is_surplus: bool,
    closing: Notify,
    activity: Mutex<Activity>,
}

/// The state of a connection.
#[derive(Debug)]
struct Activity {
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
    fn new() -> Activity {
        Activity {
            exchanges: Vec::new(),
            next_id: 0,
            has_served: false,
            idle_since: Instant::now(),
            blocked_since: None,
        }
    }

    /// Since when the connection waits only for its client.
    fn waiting_since(&self) -> Option<Instant> {
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
    fn oldest_write(&self) -> Option<Instant> {
        let written = self.exchanges.iter().filter_map(|(_, phase)| match phase {
            Phase::Writing(since) => Some(*since),
            Phase::Working | Phase::Reading(_) => None,
        });
        written.min()
    }

    /// When the client will have exceeded its time. Bodies are timed where
    /// they are read.
    fn deadline(&self, timeouts: &Timeouts) -> Option<Instant> {
        if !self.exchanges.is_empty() {
            return self.oldest_write().map(|since| since + timeouts.write);
        }
        // The end of an answer is in hyper's buffer when its exchange is over.
        if let Some(since) = self.blocked_since {
            return Some(since + timeouts.write);
        }
        let allowed = match self.has_served {
            true => timeouts.idle,
            false => timeouts.header,
        };
        Some(self.idle_since + allowed)
    }
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
    fn sending(&self, is_blocked: bool) {
        let mut activity = self.activity();
        activity.blocked_since = match is_blocked {
            true => activity.blocked_since.or_else(|| Some(Instant::now())),
            false => None,
        };
    }

    fn activity(&self) -> MutexGuard<'_, Activity> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The stream of a connection, which shows whether the client reads the answer.
pub struct ClientStream<S> {
    stream: S,
    connection: Arc<Connection>,
}

impl<S> ClientStream<S> {
    pub fn new(stream: S, connection: Arc<Connection>) -> ClientStream<S> {
        ClientStream { stream, connection }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.connection.sending(written.is_pending());
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.connection.sending(written.is_pending());
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
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
    fn writing(&self) {
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

/// The body of an answer. It is passed on in small parts, to see whether the client reads them.
pub struct Answer<B> {
    body: B,
    /// The rest of the last part from the body.
    rest: Bytes,
    exchange: Arc<Exchange>,
}

/// Bytes passed on at once.
const PART_BYTES: usize = 64 << 10;

impl<B> Answer<B> {
    pub fn new(body: B, exchange: Arc<Exchange>) -> Answer<B> {
        exchange.writing();
        Answer {
            body,
            rest: Bytes::new(),
            exchange,
        }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Answer<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let answer = &mut *self;
        if answer.rest.is_empty() {
            let made = Pin::new(&mut answer.body).poll_frame(context);
            match made {
                Poll::Pending => {
                    answer.exchange.working();
                    return Poll::Pending;
                }
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => answer.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                ended => return ended,
            }
        }
        answer.exchange.writing();
        let length = answer.rest.len().min(PART_BYTES);
        Poll::Ready(Some(Ok(Frame::data(answer.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
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
    fn longest_waiting_connection_gives_way() {
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
    fn address_with_most_connections_gives_way_first() {
        let connections = connections(3, 3);
        let modest = open(&connections, "192.0.2.1");
        let flood = open(&connections, "2001:db8::1");
        open(&connections, "2001:db8::2");
        open(&connections, "192.0.2.3");
        assert!(is_open(&connections, &modest));
        assert!(!is_open(&connections, &flood));
    }

    #[test]
    fn address_over_its_limit_gives_way_to_itself() {
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
    fn connection_at_work_never_gives_way() {
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
    fn each_wait_for_the_client_has_its_end() {
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
