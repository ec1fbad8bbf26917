//! Whether a name is that of an institution, for sources that do not state it.

use citation_model::word_set::WordSet;

/// Words of names of institutions that are no family names.
static NOUNS: WordSet = WordSet::new(&[
    "university universität université universidad universidade università universiteit universitetet",
    "college hochschule volkshochschule institute institut instituto istituto academy académie akademie",
    "department ministry ministère ministerio ministerium agency bureau commission council committee",
    "office association society société gesellschaft verein union federation league board trust",
    "foundation stiftung organization organisation consortium collaboration collaborative initiative",
    "group team network project program programme fund company corporation inc ltd gmbh",
    "museum library bibliothèque bibliothek archive archives observatory observatoire expedition survey",
    "center centre zentrum centro hospital laboratory laboratories",
    "publishing publishers publications editors verlag staff",
    "congress parliament government republic nations united",
    "international national federal european",
    "service services system systems authority administration directorate",
    "conference symposium workshop",
]);

/// Words of names of institutions that are family names, too: they count beside another word.
static ALSO_FAMILY_NAMES: WordSet =
    WordSet::new(&["bank school church house court city state press"]);

/// Lower-case words that never stand in names of persons. `of` may (`Catherine of Siena`), and so may `in`
/// (`Sophie in 't Veld`).
static FUNCTION_WORDS: WordSet = WordSet::new(&["& at for für on para the to"]);

/// Words that join the names of several persons, or the words of one institution.
static CONJUNCTIONS: WordSet = WordSet::new(&["and et und"]);

/// Countries and unions at the end of names of national branches, and legal forms of companies that are
/// not initials as well (`AG` and `SA` may be).
static ENDINGS: WordSet = WordSet::new(&["UK USA US EU UN UAE DC LLC LLP PLC LTD INC"]);

/// Maximum number of words of a person's name, without particles in lower case.
const MAX_WORDS_OF_PERSON: usize = 5;

/// Whether the words of a name are those of an institution.
pub fn is_institution(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = || {
        lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
    };
    // `Bank, Anna`
    let is_in_natural_order = !text.contains(',') && words().nth(1).is_some();
    let ends = text.split_whitespace().next_back();
    words().any(|word| NOUNS.contains(word))
        || is_in_natural_order && words().any(|word| ALSO_FAMILY_NAMES.contains(word))
        || ends.is_some_and(is_ending)
        || lower.starts_with("the ")
        || has_function_word(text)
        || is_subdivided(&lower)
        || names_of(text).count() > MAX_WORDS_OF_PERSON
}

/// Whether a text that is known to be one name is that of an institution: a conjunction in it joins no
/// persons (`Ernst and Young`).
pub fn is_institution_alone(text: &str) -> bool {
    is_institution(text) || has_conjunction(text)
}

/// Whether a name has a word that joins names: `Ernst and Young`.
pub fn has_conjunction(text: &str) -> bool {
    let mut words = text.split_whitespace().skip(1);
    words.any(|word| CONJUNCTIONS.contains(word))
}

/// Whether bare capital letters are the name of a country or a legal form, not initials: `Cancer UK`.
pub fn is_ending(letters: &str) -> bool {
    ENDINGS.contains(letters)
}

/// Whether a name has a word that never stands in names of persons: `American Rights at Work`.
pub fn has_function_word(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((_, inner)) = words.split_first() else {
        return false;
    };
    let is_known = |word: &&str| FUNCTION_WORDS.contains(word);
    let is_of = |word: &&str| word.eq_ignore_ascii_case("of");
    // `Catherine of Siena`: a place of one word after a name of one word.
    let is_of_place = words.len() == 3 && inner.first().is_some_and(is_of);
    let has_in = || {
        let mut pairs = inner.windows(2);
        pairs.any(|pair| matches!(pair, ["in", next] if next.starts_with(char::is_uppercase)))
    };
    inner.iter().any(is_known) || !is_of_place && inner.iter().any(is_of) || has_in()
}

/// The words of a name without particles in lower case.
fn names_of(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .filter(|word| !word.starts_with(char::is_lowercase))
}

/// Library headings separate a body from its parent by a full stop: `Great Britain. Parliament`. A full
/// stop after an initial or title (`Scott H. Kaufman`, `Prof. Smith`) does not count.
fn is_subdivided(lower: &str) -> bool {
    let mut parts = lower.split(". ").peekable();
    let mut found = false;
    while let Some(part) = parts.next() {
        let last = part.split([' ', '.', '-']).next_back().unwrap_or_default();
        let is_word = last.chars().count() > 3 && last.chars().all(char::is_alphabetic);
        let is_title = matches!(last, "prof" | "hon" | "miss");
        found |= parts.peek().is_some() && is_word && !is_title;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn institutions_are_told_from_persons_by_their_words() {
        for name in [
            "World Bank",
            "University of Iowa",
            "The Economist",
            "American Rights at Work",
            "Great Britain. Parliament",
            "Cancer Research UK",
            "Bank of America",
            "ABCD Of The EFGH",
            "Médecins sans Frontières International",
            "Arbeitskreis für Namenkunde",
            "Publishing, Harcourt Brace",
        ] {
            assert!(is_institution(name), "{name}");
        }
        for name in [
            "Bank, Anna",
            "Bank",
            "Catherine of Siena",
            "Sophie in 't Veld",
            "Santiago Ramón y Cajal",
            "J. R. R. Tolkien",
            "Scott H. Kaufman",
            "Gilles des Marais",
            "Kim On",
        ] {
            assert!(!is_institution(name), "{name}");
        }
    }
}
