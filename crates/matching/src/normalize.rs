//! Normalises text for comparing references and works: folds, transliterates and tokenises it.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::words;

/// The maximum length of a token in bytes. Longer runs are cut, since no word needs more.
const MAX_TOKEN_LENGTH: usize = 64;

/// A word or number of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The folded token: lower case, without diacritics, in Latin letters if the script has a
    /// letter-by-letter transliteration.
    pub text: String,
    /// The byte range of the token in the original text.
    pub span: Range<usize>,
    pub shape: TokenShape,
    /// The significance of the token: lowest for function words, highest for long words.
    pub weight: f64,
}

/// The form of a token before folding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenShape {
    /// Lower case, or a script without case.
    Lower,
    /// A capital followed by lower case, or mixed.
    Capital,
    /// Two or more letters, all capitals.
    Upper,
    /// One letter.
    Letter,
    /// Digits, possibly with letters: `12`, `S274`, `1a`. A word with one digit in it (`Dockr1ll`)
    /// is still a word.
    Number,
    /// Two adjacent characters of a script without spaces between words.
    Bigram,
}

impl Token {
    fn new(text: String, span: Range<usize>, shape: TokenShape) -> Token {
        Token {
            weight: weight(&text, shape),
            text,
            span,
            shape,
        }
    }

    /// Whether the token consists of digits only.
    pub fn is_digits(&self) -> bool {
        self.shape == TokenShape::Number && self.text.bytes().all(|b| b.is_ascii_digit())
    }

    /// Whether the token is a word, not a number or an initial.
    pub fn is_word(&self) -> bool {
        !matches!(self.shape, TokenShape::Number | TokenShape::Letter)
    }
}

/// The weight of a folded token.
fn weight(text: &str, shape: TokenShape) -> f64 {
    if shape == TokenShape::Bigram {
        return 0.5;
    }
    if words::is_function_word(text) {
        return 0.15;
    }
    match text.chars().count() {
        0..=1 => 0.2,
        2..=3 => 0.5,
        4..=5 => 0.8,
        6..=9 => 1.0,
        _ => 1.2,
    }
}

/// Splits a text into tokens in reading order. Skips markup (`<i>`, `&amp;`), drops soft hyphens,
/// and rejoins words hyphenated at a line end. Scripts without spaces between words give
/// overlapping pairs of characters.
pub fn tokens(text: &str) -> Vec<Token> {
    Cutter {
        text,
        found: Vec::new(),
    }
    .run()
}

/// Folds a text like [`tokens`], without splitting it.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded
}

/// Keeps only the folded letters and digits of a text: equal for spellings that differ only in
/// spaces, punctuation, case and accents.
pub fn squeeze(text: &str) -> String {
    let mut squeezed = fold(text);
    squeezed.retain(char::is_alphanumeric);
    squeezed
}

struct Cutter<'a> {
    text: &'a str,
    found: Vec<Token>,
}

impl Cutter<'_> {
    fn run(mut self) -> Vec<Token> {
        let mut at = 0;
        while let Some(c) = self.char_at(at) {
            if let Some(length) = markup_length(self.rest(at)) {
                at += length;
            } else if is_unspaced(c) {
                at = self.take_unspaced(at);
            } else if c.is_alphanumeric() {
                at = self.take_plain(at).unwrap_or_else(|| self.take_word(at));
            } else {
                at += c.len_utf8();
            }
        }
        self.found
    }

    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    /// The fast path for most tokens: ASCII letters only, or digits only. `None` if the text behind
    /// them needs a closer look.
    fn take_plain(&mut self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes().get(start..)?;
        let is_alike = match bytes.first()? {
            first if first.is_ascii_digit() => u8::is_ascii_digit,
            _ => u8::is_ascii_alphabetic,
        };
        let length = bytes.iter().take_while(|byte| is_alike(byte)).count();
        let is_whole = match bytes.get(length..)? {
            [] => true,
            [b'-', behind, ..] => behind.is_ascii_alphanumeric(),
            [behind, ..] => behind.is_ascii() && !behind.is_ascii_alphanumeric() && *behind != b'-',
        };
        if length == 0 || length > MAX_TOKEN_LENGTH || !is_whole {
            return None;
        }
        let span = start..start + length;
        let raw = self.text.get(span.clone())?;
        let token = Token::new(raw.to_ascii_lowercase(), span.clone(), shape_of(raw));
        self.found.push(token);
        Some(span.end)
    }

    /// Reads a run of letters and digits, across soft hyphens, tags inside a word and line breaks.
    fn take_word(&mut self, start: usize) -> usize {
        let mut at = start;
        let mut run: Vec<(usize, char)> = Vec::new();
        while let Some(c) = self.char_at(at) {
            if is_invisible(c) || is_lost_letter(&run, c) {
                at += c.len_utf8();
            } else if (c.is_alphanumeric() && !is_unspaced(c)) || is_combining_mark(c) {
                run.push((at, c));
                at += c.len_utf8();
            } else if let Some(length) = line_break_length(&run, self.rest(at)) {
                at += length;
            } else {
                break;
            }
        }
        for piece in pieces(&run) {
            self.push(piece);
        }
        at
    }

    fn push(&mut self, piece: &[(usize, char)]) {
        let (Some(first), Some(last)) = (piece.first(), piece.last()) else {
            return;
        };
        let raw: String = piece.iter().map(|(_, c)| c).collect();
        let mut text = fold(&raw);
        text.retain(char::is_alphanumeric);
        truncate(&mut text, MAX_TOKEN_LENGTH);
        if !text.is_empty() {
            let span = first.0..last.0 + last.1.len_utf8();
            self.found.push(Token::new(text, span, shape_of(&raw)));
        }
    }

    /// Reads a run of a script without spaces and pushes its overlapping pairs.
    fn take_unspaced(&mut self, start: usize) -> usize {
        let run: Vec<(usize, char)> = self
            .rest(start)
            .char_indices()
            .take_while(|(_, c)| is_unspaced(*c) || is_combining_mark(*c))
            .map(|(offset, c)| (start + offset, c))
            .collect();
        let end = run
            .last()
            .map_or(start, |(offset, c)| offset + c.len_utf8());
        if let [(from, single)] = run.as_slice() {
            self.push_bigram(*from..end, &single.to_string());
        }
        for pair in run.windows(2) {
            if let [(from, first), (to, second)] = pair {
                let text: String = [*first, *second].iter().collect();
                self.push_bigram(*from..to + second.len_utf8(), &text);
            }
        }
        end
    }

    fn push_bigram(&mut self, span: Range<usize>, raw: &str) {
        self.found
            .push(Token::new(fold(raw), span, TokenShape::Bigram));
    }
}

/// Splits a run where a number meets a word of four or more letters (`1Proceedings`, which lost its
/// space). Keeps short mixtures (`S274`, `H2O`) and misread words (`arg1nine`) whole.
fn pieces(run: &[(usize, char)]) -> Vec<&[(usize, char)]> {
    const WORD: usize = 4;
    let mut found = Vec::new();
    let mut start = 0;
    for at in 1..run.len() {
        let (Some(before), Some(after)) = (run.get(at - 1), run.get(at)) else {
            continue;
        };
        let letters = match (before.1.is_numeric(), after.1.is_numeric()) {
            (true, false) => run
                .iter()
                .skip(at)
                .take_while(|p| p.1.is_alphabetic())
                .count(),
            (false, true) => run
                .iter()
                .take(at)
                .rev()
                .take_while(|p| p.1.is_alphabetic())
                .count(),
            _ => 0,
        };
        if letters >= WORD && !is_within_word(run, at) {
            found.extend(run.get(start..at));
            start = at;
        }
    }
    found.extend(run.get(start..));
    found
}

/// Whether a seam is beside a single digit between small letters, a typical error of text
/// recognition.
fn is_within_word(run: &[(usize, char)], seam: usize) -> bool {
    let is = |at: Option<usize>, kind: fn(char) -> bool| {
        at.and_then(|at| run.get(at)).is_some_and(|(_, c)| kind(*c))
    };
    let letters = |from: Option<usize>| {
        is(from, char::is_alphabetic) && is(from.map(|at| at + 1), char::is_alphabetic)
    };
    [seam.checked_sub(1), Some(seam)]
        .into_iter()
        .flatten()
        .filter(|digit| is(Some(*digit), char::is_numeric))
        .any(|digit| letters(digit.checked_sub(2)) && is(Some(digit + 1), char::is_lowercase))
}

/// The length of a tag or entity at the start of a text.
fn markup_length(text: &str) -> Option<usize> {
    const MAX_TAG_LENGTH: usize = 60;
    const MAX_ENTITY_LENGTH: usize = 8;
    let bytes = text.as_bytes();
    let (close, longest) = match bytes.first()? {
        b'<' => (b'>', MAX_TAG_LENGTH),
        b'&' => (b';', MAX_ENTITY_LENGTH),
        _ => return None,
    };
    let opens = bytes
        .get(1)
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'/' || *b == b'#');
    let end = bytes.iter().take(longest).position(|b| *b == close)?;
    // An ampersand with a space before the next semicolon is a word, not an entity.
    let entity_like = close == b'>'
        || bytes
            .get(1..end)?
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || *b == b'#');
    (opens && entity_like).then_some(end + 1)
}

/// The length of a hyphen and line break at the start of a text, if a word continues behind it.
fn line_break_length(run: &[(usize, char)], text: &str) -> Option<usize> {
    let hyphen = text
        .chars()
        .next()
        .filter(|c| matches!(c, '-' | '\u{2010}' | '\u{ac}'))?;
    if !run.last()?.1.is_alphabetic() {
        return None;
    }
    let behind = text.get(hyphen.len_utf8()..)?;
    let white = behind.len() - behind.trim_start().len();
    let broken = behind.get(..white)?.contains(['\n', '\r']);
    let goes_on = behind
        .trim_start()
        .chars()
        .next()
        .is_some_and(char::is_lowercase);
    (broken && goes_on).then_some(hyphen.len_utf8() + white)
}

/// Whether the character replaces a letter lost in an encoding error. The word continues behind it.
fn is_lost_letter(run: &[(usize, char)], c: char) -> bool {
    c == '\u{fffd}' && !run.is_empty()
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
    )
}

/// Scripts without spaces between words: Han, kana, Thai, Lao, Khmer, Myanmar.
fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF
        | 0x3005..=0x3007 | 0x3040..=0x30FF | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
        && c.is_alphabetic()
}

fn shape_of(raw: &str) -> TokenShape {
    let digits = raw.chars().filter(|c| c.is_numeric()).count();
    // One digit among this many letters is a misread letter.
    const DIGIT_IN: usize = 5;
    if digits > 1 || (digits == 1 && raw.chars().count() < DIGIT_IN) {
        return TokenShape::Number;
    }
    let mut letters = raw.chars().filter(|c| c.is_alphabetic());
    let first_is_capital = letters.next().is_some_and(char::is_uppercase);
    let (mut more, mut all_capital) = (false, true);
    for c in letters {
        more = true;
        all_capital &= !c.is_lowercase();
    }
    match (more, first_is_capital, all_capital) {
        (false, ..) => TokenShape::Letter,
        (_, true, true) => TokenShape::Upper,
        (_, true, false) => TokenShape::Capital,
        (_, false, _) => TokenShape::Lower,
    }
}

fn truncate(text: &mut String, longest: usize) {
    while text.len() > longest {
        text.pop();
    }
}

fn fold_into(text: &str, folded: &mut String) {
    if text.is_ascii() {
        folded.extend(text.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    // Decomposition splits Hangul syllables, hence the composition afterwards.
    let bare = text.nfkd().filter(|c| !is_diacritic(*c)).nfc();
    for c in bare.flat_map(char::to_lowercase) {
        match transliteration(c) {
            Some(latin) => folded.push_str(latin),
            None => folded.push(c),
        }
    }
}

/// Diacritics that alphabets put on letters. Vowel signs of other scripts are excluded, because
/// without them a word is a different word.
fn is_diacritic(c: char) -> bool {
    matches!(c as u32, 0x0300..=0x036F | 0x0483..=0x0487 | 0x0591..=0x05C7 | 0x064B..=0x065F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF)
}

/// Letters that no decomposition turns into plain Latin ones: ligatures, barred letters, Greek and
/// Cyrillic (after the British Standard 2979 and the passport rules, without their accents).
fn transliteration(c: char) -> Option<&'static str> {
    let latin = match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' | 'ɖ' => "d",
        'ł' => "l",
        'þ' => "th",
        'ı' => "i",
        'ħ' => "h",
        'ŋ' => "ng",
        'ŧ' => "t",
        'ə' => "e",
        'α' => "a",
        'β' => "b",
        'γ' => "g",
        'δ' => "d",
        'ε' | 'η' => "e",
        'ζ' => "z",
        'θ' => "th",
        'ι' => "i",
        'κ' => "k",
        'λ' => "l",
        'μ' => "m",
        'ν' => "n",
        'ξ' => "x",
        'ο' | 'ω' => "o",
        'π' => "p",
        'ρ' => "r",
        'σ' | 'ς' => "s",
        'τ' => "t",
        'υ' => "u",
        'φ' => "ph",
        'χ' => "ch",
        'ψ' => "ps",
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' | 'ґ' => "g",
        'д' => "d",
        'е' | 'э' | 'є' => "e",
        'ж' => "zh",
        'з' | 'ѕ' => "z",
        'и' | 'і' => "i",
        'ј' | 'ы' => "y",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ф' => "f",
        'х' => "kh",
        'ц' => "ts",
        'ч' | 'ћ' => "ch",
        'ш' => "sh",
        'щ' => "shch",
        'ъ' | 'ь' => "",
        'ю' => "yu",
        'я' => "ya",
        'ђ' => "dj",
        'љ' => "lj",
        'њ' => "nj",
        'џ' => "dz",
        _ => return None,
    };
    Some(latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found: Vec<String> = tokens(text).into_iter().map(|t| t.text).collect();
        assert_eq!(found.join(" "), expected, "{text:?}");
    }

    #[test]
    fn case_accents_and_ligatures_fold() {
        check(
            "Fernández-Domínguez, ŁÓDŹ, Straße",
            "fernandez dominguez lodz strasse",
        );
        check(
            "de\u{ad}fin\u{ad}ition of eﬃcient",
            "definition of efficient",
        );
        check("Ｆｕｌｌ１２", "full 12");
        check("M\u{fffd}llerian", "mllerian");
    }

    #[test]
    fn other_alphabets_are_written_in_latin_letters() {
        check("Журнал Щербы", "zhurnal shcherby");
        check("β-catenin", "b catenin");
    }

    #[test]
    fn broken_lines_are_mended_but_compounds_stay() {
        check(
            "coher-\nence in wave- and\nheight-\n  resolved",
            "coherence in wave and heightresolved",
        );
        check("Brooklyn-\nQueens 12-\n14", "brooklyn queens 12 14");
    }

    #[test]
    fn markup_is_no_text() {
        check(
            "H<sub>2</sub>O &amp; <i>E. coli</i> AT&T",
            "h 2 o e coli at t",
        );
        check("a < b and c > d", "a b and c d");
    }

    #[test]
    fn numbers_stand_alone_unless_short_letters_belong_to_them() {
        check(
            "[1]1Proceedings S274-L341 33(17):1a",
            "1 1 proceedings s274 l341 33 17 1a",
        );
        check("Dockr1ll Natl2Journal h1n1", "dockr1ll natl 2 journal h1n1");
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        check("日本語の本 x", "日本 本語 語の の本 x");
        check("한국어 책", "한국어 책");
        check("書", "書");
    }

    #[test]
    fn spans_point_into_the_text() {
        let text = "É. coher-\nence";
        let last = tokens(text).pop().map(|t| t.span);
        assert_eq!(last.and_then(|span| text.get(span)), Some("coher-\nence"));
    }

    #[test]
    fn a_token_is_never_longer_than_its_bound() {
        assert!(
            tokens(&"ж".repeat(500))
                .iter()
                .all(|t| t.text.len() <= MAX_TOKEN_LENGTH)
        );
    }
}
