//! What readers see: title, byline and date, where tags say nothing; and the site's name in titles.

use citation_model::name::Name;

use super::claims::Claims;
use super::markup::{Byline, Markup};
use super::{dates, people};

/// Title, byline and date as marked by elements and classes.
pub(super) fn read(markup: &Markup) -> Claims {
    let heading = markup.headings.first().cloned();
    let title = match markup.title.is_empty() {
        true => heading,
        false => Some(markup.title.clone()),
    };
    // Several links to authors are several authors; of the elements of a class the first is meant.
    let mut sure: Vec<Name> = Vec::new();
    for name in (markup.bylines.iter().filter(|byline| byline.is_sure)).flat_map(authors) {
        if !sure.contains(&name) {
            sure.push(name);
        }
    }
    let mut classed = (markup.bylines.iter().filter(|byline| !byline.is_sure)).map(authors);
    let found = match sure.is_empty() {
        true => classed.find(|names| !names.is_empty()).unwrap_or_default(),
        false => sure,
    };
    Claims {
        title,
        authors: found,
        date: markup.dates.iter().find_map(|text| dates::parse(text)),
        ..Claims::default()
    }
}

/// The people of a byline. What is longer than names are is a sentence about somebody.
fn authors(byline: &Byline) -> Vec<Name> {
    let text = byline.text.trim();
    let words = text.split_whitespace().count();
    if words == 0 || words > 24 {
        return Vec::new();
    }
    let names = people::list(text);
    let is_name = |name: &Name| {
        let words = name.display().split_whitespace().count();
        (2..=6).contains(&words) || name.literal.is_some()
    };
    match names.iter().all(is_name) {
        true => names,
        false => Vec::new(),
    }
}

/// Pages that only keep robots out.
pub(super) fn is_challenge(markup: &Markup) -> bool {
    const TITLES: [&str; 14] = [
        "just a moment",
        "attention required",
        "access denied",
        "are you a robot",
        "checking your browser",
        "robot check",
        "security check",
        "verify you are human",
        "pardon our interruption",
        "ddos-guard",
        "request rejected",
        "403 forbidden",
        "one moment, please",
        "captcha",
    ];
    let title = markup.title.to_lowercase();
    let is_marked = TITLES.iter().any(|known| title.starts_with(known));
    is_marked
        && !markup
            .metas
            .iter()
            .any(|(name, _)| name.starts_with("citation_"))
}

/// The site's name where no tag has it: the end of the title behind the heading.
pub(super) fn site(markup: &Markup, url: Option<&str>) -> Option<String> {
    let (_, end) = split_title(&markup.title).next_back()?;
    let host = url.and_then(host)?;
    let folded = fold(end);
    (!folded.is_empty() && fold(host).contains(&folded)).then(|| end.to_owned())
}

fn host(url: &str) -> Option<&str> {
    url.split_once("://")?.1.split(['/', '?', '#']).next()
}

/// A title without the name of the site behind or before it.
pub(super) fn without_site(title: &str, site: Option<&str>, markup: &Markup) -> String {
    // The heading shows where the title ends.
    let is_heading = |part: &str| {
        let part = fold(part);
        !part.is_empty() && markup.headings.iter().any(|heading| fold(heading) == part)
    };
    if is_heading(title) {
        return title.to_owned();
    }
    let site = site.map(fold).filter(|site| !site.is_empty());
    let is_site = |part: &str| {
        let part = fold(part);
        site.as_ref().is_some_and(|site| {
            part == *site
                || part.strip_prefix("the") == Some(site)
                || site.strip_prefix("the") == Some(&part)
        })
    };
    let cut = split_title(title).find_map(|(before, after)| {
        if is_site(after) || is_heading(before) {
            Some(before)
        } else if is_site(before) || is_heading(after) {
            Some(after)
        } else {
            None
        }
    });
    cut.unwrap_or(title).trim().to_owned()
}

/// The places where a title may be parted from a site's name: what stands before and behind.
fn split_title(title: &str) -> impl DoubleEndedIterator<Item = (&str, &str)> {
    const MARKS: [&str; 9] = [
        " | ", " - ", " – ", " — ", " · ", " » ", " :: ", " • ", " : ",
    ];
    let mut places: Vec<(usize, usize)> = MARKS
        .iter()
        .flat_map(|mark| {
            title
                .match_indices(mark)
                .map(|(at, mark)| (at, at + mark.len()))
        })
        .collect();
    places.sort_unstable();
    places.truncate(32);
    places
        .into_iter()
        .map(|(end, start)| (title[..end].trim(), title[start..].trim()))
}

/// Letters and figures alone, in lower case.
pub(super) fn fold(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
