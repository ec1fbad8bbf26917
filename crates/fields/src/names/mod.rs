//! Parses and writes names in the forms of files. `parts` reads those of registries, given in parts.

pub mod institutions;
pub mod parts;
pub mod suffixes;

use citation_model::name::{Name, is_family_first, non_blank};

use self::institutions::{is_ending, is_institution_alone};
use self::suffixes::{is_degree, is_suffix, split_suffix};

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
fn in_braces(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    (!inside.contains(['{', '}'])).then_some(inside)
}

/// A name without the e-mail address in brackets behind it: `Doe, Jane (doe@example.org)`.
fn without_address(text: &str) -> &str {
    let Some((name, rest)) = text.split_once(['(', '<']) else {
        return text;
    };
    let address = rest.strip_suffix([')', '>']).unwrap_or_default();
    match address.contains('@') && !address.contains(char::is_whitespace) {
        true => name.trim_end(),
        false => text,
    }
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
        match is_inside {
            true => out.extend(c.to_lowercase()),
            false => out.push(c),
        }
        is_inside = c.is_alphabetic();
    }
    out
}

/// Several names in one text, if each is plainly a person: `Doe, J. and Roe, A.`, `Doe, J., Roe, A.`, `Doe J,
/// Roe A`, `J. Doe & A. Roe`, `Doe, Jane, Roe, Al`.
pub fn several(text: &str) -> Option<Vec<Name>> {
    if text.len() > MAX_NAME_LENGTH || !text.contains([',', '&']) && !text.contains(" and ") {
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
            .or_else(|| whole_names(&parts));
        // The conjunction tells that the last pair is another person, and so do too many commas for one.
        let are_several = conjoined.len() > 1 || parts.len() > 3;
        let full = || full_pairs(&parts).filter(|_| are_several);
        names.extend(persons.or_else(full)?);
    }
    (names.len() > 1).then_some(names)
}

/// Alternating family and given names: `Doe, Jane, Roe, Al`.
fn full_pairs(parts: &[&str]) -> Option<Vec<Name>> {
    let (pairs, rest) = parts.as_chunks::<2>();
    let is_name = |part: &str| {
        let is_title = is_suffix(part) || is_degree(part);
        part.split_whitespace().count() <= 3 && !is_institution_alone(part) && !is_title
    };
    let person = |[family, given]: &[&str; 2]| {
        let is_person = is_name(family) && is_name(given) && given.starts_with(char::is_uppercase);
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

/// `Y.`, `J.-P.`, `A. B.`, `Yu. V.`
fn are_initials(text: &str) -> bool {
    let mut parts = text.split(['.', '-', ' ']);
    text.chars().filter(|c| c.is_alphabetic()).count() <= 4
        && text.contains('.')
        && text
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | ' '))
        && parts.all(|part| part.chars().count() <= 2)
}

/// `Family, Given, Suffix`. A name without comma is a person if it has initials or is in Chinese, Japanese
/// or Korean, otherwise a single name or an institution.
pub fn inverted(text: &str) -> Name {
    if text.len() > MAX_NAME_LENGTH {
        return Name::literal(text);
    }
    let parts: Vec<&str> = without_address(text).split(',').map(str::trim).collect();
    match parts.as_slice() {
        [whole] if whole.contains(char::is_whitespace) => match with_initials(whole) {
            Some(name) => name,
            None if is_family_first(whole) => Name::parse(whole),
            None => Name::literal(whole),
        },
        [family] => Name::person(family, ""),
        [family, ""] if family.contains(char::is_whitespace) => Name::literal(family),
        [family, given] => {
            // PubMed has the suffix there, others behind the family name.
            let (given, suffix) = without_suffix(given);
            let (family, own) = split_suffix(family);
            Name {
                suffix: non_blank(suffix).or_else(|| non_blank(own?)),
                ..Name::person(family, given)
            }
        }
        [family, given, rest @ ..] => {
            let suffix: Vec<&str> = { rest.iter() }
                .filter(|part| !are_dates(part))
                .copied()
                .collect();
            Name {
                suffix: non_blank(&suffix.join(", ")),
                ..Name::person(family, given)
            }
        }
        [] => Name::default(),
    }
}

/// Dates of life, which catalogues put after a name: `1950-`, `ca. 1500-1571`, `b. 1950`.
fn are_dates(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits >= 3
        && text
            .split(|c: char| !c.is_ascii_digit())
            .any(|number| number.len() >= 3)
}

/// `Family, Given`, `Family GH`, or `Given Family` for a person; otherwise an institution.
pub fn in_any_order(text: &str) -> Name {
    let text = without_address(text.trim());
    if text.contains(',') || text.len() > MAX_NAME_LENGTH {
        return inverted(text);
    }
    match with_initials(text) {
        Some(name) => name,
        None if is_institution_alone(text) => Name::literal(text),
        None => Name::parse(text),
    }
}

/// A person whose name has initials and no comma: `Smith JB Jr`, `van der Berg J.`, `A. B. Smith`, `Jane Q.
/// Public`.
pub fn with_initials(text: &str) -> Option<Name> {
    if text.contains(',') || text.len() > MAX_NAME_LENGTH {
        return None;
    }
    // IEEE separates the parts of `M.-H.`.
    let joined = text.replace(". -", ".-");
    let (text, suffix) = without_suffix(&joined);
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = initials_last(&words).or_else(|| initials_first(&words))?;
    Some(Name {
        suffix: non_blank(suffix),
        ..name
    })
}

/// `Mangalam H`, `van der Berg J. A.`: a family name followed by initials. In a family name of several words
/// only the last may be capitalised, so that `World Bank EU` is not a person.
fn initials_last(words: &[&str]) -> Option<Name> {
    let dotted = words
        .iter()
        .rev()
        .take_while(|word| is_dotted(word))
        .count();
    let (family, initials) = words.split_at(words.len().checked_sub(dotted.max(1))?);
    let (last, particles) = family.split_last()?;
    let are_bare = |text: &str| {
        (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let is_name = |word: &str| {
        let mut chars = word.chars();
        chars.next().is_some_and(char::is_alphabetic) && chars.any(char::is_lowercase)
    };
    let are_particles = particles
        .concat()
        .chars()
        .all(|c| c.is_lowercase() || c == '\'');
    let initials = match initials {
        [bare] if are_bare(bare) && is_initials(bare) => spaced(bare),
        dotted_words if dotted > 0 && is_initials(&dotted_words.concat()) => dotted_words.join(" "),
        _ => return None,
    };
    (is_name(last) && are_particles).then(|| Name::person(&family.join(" "), &initials))
}

/// `A. B. Smith`, `J. van der Berg`, `H. Vincent Poor`: at most one given name before the initials; after
/// them particles and at most two names.
fn initials_first(words: &[&str]) -> Option<Name> {
    let last = words.iter().rposition(|word| is_dotted(word))?;
    let (given, family) = words.split_at(last + 1);
    let particles = family
        .iter()
        .take_while(|word| word.starts_with(char::is_lowercase))
        .count();
    let names = family.get(particles..)?;
    let (initials, before): (Vec<&str>, Vec<&str>) = given.iter().partition(|word| is_dotted(word));
    let is_name = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word.chars().count() > 1
            && word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
    };
    let text = words.join(" ");
    let is_person = (1..=2).contains(&names.len())
        && before.len() <= 1
        && names.iter().chain(&before).all(is_name)
        && is_initials(&initials.concat())
        && !is_institution_alone(&text);
    is_person.then(|| Name::parse(&text))
}

/// Whether letters are initials, and not those of a country or a legal form: `Cancer UK`, `Google LLC`, `U.
/// S. Navy`.
fn is_initials(letters: &str) -> bool {
    !is_ending(&letters.replace('.', ""))
}

/// `J.`, `J.-P.`, `J.P.`
fn is_dotted(word: &str) -> bool {
    let mut letters = word.split('.');
    let is_letter = |part: &str| {
        let mut chars = part.strip_prefix('-').unwrap_or(part).chars();
        chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
    };
    letters.next_back() == Some("") && word.len() > 1 && letters.all(is_letter)
}

/// `Wong Kee Song LM`, for sources that write every person in this form.
pub fn family_first(text: &str) -> Name {
    let text = text.trim();
    if text.contains(',') {
        return inverted(text);
    }
    let (text, suffix) = without_suffix(text);
    match text.rsplit_once(' ') {
        Some((family, initials)) if initials.chars().all(|c| c.is_uppercase() || c == '-') => {
            Name {
                suffix: non_blank(suffix),
                ..Name::person(family, &spaced(initials))
            }
        }
        _ => Name::person(text, ""),
    }
}

/// A name without its suffix, and the suffix. `II` after a family name alone are initials.
fn without_suffix(text: &str) -> (&str, &str) {
    match split_suffix(text) {
        (before, Some(last)) if last != "II" || before.contains(' ') => (before, last),
        _ => (text, ""),
    }
}

/// `H. C.`
fn spaced(initials: &str) -> String {
    let mut out = String::with_capacity(initials.len() * 3);
    for c in initials.chars() {
        if c == '-' {
            out.push('-');
            continue;
        }
        if !out.is_empty() && !out.ends_with('-') {
            out.push(' ');
        }
        out.push(c);
        out.push('.');
    }
    out
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

    #[track_caller]
    fn check(name: Name, expected: &str) {
        let shown = match &name.literal {
            Some(literal) => format!("[{literal}]"),
            None => format!(
                "{}|{}|{}",
                name.heading(),
                name.given.as_deref().unwrap_or_default(),
                name.suffix.as_deref().unwrap_or_default()
            ),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn addresses_are_no_names() {
        check(inverted("Roe, Robin E. (roe@example.org)"), "Roe|Robin E.|");
        check(in_any_order("Robin Roe <roe@example.org>"), "Roe|Robin|");
        check(in_any_order("Roe, Robin (Rob)"), "Roe|Robin (Rob)|");
    }

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
    fn names_in_any_order_are_taken_apart() {
        check(in_any_order("Doe, Jane B."), "Doe|Jane B.|");
        check(in_any_order("Lars G. Willighagen"), "Willighagen|Lars G.|");
        check(
            in_any_order("Ludwig van Beethoven"),
            "van Beethoven|Ludwig|",
        );
        check(in_any_order("Watson JD"), "Watson|J. D.|");
        check(in_any_order("Smith JB Jr"), "Smith|J. B.|Jr");
        check(in_any_order("Plato"), "Plato||");
        check(
            in_any_order("World Health Organization"),
            "[World Health Organization]",
        );
        check(
            in_any_order("National Institute of Standards"),
            "[National Institute of Standards]",
        );
        check(in_any_order("Cancer UK"), "[Cancer UK]");
        check(in_any_order("余敏"), "余敏||");
    }

    #[test]
    fn names_with_initials_are_persons_without_a_comma() {
        check(inverted("A. B. Smith"), "Smith|A. B.|");
        check(inverted("J. van der Berg"), "van der Berg|J.|");
        check(inverted("M. -H. Lee"), "Lee|M.-H.|");
        check(inverted("H. Vincent Poor"), "Poor|H. Vincent|");
        check(inverted("Jane Q. Public Jr."), "Public|Jane Q.|Jr.");
        check(inverted("Smith J.A."), "Smith|J.A.|");
        check(inverted("van der Berg J."), "van der Berg|J.|");
        check(inverted("Smith JA"), "Smith|J. A.|");
        check(inverted("Smith, John A Jr"), "Smith|John A|Jr");
        check(inverted("Smith, John, 1950-"), "Smith|John|");
        check(
            inverted("Smith, John, Sir, ca. 1500-1571"),
            "Smith|John|Sir",
        );
        check(inverted("鈴木 花子"), "鈴木|花子|");
        for institution in [
            "W. M. Keck Foundation",
            "J. Paul Getty Museum",
            "U. S. Navy",
            "U.S. Geological Survey",
            "Washington D.C.",
            "World Bank",
            "Research Team X",
            "Bill and Melinda Gates Foundation",
        ] {
            check(inverted(institution), &format!("[{institution}]"));
        }
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

    #[test]
    fn pubmed_names_have_the_family_first() {
        check(family_first("Wong Kee Song LM"), "Wong Kee Song|L. M.|");
        check(family_first("de Hoon MJ"), "de Hoon|M. J.|");
        check(family_first("Li Y-C 2nd"), "Li|Y.-C.|2nd");
        check(family_first("Selvamani"), "Selvamani||");
    }
}
