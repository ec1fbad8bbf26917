//! The lines of a pasted text, classified one by one.

use std::ops::Range;

use citation_model::budget::{Budget, Exceeded};
use citation_model::lists::{phrases, words};

use crate::normalize::fold;
use crate::reference::{Reference, Role, cut};

/// One line of the input.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Without trailing white space.
    pub text: &'a str,
    /// The byte range in the input.
    pub span: Range<usize>,
}

/// The maximum bytes of a reference searched for its authors.
pub const HEAD: usize = 200;

/// The cost of classifying a line, in steps: its start is parsed for names a few times.
const LINE_STEPS: u64 = 400;

/// Splits a text into lines, at the usual line ends and at those of other systems, old printers and
/// Unicode. Spends the cost of classifying each.
pub fn lines<'a>(text: &'a str, budget: &Budget) -> Result<Vec<Line<'a>>, Exceeded> {
    budget.spend(text.len() as u64 / 8 + 1)?;
    let mut lines = Vec::new();
    let mut start = 0;
    while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
        let end = rest.find(is_line_end).unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or_default().trim_end();
        // A growing list briefly exists twice, with up to twice the capacity.
        budget.spend_bytes(3 * size_of::<Line>())?;
        budget.spend(if line.is_empty() {
            1
        } else {
            LINE_STEPS + line.len() as u64 / 2
        })?;
        lines.push(Line {
            text: line,
            span: start..start + line.len(),
        });
        let behind = rest.get(end..).unwrap_or_default();
        let length = match behind.strip_prefix("\r\n") {
            Some(_) => 2,
            None => behind.chars().next().map_or(0, char::len_utf8),
        };
        start += end + length;
    }
    Ok(lines)
}

/// The first line of a separate text.
pub fn first(text: &str) -> Line<'_> {
    let text = text.split(is_line_end).next().unwrap_or_default();
    Line {
        text: text.trim_end(),
        span: 0..text.trim_end().len(),
    }
}

fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

impl Line<'_> {
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    pub fn is_indented(&self) -> bool {
        self.text.starts_with([' ', '\t', '\u{a0}', '\u{3000}'])
    }

    /// Whether the line names the list (`References`, `Literaturverzeichnis:`), or is a LaTeX
    /// command that opens or closes it.
    pub fn is_heading(&self) -> bool {
        const MAX_LENGTH: usize = 200;
        let trimmed = self.text.trim();
        if trimmed.len() > MAX_LENGTH {
            return false;
        }
        if ["\\begin{", "\\end{", "\\section", "\\chapter"]
            .iter()
            .any(|command| trimmed.starts_with(command))
        {
            return true;
        }
        let framed = |c: char| c.is_whitespace() || "#*=-_:：.．。【】〔〕〈〉《》[]".contains(c);
        let bare = trimmed.trim_matches(framed);
        let bare = without_continuation(bare).trim_matches(framed);
        let bare = bare.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
        is_list_name(&fold(bare))
    }

    /// Whether the line is the caption of another part of a document: `Appendix A. Survey`,
    /// `Table A1. Means`, `Figure 3`.
    pub fn is_caption(&self) -> bool {
        let trimmed = self.text.trim();
        let Some((word, rest)) = trimmed.split_once(char::is_whitespace) else {
            return is_part(&fold(trimmed));
        };
        let label: &str = rest
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        let behind = rest.get(label.len()..).unwrap_or_default();
        let letters = label.chars().filter(|c| c.is_alphabetic()).count();
        let is_label =
            !label.is_empty() && (letters <= 1 || label.chars().all(|c| "IVX".contains(c)));
        word.ends_with(|c: char| c.is_alphabetic() || c == '.')
            && is_part(&fold(word))
            && is_label
            && (behind.is_empty() || behind.starts_with(['.', ':', ')', ' ', '–', '-', '—', '|']))
    }

    /// Whether it may be the heading of a part of the list: a few words without a number, name or
    /// identifier.
    pub fn is_title(&self) -> bool {
        const MAX_WORDS: usize = 8;
        self.text.split_whitespace().count() <= MAX_WORDS
            && !self.has_digit()
            && !self.has_identifier()
            && !self.text.ends_with([',', ';', '-'])
            && self.may_begin()
            && !self.is_indented()
            && !self.has_head()
    }

    /// Whether the line is only a page number.
    pub fn is_page(&self) -> bool {
        let bare = self
            .text
            .trim()
            .trim_matches(['-', '–', '—', '|', '[', ']', ' ']);
        (1..=4).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_digit())
    }

    /// Whether the line may begin a reference: a capital, a digit, a quotation mark, a script
    /// without capitals, a name particle or an identifier.
    pub fn may_begin(&self) -> bool {
        let trimmed = self.text.trim_start();
        starts_with_particle(trimmed)
            || starts_with_identifier(trimmed)
            || after_dashes(trimmed).is_some()
            || trimmed.chars().next().is_some_and(|c| {
                (!c.is_lowercase() || is_camel(trimmed))
                    && (c.is_alphanumeric()
                        || matches!(
                            c,
                            '“' | '"' | '«' | '„' | '[' | '「' | '『' | '《' | '‘' | '\''
                        ))
            })
    }

    /// Whether the line ends like a reference: with a full stop that does not belong to an
    /// abbreviation, with a number, or with an address.
    pub fn is_ended(&self) -> bool {
        let line = self.text.trim_end();
        let last_word = line.split_whitespace().next_back().unwrap_or_default();
        let bare = last_word.trim_end_matches(['.', ')', ']', '”', '"', '»', '。']);
        let stopped = line.ends_with(['.', '。', ')', ']']) && bare.chars().count() > 2;
        let number = bare.ends_with(|c: char| c.is_ascii_digit())
            && !last_word.ends_with([',', ':', ';', '-']);
        is_address(last_word) || stopped || number
    }

    /// Whether the end of the line shows that the text continues.
    pub fn goes_on(&self) -> bool {
        let line = self.text.trim_end();
        let last_word = line.split_whitespace().next_back().unwrap_or_default();
        line.ends_with([
            '-', '‐', '–', '—', ',', '，', '、', ':', '/', '(', '[', '&', '“', '«',
        ]) || OPEN_ENDS.contains(&last_word)
    }

    /// Whether the start of the line shows that it continues the text before.
    pub fn continues(&self) -> bool {
        let trimmed = self.text.trim_start();
        let first = trimmed.split_whitespace().next().unwrap_or_default();
        let word = first.trim_end_matches([':', '.', ',']);
        let is_name = starts_with_particle(trimmed) && self.has_head();
        let may_be_small = is_name || is_camel(trimmed) || starts_with_identifier(trimmed);
        let lowercase = trimmed.starts_with(char::is_lowercase) && !may_be_small;
        lowercase
            || trimmed.starts_with([',', '.', ';', ':', ')', ']', '–', '&', '/'])
            || TAILS.contains(&fold(word).as_str())
    }

    /// Whether it begins with names (`Berg, J.`, `Berg JP,`, `J. P. Berg`) or with dashes in place
    /// of them.
    pub fn has_head(&self) -> bool {
        let line = self.text.trim_start();
        after_dashes(line).is_some() || has_names(line)
    }

    /// Whether it begins like a reference: with names, or with any author before a year in
    /// brackets.
    pub fn begins_reference(&self) -> bool {
        self.has_head() || before_year(self.text.trim_start()).is_some()
    }

    /// Whether it has a possible year, or a word in place of one.
    pub fn has_year(&self) -> bool {
        has_year(self.text)
    }

    pub fn has_digit(&self) -> bool {
        self.text.contains(|c: char| c.is_numeric())
    }

    pub fn has_identifier(&self) -> bool {
        has_identifier(self.text)
    }

    /// The kind of identifier or address, if the line consists of one.
    pub fn bare_identifier(&self) -> Option<IdentifierKind> {
        let line = self.text.trim().to_ascii_lowercase();
        let line = line.trim_matches(['<', '>', '.', ',', ';']);
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let second = words.next();
        if words.next().is_some() && !first.starts_with("isbn") {
            return None;
        }
        let kind = kind_of(first)?;
        let label = matches!(
            first.trim_end_matches(':'),
            "doi" | "arxiv" | "pmid" | "pmcid" | "isbn" | "isbn-13" | "isbn-10" | "url"
        );
        let fits = match second {
            Some(second) if label => {
                second.contains(|c: char| c.is_ascii_digit()) || kind_of(second).is_some()
            }
            Some(second) => second.starts_with('[') || kind == IdentifierKind::Isbn,
            None => !label,
        };
        fits.then_some(kind)
    }

    /// The kinds of the identifiers that the line consists of; empty if it has any other text.
    pub fn identifiers(&self) -> Vec<IdentifierKind> {
        match self.bare_identifier() {
            Some(kind) => vec![kind],
            None => identifier_starts(self.text)
                .into_iter()
                .map(|(_, kind)| kind)
                .collect(),
        }
    }

    /// Whether it names the identifier that follows, or is an address: references end like this.
    pub fn names_identifier(&self) -> bool {
        self.text
            .trim_start()
            .starts_with(|c: char| c.is_alphabetic() || c == '<')
    }

    /// Whether it begins with the label of a link: `URL: https://example.org/`.
    pub fn announces_link(&self) -> bool {
        let first = self.text.split_whitespace().next().unwrap_or_default();
        fold(first.trim_end_matches(':')) == "url"
    }

    /// Whether it contains an identifier of this kind.
    pub fn holds(&self, kind: IdentifierKind) -> bool {
        let mut words = self.text.split_whitespace();
        kind != IdentifierKind::Address && words.any(|word| kind_of(&bare_word(word)) == Some(kind))
    }

    /// Whether it consists of names only: the line of authors above a title.
    pub fn is_names(&self) -> bool {
        let reference = Reference::parse(cut(self.text, HEAD));
        let is_name = |at: usize| {
            let joins = reference.token(at).is_some_and(|token| token.text == "and");
            matches!(reference.role(at), Role::Name | Role::Marker) || joins
        };
        !reference.names.is_empty() && (0..reference.tokens.len()).all(is_name)
    }

    /// Whether the line is only the end of a reference: a number or two and hardly any words.
    pub fn is_fragment(&self) -> bool {
        if !self.has_digit() || self.has_identifier() || !self.text.is_ascii() {
            return false;
        }
        let is_long = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() >= 3;
        self.text.split_whitespace().filter(is_long).count() < 2
    }
}

/// The identifier kind of a line that consists of identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentifierKind {
    Doi,
    Arxiv,
    Pmid,
    Isbn,
    Address,
}

/// The start and kind of each identifier, if the line consists of at least two and separators;
/// otherwise empty.
pub fn identifier_starts(text: &str) -> Vec<(usize, IdentifierKind)> {
    const MAX_LENGTH: usize = 2_000;
    let mut starts: Vec<(usize, IdentifierKind)> = Vec::new();
    let mut announced: Option<usize> = None;
    if text.len() > MAX_LENGTH || !text.contains(|c: char| c.is_ascii_digit()) {
        return starts;
    }
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';')) {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let bare = bare_word(word);
        let is_label = matches!(
            bare.trim_end_matches(':'),
            "doi" | "arxiv" | "pmid" | "pmcid" | "isbn" | "isbn-13" | "isbn-10" | "url"
        );
        match kind_of(&bare) {
            _ if bare.is_empty() || matches!(bare.as_str(), "and" | "&") => {}
            Some(_) if is_label => announced = Some(at),
            Some(kind) => starts.push((announced.take().unwrap_or(at), kind)),
            // A short number is an identifier only behind its label.
            None if bare.bytes().all(|b| b.is_ascii_digit()) => match announced.take() {
                Some(at) => starts.push((at, IdentifierKind::Pmid)),
                None => return Vec::new(),
            },
            None => return Vec::new(),
        }
    }
    if starts.len() > 1 && announced.is_none() {
        starts
    } else {
        Vec::new()
    }
}

/// A word in lower case without the punctuation around identifiers.
fn bare_word(word: &str) -> String {
    let bare = word.trim_matches(['<', '>', '.', ',', ';', '(', ')', '[', ']']);
    bare.to_ascii_lowercase()
}

/// The kind of identifier that a lower-case word is or announces.
fn kind_of(word: &str) -> Option<IdentifierKind> {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_number = word
        .bytes()
        .all(|b| b.is_ascii_digit() || b == b'-' || b == b'x');
    let has_doi = word.contains("10.") && word.contains('/');
    if word.starts_with("http") || word.starts_with("www.") || word.starts_with("url") {
        return Some(match () {
            () if word.contains("arxiv.org/") => IdentifierKind::Arxiv,
            () if has_doi => IdentifierKind::Doi,
            () => IdentifierKind::Address,
        });
    }
    match word {
        _ if word.starts_with("doi") || (word.starts_with("10.") && has_doi) => {
            Some(IdentifierKind::Doi)
        }
        _ if word.starts_with("arxiv") => Some(IdentifierKind::Arxiv),
        _ if word.starts_with("pmid") || word.starts_with("pmc") => Some(IdentifierKind::Pmid),
        _ if word.starts_with("isbn") => Some(IdentifierKind::Isbn),
        _ if is_number && matches!(digits, 9 | 10 | 13) => Some(IdentifierKind::Isbn),
        _ if digits == word.len() && matches!(digits, 7 | 8) => Some(IdentifierKind::Pmid),
        _ if is_arxiv_number(word) => Some(IdentifierKind::Arxiv),
        _ => None,
    }
}

/// `2001.01234`, optionally with a version.
fn is_arxiv_number(word: &str) -> bool {
    let Some((month, rest)) = word.split_once('.') else {
        return false;
    };
    let number = rest.split('v').next().unwrap_or_default();
    let are_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    month.len() == 4 && matches!(number.len(), 4 | 5) && are_digits(month) && are_digits(number)
}

/// Words that never end a line that is complete by itself.
const OPEN_ENDS: [&str; 43] = [
    "of", "the", "a", "an", "and", "or", "in", "on", "for", "to", "with", "by", "from", "at", "as",
    "und", "der", "die", "das", "des", "dem", "den", "von", "für", "im", "zur", "zum", "et", "la",
    "le", "les", "du", "de", "del", "della", "y", "el", "vol.", "Vol.", "pp.", "no.", "No.", "In:",
];

/// Folded words that begin additions at the end of a reference.
const TAILS: [&str; 18] = words(
    "accessed available retrieved epub abgerufen zugriff verfugbar consulte consultado \
     disponible recuperado visited url pp vol doi pmid pmcid",
);

/// Whether a text begins with a name particle as written at the start of a line.
fn starts_with_particle(text: &str) -> bool {
    [
        "van ", "von ", "de ", "d'", "d’", "del ", "della ", "di ", "da ", "le ", "la ", "ten ",
        "ter ", "el-", "al-", "'t ", "dos ", "du ", "zu ",
    ]
    .iter()
    .any(|particle| text.starts_with(particle))
}

/// `eLife`, `iPhone`.
fn is_camel(text: &str) -> bool {
    text.chars().nth(1).is_some_and(char::is_uppercase)
}

fn starts_with_identifier(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    kind_of(&first.to_ascii_lowercase()).is_some()
}

/// Whether a word is an address or a DOI.
pub fn is_address(word: &str) -> bool {
    let doi = word.find("10.").is_some_and(|at| {
        let behind = word.get(at + 3..).unwrap_or_default();
        behind.starts_with(|c: char| c.is_ascii_digit()) && behind.contains('/')
    });
    word.contains("://") || doi || word.starts_with("10.") || word.contains("doi")
}

pub fn has_identifier(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["://", "www.", "doi:", "arxiv", "pmid", "pmc", "isbn"]
        .iter()
        .any(|sign| lower.contains(sign))
        || lower
            .split_whitespace()
            .any(|word| is_address(word) && word.contains("10."))
}

/// Whether a text begins with names.
pub fn has_names(text: &str) -> bool {
    !Reference::parse(cut(text, HEAD)).names.is_empty()
}

pub fn has_year(text: &str) -> bool {
    let digits = text.split(|c: char| !c.is_ascii_digit());
    let is_year =
        |run: &str| run.len() == 4 && run.parse().is_ok_and(|n: u32| (1400..=2100).contains(&n));
    digits.into_iter().any(is_year)
        || ["(n.d.", "in press", "forthcoming"]
            .iter()
            .any(|w| text.contains(w))
}

/// The text before a year in brackets at the start, as in the style of American psychologists:
/// `World Health Organization. (2010)`.
pub fn before_year(text: &str) -> Option<&str> {
    const MAX_LENGTH: usize = 160;
    let open = cut(text, MAX_LENGTH).find('(')?;
    let (before, behind) = (text.get(..open)?, text.get(open + 1..)?);
    let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
    let closed = behind
        .get(digits..)?
        .trim_start_matches(|c: char| c.is_ascii_lowercase())
        .starts_with([')', ',']);
    let plain = before.starts_with(char::is_uppercase)
        && before.ends_with(' ')
        && !before.contains(|c: char| c.is_ascii_digit());
    (digits == 4 && closed && plain && has_year(behind.get(..4)?)).then_some(before)
}

/// The text behind two or more dashes at the start.
pub fn after_dashes(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(['—', '–', '―', '-', '_']);
    let dashes = text.get(..text.len() - rest.len())?.chars().count();
    (dashes >= 2 && rest.starts_with(['.', ',', ' ', ':', '('])).then_some(rest)
}

/// A heading without `(continued)`.
fn without_continuation(text: &str) -> &str {
    let Some((before, tail)) = text.split_once(['(', '（']) else {
        return text;
    };
    let tail = fold(tail);
    let continued = ["cont", "fortsetzung", "suite", "seguito", "vervolg", "続"];
    if continued.iter().any(|word| tail.starts_with(word)) {
        before
    } else {
        text
    }
}

/// Whether a folded word names a part of a document other than the list of references.
fn is_part(word: &str) -> bool {
    const WORDS: [&str; 21] = words(
        "appendix appendices annex annexe anhang anexo allegato bijlage table tabelle tableau \
         tabla tabella tabel figure fig abbildung abb figura supplementary supplement",
    );
    WORDS.contains(&word)
}

/// Whether a folded line is a usual heading of a list of references.
fn is_list_name(folded: &str) -> bool {
    const NAMES: [&str; 44] = phrases(
        "references|reference|reference list|list of references|references cited|\
         cited references|bibliography|selected bibliography|works cited|works consulted|\
         literature cited|literature|cited works|cited literature|sources|primary sources|\
         secondary sources|further reading|notes and references|references and notes|literatur|\
         literaturverzeichnis|literaturangaben|quellen|quellenverzeichnis|bibliographie|\
         bibliografie|references bibliographiques|ouvrages cites|bibliografia|referencias|\
         referencias bibliograficas|riferimenti bibliografici|literatuur|literatuurlijst|\
         literatura|referenser|litteratur|参考文献|参考資料|参考资料|引用文献|\
         spisok literatury|literature tsitirovannaya",
    );
    NAMES.contains(&folded)
}
