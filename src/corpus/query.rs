//! Searching: converts text to terms; the rarest terms find the works.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::error::CorpusError;
use super::index::Opened;
use super::ranking::{Located, Ranked, Ranking};
use super::recent::{Recent, RecentWork};
use super::tokens::tokenize;
use crate::store::works::WorkId;
use citation_matching::query::Questions;
use citation_matching::reference::Reference;

/// Maximum number of alternative terms in a search. A record is found by its rarest words.
const MAX_ALTERNATIVES: usize = 24;

/// Maximum number of postings of such terms: the cost of a search grows with them. At ten million
/// works, half as many more find nothing more.
const MAX_POSTINGS: u64 = 40_000;

/// Number of such terms that are always used, however common.
const MIN_ALTERNATIVES: usize = 3;

/// A term of one in so many works, or more, is ignored for ranking.
const TOO_COMMON: u64 = 4;

/// Number of commoner terms that rank the works found by the others. More of them cost
/// time, and change nothing in the results at ten million works.
const MOST_COMMON: usize = 6;

/// The share of a reference's candidates that its title, and its publication, may each contribute.
const SHARE_OF_A_PART: usize = 4;

/// Maximum number of terms of a query; the rest of a longer text is ignored.
const MAX_TERMS: usize = 256;

/// The id of a work and its BM25 score, only comparable within one answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub id: WorkId,
    pub score: f32,
}

/// Works for a user's query, best first: those with every word, then those with some.
pub fn search(
    opened: &Opened,
    recent: &Recent,
    text: &str,
    limit: usize,
) -> Result<Vec<Scored>, CorpusError> {
    let ranking = opened.ranking()?;
    let recent = recent.since(ranking.seq())?;
    let mut terms = locate(&ranking, text)?;
    terms.retain(|term| term.works > 0 || is_in_any(&recent, term));
    let has_every = |work: &RecentWork| terms.iter().all(|t| work.words.contains_key(&t.word));
    let (whole, partial): (Vec<_>, Vec<_>) = recent.iter().partition(|work| has_every(work));
    let mut every = numbers(
        &ranking,
        with_all(ranking.searcher(), opened, &terms, limit)?,
    );
    every.extend(scored(&ranking, &terms, whole));
    let mut some = Vec::new();
    if every.len() < limit {
        let known: Vec<&Located> = terms.iter().filter(|term| term.works > 0).collect();
        some = numbers(&ranking, with_any(&ranking, &known, limit)?);
        some.extend(scored(&ranking, &terms, partial));
    }
    every.sort_by(better_first);
    some.sort_by(better_first);
    Ok(each_once(every.into_iter().chain(some), limit))
}

/// Works that a reference may refer to: the best of each of its queries in turn. Unknown words
/// are ignored, so a few misspelt ones do no harm.
pub fn candidates(
    opened: &Opened,
    recent: &Recent,
    reference: &Reference,
    limit: usize,
) -> Result<Vec<Scored>, CorpusError> {
    let ranking = opened.ranking()?;
    let questions = Questions::of(reference);
    let mut terms = locate(&ranking, &questions.words)?;
    let of_a_part = limit.div_ceil(SHARE_OF_A_PART);
    let recent = recent.since(ranking.seq())?;
    let mut just_stored = scored(&ranking, &terms, recent.iter());
    just_stored.sort_by(better_first);
    just_stored.truncate(of_a_part);
    terms.retain(|term| term.works > 0);
    let among = |text: &str| -> Vec<&Located> {
        let words = tokenize(text);
        let is_asked_for = |term: &&Located| words.contains(&term.word);
        terms.iter().filter(is_asked_for).collect()
    };
    let every: Vec<&Located> = terms.iter().collect();
    let by_words = with_any(&ranking, &every, limit)?;
    let by_title = with_any(&ranking, &among(&questions.title), of_a_part)?;
    let by_place = match &questions.place {
        Some(place) => {
            let (authors, pages) = (among(&place.first_author), among(&place.first_page));
            match both(&authors, &pages) {
                Some(both) => ranking.both(both, &among(&place.beside), of_a_part)?,
                None => Vec::new(),
            }
        }
        None => Vec::new(),
    };
    let [by_words, by_title, by_place] =
        [by_words, by_title, by_place].map(|ranked| numbers(&ranking, ranked));
    let found = in_turn([by_words, by_title, by_place, just_stored]);
    Ok(each_once(found, limit))
}

/// The distinct terms of a text, rarest first.
fn locate(ranking: &Ranking, text: &str) -> Result<Vec<Located>, CorpusError> {
    let mut seen = HashSet::new();
    let mut terms = Vec::new();
    for word in tokenize(text).into_iter().take(MAX_TERMS) {
        if seen.insert(word.clone()) {
            terms.push(ranking.locate(word)?);
        }
    }
    terms.sort_by_key(|term| term.works);
    Ok(terms)
}

/// Works with some of the terms, best first: the rarest terms find them, the commoner ones
/// rank them.
fn with_any(
    ranking: &Ranking,
    terms: &[&Located],
    limit: usize,
) -> Result<Vec<Ranked>, CorpusError> {
    let (rare, common) = terms.split_at(affordable(terms));
    let telling = |term: &&&Located| term.works.saturating_mul(TOO_COMMON) <= ranking.works();
    let common: Vec<&Located> = common
        .iter()
        .filter(telling)
        .take(MOST_COMMON)
        .copied()
        .collect();
    ranking.any(rare, &common, limit)
}

/// How many of some terms, the rarest first, a search may use together.
fn affordable(terms: &[&Located]) -> usize {
    let mut postings = 0_u64;
    terms
        .iter()
        .take(MAX_ALTERNATIVES)
        .enumerate()
        .take_while(|(n, term)| {
            postings = postings.saturating_add(term.works);
            *n < MIN_ALTERNATIVES || postings <= MAX_POSTINGS
        })
        .count()
}

/// The rarest term of each of two fields; `None` if a field has none, or both are so common
/// that too many works would have to be read.
fn both<'a>(one: &[&'a Located], other: &[&'a Located]) -> Option<[&'a Located; 2]> {
    let (one, other) = (*one.first()?, *other.first()?);
    (one.works.min(other.works) <= MAX_POSTINGS).then_some([one, other])
}

/// Works with every term, best first.
fn with_all(
    searcher: &Searcher,
    opened: &Opened,
    terms: &[Located],
    limit: usize,
) -> Result<Vec<Ranked>, CorpusError> {
    if terms.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let clauses: Vec<(Occur, Box<dyn Query>)> = terms
        .iter()
        .map(|located| {
            let term = Term::from_field_text(opened.fields.text, &located.word);
            let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
            (Occur::Must, Box::new(query) as Box<dyn Query>)
        })
        .collect();
    let query = BooleanQuery::new(clauses);
    let hits = searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
    let ranked = |(score, address)| Ranked { address, score };
    Ok(hits.into_iter().map(ranked).collect())
}

/// The first of each list, then the second of each, and so on.
fn in_turn<const N: usize>(lists: [Vec<Scored>; N]) -> impl Iterator<Item = Scored> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .flat_map(move |n| lists.each_ref().map(|list| list.get(n).copied()))
        .flatten()
}

/// The works that the index ranked, by id.
fn numbers(ranking: &Ranking, ranked: Vec<Ranked>) -> Vec<Scored> {
    let number = |found: Ranked| {
        let id = ranking.id(found.address)? as WorkId;
        let score = found.score;
        Some(Scored { id, score })
    };
    ranked.into_iter().filter_map(number).collect()
}

/// The works with any of the terms, among those that are not indexed yet.
fn scored<'w>(
    ranking: &Ranking,
    terms: &[Located],
    recent: impl IntoIterator<Item = &'w Arc<RecentWork>>,
) -> Vec<Scored> {
    let works = recent.into_iter().map(|work| Scored {
        id: work.id,
        score: ranking.score_of(terms, &work.words),
    });
    works.filter(|work| work.score > 0.0).collect()
}

fn is_in_any(recent: &[Arc<RecentWork>], term: &Located) -> bool {
    recent
        .iter()
        .any(|work| work.words.contains_key(&term.word))
}

fn better_first(a: &Scored, b: &Scored) -> Ordering {
    b.score.total_cmp(&a.score)
}

fn each_once(found: impl Iterator<Item = Scored>, limit: usize) -> Vec<Scored> {
    let mut seen = HashSet::new();
    found
        .filter(|found| seen.insert(found.id))
        .take(limit)
        .collect()
}
