//! Webhooks: signed, retried, given up, sent again; never into a private network, never to another account.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use citation::webhooks::signature;
use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::api::collections::{Library, Member, expect, text};
use crate::support::list;
use crate::support::waiting::{wait_for, wait_until};

/// One request to the receiver.
#[derive(Clone, Debug)]
pub struct Received {
    headers: String,
    body: String,
}

impl Received {
    pub fn header(&self, name: &str) -> &str {
        let lines = self.headers.lines().filter_map(|line| line.split_once(':'));
        let mut found = lines.filter(|(given, _)| given.eq_ignore_ascii_case(name));
        found.next().map_or("", |(_, value)| value.trim())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// A receiver on the loopback address. It answers with each of `statuses` in turn, then with the last.
pub struct Receiver {
    pub url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Receiver {
    pub fn start(statuses: &[u16]) -> Receiver {
        Receiver::start_with(statuses, |_| {})
    }

    /// The same, with something to do before the answer to each request, which is given by its number.
    pub fn start_with(
        statuses: &[u16],
        mut before: impl FnMut(usize) + Send + 'static,
    ) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let (kept, statuses) = (Arc::clone(&received), statuses.to_vec());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut headers, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
                        break;
                    }
                    let lower = line.to_ascii_lowercase();
                    if let Some(value) = lower.strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    headers.push_str(&line);
                }
                let mut body = vec![0; length];
                if reader.read_exact(&mut body).is_err() {
                    continue;
                }
                let number = {
                    let mut kept = kept.lock().unwrap();
                    kept.push(Received {
                        headers,
                        body: String::from_utf8(body).unwrap(),
                    });
                    kept.len() - 1
                };
                let status = statuses.get(number).or(statuses.last()).unwrap();
                before(number);
                let answer = format!(
                    "HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                );
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Receiver { url, received }
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

fn library() -> Library {
    Library::open_with(|config| {
        config.webhooks.allow_private = true;
        config.webhooks.retry_seconds = 1;
        config.webhooks.max_attempts = 3;
    })
}

/// Adds a webhook; gives its path and its secret.
#[track_caller]
fn added(member: &Member, url: &str, events: &[&str]) -> (String, String) {
    let answer = member.post("/webhooks", json!({"url": url, "events": events}));
    let webhook = expect(&answer, 201);
    let path = format!("/webhooks/{}", text(&webhook["id"]));
    (path, text(&webhook["secret"]).to_owned())
}

fn deliveries(member: &Member, path: &str, state: &str) -> Vec<Value> {
    let found = expect(
        &member.get(&format!("{path}/deliveries?state={state}")),
        200,
    );
    list(&found).to_vec()
}

/// The signatures that a receiver computes.
fn expected(received: &Received, secrets: &[&str]) -> String {
    let given = received.header("citation-signature");
    let at = given.split([',', '=']).nth(1).unwrap().parse().unwrap();
    signature(secrets.iter().copied(), at, &received.body)
}

#[test]
fn events_are_signed_and_delivered() {
    let library = library();
    let member = library.member(Plan::Business);
    let receiver = Receiver::start(&[200]);
    let (path, secret) = added(&member, &receiver.url, &["collection.changed", "job.done"]);
    let shown = expect(&member.get(&path), 200);
    assert_eq!(shown["secret"], Value::Null, "{shown}");
    let collection = member.collection("Wood");
    member.entry(&collection, "Oaks");
    wait_until(|| !receiver.received().is_empty());
    let first = &receiver.received()[0];
    let body = first.json();
    assert_eq!(body["event"], "collection.changed", "{body}");
    let id = collection.trim_start_matches("/collections/");
    assert_eq!(body["data"], json!({"collection_id": id}));
    assert_eq!(first.header("citation-delivery"), text(&body["id"]));
    assert_eq!(
        first.header("citation-signature"),
        expected(first, &[&secret])
    );

    // Two secrets are valid for a day after a rotation.
    let rotated = expect(&member.post(&format!("{path}/secret"), Value::Null), 200);
    let new = text(&rotated["secret"]).to_owned();
    assert_ne!(new, secret);
    let export = json!({"collection_id": id, "format": "bib"});
    let job = expect(&member.post("/jobs/export", export), 202);
    let of_job = || {
        let all = receiver.received().into_iter();
        { all }.find(|received| received.header("citation-event") == "job.done")
    };
    let told = wait_for(of_job);
    assert_eq!(told.json()["data"]["job_id"], job["id"]);
    assert_eq!(
        told.header("citation-signature"),
        expected(&told, &[&new, &secret])
    );
    wait_until(|| deliveries(&member, &path, "pending").is_empty());
    assert!(deliveries(&member, &path, "dead").is_empty());

    // A disabled one is told nothing.
    expect(
        &member.send("PATCH", &path, &json!({"enabled": false}), &[]),
        200,
    );
    member.entry(&collection, "Elms");
    assert!(deliveries(&member, &path, "pending").is_empty());
}

#[test]
fn delivery_is_retried_given_up_and_sent_again() {
    let library = library();
    let member = library.member(Plan::Business);
    let receiver = Receiver::start(&[500, 200, 503, 302, 500, 200]);
    let (path, _) = added(&member, &receiver.url, &["job.done"]);
    let test = |count: usize| {
        expect(&member.post(&format!("{path}/test"), Value::Null), 202);
        wait_until(|| receiver.received().len() > count);
    };
    let retried = |count: usize| {
        wait_until(|| {
            library.clock.advance(10);
            receiver.received().len() > count
        });
    };
    test(0);
    retried(1);
    wait_until(|| deliveries(&member, &path, "delivered").len() == 1);
    let received = receiver.received();
    assert_eq!(received[0].body, received[1].body);
    assert_eq!(deliveries(&member, &path, "delivered")[0]["attempts"], 2);
    // Three failures: a status, a redirect that is not followed, a status.
    test(2);
    retried(3);
    retried(4);
    wait_until(|| deliveries(&member, &path, "dead").len() == 1);
    let dead = deliveries(&member, &path, "dead").remove(0);
    assert_eq!(
        (&dead["attempts"], &dead["status"]),
        (&json!(3), &json!(500)),
        "{dead}"
    );
    let again = format!("{path}/deliveries/{}/redeliver", text(&dead["id"]));
    expect(&member.post(&again, Value::Null), 202);
    wait_until(|| deliveries(&member, &path, "delivered").len() == 2);
    member
        .post(&again.replace(text(&dead["id"]), "none"), Value::Null)
        .expect_error(404, "not_found");
}

/// The receiver may have looked at the collection before the second change.
#[test]
fn change_during_a_delivery_is_told_again() {
    let library = library();
    let member = library.member(Plan::Business);
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let receiver = Receiver::start_with(&[200], move |number| {
        if number == 0 {
            let _ = wait.recv();
        }
    });
    let collection = member.collection("Wood");
    let (path, _) = added(&member, &receiver.url, &["collection.changed"]);
    member.entry(&collection, "Oaks");
    wait_until(|| receiver.received().len() == 1);
    member.entry(&collection, "Elms");
    go.send(()).unwrap();
    wait_until(|| deliveries(&member, &path, "delivered").len() == 2);
    assert_eq!(receiver.received().len(), 2);
}

#[test]
fn private_addresses_are_refused_by_default() {
    let library = Library::open_with(|config| config.webhooks.max_attempts = 1);
    let member = library.member(Plan::Business);
    let receiver = Receiver::start(&[200]);
    let (path, _) = added(&member, &receiver.url, &["job.done"]);
    expect(&member.post(&format!("{path}/test"), Value::Null), 202);
    wait_until(|| deliveries(&member, &path, "dead").len() == 1);
    let dead = deliveries(&member, &path, "dead").remove(0);
    assert!(text(&dead["error"]).contains("not a public one"), "{dead}");
    assert!(receiver.received().is_empty());
    for url in [
        "file:///etc/passwd",
        "https://a@example.org/",
        "example.org",
    ] {
        let body = json!({"url": url, "events": ["job.done"]});
        member
            .post("/webhooks", body)
            .expect_error(422, "validation_failed");
    }
    let body = json!({"url": "https://example.org/", "events": ["nothing"]});
    member
        .post("/webhooks", body)
        .expect_error(422, "validation_failed");
}

#[test]
fn webhooks_of_others_do_not_exist() {
    let library = library();
    let member = library.named_member("a@example.org", Plan::Free);
    let other = library.named_member("b@example.org", Plan::Free);
    let receiver = Receiver::start(&[200]);
    let (path, _) = added(&member, &receiver.url, &["collection.changed"]);
    let missing = |answer: crate::support::Answer| answer.expect_error(404, "not_found");
    missing(other.get(&path));
    missing(other.get(&format!("{path}/deliveries")));
    missing(other.send("PATCH", &path, &json!({"enabled": false}), &[]));
    missing(other.delete(&path));
    missing(other.post(&format!("{path}/secret"), Value::Null));
    missing(other.post(&format!("{path}/test"), Value::Null));
    assert!(list(&expect(&other.get("/webhooks"), 200)).is_empty());
    // What happens in another account is not told.
    let collection = other.collection("Wood");
    other.entry(&collection, "Oaks");
    assert!(deliveries(&member, &path, "pending").is_empty());
    assert!(deliveries(&member, &path, "delivered").is_empty());
    assert_eq!(member.delete(&path).status, 204);
    missing(member.get(&path));
}

#[test]
fn low_quota_is_told_once() {
    let library = Library::open_with(|config| {
        config.webhooks.allow_private = true;
        config.quota.business_daily = 10;
    });
    let member = library.member(Plan::Business);
    let receiver = Receiver::start(&[200]);
    added(&member, &receiver.url, &["quota.low"]);
    let look_up = |count: usize| {
        for _ in 0..count {
            expect(
                &member.post("/lookup/doi", json!({"doi": "10.1038/171737a0"})),
                200,
            );
        }
        library.app.app.quota.fold().unwrap();
    };
    look_up(8);
    assert!(receiver.received().is_empty());
    look_up(1);
    wait_until(|| !receiver.received().is_empty());
    look_up(1);
    let body = receiver.received()[0].json();
    assert_eq!(body["data"], json!({"used": 9, "limit": 10}));
    assert_eq!(receiver.received().len(), 1);
}
