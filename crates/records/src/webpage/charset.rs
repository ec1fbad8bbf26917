//! Decodes a page: by byte order mark, by the encoding declared in the transport or page, otherwise as
//! UTF-8 if valid, otherwise as windows-1252 (the HTML standard, «determining the character encoding»,
//! simplified).

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Number of bytes searched for the declaration of an encoding.
const DECLARED_WITHIN: usize = 8_192;

/// The text of a page; `charset` is from the `Content-Type` header. Invalid bytes become replacement
/// characters.
pub fn decode<'b>(bytes: &'b [u8], charset: Option<&str>) -> Cow<'b, str> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let stated = || Encoding::for_label(charset?.trim_matches(['"', '\'', ' ']).as_bytes());
    let named = || stated().or_else(|| declared(bytes));
    let guessed = || match std::str::from_utf8(bytes) {
        // Non-ASCII text in another encoding is not valid UTF-8, whatever a page declares; only ASCII bytes
        // may have another meaning (ISO-2022-JP).
        Ok(text) if !text.is_ascii() => UTF_8,
        Ok(_) => named().unwrap_or(UTF_8),
        // A few invalid bytes do not mean another encoding.
        Err(fault) => match named() {
            Some(encoding) if encoding != UTF_8 => encoding,
            _ if is_mostly_utf8(bytes, fault.valid_up_to()) => UTF_8,
            _ => WINDOWS_1252,
        },
    };
    marked.unwrap_or_else(guessed).decode(bytes).0
}

/// Whether most non-ASCII bytes around the first fault are UTF-8.
fn is_mostly_utf8(bytes: &[u8], fault: usize) -> bool {
    let near = bytes.get(fault.saturating_sub(4_096)..).unwrap_or(bytes);
    let near = near.get(..64 * 1024).unwrap_or(near);
    let text = String::from_utf8_lossy(near);
    let faults = text
        .chars()
        .filter(|c| *c == char::REPLACEMENT_CHARACTER)
        .count();
    let sound = text.chars().filter(|c| !c.is_ascii()).count() - faults;
    sound > faults
}

/// The encoding in `<meta charset>`, `http-equiv` or the XML declaration.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..DECLARED_WITHIN).unwrap_or(bytes);
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    ["charset=", "encoding="].iter().find_map(|mark| {
        let mut labels = head.split(mark).skip(1).take(8);
        labels.find_map(|after| {
            let label = after.trim_start_matches(['"', '\'', ' ']);
            let end = label.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c));
            Encoding::for_label(label.get(..end.unwrap_or(label.len()))?.as_bytes())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_decoded_as_they_are() {
        let check = |bytes: &[u8], charset: Option<&str>, expected: &str| {
            assert!(decode(bytes, charset).ends_with(expected), "{expected}");
        };
        check("Größe".as_bytes(), None, "Größe");
        check("<meta charset=windows-1251>Größe".as_bytes(), None, "Größe");
        check(b"Gr\xf6\xdfe", None, "Größe");
        check(b"<meta charset=shift_jis>\x93\xfa\x96\x7b", None, "日本");
        check(b"\xcf\xe8\xea", Some("windows-1251"), "Пик");
        check(
            b"<meta charset=no-such-thing>Gr\xf6\xdfe",
            Some("§"),
            "Größe",
        );
        check(b"\xff\xfeG\0r\0", None, "Gr");
    }
}
