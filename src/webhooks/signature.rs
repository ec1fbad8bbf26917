//! The signature of a delivery: `t=TIME,v1=HEX`, with a further `v1` while two secrets are valid. Each is
//! HMAC-SHA256 over the time in Unix seconds, a dot and the body. A receiver accepts one that matches, if the
//! time is recent.

use citation_model::hex::hex;
use std::fmt::Write;

use ring::hmac;

/// The value of the header.
pub fn signature<'s>(secrets: impl Iterator<Item = &'s str>, now: i64, body: &str) -> String {
    let mut value = format!("t={now}");
    for secret in secrets {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let tag = hmac::sign(&key, format!("{now}.{body}").as_bytes());
        // Writing to a text does not fail.
        let _ = write!(value, ",v1={}", hex(tag.as_ref()));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_covers_time_and_body() {
        // Computed with OpenSSL: printf '1.{}' | openssl dgst -sha256 -hmac key
        let signed = signature(["key"].into_iter(), 1, "{}");
        let expected = "t=1,v1=1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224";
        assert_eq!(signed, expected);
        let both = signature(["key", "old"].into_iter(), 1, "{}");
        assert!(both.starts_with(&signed), "{both}");
        assert_eq!(both.matches("v1=").count(), 2);
        assert_ne!(signed, signature(["key"].into_iter(), 2, "{}"));
        assert_ne!(signed, signature(["key"].into_iter(), 1, "{ }"));
    }
}
