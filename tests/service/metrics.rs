//! Prometheus metrics, and the dashboard for them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::list;
use crate::support::program::serve;
use crate::support::providers_off_but;

const SETTINGS: &str = "[server]\nmetrics_listen = \"127.0.0.1:0\"\n\
    [quota]\nanonymous_daily = 3\n[lookup]\nfetch_pages = false\n";

#[test]
fn metrics_count_replies_rejections_and_sizes_by_label() {
    let folder = tempfile::tempdir().unwrap();
    let settings = format!("{SETTINGS}{}", providers_off_but(&["pubmed"]));
    std::fs::write(folder.path().join("citation.toml"), settings).unwrap();
    let server = serve(folder.path());
    let lookup = |doi: &str| server.get(&format!("/api/v1/works/{doi}"));
    assert!(lookup("10.1038/171737a0").is_some());
    assert!(lookup("10.1000/nothing").is_none());
    assert!(lookup("10.1000/nobody").is_none());
    assert!(
        lookup("10.1038/171737a0").is_none(),
        "the lookups are used up"
    );
    let output = server.output();
    let mut lines = output.lines();
    let url = lines.find_map(|line| line.strip_prefix("metrics on "));
    let text = ureq::get(url.unwrap())
        .call()
        .unwrap()
        .body_mut()
        .read_to_string()
        .unwrap();
    for line in [
        "citation_lookup_seconds_count{answer=\"corpus\"} 2",
        "citation_lookup_seconds_count{answer=\"not_found\"} 2",
        "citation_lookup_seconds_bucket{answer=\"corpus\",le=\"+Inf\"} 2",
        "citation_errors_total{code=\"quota_exhausted\"} 1",
        "citation_errors_total{code=\"work_not_found\"} 2",
        "citation_provider_questions_total{provider=\"pubmed\",outcome=\"found\"} 0",
        "citation_provider_seconds_count{provider=\"pubmed\"} 0",
        "citation_cache_questions_total{cache=\"styles\",outcome=\"hit\"} 0",
        "citation_corpus_pending 0",
        "citation_pool_running{pool=\"heavy\"} 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let sizes = text
        .lines()
        .filter_map(|line| line.strip_prefix("citation_disk_bytes{"));
    let sizes: Vec<(&str, u64)> = sizes
        .map(|line| line.split_once("} ").unwrap())
        .map(|(part, bytes)| (part, bytes.parse().unwrap()))
        .collect();
    assert_eq!(sizes.len(), 3, "{sizes:?}");
    assert!(
        sizes
            .iter()
            .any(|(part, bytes)| *part == "part=\"index\"" && *bytes > 10_000)
    );

    // What the dashboard asks for is there.
    let known: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let dashboard = include_str!("../../examples/deploy/grafana/citation.json");
    let dashboard: Value = serde_json::from_str(dashboard).unwrap();
    for panel in list(&dashboard["panels"]) {
        for target in list(&panel["targets"]) {
            let asked = target["expr"].as_str().unwrap();
            let names = asked.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for name in names.filter(|name| name.starts_with("citation_")) {
                let family = name.trim_end_matches("_bucket").trim_end_matches("_count");
                assert!(known.contains(family), "{name}");
            }
        }
    }
}
