//! The pre-commit hook and the step of the GitHub action, as configured in their files, with this
//! program on the path.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::list;
use serde_json::Value;

const GOOD: &str = "@article{watson, author={Watson, J. D. and Crick, F. H. C.}, \
    title={Molecular Structure of Nucleic Acids}, journal={Nature}, year={1953}, \
    doi={10.1038/171737a0}}\n";
const UNKNOWN: &str = "@article{nobody, author={Nobody, N.}, title={A work that nobody wrote}, \
    journal={Journal of Nothing}, year={2019}}\n";

/// A folder with a manuscript and its bibliography.
fn papers(bibliography: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "---\nbibliography: refs.bib\n---\nAs was shown [@watson].\n";
    std::fs::write(folder.path().join("paper.md"), text).unwrap();
    std::fs::write(folder.path().join("refs.bib"), bibliography).unwrap();
    folder
}

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// A shell in the folder, whose home and temporary files are elsewhere.
fn shell(folder: &Path, elsewhere: &Path, name: &str, arguments: &[&str]) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_citation")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new(name);
    shell
        .args(arguments)
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", elsewhere)
        .env_remove("XDG_CACHE_HOME")
        .env("RUNNER_TEMP", elsewhere);
    shell
}

/// The last step of the action.
fn verify_step(folder: &Path, elsewhere: &Path, fail: &str) -> Output {
    let action = file("action.yml");
    let step = action.rsplit("run: |\n").next().unwrap();
    shell(folder, elsewhere, "bash", &["-e", "-c", step])
        .env("FILES", "paper.md *.bib")
        .env("SARIF", "log.sarif")
        .env("DATA", "")
        .env("FAIL", fail)
        .output()
        .unwrap()
}

#[test]
fn action_writes_log_and_fails_on_findings() {
    let check = |bibliography: &str, fail: &str, code: i32, rules: &[&str]| {
        let (folder, elsewhere) = (papers(bibliography), tempfile::tempdir().unwrap());
        let ran = verify_step(folder.path(), elsewhere.path(), fail);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(code), "{said}");
        let log = std::fs::read(folder.path().join("log.sarif")).unwrap();
        let log: Value = serde_json::from_slice(&log).unwrap();
        let results = list(&log["runs"][0]["results"]);
        let mut found: Vec<&str> = results
            .iter()
            .map(|r| r["ruleId"].as_str().unwrap())
            .collect();
        found.dedup();
        assert_eq!(found, rules, "{log}");
        assert!(!folder.path().join("data").exists());
    };
    check(GOOD, "true", 0, &[]);
    let both = format!("{GOOD}{UNKNOWN}");
    check(&both, "true", 1, &["not_found", "uncited_entry"]);
    check(&both, "false", 0, &["not_found", "uncited_entry"]);
    let (empty, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let ran = verify_step(empty.path(), elsewhere.path(), "false");
    assert_eq!(ran.status.code(), Some(2));
}

#[test]
fn hook_checks_given_files() {
    let hooks = file(".pre-commit-hooks.yaml");
    let entry = hooks
        .lines()
        .find_map(|line| line.trim().strip_prefix("entry: "))
        .unwrap();
    let check = |bibliography: &str, code: i32, says: &str| {
        let (folder, elsewhere) = (papers(bibliography), tempfile::tempdir().unwrap());
        let line = format!("{entry} paper.md refs.bib");
        let ran = shell(folder.path(), elsewhere.path(), "sh", &["-c", &line])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(
            ran.status.code(),
            Some(code),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        assert!(said.contains(says), "{said}");
        assert!(!folder.path().join("data").exists());
        assert!(elsewhere.path().join(".cache/citation").exists());
    };
    check(GOOD, 0, "");
    check(&format!("{GOOD}{UNKNOWN}"), 1, "not_found");
}

/// A file in a repository that others may add to is never an option of the program.
#[test]
fn files_named_like_options_are_files() {
    let (folder, elsewhere) = (papers(GOOD), tempfile::tempdir().unwrap());
    let name = "--config=evil.bib";
    std::fs::write(folder.path().join(name), UNKNOWN).unwrap();
    let ran = verify_step(folder.path(), elsewhere.path(), "true");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{said}");
    let log = std::fs::read_to_string(folder.path().join("log.sarif")).unwrap();
    assert!(log.contains("config=evil.bib"), "{log}");
    let hooks = file(".pre-commit-hooks.yaml");
    let entry = hooks
        .lines()
        .find_map(|line| line.trim().strip_prefix("entry: "))
        .unwrap();
    let line = format!("{entry} {name} refs.bib");
    let ran = shell(folder.path(), elsewhere.path(), "sh", &["-c", &line])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("not_found"),
        "{said}"
    );
}
