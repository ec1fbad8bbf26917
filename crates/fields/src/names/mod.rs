//! Parses and writes lists of names. `single` reads one name.

pub mod institutions;
mod single;
pub mod suffixes;

use citation_model::name::Name;

use crate::latex::leftover;

use self::institutions::is_institution_alone;
use self::single::are_initials;
use self::suffixes::{is_degree, is_suffix, split_suffix};

pub use self::institutions::is_institution;
pub use self::single::{
    family_first, from_parts, from_text, in_any_order, inverted, is_nobody, literal, with_initials,
};

/// Maximum number of names read per list. The longest real lists have about 5,000.
pub const MAX_NAMES: usize = 5_000;

/// Maximum length of a parsed name, in bytes. Longer texts are kept whole.
pub const MAX_NAME_LENGTH: usize = 10_000;

/// The people of one value. Most programs write one person into it, some all, separated by semicolons, or by
/// commas and “and”, which separate only if each part is plainly a person.
pub fn people(text: &str) -> Vec<Name> {
    people_by(text, inverted)
}

/// As [`people`], but a name without a comma is a person unless it has words of institutions.
pub fn people_in_any_order(text: &str) -> Vec<Name> {
    people_by(text, in_any_order)
}

fn people_by(text: &str, read: fn(&str) -> Name) -> Vec<Name> {
    // The sign of a conjunction that BibTeX escapes.
    let text = &*leftover::without_escapes(text);
    if let Some(names) = byline(text) {
        return names;
    }
    let parts = list(text).map(|part| match in_braces(part) {
        Some(whole) => vec![Name::literal(whole)],
        None => several(part).unwrap_or_else(|| vec![read(after_others(part))]),
    });
    parts.flatten().collect()
}

/// An institution in the braces of BibTeX.
pub fn in_braces(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    (!inside.contains(['{', '}'])).then_some(inside)
}

/// A name without the conjunction before the last of a list that was cut into names.
fn after_others(text: &str) -> &str {
    let text = text
        .strip_prefix("and ")
        .or(text.strip_prefix("& "))
        .unwrap_or(text);
    text.trim_start()
}

/// The people of a byline of a newspaper, without their posts: `By Jane Doe and Al Roe, Staff Writers`,
/// `BY JANE DOE; Special to the Post`.
fn byline(text: &str) -> Option<Vec<Name>> {
    let (by, names) = text.trim_start().split_once(' ')?;
    if !by.eq_ignore_ascii_case("by") || text.len() > MAX_NAME_LENGTH {
        return None;
    }
    let parts = names
        .split([',', ';', '|'])
        .flat_map(|part| part.split(" and "));
    let parts = parts.flat_map(|part| part.split(" & ")).map(str::trim);
    let parts: Vec<&str> = parts
        .map(|part| part.strip_prefix("and ").unwrap_or(part))
        .collect();
    let people = parts
        .iter()
        .filter(|part| !part.is_empty() && !is_post(part));
    let people: Vec<Name> = people
        .map(|part| in_any_order(&in_small_letters(part)))
        .collect();
    (!people.is_empty()).then_some(people)
}

/// Whether a part of a byline is a post or an agency.
fn is_post(text: &str) -> bool {
    const WORDS: &str = "staff writer writers reporter reporters correspondent correspondents editor editors \
         columnist critic special freelance contributor bureau press service news times post chief";
    text.split_whitespace().any(|word| {
        WORDS
            .split_whitespace()
            .any(|known| known.eq_ignore_ascii_case(word))
    })
}

/// A name in capitals with capitals only at the start of its parts.
fn in_small_letters(name: &str) -> String {
    let letters = || name.chars().filter(|c| c.is_alphabetic());
    if letters().any(char::is_lowercase) || letters().count() < 4 {
        return name.to_owned();
    }
    let mut is_inside = false;
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if is_inside {
            out.extend(c.to_lowercase())
        } else {
            out.push(c)
        }
        is_inside = c.is_alphabetic();
    }
    out
}

/// Several names in one text, if each is plainly a person: `Doe, J. and Roe, A.`, `Doe, J., Roe, A.`, `Doe J,
/// Roe A`, `J. Doe & A. Roe`, `Doe, Jane, Roe, Al`.
pub fn several(text: &str) -> Option<Vec<Name>> {
    if text.len() > MAX_NAME_LENGTH || !may_be_several(text) {
        return None;
    }
    let mut names = Vec::new();
    let conjoined = text.split(" and ").flat_map(|part| part.split(" & "));
    let conjoined: Vec<&str> = conjoined.collect();
    for part in &conjoined {
        let parts = part.split(',').map(str::trim);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        // `Roe II, Jane` is one person.
        let has_suffix = matches!(parts[..], [family, _] if split_suffix(family).1.is_some());
        let persons: Option<Vec<Name>> = parts.iter().map(|part| with_initials(part)).collect();
        let persons = persons.filter(|_| !has_suffix);
        let persons = persons
            .or_else(|| pairs(&parts))
            .or_else(|| whole_names(&parts))
            .or_else(|| first_inverted(&parts));
        // The conjunction tells that the last pair is another person, and so do too many commas for one.
        let are_several = conjoined.len() > 1 || parts.len() > 3;
        let full = || are_several.then(|| full_pairs(&parts)).flatten();
        names.extend(persons.or_else(full)?);
    }
    (names.len() > 1).then_some(names)
}

/// Whether a text may be a list at all: it has a conjunction, several commas, or one between parts of several words. Most names
/// are told apart by this alone.
pub fn may_be_several(text: &str) -> bool {
    let has_words = |part: &str| part.trim().contains([' ', '\u{a0}', '~', '\t', '\n']);
    let mut parts = text.split(',');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(first), Some(second), None) if has_words(first) && has_words(second) => true,
        (_, Some(_), Some(_)) => true,
        _ => text.contains('&') || text.contains(" and "),
    }
}

/// A first name that begins with the family name, as in lists that are sorted by it, and others in reading order: `Doe, J., A.
/// Roe, B. Poe`.
fn first_inverted(parts: &[&str]) -> Option<Vec<Name>> {
    let (first, others) = parts.split_at_checked(2)?;
    let mut names = pairs(first).filter(|_| !first.iter().any(|part| is_suffix(part)))?;
    let others: Option<Vec<Name>> = others.iter().map(|part| with_initials(part)).collect();
    names.extend(others.filter(|others| !others.is_empty())?);
    Some(names)
}

/// Alternating family and given names: `Doe, Jane, Roe, Al`.
fn full_pairs(parts: &[&str]) -> Option<Vec<Name>> {
    let (pairs, rest) = parts.as_chunks::<2>();
    let is_name = |part: &str| {
        let is_title = is_suffix(part) || is_degree(part);
        part.split_whitespace().count() <= 3 && !is_institution_alone(part) && !is_title
    };
    let person = |[family, given]: &[&str; 2]| {
        // A name with initials is whole.
        let is_person = is_name(family)
            && is_name(given)
            && given.starts_with(char::is_uppercase)
            && with_initials(family).is_none();
        is_person.then(|| Name::person(family, given))
    };
    let names: Option<Vec<Name>> = pairs.iter().map(person).collect();
    names.filter(|_| rest.is_empty())
}

/// Three or more persons in natural order, of which none has a comma of its own: `Jane Doe, Al Roe, Eve Poe`.
fn whole_names(parts: &[&str]) -> Option<Vec<Name>> {
    let are_persons = parts.len() > 2 && parts.iter().all(|part| is_full_name(part));
    are_persons.then(|| parts.iter().map(|part| Name::parse(part)).collect())
}

/// Whether a text may be a person's given and family names: two to four words, of which none belongs to an
/// institution.
pub fn is_full_name(text: &str) -> bool {
    let is_word = |word: &str| {
        word.chars()
            .all(|c| c.is_alphabetic() || "-.'’".contains(c))
    };
    (2..=4).contains(&text.split_whitespace().count())
        && text.trim().starts_with(char::is_uppercase)
        && text.split_whitespace().all(is_word)
        && !is_institution_alone(text)
}

/// Alternating family names and initials.
pub fn pairs(parts: &[&str]) -> Option<Vec<Name>> {
    let (pairs, rest) = parts.as_chunks::<2>();
    let person = |[family, given]: &[&str; 2]| {
        let is_person = are_initials(given) && !is_institution_alone(family);
        is_person.then(|| Name::person(family, given))
    };
    pairs
        .iter()
        .map(person)
        .collect::<Option<_>>()
        .filter(|_| rest.is_empty())
}

/// The parts of a name that it has, joined by blanks.
pub fn joined(parts: &[&Option<String>]) -> String {
    let parts = parts.iter().filter_map(|part| part.as_deref());
    parts.collect::<Vec<_>>().join(" ")
}

/// `Family GH`, PubMed's short form of a name.
pub fn short(name: &Name) -> String {
    let given = name.given.as_deref().unwrap_or_default();
    let initials = given
        .split([' ', '-', '.'])
        .filter_map(|part| part.chars().next());
    let initials: String = initials.filter(|c| c.is_uppercase()).collect();
    let suffix = name.suffix.as_deref().unwrap_or_default();
    let parts = [name.heading(), initials, suffix.to_owned()];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// Splits names at semicolons, except at the end of a character reference (`&amp;`).
pub fn list(text: &str) -> impl Iterator<Item = &str> {
    let mut last = 0;
    let parts = text.split(move |c: char| {
        last = match c {
            '&' => 1,
            _ if last > 0 && (c.is_ascii_alphanumeric() || c == '#') => last + 1,
            ';' if last > 1 => return false,
            _ => 0,
        };
        c == ';'
    });
    parts.map(str::trim).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_full_names_are_taken_apart() {
        let check = |text: &str, expected: &[&str]| {
            let names: Vec<String> = people(text).iter().map(|name| name.heading()).collect();
            assert_eq!(names, expected, "{text}");
        };
        check("Jane Doe, Al Roe, Eva von Poe", &["Doe", "Roe", "von Poe"]);
        check("Doe, Jane, Roe, Al and Poe, Eva", &["Doe", "Roe", "Poe"]);
        check("Doe, Jane, Jr.", &["Doe"]);
        check("Johnson, Smith and Roe, Inc.", &["Johnson"]);
        check(
            "Ministry of Tests, Office of Papers, New Town",
            &["Ministry of Tests"],
        );
    }

    #[test]
    fn one_value_may_have_several_people() {
        let check = |text: &str, expected: &[&str]| {
            let shown: Vec<String> = people(text)
                .iter()
                .map(|name| match &name.given {
                    Some(given) => format!("{}|{given}", name.heading()),
                    None => name.heading(),
                })
                .collect();
            assert_eq!(shown, expected, "{text}");
        };
        check("Doe, J.; Roe, Karl;", &["Doe|J.", "Roe|Karl"]);
        check("By Jane Doe, Staff Writer", &["Doe|Jane"]);
        check(
            "By Jane Doe and Al Roe; Special to the Post",
            &["Doe|Jane", "Roe|Al"],
        );
        check("BY JANE DOE", &["Doe|Jane"]);
        check("By, Jane", &["By|Jane"]);
        check("and Roe, Al", &["Roe|Al"]);
        check("{Bank of England}", &["Bank of England"]);
        check("王小明;李雷;", &["王小明", "李雷"]);
        check("Doe, J. and Roe, K.", &["Doe|J.", "Roe|K."]);
        check(
            "Doe, J., Roe, K., & Poe, L.",
            &["Doe|J.", "Roe|K.", "Poe|L."],
        );
        check("Doe JA, Roe B", &["Doe|J. A.", "Roe|B."]);
        check("J. Doe & A. B. Roe", &["Doe|J.", "Roe|A. B."]);
        check(
            "Doe, R.L., K.K. Roe, P.R. Poe, and C. Moe",
            &["Doe|R.L.", "Roe|K.K.", "Poe|P.R.", "Moe|C."],
        );
        check("Doe, J., A. Roe", &["Doe|J.", "Roe|A."]);
        check("Doe, Jr., Jane E.", &["Doe|Jane E."]);
        check("Johnson &amp; Johnson", &["Johnson &amp; Johnson"]);
        check("Doe, Jane", &["Doe|Jane"]);
        check("Doe, J., Jr.", &["Doe|J."]);
        check("Doe, AB, MD, PhD", &["Doe|AB"]);
        check(
            "Ministry of Health, Labour and Welfare",
            &["Ministry of Health|Labour and Welfare"],
        );
        check("Simon and Schuster", &["Simon and Schuster"]);
    }
}
