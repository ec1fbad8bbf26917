//! Sort keys and their comparison. Keys are computed once per item and compared as bytes.

#![allow(
    clippy::indexing_slicing,
    reason = "indices of items and cites are made from the lists that they index"
)]

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use icu_collator::options::{AlternateHandling, CollatorOptions, Strength};
use icu_collator::preferences::CollationNumericOrdering;
use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences};
use icu_locale_core::Locale as LanguageTag;

use citation_model::budget::Exceeded;
use citation_model::spread::Spread;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar, Variable};

use super::compiled::Compiled;
use super::document::Document;
use super::eval::{Area, Context, Eval, SortOverrides, date_sort_value};
use super::hints::Hints;
use super::item::{PersonName, without_article};
use super::node::Tree;
use super::output::{Flatten, Rich};
use super::position::CitePosition;
use super::style::{DemoteParticle, Formatting, GivennameRule, SortBy, SortKey};
use super::text::markup;

/// Compares texts by the rules of the style's language, ignoring case and accents; numbers by value.
pub struct Collation {
    collator: CollatorBorrowed<'static>,
}

/// One key of one item; `None` if the item has no value for it.
pub type Key = Option<Box<[u8]>>;

impl Collation {
    /// The collation of the document's locale, if anything is sorted by text.
    pub fn of(compiled: &Compiled) -> Option<Collation> {
        let style = &compiled.style;
        let entries = style.bibliography.as_ref().map(|b| &b.sort);
        let by_text =
            |key: &SortKey| key.by != SortBy::Variable(Variable::Number(NumberVar::CitationNumber));
        let mut keys = entries.into_iter().chain([&style.citation.sort]).flatten();
        let needed = keys.any(by_text);
        needed.then(|| Collation::new(&compiled.locale.lang))?
    }

    /// The collation of a language tag, or the root collation if the language has none.
    fn new(tag: &str) -> Option<Collation> {
        let locale: LanguageTag = tag.parse().unwrap_or(LanguageTag::UNKNOWN);
        let make = |locale: LanguageTag| {
            let mut preferences = CollatorPreferences::from(locale);
            preferences.numeric_ordering = Some(CollationNumericOrdering::True);
            let mut options = CollatorOptions::default();
            options.strength = Some(Strength::Primary);
            options.alternate_handling = Some(AlternateHandling::NonIgnorable);
            Collator::try_new(preferences, options).ok()
        };
        let collator = make(locale).or_else(|| make(LanguageTag::UNKNOWN))?;
        Some(Collation { collator })
    }

    fn key(&self, text: &str) -> Key {
        // Ignores punctuation but not the blanks between words.
        let bare = if text.contains(is_punctuation) {
            text.replace(is_punctuation, "").into()
        } else {
            Cow::Borrowed(text)
        };
        let text = bare.trim();
        if text.is_empty() {
            return None;
        }
        let mut key = Vec::with_capacity(text.len() * 2);
        let Ok(()) = self.collator.write_sort_key_to(text, &mut key);
        Some(key.into())
    }
}

fn is_punctuation(c: char) -> bool {
    match c {
        '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~' => false,
        _ if c.is_ascii() => c.is_ascii_punctuation(),
        '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' => true,
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' => true,
        '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' => true,
        _ => false,
    }
}

/// Whether the bibliography has a macro as a sort key.
pub fn by_macro(compiled: &Compiled) -> bool {
    let entries = compiled.style.bibliography.as_ref();
    let mut keys = entries.into_iter().flat_map(|entries| &entries.sort);
    keys.any(|key| matches!(key.by, SortBy::Macro(_)))
}

/// Sorts the items into bibliography order, key by key: a later key is computed only for items whose
/// earlier keys are equal.
pub fn bibliography(
    document: &mut Document,
    collation: Option<&Collation>,
    spread: Spread,
) -> Result<(), Exceeded> {
    let Some(bibliography) = &document.compiled.style.bibliography else {
        return Ok(());
    };
    let budget = document.budget.clone();
    let mut order = std::mem::take(&mut document.order);
    let mut runs: Vec<Range<usize>> = std::iter::once(0..order.len()).collect();
    for sort in &bibliography.sort {
        let mut alike = Vec::new();
        for run in runs {
            let mut at = run.start;
            let places = &mut order[run];
            let make = |tree: &mut Tree, at: usize| {
                let item = places[at];
                let context = sorted_context(document, item, Area::Bibliography);
                Ok((key(sort, &context, collation, tree)?, item))
            };
            let mut keyed = spread.map(&budget, places.len(), Tree::new, make)?;
            keyed.sort_by(|(a, _), (b, _)| {
                let _ = budget.spend(1);
                directed(a.as_deref(), b.as_deref(), sort.descending)
            });
            for (place, (_, item)) in places.iter_mut().zip(&keyed) {
                *place = *item;
            }
            for same in keyed.chunk_by(|(a, _), (b, _)| a == b) {
                if same.len() > 1 {
                    alike.push(at..at + same.len());
                }
                at += same.len();
            }
        }
        runs = alike;
    }
    document.order = order;
    budget.check()
}

/// Computes the keys of all items.
pub fn item_keys(
    document: &Document,
    sort: &[SortKey],
    area: Area,
    collation: Option<&Collation>,
) -> Result<Vec<Vec<Key>>, Exceeded> {
    let mut tree = Tree::new(&document.budget);
    let mut keys = |item| {
        let context = sorted_context(document, item, area);
        let make = |sort| key(sort, &context, collation, &mut tree);
        sort.iter().map(make).collect()
    };
    (0..document.items.len()).map(&mut keys).collect()
}

/// The bibliography's keys of each item as one text that compares as the item does. Empty if the bibliography
/// is not sorted.
pub fn comparable_keys(
    document: &Document,
    collation: Option<&Collation>,
) -> Result<Vec<String>, Exceeded> {
    let bibliography = document.compiled.style.bibliography.as_ref();
    let Some(bibliography) = bibliography.filter(|entries| !entries.sort.is_empty()) else {
        return Ok(Vec::new());
    };
    let keys = item_keys(document, &bibliography.sort, Area::Bibliography, collation)?;
    let text = |keys: &Vec<Key>| {
        let text = comparable(&bibliography.sort, keys);
        document.budget.spend_bytes(text.len())?;
        Ok(text)
    };
    keys.iter().map(text).collect()
}

/// The order of [`compare`] as that of texts: each key ends in a character before or after all its digits, and
/// a missing key is after all others.
fn comparable(sort: &[SortKey], keys: &[Key]) -> String {
    let mut text = String::new();
    for (sort, key) in sort.iter().zip(keys) {
        let Some(bytes) = key else {
            text.push('2');
            continue;
        };
        text.push('1');
        let turned = if sort.descending { 0xff } else { 0 };
        for byte in bytes {
            let byte = byte ^ turned;
            let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
            text.extend([digit(byte >> 4), digit(byte & 0xf)]);
        }
        text.push(if sort.descending { '~' } else { '.' });
    }
    text
}

fn sorted_context<'s>(document: &'s Document, item: usize, area: Area) -> Context<'s> {
    document.context(item, area, &document.hints[item], &CitePosition::default())
}

/// Computes a key of one item.
fn key(
    sort: &SortKey,
    context: &Context,
    collation: Option<&Collation>,
    tree: &mut Tree,
) -> Result<Key, Exceeded> {
    let text = key_text(sort, context, tree);
    tree.budget
        .spend(1 + text.as_ref().map_or(0, String::len) as u64 / 2)?;
    let key = text.and_then(|text| text_key(&text, collation));
    tree.budget
        .spend_bytes(key.as_ref().map_or(0, |key| key.len()))?;
    Ok(key)
}

/// Computes the key of a text.
pub fn text_key(text: &str, collation: Option<&Collation>) -> Key {
    match collation {
        Some(collation) => collation.key(text),
        None => (!text.is_empty()).then(|| text.to_lowercase().into_bytes().into()),
    }
}

fn key_text(key: &SortKey, context: &Context, tree: &mut Tree) -> Option<String> {
    match key.by {
        SortBy::Macro(index) => Some(macro_text(key, index, context, tree)),
        SortBy::Variable(Variable::Number(NumberVar::CitationNumber)) => {
            Some(format!("{:08}", context.citation_number))
        }
        SortBy::Variable(Variable::Text(TextVar::CitationLabel)) => Some(
            context
                .item
                .text(TextVar::CitationLabel)
                .map_or_else(|| context.item.trigraph(), str::to_owned),
        ),
        SortBy::Variable(Variable::Text(v)) => context
            .item
            .text(v)
            .map(|text| markup::stripped(text).into_owned()),
        SortBy::Variable(Variable::Number(v)) => {
            context.number(v).map(|value| first_number(&value))
        }
        SortBy::Variable(Variable::Date(v)) => date_text(context, v),
        SortBy::Variable(Variable::Names(v)) => names_text(context, v),
    }
}

/// The first number of a value, or a value without numbers (specification, «Sorting»: numbers are returned
/// as integers).
fn first_number(value: &str) -> String {
    let digits = value.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let number = digits.get(..end.unwrap_or(digits.len()));
    match number.unwrap_or_default() {
        "" => value.to_owned(),
        number => number.to_owned(),
    }
}

fn date_text(context: &Context, variable: DateVar) -> Option<String> {
    context.item.date(variable).map(date_sort_value)
}

/// All names of a variable, family names first.
fn names_text(context: &Context, variable: NameVar) -> Option<String> {
    let names = context.item.names(variable);
    let demote = context.compiled.style.options.demote_particle;
    let texts: Vec<String> = names.iter().map(|name| name_text(name, demote)).collect();
    (!texts.is_empty()).then(|| texts.join("   "))
}

fn name_text(name: &PersonName, demote: DemoteParticle) -> String {
    if let Some(literal) = &name.literal {
        return without_article(literal).to_owned();
    }
    let (before, after) = match demote {
        DemoteParticle::Never => (&*name.non_dropping, ""),
        _ => ("", &*name.non_dropping),
    };
    [
        before,
        &*name.family,
        &*name.given,
        &*name.dropping,
        after,
        &*name.suffix,
    ]
    .iter()
    .filter(|part| !part.is_empty())
    .copied()
    .collect::<Vec<_>>()
    .join(" ")
}

fn macro_text(key: &SortKey, index: usize, context: &Context, tree: &mut Tree) -> String {
    // Given names that disambiguate across the document also count in sort keys.
    let hints = match context.compiled.style.citation.givenname_rule {
        GivennameRule::ByCite => Hints::default(),
        _ => context.hints.given_names(),
    };
    let context = Context {
        hints: &hints,
        sort: Some(SortOverrides {
            names_min: key.names_min,
            names_use_first: key.names_use_first,
            names_use_last: key.names_use_last,
        }),
        ..*context
    };
    tree.clear();
    Eval::new(context, tree).sort_macro(index);
    let mut out = Rich::default();
    let flatten = Flatten {
        tree,
        locale: &context.compiled.locale,
        links: false,
        anchor: None,
        around: Formatting::default(),
    };
    flatten.render(0, &mut out);
    out.text
}

/// Compares the keys of two items.
pub fn compare(sort: &[SortKey], a: &[Key], b: &[Key]) -> Ordering {
    sort.iter()
        .zip(a.iter().zip(b))
        .map(|(key, (a, b))| directed(a.as_deref(), b.as_deref(), key.descending))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Compares two keys. Missing keys come last in either direction.
pub fn directed(a: Option<&[u8]>, b: Option<&[u8]>, descending: bool) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(a), Some(b)) if descending => b.cmp(a),
        (Some(a), Some(b)) => a.cmp(b),
    }
}
