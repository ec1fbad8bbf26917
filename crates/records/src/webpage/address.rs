//! The data in a page's address, and the address to cite.

use citation_model::date::{Date, DateParts};
use citation_model::identifier::address::doi;
use citation_model::lists::words;

use super::months;

/// The address to cite: the canonical one if it is on the same site, without tracking.
pub(super) fn cited(
    canonical: Option<&str>,
    stated: Option<&str>,
    url: Option<&str>,
) -> Option<String> {
    let is_own = |address: &String| match (host(address), url.and_then(host)) {
        (Some(its), Some(own)) => {
            same_site(its, own) && !is_start(address) || url == Some(address.as_str())
        }
        (its, _) => its.is_some(),
    };
    let named = canonical.into_iter().chain(stated);
    let named = named.map(|address| absolute(address, url)).find(is_own);
    named.as_deref().or(url).map(without_tracking)
}

/// Completes an address without scheme or host.
fn absolute(address: &str, url: Option<&str>) -> String {
    let scheme = url.and_then(|url| url.split_once("://"));
    let scheme = scheme.map_or("https", |(scheme, _)| scheme);
    let rooted = || address.starts_with('/').then(|| host(url?))?;
    if address.starts_with("//") {
        format!("{scheme}:{address}")
    } else if let Some(host) = rooted() {
        format!("{scheme}://{host}{address}")
    } else {
        address.to_owned()
    }
}

/// Whether two hosts belong to one site: `www.example.org` and `m.example.org`.
fn same_site(one: &str, other: &str) -> bool {
    let owner = |host: &str| {
        let host = bare_host(host);
        host.rsplit('.').next().unwrap_or_default().to_lowercase()
    };
    owner(one) == owner(other)
}

/// `example` of `www.example.co.uk`, `blog.example` of `blog.example.org`.
pub(super) fn bare_host(host: &str) -> String {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let labels: Vec<&str> = host.split('.').collect();
    let suffix = match labels.as_slice() {
        [
            ..,
            "co" | "com" | "org" | "ac" | "gov" | "net" | "or" | "ne" | "go",
            country,
        ] if country.len() == 2 => 2,
        _ => 1,
    };
    let kept = labels.len().saturating_sub(suffix).max(1);
    labels.get(..kept).unwrap_or(&labels).join(".")
}

/// Whether an address is the start page of a site, which careless templates declare canonical on every
/// page.
fn is_start(address: &str) -> bool {
    let path = address.split_once("://").map_or("", |(_, rest)| rest);
    path.trim_end_matches('/').split_once('/').is_none()
}

/// The host of a web address.
pub(super) fn host(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let host = rest.split(['/', '?', '#', ':']).next()?;
    (is_web && !host.is_empty()).then_some(host)
}

/// Parameters that only record where a visitor came from.
const TRACKING: [&str; 22] = words(
    "fbclid gclid dclid gbraid wbraid msclkid mc_cid mc_eid igshid igsh ref_src ref_url cmpid \
     ocid yclid twclid _hsenc _hsmi mkt_tok s_cid spm ns_campaign",
);

/// Removes the parts of an address that only record where a visitor came from.
pub fn without_tracking(address: &str) -> String {
    let (address, fragment) = match address.split_once('#') {
        Some((address, fragment)) => (address, Some(fragment)),
        None => (address, None),
    };
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let is_kept = |part: &&str| {
        let name = part.split('=').next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        !name.is_empty() && !name.starts_with("utm_") && !TRACKING.contains(&name.as_str())
    };
    let parts: Vec<&str> = query.split('&').filter(is_kept).collect();
    let mut kept = path.to_owned();
    if !parts.is_empty() {
        kept.push('?');
        kept.push_str(&parts.join("&"));
    }
    let says_something = |fragment: &&str| {
        !fragment.is_empty() && !fragment.starts_with("xtor=") && !fragment.starts_with(":~:")
    };
    if let Some(fragment) = fragment.filter(says_something) {
        kept.push('#');
        kept.push_str(fragment);
    }
    kept
}

/// The words of the last part of a path, as in `/2021/07/three-words-long.html`, in lower case.
pub(super) fn slug_words(address: &str) -> Vec<String> {
    let path = address.split_once("://").map_or("", |(_, rest)| rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts = path.split('/').skip(1);
    let longest = parts.max_by_key(|part| part.matches(['-', '_']).count());
    let longest = longest.unwrap_or_default();
    let stem = longest.split('.').next().unwrap_or(longest);
    let words = stem.split(['-', '_', '+']).filter(|word| word.len() > 1);
    let words = words.filter(|word| !word.bytes().any(|byte| byte.is_ascii_digit()));
    words.take(24).map(str::to_lowercase).collect()
}

/// The date in a path: `/2016/12/16/`, `/2016/dec/16/`, `/2016/12/`, `2016-12-16`, `/20161216/`.
pub(super) fn date(address: &str) -> Option<Date> {
    if doi(address).is_some() {
        return None;
    }
    let path = address.split_once("://")?.1.split(['?', '#']).next()?;
    let parts: Vec<&str> = path.split(['/', '-', '_', '.']).skip(1).collect();
    let year = |text: &str| {
        let year = text.parse::<i32>().ok().filter(|_| text.len() == 4)?;
        (1990..2100).contains(&year).then_some(year)
    };
    let small = |text: &str, most: i64| {
        let number = text.parse::<i64>().ok().filter(|_| text.len() <= 2)?;
        (1..=most).contains(&number).then_some(number)
    };
    let month = |text: &str| {
        let named = || {
            months::of_word(text)
                .filter(|_| text.len() == 3)
                .map(i64::from)
        };
        small(text, 12).filter(|_| text.len() == 2).or_else(named)
    };
    let mut of_month = None;
    for window in parts.windows(2) {
        let [first, second] = window else {
            continue;
        };
        let (Some(year), Some(month)) = (year(first), month(second)) else {
            continue;
        };
        of_month = of_month.or(Some((year, month)));
    }
    for window in parts.windows(3) {
        let [first, second, third] = window else {
            continue;
        };
        if let (Some(year), Some(month), Some(day)) = (year(first), month(second), small(third, 31))
        {
            return Some(DateParts::new(year, Some(month), Some(day)).into());
        }
    }
    let whole = parts.iter().find_map(|part| {
        let is_day = part.len() == 8 && part.bytes().all(|byte| byte.is_ascii_digit());
        let (head, tail) = part.split_at_checked(4).filter(|_| is_day)?;
        let (middle, last) = tail.split_at_checked(2)?;
        Some((year(head)?, small(middle, 12)?, small(last, 31)?))
    });
    if let Some((year, month, day)) = whole {
        return Some(DateParts::new(year, Some(month), Some(day)).into());
    }
    let (year, month) = of_month?;
    // A month of an archive must be whole path segments: `/2016/12/a-story`.
    let is_part = path.contains(&format!("/{year}/{month:02}/"));
    is_part.then(|| DateParts::new(year, Some(month), None).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracking_is_taken_off() {
        let check = |address: &str, expected: &str| assert_eq!(without_tracking(address), expected);
        check(
            "https://a.org/b?utm_source=x&id=1&fbclid=z#s2",
            "https://a.org/b?id=1#s2",
        );
        check("https://a.org/b?utm_source=x", "https://a.org/b");
        check("https://a.org/b#:~:text=c", "https://a.org/b");
    }

    #[test]
    fn canonical_addresses_are_trusted_within_the_site() {
        let check = |canonical: &str, url: &str, expected: &str| {
            assert_eq!(
                cited(Some(canonical), None, Some(url)).as_deref(),
                Some(expected)
            );
        };
        check(
            "https://www.a.org/b",
            "https://m.a.org/b?x=1",
            "https://www.a.org/b",
        );
        check(
            "https://www.a.org/",
            "https://www.a.org/b",
            "https://www.a.org/b",
        );
        check("https://other.net/b", "https://a.org/b", "https://a.org/b");
        check("/b", "https://a.org/b?x=1", "https://a.org/b");
        check("//a.org/b", "https://a.org/b?x=1", "https://a.org/b");
        check(
            "https://b.co.uk/b",
            "https://a.co.uk/b",
            "https://a.co.uk/b",
        );
    }

    #[test]
    fn paths_have_dates() {
        let check = |address: &str, expected: &str| {
            let read = date(address).map(|date| date.edtf()).unwrap_or_default();
            assert_eq!(read, expected, "{address}");
        };
        check("https://a.org/2016/12/16/story", "2016-12-16");
        check("https://a.org/world/2016/dec/16/story", "2016-12-16");
        check("https://a.org/2016/12/story", "2016-12");
        check("https://a.org/story-2016-12-16.html", "2016-12-16");
        check("https://a.org/news/20161216/story", "2016-12-16");
        check("https://a.org/plan-2016-12", "");
        check("https://a.org/item/20169999", "");
        check("https://a.org/doi/10.1080/20550308.2015.11", "");
    }
}
