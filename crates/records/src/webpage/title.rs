//! The title of a page: without the site's name, and where its heading stands.

use super::page::Page;

/// What parts a title from the name of the site.
const MARKS: [&str; 12] = [
    " | ", " - ", " – ", " — ", " · ", " » ", " « ", " :: ", " • ", " : ", ": ", " / ",
];

/// The first title, or the one that has the rest of it where it is cut short by «…».
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

/// A title without the names of the site before or behind it. `sites` are names that the site has.
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
    let cut = split(title).find_map(|place| {
        let Place { before, after, .. } = place;
        match (is_site(before), is_site(after)) {
            (false, true) => Some(before),
            (true, false) => Some(after),
            // A subtitle may stand in a heading of its own.
            _ if place.is_colon => None,
            // The heading shows where the title ends; a blog may put its own name into `<h1>`.
            _ => match (headings.have(before), headings.have(after)) {
                (true, true) if after.len() > before.len() => Some(after),
                (true, _) => Some(before),
                (false, true) => Some(after),
                (false, false) => None,
            },
        }
    });
    let cut = cut.unwrap_or(title).trim();
    // «Title | Section | Site»: what is left may end in the site's name once more.
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

/// The headings of a page, folded; where it has none, its first lines.
struct Headings(Vec<String>);

impl Headings {
    fn of(page: &Page) -> Headings {
        let headed = page.lines.iter().filter(|line| line.heading > 0).take(200);
        let mut texts: Vec<String> = headed.map(|line| fold(&line.text)).collect();
        if texts.is_empty() {
            let first = page.lines.iter().take(40);
            let several_words = first.filter(|line| line.text.split(' ').nth(3).is_some());
            texts = several_words.map(|line| fold(&line.text)).collect();
        }
        Headings(texts)
    }

    fn have(&self, part: &str) -> bool {
        let part = fold(part);
        !part.is_empty() && self.0.contains(&part)
    }
}

/// A place where a title may be parted from a site's name.
pub(super) struct Place<'t> {
    pub before: &'t str,
    pub after: &'t str,
    /// Whether a colon parts them, as it does titles and subtitles.
    is_colon: bool,
}

/// The places where a title may be parted.
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

/// The journal that the title names beside the article's own, where the page has it in a line too:
/// `Title - Journal (Publisher)`.
pub(super) fn journal(page: &Page, title: Option<&str>, site: Option<&str>) -> Option<String> {
    const VIEWS: [&str; 7] = [
        "abstract",
        "fulltext",
        "article",
        "pdf",
        "html",
        "summary",
        "references",
    ];
    let known = [title, site].map(|known| known.map(fold).unwrap_or_default());
    let places: Vec<Place<'_>> = split(&page.title).filter(|place| !place.is_colon).collect();
    let firsts = places.first().map(|place| place.before);
    let ends = places.iter().map(|place| place.after);
    let mut parts = firsts.into_iter().chain(ends).map(|part| {
        let part = split(part).next().map_or(part, |place| place.before);
        part.split(" (").next().unwrap_or(part).trim()
    });
    let is_journal = |part: &&str| {
        let part = fold(part);
        part.len() > 3
            && !known.contains(&part)
            && !VIEWS.contains(&part.as_str())
            && page
                .lines
                .iter()
                .any(|line| line.text.len() < 200 && fold(&line.text) == part)
    };
    parts.find(is_journal).map(str::to_owned)
}

/// The line of the heading: where the title stands, else the first heading of the first rank.
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

/// Letters and figures alone, in lower case, and «and» for `&`.
pub(super) fn fold(text: &str) -> String {
    text.chars().flat_map(folded).collect()
}

/// What a character is in a folded text.
pub(super) fn folded(c: char) -> impl Iterator<Item = char> {
    let (word, letter) = match c {
        '&' => ("and", None),
        c if c.is_alphanumeric() => ("", Some(c)),
        _ => ("", None),
    };
    word.chars()
        .chain(letter.into_iter().flat_map(char::to_lowercase))
}
