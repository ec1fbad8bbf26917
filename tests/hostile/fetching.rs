//! Hostile web pages: fetching one has bounded cost, however much is sent.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::server::Server;

/// Memory limit per page, many times the part that is read (`lookup.page_bytes`).
const MEMORY_BYTES: u64 = 64 << 20;

/// Bytes sent of every endless page.
const SENT_BYTES: usize = 50 << 20;

/// A site that answers any path with a page of that kind.
fn site() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    origin
}

/// The client may close the connection when it has enough.
fn answer(mut stream: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let first = lines.next()?.ok()?;
    lines
        .find(|line| line.as_ref().is_ok_and(String::is_empty))?
        .ok()?;
    let kind = first.split(['/', ' ']).nth(2)?;
    let part = match kind {
        "attributes" => " a=b",
        "comments" => "<!-- <div> ",
        "metas" => "<meta name=citation_author content='Roe, Jane'>",
        "json" => "<script type=application/ld+json>[[[[{\"@type\":\"Article\"}]]]]</script>",
        "text" => "By Jane Roe and By John Doe and ",
        _ => "<div><b>",
    };
    let part = part.repeat((1 << 16) / part.len());
    let encoding = match kind {
        "packed" => "content-encoding: gzip\r\n",
        _ => "",
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n{encoding}connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut body: Box<dyn Write> = match kind {
        "packed" => Box::new(GzEncoder::new(stream, Compression::best())),
        _ => Box::new(stream),
    };
    let parts = (0..SENT_BYTES).step_by(part.len());
    { parts }
        .try_for_each(|_| body.write_all(part.as_bytes()))
        .ok()
}

#[test]
fn endless_pages_stay_within_memory() {
    let origin = site();
    let server = Server::start_fetching(&origin);
    for kind in [
        "tags",
        "packed",
        "attributes",
        "comments",
        "metas",
        "json",
        "text",
    ] {
        let before = server.forget_peak();
        let body = json!({"url": format!("{origin}/{kind}")}).to_string();
        let (status, reply) = server
            .send(
                "POST",
                "/api/v1/lookup/url",
                "application/json",
                body.as_bytes(),
            )
            .unwrap();
        let more = server.peak_memory().saturating_sub(before);
        let reply: Value = serde_json::from_slice(&reply).unwrap();
        assert_eq!(status, 200, "{kind}: {reply}");
        assert!(more < MEMORY_BYTES, "{kind}: {more} bytes more");
    }
    assert!(server.is_well());
}
