//! Counters for operators, in the text format of Prometheus (exposition format 0.0.4).

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds of the latency buckets, in seconds.
const BUCKETS: [f64; 10] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

/// Counts of one route.
#[derive(Debug, Default)]
struct RouteCounts {
    /// By status class: 1xx to 5xx.
    statuses: [AtomicU64; 5],
    /// Not cumulative; the last one is above every bound.
    latencies: [AtomicU64; BUCKETS.len() + 1],
    microseconds: AtomicU64,
}

/// What the edge counts. Routes are numbered as in the route table; one more stands for paths
/// that are in no row.
#[derive(Debug)]
pub struct Metrics {
    routes: Vec<RouteCounts>,
    pub connections: AtomicU64,
    pub overloads: AtomicU64,
}

impl Metrics {
    pub fn new(routes: usize) -> Metrics {
        Metrics {
            routes: (0..=routes).map(|_| RouteCounts::default()).collect(),
            connections: AtomicU64::new(0),
            overloads: AtomicU64::new(0),
        }
    }

    /// Counts one reply. `route` is nothing for a path that is in no row.
    pub fn count(&self, route: Option<usize>, status: u16, took: Duration) {
        let index = route.unwrap_or(self.routes.len() - 1);
        let Some(counts) = self.routes.get(index) else {
            return;
        };
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        counts.statuses[class].fetch_add(1, Relaxed);
        let seconds = took.as_secs_f64();
        let bucket = BUCKETS
            .iter()
            .position(|bound| seconds <= *bound)
            .unwrap_or(BUCKETS.len());
        counts.latencies[bucket].fetch_add(1, Relaxed);
        counts
            .microseconds
            .fetch_add(took.as_micros() as u64, Relaxed);
    }

    /// Writes the counters of all routes that were asked at least once.
    pub fn write(&self, out: &mut String, names: &[String]) {
        out.push_str("# HELP citation_http_requests_total Replies sent.\n# TYPE citation_http_requests_total counter\n");
        self.each(names, |name, counts| {
            for (class, count) in counts.statuses.iter().enumerate() {
                let count = count.load(Relaxed);
                if count > 0 {
                    let _ = writeln!(
                        out,
                        "citation_http_requests_total{{route=\"{name}\",status=\"{}xx\"}} {count}",
                        class + 1
                    );
                }
            }
        });
        out.push_str("# HELP citation_http_request_seconds Time from request to reply.\n# TYPE citation_http_request_seconds histogram\n");
        self.each(names, |name, counts| {
            let mut total = 0;
            for (bucket, count) in counts.latencies.iter().enumerate() {
                total += count.load(Relaxed);
                let bound = BUCKETS.get(bucket).map_or("+Inf".to_owned(), f64::to_string);
                let _ = writeln!(out, "citation_http_request_seconds_bucket{{route=\"{name}\",le=\"{bound}\"}} {total}");
            }
            let sum = counts.microseconds.load(Relaxed) as f64 / 1e6;
            let _ = writeln!(out, "citation_http_request_seconds_sum{{route=\"{name}\"}} {sum}");
            let _ = writeln!(out, "citation_http_request_seconds_count{{route=\"{name}\"}} {total}");
        });
        gauge(
            out,
            "citation_http_connections",
            "Open connections.",
            self.connections.load(Relaxed),
        );
        counter(
            out,
            "citation_overloads_total",
            "Requests refused because too much was waiting.",
            self.overloads.load(Relaxed),
        );
    }

    fn each(&self, names: &[String], mut write: impl FnMut(&str, &RouteCounts)) {
        for (index, counts) in self.routes.iter().enumerate() {
            let asked = counts.statuses.iter().any(|count| count.load(Relaxed) > 0);
            if asked {
                write(names.get(index).map_or("none", String::as_str), counts);
            }
        }
    }
}

/// Writes one gauge.
pub fn gauge(out: &mut String, name: &str, help: &str, value: impl std::fmt::Display) {
    let _ = writeln!(
        out,
        "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}"
    );
}

/// Writes one counter.
fn counter(out: &mut String, name: &str, help: &str, value: impl std::fmt::Display) {
    let _ = writeln!(
        out,
        "# HELP {name} {help}\n# TYPE {name} counter\n{name} {value}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_add_up() {
        let metrics = Metrics::new(1);
        metrics.count(Some(0), 200, Duration::from_micros(700));
        metrics.count(Some(0), 404, Duration::from_secs(9));
        metrics.count(None, 404, Duration::ZERO);
        let mut text = String::new();
        metrics.write(&mut text, &["GET /a".to_owned()]);
        assert!(text.contains("citation_http_requests_total{route=\"GET /a\",status=\"2xx\"} 1"));
        assert!(text.contains("le=\"0.001\"} 1"));
        assert!(text.contains("citation_http_request_seconds_count{route=\"GET /a\"} 2"));
        assert!(text.contains("route=\"none\",status=\"4xx\"} 1"));
    }
}
