//! Queries journal tables for a text.

use super::answer::{self, TitleCandidate, TitleLookup};
use super::beginnings::{self, ShortFormFit};
use super::key;
use super::pair::{Pair, PairOrigin, bare_title};

/// The maximum number of titles considered if no table lists a short form.
const MAX_TITLES: usize = 200;

/// A source of pairs, queried by the keys of `key`.
pub trait Tables {
    type Error;

    /// Pairs whose short form has this key.
    fn by_short(&self, key: &str) -> Result<Vec<Pair>, Self::Error>;

    /// Pairs whose title has this key.
    fn by_title(&self, key: &str) -> Result<Vec<Pair>, Self::Error>;

    /// Pairs whose title's initials start with `beginning`, at most `limit`, exact matches first.
    fn by_initials(&self, beginning: &str, limit: usize) -> Result<Vec<Pair>, Self::Error>;
}

/// The title for a short form: as listed in the tables; the text itself if it is a title; otherwise
/// by the beginnings of its words, or as an acronym. Text that fits any journal is never certain,
/// unless from the operator.
pub fn expand<T: Tables>(text: &str, tables: &T) -> Result<TitleLookup, T::Error> {
    let answer = found(text, tables)?;
    let best = answer.candidates.first().map(|best| &best.origin);
    let told = best == Some(&PairOrigin::Operator);
    Ok(TitleLookup {
        certain: answer.certain.filter(|_| told || !key::says_nothing(text)),
        ..answer
    })
}

fn found<T: Tables>(text: &str, tables: &T) -> Result<TitleLookup, T::Error> {
    let key = key::key(text);
    if key.is_empty() {
        return Ok(TitleLookup::default());
    }
    let listed = answer::listed_title(text, &tables.by_short(&key)?);
    let itself = itself(text, &key, &tables.by_title(&key)?);
    if let Some(itself) = itself
        && (listed.candidates.is_empty() || is_written_out(text, &listed))
    {
        return Ok(joined(itself, listed));
    }
    if listed
        .candidates
        .iter()
        .any(|candidate| stands_for(text, candidate))
    {
        return Ok(listed);
    }
    // No table lists the text, or only for what it does not begin (`IEEE` for the institute).
    let begun = by_beginnings(text, tables)?;
    match (listed.candidates.is_empty(), &begun.certain) {
        (true, _) => Ok(begun),
        (false, Some(_)) => Ok(joined(begun, listed)),
        (false, None) => Ok(joined(listed, begun)),
    }
}

/// One answer with the candidates of both.
fn joined(first: TitleLookup, second: TitleLookup) -> TitleLookup {
    let mut candidates = first.candidates;
    for candidate in second.candidates {
        if candidates
            .iter()
            .all(|present| present.text != candidate.text)
        {
            candidates.push(candidate);
        }
    }
    TitleLookup {
        certain: first.certain,
        candidates,
    }
}

/// The short form of a title, as listed in the tables.
pub fn abbreviate<T: Tables>(title: &str, tables: &T) -> Result<TitleLookup, T::Error> {
    let pairs = tables.by_title(&key::key(title))?;
    Ok(answer::short_form(title, &pairs))
}

/// A title stands for itself, unchanged if the tables have the same spelling, otherwise in their
/// spelling (`Journal Orthopaedic Research` lacks a word).
fn itself(text: &str, key: &str, pairs: &[Pair]) -> Option<TitleLookup> {
    let same = |pair: &&Pair| key::key(bare_title(&pair.title)) == key;
    let spelt_so =
        |pair: &&Pair| answer::spelling(bare_title(&pair.title)) == answer::spelling(text);
    let pair = pairs.iter().find(spelt_so).or(pairs.iter().find(same))?;
    let title = if spelt_so(&pair) {
        text.trim()
    } else {
        bare_title(&pair.title)
    };
    Some(TitleLookup {
        certain: Some(title.to_owned()),
        candidates: vec![TitleCandidate {
            text: title.to_owned(),
            origin: pair.origin.clone(),
        }],
    })
}

/// Whether a title is not also a short form: `Brain` is only a title, although lists have it for
/// `Brain : a journal of neurology`. `J. Cell Biol.` and `Muscle Nerve` are short forms, even if a
/// list has them as titles.
fn is_written_out(text: &str, listed: &TitleLookup) -> bool {
    let words = key::words(text);
    let shortens = |candidate: &TitleCandidate| {
        let fit = beginnings::fit(&words, &candidate.text);
        let spelt_otherwise = answer::spelling(&candidate.text) != answer::spelling(text);
        spelt_otherwise
            && fit.is_some_and(ShortFormFit::is_whole)
            && !has_library_note(text, &candidate.text)
    };
    !listed.candidates.iter().any(shortens)
}

/// Whether a title is the text plus an addition by libraries.
fn has_library_note(text: &str, title: &str) -> bool {
    answer::spelling(bare_title(title)) == answer::spelling(text)
}

fn stands_for(text: &str, candidate: &TitleCandidate) -> bool {
    beginnings::fit(&key::words(text), &candidate.text).is_some_and(ShortFormFit::is_whole)
}

fn by_beginnings<T: Tables>(text: &str, tables: &T) -> Result<TitleLookup, T::Error> {
    let initials = key::initials(text);
    if beginnings::is_acronym(text) {
        let letters = text.trim().to_lowercase();
        return Ok(answer::acronym_title(
            text,
            &tables.by_initials(&letters, MAX_TITLES)?,
        ));
    }
    Ok(answer::begun_title(
        text,
        &tables.by_initials(&initials, MAX_TITLES)?,
    ))
}
