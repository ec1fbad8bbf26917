//! `/metrics` on an address of its own, so that it need not be open to the world.

use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use warp::Filter;

use super::Edge;
use super::metrics::{counter, gauge};
use crate::blocking::PoolKind;
use crate::provider::BreakerState;

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
    for stats in app.provider_stats() {
        let name = stats.name;
        counter(
            &mut out,
            &format!("citation_provider_{name}_requests_total"),
            "Requests sent.",
            stats.requests,
        );
        counter(
            &mut out,
            &format!("citation_provider_{name}_failures_total"),
            "Requests that failed.",
            stats.failed,
        );
        gauge(
            &mut out,
            &format!("citation_provider_{name}_circuit_open"),
            "1 while the provider rests.",
            u8::from(stats.breaker != BreakerState::Closed),
        );
    }
    out
}
