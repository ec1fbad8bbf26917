//! Keywords: a list in most formats, one text in CSL.

use std::collections::HashSet;

use crate::clean;

/// Splits keywords at semicolons if there are any, otherwise at commas. The semicolon of a character reference (`R&amp;D`)
/// separates nothing.
pub fn split(text: &str) -> impl Iterator<Item = &str> + Clone {
    let has_semicolons = semicolons(text).next().is_some();
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let at = if has_semicolons {
            semicolons(whole).next()
        } else {
            whole.find(',')
        };
        let (part, next) = match at {
            Some(at) => (whole.get(..at), whole.get(at + 1..)),
            None => (Some(whole), None),
        };
        rest = next;
        part
    })
    .map(str::trim)
    .filter(|keyword| !keyword.is_empty())
}

/// The semicolons outside of character references.
fn semicolons(text: &str) -> impl Iterator<Item = usize> + Clone {
    const LONGEST: usize = 8;
    text.match_indices(';').map(|(at, _)| at).filter(move |at| {
        let before = text.get(..=*at).unwrap_or_default();
        let start = before.rfind('&').filter(|start| at - start <= LONGEST);
        let reference = start.and_then(|start| before.get(start..));
        reference.is_none_or(|reference| clean::decode_entities(reference) == reference)
    })
}

/// The keywords of a list that is split only at semicolons, without character references and markup.
pub fn split_at_semicolons(text: &str) -> Vec<String> {
    let text = clean::decode_entities(text);
    { text.split(';') }
        .map(|word| clean(word.trim()))
        .filter(|word| !word.is_empty())
        .collect()
}

/// A keyword without character references and markup.
pub fn clean(keyword: &str) -> String {
    if keyword.contains(['&', '<']) {
        clean::plain(keyword)
    } else {
        keyword.to_owned()
    }
}

/// Maximum number of keywords compared; duplicates after them are kept.
const MAX_COMPARED: usize = 5_000;

/// Joins distinct keywords with commas, or with semicolons if a keyword contains a comma.
pub fn join<'a>(keywords: impl Iterator<Item = &'a str> + Clone) -> String {
    let separator = if keywords.clone().any(|keyword| keyword.contains(',')) {
        "; "
    } else {
        ", "
    };
    let mut seen = HashSet::new();
    let mut joined = String::new();
    for keyword in keywords
        .map(str::trim)
        .filter(|keyword| !keyword.is_empty())
    {
        if seen.len() < MAX_COMPARED && !seen.insert(keyword) {
            continue;
        }
        if !joined.is_empty() {
            joined.push_str(separator);
        }
        joined.push_str(keyword);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_keywords_split_again() {
        let check = |list: &[&str], text: &str| {
            assert_eq!(join(list.iter().copied()), text);
            assert_eq!(split(text).collect::<Vec<_>>(), list);
        };
        check(&["ants", "bees"], "ants, bees");
        check(&["ants, red", "bees"], "ants, red; bees");
        check(&["R&amp;D", "bees"], "R&amp;D, bees");
        check(&[], "");
    }

    #[test]
    fn references_to_characters_hold_together() {
        let check = |text: &str, expected: &[&str]| {
            let words: Vec<String> = split(text).map(clean).collect();
            assert_eq!(words, expected, "{text}");
        };
        check(
            "proximity; university&#8211;industry; R&amp;D",
            &["proximity", "university–industry", "R&D"],
        );
        check("PM<SUB>2.5</SUB>; AT&T; bees", &["PM2.5", "AT&T", "bees"]);
    }
}
