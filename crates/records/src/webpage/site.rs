//! The name of a page's site.

use citation_model::lists::phrases;

use super::address::bare_host;
use super::metas::Metas;
use super::page::Page;
use super::title::{fold, split};

/// The site's name: from tags, unless the title ends in a name that matches the host.
pub(super) fn name(
    page: &Page,
    metas: Metas<'_>,
    stated: Option<String>,
    host: Option<&str>,
) -> Option<String> {
    let in_title = || in_title(page, host?);
    let fits = |name: &String| host.is_some_and(|host| fold(host).contains(&unaccented(name)));
    if let Some(stated) = stated.as_ref().filter(|name| is_address(name)) {
        let host = stated.rsplit("://").next().unwrap_or(stated);
        return in_title().or_else(|| Some(host.trim_end_matches('/').to_owned()));
    }
    match stated {
        Some(stated) if fits(&stated) || in_metas(&stated, metas) => Some(stated),
        Some(stated) => in_title().or(Some(stated)),
        None => in_title()
            .or_else(|| of_feed(page))
            .or_else(|| of_handle(metas, host?)),
    }
}

/// Whether a name is the address of the site.
pub(super) fn is_address(name: &str) -> bool {
    name.contains("://") || name.starts_with("www.")
}

/// Whether a name is that of the section in an address: `Culture` of `example.org/culture/story`.
pub(super) fn is_section(name: &str, url: &str) -> bool {
    let section = url.split('/').nth(3).unwrap_or_default();
    !section.is_empty() && fold(section) == unaccented(name)
}

/// A stated name that is more than a section: it is in the title or is the account's.
fn in_metas(name: &str, metas: Metas<'_>) -> bool {
    let name = fold(name);
    let title = fold(&metas.0.title);
    let handle = metas.first(&["twitter:site"]).map(fold).unwrap_or_default();
    title.ends_with(&name) || title.starts_with(&name) || handle == name
}

/// The first or last part of the title, if it matches the host: `Story | Example` on example.org.
pub(super) fn in_title(page: &Page, host: &str) -> Option<String> {
    let domain = fold(host.strip_prefix("www.").unwrap_or(host));
    let host = &bare_host(host);
    let host_name = fold(host);
    let last_label = fold(host.rsplit('.').next().unwrap_or(host));
    let first_label = fold(host.split('.').next().unwrap_or(host));
    // `Example Journal of Waves` on ejw.org or ejow.org.
    let is_acronym = |part: &str| {
        let initials = |words: &dyn Fn(&char) -> bool| -> String {
            let firsts = part
                .split_whitespace()
                .filter_map(|word| word.chars().next());
            firsts.filter(words).flat_map(char::to_lowercase).collect()
        };
        let fits = |initials: &str| initials.len() > 2 && initials.starts_with(&last_label);
        let are_capital = |first: &char| first.is_uppercase();
        last_label.len() > 2 && (fits(&initials(&|_| true)) || fits(&initials(&are_capital)))
    };
    let is_host = |part: &str| {
        if is_acronym(part) {
            return true;
        }
        let part = unaccented(part);
        let bare = part
            .strip_prefix("the")
            .filter(|bare| bare.len() > 3)
            .unwrap_or(&part);
        let is_initials = || part.len() > 1 && part.len() < last_label.len() && host_name == part;
        bare.len() > 2 && (bare == last_label || bare == host_name || part == last_label)
            || part == domain
            || part.len() > 4 && part == first_label
            || is_initials()
    };
    let mut places = split(&page.title).collect::<Vec<_>>();
    let first = places.first().map(|place| place.before);
    let last = places.pop().map(|place| place.after);
    [last, first]
        .into_iter()
        .flatten()
        .find(|part| is_host(part))
        .map(str::to_owned)
}

/// The site of a publisher: the last part of the title if the publisher's name begins with it, as `The
/// Example` with `The Example Company`; otherwise the publisher.
pub(super) fn of_publisher(page: &Page, publisher: String) -> Option<String> {
    let last = split(&page.title).last().map(|place| place.after);
    let is_its = |part: &&str| fold(part).len() > 3 && fold(&publisher).starts_with(&fold(part));
    let site = last.filter(is_its).map(str::to_owned);
    site.or(Some(publisher))
}

/// The folded form without accents, as in host names.
fn unaccented(text: &str) -> String {
    fold(text).chars().map(plain).collect()
}

/// A letter without its accent.
fn plain(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        c => c,
    }
}

/// The name of the feed or search without that word, if the title contains it too.
fn of_feed(page: &Page) -> Option<String> {
    const WORDS: [&str; 12] = phrases(
        "rss feed|atom feed|rss|atom|feed|articles|posts|blog feed|» feed|search|latest|2.0",
    );
    let title = fold(&page.title);
    let mut names = page.feeds.iter().filter_map(|feed| {
        let mut name = feed.trim();
        for word in WORDS {
            let lower = name.to_lowercase();
            let is_same = lower.len() == name.len();
            if is_same && lower.ends_with(word) {
                name = name.get(..name.len() - word.len())?.trim();
            }
        }
        let name = name.trim_matches(|c: char| c.is_whitespace() || "»-–—|:·(".contains(c));
        (!name.is_empty()).then(|| name.to_owned())
    });
    names.find(|name| title.ends_with(&fold(name)) || title.starts_with(&fold(name)))
}

/// `@Example` on example.org.
fn of_handle(metas: Metas<'_>, host: &str) -> Option<String> {
    let handle = metas.first(&["twitter:site"])?.trim_start_matches('@');
    let host = bare_host(host);
    let label = host.rsplit('.').next()?;
    (fold(handle) == fold(label)).then(|| handle.to_owned())
}
