//! What identifiers are wrapped in: invisible marks, full-width digits, percent encoding, entities.

use std::borrow::Cow;

/// Drops what cannot be seen (marks of direction, joiners, byte order mark) and outer white space.
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

/// Full-width digits and letters to ASCII.
pub(super) fn fold_digits(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            _ => c,
        })
        .collect()
}
/// Decodes `%XX` and entities until nothing is left to decode; what has passed through several
/// programs is often encoded more than once.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    const MOST_ROUNDS: usize = 4;
    let mut decoded = Cow::Borrowed(text);
    for _ in 0..MOST_ROUNDS {
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

/// Decodes `%XX`; sequences that are not UTF-8 stay as they are.
pub fn percent_decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('%') {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let bytes: Vec<u8> = from.as_bytes().chunks(3).map_while(encoded_byte).collect();
        let (sequence, after) = from.split_at((bytes.len() * 3).max(1));
        match String::from_utf8(bytes) {
            Ok(decoded) if !decoded.is_empty() => out.push_str(&decoded),
            _ => out.push_str(sequence),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The byte that `%XX` stands for.
fn encoded_byte(text: &[u8]) -> Option<u8> {
    let [b'%', high, low] = text else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(*high)? * 16 + digit(*low)?) as u8)
}

/// Encodes what the path of an address cannot hold; slashes stay.
pub fn percent_encode_path(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'-' | b'.'
                    | b'_'
                    | b'~'
                    | b'/'
                    | b'('
                    | b')'
                    | b':'
                    | b';'
                    | b','
                    | b'!'
                    | b'*'
                    | b'@'
                    | b'='
                    | b'$'
                    | b'+'
            );
        if plain {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
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
