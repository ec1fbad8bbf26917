//! Parses pasted lookup input: an identifier, an address, several of them, or text.

use std::fmt;

use super::{Identifier, IdentifierError, Pmid, address, text};

/// The kind of a pasted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Identifier(Identifier),
    /// The address of a page, with its scheme, whose form does not identify a work.
    Url(String),
    /// Two or more identifiers and addresses, and nothing else.
    Several(Vec<Input>),
    /// A number with a wrong check digit; the error holds the correct one.
    Mistyped(IdentifierError),
    /// Words: a reference, a title.
    Text(String),
}

impl Input {
    pub fn parse(text: &str) -> Input {
        match several(text) {
            None => Input::one(text),
            Some(mut inputs) if inputs.len() == 1 => inputs.remove(0),
            Some(inputs) => Input::Several(inputs),
        }
    }

    /// The parts that a text names, each with its words.
    pub fn list(text: &str) -> Vec<(String, Input)> {
        match Input::parse(text) {
            Input::Several(inputs) => inputs.into_iter().map(|i| (i.to_string(), i)).collect(),
            input => vec![(text.to_owned(), input)],
        }
    }

    fn one(given: &str) -> Input {
        match Identifier::parse(given) {
            // An ISSN names a journal, not a work; a number without a hyphen is more likely a PubMed id.
            Ok(Identifier::Issn(issn)) => match Pmid::parse(given) {
                Ok(pmid) if given.trim().len() == pmid.as_str().len() => {
                    Input::Identifier(Identifier::Pmid(pmid))
                }
                _ => Input::Identifier(Identifier::Issn(issn)),
            },
            Ok(identifier) => Input::Identifier(identifier),
            Err(fault @ IdentifierError::CheckDigit { .. }) => Input::Mistyped(fault),
            Err(IdentifierError::Shape { .. }) => match address::page(given) {
                Some(url) => Input::Url(url),
                None => Input::Text(text::strip_invisible(given).into_owned()),
            },
        }
    }

    /// The kind of the identifier, `url`, `several`, `mistyped` or `text`.
    pub fn kind(&self) -> &'static str {
        match self {
            Input::Identifier(identifier) => identifier.kind(),
            Input::Url(_) => "url",
            Input::Several(_) => "several",
            Input::Mistyped(_) => "mistyped",
            Input::Text(_) => "text",
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Input::Text(_))
    }
}

/// The lookup key; several are joined with line breaks.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Identifier(identifier) => identifier.fmt(f),
            Input::Url(text) | Input::Text(text) => f.write_str(text),
            Input::Mistyped(IdentifierError::CheckDigit { normalized, .. }) => {
                f.write_str(normalized)
            }
            Input::Mistyped(IdentifierError::Shape { input, .. }) => f.write_str(input),
            Input::Several(inputs) => {
                for (n, input) in inputs.iter().enumerate() {
                    write!(f, "{}{input}", if n == 0 { "" } else { "\n" })?;
                }
                Ok(())
            }
        }
    }
}

/// Longer texts are not parsed as a list of identifiers, because every way of splitting reads the whole
/// text.
const MAX_LIST_LENGTH: usize = 20_000;

/// Parses identifiers and addresses, without duplicates, if only labels and separators stand between them.
/// They are separated by line breaks, by commas and semicolons, or by white space.
fn several(text: &str) -> Option<Vec<Input>> {
    let text = text.trim();
    if text.len() > MAX_LIST_LENGTH
        || !text.contains(|c: char| is_separator(c) || c.is_whitespace())
    {
        return None;
    }
    let mut inputs = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match by_separators(line).or_else(|| by_words(line)) {
            Some(found) => inputs.extend(found),
            None => inputs.push(Some(Input::one(line)).filter(|input| !input.is_text())?),
        }
    }
    let mut distinct: Vec<Input> = Vec::with_capacity(inputs.len());
    for input in inputs {
        if !distinct.contains(&input) {
            distinct.push(input);
        }
    }
    (!distinct.is_empty()).then_some(distinct)
}

fn is_separator(c: char) -> bool {
    matches!(c, ',' | ';' | '|')
}

fn by_separators(line: &str) -> Option<Vec<Input>> {
    let parts = line
        .split(is_separator)
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let mut inputs = Vec::new();
    for part in parts {
        match Input::one(part) {
            Input::Text(_) => inputs.extend(by_words(part)?),
            input => inputs.push(input),
        }
    }
    (inputs.len() > 1).then_some(inputs)
}

/// Joins words to the preceding label: `PMID: 1 DOI: 10.1000/x`.
fn by_words(line: &str) -> Option<Vec<Input>> {
    let mut inputs = Vec::new();
    let mut label = String::new();
    for word in line.split_whitespace() {
        let bare = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_ascii_lowercase();
        if matches!(bare.as_str(), "" | "and" | "or" | "und" | "et" | "y") {
            continue;
        }
        let is_label = bare.bytes().all(|b| b.is_ascii_alphabetic()) && bare.len() <= 8;
        match Input::one(&format!("{label}{word}")) {
            Input::Text(_) if is_label && label.is_empty() => label = format!("{word} "),
            Input::Text(_) => return None,
            input => {
                inputs.push(input);
                label.clear();
            }
        }
    }
    (label.is_empty() && inputs.len() > 1).then_some(inputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: &str, expected: &str) {
        let input = Input::parse(text);
        assert_eq!(
            (input.kind(), input.to_string().as_str()),
            (kind, expected),
            "{text}"
        );
    }

    #[test]
    fn bare_numbers_and_labels_are_identifiers() {
        check("23903748", "pmid", "23903748");
        check("20493630", "pmid", "20493630");
        check("2049-3630", "issn", "2049-3630");
        check("PMID 7", "pmid", "7");
        check("pmcid: 3548812", "pmcid", "PMC3548812");
        check("info:pmid/23903748", "pmid", "23903748");
        check("urn:issn:2049-3630", "issn", "2049-3630");
        check("urn:doi:10.1000/X", "doi", "10.1000/x");
        check("info:hdl/1721.1/12345", "handle", "1721.1/12345");
        check("hdl:10.1000/x", "doi", "10.1000/x");
        check("info:oclcnum/297222669", "oclc", "297222669");
        check("(OCoLC)297222669", "oclc", "297222669");
        check("W2741809807", "openalex", "W2741809807");
        check("openalex:W2741809807", "openalex", "W2741809807");
        check("S0092-8674(11)00127-9", "pii", "S0092867411001279");
        check("OL7353617M", "openlibrary", "OL7353617M");
        check("arXiv 1706.03762v2", "arxiv", "1706.03762v2");
        check("1706.03762", "arxiv", "1706.03762");
    }

    #[test]
    fn words_years_and_references_are_text() {
        for text in [
            "1984",
            "Nineteen eighty-four",
            "1939-1945",
            "Handle with care",
            "Smith 2001. On rain. doi:10.1000/x",
            "Watson JD, Crick FHC. Nature 1953;171:737-8",
        ] {
            check(text, "text", text);
        }
    }

    #[test]
    fn wrong_digit_is_mended() {
        let Input::Mistyped(IdentifierError::CheckDigit { suggestion, .. }) =
            Input::parse("978-0-7432-7356-6")
        else {
            panic!("not taken for an ISBN");
        };
        assert_eq!(suggestion, "9780743273565");
        check("ISSN 2049-3631", "mistyped", "20493631");
    }

    #[test]
    fn several_in_one_line_are_all_read() {
        check("10.1000/a, 10.1000/b", "several", "10.1000/a\n10.1000/b");
        check("10.1000/a;10.1000/b", "several", "10.1000/a\n10.1000/b");
        check(
            "PMID: 23903748 DOI: 10.1000/a and PMC3548812",
            "several",
            "23903748\n10.1000/a\nPMC3548812",
        );
        check(
            "978-0-7432-7356-5 0198520115",
            "several",
            "9780743273565\n9780198520115",
        );
        check(
            "23903748 23903749\n1706.03762",
            "several",
            "23903748\n23903749\n1706.03762",
        );
        check(
            "https://bbc.com/a https://doi.org/10.1000/x",
            "several",
            "https://bbc.com/a\n10.1000/x",
        );
        check("978 0 7432 7356 5", "isbn", "9780743273565");
        check("10.1000/a 10.1000/A", "doi", "10.1000/a");
        check(
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
            "doi",
            "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2",
        );
    }

    #[test]
    fn doi_without_its_view_is_itself_when_read_again() {
        for address in [
            "https://example.org/o/10.1034/;.pdf",
            "https://example.org/o/10.1034/x;.pdf",
            "https://example.org/o/10.1034/x)/full",
        ] {
            let doi = super::super::Doi::parse(address).unwrap();
            let again = super::super::Doi::parse(&doi.to_string());
            assert_eq!(again, Ok(doi), "{address}");
        }
    }

    #[test]
    fn shorter_forms_of_an_unknown_doi_are_offered() {
        let forms = |text: &str| -> Vec<String> {
            let doi = super::super::Doi::parse(text).unwrap();
            doi.shorter_forms()
                .iter()
                .map(|doi| doi.to_string())
                .collect()
        };
        assert_eq!(
            forms("10.1101/2020.03.09.983247v1.full.pdf"),
            ["10.1101/2020.03.09.983247v1", "10.1101/2020.03.09.983247"]
        );
        assert_eq!(forms("10.1093/nar/gkh381/2380623"), ["10.1093/nar/gkh381"]);
        assert_eq!(forms("10.1000/x&type=printable"), ["10.1000/x"]);
        assert_eq!(forms("10.1000/x;#top"), ["10.1000/x"]);
        assert!(forms("10.1000/x").is_empty());
    }
}
