//! Clients of other services, unmodified, against a server on loopback. They are installed if their
//! registries can be reached; otherwise a line says that they are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use citation::collections::CollectionError;

use crate::api::compat_zotero::{Library, library_of};
use crate::support::http_stand_in::{Reply, StandIn};
use crate::support::program::run_line;
use crate::support::{TestApp, list};

/// Where clients are installed, once for all runs.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("clients")
        .join(name)
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/compat")
}

/// Runs a step of an installation; false where it fails or its program is not there.
fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The clients in Python, and what they need and do not say.
const PYTHON_CLIENTS: [&str; 6] = [
    "pyzotero",
    "bibtexparser<2",
    "habanero",
    "crossref-commons",
    "doi2bib",
    "manubot",
];

/// A Python with the clients; nothing where they cannot be installed.
fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    PYTHON
        .get_or_init(|| {
            let folder = folder("python");
            let (python, done) = (folder.join("bin/python"), folder.join("done"));
            let clients = PYTHON_CLIENTS.join(" ");
            let is_there = std::fs::read_to_string(&done).is_ok_and(|done| done == clients)
                || succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder))
                    && succeeds(
                        Command::new(&python)
                            .args(["-m", "pip", "install", "--quiet"])
                            .args(["--disable-pip-version-check", "--retries=0", "--timeout=5"])
                            .args(PYTHON_CLIENTS),
                    )
                    && std::fs::write(done, clients).is_ok();
            is_there.then_some(python)
        })
        .as_deref()
}

/// A folder with the clients of npm and the scripts; nothing where they cannot be installed.
fn node() -> Option<&'static Path> {
    static NODE: OnceLock<Option<PathBuf>> = OnceLock::new();
    NODE.get_or_init(|| {
        let folder = folder("node");
        let done = folder.join("done");
        std::fs::create_dir_all(&folder).ok()?;
        let is_there = done.exists()
            || succeeds(
                Command::new("npm")
                    .current_dir(&folder)
                    .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
                    .args([
                        "--legacy-peer-deps",
                        "--fetch-retries=0",
                        "--fetch-timeout=5000",
                    ])
                    .args(["--prefix", "."])
                    .args(["zotero-translation-client", "@citation-js/core@0.7"])
                    .args([
                        "@citation-js/plugin-doi@0.7",
                        "@citation-js/plugin-bibtex@0.7",
                    ]),
            ) && std::fs::write(done, "").is_ok();
        is_there.then_some(folder)
    })
    .as_deref()
}

/// Runs a client, which says what is expected where all was as it should be.
#[track_caller]
fn check(command: &mut Command, app: &TestApp, expected: &str) {
    let output = match command.env("BASE", app.url("")).output() {
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
            let program = command.get_program().display();
            return println!("{program} is not installed: passed over");
        }
        output => output.unwrap(),
    };
    let out = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && out.contains(expected),
        "{out}\n{said}"
    );
}

#[track_caller]
fn check_python(script: &str, app: &TestApp, variables: &[(&str, &str)]) {
    let Some(python) = python() else {
        return println!("{script}: passed over, since its client cannot be installed here");
    };
    let mut command = Command::new(python);
    command
        .arg(scripts().join(script))
        .envs(variables.iter().copied());
    check(&mut command, app, "ok");
}

#[track_caller]
fn check_node(script: &str, app: &TestApp) {
    let Some(folder) = node() else {
        return println!("{script}: passed over, since its client cannot be installed here");
    };
    // Modules are looked for from where a script stands.
    let copy = folder.join(script);
    std::fs::copy(scripts().join(script), &copy).unwrap();
    check(
        Command::new("node").current_dir(folder).arg(copy),
        app,
        "ok",
    );
}

/// A server whose index has its works.
fn indexed() -> TestApp {
    let app = TestApp::start();
    crate::support::waiting::wait_for(|| {
        let found = app.get("/crossref/works?query=nucleic+acids").json();
        (found["message"]["total-results"].as_u64()? > 0).then_some(())
    });
    app
}

/// What the libraries hold that clients read.
fn entries() -> Value {
    json!([
        {"entry_type": "Article", "title": "Beta", "authors": [{"family": "Doe", "given": "Jane"}],
         "journal": "J", "date": {"year": 2001}, "doi": "10.5555/beta"},
        {"entry_type": "Book", "title": "Alpha", "date": {"year": 1999}},
        {"entry_type": "Webpage", "title": "Gamma", "url": "https://example.org/g"},
    ])
}

#[test]
fn pyzotero_reads_a_collection() {
    let Library { app, key, user, .. } = library_of(&entries());
    check_python(
        "pyzotero_reads.py",
        &app,
        &[("KEY", &key), ("ZOTERO_USER", &user)],
    );
}

#[test]
fn habanero_reads_works() {
    check_python("habanero_reads.py", &indexed(), &[]);
}

#[test]
fn crossref_commons_reads_a_work() {
    check_python("crossref_commons_reads.py", &TestApp::start(), &[]);
}

#[test]
fn doi2bib_reads_a_work() {
    check_python("doi2bib_reads.py", &TestApp::start(), &[]);
}

#[test]
fn manubot_cites_a_work() {
    check_python("manubot_cites.py", &TestApp::start(), &[]);
}

#[test]
fn translation_client_of_zoterobib_translates() {
    check_node("translation_client.mjs", &indexed());
}

#[test]
fn citation_js_fetches_a_doi() {
    check_node("citation_js.mjs", &TestApp::start());
}

#[test]
fn pandoc_fetches_style_and_bibliography_by_url() {
    let Library { app, key, .. } = library_of(&entries());
    let bearer = format!("Bearer {key}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("content-type", "application/json"),
    ];
    let collections = app.get_with("/api/v1/collections", &headers).json();
    let id = collections[0]["id"].as_str().unwrap();
    let path = format!("/api/v1/collections/{id}/share");
    let shared = app.send("POST", &path, &headers, Some(b"{}")).json();
    let list = format!("/s/{}/export.bib", shared["share_token"].as_str().unwrap());
    let text = app.get(&list).text();
    let key = text.split(['{', ',']).nth(1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("paper.md"), format!("As said [@{key}].")).unwrap();
    let mut pandoc = Command::new("pandoc");
    pandoc
        .current_dir(folder.path())
        .args(["--citeproc", "--to", "plain", "paper.md"])
        .args(["--bibliography", &app.url(&list)])
        .args(["--csl", &app.url("/api/v1/styles/apa.csl")]);
    check(&mut pandoc, &app, "Doe, J. (2001)");
}

/// Imports from Zotero for an account of its own, with more arguments.
fn zotero_import(folder: &Path, base: &str) -> impl Fn(&str) -> serde_json::Value {
    run_line(folder, "--init --data data user add b@example.org").done();
    let import = "--data data --json import zotero b@example.org --key-file key --base-url";
    move |more| run_line(folder, &format!("{import} {base}{more}")).json()
}

#[test]
fn zotero_library_is_imported_resumed_and_updated() {
    let Library { app, key, user, .. } = library_of(&entries());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("key"), &key).unwrap();
    let base = app.url("/zotero");
    let import = zotero_import(folder.path(), &base);
    let first = import(" --most 2");
    assert_eq!(
        (&first["added"], &first["left"]),
        (&json!(2), &json!(1)),
        "{first}"
    );
    let library = format!("users/{user}");
    let second = import(&format!(" --library {library}"));
    assert_eq!(
        (&second["added"], &second["updated"]),
        (&json!(1), &json!(0)),
        "{second}"
    );
    let third = import("");
    assert_eq!(
        (&third["added"], &third["updated"]),
        (&json!(0), &json!(0)),
        "{third}"
    );
}

#[test]
fn zotero_import_updates_entries_and_lists_skipped_items() {
    let has_changed = Arc::new(AtomicBool::new(false));
    let changed = Arc::clone(&has_changed);
    let zotero = StandIn::start(move |request| {
        let is_changed = changed.load(Ordering::SeqCst);
        if request.header("zotero-api-key") != Some("secret") || request.target.contains("secret") {
            return Reply::status(403);
        }
        let item = |key: &str, version: u64, kind: &str, title: &str, within: &str| {
            json!({"key": key, "version": version, "data": {
                "key": key, "version": version, "itemType": kind, "title": title, "collections": [within],
            }})
        };
        let title = if is_changed { "New" } else { "Old" };
        let version = if is_changed { 9 } else { 5 };
        let body = match request.path().as_str() {
            "/keys/current" => json!({"userID": 7}),
            "/users/7/collections" => json!([
                {"key": "C1", "data": {"name": "Thesis", "parentCollection": false}},
                {"key": "C2", "data": {"name": "One", "parentCollection": "C1"}},
            ]),
            "/users/7/items/top" if request.target.contains("since=0") => {
                json!({"AAAAAAAA": version, "BBBBBBBB": 3, "CCCCCCCC": 4, "DDDDDDDD": 4})
            }
            "/users/7/items/top" if is_changed => json!({"AAAAAAAA": 9}),
            "/users/7/items/top" => json!({"AAAAAAAA": 5}),
            "/users/7/items" => json!([
                item("AAAAAAAA", version, "book", title, "C2"),
                item("BBBBBBBB", 3, "book", "B", "C1"),
                item("CCCCCCCC", 4, "note", "", "C1"),
                item("DDDDDDDD", 4, "book", "", "C1"),
            ]),
            "/users/7/deleted" => json!({"items": ["BBBBBBBB", "ZZZZZZZZ"]}),
            _ => return Reply::status(404),
        };
        Reply::json(body.to_string())
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("key"), "secret\n").unwrap();
    let base = zotero.url();
    let import = zotero_import(folder.path(), &base);
    let first = import("");
    assert_eq!(
        (&first["added"], &first["library"]),
        (&json!(2), &json!("users/7")),
        "{first}"
    );
    let skipped: Vec<&str> = { list(&first["skipped"]).iter() }
        .map(|skipped| skipped["key"].as_str().unwrap())
        .collect();
    assert_eq!(skipped, ["CCCCCCCC", "DDDDDDDD"], "{first}");
    let second = import("");
    assert_eq!(
        (&second["added"], &second["unchanged"]),
        (&json!(0), &json!(1)),
        "{second}"
    );
    assert_eq!(second["deleted"], 1);
    has_changed.store(true, Ordering::SeqCst);
    let third = import("");
    assert_eq!(
        (&third["added"], &third["updated"]),
        (&json!(0), &json!(1)),
        "{third}"
    );
    let app = TestApp::start_with(|config| config.data.dir = folder.path().join("data"));
    let names = app.app.collections.read(1, |reading| {
        let rows = reading.collections(false)?.into_iter();
        Ok::<_, CollectionError>(rows.map(|row| row.name).collect::<Vec<_>>())
    });
    assert_eq!(names.unwrap(), ["Thesis", "Thesis / One"]);
}
