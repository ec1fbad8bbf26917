//! A pool of buffers for the stages: for a new one the system first clears every page.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The pool. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Buffers(Arc<Mutex<Vec<Vec<u8>>>>);

/// Maximum number of pooled buffers; more may be in use.
const KEPT: usize = 8;

/// Larger buffers, in bytes, are not pooled.
const MAX_SIZE: usize = 1 << 20;

/// A buffer that returns to the pool on drop.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    home: Buffers,
}

impl Buffers {
    /// An empty buffer, with capacity if it was used before.
    pub fn take(&self) -> Buffer {
        Buffer {
            bytes: self.idle().pop().unwrap_or_default(),
            home: self.clone(),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        let mut idle = self.home.idle();
        if idle.len() < KEPT && bytes.capacity() <= MAX_SIZE {
            idle.push(bytes);
        }
    }
}

impl Deref for Buffer {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_buffer_is_reused_empty() {
        let buffers = Buffers::default();
        let mut buffer = buffers.take();
        buffer.extend_from_slice(b"text");
        let room = buffer.capacity();
        drop(buffer);
        let again = buffers.take();
        assert_eq!((again.len(), again.capacity()), (0, room));
        assert_eq!(buffers.take().capacity(), 0);
    }
}
