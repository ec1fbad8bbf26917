//! Parses the text after a key: `, p. 33-35 and passim` is a locator and a suffix. As in pandoc: a label
//! name, or a page if a word with digits comes first; text in braces is taken verbatim.

use std::collections::HashMap;
use std::sync::LazyLock;

use citation_model::cite::{Cite, Locator};

/// Maximum length of a label name, in tokens.
const MAX_LABEL_LENGTH: usize = 8;

/// CSL labels, and their lower-case names without full stop.
const LABELS: [(&str, &str); 16] = [
    ("page", "p pp page pages s"),
    ("chapter", "chap chaps ch chapter kap"),
    ("section", "sec secs sect section § §§"),
    ("volume", "vol vols volume"),
    ("book", "bk book"),
    ("column", "col column"),
    ("figure", "fig figs figure"),
    ("folio", "fol"),
    ("line", "l ll line"),
    ("note", "n nn note"),
    ("issue", "no"),
    ("opus", "op"),
    ("paragraph", "para ¶"),
    ("part", "pt part"),
    ("verse", "v verse"),
    ("table", "table"),
];

/// Names of locator labels in lower case.
#[derive(Debug)]
pub struct Labels(HashMap<String, &'static str>);

/// Labels for manuscripts without a locale.
static USUAL: LazyLock<Labels> = LazyLock::new(|| {
    let names = LABELS.iter().flat_map(|(label, names)| {
        let spellings = |name: &str| [name.to_owned(), format!("{name}.")];
        let names = names.split(' ').flat_map(spellings);
        names.map(|name| (name, *label))
    });
    Labels::new(names)
});

/// Adds the text after a key to a cite as locator and suffix, with the default labels.
pub(crate) fn add(cite: &mut Cite, text: &str) {
    USUAL.add(cite, text);
}

impl Labels {
    /// From names and their CSL labels; the first of equal names counts.
    pub fn new(names: impl IntoIterator<Item = (String, &'static str)>) -> Labels {
        let mut labels = HashMap::new();
        for (name, label) in names {
            labels.entry(name.to_lowercase()).or_insert(label);
        }
        Labels(labels)
    }

    /// Adds the text after a key to its cite.
    pub fn add(&self, cite: &mut Cite, text: &str) {
        let text = text.trim_end();
        let tokens = tokens(text);
        let mut reader = LocatorReader {
            labels: &self.0,
            tokens: &tokens,
            at: 0,
        };
        reader.mark(|mark| mark == ',');
        reader.blank();
        let start = reader.at;
        let found = reader.delimited().or_else(|| {
            reader.at = start;
            reader.integrated()
        });
        let Some((label, value)) = found else {
            cite.suffix = with_comma(text);
            return;
        };
        let end = reader.at;
        let rest = tokens.get(end).and_then(|token| text.get(token.start..));
        let rest = rest.unwrap_or_default();
        if value.is_empty() {
            cite.suffix = with_comma(rest);
            return;
        }
        cite.suffix = rest.to_owned();
        cite.locator = Some(Locator {
            label: label.to_owned(),
            value: with_dashes(&value),
        });
    }
}

/// Uses a dash in non-numeric ranges: `VIII-IX`, `(i)-(iv)`, `[39-52]`. The style handles numeric ones, and
/// other hyphens may be part of one number: `A-12`.
fn with_dashes(value: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric();
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, behind)) = rest.split_once('-') {
        out.push_str(before);
        let head = before.trim_end_matches(is_part);
        let from = before.get(head.len()..).unwrap_or_default();
        let to = behind.split(|c| !is_part(c)).next().unwrap_or_default();
        let are = |is_meant: fn(&str) -> bool| is_meant(from) && is_meant(to);
        let is_number = |text: &str| text.parse::<u64>().is_ok();
        let is_range = before.ends_with([')', ']']) && behind.starts_with(['(', '['])
            || are(is_roman)
            || head.ends_with(['(', '[']) && are(is_number);
        out.push(if is_range { '–' } else { '-' });
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Puts a comma before a suffix that begins with a word.
fn with_comma(suffix: &str) -> String {
    match suffix.chars().next() {
        None => String::new(),
        Some(c) if c == ' ' || is_mark(c) => suffix.to_owned(),
        Some(_) => format!(", {suffix}"),
    }
}

/// A token of a suffix. Each punctuation mark is separate.
struct Token<'s> {
    kind: TokenKind,
    text: &'s str,
    start: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Blank,
    Mark(char),
    Word,
    /// A tag of CSL markup.
    Tag,
}

fn is_mark(c: char) -> bool {
    match c {
        '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~' => false,
        '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' => true,
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' => true,
        _ => c.is_ascii_punctuation(),
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut start = 0;
    while let Some(rest) = text.get(start..)
        && let Some(c) = rest.chars().next()
    {
        let tag_end = rest.find('>').filter(|_| c == '<');
        let (kind, length) = match (c, tag_end) {
            (_, Some(end)) => (TokenKind::Tag, end + 1),
            _ if c.is_whitespace() => (TokenKind::Blank, c.len_utf8()),
            _ if is_mark(c) && c != ':' => (TokenKind::Mark(c), c.len_utf8()),
            _ => {
                let ends = |c: char| c == '<' || c.is_whitespace() || is_mark(c) && c != ':';
                let behind = rest.get(c.len_utf8()..).unwrap_or_default();
                let length = c.len_utf8() + behind.find(ends).unwrap_or(behind.len());
                (TokenKind::Word, length)
            }
        };
        let text = rest.get(..length).unwrap_or_default();
        out.push(Token { kind, text, start });
        start += length;
    }
    out
}

/// A part of a locator, and whether it contains a number, including Roman ones.
struct Number {
    text: String,
    is_numeric: bool,
}

struct LocatorReader<'s> {
    labels: &'s HashMap<String, &'static str>,
    tokens: &'s [Token<'s>],
    at: usize,
}

impl<'s> LocatorReader<'s> {
    fn peek(&self) -> Option<&'s Token<'s>> {
        self.tokens.get(self.at)
    }

    /// Consumes a mark.
    fn mark(&mut self, is_meant: impl Fn(char) -> bool) -> Option<&'s str> {
        let token = self.peek()?;
        let TokenKind::Mark(c) = token.kind else {
            return None;
        };
        is_meant(c).then(|| {
            self.at += 1;
            token.text
        })
    }

    fn blank(&mut self) -> bool {
        let is_blank = self
            .peek()
            .is_some_and(|token| token.kind == TokenKind::Blank);
        self.at += usize::from(is_blank);
        is_blank
    }

    /// In braces: an optional label and any text.
    fn delimited(&mut self) -> Option<(&'static str, String)> {
        self.mark(|c| c == '{')?;
        while self.blank() {}
        let start = self.at;
        let mut depth = 0;
        let end = (start..self.tokens.len()).find(|at| {
            match self.tokens.get(*at).map(|token| token.kind) {
                Some(TokenKind::Mark('{')) => depth += 1,
                Some(TokenKind::Mark('}')) if depth == 0 => return true,
                Some(TokenKind::Mark('}')) => depth -= 1,
                _ => {}
            }
            false
        })?;
        let label = self.label(&|reader| reader.at < end);
        let label = match label {
            Some(label) => label,
            None => {
                self.at = start;
                "page"
            }
        };
        let value = self.tokens.get(self.at..end).unwrap_or_default();
        let value: String = value.iter().map(|token| token.text).collect();
        self.at = end + 1;
        Some((label, value.trim().to_owned()))
    }

    /// A label and numbers, or a page with digits.
    fn integrated(&mut self) -> Option<(&'static str, String)> {
        let start = self.at;
        let begins_number = |reader: &mut LocatorReader<'s>| {
            let number = reader.number(true);
            number.is_some_and(|number| number.is_numeric)
        };
        let (label, has_label) = match self.label(&begins_number) {
            Some(label) => (label, true),
            None => {
                self.at = start;
                ("page", false)
            }
        };
        let is_meant = |number: &Number| {
            if has_label {
                number.is_numeric
            } else {
                number.text.contains(|c: char| c.is_ascii_digit())
            }
        };
        let mut value = self.number(has_label).filter(is_meant)?.text;
        loop {
            let before = self.at;
            match self.number(false).filter(is_meant) {
                Some(number) => value.push_str(&number.text),
                None => {
                    self.at = before;
                    break;
                }
            }
        }
        Some((label, value.trim_start().to_owned()))
    }

    /// The longest label followed by a number.
    fn label(&mut self, follows: &dyn Fn(&mut LocatorReader<'s>) -> bool) -> Option<&'static str> {
        let start = self.at;
        let mut text = String::new();
        let mut found = None;
        for end in start + 1..=(start + MAX_LABEL_LENGTH).min(self.tokens.len()) {
            text.push_str(self.tokens.get(end - 1)?.text);
            let Some(label) = self.labels.get(text.trim().to_lowercase().as_str()) else {
                continue;
            };
            let mut behind = LocatorReader { at: end, ..*self };
            if follows(&mut behind) {
                found = Some((end, *label));
            }
        }
        let (end, label) = found?;
        self.at = end;
        Some(label)
    }

    /// `, 33`, ` (a)(iv)`, `123A-4`
    fn number(&mut self, is_first: bool) -> Option<Number> {
        let mut text = String::new();
        if !is_first {
            text.push_str(self.mark(|c| matches!(c, ',' | ';')).unwrap_or_default());
        }
        if self.blank() {
            text.push(' ');
        }
        let mut is_numeric = false;
        let mut is_empty = true;
        while let Some(part) = self.bracketed().or_else(|| self.pages()) {
            text.push_str(&part.text);
            is_numeric |= part.is_numeric;
            is_empty = false;
        }
        (!is_empty).then_some(Number { text, is_numeric })
    }

    /// `(a)`, `[12]`
    fn bracketed(&mut self) -> Option<Number> {
        let before = self.at;
        let open = self.mark(|c| matches!(c, '(' | '[' | '{'))?;
        let close = match open {
            "(" => ')',
            "[" => ']',
            _ => '}',
        };
        let inner = self.pages();
        let Some(end) = self.mark(|c| c == close) else {
            self.at = before;
            return None;
        };
        let inner = inner.unwrap_or(Number {
            text: String::new(),
            is_numeric: false,
        });
        Some(Number {
            text: format!("{open}{}{end}", inner.text),
            is_numeric: inner.is_numeric,
        })
    }

    /// `12.3`, `.2`: a full stop only if more follows.
    fn pages(&mut self) -> Option<Number> {
        let mut text = String::new();
        let mut is_numeric = false;
        loop {
            let before = self.at;
            let is_behind = !text.is_empty();
            let stop = self.mark(|c| c == '.');
            match self.unit().filter(|_| stop.is_some() || !is_behind) {
                Some(unit) => {
                    text.push_str(stop.unwrap_or_default());
                    text.push_str(&unit.text);
                    is_numeric |= unit.is_numeric;
                }
                None => {
                    self.at = before;
                    break;
                }
            }
        }
        (!text.is_empty()).then_some(Number { text, is_numeric })
    }

    /// A Roman numeral, or words and dashes.
    fn unit(&mut self) -> Option<Number> {
        let first = self.peek()?;
        if first.kind == TokenKind::Word && is_roman(first.text) {
            self.at += 1;
            return Some(Number {
                text: first.text.to_owned(),
                is_numeric: true,
            });
        }
        let mut text = String::new();
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Word | TokenKind::Mark('-' | '–') => text.push_str(token.text),
                TokenKind::Tag => {}
                _ => break,
            }
            self.at += 1;
        }
        let is_numeric = text.contains(|c: char| c.is_ascii_digit());
        (!text.is_empty()).then_some(Number { text, is_numeric })
    }
}

fn is_roman(text: &str) -> bool {
    let mut rest = text.to_ascii_uppercase();
    if rest.is_empty() || !rest.bytes().all(|b| b"IVXLCDM".contains(&b)) {
        return false;
    }
    let thousands = rest.bytes().take_while(|b| *b == b'M').count();
    rest.drain(..thousands);
    for [one, five, ten] in [['C', 'D', 'M'], ['X', 'L', 'C'], ['I', 'V', 'X']] {
        let digits = [
            format!("{one}{ten}"),
            format!("{one}{five}"),
            format!("{five}{one}{one}{one}"),
            format!("{five}{one}{one}"),
            format!("{five}{one}"),
            five.to_string(),
            format!("{one}{one}{one}{one}"),
            format!("{one}{one}{one}"),
            format!("{one}{one}"),
            one.to_string(),
        ];
        if let Some(digit) = digits.iter().find(|digit| rest.starts_with(digit.as_str())) {
            rest.drain(..digit.len());
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, label: &str, value: &str, suffix: &str) {
        let terms = [
            ("p.", "page"),
            ("pp.", "page"),
            ("page", "page"),
            ("chap.", "chapter"),
            ("s", "section"),
            ("ss", "section"),
            ("§", "section"),
        ];
        let labels = Labels::new(terms.map(|(t, l)| (t.to_owned(), l)));
        let mut cite = Cite::default();
        labels.add(&mut cite, text);
        let locator = cite.locator.as_ref();
        let found = locator.map_or(("", ""), |l| (l.label.as_str(), l.value.as_str()));
        assert_eq!(
            (found, cite.suffix.as_str()),
            ((label, value), suffix),
            "{text}"
        );
    }

    #[test]
    fn range_of_non_numbers_has_a_dash() {
        let check = |text: &str, expected: &str| assert_eq!(with_dashes(text), expected);
        check("VI, VIII-IX", "VI, VIII–IX");
        check("7A(2)(a)(i)-(iv)", "7A(2)(a)(i)–(iv)");
        check("[39-52], [39]-[52]", "[39–52], [39]–[52]");
        check("35-89", "35-89");
        check("A-12, 3a-b", "A-12, 3a-b");
    }

    #[test]
    fn locator_is_separated_from_suffix() {
        check(", p. 33", "page", "33", "");
        check(", 89, and suffix", "page", "89", ", and suffix");
        check(
            " p. 33, 35-37, and nowhere else",
            "page",
            "33, 35-37",
            ", and nowhere else",
        );
        check(", pp. VII, 89, gives", "page", "VII, 89", ", gives");
        check(
            ", xi, will be entirely suffix",
            "",
            "",
            ", xi, will be entirely suffix",
        );
        check(" and nothing else", "", "", " and nothing else");
        check(", p.3, and suffix", "page", "3", ", and suffix");
        check(
            ", s 123(4)(a)(iv), and suffix",
            "section",
            "123(4)(a)(iv)",
            ", and suffix",
        );
        check(
            ", [39]-[52], and suffix",
            "page",
            "[39]–[52]",
            ", and suffix",
        );
        check(", (13 entirely suffix", "", "", ", (13 entirely suffix");
        check(", § 12", "section", "12", "");
        check("chap. 3", "chapter", "3", "");
        check(", p. A.12-A.14", "page", "A.12-A.14", "");
    }

    #[test]
    fn common_labels_are_recognised() {
        let check = |text: &str, label: &str, value: &str, suffix: &str| {
            let mut cite = Cite::default();
            add(&mut cite, text);
            let locator = cite.locator.as_ref();
            let found = locator.map(|l| (l.label.as_str(), l.value.as_str()));
            assert_eq!(found, Some((label, value)), "{text}");
            assert_eq!(cite.suffix, suffix, "{text}");
        };
        check(
            ", pp. 33-35, 38 and passim",
            "page",
            "33-35, 38",
            " and passim",
        );
        check("chap. iv", "chapter", "iv", "");
        check(", S. 12", "page", "12", "");
        check("§§ 3", "section", "3", "");
    }

    #[test]
    fn locator_in_braces_is_unchanged() {
        check(" {35-89, 102}", "page", "35-89, 102", "");
        check(
            " {ss IV div 4 s 128L(7)}",
            "section",
            "IV div 4 s 128L(7)",
            "",
        );
        check(", {{}}", "page", "{}", "");
        check(" {} 123-35 numbers", "", "", " 123-35 numbers");
        check(" {123-35} numbers not", "page", "123-35", " numbers not");
    }
}
