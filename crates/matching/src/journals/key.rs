//! The common key for spellings of one title or short form: `J. Am. Chem. Soc.` and
//! `j am chem soc`, `Algebra & Number Theory` and `Algebra and Number Theory`.

use crate::normalize::{Token, TokenShape, tokens};

/// The key of equal texts: folded words in order, without articles, prepositions and conjunctions.
/// Joins separate letters: `N. Y.` equals `NY`.
pub fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    let mut letter_before = false;
    for word in words(text) {
        let letter = word.chars().nth(1).is_none();
        let joined = letter && letter_before;
        if !joined && !key.is_empty() {
            key.push(' ');
        }
        key.push_str(&word);
        letter_before = letter;
    }
    key
}

/// The first letters of the words.
pub fn initials(text: &str) -> String {
    words(text)
        .iter()
        .filter_map(|word| word.chars().next())
        .collect()
}

/// Folded words in order, without articles, prepositions and conjunctions; all of them if there are
/// no others.
pub fn words(text: &str) -> Vec<String> {
    let text = text.replace(['\'', '’', '`'], "");
    let all = tokens(&text);
    let next = all.iter().skip(1).map(Some).chain([None]);
    let telling: Vec<String> = all
        .iter()
        .zip(next)
        .filter(|(token, next)| {
            let raw = text.get(token.span.clone());
            !is_small(&token.text, raw, token.shape) && !names_section(&token.text, *next)
        })
        .map(|(token, _)| token.text.clone())
        .collect();
    if telling.is_empty() {
        all.into_iter().map(|token| token.text).collect()
    } else {
        telling
    }
}

/// A letter is an article only in lower case: the section of `J. Phys. A` is none.
fn is_small(word: &str, raw: Option<&str>, shape: TokenShape) -> bool {
    if shape == TokenShape::Letter && raw.is_some_and(|raw| raw.chars().all(char::is_uppercase)) {
        return false;
    }
    is_function_word(word)
}

/// Whether a text has only words that any journal may have: `J. of the`.
pub fn says_nothing(text: &str) -> bool {
    words(text).iter().all(|word| {
        let journal = matches!(
            word.as_str(),
            "j" | "jl" | "jnl" | "jour" | "journ" | "journal" | "journals" | "jrnl"
        );
        journal || is_function_word(word)
    })
}

/// Articles, prepositions and conjunctions.
fn is_function_word(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "and"
            | "the"
            | "of"
            | "for"
            | "in"
            | "on"
            | "to"
            | "der"
            | "die"
            | "das"
            | "des"
            | "und"
            | "fur"
            | "zur"
            | "zum"
            | "im"
            | "de"
            | "du"
            | "la"
            | "le"
            | "les"
            | "et"
            | "en"
            | "pour"
            | "di"
            | "del"
            | "della"
            | "delle"
            | "dei"
            | "e"
            | "y"
            | "el"
            | "los"
            | "las"
            | "do"
            | "da"
            | "dos"
            | "van"
            | "voor"
            | "het"
            | "i"
    )
}

/// Whether a word only introduces the letter or number of a section: `Part B`.
fn names_section(word: &str, next: Option<&Token>) -> bool {
    let names = matches!(word, "section" | "sect" | "part" | "pt" | "series" | "ser");
    names && next.is_some_and(|next| matches!(next.shape, TokenShape::Letter | TokenShape::Number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(key(text), expected, "{text:?}");
    }

    #[test]
    fn spellings_come_together() {
        check("J. Am. Chem. Soc.", "j am chem soc");
        check("j  am chem.soc", "j am chem soc");
        check("Algebra & Number Theory", "algebra number theory");
        check("Algebra and Number Theory", "algebra number theory");
        check("Annals of the N. Y. Academy", "annals ny academy");
        check("Acta Cryst. Sect. B", "acta cryst b");
        check("Women's Health", "womens health");
        check("Revista Española de Física", "revista espanola fisica");
        check("The The", "the the");
    }

    #[test]
    fn the_letter_of_a_section_stays() {
        check("J. Phys. A", "j phys a");
        check(
            "Chemistry – a European journal",
            "chemistry european journal",
        );
        assert_eq!(initials("J. Phys. A: Math. Gen."), "jpamg");
    }

    #[test]
    fn journals_alone_say_nothing() {
        for text in ["J", "J. of", "Journal of the", "of", ""] {
            assert!(says_nothing(text), "{text}");
        }
        for text in ["J. Phys.", "Brain", "J. Q."] {
            assert!(!says_nothing(text), "{text}");
        }
    }
}
