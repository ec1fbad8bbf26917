//! `citation doctor`: finds each problem and suggests a remedy.

use std::path::Path;

use serde_json::Value;

use crate::support::http_stand_in::{Reply, StandIn};
use crate::support::list;
use crate::support::program::{run, run_line};
use crate::support::providers_off_but;

/// The findings about a subject, and the exit code.
fn examine(folder: &Path) -> (Vec<Value>, i32) {
    let run = run(folder, &["doctor", "--local-only", "--json"], b"");
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.said));
    (list(&report["findings"]).to_vec(), run.code)
}

/// Makes the folder's data.
fn fill(folder: &Path) {
    run_line(folder, "--init --data data corpus stats").done();
}

fn state(findings: &[Value], subject: &str) -> String {
    let finding = findings
        .iter()
        .find(|finding| finding["subject"] == subject);
    finding.map_or_else(String::new, |finding| {
        finding["state"].as_str().unwrap().to_owned()
    })
}

#[test]
fn doctor_accepts_sound_folder() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path());
    let (findings, code) = examine(folder.path());
    assert_eq!(code, 0, "{findings:?}");
    for subject in [
        "configuration",
        "clock",
        "permissions",
        "database",
        "server",
    ] {
        assert_eq!(state(&findings, subject), "ok", "{subject}: {findings:?}");
    }
    assert_eq!(state(&findings, "backups"), "warning");
}

#[test]
fn doctor_reports_problems_and_remedies() {
    let folder = tempfile::tempdir().unwrap();
    let (findings, code) = examine(folder.path());
    assert_eq!((state(&findings, "data").as_str(), code), ("problem", 1));
    assert!(
        !folder.path().join("data").exists(),
        "looking makes nothing"
    );

    fill(folder.path());
    std::fs::remove_dir_all(folder.path().join("data/index")).unwrap();
    assert_eq!(state(&examine(folder.path()).0, "index"), "warning");

    let file = folder.path().join("data/citation.db");
    let mut bytes = std::fs::read(&file).unwrap();
    for byte in bytes.iter_mut().skip(8 * 4096).step_by(5) {
        *byte ^= 0x5a;
    }
    std::fs::write(&file, bytes).unwrap();
    let (findings, code) = examine(folder.path());
    assert_eq!(
        (state(&findings, "database").as_str(), code),
        ("problem", 1),
        "{findings:?}"
    );

    std::fs::write(
        folder.path().join("citation.toml"),
        "[server]\nlisten = 7\n",
    )
    .unwrap();
    assert_eq!(state(&examine(folder.path()).0, "configuration"), "problem");
}

#[test]
fn doctor_reports_reachable_providers() {
    let server = StandIn::start(|_| Reply::status(404));
    let folder = tempfile::tempdir().unwrap();
    let mut config = providers_off_but(&["crossref", "arxiv"]);
    // Nothing listens on the port of an address that was given back.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = gone.local_addr().unwrap();
    drop(gone);
    config += &format!("[providers.crossref]\nbase_url = \"{}\"\n", server.url());
    config += &format!("[providers.arxiv]\nbase_url = \"http://{nobody}\"\nretries = 0\n");
    std::fs::write(folder.path().join("citation.toml"), config).unwrap();
    let run = run(folder.path(), &["doctor", "--json"], b"");
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let findings = list(&report["findings"]);
    assert_eq!(state(findings, "crossref"), "ok", "{findings:?}");
    assert_eq!(state(findings, "arxiv"), "warning", "{findings:?}");
    assert_eq!(state(findings, "loc"), "");
}

#[test]
fn doctor_says_which_provider_lacks_a_key_or_is_refused() {
    let refusing = StandIn::start(|_| Reply::status(403));
    let counting = StandIn::start(|_| {
        Reply::status(404)
            .with_header("x-ratelimit-limit", "1000")
            .with_header("x-ratelimit-remaining", "950")
            .with_header("x-ratelimit-reset", "3600")
    });
    let folder = tempfile::tempdir().unwrap();
    let mut config = providers_off_but(&["openalex", "pubmed", "crossref"]);
    config += "[providers.openalex]\nenabled = true\n";
    config += &format!("[providers.pubmed]\nbase_url = \"{}\"\n", refusing.url());
    config += &format!("[providers.crossref]\nbase_url = \"{}\"\n", counting.url());
    std::fs::write(folder.path().join("citation.toml"), config).unwrap();
    let run = run(folder.path(), &["doctor", "--providers", "--json"], b"");
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.said));
    let findings = list(&report["findings"]);
    let text = |subject: &str, member: &str| {
        let mut findings = findings.iter();
        let finding = findings
            .find(|finding| finding["subject"] == subject)
            .unwrap();
        finding[member].as_str().unwrap_or_default().to_owned()
    };
    assert!(
        text("openalex", "message").contains("it needs an API key"),
        "{findings:?}"
    );
    let remedy = text("openalex", "remedy");
    assert!(
        remedy.contains("CITATION_PROVIDERS__OPENALEX__API_KEY"),
        "{remedy}"
    );
    assert!(
        remedy.contains("https://openalex.org/settings/api"),
        "{remedy}"
    );
    assert_eq!(text("pubmed", "state"), "warning");
    assert!(
        text("pubmed", "remedy").contains("missing or refused"),
        "{findings:?}"
    );
    assert!(
        text("crossref", "message").contains("950 of 1000 left"),
        "{findings:?}"
    );
    assert_eq!(counting.requests().len(), 1, "each once");
}
