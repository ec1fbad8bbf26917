//! Compares the words in the place of a title with the title: equal, different in spelling, or
//! different in meaning. One more word (`not`) makes it a different title, however much of it
//! matches.

use std::ops::Range;

use super::super::normalize::{Token, TokenShape};
use super::super::similar;
use super::super::words;

/// The relation of two wordings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wording {
    /// The place of the title in the text is unknown.
    #[default]
    Unknown,
    /// The same words; some may be split or joined.
    Same,
    /// The same title with a misspelt, missing or moved part.
    Near,
    /// The same title with another form of a word or another small word: `Models` for `Model`, `With` for `Using`;
    /// or with another subtitle.
    Reworded,
    /// The text adds a significant word, only one side has a negation, or two words are swapped.
    Other,
}

/// The maximum length of a compared sequence, in tokens.
const MAX_LENGTH: usize = 120;

/// Compares the words in the place of a title with the title.
pub fn compare(given: &[&Token], known: &[&Token]) -> Wording {
    if given.len().max(known.len()) > MAX_LENGTH {
        return Wording::Unknown;
    }
    let same = given.len() == known.len() && given.iter().zip(known).all(|(a, b)| a.text == b.text);
    if same {
        return Wording::Same;
    }
    let mut left = Leftover::default();
    let (mut misspelt, mut reworded, mut row) = (false, false, Gap::default());
    let pairs = aligned(given, known);
    for (a, b) in pairs.into_iter().chain([(given.len(), known.len())]) {
        row.given = row.given.end..a;
        row.known = row.known.end..b;
        if has_hole(known, &row.known) || has_lost_a_name(given, known, &row) {
            left.any |= !row.given.is_empty();
        } else {
            reworded |= replaces_small_words(
                given.get(row.given.clone()).unwrap_or_default(),
                known.get(row.known.clone()).unwrap_or_default(),
            );
            misspelt |= left.add(
                given.get(row.given.clone()).unwrap_or_default(),
                known.get(row.known.clone()).unwrap_or_default(),
            );
        }
        if let (Some(x), Some(y)) = (given.get(a), known.get(b)) {
            misspelt |= x.text != y.text;
            reworded |= has_other_ending(&x.text, &y.text);
        }
        row.given.end = a + 1;
        row.known.end = b + 1;
    }
    match left.verdict(misspelt) {
        Wording::Near if reworded => Wording::Reworded,
        wording => wording,
    }
}

/// Whether small words stand for others, none of which is an article or a sign.
fn replaces_small_words(given: &[&Token], known: &[&Token]) -> bool {
    const MIN_LENGTH: usize = 3;
    let says = |row: &[&Token]| {
        let mut words = row.iter().filter(|token| token.is_word());
        words.any(|token| {
            let text = token.text.as_str();
            let is_article = matches!(text, "the" | "and" | "der" | "die" | "das" | "les" | "los");
            text.chars().count() >= MIN_LENGTH && !is_article
        })
    };
    let joined = |row: &[&Token]| row.iter().map(|t| t.text.as_str()).collect::<String>();
    let (a, b) = (joined(given), joined(known));
    let is_respelt = is_respelt(&Spelling::new(&a), &Spelling::new(&b));
    a != b && !is_respelt && says(given) && says(known)
}

/// Whether two words are forms of one that mean different things: a plural or a participle. Spellings
/// (`programme`, `program`) are not.
fn has_other_ending(a: &str, b: &str) -> bool {
    const ENDINGS: [&str; 8] = ["s", "es", "d", "ed", "ing", "ly", "al", "er"];
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.strip_prefix(short)
        .is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Whether the known title has lost words here: it begins with a small letter or ends in a function
/// word. Many records lack the italic words of a title.
fn has_hole(known: &[&Token], row: &Range<usize>) -> bool {
    let begins = row.end == 0 && known.first().is_some_and(|t| t.shape == TokenShape::Lower);
    let dangles = |token: &&Token| words::is_function_word(&token.text);
    let ends = row.start == known.len() && known.last().is_some_and(dangles);
    begins || ends
}

/// Whether the known title may have lost a name of the text in the same way: at the end of a title
/// in small letters, or where the known title has a wide gap.
fn has_lost_a_name(given: &[&Token], known: &[&Token], row: &Gap) -> bool {
    const ENOUGH: usize = 3;
    let named = given
        .get(row.given.start)
        .is_some_and(|t| t.shape == TokenShape::Capital);
    let before = given.get(..row.given.start).unwrap_or_default();
    let small = before
        .iter()
        .filter(|t| is_telling(t) && t.shape == TokenShape::Lower);
    let at_end = row.known.start == known.len() && small.count() >= ENOUGH;
    let behind = row.known.start.checked_sub(1).and_then(|n| known.get(n));
    let wide = match (behind, known.get(row.known.end)) {
        (Some(a), Some(b)) => b.span.start > a.span.end + 1,
        _ => false,
    };
    row.known.is_empty() && named && (at_end || wide)
}

/// The tokens between two aligned pairs.
#[derive(Default)]
struct Gap {
    given: Range<usize>,
    known: Range<usize>,
}

/// The words that only one side has, each with the number of its gap.
#[derive(Default)]
struct Leftover<'a> {
    gaps: usize,
    given: Vec<(usize, &'a str)>,
    known: Vec<(usize, &'a str)>,
    /// Whether one number replaces another.
    other_number: bool,
    any: bool,
}

impl<'a> Leftover<'a> {
    /// Adds the words of a gap; true if they differ only in spelling.
    fn add(&mut self, given: &[&'a Token], known: &[&'a Token]) -> bool {
        if given.is_empty() && known.is_empty() {
            return false;
        }
        let joined = |row: &[&Token]| row.iter().map(|t| t.text.as_str()).collect::<String>();
        let (a, b) = (joined(given), joined(known));
        if a == b {
            return false;
        }
        if is_respelt(&Spelling::new(&a), &Spelling::new(&b)) {
            return true;
        }
        self.gaps += 1;
        self.any = true;
        self.other_number |= numbers_differ(given, known);
        let telling = |row: &[&'a Token]| -> Vec<(usize, &'a str)> {
            let says = row.iter().filter(|token| is_telling(token));
            says.map(|token| (self.gaps, token.text.as_str())).collect()
        };
        let (a, b) = (telling(given), telling(known));
        self.given.extend(a);
        self.known.extend(b);
        false
    }

    fn verdict(mut self, misspelt: bool) -> Wording {
        let moved = self.take_moved();
        let added = !self.given.is_empty();
        let denied = self.known.iter().any(|(_, word)| is_negation(word));
        if added || denied || self.other_number || moved > 1 {
            Wording::Other
        } else if misspelt || self.any {
            Wording::Near
        } else {
            Wording::Same
        }
    }

    /// Removes the words that both sides have in different gaps; returns the number of gaps of the
    /// text that contain them.
    fn take_moved(&mut self) -> usize {
        let mut gaps = Vec::new();
        let known = &mut self.known;
        self.given.retain(|(gap, word)| {
            let Some(at) = known.iter().position(|(_, other)| other == word) else {
                return true;
            };
            known.remove(at);
            if !gaps.contains(gap) {
                gaps.push(*gap);
            }
            false
        });
        gaps.len()
    }
}

/// Whether a word has meaning by itself. Letters and the like are symbols, with many spellings.
fn is_telling(token: &Token) -> bool {
    const MIN_LENGTH: usize = 3;
    let text = token.text.as_str();
    let silent = words::is_function_word(text)
        || (words::is_furniture(text) && !words::is_month(text))
        || text.chars().count() < MIN_LENGTH;
    let word = token.is_word() && token.shape != TokenShape::Bigram;
    word && (!silent || is_negation(text))
}

/// Whether a folded word negates the words beside it.
fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "no"
            | "non"
            | "never"
            | "nor"
            | "without"
            | "nicht"
            | "kein"
            | "keine"
            | "ohne"
            | "nie"
            | "pas"
            | "sans"
            | "jamais"
            | "sin"
            | "nunca"
            | "senza"
            | "sem"
            | "nao"
    )
}

/// Whether both sequences have numbers and none in common.
fn numbers_differ(given: &[&Token], known: &[&Token]) -> bool {
    let numbers = |row: &[&Token]| -> Vec<String> {
        row.iter()
            .filter_map(|token| match token.shape {
                TokenShape::Number => Some(token.text.clone()),
                TokenShape::Upper => words::roman(&token.text).map(|n| n.to_string()),
                _ => None,
            })
            .collect()
    };
    let (given, known) = (numbers(given), numbers(known));
    !given.is_empty() && !known.is_empty() && !given.iter().any(|n| known.contains(n))
}

/// Whether two words are the same, with a spelling variant or a typing error. In words of common
/// length, two errors make a different word: `increase` and `decrease`.
fn is_respelt(given: &Spelling, known: &Spelling) -> bool {
    const MIN_LENGTH: usize = 4;
    const LETTERS_AN_ERROR: usize = 10;
    let longer = given.text.len().max(known.text.len());
    let is_short = given.text.len().min(known.text.len()) < MIN_LENGTH;
    if is_short || given.text.bytes().any(|c| c.is_ascii_digit()) {
        return false;
    }
    let allowed = (longer / LETTERS_AN_ERROR).max(1);
    let (a, b) = (given.plain.as_str(), known.plain.as_str());
    similar::bounded_edits(a.as_bytes(), b.as_bytes(), allowed).is_some() || is_inflected(a, b)
}

/// The spelling of a word.
struct Spelling<'a> {
    text: &'a str,
    /// With digraphs replaced that others write as one letter.
    plain: String,
}

impl<'a> Spelling<'a> {
    fn new(text: &'a str) -> Spelling<'a> {
        const DIGRAPHS: [(&str, &str); 5] = [
            ("ph", "f"),
            ("ae", "e"),
            ("oe", "e"),
            ("ue", "u"),
            ("th", "t"),
        ];
        let mut plain = text.to_owned();
        for (long, short) in DIGRAPHS {
            if plain.contains(long) {
                plain = plain.replace(long, short);
            }
        }
        Spelling { text, plain }
    }

    fn of_all(tokens: &[&'a Token]) -> Vec<Spelling<'a>> {
        tokens.iter().map(|t| Spelling::new(&t.text)).collect()
    }
}

/// Whether two words differ only in their endings: `programme` and `program`.
fn is_inflected(a: &str, b: &str) -> bool {
    let shared = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    shared * 3 >= a.len().max(b.len()) * 2
}

/// The pairs of similar tokens, in the same order on both sides, with the greatest total weight.
fn aligned(given: &[&Token], known: &[&Token]) -> Vec<(usize, usize)> {
    let width = known.len() + 1;
    let mut best = vec![0.0_f64; (given.len() + 1) * width];
    let mut paired = vec![None; best.len()];
    let at = |a: usize, b: usize| a * width + b;
    let value = |best: &[f64], a: usize, b: usize| best.get(at(a, b)).copied().unwrap_or_default();
    let known_spellings = Spelling::of_all(known);
    for (a, (x, spelt)) in given.iter().zip(Spelling::of_all(given)).enumerate().rev() {
        for (b, y) in known_spellings.iter().enumerate().rev() {
            let pair = likeness(x, &spelt, y).map(|worth| worth + value(&best, a + 1, b + 1));
            let apart = value(&best, a + 1, b).max(value(&best, a, b + 1));
            if let (Some(cell), Some(slot)) = (best.get_mut(at(a, b)), paired.get_mut(at(a, b))) {
                *cell = pair.unwrap_or_default().max(apart);
                *slot = pair;
            }
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut pairs = Vec::new();
    while a < given.len() && b < known.len() {
        let here = value(&best, a, b);
        let pair = paired.get(at(a, b)).copied().flatten();
        if pair.is_some_and(|pair| pair >= here) {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if value(&best, a + 1, b) >= here {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

/// The value of pairing two tokens; `None` if they are not similar.
fn likeness(token: &Token, given: &Spelling, known: &Spelling) -> Option<f64> {
    const RESPELT: f64 = 0.8;
    if given.text == known.text {
        return Some(token.weight);
    }
    is_respelt(given, known).then_some(RESPELT * token.weight)
}

#[cfg(test)]
mod tests {
    use super::super::super::normalize::tokens;
    use super::*;

    fn check(given: &str, known: &str, expected: Wording) {
        let (a, b) = (tokens(given), tokens(known));
        let (a, b): (Vec<_>, Vec<_>) = (a.iter().collect(), b.iter().collect());
        assert_eq!(compare(&a, &b), expected, "{given:?} for {known:?}");
    }

    #[test]
    fn one_title_may_be_spelt_in_several_ways() {
        check("Health-care of terns", "Healthcare of Terns", Wording::Same);
        check("The colour of terns", "The Color of Terns", Wording::Near);
        check("Program for a tern", "Programme for a tern", Wording::Near);
        check("Terns of the coasts", "Terns of coasts", Wording::Near);
        check(
            "Terns in the Hα line",
            "Terns in the H-alpha line",
            Wording::Near,
        );
        check("Terns of Imagined coasts", "Terns of", Wording::Near);
        check(
            "Some long walks by slow Terna lenta",
            "Some long walks by slow",
            Wording::Near,
        );
        check(
            "Walks of Terna lenta in rain",
            "Walks of  in rain",
            Wording::Near,
        );
        check(
            "Bridges, the slow building",
            "The slow building: bridges",
            Wording::Near,
        );
    }

    #[test]
    fn another_form_of_a_word_is_another_word() {
        check("Models of terns", "Model of terns", Wording::Reworded);
        check("Counts using nets", "Counts with nets", Wording::Reworded);
        check("Risk of tides", "The risk of tides", Wording::Near);
        check("Analyse the tides", "Analyze the tides", Wording::Near);
    }

    #[test]
    fn a_telling_word_makes_another_title() {
        check("Migratory seabirds", "Migratory songbirds", Wording::Other);
        check(
            "Harbours are not quiet",
            "Harbours are quiet",
            Wording::Other,
        );
        check(
            "Harbours are quiet",
            "Harbours are not quiet",
            Wording::Other,
        );
        check(
            "The first South tide",
            "The first North tide",
            Wording::Other,
        );
        check("Decrease of salts", "Increase of salts", Wording::Other);
        check("Tides of 2014", "Tides of 2015", Wording::Other);
        check(
            "Old harbours where new ships lie",
            "New harbours where old ships lie",
            Wording::Other,
        );
    }
}
