//! Common behaviour of all routes: errors, methods, bodies, CORS, compression, conditional requests.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use citation_model::plan::Plan;
use serde_json::json;

use crate::support::TestApp;
use crate::support::program::serve_after;
use crate::support::waiting::wait_until;

#[test]
fn unknown_paths_and_methods_have_distinct_errors() {
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
fn switch_rejects_other_values() {
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
fn unreadable_body_is_rejected_with_position() {
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
fn oversized_body_is_rejected_with_or_without_length() {
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
fn errors_have_the_request_id_and_honour_problem_json() {
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

/// What scripts may read of every reply is the Fetch standard's; the rest is named in one header.
#[test]
fn cross_origin_scripts_can_read_the_headers_of_a_reply() {
    const READABLE: [&str; 9] = [
        "access-control-allow-origin",
        "access-control-expose-headers",
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "date",
        "vary",
        "x-content-type-options",
    ];
    let app = TestApp::start();
    let headers = [
        ("content-type", "application/json"),
        ("origin", "https://other.example"),
    ];
    let answer = app.send(
        "POST",
        "/api/v1/reverse",
        &headers,
        Some(br#"{"text": "zqxv jjkw"}"#),
    );
    assert_eq!(answer.header("sources-tried"), "local=not_found");
    let exposed = answer
        .header("access-control-expose-headers")
        .to_ascii_lowercase();
    let exposed: Vec<&str> = exposed.split(", ").collect();
    for name in answer.headers.keys() {
        let name = name.as_str();
        assert!(
            READABLE.contains(&name) || exposed.contains(&name),
            "{name}"
        );
    }
}

#[test]
fn cross_origin_reads_have_no_credentials() {
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
fn replies_are_compressed_only_on_request() {
    let app = TestApp::start();
    let plain = app.get_with("/api/openapi.json", &[("accept-encoding", "identity")]);
    assert_eq!(plain.header("content-encoding"), "");
    let packed = app.get_with("/api/openapi.json", &[("accept-encoding", "br")]);
    assert_eq!(packed.header("content-encoding"), "br");
    assert!(packed.body.len() * 4 < plain.body.len());
}

#[test]
fn unchanged_replies_are_not_resent() {
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
fn lost_index_degrades_the_service_until_it_is_rebuilt() {
    let app = TestApp::start();
    let has_status = |status| app.get("/api/health").json()["status"] == status;
    wait_until(|| has_status("ok"));
    // A file in place of the folder keeps the indexer from rebuilding until this test has looked.
    let index = app.app.store.directory().join("index");
    wait_until(|| {
        let _ = std::fs::remove_dir_all(&index);
        std::fs::write(&index, b"").is_ok()
    });
    wait_until(|| has_status("degraded"));
    let health = app.get("/api/health");
    assert_eq!(health.status, 200);
    let body = health.json();
    assert_eq!(body["database"]["status"], "ok");
    let problem = body["problems"][0].as_str().unwrap();
    assert!(problem.contains("search index"), "{body}");
    let status_page = app.get("/status").text();
    assert!(status_page.contains("The search index is being built"));
    let lookup = app.post("/api/v1/lookup/doi", &json!({"doi": "10.1038/171737a0"}));
    assert_eq!(lookup.status, 200);
    std::fs::remove_file(&index).unwrap();
    wait_until(|| has_status("ok"));
    let stats = app.app.corpus.stats().unwrap();
    assert_eq!(stats.indexed, stats.works);
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
fn document_describes_every_route_of_the_interface() {
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
fn slow_or_broken_client_does_not_block_the_server() {
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
fn deeply_nested_json_is_rejected() {
    let app = TestApp::start();
    let deep = format!("{{\"doi\":{}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    let answer = app.send("POST", "/api/v1/lookup/doi", &[], Some(deep.as_bytes()));
    answer.expect_error(400, "invalid_json");
    let answer = app.post("/api/v1/lookup/doi", &json!({"doi": ["10.1000/x"]}));
    answer.expect_error(422, "validation_failed");
}

#[test]
fn silent_client_is_disconnected() {
    let app = TestApp::start_with(|config| {
        config.server.header_timeout_ms = 200;
        config.server.keep_alive_ms = 400;
    });
    let idle_http2 = [PREFACE, &frame(SETTINGS, 0, 0, &[])].concat();
    let beginnings: [&[u8]; 5] = [
        b"",
        b"PRI * HTTP/2.0\r\n",
        &idle_http2,
        b"GET /healthz HTTP/1.1\r\nhost: x\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
    ];
    for sent in beginnings {
        read_to_end(&mut begin(&app, sent));
    }
}

#[test]
fn silent_connections_yield_to_a_request() {
    let app = TestApp::start_with(|config| {
        config.server.max_connections = 8;
        config.server.header_timeout_ms = 3_600_000;
    });
    let _silent = [(); 8].map(|()| begin(&app, b"PRI * HTTP/2.0\r\n"));
    for _ in 0..20 {
        assert_eq!(app.get("/healthz").status, 200);
    }
}

#[test]
fn address_with_too_many_connections_loses_the_oldest() {
    let app = TestApp::start_with(|config| {
        config.server.max_connections_per_address = 4;
        config.server.header_timeout_ms = 3_600_000;
    });
    let mut silent = [(); 4].map(|()| begin(&app, b""));
    assert_eq!(app.get("/healthz").status, 200);
    read_to_end(&mut silent[0]);
}

#[test]
fn non_reading_client_is_disconnected() {
    let app = TestApp::start_with(|config| config.server.write_timeout_ms = 200);
    let mut stream = begin(&app, b"");
    let request = b"GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(100);
    let refused = loop {
        if let Err(cause) = stream.write_all(&request) {
            break cause.kind();
        }
    };
    let closed = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
    assert!(closed.contains(&refused), "{refused}");
}

#[test]
fn http2_client_without_window_is_disconnected() {
    let app = TestApp::start_with(|config| config.server.write_timeout_ms = 200);
    let answer = read_to_end(&mut begin(&app, &unread_http2_request()));
    assert!(!answer.is_empty());
}

#[test]
fn unread_replies_yield_to_other_clients() {
    let app = TestApp::start_with(|config| {
        config.limits.answers_in_flight_bytes = 65_536;
        config.server.write_timeout_ms = 3_600_000;
    });
    let mut unread = begin(&app, &unread_http2_request());
    // The headers are there, so the answer is.
    let mut first = [0; 9];
    while first[3] != HEADERS {
        unread.read_exact(&mut first).unwrap();
        let length = u32::from_be_bytes([0, first[0], first[1], first[2]]);
        let mut payload = vec![0; length as usize];
        unread.read_exact(&mut payload).unwrap();
    }
    let large = || app.get_with("/api/openapi.json", &[("accept-encoding", "identity")]);
    let refused = large();
    refused.expect_error(503, "service_unavailable");
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(app.get("/healthz").status, 200);
    assert!((0..1_000).any(|_| large().status == 200));
    read_to_end(&mut unread);
}

/// The head of a request with 100,000 bytes of a body, of which one is sent.
fn held_back(path: &str, headers: &str) -> Vec<u8> {
    format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n{headers}\r\n{{")
        .into_bytes()
}

/// What stands first in the answer, as soon as it is there.
fn status_of(stream: &mut TcpStream) -> String {
    let mut line = [0; 12];
    stream.read_exact(&mut line).unwrap();
    String::from_utf8_lossy(&line).into_owned()
}

#[test]
fn rejection_does_not_wait_for_the_body() {
    let app = TestApp::start_with(|config| {
        config.limits.credential_per_minute = 1;
        config.quota.anonymous_daily = 1;
    });
    let refused =
        |path: &str, headers: &str| status_of(&mut begin(&app, &held_back(path, headers)));
    let free = format!("authorization: Bearer {}\r\n", app.key(Plan::Free));
    let batch = "/api/v1/verify/batch";
    assert_eq!(refused(batch, ""), "HTTP/1.1 401");
    assert_eq!(refused(batch, "x-api-key: ck_none\r\n"), "HTTP/1.1 401");
    assert_eq!(refused(batch, &free), "HTTP/1.1 403");
    assert_eq!(refused(batch, &free), "HTTP/1.1 429");
    assert_eq!(refused("/account/keys", ""), "HTTP/1.1 303");
    let doi = json!({"doi": "10.1038/171737a0"});
    assert_eq!(app.post("/api/v1/lookup/doi", &doi).status, 200);
    assert_eq!(refused("/api/v1/lookup/doi", ""), "HTTP/1.1 429");
}

#[test]
fn rejected_client_may_finish_its_body() {
    let app = TestApp::start();
    let body = vec![b' '; 8 << 20];
    let answer = app.send("POST", "/api/v1/verify/batch", &[], Some(&body));
    answer.expect_error(401, "authentication_required");
    // Connections go on after it.
    let sent = [
        held_back("/api/v1/verify/batch", ""),
        vec![b' '; 99_999],
        b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_vec(),
    ];
    let answers = raw(&app, &sent.concat());
    assert!(answers.starts_with("HTTP/1.1 401"), "{answers}");
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 1, "{answers}");
}

#[test]
fn anonymous_bodies_are_smaller() {
    let app = TestApp::start_with(|config| config.limits.anonymous_body_bytes = 5_000);
    let key = app.key(Plan::Free);
    let import = |headers: &[(&str, &str)]| {
        let file = format!("@book{{a, title={{{}}}}}", "a".repeat(6_000));
        let headers = [headers, &[("content-type", "application/x-bibtex")]].concat();
        app.send("POST", "/api/v1/import", &headers, Some(file.as_bytes()))
    };
    let body = import(&[]).expect_error(413, "payload_too_large");
    assert_eq!(body["limit"], 5_000);
    assert_eq!(import(&[("x-api-key", &key)]).status, 200);
}

#[test]
fn bodies_of_all_requests_share_one_limit() {
    let app = TestApp::start_with(|config| {
        config.limits.bodies_in_flight_bytes = 200_000;
        config.server.body_timeout_ms = 3_600_000;
    });
    let part = [held_back("/api/v1/format", ""), vec![b' '; 80_000]].concat();
    let large = vec![b' '; 80_000];
    // Whichever of the two comes second is refused.
    let mut tries = (0..1_000).map(|_| {
        let held = begin(&app, &part);
        (held, app.send("POST", "/api/v1/format", &[], Some(&large)))
    });
    let (_held, refused) = tries.find(|(_, answer)| answer.status != 400).unwrap();
    refused.expect_error(503, "service_unavailable");
    assert_eq!(refused.header("retry-after"), "1");
    // Small bodies and those of accounts have room.
    let doi = json!({"doi": "10.1038/171737a0"});
    assert_eq!(app.post("/api/v1/lookup/doi", &doi).status, 200);
    let key = app.key(Plan::Free);
    let answer = app.send(
        "POST",
        "/api/v1/format",
        &[("x-api-key", &key)],
        Some(&large),
    );
    answer.expect_error(400, "invalid_json");
}

#[test]
fn compressed_bodies_are_read_within_the_limit() {
    let app = TestApp::start_with(|config| config.limits.anonymous_body_bytes = 100_000);
    let send = |coding: &str, body: &[u8]| {
        let headers = [
            ("content-encoding", coding),
            ("content-type", "application/x-bibtex"),
        ];
        app.send("POST", "/api/v1/import", &headers, Some(body))
    };
    let file = b"@book{a, title={A packed title}}".repeat(3);
    let bomb = vec![b' '; 2_000_000];
    for (name, packed, large) in [
        ("gzip", gzip(&file), gzip(&bomb)),
        ("X-GZip", gzip(&file), gzip(&bomb)),
        ("deflate", deflate(&file), deflate(&bomb)),
        ("br", brotli(&file), brotli(&bomb)),
        ("zstd", zstd(&file), zstd(&bomb)),
    ] {
        let answer = send(name, &packed);
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        assert!(answer.text().contains("A packed title"), "{name}");
        assert!(large.len() < 50_000);
        send(name, &large).expect_error(413, "payload_too_large");
        send(name, b"not packed at all").expect_error(400, "bad_request");
    }
    assert_eq!(send("identity", &file).status, 200);
    for unknown in ["compress", "gzip, gzip", "\u{e9}"] {
        let answer = send(unknown, &file);
        answer.expect_error(415, "unsupported_media_type");
        assert_eq!(answer.header("accept-encoding"), "gzip, deflate, br, zstd");
    }
    let doi = gzip(br#"{"doi": "10.1038/171737a0"}"#);
    let headers = [("content-encoding", "gzip")];
    let answer = app.send("POST", "/api/v1/lookup/doi", &headers, Some(&doi));
    assert_eq!(answer.status, 200, "{}", answer.text());
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

fn brotli(text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut packed, 4096, 1, 20);
    writer.write_all(text).unwrap();
    drop(writer);
    packed
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(text, 1).unwrap()
}

#[test]
fn hostile_headers_are_rejected_or_ignored() {
    let app = TestApp::start();
    let send = |method: &str, headers: &str| {
        let request = format!("{method} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}");
        raw(&app, request.as_bytes())
    };
    let is_refused = |answer: String| assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    is_refused(send(
        "GET /healthz",
        &format!("{}\r\n", "a: b\r\n".repeat(5_000)),
    ));
    is_refused(send(
        "POST /api/v1/format",
        "content-length: 18446744073709551615\r\n\r\n",
    ));
    is_refused(send(
        "POST /api/v1/format",
        "content-length: 99999999999999999999\r\n\r\n",
    ));
    is_refused(send(
        "POST /api/v1/format",
        "content-length: 9223372036854775807\r\nexpect: 100-continue\r\n\r\n",
    ));
    is_refused(send("POST /api/v1/format", "content-length: -1\r\n\r\n"));
    let trailers =
        "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nauthorization: Bearer x\r\n\r\n";
    assert!(send("POST /api/v1/lookup/doi", trailers).starts_with("HTTP/1.1 422"));
    let cookies = format!("cookie: {}\r\n\r\n", "a=b; ".repeat(10_000));
    assert!(send("GET /api/v1/styles", &cookies).starts_with("HTTP/1.1 200"));
}

#[test]
fn only_listed_origins_may_send_a_key() {
    let app = TestApp::start_with(|config| {
        config.server.cors.allowed_origins = vec!["https://editor.example".to_owned()];
    });
    let preflight = |origin| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
        ];
        let answer = app.send("OPTIONS", "/api/v1/lookup/doi", &headers, None);
        answer.header("access-control-allow-headers").to_owned()
    };
    assert!(preflight("https://editor.example").contains("Authorization, X-API-Key"));
    assert!(!preflight("https://other.example").contains("Authorization"));
    assert!(!preflight("https://other.example").contains("X-API-Key"));
    let key = app.key(Plan::Free);
    let granted = |origin| {
        let answer = app.get_with("/api/v1/me", &[("origin", origin), ("x-api-key", &key)]);
        assert!(answer.header("vary").contains("Origin"));
        answer.header("access-control-allow-origin").to_owned()
    };
    assert_eq!(granted("https://editor.example"), "https://editor.example");
    assert_eq!(granted("https://other.example"), "");
    // What the reply depends on besides is still named.
    let headers = [("origin", "https://other.example"), ("accept", "text/html")];
    let answer = app.get_with("/api/docs", &headers);
    assert_eq!(
        answer.header("vary"),
        "Accept, Origin, Accept-Encoding, Authorization, X-API-Key, Zotero-API-Key, Cookie"
    );
}

#[test]
fn every_html_answer_has_a_content_security_policy() {
    let app = TestApp::start();
    let paths = [
        "/api/v1/works/10.1038/171737a0",
        "/api/docs",
        "/",
        "/nothing",
    ];
    for path in paths {
        let answer = app.get_with(path, &[("accept", "text/html")]);
        assert!(answer.header("content-type").starts_with("text/html"));
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert_eq!(answer.header("strict-transport-security"), "");
    }
}

#[test]
fn https_service_sends_strict_transport_security() {
    let app = TestApp::start_with(|config| {
        config.server.base_url = Some("https://cite.example".parse().unwrap());
    });
    for path in ["/", "/api/health", "/nothing"] {
        let answer = app.get(path);
        assert_eq!(
            answer.header("strict-transport-security"),
            "max-age=31536000"
        );
    }
}

#[test]
fn unreadable_forwarded_address_never_falls_back_to_a_forged_one() {
    let app = TestApp::start_with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
        config.limits.anonymous_per_minute = 2;
    });
    let ask = |forged: u8| {
        let request = format!(
            "GET /api/v1/styles HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
             x-forwarded-for: 192.0.2.{forged}\r\nx-forwarded-for: "
        );
        let mut request = request.into_bytes();
        request.extend_from_slice(b"\xff\r\n\r\n");
        raw(&app, &request)
    };
    assert!(ask(1).starts_with("HTTP/1.1 200"));
    assert!(ask(2).starts_with("HTTP/1.1 200"));
    assert!(ask(3).starts_with("HTTP/1.1 429"));
}

/// The beginning of an HTTP/2 connection, and what it is made of (RFC 9113).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
    [&head, payload].concat()
}

/// An HTTP/2 client that asks for a large answer and lets none of it through.
fn unread_http2_request() -> Vec<u8> {
    let no_window = [0, 4, 0, 0, 0, 0];
    let path = b"/api/openapi.json";
    // GET, http, and a path as it stands (RFC 7541, section 6.2.1).
    let headers = [&[0x82, 0x86, 0x44, path.len() as u8], &path[..]].concat();
    [
        PREFACE,
        &frame(SETTINGS, 0, 0, &no_window),
        &frame(HEADERS, 5, 1, &headers),
    ]
    .concat()
}

/// Opens a connection and sends the beginning of something.
fn begin(app: &TestApp, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).unwrap();
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience).unwrap();
    stream.set_write_timeout(patience).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

/// Reads until the server closes the connection, which a test waits for.
#[track_caller]
fn read_to_end(stream: &mut TcpStream) -> Vec<u8> {
    let mut received = Vec::new();
    match stream.read_to_end(&mut received) {
        Err(cause) if cause.kind() != ErrorKind::ConnectionReset => panic!("{cause}"),
        _ => received,
    }
}

/// Sends bytes as they are and reads to the end of the connection.
fn raw(app: &TestApp, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(app.address).unwrap();
    let patience = Some(Duration::from_secs(10));
    stream.set_read_timeout(patience).unwrap();
    // The server may refuse before everything is written.
    let _ = stream.write_all(bytes);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    String::from_utf8_lossy(&reply).into_owned()
}

/// RFC 9112, section 3.2.
#[test]
fn request_without_exactly_one_host_is_rejected() {
    let app = TestApp::start();
    let check = |head: &str, expected: u16| {
        let answer = raw(&app, format!("{head}connection: close\r\n\r\n").as_bytes());
        let status = format!("HTTP/1.1 {expected}");
        let status_of_1_0 = format!("HTTP/1.0 {expected}");
        assert!(
            answer.starts_with(&status) || answer.starts_with(&status_of_1_0),
            "{head}: {answer}"
        );
        if expected == 400 {
            assert_flat_error(&answer, "bad_request");
        }
    };
    check("GET /healthz HTTP/1.1\r\nhost: x\r\n", 200);
    check("GET /healthz HTTP/1.1\r\nhost: x:80\r\n", 200);
    check("GET /healthz HTTP/1.1\r\nhost: [::1]:80\r\n", 200);
    check("GET /healthz HTTP/1.1\r\nhost:\r\n", 200);
    check("GET /healthz HTTP/1.0\r\n", 200);
    check("GET /healthz HTTP/1.1\r\n", 400);
    check("GET /healthz HTTP/1.1\r\nhost: x\r\nhost: x\r\n", 400);
    check("GET /healthz HTTP/1.0\r\nhost: x\r\nhost: y\r\n", 400);
    check("GET /healthz HTTP/1.1\r\nhost: x y\r\n", 400);
    check("GET /healthz HTTP/1.1\r\nhost: x/y\r\n", 400);
    check("GET /healthz HTTP/1.1\r\nhost: u@x\r\n", 400);
}

#[test]
fn malformed_request_gets_the_flat_error_body() {
    let app = TestApp::start();
    let refused = |request: &[u8], status: u16, code: &str| {
        let answer = raw(&app, request);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
        assert_flat_error(&answer, code);
    };
    refused(b"nonsense\r\n\r\n", 400, "bad_request");
    refused(b"GET /\x01 HTTP/1.1\r\nhost: x\r\n\r\n", 400, "bad_request");
    refused(b"GET / HTTP/1.1\r\nhost x\r\n\r\n", 400, "bad_request");
    let many = "x: y\r\n".repeat(200);
    let many = format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n");
    refused(many.as_bytes(), 431, "headers_too_large");
    let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(70_000));
    let answer = raw(&app, long.as_bytes());
    assert!(
        answer.contains("\"error\":") || answer.is_empty(),
        "{answer}"
    );
    // After an answer on the same connection too, which stays as it is.
    let answer = raw(
        &app,
        b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\nnonsense\r\n\r\n",
    );
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let (_, rest) = answer.split_once("ok\n").unwrap();
    assert!(rest.starts_with("HTTP/1.1 400"), "{answer}");
    assert_flat_error(rest, "bad_request");
}

/// The complete answer has our error body, of the length that it states.
fn assert_flat_error(answer: &str, code: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.contains("content-type: application/json"), "{answer}");
    assert!(head.contains("cache-control: no-store"), "{answer}");
    assert!(
        head.contains(&format!("content-length: {}", body.len())),
        "{answer}"
    );
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["error"], code, "{body}");
    let id = body["request_id"].as_str().unwrap();
    assert!(head.contains(&format!("x-request-id: {id}")), "{answer}");
}

#[test]
fn health_tells_the_public_no_details() {
    let app = TestApp::start_with(|config| config.providers.crossref.enabled = true);
    let health = app.get("/api/health").json();
    let provider = health["providers"][0].as_object().unwrap();
    let members: Vec<&str> = provider.keys().map(String::as_str).collect();
    assert_eq!(members, ["circuit", "name"], "{health}");
    let page = app.get("/status").text();
    assert!(
        !page.contains("<th>Requests") && !page.contains("Failures"),
        "{page}"
    );
}

#[test]
fn log_has_the_client_and_no_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "export CITATION_LOG__LEVEL=debug CITATION_SERVER__TRUSTED_PROXIES=127.0.0.1; ";
    let server = serve_after(folder.path(), settings);
    let token = "2hX9aQ0bcdEFGHijklMNop";
    for path in [
        "/s/TOKEN",
        "/s/TOKEN/export.bib",
        "/api/v1/shared/TOKEN",
        "/api/v1/permalinks/TOKEN",
        "/zotero/keys/ck_TOKEN",
        "/elsewhere/TOKEN",
        "/auth/link?token=TOKEN",
    ] {
        let referrer = server.url(&format!("/s/{token}"));
        let _ = ureq::get(server.url(&path.replace("TOKEN", token)))
            .header("x-forwarded-for", "198.51.100.1, 203.0.113.7")
            .header("referer", referrer)
            .call();
    }
    let answered = |log: &str| log.matches("203.0.113.7").count() == 7;
    wait_until(|| answered(&server.log()));
    let log = server.log();
    assert!(!log.contains(token), "{log}");
    assert!(log.contains("/s/…/export.bib"), "{log}");
}
