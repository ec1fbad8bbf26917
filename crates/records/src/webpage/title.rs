//! The title of a page without the site's name, and the position of its heading.

use citation_model::lists::words;

use super::page::Page;

/// Separators between a title and the name of the site.
const MARKS: [&str; 12] = [
    " | ", " - ", " – ", " — ", " · ", " » ", " « ", " :: ", " • ", " : ", ": ", " / ",
];

/// The first title, or the complete one if the first is truncated by «…».
pub(super) fn whole<'t>(mut titles: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let first = titles.next()?;
    let Some(stem) = first
        .strip_suffix('…')
        .or_else(|| first.strip_suffix("..."))
    else {
        return Some(first);
    };
    let stem = fold(stem);
    let is_whole = |title: &&str| !title.ends_with(['…', '.']) && fold(title).starts_with(&stem);
    Some(titles.find(is_whole).unwrap_or(first))
}

/// Removes names of the site at the start or end of a title. `sites` are names of the site.
pub(super) fn without_site(title: &str, sites: &[&str], page: &Page) -> String {
    let headings = Headings::of(page);
    if headings.have(title) {
        return title.to_owned();
    }
    let sites: Vec<String> = sites.iter().map(|site| bare(site)).collect();
    let is_site = |part: &str| {
        let part = bare(part);
        !part.is_empty() && sites.contains(&part)
    };
    // `Heading-SectionㅣSite`
    let is_followed = |heading: &str| {
        let rest = title.strip_prefix(heading).filter(|rest| !rest.is_empty());
        let is_apart = |rest: &&str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == ' ');
        let rest = rest.filter(is_apart).map(bare).unwrap_or_default();
        fold(heading).len() > 8
            && sites
                .iter()
                .any(|site| site.len() > 2 && rest.ends_with(site))
    };
    if let Some(heading) = headings.0.iter().find(|heading| is_followed(heading)) {
        return (*heading).to_owned();
    }
    // `Section on Example: Heading`
    let is_behind = |place: &Place| {
        let before = fold(place.before);
        let names_site = sites
            .iter()
            .any(|site| site.len() > 3 && before.contains(site));
        place.is_colon && names_site && headings.have(place.after)
    };
    if let Some(place) = split(title).find(is_behind) {
        return place.after.to_owned();
    }
    let cut = split(title).find_map(|Place { before, after, .. }| {
        match (is_site(before), is_site(after)) {
            (false, true) => Some(before),
            (true, false) => Some(after),
            _ => None,
        }
    });
    // The heading shows where the title ends: `[1.2] Heading | Section`.
    let cut = cut.unwrap_or(title);
    let cut = headings.longest_in(cut).unwrap_or(cut).trim();
    // «Title | Section | Site»: the remainder may end in the site's name again.
    match split(cut).next_back() {
        Some(place) if is_site(place.after) => place.before.to_owned(),
        _ => cut.to_owned(),
    }
}

/// The name of a site without its article and its domain: `The Example`, `example.com`.
fn bare(site: &str) -> String {
    let site = [".com", ".org", ".net"]
        .iter()
        .find_map(|domain| site.trim().strip_suffix(domain))
        .unwrap_or(site);
    let site = fold(site);
    site.strip_prefix("the").unwrap_or(&site).to_owned()
}

/// Whether two names are of one site, with or without the domain.
pub(super) fn is_same_site(name: &str, other: &str) -> bool {
    let name = bare(name);
    !name.is_empty() && name == bare(other)
}

/// The headings of a page; its first lines if there are none.
struct Headings<'p>(Vec<&'p str>);

impl<'p> Headings<'p> {
    fn of(page: &'p Page) -> Headings<'p> {
        let headed = page.lines.iter().filter(|line| line.heading > 0).take(200);
        let mut texts: Vec<&str> = headed.map(|line| line.text.as_str()).collect();
        if texts.is_empty() {
            let first = page.lines.iter().take(40).map(|line| line.text.as_str());
            texts = first
                .filter(|text| text.split(' ').nth(3).is_some())
                .collect();
        }
        Headings(texts)
    }

    fn have(&self, title: &str) -> bool {
        let title = fold(title);
        !title.is_empty() && self.0.iter().any(|text| fold(text) == title)
    }

    /// The longest heading that is part of a title, as written in the title. A colon separates title and
    /// subtitle, which may be a separate heading.
    fn longest_in<'t>(&self, title: &'t str) -> Option<&'t str> {
        let folded = fold(title);
        let inside = self.0.iter().map(|text| fold(text));
        let inside = inside.filter(|text| text.len() > 2 && folded.contains(text.as_str()));
        let inside: Vec<String> = inside.take(40).collect();
        let joints = split(title).filter(|place| !place.is_colon);
        let number = title
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'));
        let starts = std::iter::once(title)
            .chain(joints.map(|place| place.after))
            .chain(number.map(|(_, rest)| rest.trim_start()));
        let parts = starts.flat_map(|start| {
            let ends = split(start).filter(|place| !place.is_colon);
            let parts = ends.map(|place| place.before).chain([start]);
            parts.collect::<Vec<_>>()
        });
        let headed = parts.filter(|part| inside.contains(&fold(part)));
        headed.max_by_key(|part| part.len())
    }
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
    let is_journal = |part: &&str| {
        let part = fold(part);
        part.chars().filter(|c| c.is_alphabetic()).count() > 3
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
    const MEETINGS: [&str; 5] = ["conference", "symposium", "workshop", "congress", "meeting"];
    let mut places = split(&page.title).filter(|place| !place.is_colon);
    let found = places.find(|place| place.after.starts_with("Proceedings of "))?;
    let name = found.after.split(" | ").next().unwrap_or(found.after);
    let lower = name.to_lowercase();
    let is_meeting = MEETINGS.iter().any(|word| lower.contains(word));
    is_meeting.then(|| name.to_owned())
}

/// The line of the heading: that of the title, otherwise the first top-level heading.
pub(super) fn heading(page: &Page, title: &str) -> Option<usize> {
    let title = fold(title);
    let lines = || page.lines.iter().enumerate();
    let is_title = |text: &str| text.len() <= 3 * title.len() && fold(text) == title;
    let headed = lines().find(|(_, line)| line.heading > 0 && is_title(&line.text));
    let first = || lines().find(|(_, line)| line.heading == 1);
    let plain = || lines().find(|(_, line)| is_title(&line.text));
    let found = match title.is_empty() {
        true => first(),
        false => headed.or_else(plain).or_else(first),
    };
    found.map(|(at, _)| at)
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
