//! `/metrics` on a separate address, so that it need not be public.

use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use warp::Filter;

use super::metrics::Exposition;
use crate::api::Edge;
use crate::blocking::PoolKind;
use crate::provider::{BreakerState, ProviderStats};

/// Serves until `stop` becomes true.
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

/// All counters, from memory.
fn text(edge: &Edge) -> String {
    let mut out = Exposition::default();
    write_data(&mut out, edge);
    write_lookups(&mut out, edge);
    write_caches(&mut out, edge);
    write_providers(&mut out, &edge.app.provider_stats());
    edge.metrics.write(&mut out, &edge.route_names());
    write_pools(&mut out, edge);
    out.into_text()
}

/// The stored data, and the state of the index.
fn write_data(out: &mut Exposition, edge: &Edge) {
    let facts = edge.vitals.now();
    out.gauge("citation_corpus_works", "Works in the corpus.", facts.works);
    out.gauge(
        "citation_corpus_indexed",
        "Works in the search index.",
        facts.indexed,
    );
    out.gauge(
        "citation_corpus_pending",
        "Changes that are not indexed yet.",
        facts.pending,
    );
    let family = out.family("citation_disk_bytes", "gauge", "Size on the disk, by part.");
    for (part, bytes) in facts.sizes.parts() {
        out.value(family, &[("part", part)], bytes);
    }
    out.gauge(
        "citation_uptime_seconds",
        "Seconds since the start.",
        edge.app.started.elapsed().as_secs(),
    );
}

/// Lookups and searches for references, by source of the answer.
fn write_lookups(out: &mut Exposition, edge: &Edge) {
    for (name, help, times) in [
        (
            "citation_lookup_seconds",
            "Time of looking up an identifier.",
            edge.app.lookup.times(),
        ),
        (
            "citation_reference_seconds",
            "Time of searching for a reference.",
            edge.app.references.times(),
        ),
    ] {
        let family = out.family(name, "histogram", help);
        for (answer, times) in times {
            out.times(family, &[("answer", answer.as_str())], &times);
        }
    }
}

fn write_caches(out: &mut Exposition, edge: &Edge) {
    let help = "Cache requests, by result.";
    let family = out.family("citation_cache_questions_total", "counter", help);
    for (cache, (hits, misses)) in edge.app.caches() {
        for (outcome, count) in [("hit", hits), ("miss", misses)] {
            out.value(family, &[("cache", cache), ("outcome", outcome)], count);
        }
    }
}

fn write_pools(out: &mut Exposition, edge: &Edge) {
    type Read = fn(usize, usize, &crate::blocking::PoolLimits) -> usize;
    let families: [(&str, &str, Read); 4] = [
        (
            "jobs",
            "Jobs that run, wait in the queue or have released their slot.",
            |jobs, _, _| jobs,
        ),
        (
            "jobs_max",
            "Maximum number of jobs before more are rejected.",
            |_, _, limits| limits.jobs,
        ),
        ("running", "Running jobs.", |_, running, _| running),
        (
            "slots",
            "Maximum number of running jobs.",
            |_, _, limits| limits.slots,
        ),
    ];
    for (metric, help, read) in families {
        let name = format!("citation_pool_{metric}");
        let family = out.family(&name, "gauge", help);
        for kind in PoolKind::ALL {
            let (jobs, running) = edge.app.blocking.usage(kind);
            let value = read(jobs, running, &edge.app.blocking.limits(kind));
            out.value(family, &[("pool", kind.as_str())], value);
        }
    }
}

/// Requests to providers and their results.
fn write_providers(out: &mut Exposition, providers: &[ProviderStats]) {
    let family = out.family(
        "citation_provider_questions_total",
        "counter",
        "Requests to providers, by outcome.",
    );
    for stats in providers {
        let other = stats.timeouts + stats.rate_limited + stats.turned_away;
        for (outcome, count) in [
            ("found", stats.answered.saturating_sub(stats.not_found)),
            ("not_found", stats.not_found),
            ("timeout", stats.timeouts),
            ("rate_limited", stats.rate_limited),
            ("turned_away", stats.turned_away),
            ("failed", stats.failed.saturating_sub(other)),
        ] {
            let labels = [("provider", stats.name), ("outcome", outcome)];
            out.value(family, &labels, count);
        }
    }
    let family = out.family(
        "citation_provider_seconds",
        "histogram",
        "Time of a request, including retries.",
    );
    for stats in providers {
        out.times(family, &[("provider", stats.name)], &stats.times);
    }
    type Read = fn(&ProviderStats) -> u64;
    let families: [(&str, &str, &str, Read); 5] = [
        (
            "citation_provider_requests_total",
            "counter",
            "HTTP requests sent, including retries and redirects.",
            |stats| stats.requests,
        ),
        (
            "citation_provider_received_bytes_total",
            "counter",
            "Bytes received, unpacked.",
            |stats| stats.received_bytes,
        ),
        (
            "citation_provider_in_flight",
            "gauge",
            "Requests in progress.",
            |stats| stats.in_flight as u64,
        ),
        (
            "citation_provider_circuit_open",
            "gauge",
            "1 while the provider is paused.",
            |stats| u64::from(stats.breaker != BreakerState::Closed),
        ),
        (
            "citation_provider_quiet_seconds",
            "gauge",
            "Time for which the provider is not asked, because it wants a pause or its budget is spent.",
            |stats| stats.quiet.as_secs(),
        ),
    ];
    for (name, kind, help, read) in families {
        let family = out.family(name, kind, help);
        for stats in providers {
            out.value(family, &[("provider", stats.name)], read(stats));
        }
    }
}
