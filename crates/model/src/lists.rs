//! Lists of words, written as a text and taken apart by the compiler.

/// The words of a text, between single spaces. The compiler rejects another number of words.
#[must_use]
pub const fn words<const N: usize>(text: &str) -> [&str; N] {
    split(text, b' ')
}

/// The phrases of a text, between vertical bars. The compiler rejects another number of phrases.
#[must_use]
pub const fn phrases<const N: usize>(text: &str) -> [&str; N] {
    split(text, b'|')
}

#[expect(
    clippy::indexing_slicing,
    reason = "the compiler runs it and rejects an index out of range"
)]
const fn split<const N: usize>(text: &str, separator: u8) -> [&str; N] {
    let mut parts = [""; N];
    let (mut count, mut at, mut rest) = (0, 0, text);
    while at < rest.len() {
        if rest.as_bytes()[at] == separator {
            let (part, behind) = rest.split_at(at);
            parts[count] = part;
            (count, at, rest) = (count + 1, 0, behind.split_at(1).1);
        } else {
            at += 1;
        }
    }
    parts[count] = rest;
    assert!(count + 1 == N, "the list has another length");
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_taken_apart() {
        const WORDS: [&str; 3] = words("one two drei");
        const PHRASES: [&str; 2] = phrases("and so on|u. ä.");
        assert_eq!(WORDS, ["one", "two", "drei"]);
        assert_eq!(PHRASES, ["and so on", "u. ä."]);
    }
}
