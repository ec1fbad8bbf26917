//! Compression of replies: brotli or gzip, whichever the client prefers, or none
//! (RFC 9110, section 12.5.3).

use std::collections::HashMap;
use std::io::Write;
use std::sync::{LazyLock, Mutex};

use bytes::Bytes;

/// Smaller bodies are not compressed.
const MIN_BYTES: usize = 512;

/// Brotli quality, 0 to 11: 4 compresses JSON and HTML better than gzip in about the same time.
const BROTLI_QUALITY: u32 = 4;

/// For content compressed once and sent often.
const BEST_BROTLI_QUALITY: u32 = 11;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    pub fn as_str(self) -> &'static str {
        match self {
            Coding::Brotli => "br",
            Coding::Gzip => "gzip",
        }
    }
}

/// The coding that an `Accept-Encoding` header prefers; brotli wins a tie.
pub fn preferred(accept: &str) -> Option<Coding> {
    let mut best: Option<(f32, Coding)> = None;
    for offer in accept.split(',') {
        let mut parts = offer.split(';');
        let coding = match parts.next().unwrap_or_default().trim() {
            "br" => Coding::Brotli,
            "gzip" | "x-gzip" => Coding::Gzip,
            _ => continue,
        };
        let quality = parts
            .find_map(|part| part.trim().strip_prefix("q="))
            .map_or(1.0, |q| q.trim().parse().unwrap_or(0.0));
        let better = match best {
            None => quality > 0.0,
            Some((q, present)) => quality > q || (quality == q && present == Coding::Gzip),
        };
        if better {
            best = Some((quality, coding));
        }
    }
    best.map(|(_, coding)| coding)
}

/// Whether a body of this type and length is worth compressing.
pub fn is_worthwhile(content_type: &str, length: usize) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let text = essence.starts_with("text/")
        || essence.contains("json")
        || essence.contains("xml")
        || essence.contains("javascript")
        || essence.contains("x-bibtex")
        || essence.contains("research-info-systems")
        || essence.contains("yaml");
    text && length >= MIN_BYTES
}

/// The compressed body; `None` if compression fails, and then the plain body is sent.
pub fn compress(coding: Coding, body: &[u8]) -> Option<Bytes> {
    compress_to(coding, body, BROTLI_QUALITY)
}

/// An immutable file, compressed with the best quality at its first
/// request. `name` is its cache key.
pub fn packed_once(coding: Coding, name: &str, body: &[u8]) -> Option<Bytes> {
    static PACKED: LazyLock<Mutex<HashMap<(Coding, String), Bytes>>> =
        LazyLock::new(Mutex::default);
    let key = (coding, name.to_owned());
    let packed = || {
        PACKED
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    };
    if let Some(body) = packed().get(&key) {
        return Some(body.clone());
    }
    let body = compress_to(coding, body, BEST_BROTLI_QUALITY)?;
    packed().insert(key, body.clone());
    Some(body)
}

fn compress_to(coding: Coding, body: &[u8], brotli_quality: u32) -> Option<Bytes> {
    let compressed = match coding {
        Coding::Gzip => {
            let level = flate2::Compression::new(if brotli_quality > BROTLI_QUALITY {
                9
            } else {
                5
            });
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), level);
            writer.write_all(body).ok()?;
            writer.finish().ok()?
        }
        Coding::Brotli => {
            let mut compressed = Vec::new();
            let mut writer =
                brotli::CompressorWriter::new(&mut compressed, 4096, brotli_quality, 20);
            writer.write_all(body).ok()?;
            drop(writer);
            compressed
        }
    };
    Some(compressed.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(accept: &str, expected: Option<Coding>) {
        assert_eq!(preferred(accept), expected, "{accept}");
    }

    #[test]
    fn client_chooses_compression() {
        check("gzip, deflate, br", Some(Coding::Brotli));
        check("gzip", Some(Coding::Gzip));
        check("br;q=0.5, gzip;q=0.8", Some(Coding::Gzip));
        check("br;q=0", None);
        check("identity", None);
        check("", None);
    }

    #[test]
    fn gzip_round_trips() {
        let text = "citation ".repeat(500);
        let packed = compress(Coding::Gzip, text.as_bytes()).unwrap();
        let mut read = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed[..]), &mut read)
            .unwrap();
        assert_eq!(read, text);
        assert!(packed.len() < text.len() / 10);
    }
}
