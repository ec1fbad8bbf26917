//! Text of fields: markup, quotation marks, letter case, numbers. `sentence` suggests another case for
//! a title, with the names of `proper`.

pub mod case;
pub mod markup;
pub mod numbers;
mod proper;
pub mod sentence;

/// Whether two bytes that stand side by side are such. All are looked at, which the compiler does many at
/// a time.
pub fn has_pair(text: &str, is: impl Fn(u8, u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    pairs.fold(false, |found, (a, b)| found | is(*a, *b))
}

/// Whether a byte is such; like [`has_pair`].
pub fn has_byte(text: &str, is: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |found, byte| found | is(byte))
}
