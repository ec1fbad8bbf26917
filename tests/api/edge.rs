//! What every route shares: errors, methods, bodies, CORS, compression, conditional requests.

use serde_json::json;

use crate::support::TestApp;

#[test]
fn unknown_paths_and_methods_are_told_apart() {
    let app = TestApp::start();
    let body = app.get("/api/v1/nothing").expect_error(404, "not_found");
    assert_eq!(body["resource"], "route");
    let answer = app.get("/api/v1/lookup/doi");
    answer.expect_error(405, "method_not_allowed");
    assert_eq!(answer.header("allow"), "POST, OPTIONS");
    let options = app.send("OPTIONS", "/api/v1/lookup/doi", &[], None);
    assert_eq!(
        (options.status, options.header("allow")),
        (204, "POST, OPTIONS")
    );
    // The row that spells a path out speaks for it, and not the one where it could be an id.
    let options = app.send("OPTIONS", "/api/v1/collections/merge", &[], None);
    assert_eq!(options.header("allow"), "POST, OPTIONS");
}

#[test]
fn a_switch_is_on_or_off_and_nothing_else() {
    let app = TestApp::start();
    for on in ["?preview", "?preview=true", "?preview=1"] {
        let body = app.get(&format!("/api/v1/styles/apa{on}")).json();
        assert!(body["preview"].is_array(), "{on}: {body}");
    }
    let body = app.get("/api/v1/styles/apa?preview=off").json();
    assert!(body.get("preview").is_none_or(|p| p.is_null()), "{body}");
    let body = app
        .get("/api/v1/styles/apa?preview=maybe")
        .expect_error(400, "invalid_parameter");
    assert_eq!(body["parameter"], "preview");
}

#[test]
fn bodies_that_cannot_be_read_say_where() {
    let app = TestApp::start();
    let send = |content_type, body: &[u8]| {
        app.send(
            "POST",
            "/api/v1/lookup/doi",
            &[("content-type", content_type)],
            Some(body),
        )
    };
    let body = send("application/json", b"{\"doi\":\n oops}").expect_error(400, "invalid_json");
    assert_eq!(
        (body["line"].as_u64(), body["column"].as_u64()),
        (Some(2), Some(2))
    );
    send("application/json", b"[1]").expect_error(400, "invalid_json");
    send("application/json", b"").expect_error(400, "invalid_json");
    send("application/json", b"\xff\xfe{").expect_error(400, "invalid_json");
    let body = send("text/csv", b"doi").expect_error(415, "unsupported_media_type");
    assert_eq!(body["supported"][0], "application/json");
    let body = send("application/json", b"{}").expect_error(422, "validation_failed");
    assert_eq!(body["field"], "/doi");
    let body = send("application/json", b"{\"doi\":5}").expect_error(422, "validation_failed");
    assert_eq!(body["field"], "/doi");
}

#[test]
fn a_body_over_the_limit_is_refused_announced_or_not() {
    let app = TestApp::start_with(|config| config.limits.json_body_bytes = 1000);
    let large = vec![b' '; 1001];
    let body = app
        .send("POST", "/api/v1/lookup/doi", &[], Some(&large))
        .expect_error(413, "payload_too_large");
    assert_eq!(
        (body["limit"].as_u64(), body["unit"].as_str()),
        (Some(1000), Some("bytes"))
    );
    let chunked = format!(
        "POST /api/v1/lookup/doi HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n{:x}\r\n{}\r\n0\r\n\r\n",
        large.len(),
        String::from_utf8(large).unwrap(),
    );
    assert!(raw(&app, chunked.as_bytes()).starts_with("HTTP/1.1 413"));
    // Who sends on until everything is sent learns of it too.
    let much = format!(
        "POST /api/v1/lookup/doi HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{}",
        8 << 20,
        " ".repeat(8 << 20)
    );
    assert!(raw(&app, much.as_bytes()).starts_with("HTTP/1.1 413"));
}

#[test]
fn errors_carry_the_clients_request_id_and_its_wish_for_a_problem_document() {
    let app = TestApp::start();
    let headers = [
        ("x-request-id", "my-id.1"),
        ("accept", "application/problem+json"),
    ];
    let answer = app.get_with("/nowhere", &headers);
    let body = answer.expect_error(404, "not_found");
    assert_eq!(body["request_id"], "my-id.1");
    assert_eq!(body["status"], 404);
    assert_eq!(answer.header("content-type"), "application/problem+json");
    let answer = app.get_with("/nowhere", &[("x-request-id", "<script>")]);
    assert_ne!(answer.header("x-request-id"), "<script>");
}

#[test]
fn other_origins_may_read_without_credentials() {
    let app = TestApp::start_with(|config| {
        config.server.cors.allowed_origins = vec!["https://editor.example".to_owned()];
    });
    let answer = app.get_with("/api/health", &[("origin", "https://other.example")]);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert!(
        answer
            .header("access-control-expose-headers")
            .contains("X-RateLimit-Remaining")
    );
    let preflight = app.send(
        "OPTIONS",
        "/api/v1/lookup/doi",
        &[
            ("origin", "https://editor.example"),
            ("access-control-request-method", "POST"),
        ],
        None,
    );
    assert_eq!(preflight.status, 204);
    assert_eq!(
        preflight.header("access-control-allow-origin"),
        "https://editor.example"
    );
    assert!(
        preflight
            .header("access-control-allow-methods")
            .contains("POST")
    );
    assert_eq!(preflight.header("access-control-max-age"), "86400");
    assert_eq!(
        app.get("/api/health").header("access-control-allow-origin"),
        ""
    );
}

#[test]
fn replies_are_compressed_only_for_those_who_ask() {
    let app = TestApp::start();
    let plain = app.get_with("/api/openapi.json", &[("accept-encoding", "identity")]);
    assert_eq!(plain.header("content-encoding"), "");
    let packed = app.get_with("/api/openapi.json", &[("accept-encoding", "br")]);
    assert_eq!(packed.header("content-encoding"), "br");
    assert!(packed.body.len() * 4 < plain.body.len());
}

#[test]
fn what_has_not_changed_is_not_sent_again() {
    let app = TestApp::start();
    let first = app.get("/api/openapi.json");
    let tag = first.header("etag").to_owned();
    let again = app.get_with("/api/openapi.json", &[("if-none-match", &tag)]);
    assert_eq!((again.status, again.body.len()), (304, 0));
    let other = app.get_with("/api/openapi.json", &[("if-none-match", "\"x\"")]);
    assert_eq!(other.status, 200);
}

#[test]
fn head_is_get_without_the_body() {
    let app = TestApp::start();
    let head = app.send(
        "HEAD",
        "/api/openapi.json",
        &[("accept-encoding", "identity")],
        None,
    );
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert!(head.header("content-length").parse::<usize>().unwrap() > 1000);
}

#[test]
fn a_lost_index_leaves_the_service_degraded_until_it_is_made_anew() {
    let app = TestApp::start();
    while app.get("/api/health").json()["status"] != "ok" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let directory = app.app.store.directory().to_owned();
    std::fs::remove_dir_all(directory.join("index")).unwrap();
    let health = app.get("/api/health");
    assert_eq!(health.status, 200);
    let body = health.json();
    assert_eq!(
        (&body["status"], &body["database"]["status"]),
        (&"degraded".into(), &"ok".into())
    );
    assert!(
        body["problems"][0]
            .as_str()
            .unwrap()
            .contains("search index"),
        "{body}"
    );
    assert!(
        app.get("/status")
            .text()
            .contains("The search index is being made")
    );
    let lookup = app.post("/api/v1/lookup/doi", &json!({"doi": "10.1038/171737a0"}));
    assert_eq!(lookup.status, 200);
    while app.get("/api/health").json()["status"] != "ok" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(
        app.app.corpus.stats().unwrap().indexed,
        app.app.corpus.stats().unwrap().works
    );
}

#[test]
fn health_has_every_decided_member() {
    let app = TestApp::start();
    let body = app.get("/api/health").json();
    assert_eq!(body["status"], "ok");
    assert_eq!(body["version"], env!("CARGO_PKG_VERSION"));
    for member in [
        "commit",
        "uptime_seconds",
        "search",
        "search_ready",
        "ingest",
        "managed_counts",
        "total_managed",
        "database",
    ] {
        assert!(!body[member].is_null(), "{member}");
    }
    let records = body["managed_counts"]["corpus_records"].as_u64().unwrap();
    assert!(records >= 150, "{records}");
    let counts = body["managed_counts"].as_object().unwrap();
    let sum: u64 = counts.values().map(|v| v.as_u64().unwrap()).sum();
    assert_eq!(body["total_managed"].as_u64(), Some(sum));
}

#[test]
fn the_document_describes_every_route_of_the_interface() {
    let app = TestApp::start();
    let document = app.get("/api/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    let text = document.to_string();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(
            document["components"]["schemas"][name].is_object(),
            "{name} is not described"
        );
    }
    assert!(document["paths"]["/api/v1/lookup/doi"]["post"]["responses"]["404"].is_object());
    let page = app.get_with("/api/docs", &[("accept", "text/html,*/*;q=0.8")]);
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(page.text().contains("lookup_doi"));
    assert!(
        !page.text().contains("https://"),
        "the page fetches nothing from elsewhere"
    );
    assert_eq!(app.get("/api/docs").json(), document);
}

#[test]
fn a_slow_or_broken_client_does_not_hold_the_server() {
    let app = TestApp::start_with(|config| config.server.header_timeout_ms = 200);
    assert_eq!(raw(&app, b"GET /api/health HTTP/1.1\r\nhos"), "");
    assert!(raw(&app, b"nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
    let long = format!(
        "GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n",
        "a".repeat(200_000)
    );
    let refused = raw(&app, long.as_bytes());
    assert!(
        refused.starts_with("HTTP/1.1 431") || refused.is_empty(),
        "{refused}"
    );
    assert_eq!(app.get("/api/health").status, 200);
}

#[test]
fn json_with_deep_nesting_is_refused_and_not_followed() {
    let app = TestApp::start();
    let deep = format!("{{\"doi\":{}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    let answer = app.send("POST", "/api/v1/lookup/doi", &[], Some(deep.as_bytes()));
    answer.expect_error(400, "invalid_json");
    let answer = app.post("/api/v1/lookup/doi", &json!({"doi": ["10.1000/x"]}));
    answer.expect_error(422, "validation_failed");
}

/// Sends bytes as they are and reads to the end of the connection.
fn raw(app: &TestApp, bytes: &[u8]) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(app.address).unwrap();
    stream
        .set_read_timeout(Some(std::time::Duration::from_secs(10)))
        .unwrap();
    // The server may refuse before everything is written.
    let _ = stream.write_all(bytes);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    String::from_utf8_lossy(&reply).into_owned()
}
