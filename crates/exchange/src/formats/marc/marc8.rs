//! MARC-8: ASCII and ANSEL letters and diacritics. Of the sets selected by escape sequences, only Greek
//! symbols and subscript and superscript digits are supported.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

pub const ESCAPE: u8 = 0x1b;

/// A set selected by an escape sequence for the lower half.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Ascii,
    Greek,
    Subscript,
    Superscript,
    /// An unsupported set: each of its characters becomes U+FFFD.
    Unknown,
}

/// Decodes a text. Diacritics precede their letters in MARC-8; they are moved after them and composed.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if bytes.is_ascii()
        && !bytes.contains(&ESCAPE)
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len());
    let mut marks: Vec<char> = Vec::new();
    let mut set = Set::Ascii;
    let mut rest = bytes;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            ESCAPE => (set, rest) = escape(set, behind),
            0xe0..=0xfe => marks.extend(diacritic(byte)),
            _ => {
                let letter = match (byte, set) {
                    (0x00..=0x20 | 0x88..=0x8f, _) | (0x21..=0x7e, Set::Ascii) => char::from(byte),
                    (0x21..=0x7e, set) => in_set(byte, set),
                    _ => letter(byte),
                };
                out.push(letter);
                out.extend(marks.drain(..));
            }
        }
    }
    out.extend(marks);
    Cow::Owned(out.nfc().collect())
}

/// The set that a sequence selects, and the rest. Sequences for the upper half are skipped.
fn escape(set: Set, rest: &[u8]) -> (Set, &[u8]) {
    let skip = |count: usize| rest.get(count..).unwrap_or_default();
    match rest {
        [b's', ..] => (Set::Ascii, skip(1)),
        [b'g', ..] => (Set::Greek, skip(1)),
        [b'b', ..] => (Set::Subscript, skip(1)),
        [b'p', ..] => (Set::Superscript, skip(1)),
        [b'(' | b',', b'B', ..] => (Set::Ascii, skip(2)),
        [b'(' | b',', b'!', ..] => (Set::Unknown, skip(3)),
        [b'(' | b',', ..] => (Set::Unknown, skip(2)),
        [b'$', b')' | b'-' | b',' | b'(', ..] => (Set::Unknown, skip(3)),
        [b'$', ..] => (Set::Unknown, skip(2)),
        [b')' | b'-', b'!', ..] => (set, skip(3)),
        [b')' | b'-', ..] => (set, skip(2)),
        _ => (set, rest),
    }
}

fn in_set(byte: u8, set: Set) -> char {
    let from = |table: &str| {
        let digit = usize::from(byte.wrapping_sub(b'0'));
        table.chars().nth(digit)
    };
    let known = match (set, byte) {
        (Set::Greek, b'a') => Some('α'),
        (Set::Greek, b'b') => Some('β'),
        (Set::Greek, b'c') => Some('γ'),
        (Set::Subscript, b'0'..=b'9') => from("₀₁₂₃₄₅₆₇₈₉"),
        (Set::Superscript, b'0'..=b'9') => from("⁰¹²³⁴⁵⁶⁷⁸⁹"),
        (Set::Subscript, b'+') => Some('₊'),
        (Set::Subscript, b'-') => Some('₋'),
        (Set::Subscript, b'(') => Some('₍'),
        (Set::Subscript, b')') => Some('₎'),
        (Set::Superscript, b'+') => Some('⁺'),
        (Set::Superscript, b'-') => Some('⁻'),
        (Set::Superscript, b'(') => Some('⁽'),
        (Set::Superscript, b')') => Some('⁾'),
        _ => None,
    };
    known.unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// A non-combining letter of ANSEL.
fn letter(byte: u8) -> char {
    match byte {
        0xa1 => 'Ł',
        0xa2 => 'Ø',
        0xa3 => 'Đ',
        0xa4 => 'Þ',
        0xa5 => 'Æ',
        0xa6 => 'Œ',
        0xa7 => 'ʹ',
        0xa8 => '·',
        0xa9 => '♭',
        0xaa => '®',
        0xab => '±',
        0xac => 'Ơ',
        0xad => 'Ư',
        0xae => 'ʼ',
        0xb0 => 'ʻ',
        0xb1 => 'ł',
        0xb2 => 'ø',
        0xb3 => 'đ',
        0xb4 => 'þ',
        0xb5 => 'æ',
        0xb6 => 'œ',
        0xb7 => 'ʺ',
        0xb8 => 'ı',
        0xb9 => '£',
        0xba => 'ð',
        0xbc => 'ơ',
        0xbd => 'ư',
        0xc0 => '°',
        0xc1 => 'ℓ',
        0xc2 => '℗',
        0xc3 => '©',
        0xc4 => '♯',
        0xc5 => '¿',
        0xc6 => '¡',
        0xc7 => 'ß',
        0xc8 => '€',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// A diacritic of ANSEL. The second halves of ties have no meaning in Unicode.
fn diacritic(byte: u8) -> Option<char> {
    let mark = match byte {
        0xe0 => '\u{309}',
        0xe1 => '\u{300}',
        0xe2 => '\u{301}',
        0xe3 => '\u{302}',
        0xe4 => '\u{303}',
        0xe5 => '\u{304}',
        0xe6 => '\u{306}',
        0xe7 => '\u{307}',
        0xe8 => '\u{308}',
        0xe9 => '\u{30c}',
        0xea => '\u{30a}',
        0xeb => '\u{361}',
        0xed => '\u{315}',
        0xee => '\u{30b}',
        0xef => '\u{310}',
        0xf0 => '\u{327}',
        0xf1 => '\u{328}',
        0xf2 => '\u{323}',
        0xf3 => '\u{324}',
        0xf4 => '\u{325}',
        0xf5 => '\u{333}',
        0xf6 => '\u{332}',
        0xf7 => '\u{326}',
        0xf8 => '\u{31c}',
        0xf9 => '\u{32e}',
        0xfa => '\u{360}',
        0xfe => '\u{313}',
        _ => return None,
    };
    Some(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(decode(bytes), expected);
    }

    #[test]
    fn diacritics_stand_before_their_letters() {
        check(
            b"De la solitude \xe1a la communaut\xe2e",
            "De la solitude à la communauté",
        );
        check(b"M\xe8uller, \xa2ystein \xb1\xf0c", "Müller, Øystein łç");
        check(b"plain", "plain");
    }

    #[test]
    fn escape_sequences_choose_sets() {
        check(b"H\x1bb2\x1bsO, x\x1bp2\x1bs, \x1bga\x1bs", "H₂O, x², α");
        check(b"\x1b(Nab\x1b(B c", "\u{fffd}\u{fffd} c");
        check(b"x\x1b", "x");
        check(b"\xe8", "\u{308}");
    }
}
