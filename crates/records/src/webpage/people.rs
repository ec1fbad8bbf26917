//! Names of authors as pages write them: lists in one text, with «By» before and functions behind.

use citation_model::name::Name;

use crate::{clean, names};

/// The people or institutions that a text names.
pub(super) fn list(text: &str) -> Vec<Name> {
    let text = clean::plain(text);
    let text = without_label(
        text.trim()
            .trim_matches(|c: char| matches!(c, ',' | ';' | '·' | '|')),
    );
    if text.contains("://") || text.contains('@') || text.len() > 2_000 {
        return Vec::new();
    }
    let parts = split(text);
    parts
        .into_iter()
        .map(|part| name(&part))
        .filter(|name| !name.is_empty())
        .collect()
}

fn name(text: &str) -> Name {
    let text = text
        .trim()
        .trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '|' | '·' | '-' | '–' | '/'));
    let lower = text.to_lowercase();
    let is_function = [
        "staff",
        "admin",
        "administrator",
        "redaktion",
        "editor",
        "guest",
        "contributor",
    ];
    if is_function.contains(&lower.as_str()) && lower != "redaktion" {
        return Name::default();
    }
    names::from_text(text)
}

/// The text behind «By», «Von», «Por» and the like.
fn without_label(text: &str) -> &str {
    const LABELS: [&str; 18] = [
        "written by",
        "posted by",
        "published by",
        "reported by",
        "story by",
        "words by",
        "authored by",
        "by",
        "von",
        "par",
        "por",
        "di",
        "door",
        "af",
        "av",
        "author:",
        "authors:",
        "autor:",
    ];
    let lower = text.to_lowercase();
    for label in LABELS {
        let Some(rest) = lower.strip_prefix(label) else {
            continue;
        };
        let parts_words = label.ends_with(':') || rest.starts_with([' ', ':', '\u{a0}']);
        if parts_words && lower.len() == text.len() {
            return text
                .get(label.len()..)
                .unwrap_or(text)
                .trim_start_matches([' ', ':', '\u{a0}']);
        }
    }
    text
}

/// Takes a list apart: at semicolons, at «and», and at commas where these do not part a family name
/// from a given one.
fn split(text: &str) -> Vec<String> {
    let strong: Vec<&str> = text
        .split([';', '|', '•', '\n'])
        .filter(|part| !part.trim().is_empty())
        .collect();
    if strong.len() > 1 {
        return strong.into_iter().flat_map(split).collect();
    }
    if names::is_institution(text) && !text.contains(',') {
        return vec![text.to_owned()];
    }
    let mut parts = vec![text.to_owned()];
    for word in [
        " and ", " & ", " und ", " et ", " y ", " e ", " og ", " och ", " en ",
    ] {
        parts = parts
            .into_iter()
            .flat_map(|part| at_word(&part, word))
            .collect();
    }
    parts
        .into_iter()
        .flat_map(|part| at_commas(&part))
        .collect()
}

/// Parts at a word where what stands on both sides looks like names of people.
fn at_word(text: &str, word: &str) -> Vec<String> {
    let Some((before, after)) = text.split_once(word) else {
        return vec![text.to_owned()];
    };
    let looks_like_name = |part: &str| {
        let words = part.split_whitespace().count();
        (1..=6).contains(&words) && part.chars().any(char::is_uppercase)
    };
    if !looks_like_name(after.split(',').next().unwrap_or_default()) {
        return vec![text.to_owned()];
    }
    let mut parts = vec![before.trim().trim_end_matches(',').to_owned()];
    parts.extend(at_word(after, word));
    parts
}

fn at_commas(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let is_degree = |part: &str| {
        let bare: String = part.chars().filter(|c| c.is_alphabetic()).collect();
        matches!(
            bare.to_lowercase().as_str(),
            "jr" | "sr"
                | "ii"
                | "iii"
                | "iv"
                | "phd"
                | "md"
                | "dr"
                | "ma"
                | "msc"
                | "mba"
                | "rn"
                | "esq"
        )
    };
    let named: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !is_degree(part))
        .collect();
    let several_words = |part: &&&str| part.split_whitespace().count() > 1;
    match named.as_slice() {
        // «Family, Given», unless both are whole names.
        [family, given] if [family, given].iter().filter(|p| several_words(p)).count() < 2 => {
            vec![format!("{family}, {given}")]
        }
        [_] => vec![parts.join(", ")],
        _ => named.into_iter().map(str::to_owned).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let read: Vec<String> = list(text).iter().map(Name::display).collect();
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn lists_are_taken_apart() {
        check("Roe, Jane", &["Jane Roe"]);
        check("By Jane Roe and John Q. Doe", &["Jane Roe", "John Q. Doe"]);
        check(
            "Jane Roe, John Doe and Max Muster",
            &["Jane Roe", "John Doe", "Max Muster"],
        );
        check("Roe, Jane; Doe, John", &["Jane Roe", "John Doe"]);
        check("Von Erika Muster", &["Erika Muster"]);
        check("https://example.org/jane", &[]);
        check("Jane Roe, PhD", &["Jane Roe"]);
        check("World Health Organization", &["World Health Organization"]);
    }
}
