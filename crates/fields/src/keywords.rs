//! Keywords: a list in most formats, one text in CSL.

use std::collections::HashSet;

/// Splits keywords at semicolons if there are any, otherwise at commas.
pub fn split(text: &str) -> impl Iterator<Item = &str> + Clone {
    let separator = if text.contains(';') { ';' } else { ',' };
    text.split(separator)
        .map(str::trim)
        .filter(|keyword| !keyword.is_empty())
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
        check(&[], "");
    }
}
