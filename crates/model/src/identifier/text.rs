//! Unwraps identifiers: invisible characters, full-width digits, percent encoding, entities.

use std::borrow::Cow;

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode_byte, utf8_percent_encode,
};

/// Removes invisible characters (direction marks, joiners, byte order mark) and outer white space.
pub(super) fn strip_invisible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.trim().into();
    }
    let visible: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}'))
        .collect();
    visible.trim().to_owned().into()
}

/// Converts full-width digits and letters to ASCII.
pub(super) fn fold_digits(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            _ => c,
        })
        .collect()
}

/// Decodes `%XX` and entities repeatedly, because text that has passed through several programs is often
/// encoded more than once.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    const MAX_ROUNDS: usize = 4;
    let mut decoded = Cow::Borrowed(text);
    for _ in 0..MAX_ROUNDS {
        if !decoded.contains(['%', '&']) {
            break;
        }
        let next = decode_entities(&percent_decode(&decoded));
        if next == decoded {
            break;
        }
        decoded = next.into();
    }
    decoded
}

/// Unreserved characters of RFC 3986 (2.3) are not encoded.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Characters that are valid in a URL path are not encoded either.
const PATH: &AsciiSet = &COMPONENT
    .remove(b'/')
    .remove(b'(')
    .remove(b')')
    .remove(b':')
    .remove(b';')
    .remove(b',')
    .remove(b'!')
    .remove(b'*')
    .remove(b'@')
    .remove(b'=')
    .remove(b'$')
    .remove(b'+');

/// Encodes a text as one path segment or one query value, including slashes.
pub fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, COMPONENT).to_string()
}

/// Encodes characters that are invalid in a URL path; slashes are kept.
pub fn percent_encode_path(text: &str) -> String {
    utf8_percent_encode(text, PATH).to_string()
}

/// Decodes `%XX`. Bytes that are not UTF-8 stay encoded, so nothing is lost.
pub fn percent_decode(text: &str) -> String {
    let bytes: Cow<[u8]> = percent_decode_str(text).into();
    let mut decoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        decoded.extend(
            chunk
                .invalid()
                .iter()
                .map(|byte| percent_encode_byte(*byte)),
        );
    }
    decoded
}

/// Decodes a name or a value of a form or a query, where `+` is a space. Unlike `form_urlencoded`, it keeps
/// text that is not UTF-8 instead of inserting U+FFFD.
pub fn form_decode(text: &str) -> String {
    percent_decode(&text.replace('+', " "))
}

fn decode_entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_keeps_what_an_address_can_hold() {
        assert_eq!(
            percent_encode("10.1002/(sici)1:2<3>;é"),
            "10.1002%2F%28sici%291%3A2%3C3%3E%3B%C3%A9"
        );
        assert_eq!(percent_encode("a b&c=d+e"), "a%20b%26c%3Dd%2Be");
        assert_eq!(
            percent_encode_path("10.1002/(sici)1:2<3>;é"),
            "10.1002/(sici)1:2%3C3%3E;%C3%A9"
        );
    }

    #[test]
    fn decoding_keeps_what_is_not_utf8() {
        let check = |text: &str, expected: &str| assert_eq!(percent_decode(text), expected);
        check("a%20b%C3%A9", "a bé");
        check("100%", "100%");
        check("%zz%4", "%zz%4");
        check("%C3%3C", "%C3<");
        check("M%E9dia%C3%A9", "M%E9diaé");
        assert_eq!(form_decode("a+b%2Bc"), "a b+c");
    }
}
