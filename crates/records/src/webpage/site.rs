//! The name of a page's site.

use std::ops::Range;

use citation_model::lists::phrases;

use super::Sources;
use super::address::bare_host;
use super::labels::{self, Label};
use super::metas::Metas;
use super::page::Page;
use super::pool::{Candidate, Pool};
use super::title::{bare, fold, pieces, split};
use super::traits::{Trait, Traits};
use super::weights::Field;
use crate::names;

/// The ranked candidates for the site's name.
pub(super) fn candidates(page: &Page, sources: &Sources, url: Option<&str>) -> Pool<String> {
    let mut pool = Pool::new(Field::Site);
    let metas = Metas(page);
    let host = url.and_then(super::address::host);
    let mut add = |name: Option<&str>, traits: &[Trait]| {
        let Some(name) = name
            .map(str::trim)
            .filter(|name| !name.is_empty() && name.len() <= 120)
        else {
            return;
        };
        // The address of the site stands for its host.
        let name = match is_address(name) {
            true => name
                .rsplit("://")
                .next()
                .unwrap_or(name)
                .trim_end_matches('/'),
            false => name,
        };
        let is_host = name.contains('.')
            && traits != [Trait::Link]
            && host.is_some_and(|host| host.contains(name));
        let traits = if is_host { &[Trait::Host][..] } else { traits };
        // A link to the start of another site.
        if traits == [Trait::Link]
            && name.contains('.')
            && !host.is_some_and(|host| host.contains(name))
        {
            return;
        }
        // The code of a language is no name.
        if name.chars().count() > 2 || !name.is_ascii() {
            pool.add(fold(name), name.to_owned(), Traits::of(traits));
        }
    };
    add(
        metas.plain(&["og:site_name"]).as_deref(),
        &[Trait::OpenGraph],
    );
    add(
        metas
            .plain(&["application-name", "apple-mobile-web-app-title"])
            .as_deref(),
        &[Trait::Meta],
    );
    add(sources.schema.site.as_deref(), &[Trait::Schema]);
    add(sources.schema.publisher.as_deref(), &[Trait::SchemaPart]);
    for name in [
        "source",
        "copyright",
        "dc.source",
        "cre",
        "owner",
        "dcterms.source",
        "mediaid",
    ] {
        add(metas.plain(&[name]).as_deref(), &[Trait::TagPart]);
    }
    let in_title = host.and_then(|host| in_title(page, host));
    add(in_title.as_deref(), &[Trait::TitlePart, Trait::MatchesHost]);
    let headings = page.lines.iter().filter(|line| line.heading > 0).take(40);
    let headings: Vec<String> = headings.map(|line| fold(&line.text)).collect();
    let pieces = pieces(&page.title, |side| headings.contains(&fold(side)));
    // A colon separates a title from its subtitle.
    let is_apart = |one: &Range<usize>, other: &Range<usize>| {
        let mark = page.title.get(one.end..other.start).map(str::trim);
        mark.is_some_and(|mark| mark != ":")
    };
    if let [.., one, last] = pieces.as_slice()
        && is_apart(one, last)
    {
        let name = page.title.get(last.clone());
        add(name, &[Trait::TitlePart, Trait::RestIsOther]);
    }
    if let [first, other, ..] = pieces.as_slice()
        && is_apart(first, other)
    {
        add(page.title.get(first.clone()), &[Trait::TitlePart]);
    }
    add(of_feed(page).as_deref(), &[Trait::Feed]);
    if let Some(host) = host {
        add(of_handle(metas, host).as_deref(), &[Trait::SocialTag]);
    }
    for value in labels::values(page, Label::Source).take(2) {
        let first = value.split([' ', '|', '\u{3000}', '　']).next();
        add(first, &[Trait::LabelValue]);
    }
    for value in sources_in_lines(page) {
        add(Some(value), &[Trait::LabelInText]);
    }
    add(copyright(page).as_deref(), &[Trait::Copyright]);
    let homes = page
        .lines
        .iter()
        .filter(|line| line.is_home && line.text.len() <= 60);
    for line in homes.take(3) {
        add(Some(&line.text), &[Trait::Link]);
    }
    let publisher = sources.schema.publisher.clone();
    if let Some(whole) = publisher.and_then(|publisher| of_publisher(page, publisher)) {
        add(Some(&whole), &[Trait::SchemaPart, Trait::TitlePart]);
    }
    let own_titles = [
        &sources.graph.title,
        &sources.highwire.title,
        &sources.schema.title,
    ];
    let own_titles: Vec<String> = own_titles
        .iter()
        .filter_map(|title| title.as_deref().map(fold))
        .collect();
    let host_name = host.map(|host| fold(&bare_host(host))).unwrap_or_default();
    let title = fold(&page.title);
    for candidate in pool.candidates_mut() {
        let key = unaccented(&candidate.value);
        let bare = super::title::bare(&candidate.value);
        let is_section = url.is_some_and(|url| is_section(&candidate.value, url));
        candidate.traits = candidate
            .traits
            .with_if(
                key.len() > 2
                    && !host_name.is_empty()
                    && (host_name.contains(&key)
                        || host_name.contains(&bare) && bare.len() > 2
                        || host_name.contains(&spelled_out(&bare))
                        || host_name.len() > 4 && key.contains(&host_name)),
                Trait::MatchesHost,
            )
            .with_if(
                title.ends_with(&candidate.key) && title != candidate.key,
                Trait::InTitleTag,
            )
            .with_if(
                title.starts_with(&candidate.key) && title != candidate.key,
                Trait::InTag,
            )
            .with_if(headings.contains(&candidate.key), Trait::IsHeading)
            .with_if(
                headings.iter().chain(&own_titles).any(|text| {
                    text.len() > 2 * candidate.key.len() && text.contains(&candidate.key)
                }),
                Trait::InHeading,
            )
            .with_if(own_titles.contains(&candidate.key), Trait::IsTitle)
            .with_if(is_section, Trait::IsOther)
            .with_if(
                is_address(&candidate.value) || candidate.value.contains('.'),
                Trait::Host,
            )
            .with_if(names::is_nobody(&candidate.value), Trait::IsGeneric)
            .with_if(
                candidate.value.split_whitespace().count() > 6,
                Trait::IsLong,
            );
    }
    pool.rank();
    pool
}

/// The sources in East Asian lines of facts: `2020-01-02 17:11 来源：半月刊网`.
fn sources_in_lines(page: &Page) -> impl Iterator<Item = &str> {
    const LABELS: [&str; 6] = ["来源：", "來源：", "来源:", "稿源：", "来源", "出处："];
    let lines = page.lines.iter().filter(|line| line.text.len() <= 200);
    let values = lines.filter_map(|line| {
        let (_, rest) = LABELS
            .iter()
            .find_map(|label| line.text.split_once(label))?;
        let rest = rest.trim();
        let word = rest.split([' ', '|', '　', '（', '(']).next()?;
        (2..=24).contains(&word.chars().count()).then_some(word)
    });
    values.take(2)
}

/// The owner in a copyright line: `© 2013 Example. All rights reserved`.
fn copyright(page: &Page) -> Option<String> {
    let rest = page
        .copyright()?
        .trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || "-–,".contains(c));
    let name = rest.split(['.', '|', ',', '-', '–', '©']).next()?.trim();
    let name = name.strip_prefix("by ").unwrap_or(name);
    let words = name.split_whitespace().count();
    ((1..=6).contains(&words) && name.starts_with(char::is_uppercase)).then(|| name.to_owned())
}

/// The names of the site that may be cut from titles and are no authors, folded without article and domain:
/// the best candidate, stated ones, and all that match the host.
pub(super) fn names(pool: &Pool<String>, page: &Page) -> Vec<String> {
    const STATED: [Trait; 5] = [
        Trait::OpenGraph,
        Trait::Schema,
        Trait::SchemaPart,
        Trait::MatchesHost,
        Trait::Copyright,
    ];
    let best = pool.best().map(|best| best.key.as_str());
    let fits = |candidate: &&Candidate<String>| {
        let is_heading =
            candidate.traits.has(Trait::IsHeading) && !candidate.traits.has(Trait::Link);
        Some(candidate.key.as_str()) == best && !is_heading
            || candidate.traits.has_any(&STATED) && !candidate.traits.has(Trait::IsHeading)
    };
    let names = pool.candidates().iter().filter(fits);
    let names = names.map(|candidate| bare(&candidate.value));
    let feeds = page.feeds.iter().map(|feed| bare(feed));
    names
        .chain(feeds)
        .filter(|name| name.chars().count() > 1)
        .collect()
}

/// Whether a name is the address of the site.
fn is_address(name: &str) -> bool {
    name.contains("://") || name.starts_with("www.")
}

/// Whether a name is that of the section in an address: `Culture` of `example.org/culture/story`.
fn is_section(name: &str, url: &str) -> bool {
    let section = url.split('/').nth(3).unwrap_or_default();
    !section.is_empty() && fold(section) == unaccented(name)
}

/// The first or last part of the title, if it matches the host: `Story | Example` on example.org.
fn in_title(page: &Page, host: &str) -> Option<String> {
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
fn of_publisher(page: &Page, publisher: String) -> Option<String> {
    let last = split(&page.title).last().map(|place| place.after);
    let is_its = |part: &&str| fold(part).len() > 3 && fold(&publisher).starts_with(&fold(part));
    let site = last.filter(is_its).map(str::to_owned);
    site.or(Some(publisher))
}

/// The folded form without accents, as in host names.
fn unaccented(text: &str) -> String {
    fold(text).chars().map(plain).collect()
}

/// A folded name with German umlauts as two letters, as in host names.
fn spelled_out(name: &str) -> String {
    name.replace('ä', "ae")
        .replace('ö', "oe")
        .replace('ü', "ue")
        .replace('ß', "ss")
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
