//! Identifiers of works: each parses leniently and holds one canonical form.

use std::borrow::Cow;
use std::fmt;

/// Why a text is not an identifier of the kind asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentifierError {
    /// Nothing of the expected shape stands in the text.
    #[error("“{input}” is not {expected}")]
    Shape {
        input: String,
        expected: &'static str,
    },
    /// The shape is right, the check digit is wrong.
    #[error("the check digit of “{normalized}” is wrong; {suggestion} would be valid")]
    CheckDigit {
        input: String,
        normalized: String,
        /// The same digits with the check digit mended.
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
        pub struct $name(String);

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
    /// An arXiv id without subject class, with its version where one is named: `1706.03762`,
    /// `math/0309136v2`.
    ArxivId
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
}

impl Identifier {
    /// Reads a text that is an identifier and nothing else, of whichever kind it is. Eight bare
    /// digits are an ISSN where its check digit fits, else a PubMed id.
    pub fn parse(text: &str) -> Option<Identifier> {
        if let Ok(doi) = Doi::parse(text) {
            return Some(Identifier::Doi(doi));
        }
        if let Ok(short) = ShortDoi::parse(text) {
            return Some(Identifier::ShortDoi(short));
        }
        if let Ok(isbn) = Isbn::parse(text) {
            return Some(Identifier::Isbn(isbn));
        }
        if let Ok(pmcid) = Pmcid::parse(text) {
            return Some(Identifier::Pmcid(pmcid));
        }
        if let Ok(issn) = Issn::parse(text) {
            return Some(Identifier::Issn(issn));
        }
        if let Ok(arxiv) = ArxivId::parse(text) {
            return Some(Identifier::Arxiv(arxiv));
        }
        Pmid::parse(text).ok().map(Identifier::Pmid)
    }

    /// The other identifier of the same work: arXiv registers a DOI for each of its ids.
    pub fn twin(&self) -> Option<Identifier> {
        match self {
            Identifier::Arxiv(id) => Some(Identifier::Doi(id.doi())),
            Identifier::Doi(doi) => {
                ArxivId::of_doi(doi).map(|id| Identifier::Arxiv(id.unversioned()))
            }
            _ => None,
        }
    }

    /// `doi`, `shortdoi`, `isbn`, `issn`, `pmid`, `pmcid`, `arxiv`.
    pub fn kind(&self) -> &'static str {
        match self {
            Identifier::Doi(_) => "doi",
            Identifier::ShortDoi(_) => "shortdoi",
            Identifier::Isbn(_) => "isbn",
            Identifier::Issn(_) => "issn",
            Identifier::Pmid(_) => "pmid",
            Identifier::Pmcid(_) => "pmcid",
            Identifier::Arxiv(_) => "arxiv",
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
        }
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Doi {
    /// Reads a DOI bare, behind `doi:`, in any address, percent-encoded or with entities, wrapped
    /// in quotes or brackets, or with sentence punctuation behind it. SICI characters `<>;()[]`
    /// stay. The registrant has four to nine digits, as Crossref's own pattern has it.
    pub fn parse(text: &str) -> Result<Doi, IdentifierError> {
        const EXPECTED: &str = "a DOI: it should look like 10.1038/nature12373";
        let cleaned = strip_invisible(text);
        let in_address = is_address(&cleaned);
        // In an address, a query and a fragment are not part of the DOI; one that is would be
        // percent-encoded.
        let end = cleaned.find(['?', '#']).filter(|_| in_address);
        let cleaned = decode(
            cleaned
                .get(..end.unwrap_or(cleaned.len()))
                .unwrap_or(&cleaned),
        );
        let start = find_registrant(&cleaned).ok_or_else(|| shape(text, EXPECTED))?;
        let rest = cleaned.get(start..).unwrap_or_default();
        let (registrant, suffix) = rest.split_once('/').ok_or_else(|| shape(text, EXPECTED))?;
        // Line breaks creep in behind the slash where a DOI was wrapped.
        let suffix = suffix.trim_start();
        let suffix = suffix
            .split(char::is_whitespace)
            .next()
            .map(trim_suffix)
            .unwrap_or_default();
        if suffix.is_empty() {
            return Err(shape(text, EXPECTED));
        }
        let mut doi = String::with_capacity(registrant.len() + 1 + suffix.len());
        doi.push_str(registrant);
        doi.push('/');
        doi.push_str(suffix);
        doi.make_ascii_lowercase();
        Ok(Doi(doi))
    }

    /// `https://doi.org/…` with the characters encoded that an address cannot hold.
    pub fn url(&self) -> String {
        format!("https://doi.org/{}", percent_encode_path(&self.0))
    }

    /// `10.1038` in `10.1038/nature12373`.
    pub fn registrant(&self) -> &str {
        self.0.split('/').next().unwrap_or_default()
    }
}

/// Finds `10.` + four to nine digits + perhaps further digit groups + `/`.
fn find_registrant(text: &str) -> Option<usize> {
    let mut from = 0;
    // Of a doubled address (`https://doi.org/https://doi.org/10.…`) any hit is the right one,
    // since the address before it has no registrant in it.
    while let Some(found) = text.get(from..)?.find("10.") {
        let start = from + found;
        let before = text.get(..start)?.chars().next_back();
        let free = !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '.');
        let tail = text.get(start + 3..)?;
        // Looked at only where a DOI may begin: `10.10.10.…` is not read anew at each of its parts.
        let digits = || tail.bytes().take_while(u8::is_ascii_digit).count();
        let end = || tail.bytes().find(|b| !b.is_ascii_digit() && *b != b'.');
        if free && (4..=9).contains(&digits()) && end() == Some(b'/') {
            return Some(start);
        }
        from = start + 3;
    }
    None
}

/// Takes sentence punctuation, closing quotes and unbalanced closing brackets off the end.
fn trim_suffix(suffix: &str) -> &str {
    const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];
    // How many closing brackets of each kind have no opening one.
    let mut unbalanced = BRACKETS.map(|(open, close)| {
        let closing = suffix.matches(close).count();
        closing.saturating_sub(suffix.matches(open).count())
    });
    suffix.trim_end_matches(|last| match last {
        '.' | ',' | ';' | ':' | '/' | '"' | '\'' | '”' | '’' | '»' | '“' | '`' | '…' => {
            true
        }
        _ => {
            let kind = BRACKETS.iter().position(|(_, close)| *close == last);
            let left = kind.and_then(|kind| unbalanced.get_mut(kind));
            left.is_some_and(|left| {
                let is_junk = *left > 0;
                *left = left.saturating_sub(1);
                is_junk
            })
        }
    })
}

impl ShortDoi {
    /// Reads `10/abc`, or the short form at the end of a doi.org address.
    pub fn parse(text: &str) -> Result<ShortDoi, IdentifierError> {
        const EXPECTED: &str = "a shortDOI: it should look like 10/gfz5mj";
        let cleaned = strip_invisible(text).to_ascii_lowercase();
        let after_host = ["https://", "http://"]
            .iter()
            .find_map(|scheme| cleaned.strip_prefix(scheme))
            .unwrap_or(&cleaned);
        let after_host = ["doi.org/", "dx.doi.org/", "www.doi.org/"]
            .iter()
            .find_map(|host| after_host.strip_prefix(host));
        let bare = after_host.unwrap_or(cleaned.strip_prefix("doi:").unwrap_or(&cleaned).trim());
        let code = match bare.strip_prefix("10/") {
            Some(code) => code,
            None if after_host.is_some() => bare,
            None => return Err(shape(text, EXPECTED)),
        };
        let valid =
            (3..=16).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric());
        valid
            .then(|| ShortDoi(format!("10/{code}")))
            .ok_or_else(|| shape(text, EXPECTED))
    }
}

impl Isbn {
    /// Reads an ISBN-10 or ISBN-13 with any hyphens or spaces, behind `ISBN`, `eISBN`, `urn:isbn:`
    /// or in an address, with a qualifier in brackets behind it; the check digit must be right.
    /// 979-0 is refused: those are ISMNs.
    pub fn parse(text: &str) -> Result<Isbn, IdentifierError> {
        const EXPECTED: &str = "an ISBN: it has 10 or 13 digits, as in 978-0-19-852663-6";
        let digits = isbn_digits(text).ok_or_else(|| shape(text, EXPECTED))?;
        match digits.len() {
            10 => {
                let check = isbn10_check(&digits[..9]);
                if digits.as_bytes()[9] == check {
                    Ok(Isbn(isbn13_from_body(&format!("978{}", &digits[..9]))))
                } else {
                    Err(check_digit_error(text, &digits, 9, check))
                }
            }
            13 if digits.starts_with("978") || digits.starts_with("979") => {
                if digits.starts_with("9790") {
                    return Err(shape(
                        text,
                        "an ISBN: 979-0 begins the number of printed music (ISMN)",
                    ));
                }
                let check = ean13_check(&digits[..12]);
                if digits.as_bytes()[12] == check {
                    Ok(Isbn(digits))
                } else {
                    Err(check_digit_error(text, &digits, 12, check))
                }
            }
            _ => Err(shape(text, EXPECTED)),
        }
    }

    /// The ISBN-10, which only a 978 number has.
    pub fn isbn10(&self) -> Option<String> {
        let body = self.0.strip_prefix("978")?.get(..9)?;
        Some(format!("{body}{}", char::from(isbn10_check(body))))
    }
}

fn check_digit_error(input: &str, digits: &str, at: usize, check: u8) -> IdentifierError {
    let mut suggestion = digits[..at].to_owned();
    suggestion.push(char::from(check));
    IdentifierError::CheckDigit {
        input: input.chars().take(100).collect(),
        normalized: digits.to_owned(),
        suggestion,
    }
}

/// The bare digits (and a closing X) of an ISBN in whatever dress; nothing where the text holds
/// anything else.
fn isbn_digits(text: &str) -> Option<String> {
    let text = fold_digits(&strip_invisible(text)).to_ascii_lowercase();
    let text = match text.rfind("isbn/") {
        Some(at) => text.get(at + 5..)?.split(['/', '?', '#']).next()?,
        None => text.as_str(),
    };
    let text = text.trim().strip_prefix("urn:").unwrap_or(text.trim());
    let text = match text.find("isbn") {
        Some(at) if at <= 1 => {
            let rest = text.get(at + 4..)?;
            let numbered = rest.trim_start_matches('-');
            ["10", "13"]
                .iter()
                .find_map(|length| numbered.strip_prefix(length))
                .filter(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
                .unwrap_or(rest)
        }
        _ => text,
    };
    let text = text.trim_start_matches([':', ' ', '-']);
    let text = text
        .split('(')
        .next()?
        .trim()
        .trim_end_matches(['.', ',', ';']);
    let mut digits = String::with_capacity(13);
    for c in text.chars() {
        match c {
            '0'..='9' => digits.push(c),
            'x' if digits.len() == 9 => digits.push('X'),
            _ if is_hyphen(c) || c.is_whitespace() => {}
            _ => return None,
        }
    }
    // X stands for ten and can only close an ISBN-10.
    if digits.contains('X') && digits.len() != 10 {
        return None;
    }
    matches!(digits.len(), 10 | 13).then_some(digits)
}

fn is_hyphen(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'
            ..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{ad}'
    )
}

fn isbn10_check(body: &str) -> u8 {
    let sum: u32 = body
        .bytes()
        .zip((2..=10).rev())
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    match (11 - sum % 11) % 11 {
        10 => b'X',
        digit => b'0' + digit as u8,
    }
}

fn ean13_check(body: &str) -> u8 {
    let sum: u32 = body
        .bytes()
        .zip([1, 3].into_iter().cycle())
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    b'0' + ((10 - sum % 10) % 10) as u8
}

fn isbn13_from_body(body: &str) -> String {
    format!("{body}{}", char::from(ean13_check(body)))
}

impl Issn {
    /// Reads an ISSN with or without hyphen and prefix; the check digit must be right.
    pub fn parse(text: &str) -> Result<Issn, IdentifierError> {
        const EXPECTED: &str = "an ISSN: it has eight digits, as in 2049-3630";
        let folded = fold_digits(&strip_invisible(text)).to_ascii_uppercase();
        let bare = folded
            .rsplit(['/', ':'])
            .next()
            .unwrap_or_default()
            .trim()
            .trim_start_matches(|c: char| c.is_ascii_alphabetic() && c != 'X')
            .trim()
            .trim_end_matches('.');
        let digits: String = bare.chars().filter(|c| !is_hyphen(*c)).collect();
        let bytes = digits.as_bytes();
        let well_formed = bytes.len() == 8
            && bytes[..7].iter().all(u8::is_ascii_digit)
            && (bytes[7].is_ascii_digit() || bytes[7] == b'X');
        if !well_formed {
            return Err(shape(text, EXPECTED));
        }
        let sum: u32 = bytes[..7]
            .iter()
            .zip((2..=8).rev())
            .map(|(digit, weight)| u32::from(digit - b'0') * weight)
            .sum();
        let check = match (11 - sum % 11) % 11 {
            10 => b'X',
            digit => b'0' + digit as u8,
        };
        if bytes[7] == check {
            Ok(Issn(format!("{}-{}", &digits[..4], &digits[4..])))
        } else {
            Err(check_digit_error(text, &digits, 7, check))
        }
    }
}

impl Pmid {
    /// Reads digits, alone, behind `PMID:` or in a PubMed address.
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
    /// Reads `PMC` and digits, alone, behind `PMCID:` or in an address.
    pub fn parse(text: &str) -> Result<Pmcid, IdentifierError> {
        let lower = strip_invisible(text).to_ascii_lowercase();
        let bare = lower
            .rfind("pmc")
            .filter(|at| !lower[*at..].starts_with("pmcid"))
            .and_then(|at| lower.get(at + 3..))
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

/// What the DOIs begin with that arXiv registers.
const ARXIV_DOI: &str = "10.48550/arxiv.";

impl ArxivId {
    /// Reads a new (`1706.03762`) or old (`hep-th/9711200`) id, behind `arXiv:` or in an address;
    /// the subject class is dropped.
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

    /// The id without the version: what names the work, of which all versions are states.
    pub fn unversioned(&self) -> ArxivId {
        ArxivId(split_version(&self.0).0.to_owned())
    }

    /// The DOI that arXiv registers for the work at DataCite.
    pub fn doi(&self) -> Doi {
        Doi(format!("{ARXIV_DOI}{}", split_version(&self.0).0))
    }

    /// The id that a DOI stands for that arXiv registered.
    pub fn of_doi(doi: &Doi) -> Option<ArxivId> {
        let registered = doi.as_str().starts_with(ARXIV_DOI);
        registered.then(|| ArxivId::parse(doi.as_str()).ok())?
    }
}

/// `hep-th/9711200` and `v3` of `hep-th/9711200v3`; the version may be empty.
fn split_version(text: &str) -> (&str, &str) {
    match text.rfind('v') {
        Some(at) if at + 1 < text.len() && text[at + 1..].bytes().all(|b| b.is_ascii_digit()) => {
            text.split_at(at)
        }
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

/// `hep-th/9711200`: archive, perhaps `.` and a subject class, then seven digits.
fn old_arxiv_id(text: &str) -> Option<String> {
    let (archive, number) = text.split_once('/')?;
    let archive = archive.split('.').next()?;
    let valid = (2..=12).contains(&archive.len())
        && archive.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        && number.len() == 7
        && number.bytes().all(|b| b.is_ascii_digit());
    valid.then(|| format!("{archive}/{number}"))
}

/// Drops what cannot be seen (marks of direction, joiners, byte order mark) and outer white space.
fn strip_invisible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.trim().into();
    }
    let visible: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}'))
        .collect();
    visible.trim().to_owned().into()
}

/// Full-width digits and letters to ASCII.
fn fold_digits(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            _ => c,
        })
        .collect()
}

fn is_address(text: &str) -> bool {
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    ["http://", "https://", "dx.doi.org/", "doi.org/", "www."]
        .iter()
        .any(|prefix| {
            start
                .get(..prefix.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
        })
        || text
            .get(.."doi:http".len())
            .is_some_and(|head| head.eq_ignore_ascii_case("doi:http"))
}

/// Decodes `%XX` and entities until nothing is left to decode; what has passed through several
/// programs is often encoded more than once.
fn decode(text: &str) -> Cow<'_, str> {
    const MOST_ROUNDS: usize = 4;
    let mut decoded = Cow::Borrowed(text);
    for _ in 0..MOST_ROUNDS {
        if !decoded.contains(['%', '&']) {
            break;
        }
        let next = decode_entities(&percent_decode(&decoded));
        if next == decoded {
            break;
        }
        decoded = next.into();
    }
    decoded
}

/// Decodes `%XX`; sequences that are not UTF-8 stay as they are.
pub fn percent_decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('%') {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let bytes: Vec<u8> = from.as_bytes().chunks(3).map_while(encoded_byte).collect();
        let (sequence, after) = from.split_at((bytes.len() * 3).max(1));
        match String::from_utf8(bytes) {
            Ok(decoded) if !decoded.is_empty() => out.push_str(&decoded),
            _ => out.push_str(sequence),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The byte that `%XX` stands for.
fn encoded_byte(text: &[u8]) -> Option<u8> {
    let [b'%', high, low] = text else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(*high)? * 16 + digit(*low)?) as u8)
}

/// Encodes what the path of an address cannot hold; slashes stay.
pub fn percent_encode_path(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'-' | b'.'
                    | b'_'
                    | b'~'
                    | b'/'
                    | b'('
                    | b')'
                    | b':'
                    | b';'
                    | b','
                    | b'!'
                    | b'*'
                    | b'@'
                    | b'='
                    | b'$'
                    | b'+'
            );
        if plain {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

fn decode_entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&amp;", "&")
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

    /// Found by fuzzing: one broken sequence kept all others from being decoded.
    #[test]
    fn dois_are_decoded_all_the_way() {
        doi("10.1000/a%C0b%3Cc", "10.1000/a%c0b<c");
        doi("10.1000/a%252Fb&amp;lt;c", "10.1000/a/b<c");
        doi("10.1000/100%", "10.1000/100%");
        doi("10.1000/%C3%A9x", "10.1000/éx");
    }

    /// Each would take hours if the work grew with the square of the length.
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
        let kind = |text| Identifier::parse(text).map(|id| id.kind());
        assert_eq!(kind("20493630"), Some("issn"));
        assert_eq!(kind("23903748"), Some("pmid"));
        assert_eq!(kind("1706.03762v2"), Some("arxiv"));
        assert_eq!(kind("PMC3548812"), Some("pmcid"));
        assert_eq!(kind("no such thing"), None);
    }

    #[test]
    fn the_shared_spellings_are_read_right() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../../shared/data/identifiers.tsv");
        let Ok(table) = std::fs::read_to_string(&path) else {
            eprintln!("skipped: {} is absent", path.display());
            return;
        };
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
                let identified = Identifier::parse(&input).map(|id| (id.kind(), id.to_string()));
                if identified != Some((kind, canonical)) {
                    wrong.push(format!("identify {input:?}: {identified:?}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
