//! Identifiers in items: one canonical form per variable.

use std::collections::HashSet;

use crate::notice::{Notice, Notices};
use citation_model::identifier::{
    ArxivId, Doi, IdentifierError, Isbn, Issn, Pmcid, Pmid, ShortDoi,
};
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// Why a text is not a valid identifier for its variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongIdentifier {
    /// `invalid_doi`, `invalid_isbn`, `invalid_issn`, `invalid_pmid`, `invalid_pmcid`,
    /// `invalid_arxiv_id`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}

/// Whether a text stands for a missing number or identifier: `NA`, `null`.
pub fn stands_for_none(text: &str) -> bool {
    const WORDS: [&str; 10] = [
        "n/a", "na", "null", "none", "n.pag", "n.pag.", "n. pag.", "-", "?", "??",
    ];
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// The canonical form of an identifier variable: a DOI without prefix in lower case, ISBN-13 without
/// hyphens, ISSN with hyphen, PMID, PMCID and arXiv id without prefix. `None` for other variables.
pub fn canonical(variable: TextVar, text: &str) -> Option<Result<String, WrongIdentifier>> {
    let (code, result) = match variable {
        TextVar::Doi => ("invalid_doi", doi(text)),
        TextVar::Isbn => ("invalid_isbn", list(text, isbn)),
        TextVar::Issn => ("invalid_issn", list(text, issn)),
        TextVar::Pmid => ("invalid_pmid", Pmid::parse(text).map(|id| id.to_string())),
        TextVar::Pmcid => ("invalid_pmcid", Pmcid::parse(text).map(|id| id.to_string())),
        TextVar::ArxivId => (
            "invalid_arxiv_id",
            ArxivId::parse(text).map(|id| id.to_string()),
        ),
        _ => return None,
    };
    Some(result.map_err(|error| WrongIdentifier {
        code,
        message: format!("{}; it is kept as it is.", capitalised(&error.to_string())),
    }))
}

/// A DOI, or the short form of one (`10/gf29tr`).
fn doi(text: &str) -> Result<String, IdentifierError> {
    match Doi::parse(text) {
        Ok(doi) => Ok(doi.to_string()),
        Err(wrong) => ShortDoi::parse(text).map_or(Err(wrong), |short| Ok(short.to_string())),
    }
}

/// The ISBNs and ISSNs of a record from the texts of its fields, each number under its own variable whichever
/// field has it. A text with something else stays as it is and is reported.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Serials {
    pub isbn: String,
    pub issn: String,
    pub wrong: Vec<(TextVar, WrongIdentifier)>,
}

/// See [`Serials`].
pub fn serials(isbn: &str, issn: &str) -> Serials {
    let mut found = Serials::default();
    let mut isbns: Vec<String> = Vec::new();
    let mut issns: Vec<String> = Vec::new();
    let add = |list: &mut Vec<String>, numbers: Vec<String>| {
        let new: Vec<String> = { numbers.into_iter() }
            .filter(|number| !list.contains(number))
            .collect();
        list.extend(new);
    };
    let texts = [(TextVar::Isbn, isbn), (TextVar::Issn, issn)];
    for (variable, text) in texts
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
    {
        match canonical(variable, text) {
            Some(Err(wrong)) => {
                let numbers = serial_numbers(text);
                let is_whole = numbers.others.is_empty();
                add(&mut isbns, numbers.isbns);
                add(&mut issns, numbers.issns);
                if !is_whole {
                    found.wrong.push((variable, wrong));
                }
            }
            Some(Ok(numbers)) => {
                let list = match variable {
                    TextVar::Isbn => &mut isbns,
                    _ => &mut issns,
                };
                add(list, numbers.split(", ").map(str::to_owned).collect());
            }
            None => {}
        }
    }
    let is_wrong = |variable| found.wrong.iter().any(|(wrong, _)| *wrong == variable);
    found.isbn = if is_wrong(TextVar::Isbn) {
        isbn.trim().to_owned()
    } else {
        isbns.join(", ")
    };
    found.issn = if is_wrong(TextVar::Issn) {
        issn.trim().to_owned()
    } else {
        issns.join(", ")
    };
    found
}

/// Makes the identifiers of an item canonical. Invalid ones are kept and reported for the record at
/// `offset`.
pub fn make_canonical(item: &mut Item, offset: usize, notices: &mut Notices) {
    use TextVar::*;
    let text = |variable| item.text(variable).unwrap_or_default();
    let numbers = serials(text(Isbn), text(Issn));
    item.set_text(Isbn, numbers.isbn);
    item.set_text(Issn, numbers.issn);
    for (_, wrong) in numbers.wrong {
        notices.push(Notice::new(wrong.code, wrong.message, offset));
    }
    for variable in [Doi, Pmid, Pmcid, ArxivId] {
        let Some(text) = item.text(variable) else {
            continue;
        };
        match canonical(variable, text) {
            Some(Ok(text)) => item.set_text(variable, text),
            Some(Err(wrong)) => notices.push(Notice::new(wrong.code, wrong.message, offset)),
            None => {}
        }
    }
}

/// Distinct ISBN-13s without hyphens, separated by commas; unchanged if the text contains anything else.
pub fn canonical_isbns(text: &str) -> String {
    list(text, isbn).unwrap_or_else(|_| text.to_owned())
}

/// Distinct ISSNs with hyphen, separated by commas; unchanged if the text contains anything else.
pub fn canonical_issns(text: &str) -> String {
    list(text, issn).unwrap_or_else(|_| text.to_owned())
}

fn isbn(text: &str) -> Result<String, IdentifierError> {
    Isbn::parse(text).map(|isbn| isbn.to_string())
}

fn issn(text: &str) -> Result<String, IdentifierError> {
    Issn::parse(text).map(|issn| issn.to_string())
}

/// Reads identifiers separated by blanks, commas, semicolons or slashes. Qualifiers in brackets are
/// skipped: `0198526636 (hbk.)`.
fn list(
    text: &str,
    parse: impl Fn(&str) -> Result<String, IdentifierError>,
) -> Result<String, IdentifierError> {
    let first_error = match parse(text) {
        Ok(id) => return Ok(id),
        Err(error) => error,
    };
    let mut found: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    let separators = [' ', ',', ';', '/', '\n', '\t', '\u{a0}'];
    for part in text.split(separators).filter(|part| !is_qualifier(part)) {
        match parse(part) {
            Ok(id) => {
                if seen.insert(id.clone()) {
                    found.push(id);
                }
            }
            Err(_) => return Err(first_error),
        }
    }
    if found.is_empty() {
        Err(first_error)
    } else {
        Ok(found.join(", "))
    }
}

/// `(hbk.)`, `print:`, `hardcover`, `ISSN print`
fn is_qualifier(part: &str) -> bool {
    let is_mark = |c: char| c.is_alphabetic() || matches!(c, '.' | ':');
    let are_words = part
        .split_whitespace()
        .all(|word| word.chars().all(is_mark));
    part.starts_with('(') && part.ends_with(')')
        || are_words && part.split_whitespace().count() <= 3
}

/// The numbers of a text that mixes ISBNs, ISSNs and remarks.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SerialNumbers<'t> {
    /// Canonical and distinct, in the order of the text.
    pub isbns: Vec<String>,
    /// Canonical and distinct, in the order of the text.
    pub issns: Vec<String>,
    /// Parts that are neither.
    pub others: Vec<&'t str>,
}

/// Reads `0302-9743 (Print) 1611-3349 (Electronic)`, `0-19-852663-6 hbk`, `978 0 19 852663 6; 12345679`.
pub fn serial_numbers(text: &str) -> SerialNumbers<'_> {
    let mut found = SerialNumbers::default();
    let parts = text.split([';', ',', '(', ')', '\n', '\r']).map(str::trim);
    for part in parts.filter(|part| !part.is_empty() && !is_qualifier(part)) {
        if !found.add(part) {
            let words = part.split_whitespace();
            if words.filter(|word| found.add(word)).count() == 0 {
                found.others.push(part);
            }
        }
    }
    if found == SerialNumbers::default() {
        // No remark on a number, but all there is: `pending`.
        found
            .others
            .extend(Some(text.trim()).filter(|text| !text.is_empty()));
    }
    found
}

impl SerialNumbers<'_> {
    /// Whether the text is one number, which is then added once.
    fn add(&mut self, text: &str) -> bool {
        let (list, number) = match (isbn(text), issn(text)) {
            (Ok(isbn), _) => (&mut self.isbns, isbn),
            (_, Ok(issn)) => (&mut self.issns, issn),
            _ => return false,
        };
        if !list.contains(&number) {
            list.push(number);
        }
        true
    }
}

/// The canonical form of an ORCID iD in any spelling: `0000-0002-1825-0097`.
pub fn bare_orcid(text: &str) -> Option<String> {
    let signs: Vec<char> = text
        .chars()
        .filter(|c| c.is_ascii_digit() || matches!(c, 'X' | 'x'))
        .collect();
    let groups = signs
        .chunks(4)
        .map(|group| group.iter().collect::<String>());
    (signs.len() == 16).then(|| groups.collect::<Vec<_>>().join("-").to_ascii_uppercase())
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isbns_and_issns_are_canonical_where_they_are_right() {
        assert_eq!(canonical_isbns("0-19-852663-6"), "9780198526636");
        assert_eq!(
            canonical_isbns("0-19-852663-6 (hbk.); 978-0-19-852663-6"),
            "9780198526636"
        );
        assert_eq!(canonical_isbns("not known"), "not known");
        assert_eq!(
            canonical_issns("20493630,1234-5679"),
            "2049-3630, 1234-5679"
        );
    }

    #[test]
    fn serial_numbers_are_found_among_remarks() {
        let check = |text: &str, isbns: &[&str], issns: &[&str], others: &[&str]| {
            let found = serial_numbers(text);
            assert_eq!(found.isbns, isbns, "{text}");
            assert_eq!(found.issns, issns, "{text}");
            assert_eq!(found.others, others, "{text}");
        };
        check(
            "0302-9743 (Print) 1611-3349 (Electronic)",
            &[],
            &["0302-9743", "1611-3349"],
            &[],
        );
        check(
            "print: 2049-3630, online: 20493630",
            &[],
            &["2049-3630"],
            &[],
        );
        check("0-19-852663-6 hbk", &["9780198526636"], &[], &[]);
        check(
            "978 0 19 852663 6; 12345679 (ISSN)",
            &["9780198526636"],
            &["1234-5679"],
            &[],
        );
        check("RAND-12 B", &[], &[], &["RAND-12 B"]);
        check("pending", &[], &[], &["pending"]);
        check("", &[], &[], &[]);
        assert_eq!(canonical_isbns("0-19-852663-6 hbk"), "9780198526636");
        assert_eq!(canonical_issns("print: 2049-3630"), "2049-3630");
    }

    #[test]
    fn numbers_are_under_their_own_variables() {
        let check = |isbn: &str, issn: &str, expected: [&str; 2], wrong: usize| {
            let found = serials(isbn, issn);
            assert_eq!(
                [found.isbn.as_str(), &found.issn],
                expected,
                "{isbn} {issn}"
            );
            assert_eq!(found.wrong.len(), wrong, "{isbn} {issn}");
        };
        check("0378-5955", "", ["", "0378-5955"], 0);
        check(
            "",
            "1935-990X(Electronic);0003-066X(Print)",
            ["", "1935-990X, 0003-066X"],
            0,
        );
        check(
            "0-19-852663-6",
            "20493630",
            ["9780198526636", "2049-3630"],
            0,
        );
        check("pending", "2049-3630", ["pending", "2049-3630"], 1);
        assert_eq!(
            canonical(TextVar::Doi, "doi:10/GF29tr"),
            Some(Ok("10/gf29tr".to_owned()))
        );
    }

    #[test]
    fn wrong_identifiers_are_reported() {
        let wrong = canonical(TextVar::Isbn, "978-0-19-852663-0")
            .unwrap()
            .unwrap_err();
        assert_eq!(wrong.code, "invalid_isbn");
        assert!(wrong.message.contains("9780198526636"));
        assert_eq!(canonical(TextVar::Title, "x"), None);
    }
}
