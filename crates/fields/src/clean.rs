//! Cleans texts of other sources: decodes entities (even if encoded twice), converts JATS, HTML and MathML
//! to the inline markup of items, normalises white space, removes invisible characters, and repairs UTF-8
//! decoded as Latin-1. Words and their case are never changed.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::latex::formula;
use crate::pages::without_page_label;

use super::markup::{self, Tags};

/// What the texts of records are made of, for tests that repeat it.
pub const TOKENS: &[&str] = &[
    "<jats:p>",
    "</jats:p>",
    "<mml:math>",
    "<mml:mi>",
    "</mml:mi>",
    "</mml:math>",
    "<mml:mfrac>",
    "<i>",
    "</i>",
    "<sub>",
    "&lt;i&gt;",
    "&amp;",
    "&#x41;",
    "&",
    "<",
    ">",
    "<!--",
    "<![CDATA[",
    "$",
    "\\(",
    "\\frac{",
    "^{",
    "{",
    "}",
    "\\",
    "pp. ",
    "1-",
    "Doe, J.",
    "; ",
    "and ",
    "\n",
    "a ",
];

/// A title or other text with meaningful markup: keeps `<i> <b> <sub> <sup>`, small capitals and `nocase`,
/// removes other markup, and closes every tag.
pub fn rich(raw: &str) -> String {
    clean(raw, Tags::Keep)
}

/// Whether a text has entities, or elements that are not those of items: `<scp>`, `<SUB>`.
pub fn has_foreign_markup(text: &str) -> bool {
    let has_entity = || matches!(decode_entities(text), Cow::Owned(decoded) if decoded != text);
    text.contains('<') && markup::has_foreign_elements(text) || text.contains('&') && has_entity()
}

/// A text without markup: a publisher, a place, a number.
pub fn plain(raw: &str) -> String {
    clean(raw, Tags::Strip)
}

/// A part of a name: [`plain`], without surrounding footnote and list marks.
pub fn name(raw: &str) -> String {
    let text = plain(raw);
    let rim = |c: char| matches!(c, ',' | ';' | '*' | '†' | '‡' | '§' | '¶') || c.is_whitespace();
    let trimmed = text.trim_matches(rim);
    if trimmed.len() == text.len() {
        text
    } else {
        trimmed.to_owned()
    }
}

/// A page range; `None` if it only states that there are none (`n/a-n/a`, `no-no`, `-`). En dashes and
/// doubled hyphens become the single hyphen of CSL-JSON. A range from a page to itself, as Crossref has it
/// for a single page, is that page.
pub fn pages(raw: &str) -> Option<String> {
    let text = plain(raw).replace("--", "-").replace(['–', '—'], "-");
    let text = without_page_label(&text).unwrap_or(&text);
    let is_page = |part: &str| !says_no_page(part);
    match text.split_once('-') {
        Some((first, last)) if is_page(first) && (first == last || !is_page(last)) => {
            Some(first.trim().to_owned())
        }
        _ if text.split(['-', ' ', ',']).any(is_page) => Some(text.to_owned()),
        _ => None,
    }
}

fn says_no_page(part: &str) -> bool {
    let part = part.trim().to_ascii_lowercase();
    matches!(
        part.as_str(),
        "" | "n/a" | "na" | "n.a." | "no" | "null" | "none" | "?" | "nil"
    ) || part.bytes().all(|byte| byte == b'0')
}

/// A text in composed letters (NFC).
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// The beginning of a text, at most `most` bytes.
pub fn cut(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

/// Whether a volume or issue only states that the work is ahead of print.
pub fn is_ahead_of_print(text: &str) -> bool {
    let folded = text.to_ascii_lowercase().replace([' ', '_'], "-");
    matches!(
        folded.trim(),
        "ahead-of-print"
            | "aheadofprint"
            | "online-first"
            | "onlinefirst"
            | "publish-ahead-of-print"
            | "in-press"
            | "early-view"
            | "advance-online-publication"
    )
}

/// Whether a text of several words is in all capitals.
pub fn is_all_caps(text: &str) -> bool {
    let cased = || {
        text.chars()
            .filter(|c| c.is_uppercase() || c.is_lowercase())
    };
    let upper = cased().filter(|c| c.is_uppercase()).count();
    let words = text.split_whitespace().count();
    // Tags are lower case and have few letters.
    let lower = cased().count() - upper;
    words >= 3 && upper >= 10 && lower * 10 <= upper
}

/// Decodes HTML entities and character references up to three times, because several processing steps may
/// each have encoded them. An `&` that starts no entity stays.
pub fn decode_entities(text: &str) -> Cow<'_, str> {
    let mut decoded = Cow::Borrowed(text);
    for _ in 0..3 {
        match decode_once(&decoded) {
            Some(next) => decoded = Cow::Owned(next),
            None => break,
        }
    }
    decoded
}

/// Maximum length of a text, in bytes; longer ones are not titles and are cut.
const MAX_TEXT: usize = 32 * 1024;

fn clean(raw: &str, tags: Tags) -> String {
    let raw = raw.trim();
    let raw = raw.get(..raw.floor_char_boundary(MAX_TEXT)).unwrap_or(raw);
    if is_clean(raw) {
        return raw.to_owned();
    }
    let mended = mend_mojibake(raw);
    let decoded = decode_entities(&mended);
    let decoded = without_escapes(without_tex(decoded));
    // A character that was lost between blanks was a dash.
    if decoded.contains(LOST_DASH) {
        markup::inline(&decoded.replace(LOST_DASH, " – "), tags)
    } else {
        markup::inline(&decoded, tags)
    }
}

/// A text with the letters of its TeX formulas and without markup: `$t\bar{t}$`, `H$_2$O`.
pub fn without_formulas(text: &str) -> Cow<'_, str> {
    match without_tex(Cow::Borrowed(text)) {
        Cow::Owned(read) => Cow::Owned(markup::inline(&read, Tags::Strip)),
        same => same,
    }
}

/// Removes TeX's backslash before `&` and `%`, which programs leave when they write BibTeX as another format.
fn without_escapes(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains("\\&") || text.contains("\\%") {
        Cow::Owned(text.replace("\\&", "&").replace("\\%", "%"))
    } else {
        text
    }
}

/// Converts the TeX formulas between dollar signs of physicists' titles: `$\alpha$`, `H$_2$`. Prices have
/// none of TeX's signs.
fn without_tex(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = text.as_ref();
    while let Some((before, tex, behind)) = next_formula(rest) {
        let is_tex = tex.contains(['\\', '^', '_', '{']) || tex.len() == 1;
        let is_bare = !tex.contains("</") && tex.trim() == tex && !tex.contains('\n');
        let formula = (is_tex && is_bare).then(|| formula(tex));
        out.push_str(before);
        match formula.filter(|formula| !formula.contains(['\\', '$', '{'])) {
            Some(formula) => {
                out.push_str(&formula);
                rest = behind;
            }
            None => {
                // The second sign may be the first of a formula.
                out.push('$');
                rest = rest.get(before.len() + 1..).unwrap_or_default();
            }
        }
    }
    if out.is_empty() {
        return text;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The text before a formula, the formula, and the text behind. Formulas in titles are short.
fn next_formula(text: &str) -> Option<(&str, &str, &str)> {
    const MAX_LENGTH: usize = 300;
    let (before, rest) = text.split_once('$')?;
    let (sign, inside) = match rest.strip_prefix('$') {
        Some(inside) => ("$$", inside),
        None => ("$", rest),
    };
    let near = inside.get(..inside.floor_char_boundary(MAX_LENGTH))?;
    let tex = near.split(sign).next().filter(|tex| tex.len() < near.len());
    let tex = tex.unwrap_or_default();
    let behind = inside.get(tex.len() + sign.len()..).unwrap_or_default();
    Some((before, tex.trim(), behind))
}

const LOST_DASH: &str = " \u{fffd} ";

/// Whether the text needs no cleaning, as most texts of a dump.
fn is_clean(text: &str) -> bool {
    let mut before = 0;
    text.bytes().all(|byte| {
        let doubled_space = byte == b' ' && before == b' ';
        before = byte;
        (0x20..0x7f).contains(&byte)
            && !matches!(byte, b'&' | b'<' | b'$' | b'\\')
            && !doubled_space
    })
}

/// Decodes once; `None` if there is no entity.
fn decode_once(text: &str) -> Option<String> {
    let mut decoded = String::new();
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('&') {
        let (before, tail) = rest.split_at(at);
        decoded.push_str(before);
        match entity(tail) {
            Some((character, length)) => {
                decoded.push_str(&character);
                rest = tail.get(length..).unwrap_or_default();
                changed = true;
            }
            None => {
                decoded.push('&');
                rest = tail.get(1..).unwrap_or_default();
            }
        }
    }
    decoded.push_str(rest);
    changed.then_some(decoded)
}

/// The entity at the start of the text and its length in bytes. The longest HTML name has 32 characters.
fn entity(text: &str) -> Option<(Cow<'static, str>, usize)> {
    let bytes = text.as_bytes();
    let end = bytes.iter().take(35).position(|byte| *byte == b';')?;
    let name = text.get(1..end)?;
    let length = end + 1;
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        let character = windows_1252(code).or_else(|| char::from_u32(code))?;
        return Some((Cow::Owned(character.to_string()), length));
    }
    // The Astrophysics Data System has one more.
    let text = match name {
        "sun" => "☉",
        name => quick_xml::escape::resolve_html5_entity(name)?,
    };
    Some((Cow::Borrowed(text), length))
}

/// The characters of Windows-1252 at 0x80 to 0x9F; HTML maps references to these codes to them.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows_1252(code: u32) -> Option<char> {
    let place = code.checked_sub(0x80)?;
    WINDOWS_1252.get(usize::try_from(place).ok()?).copied()
}

/// Repairs UTF-8 that was decoded as Latin-1 or Windows-1252 (`KÃ¶ln`, `1990â€“95`). Applies only if the
/// whole text is then valid UTF-8, which genuine accents are not.
fn mend_mojibake(text: &str) -> Cow<'_, str> {
    // Nearly every such sequence begins with Â, Ã, â or a control character after 0x80.
    let suspicious = text
        .chars()
        .any(|c| matches!(c, 'Â' | 'Ã' | 'â' | '\u{80}'..='\u{9f}'));
    if !suspicious {
        return Cow::Borrowed(text);
    }
    let bytes: Option<Vec<u8>> = text.chars().map(single_byte).collect();
    match bytes.map(String::from_utf8) {
        Some(Ok(mended)) => Cow::Owned(mended),
        _ => Cow::Borrowed(text),
    }
}

/// The byte of a character in Latin-1 or Windows-1252.
fn single_byte(character: char) -> Option<u8> {
    if let Ok(byte) = u8::try_from(u32::from(character)) {
        return Some(byte);
    }
    let place = WINDOWS_1252.iter().position(|known| *known == character)?;
    u8::try_from(0x80 + place).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expected: &str) {
        assert_eq!(rich(raw), expected, "{raw}");
    }

    #[test]
    fn entities_once_and_twice_encoded() {
        check("R&amp;D", "R&D");
        check("R&amp;amp;D", "R&D");
        check("AT&T; B&B", "AT&T; B&B");
        check("caf&eacute; &#8211; &#x3b1;", "café – α");
        check("a&#150;b", "a–b");
        check("&lt;i&gt;Homo&lt;/i&gt;", "<i>Homo</i>");
        check("p &lt; 0.05 and n &gt; 3", "p < 0.05 and n > 3");
    }

    #[test]
    fn escapes_of_tex_are_signs() {
        check("Social Science \\& Medicine", "Social Science & Medicine");
        check("At 95\\% of A \\B", "At 95% of A \\B");
    }

    #[test]
    fn tex_formulas_are_text() {
        check(
            "The $\\alpha$-decay of H$_2$O",
            "The α-decay of H<sub>2</sub>O",
        );
        check(
            "pp collisions at $\\sqrt{s}=7$ TeV",
            "pp collisions at √s=7 TeV",
        );
        check(
            "at $\\sqrt{s_{\\rm NN}}=5.02$ TeV",
            "at √s<sub>NN</sub>=5.02 TeV",
        );
        check("$$E=mc^2$$ again", "E=mc<sup>2</sup> again");
        check("From $5 to $10", "From $5 to $10");
        check("A $\\unknown{x}$ thing", "A x thing");
        check("A lone $ sign", "A lone $ sign");
    }

    #[test]
    fn text_read_in_the_wrong_encoding() {
        check("KÃ¶ln", "Köln");
        check("1990â\u{80}\u{93}95", "1990–95");
        check("1990â€“95", "1990–95");
        check("«CAFÉ»", "«CAFÉ»");
        check("Âge d’or", "Âge d’or");
        check("château", "château");
    }

    #[test]
    fn invisible_characters_are_dropped() {
        check("a\u{0}b\u{ad}c\u{200b}d", "abcd");
        check("  a\n   b\u{a0}c\t", "a b c");
    }

    #[test]
    fn plain_text_has_no_markup() {
        assert_eq!(plain("Wiley &amp; <b>Sons</b>"), "Wiley & Sons");
        assert_eq!(name("Müller*, "), "Müller");
    }

    #[test]
    fn pages_that_say_nothing_are_dropped() {
        let check = |raw: &str, expected: Option<&str>| {
            assert_eq!(pages(raw).as_deref(), expected, "{raw}");
        };
        check("n/a-n/a", None);
        check("no-no", None);
        check("000-000", None);
        check("-", None);
        check("1-1", Some("1"));
        check("12–12", Some("12"));
        check("pp. 12-n/a", Some("12"));
        check("p53", Some("p53"));
        check("123–9", Some("123-9"));
        check("12--14, 18", Some("12-14, 18"));
        check("e1001", Some("e1001"));
    }

    #[test]
    fn capitals_are_noticed() {
        assert!(is_all_caps("THE EFFECT OF DRUGS"));
        assert!(!is_all_caps("DNA and RNA"));
        assert!(!is_all_caps("NASA"));
    }
}
