//! Build time: the commit that a release is built from. A debug build does without, so that a commit
//! alone recompiles nothing.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = is_release.then(commit).flatten();
    let commit = commit.as_deref().unwrap_or("unknown");
    println!("cargo::rustc-env=CITATION_COMMIT={commit}");
}

/// The commit, shortened; nothing outside a checkout.
fn commit() -> Option<String> {
    // The log of HEAD grows with every commit, check-out and amendment.
    for file in [".git/HEAD", ".git/logs/HEAD"] {
        if Path::new(file).exists() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    let answer = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output()
        .ok()?;
    let hash = String::from_utf8(answer.stdout).ok()?;
    let is_known = answer.status.success() && Path::new(".git").exists();
    is_known.then(|| hash.trim().to_owned())
}
