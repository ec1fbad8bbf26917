//! Ids of PubMed and PubMed Central.

use super::text::strip_invisible;
use super::{IdentifierError, Pmcid, Pmid, shape};

impl Pmid {
    /// Parses digits, alone, after `PMID:` or in a PubMed address.
    pub fn parse(text: &str) -> Result<Pmid, IdentifierError> {
        let lower = strip_invisible(text).to_ascii_lowercase();
        let in_address = ["pubmed.ncbi.nlm.nih.gov/", "ncbi.nlm.nih.gov/pubmed/"]
            .iter()
            .find_map(|host| lower.split_once(host).map(|(_, rest)| rest));
        let bare = in_address
            .or(lower.strip_prefix("pmid"))
            .unwrap_or(&lower)
            .trim_start_matches([':', ' '])
            .trim_end_matches(['/', '.', ',', ';', ' ']);
        let valid = (1..=9).contains(&bare.len())
            && bare.bytes().all(|b| b.is_ascii_digit())
            && !bare.starts_with('0');
        valid
            .then(|| Pmid(bare.to_owned()))
            .ok_or_else(|| shape(text, "a PubMed id: it is a number, as in 23903748"))
    }
}

impl Pmcid {
    /// Parses `PMC` and digits, alone, after `PMCID:` or in an address.
    pub fn parse(text: &str) -> Result<Pmcid, IdentifierError> {
        let lower = strip_invisible(text).to_ascii_lowercase();
        let bare = lower
            .rsplit_once("pmc")
            .map(|(_, rest)| rest)
            .filter(|rest| !rest.starts_with("id"))
            .map(|rest| rest.trim_end_matches(['/', '.', ',', ';', ' ']))
            .unwrap_or_default();
        // A version (`PMC3548812.1`) is not part of the identifier.
        let bare = bare.split('.').next().unwrap_or_default();
        let valid = (1..=9).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_digit());
        valid
            .then(|| Pmcid(format!("PMC{bare}")))
            .ok_or_else(|| shape(text, "a PubMed Central id: it should look like PMC3548812"))
    }
}

/// A PubMed Central id after its label, where `PMC` may be omitted.
pub(super) fn central(id: &str) -> Result<Pmcid, IdentifierError> {
    if id.starts_with(|c: char| c.is_ascii_digit()) {
        Pmcid::parse(&format!("PMC{id}"))
    } else {
        Pmcid::parse(id)
    }
}
