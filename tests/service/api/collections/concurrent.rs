//! Concurrent clients.

use std::sync::atomic::{AtomicUsize, Ordering};

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, expect, text};
use crate::support::list;

#[test]
fn concurrent_reorder_and_edit_both_apply() {
    let (_, me, path) = Library::with_collection("A");
    let ids: Vec<String> = (0..10).map(|n| me.entry(&path, &format!("t{n}"))).collect();
    let (done, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let version = |answer: &crate::support::Answer| {
        answer
            .header("etag")
            .trim_matches('"')
            .parse::<i64>()
            .unwrap()
    };
    let before = version(&me.get(&path));
    std::thread::scope(|scope| {
        for client in 0..4 {
            let (me, path, ids, done, refused) = (&me, &path, &ids, &done, &refused);
            scope.spawn(move || {
                for round in 0..10 {
                    let seen = me.get(path);
                    let tag = seen.header("etag").to_owned();
                    let entry = format!("{path}/entries/{}", ids[(client * 3 + round) % ids.len()]);
                    let (method, target, body) = match client % 2 {
                        0 => {
                            // Another order than the one seen: the same would make no version.
                            let entries = seen.json()["entries"].clone();
                            let entries = list(&entries).iter();
                            let mut order: Vec<Value> = entries.map(|e| e["id"].clone()).collect();
                            order.rotate_left(1 + round % 9);
                            (
                                "PATCH",
                                format!("{path}/reorder"),
                                json!({"entry_ids": order}),
                            )
                        }
                        _ => ("PATCH", entry, json!({"note": format!("{client}.{round}")})),
                    };
                    let answer = me.send(method, &target, &body, &[("if-match", &tag)]);
                    match answer.status {
                        200 => done.fetch_add(1, Ordering::Relaxed),
                        412 => refused.fetch_add(1, Ordering::Relaxed),
                        other => panic!("{other}: {}", answer.text()),
                    };
                }
            });
        }
    });
    let (done, refused) = (done.into_inner(), refused.into_inner());
    assert_eq!(done + refused, 40);
    // Each write that was answered with 200 saw the version before it: none overwrote another.
    assert_eq!(version(&me.get(&path)) - before, done as i64);
    let mut titles = me.titles(&path);
    titles.sort();
    assert_eq!(titles.len(), 10);
    titles.dedup();
    assert_eq!(titles.len(), 10);
}

/// Whether a work is there already is looked for before the write; what is written in between counts.
#[test]
fn concurrently_added_work_is_stored_once() {
    let (_, me) = Library::with_member(Plan::Academic);
    let path = me.collection("A");
    let title = "A work that everybody wants to have in the collection";
    let wishes = [
        ("entries", json!({"title": title})),
        ("entries/batch", json!({"entries": [{"title": title}]})),
        ("import", json!([{"title": title, "type": "document"}])),
    ];
    std::thread::scope(|scope| {
        for client in 0..6 {
            let (me, path, wishes) = (&me, &path, &wishes);
            scope.spawn(move || {
                for round in 0..5 {
                    let (what, body) = &wishes[(client + round) % wishes.len()];
                    let target = format!("{path}/{what}?on_duplicate=skip");
                    let answer = me.post(&target, body.clone());
                    assert!(answer.status < 300, "{}", answer.text());
                }
            });
        }
    });
    assert_eq!(me.titles(&path), [title]);
}

#[test]
fn concurrent_identical_requests_run_once() {
    let (_, me, path) = Library::with_collection("A");
    let bodies: Vec<Value> = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..8)
            .map(|_| {
                let (me, path) = (&me, &path);
                scope.spawn(move || {
                    let body = json!({"metadata": {"title": "One"}});
                    let answer = me.send(
                        "POST",
                        &format!("{path}/entries"),
                        &body,
                        &[("idempotency-key", "k")],
                    );
                    expect(&answer, 201)
                })
            })
            .collect();
        senders
            .into_iter()
            .map(|sender| sender.join().unwrap())
            .collect()
    });
    assert_eq!(me.titles(&path), ["One"]);
    assert!(
        bodies
            .iter()
            .all(|body| text(&body["id"]) == text(&bodies[0]["id"]))
    );
}

#[test]
fn parallel_adds_stop_at_the_limit() {
    let library = Library::open_with(|config| config.limits.free_entries = 7);
    let me = library.member(Plan::Free);
    let path = me.collection("A");
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..20)
            .map(|n| {
                let (me, path) = (&me, &path);
                scope.spawn(move || {
                    me.post(
                        &format!("{path}/entries"),
                        json!({"title": format!("t{n}")}),
                    )
                    .status
                })
            })
            .collect();
        senders
            .into_iter()
            .map(|sender| sender.join().unwrap())
            .collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 7);
    assert_eq!(statuses.iter().filter(|status| **status == 403).count(), 13);
    assert_eq!(me.titles(&path).len(), 7);
}
