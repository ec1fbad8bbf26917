//! Shared by MARC and MODS: name headings and the punctuation of records.

use crate::names;
use citation_model::name::Name;

/// A name in catalogue form: `West, Matthew,`. Other than personal names are kept whole.
pub fn heading(text: &str, is_person: bool) -> Name {
    let text = &without_fuller_form(without_stop(text));
    match is_person || text.contains(',') {
        true if text.contains(',') => names::inverted(text),
        true if is_person => names::inverted(text),
        _ => Name::literal(text),
    }
}

/// `Doe, Jane Q. (Jane Quincy), 1950-` without the name in brackets, `Doe, Jane [1848-1914]` without the
/// dates of life.
fn without_fuller_form(text: &str) -> String {
    let within = |open: &str, close: char| {
        let (name, rest) = text
            .split_once(open)
            .filter(|(name, _)| name.contains(','))?;
        rest.split_once(close)
            .map(|(inside, behind)| (name, inside, behind))
    };
    let is_of_digits = |inside: &str| inside.starts_with(|c: char| c.is_ascii_digit());
    let dates = within(" [", ']').filter(|(_, inside, _)| is_of_digits(inside));
    let behind = within(" (", ')')
        .or(dates)
        .map(|(name, _, behind)| (name, behind));
    match behind {
        Some((name, behind)) => format!("{name}{behind}"),
        None => text.to_owned(),
    }
}

/// Removes the punctuation that separates a text from what stands around it in a record, but no full stop.
pub fn without_separator(text: &str) -> &str {
    let is_separator = |c: char| matches!(c, '/' | ':' | ';' | ',' | '=');
    let bare = text
        .trim_end_matches(|c: char| c.is_whitespace() || is_separator(c))
        .trim_start();
    // The last sign of an address is its own.
    let text = if bare.contains("://") {
        text.trim()
    } else {
        bare
    };
    match text.split_once(' ') {
        Some((sign, rest)) if sign.len() == 1 && sign.starts_with(is_separator) => {
            rest.trim_start()
        }
        _ => text,
    }
}

/// Removes the punctuation that separates a text from what follows in a record. The full stop of an initial
/// or abbreviation stays.
pub fn without_stop(text: &str) -> &str {
    let text = without_separator(text);
    let Some(shorter) = text.strip_suffix('.') else {
        return text;
    };
    let last = shorter
        .rsplit([' ', '.', '-', ','])
        .next()
        .unwrap_or_default();
    let is_abbreviation = last.chars().count() <= 1
        || matches!(
            last,
            "Jr" | "Sr" | "St" | "Mr" | "Dr" | "etc" | "al" | "ed" | "vol" | "Inc" | "Co" | "Ltd"
        );
    if is_abbreviation {
        text
    } else {
        shorter.trim_end()
    }
}
