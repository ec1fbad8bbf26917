//! Web addresses: the identifier that one implies, or the page that it refers to.

use super::rules::{Implied, RULES, Rule};
use super::text::{form_decode, percent_decode, strip_invisible};
use super::{
    ArxivId, Doi, Handle, Identifier, Isbn, Oclc, OpenAlexId, OpenLibraryId, Pii, Pmcid, Pmid,
};

/// Maximum depth of nested addresses that is unwrapped: library proxies, archives, redirects.
const MAX_WRAPPERS: usize = 3;

/// Top-level domains that identify an address without a scheme.
const DOMAINS: [&str; 20] = [
    "com", "org", "net", "edu", "gov", "int", "info", "io", "eu", "uk", "de", "fr", "at", "ch",
    "nl", "it", "es", "jp", "cn", "br",
];

/// Whether a text begins like an address.
pub fn is_address(text: &str) -> bool {
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let begins = |prefix: &str| {
        let head = start.get(..prefix.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    };
    ["http://", "https://", "www.", "doi:http"]
        .into_iter()
        .any(begins)
        || {
            let host = start.split(['/', '?', '#']).next().unwrap_or_default();
            let domain = host.rsplit_once('.').map_or("", |(_, domain)| domain);
            host.len() < start.len()
                && !host.contains(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-')
                && DOMAINS
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(domain))
        }
}

/// The identifier that an address implies, by a rule of its site or because it contains a DOI.
pub fn identify(text: &str) -> Option<Identifier> {
    let mut address = Address::parse(text)?;
    for _ in 0..MAX_WRAPPERS {
        let ruled = address.rules().find_map(|(rule, captured)| {
            rule.implied.identifier(&filled(rule.template, &captured))
        });
        if let Some(identifier) = ruled.or_else(|| doi(&address.text).map(Identifier::Doi)) {
            return Some(identifier);
        }
        address = address.inner()?;
    }
    None
}

/// The canonical address of the page, with its scheme: mobile, embedded and shortened forms become the one
/// that the site itself cites. `None` if the text is not an address.
pub fn page(text: &str) -> Option<String> {
    let address = Address::parse(text)?;
    let ruled = address
        .rules()
        .find(|(rule, _)| rule.implied == Implied::Page);
    Some(match ruled {
        Some((rule, captured)) => filled(rule.template, &captured),
        None => address.text,
    })
}

/// The DOI in an address: in its path, in a query value, or in its fragment. Except for resolvers, a
/// trailing page view is not part of the DOI.
pub fn doi(text: &str) -> Option<Doi> {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    let values = query
        .split(['&', ';'])
        .filter_map(|pair| Some(pair.split_once('=')?.1));
    let doi = Doi::find(path).or_else(|| values.chain([fragment]).find_map(Doi::find))?;
    let host = host_of(text).to_ascii_lowercase();
    if host.contains("doi.org") || host.contains("doi-org") || host.ends_with("handle.net") {
        return Some(doi);
    }
    let doi = doi.without_views();
    if host.contains("biorxiv") || host.contains("medrxiv") {
        Some(doi.without_version())
    } else {
        Some(doi)
    }
}

fn host_of(text: &str) -> &str {
    let start = text.split_once("://").map_or(text, |(_, rest)| rest);
    start.split(['/', '?', '#']).next().unwrap_or_default()
}

/// An address split into its parts.
struct Address {
    /// With its scheme.
    text: String,
    /// In lower case, without `www.` and port.
    host: String,
    /// Decoded.
    segments: Vec<String>,
    /// Names in lower case, values decoded.
    query: Vec<(String, String)>,
}

impl Address {
    fn parse(text: &str) -> Option<Address> {
        let text = strip_invisible(text);
        let text = text.trim_matches(|c: char| {
            matches!(
                c,
                '<' | '>' | '"' | '“' | '”' | '\'' | '[' | ']' | ',' | ';'
            )
        });
        let text = text
            .strip_prefix("doi:")
            .unwrap_or(text)
            .trim_end_matches('.');
        let text = match text.strip_prefix('(') {
            Some(inner) => inner.strip_suffix(')').unwrap_or(inner),
            None => text,
        };
        if text.contains(char::is_whitespace) || !is_address(text) {
            return None;
        }
        let text = match text.split_once("://") {
            Some((scheme, rest)) if scheme.len() <= "https".len() => {
                format!("{}://{rest}", scheme.to_ascii_lowercase())
            }
            _ => format!("https://{text}"),
        };
        let host = host_of(&text).rsplit('@').next()?.split(':').next()?;
        let host = host.to_ascii_lowercase();
        let host = host.strip_prefix("www.").unwrap_or(&host).to_owned();
        if !host.contains('.') {
            return None;
        }
        let rest = text.split_once("://")?.1;
        let rest = rest.split('#').next().unwrap_or_default();
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let segments = path.split('/').skip(1).filter(|part| !part.is_empty());
        let segments: Vec<String> = segments.map(percent_decode).collect();
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let query = pairs
            .map(|(name, value)| {
                let name = name.trim_start_matches("amp;").to_ascii_lowercase();
                (name, form_decode(value))
            })
            .collect();
        Some(Address {
            text,
            host,
            segments,
            query,
        })
    }

    /// The rules that match the address, with their captures.
    fn rules(&self) -> impl Iterator<Item = (&'static Rule, Vec<String>)> + '_ {
        RULES
            .iter()
            .filter_map(|rule| Some((rule, self.read(rule)?)))
    }

    fn read(&self, rule: &Rule) -> Option<Vec<String>> {
        // `www-nature-com.proxy.example.edu` is nature.com behind a library proxy.
        let proxied = self
            .host
            .split('.')
            .next()
            .unwrap_or_default()
            .replace('-', ".");
        let proxied = proxied.strip_prefix("www.").unwrap_or(&proxied);
        let hosts = [self.host.as_str(), proxied];
        let pattern = rule.host;
        let mut captured = hosts
            .into_iter()
            .find_map(|host| host_captures(pattern, host))?;
        let (path, query) = rule.path.split_once('?').unwrap_or((rule.path, ""));
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        captured.extend(match segments.split_first() {
            Some((&"**", rest)) => {
                let mut starts = (0..self.segments.len()).filter_map(|at| self.segments.get(at..));
                starts.find_map(|part| path_captures(rest, part))?
            }
            _ => path_captures(&segments, &self.segments)?,
        });
        if let Some((name, pattern)) = query.split_once('=') {
            let mut values = self.query.iter().filter(|(known, _)| known == name);
            captured.push(values.find_map(|(_, value)| capture(pattern, value))?);
        }
        Some(captured)
    }

    /// The address inside this one: behind a library proxy, an archive copy or a redirect.
    fn inner(&self) -> Option<Address> {
        let values = self.query.iter().map(|(_, value)| value.as_str());
        let in_query = values
            .filter(|value| value.starts_with("http"))
            .find_map(Address::parse);
        in_query.or_else(|| {
            let (_, rest) = self.text.split_once("://")?;
            Address::parse(rest.get(rest.find("http")?..)?)
        })
    }
}

/// The capture of a host pattern: `{}.example.org` captures the label before the domain. A plain pattern
/// also matches subdomains.
fn host_captures(pattern: &str, host: &str) -> Option<Vec<String>> {
    if pattern == "*" {
        return Some(Vec::new());
    }
    match pattern.strip_prefix("{}.") {
        Some(domain) => {
            let label = host.strip_suffix(domain)?.strip_suffix('.')?;
            Some(vec![label.to_owned()])
        }
        None => {
            let below = host.strip_suffix(pattern)?;
            (below.is_empty() || below.ends_with('.')).then(Vec::new)
        }
    }
}

/// The captures of a pattern's segments from the first segments of a path.
fn path_captures(pattern: &[&str], segments: &[String]) -> Option<Vec<String>> {
    let mut captured = Vec::new();
    for (n, pattern) in pattern.iter().enumerate() {
        let segment = segments.get(n)?;
        match pattern {
            &"*" => {}
            pattern if pattern.contains('{') => captured.push(capture(pattern, segment)?),
            literal if literal.eq_ignore_ascii_case(segment) => {}
            _ => return None,
        }
    }
    Some(captured)
}

/// The capture of one pattern from one value: `rfc{n}` captures the digits after `rfc`.
fn capture(pattern: &str, value: &str) -> Option<String> {
    let (before, kind) = pattern.split_once('{')?;
    let head = value
        .get(..before.len())
        .filter(|head| head.eq_ignore_ascii_case(before))?;
    let value = value.get(head.len()..)?.split('&').next()?;
    let endings = [
        ".pdf",
        ".full",
        ".html",
        ".htm",
        ".abstract",
        ".short",
        ".long",
        ".txt",
        ".xml",
    ];
    let mut value = value;
    while let Some(shorter) = endings.iter().find_map(|end| value.strip_suffix(end)) {
        value = shorter;
    }
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let without_version = value
        .rsplit_once('v')
        .filter(|(id, version)| !id.is_empty() && is_digits(version))
        .map_or(value, |(id, _)| id);
    match kind {
        "n}" => is_digits(without_version).then(|| without_version.to_owned()),
        "v}" => Some(without_version.to_owned()),
        _ => (!value.is_empty()).then(|| value.to_owned()),
    }
}

/// Inserts the captures into a template, in order.
fn filled(template: &str, captured: &[String]) -> String {
    let mut captured = captured.iter();
    let mut parts = template.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(captured.next().map_or("", String::as_str));
        text.push_str(part);
    }
    text
}

impl Implied {
    fn identifier(self, text: &str) -> Option<Identifier> {
        match self {
            Implied::Doi => Doi::find(text).map(Identifier::Doi),
            Implied::Isbn => Isbn::parse(text).ok().map(Identifier::Isbn),
            Implied::Pmid => Pmid::parse(text).ok().map(Identifier::Pmid),
            Implied::Pmcid => Pmcid::parse(text).ok().map(Identifier::Pmcid),
            Implied::Arxiv => ArxivId::parse(text).ok().map(Identifier::Arxiv),
            Implied::Pii => Pii::parse(text).ok().map(Identifier::Pii),
            Implied::OpenAlex => OpenAlexId::parse(text).ok().map(Identifier::OpenAlex),
            Implied::Oclc => Oclc::parse(text).ok().map(Identifier::Oclc),
            Implied::OpenLibrary => OpenLibraryId::parse(text).ok().map(Identifier::OpenLibrary),
            Implied::Handle => Handle::parse(text).ok().map(Identifier::Handle),
            Implied::Page => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identifier::input::Input;

    /// Every row of the address table, which covers each rule at least once.
    #[test]
    fn addresses_name_their_identifiers() {
        let table = include_str!("../../tests/addresses.tsv");
        let mut wrong = Vec::new();
        let mut used = vec![false; RULES.len()];
        let rows = table
            .lines()
            .filter(|row| !row.starts_with('#') && !row.is_empty());
        for row in rows {
            let [text, kind, expected] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three columns: {row}");
            };
            let found = Input::parse(text);
            let found = (found.kind(), found.to_string());
            if found != (kind, expected.to_owned()) {
                wrong.push(format!("{text}: {found:?}, not {kind} {expected}"));
            }
            let address = Address::parse(text);
            let inner = address.as_ref().and_then(Address::inner);
            for address in address.iter().chain(&inner) {
                for (rule, used) in RULES.iter().zip(&mut used) {
                    *used |= address.read(rule).is_some();
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let unused: Vec<&str> = RULES
            .iter()
            .zip(&used)
            .filter(|(_, used)| !**used)
            .map(|(rule, _)| rule.path)
            .collect();
        assert!(unused.is_empty(), "rules without an example: {unused:?}");
    }

    #[test]
    fn text_is_no_address() {
        for text in [
            "and/or",
            "Dr.Smith/notes",
            "hep-th/9711200",
            "10.1000/x",
            "e.g. this",
            "a.b",
            "math.GT/0309136",
        ] {
            assert!(!is_address(text), "{text}");
        }
        for text in [
            "https://x.example/",
            "www.nature.com",
            "arxiv.org/abs/1706.03762",
            "WWW.BBC.CO.UK/news",
        ] {
            assert!(is_address(text), "{text}");
        }
    }
}
