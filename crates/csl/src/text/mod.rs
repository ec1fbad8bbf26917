//! Text of fields: markup, quotation marks, text case, numbers. `sentence` suggests sentence case for a
//! title, using the names of `proper`.

pub mod case;
pub mod markup;
pub mod numbers;
mod proper;
pub mod sentence;

/// Whether any two adjacent bytes match. Tests all of them, so that the compiler vectorizes the loop.
pub fn has_pair(text: &str, is: impl Fn(u8, u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    pairs.fold(false, |found, (a, b)| found | is(*a, *b))
}

/// Whether any byte matches; tests all of them like [`has_pair`].
pub fn has_byte(text: &str, is: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |found, byte| found | is(byte))
}

/// [`char::is_alphanumeric`], but fast for quotation marks and dashes (U+2000 to U+206F, none of which
/// is a letter or digit), which it looks up slowly.
pub fn is_alphanumeric(c: char) -> bool {
    !('\u{2000}'..='\u{206f}').contains(&c) && c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    #[test]
    fn alphanumeric_is_that_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(super::is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
        }
    }
}
