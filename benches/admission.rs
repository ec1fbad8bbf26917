//! The cost of authentication and quotas. DOI lookups over HTTP with an API key keep every core busy; in
//! alternation, one thread does only the work of the gate for a lookup. The gate's share of the CPU time
//! per lookup is the reduction of the lookup rate. Target: at most 15 %.
//!
//! `cargo bench --bench admission`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unreachable,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod support;

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use citation::app::App;
use citation::auth::principal::Credential;
use citation::config::Config;
use citation::quota::{BurstKey, Charge, Payer, Subject};
use citation_model::plan::Plan;
use support::{Server, read_reply};

const CONNECTIONS: usize = 32;
const ROUND: Duration = Duration::from_secs(3);
const ROUNDS: usize = 5;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let data = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.data.dir = data.path().to_path_buf();
    config.lookup.doi_order.clear();
    config.quota.academic_daily = 1_000_000_000;
    config.limits.credential_per_minute = 1_000_000_000;
    let app = App::open(config).unwrap();
    app.start_background().unwrap();
    let key = support::new_key(&app, Plan::Academic);
    let server = Server::start(&app);
    let address = server.address;

    let cores = std::thread::available_parallelism().map_or(1.0, |cores| usize::from(cores) as f64);
    let mut shares = Vec::new();
    for round in 0..=ROUNDS {
        let lookups = in_threads(CONNECTIONS, |count, end| look_up(address, &key, count, end));
        let gates = in_threads(1, |count, end| admit(&app, &key, count, end));
        if round == 0 {
            continue;
        }
        // A lookup takes `cores / lookups` seconds of a core, the gate's share `1 / gates`.
        let share = lookups / gates / cores;
        println!(
            "round {round}: {lookups:.0} lookups/s, {gates:.0} admissions/s: {:.1} %",
            share * 100.0
        );
        shares.push(share);
    }
    shares.sort_by(f64::total_cmp);
    let median = shares.get(shares.len() / 2).copied().unwrap_or_default();
    println!(
        "authentication and quota: {:.1} % of a lookup (target: at most 15 %)",
        median * 100.0
    );
    app.close();
}

/// Runs a job in several threads for one round; returns how often it was done per second.
fn in_threads(threads: usize, job: impl Fn(&AtomicU64, Instant) + Sync) -> f64 {
    let count = AtomicU64::new(0);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| job(&count, began + ROUND));
        }
    });
    count.into_inner() as f64 / began.elapsed().as_secs_f64()
}

/// Requests one work repeatedly over one connection.
fn look_up(address: SocketAddr, key: &str, count: &AtomicU64, end: Instant) {
    let body = r#"{"doi":"10.1038/171737a0"}"#;
    let request = format!(
        "POST /api/v1/lookup/doi HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut buffer = Vec::new();
    while Instant::now() < end {
        stream.write_all(request.as_bytes()).unwrap();
        read_reply(&mut stream, &mut buffer);
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// The work of the gate for one lookup: key, burst, lookup reserved and counted, call counted, headers.
fn admit(app: &App, key: &str, count: &AtomicU64, end: Instant) {
    while Instant::now() < end {
        for _ in 0..100 {
            let principal = app.auth.by_api_key(key).unwrap().unwrap();
            let Credential::ApiKey { id, .. } = principal.credential else {
                unreachable!()
            };
            let account = &principal.account;
            let subject = Subject::User(account.id);
            let limit = app.quota.burst_per_minute(subject, account.plan);
            let taken = app.quota.take_burst(BurstKey::ApiKey(id), limit);
            assert!(taken.allowed);
            let payer = Payer {
                subject,
                plan: account.plan,
                metered: Some(account.id),
                cost: Arc::default(),
            };
            let reservation = app.quota.reserve(&payer).unwrap();
            reservation.settle(Charge::Lookup(())).unwrap();
            let status = app.quota.status(subject, account.plan).unwrap();
            std::hint::black_box(status.remaining.to_string());
        }
        count.fetch_add(100, Ordering::Relaxed);
    }
}
