//! The tokens that we issue: API keys, session cookies, one-time links, and those of OAuth.
//!
//! `ck_` + 32 random bytes in base62 + the CRC32 of all that in base62. The prefix and the checksum
//! let scanners find leaked keys, and let us reject mistyped ones without a database access. Only
//! the SHA-256 of a token is ever stored: 256 random bits need no slow hash.

use sha2::{Digest, Sha256};

use crate::store::holder::SecretHash;

/// The purpose of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    ApiKey,
    Session,
    Link,
    /// Of an OAuth program, for the interface.
    Access,
    /// Of an OAuth program, for the next access token.
    Refresh,
    /// Of an OAuth program, for its first tokens.
    Code,
}

impl TokenKind {
    /// The prefix. Never change one that is in use.
    fn prefix(self) -> &'static str {
        match self {
            TokenKind::ApiKey => "ck_",
            TokenKind::Session => "cs_",
            TokenKind::Link => "cl_",
            TokenKind::Access => "ca_",
            TokenKind::Refresh => "cr_",
            TokenKind::Code => "co_",
        }
    }
}

/// A secret in plain text. Its `Debug` shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

/// Digits for 32 bytes, and for 4.
const SECRET_DIGITS: usize = 43;
const CHECK_DIGITS: usize = 6;
const PREFIX_CHARS: usize = 3;

/// The visible characters of an API key: the prefix and six digits.
const SHOWN_CHARS: usize = 9;

impl SecretToken {
    /// Creates a token of 32 random bytes.
    pub fn new(kind: TokenKind, random: [u8; 32]) -> SecretToken {
        let mut text = String::with_capacity(PREFIX_CHARS + SECRET_DIGITS + CHECK_DIGITS);
        text.push_str(kind.prefix());
        push_base62(&mut text, &random, SECRET_DIGITS);
        let check = crc32fast::hash(text.as_bytes());
        push_base62(&mut text, &check.to_be_bytes(), CHECK_DIGITS);
        SecretToken(text)
    }

    /// Parses a caller's text. `None` if it cannot be one of our tokens.
    pub fn parse(kind: TokenKind, text: &str) -> Option<SecretToken> {
        if text.len() != PREFIX_CHARS + SECRET_DIGITS + CHECK_DIGITS {
            return None;
        }
        let digits = text.strip_prefix(kind.prefix())?;
        if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (signed, check) = text.split_at(text.len() - CHECK_DIGITS);
        let mut expected = String::with_capacity(CHECK_DIGITS);
        push_base62(
            &mut expected,
            &crc32fast::hash(signed.as_bytes()).to_be_bytes(),
            CHECK_DIGITS,
        );
        (check == expected).then(|| SecretToken(text.to_owned()))
    }

    /// The secret itself: to be shown once, or set as a cookie.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash that the database stores.
    pub fn hash(&self) -> SecretHash {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The part that may be shown again, to distinguish keys.
    pub fn shown(&self) -> &str {
        self.0.get(..SHOWN_CHARS).unwrap_or_default()
    }
}

impl std::fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Writes a big-endian number with a fixed number of digits.
fn push_base62(text: &mut String, number: &[u8], digits: usize) {
    let mut number = number.to_vec();
    let mut reversed: Vec<u8> = Vec::with_capacity(digits);
    for _ in 0..digits {
        let mut rest = 0_u32;
        for byte in &mut number {
            let value = rest << 8 | u32::from(*byte);
            *byte = (value / 62) as u8;
            rest = value % 62;
        }
        reversed.extend(ALPHABET.get(rest as usize));
    }
    text.extend(reversed.iter().rev().map(|digit| char::from(*digit)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_round_trip() {
        for kind in [
            TokenKind::ApiKey,
            TokenKind::Session,
            TokenKind::Link,
            TokenKind::Access,
            TokenKind::Refresh,
            TokenKind::Code,
        ] {
            for byte in [0, 1, 61, 62, 255] {
                let token = SecretToken::new(kind, [byte; 32]);
                assert_eq!(token.reveal().len(), 52);
                assert_eq!(SecretToken::parse(kind, token.reveal()), Some(token));
            }
        }
    }

    #[test]
    fn token_uses_all_256_bits() {
        let mut seen = std::collections::HashSet::new();
        for bit in 0..256 {
            let mut bytes = [0; 32];
            bytes[bit / 8] = 1 << (bit % 8);
            assert!(seen.insert(SecretToken::new(TokenKind::ApiKey, bytes).0));
        }
        let largest = SecretToken::new(TokenKind::ApiKey, [255; 32]);
        assert!(largest.reveal().starts_with("ck_") && !largest.reveal().starts_with("ck_0"));
    }

    #[test]
    fn changed_token_is_rejected_before_lookup() {
        let token = SecretToken::new(TokenKind::ApiKey, [7; 32]);
        let text = token.reveal();
        for at in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
            let changed = String::from_utf8(bytes).unwrap();
            assert_eq!(
                SecretToken::parse(TokenKind::ApiKey, &changed),
                None,
                "{changed}"
            );
        }
        for text in [
            "",
            "ck_",
            text.get(..51).unwrap(),
            &format!("{text}0"),
            &text.to_uppercase(),
            "ck_é",
        ] {
            assert_eq!(SecretToken::parse(TokenKind::ApiKey, text), None, "{text}");
        }
        assert_eq!(SecretToken::parse(TokenKind::Session, text), None);
    }

    #[test]
    fn token_is_hidden_in_debug_output() {
        let token = SecretToken::new(TokenKind::ApiKey, [7; 32]);
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_eq!(token.shown().len(), 9);
    }
}
