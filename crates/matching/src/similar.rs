//! Similarity of two tokens, tolerant of typing errors, misread letters, abbreviations and initials.

use std::ops::Range;

/// The maximum length of a text compared letter by letter, in bytes.
const MAX_LENGTH: usize = 64;

/// The similarity of two folded tokens, 0 to 1. Different numbers are not similar.
pub fn word_similarity(a: &str, b: &str) -> f64 {
    Word::new(a).similarity(Word::new(b))
}

/// A folded token, prepared for comparison with many others.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    text: &'a str,
    /// The set of its letters, lookalikes treated as equal.
    letters: u64,
}

impl<'a> Word<'a> {
    pub fn new(text: &'a str) -> Word<'a> {
        let letter = |byte: u8| lookalike(char::from(byte)) as u32 & 63;
        Word {
            text,
            letters: text
                .bytes()
                .fold(0, |letters, byte| letters | 1 << letter(byte)),
        }
    }

    /// See [`word_similarity`].
    pub fn similarity(self, other: Word) -> f64 {
        let (a, b) = (self.text, other.text);
        if a == b {
            return 1.0;
        }
        let longer = a.len().max(b.len());
        let allowed = allowed_edits(longer);
        // Each edit changes at most two letters of the sets.
        let letters_apart = (self.letters ^ other.letters).count_ones();
        if !are_alike_in_length(a.len(), b.len()) || letters_apart > 2 * allowed as u32 {
            return 0.0;
        }
        if is_numeric(a) || is_numeric(b) {
            return if misread_alike(a, b) { 0.9 } else { 0.0 };
        }
        match bounded_edits(a.as_bytes(), b.as_bytes(), allowed) {
            Some(edits) => 1.0 - edits as f64 / longer as f64,
            None if misread_alike(a, b) => 0.9,
            None => 0.0,
        }
    }
}

/// Whether two different tokens of these lengths, in bytes, may be similar.
pub fn are_alike_in_length(a: usize, b: usize) -> bool {
    let longer = a.max(b);
    longer >= 4 && a.abs_diff(b) <= allowed_edits(longer)
}

/// The letter-by-letter similarity of two stretches of text, 0 to 1; 0 if more than two fifths
/// differ.
pub fn stretch_similarity(a: &str, b: &str) -> f64 {
    let longer = a.len().max(b.len());
    if a == b {
        return 1.0;
    }
    bounded_edits(a.as_bytes(), b.as_bytes(), longer * 2 / 5)
        .map_or(0.0, |edits| 1.0 - edits as f64 / longer as f64)
}

/// Whether two numbers differ by one inserted, omitted or replaced character.
pub fn is_one_character_off(a: &str, b: &str) -> bool {
    a.len().max(b.len()) >= 2 && bounded_edits(a.as_bytes(), b.as_bytes(), 1).is_some()
}

/// The number of edits that leave a word of this length, in bytes, recognisable.
fn allowed_edits(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=6 => 1,
        7..=11 => 2,
        _ => 3,
    }
}

/// Whether a token is a number, not a word with a stray digit.
fn is_numeric(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits > 0 && digits * 3 >= text.len()
}

/// Whether optical recognition may confuse the two words: `modern` and `modem`, `l0` and `10`.
fn misread_alike(a: &str, b: &str) -> bool {
    lookalikes(a).eq(lookalikes(b))
}

/// The letters of a word, each replaced by the representative of its lookalikes.
fn lookalikes(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text.chars().peekable();
    std::iter::from_fn(move || {
        let c = rest.next()?;
        let joined = match (c, rest.peek()) {
            ('r', Some('n')) => 'm',
            ('r', Some('i')) | ('i', Some('i')) => 'n',
            ('v', Some('v')) => 'w',
            ('c', Some('l')) => 'd',
            ('l', Some('i')) => 'b',
            _ => return Some(lookalike(c)),
        };
        rest.next();
        Some(joined)
    })
}

/// The representative of all folded letters and digits that look like this one.
fn lookalike(c: char) -> char {
    match c {
        '1' | 'i' => 'l',
        '0' => 'o',
        '5' => 's',
        '6' | '8' | 'h' => 'b',
        '9' | 'q' => 'g',
        'e' => 'c',
        't' => 'f',
        'u' => 'n',
        c => c,
    }
}

/// The number of insertions, deletions, replacements and swaps of neighbours that turn one text into
/// the other; `None` if more than `most` are needed or a text is too long.
#[expect(
    clippy::indexing_slicing,
    reason = "rows and columns of the table are in range"
)]
pub fn bounded_edits(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most || a.len() > MAX_LENGTH || b.len() > MAX_LENGTH {
        return None;
    }
    // Three rows of the usual table, because a swap looks two rows back.
    let mut before = [0_u8; MAX_LENGTH + 1];
    let mut above = [0_u8; MAX_LENGTH + 1];
    let mut row = [0_u8; MAX_LENGTH + 1];
    for (j, cell) in above.iter_mut().enumerate() {
        *cell = j as u8;
    }
    for (i, x) in a.iter().enumerate() {
        row[0] = i as u8 + 1;
        let mut least = row[0];
        for (j, y) in b.iter().enumerate() {
            let mut cost = (above[j] + u8::from(x != y))
                .min(above[j + 1] + 1)
                .min(row[j] + 1);
            let swapped = i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x;
            if swapped {
                cost = cost.min(before[j - 1] + 1);
            }
            row[j + 1] = cost;
            least = least.min(cost);
        }
        if usize::from(least) > most {
            return None;
        }
        before = above;
        above = row;
    }
    above
        .get(b.len())
        .map(|edits| usize::from(*edits))
        .filter(|edits| *edits <= most)
}

/// The stretch of a text that becomes a pattern by the fewest edits, at most `most`, and their number; the first of
/// several. Stretches are not extended by letters that are no use.
pub fn best_stretch_of(text: &[u8], pattern: &[u8], most: usize) -> Option<(Range<usize>, usize)> {
    // One column of the usual table for each letter of the text; a match may begin anywhere. Cells are the edits and
    // the place where the match began.
    let mut column: Vec<(usize, usize)> = (0..=pattern.len()).map(|edits| (edits, 0)).collect();
    let mut best: Option<(usize, Range<usize>)> = None;
    for (at, letter) in text.iter().enumerate() {
        let mut diagonal = (0, at);
        let mut above = (0, at + 1);
        for (cell, wanted) in column.iter_mut().skip(1).zip(pattern) {
            let replaced = (diagonal.0 + usize::from(letter != wanted), diagonal.1);
            let inserted = (cell.0 + 1, cell.1);
            let omitted = (above.0 + 1, above.1);
            diagonal = *cell;
            above = [replaced, inserted, omitted]
                .into_iter()
                .min_by_key(|(edits, _)| *edits)
                .unwrap_or(replaced);
            *cell = above;
        }
        if let Some(slot) = column.first_mut() {
            *slot = (0, at + 1);
        }
        let (edits, start) = above;
        if edits <= most && start <= at && best.as_ref().is_none_or(|(least, _)| edits < *least) {
            best = Some((edits, start..at + 1));
        }
    }
    best.map(|(edits, place)| (place, edits))
}

/// Whether a folded token of a reference may represent a word of a container's title: the word
/// itself, its beginning (`biol`), possibly with one wrong letter, or a contraction with its first
/// and last letter (`natl`).
pub fn abbreviation_similarity(given: &str, word: &str) -> f64 {
    const MIN_MISSPELT_LENGTH: usize = 4;
    if given == word {
        return 1.0;
    }
    if given.is_empty() || given.len() >= word.len() {
        return 0.0;
    }
    if word.starts_with(given) {
        return if given.len() > 1 { 0.95 } else { 0.7 };
    }
    let contracted = given.len() >= 3
        && given.bytes().next() == word.bytes().next()
        && given.bytes().last() == word.bytes().last()
        && is_subsequence(given.as_bytes(), word.as_bytes());
    if contracted {
        return 0.85;
    }
    let beginning = word.as_bytes().get(..given.len()).unwrap_or_default();
    let misspelt = given.len() >= MIN_MISSPELT_LENGTH
        && given.bytes().next() == word.bytes().next()
        && bounded_edits(given.as_bytes(), beginning, 1).is_some();
    if misspelt { 0.6 } else { 0.0 }
}

/// Whether a piece of an acronym abbreviates a word: same first letter, and the word has the others
/// in the same order.
pub fn is_within(piece: &str, word: &str) -> bool {
    piece.bytes().next() == word.bytes().next() && is_subsequence(piece.as_bytes(), word.as_bytes())
}

fn is_subsequence(short: &[u8], long: &[u8]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|x| rest.any(|y| x == y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_errors_are_forgiven() {
        assert!(word_similarity("expression", "expresion") > 0.85);
        assert!(word_similarity("modern", "modem") > 0.5);
        assert!(word_similarity("recieve", "receive") > 0.8);
        assert_eq!(word_similarity("cat", "car"), 0.0);
        assert_eq!(word_similarity("2001", "2007"), 0.0);
        assert_eq!(word_similarity("mouse", "house"), 0.8);
        assert!(word_similarity("infar1ction", "infarction") > 0.9);
        assert!(word_similarity("browri", "brown") > 0.8);
        assert!(word_similarity("6cncc", "bence") > 0.8);
    }

    #[test]
    fn edits_are_counted_up_to_the_bound() {
        assert_eq!(bounded_edits(b"kitten", b"sitting", 3), Some(3));
        assert_eq!(bounded_edits(b"kitten", b"sitting", 2), None);
        assert_eq!(bounded_edits(b"", b"", 0), Some(0));
    }

    #[test]
    fn stretches_are_found_across_errors() {
        let found = |text: &'static str, pattern: &str, most| {
            let (place, edits) = best_stretch_of(text.as_bytes(), pattern.as_bytes(), most)?;
            Some((text.get(place)?, edits))
        };
        assert_eq!(found("abringlx", "ring", 0), Some(("ring", 0)));
        assert_eq!(found("abrxngl", "ring", 1), Some(("rxng", 1)));
        assert_eq!(found("abrngl", "ring", 1), Some(("rng", 1)));
        assert_eq!(found("abrixngl", "ring", 1), Some(("rixng", 1)));
        assert_eq!(found("abrxxxl", "ring", 1), None);
    }

    #[test]
    fn abbreviations_are_seen() {
        assert_eq!(abbreviation_similarity("biol", "biology"), 0.95);
        assert_eq!(abbreviation_similarity("natl", "national"), 0.85);
        assert_eq!(abbreviation_similarity("j", "journal"), 0.7);
        assert_eq!(abbreviation_similarity("phys", "chemistry"), 0.0);
        assert_eq!(abbreviation_similarity("arci", "archives"), 0.6);
        assert_eq!(abbreviation_similarity("cel", "chemistry"), 0.0);
    }
}
