//! Letter case of texts, with the specification's rules for English titles.

use std::ops::Range;

use crate::style::TextCase;

/// Words that an English title keeps in lower case unless they stand first, last or after a
/// colon: articles, coordinating conjunctions and prepositions.
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

/// Whether a word in small letters is one of these.
pub fn is_stop_word(lower: &str) -> bool {
    STOP_WORDS.binary_search(&lower).is_ok()
}

/// A text whose case is to change, with the stretches that keep theirs.
pub struct Recase<'a> {
    pub text: &'a str,
    /// Byte ranges that keep their case (`nocase`), in order and apart from each other.
    pub protected: &'a [Range<usize>],
    /// Byte offsets that the caller wants to find again in the result, in order.
    pub boundaries: &'a mut [usize],
}

impl Recase<'_> {
    /// The text in another case. Title case works on English alone.
    pub fn apply(self, case: TextCase, language: Language) -> String {
        let english = language == Language::English;
        let mut letters = Vec::new();
        match case {
            TextCase::None => {}
            TextCase::Lowercase => letters.push((0..self.text.len(), Change::Lower)),
            TextCase::Uppercase => letters.push((0..self.text.len(), Change::Upper)),
            TextCase::CapitalizeFirst => first_letter(self.text, &mut letters),
            TextCase::CapitalizeAll => capitalize_all(self.text, &mut letters),
            TextCase::Sentence => sentence(self.text, &mut letters),
            TextCase::Title if english => title(self.text, self.protected, &mut letters),
            TextCase::Title => {}
        }
        rewrite(self, &letters, language == Language::Turkic)
    }
}

/// The whole text in another case, nothing protected.
pub fn recase(text: &str, case: TextCase, language: Language) -> String {
    Recase {
        text,
        protected: &[],
        boundaries: &mut [],
    }
    .apply(case, language)
}

/// What the rules of letter case need to know of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    /// Dotted and dotless i are two letters.
    Turkic,
    Other,
}

impl Language {
    /// From a language tag (RFC 5646); records also say `eng` and `English`.
    pub fn of(tag: &str) -> Language {
        let language = tag.trim().split(['-', '_']).next().unwrap_or_default();
        match language.to_ascii_lowercase().as_str() {
            "en" | "eng" | "english" => Language::English,
            "tr" | "tur" | "turkish" | "az" | "aze" => Language::Turkic,
            _ => Language::Other,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Upper,
    Lower,
}

type Changes = Vec<(Range<usize>, Change)>;

fn rewrite(input: Recase, changes: &Changes, dotted: bool) -> String {
    let mut out = String::with_capacity(input.text.len() + 4);
    let mut change = changes.iter().peekable();
    let mut protected = input.protected.iter().peekable();
    let mut boundary = 0;
    for (at, c) in input.text.char_indices() {
        while let Some(wanted) = input.boundaries.get_mut(boundary) {
            if *wanted > at {
                break;
            }
            *wanted = out.len();
            boundary += 1;
        }
        while change.next_if(|(range, _)| range.end <= at).is_some() {}
        while protected.next_if(|range| range.end <= at).is_some() {}
        let keeps = protected.peek().is_some_and(|range| range.start <= at);
        match change.peek() {
            Some((range, Change::Upper)) if range.start <= at && !keeps && dotted && c == 'i' => {
                out.push('İ');
            }
            Some((range, Change::Upper)) if range.start <= at && !keeps => {
                out.extend(c.to_uppercase());
            }
            Some((range, Change::Lower)) if range.start <= at && !keeps => {
                push_lower(c, &mut out);
            }
            _ => out.push(c),
        }
    }
    for wanted in input.boundaries.iter_mut().skip(boundary) {
        *wanted = out.len();
    }
    out
}

fn push_lower(c: char, out: &mut String) {
    out.extend(c.to_lowercase());
}

/// The first letter, unless its word has capitals of its own (`bioRxiv`).
fn first_letter(text: &str, changes: &mut Changes) {
    if let Some(at) = text.find(char::is_alphanumeric) {
        word_start(text, at, changes);
    }
}

/// The first letter of every word; any mark but an apostrophe parts words here.
fn capitalize_all(text: &str, changes: &mut Changes) {
    let mut at_start = true;
    for (at, c) in text.char_indices() {
        let inside = c.is_alphanumeric() || matches!(c, '\'' | '’' | SOFT_HYPHEN) || is_mark(c);
        if at_start && inside {
            word_start(text, at, changes);
        }
        at_start = !inside;
    }
}

fn word_start(text: &str, at: usize, changes: &mut Changes) {
    let first = text[at..].chars().next().map_or(0, char::len_utf8);
    let letters = text[at..]
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    if !letters.chars().any(char::is_uppercase) {
        changes.push((at..at + first, Change::Upper));
    }
}

/// Sentence case: a capital at the head, small letters behind it. The first word of a text that is
/// not all capitals keeps its own (`O’Neill`).
fn sentence(text: &str, changes: &mut Changes) {
    let first = text.char_indices().find(|(_, c)| c.is_alphanumeric());
    let Some((at, c)) = first else { return };
    let end = at + c.len_utf8();
    changes.push((at..end, Change::Upper));
    let shouting = !text.chars().any(char::is_lowercase);
    for (index, word) in words(text).iter().enumerate() {
        let body = &text[word.range.clone()];
        let acronym = body.len() > 1 && !body.chars().any(char::is_lowercase);
        if shouting || index > 0 && !acronym {
            changes.push((word.range.start.max(end)..word.range.end, Change::Lower));
        }
    }
}

/// Title case: words wholly in lower case get a capital; stop words stay small unless they stand
/// first, last, or after a mark that ends a sentence.
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
        let first = body.chars().next().unwrap_or(' ');
        let last_word = index + 1 == count;
        let exempt = index == 0 || word.opens || last_word;
        let lower = body.to_lowercase();
        let with_mark = text[word.range.start..word.end_with_mark].to_lowercase();
        let stops = is_stop_word(&lower) || is_stop_word(&with_mark);
        let compound = text[word.range.end..].starts_with('-');
        // A letter alone is a symbol or a variable, a Greek one wherever it stands.
        let alone = body.chars().nth(1).is_none();
        let symbol = alone && (index > 0 && !word.opens && !compound || matches!(first, 'α'..='ω'));
        let small = stops && !exempt && !(compound && starts_compound(text, word));
        if !small && !symbol && lower == body {
            let end = word.range.start + first.len_utf8();
            changes.push((word.range.start..end, Change::Upper));
        }
    }
}

/// Whether a word is the first part of a compound.
fn starts_compound(text: &str, word: &Word) -> bool {
    !text[..word.range.start].ends_with('-')
}

struct Word {
    range: Range<usize>,
    /// The word with a full stop behind it, as in `vs.`.
    end_with_mark: usize,
    /// Whether a mark before the word ends a sentence or opens a subtitle.
    opens: bool,
}

/// Where a word may be broken; it is one word all the same.
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
        let inside = c.is_alphanumeric()
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

/// Combining marks belong to the letter before them.
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
        assert_eq!(recase(input, case, Language::English), expected);
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
    }
}
