//! The tags of all of a user's entries.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, Member, expect, tags, text};

fn add(me: &Member, collection: &str, tags: Value) -> String {
    let body = json!({"metadata": {"title": "T"}, "tags": tags});
    let added = expect(&me.post(&format!("{collection}/entries"), body), 201);
    text(&added["id"]).to_owned()
}

#[test]
fn tag_is_counted_renamed_merged_and_removed_over_all_collections() {
    let (library, me) = Library::with_member(Plan::Free);
    let (a, b, gone) = (me.collection("A"), me.collection("B"), me.collection("C"));
    let first = add(&me, &a, json!(["Theory", "a/b"]));
    let both = add(&me, &a, json!(["x", "theory", "Methods"]));
    let last = add(&me, &b, json!(["theory"]));
    add(&me, &gone, json!(["gone"]));
    expect(&me.delete(&gone), 204);
    let stranger = library.named_member("other@example.org", Plan::Free);
    let theirs = stranger.collection("D");
    add(&stranger, &theirs, json!(["theory"]));

    let list = |expected: Value| assert_eq!(expect(&me.get("/tags"), 200), expected);
    let one = |tag: &str, entries: u64| json!({"tag": tag, "entries": entries});
    list(json!([
        one("a/b", 1),
        one("Methods", 1),
        one("Theory", 3),
        one("x", 1)
    ]));

    let version = me.get(&a).header("etag").to_owned();
    let done = expect(&me.patch("/tags/THEORY", json!({"name": " methods "})), 200);
    assert_eq!(done["entries"], 3);
    let changed = &done["collections"];
    assert_eq!(changed[0]["entry_ids"], json!([first, both]));
    assert_eq!(changed[0]["merged_entry_ids"], json!([both]));
    assert_eq!(changed[1]["entry_ids"], json!([last]));
    assert_ne!(me.get(&a).header("etag"), version);
    assert_eq!(tags(&me, &a), json!([["methods", "a/b"], ["x", "methods"]]));
    assert_eq!(tags(&me, &b), json!([["methods"]]));
    assert_eq!(tags(&stranger, &theirs), json!([["theory"]]));

    expect(&me.delete("/tags/a/b"), 200);
    assert_eq!(tags(&me, &a), json!([["methods"], ["x", "methods"]]));
    me.delete("/tags/a%2Fb").expect_error(404, "not_found");
    me.patch("/tags/x", json!({"name": " "}))
        .expect_error(422, "validation_failed");
    me.patch("/tags/x", json!({"name": "y".repeat(65)}))
        .expect_error(422, "validation_failed");
    library
        .app
        .get("/api/v1/tags")
        .expect_error(401, "authentication_required");
}
