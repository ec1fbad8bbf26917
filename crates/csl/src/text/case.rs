//! Text case, including the specification's rules for English titles.

#![allow(clippy::string_slice, reason = "offsets were found in the same text")]

use std::ops::Range;

use icu_casemap::options::TitlecaseOptions;
use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_locale_core::{LanguageIdentifier, subtags};

use super::is_alphanumeric;

use crate::style::TextCase;

/// Words that an English title keeps in lowercase unless they come first, last or after a colon:
/// articles, coordinating conjunctions and prepositions.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "above",
    "according",
    "across",
    "afore",
    "after",
    "against",
    "al",
    "along",
    "alongside",
    "amid",
    "amidst",
    "among",
    "amongst",
    "an",
    "and",
    "anenst",
    "apropos",
    "apud",
    "around",
    "as",
    "aside",
    "astride",
    "at",
    "athwart",
    "atop",
    "barring",
    "before",
    "behind",
    "below",
    "beneath",
    "beside",
    "besides",
    "between",
    "beyond",
    "but",
    "by",
    "c",
    "ca",
    "circa",
    "d'",
    "de",
    "despite",
    "down",
    "during",
    "d’",
    "et",
    "except",
    "for",
    "forenenst",
    "from",
    "given",
    "in",
    "inside",
    "into",
    "lest",
    "like",
    "modulo",
    "near",
    "next",
    "nor",
    "notwithstanding",
    "of",
    "off",
    "on",
    "onto",
    "or",
    "out",
    "over",
    "per",
    "plus",
    "pro",
    "qua",
    "sans",
    "since",
    "so",
    "than",
    "the",
    "through",
    "throughout",
    "thru",
    "thruout",
    "till",
    "to",
    "toward",
    "towards",
    "under",
    "underneath",
    "until",
    "unto",
    "up",
    "upon",
    "v",
    "v.",
    "van",
    "versus",
    "via",
    "vis-à-vis",
    "von",
    "vs",
    "vs.",
    "with",
    "within",
    "without",
    "yet",
];

/// Whether a lowercase word is a stop word.
pub fn is_stop_word(lower: &str) -> bool {
    STOP_WORDS.binary_search(&lower).is_ok()
}

/// A text to be recased, with the ranges that keep their case.
pub struct Recase<'a> {
    pub text: &'a str,
    /// Byte ranges that keep their case (`nocase`), sorted and disjoint.
    pub protected: &'a [Range<usize>],
    /// Byte offsets to be mapped to the result, sorted.
    pub boundaries: &'a mut [usize],
}

impl Recase<'_> {
    /// Returns the recased text. Title case applies only to English.
    pub fn apply(self, case: TextCase, language: Language) -> String {
        let mut changes = Changes {
            language,
            ranges: Vec::new(),
        };
        match case {
            TextCase::None => {}
            TextCase::Lowercase => changes.push(0..self.text.len(), Change::Lower),
            TextCase::Uppercase => changes.push(0..self.text.len(), Change::Upper),
            TextCase::CapitalizeFirst => first_letter(self.text, &mut changes),
            TextCase::CapitalizeAll => capitalize_all(self.text, &mut changes),
            TextCase::Sentence => sentence(self.text, &mut changes),
            TextCase::Title if language.takes_title_case => {
                title(self.text, self.protected, &mut changes);
            }
            TextCase::Title => {}
        }
        Rewrite::new(self, language).run(changes.ranges)
    }
}

/// Recases the whole text, with no protected ranges.
pub fn recase(text: &str, case: TextCase, language: Language) -> String {
    Recase {
        text,
        protected: &[],
        boundaries: &mut [],
    }
    .apply(case, language)
}

/// The properties of a language that affect text case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// Determines how letters map between uppercase and lowercase: Greek capitals have no accent, the
    /// Turkish i keeps its dot.
    letters: subtags::Language,
    /// Whether title case applies: only for English.
    pub takes_title_case: bool,
}

impl Language {
    pub const ENGLISH: Language = Language {
        letters: subtags::language!("en"),
        takes_title_case: true,
    };

    /// Parses a language tag (RFC 5646); records also use `eng` and `English`.
    pub fn of(tag: &str) -> Language {
        let language = tag.trim().split(['-', '_']).next().unwrap_or_default();
        let letters = match language.parse::<subtags::Language>() {
            Ok(tag) => match tag.as_str() {
                "eng" => subtags::language!("en"),
                "tur" => subtags::language!("tr"),
                "aze" => subtags::language!("az"),
                "ell" | "gre" => subtags::language!("el"),
                "lit" => subtags::language!("lt"),
                "nld" | "dut" => subtags::language!("nl"),
                _ => tag,
            },
            Err(_) if language.eq_ignore_ascii_case("english") => subtags::language!("en"),
            Err(_) if language.eq_ignore_ascii_case("turkish") => subtags::language!("tr"),
            Err(_) => subtags::Language::UNKNOWN,
        };
        Language {
            letters,
            takes_title_case: letters == subtags::language!("en"),
        }
    }

    /// Whether dotted and dotless i are different letters.
    pub fn is_turkic(self) -> bool {
        matches!(self.letters.as_str(), "tr" | "az")
    }

    /// Whether ASCII letters change case as in most languages.
    fn is_plain(self) -> bool {
        !matches!(self.letters.as_str(), "tr" | "az" | "lt" | "nl")
    }

    /// The length in bytes of the text's first letter: the Dutch ij is one letter.
    fn first_letter(self, text: &str) -> usize {
        if self.letters == subtags::language!("nl") && text.starts_with("ij") {
            return 2;
        }
        text.chars().next().map_or(0, char::len_utf8)
    }

    /// Whether a word is a symbol: a single Greek letter, outside Greek.
    fn is_symbol(self, word: &str) -> bool {
        let mut chars = word.chars();
        matches!(chars.next(), Some('α'..='ω'))
            && chars.next().is_none()
            && self.letters != subtags::language!("el")
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Upper,
    Lower,
    /// A capital at the start of a word; for `ǆ` it differs from one among capitals.
    Title,
}

/// The ranges of a text that change, in order.
struct Changes {
    language: Language,
    ranges: Vec<(Range<usize>, Change)>,
}

impl Changes {
    fn push(&mut self, range: Range<usize>, change: Change) {
        if range.start < range.end {
            self.ranges.push((range, change));
        }
    }

    /// Capitalizes the letter at an offset.
    fn capital(&mut self, text: &str, at: usize) {
        let end = at + self.language.first_letter(&text[at..]);
        self.push(at..end, Change::Title);
    }
}

/// The state of a recasing.
struct Rewrite<'a> {
    input: Recase<'a>,
    language: Language,
    tag: LanguageIdentifier,
    out: String,
    /// The index of the next boundary.
    boundary: usize,
}

impl<'a> Rewrite<'a> {
    fn new(input: Recase<'a>, language: Language) -> Rewrite<'a> {
        Rewrite {
            out: String::with_capacity(input.text.len() + 4),
            tag: language.letters.into(),
            input,
            language,
            boundary: 0,
        }
    }

    fn run(mut self, changes: Vec<(Range<usize>, Change)>) -> String {
        let mut at = 0;
        for (range, change) in changes {
            self.copy(at..range.start, None);
            at = range.start;
            for kept in self.input.protected {
                let (start, end) = (kept.start.max(at), kept.end.min(range.end));
                if start < end {
                    self.copy(at..start, Some(change));
                    self.copy(start..end, None);
                    at = end;
                }
            }
            self.copy(at..range.end, Some(change));
            at = range.end;
        }
        self.copy(at..self.input.text.len(), None);
        for wanted in self.input.boundaries.iter_mut().skip(self.boundary) {
            *wanted = self.out.len();
        }
        self.out
    }

    /// Copies a range of the text and maps the boundaries in it.
    fn copy(&mut self, range: Range<usize>, change: Option<Change>) {
        let mut from = range.start;
        while from < range.end {
            let end = match self.input.boundaries.get_mut(self.boundary) {
                Some(wanted) if *wanted <= from => {
                    *wanted = self.out.len();
                    self.boundary += 1;
                    continue;
                }
                Some(wanted) => range.end.min(*wanted),
                None => range.end,
            };
            self.write(from..end, change);
            from = end;
        }
    }

    fn write(&mut self, range: Range<usize>, change: Option<Change>) {
        const MAPPER: CaseMapperBorrowed<'static> = CaseMapper::new();
        let text = &self.input.text[range];
        let start = self.out.len();
        let changed = match change {
            None => text.into(),
            Some(change) if text.is_ascii() && self.language.is_plain() => {
                self.out.push_str(text);
                let added = &mut self.out[start..];
                match change {
                    Change::Lower => added.make_ascii_lowercase(),
                    Change::Upper | Change::Title => added.make_ascii_uppercase(),
                }
                return;
            }
            Some(Change::Upper) => MAPPER.uppercase_to_string(text, &self.tag),
            Some(Change::Lower) => MAPPER.lowercase_to_string(text, &self.tag),
            Some(Change::Title) => MAPPER.titlecase_segment_with_only_case_data_to_string(
                text,
                &self.tag,
                TitlecaseOptions::default(),
            ),
        };
        self.out.push_str(&changed);
    }
}

/// Capitalizes the first letter, unless its word has other capitals (`bioRxiv`) or starts with an
/// apostrophe that marks an elision (`’t Hooft`).
fn first_letter(text: &str, changes: &mut Changes) {
    let Some(at) = text.find(is_alphanumeric) else {
        return;
    };
    if !text[..at].ends_with('’') {
        word_start(text, at, changes);
    }
}

/// Capitalizes every word; any punctuation except an apostrophe separates words.
fn capitalize_all(text: &str, changes: &mut Changes) {
    let mut at_start = true;
    for (at, c) in text.char_indices() {
        let inside = is_alphanumeric(c) || matches!(c, '\'' | '’' | SOFT_HYPHEN) || is_mark(c);
        if at_start && inside {
            word_start(text, at, changes);
        }
        at_start = !inside;
    }
}

fn word_start(text: &str, at: usize, changes: &mut Changes) {
    let letters = text[at..]
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    if !letters.chars().any(char::is_uppercase) && !changes.language.is_symbol(letters) {
        changes.capital(text, at);
    }
}

/// Sentence case: capitalizes the first letter and lowercases the rest. The first word keeps its case
/// (`O’Neill`) unless the text is in all capitals.
fn sentence(text: &str, changes: &mut Changes) {
    let Some(at) = text.find(is_alphanumeric) else {
        return;
    };
    changes.capital(text, at);
    let end = at + changes.language.first_letter(&text[at..]);
    let shouting = !text.chars().any(char::is_lowercase);
    for (index, word) in words(text).iter().enumerate() {
        let body = &text[word.range.clone()];
        let acronym = body.len() > 1 && !body.chars().any(char::is_lowercase);
        if shouting || index > 0 && !acronym {
            changes.push(word.range.start.max(end)..word.range.end, Change::Lower);
        }
    }
}

/// Title case: capitalizes lowercase words; stop words stay lowercase unless they come first, last, or
/// after punctuation that ends a sentence.
fn title(text: &str, protected: &[Range<usize>], changes: &mut Changes) {
    let words = words(text);
    let count = words.len();
    let mut protected = protected.iter().peekable();
    for (index, word) in words.iter().enumerate() {
        while protected
            .next_if(|range| range.end <= word.range.start)
            .is_some()
        {}
        if protected
            .peek()
            .is_some_and(|range| range.start < word.range.end)
        {
            continue;
        }
        let body = &text[word.range.clone()];
        let last_word = index + 1 == count;
        let exempt = index == 0 || word.opens || last_word;
        let lower = body.to_lowercase();
        let stops = || {
            let mark = &text[word.range.end..word.end_with_mark];
            is_stop_word(&lower) || !mark.is_empty() && is_stop_word(&format!("{lower}{mark}"))
        };
        let compound = text[word.range.end..].starts_with('-');
        // A single letter is a symbol or a variable; a Greek one is a symbol at any position.
        let alone = body.chars().nth(1).is_none();
        let symbol =
            alone && index > 0 && !word.opens && !compound || changes.language.is_symbol(body);
        let is_large = exempt || compound && starts_compound(text, word);
        let small = !is_large && stops();
        if !small && !symbol && lower == body {
            changes.capital(text, word.range.start);
        }
    }
}

/// Whether a word is the first part of a compound.
fn starts_compound(text: &str, word: &Word) -> bool {
    !text[..word.range.start].ends_with('-')
}

struct Word {
    range: Range<usize>,
    /// The end of the word including a period, as in `vs.`.
    end_with_mark: usize,
    /// Whether punctuation before the word ends a sentence or starts a subtitle.
    opens: bool,
}

/// Marks a possible line break inside a word; does not separate words.
const SOFT_HYPHEN: char = '\u{ad}';

fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start = None;
    let mut opens = false;
    let mut push = |range: Range<usize>, opens: bool| {
        let dotted = text[range.end..].starts_with('.');
        words.push(Word {
            end_with_mark: range.end + usize::from(dotted),
            range,
            opens,
        });
    };
    for (at, c) in text.char_indices() {
        let inside = is_alphanumeric(c)
            || (start.is_some()
                && matches!(c, '\'' | '’' | '`' | '.' | '&' | '+' | '@' | SOFT_HYPHEN))
            || is_mark(c);
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                push(from..trim_end(text, from, at), opens);
                start = None;
                opens = matches!(c, ':' | '?' | '!');
            }
            (false, None) => {
                if matches!(c, ':' | '?' | '!') {
                    opens = true;
                }
            }
            (true, Some(_)) => {}
        }
    }
    if let Some(from) = start {
        push(from..trim_end(text, from, text.len()), opens);
    }
    words
}

/// Combining marks belong to the preceding letter.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn trim_end(text: &str, from: usize, to: usize) -> usize {
    from + text[from..to]
        .trim_end_matches(['.', '\'', '’', '&', '+', '@'])
        .len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(case: TextCase, input: &str, expected: &str) {
        assert_eq!(recase(input, case, Language::ENGLISH), expected);
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn titles() {
        check(TextCase::Title, "the art of war", "The Art of War");
        check(
            TextCase::Title,
            "on mRNA: the basics",
            "On mRNA: The Basics",
        );
        check(
            TextCase::Title,
            "low-resource settings",
            "Low-Resource Settings",
        );
        check(TextCase::Title, "the k-means, and k", "The K-Means, and k");
        check(
            TextCase::Title,
            "natural lan\u{ad}guage",
            "Natural Lan\u{ad}guage",
        );
    }

    #[test]
    fn other_cases() {
        check(TextCase::Sentence, "ON THE ROAD", "On the road");
        check(TextCase::Sentence, "on the Road", "On the road");
        check(TextCase::Sentence, "O’Neill", "O’Neill");
        check(TextCase::CapitalizeAll, "on the road", "On The Road");
        check(TextCase::CapitalizeFirst, "éa", "Éa");
        check(TextCase::CapitalizeFirst, "’t", "’t");
    }

    fn check_in(language: &str, case: TextCase, input: &str, expected: &str) {
        assert_eq!(recase(input, case, Language::of(language)), expected);
    }

    #[test]
    fn letters_change_by_language() {
        use TextCase::*;
        check_in("el", Uppercase, "Παπαδόπουλος", "ΠΑΠΑΔΟΠΟΥΛΟΣ");
        check_in("el-GR", Uppercase, "Μαΐου", "ΜΑΪΟΥ");
        check_in("el", Lowercase, "ΟΔΟΣ", "οδος");
        check_in("el", CapitalizeFirst, "η ιστορία", "Η ιστορία");
        check_in("tr", Uppercase, "ısı ve izmir", "ISI VE İZMİR");
        check_in("tur", CapitalizeAll, "ilk ışık", "İlk Işık");
        check_in("az", Lowercase, "İIŞ", "iış");
        check_in("lt", Lowercase, "Ì", "i̇̀");
        check_in("nl", CapitalizeFirst, "ijs en zee", "IJs en zee");
        check_in("nl", CapitalizeAll, "het ijsselmeer", "Het IJsselmeer");
        check_in("de", Uppercase, "Straße", "STRASSE");
        check_in("hr", CapitalizeFirst, "ǆep", "ǅep");
        check_in("hr", Uppercase, "ǆep", "ǄEP");
        check_in("", Uppercase, "ﬁne", "FINE");
    }

    #[test]
    fn greek_letters_alone_are_symbols() {
        check(TextCase::CapitalizeAll, "on α-synuclein", "On α-Synuclein");
        check(TextCase::CapitalizeFirst, "α-synuclein", "α-synuclein");
    }

    #[test]
    fn protected_stretches_and_boundaries_keep_their_place() {
        let mut boundaries = [1, 3, 9];
        let changed = Recase {
            text: "straße xß",
            protected: std::slice::from_ref(&(8..9)),
            boundaries: &mut boundaries,
        }
        .apply(TextCase::Uppercase, Language::of("de"));
        assert_eq!(changed, "STRASSE xSS");
        assert_eq!(boundaries, [1, 3, 9]);
    }
}
