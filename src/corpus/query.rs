//! Searching: text becomes terms, the rarest terms find the works.

use std::collections::HashSet;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::error::CorpusError;
use super::index::Opened;
use super::tokens::tokenize;
use crate::matching::query::Questions;
use crate::matching::reference::Reference;
use crate::store::works::WorkId;

/// Terms that any of is enough, at most. A record is found by its rarest words.
const MOST_ALTERNATIVES: usize = 24;

/// Works that such terms together may occur in: what a search costs grows with them.
const MOST_POSTINGS: u64 = 100_000;

/// Such terms that are asked for however common they are.
const FEWEST_ALTERNATIVES: usize = 3;

/// The share of a reference's candidates that its title, and its place, may bring each.
const SHARE_OF_A_PART: usize = 4;

/// Terms of a query that are looked at; the rest of a longer text is left out.
const MAX_TERMS: usize = 256;

/// The number of a work and how well it fits: a BM25 score, comparable within one answer only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub id: WorkId,
    pub score: f32,
}

/// A term of the query and in how many works it occurs.
struct Weighed {
    word: String,
    term: Term,
    works: u64,
}

/// Works for a reader's query, best first: those that have every word, then those that have some.
pub fn search(opened: &Opened, text: &str, limit: usize) -> Result<Vec<Scored>, CorpusError> {
    let searcher = opened.reader.searcher();
    let terms = weigh(&searcher, opened, text)?;
    let terms: Vec<&Weighed> = terms.iter().collect();
    let every = run(&searcher, opened, &all_of(&terms), limit)?;
    let some = if every.len() < limit {
        run(&searcher, opened, &any_of(&terms), limit)?
    } else {
        Vec::new()
    };
    let mut found = Vec::with_capacity(limit);
    append_new(&mut found, every.into_iter().chain(some), limit);
    Ok(found)
}

/// Works that a reference may mean: the best for each of its questions in turn. Words that no work
/// has are left out, so a few misspelt ones do no harm.
pub fn candidates(
    opened: &Opened,
    reference: &Reference,
    limit: usize,
) -> Result<Vec<Scored>, CorpusError> {
    let searcher = opened.reader.searcher();
    let questions = Questions::of(reference);
    let terms = weigh(&searcher, opened, &questions.words)?;
    let among = |text: &str| -> Vec<&Weighed> {
        let words = tokenize(text);
        let is_asked_for = |weighed: &&Weighed| words.contains(&weighed.word);
        terms.iter().filter(is_asked_for).collect()
    };
    let of_a_part = limit.div_ceil(SHARE_OF_A_PART);
    let every: Vec<&Weighed> = terms.iter().collect();
    let by_words = run(&searcher, opened, &any_of(&every), limit)?;
    let by_title = run(
        &searcher,
        opened,
        &any_of(&among(&questions.title)),
        of_a_part,
    )?;
    let by_place = match &questions.place {
        Some(place) => {
            let (author, page) = (among(&place.first_author), among(&place.first_page));
            let clauses = both(&author, &page, &among(&place.beside));
            run(&searcher, opened, &clauses, of_a_part)?
        }
        None => Vec::new(),
    };
    let mut found = Vec::with_capacity(limit);
    append_new(&mut found, in_turn([by_words, by_title, by_place]), limit);
    Ok(found)
}

/// The distinct terms of a text that some work has, rarest first.
fn weigh(searcher: &Searcher, opened: &Opened, text: &str) -> Result<Vec<Weighed>, CorpusError> {
    let mut seen = HashSet::new();
    let mut terms = Vec::new();
    for word in tokenize(text).into_iter().take(MAX_TERMS) {
        if !seen.insert(word.clone()) {
            continue;
        }
        let term = Term::from_field_text(opened.fields.text, &word);
        let works = searcher.doc_freq(&term)?;
        if works > 0 {
            terms.push(Weighed { word, term, works });
        }
    }
    terms.sort_by_key(|weighed| weighed.works);
    Ok(terms)
}

/// A term, and whether a work has to have it.
type Clause<'a> = (Occur, &'a Weighed);

fn all_of<'a>(terms: &[&'a Weighed]) -> Vec<Clause<'a>> {
    terms.iter().map(|term| (Occur::Must, *term)).collect()
}

/// The rarest of the terms, as many as may be asked for together.
fn any_of<'a>(terms: &[&'a Weighed]) -> Vec<Clause<'a>> {
    let mut postings = 0_u64;
    terms
        .iter()
        .take(MOST_ALTERNATIVES)
        .enumerate()
        .take_while(|(n, term)| {
            postings = postings.saturating_add(term.works);
            *n < FEWEST_ALTERNATIVES || postings <= MOST_POSTINGS
        })
        .map(|(_, term)| (Occur::Should, *term))
        .collect()
}

/// The rarest term of each of two fields, and what is better to have beside them; nothing where a
/// field has no term, or both are so common that too many works would have to be looked through.
fn both<'a>(one: &[&'a Weighed], other: &[&'a Weighed], beside: &[&'a Weighed]) -> Vec<Clause<'a>> {
    let (Some(one), Some(other)) = (one.first(), other.first()) else {
        return Vec::new();
    };
    if one.works.min(other.works) > MOST_POSTINGS {
        return Vec::new();
    }
    let mut clauses = all_of(&[one, other]);
    clauses.extend(beside.iter().map(|term| (Occur::Should, *term)));
    clauses
}

fn run(
    searcher: &Searcher,
    opened: &Opened,
    clauses: &[Clause<'_>],
    limit: usize,
) -> Result<Vec<Scored>, CorpusError> {
    if clauses.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let clauses: Vec<(Occur, Box<dyn Query>)> = clauses
        .iter()
        .map(|(occur, weighed)| {
            let query = TermQuery::new(weighed.term.clone(), IndexRecordOption::WithFreqs);
            (*occur, Box::new(query) as Box<dyn Query>)
        })
        .collect();
    let query = BooleanQuery::new(clauses);
    let hits = searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
    let name = opened
        .index
        .schema()
        .get_field_name(opened.fields.id)
        .to_owned();
    let mut found = Vec::with_capacity(hits.len());
    for (score, address) in hits {
        let segment = searcher.segment_reader(address.segment_ord);
        let ids = segment.fast_fields().u64(&name)?;
        if let Some(id) = ids.first(address.doc_id) {
            found.push(Scored {
                id: id as WorkId,
                score,
            });
        }
    }
    Ok(found)
}

/// The first of each list, then the second of each, and so on.
fn in_turn<const N: usize>(lists: [Vec<Scored>; N]) -> impl Iterator<Item = Scored> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .flat_map(move |n| lists.each_ref().map(|list| list.get(n).copied()))
        .flatten()
}

fn append_new(found: &mut Vec<Scored>, more: impl IntoIterator<Item = Scored>, limit: usize) {
    for scored in more {
        if found.len() >= limit {
            break;
        }
        if !found.iter().any(|earlier| earlier.id == scored.id) {
            found.push(scored);
        }
    }
}
