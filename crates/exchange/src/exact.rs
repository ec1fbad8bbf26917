//! Quotes integers in JSON that exceed 64 bits. Parsers would round them, but in a text every digit counts
//! (`"call_number": 12345678901234567890123`).

use std::borrow::Cow;

/// JSON with every integer beyond 64 bits as a string of the same digits. Everything else stays unchanged,
/// valid or not.
pub fn long_integers_as_texts(json: &str) -> Cow<'_, str> {
    if !has_long_run(json.as_bytes()) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    let mut rest = json;
    while let Some(at) = rest.find(|c: char| matches!(c, '"' | '-' | '0'..='9')) {
        let (before, from) = rest.split_at(at);
        let length = if from.starts_with('"') {
            string_length(from)
        } else {
            number_length(from)
        };
        let (token, after) = from.split_at(length);
        out.push_str(before);
        if is_long_integer(token) {
            out.extend(["\"", token, "\""]);
        } else {
            out.push_str(token);
        }
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Digits of the shortest number that may exceed 64 bits.
const LONG: usize = 19;

/// Whether that many digits occur in a row. It tests only every `LONG`th byte, because each such run covers
/// one.
fn has_long_run(bytes: &[u8]) -> bool {
    let mut at = LONG - 1;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_digit() {
            let before = bytes.get(..at).unwrap_or_default().iter().rev();
            let behind = bytes.get(at..).unwrap_or_default().iter();
            let run = before.take_while(|b| b.is_ascii_digit()).take(LONG).count()
                + behind.take_while(|b| b.is_ascii_digit()).take(LONG).count();
            if run >= LONG {
                return true;
            }
        }
        at += LONG;
    }
    false
}

fn is_long_integer(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    digits.len() >= LONG
        && !digits.starts_with('0')
        && digits.bytes().all(|b| b.is_ascii_digit())
        && token.parse::<i64>().is_err()
        && token.parse::<u64>().is_err()
}

/// Length in bytes of the number at the start.
fn number_length(text: &str) -> usize {
    let is_part = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E');
    text.bytes().take_while(is_part).count()
}

/// Length in bytes of the quoted text at the start; all if it is not closed.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        assert_eq!(long_integers_as_texts(json), expected);
    }

    #[test]
    fn long_integers_keep_their_digits() {
        check(
            r#"{"n":12345678901234567890123,"p":[100000000000000000000 , -98765432109876543210]}"#,
            r#"{"n":"12345678901234567890123","p":["100000000000000000000" , "-98765432109876543210"]}"#,
        );
    }

    #[test]
    fn everything_else_stays() {
        for json in [
            r#"{"a":18446744073709551615,"b":-9223372036854775808}"#,
            r#"{"a\"12345678901234567890123":"\\","b":"12345678901234567890123"}"#,
            r#"[0.12345678901234567890123, 12345678901234567890123e2, 00000000000000000000000]"#,
            r#"{"é":"12345678901234567890123"#,
            "",
        ] {
            check(json, json);
        }
    }
}
