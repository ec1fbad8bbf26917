//! Parses and writes names in the forms of the tagged formats.

use citation_model::name::{Name, non_blank};

/// Maximum length of a parsed name, in bytes. Longer texts are kept whole.
pub(crate) const LONGEST_NAME: usize = 10_000;

/// `Family, Given, Suffix`. A name without comma is a single name or an institution.
pub fn inverted(text: &str) -> Name {
    if text.len() > LONGEST_NAME {
        return Name::literal(text);
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    match parts.as_slice() {
        [whole] if whole.contains(char::is_whitespace) => Name::literal(whole),
        [family] => Name::person(family, ""),
        [family, ""] if family.contains(char::is_whitespace) => Name::literal(family),
        [family, given] => Name::person(family, given),
        [family, given, suffix, rest @ ..] => {
            let mut name = Name::person(family, given);
            let suffix: Vec<&str> = std::iter::once(suffix).chain(rest).copied().collect();
            name.suffix = non_blank(&suffix.join(", "));
            name
        }
        [] => Name::default(),
    }
}

/// `Family, Given`, `Family GH`, or `Given Family` for a person; otherwise an institution.
pub fn in_any_order(text: &str) -> Name {
    let text = text.trim();
    if text.contains(',') || text.len() > LONGEST_NAME {
        return inverted(text);
    }
    match with_initials(text) {
        Some(name) => name,
        None if is_institution(text) => Name::literal(text),
        None => Name::parse(text),
    }
}

/// `Mangalam H`, `van der Berg JA`, `Smith JB Jr`: a family name followed by initials. In a family name of
/// several words only the last may be capitalised, so that `World Bank EU` is not a person. The initials
/// must not be a country's or a legal form's, so that `Cancer UK` and `Google LLC` are not either.
pub fn with_initials(text: &str) -> Option<Name> {
    if text.contains(',') {
        return None;
    }
    let (text, suffix) = match text.rsplit_once(' ') {
        Some((before, last)) if is_suffix(last) => (before, last),
        _ => (text, ""),
    };
    let (family, initials) = text.rsplit_once(' ')?;
    let are_initials = (1..=3).contains(&initials.len())
        && initials.bytes().all(|byte| byte.is_ascii_uppercase())
        && !NOT_INITIALS.contains(&initials);
    let is_name = |word: &str| {
        let mut chars = word.chars();
        chars.next().is_some_and(char::is_alphabetic) && chars.any(char::is_lowercase)
    };
    let (particles, last) = family.rsplit_once(' ').unwrap_or(("", family));
    let are_particles = particles
        .chars()
        .all(|c| c.is_lowercase() || c.is_whitespace() || c == '\'');
    (are_initials && is_name(last) && are_particles).then(|| Name {
        suffix: non_blank(suffix),
        ..Name::person(family, &spaced(initials))
    })
}

/// Countries and unions at the end of names of national branches, and legal forms of companies that are
/// not initials as well (`AG` and `SA` may be).
const NOT_INITIALS: [&str; 11] = [
    "UK", "USA", "US", "EU", "UN", "UAE", "LLC", "LLP", "PLC", "LTD", "INC",
];

/// `Wong Kee Song LM`, for sources that write every person in this form.
pub fn family_first(text: &str) -> Name {
    let text = text.trim();
    if text.contains(',') {
        return inverted(text);
    }
    let (text, suffix) = match text.rsplit_once(' ') {
        Some((before, last)) if is_suffix(last) => (before, last),
        _ => (text, ""),
    };
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

fn is_suffix(word: &str) -> bool {
    matches!(
        word,
        "Jr" | "Jr." | "Sr" | "Sr." | "2nd" | "3rd" | "4th" | "III" | "IV"
    )
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

/// Words that occur in names of institutions but not of persons.
fn is_institution(text: &str) -> bool {
    const WORDS: [&str; 38] = [
        "of",
        "and",
        "for",
        "the",
        "&",
        "in",
        "on",
        "und",
        "für",
        "et",
        "des",
        "y",
        "para",
        "university",
        "universität",
        "université",
        "universidad",
        "institute",
        "institut",
        "association",
        "society",
        "committee",
        "commission",
        "council",
        "department",
        "ministry",
        "agency",
        "organization",
        "organisation",
        "group",
        "consortium",
        "collaboration",
        "team",
        "foundation",
        "inc",
        "inc.",
        "ltd",
        "gmbh",
    ];
    let mut words = text.split_whitespace();
    let last = words.clone().next_back().unwrap_or_default();
    words.clone().count() > 5
        || NOT_INITIALS.contains(&last)
        || words.any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

/// Splits names at semicolons.
pub fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(';')
        .map(str::trim)
        .filter(|name| !name.is_empty())
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
    fn pubmed_names_have_the_family_first() {
        check(family_first("Wong Kee Song LM"), "Wong Kee Song|L. M.|");
        check(family_first("de Hoon MJ"), "de Hoon|M. J.|");
        check(family_first("Li Y-C 2nd"), "Li|Y.-C.|2nd");
        check(family_first("Selvamani"), "Selvamani||");
    }
}
