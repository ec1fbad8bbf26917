//! Light requests under overload: the latency of a list of styles, a local DOI lookup and the liveness
//! probe while 64 of each of several heavy requests, and of lookups with a hanging provider, are sent
//! concurrently and repeatedly. The server is the program itself, in a separate process.
//!
//! `cargo bench --bench overload [-- SECONDS]`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "../tests/service/support/server_process.rs"]
mod server_process;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use server_process::ServerProcess;

/// The limit for 99 of 100 light requests.
const LIMIT: Duration = Duration::from_millis(250);

/// Number of concurrent requests of each heavy kind.
const AT_ONCE: usize = 64;

fn main() {
    let seconds = std::env::args().skip(1).find_map(|a| a.parse().ok());
    let round = Duration::from_secs(seconds.unwrap_or(20));
    let provider = HangingProvider::start();
    let data = tempfile::tempdir().unwrap();
    let server = start(data.path(), &provider);
    let url = server.url("");
    println!("idle:");
    measure(&url, round / 4, &AtomicBool::new(false));
    for (name, path, body) in heavy_requests() {
        println!("{AT_ONCE} × {name}:");
        load(&url, round, &[(path, body)]);
    }
    println!("all of them:");
    let all: Vec<_> = heavy_requests()
        .into_iter()
        .map(|(_, path, body)| (path, body))
        .collect();
    load(&url, round, &all);
}

/// Name, path and body of the heavy requests.
fn heavy_requests() -> Vec<(&'static str, &'static str, Body)> {
    let entries: Vec<Value> = (0..1_000)
        .map(|n| {
            json!({
                "title": format!("On the {n}th problem of measured servers"),
                "author": [{"family": "Family", "given": "Given A."}, {"family": "Second", "given": "B."}],
                "container-title": "Journal of Bench", "volume": n % 90, "page": "1-12",
                "issued": {"date-parts": [[1950 + n % 70]]}, "type": "article-journal",
            })
        })
        .collect();
    let bibtex: String = (0..2_000)
        .map(|n| format!("@article{{k{n}, title = {{A title of {n}}}, author = {{Family, Given and Second, B.}}, year = {{{}}}}}\n", 1950 + n % 70))
        .collect();
    let text = "Nobody N. A work that is in no source at all. Journal of Nothing 2001;7:1-9.";
    vec![
        (
            "format 1,000 entries",
            "/api/v1/format",
            Body::json(&json!({"entries": entries, "style": "apa"})),
        ),
        (
            "import 2,000 entries",
            "/api/v1/import",
            Body {
                content_type: "application/x-bibtex",
                text: bibtex,
            },
        ),
        (
            "reverse lookup, the provider hangs",
            "/api/v1/reverse",
            Body::json(&json!({"text": text})),
        ),
        (
            "lookup of an unknown DOI, the provider hangs",
            "/api/v1/lookup/doi",
            Body {
                content_type: "application/json",
                text: r#"{"doi":"10.5555/unknown.COUNT"}"#.to_owned(),
            },
        ),
    ]
}

/// A body; `COUNT` is replaced by a new number in each request.
#[derive(Clone)]
struct Body {
    content_type: &'static str,
    text: String,
}

impl Body {
    fn json(value: &Value) -> Body {
        Body {
            content_type: "application/json",
            text: value.to_string(),
        }
    }
}

/// Sends requests from one connection per concurrent request, and measures meanwhile.
fn load(url: &str, round: Duration, requests: &[(&'static str, Body)]) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let is_over = AtomicBool::new(false);
    let (answered, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for (path, body) in requests {
            for _ in 0..AT_ONCE {
                let (is_over, answered, refused) = (&is_over, &answered, &refused);
                scope.spawn(move || {
                    let agent = agent();
                    while !is_over.load(Relaxed) {
                        let count = COUNT.fetch_add(1, Relaxed).to_string();
                        let text = body.text.replace("COUNT", &count);
                        let reply = agent
                            .post(format!("{url}{path}"))
                            .header("content-type", body.content_type)
                            .send(text);
                        let Ok(mut reply) = reply else { continue };
                        let _ = reply.body_mut().read_to_vec();
                        if reply.status() == 503 {
                            refused.fetch_add(1, Relaxed);
                            // Like a client that honours `Retry-After`, but less patient.
                            std::thread::sleep(Duration::from_millis(100));
                        } else {
                            answered.fetch_add(1, Relaxed);
                        }
                    }
                });
            }
        }
        std::thread::sleep(Duration::from_secs(1));
        measure(url, round, &is_over);
    });
    println!(
        "  {} answered, {} refused with 503",
        answered.load(Relaxed),
        refused.load(Relaxed)
    );
}

/// Sends the requests that must always be answered, and prints their latencies.
fn measure(url: &str, round: Duration, is_over: &AtomicBool) {
    let agent = agent();
    let until = Instant::now() + round;
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    while Instant::now() < until {
        for (kind, times) in times.iter_mut().enumerate() {
            let started = Instant::now();
            let reply = match kind {
                0 => agent.get(format!("{url}/api/v1/styles")).call(),
                1 => agent
                    .post(format!("{url}/api/v1/lookup/doi"))
                    .header("content-type", "application/json")
                    .send(r#"{"doi":"10.1038/171737a0"}"#),
                _ => agent.get(format!("{url}/healthz")).call(),
            };
            let is_good = reply.is_ok_and(|mut reply| {
                let is_read = reply.body_mut().read_to_vec().is_ok();
                is_read && reply.status() == 200
            });
            // An error counts like no answer.
            times.push(if is_good {
                started.elapsed()
            } else {
                Duration::MAX
            });
        }
    }
    is_over.store(true, Relaxed);
    for (name, times) in ["style list", "local DOI", "healthz"].iter().zip(times) {
        print_times(name, times);
    }
}

fn print_times(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let verdict = if at(0.99) <= LIMIT { "ok" } else { "TOO SLOW" };
    println!(
        "  {name:<10} {:>6} requests, p50 {:?}, p99 {:?} (limit {LIMIT:?}): {verdict}",
        times.len(),
        at(0.5),
        at(0.99),
    );
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(60)))
        .http_status_as_error(false)
        .build()
        .into()
}

/// A service that accepts connections and never answers.
struct HangingProvider(String);

impl HangingProvider {
    fn start() -> HangingProvider {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let open: Vec<_> = listener.incoming().collect();
            drop(open);
        });
        HangingProvider(format!("http://{address}"))
    }
}

/// The program on a data folder.
fn start(data: &Path, provider: &HangingProvider) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_citation"));
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .current_dir(data)
        .env("CITATION_DATA__DIR", data.join("data"))
        .env("CITATION_LIMITS__ANONYMOUS_PER_MINUTE", "1000000000")
        .env("CITATION_QUOTA__ANONYMOUS_DAILY", "1000000000");
    for name in ["CROSSREF", "DATACITE", "DOI", "OPENLIBRARY"] {
        command.env(format!("CITATION_PROVIDERS__{name}__BASE_URL"), &provider.0);
        // Otherwise the first failures would stop all further requests.
        command.env(format!("CITATION_PROVIDERS__{name}__BREAKER_FAILURES"), "0");
    }
    ServerProcess::start(command.stderr(Stdio::null()))
}
