//! Migrations: a database of each released schema version, as SQL text in `schemas/N.sql`, is
//! migrated and keeps its content; one of a later version is rejected.
//!
//! `CITATION_WRITE_SCHEMA=1 cargo test --test service schemas` writes the file of the current version; do
//! so in the commit that adds a migration, and never change an existing file.
//!
//! `1.sql` was created after version 2: the rows of `2.sql` in the tables of `schema.sql`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use citation::clock::Clock;
use citation::store::Store;
use citation::store::audit::Event;
use citation::store::mails::{MailPurpose, MailRow};
use citation::store::oauth::{ClientRow, CodeUse, Exchange, NewGrant, NewTokens};
use citation::store::schema::KNOWN;
use citation_model::access::{CopyVersion, OpenCopy};
use citation_model::identifier::Identifier;
use citation_model::item::Item;
use citation_model::plan::Plan;
use citation_model::variable::TextVar;
use citation_model::work::{
    Provenance, Source, Update, UpdateKind, UpdateRelation, Validator, Work,
};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::api::collections::{Library, NOW, expect, text};
use crate::support::program::run;
use crate::support::waiting::wait_until;
use crate::support::{Answer, TestApp};

const STYLE: &str = r#"<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>Thesis</title><id>http://example.org/thesis</id><updated>2026-01-01T00:00:00Z</updated></info>
<citation><layout><text variable="title"/></layout></citation></style>"#;

/// Tables that the fixture leaves empty: dictionaries are trained on thousands of works, and what lives
/// for an hour need not outlive an upgrade.
const EMPTY: [&str; 14] = [
    "dictionaries",
    "styles",
    "style_aliases",
    "former_users",
    "identities",
    "ingest_fingerprints",
    "ingests",
    "job_files",
    "merged",
    "misses",
    "notice_changes",
    "oauth_codes",
    "sessions",
    "sign_in_links",
];

fn fixture(version: i64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/service/schemas/{version}.sql"))
}

/// A data folder with the database of a version, and the API key of its account.
fn unpack(version: i64) -> (tempfile::TempDir, String) {
    let sql = std::fs::read_to_string(fixture(version)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    Connection::open(data.join("citation.db"))
        .unwrap()
        .execute_batch(&sql)
        .unwrap();
    let key = sql.lines().find_map(|line| line.strip_prefix("-- key: "));
    (folder, key.unwrap().to_owned())
}

fn serve(folder: &Path) -> TestApp {
    TestApp::start_at(Clock::set_to(NOW), |config| {
        config.data.dir = folder.join("data");
        config.corpus.starter = false;
    })
}

/// Name and text of everything in the schema.
fn schema(database: &Path) -> BTreeMap<String, Option<String>> {
    let connection = Connection::open(database).unwrap();
    let mut statement = connection
        .prepare("SELECT name, sql FROM sqlite_schema")
        .unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn database_of_each_version_is_migrated() {
    let fresh = tempfile::tempdir().unwrap();
    drop(serve(fresh.path()));
    let expected = schema(&fresh.path().join("data/citation.db"));
    for version in 1..=KNOWN {
        let (folder, key) = unpack(version);
        let data = folder.path().join("data");
        let server = serve(folder.path());
        assert_eq!(server.app.store.schema_version().unwrap(), KNOWN);
        assert_data(&server, &key);
        drop(server);
        assert_eq!(schema(&data.join("citation.db")), expected, "{version}");
        let copy = data.join(format!("backups/citation-v{version}.db"));
        assert_eq!(copy.exists(), version < KNOWN, "{version}");
        if !copy.exists() {
            continue;
        }
        // The copy can be put back, and is brought up to date then.
        run(folder.path(), &["restore", copy.to_str().unwrap()], b"").done();
        assert_data(&serve(folder.path()), &key);
    }
}

/// What [`fill`] put in.
fn assert_data(server: &TestApp, key: &str) {
    let store = &server.app.store;
    let work = |doi: &str| {
        let found = store.work(&Identifier::parse(doi).unwrap()).unwrap();
        found.unwrap_or_else(|| panic!("{doi} is gone"))
    };
    assert_eq!(work("10.1000/oaks").item.text(TextVar::Title), Some("Oaks"));
    let merged = serde_json::to_value(&work("10.1000/oaks").item).unwrap();
    assert_eq!(merged["volume"], "7");
    assert_eq!(
        work("10.1000/elms").updates[0].relation,
        UpdateRelation::UpdatedBy
    );
    assert_eq!(
        server.app.corpus.verify().map(|found| found.works).ok(),
        Some(3)
    );
    let bearer = format!("Bearer {key}");
    let get = |path: &str| -> Answer {
        server.get_with(&format!("/api/v1{path}"), &[("authorization", &bearer)])
    };
    let json = |path: &str| expect(&get(path), 200);
    let listed = json("/collections");
    let collection = format!("/collections/{}", text(&listed[0]["id"]));
    let whole = json(&collection);
    let entry = &whole["entries"][0];
    assert_eq!(
        (&entry["metadata"]["title"], &entry["note"], &entry["tags"]),
        (&json!("Trees"), &json!("of the wood"), &json!(["green"])),
        "{whole}"
    );
    let history = json(&format!(
        "{collection}/entries/{}/history",
        text(&entry["id"])
    ));
    assert_eq!(history[0]["changes"][0]["from"], "Tree", "{history}");
    let shared = server.get(&format!(
        "/api/v1/shared/{}",
        text(&listed[0]["share_token"])
    ));
    let entries = whole["entries"].as_array().map(Vec::len);
    assert_eq!(expect(&shared, 200)["entry_count"], json!(entries));
    assert_eq!(json("/me/styles")[0]["id"], "own:thesis");
    assert_eq!(json("/me")["plan"], "Academic");
    let month = citation::quota::calendar::Month::of(NOW);
    let report = citation::quota::report::monthly(store, month).unwrap();
    assert!(report.total_calls > 0);
    // What an account keeps is counted from its first upgrade on, and added to by each change.
    let connection = Connection::open(store.directory().join("citation.db")).unwrap();
    let sql = "SELECT bytes FROM users WHERE email_key = 'academic@example.org'";
    let kept: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(kept > 1_000, "{kept}");
}

#[test]
fn newer_database_is_rejected_with_the_copy_to_restore() {
    let (folder, _) = unpack(KNOWN);
    let data = folder.path().join("data");
    let raise = |database: &Path| {
        let connection = Connection::open(database).unwrap();
        let later = KNOWN + 1;
        connection
            .pragma_update(None, "user_version", later)
            .unwrap();
    };
    raise(&data.join("citation.db"));
    let before = schema(&data.join("citation.db"));
    let refused = |part: &str| {
        for command in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["corpus", "stats"],
        ] {
            let run = run(folder.path(), command, b"");
            assert_eq!(run.code, 2, "{}", run.said);
            assert!(run.said.contains("newer program"), "{}", run.said);
            assert!(run.said.contains(part), "{}", run.said);
        }
        assert_eq!(schema(&data.join("citation.db")), before);
    };
    refused("data directory has none");
    let copy = data.join(format!("backups/citation-v{KNOWN}.db"));
    std::fs::create_dir(data.join("backups")).unwrap();
    std::fs::write(&copy, b"").unwrap();
    refused(&format!("backups/citation-v{KNOWN}.db"));
}

#[test]
fn current_version_has_its_fixture() {
    let write = std::env::var_os("CITATION_WRITE_SCHEMA").is_some();
    if write {
        std::fs::write(fixture(KNOWN), written()).unwrap();
    }
    let (folder, _) = unpack(KNOWN);
    let connection = Connection::open(folder.path().join("data/citation.db")).unwrap();
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, KNOWN);
    for table in names(&connection, "table") {
        let sql = format!("SELECT count(*) FROM \"{table}\"");
        let rows: i64 = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(
            rows == 0,
            EMPTY.contains(&table.as_str()),
            "{table}: {rows}"
        );
    }
}

/// The fixture of the present version.
fn written() -> String {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open_with(|config| {
        config.data.dir = folder.path().to_owned();
        config.corpus.starter = false;
        config.sharing.anonymous = true;
    });
    let key = fill(&library);
    drop(library);
    format!(
        "-- key: {key}\n{}",
        dump(&folder.path().join("citation.db"))
    )
}

/// Puts in what [`assert_data`] looks for; gives the account's key.
fn fill(library: &Library) -> String {
    let link = json!({"name": "Trees", "entries": [{"title": "Tree"}]});
    expect(&library.app.post("/api/v1/permalinks", &link), 201);
    let store = &library.app.app.store;
    let put = |source: Source, json: Value, updates: Vec<Update>| {
        let item: Item = serde_json::from_value(json).unwrap();
        let provenance = Provenance {
            source,
            record_id: format!("{source:?}"),
            url: None,
            license: None,
            fetched_at: NOW,
        };
        let mut work = Work::new(item, provenance);
        work.updates = updates;
        if source == Source::Openalex {
            work.open_copy = Some(OpenCopy {
                url: "https://example.org/oaks".to_owned(),
                version: Some(CopyVersion::Accepted),
                license: Some("cc-by-4.0".to_owned()),
                source: source.as_str().to_owned(),
            });
            work.validator = Some(Validator {
                request: "/works/doi:10.1000/oaks".to_owned(),
                etag: Some("\"1\"".to_owned()),
                last_modified: None,
            });
        }
        store.put_one(work).unwrap();
    };
    let oaks = json!({"type": "article-journal", "title": "Oaks", "DOI": "10.1000/oaks",
        "container-title": "Journal of Trees", "container-title-short": "J. Trees"});
    put(Source::Crossref, oaks, Vec::new());
    let volume =
        json!({"type": "article-journal", "title": "Oaks", "DOI": "10.1000/oaks", "volume": "7"});
    put(Source::Openalex, volume, Vec::new());
    let elm = json!({"type": "book", "title": "Elm", "DOI": "10.1000/elms"});
    put(Source::Crossref, elm, Vec::new());
    let elms = json!({"type": "book", "title": "Elms", "DOI": "10.1000/elms"});
    put(Source::Crossref, elms, Vec::new());
    let notice = Update {
        kind: UpdateKind::Retraction,
        relation: UpdateRelation::UpdateTo,
        doi: citation_model::identifier::Doi::parse("10.1000/elms").unwrap(),
        date: citation_model::date::Date::parse_iso("2026-03-14"),
        source: "publisher".to_owned(),
        reasons: Vec::new(),
    };
    let retraction = json!({"type": "article", "title": "Retraction", "DOI": "10.1000/notice"});
    put(Source::Crossref, retraction, vec![notice]);

    let me = library.member(Plan::Academic);
    let collection = me.collection("Wood");
    let entry = json!({"metadata": {"title": "Tree", "doi": "10.1000/oaks"}, "note": "of the wood",
        "tags": ["green"]});
    let path = format!("{collection}/entries");
    let once = me.send("POST", &path, &entry, &[("idempotency-key", "k")]);
    let id = text(&expect(&once, 201)["id"]).to_owned();
    let metadata = json!({"title": "Trees", "doi": "10.1000/oaks"});
    expect(&me.put(&format!("{path}/{id}/metadata"), metadata), 200);
    expect(&me.post(&format!("{collection}/share"), Value::Null), 201);
    let guest = library.member(Plan::Free);
    let group = expect(&me.post("/groups", json!({"name": "Foresters"})), 201);
    let group = text(&group["id"]).to_owned();
    let role = json!({"role": "editor", "reusable": true});
    for (invited, body) in [
        (collection.clone(), role),
        (format!("/groups/{group}"), json!({})),
    ] {
        let link = expect(&me.post(&format!("{invited}/invitations"), body), 201);
        let accept = format!("/invitations/{}/accept", text(&link["token"]));
        expect(&guest.post(&accept, Value::Null), 200);
    }
    let role = format!("{collection}/groups/{group}");
    expect(&me.put(&role, json!({"role": "reader"})), 204);
    let seen =
        json!({"reference": "Doe J. Tree. 1999.", "decision": "real", "why": "Seen on paper."});
    expect(&me.post("/verify/overrides", seen), 201);
    let rows = json!([{"text": "Doe J. Tree. 1999.", "verdict": "verified"}]);
    expect(&me.post("/reports", json!({"rows": rows})), 201);
    let other = expect(
        &me.post(&path, json!({"metadata": {"title": "Trees"}})),
        201,
    );
    let pair = json!({"entry_ids": [id, text(&other["id"])]});
    expect(&me.post(&format!("{collection}/not-duplicates"), pair), 204);
    let csl = "application/vnd.citationstyles.style+xml";
    let style = me.send_bytes("POST", "/me/styles", csl, Some(STYLE.as_bytes()), &[]);
    expect(&style, 201);
    expect(&me.post("/lookup/doi", json!({"doi": "10.1000/elms"})), 200);
    let id = collection.trim_start_matches("/collections/");
    let done = |answer: &Answer| {
        let job = format!("/jobs/{}", text(&expect(answer, 202)["id"]));
        wait_until(|| expect(&me.get(&job), 200)["state"] == "done");
    };
    let references = json!({"references": ["Nobody N. Nothing in particular. 1999."]});
    done(&me.post("/jobs/verify", references));
    done(&me.post(
        "/jobs/export",
        json!({"collection_id": id, "format": "bib"}),
    ));
    let webhook = json!({"url": "https://receiver.invalid/", "events": ["collection.changed"]});
    expect(&me.post("/webhooks", webhook), 201);
    let mail = MailRow {
        id: 0,
        address: "a@example.org".to_owned(),
        subject: "An invitation".to_owned(),
        text: "Open this link.".to_owned(),
        purpose: MailPurpose::Invitation,
        attempts: 0,
    };
    library.app.app.store.add_mail(&mail, NOW).unwrap();
    expect(
        &me.patch(&collection, json!({"description": "of oaks"})),
        200,
    );
    let user = store
        .user_by_email("academic@example.org")
        .unwrap()
        .unwrap();
    let_program_in(store, user.id);
    assert!(store.put_search(user.id, "oak", "Oaks", 10).unwrap());
    me.key().to_owned()
}

/// Puts in a program with tokens, whose code is used and forgotten.
fn let_program_in(store: &Store, user: i64) {
    let row = ClientRow {
        id: 0,
        client_id: "https://app.example/client.json".to_owned(),
        name: "App".to_owned(),
        uri: None,
        redirect_uris: vec!["https://app.example/".to_owned()],
        is_document: true,
        read_at: NOW,
    };
    assert!(store.put_oauth_client(&row, 10).unwrap());
    let client = store.oauth_client(&row.client_id).unwrap().unwrap();
    let event = Event::new(NOW, "server", "program.allow");
    let grant = NewGrant {
        uid: uuid::Uuid::new_v4().to_string(),
        user,
        client: client.id,
        scopes: 3,
        audience: 1,
        code: [1; 32],
        challenge: "challenge".to_owned(),
        redirect_uri: "https://app.example/".to_owned(),
        code_expires_at: NOW + 1,
    };
    store.add_grant(&grant, 10, &event).unwrap();
    let code = CodeUse {
        code: grant.code,
        client_id: &row.client_id,
        redirect_uri: None,
        challenge: &grant.challenge,
        audience: None,
    };
    let tokens = NewTokens {
        access: [2; 32],
        access_expires_at: i64::MAX,
        refresh: [3; 32],
        refresh_expires_at: i64::MAX,
    };
    let done = store.use_code(&code, &tokens, &event).unwrap();
    assert_eq!(done, Exchange::Done { scopes: 3 });
    let later = NOW + 2 * 86_400;
    store.drop_expired_grants(later, 0).unwrap();
    assert_eq!(store.grants(user).unwrap().len(), 1);
}

fn names(connection: &Connection, kind: &str) -> Vec<String> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = ?1 AND name NOT LIKE 'sqlite_%' ORDER BY rowid";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([kind], |row| row.get(0));
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

/// A database as SQL text: tables, rows, then what looks at rows that are added.
fn dump(database: &Path) -> String {
    let connection = Connection::open(database).unwrap();
    let text = |sql: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    let mut out = String::from("PRAGMA foreign_keys = OFF;\n");
    let mut say = |line: &str| writeln!(out, "{line};").unwrap();
    text("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
        .iter()
        .for_each(|sql| say(sql));
    let mut tables = names(&connection, "table");
    tables.push("sqlite_sequence".to_owned());
    for table in tables {
        let columns = text(&format!("SELECT name FROM pragma_table_info('{table}')"));
        let quoted: Vec<String> = columns
            .iter()
            .map(|name| format!("quote(\"{name}\")"))
            .collect();
        let values = quoted.join(" || ', ' || ");
        if table == "sqlite_sequence" {
            say("DELETE FROM sqlite_sequence");
        }
        let sql = format!("SELECT 'INSERT INTO {table} VALUES (' || {values} || ')' FROM {table}");
        text(&sql).iter().for_each(|sql| say(sql));
    }
    text("SELECT sql FROM sqlite_schema WHERE type IN ('view', 'index', 'trigger') AND sql NOT NULL ORDER BY rowid")
        .iter()
        .for_each(|sql| say(sql));
    say(&format!("PRAGMA user_version = {KNOWN}"));
    out
}
