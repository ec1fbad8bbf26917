//! Finds the identifiers in the text of a reference.

use std::ops::Range;

use super::reference::{Reference, Role, cut};
use citation_model::identifier::{ArxivId, Doi, Identifier, Isbn, Pmcid, Pmid, address};

/// The maximum length of an identifier, in bytes, because many places may look like the start of one.
const MAX_LENGTH: usize = 500;

/// Maximum length of a text that is nothing but an identifier, in bytes.
const MAX_BARE_LENGTH: usize = 100;

/// Finds the identifiers and addresses of a reference, and marks their tokens.
pub fn read(reference: &mut Reference) {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut found = Vec::new();
    let mut addresses = Vec::new();
    for (identifier, span) in scan(&reference.text) {
        if let Some(identifier) = identifier.map(of_work)
            && !found.contains(&identifier)
        {
            found.push(identifier);
        }
        if let Some(address) = reference.text.get(span.clone()).and_then(plain_address) {
            addresses.push(address);
        }
        spans.push(span);
    }
    let mut spans = spans.iter().peekable();
    for (token, role) in reference.tokens.iter().zip(&mut reference.roles) {
        while spans.next_if(|span| span.end < token.span.end).is_some() {}
        if spans
            .peek()
            .is_some_and(|span| span.start <= token.span.start)
        {
            *role = Role::Identifier;
        }
    }
    // A bare number is an identifier only if there is nothing else.
    if found.is_empty()
        && reference.text.len() <= MAX_BARE_LENGTH
        && let Ok(identifier) = Identifier::parse(&reference.text)
        && identifier.is_in_records()
    {
        found.push(of_work(identifier));
    }
    reference.identifiers = found;
    reference.addresses = addresses;
}

/// The DOIs that a title mentions. Few do.
pub fn mentioned(title: &str) -> Vec<Identifier> {
    if !title.contains("10.") {
        return Vec::new();
    }
    let found = scan(title).into_iter().filter_map(|(found, _)| found);
    found.map(of_work).collect()
}

/// Normalises the spelling of an address; `None` for other texts and for a site's home page, which
/// identifies no single page.
pub fn plain_address(text: &str) -> Option<String> {
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"))
        .or_else(|| lower.starts_with("www.").then_some(lower.as_str()))?;
    let bare = bare.strip_prefix("www.").unwrap_or(bare);
    let bare = bare.trim_end_matches(['/', '.', ',', ';', ')', '>']);
    bare.contains('/').then(|| bare.to_owned())
}

/// The identifier of the work, without its version. arXiv's DOI for a work becomes its arXiv id.
pub fn of_work(identifier: Identifier) -> Identifier {
    match identifier {
        Identifier::Arxiv(id) => Identifier::Arxiv(id.unversioned()),
        Identifier::Doi(doi) => match ArxivId::of_doi(&doi) {
            Some(id) => Identifier::Arxiv(id.unversioned()),
            None => Identifier::Doi(doi),
        },
        other => other,
    }
}

/// Identifiers and bare addresses with their byte ranges.
fn scan(text: &str) -> Vec<(Option<Identifier>, Range<usize>)> {
    // Lower-case ASCII only, so that byte positions stay valid.
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = lower.get(at..) {
        let Some(start) = rest
            .find(|c: char| c.is_ascii_alphanumeric())
            .map(|n| at + n)
        else {
            break;
        };
        match identifier_at(text, &lower, start) {
            Some((identifier, end)) => {
                found.push((identifier, start..end));
                at = end.max(start + 1);
            }
            None => at = end_of_run(&lower, start),
        }
    }
    found
}

/// The end of the letters and digits that start here.
fn end_of_run(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(rest.len());
    start + length.max(1)
}

fn identifier_at(text: &str, lower: &str, start: usize) -> Option<(Option<Identifier>, usize)> {
    let rest = lower.get(start..)?;
    let raw = text.get(start..)?;
    if ["http:", "https:", "www."]
        .iter()
        .any(|start| rest.starts_with(start))
    {
        return Some(web_address(raw, start));
    }
    let raw = cut(raw, MAX_LENGTH);
    if rest.starts_with("10.") {
        return doi(raw, start);
    }
    if rest.starts_with("arxiv") {
        return arxiv(raw, start);
    }
    if rest.starts_with("isbn") {
        return isbn(raw, start);
    }
    if rest.starts_with("978") || rest.starts_with("979") {
        return bare_isbn(raw, start);
    }
    if rest.starts_with("pmcid") || rest.starts_with("pmc") {
        return numbered(raw, start, |text| {
            Pmcid::parse(text).ok().map(Identifier::Pmcid)
        });
    }
    if rest.starts_with("pmid") || rest.starts_with("pubmed pmid") {
        return numbered(raw, start, |text| {
            Pmid::parse(text).ok().map(Identifier::Pmid)
        });
    }
    None
}

fn doi(raw: &str, start: usize) -> Option<(Option<Identifier>, usize)> {
    let end = chunk_end(raw);
    let chunk = raw.get(..end)?;
    // A DOI wrapped at its slash continues behind the white space.
    let end = if chunk.ends_with('/') {
        let behind = raw.get(end..)?;
        let white = behind.len() - behind.trim_start().len();
        end + white + chunk_end(behind.trim_start())
    } else {
        end
    };
    let doi = Doi::parse(raw.get(..end)?).ok()?;
    Some((Some(Identifier::Doi(doi)), start + end))
}

/// An address; many imply an identifier of the work.
fn web_address(raw: &str, start: usize) -> (Option<Identifier>, usize) {
    let end = chunk_end(raw);
    let chunk = raw.get(..end).unwrap_or_default();
    let implied = address::identify(cut(chunk, MAX_LENGTH)).filter(Identifier::is_in_records);
    match implied {
        Some(identifier) => (Some(identifier), start + end),
        None => doi_in_address(raw, chunk, start).unwrap_or((None, start + end)),
    }
}

/// The DOI at the end of an address that continues behind a line break.
fn doi_in_address(raw: &str, chunk: &str, start: usize) -> Option<(Option<Identifier>, usize)> {
    let at = chunk.find("10.")?;
    doi(raw.get(at..)?, start + at)
}

fn arxiv(raw: &str, start: usize) -> Option<(Option<Identifier>, usize)> {
    let behind = raw.get(5..)?;
    let id = behind.trim_start_matches([':', '.', ' ']);
    let skipped = raw.len() - id.len();
    let end = chunk_end(id);
    let parsed = ArxivId::parse(id.get(..end)?).ok()?;
    Some((Some(Identifier::Arxiv(parsed)), start + skipped + end))
}

fn isbn(raw: &str, start: usize) -> Option<(Option<Identifier>, usize)> {
    let behind = raw.get(4..)?;
    let digits = behind
        .strip_prefix("-13")
        .or(behind.strip_prefix("-10"))
        .unwrap_or(behind)
        .trim_start_matches([':', ' ', '(', ')', '-']);
    let (identifier, end) = bare_isbn(digits, start + raw.len() - digits.len())?;
    Some((identifier, end))
}

/// The maximum bytes of an ISBN with thirteen digits and a realistic number of hyphens and spaces.
const MAX_ISBN_LENGTH: usize = 48;

/// An ISBN at the start of a text: digits, hyphens and spaces, as many as form one.
fn bare_isbn(raw: &str, start: usize) -> Option<(Option<Identifier>, usize)> {
    let is_part = |c: char| {
        c.is_ascii_digit() || matches!(c, '-' | ' ' | 'X' | 'x' | '\u{2010}'..='\u{2015}')
    };
    let run = raw.find(|c| !is_part(c)).unwrap_or(raw.len());
    let longest = cut(raw.get(..run)?, MAX_ISBN_LENGTH);
    let spaces = longest.rmatch_indices(' ').map(|(at, _)| at);
    let whole = Some(run).filter(|run| *run == longest.len());
    let (isbn, end) = whole
        .into_iter()
        .chain(spaces)
        .find_map(|end| Some((Isbn::parse(raw.get(..end)?).ok()?, end)))?;
    Some((Some(Identifier::Isbn(isbn)), start + end))
}

/// A label followed by a number: `PMID: 23903748`.
fn numbered(
    raw: &str,
    start: usize,
    parse: impl Fn(&str) -> Option<Identifier>,
) -> Option<(Option<Identifier>, usize)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = raw.find(is_digit)?;
    let plain = raw
        .get(..digits)?
        .chars()
        .all(|c| c.is_ascii_alphabetic() || matches!(c, ':' | ' ' | '.'));
    if !plain || digits > 12 {
        return None;
    }
    let behind = raw.get(digits..)?;
    let end = digits + behind.find(|c| !is_digit(c)).unwrap_or(behind.len());
    Some((Some(parse(raw.get(..end)?)?), start + end))
}

fn chunk_end(text: &str) -> usize {
    text.find(char::is_whitespace).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = Reference::parse(text).identifiers;
        let found: Vec<&str> = found.iter().map(Identifier::as_str).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn identifiers_are_found_in_running_text() {
        check("Smith 2001. doi:10.1000/ABC(1)2.", &["10.1000/abc(1)2"]);
        check(
            "https://doi.org/10.1038/\nnature12373, 2013",
            &["10.1038/nature12373"],
        );
        check("arXiv:1706.03762v2 [cs.CL]", &["1706.03762"]);
        check("doi:10.48550/arXiv.1706.03762", &["1706.03762"]);
        check("https://doi.org/10.48550/arXiv.1706.03762", &["1706.03762"]);
        check("https://arxiv.org/abs/hep-th/9711200", &["hep-th/9711200"]);
        check("ISBN-13: 978-0-19-852663-6. Oxford", &["9780198526636"]);
        check("London, ISBN 0 19 852663 6 2001", &["9780198526636"]);
        check(
            "PMID: 23903748; PMCID: PMC3548812",
            &["23903748", "PMC3548812"],
        );
        check("23903748", &["23903748"]);
        check("1706.03762v2", &["1706.03762"]);
        check(
            "https://www.nature.com/articles/nature12373",
            &["10.1038/nature12373"],
        );
        check("10.1000/a and again 10.1000/A", &["10.1000/a"]);
    }

    #[test]
    fn beginnings_of_identifiers_are_no_trouble() {
        for piece in ["978 ", "978-", "10.", "10.1/", "doi:10.", "arxiv:", "pmid "] {
            check(&piece.repeat(2_000), &[]);
        }
        check(&"ISBN 978 ".repeat(900), &[]);
    }

    #[test]
    fn numbers_are_no_identifiers() {
        check("Vol. 10.12, pp. 978-990", &[]);
        check("see www.example.org/page", &[]);
    }
}
