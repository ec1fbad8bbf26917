//! Accounts with the real program: the command line beside a running server, and a server
//! killed under load.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::support::program::{Run, run, serve};
use crate::support::server_process::ServerProcess;
use crate::support::waiting::{wait_for, wait_until};

/// A new account with a key.
const ADD: &str = "user add a@example.org --plan academic --api-key --json";

/// A folder with a configuration and data.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let settings = "[limits]\ncredential_per_minute = 10000000\n\
                        [auth]\npassword_memory_kib = 8192\npassword_passes = 1\n\
                        [lookup]\ndoi_order = []\n";
        std::fs::write(folder.path().join("citation.toml"), settings).unwrap();
        folder.done("--init config check");
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn serve(&self) -> ServerProcess {
        serve(self.path())
    }

    fn run_with(&self, line: &str, input: &[u8]) -> Run {
        let line = format!("--data data {line}");
        run(self.path(), &line.split(' ').collect::<Vec<_>>(), input)
    }

    fn run(&self, line: &str) -> Run {
        self.run_with(line, b"")
    }

    /// The output of a command that must succeed.
    #[track_caller]
    fn done(&self, line: &str) -> String {
        self.run(line).done()
    }

    #[track_caller]
    fn json(&self, line: &str) -> Value {
        self.run(line).json()
    }
}

fn status(server: &ServerProcess, key: &str) -> u16 {
    let reply = ureq::get(server.url("/api/v1/me"))
        .config()
        .http_status_as_error(false)
        .build()
        .header("authorization", format!("Bearer {key}"))
        .call();
    reply.unwrap().status().as_u16()
}

fn me(server: &ServerProcess, key: &str) -> Value {
    let reply = ureq::get(server.url("/api/v1/me"))
        .header("authorization", format!("Bearer {key}"))
        .call();
    reply.unwrap().body_mut().read_json().unwrap()
}

#[test]
fn command_line_changes_apply_to_running_server() {
    let folder = Folder::new();
    let server = folder.serve();
    let made = folder.json(ADD);
    assert_eq!(
        (&made["email"], &made["plan"]),
        (&json!("a@example.org"), &json!("Academic"))
    );
    assert!(made["id"].as_str().is_some_and(|id| id.len() == 36));
    let key = made["api_key"].as_str().unwrap();
    assert!(key.starts_with("ck_"));
    assert_eq!(folder.run(ADD).code, 2, "the address is taken");
    assert_eq!(me(&server, key)["plan"], "Academic");

    folder.done("user set-plan A@Example.org business");
    assert_eq!(me(&server, key)["plan"], "Business");
    folder.done("user disable a@example.org");
    assert_eq!(status(&server, key), 401);
    folder.done("user enable a@example.org");
    assert_eq!(status(&server, key), 200);
    let second = folder.json("user api-key a@example.org --scopes read --json");
    assert_eq!(status(&server, second["api_key"].as_str().unwrap()), 200);
    let shown = folder.json("user show a@example.org --json");
    assert_eq!(shown["api_keys"].as_array().map(Vec::len), Some(2));
    assert!(!shown.to_string().contains(key));
    let reset = folder.done("user reset-password a@example.org");
    assert!(
        reset.contains(
            "ended the password, 0 sessions, 2 API keys, 0 programs, 0 linked identities, 1 unused"
        ) && reset.contains("/auth/link?token=cl_"),
        "{reset}"
    );
    assert_eq!(status(&server, key), 401);
    let again = folder.json("user reset-password a@example.org --json");
    assert_eq!(
        again["ended"],
        json!({"sessions": 0, "api_keys": 0, "programs": 0, "identities": 0, "links": 1})
    );
    assert!(folder.done("user list").contains("a@example.org"));
    folder.done("user delete a@example.org --yes");
    assert_eq!(status(&server, key), 401);
    let log = folder.done("audit --json");
    for action in [
        "user.create",
        "api_key.create",
        "user.plan",
        "user.disable",
        "user.delete",
    ] {
        let written = format!("\"action\":\"{action}\"");
        assert!(log.contains(&written), "{action}: {log}");
    }
    let plans = folder.done("audit --action user.plan");
    assert!(plans.contains("from=Academic to=Business"));
}

#[test]
fn wrong_commands_are_rejected_beside_a_running_server() {
    let folder = Folder::new();
    let _server = folder.serve();
    assert_eq!(folder.run("user show nobody@example.org").code, 1);
    folder.done(ADD);
    assert_eq!(folder.run("user set-plan a@example.org gold").code, 2);
    let second = folder.run("serve --listen 127.0.0.1:0");
    assert_eq!(second.code, 2);
    assert!(
        second.said.contains("another server is running"),
        "{}",
        second.said
    );
}

#[test]
fn account_with_a_password_needs_no_link() {
    let folder = Folder::new();
    let add = "user add b@example.org --password-stdin";
    let printed = folder.run_with(add, b"correct horse battery\n").done();
    assert!(!printed.contains("link"), "{printed}");
}

#[test]
fn backup_of_running_server_is_restored() {
    let folder = Folder::new();
    let server = folder.serve();
    folder.done("user add a@example.org --plan academic");
    let copies = tempfile::tempdir().unwrap();
    let file = copies.path().join("monday.db");
    let backup = format!("backup {}", file.display());
    let made = folder.json(&format!("{backup} --json"));
    assert_eq!(made["bytes"], std::fs::metadata(&file).unwrap().len());
    let again = folder.run(&backup);
    assert_eq!(again.code, 2);
    assert!(again.said.contains("already exists"));
    drop(server);

    let restored = Folder(tempfile::tempdir().unwrap());
    assert!(restored.run(&backup).said.contains("no database in"));
    let data = restored.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::rename(&file, data.join("citation.db")).unwrap();
    let shown = restored.json("user show a@example.org --json");
    assert_eq!(shown["plan"], "Academic");
}

#[test]
fn fresh_server_prints_a_link_for_the_first_account() {
    let folder = Folder::new();
    let server = folder.serve();
    let link = wait_for(|| {
        let output = server.output();
        let (_, after) = output.split_once("makes the first one:")?;
        let mut words = after.split_whitespace();
        words
            .find(|word| word.starts_with("http://"))
            .map(str::to_owned)
    });
    assert!(link.contains("/auth/link?token=cl_"), "{link}");
    assert_eq!(ureq::get(&link).call().unwrap().status(), 200);
    server.end();
    folder.done("user add a@example.org");
    let server = folder.serve();
    // It answers, so it has said what it says at its start.
    assert!(server.get("/api/health").is_some());
    let words = server.end();
    assert!(!words.contains("/auth/link"), "{words}");
}

#[test]
fn server_killed_under_load_keeps_acknowledged_counts() {
    let folder = Folder::new();
    let made = folder.json(ADD);
    let key = made["api_key"].as_str().unwrap();
    let (tried, answered) = (AtomicU64::new(0), AtomicU64::new(0));
    for _ in 0..2 {
        let mut server = folder.serve();
        let before = answered.load(Ordering::SeqCst);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let url = server.url("/api/v1/lookup/doi");
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
    let month = |server: Option<&ServerProcess>| {
        let report = folder.json("usage report --format json");
        let calls = report["total_calls"].as_u64().unwrap();
        assert!(bounds.contains(&calls), "{calls} in {bounds:?}");
        if let Some(server) = server {
            let me = me(server, key);
            assert_eq!(me["monthly"]["used"], calls);
            let used = me["lookups"]["used"].as_u64().unwrap();
            assert!(bounds.contains(&used), "{used} in {bounds:?}");
        }
        report
    };
    let report = month(None);
    assert_eq!(report["accounts"][0]["email"], "a@example.org");
    let server = folder.serve();
    month(Some(&server));
    let csv = folder.done("usage report --format csv");
    let line = csv.lines().nth(1).unwrap();
    assert!(line.contains(",a@example.org,Academic,10000,"), "{csv}");
    let empty = folder.done("usage report --month 2001-02 --format csv");
    assert_eq!(empty.lines().count(), 1);
    assert_eq!(folder.run("usage report --month 2026-13").code, 2);
}

/// Every file and folder of a data directory, the directory itself included.
#[cfg(unix)]
fn all_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(all_in(&entry.path()))
        } else {
            found.push(entry.path())
        }
    }
    found
}

#[cfg(unix)]
#[test]
fn data_directory_is_private() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    let data = &folder.path().join("data");
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
        let server = folder.serve();
        // The second time there is one.
        folder.run("user add a@example.org");
        let key = folder.json("user api-key a@example.org --json");
        let key = key["api_key"].as_str().unwrap();
        // A counted lookup writes the journal; the starter corpus has made the index.
        let url = server.url("/api/v1/lookup/doi");
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
    folder.run("user list");
    std::fs::remove_file(data.join("citation.link")).unwrap();
    let mode = std::fs::metadata(foreign.path())
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o644);
    check();
    use_it();
}
