//! Moving entries and merging collections.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, NO_ID, expect, text};
use crate::support::list;

fn id_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

#[test]
fn entries_move_to_another_collection() {
    let (_, me) = Library::with_member(Plan::Academic);
    let (a, b) = (me.collection("A"), me.collection("B"));
    let ids: Vec<String> = ["one", "two", "three"]
        .iter()
        .map(|t| me.entry(&a, t))
        .collect();
    me.entry(&b, "zero");
    let body = json!({"source_collection_id": id_of(&a), "target_collection_id": id_of(&b),
                      "entry_ids": [ids[2], ids[0], NO_ID, ids[0]]});
    let moved = expect(&me.post("/collections/batch-move", body), 200);
    assert_eq!(moved["moved"], 2);
    assert_eq!(
        moved["skipped"],
        json!([{"entry_id": NO_ID, "reason": "not_found"}, {"entry_id": ids[0], "reason": "repeated"}])
    );
    assert_eq!(
        (
            &moved["source"]["entry_count"],
            &moved["target"]["entry_count"]
        ),
        (&json!(1), &json!(3))
    );
    assert_eq!(me.titles(&a), ["two"]);
    assert_eq!(me.titles(&b), ["zero", "three", "one"]);

    let copy = json!({"from": id_of(&b), "to": id_of(&a), "entry_ids": [ids[0]], "copy": true});
    expect(&me.post("/collections/batch-move", copy.clone()), 200);
    assert_eq!((me.titles(&a).len(), me.titles(&b).len()), (2, 3));
    let mut skip = copy;
    skip["on_duplicate"] = json!("skip");
    let skipped = expect(&me.post("/collections/batch-move", skip), 200);
    assert_eq!(
        skipped["skipped"],
        json!([{"entry_id": ids[0], "reason": "duplicate"}])
    );
}

#[test]
fn move_skips_works_of_the_target() {
    let (_, me) = Library::with_member(Plan::Academic);
    let (a, b) = (me.collection("A"), me.collection("B"));
    let title = |n: usize| format!("A study of subject number {n} in depth");
    let ids: Vec<String> = (0..4).map(|n| me.entry(&a, &title(n))).collect();
    let again = me.entry(&a, &title(0));
    me.entry(&b, &title(2));
    let body = json!({"from": id_of(&a), "to": id_of(&b), "on_duplicate": "skip",
                      "entry_ids": [ids[2], ids[0], again, NO_ID, ids[3]]});
    let moved = expect(&me.post("/collections/batch-move", body), 200);
    // The second of two alike finds the first one there.
    assert_eq!(
        moved["skipped"],
        json!([{"entry_id": ids[2], "reason": "duplicate"}, {"entry_id": again, "reason": "duplicate"},
               {"entry_id": NO_ID, "reason": "not_found"}])
    );
    assert_eq!(me.titles(&a), [title(1), title(2), title(0)]);
    assert_eq!(me.titles(&b), [title(2), title(0), title(3)]);
}

#[test]
fn faults_in_moves_are_named() {
    let (_, me) = Library::with_member(Plan::Academic);
    let (a, b) = (me.collection("A"), me.collection("B"));
    let id = me.entry(&a, "one");
    let check = |body: Value, field: &str| {
        let fault = me
            .post("/collections/batch-move", body)
            .expect_error(422, "validation_failed");
        assert_eq!(fault["field"], field);
    };
    let (a, b) = (id_of(&a), id_of(&b));
    check(json!({"to": b, "entry_ids": [id]}), "/source_collection_id");
    check(json!({"from": a, "to": b, "entry_ids": []}), "/entry_ids");
    check(
        json!({"from": a, "to": a, "entry_ids": [id]}),
        "/target_collection_id",
    );
    check(
        json!({"from": a, "to": b, "entry_ids": [id], "on_duplicate": "x"}),
        "/on_duplicate",
    );
    me.post(
        "/collections/batch-move",
        json!({"from": a, "to": NO_ID, "entry_ids": [id]}),
    )
    .expect_error(404, "not_found");
    me.post(
        "/collections/batch-move",
        json!({"from": a, "to": b, "entry_ids": vec!["x"; 1001]}),
    )
    .expect_error(413, "payload_too_large");
}

#[test]
fn browser_collection_is_merged_once() {
    let (_, me) = Library::with_member(Plan::Academic);
    let present = me.collection("thesis");
    me.entry(&present, "Known already, with a long title");
    let body = json!({"collections": [
        {"client_id": "c1", "name": "Thesis", "entries": [
            {"client_id": "1", "metadata": {"title": "One"}, "note": "n", "added_at": "2020-01-01T00:00:00Z"},
            {"client_id": "2", "metadata": {"title": "Known already, with a long title"}},
            {"client_id": "3", "metadata": {"volume": "1"}}]},
        {"client_id": "c2", "name": "New", "description": "d", "tags": ["t"], "created_at": "2019-01-01T00:00:00Z",
         "entries": [{"client_id": "1", "metadata": {"title": "Two"}}, {"metadata": {"title": "Three"}}]},
    ]});
    let mut rehearsal = body.clone();
    rehearsal["dry_run"] = json!(true);
    let rehearsed = expect(&me.post("/collections/merge", rehearsal), 200);
    let check = |merged: &Value| {
        let [first, second] = &merged["collections"].as_array().unwrap()[..] else {
            panic!("{merged}");
        };
        let found = [
            &first["action"],
            &first["added"],
            &first["skipped_duplicates"],
            &first["errors"][0]["index"],
        ];
        assert_eq!(found, [&json!("merged"), &json!(1), &json!(1), &json!(2)]);
        assert_eq!(
            (&second["action"], &second["added"]),
            (&json!("created"), &json!(2))
        );
        assert_eq!(merged["totals"]["added"], 3);
    };
    check(&rehearsed);
    assert_eq!(rehearsed["collections"][1]["id"], Value::Null);
    assert_eq!(list(&expect(&me.get("/collections"), 200)).len(), 1);

    let merged = expect(&me.post("/collections/merge", body.clone()), 200);
    check(&merged);
    assert_eq!(
        me.titles(&present),
        ["Known already, with a long title", "One"]
    );
    let second = format!("/collections/{}", text(&merged["collections"][1]["id"]));
    let second = expect(&me.get(&second), 200);
    assert_eq!(
        (&second["description"], &second["created_at"]),
        (&json!("d"), &json!("2019-01-01T00:00:00Z"))
    );

    // Under another name, and with entries that have been changed or moved since: still known.
    expect(&me.patch(&present, json!({"name": "Renamed"})), 200);
    for entry in list(&expect(&me.get(&present), 200)["entries"]) {
        let path = format!("{present}/entries/{}/metadata", text(&entry["id"]));
        expect(
            &me.put(&path, json!({"title": "Edited out of all recognition"})),
            200,
        );
    }
    let again = expect(&me.post("/collections/merge", body), 200);
    assert_eq!(again["collections"][0]["name"], "Renamed");
    assert_eq!(again["totals"]["added"], 0);
    assert_eq!(list(&expect(&me.get("/collections"), 200)).len(), 2);

    let new = json!({"collections": [{"name": "Renamed"}], "strategy": "create_new"});
    assert_eq!(
        expect(&me.post("/collections/merge", new), 200)["collections"][0]["action"],
        "created"
    );
    for (body, field) in [
        (json!({"collections": []}), "/collections"),
        (
            json!({"collections": [{"name": ""}]}),
            "/collections/0/name",
        ),
        (
            json!({"collections": [{"name": "x"}], "strategy": "mix"}),
            "/strategy",
        ),
    ] {
        let fault = me
            .post("/collections/merge", body)
            .expect_error(422, "validation_failed");
        assert_eq!(fault["field"], field);
    }
}

#[test]
fn browser_annotations_of_a_known_work_go_to_its_entry() {
    let library = Library::open_with(|config| config.limits.note_chars = 20);
    let me = library.member(Plan::Academic);
    let path = me.collection("Thesis");
    let known = json!({"metadata": {"title": "Known already, with a long title"}, "note": "mine", "tags": ["a"]});
    let known = expect(&me.post(&format!("{path}/entries"), known), 201);
    let entry = |id: &str, title: &str, note: &str, tags: &[&str]| json!({"client_id": id, "metadata": {"title": title}, "note": note, "tags": tags});
    let (old, new) = (
        "Known already, with a long title",
        "Something new under the sun",
    );
    let body = json!({"collections": [{"client_id": "c", "name": "Thesis", "entries": [
        {"metadata": {"volume": "1"}},
        entry("1", old, "theirs", &["A", "b"]),
        entry("2", new, "one", &[]),
        entry("3", new, "two", &["c"]),
        entry("4", old, "much too long a note", &[]),
    ]}]});
    let mut rehearsal = body.clone();
    rehearsal["dry_run"] = json!(true);
    let skipped = |answer: &Value| {
        let merged = &answer["collections"][0];
        assert_eq!(
            (&merged["added"], &merged["skipped_duplicates"]),
            (&json!(2), &json!(2))
        );
        merged["skipped"].clone()
    };
    let rehearsed = expect(&me.post("/collections/merge", rehearsal), 200);
    let of_old = json!({"index": 1, "client_id": "1", "entry_id": known["id"]});
    assert_eq!(
        skipped(&rehearsed),
        json!([of_old, {"index": 3, "client_id": "3", "entry_id": null}])
    );
    let merged = expect(&me.post("/collections/merge", body.clone()), 200);
    let entries = || expect(&me.get(&path), 200)["entries"].clone();
    let found = entries();
    assert_eq!(
        skipped(&merged),
        json!([of_old, {"index": 3, "client_id": "3", "entry_id": found[1]["id"]}])
    );
    let said = |entry: &Value| json!([entry["note"], entry["tags"], entry["review_status"]]);
    let expected = [
        json!(["mine\n\ntheirs", ["a", "b"], "clean"]),
        json!(["one\n\ntwo", ["c"], "clean"]),
        // No room for both notes: the work is there twice, and nothing is lost.
        json!(["much too long a note", [], "possible_duplicate"]),
    ];
    let all: Vec<Value> = list(&found).iter().map(said).collect();
    assert_eq!(all, expected);

    // What comes again has been taken over, whatever has become of it.
    let first = format!("{path}/entries/{}", text(&known["id"]));
    expect(&me.patch(&first, json!({"note": null, "tags": []})), 200);
    let again = expect(&me.post("/collections/merge", body), 200);
    assert_eq!(again["totals"]["skipped_duplicates"], 4);
    assert_eq!(said(&entries()[0]), json!([null, [], "clean"]));
}

#[test]
fn validation_errors_use_the_clients_terms() {
    let (_, me) = Library::with_member(Plan::Academic);
    let path = me.collection("A");
    let check = |method: &str, path: &str, body: Value, field: &str, message: &str| {
        let fault = me
            .send(method, path, &body, &[])
            .expect_error(422, "validation_failed");
        assert_eq!(
            (&fault["field"], &fault["message"]),
            (&json!(field), &json!(message))
        );
    };
    check(
        "POST",
        "/collections/merge",
        json!({"collections": [5]}),
        "/collections/0",
        "/collections/0 must be an object, not 5.",
    );
    check(
        "PATCH",
        &format!("{path}/tags"),
        json!({"tags": "x"}),
        "/tags",
        "/tags must be a list, not text.",
    );
    check(
        "PATCH",
        &path,
        json!({"defaultstyle": "apa", "default_style": "ieee"}),
        "/default_style",
        "/default_style is another name of `defaultstyle`; send one of the two.",
    );
    check(
        "POST",
        "/collections/batch-move",
        json!({"from": "a", "source_collection_id": "a", "to": "b", "entry_ids": ["x"]}),
        "/from",
        "/from is another name of `source_collection_id`; send one of the two.",
    );
    check(
        "POST",
        &format!("{path}/entries"),
        json!({"metadata": {"title": "x"}, "note": ["n"]}),
        "/note",
        "/note must be text, not a list.",
    );
    let fault = me
        .get("/collections?since=foo")
        .expect_error(400, "invalid_parameter");
    assert_eq!(
        fault["message"],
        "since must be a time such as 2027-01-01T00:00:00Z."
    );
}
