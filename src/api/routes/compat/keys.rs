//! Zotero keys and numbers, derived from our ids, so that they never change.

use sha2::{Digest, Sha256};

/// The characters of Zotero's keys, without ambiguous ones.
const ALPHABET: &[u8; 33] = b"23456789ABCDEFGHIJKLMNPQRSTUVWXYZ";

/// The key of eight characters for an id.
pub fn key(id: &str) -> String {
    letters(id, 8)
}

/// A key of so many characters, at most 32, for an id.
pub fn letters(id: &str, count: usize) -> String {
    let digest = Sha256::digest(id.as_bytes());
    let letter = |byte: &u8| ALPHABET.get(usize::from(*byte) % ALPHABET.len());
    let letters = digest.iter().take(count).filter_map(letter);
    letters.map(|letter| char::from(*letter)).collect()
}

/// The number of an account, from 1, which does not reveal the order of accounts.
pub fn number(id: &str) -> u32 {
    let digest = Sha256::digest(id.as_bytes());
    let bytes = digest.iter().take(4);
    let number = bytes.fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte));
    (number >> 1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zotero_keys_are_stable_and_in_its_alphabet() {
        let id = "0190a0a0-0000-7000-8000-000000000001";
        assert_eq!(key(id), key(id));
        assert_eq!(key(id).len(), 8);
        assert!(key(id).bytes().all(|byte| ALPHABET.contains(&byte)));
        assert_ne!(key(id), key("0190a0a0-0000-7000-8000-000000000002"));
        assert!(number(id) > 0);
    }
}
