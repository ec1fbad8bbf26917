//! Works that have any, or both, of some terms, best first by BM25. A reference has many rare words:
//! a general query plan would look each of them up again and again in every segment, which costs
//! more than going through their few postings.

use std::cmp::Ordering;
use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::InvertedIndexReader;
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, DocSet, Searcher, SegmentReader, TERMINATED, Term};

use super::error::CorpusError;

/// How soon more of the same word stops to count, of BM25.
const SATURATION: f32 = 1.2;

/// How much long works are marked down, of BM25.
const LENGTH_SHARE: f32 = 0.75;

/// Works whose scores are added up at a time; the table of their scores stays in a near cache.
const WINDOW: u32 = 1 << 14;

/// The field of all words, as one search sees it.
pub struct Ranking<'a> {
    field: Field,
    parts: Vec<Part<'a>>,
    works: u64,
    /// Words of a work, on average.
    average_length: f32,
}

/// One segment of the index.
struct Part<'a> {
    segment: &'a SegmentReader,
    terms: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
}

/// A word, in how many works it occurs, and where each segment lists them.
pub struct Located {
    pub word: String,
    pub works: u64,
    places: Vec<Option<TermInfo>>,
}

/// A place in the index and how well it fits.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    pub address: DocAddress,
    pub score: f32,
}

/// The works of one word in one segment.
struct List {
    postings: SegmentPostings,
    /// How telling the word is.
    weight: f32,
}

impl<'a> Ranking<'a> {
    pub fn open(searcher: &'a Searcher, field: Field) -> Result<Ranking<'a>, CorpusError> {
        let mut parts = Vec::new();
        let mut words = 0;
        for segment in searcher.segment_readers() {
            let terms = segment.inverted_index(field)?;
            words += terms.total_num_tokens();
            parts.push(Part {
                segment,
                terms,
                lengths: segment.get_fieldnorms_reader(field)?,
            });
        }
        let works = searcher.num_docs();
        Ok(Ranking {
            field,
            parts,
            works,
            average_length: (words as f32 / works.max(1) as f32).max(1.0),
        })
    }

    pub fn locate(&self, word: String) -> Result<Located, CorpusError> {
        let term = Term::from_field_text(self.field, &word);
        let places = self
            .parts
            .iter()
            .map(|part| part.terms.get_term_info(&term))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Located {
            word,
            works: places.iter().flatten().map(|p| u64::from(p.doc_freq)).sum(),
            places,
        })
    }

    /// Works that have any of the terms.
    pub fn any(&self, terms: &[&Located], limit: usize) -> Result<Vec<Ranked>, CorpusError> {
        let mut best = Best::new(limit);
        let mut scores = vec![0.0_f32; WINDOW as usize];
        let mut touched: Vec<u32> = Vec::new();
        for (n, part) in self.parts.iter().enumerate() {
            let mut lists = self.lists(n, terms)?;
            while let Some(start) = lists.iter().map(|list| list.postings.doc()).min() {
                if start == TERMINATED {
                    break;
                }
                for list in &mut lists {
                    while list.postings.doc() < start + WINDOW {
                        let doc = list.postings.doc();
                        if let Some(score) = scores.get_mut((doc - start) as usize) {
                            if *score == 0.0 {
                                touched.push(doc);
                            }
                            *score += self.score(part, list, doc);
                        }
                        list.postings.advance();
                    }
                }
                for doc in touched.drain(..) {
                    let slot = scores.get_mut((doc - start) as usize);
                    let score = slot.map(std::mem::take).unwrap_or_default();
                    best.offer(part.segment, n, doc, score);
                }
            }
        }
        Ok(best.ranked())
    }

    /// Works that have both terms, the better the more of the others they have.
    pub fn both(
        &self,
        terms: [&Located; 2],
        others: &[&Located],
        limit: usize,
    ) -> Result<Vec<Ranked>, CorpusError> {
        let mut best = Best::new(limit);
        let [rarer, other] = match terms {
            [a, b] if a.works <= b.works => [a, b],
            [a, b] => [b, a],
        };
        for (n, part) in self.parts.iter().enumerate() {
            let [Some(mut rarer), Some(mut other)] = [self.list(n, rarer)?, self.list(n, other)?]
            else {
                continue;
            };
            let mut others = self.lists(n, others)?;
            let mut doc = rarer.postings.doc();
            while doc != TERMINATED {
                let met = other.reach(doc);
                if met == doc {
                    let mut score = self.score(part, &rarer, doc) + self.score(part, &other, doc);
                    for list in &mut others {
                        if list.reach(doc) == doc {
                            score += self.score(part, list, doc);
                        }
                    }
                    best.offer(part.segment, n, doc, score);
                    doc = rarer.postings.advance();
                } else {
                    doc = rarer.reach(met);
                }
            }
        }
        Ok(best.ranked())
    }

    fn lists(&self, part: usize, terms: &[&Located]) -> Result<Vec<List>, CorpusError> {
        let lists = terms.iter().map(|term| self.list(part, term));
        lists.filter_map(Result::transpose).collect()
    }

    fn list(&self, part: usize, term: &Located) -> Result<Option<List>, CorpusError> {
        let place = term.places.get(part).and_then(Option::as_ref);
        let (Some(place), Some(part)) = (place, self.parts.get(part)) else {
            return Ok(None);
        };
        let option = IndexRecordOption::WithFreqs;
        let postings = part.terms.read_postings_from_terminfo(place, option)?;
        let (all, with) = (self.works as f32, term.works as f32);
        Ok(Some(List {
            postings,
            weight: (1.0 + ((all - with).max(0.0) + 0.5) / (with + 0.5)).ln(),
        }))
    }

    fn score(&self, part: &Part, list: &List, doc: DocId) -> f32 {
        let count = list.postings.term_freq() as f32;
        let length = part.lengths.fieldnorm(doc) as f32 / self.average_length;
        let most = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length);
        list.weight * count * (1.0 + SATURATION) / (count + most)
    }
}

impl List {
    /// Goes on to a work, or the next one behind it, and gives where that is.
    fn reach(&mut self, doc: DocId) -> DocId {
        if self.postings.doc() < doc {
            self.postings.seek(doc)
        } else {
            self.postings.doc()
        }
    }
}

/// The best of many.
struct Best {
    limit: usize,
    kept: Vec<Ranked>,
    /// What is not better than this is not among the best.
    least: f32,
}

impl Best {
    fn new(limit: usize) -> Best {
        Best {
            limit,
            kept: Vec::new(),
            least: 0.0,
        }
    }

    fn offer(&mut self, segment: &SegmentReader, part: usize, doc: DocId, score: f32) {
        const ROOM: usize = 8;
        if score <= self.least || segment.is_deleted(doc) {
            return;
        }
        let address = DocAddress::new(part as u32, doc);
        self.kept.push(Ranked { address, score });
        if self.kept.len() >= self.limit.saturating_mul(ROOM) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.kept.sort_unstable_by(better_first);
        self.kept.truncate(self.limit);
        if self.kept.len() == self.limit {
            self.least = self.kept.last().map_or(self.least, |last| last.score);
        }
    }

    fn ranked(mut self) -> Vec<Ranked> {
        self.cut();
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
    use tantivy::schema::{Schema, TEXT};
    use tantivy::{Index, IndexWriter, doc};

    use super::*;

    /// Two segments, the first of them longer than a window, of works whose words repeat at
    /// different distances.
    fn searcher() -> (Searcher, Field) {
        let mut schema = Schema::builder();
        let field = schema.add_text_field("text", TEXT);
        let index = Index::create_in_ram(schema.build());
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 20_000_000).unwrap();
        let first = WINDOW as usize + 2_000;
        for n in 0..first + 1_000 {
            let tail = "x ".repeat(n % 5);
            let text = format!("a{} b{} c{} c{} {tail}", n % 7, n % 101, n % 1_009, n % 997);
            writer.add_document(doc!(field => text)).unwrap();
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
    fn any_of_some_terms_is_ranked_as_the_engine_would() {
        let (searcher, field) = searcher();
        assert!(searcher.segment_readers().len() > 1);
        let ranking = Ranking::open(&searcher, field).unwrap();
        let check = |words: &[&str]| {
            let located: Vec<Located> = words
                .iter()
                .map(|word| ranking.locate((*word).to_owned()).unwrap())
                .collect();
            let found = ranking
                .any(&located.iter().collect::<Vec<_>>(), 20)
                .unwrap();
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
    fn works_with_both_terms_are_ranked_as_the_engine_would() {
        let (searcher, field) = searcher();
        let ranking = Ranking::open(&searcher, field).unwrap();
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
