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
    let own_titles = [
        &sources.graph.title,
        &sources.highwire.title,
        &sources.schema.title,
    ];
    let own_titles: Vec<String> = own_titles
        .iter()
        .filter_map(|title| title.as_deref().map(fold))
        .collect();
    let in_full = fold(&page.title);
    let mut add = |name: Option<&str>, traits: &[Trait]| {
        let Some(name) = name
            .map(str::trim)
            .filter(|name| !name.is_empty() && name.len() <= 120)
        else {
            return;
        };
        // The address of the site stands for its host.
        let name = if is_address(name) {
            name.rsplit("://")
                .next()
                .unwrap_or(name)
                .trim_end_matches('/')
        } else {
            name
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
        // Some tags name the work or the section. A blog of a host has its own name, which ends its titles.
        let is_last = in_full.ends_with(&fold(name));
        let is_section = !is_last && url.is_some_and(|url| is_section(name, url));
        if is_section || own_titles.contains(&fold(name)) {
            return;
        }
        // The code of a language is no name.
        if name.chars().count() > 2 || !name.is_ascii() {
            // `Example.com` is `Example`; the host itself is no name.
            let key = if is_host { name } else { without_domain(name) };
            let name = url.map_or(name, |url| without_number(name, url));
            pool.add(fold(key), name.to_owned(), Traits::of(traits));
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
    for name in copyrights(page) {
        add(Some(&name), &[Trait::Copyright]);
    }
    for name in links(page) {
        add(Some(name), &[Trait::Link]);
    }
    for logo in &page.logos {
        let name = without_template(logo);
        add(Some(name), &[Trait::Logo]);
        // `Example – All the news`
        let ends = [", ", " | ", " – ", ": ", " - ", ". "].map(|end| name.find(end));
        let end = ends.into_iter().flatten().min();
        let first = end.and_then(|end| name.get(..end)).unwrap_or(name);
        if first != name {
            add(Some(first), &[Trait::Logo, Trait::RestIsOther]);
        }
    }
    for line in host.into_iter().flat_map(|host| of_host(page, host)) {
        add(Some(line), &[Trait::BareLine]);
    }
    let publisher = sources.schema.publisher.clone();
    if let Some(whole) = publisher.and_then(|publisher| of_publisher(page, publisher)) {
        add(Some(&whole), &[Trait::SchemaPart, Trait::TitlePart]);
    }
    if let Some(host) = host {
        let host = host.strip_prefix("www.").unwrap_or(host);
        pool.add(fold(host), host.to_owned(), Traits::of(&[Trait::InAddress]));
    }
    let host_name = host.map(|host| fold(&bare_host(host))).unwrap_or_default();
    let bare_name = host.map(bare_host).unwrap_or_default();
    let labels: Vec<String> = bare_name.split('.').map(fold).collect();
    for candidate in pool.candidates_mut() {
        let key = unaccented(&candidate.value);
        let bare = super::title::bare(&candidate.value);
        let spelled = spelled_out(&bare);
        let spells = |label: &String| {
            label.len() > 1 && (*label == key || *label == bare || *label == spelled)
        };
        candidate.traits = candidate
            .traits
            .with_if(
                labels.iter().any(spells) || spells(&host_name),
                Trait::SpellsHost,
            )
            .with_if(
                labels
                    .last()
                    .is_some_and(|label| abbreviates_to(&candidate.value, label)),
                Trait::AbbreviatesToHost,
            )
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
                in_full.ends_with(&candidate.key) && in_full != candidate.key,
                Trait::InTitleTag,
            )
            .with_if(
                in_full.starts_with(&candidate.key) && in_full != candidate.key,
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
            .with_if(
                is_address(&candidate.value) || has_domain(&candidate.value),
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

/// The texts of links to the start page.
fn links(page: &Page) -> impl Iterator<Item = &str> {
    let homes = page
        .lines
        .iter()
        .filter(|line| line.is_home && line.text.len() <= 60);
    homes.take(3).map(|line| without_template(&line.text))
}

/// The texts of links to the start page and of logos.
pub(super) fn homes(page: &Page) -> impl Iterator<Item = &str> {
    let logos = page.logos.iter().map(|logo| without_template(logo));
    links(page).chain(logos)
}

/// Words of templates around the name in a link to the start page or in a logo.
const TEMPLATE: [&str; 30] = phrases(
    "logo of|logo de|logo von|logo|home page|homepage|home|zur startseite|startseite|back to|go to|link to|\
     retour à la une|retour à l'accueil|accueil|inicio|ir a|página principal|pagina principale|strona główna|\
     главная|на главную|首页|首頁|ホーム|トップページ|welcome to|willkommen bei|forside|etusivu",
);

/// A name without the words of templates at its ends: `Example – Home`, `Logo of Example`.
fn without_template(text: &str) -> &str {
    let is_end =
        |rest: &str, at: Option<char>| rest.is_empty() || at.is_some_and(|c| !c.is_alphanumeric());
    let is_joint = |c: char| c.is_whitespace() || "-–—|:,.()·»«›‹/".contains(c);
    let mut text = text.trim_matches(is_joint);
    // A name has few such words.
    for _ in 0..3 {
        let cut = TEMPLATE.iter().find_map(|words| {
            let head = text.get(..words.len()).filter(|head| is_lower(head, words));
            let start = head.and_then(|_| text.get(words.len()..));
            let start = start.filter(|rest| is_end(rest, rest.chars().next()));
            let at = text.len().checked_sub(words.len());
            let tail = at.and_then(|at| text.get(at..));
            let end = tail.filter(|tail| is_lower(tail, words)).and(at);
            let end = end.and_then(|at| text.get(..at));
            let end = end.filter(|rest| is_end(rest, rest.chars().next_back()));
            start.or(end)
        });
        let Some(rest) = cut else {
            break;
        };
        text = rest.trim_matches(is_joint);
    }
    text
}

/// Whether a text in lower case is given words.
fn is_lower(text: &str, words: &str) -> bool {
    text.len() == words.len() && text.to_lowercase() == words
}

/// The legal forms of companies, at the end of a name.
const COMPANIES: [&str; 46] = phrases(
    " GmbH & Co. KG| GmbH & Co KG| GmbH & Co| & Co| GmbH| KG| AG| SE| UG| e.V.| e. V.| Ltd.| Ltd| Limited| LLC| L.L.C.| LLP| Inc.|\
      Inc| Incorporated| Co.| Company| Corp.| Corp| Corporation| plc| PLC| S.A.| SA| S.A.S.| SAS| S.r.l.| Srl| S.p.A.|\
      SpA| S.L.| B.V.| BV| N.V.| NV| AB| AS| A/S| Oy| Sp. z o.o.| Pty",
);

/// The owners in copyright lines: `© 2013 Example. All rights reserved`.
fn copyrights(page: &Page) -> Vec<String> {
    let is_joint = |c: char| c.is_whitespace() || "-–,.|;:".contains(c);
    let is_mark = |c: char| c.is_ascii_digit() || is_joint(c);
    let owners = page.copyrights().take(6).filter_map(|text| {
        let mut name = text.trim_start_matches(is_mark);
        for lead in ["Copyright", "copyright", "by "] {
            name = name.strip_prefix(lead).unwrap_or(name);
            name = name.trim_start_matches(is_mark);
        }
        name = name.split(['|', ',', '–', '©', '(']).next()?;
        name = name.split(". ").next()?;
        name = name.split(" - ").next()?.trim_end_matches(is_mark);
        // Several may follow each other: `Example Co., Ltd.`
        for _ in 0..3 {
            let short = COMPANIES.iter().find_map(|form| {
                let form = form.trim_start();
                let bare = name.strip_suffix(form)?;
                bare.ends_with([' ', ',']).then_some(bare)
            });
            name = short.map_or(name, |short| short.trim_end_matches(is_joint));
        }
        let words = name.split_whitespace().count();
        let is_name = (1..=6).contains(&words)
            && name.starts_with(|c: char| !c.is_lowercase() || name.contains('.'))
            && !fold(name).contains("allrights");
        is_name.then(|| name.to_owned())
    });
    owners.take(3).collect()
}

/// Short lines and parts of them that spell the name in the host: `The Example` on theexample.org.
fn of_host<'p>(page: &'p Page, host: &str) -> Vec<&'p str> {
    let bare = bare_host(host);
    let label = fold(bare.rsplit('.').next().unwrap_or(&bare));
    if label.len() < 4 {
        return Vec::new();
    }
    let lines = page.lines.iter().map(|line| line.text.as_str());
    let short = lines.filter(|text| (label.len()..=60).contains(&text.len()));
    let names = short.filter(|text| {
        let key = unaccented(text);
        key == label || spelled_out(&fold(text)) == label
    });
    names.take(2).collect()
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
    // A heading may be the title, unless the site's logo, its feed or a link home has the same name.
    const OF_SITE: [Trait; 3] = [Trait::Link, Trait::Logo, Trait::Feed];
    let best = pool.best().map(|best| best.key.as_str());
    let fits = |candidate: &&Candidate<String>| {
        let is_heading =
            candidate.traits.has(Trait::IsHeading) && !candidate.traits.has_any(&OF_SITE);
        Some(candidate.key.as_str()) == best && !is_heading
            || candidate.traits.has_any(&STATED) && !candidate.traits.has(Trait::IsHeading)
    };
    let names = pool.candidates().iter().filter(fits);
    // The key has the number of the work that titles show behind the name.
    let names = names.flat_map(|candidate| [bare(&candidate.value), candidate.key.clone()]);
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

/// Whether a name ends in a domain: `Example.org`, but neither `U.S.` nor `Example Inc.`
fn has_domain(name: &str) -> bool {
    without_domain(name).len() < name.len()
}

/// A name without the domain at its end.
fn without_domain(name: &str) -> &str {
    let is_domain = |end: &str| {
        (2..=4).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    match name.rsplit_once('.') {
        Some((head, end)) if is_domain(end) && head.ends_with(char::is_alphanumeric) => head,
        _ => name,
    }
}

/// A name without the number of the work, if the address ends in both: `Archive` of `Archive/0042` on
/// `example.org/archive/0042`.
fn without_number<'n>(name: &'n str, url: &str) -> &'n str {
    match name.rsplit_once('/') {
        Some((head, number))
            if !head.is_empty()
                && number.bytes().any(|byte| byte.is_ascii_digit())
                && url.to_lowercase().ends_with(&name.to_lowercase()) =>
        {
            head
        }
        _ => name,
    }
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
    let is_host = |part: &str| {
        if last_label.len() > 2 && abbreviates_to(part, &last_label) {
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

/// Whether a label of the host has the initials of a name: ejw.org or ejow.org of `Example Journal of Waves`.
fn abbreviates_to(name: &str, label: &str) -> bool {
    let initials = |is_counted: &dyn Fn(&char) -> bool| -> String {
        let words = name.split([' ', '-']).filter(|word| !word.is_empty());
        let firsts = words.filter_map(|word| word.chars().next());
        let firsts = firsts.filter(is_counted).flat_map(char::to_lowercase);
        firsts.map(plain).collect()
    };
    let fits = |initials: &str| initials.len() > 1 && initials.starts_with(label);
    let are_capital = |first: &char| first.is_uppercase();
    label.len() > 1 && (fits(&initials(&|_| true)) || fits(&initials(&are_capital)))
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
