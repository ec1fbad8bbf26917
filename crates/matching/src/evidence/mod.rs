//! Evidence for and against a record being the work that a reference means. Each field of the record is
//! searched in the text. Text without a counterpart in the record counts too, because an invented title
//! consists of words that the record lacks.

mod comparison;
mod figures;
mod letters;
mod people;
mod place;
mod wording;

use std::ops::Range;

use super::align::FieldAlignment;
use super::normalize::Token;
use super::record::Record;
use super::reference::Reference;
use super::similar;
use super::words;
use comparison::ComparedPair;
pub use wording::Wording;

/// The comparison of one reference with one record.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Whether an identifier or address in the text matches the record's, or contradicts one of the same
    /// kind.
    pub identifier: Agreement,
    /// Whether the text consists of little more than its identifier.
    pub identifier_alone: bool,
    /// The title in the text; without a subtitle in the text, only the part before it.
    pub title: FieldAlignment,
    /// Whether the record's title has a subtitle that the text leaves out.
    pub subtitle_missing: bool,
    /// Whether the text has the beginning of the title word for word, and nothing of the rest.
    pub title_cut_short: bool,
    /// Whether a number of the title (`Part II`, `1999`) is not in the text.
    pub title_number_missing: bool,
    /// The share of the reference's own title, as far as it can be determined, that some field of the
    /// record explains, 0 to 1; 1 if it has no recognisable title.
    pub title_explained: f64,
    /// The place of the title in the text, from the first token to behind the last, whatever the words
    /// there; `None` if it cannot be determined.
    pub title_place: Option<Range<usize>>,
    /// How the words there compare with the title.
    pub title_wording: Wording,
    /// Whether the text names the record only as the container of the cited work: `in` before its title.
    pub is_host: bool,
    /// Whether `in` precedes the container.
    pub container_introduced: bool,
    /// Whether one of the two is a correction, reply or comment and the other is not.
    pub companion_differs: bool,
    pub people: PeopleEvidence,
    pub year: Agreement,
    pub volume: Agreement,
    pub issue: Agreement,
    pub page: Agreement,
    pub last_page: Agreement,
    pub container: FieldAlignment,
    /// The best-matching container of the record.
    pub container_index: Option<usize>,
    /// The container in the text, with adjacent unexplained words; `None` if it is incomplete.
    pub container_place: Option<Range<usize>>,
    pub unexplained: Unexplained,
    /// The share of visibly damaged words in the text, 0 to 1.
    pub damage: f64,
    /// The share of the text's words that are the record's but for misread, lost or joined letters, 0 to 1.
    pub misread: f64,
}

/// How a number of the reference agrees with the record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Agreement {
    /// Neither side has it.
    #[default]
    Absent,
    /// The text has it; 0 to 1 by how well its position fits.
    Equal(f64),
    /// Years one apart, as between first appearance and issue.
    Near,
    /// One character inserted, omitted or replaced.
    Misprint,
    /// The text has a different value.
    Different,
    /// Only the record has it.
    NotGiven,
    /// Only the text has it.
    NotKnown,
}

/// How the names agree.
#[derive(Clone, Debug, Default)]
pub struct PeopleEvidence {
    /// How well the first author of the record is found in the text, 0 to 1.
    pub first: f64,
    /// The share of the record's authors that are found, 0 to 1.
    pub found: f64,
    /// How many authors of the record are found misspelt.
    pub misread: usize,
    /// How many authors of the record are found.
    pub count: usize,
    /// How many authors of the record were looked for.
    pub known: usize,
    /// The share of the names in the text that the record does not have, 0 to 1.
    pub unmatched: f64,
    /// Whether the text names anybody.
    pub given: bool,
    /// Whether the first author of the record is the first one in the text.
    pub leads: bool,
    /// Whether the text names more than one author, or says `et al`.
    pub several: bool,
    /// Whether the text leaves authors out: `et al`.
    pub et_al: bool,
}

/// Content of the text that the record lacks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unexplained {
    /// The weight of the longest row of words, see [`Token::weight`].
    pub longest: f64,
    /// The share of the weight of all words, 0 to 1.
    pub share: f64,
    /// Numbers that are neither dates nor marks of the list.
    pub numbers: usize,
}

/// Compares a reference with a record.
pub fn compare(reference: &Reference, record: &Record) -> Evidence {
    let container_first = ComparedPair::new(reference, record).run(true);
    // If title and container share words, either may take a word that the other needs.
    let contested = container_first.title.share < 1.0 && shares_words(record);
    if !contested {
        return container_first;
    }
    let title_first = ComparedPair::new(reference, record).run(false);
    let value = |e: &Evidence| {
        let whole = |cover: &FieldAlignment| f64::from(u8::from(cover.share > 0.9));
        e.title.share * e.title.weight
            + e.container.share * e.container.weight
            + whole(&e.title)
            + whole(&e.container)
    };
    if is_within(&container_first.container, &title_first.title)
        || value(&title_first) > value(&container_first)
    {
        title_first
    } else {
        container_first
    }
}

/// Whether all container matches are words of a complete title match. A paper on carbon fibres is
/// not therefore in the journal `Carbon`.
fn is_within(container: &FieldAlignment, title: &FieldAlignment) -> bool {
    let of_title: Vec<usize> = title.tokens().collect();
    let mut places = container.tokens().peekable();
    title.share > 0.95 && places.peek().is_some() && places.all(|at| of_title.contains(&at))
}

fn shares_words(record: &Record) -> bool {
    let in_container = |token: &Token| {
        !words::is_function_word(&token.text)
            && record
                .containers
                .iter()
                .flatten()
                .any(|t| t.text == token.text || are_inflected(&t.text, &token.text))
    };
    record.title.iter().any(in_container)
}

/// Whether two long words with the same beginning are so similar that either field may take the other's.
fn are_inflected(a: &str, b: &str) -> bool {
    const MIN_LENGTH: usize = 8;
    const SHARED: usize = 5;
    let is_long = a.len() >= MIN_LENGTH && b.len() >= MIN_LENGTH;
    is_long
        && a.as_bytes().get(..SHARED) == b.as_bytes().get(..SHARED)
        && similar::word_similarity(a, b) > 0.0
}
