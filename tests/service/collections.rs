//! Collections under a server that is killed while clients write: acknowledged writes are kept, and
//! nothing is duplicated or lost.
//!
//! ```text
//! cargo test --test service acknowledged_writes                        # some kills
//! CITATION_KILLS=50 cargo test --test service acknowledged_writes      # as many as wanted
//! ```

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use crate::support::program::{run_line, serve};
use crate::support::server_process::ServerProcess;
use crate::support::waiting::wait_until;
use citation_testing::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use crate::support::list;
use serde_json::{Value, json};

const CLIENTS: usize = 8;

/// Collections that the clients share.
const COLLECTIONS: usize = 4;

/// How often the server is killed.
fn kills() -> u64 {
    let wanted = std::env::var("CITATION_KILLS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(6)
}

/// A client with a key.
struct Client<'k> {
    agent: ureq::Agent,
    url: String,
    key: &'k str,
}

impl<'k> Client<'k> {
    fn new(server: &ServerProcess, key: &'k str) -> Client<'k> {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)));
        Client {
            agent: config.build().into(),
            url: server.url("/api/v1"),
            key,
        }
    }

    /// Sends a request; nothing where the server is gone before it has answered.
    fn send(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
            .body(body.to_string())
            .unwrap();
        let mut reply = self.agent.run(request).ok()?;
        let body = reply.body_mut().read_to_string().ok()?;
        Some((
            reply.status().as_u16(),
            serde_json::from_str(&body).unwrap_or_default(),
        ))
    }
}

/// What the server has acknowledged.
#[derive(Default)]
struct Acknowledged {
    /// Entries by id, with their titles.
    added: BTreeMap<String, String>,
    /// Entries by id that one client alone merges and moves.
    own: BTreeMap<String, Own>,
}

/// What an entry may be: what was acknowledged last, or what was asked for when the server went.
#[derive(Clone, Default)]
struct Own {
    collections: Vec<String>,
    volumes: Vec<u64>,
}

/// One client's writes until the server is gone: adds, batches, merges, moves and reorders. A client
/// merges and moves its own entries only, so that it knows what they should be.
fn write_until_gone(
    client: &Client<'_>,
    collections: &[String],
    seed: u64,
    acknowledged: &Mutex<Acknowledged>,
) {
    let mut random = Random::seeded(seed);
    let mut own: Vec<(String, String)> = Vec::new();
    let mut number = 0_u64;
    let note = |change: &dyn Fn(&mut Acknowledged)| change(&mut acknowledged.lock().unwrap());
    loop {
        let collection = &collections[random.below(collections.len())];
        let path = format!("/collections/{collection}");
        number += 1;
        match (random.below(6), own.is_empty()) {
            (0 | 1, _) | (_, true) => {
                let title = format!("Entry {seed} {number}");
                let body = json!({"metadata": {"title": title}});
                let Some((status, body)) = client.send("POST", &format!("{path}/entries"), &body)
                else {
                    return;
                };
                assert_eq!(status, 201, "{body}");
                let id = body["id"].as_str().unwrap().to_owned();
                own.push((id.clone(), collection.clone()));
                note(&|all| {
                    all.added.insert(id.clone(), title.clone());
                    let own = all.own.entry(id.clone()).or_default();
                    own.collections = vec![collection.clone()];
                    own.volumes = vec![0];
                });
            }
            (2, _) => {
                let titles: Vec<String> = (0..5)
                    .map(|n| format!("Batch {seed} {number} {n}"))
                    .collect();
                let entries: Vec<Value> =
                    titles.iter().map(|title| json!({"title": title})).collect();
                let target = format!("{path}/entries/batch");
                let Some((status, body)) =
                    client.send("POST", &target, &json!({"entries": entries}))
                else {
                    return;
                };
                assert_eq!(status, 201, "{body}");
                for (entry, title) in list(&body["added"]).iter().zip(&titles) {
                    let id = entry["id"].as_str().unwrap();
                    note(&|all| {
                        all.added.insert(id.to_owned(), title.clone());
                    });
                }
            }
            (3, _) => {
                let (id, at) = own[random.below(own.len())].clone();
                let target = format!("/collections/{at}/entries/{id}/merge");
                let body =
                    json!({"metadata": {"volume": number.to_string()}, "strategy": "overwrite"});
                note(&|all| all.own.entry(id.clone()).or_default().volumes.push(number));
                let Some((status, body)) = client.send("POST", &target, &body) else {
                    return;
                };
                assert_eq!(status, 200, "{body}");
                note(&|all| all.own.entry(id.clone()).or_default().volumes = vec![number]);
            }
            (4, _) => {
                let chosen = random.below(own.len());
                let (id, from) = own[chosen].clone();
                if from == *collection {
                    continue;
                }
                let body = json!({"from": from, "to": collection, "entry_ids": [id]});
                let target = || collection.clone();
                note(&|all| {
                    all.own
                        .entry(id.clone())
                        .or_default()
                        .collections
                        .push(target())
                });
                let Some((status, body)) = client.send("POST", "/collections/batch-move", &body)
                else {
                    return;
                };
                assert_eq!((status, &body["moved"]), (200, &json!(1)), "{body}");
                own[chosen].1 = collection.clone();
                note(&|all| all.own.entry(id.clone()).or_default().collections = vec![target()]);
            }
            _ => {
                let Some((_, body)) = client.send("GET", &format!("{path}?limit=50"), &Value::Null)
                else {
                    return;
                };
                let mut ids: Vec<Value> = list(&body["entries"])
                    .iter()
                    .map(|e| e["id"].clone())
                    .collect();
                ids.reverse();
                let target = format!("{path}/reorder");
                // Another client may have moved one of them away meanwhile.
                match client.send("PATCH", &target, &json!({"entry_ids": ids})) {
                    None => return,
                    Some((status, body)) => assert!(matches!(status, 200 | 422), "{body}"),
                }
            }
        }
    }
}

/// Everything that is there, by entry: where, title, volume.
fn everything(
    client: &Client<'_>,
    collections: &[String],
) -> BTreeMap<String, (String, String, u64)> {
    let mut found = BTreeMap::new();
    for collection in collections {
        let (status, body) = client
            .send("GET", &format!("/collections/{collection}"), &Value::Null)
            .unwrap();
        assert_eq!(status, 200, "{body}");
        let entries = list(&body["entries"]);
        assert_eq!(body["entry_count"], entries.len());
        for (place, entry) in entries.iter().enumerate() {
            assert_eq!(entry["sort_order"], place, "the order has a gap");
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let volume = entry["metadata"]["volume"].as_str().unwrap_or("0");
            let seen = (
                collection.clone(),
                text(&entry["metadata"]["title"]),
                volume.parse().unwrap(),
            );
            let before = found.insert(text(&entry["id"]), seen);
            assert!(before.is_none(), "an entry is in two places: {before:?}");
        }
    }
    found
}

fn check(found: &BTreeMap<String, (String, String, u64)>, all: &Acknowledged) {
    for (id, title) in &all.added {
        let (_, kept, _) = found.get(id).unwrap_or_else(|| panic!("“{title}” is gone"));
        assert_eq!(kept, title);
    }
    for (id, own) in &all.own {
        let (collection, _, volume) = &found[id];
        assert!(
            own.collections.contains(collection),
            "{id} is not where it was moved to"
        );
        assert!(
            own.volumes.contains(volume),
            "{id}: {volume}, not {:?}",
            own.volumes
        );
    }
    let titles: BTreeSet<&str> = found.values().map(|(_, title, _)| title.as_str()).collect();
    assert_eq!(titles.len(), found.len(), "an entry was added twice");
}

#[test]
fn acknowledged_writes_survive_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let settings = "[limits]\ncredential_per_minute = 10000000\nbusiness_entries = 1000000\n\
                    [corpus]\nstarter = false\n";
    std::fs::write(folder.join("citation.toml"), settings).unwrap();
    let add = "--init --data data user add a@example.org --plan business --api-key --json";
    let made = run_line(folder, add).json();
    let key = made["api_key"].as_str().unwrap();
    let mut server = serve(folder);
    let collections: Vec<String> = (0..COLLECTIONS)
        .map(|n| {
            let client = Client::new(&server, key);
            let body = json!({"name": format!("c{n}")});
            let (_, body) = client.send("POST", "/collections", &body).unwrap();
            body["id"].as_str().unwrap().to_owned()
        })
        .collect();
    let acknowledged = Mutex::new(Acknowledged::default());
    let mut random = Random::new();
    for round in 0..kills() {
        let before = acknowledged.lock().unwrap().added.len();
        std::thread::scope(|scope| {
            for client in 0..CLIENTS {
                let seed = (round + 1) * 1000 + client as u64;
                let (acknowledged, collections) = (&acknowledged, &collections);
                let client = Client::new(&server, key);
                scope.spawn(move || write_until_gone(&client, collections, seed, acknowledged));
            }
            wait_until(|| acknowledged.lock().unwrap().added.len() >= before + 20);
            std::thread::sleep(Duration::from_micros(random.below(200_000) as u64));
            drop(server);
        });
        server = serve(folder);
        let client = Client::new(&server, key);
        let found = everything(&client, &collections);
        let mut all = acknowledged.lock().unwrap();
        check(&found, &all);
        // The next clients have entries of their own; these stay as they are.
        for (id, (collection, _, volume)) in &found {
            if let Some(own) = all.own.get_mut(id) {
                own.collections = vec![collection.clone()];
                own.volumes = vec![*volume];
            }
        }
    }
    println!(
        "{} entries after {} kills",
        acknowledged.lock().unwrap().added.len(),
        kills()
    );
}

/// The resident memory of a process in KiB. `None` where there is no `/proc`.
fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Reads a stream of events to the next line that begins so.
fn read_to(stream: &mut BufReader<TcpStream>, prefix: &str) {
    let mut line = String::new();
    while !line.starts_with(prefix) {
        line.clear();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the stream ended");
    }
}

/// Each watcher has a connection and a place in the collection's channel: no thread, and no copy of a change.
#[test]
fn two_hundred_watchers_need_little_memory() {
    const WATCHERS: usize = 200;
    const CHANGES: usize = 50;
    const MAX_KIB: u64 = 50 * 1024;
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let settings = "[limits]\ncredential_per_minute = 10000000\n[corpus]\nstarter = false\n";
    std::fs::write(folder.join("citation.toml"), settings).unwrap();
    let add = "--init --data data user add a@example.org --plan business --api-key --json";
    let made = run_line(folder, add).json();
    let key = made["api_key"].as_str().unwrap();
    let server = serve(folder);
    let client = Client::new(&server, key);
    let (_, made) = { client.send("POST", "/collections", &json!({"name": "Watched"})) }.unwrap();
    let path = format!("/collections/{}", made["id"].as_str().unwrap());
    let change = || {
        let body = json!({"metadata": {"title": "Oaks"}});
        let (status, body) = { client.send("POST", &format!("{path}/entries"), &body) }.unwrap();
        assert_eq!(status, 201, "{body}");
    };
    // What the first requests load stays.
    (0..CHANGES).for_each(|_| change());
    let Some(before) = resident(server.id()) else {
        println!("skipped: memory is read from /proc, which is not here");
        return;
    };
    let watch = || {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let timeout = Some(Duration::from_secs(60));
        stream.set_read_timeout(timeout).unwrap();
        write!(
            stream,
            "GET /api/v1{path}/changes/stream HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {key}\r\n\r\n",
            server.address
        )
        .unwrap();
        let mut stream = BufReader::new(stream);
        read_to(&mut stream, "retry:");
        stream
    };
    let mut watchers: Vec<_> = (0..WATCHERS).map(|_| watch()).collect();
    for _ in 0..CHANGES {
        change();
        for watcher in &mut watchers {
            read_to(watcher, "data:");
        }
    }
    let after = resident(server.id()).unwrap();
    println!(
        "{WATCHERS} watchers of {CHANGES} changes: {:.1} MiB more than {:.1} MiB",
        after.saturating_sub(before) as f64 / 1024.0,
        before as f64 / 1024.0
    );
    assert!(
        after.saturating_sub(before) < MAX_KIB,
        "{before} KiB, then {after} KiB"
    );
}
