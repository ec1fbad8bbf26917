//! `GET /api/health`, and the probes for whoever supervises the process.

use std::sync::{Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::Edge;
use super::call::Call;
use super::error::ApiError;
use super::openapi::Operation;
use super::reply::Reply;
use crate::app::App;
use crate::clock;
use crate::provider::BreakerState;
use crate::store::StoreError;

/// How the service is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`; `degraded` when lookups work but something beside them does not; `unavailable`.
    status: &'static str,
    version: &'static str,
    /// The revision of the source that the program was built from, where it is known.
    commit: &'static str,
    uptime_seconds: u64,
    search: SearchHealth,
    /// The same as `search.ready`.
    search_ready: bool,
    ingest: IngestHealth,
    managed_counts: ManagedCounts,
    /// The sum of the three counts.
    total_managed: u64,
    database: DatabaseHealth,
    providers: Vec<ProviderHealth>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SearchHealth {
    /// Whether the index can be searched and holds every work.
    ready: bool,
    /// Works that can be found by searching.
    documents: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct IngestHealth {
    /// `disabled`, `idle`, `running` or `error`.
    status: &'static str,
    /// ISO 8601, UTC; null before the first ingest.
    last_success_at: Option<String>,
    /// Seconds since the last success; null before the first ingest.
    lag_seconds: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ManagedCounts {
    /// Works in the corpus.
    corpus_records: u64,
    /// Records counted before this database began; 0 unless configured.
    historical_baseline: u64,
    /// Records that the server's own lookups brought in.
    server_activity: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DatabaseHealth {
    /// `ok` or `unavailable`.
    status: &'static str,
    schema_version: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderHealth {
    name: &'static str,
    /// `closed` while requests go through, `open` while the provider rests after failures.
    circuit: &'static str,
    requests: u64,
    failures: u64,
}

/// `GET /api/health`: 200, or 503 with the same body when the database cannot be read.
pub fn health(call: &Call) -> Result<Reply, ApiError> {
    let app = &call.app;
    let facts = call.edge.vitals.now();
    let providers: Vec<ProviderHealth> = app
        .provider_stats()
        .into_iter()
        .map(|stats| ProviderHealth {
            name: stats.name,
            circuit: match stats.breaker {
                BreakerState::Closed => "closed",
                BreakerState::Open => "open",
                BreakerState::HalfOpen => "half_open",
            },
            requests: stats.requests,
            failures: stats.failed,
        })
        .collect();
    let resting = providers.iter().any(|provider| provider.circuit == "open");
    let status = match (facts.readable, facts.search_ready && !resting) {
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
    let body = Health {
        status,
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
            status: if facts.readable { "ok" } else { "unavailable" },
            schema_version: facts.schema_version,
        },
        providers,
    };
    let reply = Reply::json(&body).with_header("cache-control", "no-store");
    Ok(if facts.readable {
        reply
    } else {
        reply.with_status(StatusCode::SERVICE_UNAVAILABLE)
    })
}

/// What the database and the index said of themselves a moment ago. Whoever asks for it waits for
/// neither.
pub struct Vitals(Mutex<(Facts, Instant)>);

/// How long what was read counts.
const FRESH: Duration = Duration::from_secs(10);

/// How often it is read.
const PAUSE: Duration = Duration::from_millis(500);

impl Vitals {
    pub fn read(app: &App) -> Vitals {
        Vitals(Mutex::new((Facts::read(app), Instant::now())))
    }

    /// What was read last; nothing good where that was long ago.
    pub fn now(&self) -> Facts {
        let (facts, read_at) = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Facts {
            readable: facts.readable && read_at.elapsed() < FRESH,
            ..facts
        }
    }

    fn set(&self, facts: Facts) {
        let read = (facts, Instant::now());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = read;
    }
}

/// Reads the vitals again and again, for as long as the edge is there.
pub async fn keep_fresh(edge: Weak<Edge>) {
    loop {
        tokio::time::sleep(PAUSE).await;
        let Some(edge) = edge.upgrade() else {
            return;
        };
        let read = move || edge.vitals.set(Facts::read(&edge.app));
        // A panic has been logged by the hook, and is seen by the age of what was read.
        let _ = tokio::task::spawn_blocking(read).await;
    }
}

#[derive(Clone, Copy, Default)]
pub struct Facts {
    readable: bool,
    pub works: u64,
    pub indexed: u64,
    /// Changes that the index still has to take in.
    pub pending: u64,
    search_ready: bool,
    last_ingest_at: Option<i64>,
    schema_version: i64,
}

impl Facts {
    fn read(app: &App) -> Facts {
        read_facts(app).unwrap_or_else(|cause| {
            tracing::error!(%cause, "the database could not be read");
            Facts::default()
        })
    }
}

fn read_facts(app: &App) -> Result<Facts, StoreError> {
    let schema_version = app.store.schema_version()?;
    let last_ingest_at = app.store.last_ingest()?;
    let stats = app.corpus.stats().map_err(|cause| match cause {
        crate::corpus::CorpusError::Store(cause) => cause,
        other => StoreError::Io(other.to_string()),
    })?;
    Ok(Facts {
        readable: true,
        works: stats.works,
        indexed: stats.indexed,
        pending: stats.pending,
        search_ready: stats.search_ready,
        last_ingest_at,
        schema_version,
    })
}

/// `GET /healthz`: the process answers.
pub fn alive(_call: &Call) -> Result<Reply, ApiError> {
    Ok(Reply::bytes("text/plain; charset=utf-8", "ok\n"))
}

/// `GET /readyz`: the database answers too.
pub fn ready(call: &Call) -> Result<Reply, ApiError> {
    Ok(if call.edge.vitals.now().readable {
        Reply::bytes("text/plain; charset=utf-8", "ready\n")
    } else {
        Reply::bytes("text/plain; charset=utf-8", "not ready\n")
            .with_status(StatusCode::SERVICE_UNAVAILABLE)
    })
}

pub fn health_operation() -> Operation {
    Operation::new("health", "service", "How the service is")
        .reply::<Health>(200, "It serves.")
        .reply::<Health>(503, "It cannot read its database.")
}
