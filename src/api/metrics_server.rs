//! `/metrics` on an address of its own, so that it need not be open to the world.

use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use warp::Filter;

use super::Edge;
use super::metrics::{counter, gauge};
use crate::provider::BreakerState;

/// Serves until `stop` turns true.
pub async fn serve(edge: Arc<Edge>, listener: TcpListener, mut stop: watch::Receiver<bool>) {
    let metrics = warp::path!("metrics")
        .and(warp::get())
        .then(move || text(Arc::clone(&edge)))
        .map(|text: String| {
            warp::reply::with_header(text, "content-type", "text/plain; version=0.0.4")
        });
    warp::serve(metrics)
        .incoming(listener)
        .graceful(async move {
            let _ = stop.wait_for(|stop| *stop).await;
        })
        .run()
        .await;
}

async fn text(edge: Arc<Edge>) -> String {
    let app = Arc::clone(&edge.app);
    let core = app
        .blocking
        .run({
            let app = Arc::clone(&app);
            move || core_metrics(&app)
        })
        .await;
    let mut out = core.unwrap_or_default();
    edge.metrics.write(&mut out, &edge.route_names());
    gauge(
        &mut out,
        "citation_blocking_jobs",
        "Jobs that run or wait.",
        app.blocking.in_use(),
    );
    gauge(
        &mut out,
        "citation_blocking_capacity",
        "Jobs that may run or wait.",
        app.blocking.capacity(),
    );
    out
}

/// What the core counts; may block.
fn core_metrics(app: &crate::app::App) -> String {
    let mut out = String::new();
    if let Ok(stats) = app.corpus.stats() {
        gauge(
            &mut out,
            "citation_corpus_works",
            "Works in the corpus.",
            stats.works,
        );
        gauge(
            &mut out,
            "citation_corpus_indexed",
            "Works in the search index.",
            stats.indexed,
        );
        gauge(
            &mut out,
            "citation_corpus_pending",
            "Changes that are not indexed yet.",
            stats.pending,
        );
    }
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
