//! Idle, slow and non-reading connections. They are half of what a server accepts, so that a limit per
//! address may reject more.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::server::Server;

/// Number of connections opened; the server's limit is higher.
const MANY: usize = 500;

/// Seconds after which the server must have closed a silent connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time-outs short enough for a test.
const SHORT: &str = "header_timeout_ms = 500\nbody_timeout_ms = 500\nkeep_alive_ms = 500\n";

/// Additional memory limit while connections are only open.
const MEMORY_BYTES: u64 = 200 << 20;

/// Opens connections that send only `beginning`.
fn open(server: &Server, beginning: &[u8]) -> Vec<TcpStream> {
    let one = |_| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // Above its limit the server may already have closed it.
        let _ = stream.write_all(beginning);
        stream
    };
    (0..MANY).map(one).collect()
}

/// The number of connections that the server ends in time, with or without a response.
fn ended(streams: Vec<TcpStream>) -> usize {
    let is_ended = |mut stream: TcpStream| {
        let mut buffer = [0; 4096];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(cause) => return cause.kind() == std::io::ErrorKind::ConnectionReset,
            }
        }
    };
    let waits = streams
        .into_iter()
        .map(|stream| std::thread::spawn(move || is_ended(stream)));
    let waits: Vec<_> = waits.collect();
    waits
        .into_iter()
        .filter_map(|wait| wait.join().ok())
        .filter(|ended| *ended)
        .count()
}

/// Opens connections, sends a request meanwhile, and checks that they are ended.
fn check(beginning: &[u8]) {
    let server = Server::start_with(SHORT);
    let streams = open(&server, beginning);
    assert!(
        server.is_well(),
        "a request beside {MANY} connections is answered"
    );
    assert_eq!(ended(streams), MANY);
    assert!(server.is_well());
}

#[test]
fn silent_connections_are_timed_out() {
    check(b"");
}

#[test]
fn partial_request_line_is_timed_out() {
    check(b"GET /healthz HT");
}

#[test]
fn partial_http2_preface_is_timed_out() {
    check(b"PRI * HTTP/2.0\r\n\r\nS");
}

#[test]
fn lone_http2_preface_is_timed_out() {
    check(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
}

#[test]
fn endless_headers_are_timed_out() {
    check(b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: b\r\n");
}

#[test]
fn stalled_bodies_are_timed_out() {
    let head = "POST /api/v1/format HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{";
    check(head.as_bytes());
}

/// Announces 10 MiB without a credential on a route that requires one, and sends all but the end.
#[test]
fn anonymous_bodies_stay_within_memory() {
    let server = Server::start();
    let (before, size) = (server.memory(), 9 << 20);
    let head = format!(
        "POST /api/v1/verify/batch HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n",
        size + 1
    );
    let body = vec![b' '; size];
    let send = || {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&body);
        stream
    };
    let streams: Vec<TcpStream> = (0..60).map(|_| send()).collect();
    let more = server.peak_memory().saturating_sub(before);
    assert!(more < MEMORY_BYTES, "{more} bytes more");
    assert!(server.is_well());
    drop(streams);
}

/// Responses of several megabytes that are never read.
#[test]
fn unread_replies_are_dropped() {
    let server = Server::start();
    let before = server.memory();
    let entries: Vec<_> = (0..200)
        .map(|n| format!("{{\"title\":\"{n} {}\"}}", "t".repeat(7_500)))
        .collect();
    let body = format!(
        "{{\"entries\":[{}],\"formats\":[\"rtf\",\"latex\",\"typst\",\"markdown\"]}}",
        entries.join(",")
    );
    let head = format!(
        "POST /api/v1/format HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let send = |_| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body.as_bytes());
        stream
    };
    let mut streams: Vec<TcpStream> = (0..20).map(send).collect();
    // Whatever exceeds the limit is rejected at once.
    let mut answered = 0;
    for stream in &mut streams {
        let mut line = [0; 12];
        stream.read_exact(&mut line).unwrap();
        match &line {
            b"HTTP/1.1 200" => answered += 1,
            line => assert_eq!(line, b"HTTP/1.1 503"),
        }
    }
    assert!(answered > 0);
    assert!(server.is_well());
    let more = server.peak_memory().saturating_sub(before);
    assert!(more < 2 * MEMORY_BYTES, "{more} bytes more");
    drop(streams);
}
