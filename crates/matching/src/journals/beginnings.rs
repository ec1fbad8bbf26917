//! Checks whether a short form may abbreviate a title: each of its words begins a title word, or
//! contracts it (`Natl`), in order.

use super::key;
use crate::similar::abbreviation_similarity;

/// How well a short form fits a title.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortFormFit {
    /// The share of the title's words in the short form, 0 to 1.
    pub covered: f64,
    /// The average similarity of the words, 0 to 1.
    pub likeness: f64,
}

impl ShortFormFit {
    /// Whether the short form covers every word of the title.
    pub fn is_whole(self) -> bool {
        self.covered >= 1.0
    }
}

/// Fits the words of a short form to a title. `None` if a word of the short form begins no word of
/// the title, or if the first words differ.
pub fn fit(short: &[String], title: &str) -> Option<ShortFormFit> {
    let title = key::words(title);
    let mut from = 0;
    let mut sum = 0.0;
    for (at, word) in short.iter().enumerate() {
        let rest = title.get(from..)?;
        let found = rest
            .iter()
            .map(|whole| likeness(word, whole))
            .position(|likeness| likeness > 0.0)?;
        if at == 0 && found > 0 {
            return None;
        }
        sum += rest.get(found).map_or(0.0, |whole| likeness(word, whole));
        from += found + 1;
    }
    if short.is_empty() {
        return None;
    }
    Some(ShortFormFit {
        covered: short.len() as f64 / title.len().max(1) as f64,
        likeness: sum / short.len() as f64,
    })
}

/// How well one word abbreviates another, 0 to 1. A plural counts as the word.
fn likeness(word: &str, whole: &str) -> f64 {
    let plain = abbreviation_similarity(word, whole);
    if plain > 0.0 {
        return plain;
    }
    let stem = word.strip_suffix('s').filter(|stem| stem.len() >= 3);
    match stem {
        Some(stem) if whole.starts_with(stem) => 0.8,
        _ => 0.0,
    }
}

/// Whether a short form is specific enough to be trusted if exactly one title fits: two words, at
/// least one longer than an initial.
pub fn is_telling(short: &[String]) -> bool {
    let letters: usize = short.iter().map(|word| word.chars().count()).sum();
    let longest = short.iter().map(|word| word.chars().count()).max();
    short.len() >= 2 && letters >= 5 && longest >= Some(3)
}

/// Whether a text may be the initials of a title: one word of two to eight capitals.
pub fn is_acronym(text: &str) -> bool {
    let letters = text.trim();
    (2..=8).contains(&letters.chars().count()) && letters.chars().all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(short: &str, title: &str, expected: Option<bool>) {
        let found = fit(&key::words(short), title).map(ShortFormFit::is_whole);
        assert_eq!(found, expected, "{short} / {title}");
    }

    #[test]
    fn words_are_begun_in_order() {
        check(
            "J. Am. Chem. Soc.",
            "Journal of the American Chemical Society",
            Some(true),
        );
        check(
            "Proc Natl Acad Sci",
            "Proceedings of the National Academy of Sciences",
            Some(true),
        );
        check(
            "Proc Natl Acad Sci",
            "Proceedings of the National Academy of Sciences USA",
            Some(false),
        );
        check("Statistics Comput", "Statistical Computing", Some(true));
        check(
            "J. Chem. Am. Soc.",
            "Journal of the American Chemical Society",
            None,
        );
        check(
            "Am. Chem. Soc.",
            "Journal of the American Chemical Society",
            None,
        );
        check("J. Phys.", "Journal of Chemistry", None);
    }

    #[test]
    fn a_few_letters_tell_too_little() {
        assert!(is_telling(&key::words("J. Chem. Phys.")));
        assert!(!is_telling(&key::words("J. C. P.")));
        assert!(!is_telling(&key::words("Chem.")));
    }
}
