//! Accounts with the real program: the command line beside a running server, and a server
//! killed under load.

use crate::support::waiting::wait_until;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// A data directory with a configuration of its own.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let settings = "[limits]\ncredential_per_minute = 10000000\n\
                    [auth]\npassword_memory_kib = 8192\npassword_passes = 1\n\
                    [lookup]\ndoi_order = []\n";
    std::fs::write(directory.path().join("citation.toml"), settings).unwrap();
    text(directory.path(), &["--init", "config", "check"]);
    directory
}

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_citation"));
    command
        .arg("--data")
        .arg(data)
        .args(arguments)
        .current_dir(data);
    command
}

fn run(data: &Path, arguments: &[&str]) -> Output {
    command(data, arguments).output().unwrap()
}

/// Runs a command that must succeed and gives what it prints.
#[track_caller]
fn text(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn json_of(data: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&text(data, arguments)).unwrap()
}

/// A running server.
struct Server {
    process: Child,
    url: String,
    /// What it has said up to now.
    words: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Server {
    fn start(data: &Path) -> Server {
        let mut process = command(data, &["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let words = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&words);
        let reader = std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                heard.lock().unwrap().push_str(&format!("{line}\n"));
            }
        });
        let mut server = Server {
            process,
            url: String::new(),
            words,
            reader: Some(reader),
        };
        server.url = server.wait_for("listening on ", "http://");
        server
    }

    /// Waits until the server has said a sentence, and gives the first word after it that begins
    /// as it should.
    fn wait_for(&self, sentence: &str, beginning: &str) -> String {
        for _ in 0..6_000 {
            let words = self.words.lock().unwrap().clone();
            let after = words.split_once(sentence).map_or("", |(_, after)| after);
            // A whole line is there when the next one has begun, or its own end has come.
            let word = after
                .split_whitespace()
                .find(|word| word.starts_with(beginning));
            if let Some(word) = word.filter(|_| after.contains('\n')) {
                return word.to_owned();
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("“{sentence}” is not in {}", self.words.lock().unwrap());
    }

    /// Ends the server and gives everything that it said.
    fn end(mut self) -> String {
        self.kill();
        self.reader.take().unwrap().join().unwrap();
        self.words.lock().unwrap().clone()
    }

    fn status(&self, path: &str, key: &str) -> u16 {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .into();
        let bearer = format!("Bearer {key}");
        let reply = agent
            .get(format!("{}{path}", self.url))
            .header("authorization", bearer)
            .call();
        reply.unwrap().status().as_u16()
    }

    fn me(&self, key: &str) -> Value {
        let reply = ureq::get(format!("{}/api/v1/me", self.url))
            .header("authorization", format!("Bearer {key}"))
            .call();
        reply.unwrap().body_mut().read_json().unwrap()
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn command_line_changes_apply_to_running_server() {
    let directory = directory();
    let data = directory.path();
    let server = Server::start(data);
    let add = [
        "user",
        "add",
        "a@example.org",
        "--plan",
        "academic",
        "--api-key",
        "--json",
    ];
    let made = json_of(data, &add);
    assert_eq!(
        (&made["email"], &made["plan"]),
        (&json!("a@example.org"), &json!("Academic"))
    );
    assert!(made["id"].as_str().is_some_and(|id| id.len() == 36));
    let key = made["api_key"].as_str().unwrap();
    assert!(key.starts_with("ck_"));
    assert_eq!(
        run(data, &add).status.code(),
        Some(2),
        "the address is taken"
    );
    assert_eq!(server.me(key)["plan"], "Academic");

    text(data, &["user", "set-plan", "A@Example.org", "business"]);
    assert_eq!(server.me(key)["plan"], "Business");
    text(data, &["user", "disable", "a@example.org"]);
    assert_eq!(server.status("/api/v1/me", key), 401);
    text(data, &["user", "enable", "a@example.org"]);
    assert_eq!(server.status("/api/v1/me", key), 200);
    let second = json_of(
        data,
        &[
            "user",
            "api-key",
            "a@example.org",
            "--scopes",
            "read",
            "--json",
        ],
    );
    assert_eq!(
        server.status("/api/v1/me", second["api_key"].as_str().unwrap()),
        200
    );
    let shown = json_of(data, &["user", "show", "a@example.org", "--json"]);
    assert_eq!(shown["api_keys"].as_array().map(Vec::len), Some(2));
    assert!(!shown.to_string().contains(key));
    let reset = text(data, &["user", "reset-password", "a@example.org"]);
    assert!(
        reset.contains("ended the password, 0 sessions, 2 API keys, 0 linked identities, 1 unused")
            && reset.contains("/auth/link?token=cl_"),
        "{reset}"
    );
    assert_eq!(server.status("/api/v1/me", key), 401);
    let again = json_of(data, &["user", "reset-password", "a@example.org", "--json"]);
    assert_eq!(
        again["ended"],
        json!({"sessions": 0, "api_keys": 0, "identities": 0, "links": 1})
    );
    assert!(text(data, &["user", "list"]).contains("a@example.org"));
    assert_eq!(
        run(data, &["user", "show", "nobody@example.org"])
            .status
            .code(),
        Some(1)
    );
    assert_eq!(
        run(data, &["user", "set-plan", "a@example.org", "gold"])
            .status
            .code(),
        Some(2)
    );

    let mut child = command(data, &["user", "add", "b@example.org", "--password-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"correct horse battery\n")
        .unwrap();
    let printed = child.wait_with_output().unwrap();
    assert!(printed.status.success() && !String::from_utf8_lossy(&printed.stdout).contains("link"));

    text(data, &["user", "delete", "a@example.org", "--yes"]);
    assert_eq!(server.status("/api/v1/me", key), 401);
    let log = text(data, &["audit", "--json"]);
    for action in [
        "user.create",
        "api_key.create",
        "user.plan",
        "user.disable",
        "user.delete",
    ] {
        assert!(
            log.contains(&format!("\"action\":\"{action}\"")),
            "{action}: {log}"
        );
    }
    assert!(text(data, &["audit", "--action", "user.plan"]).contains("from=Academic to=Business"));

    let second = run(data, &["serve", "--listen", "127.0.0.1:0"]);
    let errors = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(2));
    assert!(errors.contains("another server is running"), "{errors}");
}

#[test]
fn backup_of_running_server_is_restored() {
    let directory = directory();
    let data = directory.path();
    let server = Server::start(data);
    text(
        data,
        &["user", "add", "a@example.org", "--plan", "academic"],
    );
    let copies = tempfile::tempdir().unwrap();
    let file = copies.path().join("monday.db");
    let made = json_of(data, &["backup", file.to_str().unwrap(), "--json"]);
    assert_eq!(made["bytes"], std::fs::metadata(&file).unwrap().len());
    let again = run(data, &["backup", file.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("already exists"));
    drop(server);

    let restored = tempfile::tempdir().unwrap();
    let empty = run(restored.path(), &["backup", file.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&empty.stderr).contains("no database in"));
    std::fs::rename(&file, restored.path().join("citation.db")).unwrap();
    let shown = json_of(
        restored.path(),
        &["user", "show", "a@example.org", "--json"],
    );
    assert_eq!(shown["plan"], "Academic");
}

#[test]
fn fresh_server_prints_a_link_for_the_first_account() {
    let directory = directory();
    let server = Server::start(directory.path());
    let link = server.wait_for("makes the first one:", "http://");
    assert!(link.contains("/auth/link?token=cl_"), "{link}");
    assert_eq!(ureq::get(&link).call().unwrap().status(), 200);
    server.end();
    text(directory.path(), &["user", "add", "a@example.org"]);
    let server = Server::start(directory.path());
    // It answers, so it has said what it says at its start.
    assert_eq!(server.status("/api/health", "none"), 200);
    let words = server.end();
    assert!(!words.contains("/auth/link"), "{words}");
}

#[test]
fn server_killed_under_load_keeps_acknowledged_counts() {
    let directory = directory();
    let data = directory.path();
    let made = json_of(
        data,
        &[
            "user",
            "add",
            "a@example.org",
            "--plan",
            "academic",
            "--api-key",
            "--json",
        ],
    );
    let key = made["api_key"].as_str().unwrap();
    let (tried, answered) = (AtomicU64::new(0), AtomicU64::new(0));
    for _ in 0..2 {
        let mut server = Server::start(data);
        let before = answered.load(Ordering::SeqCst);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let url = format!("{}/api/v1/lookup/doi", server.url);
                let (tried, answered) = (&tried, &answered);
                scope.spawn(move || {
                    loop {
                        tried.fetch_add(1, Ordering::SeqCst);
                        let reply = ureq::post(&url)
                            .header("authorization", format!("Bearer {key}"))
                            .send_json(json!({"doi": "10.1038/171737a0"}));
                        match reply {
                            Ok(reply) => assert_eq!(reply.status(), 200),
                            Err(_) => return,
                        }
                        answered.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
            wait_until(|| answered.load(Ordering::SeqCst) >= before + 300);
            server.kill();
        });
    }
    let bounds = answered.into_inner()..=tried.into_inner();
    // With no server at all, the report finds what the killed one had counted.
    let month = |server: Option<&Server>| {
        let report = json_of(data, &["usage", "report", "--format", "json"]);
        let calls = report["total_calls"].as_u64().unwrap();
        assert!(bounds.contains(&calls), "{calls} in {bounds:?}");
        if let Some(server) = server {
            let me = server.me(key);
            assert_eq!(me["monthly"]["used"], calls);
            let used = me["lookups"]["used"].as_u64().unwrap();
            assert!(bounds.contains(&used), "{used} in {bounds:?}");
        }
        report
    };
    let report = month(None);
    assert_eq!(report["accounts"][0]["email"], "a@example.org");
    let server = Server::start(data);
    month(Some(&server));
    let csv = text(data, &["usage", "report", "--format", "csv"]);
    let line = csv.lines().nth(1).unwrap();
    assert!(line.contains(",a@example.org,Academic,10000,"), "{csv}");
    let empty = text(
        data,
        &["usage", "report", "--month", "2001-02", "--format", "csv"],
    );
    assert_eq!(empty.lines().count(), 1);
    assert_eq!(
        run(data, &["usage", "report", "--month", "2026-13"])
            .status
            .code(),
        Some(2)
    );
}

/// Every file and folder of a data directory, the directory itself included.
#[cfg(unix)]
fn all_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(all_in(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

#[cfg(unix)]
#[test]
fn data_directory_is_private() {
    use std::os::unix::fs::PermissionsExt;

    let directory = directory();
    let data = directory.path();
    let set = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(data, 0o755);
    let check = || {
        for path in all_in(data) {
            let metadata = std::fs::metadata(&path).unwrap();
            let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
            let mode = metadata.permissions().mode() & 0o777;
            assert_eq!(mode, expected, "{mode:o} {}", path.display());
        }
    };
    let use_it = || {
        let server = Server::start(data);
        // The second time there is one.
        run(data, &["user", "add", "a@example.org"]);
        let key = json_of(data, &["user", "api-key", "a@example.org", "--json"]);
        let key = key["api_key"].as_str().unwrap();
        // A counted lookup writes the journal; the starter corpus has made the index.
        let url = format!("{}/api/v1/lookup/doi", server.url);
        let reply = ureq::post(&url)
            .header("authorization", format!("Bearer {key}"))
            .send_json(json!({"doi": "10.1038/171737a0"}));
        assert_eq!(reply.unwrap().status(), 200);
        check();
    };
    use_it();
    let names: Vec<String> = all_in(data)
        .iter()
        .map(|path| path.strip_prefix(data).unwrap().display().to_string())
        .collect();
    for name in [
        "citation.db",
        "citation.db-wal",
        "citation.db-shm",
        "usage/lock",
        "index/meta.json",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    // What an earlier version left open is closed at the next start; what is not ours is left.
    for path in all_in(data) {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        set(&path, mode);
    }
    let foreign = tempfile::NamedTempFile::new().unwrap();
    set(foreign.path(), 0o644);
    std::os::unix::fs::symlink(foreign.path(), data.join("citation.link")).unwrap();
    run(data, &["user", "list"]);
    std::fs::remove_file(data.join("citation.link")).unwrap();
    let mode = std::fs::metadata(foreign.path())
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o644);
    check();
    use_it();
}
