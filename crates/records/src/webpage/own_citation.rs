//! The citation of itself that a page prints («How to cite»): the text after its title, as in `Title.
//! Journal, 4(1), 32-37. doi:…` and `Title. Journal: Vol. 1, No. 4, pp. 105-112`.

use citation_model::date::Date;
use citation_model::item_type::ItemType;

use super::claims::Claims;
use super::marks::Part;
use super::metas::{self, Metas};
use super::page::Page;
use super::people;
use super::title::{fold, folded};
use super::{byline, dates};

/// Maximum bytes read after the title.
const BEHIND: usize = 400;

/// Maximum number of lines with the title that are tried.
const PLACES: usize = 24;

/// Tags that may contain a reference.
const TAGS: [&str; 4] = [
    "og:description",
    "description",
    "dcterms.bibliographiccitation",
    "dc.identifier.citation",
];

/// The journal data of the citation; empty if the page prints none. `words` is the title.
pub(super) fn read(page: &Page, words: &str) -> Claims {
    let title = fold(words);
    if title.len() < 12 {
        return Claims::default();
    }
    let words = words.split(|c: char| !c.is_ascii_alphanumeric());
    let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
    // The first letter may differ in case; the rest is searched before anything is compared.
    let longest = longest.get(1..).unwrap_or_default();
    let in_tags = Metas(page)
        .all(&TAGS)
        .filter_map(|text| around(text, &title))
        .map(|(before, behind)| (year_before(before), behind.to_owned()));
    let in_tags: Vec<_> = in_tags.collect();
    let lines = page.lines.iter().enumerate();
    let in_lines = lines
        .filter(|(_, line)| line.part != Part::Others && line.text.contains(longest))
        .filter_map(|(at, line)| {
            let (before, rest) = around(&line.text, &title)?;
            let next = page.lines.get(at + 1..).unwrap_or_default().iter().take(4);
            let mut text = rest.to_owned();
            // A reference on several lines: authors, journal, address.
            for line in next.take_while(|_| rest.len() < 12) {
                text.push('\n');
                text.push_str(&line.text);
            }
            Some((year_before(before), text))
        })
        .take(PLACES);
    let mut found = in_tags
        .into_iter()
        .chain(in_lines)
        .filter_map(|(year, text)| {
            let claims = parse(&text)?;
            Some(Claims {
                date: claims.date.or(year),
                ..claims
            })
        });
    found.next().unwrap_or_default()
}

/// The text before and after the title.
fn around<'t>(text: &'t str, title: &str) -> Option<(&'t str, &'t str)> {
    if text.len() < title.len() {
        return None;
    }
    // Compared by letters and digits; `ends` maps each to its end in the text.
    let mut found = String::with_capacity(text.len());
    let mut ends = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        for letter in folded(c) {
            found.push(letter);
            ends.resize(found.len(), at + c.len_utf8());
        }
    }
    let at = found.find(title)?;
    let start = at.checked_sub(1).and_then(|before| ends.get(before));
    let end = *ends.get(at + title.len() - 1)?;
    Some((text.get(..start.copied().unwrap_or(0))?, text.get(end..)?))
}

/// The year in brackets before a title.
fn year_before(text: &str) -> Option<Date> {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let (head, year) = text.split_at_checked(text.len().checked_sub(4)?)?;
    head.ends_with('(').then(|| dates::parse(year))?
}

/// Parses the text after a title; `None` without a volume.
fn parse(text: &str) -> Option<Claims> {
    let text = text.get(..text.floor_char_boundary(BEHIND)).unwrap_or(text);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (authors, text) = match text
        .strip_prefix("by ")
        .and_then(|rest| rest.split_once('\n'))
    {
        Some((names, rest)) => (people::list(names.trim_end_matches('.')), rest.trim_start()),
        None => (Vec::new(), text),
    };
    let locus = labelled(text).or_else(|| bracketed(text))?;
    let container = text.get(..locus.start)?;
    let container = container.trim_matches(|c: char| !c.is_alphanumeric() && c != ')');
    let words = container.split_whitespace().count();
    let is_name = (1..=14).contains(&words)
        && container.starts_with(char::is_uppercase)
        && !container.contains(['\n', '/', '?', '!'])
        && !container.contains(|c: char| c.is_ascii_digit());
    if !is_name {
        return None;
    }
    let pages = locus.pages.or_else(|| pages(text.get(locus.end..)?));
    let line = text.get(locus.end..)?.lines().next().unwrap_or_default();
    let date = dates::parse(line).filter(|date| dates::precision(date) >= 2);
    Some(Claims {
        date,
        kind: Some(ItemType::Article),
        authors,
        container: Some(container.to_owned()),
        volume: Some(locus.volume),
        issue: locus.issue,
        pages,
        doi: metas::doi(text),
        ..Claims::default()
    })
}

/// The journal in the source of Dublin Core, as in journal systems: `Journal; Vol 4, No 2 (2013): Topic; 11-20`.
pub(super) fn source(text: &str) -> Claims {
    let parts: Vec<&str> = text.split(';').map(str::trim).collect();
    let [container, issue, rest @ ..] = parts.as_slice() else {
        return Claims::default();
    };
    let Some(locus) = labelled(issue).filter(|locus| locus.start == 0) else {
        return Claims::default();
    };
    Claims {
        container: Some((*container).to_owned()).filter(|name| !name.is_empty()),
        volume: Some(locus.volume),
        issue: locus.issue,
        pages: rest.last().and_then(|part| pages(part)),
        ..Claims::default()
    }
}

/// The journal on a line near the heading: `Journal, Volume 4, Issue 2, May 2013, Pages 11-20`.
fn beside(page: &Page, heading: usize) -> Option<Claims> {
    let from = heading.saturating_sub(8);
    let lines = page.lines.iter().skip(from).take(16);
    let mut short = lines.filter(|line| line.part == Part::Main && line.text.len() <= 200);
    short.find_map(|line| {
        let claims = parse(&line.text)?;
        let behind = line.text.split_once("Pages ").map(|(_, behind)| behind);
        let pages = claims.pages.clone().or_else(|| pages(behind?));
        (claims.issue.is_some() && pages.is_some()).then_some(Claims { pages, ..claims })
    })
}

/// The journal, the issue and the pages in the lines below a heading, as in catalogues: authors, journal,
/// `Vol. 4, No. 1 (Jun., 1972), pp. 32-37`.
pub(super) fn below(page: &Page, heading: usize) -> Claims {
    let lines = page.lines.iter().enumerate().skip(heading + 1).take(10);
    let short = lines.filter(|(_, line)| line.part == Part::Main && line.text.len() <= 160);
    let mut found = short.filter_map(|(at, line)| {
        let locus = labelled(&line.text).filter(|locus| locus.start == 0)?;
        locus.issue.as_ref()?;
        let rest = line.text.get(locus.end..)?;
        let pages = pages(rest.get(rest.find("pp.")?..)?)?;
        let inner = rest
            .split_once('(')
            .and_then(|(_, inner)| inner.split_once(')'));
        let journal = page.lines.get(at - 1).filter(|_| at > heading + 1)?;
        let words = journal.text.split_whitespace().count();
        let is_name = (1..=14).contains(&words) && journal.text.starts_with(char::is_uppercase);
        let byline = page.lines.get(heading + 1).filter(|_| at > heading + 2);
        let authors = byline.map(|line| byline::names_in(&line.text, false));
        is_name.then(|| Claims {
            kind: Some(ItemType::Article),
            authors: authors.unwrap_or_default(),
            date: inner.and_then(|(inner, _)| dates::parse(inner)),
            container: Some(journal.text.clone()),
            volume: Some(locus.volume),
            issue: locus.issue,
            pages: Some(pages),
            ..Claims::default()
        })
    });
    let found = found.next().or_else(|| beside(page, heading));
    found.unwrap_or_default()
}

/// The pages at the start of a line near the heading: `Pages 32-37 | Published online`.
pub(super) fn pages_near(page: &Page, heading: Option<usize>) -> Option<String> {
    let from = heading?.saturating_sub(10);
    let lines = page.lines.iter().skip(from).take(40);
    let mut short = lines.filter(|line| line.part == Part::Main && line.text.len() <= 200);
    short.find_map(|line| {
        let labels = ["Pages", "pages", "pp."];
        let rest = labels
            .iter()
            .find_map(|label| line.text.strip_prefix(label))?;
        pages(rest)
    })
}

struct Locus {
    start: usize,
    end: usize,
    volume: String,
    issue: Option<String>,
    pages: Option<String>,
}

/// Volume and issue on a separate line, as in tables of contents: `Volume 111, 2013 - Issue 9-11`.
pub(super) fn volume_and_issue(page: &Page, heading: Option<usize>, container: &str) -> Claims {
    let from = heading.unwrap_or(0).saturating_sub(20);
    let around = page.lines.iter().skip(from).take(60);
    let short = around.filter(|line| line.text.len() <= 120 && line.part != Part::Others);
    let texts = short.map(|line| line.text.as_str());
    let texts = texts.chain(std::iter::once(page.title.as_str()));
    let loci: Vec<(&str, Locus)> = texts
        .filter_map(|text| Some((text, labelled(text)?)))
        .collect();
    // Together with the issue, after the journal name, or at the start.
    let container = fold(container);
    let is_named = |text: &str, locus: &Locus| {
        let before = text.get(..locus.start).map(fold);
        before.is_some_and(|before| before == container)
    };
    let full = loci.iter().find(|(_, locus)| locus.issue.is_some());
    let named = || loci.iter().find(|(text, locus)| is_named(text, locus));
    let first = || loci.iter().find(|(_, locus)| locus.start == 0);
    let found = full.or_else(named).or_else(first).map(|(_, locus)| locus);
    match found {
        Some(locus) => Claims {
            volume: Some(locus.volume.clone()),
            issue: locus.issue.clone(),
            ..Claims::default()
        },
        None => Claims::default(),
    }
}

/// `Vol. 1, No. 4`, `Volume 25, Number 10`, `Volume 111, 2013 - Issue 9-11`.
fn labelled(text: &str) -> Option<Locus> {
    let (start, after) = after_word(text, &["volume", "vol"])?;
    let (volume, length) = number(text.get(after..)?)?;
    let end = after + length;
    let rest = text.get(end..)?;
    let near = rest.get(..rest.floor_char_boundary(40)).unwrap_or(rest);
    let issue = after_word(near, &["issue", "number", "no", "nr", "iss"]).and_then(|(_, after)| {
        let (issue, length) = number(near.get(after..)?)?;
        Some((issue, after + length))
    });
    let end = issue.as_ref().map_or(end, |(_, length)| end + length);
    Some(Locus {
        start,
        end,
        volume,
        issue: issue.map(|(issue, _)| issue),
        pages: None,
    })
}

/// `4(1), 32-37`, `70: 195-218`.
fn bracketed(text: &str) -> Option<Locus> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find(|c: char| c.is_ascii_digit()) {
        let start = from + at;
        let (volume, length) = digits(text.get(start..)?)?;
        let end = start + length;
        from = end;
        let is_word = start > 0 && !matches!(bytes.get(start - 1), Some(b' ' | b',' | b'\n'));
        if is_word || volume.len() > 4 {
            continue;
        }
        let rest = text.get(end..)?;
        if let Some(inner) = rest.strip_prefix('(').or_else(|| rest.strip_prefix(" (")) {
            let (issue, tail) = inner.split_once(')')?;
            let is_issue = issue.len() <= 12 && issue.starts_with(|c: char| c.is_alphanumeric());
            return is_issue.then(|| Locus {
                start,
                end: text.len() - tail.len(),
                volume,
                issue: Some(issue.to_owned()),
                pages: None,
            });
        }
        let found = rest.strip_prefix(':').and_then(pages);
        if found.is_some() {
            return Some(Locus {
                start,
                end,
                volume,
                issue: None,
                pages: found,
            });
        }
    }
    None
}

/// The position of a word and the start of what follows it after punctuation and blanks.
fn after_word(text: &str, words: &[&str]) -> Option<(usize, usize)> {
    let lower = text.to_ascii_lowercase();
    words.iter().find_map(|word| {
        let mut places = lower.match_indices(word);
        places.find_map(|(at, _)| {
            let is_begun = !lower.get(..at)?.ends_with(|c: char| c.is_alphanumeric());
            let rest = lower.get(at + word.len()..)?;
            let value = rest.trim_start_matches(['.', ' ', ':', '\u{a0}']);
            let is_followed = value.starts_with(|c: char| c.is_ascii_digit());
            (is_begun && is_followed).then(|| (at, lower.len() - value.len()))
        })
    })
}

/// A number, optionally with a range or letter: `9-11`, `12a`.
fn number(text: &str) -> Option<(String, usize)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '–' | '/'));
    let number = text
        .get(..end.unwrap_or(text.len()))?
        .trim_end_matches(['-', '–', '/']);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) && number.len() <= 12;
    is_number.then(|| (number.to_owned(), number.len()))
}

fn digits(text: &str) -> Option<(String, usize)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text.get(..end)?.to_owned(), end))
}

/// Pages at the start: `, 32-37.`, `: 195-218`, `, pp. 105-112`.
fn pages(text: &str) -> Option<String> {
    let text =
        text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '.' | ';'));
    let text = ["pp.", "pp", "p.", "pages"]
        .iter()
        .find_map(|label| text.strip_prefix(label))
        .unwrap_or(text);
    let (first, length) = digits(text.trim_start())?;
    let rest = text.trim_start().get(length..)?;
    let last = rest.strip_prefix(['-', '–', '—'])?;
    let (last, _) = digits(last)?;
    let is_range = !first.is_empty() && !last.is_empty() && first.len() <= 6 && last.len() <= 6;
    is_range.then(|| format!("{first}-{last}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: [&str; 4]) {
        let read = parse(text).unwrap_or_default();
        let fields = [read.container, read.volume, read.issue, read.pages];
        assert_eq!(fields.map(Option::unwrap_or_default), expected, "{text}");
    }

    #[test]
    fn references_end_in_journal_and_volume() {
        check(
            "? Or not? Archives of X, 4(1), 32-37. http://dx.doi.org/10.1/a",
            ["", "", "", ""],
        );
        check(
            ". Archives of X, 4(1), 32-37.",
            ["Archives of X", "4", "1", "32-37"],
        );
        check(
            ". Device Materials: Vol. 1, No. 4, pp. 105-112.",
            ["Device Materials", "1", "4", "105-112"],
        );
        check(
            "\nby Ann Roe.\nFirst Day, Volume 25, Number 10 - 5 October 2020",
            ["First Day", "25", "10", ""],
        );
        check(
            "Acta Linguistica 70: 195-218",
            ["Acta Linguistica", "70", "", "195-218"],
        );
        check("and then 25 people came", ["", "", "", ""]);
    }

    #[test]
    fn titles_are_found_by_their_fold() {
        let title = fold("“Waves” of Water");
        assert_eq!(
            around("Roe (2001). Waves of water. Annals", &title),
            Some(("Roe (2001", ". Annals"))
        );
        assert_eq!(around("Other waves", &title), None);
        assert_eq!(year_before("Roe (2001"), dates::parse("2001"));
    }
}
