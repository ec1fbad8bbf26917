//! Hostile requests against the real program under limits: every request of the table is answered at low
//! cost, and the program survives. `cargo test --release --test hostile`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod fetching;
mod growth;
#[path = "../growth/readers.rs"]
mod readers;
mod rows;
mod server;
#[path = "../service/support/server_process.rs"]
mod server_process;
mod sockets;
mod space;
mod speed;

use std::time::Duration;

use rows::Row;
use server::{Outcome, Server};

/// Slow-down of the program without optimisation.
const SLOWDOWN: u64 = if cfg!(debug_assertions) { 15 } else { 1 };

/// CPU time limit per request.
const CPU: Duration = Duration::from_secs(2 * SLOWDOWN);

/// CPU time limit per document that processes of its own read: theirs, and the request's.
const DOCUMENT_CPU: Duration = Duration::from_secs(5 * SLOWDOWN);

/// Memory limit per request.
const MEMORY_BYTES: u64 = 200 << 20;

/// Maximum length of a response to a hostile request.
const ANSWER_BYTES: u64 = 64 << 20;

/// Sends every row to one server and reports all failures at the end. `CITATION_HOSTILE` selects rows by a
/// part of their name.
fn check(rows: Vec<Row>) {
    check_within(CPU, rows);
}

fn check_within(cpu: Duration, rows: Vec<Row>) {
    let wanted = std::env::var("CITATION_HOSTILE").unwrap_or_default();
    let mut server = Server::start();
    let mut faults = Vec::new();
    let mut sent = 0;
    for row in rows.iter().filter(|row| row.name.contains(&wanted)) {
        sent += 1;
        let mut outcome = server.measure(row, cpu);
        let limit;
        (outcome.cpu, limit) = speed::within(cpu, outcome.cpu, |limit| {
            if server.is_well() {
                server.measure(row, limit).cpu
            } else {
                Duration::MAX
            }
        });
        if std::env::var_os("CITATION_HOSTILE_COSTS").is_some() {
            println!("{} ms {} {}", outcome.cpu.as_millis(), row.name, row.path);
        }
        let mut wrong = wrong(&outcome, limit);
        // The process ends shortly after its connections.
        if outcome.status == 0 || !server.is_well() {
            server.wait_for_end();
        }
        if server.revive() {
            wrong.push("the process ended");
        }
        if !wrong.is_empty() {
            faults.push(format!(
                "{} {}: {}: {outcome:?}",
                row.name,
                row.path,
                wrong.join(", ")
            ));
        }
    }
    let count = faults.len();
    assert!(
        faults.is_empty(),
        "{count} of {sent} rows:\n{}",
        faults.join("\n")
    );
}

fn wrong(outcome: &Outcome, cpu: Duration) -> Vec<&'static str> {
    let checks = [
        (
            // 501 is translation-server's response if nothing is found.
            !(200..500).contains(&outcome.status) && outcome.status != 501,
            "not answered as it should be",
        ),
        (outcome.cpu > cpu, "too much CPU time"),
        (outcome.memory_bytes > MEMORY_BYTES, "too much memory"),
        (outcome.body_bytes > ANSWER_BYTES, "too long an answer"),
    ];
    checks
        .into_iter()
        .filter_map(|(is_wrong, what)| is_wrong.then_some(what))
        .collect()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn formatting_is_bounded() {
    check(rows::formatting());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn styles_are_bounded() {
    check(rows::styling());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn files_are_bounded() {
    check(rows::importing());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn documents_are_bounded() {
    check_within(DOCUMENT_CPU, rows::documents());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn matching_is_bounded() {
    check(rows::matching());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn collections_are_bounded() {
    check(rows::collecting());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn pages_are_bounded() {
    check(rows::posting());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn translations_are_bounded() {
    check(rows::translating());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes many minutes without optimisation")]
fn tools_are_bounded() {
    check(rows::calling());
}
