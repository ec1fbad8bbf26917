//! One name: from one text in either order, optionally with life dates, a suffix, titles and degrees, or from
//! its parts.

use std::borrow::Cow;

use citation_model::lists::{phrases, words};
use citation_model::name::{Name, is_family_first, non_blank};

use super::MAX_NAME_LENGTH;
use super::institutions::{is_ending, is_institution, is_institution_alone};
use super::suffixes::{is_degree, is_suffix, is_title, split_suffix};
use crate::clean;

/// `Family, Given, Suffix`. A name without comma is a person if it has initials or is in Chinese, Japanese
/// or Korean, otherwise a single name or an institution.
pub fn inverted(text: &str) -> Name {
    split(text, Unmarked::IsWhole)
}

/// `Family, Given`, `Family, Suffix, Given`, `Family GH`, or `Given Family` for a person, without titles,
/// degrees and dates of life; otherwise an institution.
pub fn in_any_order(text: &str) -> Name {
    split(text, Unmarked::IsInReadingOrder)
}

/// As [`in_any_order`], of a registry: cleaned, and empty if it says that there is nobody.
pub fn from_text(text: &str) -> Name {
    let text = clean::name(text);
    if is_nobody(&text) || !text.chars().any(char::is_alphabetic) {
        Name::default()
    } else {
        in_any_order(&text)
    }
}

/// What a name of several words is that has neither a comma nor initials.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unmarked {
    /// A single name or an institution, in sources that write every person with a comma.
    IsWhole,
    /// A person, unless its words are those of an institution.
    IsInReadingOrder,
}

fn split(text: &str, unmarked: Unmarked) -> Name {
    let text = text.trim();
    if text.len() > MAX_NAME_LENGTH {
        return Name::literal(text);
    }
    let mut text = without_dates(without_address(text));
    let is_any = unmarked == Unmarked::IsInReadingOrder;
    if is_any {
        text = without_trailing_degrees(text, 2);
        if is_institution_of(text) {
            return Name::literal(text.trim_end_matches([',', ' ']));
        }
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    match parts.as_slice() {
        // `Martin Luther King, Jr.`
        [whole, suffix] if is_suffix(suffix) && whole.contains(char::is_whitespace) => Name {
            suffix: non_blank(suffix),
            ..in_any_order(whole)
        },
        [whole] if whole.contains(char::is_whitespace) => match with_initials(whole) {
            Some(name) => name,
            None if is_any => in_reading_order(whole),
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
        [family, suffix, given] if is_suffix(suffix) => Name {
            suffix: non_blank(suffix),
            ..Name::person(family, given)
        },
        [family, given, rest @ ..] => {
            let is_suffix = |part: &&&str| is_suffix(part) || is_degree(part);
            if is_any && !rest.iter().all(|part| is_suffix(&part)) {
                // Several people in one string, or an ambiguous one.
                return Name::literal(text);
            }
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

/// Whether a name is that of an institution. Behind a comma initials are those of a person.
fn is_institution_of(text: &str) -> bool {
    match text.split_once(',') {
        Some((_, given)) => !are_initials(given.trim()) && is_institution(text),
        None => with_initials(text).is_none() && is_institution_alone(text),
    }
}

/// `Given Family Jr.`, without titles.
fn in_reading_order(text: &str) -> Name {
    let (text, suffix) = split_suffix(without_titles(text));
    let name = Name::parse(text);
    Name {
        suffix: name.suffix.or(suffix.map(str::to_owned)),
        ..name
    }
}

/// A cleaned name from its parts. The family name may be alone; a particle in it stays where the source
/// puts it.
pub fn from_parts(family: Option<&str>, given: Option<&str>, suffix: Option<&str>) -> Name {
    let part = |text: Option<&str>| clean::name(text.unwrap_or_default());
    let (family, given, suffix) = (part(family), part(given), part(suffix));
    let (family, given) = match (or_absent(&family), or_absent(&given)) {
        // A number in the name of a group belongs to it.
        (family, "") => (family, ""),
        (family, given) => (without_note_marks(family), without_note_marks(given)),
    };
    if family.is_empty() && given.contains(' ') {
        return from_text(given);
    }
    if is_collective(family, given) {
        return Name::literal(&format!("{given} {family}"));
    }
    let family = without_trailing_degrees(family, 1);
    let given = without_degrees(given);
    let (family, family_suffix) = split_suffix(family);
    // Publishers register degrees as suffixes, too.
    let own_suffix = Some(suffix.as_str()).filter(|text| !text.is_empty() && !are_degrees(text));
    let suffix = own_suffix.or(family_suffix);
    // Only the family name counts: `N.N.` may be initials.
    if !family.is_empty() && is_nobody(family) {
        return Name::default();
    }
    let part = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let mut name = Name {
        family: part(family),
        given: part(&given),
        parse_names: true,
        ..Name::default()
    };
    if name.family.is_none() {
        // A given name alone belongs to somebody with a single name.
        name.family = name.given.take();
    }
    name.suffix = suffix.map(clean::name).filter(|suffix| !suffix.is_empty());
    name
}

/// An institution or group, kept whole. «et al.» gives an empty name.
pub fn literal(text: &str) -> Name {
    let text = clean::name(text);
    if is_nobody(&text) {
        return Name::default();
    }
    let group = [
        "on behalf of the ",
        "On behalf of the ",
        "on behalf of ",
        "On behalf of ",
    ];
    let group = group.iter().find_map(|words| text.strip_prefix(words));
    Name::literal(group.unwrap_or(&text))
}

/// Empty if there is no letter: `-` stands for a missing part.
fn or_absent(text: &str) -> &str {
    let is_text = text.chars().any(char::is_alphabetic);
    if is_text { text } else { "" }
}

/// Without the number of a footnote or affiliation at the end: `Doe1`, `Doe 1,2`.
fn without_note_marks(text: &str) -> &str {
    let is_mark = |c: char| c.is_numeric() || matches!(c, ',' | ' ' | '*');
    let bare = text.trim_end_matches(is_mark);
    let is_name = bare.ends_with(|c: char| c.is_alphabetic() || c == '.');
    if is_name { bare } else { text }
}

/// Whether a name that a source takes apart is that of a group: `The 1000 Genomes Project` and
/// `Consortium`.
fn is_collective(family: &str, given: &str) -> bool {
    const WORDS: [&str; 7] =
        words("collaboration committee consortium group initiative investigators network");
    let mut words = given.split_whitespace();
    let is_title = words.clone().count() > 1 && !given.contains('.');
    WORDS.contains(&family.to_lowercase().as_str()) && (is_title || words.next() == Some("The"))
}

/// A given name without titles before and academic degrees behind it: `Dr. Jane, PhD`.
fn without_degrees(given: &str) -> String {
    let mut parts = given.split(',').map(str::trim);
    let first = parts.next().unwrap_or_default();
    let first = ["Prof. ", "Dr. "].iter().fold(first, |name, title| {
        name.strip_prefix(title).unwrap_or(name)
    });
    let others = parts.filter(|part| !is_degree(part));
    let parts: Vec<&str> = std::iter::once(first).chain(others).collect();
    parts.join(", ")
}

/// `Roe, Al, MD, PhD`; the first parts are the name.
fn without_trailing_degrees(text: &str, name_parts: usize) -> &str {
    let mut rest = text;
    while let Some((before, last)) = rest.rsplit_once(',')
        && before.matches(',').count() + 1 >= name_parts
        && is_degree(last)
    {
        rest = before;
    }
    rest
}

/// Whether a suffix has nothing but degrees and titles: `MD, PhD`, `Ph.D.`
fn are_degrees(suffix: &str) -> bool {
    suffix
        .split([',', ';', '/'])
        .all(|part| is_title(part) || is_degree(part))
}

/// A person whose name has initials and no comma: `Smith JB Jr`, `van der Berg J.`, `A. B. Smith`, `Jane Q.
/// Public`.
pub fn with_initials(text: &str) -> Option<Name> {
    let is_one_word = !text.contains(char::is_whitespace);
    if is_one_word || text.contains(',') || text.len() > MAX_NAME_LENGTH {
        return None;
    }
    // IEEE separates the parts of `M.-H.`.
    let joined = if text.contains(". -") {
        Cow::Owned(text.replace(". -", ".-"))
    } else {
        Cow::Borrowed(text)
    };
    let (text, suffix) = without_suffix(&joined);
    // A list may end in a full stop: `Doe JA, Roe RE.`
    let text = match text.strip_suffix('.') {
        Some(bare) if bare.ends_with(|c: char| c.is_uppercase()) && !bare.contains('.') => {
            let letters = bare.rsplit(' ').next().unwrap_or_default();
            if letters.len() > 1 { bare } else { text }
        }
        _ => text,
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = initials_last(&words).or_else(|| initials_first(&words))?;
    Some(Name {
        suffix: non_blank(suffix),
        ..name
    })
}

/// `Mangalam H`, `Mangalam H K`, `van der Berg J. A.`: a family name followed by initials. In a family name of
/// several words only the last may be capitalised, so that `World Bank EU` is not a person.
fn initials_last(words: &[&str]) -> Option<Name> {
    let count = |is_initial: fn(&str) -> bool| {
        let last = words.iter().rev();
        last.take_while(|word| is_initial(word)).count()
    };
    let dotted = count(is_dotted);
    let single =
        count(|word| word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase()));
    let length = dotted.max(single).max(1);
    let (family, initials) = words.split_at(words.len().checked_sub(length)?);
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
        [_, _, ..] if single > 1 => spaced(&initials.concat()),
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

/// `Y.`, `J.-P.`, `A. B.`, `Yu. V.`
pub(super) fn are_initials(text: &str) -> bool {
    let mut parts = text.split(['.', '-', ' ']);
    text.chars().filter(|c| c.is_alphabetic()).count() <= 4
        && text.contains('.')
        && text
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | ' '))
        && parts.all(|part| part.chars().count() <= 2)
}

/// A name without the e-mail address in brackets behind it: `Doe, Jane (doe@example.org)`.
fn without_address(text: &str) -> &str {
    let Some((name, rest)) = text.split_once(['(', '<']) else {
        return text;
    };
    let address = rest.strip_suffix([')', '>']).unwrap_or_default();
    if address.contains('@') && !address.contains(char::is_whitespace) {
        name.trim_end()
    } else {
        text
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

/// Removes `, 1920-1980`, `, 1920-` and `(1920-1980)` from the end.
fn without_dates(text: &str) -> &str {
    let is_dates = |tail: &str| {
        let tail = tail.trim().trim_matches(['(', ')', '.']);
        let digits = tail.bytes().filter(u8::is_ascii_digit).count();
        let only = |c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | ' ' | '?' | '.');
        let tail = tail
            .trim_start_matches("b.")
            .trim_start_matches("ca.")
            .trim();
        digits >= 3 && tail.chars().all(only)
    };
    match text.rfind([',', '(']) {
        // In `Firm (founders, 1886-1930)` the dates are part of the brackets.
        Some(at)
            if text.get(at..).is_some_and(|tail| tail.starts_with(',')) && text.ends_with(')') =>
        {
            text
        }
        Some(at) if is_dates(text.get(at + 1..).unwrap_or_default()) => {
            text.get(..at).unwrap_or(text).trim_end()
        }
        // `Doe, Jane Q. 1935-`
        _ => match text.rsplit_once(' ') {
            Some((name, years)) if years.contains(['-', '–']) && is_dates(years) => {
                name.trim_end()
            }
            _ => text,
        },
    }
}

/// Whether a text means that there is no name: «et al.», `(:unav)` and the other DataCite codes for unknown
/// values.
pub fn is_nobody(text: &str) -> bool {
    let rim = |c: char| matches!(c, '.' | ' ' | '[' | ']');
    let bare = text.trim_matches(rim);
    // `(:unkn) Unknown`; malformed also `:{unav)` and `:(unav)`.
    if let Some(code) = bare.trim_start_matches(['(', '{']).strip_prefix(':') {
        let code = code.trim_start_matches(['(', '{']);
        let code = code.split(|c: char| !c.is_alphanumeric()).next();
        return is_one_of(code.unwrap_or_default(), &UNKNOWN);
    }
    bare.is_empty() || is_one_of(bare, &NOBODY)
}

/// Codes for unknown values.
const UNKNOWN: [&str; 10] = [
    "unac", "unal", "unap", "unas", "unav", "unkn", "none", "null", "tba", "etal",
];

/// Placeholders for missing names.
const NOBODY: [&str; 15] = phrases(
    "et al|and others|others|anonymous|anon|unknown|n/a|none|no author|not provided|\
     author not provided|s.n|n.n|nn|unbekannt",
);

fn is_one_of(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Removes academic titles from either end: `Dr. X`, `X Ph.D.`
fn without_titles(text: &str) -> &str {
    const BEFORE: [&str; 5] = ["Prof. Dr. ", "Prof. ", "Professor ", "Dr. ", "Dr "];
    const BEHIND: [&str; 9] = [
        " Dr.", ", Ph.D.", " Ph.D.", " PhD", ", PhD", " M.D.", ", M.D.", ", MD", " Prof.",
    ];
    let mut rest = text.trim();
    for title in BEFORE {
        rest = rest.strip_prefix(title).unwrap_or(rest).trim_start();
    }
    for title in BEHIND {
        rest = rest
            .strip_suffix(title)
            .unwrap_or(rest)
            .trim_end_matches([',', ' ']);
    }
    // With only one word left, the title is part of the name: «Dr. Seuss».
    if rest.contains(' ') { rest } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let name = from_text(text);
        let parts = [
            name.literal,
            name.family,
            name.given,
            name.non_dropping_particle,
            name.suffix,
        ];
        let shown: Vec<String> = parts.into_iter().map(Option::unwrap_or_default).collect();
        assert_eq!(shown.join("|").trim_end_matches('|'), expected, "{text}");
    }

    #[test]
    fn names_in_one_string() {
        check("Romain Gary", "|Gary|Romain");
        check("Carroll, Lewis, 1832-1898.", "|Carroll|Lewis");
        check("Swift, Jonathan (1667-1745)", "|Swift|Jonathan");
        check("Swift, Jonathan Q. 1935-", "|Swift|Jonathan Q.");
        check("Martin Luther King, Jr.", "|King|Martin Luther||Jr.");
        check("King, Jr., Martin Luther", "|King|Martin Luther||Jr.");
        check(
            "Dr. A. Roe, Dr. B. Doe, C. Poe",
            "Dr. A. Roe, Dr. B. Doe, C. Poe",
        );
        check("Ismail Ibrahim Dr.", "|Ibrahim|Ismail");
        check("Dr. Seuss", "|Seuss|Dr.");
        check("Prof. Dr. Albert Einstein", "|Einstein|Albert");
        check("松本清張", "|松本清張");
        check("Plato.", "|Plato.");
        check("et al.", "");
    }

    #[test]
    fn institutions_stay_whole() {
        check("University of Iowa", "University of Iowa");
        check("Great Britain. Parliament", "Great Britain. Parliament");
        check("J. R. R. Tolkien", "|Tolkien|J. R. R.");
        check("The Economist", "The Economist");
        check("Publishing, Harcourt Brace", "Publishing, Harcourt Brace");
        check("Scott H. Kaufman", "|Kaufman|Scott H.");
        check("Hans-Joachim F. Mueller", "|Mueller|Hans-Joachim F.");
    }

    #[test]
    fn placeholder_names_are_dropped() {
        assert!(from_parts(Some("Unknown"), Some("Unknown"), None).is_empty());
        assert!(from_text("[S.N.]").is_empty());
        assert!(literal("(:unav)").is_empty());
        let initials = from_parts(Some("Rao"), Some("N.N."), None);
        assert_eq!(initials.given.as_deref(), Some("N.N."));
        let single = from_parts(None, Some("Sudesiqin"), None);
        assert_eq!(single.family.as_deref(), Some("Sudesiqin"));
    }

    #[test]
    fn parts_hold_degrees_suffixes_and_groups() {
        let check = |family: &str, given: &str, expected: &str| {
            let name = from_parts(Some(family), Some(given), None);
            let parts = [name.literal, name.family, name.given, name.suffix];
            let shown: Vec<String> = parts.into_iter().map(Option::unwrap_or_default).collect();
            assert_eq!(shown.join("|").trim_end_matches('|'), expected);
        };
        check("Doe", "Dr. Jane, PhD", "|Doe|Jane");
        check("Smith Jr.", "J.", "|Smith|J.|Jr.");
        check(
            "Consortium",
            "The 1000 Genomes Project",
            "The 1000 Genomes Project Consortium",
        );
        check("Group", "A. B.", "|Group|A. B.");
        check("", "Wei Li", "|Li|Wei");
        check("-", "Wei Li", "|Li|Wei");
        check("Sumarno", "-", "|Sumarno");
        check("Doe, MD", "Jane", "|Doe|Jane");
        check("Doe2", "Jane 1,*", "|Doe|Jane");
        check("Test Group 7", "", "|Test Group 7");
        assert_eq!(from_text("Roe, Al, MD, PhD"), from_text("Roe, Al"));
        let degree = from_parts(Some("Doe"), Some("J."), Some("MD, Ph.D."));
        assert_eq!(degree.suffix, None);
        let heir = from_parts(Some("Doe"), Some("J."), Some("III"));
        assert_eq!(heir.suffix.as_deref(), Some("III"));
        let group = literal("on behalf of the ABC Study Group");
        assert_eq!(group.literal.as_deref(), Some("ABC Study Group"));
    }

    #[track_caller]
    fn check_name(name: Name, expected: &str) {
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
        check_name(inverted("Roe, Robin E. (roe@example.org)"), "Roe|Robin E.|");
        check_name(in_any_order("Robin Roe <roe@example.org>"), "Roe|Robin|");
        check_name(in_any_order("Roe, Robin (Rob)"), "Roe|Robin (Rob)|");
    }

    #[test]
    fn names_in_any_order_are_taken_apart() {
        check_name(in_any_order("Doe, Jane B."), "Doe|Jane B.|");
        check_name(in_any_order("Lars G. Willighagen"), "Willighagen|Lars G.|");
        check_name(
            in_any_order("Ludwig van Beethoven"),
            "van Beethoven|Ludwig|",
        );
        check_name(in_any_order("Watson JD"), "Watson|J. D.|");
        check_name(in_any_order("Smith JB Jr"), "Smith|J. B.|Jr");
        check_name(in_any_order("Brownstein C D"), "Brownstein|C. D.|");
        check_name(in_any_order("O'Connor RE."), "O'Connor|R. E.|");
        check_name(in_any_order("Poe A."), "Poe|A.|");
        check_name(in_any_order("Plato"), "Plato||");
        check_name(
            in_any_order("World Health Organization"),
            "[World Health Organization]",
        );
        check_name(
            in_any_order("National Institute of Standards"),
            "[National Institute of Standards]",
        );
        check_name(in_any_order("Cancer UK"), "[Cancer UK]");
        check_name(in_any_order("World Bank,"), "[World Bank]");
        check_name(in_any_order("余敏"), "余敏||");
    }

    #[test]
    fn names_with_initials_are_persons_without_a_comma() {
        check_name(inverted("A. B. Smith"), "Smith|A. B.|");
        check_name(inverted("J. van der Berg"), "van der Berg|J.|");
        check_name(inverted("M. -H. Lee"), "Lee|M.-H.|");
        check_name(inverted("H. Vincent Poor"), "Poor|H. Vincent|");
        check_name(inverted("Jane Q. Public Jr."), "Public|Jane Q.|Jr.");
        check_name(inverted("Smith J.A."), "Smith|J.A.|");
        check_name(inverted("van der Berg J."), "van der Berg|J.|");
        check_name(inverted("Smith JA"), "Smith|J. A.|");
        check_name(inverted("Smith, John A Jr"), "Smith|John A|Jr");
        check_name(inverted("Smith, John, 1950-"), "Smith|John|");
        check_name(
            inverted("Smith, John, Sir, ca. 1500-1571"),
            "Smith|John|Sir",
        );
        check_name(inverted("鈴木 花子"), "鈴木|花子|");
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
            check_name(inverted(institution), &format!("[{institution}]"));
        }
    }

    #[test]
    fn pubmed_names_have_the_family_first() {
        check_name(family_first("Wong Kee Song LM"), "Wong Kee Song|L. M.|");
        check_name(family_first("de Hoon MJ"), "de Hoon|M. J.|");
        check_name(family_first("Li Y-C 2nd"), "Li|Y.-C.|2nd");
        check_name(family_first("Selvamani"), "Selvamani||");
    }
}
