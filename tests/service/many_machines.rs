//! A corpus on several machines: a read-only copy, and a server that asks another one.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use citation::auth::accounts::NewAccount;
use citation::config::Config;
use citation_model::plan::Plan;
use serde_json::json;

use crate::support::{TestApp, add_account};

const DOI: &str = "10.1038/171737a0";

/// Every file of a folder with its length and the time of its last change.
fn files(folder: &Path) -> BTreeMap<String, (u64, SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        if metadata.is_file() {
            let name = entry.file_name().into_string().unwrap();
            found.insert(name, (metadata.len(), metadata.modified().unwrap()));
        }
    }
    found
}

#[test]
fn read_only_copy_serves_reads_and_rejects_writes() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.data.dir = folder.path().to_owned();
    let new = NewAccount {
        email: Some("a@example.org"),
        plan: Some(Plan::Business),
        ..NewAccount::default()
    };
    add_account(&config, &new);
    let before = files(folder.path());
    let server = TestApp::start_with(|config| {
        config.data.dir = folder.path().to_owned();
        config.data.read_only = true;
    });
    server.app.start_background().unwrap();

    let found = server.post("/api/v1/lookup/doi", &json!({"doi": DOI}));
    assert_eq!(found.status, 200, "{}", found.text());
    let query = json!({"text": "Watson Crick Molecular structure of nucleic acids Nature 1953"});
    let found = server.post("/api/v1/reverse", &query);
    assert_eq!(
        found.json()[0]["metadata"]["id"],
        "watson-1953-molecular",
        "{}",
        found.text()
    );
    let entry = json!({"entry_type": "Book", "title": "Oaks"});
    let formatted = server.post(
        "/api/v1/format",
        &json!({"style": "apa", "entries": [entry]}),
    );
    assert_eq!(formatted.status, 200, "{}", formatted.text());
    let store = &server.app.store;
    let user = store.user_by_email("a@example.org").unwrap().unwrap();
    let actor = citation::auth::accounts::Actor::command_line();
    let refused = server
        .app
        .auth
        .set_plan(&user, Plan::Free, &actor)
        .unwrap_err();
    assert!(refused.to_string().contains("read-only"), "{refused}");
    assert_eq!(files(folder.path()), before, "a file was made or changed");
}

#[test]
fn stale_copy_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.data.dir = folder.path().to_owned();
    config.data.read_only = true;
    let refused = |part: &str| {
        let cause = citation::app::App::open(config.clone()).err().unwrap();
        assert!(cause.to_string().contains(part), "{cause}");
    };
    refused("is missing");
    assert!(files(folder.path()).is_empty());
    let writable = Config {
        data: citation::config::DataSettings {
            read_only: false,
            ..config.data.clone()
        },
        ..config.clone()
    };
    let app = citation::app::App::open(writable).unwrap();
    app.store.set_fact("a", "b").unwrap();
    refused("in use, or was copied while in use");
}

#[test]
fn server_fetches_missing_works_from_another() {
    let shared = TestApp::start();
    let small = TestApp::start_with(|config| {
        config.corpus.starter = false;
        config.providers.citation.enabled = true;
        config.providers.citation.base_url = format!("http://{}", shared.address).parse().unwrap();
    });
    let found = small.post("/api/v1/lookup/doi", &json!({"doi": DOI}));
    assert_eq!(found.status, 200, "{}", found.text());
    assert_eq!(found.json()["authors"][0]["family"], "Watson");
    assert_eq!(small.app.corpus.stats().unwrap().works, 1, "it is kept");
    let query =
        json!({"text": "Darwin On the origin of species by means of natural selection 1859"});
    let found = small.post("/api/v1/reverse", &query);
    assert_eq!(found.status, 200, "{}", found.text());
    let asked = small.app.provider_stats();
    let asked = asked.iter().find(|stats| stats.name == "citation").unwrap();
    assert_eq!((asked.answered, asked.failed), (2, 0), "{asked:?}");
}
