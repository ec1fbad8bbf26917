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

#[test]
fn routes_accept_their_examples() {
    let app = TestApp::start_with(|config| {
        config.limits.business_collections = 1_000;
        config.sharing.anonymous = true;
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
            // Sessions alone may make keys, messages are those of another protocol, no page is fetched here,
            // and choices are those of a page.
            let others = [
                "/api/v1/api-keys",
                "/mcp",
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
            let is_missing = answer.status == 404 && path == "/api/v1/lookup/isbn";
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
            let is_ours = !schema.is_null() && path != "/mcp" && !path.ends_with("/metadata");
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
        if !operation.is_object() || operation["tags"][0] == "compat" || path.starts_with("/mcp") {
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
