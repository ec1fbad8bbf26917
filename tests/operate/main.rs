//! The service as operators run it: under a service manager, behind proxies, installed. What needs tools
//! that may be missing is a script beside this file, which ends with 77 where they are.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

#[cfg(unix)]
mod notify;

/// How a script ends that could not be run here.
const SKIPPED: i32 = 77;

fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a script in a folder of its own, with the program's path in `CITATION`.
fn script(name: &str, arguments: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let ended = Command::new("bash")
        .arg(top().join("tests/operate").join(name))
        .args(arguments)
        .current_dir(folder.path())
        .env("CITATION", env!("CARGO_BIN_EXE_citation"))
        .env("TOP", top())
        .env("XDG_DATA_HOME", folder.path())
        .env("XDG_CONFIG_HOME", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    match ended.status.code() {
        Some(0) => {}
        Some(SKIPPED) => println!("skipped: {said}"),
        code => panic!("{name} {arguments:?} ended with {code:?}:\n{said}"),
    }
}

#[test]
fn nginx_proxies_service_under_its_name() {
    script("proxy.sh", &["nginx"]);
}

#[test]
fn caddy_proxies_service_under_its_name() {
    script("proxy.sh", &["caddy"]);
}

#[test]
fn unit_is_sandboxed_and_owns_its_files() {
    script("unit.sh", &[]);
}

#[test]
fn documented_installation_works_on_fresh_debian() {
    script("fresh.sh", &[]);
}

/// A server with a data folder of its own, killed when it is dropped.
struct Server(Child);

impl Server {
    fn start(data: &Path, change: impl FnOnce(&mut Command)) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_citation"));
        command
            .args(["--data".as_ref(), data.as_os_str()])
            .args(["serve", "--listen", "127.0.0.1:0"])
            .current_dir(data)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        change(&mut command);
        Server(command.spawn().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
