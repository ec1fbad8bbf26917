//! Corrects the printed lists of TeX, Markdown, Typst and HTML: replaces numbers and words whose place is
//! unambiguous.

use std::ops::Range;

use citation_exchange::correction::{
    Corrected, Correction, Edits, EntryCorrections, commands, page_ends,
};
use citation_exchange::reword::mask;
use citation_model::budget::{Budget, Exceeded};

use crate::format::ManuscriptFormat;

/// Corrects the source of a document. `entries` are all its references, including correct ones.
pub fn correct(
    source: &str,
    format: ManuscriptFormat,
    entries: &[EntryCorrections],
    budget: &Budget,
) -> Result<Corrected, Exceeded> {
    budget.spend(source.len() as u64 / 8 + 1)?;
    let starts: Vec<usize> = std::iter::once(0)
        .chain(source.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let lines: Vec<usize> = entries.iter().map(|entry| entry.line).collect();
    let (mut edits, mut left_out) = (Vec::new(), Vec::new());
    for entry in entries.iter().filter(|entry| !entry.corrections.is_empty()) {
        let place = place(source, &starts, &lines, entry.line);
        let length = place.as_ref().map_or(0, |place| place.len());
        budget.spend((lines.len() / 8 + length * entry.corrections.len()) as u64)?;
        let text = place.as_ref().and_then(|place| source.get(place.clone()));
        let masked = text.map(|text| mask(text, &markup(text, format)));
        let start = place.map_or(0, |place| place.start);
        left_out.extend(entry.apply(&mut edits, |correction| {
            let made = edit(masked.as_ref()?, correction)?.into_iter();
            let placed = |(range, new): (Range<usize>, String)| {
                (start + range.start..start + range.end, new)
            };
            Some(made.map(placed).collect())
        }));
    }
    Ok(Corrected::new(source, edits, left_out, entries))
}

/// The range of the only reference that begins on a line, up to the next one or a blank line.
fn place(source: &str, starts: &[usize], lines: &[usize], line: usize) -> Option<Range<usize>> {
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

/// Ranges without readable words, in order: addresses and markup of the format.
pub(crate) fn markup(text: &str, format: ManuscriptFormat) -> Vec<Range<usize>> {
    let mut places = addresses(text);
    match format {
        ManuscriptFormat::Tex => {
            places.extend(commands(text));
            for command in ["\\bibitem", "\\href", "\\url", "\\doi", "\\label"] {
                places.extend(enclosed(text, command, ['{', '}']));
            }
            places.extend(enclosed(text, "%", ['%', '\n']));
        }
        ManuscriptFormat::Markdown => {
            places.extend(enclosed(text, "](", ['(', ')']));
            places.extend(enclosed(text, "<", ['<', '>']));
            places.extend(enclosed(text, "{", ['{', '}']));
        }
        ManuscriptFormat::Typst => {
            places.extend(enclosed(text, "#", ['#', '[']));
            places.extend(enclosed(text, "<", ['<', '>']));
        }
        ManuscriptFormat::Html => {
            places.extend(enclosed(text, "<", ['<', '>']));
            places.extend(enclosed(text, "&", ['&', ';']));
        }
        _ => {}
    }
    places.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
    places
}

/// URLs and DOIs, up to a blank or a character that ends them in every format.
fn addresses(text: &str) -> Vec<Range<usize>> {
    let starts = ["http://", "https://", "doi:10.", "10."];
    let found = starts.iter().flat_map(|start| text.match_indices(start));
    let places = found.map(|(at, _)| {
        let rest = text.get(at..).unwrap_or_default();
        let ends = |c: char| c.is_whitespace() || "<>{}\"|".contains(c);
        at..at + rest.find(ends).unwrap_or(rest.len())
    });
    let is_address = |place: &Range<usize>| {
        text.get(place.clone())
            .is_some_and(|address| address.contains('/'))
    };
    places.filter(is_address).collect()
}

/// Ranges from a sign to the bracket that closes the next opening one.
fn enclosed(text: &str, sign: &str, [open, close]: [char; 2]) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut from = 0;
    let next = |from: usize| {
        let at = from + text.get(from..)?.find(sign)?;
        let opened = at + text.get(at..)?.find(open)? + open.len_utf8();
        Some(at..opened + text.get(opened..)?.find(close)?)
    };
    while let Some(place) = next(from) {
        from = place.end;
        places.push(place);
    }
    places
}

/// The edits in a text without markup.
pub(crate) fn edit(text: &str, correction: &Correction) -> Option<Edits> {
    let (given, found) = (correction.given.as_str(), correction.found.as_str());
    if matches!(correction.field, "title" | "author" | "container_title") {
        return correction.reworded(text);
    }
    if given.is_empty() || !correction.is_plain() {
        return None;
    }
    if correction.field != "pages" {
        return Some(vec![(only(text, given)?, found.to_owned())]);
    }
    let (first, last) = page_ends(given);
    let (new_first, new_last) = page_ends(found);
    let mut edits = vec![(only(text, first)?, new_first.to_owned())];
    match (last, new_last) {
        (Some(last), Some(new_last)) => edits.push((only(text, last)?, new_last.to_owned())),
        (None, _) => {}
        (Some(_), None) => return None,
    }
    edits.retain(|(range, new)| text.get(range.clone()) != Some(new));
    Some(edits)
}

/// The range of a word that occurs exactly once in a text.
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

    fn fault(line: usize, field: &'static str, given: &str, found: &str) -> EntryCorrections {
        let correction = Correction {
            field,
            given: given.to_owned(),
            found: found.to_owned(),
        };
        EntryCorrections {
            line,
            corrections: vec![correction],
        }
    }

    fn check(field: &'static str, line: usize, given: &str, found: &str, expected: Option<&str>) {
        let mut entries = [3, 5].map(|line| EntryCorrections {
            line,
            corrections: Vec::new(),
        });
        let entry = entries.iter_mut().find(|entry| entry.line == line);
        *entry.unwrap() = fault(line, field, given, found);
        let corrected =
            correct(TEXT, ManuscriptFormat::Tex, &entries, &Budget::unlimited()).unwrap();
        assert_eq!(corrected.text, expected.unwrap_or(TEXT));
        assert_eq!(corrected.left_out.is_empty(), expected.is_some());
    }

    #[test]
    fn printed_entry_is_corrected_where_it_is_unambiguous() {
        let year = TEXT.replace("2505 (1965)", "2505 (1975)");
        check("year", 3, "1965", "1975", Some(&year));
        let pages = TEXT.replace("2492--2505", "1492--1505");
        check("pages", 3, "2492–2505", "1492–1505", Some(&pages));
        let journal = TEXT.replace("{Nature}", "{Science}");
        check("container_title", 3, "Nature", "Science", Some(&journal));
        let name = TEXT.replace("Roe", "Poe");
        check("author", 5, "Roe", "Poe", Some(&name));
    }

    #[test]
    fn text_with_markup_is_not_corrected() {
        check("volume", 5, "7", "8", None);
        check("year", 3, "1966", "1975", None);
        check("container_title", 3, "Nature", "Rings & Knots", None);
    }

    /// Corrects a title in one entry of each format whose markup contains the same word.
    #[test]
    fn markup_and_urls_are_unchanged() {
        let check = |format, text: &str| {
            let entries = [fault(1, "title", "On rings of gold", "On knots of gold")];
            let corrected = correct(text, format, &entries, &Budget::unlimited()).unwrap();
            let expected = text
                .replace("On rings", "On knots")
                .replace("{rings} of", "{knots} of");
            assert_eq!(corrected.text, expected.replace("*rings*", "*knots*"));
            assert_ne!(corrected.text, text);
        };
        check(
            ManuscriptFormat::Tex,
            "\\bibitem[On]{rings-of-gold} Doe. On \\emph{rings} of\ngold % rings of gold\n\\url{x.org/on/rings}",
        );
        check(
            ManuscriptFormat::Markdown,
            "Doe. On *rings* of [gold](on rings of gold). https://x.org/on-rings-of-gold",
        );
        check(
            ManuscriptFormat::Typst,
            "Doe. #link(\"on-rings-of-gold\")[On rings of gold] <on-rings-of-gold>",
        );
        check(
            ManuscriptFormat::Html,
            "<p title=\"on rings of gold\">Doe. On rings of <i>gold</i>&nbsp;10.1000/on.rings.of.gold</p>",
        );
    }
}
