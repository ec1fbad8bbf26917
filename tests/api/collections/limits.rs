//! What plans allow.

use citation::model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, expect};

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
    assert_eq!(full["errors"].as_array().unwrap().len(), 3);
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
fn free_accounts_learn_which_plans_merge_and_move() {
    let library = Library::open();
    let me = library.member(Plan::Free);
    for path in ["/collections/batch-move", "/collections/merge"] {
        let fault = me.post(path, json!({})).expect_error(403, "plan_required");
        let message = fault["message"].as_str().unwrap();
        for part in ["Academic", "EUR 4", "Business", "EUR 10"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(fault["upgrade_url"].as_str().is_some());
    }
}
