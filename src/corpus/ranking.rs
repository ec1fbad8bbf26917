//! Finds works with any, or both, of some terms, ranked by BM25. A reference has many rare words:
//! a general query plan would look up each of them repeatedly in every segment, which costs
//! more than scanning their few postings.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::InvertedIndexReader;
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, DocSet, Searcher, TERMINATED, Term};

use super::error::CorpusError;

/// BM25's k1: how quickly repetitions of a word saturate.
const SATURATION: f32 = 1.2;

/// BM25's b: how strongly long works are penalised.
const LENGTH_SHARE: f32 = 0.75;

/// Number of works scored at a time; their scores fit into a fast cache.
const WINDOW: u32 = 1 << 14;

/// Number of works that the first pass keeps for each requested one.
const SHORTLIST: usize = 8;

/// The field of all words and the works' ids, in one state of the index. Built once per
/// state, instead of being read for every search.
pub struct Ranking {
    searcher: Searcher,
    field: Field,
    segments: Vec<IndexSegment>,
    works: u64,
    /// Average number of words of a work.
    average_length: f32,
    /// Every change up to this one is in that state.
    seq: i64,
}

/// One segment of the index.
struct IndexSegment {
    terms: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
    ids: Column<u64>,
}

/// A word, the number of its works, and its postings in each segment.
pub struct Located {
    pub word: String,
    pub works: u64,
    places: Vec<Option<TermInfo>>,
}

/// An address in the index and its score.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    pub address: DocAddress,
    pub score: f32,
}

/// The works of one word in one segment.
struct List {
    postings: SegmentPostings,
    /// The weight of the word.
    weight: f32,
}

impl Ranking {
    /// `id` is the name of the field with the works' ids; every change up to `seq` is included.
    pub fn open(
        searcher: Searcher,
        field: Field,
        id: &str,
        seq: i64,
    ) -> Result<Ranking, CorpusError> {
        let mut segments = Vec::new();
        let mut words = 0;
        for reader in searcher.segment_readers() {
            let terms = reader.inverted_index(field)?;
            words += terms.total_num_tokens();
            segments.push(IndexSegment {
                terms,
                lengths: reader.get_fieldnorms_reader(field)?,
                ids: reader.fast_fields().u64(id)?,
            });
        }
        let works = searcher.num_docs();
        Ok(Ranking {
            searcher,
            field,
            segments,
            works,
            average_length: (words as f32 / works.max(1) as f32).max(1.0),
            seq,
        })
    }

    /// The index state of this ranking.
    pub fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    /// The change up to which the index is complete.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// The score of a work that is not indexed yet, by its words and their frequencies.
    pub fn score_of(&self, terms: &[Located], words: &HashMap<String, u32>) -> f32 {
        let length = words.values().sum::<u32>() as f32 / self.average_length;
        let score = |term: &Located| {
            let count = *words.get(&term.word)? as f32;
            Some(self.weight(term) * saturated(count, length))
        };
        terms.iter().filter_map(score).sum()
    }

    /// Number of searchable works.
    pub fn works(&self) -> u64 {
        self.works
    }

    /// The id of the work at an address.
    pub fn id(&self, address: DocAddress) -> Option<u64> {
        let segment = self.segments.get(address.segment_ord as usize)?;
        segment.ids.first(address.doc_id)
    }

    pub fn locate(&self, word: String) -> Result<Located, CorpusError> {
        let term = Term::from_field_text(self.field, &word);
        let places = self
            .segments
            .iter()
            .map(|segment| segment.terms.get_term_info(&term))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Located {
            word,
            works: places.iter().flatten().map(|p| u64::from(p.doc_freq)).sum(),
            places,
        })
    }

    /// Works with any of the terms, ranked by all of them. A first pass
    /// assumes a frequency of one for each term, and reads the length of a work, which is a cache
    /// miss, only if the work may be among the best; those are then scored by
    /// all terms.
    pub fn any(
        &self,
        terms: &[&Located],
        others: &[&Located],
        limit: usize,
    ) -> Result<Vec<Ranked>, CorpusError> {
        let mut best = TopRanked::new(limit.saturating_mul(SHORTLIST));
        let mut sums = vec![0.0_f32; WINDOW as usize];
        let mut touched: Vec<u32> = Vec::new();
        for (n, segment) in self.segments.iter().enumerate() {
            let mut lists = self.lists(n, terms, IndexRecordOption::Basic)?;
            while let Some(start) = lists.iter().map(|list| list.postings.doc()).min() {
                if start == TERMINATED {
                    break;
                }
                for list in &mut lists {
                    let mut doc = list.postings.doc();
                    while doc < start + WINDOW {
                        if let Some(sum) = sums.get_mut((doc - start) as usize) {
                            if *sum == 0.0 {
                                touched.push(doc);
                            }
                            *sum += list.weight;
                        }
                        doc = list.postings.advance();
                    }
                }
                for doc in touched.drain(..) {
                    let slot = sums.get_mut((doc - start) as usize);
                    let sum = slot.map(std::mem::take).unwrap_or_default();
                    if sum * saturated_once(0.0) > best.least {
                        let score = sum * saturated_once(self.length(segment, doc));
                        self.offer(&mut best, n, doc, score);
                    }
                }
            }
        }
        let mut ranked = best.ranked();
        self.score_by(terms.iter().chain(others), &mut ranked)?;
        ranked.sort_unstable_by(better_first);
        ranked.truncate(limit);
        Ok(ranked)
    }

    /// Computes each work's score.
    fn score_by<'t>(
        &self,
        terms: impl Iterator<Item = &'t &'t Located> + Clone,
        ranked: &mut [Ranked],
    ) -> Result<(), CorpusError> {
        ranked.sort_unstable_by_key(|work| work.address);
        let same_segment = |a: &Ranked, b: &Ranked| a.address.segment_ord == b.address.segment_ord;
        for works in ranked.chunk_by_mut(same_segment) {
            works.iter_mut().for_each(|work| work.score = 0.0);
            let Some(n) = works
                .first()
                .map(|first| first.address.segment_ord as usize)
            else {
                continue;
            };
            let Some(segment) = self.segments.get(n) else {
                continue;
            };
            for term in terms.clone() {
                let Some(mut list) = self.list(n, term, IndexRecordOption::WithFreqs)? else {
                    continue;
                };
                for work in works.iter_mut() {
                    let doc = work.address.doc_id;
                    if list.reach(doc) == doc {
                        work.score += self.score(segment, &list, doc);
                    }
                }
            }
        }
        Ok(())
    }

    fn offer(&self, best: &mut TopRanked, segment: usize, doc: DocId, score: f32) {
        if score <= best.least || self.searcher.segment_reader(segment as u32).is_deleted(doc) {
            return;
        }
        let address = DocAddress::new(segment as u32, doc);
        best.add(Ranked { address, score });
    }

    /// Works with both terms, ranked by all terms.
    pub fn both(
        &self,
        terms: [&Located; 2],
        others: &[&Located],
        limit: usize,
    ) -> Result<Vec<Ranked>, CorpusError> {
        let mut best = TopRanked::new(limit);
        let [rarer, other] = match terms {
            [a, b] if a.works <= b.works => [a, b],
            [a, b] => [b, a],
        };
        for (n, segment) in self.segments.iter().enumerate() {
            let option = IndexRecordOption::WithFreqs;
            let [Some(mut rarer), Some(mut other)] =
                [self.list(n, rarer, option)?, self.list(n, other, option)?]
            else {
                continue;
            };
            let mut others = self.lists(n, others, option)?;
            let mut doc = rarer.postings.doc();
            while doc != TERMINATED {
                let met = other.reach(doc);
                if met == doc {
                    let mut score =
                        self.score(segment, &rarer, doc) + self.score(segment, &other, doc);
                    for list in &mut others {
                        if list.reach(doc) == doc {
                            score += self.score(segment, list, doc);
                        }
                    }
                    self.offer(&mut best, n, doc, score);
                    doc = rarer.postings.advance();
                } else {
                    doc = rarer.reach(met);
                }
            }
        }
        Ok(best.ranked())
    }

    fn lists(
        &self,
        segment: usize,
        terms: &[&Located],
        option: IndexRecordOption,
    ) -> Result<Vec<List>, CorpusError> {
        let mut lists = Vec::with_capacity(terms.len());
        for term in terms {
            lists.extend(self.list(segment, term, option)?);
        }
        Ok(lists)
    }

    fn list(
        &self,
        segment: usize,
        term: &Located,
        option: IndexRecordOption,
    ) -> Result<Option<List>, CorpusError> {
        let place = term.places.get(segment).and_then(Option::as_ref);
        let (Some(place), Some(segment)) = (place, self.segments.get(segment)) else {
            return Ok(None);
        };
        let postings = segment.terms.read_postings_from_terminfo(place, option)?;
        Ok(Some(List {
            postings,
            weight: self.weight(term),
        }))
    }

    /// BM25's weight of a word.
    fn weight(&self, term: &Located) -> f32 {
        let (all, with) = (self.works as f32, term.works as f32);
        (1.0 + ((all - with).max(0.0) + 0.5) / (with + 0.5)).ln()
    }

    fn score(&self, segment: &IndexSegment, list: &List, doc: DocId) -> f32 {
        let count = list.postings.term_freq() as f32;
        list.weight * saturated(count, self.length(segment, doc))
    }

    /// The length of a work relative to the average.
    fn length(&self, segment: &IndexSegment, doc: DocId) -> f32 {
        segment.lengths.fieldnorm(doc) as f32 / self.average_length
    }
}

/// BM25's contribution of a word with a frequency in a work of a length.
fn saturated(count: f32, length: f32) -> f32 {
    let most = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length);
    count * (1.0 + SATURATION) / (count + most)
}

fn saturated_once(length: f32) -> f32 {
    saturated(1.0, length)
}

impl List {
    /// Advances to a work, or the next one after it, and returns its position.
    fn reach(&mut self, doc: DocId) -> DocId {
        if self.postings.doc() < doc {
            self.postings.seek(doc)
        } else {
            self.postings.doc()
        }
    }
}

/// The best of many.
struct TopRanked {
    limit: usize,
    kept: Vec<Ranked>,
    /// Scores at or below this are not among the best.
    least: f32,
}

impl TopRanked {
    fn new(limit: usize) -> TopRanked {
        TopRanked {
            limit,
            kept: Vec::new(),
            least: 0.0,
        }
    }

    fn add(&mut self, ranked: Ranked) {
        const ROOM: usize = 2;
        self.kept.push(ranked);
        if self.kept.len() >= self.limit.saturating_mul(ROOM) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.kept.len() < self.limit {
            return;
        }
        if let Some(last) = self.limit.checked_sub(1) {
            self.kept.select_nth_unstable_by(last, better_first);
        }
        self.kept.truncate(self.limit);
        self.least = self.kept.last().map_or(self.least, |last| last.score);
    }

    fn ranked(mut self) -> Vec<Ranked> {
        self.cut();
        self.kept.sort_unstable_by(better_first);
        self.kept
    }
}

fn better_first(a: &Ranked, b: &Ranked) -> Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| a.address.cmp(&b.address))
}

#[cfg(test)]
mod tests {
    use tantivy::collector::TopDocs;
    use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
    use tantivy::schema::{FAST, Schema, TEXT};
    use tantivy::{Index, IndexWriter, doc};

    use super::*;

    /// Two segments, the first of them longer than a window, of works whose words repeat at
    /// different distances.
    fn searcher() -> (Searcher, Field) {
        let mut schema = Schema::builder();
        let field = schema.add_text_field("text", TEXT);
        let id = schema.add_u64_field("id", FAST);
        let index = Index::create_in_ram(schema.build());
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 20_000_000).unwrap();
        let first = WINDOW as usize + 2_000;
        for n in 0..first + 1_000 {
            let tail = "x ".repeat(n % 5);
            let text = format!("a{} b{} c{} c{} {tail}", n % 7, n % 101, n % 1_009, n % 997);
            writer
                .add_document(doc!(field => text, id => n as u64))
                .unwrap();
            if n == first {
                writer.commit().unwrap();
            }
        }
        writer.commit().unwrap();
        (index.reader().unwrap().searcher(), field)
    }

    fn clause(field: Field, occur: Occur, word: &str) -> (Occur, Box<dyn Query>) {
        let term = Term::from_field_text(field, word);
        let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
        (occur, Box::new(query))
    }

    /// The scores of the engine's own plan, best first.
    fn expected(searcher: &Searcher, clauses: Vec<(Occur, Box<dyn Query>)>) -> Vec<f32> {
        let best = TopDocs::with_limit(20).order_by_score();
        let hits = searcher.search(&BooleanQuery::new(clauses), &best).unwrap();
        hits.into_iter().map(|(score, _)| score).collect()
    }

    #[track_caller]
    fn assert_alike(found: &[Ranked], expected: &[f32]) {
        let scores: Vec<f32> = found.iter().map(|ranked| ranked.score).collect();
        assert_eq!(scores.len(), expected.len(), "{scores:?}, not {expected:?}");
        for (score, wanted) in scores.iter().zip(expected) {
            assert!(
                (score - wanted).abs() < 0.001,
                "{scores:?}, not {expected:?}"
            );
        }
    }

    #[test]
    fn union_of_terms_ranks_like_the_engine() {
        let (searcher, field) = searcher();
        assert!(searcher.segment_readers().len() > 1);
        let ranking = Ranking::open(searcher.clone(), field, "id", 0).unwrap();
        let check = |words: &[&str]| {
            let located: Vec<Located> = words
                .iter()
                .map(|word| ranking.locate((*word).to_owned()).unwrap())
                .collect();
            let terms: Vec<&Located> = located.iter().collect();
            let found = ranking.any(&terms, &[], 20).unwrap();
            let clauses = words.iter().map(|word| clause(field, Occur::Should, word));
            assert_alike(&found, &expected(&searcher, clauses.collect()));
        };
        check(&["c3"]);
        check(&["c3", "b3", "a3"]);
        check(&["c1008", "b100", "c996", "c17", "x"]);
        check(&["nowhere"]);
        check(&[]);
    }

    #[test]
    fn intersection_of_terms_ranks_like_the_engine() {
        let (searcher, field) = searcher();
        let ranking = Ranking::open(searcher.clone(), field, "id", 0).unwrap();
        let locate = |word: &str| ranking.locate(word.to_owned()).unwrap();
        let check = |one: &str, other: &str, beside: &str| {
            let (one_at, other_at, beside_at) = (locate(one), locate(other), locate(beside));
            let found = ranking
                .both([&one_at, &other_at], &[&beside_at], 20)
                .unwrap();
            let clauses = vec![
                clause(field, Occur::Must, one),
                clause(field, Occur::Must, other),
                clause(field, Occur::Should, beside),
            ];
            assert_alike(&found, &expected(&searcher, clauses));
        };
        check("a3", "b3", "x");
        check("b7", "a1", "c5");
        check("a1", "nowhere", "x");
        check("a1", "a2", "x");
    }
}
