//! Several clients at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use citation::model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, expect, text};

#[test]
fn two_clients_reorder_and_edit_at_once() {
    let library = Library::open();
    let me = library.member(Plan::Free);
    let path = me.collection("A");
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
                    let tag = me.get(path).header("etag").to_owned();
                    let entry = format!("{path}/entries/{}", ids[(client * 3 + round) % ids.len()]);
                    let (method, target, body) = match client % 2 {
                        0 => {
                            let mut order = ids.clone();
                            order.rotate_left(round % ids.len());
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

#[test]
fn the_same_request_sent_at_once_is_done_once() {
    let library = Library::open();
    let me = library.member(Plan::Free);
    let path = me.collection("A");
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
