//! Identifier → work: the caller's collections first, then the local corpus, then the providers in their
//! configured order within one budget. Works of providers are stored in the corpus; definitive misses
//! are remembered for some time, failures never. A work whose sources were asked long ago is answered at
//! once and asked for again in the background.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::refresh::{RefreshQueue, RefreshSettings};
use super::scope::Scope;
use super::times::{AnswerSource, LookupTimes};
use crate::blocking::{BlockingError, Job, PoolKind};
use crate::clock::Clock;
use crate::collections::Collections;
use crate::corpus::{Corpus, CorpusError};
use crate::histogram::Times;
use crate::provider::single_flight::{FlightOutcome, SingleFlight};
use crate::provider::{Deadline, Provider, ProviderError, ProviderErrorKind, Refreshed};
use crate::store::{Store, StoreError};
use citation_model::budget::Exceeded;
use citation_model::identifier::{Identifier, ShortDoi};
use citation_model::work::{Source, UpdateRelation, Validator, Work};

/// Finds works by identifier.
pub struct Resolver {
    collections: Arc<Collections>,
    corpus: Corpus,
    pub(super) store: Arc<Store>,
    pub(super) chains: Chains,
    pub(super) settings: ResolverSettings,
    /// Number of works stored from providers since the start.
    stored: AtomicU64,
    single_flight: SingleFlight<Identifier, Result<Resolution, LookupError>>,
    times: LookupTimes,
    refresh: RefreshQueue,
    pub(super) clock: Clock,
}

/// Time limits of lookups and of the memory of misses.
#[derive(Clone, Debug)]
pub struct ResolverSettings {
    /// The time budget of all providers of one lookup.
    pub budget: Duration,
    /// How long a definitive miss is remembered. Zero: not at all.
    pub miss_ttl: Duration,
    /// Whether works of the local corpus cost no lookup.
    pub local_works_free: bool,
    /// The link resolver of the instance's library.
    pub openurl_base: Option<String>,
    pub refresh: RefreshSettings,
}

/// The providers, in order, by kind of identifier.
#[derive(Clone, Default)]
pub struct Chains {
    pub doi: Vec<Arc<dyn Provider>>,
    pub isbn: Vec<Arc<dyn Provider>>,
    /// For the ids of PubMed and PubMed Central.
    pub pmid: Vec<Arc<dyn Provider>>,
    pub arxiv: Vec<Arc<dyn Provider>>,
    /// For identifiers that only one or two services know; a shortDOI is replaced by its DOI.
    pub others: Vec<Arc<dyn Provider>>,
    /// Asked for open copies alone, by DOI.
    pub open_copies: Vec<Arc<dyn Provider>>,
}

/// The result of a lookup.
#[derive(Clone, Debug)]
pub struct Resolution {
    /// `None` if every source asked has no such work.
    pub work: Option<Work>,
    pub origin: ResolutionOrigin,
    /// Whether it costs no lookup.
    pub is_free: bool,
    /// The identifier of the work, if it is not the requested one: a DOI
    /// without a suffix that does not belong to it.
    pub found_by: Option<Identifier>,
    /// The sources in the order of the requests.
    pub tried: Vec<SourceResult>,
}

impl Resolution {
    /// The result if only local sources were asked and have no such work.
    pub fn unknown() -> Resolution {
        missing(vec![tried("local", SourceOutcome::NotFound)])
    }

    /// The work, if it costs no lookup.
    pub fn free(&self) -> Option<&Work> {
        self.work.as_ref().filter(|_| self.is_free)
    }
}

/// The origin of a resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolutionOrigin {
    /// One of the caller's collections.
    Collection,
    Corpus,
    Providers,
}

/// One source and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceResult {
    /// `collection`, `local`, or a provider's name.
    pub source: &'static str,
    pub outcome: SourceOutcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceOutcome {
    Found,
    NotFound,
    /// The source answered so some time ago.
    NotFoundRemembered,
    TimedOut,
    Failed,
    /// Not asked, because it has failed too often recently or has too many requests.
    Unavailable,
}

impl SourceOutcome {
    /// Whether the source has said if it has the work.
    pub fn is_definitive(self) -> bool {
        matches!(
            self,
            SourceOutcome::Found | SourceOutcome::NotFound | SourceOutcome::NotFoundRemembered
        )
    }

    pub fn as_str(self) -> &'static str {
        match self {
            SourceOutcome::Found => "found",
            SourceOutcome::NotFound => "not_found",
            SourceOutcome::NotFoundRemembered => "not_found_remembered",
            SourceOutcome::TimedOut => "timeout",
            SourceOutcome::Failed => "error",
            SourceOutcome::Unavailable => "unavailable",
        }
    }
}

/// What the registry of an identifier says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// It is registered at this source, which may have no record of the work.
    Registered(&'static str),
    NotRegistered(&'static str),
    /// No registry could be asked, or there is none for its kind.
    Unchecked,
}

/// Why there is neither a work nor a definitive miss.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LookupError {
    #[error("cannot read the corpus")]
    Corpus(#[source] Arc<CorpusError>),
    /// No source has the work, and at least one failed.
    #[error("{cause}")]
    Provider {
        /// The most relevant failure for the caller: the first.
        cause: ProviderError,
        tried: Vec<SourceResult>,
    },
    /// Comparing the results exceeds the budget.
    #[error(transparent)]
    TooComplex(#[from] Exceeded),
}

impl LookupError {
    /// No provider was asked, or none has answered yet.
    pub fn of_providers(cause: impl Into<ProviderErrorKind>) -> LookupError {
        LookupError::Provider {
            cause: ProviderError {
                provider: "the providers",
                kind: cause.into(),
            },
            tried: vec![tried("local", SourceOutcome::NotFound)],
        }
    }
}

/// The source of the answer; `None` if there is none yet.
fn answer_of(resolved: Result<Option<&Resolution>, &LookupError>) -> Option<AnswerSource> {
    let resolution = match resolved {
        Err(_) => return Some(AnswerSource::Failed),
        Ok(resolution) => resolution?,
    };
    let is_remembered = |tried: &SourceResult| tried.outcome == SourceOutcome::NotFoundRemembered;
    Some(match (&resolution.work, resolution.origin) {
        (Some(_), ResolutionOrigin::Collection) => AnswerSource::Collection,
        (Some(_), ResolutionOrigin::Corpus) => AnswerSource::Corpus,
        (Some(_), ResolutionOrigin::Providers) => AnswerSource::Provider,
        (None, _) if resolution.tried.iter().any(is_remembered) => AnswerSource::NotFoundRemembered,
        (None, _) => AnswerSource::NotFound,
    })
}

impl From<BlockingError> for ProviderErrorKind {
    /// Nobody waits for the answer of an abandoned job.
    fn from(_: BlockingError) -> ProviderErrorKind {
        ProviderErrorKind::Busy
    }
}

impl Resolver {
    pub fn new(
        collections: Arc<Collections>,
        corpus: Corpus,
        store: Arc<Store>,
        chains: Chains,
        settings: ResolverSettings,
        clock: Clock,
    ) -> Resolver {
        Resolver {
            refresh: RefreshQueue::new(settings.refresh.clone()),
            clock,
            collections,
            corpus,
            store,
            chains,
            settings,
            stored: AtomicU64::new(0),
            single_flight: SingleFlight::default(),
            times: LookupTimes::default(),
        }
    }

    /// The time budget for all external requests of one lookup.
    pub fn patience(&self) -> Duration {
        self.settings.budget
    }

    /// Number of works that providers have brought into the corpus since the start.
    pub fn stored(&self) -> u64 {
        self.stored.load(Relaxed)
    }

    /// The durations of lookups.
    pub fn times(&self) -> Vec<(AnswerSource, Times)> {
        self.times.read()
    }

    /// Finds the work.
    pub fn resolve(
        &self,
        scope: Scope,
        identifier: &Identifier,
        job: &Job,
    ) -> Result<Resolution, LookupError> {
        let known = self.local(scope, identifier)?;
        self.complete(known, scope, identifier, job)
    }

    /// The local answer, else that of the providers, if they may be asked.
    pub fn complete(
        &self,
        known: Option<Resolution>,
        scope: Scope,
        identifier: &Identifier,
        job: &Job,
    ) -> Result<Resolution, LookupError> {
        match known {
            Some(known) => Ok(known),
            None if scope.local_only => Ok(Resolution::unknown()),
            None => self.ask(identifier, job),
        }
    }

    /// The local answer, if any: the user's own entry, unchanged, else the work of
    /// the corpus. If its sources were asked long ago, they are asked again in the background.
    pub fn local(
        &self,
        scope: Scope,
        identifier: &Identifier,
    ) -> Result<Option<Resolution>, LookupError> {
        let since = Instant::now();
        let found = self.find_local(scope.user, identifier);
        if let Ok(Some(Resolution {
            work: Some(work), ..
        })) = &found
        {
            self.note_answer(work, scope);
        }
        if let Some(answer) = answer_of(found.as_ref().map(Option::as_ref)) {
            self.times.add(answer, since);
        }
        found
    }

    fn find_local(
        &self,
        user: Option<i64>,
        identifier: &Identifier,
    ) -> Result<Option<Resolution>, LookupError> {
        let Some(user) = user else {
            return self.in_corpus(identifier);
        };
        let found = self.collections.read(user, |reading| {
            if let Some(own) = with_equivalent(identifier, |identifier| reading.work(identifier))? {
                return Ok(Some(self.found(own, ResolutionOrigin::Collection)));
            }
            let known = with_equivalent(identifier, |identifier| reading.corpus_work(identifier))?;
            Ok(known.map(|work| self.found(work, ResolutionOrigin::Corpus)))
        });
        found.map_err(store_error)
    }

    /// Looks up what [`Resolver::local`] does not have: in the worker slot of `job`, or among its jobs
    /// that wait for providers. Concurrent lookups of one identifier share one request.
    ///
    /// If a DOI is unknown, its shorter forms are tried.
    pub fn ask(&self, identifier: &Identifier, job: &Job) -> Result<Resolution, LookupError> {
        let since = Instant::now();
        let asked = self.resolve_with_shorter_forms(identifier, job);
        if let Some(answer) = answer_of(asked.as_ref().map(Some)) {
            self.times.add(answer, since);
        }
        asked
    }

    fn resolve_with_shorter_forms(
        &self,
        identifier: &Identifier,
        job: &Job,
    ) -> Result<Resolution, LookupError> {
        let asked = self.ask_for(identifier, job)?;
        let (None, Identifier::Doi(doi)) = (&asked.work, identifier) else {
            return Ok(asked);
        };
        for shorter in doi.shorter_forms().into_iter().map(Identifier::Doi) {
            // A failure for a form that the caller did not ask for is not an error.
            let found = self.ask_for(&shorter, job).ok();
            if let Some(found) = found.filter(|found| found.work.is_some()) {
                return Ok(Resolution {
                    found_by: Some(shorter),
                    ..found
                });
            }
        }
        Ok(asked)
    }

    fn ask_for(&self, identifier: &Identifier, job: &Job) -> Result<Resolution, LookupError> {
        if let Some(known) = self.known(identifier)? {
            return Ok(known);
        }
        job.enter_pool(PoolKind::Providers, |job| self.share(identifier, &job))
            .unwrap_or_else(|refused| Err(LookupError::of_providers(refused)))
    }

    /// Asks the providers, or waits for another lookup that does. Only the leader holds a slot.
    fn share(&self, identifier: &Identifier, job: &Job) -> Result<Resolution, LookupError> {
        // A follower has its own time budget.
        let patience = self.settings.budget;
        let ask = || {
            let answer = job.with_slot(patience, || {
                let deadline = Deadline::of(patience).for_request(job.budget());
                self.ask_sources(identifier, &deadline)
            });
            let answer = answer.unwrap_or_else(|refused| Err(LookupError::of_providers(refused)));
            (answer.is_ok() || !job.budget().is_spent()).then_some(answer)
        };
        let single_flight = &self.single_flight;
        match single_flight.run(identifier, patience, job.budget(), ask) {
            FlightOutcome::Led(answer) | FlightOutcome::Shared(answer) => answer,
            FlightOutcome::TimedOut => Err(LookupError::of_providers(ProviderErrorKind::Timeout {
                after_ms: patience.as_millis() as u64,
            })),
            FlightOutcome::GivenUp => Err(LookupError::of_providers(BlockingError::Canceled)),
        }
    }

    /// Notes that a stored work was answered. If its sources were asked long ago, it waits to be asked for
    /// again, unless no provider may be asked.
    pub fn note_answer(&self, work: &Work, scope: Scope) {
        let now = self.clock.unix();
        let is_due = || self.refresh.is_due(work, work.provenance.fetched_at, now);
        if scope.local_only || self.store.is_read_only() || !is_due() {
            return;
        }
        let identifiers = work.identifiers().into_iter();
        let mut known = identifiers
            .filter(|identifier| identifier.is_in_records() && !self.chain(identifier).is_empty());
        if let Some(identifier) = known.next() {
            self.refresh.add(identifier, now);
        }
    }

    /// Asks the providers again for the work that has waited longest. False if none waits.
    pub fn refresh_next(&self) -> bool {
        let Some(identifier) = self.refresh.take() else {
            return false;
        };
        if let Err(cause) = self.ask_again(&identifier) {
            tracing::warn!(%identifier, %cause, "a stored work could not be asked for again");
        }
        true
    }

    /// Asks until a provider has the work. A failure ends the attempt, so that the next provider does
    /// not answer in place of a better one; the work is tried again when it is answered later.
    fn ask_again(&self, identifier: &Identifier) -> Result<(), LookupError> {
        if !self.is_still_due(identifier)? {
            return Ok(());
        }
        let deadline = Deadline::of(self.settings.budget);
        let validators = self.store.validators(identifier).map_err(store_error)?;
        for provider in self.chain(identifier) {
            let is_its = |(source, _): &&(Source, Validator)| source.as_str() == provider.name();
            let known = validators.iter().find(is_its).map(|(_, known)| known);
            let answer = provider.find_again(identifier, known, &deadline);
            let answer = answer.map_err(|cause| LookupError::Provider {
                tried: vec![tried(provider.name(), outcome_of(&cause))],
                cause,
            })?;
            match answer {
                Refreshed::NotFound => {}
                Refreshed::Unchanged => break,
                Refreshed::Work(work) => {
                    self.keep(identifier, *work);
                    break;
                }
            }
        }
        let noted = self.store.note_asked(identifier, self.clock.unix());
        noted.map_err(store_error)
    }

    /// Whether the sources of a work were not asked while it waited, nor by another process.
    fn is_still_due(&self, identifier: &Identifier) -> Result<bool, LookupError> {
        let Some(work) = self.in_corpus(identifier)?.and_then(|known| known.work) else {
            return Ok(self.remembered_miss(identifier)?.is_none());
        };
        let asked_at = self.store.asked_at(identifier).map_err(store_error)?;
        let asked_at = asked_at.unwrap_or(work.provenance.fetched_at);
        Ok(self.refresh.is_due(&work, asked_at, self.clock.unix()))
    }

    /// The answer that needs no request.
    fn known(&self, identifier: &Identifier) -> Result<Option<Resolution>, LookupError> {
        if let Some(found) = self.in_corpus(identifier)? {
            return Ok(Some(found));
        }
        if self.chain(identifier).is_empty() {
            return Ok(Some(Resolution::unknown()));
        }
        self.remembered_miss(identifier)
    }

    fn in_corpus(&self, identifier: &Identifier) -> Result<Option<Resolution>, LookupError> {
        let get = |identifier: &Identifier| self.corpus.get(identifier).map_err(corpus_error);
        let work = with_equivalent(identifier, get)?;
        Ok(work.map(|work| self.found(work, ResolutionOrigin::Corpus)))
    }

    /// Whether works of the local corpus cost no lookup.
    pub fn local_works_are_free(&self) -> bool {
        self.settings.local_works_free
    }

    fn found(&self, work: Work, origin: ResolutionOrigin) -> Resolution {
        let (source, is_free) = match origin {
            ResolutionOrigin::Collection => ("collection", true),
            ResolutionOrigin::Corpus => ("local", self.settings.local_works_free),
            ResolutionOrigin::Providers => ("local", false),
        };
        Resolution {
            work: Some(work),
            origin,
            is_free,
            found_by: None,
            tried: vec![tried(source, SourceOutcome::Found)],
        }
    }

    fn ask_sources(
        &self,
        identifier: &Identifier,
        deadline: &Deadline,
    ) -> Result<Resolution, LookupError> {
        if let Identifier::ShortDoi(short) = identifier {
            return self.expand(short, deadline);
        }
        // A request that has just finished may have stored the work.
        match self.known(identifier)? {
            Some(known) => Ok(known),
            None => self.ask_providers(identifier, deadline),
        }
    }

    /// Replaces a shortDOI by its DOI and starts again.
    fn expand(&self, short: &ShortDoi, deadline: &Deadline) -> Result<Resolution, LookupError> {
        let mut log = vec![tried("local", SourceOutcome::NotFound)];
        let identifier = Identifier::ShortDoi(short.clone());
        let Some(source) = self.chain(&identifier).into_iter().next() else {
            return Ok(missing(log));
        };
        match source.expand(short, deadline) {
            Ok(Some(doi)) => {
                let identifier = Identifier::Doi(doi);
                match self.known(&identifier)? {
                    Some(known) => Ok(known),
                    None => self.ask_providers(&identifier, deadline),
                }
            }
            Ok(None) => {
                log.push(tried(source.name(), SourceOutcome::NotFound));
                Ok(missing(log))
            }
            Err(cause) => {
                log.push(tried(source.name(), outcome_of(&cause)));
                Err(LookupError::Provider { cause, tried: log })
            }
        }
    }

    /// The providers for a work, in order.
    pub(super) fn chain(&self, identifier: &Identifier) -> Vec<&dyn Provider> {
        let chain = match identifier {
            Identifier::Doi(_) => &self.chains.doi,
            Identifier::Isbn(_) => &self.chains.isbn,
            Identifier::Pmid(_) | Identifier::Pmcid(_) => &self.chains.pmid,
            Identifier::Arxiv(_) => &self.chains.arxiv,
            _ => &self.chains.others,
        };
        let providers = chain.iter().map(Arc::as_ref);
        providers
            .filter(|provider| provider.knows(identifier))
            .collect()
    }

    /// The remembered misses of the providers.
    fn remembered_miss(&self, identifier: &Identifier) -> Result<Option<Resolution>, LookupError> {
        let miss = self.store.miss(identifier, self.clock.unix());
        Ok(miss.map_err(store_error)?.map(|miss| {
            let mut log = vec![tried("local", SourceOutcome::NotFound)];
            let asked = self.chain(identifier).into_iter().map(|p| p.name());
            let denied = asked.filter(|name| miss.sources.iter().any(|s| s == name));
            log.extend(denied.map(|name| tried(name, SourceOutcome::NotFoundRemembered)));
            missing(log)
        }))
    }

    fn ask_providers(
        &self,
        identifier: &Identifier,
        deadline: &Deadline,
    ) -> Result<Resolution, LookupError> {
        let chain = self.chain(identifier);
        let mut log = vec![tried("local", SourceOutcome::NotFound)];
        let mut first_failure = None;
        for provider in &chain {
            if deadline.is_given_up() {
                return Err(LookupError::of_providers(BlockingError::Canceled));
            }
            match provider.find(identifier, deadline) {
                Ok(Some(work)) => {
                    log.push(tried(provider.name(), SourceOutcome::Found));
                    return Ok(Resolution {
                        work: Some(self.keep(identifier, work)),
                        origin: ResolutionOrigin::Providers,
                        is_free: false,
                        found_by: None,
                        tried: log,
                    });
                }
                Ok(None) => log.push(tried(provider.name(), SourceOutcome::NotFound)),
                Err(cause) => {
                    tracing::warn!(provider = provider.name(), %identifier, %cause, "a provider failed");
                    log.push(tried(provider.name(), outcome_of(&cause)));
                    first_failure.get_or_insert(cause);
                }
            }
        }
        match first_failure {
            Some(cause) => Err(LookupError::Provider { cause, tried: log }),
            None => {
                self.remember_miss(identifier, &chain);
                Ok(missing(log))
            }
        }
    }

    /// Stores a provider's answer in the corpus and returns the corpus's work, which may know
    /// more. The caller gets the provider's answer even if storing fails. A record of another work
    /// than the requested one is not stored, and its notices about other works are ignored.
    fn keep(&self, identifier: &Identifier, mut work: Work) -> Work {
        work.provenance.fetched_at = self.clock.unix();
        let identifiers = work.identifiers();
        // Records lack the ids of catalogues: a catalogue's answer is the work.
        let identifier = if identifier.is_in_records() {
            identifier
        } else {
            identifiers.first().unwrap_or(identifier)
        };
        let is_asked_for = |own: &Identifier| {
            own == identifier || own.twin().as_ref() == Some(identifier)
                // Versions of a preprint are states of one work.
                || own.twin().is_some() && own.twin() == identifier.twin()
        };
        if !identifiers.iter().any(is_asked_for) {
            tracing::warn!(%identifier, source = work.provenance.source.as_str(), "a provider answered with the record of another work");
            work.updates.clear();
            return work;
        }
        if work.provenance.source == Source::Doi {
            // doi.org returns what the registrant's own server says. Only a registry's record
            // of a notice says which work it is about.
            work.updates
                .retain(|update| update.relation == UpdateRelation::UpdatedBy);
        }
        if self.store.is_read_only() {
            return work;
        }
        let stored =
            self.corpus
                .put_one(&work)
                .and_then(|_| match self.corpus.get(identifier)? {
                    None => identifier
                        .twin()
                        .map_or(Ok(None), |twin| self.corpus.get(&twin)),
                    stored => Ok(stored),
                });
        match stored {
            Ok(Some(stored)) => {
                self.stored.fetch_add(1, Relaxed);
                stored
            }
            // The record lacks the identifier that found it.
            Ok(None) => work,
            Err(cause) => {
                tracing::error!(%cause, "cannot store a provider's answer");
                work
            }
        }
    }

    /// Asks the registry of an identifier whether it is registered: doi.org for DOIs, PubMed and arXiv for
    /// their ids. An identifier that is not is remembered with its miss.
    pub fn registration(
        &self,
        identifier: &Identifier,
        job: &Job,
    ) -> Result<Registration, LookupError> {
        let miss = self.store.miss(identifier, self.clock.unix());
        let miss = miss.map_err(store_error)?;
        let chain = self.chain(identifier);
        let denied = |provider: &&&dyn Provider| {
            let is_it = |source: &String| source.strip_prefix(REGISTRY) == Some(provider.name());
            miss.as_ref()
                .is_some_and(|miss| miss.sources.iter().any(is_it))
        };
        if let Some(registry) = chain.iter().find(denied) {
            return Ok(Registration::NotRegistered(registry.name()));
        }
        let patience = self.settings.budget;
        let asked = job.enter_pool(PoolKind::Providers, |job| {
            job.with_slot(patience, || {
                let deadline = Deadline::of(patience).for_request(job.budget());
                ask_registry(&chain, identifier, &deadline)
            })
        });
        // A registry that does not answer leaves the identifier unchecked.
        let registration = asked.flatten().unwrap_or(Registration::Unchecked);
        if let (Registration::NotRegistered(registry), Some(miss)) = (registration, miss) {
            let denial = format!("{REGISTRY}{registry}");
            let sources = miss.sources.iter().map(String::as_str);
            let sources: Vec<&str> = sources.chain([denial.as_str()]).collect();
            self.store_miss(identifier, &sources, miss.expires_at);
        }
        Ok(registration)
    }

    fn remember_miss(&self, identifier: &Identifier, chain: &[&dyn Provider]) {
        if self.settings.miss_ttl.is_zero() || chain.is_empty() || self.store.is_read_only() {
            return;
        }
        let sources: Vec<&str> = chain.iter().map(|p| p.name()).collect();
        let ttl = self.settings.miss_ttl.as_secs() as i64;
        self.store_miss(identifier, &sources, self.clock.unix().saturating_add(ttl));
    }

    fn store_miss(&self, identifier: &Identifier, sources: &[&str], expires_at: i64) {
        if self.store.is_read_only() {
            return;
        }
        let now = self.clock.unix();
        if let Err(cause) = self
            .store
            .remember_miss(identifier, sources, now, expires_at)
        {
            tracing::error!(%cause, "cannot store a miss");
        }
    }
}

/// Marks the registry among the sources of a miss: the identifier is not registered there.
const REGISTRY: &str = "registry:";

/// The answer of the first provider that is the registry of an identifier.
fn ask_registry(
    chain: &[&dyn Provider],
    identifier: &Identifier,
    deadline: &Deadline,
) -> Registration {
    for provider in chain {
        match provider.is_registered(identifier, deadline) {
            Ok(Some(true)) => return Registration::Registered(provider.name()),
            Ok(Some(false)) => return Registration::NotRegistered(provider.name()),
            Ok(None) => {}
            Err(cause) => {
                tracing::warn!(provider = provider.name(), %identifier, %cause, "cannot ask a registry");
            }
        }
    }
    Registration::Unchecked
}

/// Asks for an identifier, then for its equivalent: a record need not have both.
fn with_equivalent<E>(
    identifier: &Identifier,
    get: impl Fn(&Identifier) -> Result<Option<Work>, E>,
) -> Result<Option<Work>, E> {
    match (get(identifier)?, identifier.twin()) {
        (None, Some(twin)) => get(&twin),
        (work, _) => Ok(work),
    }
}

fn missing(log: Vec<SourceResult>) -> Resolution {
    Resolution {
        work: None,
        origin: ResolutionOrigin::Providers,
        is_free: false,
        found_by: None,
        tried: log,
    }
}

fn tried(source: &'static str, outcome: SourceOutcome) -> SourceResult {
    SourceResult { source, outcome }
}

fn corpus_error(cause: CorpusError) -> LookupError {
    LookupError::Corpus(Arc::new(cause))
}

pub(super) fn store_error(cause: StoreError) -> LookupError {
    corpus_error(CorpusError::Store(cause))
}

pub fn outcome_of(cause: &ProviderError) -> SourceOutcome {
    match cause.kind {
        ProviderErrorKind::Timeout { .. } => SourceOutcome::TimedOut,
        ProviderErrorKind::CircuitOpen { .. } | ProviderErrorKind::Busy => {
            SourceOutcome::Unavailable
        }
        _ => SourceOutcome::Failed,
    }
}
