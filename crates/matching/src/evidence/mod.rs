//! What speaks for and against a record being the work that a reference means. Each field of the
//! record is looked for in the text; what the text says beyond the record counts as well, for an
//! invented title is made of words that the record does not have.

mod comparison;
mod figures;
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
use comparison::Comparison;
pub use wording::Wording;

/// The comparison of one reference with one record.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Whether an identifier or an address in the text is the record's, or the record has another of
    /// that kind.
    pub identifier: Agreement,
    /// Whether the text says hardly anything beside its identifier.
    pub identifier_alone: bool,
    /// The title in the text; where the text has no subtitle, what stands before it.
    pub title: FieldAlignment,
    /// Whether the record's title has a subtitle that the text leaves out.
    pub subtitle_missing: bool,
    /// Whether the text has the beginning of the title word for word, and nothing of the rest.
    pub title_cut_short: bool,
    /// Whether words that the record does not explain stand right before or right behind the
    /// title, with no punctuation between.
    pub title_goes_on: bool,
    /// Whether a number of the title (`Part II`, `1999`) is not in the text.
    pub title_number_missing: bool,
    /// The share of the reference's own title, as far as it can be told, that some field of the
    /// record explains, 0 to 1; 1 where no title can be told.
    pub title_explained: f64,
    /// Where the text has the title, from the first to behind the last token, whatever stands there;
    /// nothing where that cannot be told.
    pub title_place: Option<Range<usize>>,
    /// How what stands there compares with the title. The score does not use it.
    pub title_wording: Wording,
    /// Whether one of the two is a correction, reply or comment and the other is not.
    pub companion_differs: bool,
    pub people: PeopleEvidence,
    pub year: Agreement,
    pub volume: Agreement,
    pub issue: Agreement,
    pub page: Agreement,
    pub last_page: Agreement,
    pub container: FieldAlignment,
    /// Which of the record's containers fitted best.
    pub container_index: Option<usize>,
    /// Where the text has the container, with the words beside it that no field explains; nothing
    /// where not all of it is there.
    pub container_place: Option<Range<usize>>,
    pub unexplained: Unexplained,
    /// The share of the words of the text that show damage by themselves, 0 to 1.
    pub damage: f64,
}

/// How a number of the reference agrees with the record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Agreement {
    /// Neither says anything.
    #[default]
    Absent,
    /// The text has it, and in the place where it belongs: 0 to 1.
    Equal(f64),
    /// Years one apart, as between a work's first appearance and its issue.
    Near,
    /// One character inserted, left out or replaced.
    Misprint,
    /// The text says something else.
    Different,
    /// The record has it, the text does not.
    NotGiven,
    /// The text has it, the record does not.
    NotKnown,
}

/// How the names agree.
#[derive(Clone, Debug, Default)]
pub struct PeopleEvidence {
    /// How well the first author of the record is found in the text, 0 to 1.
    pub first: f64,
    /// Whether the initials beside the first author's name are other ones.
    pub first_initials_differ: bool,
    /// The share of the record's authors that are found, 0 to 1.
    pub found: f64,
    /// Whether a name was found misspelt.
    pub misspelt: bool,
    /// How many authors of the record are found.
    pub count: usize,
    /// How many authors of the record were looked for.
    pub known: usize,
    /// The share of the names in the text that the record does not have, 0 to 1.
    pub unmatched: f64,
    /// Whether the text names anybody.
    pub given: bool,
    /// Whether the first author of the record is the one whom the text names first.
    pub leads: bool,
    /// Whether the text names more than one author, or says `et al`.
    pub several: bool,
    /// Whether the text leaves authors out: `et al`.
    pub et_al: bool,
}

/// What the text says and the record does not.
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
pub fn weigh(reference: &Reference, record: &Record) -> Evidence {
    let container_first = Comparison::new(reference, record).run(true);
    // Where title and container share words, either may take what the other needs.
    let contested = container_first.title.share < 1.0 && shares_words(record);
    if !contested {
        return container_first;
    }
    let title_first = Comparison::new(reference, record).run(false);
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

/// Whether all that was found of the container are words of a title that is whole with them. A
/// paper on carbon fibres is not for that in the journal `Carbon`.
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

/// Whether two long words with the same beginning are so alike that either field may take the other's.
fn are_inflected(a: &str, b: &str) -> bool {
    const SHORTEST: usize = 8;
    const SHARED: usize = 5;
    let is_long = a.len() >= SHORTEST && b.len() >= SHORTEST;
    is_long
        && a.as_bytes().get(..SHARED) == b.as_bytes().get(..SHARED)
        && similar::word_similarity(a, b) > 0.0
}
