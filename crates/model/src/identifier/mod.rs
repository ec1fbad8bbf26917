//! Identifiers of works: each is parsed leniently and stored in one canonical form. [`Identifier::parse`]
//! accepts any of them, and [`input::Input`] any other pasted lookup input.

pub mod address;
mod arxiv;
mod catalogs;
mod doi;
pub mod input;
mod isbn;
mod pubmed;
mod rules;
mod text;

use std::fmt;

pub use text::{form_decode, percent_decode, percent_encode, percent_encode_path};

/// Why a text is not an identifier of the requested kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentifierError {
    /// The text does not contain the expected shape.
    #[error("“{input}” is not {expected}")]
    Shape {
        input: String,
        expected: &'static str,
    },
    /// The shape is correct, but the check digit is wrong.
    #[error("the check digit of “{normalized}” is wrong; {suggestion} would be valid")]
    CheckDigit {
        input: String,
        normalized: String,
        /// The same digits with the correct check digit.
        suggestion: String,
    },
}

fn shape(input: &str, expected: &'static str) -> IdentifierError {
    IdentifierError::Shape {
        input: input.chars().take(100).collect(),
        expected,
    }
}

macro_rules! newtype {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(in crate::identifier) String);

        impl $name {
            /// The canonical form.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

newtype! {
    /// A DOI, bare and in lower case: `10.1038/nature12373`.
    Doi
}
newtype! {
    /// A shortDOI: `10/gfz5mj`. Only doi.org knows which DOI it stands for.
    ShortDoi
}
newtype! {
    /// An ISBN-13 without hyphens. An ISBN-10 is converted.
    Isbn
}
newtype! {
    /// An ISSN with its hyphen: `2049-3630`.
    Issn
}
newtype! {
    /// A PubMed id: digits.
    Pmid
}
newtype! {
    /// A PubMed Central id: `PMC3548812`.
    Pmcid
}
newtype! {
    /// An arXiv id without subject class, with its version if given: `1706.03762`,
    /// `math/0309136v2`.
    ArxivId
}

newtype! {
    /// The id of a work at OpenAlex: `W2741809807`.
    OpenAlexId
}
newtype! {
    /// A Handle that is not a DOI: `1721.1/12345`.
    Handle
}
newtype! {
    /// A publisher item identifier without punctuation, as in Elsevier's addresses:
    /// `S0092867411001279`.
    Pii
}
newtype! {
    /// The number of a record in WorldCat: digits.
    Oclc
}
newtype! {
    /// The id of an edition or a work at Open Library: `OL7353617M`, `OL45883W`.
    OpenLibraryId
}

/// An identifier of any kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Identifier {
    Doi(Doi),
    ShortDoi(ShortDoi),
    Isbn(Isbn),
    Issn(Issn),
    Pmid(Pmid),
    Pmcid(Pmcid),
    Arxiv(ArxivId),
    OpenAlex(OpenAlexId),
    Handle(Handle),
    Pii(Pii),
    Oclc(Oclc),
    OpenLibrary(OpenLibraryId),
}

/// A bare number with at least this many digits may be a PubMed id. Shorter ones are years and pages.
const MIN_BARE_PMID_LENGTH: usize = 5;

impl Identifier {
    /// Parses a text that consists of one identifier of any kind: bare, after the name of its kind, as
    /// `urn:` or `info:`, or in the address of a page about one work. Eight bare digits are an ISSN if its
    /// check digit is correct, otherwise a PubMed id. For an ISBN, or a labelled ISSN, with a wrong check
    /// digit, the error holds the correct number.
    pub fn parse(text: &str) -> Result<Identifier, IdentifierError> {
        if let Some(doi) = Doi::canonical(text) {
            return Ok(Identifier::Doi(doi));
        }
        if text.contains(|c: char| c.is_control() && !c.is_whitespace()) {
            return Err(unknown(text));
        }
        if address::is_address(text)
            && let Some(identifier) = address::identify(text)
        {
            return Ok(identifier);
        }
        if let Some(found) = labelled(text) {
            return found;
        }
        if doi::stands_alone(text) {
            return Doi::parse(text).map(Identifier::Doi);
        }
        if let Ok(short) = ShortDoi::parse(text) {
            return Ok(Identifier::ShortDoi(short));
        }
        match Isbn::parse(text) {
            Ok(isbn) => return Ok(Identifier::Isbn(isbn)),
            Err(fault @ IdentifierError::CheckDigit { .. }) => return Err(fault),
            Err(IdentifierError::Shape { .. }) => {}
        }
        let bare_number = text.trim().bytes().all(|b| b.is_ascii_digit());
        if bare_number && text.trim().len() < MIN_BARE_PMID_LENGTH {
            return Err(unknown(text));
        }
        None.or_else(|| Pmcid::parse(text).ok().map(Identifier::Pmcid))
            .or_else(|| Issn::parse(text).ok().map(Identifier::Issn))
            .or_else(|| ArxivId::parse(text).ok().map(Identifier::Arxiv))
            .or_else(|| Pii::parse(text).ok().map(Identifier::Pii))
            .or_else(|| OpenAlexId::parse(text).ok().map(Identifier::OpenAlex))
            .or_else(|| OpenLibraryId::parse(text).ok().map(Identifier::OpenLibrary))
            .or_else(|| Pmid::parse(text).ok().map(Identifier::Pmid))
            .or_else(|| Handle::parse(text).ok().map(Identifier::Handle))
            .or_else(|| Oclc::parse(text).ok().map(Identifier::Oclc))
            .ok_or_else(|| unknown(text))
    }

    /// The equivalent identifier of the same work: arXiv registers a DOI for each of its ids.
    pub fn twin(&self) -> Option<Identifier> {
        match self {
            Identifier::Arxiv(id) => Some(Identifier::Doi(id.doi())),
            Identifier::Doi(doi) => {
                ArxivId::of_doi(doi).map(|id| Identifier::Arxiv(id.unversioned()))
            }
            _ => None,
        }
    }

    /// Whether a record of a work contains this identifier. The others are known to only one service.
    pub fn is_in_records(&self) -> bool {
        use Identifier::*;
        matches!(
            self,
            Doi(_) | Isbn(_) | Issn(_) | Pmid(_) | Pmcid(_) | Arxiv(_)
        )
    }

    /// `doi`, `shortdoi`, `isbn`, `issn`, `pmid`, `pmcid`, `arxiv`, `openalex`, `handle`, `pii`, `oclc`,
    /// `openlibrary`.
    pub fn kind(&self) -> &'static str {
        match self {
            Identifier::Doi(_) => "doi",
            Identifier::ShortDoi(_) => "shortdoi",
            Identifier::Isbn(_) => "isbn",
            Identifier::Issn(_) => "issn",
            Identifier::Pmid(_) => "pmid",
            Identifier::Pmcid(_) => "pmcid",
            Identifier::Arxiv(_) => "arxiv",
            Identifier::OpenAlex(_) => "openalex",
            Identifier::Handle(_) => "handle",
            Identifier::Pii(_) => "pii",
            Identifier::Oclc(_) => "oclc",
            Identifier::OpenLibrary(_) => "openlibrary",
        }
    }

    /// The canonical form.
    pub fn as_str(&self) -> &str {
        match self {
            Identifier::Doi(id) => id.as_str(),
            Identifier::ShortDoi(id) => id.as_str(),
            Identifier::Isbn(id) => id.as_str(),
            Identifier::Issn(id) => id.as_str(),
            Identifier::Pmid(id) => id.as_str(),
            Identifier::Pmcid(id) => id.as_str(),
            Identifier::Arxiv(id) => id.as_str(),
            Identifier::OpenAlex(id) => id.as_str(),
            Identifier::Handle(id) => id.as_str(),
            Identifier::Pii(id) => id.as_str(),
            Identifier::Oclc(id) => id.as_str(),
            Identifier::OpenLibrary(id) => id.as_str(),
        }
    }

    /// The page about the work, if the identifier has its own page that provides more than the services
    /// queried for it.
    pub fn page(&self) -> Option<String> {
        match self {
            Identifier::Handle(id) => Some(format!(
                "https://hdl.handle.net/{}",
                percent_encode_path(id.as_str())
            )),
            Identifier::Pii(id) => Some(format!(
                "https://www.sciencedirect.com/science/article/pii/{id}"
            )),
            _ => None,
        }
    }
}

/// Parses `urn:isbn:…`, `info:pmid/…`, `hdl:…`, `PMID …`: any form that names its kind.
fn labelled(text: &str) -> Option<Result<Identifier, IdentifierError>> {
    let text = text::strip_invisible(text);
    let lower = text.to_ascii_lowercase();
    let bare = ["urn:", "info:", "info/"]
        .iter()
        .find_map(|scheme| lower.strip_prefix(scheme))
        .unwrap_or(&lower);
    type Read = fn(&str) -> Result<Identifier, IdentifierError>;
    const LABELS: [(&str, Read); 15] = [
        ("pubmed:", |id| Pmid::parse(id).map(Identifier::Pmid)),
        ("pmid", |id| Pmid::parse(id).map(Identifier::Pmid)),
        ("pmcid", |id| pubmed::central(id).map(Identifier::Pmcid)),
        ("issn-l", |id| Issn::parse(id).map(Identifier::Issn)),
        ("issn", |id| Issn::parse(id).map(Identifier::Issn)),
        ("eissn", |id| Issn::parse(id).map(Identifier::Issn)),
        ("arxiv", |id| ArxivId::parse(id).map(Identifier::Arxiv)),
        ("openalex", |id| {
            OpenAlexId::parse(id).map(Identifier::OpenAlex)
        }),
        ("olid", |id| {
            OpenLibraryId::parse(id).map(Identifier::OpenLibrary)
        }),
        ("hdl", handle_or_doi),
        ("handle", handle_or_doi),
        ("pii", |id| Pii::parse(id).map(Identifier::Pii)),
        ("oclcnum", |id| Oclc::parse(id).map(Identifier::Oclc)),
        ("oclc", |id| Oclc::parse(id).map(Identifier::Oclc)),
        ("(ocolc)", |id| Oclc::parse(id).map(Identifier::Oclc)),
    ];
    LABELS.iter().find_map(|(label, read)| {
        let id = bare.strip_prefix(label)?;
        // The label is a whole word: `oclcnum` does not start with the label `oclc`.
        let is_whole = label.ends_with([':', ')']) || !id.starts_with(|c: char| c.is_alphabetic());
        let id = id.trim_start_matches([':', '/', ' ', '.', '\u{a0}']);
        (is_whole && !id.is_empty()).then(|| read(id))
    })
}

/// DOIs are Handles.
fn handle_or_doi(id: &str) -> Result<Identifier, IdentifierError> {
    match Doi::parse(id) {
        Ok(doi) => Ok(Identifier::Doi(doi)),
        Err(_) => Handle::parse(&format!("hdl:{id}")).map(Identifier::Handle),
    }
}

fn unknown(text: &str) -> IdentifierError {
    shape(text, "an identifier that is known here")
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doi(input: &str, expected: &str) {
        assert_eq!(
            Doi::parse(input).map(|d| d.0).unwrap_or_default(),
            expected,
            "{input}"
        );
    }

    /// Found by fuzzing: one invalid sequence prevented the decoding of all others.
    #[test]
    fn dois_are_decoded_all_the_way() {
        doi(
            "<a href=\"https://doi.org/10.5555/ABC.007\">10.5555/ABC.007</a>",
            "10.5555/abc.007",
        );
        doi("10.1000/a%C0b%3Cc", "10.1000/a%c0b<c");
        doi("10.1000/a%252Fb&amp;lt;c", "10.1000/a/b<c");
        doi("10.1000/100%", "10.1000/100%");
        doi("10.1000/%C3%A9x", "10.1000/éx");
        // The first of several.
        doi("https://example.org/10.1000/a;10.1000/b", "10.1000/a");
        doi("10.1000/a(b;c),10.1000/b", "10.1000/a(b;c)");
    }

    /// A leading space forces the slow path for DOIs.
    #[test]
    fn plain_dois_are_read_alike_on_both_ways() {
        for text in [
            "10.1000/abc.1",
            "10.123456789/a",
            "10.1234567890/a",
            "10.123/a",
            "10.1000.10/a",
            "10.1000/",
            "10.1000/a/",
            "10.1000/a.",
            "10.1000/a/full",
            "10.1000/10.2000/b",
            "10.1000/a_b-c/d.e",
            "10.1000/A",
            "10.1101/2020.03.09.983247v1",
            "10.48550/arxiv.1706.03762",
        ] {
            let long = format!(" {text}");
            assert_eq!(Doi::parse(text).ok(), Doi::parse(&long).ok(), "{text}");
            let kinds = [text, &long].map(|text| Identifier::parse(text).ok());
            assert_eq!(kinds[0], kinds[1], "{text}");
        }
    }

    /// Each would take hours if the cost grew with the square of the length.
    #[test]
    fn long_dois_are_read_in_linear_time() {
        let long = |text: &str| text.repeat(1_000_000);
        doi(&format!("10.1000/a{}", long(")")), "10.1000/a");
        doi(&format!("10.1000/a{}", long(".]>")), "10.1000/a");
        doi(&long("10."), "");
        let balanced = format!("10.1000/a{}{}", long("("), long(")"));
        doi(&format!("{balanced}))"), &balanced);
    }

    #[test]
    fn dois_in_every_dress() {
        doi("https://doi.org/10.1000/ABC.1?x=1", "10.1000/abc.1");
        doi("(doi:10.1000/a(1)b).", "10.1000/a(1)b");
        doi("see 10.1000.10/x, and", "10.1000.10/x");
        doi(
            "https://link.example.org/article/10.1007/978-3",
            "10.1007/978-3",
        );
        doi("210.1000/x", "");
        doi("10.12/x", "");
    }

    #[test]
    fn a_wrong_check_digit_is_mended() {
        let error = Isbn::parse("978-0-19-852663-0").unwrap_err();
        let IdentifierError::CheckDigit { suggestion, .. } = error else {
            panic!("{error:?}");
        };
        assert_eq!(
            Isbn::parse(&suggestion).map(|i| i.0),
            Ok("9780198526636".into())
        );
    }

    #[test]
    fn isbn_ten_and_thirteen_are_one() {
        let isbn = Isbn::parse("0-19-852663-6").unwrap();
        assert_eq!(isbn.as_str(), "9780198526636");
        assert_eq!(isbn.isbn10().as_deref(), Some("0198526636"));
    }

    #[test]
    fn bare_numbers_are_told_apart() {
        let kind = |text| Identifier::parse(text).ok().map(|id| id.kind());
        assert_eq!(kind("20493630"), Some("issn"));
        assert_eq!(kind("23903748"), Some("pmid"));
        assert_eq!(kind("1706.03762v2"), Some("arxiv"));
        assert_eq!(kind("PMC3548812"), Some("pmcid"));
        assert_eq!(kind("no such thing"), None);
    }

    #[test]
    fn the_shared_spellings_are_read_right() {
        let Some(path) = citation_testing::suite("data/identifiers.tsv") else {
            return;
        };
        let table = std::fs::read_to_string(path).unwrap();
        let mut wrong = Vec::new();
        for row in table.lines().skip(1) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [input, canonical, kind, ..] = cells[..] else {
                continue;
            };
            let input = input.replace("\\n", "\n");
            let found = match kind {
                "doi" => Doi::parse(&input).ok().map(|id| id.0),
                "shortdoi" => ShortDoi::parse(&input).ok().map(|id| id.0),
                "isbn" => Isbn::parse(&input).ok().map(|id| id.0),
                "issn" => Issn::parse(&input).ok().map(|id| id.0),
                "pmid" => Pmid::parse(&input).ok().map(|id| id.0),
                "pmcid" => Pmcid::parse(&input).ok().map(|id| id.0),
                "arxiv" => ArxivId::parse(&input).ok().map(|id| id.0),
                other => panic!("unknown kind {other}"),
            };
            let expected = (canonical != "invalid").then(|| canonical.to_owned());
            if found != expected {
                wrong.push(format!("{kind} {input:?}: {found:?}, not {expected:?}"));
            }
            if let Some(canonical) = expected {
                let identified = Identifier::parse(&input)
                    .ok()
                    .map(|id| (id.kind(), id.to_string()));
                if identified != Some((kind, canonical)) {
                    wrong.push(format!("identify {input:?}: {identified:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
