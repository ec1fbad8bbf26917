//! The cost of hostile requests and their effect on others: sends each row of the table in `tests/hostile`
//! 64 times concurrently, and measures a list of styles and a DOI lookup meanwhile. `cargo bench --bench
//! hostile -- PART` sends the rows whose name contains PART, `-- --from PART` all from the first such row on. Fails if a
//! row delays light requests or ends the process.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "../tests/hostile/rows.rs"]
mod rows;
#[path = "../tests/hostile/server.rs"]
mod server;
#[path = "../tests/service/support/server_process.rs"]
mod server_process;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use server::Server;

const AT_ONCE: usize = 64;

/// The latency limit for 99 of 100 light requests.
const LIGHT: Duration = Duration::from_millis(250);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    let wanted = wanted.map_or("", String::as_str);
    let all_after = arguments.iter().any(|argument| argument == "--from");
    let mut rows = rows::all();
    if all_after {
        let first = rows.iter().position(|row| row.name.contains(wanted));
        rows.drain(..first.unwrap_or(rows.len()));
    } else {
        rows.retain(|row| row.name.contains(wanted));
    }
    println!(
        "| row | styles p99 ms | doi p99 ms | CPU s a request | memory MiB a request | held MiB |"
    );
    println!("|---|---|---|---|---|---|");
    let mut server = Server::start();
    let (mut slow, mut ended) = (0, 0);
    for row in &rows {
        let body = (row.body)();
        let path = server.path(row);
        let (cpu, memory) = (server.cpu(), server.memory());
        let is_over = AtomicBool::new(false);
        let (styles, lookups) = std::thread::scope(|scope| {
            let server = &server;
            let is_over = &is_over;
            let styles = scope.spawn(|| {
                waits(is_over, || {
                    server.send("GET", "/api/v1/styles", "", b"").is_some()
                })
            });
            let lookups = scope.spawn(|| {
                waits(is_over, || {
                    let doi = br#"{"doi":"10.1038/171737a0"}"#;
                    server
                        .send("POST", "/api/v1/lookup/doi", "application/json", doi)
                        .is_some()
                })
            });
            let (path, body) = (&path, &body);
            let (method, content_type) = (row.method, row.content_type);
            let sent: Vec<_> = (0..AT_ONCE)
                .map(|_| scope.spawn(move || server.send(method, path, content_type, body)))
                .collect();
            sent.into_iter().for_each(|sent| drop(sent.join()));
            is_over.store(true, Relaxed);
            (styles.join().unwrap(), lookups.join().unwrap())
        });
        let cpu = server.cpu().saturating_sub(cpu).as_secs_f64() / AT_ONCE as f64;
        let memory = server.peak_memory().saturating_sub(memory) as f64
            / f64::from(1 << 20)
            / AT_ONCE as f64;
        let is_slow = styles > LIGHT || lookups > LIGHT;
        slow += usize::from(is_slow);
        println!(
            "| {} {}{} | {} | {} | {cpu:.3} | {memory:.1} | {} |",
            row.name,
            row.path,
            if is_slow { " (slow)" } else { "" },
            styles.as_millis(),
            lookups.as_millis(),
            server.memory() >> 20,
        );
        if server.revive() {
            ended += 1;
            println!("the process ended");
        }
    }
    println!(
        "\n{slow} rows delayed light requests by more than {} ms, {ended} ended the process",
        LIGHT.as_millis()
    );
    match slow + ended {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Sends requests until `is_over`; returns the maximum wait of 99 of 100. An unanswered request waits for
/// ever.
fn waits(is_over: &AtomicBool, ask: impl Fn() -> bool) -> Duration {
    let mut waits = Vec::new();
    while !is_over.load(Relaxed) || waits.len() < 10 {
        let began = Instant::now();
        waits.push(if ask() {
            began.elapsed()
        } else {
            Duration::MAX
        });
    }
    waits.sort();
    waits[(waits.len() - 1) * 99 / 100]
}
