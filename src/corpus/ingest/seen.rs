//! Records that an earlier file at the same place had, byte for byte: they are neither mapped nor stored again.
//!
//! The fingerprints of a file's records are kept in its order, so they are compared with a window that moves
//! along, and the memory does not depend on the size of the file. A record that has moved further than the
//! window is read again, which changes nothing.

use std::collections::{HashSet, VecDeque};

use super::format::RecordFormat;
use super::frame::Framing;
use crate::store::fingerprints::PART;
use crate::store::{Store, StoreError};

/// Number of parts in the window.
const PARTS: usize = 8;

/// The fingerprints of an earlier file.
pub struct Seen<'s> {
    store: &'s Store,
    /// The earlier ingest; `None` if there is none.
    ingest: Option<i64>,
    window: VecDeque<HashSet<u64>>,
    /// The number of the next part to load.
    next: i64,
}

impl<'s> Seen<'s> {
    pub fn new(store: &'s Store, ingest: Option<i64>) -> Seen<'s> {
        Seen {
            store,
            ingest,
            window: VecDeque::new(),
            next: 0,
        }
    }

    /// Whether the earlier file has a record.
    pub fn has(&mut self, fingerprint: u64) -> Result<bool, StoreError> {
        self.fill()?;
        let found = { self.window.iter() }.position(|part| part.contains(&fingerprint));
        // The part before stays, since records may have changed places a little.
        for _ in 1..found.unwrap_or_default() {
            self.window.pop_front();
        }
        Ok(found.is_some())
    }

    fn fill(&mut self) -> Result<(), StoreError> {
        while let Some(ingest) = self.ingest.filter(|_| self.window.len() < PARTS) {
            let part = self.store.fingerprints(ingest, self.next)?;
            if part.is_empty() {
                self.ingest = None;
            } else {
                self.next += 1;
                self.window.push_back(part.into_iter().collect());
            }
        }
        Ok(())
    }
}

/// Whether the records of a file are known by themselves: each is a record of its own, and what it becomes
/// depends on nothing else. A list of notices is read whole, since what it lacks is removed.
pub fn is_alone(format: RecordFormat, framing: &Framing) -> bool {
    let has_companions = matches!(
        format,
        RecordFormat::RetractionWatch | RecordFormat::Openlibrary
    );
    let is_record = matches!(
        framing,
        Framing::Lines | Framing::JsonValues { .. } | Framing::Elements(_)
    );
    is_record && !has_companions
}

/// The fingerprint of a record: multiplications fold eight bytes at a time.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    const START: u64 = 0x9e37_79b9_7f4a_7c15;
    const FACTOR: u128 = 0xd6e8_feb8_6659_fd93;
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * FACTOR;
        (product as u64) ^ ((product >> 64) as u64)
    };
    let mut words = bytes.chunks_exact(8);
    let mut hash = fold(START, bytes.len() as u64);
    for word in words.by_ref() {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        hash = fold(hash, word);
    }
    let mut rest = [0; 8];
    for (to, from) in rest.iter_mut().zip(words.remainder()) {
        *to = *from;
    }
    fold(fold(hash, u64::from_le_bytes(rest)), START)
}

/// The fingerprints that wait to be stored, a part at a time.
#[derive(Default)]
pub struct NewFingerprints {
    waiting: Vec<u64>,
}

impl NewFingerprints {
    pub fn extend(&mut self, more: &[u64]) {
        self.waiting.extend_from_slice(more);
    }

    /// A whole part, if there is one; at the end also a smaller one.
    pub fn take(&mut self, is_end: bool) -> Option<Vec<u64>> {
        let is_due = self.waiting.len() >= PART || is_end && !self.waiting.is_empty();
        let length = self.waiting.len().min(PART);
        is_due.then(|| self.waiting.drain(..length).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_depends_on_every_byte_and_the_length() {
        let record = b"<article key=\"a\"><title>On frogs</title></article>";
        let mut all = HashSet::from([fingerprint(record)]);
        for at in 0..record.len() {
            let mut other = record.to_vec();
            other[at] ^= 1;
            assert!(all.insert(fingerprint(&other)), "{at}");
            assert!(all.insert(fingerprint(&record[..at])), "{at}");
        }
        assert!(all.insert(fingerprint(b"\0")) && all.insert(fingerprint(b"\0\0")));
    }

    #[test]
    fn fingerprints_are_taken_in_parts() {
        let mut new = NewFingerprints::default();
        new.extend(&[7; PART + 1]);
        assert_eq!(new.take(false).map(|part| part.len()), Some(PART));
        assert_eq!(new.take(false), None);
        assert_eq!(new.take(true), Some(vec![7]));
        assert_eq!(new.take(true), None);
    }
}
