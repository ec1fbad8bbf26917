//! Cancels reading from a provider when nobody waits for the answer. A socket has a single time-out
//! and does not know requests, so a read consists of short ones.

use std::cell::RefCell;
use std::time::Instant;

use ureq::unversioned::transport::time::Duration;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, NextTimeout, RustlsConnector, TcpConnector, Transport,
};

use super::deadline::{ASK_AGAIN, Deadline};

thread_local! {
    /// The request that this thread reads for.
    static DEADLINE: RefCell<Option<Deadline>> = const { RefCell::new(None) };
}

/// While it lives, reads of this thread end when the request is cancelled.
pub(super) struct ReadWatch(());

impl ReadWatch {
    pub fn of(deadline: &Deadline) -> ReadWatch {
        DEADLINE.set(Some(deadline.clone()));
        ReadWatch(())
    }
}

impl Drop for ReadWatch {
    fn drop(&mut self) {
        DEADLINE.set(None);
    }
}

fn is_given_up() -> bool {
    DEADLINE.with_borrow(|deadline| deadline.as_ref().is_some_and(Deadline::is_given_up))
}

/// Connects by TCP, and TLS if the address requires it.
pub(super) fn connector() -> impl Connector {
    ().chain(TcpConnector::default())
        .chain(WatchedConnector)
        .chain(RustlsConnector::default())
}

#[derive(Debug)]
struct WatchedConnector;

impl<In: Transport> Connector<In> for WatchedConnector {
    type Out = WatchedTransport<In>;

    fn connect(
        &self,
        _: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, ureq::Error> {
        Ok(chained.map(WatchedTransport))
    }
}

#[derive(Debug)]
struct WatchedTransport<T>(T);

impl<T: Transport> Transport for WatchedTransport<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.0.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        self.0.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        let started = Instant::now();
        loop {
            let left = timeout.after.saturating_sub(started.elapsed());
            let part = NextTimeout {
                after: Duration::Exact(left.min(ASK_AGAIN)),
                ..timeout
            };
            match self.0.await_input(part) {
                Err(ureq::Error::Timeout(_)) if left > ASK_AGAIN && !is_given_up() => {}
                ended => return ended,
            }
        }
    }

    fn is_open(&mut self) -> bool {
        self.0.is_open()
    }
}
