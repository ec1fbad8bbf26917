//! `/metrics` on an address of its own, so that it need not be open to the world.

use std::fmt::Write;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use warp::Filter;

use super::Edge;
use super::metrics::gauge;
use crate::blocking::PoolKind;
use crate::provider::{BreakerState, ProviderStats};

/// Serves until `stop` turns true.
pub async fn serve(edge: Arc<Edge>, listener: TcpListener, mut stop: watch::Receiver<bool>) {
    let metrics = warp::path!("metrics").and(warp::get()).map(move || {
        warp::reply::with_header(text(&edge), "content-type", "text/plain; version=0.0.4")
    });
    warp::serve(metrics)
        .incoming(listener)
        .graceful(async move {
            let _ = stop.wait_for(|stop| *stop).await;
        })
        .run()
        .await;
}

/// All that is counted, from memory.
fn text(edge: &Edge) -> String {
    let mut out = core_metrics(edge);
    edge.metrics.write(&mut out, &edge.route_names());
    for kind in PoolKind::ALL {
        let (jobs, running) = edge.app.blocking.usage(kind);
        let bounds = edge.app.blocking.bounds(kind);
        let name = kind.as_str();
        for (metric, help, value) in [
            ("jobs", "Jobs that run, wait or are away.", jobs),
            (
                "jobs_max",
                "Jobs above which more are refused.",
                bounds.jobs,
            ),
            ("running", "Jobs that run.", running),
            ("places", "Jobs that may run.", bounds.places),
        ] {
            gauge(&mut out, &format!("citation_{name}_{metric}"), help, value);
        }
    }
    out
}

/// What the providers were asked and how they did, one series a provider.
fn write_providers(out: &mut String, providers: &[ProviderStats]) {
    let mut family = |name: &str, kind: &str, help: &str, rows: &dyn Fn(&ProviderStats) -> Rows| {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for stats in providers.iter().filter(|stats| stats.enabled) {
            for (label, value) in rows(stats) {
                let _ = writeln!(out, "{name}{{provider=\"{}\"{label}}} {value}", stats.name);
            }
        }
    };
    family(
        "citation_provider_questions_total",
        "counter",
        "Questions by what came of them.",
        &|stats| {
            let outcome = |name: &str, count: u64| (format!(",outcome=\"{name}\""), count as f64);
            let other = stats.timeouts + stats.rate_limited + stats.turned_away;
            vec![
                outcome("found", stats.answered.saturating_sub(stats.not_found)),
                outcome("not_found", stats.not_found),
                outcome("timeout", stats.timeouts),
                outcome("rate_limited", stats.rate_limited),
                outcome("turned_away", stats.turned_away),
                outcome("failed", stats.failed.saturating_sub(other)),
            ]
        },
    );
    let plain = |value: f64| vec![(String::new(), value)];
    family(
        "citation_provider_requests_total",
        "counter",
        "Requests sent, retries and redirects included.",
        &|stats| plain(stats.requests as f64),
    );
    family(
        "citation_provider_seconds_total",
        "counter",
        "Time that questions took, summed up.",
        &|stats| plain(stats.total_ms as f64 / 1000.0),
    );
    family(
        "citation_provider_received_bytes_total",
        "counter",
        "Bytes received, unpacked.",
        &|stats| plain(stats.received_bytes as f64),
    );
    family(
        "citation_provider_in_flight",
        "gauge",
        "Questions under way.",
        &|stats| plain(stats.in_flight as f64),
    );
    family(
        "citation_provider_circuit_open",
        "gauge",
        "1 while the provider rests.",
        &|stats| plain(f64::from(u8::from(stats.breaker != BreakerState::Closed))),
    );
}

/// What one provider has in a family: further labels, and a value.
type Rows = Vec<(String, f64)>;

fn core_metrics(edge: &Edge) -> String {
    let app = &edge.app;
    let mut out = String::new();
    let facts = edge.vitals.now();
    gauge(
        &mut out,
        "citation_corpus_works",
        "Works in the corpus.",
        facts.works,
    );
    gauge(
        &mut out,
        "citation_corpus_indexed",
        "Works in the search index.",
        facts.indexed,
    );
    gauge(
        &mut out,
        "citation_corpus_pending",
        "Changes that are not indexed yet.",
        facts.pending,
    );
    gauge(
        &mut out,
        "citation_uptime_seconds",
        "Seconds since the start.",
        app.started.elapsed().as_secs(),
    );
    write_providers(&mut out, &app.provider_stats());
    out
}
