//! Lookups over HTTP from a corpus of 1,000,000 works: by DOI without an account and with a key, and of a
//! work that the client already has (`If-None-Match`). The baseline is a bare warp server with a static
//! response of the same size. Both run in this process, take turns, and get the same requests from the same
//! client, so the ratio does not depend on the load of the machine. The client is `wrk` if installed,
//! otherwise threads of this process, which use more CPU time.
//!
//! `cargo bench --bench lookup [-- WORKS]`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod support;

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use citation::app::App;
use citation::config::Config;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::plan::Plan;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Work};
use support::{Server, read_reply};
use warp::Filter;

const CONNECTIONS: usize = 32;
const ROUND: Duration = Duration::from_secs(3);
const ROUNDS: usize = 5;

/// Number of requested works, picked at random, so that a cache of some thousands of responses rarely has
/// one.
const ASKED: usize = 100_000;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let works: u64 = std::env::args()
        .skip(1)
        .find_map(|a| a.parse().ok())
        .unwrap_or(1_000_000);
    let data = tempfile::tempdir().unwrap();
    let app = open(data.path());
    fill(&app, works);
    let key = support::new_key(&app, Plan::Academic);
    let server = Server::start(&app);
    let dois: Vec<String> = random_numbers(works).take(ASKED).map(doi).collect();
    let requests =
        |of: &dyn Fn(&String) -> String| -> Vec<String> { dois.iter().map(of).collect() };

    let script = data.path().join("requests.lua");
    let client = if has_wrk() {
        Client::Wrk(&script)
    } else {
        Client::Threads
    };
    println!("{works} works, {CONNECTIONS} connections of {client}");
    let rows = [
        ("without an account", 0.6, requests(&|doi| lookup(doi, ""))),
        (
            "with a key",
            0.5,
            requests(&|doi| lookup(doi, &format!("authorization: Bearer {key}\r\n"))),
        ),
        ("If-None-Match", 0.75, known(server.address, &dois)),
    ];
    for (name, least, requests) in rows {
        let bare = bare(&server, ask_once(server.address, &requests[0]));
        let mut ratios = Vec::new();
        for round in 0..=ROUNDS {
            let ours = client.load(server.address, &requests);
            let theirs = client.load(bare, &requests);
            if round == 0 {
                continue;
            }
            let ratio = ours.rate / theirs.rate;
            println!("{name}, round {round}: {ours}; bare {theirs}; ratio {ratio:.2}");
            ratios.push(ratio);
        }
        support::judge(
            &format!("lookup {name} beside a bare server"),
            &mut ratios,
            least,
        );
    }
}

fn open(directory: &std::path::Path) -> Arc<App> {
    let mut config = Config::default();
    config.data.dir = directory.to_path_buf();
    config.lookup.doi_order.clear();
    config.quota.anonymous_daily = 1_000_000_000;
    config.limits.anonymous_per_minute = 1_000_000_000;
    config.quota.academic_daily = 1_000_000_000;
    config.limits.credential_per_minute = 1_000_000_000;
    let app = App::open(config).unwrap();
    app.quota.start().unwrap();
    app
}

/// Numbers below `works`, the same in every run (xorshift64).
fn random_numbers(works: u64) -> impl Iterator<Item = u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % works
    })
}

fn doi(number: u64) -> String {
    format!(
        "10.5555/bench.{:08x}",
        number.wrapping_mul(2_654_435_761) as u32
    )
}

fn fill(app: &App, works: u64) {
    let started = Instant::now();
    let provenance = Provenance {
        source: Source::Crossref,
        record_id: String::new(),
        url: None,
        license: None,
        fetched_at: 1_700_000_000,
    };
    let mut number = 0;
    while number < works {
        let end = (number + 5_000).min(works);
        let batch = (number..end)
            .map(|number| {
                let mut item = Item::new("", ItemType::Article);
                item.set_text(
                    TextVar::Title,
                    format!(
                        "On the {number}th problem of {} in the theory of measured lookups",
                        number % 977
                    ),
                );
                item.set_text(TextVar::Doi, doi(number));
                item.set_text(
                    TextVar::ContainerTitle,
                    format!("Journal of Bench {}", number % 311),
                );
                item.set_text(TextVar::Publisher, "Example Press");
                item.set_number(NumberVar::Volume, (number % 90).to_string());
                item.set_number(
                    NumberVar::Page,
                    format!("{}-{}", number % 800, number % 800 + 12),
                );
                item.set_date(
                    DateVar::Issued,
                    citation_model::date::DateParts::year(1950 + (number % 70) as i32).into(),
                );
                item.set_names(
                    NameVar::Author,
                    vec![
                        Name::person("Family", "Given A."),
                        Name::person("Second", "Author"),
                        Name::person("Third", "B. C."),
                    ],
                );
                let provenance = Provenance {
                    record_id: doi(number),
                    ..provenance.clone()
                };
                Work::new(item, provenance)
            })
            .collect();
        app.corpus.put(batch).unwrap();
        number = end;
    }
    println!("filled in {:.0} s", started.elapsed().as_secs_f64());
}

fn lookup(doi: &str, credential: &str) -> String {
    let body = format!("{{\"doi\":\"{doi}\"}}");
    format!(
        "POST /api/v1/lookup/doi HTTP/1.1\r\nhost: localhost\r\n{credential}\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Requests for works by their entity tags.
fn known(address: SocketAddr, dois: &[String]) -> Vec<String> {
    let mut stream = TcpStream::connect(address).unwrap();
    let mut buffer = Vec::new();
    let ask = |doi: &String| {
        let request = |condition: &str| {
            format!("GET /api/v1/works/{doi} HTTP/1.1\r\nhost: localhost\r\n{condition}\r\n")
        };
        stream.write_all(request("").as_bytes()).unwrap();
        let head = read_reply(&mut stream, &mut buffer).head;
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: "));
        request(&format!(
            "if-none-match: {}\r\n",
            tag.expect("an entity tag")
        ))
    };
    dois.iter().map(ask).collect()
}

fn ask_once(address: SocketAddr, request: &str) -> support::Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    read_reply(&mut stream, &mut Vec::new())
}

/// A server that answers every request with a response of the same size.
fn bare(server: &Server, like: support::Answer) -> SocketAddr {
    let body: &'static str = String::leak("x".repeat(like.length));
    let route = warp::any().map(move || {
        let reply = warp::reply::with_header(body, "content-type", "application/json");
        warp::reply::with_status(
            reply,
            warp::http::StatusCode::from_u16(like.status).unwrap(),
        )
    });
    let listener = support::listen(&server.runtime);
    let address = listener.local_addr().unwrap();
    let serving = warp::serve(route).incoming(listener).run();
    server.runtime.spawn(serving);
    address
}

struct Rate {
    rate: f64,
    cpu_us: f64,
    p50: Duration,
    p99: Duration,
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.0}/s, {:.1} µs CPU each, p50 {:?}, p99 {:?}",
            self.rate, self.cpu_us, self.p50, self.p99
        )
    }
}

fn has_wrk() -> bool {
    // It has no option that succeeds without a server.
    Command::new("wrk").arg("-v").output().is_ok()
}

#[derive(Clone, Copy)]
enum Client<'s> {
    /// `wrk`, with a path for the script that supplies the requests.
    Wrk(&'s Path),
    Threads,
}

impl std::fmt::Display for Client<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Client::Wrk(_) => "wrk, which has a thread",
            Client::Threads => "this process, a thread each",
        })
    }
}

impl Client<'_> {
    /// Sends requests over all connections for one round, one in flight on each.
    fn load(self, address: SocketAddr, requests: &[String]) -> Rate {
        let cpu = support::cpu_seconds();
        let (requests, rate, p50, p99) = match self {
            Client::Wrk(script) => wrk(script, address, requests),
            Client::Threads => threads(address, requests),
        };
        Rate {
            rate,
            cpu_us: (support::cpu_seconds() - cpu) * 1e6 / requests,
            p50,
            p99,
        }
    }
}

/// Number of answered requests, their rate per second, and latencies.
type Answered = (f64, f64, Duration, Duration);

fn wrk(script: &Path, address: SocketAddr, requests: &[String]) -> Answered {
    let mut lua = "local requests = {\n".to_owned();
    for request in requests {
        // Rust escapes ASCII in the same way as Lua.
        writeln!(lua, "{request:?},").unwrap();
    }
    lua += "}\nlocal at = 0\n\
            request = function() at = at % #requests + 1 return requests[at] end\n\
            done = function(all, latency)\n\
            local failed = all.errors.status + all.errors.connect + all.errors.read\n\
            io.write(string.format('%d %d %d %d %d\\n', all.requests, all.duration, failed,\n\
            latency:percentile(50), latency:percentile(99)))\n\
            end\n";
    std::fs::write(script, lua).unwrap();
    let output = Command::new("wrk")
        .args([
            "-t1",
            &format!("-c{CONNECTIONS}"),
            &format!("-d{}", ROUND.as_secs()),
            "-s",
        ])
        .arg(script)
        .arg(format!("http://{address}/"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let numbers = text.lines().last().unwrap_or_default().split(' ');
    let numbers: Vec<u64> = numbers
        .map(|n| n.parse().expect("a number of wrk"))
        .collect();
    let [answered, microseconds, failed, p50, p99] = numbers[..] else {
        panic!("wrk says {text}");
    };
    assert_eq!(failed, 0, "{text}");
    let rate = answered as f64 * 1e6 / microseconds as f64;
    (
        answered as f64,
        rate,
        Duration::from_micros(p50),
        Duration::from_micros(p99),
    )
}

fn threads(address: SocketAddr, requests: &[String]) -> Answered {
    let started = Instant::now();
    let times = std::thread::scope(|scope| {
        let ask = |connection: usize| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.set_nodelay(true).unwrap();
            let (mut times, mut buffer) = (Vec::new(), Vec::new());
            let own = requests
                .iter()
                .cycle()
                .skip(connection)
                .step_by(CONNECTIONS + 1);
            for request in own.take_while(|_| started.elapsed() < ROUND) {
                let sent = Instant::now();
                stream.write_all(request.as_bytes()).unwrap();
                read_reply(&mut stream, &mut buffer);
                times.push(sent.elapsed());
            }
            times
        };
        let threads: Vec<_> = (0..CONNECTIONS)
            .map(|connection| scope.spawn(move || ask(connection)))
            .collect();
        let mut times: Vec<Duration> = threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect();
        times.sort();
        times
    });
    let took = started.elapsed().as_secs_f64();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let answered = times.len() as f64;
    (answered, answered / took, at(0.5), at(0.99))
}
