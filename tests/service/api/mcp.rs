//! The Model Context Protocol: messages, revisions, origins, costs and errors of tools.
//! `tests/clients` uses a real client.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::support::program;
use crate::support::{Answer, TestApp, list};

const STATELESS: &str = "2026-07-28";

fn call(name: &str, arguments: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    })
}

fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

/// A request that says in itself which revision it keeps to.
fn stateless(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request(method, params)
}

fn post(app: &TestApp, headers: &[(&str, &str)], message: &Value) -> Answer {
    let mut all = vec![("content-type", "application/json")];
    all.extend_from_slice(headers);
    app.send("POST", "/mcp", &all, Some(message.to_string().as_bytes()))
}

/// What a tool gives back to somebody without an account, whether it failed or not.
fn content(app: &TestApp, name: &str, arguments: Value) -> Value {
    let answer = post(app, &[], &call(name, arguments));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let result = answer.json()["result"].clone();
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    fits_its_schema(app, name, &text);
    text
}

/// Checks what a tool gave back against the schema that the list of tools has for it.
fn fits_its_schema(app: &TestApp, name: &str, given: &Value) {
    let tools = post(app, &[], &request("tools/list", json!({}))).json();
    let tools = list(&tools["result"]["tools"]).to_vec();
    let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
    assert_eq!(tool["outputSchema"]["type"], "object");
    fits(&tool["outputSchema"], given, name);
}

/// The part of JSON Schema that the tools use. Members that no schema names are a gap in it.
fn fits(schema: &Value, given: &Value, place: &str) {
    let kind = match given {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is = |wanted: &Value| wanted == kind || wanted == "number" && kind == "integer";
    let fits_type = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(is),
        Value::Null => true,
        wanted => is(wanted),
    };
    assert!(fits_type, "{place}: {schema} {given}");
    if let Some(choices) = schema["enum"].as_array() {
        assert!(choices.contains(given), "{place}: {given}");
    }
    let has_all = |schema: &Value| {
        let required = schema["required"].as_array().into_iter().flatten();
        let mut required = required.map(|name| name.as_str().unwrap());
        required.all(|name| given.get(name).is_some())
    };
    assert!(has_all(schema), "{place}: {given}");
    if let Some(choices) = schema["anyOf"].as_array() {
        assert!(choices.iter().any(has_all), "{place}: {given}");
    }
    for item in given.as_array().into_iter().flatten() {
        fits(&schema["items"], item, place);
    }
    let is_failure = given.get("error").is_some();
    if let (Some(members), Some(known)) = (given.as_object(), schema["properties"].as_object()) {
        for (name, value) in members {
            let place = format!("{place}/{name}");
            match known.get(name) {
                Some(schema) => fits(schema, value, &place),
                None => assert!(is_failure, "{place} is in no schema"),
            }
        }
    }
}

#[test]
fn handshake_selects_common_revision() {
    let app = TestApp::start();
    let check = |asked: &str, expected: &str| {
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {}});
        let answer = post(&app, &[], &request("initialize", params)).json();
        assert_eq!(answer["id"], 7);
        assert_eq!(answer["result"]["protocolVersion"], expected, "{answer}");
        assert!(answer["result"]["capabilities"]["tools"].is_object());
    };
    check("2025-03-26", "2025-03-26");
    check("2025-06-18", "2025-06-18");
    check("2025-11-25", "2025-11-25");
    check("2024-11-05", "2025-11-25");
    check(STATELESS, "2025-11-25");
}

#[test]
fn messages_follow_json_rpc() {
    let app = TestApp::start();
    let check = |message: Value, status: u16, code: i32| {
        let answer = post(&app, &[], &message);
        assert_eq!(answer.status, status, "{message}");
        assert_eq!(answer.json()["error"]["code"], code, "{message}");
    };
    check(
        json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
        400,
        -32600,
    );
    check(json!({"id": 1, "method": "ping"}), 400, -32600);
    check(json!({"jsonrpc": "2.0", "id": 1, "method": 5}), 400, -32600);
    check(
        json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}),
        400,
        -32600,
    );
    check(json!("ping"), 400, -32600);
    check(request("prompts/list", json!({})), 200, -32601);
    check(request("tools/call", json!({})), 200, -32602);
    check(call("nothing", json!({})), 200, -32602);
    check(
        request(
            "resources/read",
            json!({"uri": "citation://styles/no-such"}),
        ),
        200,
        -32602,
    );
    check(
        request("resources/read", json!({"uri": "file:///etc/passwd"})),
        200,
        -32602,
    );
    let broken = app.send("POST", "/mcp", &[], Some(b"{"));
    assert_eq!(
        (broken.status, &broken.json()["error"]["code"]),
        (400, &json!(-32700))
    );
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = post(&app, &[], &notification);
    assert_eq!((answer.status, answer.body.len()), (202, 0));
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    assert_eq!(post(&app, &[], &response).status, 202);
    let refused = app.get("/mcp");
    assert_eq!(
        (refused.status, refused.header("allow")),
        (405, "POST, OPTIONS")
    );
    assert_eq!(
        post(&app, &[("accept", "text/event-stream")], &notification).status,
        406
    );
    let both = ("accept", "application/json, text/event-stream");
    assert_eq!(
        post(&app, &[both], &request("ping", json!({}))).json()["result"],
        json!({})
    );
}

#[test]
fn batches_belong_to_one_revision() {
    let app = TestApp::start();
    let ping = request("ping", json!({}));
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let batch = json!([ping, notification, request("nothing", json!({}))]);
    for headers in [&[][..], &[("mcp-protocol-version", "2025-03-26")]] {
        let answers = post(&app, headers, &batch).json();
        assert_eq!(list(&answers).len(), 2, "{answers}");
        assert_eq!(answers[1]["error"]["code"], -32601);
    }
    assert_eq!(post(&app, &[], &json!([notification])).status, 202);
    let header = ("mcp-protocol-version", "2025-06-18");
    assert_eq!(post(&app, &[header], &batch).status, 400);
    assert_eq!(post(&app, &[], &json!([])).status, 400);
    let many = post(&app, &[], &Value::Array(vec![ping; 11]));
    many.expect_error(422, "validation_failed");
}

#[test]
fn requests_of_a_batch_are_counted_one_by_one() {
    let app = TestApp::start_with(|config| config.limits.anonymous_per_minute = 3);
    let answers = post(
        &app,
        &[],
        &Value::Array(vec![request("ping", json!({})); 5]),
    )
    .json();
    let refused = |at: usize| answers[at]["error"]["data"]["error"] == "rate_limited";
    assert!(!refused(2) && refused(3) && refused(4), "{answers}");
}

/// Each answered request of a batch counts as a call; those that fail do not.
#[test]
fn batch_counts_a_call_for_each_request() {
    let app = TestApp::start();
    let key = app.bearer(Plan::Academic);
    let text = json!({"text": "No citation.", "style": "apa"});
    let batch = json!([
        call("cite", text.clone()),
        call("cite", text.clone()),
        request("nothing", json!({})),
        call("cite", text),
    ]);
    post(&app, &[("authorization", &key)], &batch).json();
    let me = app.get_with("/api/v1/me", &[("authorization", &key)]);
    assert_eq!(me.json()["monthly"]["used"], 3);
}

#[test]
fn switch_disables_the_route() {
    let app = TestApp::start_with(|config| config.compat.mcp = false);
    let answer = post(&app, &[], &request("ping", json!({})));
    answer.expect_error(404, "not_found");
}

#[test]
fn headers_and_bodies_name_one_revision() {
    let app = TestApp::start();
    let version = ("mcp-protocol-version", STATELESS);
    let list = [version, ("mcp-method", "tools/list")];
    let found = post(&app, &list, &stateless("tools/list", json!({}))).json();
    assert_eq!(found["result"]["resultType"], "complete");
    assert_eq!(found["result"]["cacheScope"], "public");
    let check = |headers: &[(&str, &str)], message: Value, status: u16, code: i32| {
        let answer = post(&app, headers, &message);
        let found = (answer.status, answer.json()["error"]["code"].clone());
        assert_eq!(found, (status, json!(code)), "{message}");
    };
    check(
        &[("mcp-protocol-version", "1900-01-01")],
        request("ping", json!({})),
        400,
        -32022,
    );
    check(&[version], request("tools/list", json!({})), 400, -32602);
    check(&[version], stateless("tools/list", json!({})), 400, -32020);
    check(&list[1..], stateless("tools/list", json!({})), 400, -32020);
    check(
        &[version, ("mcp-method", "ping")],
        stateless("ping", json!({})),
        404,
        -32601,
    );
    let style = json!({"uri": "citation://styles/apa"});
    let named = |name| {
        [
            version,
            ("mcp-method", "resources/read"),
            ("mcp-name", name),
        ]
    };
    check(
        &named("citation://styles/mla"),
        stateless("resources/read", style.clone()),
        400,
        -32020,
    );
    for name in [
        "citation://styles/apa",
        "=?base64?Y2l0YXRpb246Ly9zdHlsZXMvYXBh?=",
    ] {
        let read = post(
            &app,
            &named(name),
            &stateless("resources/read", style.clone()),
        );
        assert_eq!(read.json()["result"]["cacheScope"], "private");
    }
}

#[test]
fn requests_of_other_origins_are_rejected() {
    let app = TestApp::start_with(|config| {
        config.server.cors.allowed_origins = vec!["https://listed.example".to_owned()];
    });
    let ping = request("ping", json!({}));
    let check = |origin: &str, host: Option<&str>, status: u16| {
        let mut headers = vec![("origin", origin)];
        headers.extend(host.map(|host| ("host", host)));
        assert_eq!(post(&app, &headers, &ping).status, status, "{origin}");
    };
    check(&app.url(""), None, 200);
    check("https://listed.example", None, 200);
    check("https://evil.example", None, 403);
    check("null", None, 403);
    // A name that was pointed at this machine.
    check("http://evil.example:8080", Some("evil.example:8080"), 403);
    check("http://localhost:8080", Some("localhost:8080"), 200);
}

#[test]
fn tools_cost_the_same_as_routes() {
    let app = TestApp::start_with(|config| config.quota.anonymous_daily = 2);
    let lookup = || {
        post(
            &app,
            &[],
            &call("lookup", json!({"query": "10.1038/171737a0"})),
        )
    };
    let first = lookup();
    assert_eq!(first.header("x-lookup-cost"), "1");
    assert_eq!(first.header("x-ratelimit-remaining"), "1");
    let list = post(&app, &[], &request("tools/list", json!({})));
    assert_eq!(list.header("x-lookup-cost"), "0");
    lookup();
    let refused = lookup().json()["result"].clone();
    assert_eq!(refused["isError"], true);
    assert_eq!(refused["structuredContent"]["error"], "quota_exhausted");
}

#[test]
fn tools_require_the_plans_of_routes() {
    let app = TestApp::start();
    let reference = "Watson 1953 Molecular structure";
    let one = json!({"references": [reference], "local_only": true});
    let verify = json!({"references": [reference, reference], "local_only": true});
    let check = |key: Option<&str>, name: &str, arguments: &Value, expected: Option<&str>| {
        let headers: Vec<_> = key.map(|key| ("x-api-key", key)).into_iter().collect();
        let answer = post(&app, &headers, &call(name, arguments.clone()));
        if let (None, Some(expected)) = (key, expected) {
            // The client can sign in.
            answer.expect_error(401, expected);
            return;
        }
        let result = answer.json()["result"].clone();
        assert_eq!(
            result["structuredContent"]["error"].as_str(),
            expected,
            "{result}"
        );
    };
    let (free, paid) = (app.key(Plan::Free), app.key(Plan::Business));
    check(None, "verify", &one, None);
    check(None, "verify", &verify, Some("authentication_required"));
    check(Some(&free), "verify", &verify, Some("plan_required"));
    check(Some(&paid), "verify", &verify, None);
    check(
        None,
        "list_collections",
        &json!({}),
        Some("authentication_required"),
    );
    check(Some(&free), "list_collections", &json!({}), None);
    let made = post(
        &app,
        &[("x-api-key", &free)],
        &call("create_collection", json!({"name": "A"})),
    );
    let id = made.json()["result"]["structuredContent"]["id"].clone();
    check(Some(&free), "read_collection", &json!({"id": id}), None);
    check(
        Some(&paid),
        "read_collection",
        &json!({"id": id}),
        Some("not_found"),
    );
    let bad = post(
        &app,
        &[("x-api-key", "ck_wrong")],
        &request("tools/list", json!({})),
    );
    bad.expect_error(401, "invalid_api_key");
    assert!(bad.header("www-authenticate").starts_with("Bearer "));
    // Clients that are refused look here for a way to sign in.
    let metadata = app.get("/.well-known/oauth-protected-resource/mcp");
    assert_eq!(metadata.json()["resource"], app.url("/mcp"));
}

#[test]
fn arguments_fit_their_schemas() {
    let app = TestApp::start();
    let tools = post(&app, &[], &request("tools/list", json!({}))).json();
    for tool in list(&tools["result"]["tools"]) {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["additionalProperties"], false, "{tool}");
        let members = schema["properties"].as_object().unwrap();
        assert!(members.values().all(|m| m["type"].is_string()), "{tool}");
        let name = tool["name"].as_str().unwrap();
        let refused = content(&app, name, json!({"no_such": 1}));
        assert_eq!(refused["field"], "/no_such", "{refused}");
    }
    let check = |name: &str, arguments: Value, field: &str| {
        let refused = content(&app, name, arguments);
        assert_eq!(refused["field"], field, "{refused}");
    };
    check("lookup", json!({}), "/query");
    check("lookup", json!({"query": 5}), "/query");
    check("search", json!({"text": " "}), "/text");
    check("format", json!({}), "");
    check(
        "format",
        json!({"entries": ["no such thing"]}),
        "/entries/0",
    );
    check(
        "format",
        json!({"entries": [{"title": "T"}], "form": "pdf"}),
        "/form",
    );
    check("verify_document", json!({"base64": "%"}), "/base64");
    check("verify_document", json!({"path": "/etc/passwd"}), "/path");
    check(
        "cite",
        json!({"text": "[@a]", "style": "no-such-style"}),
        "/style",
    );
}

#[test]
fn results_fit_their_schemas() {
    let app = TestApp::start();
    let key = app.key(Plan::Business);
    let ask = |name: &str, arguments: Value| {
        let answer = post(&app, &[("x-api-key", &key)], &call(name, arguments));
        let result = answer.json()["result"].clone();
        assert_eq!(result["isError"], false, "{name}: {result}");
        fits_its_schema(&app, name, &result["structuredContent"]);
        result["structuredContent"].clone()
    };
    let doi = "10.1038/171737a0";
    ask("lookup", json!({"query": doi}));
    ask(
        "lookup",
        json!({"query": format!("{doi} 10.5555/nothing"), "local_only": true}),
    );
    ask(
        "search",
        json!({"text": "Watson Crick 1953 Molecular structure", "local_only": true}),
    );
    let references =
        json!(["Watson 1953 Molecular structure of nucleic acids", {"title": "Nothing"}]);
    ask(
        "verify",
        json!({"references": references, "local_only": true}),
    );
    let one = ask(
        "verify",
        json!({"references": ["Watson 1953 Molecular structure of nucleic acids"]}),
    );
    assert_eq!(one["summary"], json!({"verified": 1}));
    assert_eq!(one["lookups_used"], 1);
    let text = "---\nreferences: []\n---\n[@nobody; @doi:10.1038/171737a0]\n";
    let document = json!({"text": text, "filename": "a.md", "local_only": true});
    ask("verify_document", document);
    ask("format", json!({"entries": [doi], "form": "markdown"}));
    ask("cite", json!({"text": "[@nobody]"}));
    let made = ask("create_collection", json!({"name": "A"}));
    let entries = json!([doi, {"title": "T", "entry_type": "Book"}]);
    for _ in 0..2 {
        ask(
            "add_to_collection",
            json!({"collection": made["id"], "entries": entries}),
        );
    }
    ask("read_collection", json!({"id": made["id"]}));
    ask("list_collections", json!({}));
}

#[test]
fn citing_uses_keys_of_the_sent_bibliography() {
    let app = TestApp::start();
    let bibliography = "@book{eco, author={Eco, Umberto}, title={A Book}, year={1980}}";
    let check = |text: &str, syntax: &str, expected: &str| {
        let arguments = json!({
            "text": text, "syntax": syntax, "bibliography": bibliography, "style": "apa",
        });
        let set = content(&app, "cite", arguments);
        assert!(set["text"].as_str().unwrap().contains(expected), "{set}");
        assert_eq!(set["unknown"], json!([]));
    };
    check("A claim [@eco, p. 4].\n", "markdown", "(Eco, 1980, p. 4)");
    check(
        "---\nbibliography: refs.bib\n---\n@eco says so.\n",
        "markdown",
        "Eco (1980) says",
    );
    check("\\cite{eco}\n\\bibliography{refs}\n", "latex", "Eco");
}

#[test]
fn standard_output_contains_only_messages() {
    let data = tempfile::tempdir().unwrap();
    let documents = tempfile::tempdir().unwrap();
    let config = "[providers.crossref]\nenabled = false\n[lookup]\nfetch_pages = false\n";
    std::fs::write(data.path().join("citation.toml"), config).unwrap();
    let lookup = call(
        "lookup",
        json!({"query": "10.1038/171737a0", "local_only": true}),
    );
    let outside = call("verify_document", json!({"path": "../secret.bib"}));
    let input = format!(
        "{}\n\nnonsense\n{}\n{lookup}\n{outside}\n",
        request("initialize", json!({"protocolVersion": "2025-06-18"})),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    );
    let folder = data.path().to_str().unwrap();
    let files = documents.path().to_str().unwrap();
    let arguments = ["--data", folder, "--init", "mcp", "--files", files];
    let output = program::run(data.path(), &arguments, input.as_bytes()).done();
    let lines: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    assert_eq!(lines.len(), 4, "{output}");
    let found = |wanted: &str| output.contains(wanted);
    assert!(found("\"protocolVersion\":\"2025-06-18\""), "{output}");
    assert!(found("\"code\":-32700"), "{output}");
    assert!(found("Molecular structure of nucleic acids"), "{output}");
    assert!(
        found("names no file") || found("is not in the folder"),
        "{output}"
    );
}
