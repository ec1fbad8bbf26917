//! The parts of the service, built once from the configuration.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::auth::{Auth, AuthError};
use crate::background::{self, BackgroundThread, SingleTask, Task};
use crate::backups;
use crate::blocking::{Blocking, Limits};
use crate::clock::{self, Clock};
use crate::collections::Collections;
use crate::config::{Config, LookupSettings, ProviderName, ProviderSettings, Recover, SruSettings};
use crate::corpus::{Corpus, CorpusError, IndexerThread, starter};
use crate::formatting::DocumentStates;
use crate::harvest;
use crate::jobs::Jobs;
use crate::lookup::journals;
use crate::lookup::reference::{ReferenceSearch, SearchSettings};
use crate::lookup::refresh::RefreshSettings;
use crate::lookup::resolve::{Chains, Resolver, ResolverSettings};
use crate::mail::Mail;
use crate::provider::{self, Pages, Provider, ProviderStats, Sru};
use crate::quota::plans::Plans;
use crate::quota::{Quota, QuotaError};
use crate::store::{Store, StoreError, StoreSettings};
use crate::styles::Styles;
use crate::updates;
use crate::webhooks::Webhooks;
use citation_embedded as embedded;
use citation_model::plan::Plan;
use citation_model::work::Source;

/// The program's parts.
pub struct App {
    pub config: Config,
    pub blocking: Blocking,
    pub clock: Clock,
    pub store: Arc<Store>,
    pub corpus: Corpus,
    pub styles: Styles,
    pub documents: DocumentStates,
    pub lookup: Arc<Resolver>,
    pub references: ReferenceSearch,
    /// None if fetching pages is disabled.
    pub pages: Option<Pages>,
    pub auth: Arc<Auth>,
    pub collections: Arc<Collections>,
    pub quota: Arc<Quota>,
    pub jobs: Arc<Jobs>,
    pub webhooks: Arc<Webhooks>,
    pub mail: Arc<Mail>,
    pub started: Instant,
    providers: Services,
    /// The installation of styles that an operator has started.
    pub style_install: Arc<SingleTask>,
    /// The backup that an operator has started.
    pub backup: Arc<SingleTask>,
    indexer: Mutex<Option<IndexerThread>>,
    /// Empty until they are started. Stopped in this order.
    background: Mutex<Vec<BackgroundThread>>,
}

/// Time limit of the check for damage after a start.
const CHECK_TIME: Duration = Duration::from_secs(60);

/// Why the program could not start.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Auth(#[from] AuthError),
    #[error(transparent)]
    Quota(#[from] QuotaError),
    #[error(
        "the starter corpus in the program cannot be unpacked, or a thread cannot be started: {0}"
    )]
    Starter(#[from] std::io::Error),
}

impl App {
    /// Opens the data directory, creates missing files, and loads the starter corpus once.
    pub fn open(config: Config) -> Result<Arc<App>, AppError> {
        App::open_at(config, Clock::system())
    }

    /// Like [`App::open`], with another clock.
    pub fn open_at(config: Config, clock: Clock) -> Result<Arc<App>, AppError> {
        App::over(open_store(&config)?, config, clock)
    }

    /// Like [`App::open_at`], with a database that is already open.
    pub fn over(store: Arc<Store>, config: Config, clock: Clock) -> Result<Arc<App>, AppError> {
        let corpus = Corpus::open(Arc::clone(&store));
        load_starter(&config, &corpus)?;
        let providers = Services::new(&config);
        providers.restore_pauses(&store, clock.unix())?;
        let collections = Arc::new(Collections::new(
            Arc::clone(&store),
            &config.limits,
            &config.sharing,
            Plans::new(&config.quota, &config.limits),
            clock.clone(),
        ));
        let lookup = Resolver::new(
            Arc::clone(&collections),
            corpus.clone(),
            Arc::clone(&store),
            chains(&config.lookup, &providers),
            ResolverSettings {
                local_works_free: config.quota.local_works_free,
                budget: config.lookup.budget(),
                miss_ttl: config.lookup.negative_ttl(),
                openurl_base: Some(config.lookup.openurl_base.clone())
                    .filter(|base| !base.is_empty()),
                refresh: refresh_settings(&config),
            },
            clock.clone(),
        );
        let references = ReferenceSearch::new(
            corpus.clone(),
            [
                &providers.chain(&config.lookup.reverse_order),
                &providers.catalogues[..],
            ]
            .concat(),
            SearchSettings {
                budget: config.lookup.budget(),
                sufficient_score: config.lookup.sufficient_score,
                strictness: config.lookup.strictness,
            },
        );
        let styles = Styles::new(
            Some(Arc::clone(&store)),
            config.styles_dirs(),
            config.format.style_cache_bytes as usize,
            clock.clone(),
        );
        let auth = Auth::open(Arc::clone(&store), &config, clock.clone())?;
        let quota = Quota::new(Arc::clone(&store), &config, clock.clone());
        if store.is_read_only() {
            // A read-only copy counts in memory, on its own.
            quota.start_in_memory();
        }
        let jobs = Jobs::new(
            Arc::clone(&store),
            Arc::clone(&quota),
            config.jobs.clone(),
            clock.clone(),
        );
        let mail = Mail::new(
            Arc::clone(&store),
            Arc::clone(&auth),
            config.mail.clone(),
            clock.clone(),
        );
        Ok(Arc::new(App {
            mail,
            webhooks: Webhooks::new(Arc::clone(&store), config.webhooks.clone(), clock.clone()),
            clock,
            jobs,
            auth,
            collections,
            quota,
            background: Mutex::new(Vec::new()),
            blocking: Blocking::new(&Limits::of(&config.server)),
            store,
            corpus,
            styles,
            documents: DocumentStates::new(config.format.document_cache_bytes as usize),
            lookup: Arc::new(lookup),
            references,
            pages: pages(&config),
            providers,
            started: Instant::now(),
            style_install: Arc::default(),
            backup: Arc::default(),
            indexer: Mutex::new(None),
            config,
        }))
    }

    /// Starts the indexer and the background tasks. Fails if another server runs on the same data
    /// directory.
    pub fn start_background(&self) -> Result<(), AppError> {
        // So that the first request about a journal does not wait for the table.
        std::thread::spawn(journals::warm);
        if self.config.backup.recover == Recover::Ask {
            self.check_database();
        }
        if self.store.is_read_only() {
            Ok(())
        } else {
            self.start_writing()
        }
    }

    fn check_database(&self) {
        let store = Arc::clone(&self.store);
        std::thread::spawn(move || {
            background::step_back();
            if let Err(cause) = store.check(Instant::now() + CHECK_TIME) {
                tracing::error!(%cause, "the database could not be checked");
            }
        });
    }

    fn start_writing(&self) -> Result<(), AppError> {
        let background = &self.background;
        let mut threads = background.lock().unwrap_or_else(PoisonError::into_inner);
        if threads.is_empty() {
            *threads = self.start_threads()?;
        }
        drop(threads);
        let mut indexer = self.indexer.lock().unwrap_or_else(PoisonError::into_inner);
        if indexer.is_none() {
            *indexer = Some(self.corpus.start_indexer());
        }
        Ok(())
    }

    fn start_threads(&self) -> Result<Vec<BackgroundThread>, AppError> {
        let (config, clock) = (&self.config, || self.clock.clone());
        self.quota.start()?;
        let daily = |plan| self.quota.plans().rules(plan).daily_lookups;
        let plans = [Plan::Free, Plan::Academic, Plan::Business];
        let plans = plans.map(|plan| (plan.number(), daily(plan)));
        self.store.set_plan_lookups(&plans)?;
        self.auth.apply_group_settings()?;
        self.jobs.start()?;
        let mut threads = vec![BackgroundThread::run_tasks(self.background_tasks())?];
        let store = Arc::clone(&self.store);
        threads.extend(backups::start(store, config.backup.clone(), clock())?);
        threads.push(self.start_refresh()?);
        threads.push(self.webhooks.start()?);
        threads.extend(self.mail.start()?);
        let corpus = || self.corpus.clone();
        threads.extend(updates::start(corpus(), config.updates.clone(), clock())?);
        let harvests = config.corpus.harvest.clone();
        threads.extend(harvest::start(corpus(), harvests, clock())?);
        Ok(threads)
    }

    /// Starts to ask for old works again, at a rate of its own.
    fn start_refresh(&self) -> std::io::Result<BackgroundThread> {
        let (lookup, pause) = (Arc::clone(&self.lookup), self.config.lookup.refresh_pause());
        BackgroundThread::start("refresh", move |stop| {
            background::step_back();
            while !stop.wait(pause) {
                lookup.refresh_next();
            }
        })
    }

    /// The background tasks.
    fn background_tasks(&self) -> Vec<Task> {
        let (quota, auth) = (Arc::clone(&self.quota), Arc::clone(&self.auth));
        let fold = move || {
            if let Err(cause) = quota.fold() {
                tracing::error!(%cause, "counts could not be carried over; they are kept and tried again");
            }
        };
        let flush = move || {
            if let Err(cause) = auth.flush() {
                tracing::warn!(%cause, "the use of credentials could not be noted");
            }
        };
        let collections = Arc::clone(&self.collections);
        let purge = move || {
            if let Err(cause) = collections.purge() {
                tracing::warn!(%cause, "what was deleted long ago could not be removed; it is tried again");
            }
        };
        let collections = Arc::clone(&self.collections);
        let sweep = move || {
            if let Err(cause) = collections.sweep_notices() {
                tracing::warn!(%cause, "entries could not be marked after notices about their works; it is tried again");
            }
        };
        let jobs = Arc::clone(&self.jobs);
        let tidy = move || {
            if let Err(cause) = jobs.tidy() {
                tracing::warn!(%cause, "old jobs could not be removed; it is tried again");
            }
        };
        let (providers, store) = (self.providers.clone(), Arc::clone(&self.store));
        let (clock, stored) = (self.clock.clone(), Mutex::new(HashMap::new()));
        let pauses = move || {
            let mut stored = stored.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(cause) = providers.store_pauses(&store, clock.unix(), &mut stored) {
                tracing::warn!(%cause, "the pauses of providers could not be stored");
            }
        };
        let store = Arc::clone(&self.store);
        let recheck = move || store.recheck();
        vec![
            Box::new(fold),
            Box::new(flush),
            Box::new(purge),
            Box::new(sweep),
            Box::new(tidy),
            Box::new(pauses),
            Box::new(recheck),
        ]
    }

    /// Stops what [`App::start_background`] started, and waits until it has committed.
    pub fn close(&self) {
        let background = &self.background;
        let mut threads = background.lock().unwrap_or_else(PoisonError::into_inner);
        drop(std::mem::take(&mut *threads));
        drop(threads);
        let mut indexer = self.indexer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(indexer) = indexer.take() {
            indexer.stop();
        }
    }

    /// Hits and misses of each cache, by name.
    pub fn caches(&self) -> [(&'static str, (u64, u64)); 2] {
        [
            ("styles", self.styles.cache_counts()),
            ("credentials", self.auth.cache_counts()),
        ]
    }

    /// The enabled provider of this name.
    pub fn provider(&self, name: &str) -> Option<Arc<dyn Provider>> {
        let all = self.providers.named.iter().map(|(_, provider)| provider);
        let mut all = all.chain(&self.providers.catalogues);
        all.find(|provider| provider.name() == name).cloned()
    }

    /// Statistics of the providers.
    pub fn provider_stats(&self) -> Vec<ProviderStats> {
        self.providers.stats()
    }
}

/// The enabled outside services that can be asked: one that needs a key is left out without one.
#[derive(Clone)]
struct Services {
    named: Vec<(ProviderName, Arc<dyn Provider>)>,
    /// Library catalogues, in the order of their tables.
    catalogues: Vec<Arc<dyn Provider>>,
}

impl Services {
    fn new(config: &Config) -> Services {
        let open = |name| provider::open(name, config.providers.get(name).clone());
        let enabled = ProviderName::ALL.iter().filter(|name| {
            let settings = config.providers.get(**name);
            settings.enabled && !name.lacks_key(settings)
        });
        let catalogue =
            |settings: &SruSettings| -> Arc<dyn Provider> { Arc::new(Sru::new(settings.clone())) };
        Services {
            named: enabled.map(|name| (*name, open(*name))).collect(),
            catalogues: config.lookup.sru.iter().map(catalogue).collect(),
        }
    }

    /// The services that are named, in the given order.
    fn chain(&self, order: &[ProviderName]) -> Vec<Arc<dyn Provider>> {
        let named = { order.iter() }
            .filter_map(|wanted| self.named.iter().find(|(name, _)| name == wanted));
        named.map(|(_, provider)| Arc::clone(provider)).collect()
    }

    /// Keeps the pauses that providers have asked for before a restart.
    fn restore_pauses(&self, store: &Store, now: i64) -> Result<(), StoreError> {
        for (name, provider) in &self.named {
            let until = store.fact(&pause_key(*name))?;
            let left = until.and_then(|until| until.parse::<i64>().ok()?.checked_sub(now));
            if let Some(left) = left.and_then(|left| u64::try_from(left).ok()) {
                provider.keep_quiet(Duration::from_secs(left));
            }
        }
        Ok(())
    }

    /// Stores the pauses of a minute or more, each once.
    fn store_pauses(
        &self,
        store: &Store,
        now: i64,
        stored: &mut HashMap<ProviderName, i64>,
    ) -> Result<(), StoreError> {
        const MIN_PAUSE: u64 = 60;
        /// Rounding moves the end by a second.
        const TOLERANCE: u64 = 2;
        for (name, provider) in &self.named {
            let left = provider.stats().quiet.as_secs();
            let until = now.saturating_add_unsigned(left);
            let is_stored = |stored: &i64| until.abs_diff(*stored) <= TOLERANCE;
            if left >= MIN_PAUSE && !stored.get(name).is_some_and(is_stored) {
                store.set_fact(&pause_key(*name), &until.to_string())?;
                stored.insert(*name, until);
            }
        }
        Ok(())
    }

    fn stats(&self) -> Vec<ProviderStats> {
        let named = self.named.iter().map(|(_, provider)| provider);
        let all = named.chain(&self.catalogues);
        all.map(|provider| provider.stats()).collect()
    }
}

/// Where the end of a provider's pause is stored, in Unix seconds.
fn pause_key(name: ProviderName) -> String {
    format!("provider.{}.quiet_until", name.id())
}

/// The enabled providers.
pub fn providers(config: &Config) -> Vec<Arc<dyn Provider>> {
    let services = Services::new(config);
    let mut all = services.chain(ProviderName::ALL);
    all.extend(services.catalogues);
    all
}

/// The providers that resolve each kind of identifier, in order.
fn chains(lookup: &LookupSettings, providers: &Services) -> Chains {
    Chains {
        doi: providers.chain(&lookup.doi_order),
        isbn: [
            &providers.catalogues[..],
            &providers.chain(&lookup.isbn_order),
        ]
        .concat(),
        pmid: providers.chain(&lookup.pmid_order),
        arxiv: providers.chain(&lookup.arxiv_order),
        others: providers.chain(ProviderName::ALL),
        open_copies: providers.chain(&[ProviderName::Unpaywall]),
    }
}

/// When stored works are asked for again.
fn refresh_settings(config: &Config) -> RefreshSettings {
    let by_source = ProviderName::ALL.iter().filter_map(|name| {
        let after = config.providers.get(*name).refresh_after()?;
        Some((Source::parse(name.id())?, after))
    });
    RefreshSettings {
        after: config.lookup.refresh_after(),
        concern_after: config.lookup.refresh_concern_after(),
        by_source: by_source.collect(),
    }
}

/// The fetcher of web pages, if enabled. Its user agent names the server's address. Failures of one site do
/// not block another.
fn pages(config: &Config) -> Option<Pages> {
    let base_url = config.server.base_url.as_ref();
    let settings = ProviderSettings {
        max_response_bytes: config.lookup.page_bytes,
        retries: 0,
        breaker_failures: 0,
        contact: base_url.map_or_else(String::new, |url| url.as_str().to_owned()),
        ..ProviderSettings::default()
    };
    let is_wanted = config.lookup.fetch_pages;
    is_wanted.then(|| Pages::new(settings, &config.lookup.fetch_origins))
}

/// Opens the database of the configured data directory.
pub fn open_store(config: &Config) -> Result<Arc<Store>, StoreError> {
    const MEBIBYTE: u64 = 1 << 20;
    let settings = StoreSettings {
        readers: config.data.readers,
        busy_timeout: Duration::from_millis(config.data.busy_timeout_ms),
        cache_mib: u32::try_from(config.data.cache_bytes / MEBIBYTE).unwrap_or(u32::MAX),
        mmap_mib: config.data.mmap_bytes / MEBIBYTE,
        keep_abstracts: config.corpus.keep_abstracts,
        read_only: config.data.read_only,
    };
    Ok(Arc::new(Store::open(&config.data.dir, &settings)?))
}

/// Loads the starter corpus if it is enabled and missing, and indexes it at once, so that the first search
/// finds it.
pub fn load_starter(config: &Config, corpus: &Corpus) -> Result<(), AppError> {
    if !config.corpus.starter || config.data.read_only {
        return Ok(());
    }
    let loaded = starter::load(
        corpus,
        &embedded::starter()?,
        &embedded::notices()?,
        clock::unix_now(),
    )?;
    if loaded.is_some() {
        corpus.index_pending()?;
    }
    Ok(())
}
