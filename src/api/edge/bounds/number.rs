//! Numbers and texts in messages about limits.

use serde_json::Value;

/// Whether a number in digits is above `most`.
pub(super) fn is_above(digits: &str, most: f64) -> bool {
    !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && digits.parse().is_ok_and(|number: f64| number > most)
}

/// A limit in the schema's form: a whole number if possible.
pub(super) fn whole(bound: f64) -> Value {
    if bound.fract() == 0.0 {
        Value::from(bound as i64)
    } else {
        Value::from(bound)
    }
}

/// Whether a text is a whole number beyond 64 bits.
pub fn is_long_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.len() > 18 && digits.bytes().all(|b| b.is_ascii_digit()) && text.parse::<i64>().is_err()
}

/// The start of a long value, for a message.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
