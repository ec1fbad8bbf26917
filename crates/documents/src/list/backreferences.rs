//! References back to the pages of the text that cite an entry, as LaTeX's `backref` and others print them
//! behind it. They are not the pages of the work.

use crate::document::ListedReference;

/// Words before the pages.
const STARTS: [&str; 14] = [
    "(Cited on page",
    "(Cited on p",
    "[Cited on page",
    "[Cited on p",
    "Cited on page",
    "(Cited in page",
    "(Cited at page",
    "(Cité page",
    "(Cité p",
    "(Zitiert auf Seite",
    "(Citado en p",
    "(Cit. on p",
    "(cit. on p",
    "[cit. on p",
];

/// How many entries of a list must end with numbers alone for these to be pages of the text, of ten.
const MAX_COUNT: usize = 6;
const MIN_ENTRIES: usize = 5;

/// Removes references back from the texts of a list.
pub(crate) fn remove(references: &mut [ListedReference]) {
    let printed = |reference: &&mut ListedReference| reference.item.is_none();
    for reference in references.iter_mut().filter(printed) {
        let end = marked(&reference.text);
        reference.text.truncate(end);
    }
    let numbered = references.iter().filter(|reference| {
        reference.item.is_none() && numbers(&reference.text) < reference.text.len()
    });
    let count = numbered.count();
    if references.len() < MIN_ENTRIES || count * 10 < references.len() * MAX_COUNT {
        return;
    }
    for reference in references.iter_mut().filter(printed) {
        let end = numbers(&reference.text);
        reference.text.truncate(end);
    }
}

/// The length of a text without `(Cited on pages 2 and 4.)` or `↑2, 4`.
fn marked(text: &str) -> usize {
    let is_pages = |rest: &str| {
        let letters = rest.chars().filter(|c| c.is_alphabetic()).count();
        letters <= 12 && rest.contains(|c: char| c.is_ascii_digit())
    };
    let start = { STARTS.iter() }
        .filter_map(|start| Some((text.rfind(start)?, start.len())))
        .filter(|(at, length)| text.get(at + length..).is_some_and(is_pages))
        .map(|(at, _)| at)
        .min();
    let arrow = text.rfind('↑').filter(|at| {
        let rest = text.get(*at..).unwrap_or_default();
        rest.chars()
            .all(|c| c.is_ascii_digit() || "↑, –-".contains(c))
            && rest.contains(|c: char| c.is_ascii_digit())
    });
    let end = start.or(arrow).unwrap_or(text.len());
    text.get(..end)
        .map_or(text.len(), |kept| kept.trim_end().len())
}

/// The length of a text without numbers behind its last full stop: `… 2001. 2, 4, 6`.
fn numbers(text: &str) -> usize {
    let kept = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',' || c == ' ');
    let rest = text.get(kept.len()..).unwrap_or_default();
    let are_pages = rest
        .split(',')
        .all(|page| (1..=3).contains(&page.trim().len()));
    if kept.ends_with('.') && rest.starts_with(' ') && are_pages {
        kept.len()
    } else {
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: &[&str]) {
        let mut references: Vec<ListedReference> = { texts.iter() }
            .map(|text| ListedReference {
                text: (*text).to_owned(),
                ..ListedReference::default()
            })
            .collect();
        remove(&mut references);
        let found: Vec<&str> = references.iter().map(|r| r.text.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn references_back_are_removed() {
        let entry = "Doe, J. On rings. Rings 1, 2001.";
        for end in [
            " (Cited on pages 2 and 4.)",
            " ↑2, 4",
            " (cit. on pp. 3, 5).",
            " [Cited on page 3.]",
        ] {
            check(&[&format!("{entry}{end}")], &[entry]);
        }
        let numbered = format!("{entry} 2, 4, 6");
        check(&[numbered.as_str(); 6], &[entry; 6]);
        check(&[&numbered], &[&numbered]);
        check(
            &["Doe, J. Rings 1, 2001, 12, 14"; 6],
            &["Doe, J. Rings 1, 2001, 12, 14"; 6],
        );
    }
}
