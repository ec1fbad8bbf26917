//! Compares two lists of names despite spelling variants: initials, particles, transcribed umlauts,
//! swapped family and given names.

use super::super::normalize::{fold, squeeze};
use super::super::record::joined;
use citation_model::name::Name;

/// The maximum number of names compared. Consortia have thousands.
const MAX_COUNT: usize = 30;

/// A name prepared for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedName {
    /// Letters of the family name, or of the whole name if it has only one part.
    family: String,
    given: String,
    /// First letters of the given names.
    initials: String,
    /// The words of the whole name in alphabetical order.
    words: Vec<String>,
}

/// The agreement of two lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeopleAgreement {
    /// Whether the first names of both lists are the same person.
    pub first: bool,
    /// The share of the shorter list that is in the longer one, 0 to 1.
    pub overlap: f64,
    /// Whether the first persons share a family name but have different initials.
    pub initials_differ: bool,
}

pub fn prepare(names: &[Name]) -> Vec<ComparedName> {
    names.iter().take(MAX_COUNT).map(ComparedName::of).collect()
}

/// Compares two lists; `None` if either is empty.
pub fn agreement(a: &[ComparedName], b: &[ComparedName]) -> Option<PeopleAgreement> {
    let (first_a, first_b) = (a.first()?, b.first()?);
    let (shorter, longer) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let known = |person: &&ComparedName| longer.iter().any(|other| person.is(other));
    let overlap = shorter.iter().filter(known).count() as f64 / shorter.len() as f64;
    Some(PeopleAgreement {
        first: first_a.is(first_b),
        overlap,
        initials_differ: first_a.family == first_b.family && !first_a.initials_agree(first_b),
    })
}

impl ComparedName {
    pub fn of(name: &Name) -> ComparedName {
        // One list may have the name in two parts and the other in one.
        let joined = joined(name).map(|whole| Name::person(&whole, ""));
        let name = joined.as_ref().unwrap_or(name);
        let given = name.given.as_deref().unwrap_or_default();
        let display = fold(&name.display());
        let mut words: Vec<String> = display
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(key)
            .collect();
        words.sort_unstable();
        ComparedName {
            family: key(&name.heading()),
            given: key(given),
            initials: initials(given),
            words,
        }
    }

    /// Whether both names may be the same person's.
    pub fn is(&self, other: &ComparedName) -> bool {
        let same_family = self.family == other.family && self.initials_agree(other);
        let exchanged =
            !self.given.is_empty() && self.given == other.family && self.family == other.given;
        same_family || exchanged || self.words == other.words
    }

    /// The lookup key of the person.
    pub fn family(&self) -> &str {
        &self.family
    }

    /// The words of the whole name in alphabetical order.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The letters of the given names.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// Whether the given names are unknown or nothing but initials.
    pub fn is_initials(&self) -> bool {
        self.given.chars().count() <= 2 || self.given == self.initials
    }

    /// Whether one given name begins with the other, or one of them is not known.
    pub fn has_given_of(&self, other: &ComparedName) -> bool {
        self.given.starts_with(&other.given) || other.given.starts_with(&self.given)
    }

    /// Whether the first initials are equal, as far as both are known: records differ in how many they have.
    pub fn initials_agree(&self, other: &ComparedName) -> bool {
        let first = |person: &ComparedName| person.initials.chars().next();
        match (first(self), first(other)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }
}

/// Letters only, with transcribed umlauts as one letter: `Mueller` equals `Müller`.
fn key(text: &str) -> String {
    squeeze(text)
        .replace("ae", "a")
        .replace("oe", "o")
        .replace("ue", "u")
}

fn initials(given: &str) -> String {
    let folded = fold(given);
    let words = folded.split(|c: char| !c.is_alphanumeric());
    // `JB` without full stops is two initials; `Jo` is a name.
    let all_capital = given.chars().filter(|c| c.is_alphabetic()).count() <= 3
        && given.chars().all(|c| !c.is_lowercase());
    if all_capital {
        return words.collect();
    }
    words.filter_map(|word| word.chars().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, expected: bool) {
        let same = ComparedName::of(&Name::parse(a)).is(&ComparedName::of(&Name::parse(b)));
        assert_eq!(same, expected, "{a} / {b}");
    }

    #[test]
    fn one_person_is_written_in_many_ways() {
        check("Müller, Hans", "Mueller, H.", true);
        check("van der Berg, Jan", "Jan van der Berg", true);
        check("Wang, Wei", "Wei, Wang", true);
        check("Smith, JB", "Smith, John B.", true);
        check("Ångström, A. J.", "Angstrom, Anders", true);
        check(
            "World Health Organization",
            "World Health Organization",
            true,
        );
    }

    #[test]
    fn other_people_stay_others() {
        check("Smith, Anna", "Smith, John", false);
        check("Smith, A", "Smyth, A", false);
    }
}
