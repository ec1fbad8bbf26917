//! Limits of plans.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, expect, text};
use crate::support::list;

#[test]
fn plans_limit_collections_and_entries() {
    let library = Library::open_with(|config| {
        config.limits.free_entries = 3;
        config.limits.academic_entries = 2;
        config.limits.academic_collections = 2;
    });
    let me = library.member(Plan::Free);
    let path = me.collection("1");
    for name in ["2", "3", "4"] {
        me.collection(name);
    }
    let full = me
        .post("/collections", json!({"name": "5"}))
        .expect_error(403, "collection_limit_reached");
    assert_eq!(
        (&full["limit"], &full["current"], &full["active_plan"]),
        (&json!(4), &json!(4), &json!("Free"))
    );
    assert!(full["upgrade_url"].as_str().is_some());

    me.entry(&path, "one");
    let batch = json!({"entries": [{"title": "two"}, {"title": "three"}, {"title": "four"}]});
    let full = me
        .post(&format!("{path}/entries/batch"), batch)
        .expect_error(403, "entry_limit_reached");
    let numbers =
        ["limit", "current", "requested", "available"].map(|name| full[name].as_u64().unwrap());
    assert_eq!(numbers, [3, 1, 3, 2]);
    let file = b"@book{a,title={Alpha}} @book{b,title={Beta}} @book{c,title={Gamma}}";
    let import = |query: &str| {
        let path = format!("{path}/import{query}");
        me.send_bytes("POST", &path, "application/x-bibtex", Some(file), &[])
    };
    import("").expect_error(403, "entry_limit_reached");
    assert_eq!(me.titles(&path), ["one"]);
    let partly = expect(&import("?partial=true"), 200);
    let numbers =
        ["total", "imported", "skipped", "failed"].map(|name| partly[name].as_u64().unwrap());
    assert_eq!(numbers, [3, 2, 0, 1]);
    assert_eq!(partly["errors"][0]["code"], "entry_limit_reached");
    let full = expect(&import("?partial=true"), 200);
    let numbers =
        ["total", "imported", "skipped", "failed"].map(|name| full[name].as_u64().unwrap());
    assert_eq!(numbers, [3, 0, 0, 3]);
    assert_eq!(list(&full["errors"]).len(), 3);
    import("").expect_error(403, "entry_limit_reached");
    me.post(&format!("{path}/entries"), json!({"title": "x"}))
        .expect_error(403, "entry_limit_reached");

    // What is deleted makes room, and must find room to come back.
    let id = expect(&me.get(&path), 200)["entries"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let entry = format!("{path}/entries/{id}");
    assert_eq!(me.delete(&entry).status, 204);
    me.entry(&path, "x");
    me.post(&format!("{entry}/restore"), Value::Null)
        .expect_error(403, "entry_limit_reached");
    assert_eq!(me.delete(&path).status, 204);
    me.collection("5");
    me.post(&format!("{path}/restore"), Value::Null)
        .expect_error(403, "collection_limit_reached");

    let paid = library.member(Plan::Academic);
    let (a, b) = (paid.collection("a"), paid.collection("b"));
    let ids: Vec<String> = ["1", "2"].iter().map(|t| paid.entry(&a, t)).collect();
    paid.entry(&b, "3");
    let (from, to) = (&a[13..], &b[13..]);
    paid.post(
        "/collections/batch-move",
        json!({"from": from, "to": to, "entry_ids": ids}),
    )
    .expect_error(403, "entry_limit_reached");
    assert_eq!((paid.titles(&a).len(), paid.titles(&b).len()), (2, 1));
    let merge =
        |collections: Value| paid.post("/collections/merge", json!({"collections": collections}));
    merge(json!([{"name": "b", "entries": [{"title": "4"}]}, {"name": "c"}]))
        .expect_error(403, "collection_limit_reached");
    merge(json!([{"name": "b", "entries": [{"title": "4"}, {"title": "5"}]}]))
        .expect_error(403, "entry_limit_reached");
    assert_eq!(paid.titles(&b).len(), 1);
}

#[test]
fn free_accounts_see_which_plans_merge_and_move() {
    let (_, me) = Library::with_member(Plan::Free);
    for path in ["/collections/batch-move", "/collections/merge"] {
        let fault = me.post(path, json!({})).expect_error(403, "plan_required");
        let message = fault["message"].as_str().unwrap();
        for part in ["Academic", "EUR 4", "Business", "EUR 10"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(fault["upgrade_url"].as_str().is_some());
    }
}

#[test]
fn account_keeps_no_more_bytes_than_its_plan_allows() {
    let library = Library::open_with(|config| config.limits.free_account_bytes = 40_000);
    let me = library.member(Plan::Free);
    let path = me.collection("1");
    let used = || {
        let me = me.get("/me").json();
        assert_eq!(me["limits"]["account_bytes"], 40_000);
        me["limits"]["account_bytes_used"].as_u64().unwrap()
    };
    let purge = || {
        let store = &library.app.app.store;
        store.purge_collections(i64::MAX, i64::MAX).unwrap();
    };
    let note = "x".repeat(9_000);
    let add = |title: usize| {
        let body = json!({"metadata": {"title": title.to_string()}, "note": note});
        me.post(&format!("{path}/entries"), body)
    };
    let mut ids = Vec::new();
    let full = loop {
        let answer = add(ids.len());
        if answer.status != 201 {
            break answer.expect_error(403, "storage_limit_reached");
        }
        ids.push(answer.json()["id"].as_str().unwrap().to_owned());
    };
    assert_eq!(ids.len(), 4);
    assert_eq!(
        (&full["limit"], &full["used"]),
        (&json!(40_000), &json!(used()))
    );
    assert!(full["requested"].as_u64().unwrap() > 9_000, "{full}");
    assert_eq!(me.titles(&path).len(), 4, "nothing of it was done");

    // What is deleted is still kept, but taking out is always possible.
    let before = used();
    let entry = format!("{path}/entries/{}", ids[0]);
    expect(&me.delete(&entry), 204);
    assert_eq!(used(), before);
    add(9).expect_error(403, "storage_limit_reached");
    purge();
    assert!(used() < before - 9_000);
    expect(&add(9), 201);

    // Earlier versions and remembered answers count.
    let before = used();
    let entry = format!("{path}/entries/{}", ids[1]);
    expect(
        &me.put(
            &format!("{entry}/metadata"),
            json!({"metadata": {"title": "1b"}}),
        ),
        200,
    );
    let edited = used();
    assert!(edited > before);
    let key = [("idempotency-key", "k")];
    let copy = json!({"name": "2"});
    expect(&me.send("POST", "/collections", &copy, &key), 201);
    assert!(used() > edited + 256);
    purge();
    for collection in me.get("/collections").json().as_array().unwrap() {
        let id = collection["id"].as_str().unwrap();
        expect(&me.delete(&format!("/collections/{id}")), 204);
    }
    purge();
    assert_eq!(used(), 0);
}

#[test]
fn limit_of_a_shared_collection_is_that_of_its_owner() {
    let library = Library::open_with(|config| {
        config.limits.free_entries = 1;
        config.limits.free_account_bytes = 8_000;
    });
    let owner = library.member(Plan::Free);
    let guest = library.member(Plan::Business);
    let collection = owner.collection("Shared");
    let invitation = json!({"role": "editor"});
    let link = expect(
        &owner.post(&format!("{collection}/invitations"), invitation),
        201,
    );
    let accept = format!("/invitations/{}/accept", text(&link["token"]));
    expect(&guest.post(&accept, Value::Null), 200);
    let entries = format!("{collection}/entries");
    let long = json!({"metadata": {"title": "Tree"}, "note": "x".repeat(9_000)});
    let full = guest
        .post(&entries, long)
        .expect_error(403, "storage_limit_reached");
    assert_eq!(
        (&full["active_plan"], &full["limit"]),
        (&json!("Free"), &json!(8_000))
    );
    assert!(
        text(&full["message"]).contains("owner's plan, Free,"),
        "{full}"
    );
    expect(
        &guest.post(&entries, json!({"metadata": {"title": "Tree"}})),
        201,
    );
    let second = guest.post(&entries, json!({"metadata": {"title": "Wood"}}));
    let full = second.expect_error(403, "entry_limit_reached");
    assert_eq!(
        (&full["active_plan"], &full["limit"]),
        (&json!("Free"), &json!(1))
    );
}
