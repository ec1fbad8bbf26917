//! Shared by several benches: a server in this process, an account's key, reading a response, and CPU time.

#![allow(dead_code, reason = "no bench needs all of it")]

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use citation::api::{self, Edge};
use citation::app::App;
use citation::auth::accounts::{Actor, NewAccount};
use citation::auth::principal::Scopes;
use citation_model::plan::Plan;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// A server on the loopback address, stopped when dropped.
pub struct Server {
    pub address: SocketAddr,
    pub runtime: Runtime,
    _stop: watch::Sender<bool>,
}

impl Server {
    pub fn start(app: &Arc<App>) -> Server {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap();
        let listener = listen(&runtime);
        let address = listener.local_addr().unwrap();
        let edge = Arc::new(Edge::new(Arc::clone(app), address));
        let (stop, stopped) = watch::channel(false);
        runtime.spawn(api::server::serve(edge, listener, stopped));
        Server {
            address,
            runtime,
            _stop: stop,
        }
    }
}

/// Listens on a free loopback port.
pub fn listen(runtime: &Runtime) -> TcpListener {
    runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap()
}

/// The key of a new account.
pub fn new_key(app: &App, plan: Plan) -> String {
    let new = NewAccount {
        email: Some("bench@example.org"),
        plan: Some(plan),
        ..NewAccount::default()
    };
    let actor = Actor::command_line();
    let user = app.auth.add_user(&new, &actor).unwrap();
    let made = app
        .auth
        .create_api_key(user.id, &user.uid, "bench", Scopes::ALL, None, &actor);
    made.unwrap().1.reveal().to_owned()
}

/// The styles that the command line names, or the usual ones.
pub fn styles(usual: &[&str]) -> Vec<String> {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    if named.is_empty() {
        return usual.iter().map(|style| (*style).to_owned()).collect();
    }
    named
}

/// A response.
pub struct Answer {
    pub status: u16,
    /// Status line and headers, in lower case.
    pub head: String,
    /// Bytes of the body.
    pub length: usize,
}

/// Reads one response with a content length or of an unchanged work; panics unless it is a 200 or 304.
pub fn read_reply(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Answer {
    buffer.clear();
    let mut chunk = [0; 8192];
    loop {
        let read = stream.read(&mut chunk).unwrap();
        assert!(read > 0, "the server closed the connection");
        buffer.extend_from_slice(&chunk[..read]);
        let Some(end) = buffer.windows(4).position(|w| w == b"\r\n\r\n") else {
            continue;
        };
        let head = std::str::from_utf8(&buffer[..end])
            .unwrap()
            .to_ascii_lowercase();
        let (status, length) = match head.get(..12) {
            Some("http/1.1 304") => (304, 0),
            Some("http/1.1 200") => (200, content_length(&head)),
            _ => panic!("{head}"),
        };
        if buffer.len() >= end + 4 + length {
            return Answer {
                status,
                head,
                length,
            };
        }
    }
}

fn content_length(head: &str) -> usize {
    let values = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    values.and_then(|value| value.trim().parse().ok()).unwrap()
}

/// Prints the median of ratios and the minimum target, in the same form for all benches.
pub fn judge(what: &str, ratios: &mut [f64], least: f64) {
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    let verdict = if median >= least { "reached" } else { "missed" };
    println!("==> {what}: {median:.2}, at least {least:.2} wanted: {verdict}");
}

/// CPU seconds of this process: the server and any client threads. Resolution 10 ms.
pub fn cpu_seconds() -> f64 {
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
