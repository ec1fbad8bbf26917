//! Keywords: a list in most formats, one text in CSL.

use std::collections::HashSet;

/// The keywords of a text: parted by semicolons where there are any, else by commas.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let separator = if text.contains(';') { ';' } else { ',' };
    text.split(separator)
        .map(str::trim)
        .filter(|keyword| !keyword.is_empty())
}

/// One text of a list: commas between, or semicolons where a keyword holds a comma itself.
pub fn join<'a>(keywords: impl IntoIterator<Item = &'a str>) -> String {
    let mut seen = HashSet::new();
    let kept: Vec<&str> = keywords
        .into_iter()
        .map(str::trim)
        .filter(|keyword| !keyword.is_empty() && seen.insert(*keyword))
        .collect();
    let holds_comma = kept.iter().any(|keyword| keyword.contains(','));
    kept.join(if holds_comma { "; " } else { ", " })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_is_split_again() {
        let check = |list: &[&str], text: &str| {
            assert_eq!(join(list.iter().copied()), text);
            assert_eq!(split(text).collect::<Vec<_>>(), list);
        };
        check(&["ants", "bees"], "ants, bees");
        check(&["ants, red", "bees"], "ants, red; bees");
        check(&[], "");
    }
}
