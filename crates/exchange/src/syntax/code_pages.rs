//! Guesses the code page of a text that names none, from what its words would be.

use encoding_rs::{
    BIG5, EUC_KR, GBK, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
};

use crate::syntax::encoding::Encoding;

/// Bytes at the beginning of the words that are looked at.
const LOOKED_AT: usize = 256 * 1024;

/// The most likely code page of bytes that are not UTF-8. In the scripts of Europe other than Latin and of East
/// Asia, high bytes stand in runs; in Latin script they stand alone between ASCII letters.
pub fn guess(bytes: &[u8]) -> Encoding {
    let bytes = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let runs = bytes.split(u8::is_ascii).filter(|run| !run.is_empty());
    let (count, length) = runs.fold((0, 0), |(count, length), run| {
        (count + 1, length + run.len())
    });
    if length >= count * 2 {
        cyrillic(bytes)
            .or_else(|| east_asian(bytes))
            .unwrap_or_else(|| latin(bytes))
    } else {
        latin(bytes)
    }
}

/// Cyrillic letters are the upper half of the high bytes; small ones prevail.
fn cyrillic(bytes: &[u8]) -> Option<Encoding> {
    let high = bytes.iter().filter(|byte| !byte.is_ascii());
    let (mut all, mut upper, mut last) = (0_usize, 0_usize, 0_usize);
    for byte in high {
        all += 1;
        upper += usize::from(*byte >= 0xc0);
        last += usize::from(*byte >= 0xe0);
    }
    let page = if last * 2 >= upper {
        WINDOWS_1251
    } else {
        KOI8_R
    };
    (upper * 10 >= all * 9).then_some(Encoding::CodePage(page))
}

/// A code page, the number of its letters in a text, and the first bytes of its common characters.
type EastAsianPage = (&'static encoding_rs::Encoding, fn(&str) -> usize, [u8; 2]);

/// The code page of two bytes in which all is valid and most characters are of the common ones.
fn east_asian(bytes: &[u8]) -> Option<Encoding> {
    let pages: [EastAsianPage; 4] = [
        (GBK, han, [0xb0, 0xd7]),
        (BIG5, han, [0xa4, 0xc6]),
        (EUC_KR, hangul, [0xb0, 0xc8]),
        (SHIFT_JIS, kana, [0x88, 0x97]),
    ];
    let scored = pages.iter().filter_map(|(page, letters, [from, to])| {
        let (text, _, is_wrong) = page.decode(whole_characters(bytes));
        let foreign = text.chars().filter(|c| !c.is_ascii()).count();
        let common = leads(bytes, *page == SHIFT_JIS)
            .filter(|lead| (from..=to).contains(&lead))
            .count();
        let score = (letters(&text) + common) * 1_000 / foreign.max(1);
        (!is_wrong).then_some((score, *page))
    });
    let (_, best) = scored.max_by_key(|(score, _)| *score)?;
    Some(Encoding::CodePage(best))
}

/// The bytes without the character that the end of the looked-at part may cut.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    let end = bytes
        .iter()
        .rposition(u8::is_ascii)
        .map_or(bytes.len(), |at| at + 1);
    if bytes.len() == LOOKED_AT {
        bytes.get(..end).unwrap_or(bytes)
    } else {
        bytes
    }
}

/// The first bytes of characters of two bytes.
fn leads(bytes: &[u8], has_half_width: bool) -> impl Iterator<Item = u8> {
    let mut bytes = bytes.iter();
    std::iter::from_fn(move || {
        loop {
            let lead = *bytes.next()?;
            let is_single = lead.is_ascii() || has_half_width && (0xa0..0xe0).contains(&lead);
            if !is_single {
                bytes.next();
                return Some(lead);
            }
        }
    })
}

fn han(text: &str) -> usize {
    text.chars()
        .filter(|c| matches!(c, '\u{4e00}'..='\u{9fff}'))
        .count()
}

fn hangul(text: &str) -> usize {
    text.chars()
        .filter(|c| matches!(c, '\u{ac00}'..='\u{d7a3}'))
        .count()
}

/// Japanese has kana between its characters.
fn kana(text: &str) -> usize {
    let count = text
        .chars()
        .filter(|c| matches!(c, '\u{3041}'..='\u{30ff}'))
        .count();
    match count {
        0 => 0,
        count => count + han(text),
    }
}

/// The accented small letters of languages in Latin script.
const WESTERN: [&str; 12] = [
    "äöüß",
    "éèêàçôîûùâëïœæ",
    "áéíóúñü",
    "ãõáéíóúâêôçà",
    "åäöæøé",
    "áéíóúýþæöð",
    "àèéìòù",
    "àçèéíïòóúü",
    "éëïöüèê",
    "äöõüšž",
    "ëç",
    "áàâéêíóôúü",
];
const CENTRAL: [&str; 8] = [
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "ąćęłńóśźż",
    "áéíóöőúüű",
    "ăâîşţ",
    "čćđšž",
    "äöüß",
    "äöõüšž",
];

/// The code page of Latin script in which most words have the letters of one language.
fn latin(bytes: &[u8]) -> Encoding {
    let pages: [(&'static encoding_rs::Encoding, &[&str]); 3] = [
        (WINDOWS_1252, &WESTERN),
        (WINDOWS_1250, &CENTRAL),
        (MACINTOSH, &WESTERN),
    ];
    let is_end = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphabetic();
    let mut scores = [0_usize; 3];
    for word in bytes.split(is_end).filter(|word| !word.is_ascii()) {
        for ((page, alphabets), score) in pages.iter().zip(&mut scores) {
            let text = page.decode_without_bom_handling(word).0;
            *score += usize::from(is_word(&text, alphabets));
        }
    }
    let [western, central, mac] = scores;
    if central > western && central >= mac {
        return Encoding::CodePage(WINDOWS_1250);
    }
    if mac > western {
        return Encoding::CodePage(MACINTOSH);
    }
    // Bytes 0x80 to 0x9F are control codes in Latin-1.
    if bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) {
        Encoding::Windows1252
    } else {
        Encoding::Latin1
    }
}

/// Whether a text is a word of a language, in quotation marks or with an apostrophe.
fn is_word(text: &str, alphabets: &[&str]) -> bool {
    let is_sign = |c: char| "“”‘’„‚«»–—…·°\u{a0}".contains(c);
    let word = text.trim_matches(is_sign);
    let is_capital_inside = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(one, next)| one.is_lowercase() && next.is_uppercase() && !next.is_ascii());
    let accented = || word.chars().filter(|c| !c.is_ascii() && *c != '’');
    let fits = |alphabet: &&str| {
        accented().all(|c| c.to_lowercase().all(|small| alphabet.contains(small)))
    };
    !is_capital_inside
        && word.chars().any(|c| c.is_ascii_alphabetic())
        && alphabets.iter().any(fits)
}
