//! Idempotent and outdated requests.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, expect, text};

#[test]
fn idempotent_request_is_executed_once() {
    let (library, me) = Library::with_member(Plan::Academic);
    let path = me.collection("A");
    let entries = format!("{path}/entries");
    let once = |path: &str, body: &Value, key: &str| {
        me.send("POST", path, body, &[("idempotency-key", key)])
    };
    let one = json!({"metadata": {"title": "One"}});
    let first = once(&entries, &one, "\"k-1\"");
    let again = once(&entries, &one, "k-1");
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.body, again.body);
    assert_eq!(
        (
            first.header("idempotent-replay"),
            again.header("idempotent-replay")
        ),
        ("", "true")
    );
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!(first.header("etag"), again.header("etag"));
    assert_eq!(me.titles(&path), ["One"]);
    let other = json!({"metadata": {"title": "Two"}});
    once(&entries, &other, "k-1").expect_error(422, "idempotency_mismatch");
    once("/collections", &json!({"name": "x"}), "k-1").expect_error(422, "idempotency_mismatch");
    once(&entries, &one, &"k".repeat(256)).expect_error(400, "bad_request");

    // A refusal is not kept: what is mended may be sent under the same key.
    once(&entries, &json!({}), "k-2").expect_error(422, "validation_failed");
    expect(&once(&entries, &other, "k-2"), 201);
    // Keys belong to one account.
    let you = library.member(Plan::Business);
    let mine = you.send(
        "POST",
        "/collections",
        &json!({"name": "B"}),
        &[("idempotency-key", "k-1")],
    );
    assert_eq!(mine.header("idempotent-replay"), "");

    for (path, body) in [
        ("/collections".to_owned(), json!({"name": "B"})),
        (
            format!("{path}/entries/batch"),
            json!({"entries": [{"title": "Three"}]}),
        ),
        (
            format!("{path}/import"),
            json!([{"title": "Four", "type": "book"}]),
        ),
        (format!("{path}/share"), json!({})),
        (
            "/collections/merge".to_owned(),
            json!({"collections": [{"name": "A", "entries": [{"title": "Five"}]}]}),
        ),
    ] {
        let (first, again) = (once(&path, &body, &path), once(&path, &body, &path));
        assert!(first.status < 300, "{path}: {}", first.text());
        assert_eq!(
            (first.status, &first.body),
            (again.status, &again.body),
            "{path}"
        );
    }
    assert_eq!(me.titles(&path), ["One", "Two", "Three", "Four", "Five"]);

    library.clock.advance(24 * 3600);
    library.app.app.collections.purge().unwrap();
    assert_eq!(once(&entries, &one, "k-1").header("idempotent-replay"), "");
    assert_eq!(me.titles(&path).len(), 6);
}

#[test]
fn write_with_stale_version_is_rejected() {
    let (_, me) = Library::with_member(Plan::Academic);
    let path = me.collection("A");
    let other = me.collection("B");
    let entry = me.entry(&path, "One");
    let entry_path = format!("{path}/entries/{entry}");
    let stale = me.get(&path).header("etag").to_owned();
    expect(&me.patch(&path, json!({"name": "C"})), 200);
    let now = me.get(&path).header("etag").to_owned();
    assert_ne!(stale, now);
    let writes = [
        ("PATCH", path.clone(), json!({"name": "D"})),
        ("DELETE", path.clone(), Value::Null),
        ("PATCH", format!("{path}/tags"), json!({"tags": []})),
        ("PATCH", format!("{path}/reorder"), json!({"entry_ids": []})),
        ("POST", format!("{path}/entries"), json!({"title": "x"})),
        (
            "POST",
            format!("{path}/entries/batch"),
            json!({"entries": [{"title": "x"}]}),
        ),
        ("PATCH", entry_path.clone(), json!({"note": "x"})),
        (
            "PUT",
            format!("{entry_path}/metadata"),
            json!({"title": "x"}),
        ),
        (
            "POST",
            format!("{entry_path}/merge"),
            json!({"volume": "x"}),
        ),
        ("DELETE", entry_path.clone(), Value::Null),
        ("POST", format!("{path}/import"), json!([{"title": "x"}])),
        ("POST", format!("{path}/share"), json!({})),
        ("DELETE", format!("{path}/share"), Value::Null),
        (
            "POST",
            "/collections/batch-move".to_owned(),
            json!({"from": &path[13..], "to": &other[13..], "entry_ids": [entry]}),
        ),
    ];
    for (method, path, body) in &writes {
        let answer = me.send(method, path, body, &[("if-match", &stale)]);
        let fault = answer.expect_error(412, "precondition_failed");
        assert_eq!(text(&fault["current_etag"]), now, "{method} {path}");
        assert_eq!(answer.header("etag"), now);
    }
    assert_eq!(me.titles(&path), ["One"]);
    for tags in [now.clone(), format!("{stale}, W/{now}"), "*".to_owned()] {
        let answer = me.send(
            "PATCH",
            &format!("{path}/tags"),
            &json!({"tags": []}),
            &[("if-match", &tags)],
        );
        // The first one makes a new version.
        assert!(matches!(answer.status, 200 | 412), "{}", answer.text());
    }
    let before = [("if-unmodified-since", "Sat, 21 Nov 2026 03:59:59 GMT")];
    me.send("PATCH", &path, &json!({"name": "D"}), &before)
        .expect_error(412, "precondition_failed");
    let after = [("if-unmodified-since", "Sat, 21 Nov 2026 04:00:00 GMT")];
    expect(&me.send("PATCH", &path, &json!({"name": "D"}), &after), 200);
    let answer = me.get(&path);
    assert_eq!(
        answer.header("last-modified"),
        "Sat, 21 Nov 2026 04:00:00 GMT"
    );
    let tag = answer.header("etag").to_owned();
    let unchanged = me.send("GET", &path, &Value::Null, &[("if-none-match", &tag)]);
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));
}

#[test]
fn repeated_form_has_another_boundary() {
    let (_, me, path) = Library::with_collection("A");
    let send = |boundary: &str, file: &str| {
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bib\"\r\n\r\n\
             {file}\r\n--{boundary}--\r\n"
        );
        let form = format!("multipart/form-data; boundary={boundary}");
        let key = [("idempotency-key", "k")];
        me.send_bytes(
            "POST",
            &format!("{path}/import"),
            &form,
            Some(body.as_bytes()),
            &key,
        )
    };
    let first = send("one", "@book{a, title={One}}");
    let again = send("two", "@book{a, title={One}}");
    assert_eq!(
        (expect(&first, 200), 200),
        (expect(&again, 200), again.status)
    );
    assert_eq!(again.header("idempotent-replay"), "true");
    assert_eq!(me.titles(&path), ["One"]);
    send("one", "@book{b, title={Two}}").expect_error(422, "idempotency_mismatch");
}

#[test]
fn repeated_reply_survives_later_deletions() {
    let (_, me) = Library::with_member(Plan::Academic);
    let (path, other) = (me.collection("A"), me.collection("B"));
    let ids: Vec<String> = ["1", "2"].iter().map(|t| me.entry(&path, t)).collect();
    let requests = [
        (format!("{path}/entries"), json!({"title": "3"})),
        (
            format!("{path}/entries/{}/merge", ids[0]),
            json!({"metadata": {"volume": "1"}}),
        ),
        (
            "/collections/batch-move".to_owned(),
            json!({"from": &path[13..], "to": &other[13..], "entry_ids": [ids[1]]}),
        ),
        (
            format!("{path}/entries/batch-delete"),
            json!({"entry_ids": [ids[0]]}),
        ),
        (format!("{path}/share"), json!({})),
    ];
    let send =
        |(path, body): &(String, Value)| me.send("POST", path, body, &[("idempotency-key", path)]);
    let first: Vec<_> = requests.iter().map(send).collect();
    assert_eq!(me.delete(&path).status, 204);
    for (request, first) in requests.iter().zip(first) {
        assert!(first.status < 300, "{}", first.text());
        let again = send(request);
        assert_eq!(
            (again.status, &again.body),
            (first.status, &first.body),
            "{request:?}"
        );
        assert_eq!(again.header("idempotent-replay"), "true");
    }
    let changed = json!({"title": "4"});
    me.send(
        "POST",
        &requests[0].0,
        &changed,
        &[("idempotency-key", &requests[0].0)],
    )
    .expect_error(422, "idempotency_mismatch");
    me.post(&requests[0].0, changed)
        .expect_error(404, "not_found");
}
