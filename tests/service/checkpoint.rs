//! `citation verify --checkpoint`: a run that is killed goes on where it was.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::http_stand_in::{Reply, Request, StandIn};
use crate::support::program::{Run, run};
use crate::support::waiting::wait_until;

const WORKS: usize = 8;
/// The work at which the first run hangs.
const HANGS_AT: usize = 5;

fn title(n: usize) -> String {
    let seas = [
        "Aral", "Baltic", "Caspian", "Dead", "Red", "White", "Yellow", "Black",
    ];
    format!("Tidal sediments along the {} sea coast", seas[n])
}

fn doi(n: usize) -> String {
    format!("10.5555/tide{n}")
}

/// The works as two bibliographies in one folder.
fn write_papers(folder: &Path) {
    fs::create_dir(folder.join("papers")).unwrap();
    for (name, numbers) in [("a.bib", 0..4), ("b.bib", 4..WORKS)] {
        let entries = numbers.map(|n| {
            format!(
                "@article{{tide{n}, author={{Doe, Jo}}, title={{{}}}, journal={{Journal of Tides}}, \
                 year={{2001}}, doi={{{}}}}}\n",
                title(n),
                doi(n)
            )
        });
        fs::write(
            folder.join("papers").join(name),
            entries.collect::<String>(),
        )
        .unwrap();
    }
}

fn record(n: usize) -> Reply {
    let body = json!({"status": "ok", "message": {"DOI": doi(n), "type": "journal-article",
        "title": [title(n)], "author": [{"family": "Doe", "given": "Jo"}],
        "container-title": ["Journal of Tides"], "issued": {"date-parts": [[2001]]}}});
    Reply::json(body.to_string())
}

/// The number of the work whose record is asked for.
fn asked(request: &Request) -> Option<usize> {
    request
        .path()
        .rsplit_once("/works/10.5555/tide")?
        .1
        .parse()
        .ok()
}

/// Crossref; hangs when asked for the work at this number or a later one.
fn crossref(hangs_at: usize) -> StandIn {
    StandIn::start(move |request| match asked(request) {
        Some(n) if n >= hangs_at => Reply::Hang,
        Some(n) => record(n),
        None => Reply::json(json!({"status": "ok", "message": {"items": []}}).to_string()),
    })
}

/// Settings with Crossref as the only provider.
fn write_settings(folder: &Path, crossref: &StandIn) {
    let shipped = include_str!("../../citation.toml");
    let names = shipped.lines().filter_map(|line| {
        let name = line.strip_prefix("[providers.")?;
        name.strip_suffix(']')
    });
    let sections = names.map(|name| {
        let setting = match name {
            "crossref" => format!(
                "base_url = \"{}\"\ntimeout_ms = 30000\nretries = 0",
                crossref.url()
            ),
            _ => "enabled = false".to_owned(),
        };
        format!("[providers.{name}]\n{setting}\n")
    });
    let budget = "[lookup]\nbudget_ms = 30000\n".to_owned();
    let text: String = std::iter::once(budget).chain(sections).collect();
    fs::write(folder.join("citation.toml"), text).unwrap();
}

const ARGUMENTS: [&str; 10] = [
    "verify",
    "papers",
    "--init",
    "--config",
    "citation.toml",
    "--threads",
    "1",
    "--to",
    "jsonl",
    "--data",
];

fn verify(folder: &Path, data: &str, further: &[&str]) -> Run {
    run(folder, &[&ARGUMENTS, &[data][..], further].concat(), b"")
}

/// A run that goes on in the background.
fn start(folder: &Path, data: &str, further: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_citation"))
        .current_dir(folder)
        .env("HOME", folder)
        .args(ARGUMENTS)
        .arg(data)
        .args(further)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The results without the time at which a record was fetched.
fn lines(run: &Run) -> Vec<Value> {
    let lines = run.out.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["match"]["provenance"]["fetched_at"].take();
        line
    });
    lines.collect()
}

#[test]
fn killed_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_papers(folder);
    let whole = crossref(WORKS);
    write_settings(folder, &whole);
    let undisturbed = verify(folder, "data-whole", &[]);
    assert_eq!(
        undisturbed.code, 0,
        "{}{}",
        undisturbed.out, undisturbed.said
    );

    let checkpoint = ["--checkpoint", "run.progress"];
    let hanging = crossref(HANGS_AT);
    write_settings(folder, &hanging);
    let mut process = start(folder, "data", &checkpoint);
    let kept = || fs::read_to_string(folder.join("run.progress")).unwrap_or_default();
    wait_until(|| {
        let asks = hanging.requests();
        asks.iter().any(|request| asked(request) == Some(HANGS_AT))
    });
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(
        kept().lines().count(),
        HANGS_AT + 1,
        "settings and verdicts"
    );

    // Another data folder: what the first run had stored does not help.
    let answering = crossref(WORKS);
    write_settings(folder, &answering);
    let resumed = verify(
        folder,
        "data-other",
        &[
            &checkpoint[..],
            &["--report", "report.json", "--report", "report.html"],
        ]
        .concat(),
    );
    assert_eq!(resumed.code, 0, "{}{}", resumed.out, resumed.said);
    let said = format!("{HANGS_AT} of {WORKS} references were checked by an interrupted run");
    assert!(resumed.said.contains(&said), "{}", resumed.said);
    assert_eq!(lines(&resumed), lines(&undisturbed));
    let mut asks: Vec<usize> = answering.requests().iter().filter_map(asked).collect();
    asks.dedup();
    assert_eq!(asks, (HANGS_AT..WORKS).collect::<Vec<_>>());
    let report: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["run"]["from_checkpoint"], HANGS_AT);
    assert_eq!(report["summary"], json!({"verified": WORKS}));
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    let rows = page.matches("<li class=\"verdict verified\">").count();
    assert_eq!(rows, WORKS, "{page}");

    // Nothing is left to ask for.
    let silent = crossref(0);
    write_settings(folder, &silent);
    let again = verify(folder, "data-other", &checkpoint);
    assert_eq!(lines(&again), lines(&undisturbed));
    assert_eq!(silent.requests().len(), 0);
    let refused = verify(
        folder,
        "data-other",
        &[&checkpoint[..], &["--local-only"]].concat(),
    );
    assert_eq!(refused.code, 2, "{}", refused.said);
    assert!(refused.said.contains("other settings"), "{}", refused.said);
}
