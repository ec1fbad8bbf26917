//! A candidate work, prepared for comparison.

use std::borrow::Cow;

use super::align;
use super::identifiers;
use super::normalize::{Token, tokens};
use super::reference::cut;
use citation_fields::latex;
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{NameVar, NumberVar, TextVar};

/// The maximum number of authors compared. Consortia have thousands, references a few.
pub const MAX_PEOPLE: usize = 40;

/// The fields of a work as tokens.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub title: Vec<Token>,
    /// The number of title tokens before the subtitle; all if there is none.
    pub main_title: usize,
    /// Container, its abbreviation, series, event: every container that a reference may name.
    pub containers: Vec<Vec<Token>>,
    pub publisher: Vec<Token>,
    pub people: Vec<Person>,
    pub year: Option<i32>,
    pub volume: Option<String>,
    pub issue: Option<String>,
    /// The first page, or the number of the article.
    pub page: Option<String>,
    pub last_page: Option<String>,
    pub identifiers: Vec<Identifier>,
    /// The identifiers that the title mentions: `Figure 2 from: … https://doi.org/…`
    pub mentioned: Vec<Identifier>,
    /// The address of its web page, without the scheme.
    pub address: Option<String>,
}

/// One author or editor.
#[derive(Clone, Debug, Default)]
pub struct Person {
    pub family: Vec<Token>,
    pub given: Vec<Token>,
}

impl Record {
    pub fn of(item: &Item) -> Record {
        let text = |variable| field_tokens(item.text(variable).unwrap_or_default());
        let number = |variable| item.number(variable).map(str::to_owned);
        let pages = item.number(NumberVar::Page).unwrap_or_default();
        let mut ends = pages
            .split(['-', '–', '—', ',', ' '])
            .map(str::trim)
            .filter(|p| !p.is_empty());
        let first = ends.next().map(str::to_owned);
        let page = first
            .or_else(|| number(NumberVar::PageFirst))
            .or_else(|| number(NumberVar::Number));
        let containers = [
            TextVar::ContainerTitle,
            TextVar::ContainerTitleShort,
            TextVar::CollectionTitle,
            TextVar::EventTitle,
        ];
        let title = &*without_tex(item.text(TextVar::Title).unwrap_or_default());
        let title_tokens = field_tokens(title);
        Record {
            main_title: main_title(title, &title_tokens),
            title: title_tokens,
            containers: containers
                .into_iter()
                .map(text)
                .filter(|tokens| !tokens.is_empty())
                .collect(),
            publisher: text(TextVar::Publisher),
            people: people(item),
            year: item.year(),
            volume: number(NumberVar::Volume),
            issue: number(NumberVar::Issue),
            page,
            last_page: ends.next().map(str::to_owned),
            identifiers: identifiers_of(item),
            mentioned: identifiers::mentioned(title),
            address: address_of(item),
        }
    }

    /// The tokens to compare, at least one.
    pub fn tokens(&self) -> u64 {
        let people = self.people.iter();
        let people = people.map(|person| person.family.len() + person.given.len());
        let containers = self.containers.iter().map(Vec::len);
        let tokens = self.title.len() + self.publisher.len();
        1 + (tokens + containers.chain(people).sum::<usize>()) as u64
    }
}

/// A title with the letters that TeX commands stand for: `$\varepsilon$` and `ε` are one thing.
pub fn without_tex(title: &str) -> Cow<'_, str> {
    let has_commands = title.contains('\\') && title.contains(['$', '{']);
    if has_commands && title.len() <= MAX_FIELD_LENGTH {
        latex::plain(title).into()
    } else {
        title.into()
    }
}

/// The maximum length of a compared field in bytes.
const MAX_FIELD_LENGTH: usize = 2_000;

/// The part of a field that is compared. Longer fields are abstracts by mistake.
fn field_tokens(text: &str) -> Vec<Token> {
    const MAX_COUNT: usize = 300;
    let mut tokens = tokens(cut(text, MAX_FIELD_LENGTH));
    tokens.truncate(MAX_COUNT);
    tokens
}

/// The part of a name part that is compared. Longer ones are lists of names by mistake.
fn name_tokens(text: &str) -> Vec<Token> {
    const MAX_LENGTH: usize = 200;
    tokens(cut(text, MAX_LENGTH))
}

/// The identifiers of the work, independent of version or spelling.
pub fn identifiers_of(item: &Item) -> Vec<Identifier> {
    let all = item.identifiers().into_iter();
    all.map(identifiers::of_work).collect()
}

/// The address of the work's web page, in the form used to search a reference for it.
pub fn address_of(item: &Item) -> Option<String> {
    identifiers::plain_address(item.text(TextVar::Url)?)
}

/// The number of tokens before the subtitle. A main title too short to identify a work does not count.
fn main_title(title: &str, tokens: &[Token]) -> usize {
    const MIN_WEIGHT: f64 = 1.3;
    let subtitle = [": ", " : ", " – ", " — ", " - ", "? ", "! ", ". ", "; "]
        .into_iter()
        .filter_map(|mark| title.find(mark))
        .min()
        .unwrap_or(title.len());
    let before = tokens.partition_point(|token| token.span.start < subtitle);
    let telling = tokens
        .get(..before)
        .is_some_and(|main| align::total_weight(main) >= MIN_WEIGHT);
    if telling { before } else { tokens.len() }
}

/// The authors, or otherwise the other responsible people.
pub fn answerable(item: &Item) -> &[Name] {
    [
        NameVar::Author,
        NameVar::Editor,
        NameVar::Compiler,
        NameVar::Director,
        NameVar::Translator,
    ]
    .into_iter()
    .map(|variable| item.names(variable))
    .find(|names| !names.is_empty())
    .unwrap_or_default()
}

/// A Chinese, Japanese or Korean name as written in texts, family name before given name without a space;
/// `None` for names in other scripts or with one part.
pub fn joined(name: &Name) -> Option<String> {
    let (family, given) = (name.family.as_deref()?, name.given.as_deref()?);
    let is_joined = |part: &str| !part.is_empty() && part.chars().all(is_joined_in_names);
    let (family, given) = (family.trim(), given.trim());
    // Foreign names in Katakana keep their order and are separated by dots.
    let is_foreign = |part: &str| part.chars().all(|c| matches!(c, '\u{30a1}'..='\u{30fc}'));
    let is_own =
        is_joined(family) && is_joined(given) && !(is_foreign(family) && is_foreign(given));
    is_own.then(|| format!("{family}{given}"))
}

/// Whether a name, or part of one, is written in such a script.
pub fn is_in_joined_script(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| c.is_alphabetic()).peekable();
    letters.peek().is_some() && letters.all(is_joined_in_names)
}

/// Whether a character belongs to a script without spaces in names: Han, Kana, Hangul.
fn is_joined_in_names(c: char) -> bool {
    matches!(
        c,
        '\u{3005}'..='\u{3007}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30fa}'
            | '\u{30fc}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{323af}'
    )
}

fn people(item: &Item) -> Vec<Person> {
    answerable(item)
        .iter()
        .take(MAX_PEOPLE)
        .map(person)
        .collect()
}

fn person(name: &Name) -> Person {
    if let Some(whole) = joined(name) {
        return Person {
            family: name_tokens(&whole),
            given: Vec::new(),
        };
    }
    Person {
        family: name_tokens(&name.heading()),
        given: name_tokens(name.given.as_deref().unwrap_or_default()),
    }
}
