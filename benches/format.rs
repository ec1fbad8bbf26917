//! Formats 1,000 entries over HTTP with one heavy slot and with two: how much faster the response is if a
//! second processor is idle. Both servers run in this process and take turns.
//!
//! `cargo bench --bench format [-- STYLE…]`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod support;

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use citation::app::App;
use citation::config::Config;
use serde_json::{Value, json};
use support::{Server, read_reply};

const STYLES: [&str; 3] = ["apa", "ieee", "modern-language-association"];
const ENTRIES: usize = 1_000;
const ROUNDS: usize = 15;

// Same as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let styles = support::styles(&STYLES);
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [one, two] = [1, 2].map(|places: u32| {
        let mut config = Config::default();
        config.data.dir = folders[places as usize - 1].path().to_path_buf();
        config.server.heavy_slots = places;
        config.limits.anonymous_per_minute = 1_000_000_000;
        let app = App::open(config).unwrap();
        app.quota.start().unwrap();
        Server::start(&app)
    });
    for style in &styles {
        let request = request(style);
        let mut ratios = Vec::new();
        for round in 0..=ROUNDS {
            let alone = time(one.address, &request);
            let both = time(two.address, &request);
            if round == 0 {
                continue;
            }
            println!("{style}, round {round}: {alone:.1?} on one place, {both:.1?} on two");
            ratios.push(alone.as_secs_f64() / both.as_secs_f64());
        }
        support::judge(
            &format!("{ENTRIES} entries in {style} on two places, by one"),
            &mut ratios,
            2.0,
        );
    }
}

fn request(style: &str) -> Vec<u8> {
    let works: Vec<Value> =
        serde_json::from_slice(&citation_embedded::starter().expect("the starter corpus")).unwrap();
    let entries: Vec<&Value> = works.iter().cycle().take(ENTRIES).collect();
    let body = json!({"entries": entries, "style": style}).to_string();
    let length = body.len();
    format!(
        "POST /api/v1/format HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn time(address: SocketAddr, request: &[u8]) -> Duration {
    let mut stream = TcpStream::connect(address).unwrap();
    let started = Instant::now();
    stream.write_all(request).unwrap();
    read_reply(&mut stream, &mut Vec::new());
    started.elapsed()
}
