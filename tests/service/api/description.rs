//! The OpenAPI description: sends its examples to their routes.

use citation_model::plan::Plan;
use serde_json::{Map, Value, json};

use crate::support::{TestApp, list};

/// Ids in examples, and what they stand for.
const ENTRIES: [&str; 2] = [
    "00000000-0000-4000-8000-000000000001",
    "00000000-0000-4000-8000-000000000002",
];
const COLLECTIONS: [&str; 2] = [
    "00000000-0000-4000-8000-00000000000a",
    "00000000-0000-4000-8000-00000000000b",
];

/// The example of a schema: its own, or those of its members.
fn example(document: &Value, schema: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(reference.trim_start_matches('#')).unwrap();
        return example(document, schema);
    }
    if !schema["example"].is_null() {
        return schema["example"].clone();
    }
    let mut members = Map::new();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        members.extend(
            example(document, part)
                .as_object()
                .cloned()
                .unwrap_or_default(),
        );
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if !schema["example"].is_null() {
            members.insert(name.clone(), schema["example"].clone());
        }
    }
    members.into()
}

/// Routes on members, groups and versions that this account alone does not have.
const WITHOUT_PEERS: [&str; 4] = ["/undo", "/members/{uid}", "/groups/{uid}", "/transfer"];

#[test]
fn routes_accept_their_examples() {
    let app = TestApp::start_with(|config| {
        config.limits.business_collections = 1_000;
        config.sharing.anonymous = true;
        config.sharing.edit_links = true;
    });
    let key = app.key(Plan::Business);
    let send = |method: &str, path: &str, body: &str| {
        let headers = [
            ("content-type", "application/json"),
            ("x-api-key", key.as_str()),
        ];
        app.send(method, path, &headers, Some(body.as_bytes()))
    };
    let collection = || {
        let entries = json!([
            {"metadata": {"title": "A first work"}, "tags": ["old"]},
            {"title": "Another work"},
        ]);
        let body = json!({"name": "Mine", "entries": entries}).to_string();
        send("POST", "/api/v1/collections", &body).json()
    };
    let document = app.get("/api/openapi.json").json();
    let (mut sent, mut wrong) = (0, Vec::new());
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            // Sessions alone may make keys, and those of operators harvest; messages are those of another protocol, no page is fetched here,
            // and choices are those of a page.
            let others = [
                "/api/v1/api-keys",
                "/api/v1/jobs/harvest",
                "/mcp",
                "/mcp/account",
                "/api/v1/lookup/url",
                "/translate/web",
            ];
            if schema.is_null() || others.contains(&path.as_str()) {
                continue;
            }
            let (one, other) = (collection(), collection());
            let mut body = example(&document, schema);
            if path.ends_with("/metadata") {
                body = json!({"title": "Another title"});
            }
            let mut body = body.to_string();
            let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
            for (sign, entry) in ENTRIES.iter().zip(list(&one["entries"])) {
                body = body.replace(sign, &id(entry));
            }
            for (sign, collection) in COLLECTIONS.iter().zip([&one, &other]) {
                body = body.replace(sign, &id(collection));
            }
            let entry = id(&one["entries"][0]);
            let mut address = path
                .replace("{id}", &id(&one))
                .replace("{eid}", &entry)
                .replace("{tag}", "old");
            if path.starts_with("/api/v1/groups/{id}") {
                let group = send("POST", "/api/v1/groups", r#"{"name": "Lab"}"#).json();
                address = path.replace("{id}", &id(&group));
            }
            if path == "/api/v1/webhooks/{id}" {
                let hook = r#"{"url": "https://example.org/hook", "events": ["job.done"]}"#;
                let made = send("POST", "/api/v1/webhooks", hook).json();
                address = path.replace("{id}", &id(&made));
            }
            if path.starts_with("/api/v1/shared/{token}") {
                let share = format!("/api/v1/collections/{}/share", id(&one));
                let made = send(
                    "POST",
                    &share,
                    r#"{"can_edit": true, "include_notes": true}"#,
                );
                let token = made.json()["share_token"].clone();
                address = address.replace("{token}", token.as_str().unwrap());
            }
            if path.ends_with("/permalinks/{token}") {
                let list = r#"{"name": "Mine", "entries": [{"title": "A work"}]}"#;
                let made = send("POST", "/api/v1/permalinks", list).json();
                address = path.replace("{token}", made["share_token"].as_str().unwrap());
                body = json!({"delete_key": made["delete_key"]}).to_string();
            }
            if path.ends_with("/batch-restore") {
                let delete = address.replace("restore", "delete");
                assert_eq!(send("POST", &delete, &body).status, 200);
            }
            let method = method.to_ascii_uppercase();
            let answer = send(&method, &address, &body);
            sent += 1;
            // What the corpus of the tests lacks.
            let is_missing = answer.status == 404
                && (path == "/api/v1/lookup/isbn"
                    || WITHOUT_PEERS.iter().any(|end| path.ends_with(end)));
            if !(200..300).contains(&answer.status) && !is_missing {
                wrong.push(format!("{method} {path} {body}: {}", answer.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(sent > 25, "{sent}");
}

#[test]
fn every_json_body_has_an_example() {
    let app = TestApp::start();
    let document = app.get("/api/openapi.json").json();
    let mut bare = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let is_ours =
                !schema.is_null() && !path.starts_with("/mcp") && !path.ends_with("/metadata");
            if is_ours && example(&document, schema) == json!({}) {
                bare.push(path);
            }
        }
    }
    assert!(
        bare.is_empty(),
        "no #[schema(example = …)] at a body or its fields: {bare:?}"
    );
}

/// A client that sends `If-None-Match` may get 304, so the description says where.
#[test]
fn unchanged_replies_are_described() {
    let app = TestApp::start();
    let key = app.key(Plan::Business);
    let send = |method: &str, path: &str, body: Option<&str>, more: &[(&str, &str)]| {
        let mut headers = vec![
            ("content-type", "application/json"),
            ("x-api-key", key.as_str()),
        ];
        headers.extend(more);
        app.send(method, path, &headers, body.map(str::as_bytes))
    };
    let list = r#"{"name": "Mine", "entries": [{"title": "A work"}]}"#;
    let collection = send("POST", "/api/v1/collections", Some(list), &[]).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let id = text(&collection["id"]);
    let share = format!("/api/v1/collections/{id}/share");
    let token = text(&send("POST", &share, Some("{}"), &[]).json()["share_token"]);
    let entry = text(&collection["entries"][0]["id"]);
    let document = app.get("/api/openapi.json").json();
    let (mut conditional, mut wrong) = (0, Vec::new());
    for (path, operations) in document["paths"].as_object().unwrap() {
        let operation = &operations["get"];
        // A stream does not end.
        let is_endless = path.starts_with("/mcp") || path.ends_with("/stream");
        if !operation.is_object() || operation["tags"][0] == "compat" || is_endless {
            continue;
        }
        let address = if path.starts_with("/api/v1/styles/") {
            path.replace("{id}", "apa")
        } else {
            path.replace("{id}", &id)
        };
        let address = address
            .replace("{eid}", &entry)
            .replace("{token}", &token)
            .replace("{doi}", "10.1038/171737a0")
            .replace("/feed.{format}", "/feed.atom")
            .replace("{format}", "bib");
        let address = if path.ends_with("/styles/search") {
            format!("{address}?q=apa")
        } else {
            address
        };
        let answer = send("GET", &address, None, &[]);
        let tag = answer.header("etag").to_owned();
        let is_described = operation["responses"]["304"].is_object();
        let is_unchanged = !tag.is_empty() && {
            let known = [("if-none-match", tag.as_str())];
            send("GET", &address, None, &known).status == 304
        };
        conditional += usize::from(is_unchanged);
        if is_described != is_unchanged {
            wrong.push(format!("{path}: {} “{tag}”", answer.status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(conditional > 8, "{conditional}");
}

/// Where the recorded examples of the reference are.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/openapi/examples.json");

/// Operations without an example: those of a session, those that fetch something, other protocols and files.
const WITHOUT_EXAMPLE: [&str; 14] = [
    "/api/v1/collections/{id}/changes/stream",
    "/api/v1/api-keys",
    "/api/v1/api-keys/{id}",
    "/api/v1/operator",
    "/api/v1/lookup/url",
    "/mcp",
    "/mcp/account",
    "/api/v1/lookup/isbn",
    "/api/v1/journals/{issn}",
    "/api/v1/permalinks/{token}",
    "/api/v1/collections/{id}/export.{format}",
    "/api/v1/shared/{token}/export.{format}",
    "/api/v1/verify/overrides",
    "/api/v1/verify/overrides/{id}",
];

/// A value with its ids, times and long parts made short and the same in each run.
fn steady(value: &Value) -> Value {
    const ITEMS: usize = 2;
    const CHARS: usize = 200;
    match value {
        Value::Array(items) => items.iter().take(ITEMS).map(steady).collect(),
        Value::Object(members) => {
            let members = members.iter().take(40);
            let steady = members.map(|(name, value)| (name.clone(), steady(value)));
            Value::Object(steady.collect())
        }
        Value::String(text) => {
            let is_id = text.len() == 36 && text.bytes().filter(|byte| *byte == b'-').count() == 4;
            let is_time = text.len() == 20 && text.ends_with('Z') && text.contains('T');
            if is_id {
                return COLLECTIONS[0].into();
            }
            if is_time {
                return "2026-11-28T12:00:00Z".into();
            }
            match text.char_indices().nth(CHARS) {
                Some((at, _)) => format!("{}…", &text[..at]).into(),
                None => text.clone().into(),
            }
        }
        other => other.clone(),
    }
}

/// The members and types of a value, without what it says.
fn shape(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.first().map(shape).into_iter().collect(),
        Value::Object(members) => {
            let shapes = members
                .iter()
                .map(|(name, value)| (name.clone(), shape(value)));
            Value::Object(shapes.collect())
        }
        Value::String(_) => "text".into(),
        Value::Number(_) => "number".into(),
        Value::Bool(_) => "switch".into(),
        Value::Null => Value::Null,
    }
}

/// Sends the example of each operation and records its answer.
fn recorded() -> Map<String, Value> {
    let app = TestApp::start_with(|config| {
        config.limits.business_collections = 1_000;
        config.sharing.anonymous = true;
    });
    let key = app.key(Plan::Business);
    let send = |method: &str, path: &str, body: Option<&str>| {
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json"),
            ("x-api-key", key.as_str()),
        ];
        app.send(method, path, &headers, body.map(str::as_bytes))
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let document = app.get("/api/openapi.json").json();
    let mut examples = Map::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        if WITHOUT_EXAMPLE.contains(&path.as_str()) {
            continue;
        }
        for (method, operation) in operations.as_object().unwrap() {
            let content = &operation["requestBody"]["content"];
            let schema = &content["application/json"]["schema"];
            if operation["tags"][0] == "compat" || (content.is_object() && schema.is_null()) {
                continue;
            }
            let list = r#"{"name": "Mine", "entries": [{"title": "A first work"}, {"title": "Another work"}]}"#;
            let made = || send("POST", "/api/v1/collections", Some(list)).json();
            let (one, other) = (made(), made());
            let (id, entry) = (text(&one["id"]), text(&one["entries"][0]["id"]));
            let share = format!("/api/v1/collections/{id}/share");
            let token = text(&send("POST", &share, Some("{}")).json()["share_token"]);
            let example = || {
                if path.ends_with("/metadata") {
                    json!({"title": "Another title"})
                } else {
                    example(&document, schema)
                }
            };
            let mut body = (!schema.is_null()).then(|| example().to_string());
            let shown_body = body.clone();
            if let Some(body) = &mut body {
                for (sign, entry) in ENTRIES.iter().zip(list_of(&one["entries"])) {
                    *body = body.replace(sign, &text(&entry["id"]));
                }
                for (sign, collection) in COLLECTIONS.iter().zip([&one, &other]) {
                    *body = body.replace(sign, &text(&collection["id"]));
                }
            }
            let names = [
                ("{id…}", "apa"),
                ("{doi}", "10.1038/171737a0"),
                ("{doi…}", "10.1038/171737a0"),
                ("{format}", "bib"),
                ("{tag}", "old"),
            ];
            let fill = |ids: [&str; 3]| {
                let mut address = path.clone();
                if path.starts_with("/api/v1/styles/") {
                    address = address.replace("{id}", "apa");
                }
                for (sign, value) in names {
                    address = address.replace(sign, value);
                }
                let signs = ["{id}", "{eid}", "{token}"];
                for (sign, value) in signs.iter().zip(ids) {
                    address = address.replace(sign, value);
                }
                let mut query = String::new();
                for parameter in list_of(&operation["parameters"]) {
                    if parameter["in"] == "query" && parameter["required"] == true {
                        let value = match parameter["name"].as_str() {
                            Some("id") => "10.1038/171737a0",
                            _ => "apa",
                        };
                        let separator = if query.is_empty() { '?' } else { '&' };
                        query.push_str(&format!("{separator}{}={value}", text(&parameter["name"])));
                    }
                }
                address + &query
            };
            let answer = send(
                &method.to_ascii_uppercase(),
                &fill([&id, &entry, &token]),
                body.as_deref(),
            );
            if !(200..300).contains(&answer.status) {
                continue;
            }
            let said: Value =
                serde_json::from_str(&answer.text()).unwrap_or_else(|_| answer.text().into());
            let shown = fill([COLLECTIONS[0], ENTRIES[0], "TOKEN"]);
            let body: Value =
                shown_body.map_or(Value::Null, |body| serde_json::from_str(&body).unwrap());
            let is_public = app.get(&fill([&id, &entry, &token])).status == 200 && method == "get";
            examples.insert(
                text(&operation["operationId"]),
                json!({
                    "path": shown, "body": body, "key": !is_public, "status": answer.status,
                    "answer": steady(&said),
                }),
            );
        }
    }
    examples
}

fn list_of(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// The answers that the reference shows have the members and types of those that the service gives.
#[test]
fn recorded_examples_are_true() {
    let now = recorded();
    if std::env::var_os("CITATION_WRITE_EXAMPLES").is_some() {
        let text = serde_json::to_string_pretty(&now).unwrap();
        std::fs::write(EXAMPLES, text + "\n").unwrap();
        return;
    }
    let text = std::fs::read_to_string(EXAMPLES).unwrap();
    let written: Map<String, Value> = serde_json::from_str(&text).unwrap();
    assert!(written.len() > 50, "{}", written.len());
    let ids = |examples: &Map<String, Value>| examples.keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        ids(&written),
        ids(&now),
        "CITATION_WRITE_EXAMPLES=1 writes {EXAMPLES}"
    );
    let wrong: Vec<&String> = { written.iter() }
        .filter(|(id, example)| {
            let now = &now[*id];
            let same = |member: &str| example[member] == now[member];
            !same("status")
                || !same("body")
                || !same("path")
                || shape(&example["answer"]) != shape(&now["answer"])
        })
        .map(|(id, _)| id)
        .collect();
    assert!(
        wrong.is_empty(),
        "CITATION_WRITE_EXAMPLES=1 writes {EXAMPLES}: {wrong:?}"
    );
}

/// The first page of the reference and each subject's page are small, and need nothing from elsewhere.
#[test]
fn reference_is_small_at_first_sight() {
    const MOST: usize = 300_000;
    let app = TestApp::start();
    let page = |path: &str| app.get_with(path, &[("accept", "text/html")]).text();
    let first = page("/api/docs");
    assert!(first.len() < MOST, "{}", first.len());
    assert!(first.contains("href=\"/api/docs/lookup#lookup_doi\""));
    let subject = page("/api/docs/lookup");
    assert!(subject.len() < MOST, "{}", subject.len());
    for part in [
        "curl",
        "data-method=\"POST\"",
        "id=\"schema-CitationMetadata\"",
    ] {
        assert!(subject.contains(part), "{part}");
    }
    assert_eq!(
        app.get_with("/api/docs/none", &[("accept", "text/html")])
            .status,
        404
    );
}
