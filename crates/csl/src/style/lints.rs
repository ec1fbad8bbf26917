//! Parts of a style that CSL 1.0.2 does not define: another version, no namespace, unknown attribute
//! values. Formatting ignores them, so a style check must report them.

use crate::error::{StyleError, StyleFault};
use crate::xml::{self, XmlElement, error_at};

const NAMESPACE: &str = "http://purl.org/net/xbiblio/csl";
const VERSION: &str = "1.0";

const BOOLEAN: &[&str] = &["true", "false"];
const PRECEDES: &[&str] = &["contextual", "after-inverted-name", "always", "never"];

/// Attributes with the same values on every element (CSL 1.0.2 schema).
const VALUES: &[(&str, &[&str])] = &[
    ("and", &["text", "symbol"]),
    (
        "citation-format",
        &["author-date", "author", "numeric", "label", "note"],
    ),
    ("class", &["in-text", "note"]),
    (
        "collapse",
        &[
            "citation-number",
            "year",
            "year-suffix",
            "year-suffix-ranged",
        ],
    ),
    ("date-parts", &["year-month-day", "year-month", "year"]),
    ("delimiter-precedes-et-al", PRECEDES),
    ("delimiter-precedes-last", PRECEDES),
    (
        "demote-non-dropping-particle",
        &["never", "sort-only", "display-and-sort"],
    ),
    ("disambiguate", &["true"]),
    ("disambiguate-add-givenname", BOOLEAN),
    ("disambiguate-add-names", BOOLEAN),
    ("disambiguate-add-year-suffix", BOOLEAN),
    (
        "display",
        &["block", "left-margin", "right-inline", "indent"],
    ),
    ("et-al-use-last", BOOLEAN),
    ("font-style", &["normal", "italic", "oblique"]),
    ("font-variant", &["normal", "small-caps"]),
    ("font-weight", &["normal", "bold", "light"]),
    ("gender", &["masculine", "feminine", "neuter"]),
    ("gender-form", &["masculine", "feminine"]),
    (
        "givenname-disambiguation-rule",
        &[
            "all-names",
            "all-names-with-initials",
            "primary-name",
            "primary-name-with-initials",
            "by-cite",
        ],
    ),
    ("hanging-indent", BOOLEAN),
    ("initialize", BOOLEAN),
    ("initialize-with-hyphen", BOOLEAN),
    ("limit-day-ordinals-to-day-1", BOOLEAN),
    ("name-as-sort-order", &["first", "all"]),
    ("name-form", NAME_FORMS),
    ("names-use-last", BOOLEAN),
    (
        "page-range-format",
        &[
            "chicago",
            "chicago-15",
            "chicago-16",
            "expanded",
            "minimal",
            "minimal-two",
        ],
    ),
    ("punctuation-in-quote", BOOLEAN),
    ("quotes", BOOLEAN),
    ("second-field-align", &["flush", "margin"]),
    ("sort", &["ascending", "descending"]),
    ("strip-periods", BOOLEAN),
    (
        "subsequent-author-substitute-rule",
        &[
            "complete-all",
            "complete-each",
            "partial-each",
            "partial-first",
        ],
    ),
    (
        "text-case",
        &[
            "lowercase",
            "uppercase",
            "capitalize-first",
            "capitalize-all",
            "sentence",
            "title",
        ],
    ),
    ("text-decoration", &["none", "underline"]),
    ("vertical-align", &["baseline", "sup", "sub"]),
];

const NAME_FORMS: &[&str] = &["long", "short", "count"];
const TERM_FORMS: &[&str] = &["long", "short", "verb", "verb-short", "symbol"];

/// Attributes that take a non-negative number.
const NUMBERS: &[&str] = &[
    "entry-spacing",
    "et-al-min",
    "et-al-subsequent-min",
    "et-al-subsequent-use-first",
    "et-al-use-first",
    "line-spacing",
    "names-min",
    "names-use-first",
    "near-note-distance",
];

/// Reports deviations of a parseable style from the specification, in file order.
pub fn lints(source: &str) -> Result<Vec<StyleError>, StyleError> {
    let root = xml::parse(source)?;
    let mut found = Vec::new();
    let mut lint = |reason| found.push(error_at(source, root.offset, reason));
    let is_ours = |(_, value): &(&str, std::borrow::Cow<str>)| value == NAMESPACE;
    if !root.attributes.iter().any(is_ours) {
        lint(StyleFault::NoNamespace(NAMESPACE));
    }
    match root.attribute("version") {
        Some(version) if version != VERSION => lint(StyleFault::OtherVersion(version.into())),
        Some(_) => {}
        None => lint(StyleFault::MissingAttribute {
            element: root.name.to_owned(),
            attribute: "version",
        }),
    }
    values(source, &root, &mut found);
    Ok(found)
}

fn values(source: &str, element: &XmlElement, found: &mut Vec<StyleError>) {
    for (name, value) in &element.attributes {
        if !is_known(element.name, name, value) {
            let fault = StyleFault::BadValue {
                element: element.name.to_owned(),
                attribute: (*name).to_owned(),
                value: value.to_string(),
            };
            found.push(error_at(source, element.offset, fault));
        }
    }
    for child in &element.children {
        values(source, child, found);
    }
}

/// Ignores blanks around a value (XML Schema, part 2, «whiteSpace»).
fn is_known(element: &str, attribute: &str, value: &str) -> bool {
    let value = value.trim();
    if NUMBERS.contains(&attribute) {
        return value.bytes().all(|b| b.is_ascii_digit()) && !value.is_empty();
    }
    let own = of_element(element, attribute);
    let common = || VALUES.iter().find(|(name, _)| *name == attribute);
    own.or_else(|| common().map(|(_, values)| *values))
        .is_none_or(|values| values.contains(&value))
}

/// The values of attributes whose meaning depends on the element.
fn of_element(element: &str, attribute: &str) -> Option<&'static [&'static str]> {
    Some(match (element, attribute) {
        ("text" | "label" | "term", "form") => TERM_FORMS,
        ("name", "form") => NAME_FORMS,
        ("number", "form") => &["numeric", "ordinal", "roman", "long-ordinal"],
        ("date", "form") => &["numeric", "text"],
        ("date-part", "form") => &[
            "long",
            "short",
            "numeric",
            "numeric-leading-zeros",
            "ordinal",
        ],
        ("date-part", "name") => &["year", "month", "day"],
        ("label", "plural") => &["contextual", "always", "never"],
        ("text", "plural") => BOOLEAN,
        ("if" | "else-if", "match") => &["all", "any", "none"],
        ("term", "match") => &["last-digit", "last-two-digits", "whole-number"],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let found: Vec<String> = lints(source)
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn unknown_values_are_told_with_their_place() {
        check(
            "<style xmlns=\"http://purl.org/net/xbiblio/csl\" version=\"1.0\" class=\"note\">\n\
             <text variable=\"title\" text-case=\"zork\" form=\"short\"/>\n\
             <number variable=\"edition\" form=\"short\"/><names et-al-min=\"few\"/></style>",
            &[
                "line 2, column 1: text-case=\"zork\" is not a value that <text> knows",
                "line 3, column 1: form=\"short\" is not a value that <number> knows",
                "line 3, column 42: et-al-min=\"few\" is not a value that <names> knows",
            ],
        );
    }

    #[test]
    fn other_versions_and_no_namespace() {
        check(
            "<style version=\"0.8\"/>",
            &[
                "line 1, column 1: the root element lacks xmlns=\"http://purl.org/net/xbiblio/csl\"",
                "line 1, column 1: the style is written for CSL 0.8, and is read as one for CSL 1.0",
            ],
        );
    }
}
