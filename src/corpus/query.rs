//! Searching: text becomes terms, the rarest terms find the works.

use std::collections::HashSet;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::error::CorpusError;
use super::index::Opened;
use super::tokens::tokenize;
use crate::store::works::WorkId;

/// Terms that are asked for first. A record is found by its rarest words; asking for more costs
/// much and finds nothing else.
const RAREST: usize = 10;

/// Terms that are asked for when the rarest found too little.
const WIDENED: usize = 24;

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
    term: Term,
    works: u64,
}

/// Works for a reader's query, best first: those that have every word, then those that have some.
pub fn search(opened: &Opened, text: &str, limit: usize) -> Result<Vec<Scored>, CorpusError> {
    let searcher = opened.reader.searcher();
    let terms = weigh(&searcher, opened, text)?;
    let mut found = run(&searcher, opened, &terms, Occur::Must, limit)?;
    if found.len() < limit {
        let rarest = terms.get(..RAREST).unwrap_or(&terms);
        let some = run(&searcher, opened, rarest, Occur::Should, limit)?;
        append_new(&mut found, some, limit);
    }
    Ok(found)
}

/// Works that a reference may mean, best first. Words that no work has are left out, so a few
/// misspelt ones do no harm.
pub fn candidates(opened: &Opened, text: &str, limit: usize) -> Result<Vec<Scored>, CorpusError> {
    let searcher = opened.reader.searcher();
    let terms = weigh(&searcher, opened, text)?;
    let rarest = terms.get(..RAREST).unwrap_or(&terms);
    let mut found = run(&searcher, opened, rarest, Occur::Should, limit)?;
    if found.len() < limit && terms.len() > RAREST {
        let widened = terms.get(..WIDENED).unwrap_or(&terms);
        let more = run(&searcher, opened, widened, Occur::Should, limit)?;
        append_new(&mut found, more, limit);
    }
    Ok(found)
}

/// The distinct terms of a text that some work has, rarest first.
fn weigh(searcher: &Searcher, opened: &Opened, text: &str) -> Result<Vec<Weighed>, CorpusError> {
    let mut seen = HashSet::new();
    let mut terms = Vec::new();
    for word in tokenize(text).into_iter().take(MAX_TERMS) {
        let term = Term::from_field_text(opened.fields.text, &word);
        if !seen.insert(word) {
            continue;
        }
        let works = searcher.doc_freq(&term)?;
        if works > 0 {
            terms.push(Weighed { term, works });
        }
    }
    terms.sort_by_key(|weighed| weighed.works);
    Ok(terms)
}

fn run(
    searcher: &Searcher,
    opened: &Opened,
    terms: &[Weighed],
    occur: Occur,
    limit: usize,
) -> Result<Vec<Scored>, CorpusError> {
    if terms.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let clauses: Vec<(Occur, Box<dyn Query>)> = terms
        .iter()
        .map(|weighed| {
            let query = TermQuery::new(weighed.term.clone(), IndexRecordOption::WithFreqs);
            (occur, Box::new(query) as Box<dyn Query>)
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

fn append_new(found: &mut Vec<Scored>, more: Vec<Scored>, limit: usize) {
    for scored in more {
        if found.len() >= limit {
            break;
        }
        if !found.iter().any(|earlier| earlier.id == scored.id) {
            found.push(scored);
        }
    }
}
