//! The characters of TeX's bitmap fonts, which name none: their codes are those of an encoding of TeX, OT1 or T1
//! (described in LaTeX's "encguide").

use super::glyphs::Glyph;

/// Private characters that keep the code of a glyph until all codes of its page are known.
const CODES: u32 = 0xf_0000;

/// The character that keeps a code.
pub(super) fn keep(code: u32) -> Option<char> {
    (code < 0x100)
        .then(|| char::from_u32(CODES + code))
        .flatten()
}

fn code(glyph: &Glyph) -> Option<u8> {
    u32::from(glyph.letter).checked_sub(CODES)?.try_into().ok()
}

/// Replaces the codes of a page by characters, or removes them if they are those of no text. Returns the number of
/// characters found.
pub(super) fn resolve(glyphs: &mut Vec<Glyph>) -> usize {
    let codes: Vec<u8> = glyphs.iter().filter_map(code).collect();
    if codes.is_empty() {
        return 0;
    }
    let encoding = if is_text(&codes) {
        Some(Encoding::of(&codes))
    } else {
        None
    };
    let mut found = 0;
    let mut resolved = Vec::with_capacity(glyphs.len());
    for glyph in glyphs.drain(..) {
        let Some(code) = code(&glyph) else {
            resolved.push(glyph);
            continue;
        };
        let text = encoding
            .map(|encoding| encoding.text(code))
            .unwrap_or_default();
        let count = text.chars().count();
        found += count;
        let width = (glyph.right - glyph.left) / count.max(1) as f32;
        resolved.extend(text.chars().enumerate().map(|(n, letter)| Glyph {
            letter,
            left: glyph.left + width * n as f32,
            right: glyph.left + width * (n + 1) as f32,
            ..glyph
        }));
    }
    *glyphs = resolved;
    found
}

/// Whether codes are those of letters in the frequency of a language, not those of an arbitrary order.
fn is_text(codes: &[u8]) -> bool {
    let letters = { codes.iter() }.filter(|code| code.is_ascii_alphabetic());
    let frequent = letters
        .clone()
        .filter(|code| b"aeinorst".contains(&code.to_ascii_lowercase()));
    let letters = letters.count();
    letters * 10 >= codes.len() * 6 && frequent.count() * 10 >= letters * 4
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Ot1,
    T1,
}

impl Encoding {
    /// The ligatures, which both have in other places, and accented letters tell them apart.
    fn of(codes: &[u8]) -> Encoding {
        let count = |is_own: fn(&u8) -> bool| codes.iter().filter(|code| is_own(code)).count();
        let ot1 = count(|code| (0x0b..=0x0f).contains(code));
        let t1 = count(|code| (0x1b..=0x1f).contains(code) || *code >= 0x80);
        if t1 > ot1 {
            Encoding::T1
        } else {
            Encoding::Ot1
        }
    }

    fn text(self, code: u8) -> String {
        let table = match self {
            Encoding::Ot1 => OT1,
            Encoding::T1 => T1,
        };
        let own = table.iter().find(|(own, _)| *own == code);
        let upper = (self == Encoding::T1).then(|| t1_letter(code)).flatten();
        let ascii = (0x21..0x7f).contains(&code).then(|| char::from(code));
        match own {
            Some((_, text)) => (*text).to_owned(),
            None => upper.or(ascii).map(String::from).unwrap_or_default(),
        }
    }
}

/// The accented letters of T1.
fn t1_letter(code: u8) -> Option<char> {
    const FROM_80: &str = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£";
    match code {
        0x80..=0xbf => FROM_80.chars().nth(usize::from(code - 0x80)),
        0xc0..=0xff => Some(char::from(code)),
        _ => None,
    }
}

const OT1: &[(u8, &str)] = &[
    (0x0b, "ff"),
    (0x0c, "fi"),
    (0x0d, "fl"),
    (0x0e, "ffi"),
    (0x0f, "ffl"),
    (0x10, "ı"),
    (0x11, "ȷ"),
    (0x12, "`"),
    (0x13, "´"),
    (0x14, "ˇ"),
    (0x15, "˘"),
    (0x16, "¯"),
    (0x17, "˚"),
    (0x18, "¸"),
    (0x19, "ß"),
    (0x1a, "æ"),
    (0x1b, "œ"),
    (0x1c, "ø"),
    (0x1d, "Æ"),
    (0x1e, "Œ"),
    (0x1f, "Ø"),
    (0x22, "”"),
    (0x27, "’"),
    (0x5c, "“"),
    (0x5e, "ˆ"),
    (0x5f, "˙"),
    (0x60, "‘"),
    (0x7b, "–"),
    (0x7c, "—"),
    (0x7d, "˝"),
    (0x7e, "˜"),
    (0x7f, "¨"),
];

const T1: &[(u8, &str)] = &[
    (0x00, "`"),
    (0x01, "´"),
    (0x02, "ˆ"),
    (0x03, "˜"),
    (0x04, "¨"),
    (0x05, "˝"),
    (0x06, "˚"),
    (0x07, "ˇ"),
    (0x08, "˘"),
    (0x09, "¯"),
    (0x0a, "˙"),
    (0x0b, "¸"),
    (0x0c, "˛"),
    (0x0d, "‚"),
    (0x0e, "‹"),
    (0x0f, "›"),
    (0x10, "“"),
    (0x11, "”"),
    (0x12, "„"),
    (0x13, "«"),
    (0x14, "»"),
    (0x15, "–"),
    (0x16, "—"),
    (0x19, "ı"),
    (0x1a, "ȷ"),
    (0x1b, "ff"),
    (0x1c, "fi"),
    (0x1d, "fl"),
    (0x1e, "ffi"),
    (0x1f, "ffl"),
    (0x27, "’"),
    (0x60, "‘"),
    (0x7f, "-"),
    (0xd7, "Œ"),
    (0xdf, "ẞ"),
    (0xf7, "œ"),
    (0xff, "ß"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(codes: &[u8], expected: &str) {
        let glyph = |(n, code): (usize, &u8)| Glyph {
            letter: keep(u32::from(*code)).unwrap(),
            left: n as f32,
            right: n as f32 + 1.0,
            baseline: 0.0,
            size: 10.0,
        };
        let mut glyphs: Vec<Glyph> = codes.iter().enumerate().map(glyph).collect();
        resolve(&mut glyphs);
        let text: String = glyphs.iter().map(|glyph| glyph.letter).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn codes_of_tex_are_characters() {
        check(
            b"\\on the e\x0bect of 12{15 treatments,\"",
            "“ontheeffectof12–15treatments,”",
        );
        check(
            b"\x10on the e\x1bect of Ma\xab\x15ska\x11",
            "“ontheeffectofMań–ska”",
        );
    }

    #[test]
    fn codes_of_another_order_are_no_characters() {
        check(&[1, 2, 3, 4, 65, 66, 67, 3, 2, 1], "");
        check(b"zxqwkzxqwkvvvbz", "");
    }
}
