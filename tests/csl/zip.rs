//! Reads files out of a zip archive: stored and deflated members, by the central directory.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

/// The members whose path begins with `prefix`, by path.
pub fn members(archive: &Path, prefix: &str) -> HashMap<String, String> {
    let bytes = std::fs::read(archive).unwrap();
    let end = (0..bytes.len().saturating_sub(21))
        .rev()
        .find(|&at| bytes[at..].starts_with(b"PK\x05\x06"))
        .expect("no end of the central directory");
    let count = u16_at(&bytes, end + 10);
    let mut at = u32_at(&bytes, end + 16);
    let mut found = HashMap::new();
    for _ in 0..count {
        assert!(bytes[at..].starts_with(b"PK\x01\x02"));
        let (name_len, extra_len, comment_len) = (
            u16_at(&bytes, at + 28),
            u16_at(&bytes, at + 30),
            u16_at(&bytes, at + 32),
        );
        let name = String::from_utf8_lossy(&bytes[at + 46..at + 46 + name_len]).into_owned();
        if name.starts_with(prefix) {
            let method = u16_at(&bytes, at + 10);
            let size = u32_at(&bytes, at + 20);
            let local = u32_at(&bytes, at + 42);
            let start = local + 30 + u16_at(&bytes, local + 26) + u16_at(&bytes, local + 28);
            found.insert(name, content(&bytes[start..start + size], method));
        }
        at += 46 + name_len + extra_len + comment_len;
    }
    found
}

fn content(bytes: &[u8], method: usize) -> String {
    let mut text = String::new();
    match method {
        0 => text.push_str(&String::from_utf8_lossy(bytes)),
        8 => {
            flate2::read::DeflateDecoder::new(bytes)
                .read_to_string(&mut text)
                .unwrap();
        }
        other => panic!("compression method {other}"),
    }
    text
}

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
}
