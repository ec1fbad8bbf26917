//! Reverse lookup, verification and batch formatting over HTTP: results, costs,
//! and providers that fail during a batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use citation::config::Config;
use citation::config::ProviderName;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::support::http_stand_in::{Reply, Request, StandIn};
use crate::support::waiting::wait_until;
use crate::support::{Answer, TestApp, list};

const WATSON: &str =
    "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8.";

/// A server whose index holds the works that come with the program, and a business account's key.
pub struct Server {
    pub app: TestApp,
    pub key: String,
}

impl Server {
    pub fn start() -> Server {
        Server::start_with(|_| {})
    }

    pub fn start_with(change: impl FnOnce(&mut Config)) -> Server {
        let app = TestApp::start_with(change);
        let is_ready = || {
            let stats = app.app.corpus.stats().unwrap();
            stats.search_ready && stats.pending == 0 && stats.indexed > 0
        };
        wait_until(is_ready);
        let key = app.bearer(Plan::Business);
        Server { app, key }
    }

    fn send(&self, path: &str, content_type: &str, accept: &str, body: &str) -> Answer {
        let headers = [
            ("content-type", content_type),
            ("accept", accept),
            ("authorization", &self.key),
        ];
        self.app.send("POST", path, &headers, Some(body.as_bytes()))
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(path, "application/json", "*/*", &body.to_string())
    }
}

fn verdicts(body: &Value) -> Vec<&str> {
    let results = list(&body["results"]);
    results
        .iter()
        .map(|result| result["verdict"].as_str().unwrap())
        .collect()
}

#[test]
fn reverse_lookup_explains_its_candidates() {
    let server = Server::start();
    let answer = server.app.post("/api/v1/reverse", &json!({"text": WATSON}));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body = answer.json();
    let best = &body[0];
    assert!(best["score"].as_f64().unwrap() > 0.95, "{best}");
    assert_eq!(best["source"], "local");
    assert_eq!(best["metadata"]["doi"], "10.1038/171737a0");
    assert_eq!(best["parsed"]["volume"], "171");
    let fields = list(&best["explanation"]["fields"]);
    let year = fields
        .iter()
        .find(|field| field["field"] == "year")
        .unwrap();
    assert_eq!(year["verdict"], "equal");
    let scores: Vec<f64> = list(&body)
        .iter()
        .map(|candidate| candidate["score"].as_f64().unwrap())
        .collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert!(scores.len() <= 5);
}

#[test]
fn reverse_lookup_accepts_informal_text() {
    let server = Server::start();
    let check = |text: &str, doi: &str| {
        let body = server
            .app
            .post("/api/v1/reverse", &json!({"text": text, "limit": 1}))
            .json();
        assert_eq!(body[0]["metadata"]["doi"], doi, "{text}");
        assert!(body[0]["score"].as_f64().unwrap() >= 0.6, "{text}: {body}");
    };
    check(
        "Watson & Crick, molecular structure of nucleic acids, Nature 1953",
        "10.1038/171737a0",
    );
    check(
        "see doi:10.1038/171737a0 (Watson and Crick)",
        "10.1038/171737a0",
    );
    check(
        "Watson JD, Crick FHC. Molecu-\nlar structure of nucleic\nacids. Nature 171, 737 (1953)",
        "10.1038/171737a0",
    );
}

#[test]
fn reverse_lookup_rejects_non_text() {
    let server = Server::start();
    let check = |body: Value, field: &str| {
        let answer = server.app.post("/api/v1/reverse", &body);
        let error = answer.expect_error(422, "validation_failed");
        assert_eq!(error["field"], field, "{error}");
    };
    check(json!({"text": "  \n "}), "/text");
    check(json!({"text": "a".repeat(2_001)}), "/text");
    check(json!({"text": "a b", "limit": 0}), "/limit");
    let body = server
        .app
        .post("/api/v1/reverse", &json!({"text": "zqxv jjkw"}));
    assert_eq!((body.status, body.json()), (200, json!([])));
    assert_eq!(body.header("sources-tried"), "local=not_found");
}

#[test]
fn longest_text_is_answered() {
    let server = Server::start();
    for piece in [
        "a",
        "1",
        "日",
        "A. ",
        "Watson, J. D., ",
        "Nature 171(4356), 737–738. ",
        "“molecular structure ",
        "(((((",
        "[1] ",
        "10.1000/x ",
        "nucleic acid-\n",
        "\u{ad}\u{200d}\u{301}é\u{fffd}",
    ] {
        let text: String = piece.chars().cycle().take(2_000).collect();
        let found = server.post("/api/v1/reverse", &json!({"text": text}));
        assert_eq!(found.status, 200, "{piece:?}: {}", found.text());
        let checked = server.post("/api/v1/verify", &json!({"text": text, "local_only": true}));
        assert_eq!(checked.status, 200, "{piece:?}: {}", checked.text());
        assert_ne!(checked.json()["verdict"], "verified", "{piece:?}");
    }
}

#[test]
fn batch_is_for_paid_plans() {
    let server = Server::start();
    let body = json!({"references": [WATSON]}).to_string();
    let free = server.app.bearer(Plan::Free);
    for path in [
        "/api/v1/verify/batch",
        "/api/v1/verify/document",
        "/api/v1/format/batch",
    ] {
        let send = |headers: &[(&str, &str)]| {
            server
                .app
                .send("POST", path, headers, Some(body.as_bytes()))
        };
        let json = ("content-type", "application/json");
        send(&[json]).expect_error(401, "authentication_required");
        send(&[json, ("authorization", &free)]).expect_error(403, "plan_required");
    }
}

#[test]
fn single_references_are_verified_within_the_quota() {
    let server = Server::start_with(|config| config.quota.anonymous_daily = 1);
    let body = json!({"reference": WATSON, "local_only": true});
    let checked = server.app.post("/api/v1/verify", &body);
    assert_eq!(checked.status, 200, "{}", checked.text());
    assert_eq!(checked.json()["verdict"], "verified");
    assert_eq!(checked.header("x-ratelimit-remaining"), "0");
    { server.app.post("/api/v1/verify", &body) }.expect_error(429, "quota_exhausted");
}

#[test]
fn every_body_form_is_verified_equally() {
    let server = Server::start();
    let check = |content_type: &str, body: &str, expected: &[&str]| {
        let answer = server.send(
            "/api/v1/verify/batch?local_only=true",
            content_type,
            "*/*",
            body,
        );
        assert_eq!(answer.status, 200, "{content_type}: {}", answer.text());
        let body = answer.json();
        assert_eq!(verdicts(&body), expected, "{content_type}: {body}");
        assert_eq!(body["lookups_used"], expected.len());
        body
    };
    check(
        "application/json",
        &json!({"references": [
            WATSON,
            {"text": "Watson JD. Molecular structure of nucleic acids. Nature 1953;171:999."},
            {"metadata": {"title": "An invention of this test", "authors": ["Nobody, N."]}},
            {"doi": "10.1038/171737a0", "title": "Another title about other things entirely"},
        ]})
        .to_string(),
        &["verified", "mismatch", "not_found", "mismatch"],
    );
    check(
        "text/plain; charset=utf-8",
        &format!(
            "References\n\n[1] {WATSON}\n[2] Nobody N. An invention of this\n    test. Nowhere. 2001.\n"
        ),
        &["verified", "not_found"],
    );
    let bibtex = "@article{w, author={Watson, J. D. and Crick, F. H. C.}, title={Molecular Structure of Nucleic Acids: A Structure for Deoxyribose Nucleic Acid}, journal={Nature}, year=1953, volume=171, pages={737--738}}";
    check("application/x-bibtex", bibtex, &["verified"]);
    check(
        "application/x-research-info-systems",
        "TY  - JOUR\nAU  - Watson, J. D.\nAU  - Crick, F. H. C.\nTI  - Molecular Structure of Nucleic Acids: A Structure for Deoxyribose Nucleic Acid\nJO  - Nature\nPY  - 1953\nVL  - 171\nSP  - 737\nER  - \n",
        &["verified"],
    );
    check(
        "multipart/form-data; boundary=xx",
        &format!(
            "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"refs.bib\"\r\n\r\n{bibtex}\r\n--xx--\r\n"
        ),
        &["verified"],
    );
    let body = check(
        "application/x-bibtex",
        &format!("{bibtex}\n@article title={{Without braces}}\n"),
        &["verified"],
    );
    assert_eq!(body["problems"].as_array().map(Vec::len), Some(1), "{body}");
}

#[test]
fn wrong_field_is_reported_with_severity() {
    let server = Server::start();
    let body = server
        .post(
            "/api/v1/verify",
            &json!({"text": "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1963;171:737-8."}),
        )
        .json();
    assert_eq!(body["verdict"], "mismatch", "{body}");
    let diff = &body["diffs"][0];
    assert_eq!(
        (&diff["field"], &diff["given"], &diff["found"]),
        (&json!("year"), &json!("1963"), &json!("1953"))
    );
    assert_eq!(diff["severity"], "warning");
    assert_eq!(body["match"]["doi"], "10.1038/171737a0");
}

#[test]
fn verification_rejects_empty_and_oversized_batches() {
    let server = Server::start();
    let many: Vec<&str> = vec![WATSON; 101];
    let error = server
        .post("/api/v1/verify/batch", &json!({"references": many}))
        .expect_error(413, "payload_too_large");
    assert_eq!(
        (&error["limit"], &error["unit"]),
        (&json!(100), &json!("items"))
    );
    server
        .post("/api/v1/verify/batch", &json!({"references": []}))
        .expect_error(422, "validation_failed");
    let error = server
        .post("/api/v1/verify", &json!({"metadata": {"note": "?"}}))
        .expect_error(422, "validation_failed");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("`text`") && message.contains("`metadata`"),
        "{error}"
    );
    server
        .send("/api/v1/verify/batch", "image/png", "*/*", "x")
        .expect_error(415, "unsupported_media_type");
}

#[test]
fn results_are_streamed_in_order() {
    let server = Server::start();
    let body = json!({"references": [WATSON, "Nobody N. An invention of this test. Nowhere. 2001.", WATSON]});
    let answer = server.send(
        "/api/v1/verify/batch",
        "application/json",
        "application/x-ndjson",
        &body.to_string(),
    );
    assert_eq!(answer.header("content-type"), "application/x-ndjson");
    let lines: Vec<Value> = answer
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let said: Vec<(u64, &str)> = lines
        .iter()
        .map(|line| {
            (
                line["index"].as_u64().unwrap(),
                line["verdict"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(said, [(0, "verified"), (1, "not_found"), (2, "verified")]);
}

/// Crossref that answers `healthy` searches with nothing and fails in this way from then on.
fn failing_crossref(healthy: usize, failing: fn() -> Reply) -> StandIn {
    let asked = Arc::new(AtomicUsize::new(0));
    StandIn::start(move |_: &Request| {
        if asked.fetch_add(1, Ordering::SeqCst) < healthy {
            Reply::json(r#"{"status":"ok","message":{"items":[]}}"#)
        } else {
            failing()
        }
    })
}

fn use_crossref(config: &mut Config, stand_in: &StandIn) {
    // Time enough that a busy machine does not turn one failure into another.
    config.server.request_timeout_ms = 600_000;
    config.lookup.budget_ms = 20_000;
    config.providers.crossref.enabled = true;
    config.providers.crossref.base_url = stand_in.url().parse().unwrap();
    config.providers.crossref.retries = 0;
}

#[test]
fn batch_survives_provider_outage() {
    check_dying_provider(|| Reply::Close, |_| {});
}

#[test]
fn batch_survives_silent_provider() {
    check_dying_provider(
        || Reply::Hang,
        |config| config.providers.crossref.timeout_ms = 2_000,
    );
}

fn check_dying_provider(failing: fn() -> Reply, change: fn(&mut Config)) {
    const HEALTHY: usize = 20;
    let crossref = failing_crossref(HEALTHY, failing);
    let server = Server::start_with(|config| {
        use_crossref(config, &crossref);
        change(config);
    });
    // Every fourth reference is known locally and needs nobody else.
    let references: Vec<String> = (0..100)
        .map(|n| match n % 4 {
            0 => WATSON.to_owned(),
            _ => format!("Nobody N. Invention {n}. 2001."),
        })
        .collect();
    let body = server
        .post("/api/v1/verify/batch", &json!({"references": references}))
        .json();
    let summary = &body["summary"];
    assert_eq!(summary["verified"], 25, "{summary}");
    assert_eq!(summary["not_found"], HEALTHY, "{summary}");
    assert_eq!(summary["not_checked"], 75 - HEALTHY, "{summary}");
    // What was not checked costs nothing.
    assert_eq!(body["lookups_used"], 25 + HEALTHY);
    for result in list(&body["results"]) {
        let failed = list(&result["sources_tried"]).iter().any(|tried| {
            matches!(
                tried["outcome"].as_str(),
                Some("error" | "unavailable" | "timeout")
            )
        });
        assert_eq!(result["verdict"] == "not_checked", failed, "{result}");
    }
}

#[test]
fn batch_formatting_reports_failures() {
    const HEALTHY: usize = 1;
    let crossref = failing_crossref(HEALTHY, || Reply::Close);
    let server = Server::start_with(|config| {
        use_crossref(config, &crossref);
        config.lookup.reverse_order = vec![ProviderName::Crossref];
    });
    let mut items = vec![
        json!({"text": WATSON}),
        json!({"metadata": {"title": "VerificationInput whole", "entry_type": "Book"}}),
        json!({"doi": "10.1038/171737a0"}),
    ];
    items.extend(
        (0..4).map(|n| json!({"text": format!("Nobody N. Invention {n} of this test. 2001.")})),
    );
    let answer = server.post(
        "/api/v1/format/batch",
        &json!({"items": items, "style": "apa"}),
    );
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body = answer.json();
    let statuses: Vec<&str> = list(&body["results"])
        .iter()
        .map(|result| result["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses[..3], ["ok", "ok", "ok"], "{body}");
    assert_eq!(body["summary"]["not_found"], HEALTHY, "{}", body["summary"]);
    assert_eq!(body["summary"]["error"], 4 - HEALTHY, "{}", body["summary"]);
    assert_eq!(body["lookups_used"], 2 + HEALTHY);
    assert!(
        body["plain"]
            .as_str()
            .unwrap()
            .contains("VerificationInput whole")
    );
}

#[test]
fn quota_ends_within_a_batch() {
    let server = Server::start_with(|config| config.quota.business_daily = 2);
    let body = json!({"references": [WATSON, WATSON, WATSON]});
    let answer = server.post("/api/v1/verify/batch", &body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let reply = answer.json();
    assert_eq!(
        verdicts(&reply),
        ["verified", "verified", "quota_exhausted"]
    );
    assert_eq!(
        (&reply["lookups_used"], &reply["remaining"]),
        (&json!(2), &json!(0))
    );
    server
        .post("/api/v1/verify/batch", &body)
        .expect_error(429, "quota_exhausted");
    // Metadata needs no lookup for formatting, so that still works.
    let items = json!({"items": [{"metadata": {"title": "VerificationInput whole"}}, {"text": WATSON}], "style": "apa"});
    let reply = server.post("/api/v1/format/batch", &items).json();
    assert_eq!(reply["results"][0]["status"], "ok", "{reply}");
    assert_eq!(reply["results"][1]["status"], "quota_exhausted", "{reply}");
}

const BOOK: &str = "Nobody, N. (2001). An invention of this test. Nowhere.";

#[test]
fn references_of_a_text_have_positions() {
    let server = Server::start();
    let path = "/api/v1/verify/batch?local_only=true";
    let text = format!("Réferences\n\n{WATSON} {BOOK}\nA running header\n\n");
    let check = |accept: &str| server.send(path, "text/plain", accept, &text);
    let body = check("*/*").json();
    assert_eq!(verdicts(&body), ["verified", "not_found"], "{body}");
    let length = WATSON.chars().count();
    let start = "Réferences\n\n".chars().count();
    assert_eq!(
        body["results"][0]["position"],
        json!({"line": 3, "column": 1, "start": start, "end": start + length})
    );
    assert_eq!(body["results"][1]["position"]["column"], length + 2);
    let streamed = check("application/x-ndjson");
    let first: Value = serde_json::from_str(streamed.text().lines().next().unwrap()).unwrap();
    assert_eq!(first["position"], body["results"][0]["position"]);
    assert_eq!(streamed.header("x-lookup-cost"), "");
    let bibtex = "\n@misc{a, title={An invention}}\n@misc{b, title={Another invention}}\n";
    let body = server.send(path, "text/plain", "*/*", bibtex).json();
    assert_eq!(
        body["results"][1]["position"],
        json!({"line": 3, "citation_key": "b"}),
        "{body}"
    );
    let ris = "TY  - JOUR\nTI  - An invention of this test\nER  - \n";
    let body = server.send(path, "text/plain", "*/*", ris).json();
    assert_eq!(
        body["results"][0]["input"]["title"], "An invention of this test",
        "{body}"
    );
}

#[test]
fn broken_reference_leaves_neighbours_intact() {
    let server = Server::start();
    let path = "/api/v1/verify/batch?local_only=true";
    let long = "word ".repeat(500);
    let text = format!("The following works were used.\n\n{WATSON}\n\n{long} 2001\n\n{BOOK}");
    let body = server.send(path, "text/plain", "*/*", &text).json();
    assert_eq!(
        verdicts(&body),
        ["verified", "not_checked", "not_found"],
        "{body}"
    );
    assert_eq!(body["lookups_used"], 2);
    assert_eq!(
        body["left_out"][0]["text"],
        "The following works were used."
    );
    assert_eq!(body["left_out"][0]["position"]["line"], 1);
    server
        .send(path, "text/plain", "*/*", "%PDF-1.7\n1 0 obj")
        .expect_error(415, "unsupported_media_type");
    let large = json!({"references": ["a b".repeat(800_000)]}).to_string();
    for path in [
        "/api/v1/verify",
        "/api/v1/verify/batch",
        "/api/v1/format/batch",
    ] {
        server
            .send(path, "application/json", "*/*", &large)
            .expect_error(413, "payload_too_large");
    }
}

#[test]
fn uncharged_lookup_is_available_to_the_next_item() {
    let server = Server::start_with(|config| config.quota.business_daily = 3);
    let body =
        json!({"local_only": true, "references": ["a", WATSON, WATSON, WATSON, WATSON, WATSON]});
    let reply = server.post("/api/v1/verify/batch", &body).json();
    assert_eq!(
        verdicts(&reply),
        [
            "not_checked",
            "verified",
            "verified",
            "verified",
            "quota_exhausted",
            "quota_exhausted"
        ]
    );
    assert_eq!(
        (&reply["lookups_used"], &reply["remaining"]),
        (&json!(3), &json!(0))
    );
}

#[test]
fn invalid_batch_is_rejected_without_charge() {
    let server = Server::start();
    let check = |body: Value, code: &str, field: &str| {
        let answer = server.post("/api/v1/format/batch", &body);
        assert_eq!(answer.header("x-lookup-cost"), "0", "{body}");
        let error = answer.expect_error(422, code);
        assert_eq!(error["field"], field, "{error}");
    };
    let items = json!([{"text": WATSON}]);
    check(
        json!({"items": items, "style": "nope"}),
        "unknown_style",
        "/style",
    );
    check(
        json!({"items": items, "locale": "!!"}),
        "validation_failed",
        "/locale",
    );
    let second = |item: Value| json!({"items": [{"text": WATSON}, item]});
    check(
        second(json!({"doi": "nope"})),
        "invalid_doi",
        "/items/1/doi",
    );
    check(
        second(json!({"isbn": "1"})),
        "invalid_isbn",
        "/items/1/isbn",
    );
    check(second(json!({})), "validation_failed", "/items/1");
    check(
        second(json!({"metadata": {"id": "a"}})),
        "validation_failed",
        "/items/1/metadata",
    );
}

/// A work that only Crossref has, and a citation of it.
const MARSHES: &str = r#"{"DOI":"10.5555/WORK","type":"journal-article",
    "title":["Unheard-of quadrupeds of the lower marshes"],
    "author":[{"family":"Berg","given":"Ada","sequence":"first"}],
    "container-title":["Journal of Examples"],"volume":"7","page":"1-9",
    "issued":{"date-parts":[[2020,5]]}}"#;
const MARSHES_CITED: &str =
    "Berg A. Unheard-of quadrupeds of the lower marshes. Journal of Examples 2020;7:1-9.";

fn check_found_locally(server: &Server) {
    let local = json!({"text": MARSHES_CITED, "local_only": true});
    let body = server.post("/api/v1/verify", &local).json();
    assert_eq!(body["verdict"], "verified", "{body}");
    let body = server.post("/api/v1/reverse", &local).json();
    assert_eq!(body[0]["metadata"]["doi"], "10.5555/work", "{body}");
}

#[test]
fn looked_up_work_is_matched_at_once() {
    let stand_in = StandIn::start(|_: &Request| {
        Reply::json(format!(r#"{{"status":"ok","message":{MARSHES}}}"#))
    });
    let server = Server::start_with(|config| use_crossref(config, &stand_in));
    let looked_up = server
        .app
        .post("/api/v1/lookup/doi", &json!({"doi": "10.5555/work"}));
    assert_eq!(looked_up.status, 200, "{}", looked_up.text());
    check_found_locally(&server);
}

#[test]
fn work_of_the_first_provider_enters_the_corpus() {
    let stand_in = StandIn::start(|_: &Request| {
        Reply::json(format!(
            r#"{{"status":"ok","message":{{"items":[{MARSHES}]}}}}"#
        ))
    });
    let server = Server::start_with(|config| {
        use_crossref(config, &stand_in);
        config.providers.datacite.enabled = true;
        config.providers.datacite.base_url = stand_in.url().parse().unwrap();
    });
    let body = server
        .post("/api/v1/reverse", &json!({"text": MARSHES_CITED}))
        .json();
    assert_eq!(body[0]["source"], "crossref", "{body}");
    assert_eq!(stand_in.requests().len(), 1, "DataCite is not asked");
    check_found_locally(&server);
}

#[test]
fn unlikely_candidates_are_not_shown() {
    let crossref = failing_crossref(0, || Reply::Close);
    let server = Server::start_with(|config| use_crossref(config, &crossref));
    let text = "Nobody N. Structure of an invention of this test. Nature 2001.";
    let answer = server.app.post("/api/v1/reverse", &json!({"text": text}));
    assert_eq!(answer.status, 502, "{}", answer.text());
    assert_eq!(answer.header("x-lookup-cost"), "0");
    let local = json!({"text": text, "local_only": true});
    let answer = server.app.post("/api/v1/reverse", &local);
    let shown = answer.json();
    for candidate in list(&shown) {
        assert!(candidate["score"].as_f64().unwrap() > 0.0, "{shown}");
    }
    assert_eq!(answer.header("sources-tried"), "local=not_found");
    let body = server.post("/api/v1/verify", &local).json();
    assert_eq!(body["verdict"], "not_found", "{body}");
    assert_eq!(body["sources_tried"][0]["outcome"], "not_found", "{body}");
}

/// A work of the starter corpus that has no DOI.
const WITHOUT_DOI: &str =
    "Thompson, E. P. (1966). The making of the English working class. Vintage Books.";

/// A doi.org that knows two DOIs, one of which no agency has metadata for.
fn registry() -> StandIn {
    StandIn::start(|request: &Request| match request.path().as_str() {
        "/api/handles/10.5555/silent" => Reply::json(r#"{"responseCode":1,"values":[]}"#),
        "/api/handles/10.5555/down" => Reply::status(500),
        path if path.starts_with("/api/handles/") => Reply::whole(
            404,
            "application/json",
            r#"{"responseCode":100,"handle":"10.5555/none"}"#,
        ),
        _ => Reply::status(404),
    })
}

#[test]
fn registry_is_asked_for_a_doi_that_no_source_has() {
    let doi = registry();
    let server = Server::start_with(|config| {
        config.providers.doi.enabled = true;
        config.providers.doi.base_url = doi.url().parse().unwrap();
        config.providers.doi.retries = 0;
        config.lookup.doi_order = vec![ProviderName::Doi];
    });
    let identifier = |doi: &str, local_only: bool| {
        let text = format!("{WITHOUT_DOI} https://doi.org/{doi}");
        let body = json!({"text": text, "local_only": local_only});
        let body = server.post("/api/v1/verify", &body).json();
        let of_identifier = |rows: &Value| {
            list(rows)
                .iter()
                .find(|row| row["field"] == "identifier")
                .cloned()
        };
        let difference = of_identifier(&body["diffs"]).expect("a difference");
        let field = of_identifier(&body["fields"]).expect("a field");
        let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
        [
            text(&body["verdict"]),
            text(&difference["severity"]),
            text(&difference["reason"]),
            text(&field["status"]),
            text(&field["source"]),
        ]
        .join(" ")
    };
    let denied = "mismatch critical not_registered differs doi";
    assert_eq!(identifier("10.5555/nobody", false), denied);
    let asked = doi.requests().len();
    assert_eq!(identifier("10.5555/nobody", false), denied);
    assert_eq!(doi.requests().len(), asked, "the answer is remembered");
    let unchecked = "verified info unchecked unchecked none";
    assert_eq!(identifier("10.5555/nowhere", true), unchecked);
    assert_eq!(identifier("10.5555/silent", false), unchecked);
    assert_eq!(identifier("10.5555/down", false), unchecked);
    let body =
        json!({"text": "Nobody N. Invention of this test alone. Nature 2001. doi:10.5555/nobody"});
    let body = server.post("/api/v1/verify", &body).json();
    assert_eq!(body["verdict"], "not_found", "{body}");
    assert_eq!(body["diffs"][0]["reason"], "not_registered", "{body}");
}

#[test]
fn doi_is_asked_for_even_if_the_work_is_known() {
    let crossref = StandIn::start(|request: &Request| match request.path().as_str() {
        "/works/10.5555/work" => Reply::json(format!(r#"{{"status":"ok","message":{MARSHES}}}"#)),
        _ => Reply::status(404),
    });
    let server = Server::start_with(|config| use_crossref(config, &crossref));
    let text = format!("{WITHOUT_DOI} https://doi.org/10.5555/work");
    let body = server.post("/api/v1/verify", &json!({"text": text})).json();
    assert_eq!(body["verdict"], "mismatch", "{body}");
    assert_eq!(body["diffs"][0]["reason"], "other_work", "{body}");
}

#[test]
fn reference_that_one_of_two_sources_has_is_not_wrong() {
    let record = |volume: &str| MARSHES.replace(r#""volume":"7""#, volume);
    let crossref = {
        let record = record(r#""volume":"8""#);
        StandIn::start(move |_: &Request| {
            Reply::json(format!(
                r#"{{"status":"ok","message":{{"items":[{record}]}}}}"#
            ))
        })
    };
    let datacite = StandIn::start(|_: &Request| {
        Reply::json(
            r#"{"data":[{"id":"10.5555/work","attributes":{"doi":"10.5555/work",
            "titles":[{"title":"Unheard-of quadrupeds of the lower marshes"}],
            "creators":[{"name":"Berg, Ada","familyName":"Berg","givenName":"Ada"}],
            "container":{"type":"Journal","title":"Journal of Examples","volume":"7","firstPage":"1","lastPage":"9"},
            "publicationYear":2020,"types":{"resourceTypeGeneral":"JournalArticle"}}}]}"#,
        )
    });
    let server = Server::start_with(|config| {
        use_crossref(config, &crossref);
        config.providers.datacite.enabled = true;
        config.providers.datacite.base_url = datacite.url().parse().unwrap();
        config.lookup.reverse_order = vec![ProviderName::Crossref, ProviderName::DataCite];
        config.lookup.sufficient_score = 1.0;
    });
    let body = server
        .post("/api/v1/verify", &json!({"text": MARSHES_CITED}))
        .json();
    assert_eq!(body["verdict"], "verified", "{body}");
    assert_eq!(body["diffs"][0]["reason"], "sources_disagree", "{body}");
    let volume = list(&body["fields"])
        .iter()
        .find(|row| row["field"] == "volume");
    let expected = json!({"field": "volume", "status": "agrees", "source": "datacite", "values": [
        {"source": "crossref", "value": "8"}, {"source": "datacite", "value": "7"}]});
    assert_eq!(volume, Some(&expected), "{body}");
}
