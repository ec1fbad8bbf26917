//! Two people who edit one entry: merges, conflicts, undo; and the changes that others see.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, Member, expect, text};
use crate::support::{Answer, list};

fn tag(answer: &Answer) -> String {
    answer.header("etag").to_owned()
}

/// Two editors of one collection with one entry: the library, both, the paths of collection and entry.
fn pair() -> (Library, Member, Member, String, String) {
    let library = Library::open();
    let one = library.named_member("one@example.org", Plan::Free);
    let two = library.named_member("two@example.org", Plan::Free);
    let path = one.collection("A");
    let entry = one.entry(&path, "Title");
    let link = one.post(&format!("{path}/invitations"), json!({"role": "editor"}));
    let accept = format!("/invitations/{}/accept", text(&expect(&link, 201)["token"]));
    expect(&two.post(&accept, Value::Null), 200);
    let entry = format!("{path}/entries/{entry}");
    (library, one, two, path, entry)
}

fn put(member: &Member, entry: &str, seen: &str, metadata: Value) -> Answer {
    let path = format!("{entry}/metadata?on_conflict=merge");
    member.send("PUT", &path, &metadata, &[("if-match", seen)])
}

#[test]
fn edits_of_different_fields_are_merged() {
    let (_library, one, two, _, entry) = pair();
    let seen = tag(&one.get(&entry));
    let first = json!({"title": "Title", "publisher": "P"});
    expect(&put(&one, &entry, &seen, first), 200);
    let second = json!({"title": "Better title"});
    let merged = expect(&put(&two, &entry, &seen, second), 200);
    assert_eq!(merged["metadata"]["title"], "Better title");
    assert_eq!(merged["metadata"]["publisher"], "P");
    let history = expect(&one.get(&format!("{entry}/history")), 200);
    let by: Vec<&Value> = list(&history)
        .iter()
        .map(|version| &version["by"])
        .collect();
    assert_eq!(by, ["two", "one"]);
    // Without the wish to merge an older version is refused, as always.
    let path = format!("{entry}/metadata");
    let stale = one.send("PUT", &path, &json!({"title": "X"}), &[("if-match", &seen)]);
    stale.expect_error(412, "precondition_failed");
}

#[test]
fn edits_of_one_field_conflict_and_are_shown() {
    let (_library, one, two, _, entry) = pair();
    let seen = tag(&one.get(&entry));
    expect(&put(&one, &entry, &seen, json!({"title": "First"})), 200);
    let refused = put(
        &two,
        &entry,
        &seen,
        json!({"title": "Second", "publisher": "P"}),
    );
    let body = refused.expect_error(412, "precondition_failed");
    let expected = json!([
        {"field": "title", "base": "Title", "theirs": "First", "yours": "Second"}
    ]);
    assert_eq!(body["conflicts"], expected);
    assert_eq!(expect(&one.get(&entry), 200)["metadata"]["title"], "First");
    // The same value is no conflict.
    expect(&put(&two, &entry, &seen, json!({"title": "First"})), 200);
}

#[test]
fn annotations_of_different_fields_are_merged() {
    let (_library, one, two, _, entry) = pair();
    let seen = tag(&one.get(&entry));
    let patch = |member: &Member, body: Value| {
        let path = format!("{entry}?on_conflict=merge");
        member.send("PATCH", &path, &body, &[("if-match", &seen)])
    };
    expect(&patch(&one, json!({"note": "N"})), 200);
    let merged = expect(&patch(&two, json!({"tags": ["t"]})), 200);
    assert_eq!(
        (&merged["note"], &merged["tags"]),
        (&json!("N"), &json!(["t"]))
    );
    let refused = patch(&two, json!({"note": "M"})).expect_error(412, "precondition_failed");
    let expected = json!([
        {"field": "note", "of": "entry", "base": null, "theirs": "N", "yours": "M"}
    ]);
    assert_eq!(refused["conflicts"], expected);
}

#[test]
fn own_change_is_undone_after_another_one() {
    let (_library, one, two, _, entry) = pair();
    let metadata = format!("{entry}/metadata");
    expect(&one.put(&metadata, json!({"title": "Mine"})), 200);
    expect(
        &two.put(&metadata, json!({"title": "Mine", "publisher": "P"})),
        200,
    );
    let undo = format!("{entry}/undo");
    let undone = expect(&one.post(&undo, json!({"version": 1})), 200);
    assert_eq!(undone["metadata"]["title"], "Title");
    assert_eq!(undone["metadata"]["publisher"], "P");
    expect(
        &two.put(&metadata, json!({"title": "Later", "publisher": "P"})),
        200,
    );
    let refused = one.post(&undo, json!({"version": 1}));
    let refused = refused.expect_error(412, "precondition_failed");
    assert_eq!(refused["conflicts"][0]["field"], "title");
    assert_eq!(one.post(&undo, json!({"version": 99})).status, 404);
}

/// A hundred races: each of two editors sets a field of its own, and one that both set. Whatever was
/// answered with 200 is in the history, and each refusal shows its conflict.
#[test]
fn hundred_pairs_of_racing_editors_lose_nothing() {
    let (_library, one, two, _, entry) = pair();
    let mut merged = 0;
    let mut shown = 0;
    for round in 0..100 {
        let seen = tag(&one.get(&entry));
        let base = expect(&one.get(&entry), 200)["metadata"].clone();
        let edit = |own: &str, both: bool| {
            let mut metadata = base.clone();
            metadata[own] = json!(format!("{own} {round}"));
            if both {
                metadata["title"] = json!(format!("{own} title {round}"));
            }
            metadata
        };
        let collides = round % 2 == 0;
        let bodies = [edit("publisher", collides), edit("edition", collides)];
        let answers: Vec<Answer> = std::thread::scope(|scope| {
            let senders: Vec<_> = [&one, &two]
                .into_iter()
                .zip(&bodies)
                .map(|(member, body)| {
                    let (entry, seen) = (&entry, &seen);
                    scope.spawn(move || put(member, entry, seen, body.clone()))
                })
                .collect();
            senders
                .into_iter()
                .map(|sender| sender.join().unwrap())
                .collect()
        });
        let stored = expect(&one.get(&entry), 200)["metadata"].clone();
        let fields = ["publisher", "edition"];
        for ((answer, field), body) in answers.iter().zip(fields).zip(&bodies) {
            match answer.status {
                200 => {
                    merged += 1;
                    assert_eq!(stored[field], body[field], "round {round}");
                }
                412 => {
                    shown += 1;
                    let error = answer.json();
                    let conflicts = list(&error["conflicts"]);
                    assert_eq!(conflicts[0]["field"], "title", "round {round}: {error}");
                    assert_eq!(conflicts[0]["theirs"], stored["title"]);
                    assert_eq!(conflicts[0]["yours"], body["title"]);
                }
                other => panic!("{other}: {}", answer.text()),
            }
        }
    }
    assert_eq!((merged, shown), (150, 50));
}

#[test]
fn changes_since_a_version_say_what_and_who() {
    let (_library, one, two, path, entry) = pair();
    let seen = tag(&one.get(&path)).trim_matches('"').to_owned();
    expect(&two.patch(&entry, json!({"note": "N"})), 200);
    one.entry(&path, "Two");
    let body = expect(&two.get(&format!("{path}/changes?since={seen}")), 200);
    assert_eq!(body["complete"], true);
    let changes = list(&body["changes"]);
    let kinds: Vec<&Value> = changes.iter().map(|change| &change["kind"]).collect();
    assert_eq!(kinds, ["entries_annotated", "entries_added"]);
    assert_eq!(
        (&changes[0]["by"], &changes[0]["fields"]),
        (&json!("two"), &json!(["note"]))
    );
    assert!(entry.ends_with(text(&changes[0]["entries"][0])));
    let all = expect(&one.get(&format!("{path}/changes")), 200);
    assert_eq!(all["complete"], true);
    let future = expect(&one.get(&format!("{path}/changes?since=9999")), 200);
    assert_eq!(future["complete"], false);
}

/// A stream of events, read line by line.
struct Events(BufReader<TcpStream>);

impl Events {
    fn open(library: &Library, member: &Member, path: &str, more: &str) -> Events {
        let mut stream = TcpStream::connect(library.app.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        let key = member.key();
        write!(
            stream,
            "GET /api/v1{path}/changes/stream HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {key}\r\n{more}\r\n",
            library.app.address
        )
        .unwrap();
        Events(BufReader::new(stream))
    }

    /// The next line that begins so; none when the stream ends.
    fn next(&mut self, prefix: &str) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(rest) = line.trim_end().strip_prefix(prefix) {
                return Some(rest.trim().to_owned());
            }
            // The last chunk of a body.
            if line.trim_end() == "0" {
                return None;
            }
        }
    }
}

#[test]
fn stream_tells_changes_resumes_and_ends_with_access() {
    let (library, one, two, path, entry) = pair();
    let mut events = Events::open(&library, &two, &path, "");
    assert_eq!(events.next("retry:").unwrap(), "500");
    expect(&one.patch(&entry, json!({"note": "N"})), 200);
    let id = events.next("id:").unwrap();
    let change: Value = serde_json::from_str(&events.next("data:").unwrap()).unwrap();
    assert_eq!(
        (&change["kind"], &change["by"]),
        (&json!("entries_annotated"), &json!("one"))
    );

    one.entry(&path, "Two");
    let mut resumed = Events::open(&library, &two, &path, &format!("last-event-id: {id}\r\n"));
    let change: Value = serde_json::from_str(&resumed.next("data:").unwrap()).unwrap();
    assert_eq!(change["kind"], "entries_added");

    let mut old = Events::open(&library, &two, &path, "last-event-id: 99999\r\n");
    assert_eq!(old.next("event:").unwrap(), "reload");

    let members = expect(&one.get(&format!("{path}/members")), 200);
    let id = text(&members["members"][1]["id"]).to_owned();
    expect(&one.delete(&format!("{path}/members/{id}")), 204);
    assert_eq!(resumed.next("data:"), None);
    assert_eq!(two.get(&format!("{path}/changes/stream")).status, 404);
}

/// No thread waits for a watcher: with 200 of them a change reaches everybody, and requests are answered.
#[test]
fn two_hundred_watchers_see_one_change() {
    let (library, one, _two, path, entry) = pair();
    let mut watchers: Vec<Events> = (0..200)
        .map(|_| Events::open(&library, &one, &path, ""))
        .collect();
    for watcher in &mut watchers {
        watcher.next("retry:").unwrap();
    }
    expect(&one.patch(&entry, json!({"note": "N"})), 200);
    for watcher in &mut watchers {
        assert!(watcher.next("data:").unwrap().contains("entries_annotated"));
    }
}
