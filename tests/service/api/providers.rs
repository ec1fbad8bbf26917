//! Lookups that need a provider: its answers and failures, and the resulting errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use citation::config::Config;
use serde_json::{Value, json};

use crate::support::http_stand_in::{Reply, Request, StandIn};
use crate::support::waiting::wait_until;
use crate::support::{Answer, TestApp, list};

const RECORD: &str = r#"{"status":"ok","message":{"DOI":"10.5555/WORK","type":"journal-article",
    "title":["A work &amp; its <jats:italic>name</jats:italic>"],
    "author":[{"family":"Berg","given":"Ada","sequence":"first"}],
    "container-title":["Journal of Examples"],"volume":"7","page":"1-9",
    "issued":{"date-parts":[[2020,5]]}}}"#;

/// A server that asks Crossref at the stand-in, with a budget of 1.5 seconds.
fn app_with(crossref: &StandIn) -> TestApp {
    TestApp::start_with(|config| use_crossref(config, crossref))
}

fn use_crossref(config: &mut Config, stand_in: &StandIn) {
    config.lookup.budget_ms = 1_500;
    config.providers.crossref.enabled = true;
    config.providers.crossref.base_url = stand_in.url().parse().unwrap();
    config.providers.crossref.retries = 0;
}

#[test]
fn health_lists_only_enabled_providers() {
    let crossref = StandIn::start(|_| Reply::status(404));
    let health = app_with(&crossref).get("/api/health").json();
    let rows = list(&health["providers"]);
    let names: Vec<&Value> = rows.iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["crossref"]);
}

fn look_up(app: &TestApp) -> Answer {
    app.post("/api/v1/lookup/doi", &json!({"doi": "10.5555/work"}))
}

fn outcome(body: &Value, at: usize) -> (&str, &str) {
    let tried = &body["sources_tried"][at];
    (
        tried["source"].as_str().unwrap(),
        tried["outcome"].as_str().unwrap(),
    )
}

#[test]
fn provider_work_is_then_found_locally() {
    let crossref = StandIn::start(|_: &Request| Reply::json(RECORD));
    let app = app_with(&crossref);
    let first = look_up(&app);
    assert_eq!(first.status, 200, "{}", first.text());
    let body = first.json();
    assert_eq!(body["title"], "A work & its <i>name</i>");
    assert_eq!(body["date"], json!({"year": 2020, "month": 5}));
    assert_eq!(body["provenance"]["source"], "crossref");
    assert_eq!(look_up(&app).json()["title"], body["title"]);
    assert_eq!(crossref.requests().len(), 1);
    assert!(
        crossref.requests()[0]
            .path()
            .ends_with("/works/10.5555/work")
    );
}

#[test]
fn record_of_another_work_is_discarded_with_its_notices() {
    let forged = r#"{"status":"ok","message":{"DOI":"10.5555/other","type":"journal-article",
        "title":["Forged"],"issued":{"date-parts":[[2020]]},
        "update-to":[{"DOI":"10.1038/171737a0","type":"retraction"}]}}"#;
    let crossref = StandIn::start(move |_: &Request| Reply::json(forged));
    let app = app_with(&crossref);
    let body = look_up(&app).json();
    assert_eq!(body["updates"].as_array().map_or(0, Vec::len), 0, "{body}");
    let victim = app.post("/api/v1/lookup/doi", &json!({"doi": "10.1038/171737a0"}));
    assert!(!victim.text().contains("retraction"), "{}", victim.text());
    // Neither is found without asking again.
    let asked = crossref.requests().len();
    look_up(&app);
    app.post("/api/v1/lookup/doi", &json!({"doi": "10.5555/other"}));
    assert_eq!(crossref.requests().len(), asked + 2);
}

#[test]
fn content_negotiation_ignores_other_works() {
    let forged = r#"{"source":"Crossref","DOI":"10.5555/work","type":"journal-article",
        "title":"A work","issued":{"date-parts":[[2020]]},"ISBN":"9780198526636","PMID":"12345678",
        "update-to":[{"DOI":"10.1038/171737a0","type":"retraction"}],
        "updated-by":[{"DOI":"10.5555/notice","type":"retraction"}]}"#;
    let doi = StandIn::start(move |_: &Request| Reply::json(forged));
    let app = TestApp::start_with(|config| {
        config.providers.doi.enabled = true;
        config.providers.doi.base_url = doi.url().parse().unwrap();
        config.providers.doi.retries = 0;
    });
    let body = look_up(&app).json();
    assert_eq!(body["title"], "A work", "{body}");
    let victim = app.post("/api/v1/lookup/doi", &json!({"doi": "10.1038/171737a0"}));
    assert!(!victim.text().contains("retraction"), "{}", victim.text());
    // What is said of the work itself stands.
    assert!(look_up(&app).text().contains("10.5555/notice"));
}

#[test]
fn definitive_miss_is_remembered() {
    let crossref = StandIn::start(|_: &Request| Reply::status(404));
    let app = app_with(&crossref);
    let body = look_up(&app).expect_error(404, "work_not_found");
    assert_eq!(outcome(&body, 0), ("local", "not_found"));
    assert_eq!(outcome(&body, 1), ("crossref", "not_found"));
    let body = look_up(&app).expect_error(404, "work_not_found");
    assert_eq!(outcome(&body, 1), ("crossref", "not_found_remembered"));
    assert_eq!(crossref.requests().len(), 1);
}

#[test]
fn hanging_provider_times_out_within_the_budget() {
    let crossref = StandIn::start(|_: &Request| Reply::Hang);
    let app = app_with(&crossref);
    let started = Instant::now();
    let body = look_up(&app).expect_error(504, "upstream_timeout");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(body["source"], "crossref");
    assert!(body["timeout_ms"].as_u64().is_some());
    // A failure is not remembered: the provider is asked again.
    look_up(&app).expect_error(504, "upstream_timeout");
    assert_eq!(crossref.requests().len(), 2);
}

#[test]
fn malformed_provider_replies_are_errors_not_misses() {
    let check = |reply: Reply| {
        let crossref = StandIn::start(move |_: &Request| reply.clone());
        // Time enough that a busy machine does not turn one failure into another.
        let app = TestApp::start_with(|config| {
            use_crossref(config, &crossref);
            config.lookup.budget_ms = 25_000;
            config.providers.crossref.timeout_ms = 25_000;
            config.providers.crossref.max_response_bytes = 65_536;
        });
        let answer = look_up(&app);
        let body = answer.expect_error(502, "upstream_error");
        assert_eq!(outcome(&body, 1), ("crossref", "error"));
        answer
    };
    check(Reply::status(500));
    check(Reply::json("{\"status\":\"ok\",\"message\":{"));
    check(Reply::Close);
    check(Reply::CutOff);
    check(Reply::Zeros);
    check(Reply::PackedZeros);
    check(Reply::redirect("http://127.0.0.1:1/inside"));
    let limited = check(Reply::status(429).with_header("retry-after", "120"));
    assert_eq!(limited.header("retry-after"), "120");
}

#[test]
fn failing_provider_is_paused() {
    let crossref = StandIn::start(|_: &Request| Reply::status(500));
    let app = TestApp::start_with(|config| {
        use_crossref(config, &crossref);
        config.providers.crossref.breaker_failures = 2;
    });
    look_up(&app).expect_error(502, "upstream_error");
    look_up(&app).expect_error(502, "upstream_error");
    let answer = look_up(&app);
    let body = answer.expect_error(503, "service_unavailable");
    assert_eq!(outcome(&body, 1), ("crossref", "unavailable"));
    assert!(
        answer
            .header("retry-after")
            .parse::<u64>()
            .is_ok_and(|s| s > 0)
    );
    assert_eq!(crossref.requests().len(), 2);
    let health = app.get("/api/health").json();
    assert_eq!(health["status"], "degraded");
}

#[test]
fn second_provider_answers_after_failure() {
    let crossref = StandIn::start(|_: &Request| Reply::status(500));
    let datacite = StandIn::start(|_: &Request| {
        Reply::json(
            r#"{"data":{"id":"10.5555/work","attributes":{"doi":"10.5555/work","titles":[{"title":"From the second"}],
                "creators":[{"name":"Berg, Ada","nameType":"Personal","familyName":"Berg","givenName":"Ada"}],
                "publicationYear":2019,"publisher":"Repository","types":{"resourceTypeGeneral":"Dataset"}}}}"#,
        )
    });
    let app = TestApp::start_with(|config| {
        use_crossref(config, &crossref);
        config.providers.datacite.enabled = true;
        config.providers.datacite.base_url = datacite.url().parse().unwrap();
    });
    let body = look_up(&app).json();
    assert_eq!(body["title"], "From the second");
    assert_eq!(body["entry_type"], "Dataset");
    assert_eq!(body["provenance"]["source"], "datacite");
}

#[test]
fn concurrent_lookups_of_a_work_share_one_request() {
    let lookups = 8;
    let begun = Arc::new(AtomicUsize::new(0));
    let all_begun = Arc::clone(&begun);
    let crossref = StandIn::start(move |_: &Request| {
        wait_until(|| all_begun.load(Ordering::SeqCst) == lookups);
        Reply::json(RECORD)
    });
    let app = app_with(&crossref);
    std::thread::scope(|scope| {
        let lookups: Vec<_> = (0..lookups)
            .map(|_| {
                scope.spawn(|| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    look_up(&app).status
                })
            })
            .collect();
        for lookup in lookups {
            assert_eq!(lookup.join().unwrap(), 200);
        }
    });
    assert_eq!(crossref.requests().len(), 1);
}
