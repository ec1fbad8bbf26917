//! Reference text → the works that it may mean: identifiers in the text and the local corpus
//! first, then the providers within one budget while the best candidate is not good enough. All
//! candidates are scored by the same rule, wherever they come from.

use std::sync::Arc;
use std::time::Duration;

use super::resolve::{LookupError, Resolver, Tried, TriedOutcome, outcome_of};
use crate::blocking::{Job, PoolKind};
use crate::corpus::{Corpus, CorpusError};
use crate::matching::explain::{self, FieldReport};
use crate::matching::rank::{self, Match};
use crate::matching::reference::Reference;
use crate::matching::score;
use crate::model::identifier::Identifier;
use crate::model::work::{Source, Work};
use crate::provider::{Deadline, Provider, ProviderError, ReferenceQuery};

/// Works that the index is asked for. The right one is nearly always among the first ten; the
/// rest is for references in which most words are common.
const LOCAL_CANDIDATES: usize = 40;

/// Works that one provider is asked for.
const PROVIDER_CANDIDATES: usize = 10;

/// Identifiers of one text that providers are asked for. More of them make a list, not a reference.
const MOST_IDENTIFIERS: usize = 3;

/// Identifiers of one text that are looked up in the local corpus.
const MOST_LOCAL_IDENTIFIERS: usize = 12;

/// Finds works by reference text.
pub struct ReferenceSearch {
    corpus: Corpus,
    providers: Vec<Arc<dyn Provider>>,
    settings: SearchSettings,
}

#[derive(Clone, Copy, Debug)]
pub struct SearchSettings {
    /// Time for all providers of one search together.
    pub budget: Duration,
    /// From this score on the best candidate answers the reference and nobody else is asked.
    pub sufficient_score: f64,
}

/// Whom to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    LocalOnly,
    /// The local corpus, and the providers where it does not suffice.
    Everywhere,
}

/// A work that a reference may mean.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub work: Work,
    /// The probability that it is the work that is meant, 0 to 1.
    pub score: f64,
    /// Whether it came from the local corpus.
    pub is_local: bool,
    /// How the fields agree.
    pub fields: Vec<FieldReport>,
    /// What the score was made of.
    pub found: Match,
}

/// What a search came to.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Best first; of equal ones by source, then by DOI.
    pub candidates: Vec<Candidate>,
    /// The sources in the order in which they were asked.
    pub tried: Vec<Tried>,
    /// The first failure among the sources, if one failed.
    pub failure: Option<LookupError>,
}

impl Found {
    /// The candidate that is accepted as the work that is meant.
    pub fn accepted(&self) -> Option<&Candidate> {
        self.candidates
            .first()
            .filter(|candidate| candidate.score >= score::ACCEPTED)
    }

    /// Whether there is a candidate that may be what is meant. Others only share some words with the
    /// reference, and whoever brought them has not found it.
    pub fn is_possible(&self) -> bool {
        let mut candidates = self.candidates.iter();
        candidates.any(|candidate| candidate.score >= score::POSSIBLE)
    }
}

impl ReferenceSearch {
    /// `providers` are searched in their order.
    pub fn new(
        corpus: Corpus,
        providers: Vec<Arc<dyn Provider>>,
        settings: SearchSettings,
    ) -> ReferenceSearch {
        ReferenceSearch {
            corpus,
            providers,
            settings,
        }
    }

    /// Searches, in the place that `job` has; while it waits for providers, it is among the jobs that
    /// do. Only the local corpus failing is an error; a provider that fails is told in what comes
    /// back. `resolver` looks up the identifiers in the text, for the user.
    pub fn find(
        &self,
        resolver: &Resolver,
        reference: &Reference,
        user: Option<i64>,
        scope: Scope,
        job: &Job,
    ) -> Result<Found, LookupError> {
        let mut pool = Pool::default();
        let local = self
            .corpus
            .candidates(reference, LOCAL_CANDIDATES)
            .map_err(corpus_error)?;
        // Before what the corpus has, since the user may have the work in other words.
        for identifier in reference.identifiers.iter().take(MOST_LOCAL_IDENTIFIERS) {
            let found = resolver.local(user, identifier)?;
            if let Some(work) = found.and_then(|found| found.work) {
                pool.add(work, true);
            }
        }
        for hit in local {
            pool.add(hit.work, true);
        }
        let mut found = Found {
            candidates: pool.ranked(reference),
            ..Found::default()
        };
        found.tried.push(Tried {
            source: "local",
            outcome: outcome(found.is_possible()),
        });
        if scope == Scope::Everywhere && !self.is_sufficient(&found) {
            self.ask_further(resolver, reference, &mut pool, &mut found, job);
        }
        Ok(found)
    }

    fn is_sufficient(&self, found: &Found) -> bool {
        found
            .candidates
            .first()
            .is_some_and(|best| best.score >= self.settings.sufficient_score)
    }

    /// Looks up the identifiers and searches the providers, until the best candidate suffices.
    fn ask_further(
        &self,
        resolver: &Resolver,
        reference: &Reference,
        pool: &mut Pool,
        found: &mut Found,
        job: &Job,
    ) {
        let deadline = Deadline::of(self.settings.budget).for_request(job.budget());
        for identifier in reference.identifiers.iter().take(MOST_IDENTIFIERS) {
            if deadline.is_over() || pool.has(identifier) {
                continue;
            }
            match resolver.ask(identifier, job) {
                Ok(resolution) => {
                    if let Some(work) = resolution.work {
                        pool.add(work, false);
                    }
                    found
                        .tried
                        .extend(resolution.tried.into_iter().filter(|t| t.source != "local"));
                }
                Err(failure) => note_failure(found, failure),
            }
        }
        found.candidates = pool.ranked(reference);
        for provider in &self.providers {
            if self.is_sufficient(found) || deadline.is_given_up() {
                return;
            }
            let query = query_of(reference);
            let works = job.visit(PoolKind::Providers, |job| {
                job.hold(deadline.left(), || provider.search(&query, &deadline))
            });
            match works.flatten() {
                Ok(works) => add_found(provider.name(), works, reference, pool, found),
                Err(refused) => note_failure(found, LookupError::of_providers(refused)),
            }
            found.candidates = pool.ranked(reference);
        }
        self.keep(found);
    }

    /// An accepted work that a provider brought enters the corpus; the caller gets its answer even
    /// if that fails.
    fn keep(&self, found: &Found) {
        let Some(best) = found.accepted().filter(|best| !best.is_local) else {
            return;
        };
        if let Err(cause) = self.corpus.put_one(&best.work) {
            tracing::error!(%cause, "a provider's answer could not be stored");
        }
    }
}

/// Takes in what a provider has found, or how it failed.
fn add_found(
    source: &'static str,
    works: Result<Vec<Work>, ProviderError>,
    reference: &Reference,
    pool: &mut Pool,
    found: &mut Found,
) {
    match works {
        Ok(works) => {
            let ranked = rank::rank(reference, works.iter().map(|work| &work.item));
            let is_possible = ranked.iter().any(|found| found.score >= score::POSSIBLE);
            let outcome = outcome(is_possible);
            found.tried.push(Tried { source, outcome });
            for work in works {
                pool.add(work, false);
            }
        }
        Err(cause) => {
            tracing::warn!(provider = source, %cause, "a provider could not be searched");
            let outcome = outcome_of(&cause);
            found.tried.push(Tried { source, outcome });
            let tried = found.tried.clone();
            found
                .failure
                .get_or_insert(LookupError::Provider { cause, tried });
        }
    }
}

fn note_failure(found: &mut Found, failure: LookupError) {
    if let LookupError::Provider { tried, .. } = &failure {
        found
            .tried
            .extend(tried.iter().filter(|t| t.source != "local").cloned());
    }
    found.failure.get_or_insert(failure);
}

fn outcome(any: bool) -> TriedOutcome {
    if any {
        TriedOutcome::Found
    } else {
        TriedOutcome::NotFound
    }
}

fn corpus_error(cause: CorpusError) -> LookupError {
    LookupError::Corpus(Arc::new(cause))
}

/// What a provider is asked: the text, and what was read from it.
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

/// Works from all sources, each once.
#[derive(Default)]
struct Pool {
    works: Vec<(Work, bool)>,
    known: Vec<Identifier>,
}

impl Pool {
    fn add(&mut self, work: Work, is_local: bool) {
        let identifiers = work.identifiers();
        if identifiers.iter().any(|id| self.known.contains(id)) {
            return;
        }
        self.known.extend(identifiers);
        self.works.push((work, is_local));
    }

    fn has(&self, identifier: &Identifier) -> bool {
        self.known.contains(identifier)
    }

    fn ranked(&self, reference: &Reference) -> Vec<Candidate> {
        candidates(reference, &self.works)
    }
}

/// Scores works, each with whether it is local, and puts them in order.
fn candidates(reference: &Reference, works: &[(Work, bool)]) -> Vec<Candidate> {
    let items = works.iter().map(|(work, _)| &work.item);
    let mut candidates: Vec<Candidate> = rank::rank(reference, items)
        .into_iter()
        .filter_map(|found| {
            let (work, is_local) = works.get(found.index)?;
            Some(Candidate {
                work: work.clone(),
                score: found.score,
                is_local: *is_local,
                fields: explain::explain(reference, &work.item, &found),
                found,
            })
        })
        .collect();
    candidates.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| source_of(a).cmp(&source_of(b)))
            .then_with(|| a.work.item.doi().cmp(&b.work.item.doi()))
    });
    candidates
}

/// Local works come before those of providers.
fn source_of(candidate: &Candidate) -> (bool, Source) {
    (!candidate.is_local, candidate.work.provenance.source)
}
