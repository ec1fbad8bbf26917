//! Failures under a running server: damaged pages of the database, a full disk, few file descriptors. The
//! operator sees the problem, and no acknowledged write is lost.

use std::cell::Cell;
use std::io::{Read, Seek, SeekFrom, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use citation::quota::Subject;
use citation_model::plan::Plan;
use rusqlite::Connection;
use serde_json::json;

use crate::api::collections::{Library, expect};
use crate::support::program::{Run, run, serve, serve_after};
use crate::support::tiny_disk::TinyDisk;
use crate::support::waiting::{wait_for, wait_until};

const PAGE: u64 = 4096;

/// A folder with settings, and the commands run in it.
struct Place(tempfile::TempDir);

impl Place {
    fn new(backup: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let settings = format!("[corpus]\nstarter = false\n[backup]\n{backup}");
        std::fs::write(folder.path().join("citation.toml"), settings).unwrap();
        let place = Place(folder);
        place.done(&["--init", "user", "add", "before@example.org"]);
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run(self.path(), &[&["--data", "data"], arguments].concat(), b"")
    }

    #[track_caller]
    fn done(&self, arguments: &[&str]) -> String {
        self.run(arguments).done()
    }

    fn database(&self) -> PathBuf {
        self.path().join("data/citation.db")
    }

    /// Makes a backup under the name that the server gives to one of that moment.
    fn back_up(&self, stamp: &str) -> PathBuf {
        let folder = self.path().join("data/backups");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("citation-{stamp}.db"));
        self.done(&["backup", file.to_str().unwrap()]);
        file
    }

    /// Overwrites the first page of a table.
    fn overwrite(&self, database: &Path, table: &str) {
        let connection = Connection::open(database).unwrap();
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        let page: i64 = connection
            .query_row(sql, [table], |row| row.get(0))
            .unwrap();
        drop(connection);
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .open(database)
            .unwrap();
        file.seek(SeekFrom::Start((page as u64 - 1) * PAGE))
            .unwrap();
        file.write_all(&[0xa5; PAGE as usize]).unwrap();
    }
}

#[test]
fn damaged_database_is_recovered_if_configured() {
    let place = Place::new("recover = \"automatic\"\n");
    let sound = place.back_up("20260101T000000Z");
    place.done(&["user", "add", "since@example.org"]);
    let damaged = place.back_up("20260102T000000Z");
    place.overwrite(&damaged, "users");
    place.overwrite(&place.database(), "users");
    let server = serve(place.path());
    assert_eq!(server.get("/readyz").as_deref(), Some("ready\n"));
    wait_until(|| server.log().contains("before-restore-"));
    let log = server.log();
    for part in [
        "20260101T000000Z",
        "what was written since",
        "before-restore-",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    drop(server);
    let users = place.done(&["user", "list"]);
    assert!(users.contains("before@example.org"), "{users}");
    assert!(!users.contains("since@example.org"), "{users}");
    let audit = place.done(&["audit"]);
    assert!(audit.contains("database_recovered"), "{audit}");
    let kept = std::fs::read_dir(place.path().join("data")).unwrap();
    let kept = kept.flatten().map(|entry| entry.path());
    let kept = kept
        .filter(|path| path.join("citation.db").exists())
        .count();
    assert_eq!(kept, 1, "the damaged database is kept");
    assert!(sound.exists());
    // The next start finds nothing to do.
    let server = serve(place.path());
    assert!(
        !server.log().contains("put in the place"),
        "{}",
        server.log()
    );
}

#[test]
fn damaged_database_without_backup_prevents_start() {
    let place = Place::new("recover = \"automatic\"\n");
    place.overwrite(&place.database(), "users");
    let before = std::fs::read(place.database()).unwrap();
    let run = place.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(run.code, 2, "{}", run.said);
    assert!(run.said.contains("users"), "{}", run.said);
    assert!(run.said.contains("no sound backup"), "{}", run.said);
    let after = std::fs::read(place.database()).unwrap();
    assert_eq!(after.len(), before.len());
}

#[test]
fn damaged_database_is_kept_and_backup_named() {
    let place = Place::new("");
    let file = place.back_up("20260101T000000Z");
    place.overwrite(&place.database(), "entries");
    // What users keep is looked at first, beside the requests.
    let server = serve(place.path());
    let ready = wait_for(|| {
        server
            .get("/readyz")
            .filter(|text| text.contains("damaged"))
    });
    assert!(ready.contains("restore the latest backup"), "{ready}");
    drop(server);
    let examined = place.run(&["doctor", "--local-only"]);
    assert_eq!(examined.code, 1);
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(examined.out.contains(name), "{}", examined.out);
    // What is read at the start is damaged, then what says where everything is.
    let refused = || {
        let run = place.run(&["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(run.code, 2, "{}", run.said);
        let remedy = format!("backups/{name}` puts it in place");
        assert!(run.said.contains(&remedy), "{}", run.said);
    };
    place.overwrite(&place.database(), "meta");
    refused();
    let mut bytes = std::fs::read(place.database()).unwrap();
    bytes[100..2000].fill(0xa5);
    std::fs::write(place.database(), bytes).unwrap();
    refused();
    place.done(&["restore", file.to_str().unwrap()]);
    let users = place.done(&["user", "list"]);
    assert!(users.contains("before@example.org"), "{users}");
}

#[test]
fn full_disk_rejects_writes_and_keeps_acknowledged_ones() {
    let Some(disk) = TinyDisk::mount(16 * 1024) else {
        return;
    };
    let library = Library::open_with(|config| {
        config.data.dir = disk.path().join("data");
        config.corpus.starter = false;
    });
    let me = library.member(Plan::Business);
    let collection = me.collection("Wood");
    let entries = format!("{collection}/entries");
    me.entry(&collection, "Oaks");
    disk.fill();
    let kept = Cell::new(1);
    let add = |title: &str| {
        let body = json!({"metadata": {"title": title}, "note": "x".repeat(5_000)});
        let answer = me.post(&entries, body);
        kept.set(kept.get() + usize::from(answer.status == 201));
        answer
    };
    // Some still go into what the log has taken already.
    let refused = (0..2_000).map(|n| add(&format!("Tree {n}")));
    let refused = refused.skip_while(|answer| answer.status == 201);
    let refused = { refused }.next().expect("the disk is full");
    let body = refused.expect_error(507, "storage_full");
    assert!(body["message"].as_str().unwrap().contains("full"), "{body}");
    let file = "TY  - BOOK\nTI  - Elms\nER  - \n".repeat(400);
    let path = format!("{collection}/import");
    let ris = "application/x-research-info-systems";
    let imported = me.send_bytes("POST", &path, ris, Some(file.as_bytes()), &[]);
    imported.expect_error(507, "storage_full");
    assert_eq!(me.titles(&collection).len(), kept.get(), "reads go on");
    disk.free();
    wait_until(|| library.app.get("/readyz").text() == "ready\n");
    assert_eq!(add("Elms").status, 201);
    assert_eq!(me.titles(&collection).len(), kept.get());
}

#[test]
fn uncountable_lookups_are_rejected() {
    let Some(disk) = TinyDisk::mount(64 * 1024) else {
        return;
    };
    let library = Library::open_with(|config| config.data.dir = disk.path().join("data"));
    let me = library.member(Plan::Business);
    let look = || me.post("/lookup/doi", json!({"doi": "10.1038/171737a0"}));
    expect(&look(), 200);
    disk.fill();
    let answers: Vec<u16> = (0..500).map(|_| look().status).collect();
    let counted = answers.iter().filter(|status| **status == 200).count();
    let refused = answers.iter().filter(|status| **status == 507).count();
    assert_eq!(counted + refused, answers.len(), "{answers:?}");
    disk.free();
    wait_until(|| look().status == 200);
    let store = &library.app.app.store;
    let user = store
        .user_by_email("business@example.org")
        .unwrap()
        .unwrap();
    let quota = &library.app.app.quota;
    let status = quota.status(Subject::User(user.id), Plan::Business);
    assert!(status.unwrap().used as usize > counted);
}

#[test]
fn ingest_on_full_disk_reports_and_resumes() {
    let Some(disk) = TinyDisk::mount(6 * 1024) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let settings = "[corpus]\nstarter = false\n";
    std::fs::write(folder.path().join("citation.toml"), settings).unwrap();
    const WORKS: usize = 20_000;
    let mut dump = String::new();
    for n in 0..WORKS {
        let words = (0..12).map(|word| format!("w{}", n * 31 + word * 7));
        let title = words.collect::<Vec<_>>().join(" ");
        let line = json!({"DOI": format!("10.5555/{n}"), "type": "book", "title": [title],
            "member": "1", "prefix": "10.5555", "indexed": {"timestamp": 1_000}});
        dump.push_str(&format!("{line}\n"));
    }
    std::fs::write(folder.path().join("dump.jsonl"), dump).unwrap();
    let data = disk.path().join("data");
    let data = data.to_str().unwrap();
    let ingest = |data: &str| {
        let arguments = ["--data", data, "ingest", "dump.jsonl"];
        run(folder.path(), &arguments, b"")
    };
    let failed = ingest(data);
    assert_eq!(failed.code, 2, "{}{}", failed.out, failed.said);
    assert!(failed.said.contains("disk is full"), "{}", failed.said);
    // More space: the same folder elsewhere.
    let roomy = folder.path().join("data");
    let copied = Command::new("cp").arg("-r").arg(data).arg(&roomy).status();
    assert!(copied.unwrap().success());
    ingest(roomy.to_str().unwrap()).done();
    let stats = run(folder.path(), &["corpus", "stats", "--json"], b"").json();
    assert_eq!(stats["works"], WORKS);
    run(folder.path(), &["index", "verify"], b"").done();
}

#[cfg(target_os = "linux")]
#[test]
fn few_file_descriptors_suffice_despite_idle_connections() {
    let place = Place::new("");
    let server = serve_after(place.path(), "ulimit -n 64; ");
    wait_until(|| server.log().contains("file descriptors"));
    let mut idle: Vec<TcpStream> = Vec::new();
    for _ in 0..200 {
        idle.extend(TcpStream::connect(&server.address));
    }
    assert_eq!(server.get("/healthz").as_deref(), Some("ok\n"));
    let query = "/api/v1/styles/search?q=apa";
    assert!(server.get(query).is_some_and(|found| found.contains("apa")));
    // The older ones were let go.
    let mut first = idle.remove(0);
    assert_eq!(first.read(&mut [0; 1]).unwrap_or(0), 0);
}

#[test]
fn corpus_is_compacted_while_no_server_runs() {
    let place = Place::new("");
    let leaves = |n: usize| -> String {
        let leaf = |word| format!("{:x} ", (n * 7_919 + word) * 2_654_435_761);
        (0..200).map(leaf).collect()
    };
    let book = |n| {
        let text = leaves(n);
        format!("TY  - BOOK\nTI  - Tree {n}\nDO  - 10.1000/{n}\nAB  - {text}\nER  - \n")
    };
    let books: String = (0..1_000).map(book).collect();
    std::fs::write(place.path().join("books.ris"), books).unwrap();
    place.done(&["ingest", "books.ris"]);
    let dois: Vec<String> = (0..900).map(|n| format!("10.1000/{n}")).collect();
    let mut delete = vec!["corpus", "delete"];
    delete.extend(dois.iter().map(String::as_str));
    place.done(&delete);
    let server = serve(place.path());
    let refused = place.run(&["corpus", "compact"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.said.contains("another server is running"),
        "{}",
        refused.said
    );
    drop(server);
    let sizes: serde_json::Value =
        serde_json::from_str(&place.done(&["corpus", "compact", "--json"])).unwrap();
    let of = |when: &str, part: &str| sizes[when][part].as_u64().unwrap();
    assert!(
        of("after", "database") < of("before", "database"),
        "{sizes}"
    );
    assert!(of("after", "index") <= of("before", "index"), "{sizes}");
    place.done(&["index", "verify"]);
    let stats: serde_json::Value =
        serde_json::from_str(&place.done(&["corpus", "stats", "--json"])).unwrap();
    assert_eq!(
        (&stats["works"], &stats["indexed"]),
        (&json!(100), &json!(100))
    );
    let users = place.done(&["user", "list"]);
    assert!(users.contains("before@example.org"));
}
