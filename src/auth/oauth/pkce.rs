//! Proof Key for Code Exchange (RFC 7636), method S256 only.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// The challenge of a verifier; `None` if it is not one (section 4.1).
pub fn challenge(verifier: &str) -> Option<String> {
    let is_unreserved =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    let is_verifier = (43..=128).contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
    is_verifier.then(|| URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes())))
}

/// Whether a text is the challenge of some verifier.
pub fn is_challenge(text: &str) -> bool {
    let decoded = URL_SAFE_NO_PAD.decode(text);
    decoded.is_ok_and(|bytes| bytes.len() == 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenge_is_that_of_the_rfc() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let expected = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert_eq!(challenge(verifier).as_deref(), Some(expected));
        assert!(is_challenge(expected));
        assert!(!is_challenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw"));
        for text in [
            "",
            "short",
            &"a".repeat(129),
            &"é".repeat(43),
            &" ".repeat(50),
        ] {
            assert_eq!(challenge(text), None, "{text}");
        }
    }
}
