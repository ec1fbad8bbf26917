//! DOI lookups over HTTP from a corpus of 1,000,000 works, against a bare warp server that sends a
//! static body of the same size. Both run in this process, take turns, and are asked by the same
//! client, so the ratio holds whatever the machine is doing.
//!
//! `cargo bench --bench lookup [-- WORKS]`

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use citation::app::App;
use citation::config::Config;
use citation_model::item::Item;
use citation_model::item_type::ItemType;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar, NumberVar, TextVar};
use citation_model::work::{Provenance, Source, Work};
use support::{Server, read_reply};
use warp::Filter;

const CONNECTIONS: usize = 32;
const ROUND: Duration = Duration::from_secs(3);
const ROUNDS: usize = 5;

// As in the program.
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

    let server = Server::start(&app);
    let service = server.address;

    let sample = ask_once(service, &request(0, works));
    let body: &'static str = String::leak("x".repeat(sample));
    let listener = support::listen(&server.runtime);
    let bare = listener.local_addr().unwrap();
    let route =
        warp::any().map(move || warp::reply::with_header(body, "content-type", "application/json"));
    server
        .runtime
        .spawn(warp::serve(route).incoming(listener).run());

    println!("{works} works, {CONNECTIONS} connections, {sample} bytes a body");
    let mut ratios = Vec::new();
    for round in 0..=ROUNDS {
        let ours = load(service, works);
        let theirs = load(bare, works);
        if round == 0 {
            continue;
        }
        let ratio = ours.rate / theirs.rate;
        println!("round {round}: lookup {ours}; bare {theirs}; ratio {ratio:.2}");
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "median ratio {:.2} (target: at least 0.50)",
        ratios[ratios.len() / 2]
    );
}

fn open(directory: &std::path::Path) -> Arc<App> {
    let mut config = Config::default();
    config.data.dir = directory.to_path_buf();
    config.lookup.doi_order.clear();
    config.quota.anonymous_daily = 1_000_000_000;
    config.limits.anonymous_per_minute = 1_000_000_000;
    let app = App::open(config).unwrap();
    app.quota.start().unwrap();
    app
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

fn request(number: u64, works: u64) -> Vec<u8> {
    let body = format!("{{\"doi\":\"{}\"}}", doi(number % works));
    format!(
        "POST /api/v1/lookup/doi HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The length of the body of one reply.
fn ask_once(address: SocketAddr, request: &[u8]) -> usize {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request).unwrap();
    let mut buffer = Vec::new();
    read_reply(&mut stream, &mut buffer)
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

/// Asks over all connections for one round, one request in flight on each.
fn load(address: SocketAddr, works: u64) -> Rate {
    let (started, cpu) = (Instant::now(), cpu_seconds());
    let threads: Vec<_> = (0..CONNECTIONS as u64)
        .map(|connection| {
            std::thread::spawn(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                stream.set_nodelay(true).unwrap();
                let mut random = connection.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                let (mut times, mut buffer) = (Vec::new(), Vec::new());
                while started.elapsed() < ROUND {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    let sent = Instant::now();
                    stream.write_all(&request(random, works)).unwrap();
                    read_reply(&mut stream, &mut buffer);
                    times.push(sent.elapsed());
                }
                times
            })
        })
        .collect();
    let mut times: Vec<Duration> = threads
        .into_iter()
        .flat_map(|t| t.join().unwrap())
        .collect();
    let took = started.elapsed();
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    Rate {
        rate: times.len() as f64 / took.as_secs_f64(),
        cpu_us: (cpu_seconds() - cpu) * 1e6 / times.len() as f64,
        p50: at(0.5),
        p99: at(0.99),
    }
}

/// CPU time of this process, in seconds: client and server together. Steps of 10 ms.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|f| f.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}
