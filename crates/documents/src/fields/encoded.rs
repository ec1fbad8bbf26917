//! Text in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Decodes base64 as citation programs write it: with white space, NULs and missing or repeated padding,
/// with spare bits that are not zero, and in several pieces. `None` if it contains anything else.
pub(crate) fn text(encoded: &str) -> Option<String> {
    let bytes = decode(encoded)?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(cause) => citation_exchange::decode(cause.as_bytes()).0.into_owned(),
    };
    Some(text.trim_end_matches(['\0', ' ']).to_owned())
}

pub(super) fn encode(text: &str) -> String {
    STANDARD.encode(text)
}

fn decode(encoded: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(encoded.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for c in encoded.bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            // Padding ends a piece; its spare bits are dropped.
            b'=' => {
                (bits, count) = (0, 0);
                continue;
            }
            _ if c.is_ascii_whitespace() || c == 0 => continue,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xfff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_leniently() {
        let check = |encoded: &str, expected: Option<&str>| {
            assert_eq!(text(encoded).as_deref(), expected, "{encoded}");
        };
        check("PGE+", Some("<a>"));
        // Spare bits, with and without padding.
        check("PGE+Cj==", Some("<a>\n"));
        check("PgB=", Some(">"));
        check("Pn", Some(">"));
        check("PGI+PG\r\nE+  AG==\0", Some("<b><a>"));
        // Two pieces, each with its padding.
        check("PGE+PGI+PA==YT4=", Some("<a><b><a>"));
        check("w6k=", Some("é"));
        check("6Q==", Some("é"));
        check("PGE+{}", None);
        check("", Some(""));
    }
}
