//! Answers while other work holds its slots: heavy work does not block light work, providers
//! do not block local answers, and callers do not block each other.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};

use citation::blocking::{Blocking, PoolKind};
use citation::config::Config;
use citation::quota::BurstKey;
use citation_model::budget::Budget;
use citation_model::plan::Plan;
use serde_json::json;

use crate::support::http_stand_in::{Reply, Request, StandIn};
use crate::support::waiting::wait_until;
use crate::support::{Answer, TestApp};

/// A work that comes with the program.
const KNOWN: &str = "10.1038/171737a0";

fn look_up(app: &TestApp, doi: &str, headers: &[(&str, &str)]) -> Answer {
    let body = json!({"doi": doi}).to_string();
    app.send("POST", "/api/v1/lookup/doi", headers, Some(body.as_bytes()))
}

fn format(app: &TestApp, headers: &[(&str, &str)]) -> Answer {
    let body = br#"{"entries":[{"title":"A title"}]}"#;
    app.send("POST", "/api/v1/format", headers, Some(body))
}

#[track_caller]
fn expect_full(answer: &Answer) {
    answer.expect_error(503, "service_unavailable");
    assert_ne!(answer.header("retry-after"), "");
}

/// Jobs that hold a pool until this is dropped.
struct Taken {
    blocking: Blocking,
    kind: PoolKind,
    end: Arc<AtomicBool>,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Taken {
    /// Takes all slots of a pool.
    fn slots(app: &TestApp, kind: PoolKind) -> Taken {
        let slots = app.app.blocking.limits(kind).slots;
        Taken::jobs(app, kind, slots)
    }

    /// Takes all slots of a pool, and the whole queue.
    fn all(app: &TestApp, kind: PoolKind) -> Taken {
        let jobs = app.app.blocking.limits(kind).jobs;
        Taken::jobs(app, kind, jobs)
    }

    fn jobs(app: &TestApp, kind: PoolKind, count: usize) -> Taken {
        let blocking = app.app.blocking.clone();
        // A job counts until just after its answer has gone out.
        wait_until(|| blocking.usage(kind) == (0, 0));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let end = Arc::new(AtomicBool::new(false));
        for number in 0..count {
            let (blocking, end) = (blocking.clone(), Arc::clone(&end));
            // Each a caller of its own, so that no share is used up.
            let caller = BurstKey::Session(1_000_000 + number as i64);
            runtime.spawn(async move {
                let work = move |_, answer: tokio::sync::oneshot::Sender<()>| {
                    wait_until(|| end.load(Ordering::SeqCst));
                    let _ = answer.send(());
                };
                blocking.run(kind, caller, Budget::unlimited(), work).await
            });
        }
        let slots = blocking.limits(kind).slots;
        wait_until(|| blocking.usage(kind) == (count, count.min(slots)));
        Taken {
            blocking,
            kind,
            end,
            runtime: Some(runtime),
        }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.end.store(true, Ordering::SeqCst);
        drop(self.runtime.take());
        if !std::thread::panicking() {
            wait_until(|| self.blocking.usage(self.kind) == (0, 0));
        }
    }
}

fn small(config: &mut Config) {
    config.server.heavy_slots = 1;
    config.server.heavy_queue = 7;
    config.server.provider_slots = 2;
    config.server.provider_queue = 6;
}

/// Asks Crossref at the stand-in, with a lot of patience.
fn use_crossref(config: &mut Config, stand_in: &StandIn) {
    config.lookup.budget_ms = 60_000;
    config.providers.crossref.enabled = true;
    config.providers.crossref.base_url = stand_in.url().parse().unwrap();
    config.providers.crossref.timeout_ms = 60_000;
    config.providers.crossref.max_in_flight = 100;
    config.providers.crossref.max_per_second = 0;
    config.providers.crossref.retries = 0;
}

#[test]
fn light_jobs_run_while_other_pools_are_full() {
    let crossref = StandIn::start(|_: &Request| Reply::status(404));
    let app = TestApp::start_with(|config| {
        small(config);
        use_crossref(config, &crossref);
    });
    let key = app.bearer(Plan::Business);
    let heavy = Taken::all(&app, PoolKind::Heavy);
    let providers = Taken::all(&app, PoolKind::Providers);
    for path in [
        "/api/v1/styles",
        "/healthz",
        "/readyz",
        "/api/health",
        "/status",
        "/worker.js",
    ] {
        assert_eq!(app.get(path).status, 200, "{path}");
    }
    assert_eq!(look_up(&app, KNOWN, &[]).status, 200);
    assert_eq!(look_up(&app, KNOWN, &[("authorization", &key)]).status, 200);
    assert_eq!(app.get(&format!("/api/v1/works/{KNOWN}")).status, 200);
    expect_full(&format(&app, &[]));
    expect_full(&look_up(&app, "10.5555/unknown", &[]));
    let formatted = [("accept", "text/x-bibliography")];
    expect_full(&app.get_with(&format!("/api/v1/works/{KNOWN}"), &formatted));
    drop((heavy, providers));
    assert_eq!(format(&app, &[]).status, 200);
    assert_eq!(look_up(&app, "10.5555/unknown", &[]).status, 404);
    // What is known to be missing is known here.
    let _providers = Taken::all(&app, PoolKind::Providers);
    assert_eq!(look_up(&app, "10.5555/unknown", &[]).status, 404);
}

fn check_document(app: &TestApp, key: &str, name: &str, document: &[u8]) -> Answer {
    let path = format!("/api/v1/verify/document?local_only=true&filename={name}");
    app.send("POST", &path, &[("authorization", key)], Some(document))
}

#[test]
fn document_that_waits_for_its_process_holds_no_heavy_slot() {
    let app = TestApp::start_with(small);
    let key = app.bearer(Plan::Business);
    let usage = |kind| app.app.blocking.usage(kind);
    let documents = Taken::slots(&app, PoolKind::Documents);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| check_document(&app, &key, "a.pdf", &crate::pdf::plain()));
        wait_until(|| usage(PoolKind::Documents) == (2, 1) && usage(PoolKind::Heavy) == (1, 0));
        assert_eq!(format(&app, &[]).status, 200);
        drop(documents);
        let answer = waiting.join().unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text());
    });
}

#[test]
fn pdf_is_refused_while_the_pool_for_documents_is_full() {
    let app = TestApp::start_with(small);
    let key = app.bearer(Plan::Business);
    let documents = Taken::all(&app, PoolKind::Documents);
    expect_full(&check_document(&app, &key, "a.pdf", &crate::pdf::plain()));
    // No process reads it.
    let text = b"# Light\n\n## References\n\n1. Doe, J. (2001). On light. J. Light, 12(3), 1-9.\n";
    assert_eq!(check_document(&app, &key, "a.md", text).status, 200);
    drop(documents);
    assert_eq!(
        check_document(&app, &key, "a.pdf", &crate::pdf::plain()).status,
        200
    );
}

#[test]
fn large_body_counts_as_heavy_work() {
    let app = TestApp::start_with(small);
    let key = app.bearer(Plan::Business);
    let add = |title: &str, coding: &[(&str, &str)]| {
        let body = json!({"name": "Read", "entries": [{"metadata": {"title": title}}]}).to_string();
        let mut headers = vec![("authorization", key.as_str())];
        headers.extend(coding);
        app.send(
            "POST",
            "/api/v1/collections",
            &headers,
            Some(body.as_bytes()),
        )
    };
    let long = "a".repeat(9_000);
    let entries = vec![json!({"metadata": {"title": long}}); 8];
    let large = json!({"name": "Read", "entries": entries}).to_string();
    let headers = [("authorization", key.as_str())];
    let add_large = || {
        app.send(
            "POST",
            "/api/v1/collections",
            &headers,
            Some(large.as_bytes()),
        )
    };
    assert_eq!(add_large().status, 201);
    let _heavy = Taken::all(&app, PoolKind::Heavy);
    assert_eq!(add("A title", &[]).status, 201);
    expect_full(&add_large());
    // The size of a compressed body is not known before it is read.
    expect_full(&add("A title", &[("content-encoding", "gzip")]));
}

#[test]
fn health_is_answered_while_every_pool_is_full() {
    let app = TestApp::start_with(|config| {
        small(config);
        config.server.light_slots = 1;
        config.server.light_queue = 1;
    });
    let _light = Taken::all(&app, PoolKind::Light);
    for path in ["/healthz", "/readyz", "/api/health"] {
        assert_eq!(app.get(path).status, 200, "{path}");
    }
    expect_full(&app.get("/api/v1/styles"));
}

#[test]
fn local_work_is_returned_while_light_jobs_wait() {
    let app = TestApp::start_with(|config| {
        small(config);
        config.server.light_slots = 1;
        config.server.light_queue = 1;
    });
    let key = app.bearer(Plan::Business);
    let callers: [&[(&str, &str)]; 2] = [&[], &[("authorization", &key)]];
    let ask = |headers: &[(&str, &str)]| {
        let path = format!("/api/v1/works/{KNOWN}");
        [look_up(&app, KNOWN, headers), app.get_with(&path, headers)].map(|answer| answer.status)
    };
    // The first lookups read from the database what the caller has used.
    let first = callers.map(ask);
    assert_eq!(first, [[200, 200]; 2]);
    let _light = Taken::all(&app, PoolKind::Light);
    assert_eq!(callers.map(ask), [[200, 200]; 2]);
    expect_full(&app.get("/api/v1/styles"));
}

#[test]
fn lookups_waiting_for_providers_hold_no_light_slot() {
    let crossref = StandIn::start(|_: &Request| Reply::Hang);
    let app = TestApp::start_with(|config| {
        small(config);
        use_crossref(config, &crossref);
        config.server.caller_share_percent = 100;
        config.server.light_slots = 1;
    });
    let usage = |kind| app.app.blocking.usage(kind);
    std::thread::scope(|scope| {
        let lookups: Vec<_> = (0..8)
            .map(|n| {
                let app = &app;
                scope.spawn(move || look_up(app, &format!("10.5555/{n}"), &[]).status)
            })
            .collect();
        wait_until(|| usage(PoolKind::Providers) == (8, 2) && crossref.requests().len() == 2);
        assert_eq!(app.get("/api/v1/styles").status, 200);
        assert_eq!(look_up(&app, KNOWN, &[]).status, 200);
        expect_full(&look_up(&app, "10.5555/another", &[]));
        // Ends what hangs.
        drop(crossref);
        for lookup in lookups {
            assert!(lookup.join().unwrap() >= 500);
        }
    });
    wait_until(|| usage(PoolKind::Providers) == (0, 0) && usage(PoolKind::Light) == (0, 0));
}

#[test]
fn lookups_of_one_work_hold_one_provider_slot() {
    let both = Arc::new(Barrier::new(2));
    let gate = Arc::clone(&both);
    let crossref = StandIn::start(move |_: &Request| {
        gate.wait();
        Reply::status(404)
    });
    let app = TestApp::start_with(|config| {
        small(config);
        use_crossref(config, &crossref);
        config.server.caller_share_percent = 100;
    });
    std::thread::scope(|scope| {
        let lookups: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| look_up(&app, "10.5555/same", &[]).status))
            .collect();
        wait_until(|| app.app.blocking.usage(PoolKind::Providers) == (4, 1));
        both.wait();
        for lookup in lookups {
            assert_eq!(lookup.join().unwrap(), 404);
        }
    });
    assert_eq!(crossref.requests().len(), 1);
}

#[test]
fn caller_gets_at_most_its_share() {
    let app = TestApp::start_with(|config| {
        small(config);
        config.server.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    });
    let from = |address| [("x-forwarded-for", address)];
    let jobs = || app.app.blocking.usage(PoolKind::Heavy).0;
    let taken = Taken::slots(&app, PoolKind::Heavy);
    std::thread::scope(|scope| {
        let requests: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| format(&app, &from("203.0.113.1")).status))
            .collect();
        wait_until(|| jobs() == 5);
        expect_full(&format(&app, &from("203.0.113.1")));
        let other = scope.spawn(|| format(&app, &from("203.0.113.2")).status);
        wait_until(|| jobs() == 6);
        drop(taken);
        for request in requests.into_iter().chain([other]) {
            assert_eq!(request.join().unwrap(), 200);
        }
    });
}

/// Starts a stream of verdicts and reads the head of the reply.
fn start_stream(app: &TestApp, key: &str) -> (TcpStream, String) {
    let references: Vec<String> = (0..20)
        .map(|n| format!("Berg A. A study of things number {n}. Journal of Examples 2020;7:{n}."))
        .collect();
    let body = json!({"references": references}).to_string();
    let mut stream = TcpStream::connect(app.address).unwrap();
    write!(
        stream,
        "POST /api/v1/verify/batch HTTP/1.1\r\nhost: x\r\nauthorization: {key}\r\n\
         accept: application/x-ndjson\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    (stream, String::from_utf8_lossy(&head).into_owned())
}

#[test]
fn streams_hold_slots_until_their_clients_leave() {
    let crossref = StandIn::start(|_: &Request| Reply::Hang);
    let app = TestApp::start_with(|config| {
        small(config);
        use_crossref(config, &crossref);
        config.lookup.reverse_order = vec![citation::config::ProviderName::Crossref];
        config.server.heavy_queue = 2;
        config.server.caller_share_percent = 100;
    });
    let key = app.bearer(Plan::Business);
    let usage = |kind| app.app.blocking.usage(kind);
    let streams: Vec<TcpStream> = (0..3)
        .map(|_| {
            let (stream, head) = start_stream(&app, &key);
            assert_eq!(head, "HTTP/1.1 200");
            stream
        })
        .collect();
    // They wait for the provider, and count as jobs that are away.
    wait_until(|| usage(PoolKind::Heavy) == (3, 0) && !crossref.requests().is_empty());
    assert_eq!(start_stream(&app, &key).1, "HTTP/1.1 503");
    let asked = crossref.requests().len();
    drop(streams);
    wait_until(|| usage(PoolKind::Heavy) == (0, 0) && usage(PoolKind::Providers) == (0, 0));
    // Nobody asked further for those who had gone.
    assert!(crossref.requests().len() <= asked + 3);
    assert_eq!(format(&app, &[]).status, 200);
}

#[test]
fn abandoned_lookup_stops_waiting() {
    let crossref = StandIn::start(|_: &Request| Reply::Hang);
    let app = TestApp::start_with(|config| {
        small(config);
        use_crossref(config, &crossref);
    });
    let usage = |kind| app.app.blocking.usage(kind);
    let mut client = TcpStream::connect(app.address).unwrap();
    let body = json!({"doi": "10.5555/unknown"}).to_string();
    write!(
        client,
        "POST /api/v1/lookup/doi HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    wait_until(|| crossref.requests().len() == 1);
    assert_eq!(usage(PoolKind::Providers), (1, 1));
    drop(client);
    wait_until(|| usage(PoolKind::Providers) == (0, 0) && usage(PoolKind::Light) == (0, 0));
}

#[test]
fn sign_in_is_heavy_work() {
    let app = TestApp::start_with(small);
    let _heavy = Taken::all(&app, PoolKind::Heavy);
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let body: &[u8] = b"email=ada%40example.org&password=something";
    let answer = app.send("POST", "/auth/login", &headers, Some(body));
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert_eq!(app.get("/auth/login").status, 200);
}
