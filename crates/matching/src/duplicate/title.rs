//! Compares two titles: common words, words that replace each other, and numbers that distinguish
//! parts of a series.

use super::super::normalize::{Token, TokenShape, tokens};
use super::super::similar;
use super::super::words;

/// The largest number that counts parts; greater ones in a subtitle are years or amounts.
const MAX_PARTS: u32 = 50;

/// The maximum number of words compared. Longer titles are abstracts by mistake.
const MAX_WORDS: usize = 60;

/// A title prepared for comparison.
#[derive(Clone, Debug, Default)]
pub struct ComparedTitle {
    /// Significant words in reading order.
    words: Vec<Word>,
    /// The number of words before the first colon, question mark or dash.
    main: usize,
    /// All tokens joined: equal for titles that differ only in spaces, case, accents and markup.
    pub letters: String,
    /// Kinds of notices in the title (`correction`), in alphabetical order.
    pub notices: Vec<&'static str>,
    /// Numbers, including Roman ones, in ascending order: those of the main title, then the others.
    numbers: [Vec<u32>; 2],
}

#[derive(Clone, Debug)]
struct Word {
    text: String,
    weight: f64,
}

/// The agreement of two titles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// The share of both titles' weight that is in the other, 0 to 1.
    pub share: f64,
    /// The weight of words that replace words of the other title.
    pub replaced: f64,
    /// The weight of words that only one title has, without an additional subtitle.
    pub extra: f64,
    /// How significant the common words are: 0 for none, towards 1 for many words.
    pub telling: f64,
    pub numbers: Numbers,
}

/// The agreement of the numbers of two titles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    Same,
    /// One title has a number that the other lacks.
    OneSided,
    /// Each has a number that the other lacks.
    Different,
}

impl ComparedTitle {
    pub fn of(text: &str) -> ComparedTitle {
        let all = tokens(text);
        let subtitle = subtitle_start(text).unwrap_or(text.len());
        let mut title = ComparedTitle {
            letters: all.iter().map(|token| token.text.as_str()).collect(),
            ..ComparedTitle::default()
        };
        for token in all.iter().take(MAX_WORDS) {
            let in_main = token.span.start < subtitle;
            if let Some(number) = number(token) {
                let [main, other] = &mut title.numbers;
                if in_main { main } else { other }.push(number);
            } else if !words::is_function_word(&token.text) {
                title.words.push(Word {
                    text: plain(&token.text),
                    weight: weight(token),
                });
                title.main += usize::from(in_main);
            }
            title.notices.extend(words::companion(&token.text));
        }
        title
            .numbers
            .iter_mut()
            .for_each(|list| list.sort_unstable());
        title.notices.sort_unstable();
        title.notices.dedup();
        title
    }

    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// The significant words in reading order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }

    /// The significant words before the subtitle.
    pub fn main_words(&self) -> impl Iterator<Item = &str> {
        self.words().take(self.main)
    }

    /// Compares two titles; neither may be empty.
    pub fn likeness(&self, other: &ComparedTitle) -> Likeness {
        if self.letters == other.letters {
            let weight = |title: &ComparedTitle| total(&title.words) + title.numbers_weight();
            return Likeness {
                share: 1.0,
                replaced: 0.0,
                extra: 0.0,
                telling: telling(weight(self).min(weight(other))),
                numbers: Numbers::Same,
            };
        }
        let (only_self, only_other) = unmatched(&self.words, &other.words);
        let (here, there) = (missing(&only_self), missing(&only_other));
        let total = total(&self.words) + total(&other.words);
        let shared = total - here - there;
        // A subtitle that only one title has is no contradiction.
        let subtitle = adds_subtitle(self, &only_self, here, there)
            || adds_subtitle(other, &only_other, there, here);
        Likeness {
            share: match (subtitle, total > 0.0) {
                (true, _) => 0.95,
                (false, true) => shared / total,
                (false, false) => 0.0,
            },
            replaced: here.min(there),
            extra: if subtitle { 0.0 } else { (here - there).abs() },
            telling: telling(shared / 2.0),
            numbers: numbers_agree(self, other, subtitle),
        }
    }

    fn numbers_weight(&self) -> f64 {
        0.5 * self.numbers.iter().map(Vec::len).sum::<usize>() as f64
    }
}

/// A single capital distinguishes kinds: vitamin A and vitamin K.
fn weight(token: &Token) -> f64 {
    match token.shape {
        TokenShape::Letter => 0.5,
        _ => token.weight,
    }
}

fn telling(weight: f64) -> f64 {
    1.0 - (-weight / 1.6).exp()
}

fn total(words: &[Word]) -> f64 {
    words.iter().map(|word| word.weight).sum()
}

/// Words with their positions among the words of their title.
type Placed<'a> = Vec<(usize, &'a Word)>;

/// The words of each list that the other lacks.
fn unmatched<'a>(a: &'a [Word], b: &'a [Word]) -> (Placed<'a>, Placed<'a>) {
    let mut taken = vec![false; b.len()];
    let mut only_a: Placed = Vec::new();
    for (at, word) in a.iter().enumerate() {
        // Most words are at or near the same position, so the search starts there.
        let order = (0..b.len()).map(|step| (at + step) % b.len().max(1));
        let equal = order.filter(|n| !taken.get(*n).copied().unwrap_or(true));
        let mut alike = None;
        for n in equal {
            let Some(other) = b.get(n) else { continue };
            if other.text == word.text {
                alike = Some(n);
                break;
            }
            if alike.is_none() && is_same_word(&word.text, &other.text) {
                alike = Some(n);
            }
        }
        match alike.and_then(|n| taken.get_mut(n)) {
            Some(slot) => *slot = true,
            None => only_a.push((at, word)),
        }
    }
    let only_b = b.iter().enumerate().zip(&taken);
    (
        only_a,
        only_b
            .filter(|(_, taken)| !**taken)
            .map(|(word, _)| word)
            .collect(),
    )
}

fn missing(words: &[(usize, &Word)]) -> f64 {
    words.iter().map(|(_, word)| word.weight).sum()
}

/// Whether `title` only adds a subtitle, and the other title adds nothing. A main title of one
/// short word is not enough evidence.
fn adds_subtitle(title: &ComparedTitle, only: &[(usize, &Word)], here: f64, there: f64) -> bool {
    let main = title.words.get(..title.main).unwrap_or_default();
    here > 0.0 && there == 0.0 && total(main) >= 1.5 && only.iter().all(|(at, _)| *at >= title.main)
}

/// One different letter in a long word is a misprint, except for the first: `symmetric` and
/// `asymmetric` differ.
fn is_same_word(a: &str, b: &str) -> bool {
    const LONG: usize = 5;
    a.len().max(b.len()) >= LONG
        && a.bytes().next() == b.bytes().next()
        && similar::bounded_edits(a.as_bytes(), b.as_bytes(), 1).is_some()
}

/// Removes the most frequent difference between British and American spelling.
fn plain(word: &str) -> String {
    word.replace("ae", "e").replace("oe", "e")
}

fn numbers_agree(a: &ComparedTitle, b: &ComparedTitle, subtitle: bool) -> Numbers {
    let only = |a: &ComparedTitle, b: &ComparedTitle| -> Vec<u32> {
        let lacks = |number: &&u32| !b.numbers.iter().flatten().any(|n| n == *number);
        let beside = a.numbers[1]
            .iter()
            .filter(|n| !subtitle || **n <= MAX_PARTS);
        a.numbers[0]
            .iter()
            .chain(beside)
            .filter(lacks)
            .copied()
            .collect()
    };
    match (only(a, b).is_empty(), only(b, a).is_empty()) {
        (true, true) => Numbers::Same,
        (false, false) => Numbers::Different,
        _ => Numbers::OneSided,
    }
}

/// The value of a token that counts: digits, an ordinal (`2nd`) or a Roman numeral.
fn number(token: &Token) -> Option<u32> {
    match token.shape {
        TokenShape::Number => {
            let end = token
                .text
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(token.text.len());
            let (digits, suffix) = token.text.split_at(end);
            matches!(suffix, "" | "st" | "nd" | "rd" | "th").then(|| digits.parse().ok())?
        }
        TokenShape::Upper => words::roman(&token.text),
        TokenShape::Letter if matches!(token.text.as_str(), "i" | "v" | "x") => {
            words::roman(&token.text)
        }
        _ => None,
    }
}

/// The start of the subtitle, in bytes: after the first colon, question mark, full stop or dash between words.
fn subtitle_start(text: &str) -> Option<usize> {
    [": ", "? ", ". ", " - ", " – ", " — ", "—"]
        .into_iter()
        .filter_map(|mark| text.find(mark).map(|at| at + mark.len()))
        .min()
}
