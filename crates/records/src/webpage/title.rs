//! The title of a page without the site's name, and the position of its heading.

use std::ops::Range;

use citation_model::lists::words;

use super::page::{Line, Page};

/// Separators between a title and the name of the site.
const MARKS: [&str; 20] = [
    " | ", " - ", " – ", " — ", " · ", " » ", " « ", " :: ", " • ", " : ", ": ", " / ", "|", "｜",
    "丨", "ㅣ", " > ", " * ", " ‹ ", " ~ ",
];

/// Separators that are also parts of titles: they separate where one side is known.
const WEAK_MARKS: [&str; 19] = [
    "-", "–", "—", "_", "－", "——", "·", ":", "：", "@", ", ", ". ", " by ", " von ", " par ",
    " on ", " auf ", " at ", " sur ",
];

/// Maximum number of separators of a title.
const PLACES: usize = 6;

/// The pieces of a title between its separators. `is_known` tells whether a text is a heading or the site's
/// name.
pub(super) fn pieces(text: &str, is_known: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for mark in MARKS {
        let found = text.match_indices(mark).take(PLACES);
        places.extend(found.map(|(at, _)| (at, at + mark.len())));
    }
    places.extend(symbols(text));
    let mut is_begun = false;
    for mark in WEAK_MARKS {
        let is_word = mark.ends_with(' ') && mark.starts_with(' ');
        for (at, _) in text.match_indices(mark).take(PLACES) {
            let end = at + mark.len();
            let sides = [text.get(..at), text.get(end..)];
            let is_sided = sides
                .into_iter()
                .flatten()
                .any(|side| is_known(side.trim()));
            let is_joint = mark == "_" && !text.is_ascii();
            // Behind `Title by` is `name on Site`.
            let goes_on = is_word && is_begun;
            is_begun |= is_word && is_sided;
            if is_sided || is_joint || goes_on {
                places.push((at, end));
            }
        }
    }
    places.sort_unstable_by_key(|(start, end)| (*start, usize::MAX - *end));
    let mut pieces = Vec::new();
    let mut from = 0;
    for (start, end) in places {
        let is_apart = start > from && pieces.len() < PLACES;
        if is_apart
            && text
                .get(from..start)
                .is_some_and(|piece| !piece.trim().is_empty())
        {
            pieces.push(from..start);
            from = end;
        }
    }
    pieces.push(from..text.len());
    pieces
}

/// The symbols between blanks: `Title ⋆ Example`, `Title › Example`. Signs of arithmetic and marks of sentences
/// are parts of titles.
fn symbols(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let is_symbol = |word: &str| {
        (1..=2).contains(&word.chars().count())
            && word.chars().all(|c| !c.is_ascii() && !c.is_alphanumeric())
            && !word.contains([
                '×', '÷', '±', '≠', '≤', '≥', '→', '←', '↔', '…', '€', '£', '“', '”', '„', '§', '°',
            ])
    };
    let mut at = 0;
    let words = text.split(' ').map(move |word| {
        let start = at;
        at += word.len() + 1;
        (start, word)
    });
    let inner = words.filter(move |(start, word)| {
        *start > 0 && start + word.len() < text.len() && is_symbol(word)
    });
    inner
        .map(|(start, word)| (start - 1, start + word.len() + 1))
        .take(PLACES)
}

/// Articles before the names of newspapers, as they begin a folded name.
const ARTICLES: [&str; 4] = ["the", "die", "der", "das"];

/// The name of a site without its article and its domain: `The Example`, `example.com`.
pub(super) fn bare(site: &str) -> String {
    let site = [
        ".com", ".org", ".net", ".de", ".it", ".fr", ".es", ".co.uk", ".ru", ".pl", ".at", ".ch",
    ]
    .iter()
    .find_map(|domain| site.trim().strip_suffix(domain))
    .unwrap_or(site);
    let site = fold(site);
    ARTICLES
        .iter()
        .find_map(|article| {
            site.strip_prefix(article)
                .filter(|rest| rest.chars().count() > 3)
        })
        .unwrap_or(&site)
        .to_owned()
}

/// A position where a title may be separated from a site's name.
pub(super) struct Place<'t> {
    pub before: &'t str,
    pub after: &'t str,
    /// Whether the separator is a colon, as between titles and subtitles.
    is_colon: bool,
}

/// The positions where a title may be separated.
pub(super) fn split(title: &str) -> impl DoubleEndedIterator<Item = Place<'_>> {
    let mut places: Vec<(usize, &str)> = (MARKS.iter())
        .flat_map(|mark| title.match_indices(mark).take(16))
        .collect();
    places.sort_unstable();
    places.truncate(32);
    places.into_iter().filter_map(move |(at, mark)| {
        Some(Place {
            before: title.get(..at)?.trim(),
            after: title.get(at + mark.len()..)?.trim(),
            is_colon: mark == ": ",
        })
    })
}

/// The journal in the title next to the article's own title, if it is also on a line of the page: `Title -
/// Journal (Publisher)`.
pub(super) fn journal(page: &Page, title: Option<&str>, site: Option<&str>) -> Option<String> {
    const VIEWS: [&str; 7] = words("abstract fulltext article pdf html summary references");
    let known = [title, site].map(|known| known.map(fold).unwrap_or_default());
    let places: Vec<Place<'_>> = split(&page.title).filter(|place| !place.is_colon).collect();
    let firsts = places.first().map(|place| place.before);
    let ends = places.iter().map(|place| place.after);
    let mut parts = firsts.into_iter().chain(ends).map(|part| {
        let first = split(part).find(|place| !place.is_colon);
        let part = first.map_or(part, |place| place.before);
        part.split(" (").next().unwrap_or(part).trim()
    });
    // `Archive/0042` is the number of a work.
    let is_number = |part: &str| {
        let end = part.rsplit_once('/').map(|(_, end)| end);
        end.is_some_and(|end| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_journal = |part: &&str| {
        let is_number = is_number(part);
        let part = fold(part);
        !is_number
            && part.chars().filter(|c| c.is_alphabetic()).count() > 3
            && !known.contains(&part)
            && !VIEWS.contains(&part.as_str())
            && page
                .lines
                .iter()
                .any(|line| line.text.len() < 200 && fold(&line.text) == part)
    };
    parts.find(is_journal).map(str::to_owned)
}

/// The proceedings of a conference in the title behind that of a paper: `Title | Proceedings of the 2020
/// Conference on …`. Some journals are called proceedings too.
pub(super) fn proceedings(page: &Page) -> Option<String> {
    let mut places = split(&page.title).filter(|place| !place.is_colon);
    let found = places.find(|place| place.after.starts_with("Proceedings of "))?;
    let name = found.after.split(" | ").next().unwrap_or(found.after);
    is_meeting(name).then(|| name.to_owned())
}

/// Whether the name of a container has a word of meetings.
pub(super) fn is_meeting(name: &str) -> bool {
    const MEETINGS: [&str; 5] = words("conference symposium workshop congress meeting");
    let lower = name.to_lowercase();
    MEETINGS.iter().any(|word| lower.contains(word))
}

/// The line of the heading: that of the title, otherwise the first top-level heading.
pub(super) fn heading(page: &Page, title: &str) -> Option<usize> {
    let title = fold(title);
    let lines = || page.lines.iter().enumerate();
    let is_title = |text: &str| text.len() <= 3 * title.len() && fold(text) == title;
    let is_behind = |line: &Line| {
        let behind = line.behind.as_ref();
        behind.is_some_and(|behind| is_title(&behind.text))
    };
    let headed =
        lines().find(|(_, line)| line.heading > 0 && (is_title(&line.text) || is_behind(line)));
    let first = || lines().find(|(_, line)| line.heading == 1);
    let plain = || lines().find(|(_, line)| is_title(&line.text));
    let found = if title.is_empty() {
        first()
    } else {
        headed.or_else(plain).or_else(first)
    };
    found.map(|(at, _)| at)
}

/// Whether another heading is between the heading of the work and a line; a subtitle directly below it is not.
pub(super) fn is_behind_another(page: &Page, heading: Option<usize>, line: usize) -> bool {
    let Some(heading) = heading.filter(|at| at + 2 < line) else {
        return false;
    };
    let line = line.min(heading + 80);
    let between = page.lines.get(heading + 2..line).unwrap_or_default();
    between.iter().any(|line| line.heading > 0)
}

/// Lower-case letters and digits only, with «and» for `&`.
pub(super) fn fold(text: &str) -> String {
    text.chars().flat_map(folded).collect()
}

/// The folded form of a character.
pub(super) fn folded(c: char) -> impl Iterator<Item = char> {
    let (word, letter) = match c {
        '&' => ("and", None),
        c if c.is_alphanumeric() => ("", Some(c)),
        _ => ("", None),
    };
    word.chars()
        .chain(letter.into_iter().flat_map(char::to_lowercase))
}
