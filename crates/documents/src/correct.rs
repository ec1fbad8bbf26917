//! Corrections in the printed lists of TeX, Markdown, Typst and HTML: a number or a name in the place of
//! another, where only one place can be meant.

use std::ops::Range;

use citation_exchange::correction::{Corrected, Correction, is_plain, page_ends};
use citation_model::budget::{Budget, Exceeded};

/// Corrects the source of a document. `lines` are those on which its references begin.
pub fn correct(
    source: &str,
    lines: &[usize],
    corrections: &[Correction],
    budget: &Budget,
) -> Result<Corrected, Exceeded> {
    budget.spend(source.len() as u64 / 8 + 1)?;
    let starts: Vec<usize> = std::iter::once(0)
        .chain(source.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let (mut edits, mut left_out) = (Vec::new(), Vec::new());
    for correction in corrections {
        let entry = entry(source, &starts, lines, correction.line);
        budget.spend(lines.len() as u64 / 8 + entry.as_ref().map_or(0, |e| e.len() as u64))?;
        match entry.and_then(|entry| edit(source, entry, correction)) {
            Some(found) => edits.extend(found),
            None => left_out.push(correction.clone()),
        }
    }
    Ok(Corrected::new(source, edits, left_out))
}

/// Where the only reference that begins on a line stands: up to the next one, or a blank line.
fn entry(source: &str, starts: &[usize], lines: &[usize], line: usize) -> Option<Range<usize>> {
    if lines.iter().filter(|other| **other == line).count() != 1 {
        return None;
    }
    let start_of = |line: usize| starts.get(line.checked_sub(1)?).copied();
    let start = start_of(line)?;
    let next = lines.iter().copied().filter(|other| *other > line).min();
    let end = next.and_then(start_of).unwrap_or(source.len());
    let text = source.get(start..end)?;
    let blank = text.find("\n\n").or_else(|| text.find("\r\n\r\n"));
    Some(start..start + blank.unwrap_or(text.len()))
}

fn edit(
    source: &str,
    entry: Range<usize>,
    correction: &Correction,
) -> Option<Vec<(Range<usize>, String)>> {
    let text = source.get(entry.clone())?;
    let (given, found) = (correction.given.as_str(), correction.found.as_str());
    if given.is_empty() || !is_plain(found) {
        return None;
    }
    let placed = |range: Range<usize>, new: &str| {
        (
            entry.start + range.start..entry.start + range.end,
            new.to_owned(),
        )
    };
    if correction.field != "pages" {
        return Some(vec![placed(only(text, given)?, found)]);
    }
    let (first, last) = page_ends(given);
    let (new_first, new_last) = page_ends(found);
    let mut edits = vec![placed(only(text, first)?, new_first)];
    match (last, new_last) {
        (Some(last), Some(new_last)) => edits.push(placed(only(text, last)?, new_last)),
        (None, _) => {}
        (Some(_), None) => return None,
    }
    Some(edits)
}

/// The only place of a word in a text.
fn only(text: &str, word: &str) -> Option<Range<usize>> {
    let is_word = |at: &usize| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let behind = text
            .get(at + word.len()..)
            .and_then(|text| text.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !behind.is_some_and(char::is_alphanumeric)
    };
    let mut places = text.match_indices(word).map(|(at, _)| at).filter(is_word);
    match (places.next(), places.next()) {
        (Some(at), None) => Some(at..at + word.len()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Said in 1965.\n\n\\bibitem{a} Doe. \\emph{Nature} 119,\n  2492--2505 (1965).\r\n\\bibitem{b} Roe. Rings 7, 7 (1965).\n\nIn 1965.\n";

    fn check(field: &'static str, line: usize, given: &str, found: &str, expected: Option<&str>) {
        let correction = Correction {
            line,
            field,
            given: given.to_owned(),
            found: found.to_owned(),
        };
        let corrected = correct(TEXT, &[3, 5], &[correction], &Budget::unlimited()).unwrap();
        assert_eq!(corrected.text, expected.unwrap_or(TEXT));
        assert_eq!(corrected.left_out.is_empty(), expected.is_some());
    }

    #[test]
    fn printed_entry_is_corrected_in_its_only_place() {
        let year = TEXT.replace("2505 (1965)", "2505 (1975)");
        check("year", 3, "1965", "1975", Some(&year));
        let pages = TEXT.replace("2492--2505", "1492--1505");
        check("pages", 3, "2492–2505", "1492–1505", Some(&pages));
        let journal = TEXT.replace("{Nature}", "{Science}");
        check("container_title", 3, "Nature", "Science", Some(&journal));
    }

    #[test]
    fn place_that_is_not_plain_is_left_alone() {
        check("volume", 5, "7", "8", None);
        check("year", 1, "1965", "1975", None);
        check("year", 3, "1966", "1975", None);
        check("container_title", 3, "Nature", "Rings & Knots", None);
    }
}
