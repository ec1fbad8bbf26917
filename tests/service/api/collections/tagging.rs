//! Tagging many entries at once.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, Member, NO_ID, expect, tags, text};

/// A collection with entries of these tags, and their ids.
fn tagged(me: &Member, tags: &[Value]) -> (String, Vec<String>) {
    let path = me.collection("A");
    let ids = tags.iter().map(|tags| {
        let body = json!({"metadata": {"title": "T"}, "tags": tags});
        let added = expect(&me.post(&format!("{path}/entries"), body), 201);
        text(&added["id"]).to_owned()
    });
    let ids = ids.collect();
    (path, ids)
}

#[test]
fn many_entries_are_tagged_as_one_change() {
    let (_, me) = Library::with_member(Plan::Free);
    let (path, ids) = tagged(
        &me,
        &[json!([]), json!(["a", "b"]), json!(["b"]), json!(["c"])],
    );
    let before = me.get(&path).header("etag").to_owned();
    let address = format!("{path}/entries/batch-tag");
    let body = json!({"entry_ids": [ids[0].to_uppercase(), ids[1], ids[2], NO_ID], "add": [" A ", "new"], "remove": ["B"]});
    let answer = me.send("POST", &address, &body, &[("if-match", &before)]);
    let done = expect(&answer, 200);
    let expected = json!([
        {"id": ids[0], "tags": ["A", "new"]},
        {"id": ids[1], "tags": ["a", "new"]},
        {"id": ids[2], "tags": ["A", "new"]},
    ]);
    assert_eq!(
        (&done["entries"], &done["missing"]),
        (&expected, &json!([NO_ID]))
    );
    let version: i64 = before.trim_matches('"').parse().unwrap();
    assert_eq!(answer.header("etag"), format!("\"{}\"", version + 1));
    assert_eq!(
        tags(&me, &path),
        json!([["A", "new"], ["a", "new"], ["A", "new"], ["c"]])
    );
    // What is so already is left as it is.
    let again = me.post(&address, json!({"entry_ids": [ids[0]], "add": ["NEW"]}));
    assert_eq!(again.header("etag"), format!("\"{}\"", version + 1));
    me.send("POST", &address, &body, &[("if-match", &before)])
        .expect_error(412, "precondition_failed");
}

#[test]
fn faults_are_named_and_no_entry_is_tagged() {
    let library = Library::open_with(|config| config.limits.tags = 2);
    let me = library.member(Plan::Free);
    let (path, ids) = tagged(&me, &[json!([]), json!(["a", "b"])]);
    let address = format!("{path}/entries/batch-tag");
    let check = |body: Value, field: &str| {
        let fault = me
            .post(&address, body)
            .expect_error(422, "validation_failed");
        assert_eq!(fault["field"], field);
    };
    check(json!({"entry_ids": ids, "add": ["c"]}), "/add");
    check(json!({"entry_ids": ids}), "/add");
    check(json!({"entry_ids": ids, "add": [" "]}), "/add");
    check(
        json!({"entry_ids": ids, "remove": ["x".repeat(65)]}),
        "/remove/0",
    );
    check(json!({"entry_ids": [], "add": ["c"]}), "/entry_ids");
    let many = json!({"entry_ids": vec![NO_ID; 1001], "add": ["c"]});
    me.post(&address, many)
        .expect_error(413, "payload_too_large");
    let other = library.named_member("other@example.org", Plan::Free);
    other
        .post(&address, json!({"entry_ids": ids, "add": ["c"]}))
        .expect_error(404, "not_found");
    assert_eq!(tags(&me, &path), json!([[], ["a", "b"]]));
}
