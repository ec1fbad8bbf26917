//! Requests: any method, path, query, headers and body go through the route table into the handlers,
//! without a socket. No response may be a server error.
//!
//! An input is two bytes and lines: the number of a row in the route table, and whether a key is sent; the
//! values of the variable parts of the path, and the query; headers; and after an empty line the body.

#![no_main]

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use citation::api::{self, Edge};
use citation::app::App;
use citation::auth::accounts::{Actor, NewAccount};
use citation::auth::principal::Scopes;
use citation::config::Config;
use citation_model::plan::Plan;
use http::{Request, StatusCode};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;

const PEER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A service with a fully privileged account, in its own folder.
struct Service {
    edge: Arc<Edge>,
    key: String,
    runtime: Runtime,
}

static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let mut config = Config::default();
    config.data.dir = std::env::temp_dir().join(format!("citation-fuzz-{}", std::process::id()));
    for provider in config.providers.iter_mut() {
        provider.enabled = false;
    }
    config.quota.anonymous_daily = u32::MAX / 2;
    config.quota.business_daily = u32::MAX / 2;
    config.limits.anonymous_per_minute = u32::MAX / 2;
    config.limits.credential_per_minute = u32::MAX / 2;
    config.auth.password_memory_kib = 8_192;
    config.auth.password_passes = 1;
    let app = App::open(config).expect("the service opens");
    let new = NewAccount {
        email: Some("fuzz@example.org"),
        plan: Some(Plan::Business),
        ..NewAccount::default()
    };
    let actor = Actor::command_line();
    let user = app.auth.add_user(&new, &actor).expect("an account is made");
    let key = app
        .auth
        .create_api_key(user.id, &user.uid, "fuzz", Scopes::ALL, None, &actor)
        .expect("a key is made");
    Service {
        edge: Arc::new(Edge::new(app, SocketAddr::new(PEER, 80))),
        key: key.1.reveal().to_owned(),
        runtime: Runtime::new().expect("a runtime starts"),
    }
});

fuzz_target!(|input: &[u8]| {
    let Some(request) = request(input) else {
        return;
    };
    let service = &*SERVICE;
    let told = format!("{} {}", request.method(), request.uri());
    let answer = api::answer(Arc::clone(&service.edge), PEER, request);
    let status = service.runtime.block_on(answer).status();
    let is_fault = status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE;
    assert!(!is_fault, "{told}: {status}");
});

fn request(input: &[u8]) -> Option<Request<Bytes>> {
    let (&[row, flags], rest) = input.split_first_chunk()?;
    let (line, mut rest) = split_line(rest);
    let rows = api::rows();
    let (method, pattern, _) = rows.get(usize::from(row) % rows.len())?;
    let (parts, query) = line.split_once('?').unwrap_or((&line, ""));
    let mut parts = parts.split(' ');
    let path: String = pattern
        .split_inclusive('}')
        .map(|piece| match piece.split_once('{') {
            Some((before, _)) => format!("{before}{}", parts.next().unwrap_or("x")),
            None => piece.to_owned(),
        })
        .collect();
    let mut request = Request::builder()
        .method(method)
        .uri(format!("{path}?{query}"));
    if flags & 1 == 0 {
        request = request.header("authorization", format!("Bearer {}", SERVICE.key));
    }
    loop {
        let (line, after) = split_line(rest);
        rest = after;
        let Some((name, value)) = line.split_once(':') else {
            break;
        };
        request = request.header(name, value.trim());
    }
    request.body(Bytes::copy_from_slice(rest)).ok()
}

/// The first line and the rest.
fn split_line(input: &[u8]) -> (String, &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n');
    let end = end.unwrap_or(input.len());
    let line = String::from_utf8_lossy(input.get(..end).unwrap_or_default()).into_owned();
    (line, input.get(end + 1..).unwrap_or_default())
}
