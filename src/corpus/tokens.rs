//! From text to search terms: lower case, without diacritics and markup. Words of scripts
//! without spaces become pairs of characters.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Maximum bytes of a term; longer ones are not words, and are truncated.
const MAX_TERM: usize = 64;

/// The terms of a text, one after the other, without an allocation per term.
///
/// ```text
/// «Über CO<sub>2</sub>-Émissions 東京都»  →  uber co2 emissions 東京 京都
/// ```
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    /// Where to continue, in bytes.
    at: usize,
    /// Whether the character at `at` has already been the second one of a pair.
    paired: bool,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens {
            text,
            at: 0,
            paired: false,
        }
    }

    /// Writes the next term; false at the end of the text.
    pub fn next_into(&mut self, term: &mut String) -> bool {
        term.clear();
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            let more = if byte.is_ascii() {
                self.ascii(byte, term)
            } else {
                self.beyond_ascii(term)
            };
            if !more {
                return true;
            }
        }
        !term.is_empty()
    }

    /// Adds an ASCII character. False if it ends the term.
    fn ascii(&mut self, byte: u8, term: &mut String) -> bool {
        self.paired = false;
        if byte.is_ascii_alphanumeric() {
            push(term, char::from(byte.to_ascii_lowercase()));
            self.at += 1;
            return true;
        }
        if byte == b'<'
            && let Some(length) = inline_tag(self.text.get(self.at..).unwrap_or_default())
        {
            self.at += length;
            return true;
        }
        self.at += 1;
        term.is_empty()
    }

    /// Adds any other character. False if it ends the term.
    fn beyond_ascii(&mut self, term: &mut String) -> bool {
        let mut chars = self.text.get(self.at..).unwrap_or_default().chars();
        let Some(c) = chars.next() else {
            self.at = self.text.len();
            return false;
        };
        if is_unspaced(c) {
            return self.pair(c, chars.next(), term);
        }
        self.at += c.len_utf8();
        self.paired = false;
        if is_ignored(c) {
            return true;
        }
        if c.is_alphanumeric() || is_combining_mark(c) {
            fold(c, term);
            return true;
        }
        term.is_empty()
    }

    /// Forms a pair of two characters of an unspaced script; a single one is a term too.
    fn pair(&mut self, c: char, next: Option<char>, term: &mut String) -> bool {
        if !term.is_empty() {
            return false;
        }
        self.at += c.len_utf8();
        let follower = next.filter(|&next| is_unspaced(next));
        let was_paired = std::mem::replace(&mut self.paired, follower.is_some());
        if follower.is_none() && was_paired {
            return true;
        }
        term.push(c);
        term.extend(follower);
        false
    }
}

/// Every term of a text, in order.
pub fn tokenize(text: &str) -> Vec<String> {
    let mut tokens = Tokens::new(text);
    let mut term = String::new();
    let mut terms = Vec::new();
    while tokens.next_into(&mut term) {
        terms.push(term.clone());
    }
    terms
}

fn push(term: &mut String, c: char) {
    if term.len() + c.len_utf8() <= MAX_TERM {
        term.push(c);
    }
}

/// Adds a character in lower case and without its diacritics.
fn fold(c: char, term: &mut String) {
    let letters = match c {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ø' | 'Ø' => "o",
        'ł' | 'Ł' => "l",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'þ' | 'Þ' => "th",
        'ħ' | 'Ħ' => "h",
        'ı' => "i",
        'ς' => "σ",
        _ => "",
    };
    if !letters.is_empty() {
        letters.chars().for_each(|letter| push(term, letter));
        return;
    }
    decompose_compatible(c, |part| {
        if is_ignored(part) {
            return;
        }
        for lower in part.to_lowercase() {
            if lower.is_alphanumeric() || (is_combining_mark(lower) && !is_ignored(lower)) {
                push(term, lower);
            }
        }
    });
}

/// Diacritics of alphabets that are readable without them, and invisible characters.
fn is_ignored(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
        | '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe2f}'
        | '\u{591}'..='\u{5c7}' | '\u{640}' | '\u{64b}'..='\u{65f}')
}

/// Scripts without spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han,
/// Hangul (whose spaces separate phrases).
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e01}'..='\u{e4e}' | '\u{e80}'..='\u{ecd}' | '\u{1000}'..='\u{103f}'
        | '\u{1780}'..='\u{17d3}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
        && !matches!(c, '\u{30fb}')
}

/// The length of an inline tag at the start of a text (`<sub>`, `</i>`, `<span class="nocase">`).
fn inline_tag(text: &str) -> Option<usize> {
    let end = text.bytes().take(128).position(|byte| byte == b'>')?;
    let inside = text.get(1..end)?;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let name = name.split([' ', '/']).next()?;
    let known = matches!(
        name,
        "i" | "b"
            | "u"
            | "em"
            | "strong"
            | "sub"
            | "sup"
            | "sc"
            | "scp"
            | "span"
            | "italic"
            | "bold"
    );
    known.then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(tokenize(text).join(" "), expected, "{text}");
    }

    #[test]
    fn words_are_folded() {
        check("Über die Wärme", "uber die warme");
        check("U\u{308}ber", "uber");
        check("ŁÓDŹ Straße Ærø", "lodz strasse aero");
        check("İstanbul ısı", "istanbul isi");
        check("Μῆνις Ὀδυσσεύς", "μηνισ οδυσσευσ");
        check("Толстой и Й", "толстои и и");
        check("ﬁn ＡＢＣ ①", "fin abc 1");
    }

    #[test]
    fn numbers_are_kept() {
        check("1984, 12(3):45–67, e1000", "1984 12 3 45 67 e1000");
    }

    #[test]
    fn markup_does_not_split_words() {
        check("CO<sub>2</sub> in <i>E. coli</i>", "co2 in e coli");
        check("a < b and c > d", "a b and c d");
        check("<span class=\"nocase\">mRNA</span>", "mrna");
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        check("東京都", "東京 京都");
        check("東", "東");
        check("東京 2020年", "東京 2020 年");
        check("abc東京", "abc 東京");
        check("カタカナ・語", "カタ タカ カナ 語");
        check("한국어 논문", "한국 국어 논문");
    }

    #[test]
    fn joined_scripts_keep_their_marks() {
        check("हिन्दी", "हिन्दी");
        check("مُحَمَّد", "محمد");
        check("soft\u{ad}hyphen", "softhyphen");
    }

    #[test]
    fn odd_input_terminates() {
        check("", "");
        check("—…!", "");
        check("<", "");
        check("\u{301}", "");
        let long = "x".repeat(1000);
        assert_eq!(tokenize(&long), ["x".repeat(MAX_TERM)]);
        let wide = "é".repeat(1000);
        assert_eq!(tokenize(&wide), ["e".repeat(MAX_TERM)]);
    }
}
