//! The time until a server started on existing data answers its first lookup, its idle memory, and the size
//! of the program.
//!
//! ```text
//! cargo bench --bench start                            # the starter corpus
//! CITATION_BENCH_DATA=DIR cargo bench --bench start    # a corpus that is there, too
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "../tests/service/support/server_process.rs"]
mod server_process;
mod support;

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use server_process::ServerProcess;
use support::read_reply;

const PROGRAM: &str = env!("CARGO_BIN_EXE_citation");

const STARTS: usize = 15;

/// Time after which a server has finished its start-up work.
const SETTLED: Duration = Duration::from_secs(5);

fn main() {
    let size = std::fs::metadata(PROGRAM).unwrap().len();
    println!("the program: {:.1} MB (20 wanted)", size as f64 / 1e6);
    let own = tempfile::tempdir().unwrap();
    // The first start loads the starter corpus.
    ask(&start(own.path()));
    measure("the starter corpus", own.path());
    if let Ok(data) = std::env::var("CITATION_BENCH_DATA") {
        measure(&data, Path::new(&data));
    }
}

fn measure(name: &str, data: &Path) {
    let mut times: Vec<Duration> = (0..STARTS)
        .map(|_| {
            let began = Instant::now();
            ask(&start(data));
            began.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "{name}: first answer after {:.1} ms, at best {:.1} ms",
        times[STARTS / 2].as_secs_f64() * 1e3,
        times[0].as_secs_f64() * 1e3
    );
    let server = start(data);
    ask(&server);
    std::thread::sleep(SETTLED);
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id()));
    let Ok(status) = status else {
        println!("{name}: memory is read from /proc, which is not here");
        return;
    };
    let mebibytes = |member: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(member));
        let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
        kibibytes.unwrap_or_default() / 1024.0
    };
    println!(
        "{name}: {:.0} MiB in memory, {:.0} of them its own, the rest of files",
        mebibytes("VmRSS"),
        mebibytes("RssAnon")
    );
}

fn start(data: &Path) -> ServerProcess {
    ServerProcess::start(
        Command::new(PROGRAM)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .env("CITATION_QUOTA__ANONYMOUS_DAILY", "1000000")
            .stderr(Stdio::null()),
    )
}

/// Requests a work of the starter corpus.
fn ask(server: &ServerProcess) {
    let body = "{\"doi\":\"10.1038/171737a0\"}";
    let request = format!(
        "POST /api/v1/lookup/doi HTTP/1.1\r\nhost: localhost\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(&server.address).expect("a server");
    stream.write_all(request.as_bytes()).unwrap();
    read_reply(&mut stream, &mut Vec::new());
}
