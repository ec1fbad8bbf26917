//! Memory for request or response bodies, limited over all connections.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A number of bytes to share.
#[derive(Debug)]
pub struct Meter {
    free: Arc<Semaphore>,
    limit: usize,
}

/// Reserved bytes. Dropping it releases them.
#[derive(Debug)]
pub struct Share(OwnedSemaphorePermit);

impl Meter {
    pub fn new(limit: u64) -> Meter {
        let limit = usize::try_from(limit)
            .unwrap_or(usize::MAX)
            .min(Semaphore::MAX_PERMITS);
        Meter {
            free: Arc::new(Semaphore::new(limit)),
            limit,
        }
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Reserves bytes and leaves at least `spare` for others; `None` if too few are free.
    pub fn take(&self, bytes: usize, spare: usize) -> Option<Share> {
        if self.free.available_permits() < bytes.saturating_add(spare) {
            return None;
        }
        let bytes = u32::try_from(bytes).ok()?;
        let taken = Arc::clone(&self.free).try_acquire_many_owned(bytes);
        taken.ok().map(Share)
    }

    /// Like [`Meter::take`], but waits until enough are free.
    pub async fn wait(&self, bytes: usize) -> Option<Share> {
        let bytes = u32::try_from(bytes).ok()?;
        let taken = Arc::clone(&self.free).acquire_many_owned(bytes).await;
        taken.ok().map(Share)
    }
}

impl Share {
    pub fn bytes(&self) -> usize {
        self.0.num_permits()
    }

    /// Adds the bytes of another share of the same meter.
    pub fn merge(&mut self, other: Share) {
        self.0.merge(other.0);
    }

    /// The same bytes, released when the last copy is dropped.
    pub fn bind(self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(Bound {
            bytes,
            _share: self,
        })
    }
}

struct Bound {
    bytes: Bytes,
    _share: Share,
}

impl AsRef<[u8]> for Bound {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_released_with_the_last_copy() {
        let meter = Meter::new(100);
        let bytes = meter.take(80, 0).unwrap().bind(Bytes::from_static(b"text"));
        let part = bytes.slice(1..2);
        drop(bytes);
        assert!(meter.take(21, 0).is_none());
        drop(part);
        assert!(meter.take(51, 50).is_none());
        assert!(meter.take(50, 50).is_some());
    }
}
