//! Lists of collections, and single collections.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, NO_ID, expect, text};
use crate::support::list;

#[test]
fn collection_is_created_read_changed_and_deleted() {
    let (library, me) = Library::with_member(Plan::Free);
    let answer = me.post(
        "/collections",
        json!({"name": "  My\n thesis ", "description": " d ", "default_style": "apa",
               "tags": ["a", "A", " b "], "unknown": 1}),
    );
    let created = expect(&answer, 201);
    let id = text(&created["id"]);
    assert_eq!(
        answer.header("location"),
        format!("/api/v1/collections/{id}")
    );
    assert_eq!(
        created,
        json!({
            "id": id, "name": "My thesis", "created_at": "2026-11-21T04:00:00Z",
            "updated_at": "2026-11-21T04:00:00Z", "entry_count": 0, "tags": ["a", "b"],
            "share_token": null, "description": "d", "defaultstyle": "apa", "share_url": null,
            "entries": [], "role": "owner",
        })
    );
    let path = format!("/collections/{id}");
    assert_eq!(expect(&me.get(&path), 200), created);
    assert_eq!(
        expect(
            &me.get(&path.to_uppercase().replace("/COLLECTIONS", "/collections")),
            200
        ),
        created
    );

    library.clock.advance(60);
    let changed = expect(
        &me.patch(&path, json!({"name": "Other", "description": null})),
        200,
    );
    assert_eq!(
        (
            &changed["name"],
            &changed["description"],
            &changed["defaultstyle"]
        ),
        (&json!("Other"), &Value::Null, &json!("apa"))
    );
    assert_eq!(changed["updated_at"], "2026-11-21T04:01:00Z");
    assert!(changed.get("entries").is_none());

    let tagged = expect(
        &me.patch(&format!("{path}/tags"), json!({"tags": ["x"]})),
        200,
    );
    assert_eq!(tagged["tags"], json!(["x"]));
    let list = expect(&me.get("/collections"), 200);
    assert_eq!(list, json!([tagged]));

    assert_eq!(me.delete(&path).status, 204);
    me.delete(&path).expect_error(404, "not_found");
    me.get(&path).expect_error(404, "not_found");
    assert_eq!(expect(&me.get("/collections"), 200), json!([]));
}

#[test]
fn default_style_must_exist() {
    let (_, me) = Library::with_member(Plan::Academic);
    let path = me.collection("A");
    let wrong = json!({"name": "x", "defaultstyle": "apaa"});
    let fault = me
        .post("/collections", wrong)
        .expect_error(422, "unknown_style");
    assert_eq!(
        (&fault["field"], &fault["style"]),
        (&json!("/defaultstyle"), &json!("apaa"))
    );
    assert!(list(&fault["suggestions"]).contains(&json!("apa")));
    me.patch(&path, json!({"default_style": "no such style"}))
        .expect_error(422, "unknown_style");
    for style in ["ieee", "http://www.zotero.org/styles/apa", "chicago"] {
        let changed = expect(&me.patch(&path, json!({"defaultstyle": style})), 200);
        assert_eq!(changed["defaultstyle"], style);
    }
    // What a browser kept is kept without it.
    let local = json!({"name": "B", "defaultstyle": "no-such-style", "entries": [{"title": "T"}]});
    let merged = expect(
        &me.post("/collections/merge", json!({"collections": [local]})),
        200,
    );
    let merged = &merged["collections"][0];
    assert_eq!(merged["added"], 1);
    let fault = &merged["errors"][0];
    assert_eq!(
        (&fault["index"], &fault["error"], &fault["field"]),
        (
            &Value::Null,
            &json!("unknown_style"),
            &json!("/collections/0/defaultstyle")
        )
    );
    let path = format!("/collections/{}", text(&merged["id"]));
    assert_eq!(expect(&me.get(&path), 200)["defaultstyle"], Value::Null);
}

#[test]
fn unchanged_patch_creates_no_version() {
    let (library, me, path) = Library::with_collection("A");
    let (one, two) = (me.entry(&path, "One"), me.entry(&path, "Two"));
    let before = me.get(&path);
    library.clock.advance(60);
    expect(&me.patch(&path, json!({})), 200);
    expect(
        &me.patch(&path, json!({"name": " A ", "description": null})),
        200,
    );
    expect(&me.patch(&format!("{path}/tags"), json!({"tags": []})), 200);
    let order = json!({"entry_ids": [one, two]});
    expect(&me.patch(&format!("{path}/reorder"), order), 200);
    expect(
        &me.patch(&format!("{path}/entries/{one}"), json!({"note": null})),
        200,
    );
    let after = me.get(&path);
    assert_eq!(after.header("etag"), before.header("etag"));
    assert_eq!(after.text(), before.text());
    let order = json!({"entry_ids": [two]});
    expect(&me.patch(&format!("{path}/reorder"), order), 200);
    assert_ne!(me.get(&path).header("etag"), before.header("etag"));
}

#[test]
fn faults_in_collections_are_named() {
    let (_, me, path) = Library::with_collection("A");
    let check = |method: &str, path: &str, body: Value, field: &str| {
        let fault = me
            .send(method, path, &body, &[])
            .expect_error(422, "validation_failed");
        assert_eq!(fault["field"], field, "{body}");
    };
    check("POST", "/collections", json!({}), "/name");
    check("POST", "/collections", json!({"name": " "}), "/name");
    check("POST", "/collections", json!({"name": 7}), "/name");
    check("PATCH", &path, json!({"name": null}), "/name");
    check(
        "POST",
        "/collections",
        json!({"name": "x".repeat(201)}),
        "/name",
    );
    check(
        "POST",
        "/collections",
        json!({"name": "x", "description": "x".repeat(2001)}),
        "/description",
    );
    check(
        "POST",
        "/collections",
        json!({"name": "x", "tags": vec!["y".repeat(65)]}),
        "/tags/0",
    );
    let tags: Vec<String> = (0..51).map(|n| n.to_string()).collect();
    check(
        "POST",
        "/collections",
        json!({"name": "x", "tags": tags}),
        "/tags",
    );
    check(
        "POST",
        "/collections",
        json!({"name": "x", "entries": [{"title": "t"}, {}]}),
        "/entries/1",
    );
    check(
        "PATCH",
        &path,
        json!({"name": null, "colour": "red"}),
        "/colour",
    );
    check("PATCH", &path, json!({"name": ""}), "/name");
    check("PATCH", &format!("{path}/tags"), json!({}), "/tags");
    check(
        "PATCH",
        &format!("{path}/tags"),
        json!({"tags": "a"}),
        "/tags",
    );
    me.send_bytes("PATCH", &path, "application/json", Some(b"{"), &[])
        .expect_error(400, "invalid_json");
    me.send_bytes("POST", "/collections", "text/plain", Some(b"x"), &[])
        .expect_error(415, "unsupported_media_type");
    me.patch("/collections", json!({}))
        .expect_error(405, "method_not_allowed");
    for path in [NO_ID, "x", "%00", "merge"] {
        let path = format!("/collections/{path}");
        let fault = me.get(&path).expect_error(404, "not_found");
        assert_eq!(fault["resource"], "collection");
    }
    assert_eq!(list(&expect(&me.get("/collections"), 200)).len(), 1);
}

#[test]
fn collection_is_created_with_entries() {
    let (_, me) = Library::with_member(Plan::Free);
    let body = json!({"name": "A", "entries": [{"title": "One"}, {"metadata": {"title": "Two"}, "note": "n"}]});
    let created = expect(&me.post("/collections", body), 201);
    assert_eq!(created["entry_count"], 2);
    assert_eq!(created["entries"][1]["note"], "n");
    let path = format!("/collections/{}", text(&created["id"]));
    assert_eq!(me.titles(&path), ["One", "Two"]);
}

#[test]
fn lists_are_filtered_and_sorted() {
    let (library, me) = Library::with_member(Plan::Business);
    for (name, tag) in [("Éa", "x"), ("c", "y"), ("b", "X")] {
        library.clock.advance(10);
        expect(
            &me.post("/collections", json!({"name": name, "tags": [tag]})),
            201,
        );
    }
    let check = |query: &str, expected: &[&str]| {
        let found = expect(&me.get(&format!("/collections?{query}")), 200);
        let names: Vec<&str> = list(&found).iter().map(|c| text(&c["name"])).collect();
        assert_eq!(names, expected, "{query}");
    };
    check("", &["Éa", "c", "b"]);
    check("sort=name", &["b", "c", "Éa"]);
    check("sort=updated_at", &["b", "c", "Éa"]);
    check("tag=x", &["Éa", "b"]);
    check("q=EA", &["Éa"]);
    check("since=2026-11-21T04:00:20Z", &["c", "b"]);
    me.get("/collections?sort=size")
        .expect_error(400, "invalid_parameter");
    me.get("/collections?since=then")
        .expect_error(400, "invalid_parameter");
    let tag = me.get("/collections").header("etag").to_owned();
    let again = me.send(
        "GET",
        "/collections",
        &Value::Null,
        &[("if-none-match", &tag)],
    );
    assert_eq!(again.status, 304);
}

#[test]
fn deleted_collections_are_restored_for_thirty_days() {
    let (library, me, path) = Library::with_collection("A");
    me.entry(&path, "One");
    assert_eq!(me.delete(&path).status, 204);
    let deleted = expect(&me.get("/collections?deleted=true"), 200);
    assert_eq!(deleted[0]["deleted_at"], "2026-11-21T04:00:00Z");
    library.clock.advance(29 * 86_400);
    library.app.app.collections.purge().unwrap();
    let restored = expect(&me.post(&format!("{path}/restore"), json!({})), 200);
    assert_eq!(restored["entry_count"], 1);
    assert_eq!(me.titles(&path), ["One"]);
    // Once more is as good as once.
    expect(&me.post(&format!("{path}/restore"), json!({})), 200);

    assert_eq!(me.delete(&path).status, 204);
    library.clock.advance(30 * 86_400);
    me.post(&format!("{path}/restore"), json!({}))
        .expect_error(404, "not_found");
    library.app.app.collections.purge().unwrap();
    assert_eq!(expect(&me.get("/collections?deleted=true"), 200), json!([]));
}

#[test]
fn collections_belong_to_one_account() {
    let (library, me) = Library::with_member(Plan::Academic);
    let other = library.member(Plan::Business);
    let (path, others) = (me.collection("A"), other.collection("B"));
    let entry = me.entry(&path, "One");
    let entry_path = format!("{path}/entries/{entry}");
    let requests = [
        ("GET", path.clone(), Value::Null),
        ("PATCH", path.clone(), json!({"name": "x"})),
        ("DELETE", path.clone(), Value::Null),
        ("POST", format!("{path}/restore"), json!({})),
        ("PATCH", format!("{path}/tags"), json!({"tags": []})),
        ("PATCH", format!("{path}/reorder"), json!({"entry_ids": []})),
        (
            "POST",
            format!("{path}/entries"),
            json!({"metadata": {"title": "x"}}),
        ),
        ("POST", format!("{path}/entries"), json!({})),
        (
            "POST",
            format!("{path}/entries/batch"),
            json!({"entries": [{"title": "x"}]}),
        ),
        ("GET", entry_path.clone(), Value::Null),
        ("PATCH", entry_path.clone(), json!({"note": "x"})),
        ("DELETE", entry_path.clone(), Value::Null),
        ("POST", format!("{entry_path}/restore"), json!({})),
        (
            "PUT",
            format!("{entry_path}/metadata"),
            json!({"title": "x"}),
        ),
        (
            "POST",
            format!("{entry_path}/merge"),
            json!({"metadata": {"title": "x"}}),
        ),
        (
            "POST",
            format!("{path}/check-duplicates"),
            json!({"metadata": {"title": "x"}}),
        ),
        ("POST", format!("{path}/import"), json!([{"title": "x"}])),
        ("GET", format!("{path}/export.bib"), Value::Null),
        ("POST", format!("{path}/share"), json!({})),
        ("DELETE", format!("{path}/share"), Value::Null),
        // An entry of one's own is not an entry of another collection.
        ("GET", format!("{others}/entries/{entry}"), Value::Null),
        (
            "POST",
            "/collections/batch-move".to_owned(),
            json!({"from": &path[13..], "to": &others[13..], "entry_ids": [entry]}),
        ),
    ];
    for (method, path, body) in requests {
        let answer = other.send(method, &path, &body, &[]);
        assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text());
    }
    assert_eq!(expect(&other.get("/collections"), 200)[0]["name"], "B");
    assert_eq!(me.titles(&path), ["One"]);
}

#[test]
fn accounts_are_exported_and_deleted_with_their_collections() {
    let (library, me, path) = Library::with_collection("A");
    me.entry(&path, "One");
    let auth = &library.app.app.auth;
    let user = auth
        .store()
        .user_by_email("Free@example.org")
        .unwrap()
        .unwrap();
    let visitor = citation::auth::sign_in::Visitor {
        address: [127, 0, 0, 1].into(),
        agent: String::new(),
    };
    let session = auth.start_session(&user, "test", &visitor).unwrap();
    let cookie = format!("session={}", session.reveal());
    let export = library
        .app
        .get_with("/account/export", &[("cookie", &cookie)])
        .json();
    assert_eq!(
        export["collections"][0]["entries"][0]["metadata"]["title"],
        "One"
    );
    let mine = |snapshot: &citation::collections::Snapshot<'_>| snapshot.collections(false);
    let collections = &library.app.app.collections;
    assert_eq!(collections.read(user.id, mine).unwrap().len(), 1);
    auth.delete_user(
        user.id,
        &user.uid,
        &citation::auth::accounts::Actor::command_line(),
    )
    .unwrap();
    assert!(collections.read(user.id, mine).unwrap().is_empty());
    me.get(&path).expect_error(401, "invalid_api_key");
}
