//! The characters of a page: by byte order mark, by what the transport or the page says, else UTF-8 where
//! it is that, else windows-1252 (the HTML standard, «determining the character encoding», shortened).

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// How far the declaration of an encoding is looked for, in bytes.
const DECLARED_WITHIN: usize = 8_192;

/// The text of a page. What cannot be read becomes the replacement character.
pub fn decode(bytes: &[u8]) -> String {
    decode_as(bytes, None)
}

/// Like [`decode`], with the encoding that the transport names (`charset` of `Content-Type`).
pub fn decode_as(bytes: &[u8], charset: Option<&str>) -> String {
    let stated = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let encoding = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or(stated)
        .or_else(|| declared(bytes))
        .filter(|encoding| *encoding != UTF_8 || std::str::from_utf8(bytes).is_ok());
    let guessed = match std::str::from_utf8(bytes) {
        Ok(_) => UTF_8,
        Err(fault) if fault.valid_up_to() > bytes.len() / 2 => UTF_8,
        Err(_) => WINDOWS_1252,
    };
    encoding.unwrap_or(guessed).decode(bytes).0.into_owned()
}

/// What `<meta charset>`, `http-equiv` or the XML declaration says.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..DECLARED_WITHIN).unwrap_or(bytes);
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    ["charset=", "encoding="].iter().find_map(|mark| {
        let (_, after) = head.split_once(mark)?;
        let label = after.trim_start_matches(['"', '\'', ' ']);
        let end = label.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c));
        Encoding::for_label(label.get(..end.unwrap_or(label.len()))?.as_bytes())
    })
}
