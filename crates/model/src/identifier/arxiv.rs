//! arXiv ids, and the DOIs that arXiv registers for them.

use super::text::strip_invisible;
use super::{ArxivId, Doi, IdentifierError, shape};

/// Prefix of the DOIs that arXiv registers.
const ARXIV_DOI: &str = "10.48550/arxiv.";

impl ArxivId {
    /// Parses a new (`1706.03762`) or old (`hep-th/9711200`) id, after `arXiv:` or in an address; the
    /// subject class is dropped.
    pub fn parse(text: &str) -> Result<ArxivId, IdentifierError> {
        const EXPECTED: &str = "an arXiv id: it should look like 1706.03762 or hep-th/9711200";
        let lower = strip_invisible(text).to_ascii_lowercase();
        let bare = lower
            .split_once("arxiv.org/")
            .and_then(|(_, path)| path.split_once('/').map(|(_, id)| id))
            .or_else(|| lower.strip_prefix(ARXIV_DOI))
            .or_else(|| {
                lower
                    .strip_prefix("arxiv")
                    .map(|rest| rest.trim_start_matches([':', ' ']))
            })
            .unwrap_or(&lower);
        let bare = bare.split(char::is_whitespace).next().unwrap_or_default();
        let bare = bare.trim_end_matches(['.', ',', ';', ')', ']']);
        let bare = bare.strip_suffix(".pdf").unwrap_or(bare);
        let (id, version) = split_version(bare);
        let canonical = new_arxiv_id(id).or_else(|| old_arxiv_id(id));
        let canonical = canonical.map(|id| format!("{id}{version}"));
        canonical.map(ArxivId).ok_or_else(|| shape(text, EXPECTED))
    }

    /// The id without the version. It names the work; versions are states of the work.
    pub fn unversioned(&self) -> ArxivId {
        ArxivId(split_version(&self.0).0.to_owned())
    }

    /// The DOI that arXiv registers for the work at DataCite.
    pub fn doi(&self) -> Doi {
        Doi(format!("{ARXIV_DOI}{}", split_version(&self.0).0))
    }

    /// The arXiv id of a DOI that arXiv registered.
    pub fn of_doi(doi: &Doi) -> Option<ArxivId> {
        let registered = doi.as_str().starts_with(ARXIV_DOI);
        registered.then(|| ArxivId::parse(doi.as_str()).ok())?
    }
}

/// `hep-th/9711200` and `v3` of `hep-th/9711200v3`; the version may be empty.
fn split_version(text: &str) -> (&str, &str) {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.rsplit_once('v') {
        Some((number, version)) if is_number(version) => text.split_at(number.len()),
        _ => (text, ""),
    }
}

/// `1706.03762`: year and month, then four or five digits.
fn new_arxiv_id(text: &str) -> Option<String> {
    let (date, number) = text.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let month = date.get(2..)?.parse::<u8>().ok()?;
    let valid = date.len() == 4
        && digits(date)
        && (1..=12).contains(&month)
        && (4..=5).contains(&number.len())
        && digits(number);
    valid.then(|| text.to_owned())
}

/// `hep-th/9711200`: archive, optional `.` and subject class, then seven digits.
fn old_arxiv_id(text: &str) -> Option<String> {
    let (archive, number) = text.split_once('/')?;
    let archive = archive.split('.').next()?;
    let valid = (2..=12).contains(&archive.len())
        && archive.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        && number.len() == 7
        && number.bytes().all(|b| b.is_ascii_digit());
    valid.then(|| format!("{archive}/{number}"))
}
