//! `GET /api/health`, and the probes for supervisors. Everybody may ask, so they say what does not work and
//! what to do; what exactly failed is for operators ([`details`]).

use std::sync::{Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::Edge;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, sentence};
use crate::api::openapi::operation::Operation;
use crate::app::App;
use crate::clock;
use crate::corpus::CorpusStats;
use crate::disk::Sizes;
use crate::provider::RECENT;
use crate::store::{DatabaseCondition, StoreError};
use citation_model::work::Source;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/health", Action::Probe, health)
            .always_answered()
            .documented(health_operation),
        route::get("/healthz", Action::Probe, alive).always_answered(),
        route::get("/readyz", Action::Probe, ready).always_answered(),
    ]
}

/// The state of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`; `degraded` if lookups work but something else does not; `unavailable`.
    pub status: &'static str,
    /// Problems and their solutions, one sentence each.
    pub problems: Vec<String>,
    pub version: &'static str,
    /// The source revision of the build, if known.
    pub commit: &'static str,
    pub uptime_seconds: u64,
    pub search: SearchHealth,
    /// The same as `search.ready`.
    search_ready: bool,
    pub ingest: IngestHealth,
    pub managed_counts: ManagedCounts,
    /// The sum of the three counts.
    total_managed: u64,
    database: DatabaseHealth,
    pub providers: Vec<ProviderHealth>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SearchHealth {
    /// Whether the index can be searched and contains every work.
    pub ready: bool,
    /// Number of searchable works.
    pub documents: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct IngestHealth {
    /// `disabled`, `idle`, `running` or `error`.
    pub status: &'static str,
    /// ISO 8601, UTC; null before the first ingest.
    pub last_success_at: Option<String>,
    /// Seconds since the last success; null before the first ingest.
    lag_seconds: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ManagedCounts {
    /// Number of works in the corpus.
    pub corpus_records: u64,
    /// Number of records counted before this database was created; 0 unless configured.
    historical_baseline: u64,
    /// Number of records from the server's own lookups.
    server_activity: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DatabaseHealth {
    /// `ok`; `full` or `unwritable` if nothing can be stored; `damaged`; `unavailable`.
    pub status: &'static str,
    schema_version: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderHealth {
    pub name: &'static str,
    /// `closed` while requests are sent, `open` while the provider is paused after failures.
    pub circuit: &'static str,
    /// What the provider says is left of its budget: requests, credits or money; absent if it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_remaining: Option<f64>,
    /// Seconds for which the provider is not asked, because it wants a pause or its budget is spent; absent
    /// if it is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_seconds: Option<u64>,
    #[serde(skip)]
    fails_mostly: bool,
}

/// `GET /api/health`: 200, or 503 with the same body when the database cannot be read.
pub fn health(context: &RequestContext) -> Result<Reply, ApiError> {
    let health = health_of(context);
    let reply = Reply::json(&health).with_header("cache-control", "no-store");
    Ok(match health.status {
        "unavailable" => reply.with_status(StatusCode::SERVICE_UNAVAILABLE),
        _ => reply,
    })
}

/// The current state of the service.
pub fn health_of(context: &RequestContext) -> Health {
    let app = &context.app;
    let facts = context.edge.vitals.now();
    let providers: Vec<ProviderHealth> = app
        .provider_stats()
        .into_iter()
        .map(|stats| ProviderHealth {
            name: stats.name,
            circuit: stats.breaker.as_str(),
            budget_remaining: stats.budget.map(|budget| budget.remaining),
            quiet_seconds: Some(stats.quiet.as_secs()).filter(|seconds| *seconds > 0),
            fails_mostly: stats.fails_mostly(),
        })
        .collect();
    let condition = app.store.condition();
    let problems = all_problems(app, &condition, &facts, &providers);
    let status = match (facts.readable, problems.is_empty()) {
        (false, _) => "unavailable",
        (true, true) => "ok",
        (true, false) => "degraded",
    };
    let managed_counts = ManagedCounts {
        corpus_records: facts.works,
        historical_baseline: 0,
        server_activity: app.lookup.stored(),
    };
    let lag = |at: i64| u64::try_from(clock::unix_now().saturating_sub(at)).unwrap_or(0);
    Health {
        status,
        problems,
        version: env!("CARGO_PKG_VERSION"),
        commit: env!("CITATION_COMMIT"),
        uptime_seconds: app.started.elapsed().as_secs(),
        search: SearchHealth {
            ready: facts.search_ready,
            documents: facts.indexed,
        },
        search_ready: facts.search_ready,
        ingest: IngestHealth {
            status: if facts.pending > 0 { "running" } else { "idle" },
            last_success_at: facts.last_ingest_at.map(clock::iso8601),
            lag_seconds: facts.last_ingest_at.map(lag),
        },
        total_managed: managed_counts.corpus_records
            + managed_counts.historical_baseline
            + managed_counts.server_activity,
        managed_counts,
        database: DatabaseHealth {
            status: database_status(facts.readable, &condition),
            schema_version: facts.schema_version,
        },
        providers,
    }
}

/// A recent snapshot of the database's and the index's state, so that health requests wait for
/// neither.
pub struct HealthSnapshot(Mutex<(Measurements, Instant)>);

const DAY_SECONDS: i64 = 86_400;

/// How long a snapshot is valid.
const FRESH: Duration = Duration::from_secs(10);

/// The interval between snapshots.
const PAUSE: Duration = Duration::from_millis(500);

impl HealthSnapshot {
    pub fn read(app: &App) -> HealthSnapshot {
        HealthSnapshot(Mutex::new((Measurements::read(app), Instant::now())))
    }

    /// The last snapshot; an unavailable one if it is too old.
    pub fn now(&self) -> Measurements {
        let (facts, read_at) = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Measurements {
            readable: facts.readable && read_at.elapsed() < FRESH,
            ..facts
        }
    }

    fn set(&self, facts: Measurements) {
        let read = (facts, Instant::now());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = read;
    }
}

/// Takes snapshots as long as the server runs.
pub async fn keep_fresh(edge: Weak<Edge>) {
    loop {
        tokio::time::sleep(PAUSE).await;
        let Some(edge) = edge.upgrade() else {
            return;
        };
        let read = move || edge.vitals.set(Measurements::read(&edge.app));
        // The hook logs panics, and the snapshot's age shows them.
        let _ = tokio::task::spawn_blocking(read).await;
    }
}

/// What the health of the service lists: the worst first.
fn all_problems(
    app: &App,
    condition: &DatabaseCondition,
    facts: &Measurements,
    providers: &[ProviderHealth],
) -> Vec<String> {
    let mut all = Vec::new();
    if !facts.readable {
        all.push("The database cannot be read.".to_owned());
    }
    all.extend(problems(app, condition, public_text));
    if facts.readable && !facts.search_ready {
        all.push("The search index is being built; lookups work.".to_owned());
    }
    if let Some((source, age)) = facts.aged_source {
        all.push(format!(
            "The newest record of {} is {} days old: ingest a newer file, or see docs/sources.md.",
            source.title().unwrap_or(source.as_str()),
            age / DAY_SECONDS
        ));
    }
    let paused = providers
        .iter()
        .filter(|provider| provider.circuit == "open");
    all.extend(paused.map(|provider| {
        format!(
            "The provider {} has failed repeatedly and is paused.",
            provider.name
        )
    }));
    let failing = providers
        .iter()
        .filter(|provider| provider.circuit != "open" && provider.fails_mostly);
    all.extend(failing.map(|provider| {
        format!(
            "The provider {} failed most of its last {RECENT} requests.",
            provider.name
        )
    }));
    all
}

/// The same errors with their causes, for operators.
pub fn details(app: &App) -> Vec<String> {
    problems(app, &app.store.condition(), sentence)
}

/// Errors in the data directory that have not been fixed.
fn problems(
    app: &App,
    condition: &DatabaseCondition,
    text: impl Fn(&StoreError) -> String,
) -> Vec<String> {
    let failures = condition.damaged.iter().chain(&condition.unwritable);
    let mut problems: Vec<String> = failures.map(text).collect();
    if app.quota.uncounted_calls() > 0 {
        problems.push("The usage journal cannot be written; calls are counted later.".to_owned());
    }
    problems
}

/// An error of the database without the words of SQLite and of the system, which may name files and tables.
fn public_text(cause: &StoreError) -> String {
    let text = match cause {
        StoreError::Full => "The disk is full; free some space.",
        StoreError::Corrupt(_) => "The database is damaged; restore the latest backup.",
        StoreError::Io(_) => "The database cannot be written.",
        _ => "The database does not work.",
    };
    text.to_owned()
}

fn database_status(is_readable: bool, condition: &DatabaseCondition) -> &'static str {
    match (is_readable, &condition.damaged, &condition.unwritable) {
        (false, _, _) => "unavailable",
        (true, Some(_), _) => "damaged",
        (true, None, Some(StoreError::Full)) => "full",
        (true, None, Some(_)) => "unwritable",
        (true, None, None) => "ok",
    }
}

/// The state of the database and the index.
#[derive(Clone, Copy, Default)]
pub struct Measurements {
    readable: bool,
    pub works: u64,
    pub indexed: u64,
    /// Changes that are not indexed yet.
    pub pending: u64,
    search_ready: bool,
    last_ingest_at: Option<i64>,
    /// The source whose newest record is older than the operator's limit, and its age in seconds.
    aged_source: Option<(Source, i64)>,
    schema_version: i64,
    pub sizes: Sizes,
}

impl Measurements {
    fn read(app: &App) -> Measurements {
        read_facts(app).unwrap_or_else(|cause| {
            tracing::error!(%cause, "cannot read the database");
            Measurements::default()
        })
    }
}

fn read_facts(app: &App) -> Result<Measurements, StoreError> {
    let schema_version = app.store.schema_version()?;
    let last_ingest_at = app.store.last_ingest()?;
    let stats = app.corpus.stats()?;
    Ok(Measurements {
        readable: true,
        works: stats.works,
        indexed: stats.indexed,
        pending: stats.pending,
        search_ready: stats.search_ready,
        last_ingest_at,
        aged_source: aged_source(app, &stats),
        schema_version,
        sizes: Sizes::of(app.store.directory()),
    })
}

fn aged_source(app: &App, stats: &CorpusStats) -> Option<(Source, i64)> {
    let days = i64::from(app.config.corpus.warn_after_days);
    let limit = Some(days * DAY_SECONDS).filter(|limit| *limit > 0)?;
    stats.aged_source(app.clock.unix(), limit)
}

/// `GET /healthz`: the process responds.
pub fn alive(_context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(Reply::bytes("text/plain; charset=utf-8", "ok\n"))
}

/// `GET /readyz`: the database responds too. A second line lists other problems.
pub fn ready(context: &RequestContext) -> Result<Reply, ApiError> {
    if !context.edge.vitals.now().readable {
        return Ok(Reply::bytes("text/plain; charset=utf-8", "not ready\n")
            .with_status(StatusCode::SERVICE_UNAVAILABLE));
    }
    let problems = problems(&context.app, &context.app.store.condition(), public_text);
    let text = if problems.is_empty() {
        "ready\n".to_owned()
    } else {
        format!("ready\ndegraded: {}\n", problems.join(" "))
    };
    Ok(Reply::bytes("text/plain; charset=utf-8", text))
}

pub fn health_operation() -> Operation {
    Operation::new("get_health", "service", "The state of the service")
        .reply::<Health>(200, "It serves.")
        .reply::<Health>(503, "The database cannot be read.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_problems_do_not_quote_causes() {
        let cause = "malformed inverted index for table users at /var/lib/citation".to_owned();
        for error in [
            StoreError::Corrupt(cause.clone()),
            StoreError::Io(cause.clone()),
            StoreError::Internal(cause.clone()),
            StoreError::Unfit(cause.clone()),
        ] {
            let text = public_text(&error);
            assert!(!text.contains("users") && !text.contains("/var"), "{text}");
        }
    }
}
