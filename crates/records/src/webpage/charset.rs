//! The characters of a page: by byte order mark, by what the transport or the page says, else UTF-8 where
//! it is that, else windows-1252 (the HTML standard, «determining the character encoding», shortened).

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// How far the declaration of an encoding is looked for, in bytes.
const DECLARED_WITHIN: usize = 8_192;

/// The text of a page; `charset` is what the `Content-Type` header names. What cannot be read becomes
/// the replacement character.
pub fn decode<'b>(bytes: &'b [u8], charset: Option<&str>) -> Cow<'b, str> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let stated = || Encoding::for_label(charset?.trim_matches(['"', '\'', ' ']).as_bytes());
    let named = || stated().or_else(|| declared(bytes));
    let guessed = || match std::str::from_utf8(bytes) {
        // Text of another encoding is no valid UTF-8, whatever a page declares; only bytes of
        // ASCII may mean something else (ISO-2022-JP).
        Ok(text) if !text.is_ascii() => UTF_8,
        Ok(_) => named().unwrap_or(UTF_8),
        // A broken byte or two do not make a page another's.
        Err(fault) => match named() {
            Some(encoding) if encoding != UTF_8 => encoding,
            _ if is_mostly_utf8(bytes, fault.valid_up_to()) => UTF_8,
            _ => WINDOWS_1252,
        },
    };
    marked.unwrap_or_else(guessed).decode(bytes).0
}

/// Whether the bytes beyond ASCII around the first fault are UTF-8 for the most part.
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

/// What `<meta charset>`, `http-equiv` or the XML declaration says.
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
