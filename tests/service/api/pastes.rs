//! The same paste has the same result at every edge. `pastes.txt` has the pastes and their results;
//! `CITATION_WRITE_PASTES=1` writes the results anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use citation_model::identifier::input::Input;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::pages::{hidden, post_as, session};
use crate::support::program::run;
use crate::support::{TestApp, list, providers_off_but};

/// From this score on a candidate is possible.
const POSSIBLE: f64 = 0.1;

struct Paste {
    text: String,
    /// `work KEY`, `candidates`, `missing`, `mistyped` or `unread`; several joined with ` | `.
    result: String,
}

impl Paste {
    fn parts(&self) -> usize {
        Input::list(&self.text).len()
    }

    fn is_several(&self) -> bool {
        self.parts() > 1
    }
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/service/api/pastes.txt")
}

fn read() -> (String, Vec<Paste>) {
    let text = std::fs::read_to_string(file()).unwrap();
    let (head, lines) = text.split_once('\n').unwrap();
    let pastes = lines.lines().map(|line| {
        let (text, result) = line.split_once('\t').unwrap();
        Paste {
            text: serde_json::from_str(text).unwrap(),
            result: result.to_owned(),
        }
    });
    (head.to_owned(), pastes.collect())
}

/// The pastes whose results differ.
#[track_caller]
fn compare(edge: &str, results: impl Iterator<Item = (String, String, String)>) {
    let mut differences = String::new();
    for (text, found, expected) in results.filter(|(_, found, expected)| found != expected) {
        writeln!(differences, "{text:?}: {found}, not {expected}").unwrap();
    }
    assert!(differences.is_empty(), "{edge}\n{differences}");
}

/// The name of a work: its DOI, else the beginning of its title.
fn work(metadata: &Value) -> String {
    let title = || {
        let title = metadata["title"].as_str().unwrap_or_default();
        title.chars().take(40).collect::<String>()
    };
    let doi = metadata["doi"].as_str().or(metadata["DOI"].as_str());
    let doi = doi.filter(|doi| !doi.is_empty());
    format!("work {}", doi.map_or_else(title, str::to_lowercase))
}

fn offered(candidates: &Value) -> &'static str {
    match candidates[0]["score"].as_f64() {
        Some(score) if score >= POSSIBLE => "candidates",
        _ => "missing",
    }
}

fn failure(code: &str) -> String {
    match code {
        "work_not_found" => "missing".to_owned(),
        "invalid_isbn" => "mistyped".to_owned(),
        other => other.to_owned(),
    }
}

/// The result in a reply of the interface or of a tool.
fn of_reply(reply: &Value) -> String {
    if let Some(results) = reply["results"].as_array() {
        let results: Vec<String> = results.iter().map(of_reply).collect();
        return results.join(" | ");
    }
    let error = reply["error"]["error"].as_str().or(reply["error"].as_str());
    let metadata = if reply["metadata"].is_null() {
        &reply["work"]
    } else {
        &reply["metadata"]
    };
    match error {
        Some(code) => failure(code),
        None if reply["notices"][0]["code"] == "page_not_fetched" => "unread".to_owned(),
        None if !metadata.is_null() => work(metadata),
        None => offered(&reply["candidates"]).to_owned(),
    }
}

fn app() -> TestApp {
    TestApp::start_with(|config| {
        config.quota.business_daily = 1_000_000;
        config.limits.business_entries = 100_000;
    })
}

#[test]
fn pastes_have_the_written_results() {
    let (head, pastes) = read();
    let app = app();
    let found = pastes.iter().map(|paste| {
        let reply = app.post("/api/v1/lookup", &json!({"query": paste.text}));
        (paste, of_reply(&reply.json()))
    });
    let found: Vec<(&Paste, String)> = found.collect();
    assert!(found.len() >= 200);
    if std::env::var_os("CITATION_WRITE_PASTES").is_some() {
        let lines = found
            .iter()
            .map(|(paste, result)| format!("{}\t{result}\n", json!(paste.text)));
        std::fs::write(file(), format!("{head}\n{}", lines.collect::<String>())).unwrap();
        return;
    }
    let found = found.into_iter();
    compare(
        "lookup",
        found.map(|(paste, found)| (paste.text.clone(), found, paste.result.clone())),
    );
}

#[test]
fn pastes_mean_the_same_to_tools() {
    let app = app();
    let results = read().1.into_iter().map(|paste| {
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "lookup", "arguments": {"query": paste.text}},
        });
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        let reply = app.send("POST", "/mcp", &headers, Some(call.to_string().as_bytes()));
        let found = of_reply(&reply.json()["result"]["structuredContent"]);
        (paste.text, found, paste.result)
    });
    compare("tools", results);
}

#[test]
fn pastes_mean_the_same_in_batches() {
    let app = app();
    let key = app.bearer(Plan::Business);
    for pastes in read().1.chunks(100) {
        let items: Vec<Value> = pastes.iter().map(|p| json!({"text": p.text})).collect();
        let body = json!({"items": items, "style": "apa"});
        let reply = app.post_as(&key, "/api/v1/format/batch", &body).json();
        let results = list(&reply["results"]).iter().zip(pastes);
        let results = results.map(|(result, paste)| {
            let message = result["error"]["message"].as_str().unwrap_or_default();
            let found = match result["status"].as_str().unwrap_or_default() {
                "ok" => work(&result["metadata"]),
                "low_confidence" => "candidates".to_owned(),
                _ if message.contains("enter the metadata manually") => "unread".to_owned(),
                _ if message.contains("several identifiers") => "several".to_owned(),
                _ => failure(result["error"]["error"].as_str().unwrap_or_default()),
            };
            let expected = if paste.is_several() {
                "several"
            } else {
                &paste.result
            };
            (paste.text.clone(), found, expected.to_owned())
        });
        compare("batch", results);
    }
}

#[test]
fn pastes_mean_the_same_on_the_first_page() {
    let app = app();
    // Lines of text are a list there.
    let pastes = read().1.into_iter();
    let pastes = pastes.filter(|paste| paste.is_several() || !paste.text.contains('\n'));
    let results = pastes.map(|paste| {
        let fields = [("q", paste.text.as_str()), ("do", "find")];
        let page = post_as(&app, "", "/cite", &fields).text();
        let read = |name: &str| -> Value {
            serde_json::from_str(&hidden(&page, name)).unwrap_or_default()
        };
        let (entries, candidates) = (read("entries"), read("candidates"));
        let works: Vec<String> = list(&entries).iter().map(work).collect();
        let found = match works.is_empty() {
            false => works.join(" | "),
            true if !read("unread").is_null() => "unread".to_owned(),
            true if page.contains("one of its digits is wrong") => "mistyped".to_owned(),
            true => offered(&candidates).to_owned(),
        };
        let expected = if paste.is_several() {
            works_of(&paste)
        } else {
            paste.result.clone()
        };
        (paste.text, found, expected)
    });
    compare("first page", results);
}

/// Of several, those that have a work.
fn works_of(paste: &Paste) -> String {
    let works = paste.result.split(" | ");
    let works: Vec<&str> = works.filter(|result| result.starts_with("work ")).collect();
    works.join(" | ")
}

#[test]
fn pastes_mean_the_same_in_the_frame() {
    let app = TestApp::start_with(|config| {
        config.server.embed_origins = vec!["https://library.example".to_owned()];
    });
    let results = read().1.into_iter().map(|paste| {
        let query: String = paste.text.bytes().map(|b| format!("%{b:02X}")).collect();
        let page = app.get(&format!("/embed?q={query}&style=apa")).text();
        let found = page.contains("id=\"entry\"");
        let expected = paste.result.starts_with("work ") && !paste.is_several();
        (paste.text, found.to_string(), expected.to_string())
    });
    compare("frame", results);
}

#[test]
fn pastes_mean_the_same_in_a_collection() {
    let app = app();
    let email = "business@example.org";
    let key = app.bearer(Plan::Business);
    let cookie = session(&app, email);
    let made = app.post_as(&key, "/api/v1/collections", &json!({"name": "Pastes"}));
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let mut before = 0;
    let results = read().1.into_iter().map(|paste| {
        post_as(
            &app,
            &cookie,
            &format!("/c/{id}"),
            &[("q", &paste.text), ("do", "add")],
        );
        let path = format!("/api/v1/collections/{id}/export.json");
        let items = app.get_with(&path, &[("authorization", &key)]).json();
        let added = list(&items).iter().skip(before);
        let works: Vec<String> = added.map(work).collect();
        before += works.len();
        // What is no work is kept as it was typed, if it can be kept.
        let found: Vec<&String> = works
            .iter()
            .filter(|found| paste.result.split(" | ").any(|result| result == *found))
            .collect();
        let expected = paste.result.matches("work ").count();
        let refused = paste.result.contains("mistyped");
        let kept = works.len() == paste.parts() || refused;
        let found = format!("{} of {}, kept {kept}", found.len(), works.len());
        let expected = format!("{expected} of {}, kept true", works.len());
        (paste.text, found, expected)
    });
    compare("collection", results);
}

#[test]
fn pastes_mean_the_same_to_translation_clients() {
    let app = app();
    let pastes = read().1.into_iter();
    // References are choices there, and identifiers in them are looked up.
    let pastes =
        pastes.filter(|p| p.is_several() || !matches!(Input::parse(&p.text), Input::Text(_)));
    let results = pastes.map(|paste| {
        let headers = [("content-type", "text/plain")];
        let reply = app.send(
            "POST",
            "/translate/search",
            &headers,
            Some(paste.text.as_bytes()),
        );
        let found = match reply.status {
            200 => list(&reply.json())
                .iter()
                .map(work)
                .collect::<Vec<_>>()
                .join(" | "),
            _ => String::new(),
        };
        let expected = works_of(&paste);
        (paste.text, found, expected)
    });
    compare("translation", results);
}

#[test]
fn pastes_mean_the_same_to_the_command() {
    let (_, pastes) = read();
    let folder = tempfile::tempdir().unwrap();
    let config = format!("[lookup]\nfetch_pages = false\n{}", providers_off_but(&[]));
    std::fs::write(folder.path().join("citation.toml"), config).unwrap();
    let mut arguments = vec!["--init", "--data", "data", "lookup", "--json", "--"];
    arguments.extend(pastes.iter().map(|paste| paste.text.as_str()));
    let run = run(folder.path(), &arguments, b"");
    let mut lines = run
        .out
        .lines()
        .map(|line| -> Value { serde_json::from_str(line).unwrap() });
    let results = pastes.iter().map(|paste| {
        let parts: Vec<String> = lines
            .by_ref()
            .take(paste.parts())
            .map(|line| of_line(&line))
            .collect();
        (paste.text.clone(), parts.join(" | "), paste.result.clone())
    });
    compare("command", results);
}

fn of_line(line: &Value) -> String {
    let message = line["message"].as_str().unwrap_or_default();
    match line["error"].as_str() {
        None => work(line),
        Some("lookup_failed") => "mistyped".to_owned(),
        Some(_) if message.starts_with("no certain match") => "candidates".to_owned(),
        Some(_) if message.starts_with("the page") => "unread".to_owned(),
        Some(_) => "missing".to_owned(),
    }
}
