//! Guesses the code page of a text that names none, from what its words would be.

use std::ops::RangeInclusive;

use encoding_rs::{
    BIG5, EUC_KR, GBK, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
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
        other_script(bytes)
            .or_else(|| east_asian(bytes))
            .unwrap_or_else(|| latin(bytes))
    } else {
        latin(bytes)
    }
}

/// A code page of a script other than Latin, the range of the script, and its ten most frequent letters.
type ScriptPage = (
    &'static encoding_rs::Encoding,
    RangeInclusive<char>,
    &'static str,
);

/// The code page whose script all is in, and whose frequent letters are the most frequent ones.
fn other_script(bytes: &[u8]) -> Option<Encoding> {
    const CYRILLIC: RangeInclusive<char> = '\u{400}'..='\u{4ff}';
    const RUSSIAN: &str = "оеаинтсрвл";
    let pages: [ScriptPage; 5] = [
        (WINDOWS_1251, CYRILLIC, RUSSIAN),
        (KOI8_R, CYRILLIC, RUSSIAN),
        (WINDOWS_1253, '\u{370}'..='\u{3ff}', "αοιετσνηυρ"),
        (WINDOWS_1255, '\u{591}'..='\u{5ea}', "יוהלאתרמבש"),
        (WINDOWS_1256, '\u{600}'..='\u{6ff}', "اليمونترب"),
    ];
    let scored = pages.into_iter().filter_map(|(page, script, frequent)| {
        let text = page.decode_without_bom_handling(bytes).0;
        let (mut all, mut letters, mut known) = (0_usize, 0_usize, 0_usize);
        for c in text.chars().filter(|c| !c.is_ascii()) {
            all += 1;
            letters += usize::from(script.contains(&c));
            known += usize::from(frequent.contains(c));
        }
        let fits = letters * 10 >= all * 9 && known * 5 >= all * 2;
        fits.then_some((known * 1_000 / all.max(1), page))
    });
    let (_, best) = scored.max_by_key(|(score, _)| *score)?;
    Some(Encoding::CodePage(best))
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

const TURKISH: &str = "çğıöşüâîû";

/// The code page of Latin script in which most words have the letters of one language.
fn latin(bytes: &[u8]) -> Encoding {
    // Of equal ones, the last counts.
    let pages: [(&'static encoding_rs::Encoding, &[&str]); 3] = [
        (WINDOWS_1250, &CENTRAL),
        (MACINTOSH, &WESTERN),
        (WINDOWS_1252, &WESTERN),
    ];
    let fitting = |(page, alphabets): &&(&'static encoding_rs::Encoding, &[&str])| {
        words_in(bytes, page, alphabets)
    };
    let best = pages.iter().max_by_key(fitting).map(|(page, _)| *page);
    if let Some(page) = best.filter(|page| *page != WINDOWS_1252) {
        return Encoding::CodePage(page);
    }
    if is_turkish(bytes) {
        return Encoding::CodePage(WINDOWS_1254);
    }
    // Bytes 0x80 to 0x9F are control codes in Latin-1.
    if bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) {
        Encoding::Windows1252
    } else {
        Encoding::Latin1
    }
}

/// Whether more words are Turkish than of any one Western language: in Windows-1252, its own letters are those of
/// Icelandic.
fn is_turkish(bytes: &[u8]) -> bool {
    let has_own = bytes
        .iter()
        .any(|byte| matches!(byte, 0xd0 | 0xdd | 0xde | 0xf0 | 0xfd | 0xfe));
    let western = WESTERN
        .iter()
        .map(|alphabet| words_in(bytes, WINDOWS_1252, &[alphabet]));
    has_own && Some(words_in(bytes, WINDOWS_1254, &[TURKISH])) > western.max()
}

/// The number of accented words that have the letters of one of some languages.
fn words_in(bytes: &[u8], page: &'static encoding_rs::Encoding, alphabets: &[&str]) -> usize {
    let is_end = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphabetic();
    let words = bytes.split(is_end).filter(|word| !word.is_ascii());
    let fitting =
        words.filter(|word| is_word(&page.decode_without_bom_handling(word).0, alphabets));
    fitting.count()
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
