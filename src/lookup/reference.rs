//! Finds the works that a reference text may refer to: identifiers in the text and the local corpus
//! first, then the providers within one budget while the best candidate is not good enough. All
//! candidates are scored by the same rule, whatever their source.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::resolve::{LookupError, Resolver, SourceOutcome, SourceResult, outcome_of};
use super::scope::Scope;
use super::times::{AnswerSource, LookupTimes};
use crate::blocking::{Job, PoolKind};
use crate::config::Strictness;
use crate::corpus::{Corpus, CorpusError};
use crate::histogram::Times;
use crate::provider::{Deadline, Provider, ProviderError, ReferenceQuery};
use citation_matching::certainty::Certainty;
use citation_matching::explain::{self, FieldReport};
use citation_matching::rank::{self, Match};
use citation_matching::reference::Reference;
use citation_model::budget::{Budget, Exceeded};
use citation_model::identifier::Identifier;
use citation_model::work::{Source, Work};

/// Number of works requested from the index. The right one is nearly always among the first ten; the
/// rest is for references in which most words are common.
const LOCAL_CANDIDATES: usize = 40;

/// Number of works requested from one provider.
const PROVIDER_CANDIDATES: usize = 10;

/// The most identifiers of one text that providers are asked for. More of them make a list, not a reference.
pub const MAX_IDENTIFIERS: usize = 3;

/// The most identifiers of one text that are looked up in the local corpus.
const MAX_LOCAL_IDENTIFIERS: usize = 12;

/// Finds works by reference text.
pub struct ReferenceSearch {
    corpus: Corpus,
    providers: Vec<Arc<dyn Provider>>,
    settings: SearchSettings,
    times: LookupTimes,
}

#[derive(Clone, Copy, Debug)]
pub struct SearchSettings {
    /// The time budget of all providers of one search.
    pub budget: Duration,
    /// With this score or more the best candidate answers the reference and no other source is asked.
    pub sufficient_score: f64,
    /// How sure verdicts on references must be.
    pub strictness: Strictness,
}

/// A work that a reference may refer to.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub work: Work,
    /// The probability that it is the right work, 0 to 1.
    pub score: f64,
    /// Whether it came from the local corpus.
    pub is_local: bool,
    /// The agreement of the fields.
    pub fields: Vec<FieldReport>,
    /// The components of the score.
    pub found: Match,
    /// The records of other sources under one of its identifiers.
    pub further: Vec<Work>,
}

impl Candidate {
    pub fn certainty(&self) -> Certainty {
        Certainty::of(self.score)
    }

    /// `local`, or the name of the provider.
    pub fn source(&self) -> &'static str {
        if self.is_local {
            "local"
        } else {
            self.work.provenance.source.as_str()
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchOutcome {
    /// Best first; of equal ones by source, then by DOI.
    pub candidates: Vec<Candidate>,
    /// The sources in the order of the requests.
    pub tried: Vec<SourceResult>,
    /// The first failure among the sources, if one failed.
    pub failure: Option<LookupError>,
}

impl SearchOutcome {
    /// The candidate accepted as the right work.
    pub fn accepted(&self) -> Option<&Candidate> {
        self.candidates
            .first()
            .filter(|candidate| candidate.certainty() >= Certainty::Accepted)
    }

    /// Whether there is a plausible candidate. Others only share some words with the
    /// reference, and their source has not found it.
    pub fn is_possible(&self) -> bool {
        let mut candidates = self.candidates.iter();
        candidates.any(|candidate| candidate.certainty() >= Certainty::Possible)
    }
}

impl ReferenceSearch {
    /// `providers` are asked in order.
    pub fn new(
        corpus: Corpus,
        providers: Vec<Arc<dyn Provider>>,
        settings: SearchSettings,
    ) -> ReferenceSearch {
        ReferenceSearch {
            corpus,
            providers,
            settings,
            times: LookupTimes::default(),
        }
    }

    /// How sure verdicts on references must be.
    pub fn strictness(&self) -> Strictness {
        self.settings.strictness
    }

    /// The durations of searches. An accepted candidate counts as an answer.
    pub fn times(&self) -> Vec<(AnswerSource, Times)> {
        self.times.read()
    }

    /// Searches, in the worker slot of `job`; while it waits for providers, it counts as a provider
    /// job. Only a failure of the local corpus or an exhausted budget is an error; failures of providers
    /// are part of the result. `resolver` looks up the identifiers in the text.
    pub fn find(
        &self,
        resolver: &Resolver,
        reference: &Reference,
        scope: Scope,
        job: &Job,
    ) -> Result<SearchOutcome, LookupError> {
        let asked = AskedIdentifiers::UntilSufficient;
        self.find_asking(asked, resolver, reference, scope, job)
    }

    /// [`ReferenceSearch::find`], with a choice of the identifiers that are asked.
    pub fn find_asking(
        &self,
        asked: AskedIdentifiers,
        resolver: &Resolver,
        reference: &Reference,
        scope: Scope,
        job: &Job,
    ) -> Result<SearchOutcome, LookupError> {
        let since = Instant::now();
        let found = self.search(asked, resolver, reference, scope, job);
        self.times.add(answer_of(&found), since);
        found
    }

    fn search(
        &self,
        asked: AskedIdentifiers,
        resolver: &Resolver,
        reference: &Reference,
        scope: Scope,
        job: &Job,
    ) -> Result<SearchOutcome, LookupError> {
        let mut search = WorkSearch::new(reference, job.budget());
        // Before the corpus, since the user may have edited the work.
        for identifier in reference.identifiers.iter().take(MAX_LOCAL_IDENTIFIERS) {
            let found = resolver.local(scope, identifier)?;
            if let Some(work) = found.and_then(|found| found.work) {
                search.add(work, true);
            }
        }
        let hits = self.corpus.candidates(reference, LOCAL_CANDIDATES);
        for hit in hits.map_err(corpus_error)? {
            search.add(hit.work, true);
        }
        search.rank()?;
        search.note_answer("local", |_| true);
        if !scope.local_only {
            self.search_providers(asked, resolver, &mut search, job)?;
        }
        let found = search.finish();
        if let Some(best) = found.accepted().filter(|best| best.is_local) {
            resolver.note_answer(&best.work, scope);
        }
        self.keep(&found);
        Ok(found)
    }

    /// Looks up the identifiers and searches the providers, until the best candidate is good enough.
    fn search_providers(
        &self,
        asked: AskedIdentifiers,
        resolver: &Resolver,
        search: &mut WorkSearch<'_>,
        job: &Job,
    ) -> Result<(), Exceeded> {
        let reference = search.reference;
        let sufficient = self.settings.sufficient_score;
        if search.reaches(sufficient) && asked == AskedIdentifiers::UntilSufficient {
            return Ok(());
        }
        let deadline = Deadline::of(self.settings.budget).for_request(job.budget());
        for identifier in reference.identifiers.iter().take(MAX_IDENTIFIERS) {
            if deadline.is_over() || search.has(identifier) {
                continue;
            }
            match resolver.ask(identifier, job) {
                Ok(resolution) => {
                    if let Some(work) = resolution.work {
                        search.add(work, false);
                    }
                    search.record_tried(&resolution.tried);
                }
                Err(failure) => search.note_failure(failure),
            }
        }
        search.rank()?;
        for provider in &self.providers {
            if search.reaches(sufficient) || deadline.is_given_up() {
                break;
            }
            let query = query_of(reference);
            let works = job.enter_pool(PoolKind::Providers, |job| {
                job.with_slot(deadline.left(), || provider.search(&query, &deadline))
            });
            match works.flatten() {
                Ok(works) => search.take_answer(provider.name(), works)?,
                Err(refused) => search.note_failure(LookupError::of_providers(refused)),
            }
        }
        Ok(())
    }

    /// Stores an accepted work of a provider in the corpus; the caller gets the result even
    /// if that fails.
    fn keep(&self, found: &SearchOutcome) {
        let Some(best) = found.accepted().filter(|best| !best.is_local) else {
            return;
        };
        if self.corpus.store().is_read_only() {
            return;
        }
        if let Err(cause) = self.corpus.put_one(&best.work) {
            tracing::error!(%cause, "cannot store a provider's answer");
        }
    }
}

/// Which identifiers of a text are asked of providers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AskedIdentifiers {
    /// None if a local candidate is good enough.
    UntilSufficient,
    /// All, even if the best candidate is good enough, since one may be another work's.
    All,
}

/// The source of the accepted work.
fn answer_of(found: &Result<SearchOutcome, LookupError>) -> AnswerSource {
    let Ok(outcome) = found else {
        return AnswerSource::Failed;
    };
    match (outcome.accepted(), &outcome.failure) {
        (Some(best), _) if best.is_local => AnswerSource::Corpus,
        (Some(_), _) => AnswerSource::Provider,
        (None, Some(_)) => AnswerSource::Failed,
        (None, None) => AnswerSource::NotFound,
    }
}

fn corpus_error(cause: CorpusError) -> LookupError {
    LookupError::Corpus(Arc::new(cause))
}

/// The query for a provider: the text, and the fields parsed from it.
fn query_of(reference: &Reference) -> ReferenceQuery {
    ReferenceQuery {
        text: reference.text.clone(),
        title: reference.title.clone(),
        author: reference.names.first().map(|name| name.heading()),
        year: reference.year(),
        container: reference.container.clone(),
        rows: PROVIDER_CANDIDATES,
    }
}

/// A search in progress: works from all sources, each once, and their scores.
struct WorkSearch<'r> {
    reference: &'r Reference,
    budget: &'r Budget,
    /// With whether it is local.
    works: Vec<(Work, bool)>,
    /// Records of other sources, with the index of the work that has one of their identifiers.
    further: Vec<(usize, Work)>,
    /// The index of an identifier's work.
    places: HashMap<Identifier, usize>,
    /// Best first.
    ranked: Vec<Match>,
    tried: Vec<SourceResult>,
    failure: Option<LookupError>,
}

impl<'r> WorkSearch<'r> {
    fn new(reference: &'r Reference, budget: &'r Budget) -> WorkSearch<'r> {
        WorkSearch {
            reference,
            budget,
            works: Vec::new(),
            further: Vec::new(),
            places: HashMap::new(),
            ranked: Vec::new(),
            tried: Vec::new(),
            failure: None,
        }
    }

    /// Adds a work unless it is there; returns its index.
    fn add(&mut self, work: Work, is_local: bool) -> usize {
        let identifiers = work.identifiers();
        let known = identifiers.iter().find_map(|id| self.places.get(id));
        if let Some(place) = known.copied() {
            self.add_further(place, work);
            return place;
        }
        let place = self.works.len();
        self.places
            .extend(identifiers.into_iter().map(|id| (id, place)));
        self.works.push((work, is_local));
        place
    }

    /// Keeps a record of a known work if it is from another source.
    fn add_further(&mut self, place: usize, work: Work) {
        let source = |work: &Work| work.provenance.source;
        let first = self.works.get(place).map(|(work, _)| source(work));
        let of_place = self.further.iter().filter(|(at, _)| *at == place);
        let mut sources = first
            .into_iter()
            .chain(of_place.map(|(_, work)| source(work)));
        if !sources.any(|known| known == source(&work)) {
            self.further.push((place, work));
        }
    }

    fn has(&self, identifier: &Identifier) -> bool {
        self.places.contains_key(identifier)
    }

    fn rank(&mut self) -> Result<(), Exceeded> {
        let items = self.works.iter().map(|(work, _)| &work.item);
        self.ranked = rank::rank(self.reference, items, self.budget)?;
        Ok(())
    }

    /// Whether the best work has at least this score.
    fn reaches(&self, score: f64) -> bool {
        self.ranked.first().is_some_and(|best| best.score >= score)
    }

    /// Adds a provider's works, or its failure.
    fn take_answer(
        &mut self,
        source: &'static str,
        works: Result<Vec<Work>, ProviderError>,
    ) -> Result<(), Exceeded> {
        match works {
            Ok(works) => {
                let places: Vec<usize> = works
                    .into_iter()
                    .map(|work| self.add(work, false))
                    .collect();
                self.rank()?;
                self.note_answer(source, |place| places.contains(&place));
            }
            Err(cause) => {
                tracing::warn!(provider = source, %cause, "cannot search a provider");
                let outcome = outcome_of(&cause);
                self.tried.push(SourceResult { source, outcome });
                let tried = self.tried.clone();
                self.failure
                    .get_or_insert(LookupError::Provider { cause, tried });
            }
        }
        Ok(())
    }

    /// Records whether a source has a plausible work, among those in its index range.
    fn note_answer(&mut self, source: &'static str, is_from: impl Fn(usize) -> bool) {
        let mut ranked = self.ranked.iter();
        let is_possible = |found: &Match| {
            Certainty::of(found.score) >= Certainty::Possible && is_from(found.index)
        };
        let outcome = if ranked.any(is_possible) {
            SourceOutcome::Found
        } else {
            SourceOutcome::NotFound
        };
        self.tried.push(SourceResult { source, outcome });
    }

    fn note_failure(&mut self, failure: LookupError) {
        if let LookupError::Provider { tried, .. } = &failure {
            self.record_tried(tried);
        }
        self.failure.get_or_insert(failure);
    }

    fn record_tried(&mut self, tried: &[SourceResult]) {
        let further = tried.iter().filter(|tried| tried.source != "local");
        self.tried.extend(further.cloned());
    }

    /// Explains and sorts the results.
    fn finish(self) -> SearchOutcome {
        let mut works: Vec<Option<(Work, bool)>> = self.works.into_iter().map(Some).collect();
        let mut further: HashMap<usize, Vec<Work>> = HashMap::new();
        for (place, work) in self.further {
            further.entry(place).or_default().push(work);
        }
        let candidate = |found: Match| {
            let (work, is_local) = works.get_mut(found.index)?.take()?;
            Some(Candidate {
                score: found.score,
                is_local,
                fields: explain::explain(self.reference, &work.item, &found),
                further: further.remove(&found.index).unwrap_or_default(),
                work,
                found,
            })
        };
        let mut candidates: Vec<Candidate> =
            self.ranked.into_iter().filter_map(candidate).collect();
        candidates.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then_with(|| source_of(a).cmp(&source_of(b)))
                .then_with(|| a.work.item.doi().cmp(&b.work.item.doi()))
        });
        SearchOutcome {
            candidates,
            tried: self.tried,
            failure: self.failure,
        }
    }
}

/// Local works come before those of providers.
fn source_of(candidate: &Candidate) -> (bool, Source) {
    (!candidate.is_local, candidate.work.provenance.source)
}
