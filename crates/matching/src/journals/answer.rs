//! Ranks table entries about a text: the titles for a short form, or the short forms of a title.

use super::beginnings::{self, ShortFormFit};
use super::key;
use super::pair::{Pair, PairOrigin, bare_title};
use crate::normalize::tokens;

/// The maximum number of candidates in an answer.
const MAX_CANDIDATES: usize = 20;

/// The result of a lookup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TitleLookup {
    /// The best candidate, if it can be used without asking.
    pub certain: Option<String>,
    /// Best first.
    pub candidates: Vec<TitleCandidate>,
}

/// A possible title or short form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitleCandidate {
    pub text: String,
    /// The source, the most trusted one if there are several.
    pub origin: PairOrigin,
}

impl TitleLookup {
    /// Adds titles with the distinguishing place or remark of libraries, as in the tables.
    fn add_full_titles(&mut self, pairs: &[Pair]) {
        for pair in pairs {
            let has = |c: &TitleCandidate| c.text == pair.title;
            let is_bare = bare_title(&pair.title).len() == pair.title.len();
            let full = self.candidates.len() >= MAX_CANDIDATES;
            if !is_bare && !full && !self.candidates.iter().any(has) {
                self.candidates.push(TitleCandidate {
                    text: pair.title.clone(),
                    origin: pair.origin.clone(),
                });
            }
        }
    }
}

/// The title for a short form, from the entries with exactly this short form.
pub fn listed_title(short: &str, pairs: &[Pair]) -> TitleLookup {
    let words = key::words(short);
    let own = key::key(short);
    let mut groups = grouped(pairs, |pair| bare_title(&pair.title), short);
    groups.retain(|group| !group.key.is_empty());
    groups.sort_by(|a, b| {
        let rank = |group: &Group| {
            let fit = beginnings::fit(&words, &group.text);
            (
                group.origin == PairOrigin::Operator,
                // A table that repeats the short form as its own title gives no information.
                group.key != own,
                fit.is_some_and(ShortFormFit::is_whole),
                fit.is_some(),
                group.votes,
            )
        };
        rank(b)
            .cmp(&rank(a))
            .then_with(|| b.text.len().cmp(&a.text.len()))
    });
    let mut answer = certain_first(groups);
    answer.add_full_titles(pairs);
    answer
}

/// The title that a short form may abbreviate by the beginnings of its words. Certain only if
/// exactly one title fits completely and the short form is specific enough.
pub fn begun_title(short: &str, pairs: &[Pair]) -> TitleLookup {
    let words = key::words(short);
    let groups = grouped(pairs, |pair| bare_title(&pair.title), short).into_iter();
    let mut fitting: Vec<(ShortFormFit, Group)> = groups
        .filter_map(|group| Some((beginnings::fit(&words, &group.text)?, group)))
        .collect();
    fitting.sort_by(|(x, a), (y, b)| {
        let by_fit = (y.covered + y.likeness).total_cmp(&(x.covered + x.likeness));
        by_fit
            .then(b.votes.cmp(&a.votes))
            .then_with(|| a.text.cmp(&b.text))
    });
    let whole = fitting.iter().filter(|(fit, _)| fit.is_whole()).count();
    let certain = whole == 1 && beginnings::is_telling(&words);
    let answer = certain_first(fitting.into_iter().map(|(_, group)| group).collect());
    TitleLookup {
        certain: answer.certain.filter(|_| certain),
        ..answer
    }
}

/// Titles whose initials may be a word of capitals. Never certain.
pub fn acronym_title(acronym: &str, pairs: &[Pair]) -> TitleLookup {
    let letters = acronym.trim().to_lowercase();
    let mut groups = grouped(pairs, |pair| bare_title(&pair.title), acronym);
    groups.retain(|group| key::initials(&group.text).starts_with(&letters));
    groups.sort_by_key(|group| (key::initials(&group.text) != letters, group.text.len()));
    TitleLookup {
        certain: None,
        ..certain_first(groups)
    }
}

/// The short form of a title. Titles of one word are not shortened.
pub fn short_form(title: &str, pairs: &[Pair]) -> TitleLookup {
    if key::words(title).len() < 2 {
        return TitleLookup {
            certain: Some(title.to_owned()),
            candidates: Vec::new(),
        };
    }
    let mut groups = grouped(pairs, |pair| &pair.short, title);
    let own = key::key(title);
    groups.retain(|group| !group.key.is_empty() && group.key != own);
    groups.sort_by(|a, b| {
        let fits = |group: &Group| beginnings::fit(&key::words(&group.text), title);
        let rank = |group: &Group| {
            (
                group.origin == PairOrigin::Operator,
                fits(group).is_some_and(ShortFormFit::is_whole),
                group.votes,
            )
        };
        rank(b).cmp(&rank(a)).then_with(|| a.text.cmp(&b.text))
    });
    certain_first(groups)
}

/// Spellings of one title or short form.
struct Group {
    key: String,
    /// The spelling in most tables.
    text: String,
    origin: PairOrigin,
    /// The number of pairs with it.
    votes: usize,
}

/// Groups texts with the same key. A spelling equal to the queried text gives no answer, so it
/// represents its group only without any other.
fn grouped<'a>(pairs: &'a [Pair], text: impl Fn(&'a Pair) -> &'a str, asked: &str) -> Vec<Group> {
    let asked = spelling(asked);
    let mut spellings: Vec<(String, &str, &PairOrigin)> = pairs
        .iter()
        .map(|pair| (key::key(text(pair)), text(pair), &pair.origin))
        .collect();
    spellings.sort();
    let groups = spellings.chunk_by(|a, b| a.0 == b.0);
    groups.filter_map(|same| group(same, &asked)).collect()
}

/// One group of equal keys, sorted by spelling.
fn group(same: &[(String, &str, &PairOrigin)], asked: &str) -> Option<Group> {
    let by_spelling = same.chunk_by(|a, b| a.1 == b.1);
    let best = by_spelling.max_by_key(|spellings| {
        let text = spellings.first().map_or("", |(_, text, _)| text);
        let operator = spellings
            .iter()
            .any(|(_, _, origin)| **origin == PairOrigin::Operator);
        let capitals = text
            .split(' ')
            .filter(|word| word.starts_with(char::is_uppercase))
            .count();
        (
            operator,
            spelling(text) != asked,
            spellings.len(),
            !text.starts_with("The "),
            dots(text),
            capitals,
        )
    })?;
    let (key, text, _) = best.first()?;
    Some(Group {
        key: key.clone(),
        text: (*text).to_owned(),
        origin: same.iter().map(|(_, _, origin)| (*origin).clone()).min()?,
        votes: same.len(),
    })
}

/// Every word of a text, including small ones, folded: its spelling without case, accents and
/// punctuation.
pub fn spelling(text: &str) -> String {
    let words: Vec<String> = tokens(text).into_iter().map(|token| token.text).collect();
    let spelt = words.join(" ");
    spelt
        .strip_prefix("the ")
        .map_or(spelt.clone(), str::to_owned)
}

/// The number of full stops at word ends: printed short forms have them.
fn dots(text: &str) -> usize {
    text.split(' ').filter(|word| word.ends_with('.')).count()
}

fn certain_first(groups: Vec<Group>) -> TitleLookup {
    let candidates: Vec<TitleCandidate> = groups
        .into_iter()
        .take(MAX_CANDIDATES)
        .map(|group| TitleCandidate {
            text: group.text,
            origin: group.origin,
        })
        .collect();
    TitleLookup {
        certain: candidates.first().map(|candidate| candidate.text.clone()),
        candidates,
    }
}
