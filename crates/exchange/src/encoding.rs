//! Detects the encoding of a file and decodes it.

use std::borrow::Cow;

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A supported encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    Latin1,
    Windows1252,
}

impl Encoding {
    /// The IANA name in lower case: `utf-8`, `utf-16le`, `utf-16be`, `iso-8859-1`, `windows-1252`.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Latin1 => "iso-8859-1",
            Encoding::Windows1252 => "windows-1252",
        }
    }
}

/// Decodes a file. A byte order mark decides and is dropped. Otherwise zero bytes at every other position
/// mean UTF-16, and valid UTF-8 is UTF-8. Everything else is Windows-1252 if it has bytes 0x80 to 0x9F,
/// which are control codes in Latin-1, or else Latin-1. UTF-8 with few invalid bytes among many valid
/// multi-byte sequences stays UTF-8; the invalid bytes become U+FFFD.
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Encoding) {
    let encoding = sniff(bytes);
    (decode_as(bytes, encoding), encoding)
}

/// Whether the beginning of a decoded file is text: not a PDF, and almost no control characters. A few
/// occur in text copied from a PDF.
pub fn is_text(text: &str) -> bool {
    const LOOKED_AT: usize = 8_000;
    const MOST_SHARE: usize = 50;
    let is_control = |c: &char| c.is_control() && !c.is_whitespace() && *c != '\u{1b}';
    let beginning = || text.chars().take(LOOKED_AT);
    let controls = beginning().filter(is_control).count();
    let is_binary = beginning().any(|c| c == '\0') || controls * MOST_SHARE > beginning().count();
    !is_binary && !text.trim_start().starts_with("%PDF-")
}

/// Decodes bytes in a known encoding. A byte order mark is dropped.
pub fn decode_as(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    match encoding {
        Encoding::Utf8 => {
            let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            String::from_utf8_lossy(body)
        }
        Encoding::Utf16Le => UTF_16LE.decode_with_bom_removal(bytes).0,
        Encoding::Utf16Be => UTF_16BE.decode_with_bom_removal(bytes).0,
        // The two agree on any text detected as Latin-1.
        Encoding::Latin1 | Encoding::Windows1252 => {
            WINDOWS_1252.decode_without_bom_handling(bytes).0
        }
    }
}

/// The encoding that [`decode`] assumes.
pub fn sniff(bytes: &[u8]) -> Encoding {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => return Encoding::Utf8,
        [0xff, 0xfe, ..] => return Encoding::Utf16Le,
        [0xfe, 0xff, ..] => return Encoding::Utf16Be,
        _ => {}
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return encoding;
    }
    if std::str::from_utf8(bytes).is_ok() || mostly_utf8(bytes) {
        return Encoding::Utf8;
    }
    if bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) {
        Encoding::Windows1252
    } else {
        Encoding::Latin1
    }
}

/// Bibliographies are mostly ASCII, so in UTF-16 every other byte is zero.
fn utf16_without_mark(bytes: &[u8]) -> Option<Encoding> {
    let sample = bytes.get(..bytes.len().min(4096) & !1)?;
    if sample.len() < 4 || bytes.len() % 2 == 1 {
        return None;
    }
    let pairs = sample.len() / 2;
    let zeros = |offset: usize| {
        let chosen = sample.iter().skip(offset).step_by(2);
        chosen.filter(|byte| **byte == 0).count()
    };
    let (first, second) = (zeros(0), zeros(1));
    if second * 10 > pairs * 6 && first * 10 < pairs {
        Some(Encoding::Utf16Le)
    } else if first * 10 > pairs * 6 && second * 10 < pairs {
        Some(Encoding::Utf16Be)
    } else {
        None
    }
}

/// Whether the bytes are UTF-8 with few errors: at least ten valid multi-byte sequences per invalid place.
/// Latin-1 text rarely contains even one.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let mut good = 0_usize;
    let mut bad = 0_usize;
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good >= bad * 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_reported() {
        let check = |bytes: &[u8], expected| assert_eq!(is_text(&decode(bytes).0), expected);
        check(
            b"Doe J. A\x02 of it.\x0c Ring 2001, with many more words than that one sign.",
            true,
        );
        check("Щербаков И. Звон\u{2028}1987".as_bytes(), true);
        check(b"", true);
        check(b"%PDF-1.7\n1 0 obj", false);
        check(
            b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00>\x00",
            false,
        );
        check(b"PK\x03\x04\x14\x00\x06\x00\x08\x00", false);
    }

    #[track_caller]
    fn check(bytes: &[u8], text: &str, encoding: Encoding) {
        assert_eq!(decode(bytes), (text.into(), encoding));
    }

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn utf8_with_and_without_mark() {
        check("Müller".as_bytes(), "Müller", Encoding::Utf8);
        check(b"\xef\xbb\xbfM\xc3\xbcller", "Müller", Encoding::Utf8);
        check(b"", "", Encoding::Utf8);
    }

    #[test]
    fn utf16_with_and_without_mark() {
        let text = "@book{Müller, title={X}}";
        check(&utf16(text, u16::to_le_bytes), text, Encoding::Utf16Le);
        check(&utf16(text, u16::to_be_bytes), text, Encoding::Utf16Be);
        let marked = format!("\u{feff}{text}");
        check(&utf16(&marked, u16::to_le_bytes), text, Encoding::Utf16Le);
        check(&utf16(&marked, u16::to_be_bytes), text, Encoding::Utf16Be);
    }

    #[test]
    fn one_byte_encodings() {
        check(b"M\xfcller", "Müller", Encoding::Latin1);
        check(
            b"M\xfcller \x96 \x93x\x94",
            "Müller – “x”",
            Encoding::Windows1252,
        );
    }

    #[test]
    fn a_bad_byte_in_much_utf8_stays_utf8() {
        let mut bytes = "äöüäöüäöüäöü".as_bytes().to_vec();
        bytes.push(0xff);
        check(&bytes, "äöüäöüäöüäöü\u{fffd}", Encoding::Utf8);
    }
}
