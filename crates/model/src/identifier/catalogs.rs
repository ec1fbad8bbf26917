//! Identifiers assigned by catalogs and repositories: OpenAlex, Handle, PII, WorldCat, Open Library.

use super::text::strip_invisible;
use super::{Handle, IdentifierError, Oclc, OpenAlexId, OpenLibraryId, Pii, shape};

impl OpenAlexId {
    /// Parses `W` and digits, alone or at the end of an address.
    pub fn parse(text: &str) -> Result<OpenAlexId, IdentifierError> {
        let upper = strip_invisible(text).to_ascii_uppercase();
        let id = upper.rsplit(['/', ':']).next().unwrap_or_default();
        let digits = id.strip_prefix('W').unwrap_or_default();
        if is_number(digits, 4..=12) {
            Ok(OpenAlexId(id.to_owned()))
        } else {
            Err(shape(
                text,
                "an OpenAlex id: it should look like W2741809807",
            ))
        }
    }
}

impl OpenLibraryId {
    /// Parses the id of an edition (`OL…M`) or of a work (`OL…W`).
    pub fn parse(text: &str) -> Result<OpenLibraryId, IdentifierError> {
        let id = strip_invisible(text).to_ascii_uppercase();
        let digits = id
            .strip_prefix("OL")
            .and_then(|rest| rest.strip_suffix(['M', 'W']));
        if is_number(digits.unwrap_or_default(), 1..=10) {
            Ok(OpenLibraryId(id))
        } else {
            Err(shape(
                text,
                "an Open Library id: it should look like OL7353617M",
            ))
        }
    }

    /// Whether it names a work and not one of its editions.
    pub fn is_work(&self) -> bool {
        self.0.ends_with('W')
    }
}

impl Oclc {
    /// Parses the number after `oclc`, `(OCoLC)`, `ocm` or `ocn`, or alone if nothing else can be meant.
    pub fn parse(text: &str) -> Result<Oclc, IdentifierError> {
        let lower = strip_invisible(text).to_ascii_lowercase();
        let bare = ["ocm", "ocn", "on"]
            .iter()
            .find_map(|prefix| lower.strip_prefix(prefix))
            .unwrap_or(&lower)
            .trim_start_matches('0');
        if is_number(bare, 1..=12) {
            Ok(Oclc(bare.to_owned()))
        } else {
            Err(shape(text, "an OCLC number: it should look like 297222669"))
        }
    }
}

impl Handle {
    /// Parses a Handle after `hdl:` or in an address; a bare one is too ambiguous. The naming authority
    /// must consist of digits and dots, as nearly all do.
    pub fn parse(text: &str) -> Result<Handle, IdentifierError> {
        const EXPECTED: &str = "a Handle: it should look like hdl:1721.1/12345";
        let cleaned = strip_invisible(text);
        let cleaned = cleaned.trim_end_matches(['.', ',', ';', '/']);
        let bare = cleaned
            .get(.."hdl:".len())
            .filter(|label| label.eq_ignore_ascii_case("hdl:"))
            .and_then(|label| cleaned.get(label.len()..))
            .ok_or_else(|| shape(text, EXPECTED))?
            .trim();
        let (authority, name) = bare.split_once('/').ok_or_else(|| shape(text, EXPECTED))?;
        let is_authority = authority.starts_with(|c: char| c.is_ascii_digit())
            && authority.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            && authority.len() >= 4;
        let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
        if is_authority && is_name {
            Ok(Handle(bare.to_ascii_lowercase()))
        } else {
            Err(shape(text, EXPECTED))
        }
    }
}

impl Pii {
    /// Parses `S`, an ISSN, a year and a number with its check character (17 characters in all), with or
    /// without punctuation; for books `B` and an ISBN, 17 or 20 characters.
    pub fn parse(text: &str) -> Result<Pii, IdentifierError> {
        let cleaned = strip_invisible(text).to_ascii_uppercase();
        let bare = cleaned
            .strip_prefix("PII")
            .unwrap_or(&cleaned)
            .trim_start_matches([':', ' ']);
        let is_dress = |c: char| matches!(c, '-' | '(' | ')' | '.' | '/');
        let id: String = bare.chars().filter(|c| !is_dress(*c)).collect();
        let is_long_enough = match id.chars().next() {
            Some('S') => id.len() == 17,
            Some('B') => matches!(id.len(), 17 | 20),
            _ => false,
        };
        let is_plain = id.bytes().skip(1).all(|b| b.is_ascii_digit() || b == b'X');
        if is_long_enough && is_plain {
            Ok(Pii(id))
        } else {
            Err(shape(
                text,
                "a PII: it should look like S0092-8674(11)00127-9",
            ))
        }
    }
}

fn is_number(text: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}
