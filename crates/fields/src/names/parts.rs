//! Parses names as sources write them: in one string, with dates and titles.

use citation_model::lists::{phrases, words};
use citation_model::name::Name;

pub use super::institutions::is_institution;
use super::suffixes::{is_degree, is_suffix, is_title, split_suffix};
use crate::clean;

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
    let family = without_degrees_behind(family, 1);
    let given = without_degrees(given);
    let (family, family_suffix) = split_suffix(&family);
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
fn without_degrees_behind(text: &str, name_parts: usize) -> String {
    let mut parts: Vec<&str> = text.split(',').collect();
    while parts.len() > name_parts && parts.last().is_some_and(|part| is_degree(part)) {
        parts.pop();
    }
    parts.join(",")
}

/// Whether a suffix has nothing but degrees and titles: `MD, PhD`, `Ph.D.`
fn are_degrees(suffix: &str) -> bool {
    suffix
        .split([',', ';', '/'])
        .all(|part| is_title(part) || is_degree(part))
}

/// A name from one string in either order, optionally with life dates, a suffix or titles; an institution
/// if its words indicate one. Empty for blank text and «et al.».
pub fn from_text(text: &str) -> Name {
    let text = clean::name(text);
    let text = without_dates(&text);
    if is_nobody(text) || !text.chars().any(char::is_alphabetic) {
        return Name::default();
    }
    if is_institution(text) {
        return Name::literal(text);
    }
    let text = &without_degrees_behind(text, 2);
    let (text, suffix) = split_suffix(text);
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let has_suffix = matches!(parts[..], [_, suffix, _] if is_suffix(suffix));
    if parts.len() > 2 && !has_suffix {
        // Several people in one string, or an ambiguous one.
        return Name::literal(text);
    }
    let text = without_titles(text);
    let mut name = Name::parse(text);
    name.suffix = name.suffix.or(suffix.map(str::to_owned));
    name
}

/// The ORCID iD of an address or text, if it is well-formed.
pub fn orcid(text: &str) -> Option<String> {
    let id = text.trim().rsplit('/').next()?;
    let is_shaped = id.len() == 19
        && id.bytes().enumerate().all(|(at, byte)| match at % 5 {
            4 => byte == b'-',
            _ => byte.is_ascii_digit() || matches!(byte, b'X' | b'x'),
        });
    is_shaped.then(|| id.to_ascii_uppercase())
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

    #[test]
    fn orcids_are_bare() {
        let id = Some("0000-0002-1825-0097".to_owned());
        assert_eq!(orcid("https://orcid.org/0000-0002-1825-0097"), id);
        assert_eq!(orcid("0000-0002-1825-0097"), id);
        assert_eq!(orcid("http://orcid.org/"), None);
    }
}
