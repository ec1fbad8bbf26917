//! The fields of an item that are compared, folded once.

use super::super::identifiers::of_work;
use super::super::normalize::{Token, fold, squeeze, tokens};
use super::kinds::{self, TypeClass};
use super::people::{self, ComparedName};
use super::title::ComparedTitle;
use crate::record::answerable;
use crate::reference::cut;
use citation_model::identifier::{ArxivId, Doi, Identifier};
use citation_model::item::Item;
use citation_model::variable::{NumberVar, TextVar};

/// An item prepared for comparison.
#[derive(Clone, Debug)]
pub struct Traits<'a> {
    pub item: &'a Item,
    pub class: TypeClass,
    /// An arXiv DOI is stored as the arXiv id.
    pub identifiers: Vec<Identifier>,
    pub doi: Option<Doi>,
    pub title: ComparedTitle,
    pub people: Vec<ComparedName>,
    pub year: Option<i32>,
    /// The container and its abbreviation.
    pub containers: Vec<Vec<Token>>,
    pub volume: Option<String>,
    pub issue: Option<String>,
    /// The first page or the article number.
    pub page: Option<String>,
    /// Distinguishes editions and versions of books, software and data.
    pub edition: Option<String>,
    /// The number of reports, standards and patents.
    pub number: Option<String>,
    pub publisher: Option<String>,
    /// The primary subtag.
    pub language: Option<String>,
}

impl<'a> Traits<'a> {
    pub fn of(item: &'a Item) -> Traits<'a> {
        let class = kinds::class(item);
        let identifiers = item.identifiers().into_iter().map(|id| match id {
            Identifier::Doi(doi) => arxiv_of(&doi).map_or(Identifier::Doi(doi), Identifier::Arxiv),
            other => of_work(other),
        });
        let mut identifiers: Vec<Identifier> = identifiers.collect();
        identifiers.sort_unstable();
        identifiers.dedup();
        let containers = [TextVar::ContainerTitle, TextVar::ContainerTitleShort];
        Traits {
            item,
            class,
            doi: item.doi(),
            identifiers,
            title: ComparedTitle::of(item.text(TextVar::Title).unwrap_or_default()),
            people: people::prepare(answerable(item)),
            year: item.year(),
            containers: containers
                .into_iter()
                .filter_map(|variable| item.text(variable))
                .map(container_tokens)
                .filter(|tokens| !tokens.is_empty())
                .collect(),
            volume: item.number(NumberVar::Volume).and_then(figure),
            issue: item.number(NumberVar::Issue).and_then(figure),
            page: page(item, class),
            edition: edition(item),
            number: match class {
                TypeClass::Report | TypeClass::Other(_) => {
                    item.number(NumberVar::Number).map(squeeze)
                }
                _ => None,
            },
            publisher: item.text(TextVar::Publisher).map(squeeze),
            language: item.text(TextVar::Language).and_then(primary_subtag),
        }
    }

    /// The cost of comparing two items, in budget steps: each word of a title and of the containers
    /// is searched in the other item.
    pub fn steps(&self, other: &Traits) -> u64 {
        const OTHER_FIELDS: usize = 20;
        let words = |traits: &Traits| traits.containers.iter().map(Vec::len).sum::<usize>();
        let titles = self.title.words().count() * other.title.words().count();
        let people = self.people.len() * other.people.len();
        (OTHER_FIELDS + (titles + people + words(self) * words(other)) / 4) as u64
    }
}

/// The start of a container's title, up to the compared length.
fn container_tokens(text: &str) -> Vec<Token> {
    const MAX_LENGTH: usize = 600;
    tokens(cut(text, MAX_LENGTH))
}

/// The arXiv id in a DOI of arXiv.
fn arxiv_of(doi: &Doi) -> Option<ArxivId> {
    let id = doi.as_str().strip_prefix("10.48550/arxiv.")?;
    Some(ArxivId::parse(id).ok()?.unversioned())
}

/// A number or label without punctuation and leading zeros: `No. 04` equals `4`.
fn figure(text: &str) -> Option<String> {
    let folded = fold(text);
    let first = folded
        .split(['-', '–', '—', '/', ',', '(', ' ', ':', '.'])
        .map(|part| part.trim_start_matches(|c: char| c == '0' || !c.is_alphanumeric()))
        .find(|part| part.contains(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .unwrap_or_else(|| squeeze(text));
    (!first.is_empty()).then_some(first)
}

/// The start of the item in its container. The pages of a whole book are a page count.
fn page(item: &Item, class: TypeClass) -> Option<String> {
    if matches!(class, TypeClass::Whole | TypeClass::Thesis) {
        return None;
    }
    let text = item
        .number(NumberVar::Page)
        .or(item.number(NumberVar::PageFirst))
        .or(item.number(NumberVar::Number));
    let known = text.filter(|text| !fold(text).starts_with("n/a"));
    known.and_then(figure)
}

fn edition(item: &Item) -> Option<String> {
    let text = item
        .number(NumberVar::Edition)
        .or(item.number(NumberVar::Version))?;
    let folded = fold(text);
    let ordinal = folded
        .split(|c: char| !c.is_alphanumeric())
        .find_map(ordinal_word);
    if let Some(number) = ordinal {
        return Some(number.to_owned());
    }
    // Versions keep their dots, because 1.2 and 12 differ.
    let numbers: String = folded
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let numbers = numbers.trim_end_matches(".0").trim_end_matches('.');
    match numbers {
        "" => Some(squeeze(text)).filter(|word| !word.is_empty()),
        number => Some(number.to_owned()),
    }
}

fn ordinal_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "first" | "erste" | "premiere" | "primera" => "1",
        "second" | "zweite" | "deuxieme" | "segunda" => "2",
        "third" | "dritte" | "troisieme" | "tercera" => "3",
        "fourth" | "vierte" | "quatrieme" | "cuarta" => "4",
        "fifth" | "funfte" | "cinquieme" | "quinta" => "5",
        "sixth" | "sechste" | "sixieme" | "sexta" => "6",
        "seventh" | "siebte" | "septieme" | "septima" => "7",
        "eighth" | "achte" | "huitieme" | "octava" => "8",
        "ninth" | "neunte" | "neuvieme" | "novena" => "9",
        "tenth" | "zehnte" | "dixieme" | "decima" => "10",
        _ => return None,
    })
}

fn primary_subtag(tag: &str) -> Option<String> {
    let primary = tag.split(['-', '_']).next()?.trim().to_ascii_lowercase();
    let is_tag = matches!(primary.len(), 2 | 3) && primary.bytes().all(|b| b.is_ascii_alphabetic());
    is_tag.then_some(primary)
}
