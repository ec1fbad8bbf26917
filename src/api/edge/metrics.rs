//! Counters for operators, in the text format of Prometheus (exposition format 0.0.4).

use std::fmt::{Display, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::api::error::Code;
use crate::histogram::{Histogram, Times};

/// Counts of one route.
#[derive(Debug, Default)]
struct RouteCounts {
    /// By status class: 1xx to 5xx.
    statuses: [AtomicU64; 5],
    times: Histogram,
}

/// The counters of the HTTP edge. Routes are numbered as in the route table; one more counter is for
/// unknown paths.
#[derive(Debug)]
pub struct Metrics {
    routes: Vec<RouteCounts>,
    /// By code, in the order of [`Code::ALL`].
    errors: Vec<AtomicU64>,
    pub connections: AtomicU64,
    pub overloads: AtomicU64,
}

impl Metrics {
    pub fn new(routes: usize) -> Metrics {
        Metrics {
            routes: (0..=routes).map(|_| RouteCounts::default()).collect(),
            errors: Code::ALL.iter().map(|_| AtomicU64::new(0)).collect(),
            connections: AtomicU64::new(0),
            overloads: AtomicU64::new(0),
        }
    }

    /// Counts one reply. `route` is `None` for an unknown path.
    pub fn count(&self, route: Option<usize>, status: u16, took: Duration) {
        let index = route.unwrap_or(self.routes.len() - 1);
        let Some(counts) = self.routes.get(index) else {
            return;
        };
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        if let Some(count) = counts.statuses.get(class) {
            count.fetch_add(1, Relaxed);
        }
        counts.times.add(took);
    }

    /// Counts a request that was answered with an error.
    pub fn count_error(&self, code: Code) {
        if let Some(count) = self.errors.get(code as usize) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// The errors that occurred at least once.
    pub fn errors(&self) -> impl Iterator<Item = (Code, u64)> {
        let counts = self.errors.iter().map(|count| count.load(Relaxed));
        let all = Code::ALL.iter().copied().zip(counts);
        all.filter(|(_, count)| *count > 0)
    }

    /// Writes the counters of all routes called at least once.
    pub fn write(&self, out: &mut Exposition, names: &[String]) {
        let family = out.family("citation_http_requests_total", "counter", "Replies sent.");
        for (name, counts) in self.asked(names) {
            for (class, count) in counts.statuses.iter().enumerate() {
                let count = count.load(Relaxed);
                if count > 0 {
                    let class = format!("{}xx", class + 1);
                    out.value(family, &[("route", name), ("status", &class)], count);
                }
            }
        }
        let family = out.family(
            "citation_http_request_seconds",
            "histogram",
            "Time from request to reply.",
        );
        for (name, counts) in self.asked(names) {
            out.times(family, &[("route", name)], &counts.times.read());
        }
        let family = out.family(
            "citation_errors_total",
            "counter",
            "Error responses, by code; quota_exhausted and rate_limited are refusals.",
        );
        for (code, count) in self.errors() {
            out.value(family, &[("code", code.as_str())], count);
        }
        out.gauge(
            "citation_http_connections",
            "Open connections.",
            self.connections.load(Relaxed),
        );
        let overloads = self.overloads.load(Relaxed);
        let family = out.family(
            "citation_overloads_total",
            "counter",
            "Requests rejected because the queue was full.",
        );
        out.value(family, &[], overloads);
    }

    fn asked<'a>(
        &'a self,
        names: &'a [String],
    ) -> impl Iterator<Item = (&'a str, &'a RouteCounts)> {
        let routes = self.routes.iter().enumerate();
        let asked =
            routes.filter(|(_, counts)| counts.statuses.iter().any(|n| n.load(Relaxed) > 0));
        asked.map(|(n, counts)| (names.get(n).map_or("none", String::as_str), counts))
    }
}

/// Text in the exposition format, by family.
#[derive(Default)]
pub struct Exposition(String);

impl Exposition {
    pub fn into_text(self) -> String {
        self.0
    }

    /// Starts a family, and returns its name.
    pub fn family<'n>(&mut self, name: &'n str, kind: &str, help: &str) -> &'n str {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        name
    }

    /// One value of a family. Labels are constants of the program, and need no escapes.
    pub fn value(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> = { labels.iter() }
            .map(|(name, value)| format!("{name}=\"{value}\""))
            .collect();
        let labels = if labels.is_empty() {
            String::new()
        } else {
            format!("{{{}}}", labels.join(","))
        };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    /// The values of one histogram of a family.
    pub fn times(&mut self, name: &str, labels: &[(&str, &str)], times: &Times) {
        let bucket = format!("{name}_bucket");
        for (bound, total) in times.cumulative() {
            let bound = bound.map_or("+Inf".to_owned(), |bound| bound.to_string());
            let labels = [labels, &[("le", bound.as_str())]].concat();
            self.value(&bucket, &labels, total);
        }
        self.value(&format!("{name}_sum"), labels, times.seconds());
        self.value(&format!("{name}_count"), labels, times.count());
    }

    /// A family of one gauge.
    pub fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        let family = self.family(name, "gauge", help);
        self.value(family, &[], value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_with_their_labels() {
        let metrics = Metrics::new(1);
        metrics.count(Some(0), 200, Duration::from_micros(700));
        metrics.count(Some(0), 404, Duration::from_secs(9));
        metrics.count(None, 404, Duration::ZERO);
        metrics.count_error(Code::QuotaExhausted);
        let mut out = Exposition::default();
        metrics.write(&mut out, &["GET /a".to_owned()]);
        let text = out.into_text();
        for line in [
            "citation_http_requests_total{route=\"GET /a\",status=\"2xx\"} 1",
            "citation_http_requests_total{route=\"none\",status=\"4xx\"} 1",
            "citation_http_request_seconds_bucket{route=\"GET /a\",le=\"0.001\"} 1",
            "citation_http_request_seconds_count{route=\"GET /a\"} 2",
            "citation_errors_total{code=\"quota_exhausted\"} 1",
            "citation_overloads_total 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }

    #[test]
    fn codes_are_numbered_in_their_order() {
        for (n, code) in Code::ALL.iter().enumerate() {
            assert_eq!(*code as usize, n);
        }
    }
}
