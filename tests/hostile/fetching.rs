//! Hostile web pages and providers: what they send has bounded cost, however much it is.

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

/// Lookups at the same time.
const LOOKUPS: usize = 60;

/// Memory limit of all these lookups.
const LOOKUPS_BYTES: u64 = 400 << 20;

/// Length of a provider's answer, just below the limit (`providers.….max_response_bytes`).
const ANSWER_BYTES: usize = 4_000_000;

/// A site that answers any path with a page of that kind.
fn site() -> String {
    serve(answer)
}

/// An origin whose connections are handled by `answer`.
fn serve(answer: fn(TcpStream) -> Option<()>) -> String {
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

/// A provider that answers everything with the longest JSON, as deep as it is read.
fn answer_deeply(mut stream: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    lines
        .find(|line| line.as_ref().is_ok_and(String::is_empty))?
        .ok()?;
    const DEPTH: usize = 100;
    let value = format!("{}0{}", "{\"a\":".repeat(DEPTH), "}".repeat(DEPTH));
    let members = (0..ANSWER_BYTES / (value.len() + 12)).map(|n| format!("\"x{n}\":{value}"));
    let members = members.collect::<Vec<_>>().join(",");
    let body = format!("{{\"DOI\":\"10.5555/1\",\"title\":\"A title\",{members}}}");
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body.as_bytes()).ok()
}

#[test]
fn deep_answers_of_providers_stay_within_memory() {
    let server = Server::start_asking(&serve(answer_deeply));
    let before = server.forget_peak();
    std::thread::scope(|scope| {
        for n in 0..LOOKUPS {
            let server = &server;
            scope.spawn(move || {
                let body = json!({"doi": format!("10.5555/{n}")}).to_string();
                let answer = server.send(
                    "POST",
                    "/api/v1/lookup/doi",
                    "application/json",
                    body.as_bytes(),
                );
                let (status, _) = answer.unwrap();
                assert!((200..600).contains(&status), "{status}");
            });
        }
    });
    let more = server.peak_memory().saturating_sub(before);
    println!("{LOOKUPS} lookups took {} MiB", more >> 20);
    assert!(more < LOOKUPS_BYTES, "{more} bytes more");
    assert!(server.is_well());
}
