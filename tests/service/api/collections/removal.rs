//! Deleting and restoring many entries.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, Member, NO_ID, expect};
use crate::support::list;

fn filled(me: &Member, titles: &[&str]) -> (String, Vec<String>) {
    let path = me.collection("A");
    let ids = titles.iter().map(|title| me.entry(&path, title)).collect();
    (path, ids)
}

fn version(me: &Member, path: &str) -> i64 {
    let tag = me.get(path).header("etag").trim_matches('"').to_owned();
    tag.parse().unwrap()
}

#[test]
fn many_entries_are_deleted_and_restored_as_one_change() {
    let (_, me) = Library::with_member(Plan::Free);
    let (path, ids) = filled(&me, &["a", "b", "c", "d"]);
    let before = version(&me, &path);
    let wanted = json!({"entry_ids": [ids[2].to_uppercase(), NO_ID, ids[0], ids[0]]});
    let answer = me.post(&format!("{path}/entries/batch-delete"), wanted.clone());
    let deleted = expect(&answer, 200);
    assert_eq!(deleted["entry_ids"], json!([ids[2], ids[0]]));
    assert_eq!(deleted["missing"], json!([NO_ID, ids[0]]));
    assert_eq!(answer.header("etag"), format!("\"{}\"", before + 1));
    assert_eq!(me.titles(&path), ["b", "d"]);

    let restore = format!("{path}/entries/batch-restore");
    let restored = expect(&me.post(&restore, wanted.clone()), 200);
    assert_eq!(restored["entry_ids"], json!([ids[2], ids[0], ids[0]]));
    assert_eq!(restored["missing"], json!([NO_ID]));
    assert_eq!(me.titles(&path), ["a", "b", "c", "d"]);
    assert_eq!(version(&me, &path), before + 2);
    // What is there already is left as it is.
    expect(&me.post(&restore, wanted), 200);
    assert_eq!(version(&me, &path), before + 2);
}

#[test]
fn deleted_entries_are_listed_for_their_owner_alone() {
    let (library, me) = Library::with_member(Plan::Free);
    let (path, ids) = filled(&me, &["a", "b", "c"]);
    for id in [&ids[2], &ids[0]] {
        assert_eq!(me.delete(&format!("{path}/entries/{id}")).status, 204);
        library.clock.advance(60);
    }
    let titles = |answer: Value| -> Vec<String> {
        let entries = list(&answer["entries"]).iter();
        let title = |entry: &Value| entry["metadata"]["title"].as_str().unwrap().to_owned();
        entries.map(title).collect()
    };
    let deleted = expect(&me.get(&format!("{path}?deleted=true")), 200);
    assert_eq!(titles(deleted), ["a", "c"]);
    let link = expect(&me.post(&format!("{path}/share"), json!({})), 201);
    let token = link["share_url"].as_str().unwrap().rsplit('/').next();
    let shared = me.get(&format!("/shared/{}?deleted=true", token.unwrap()));
    assert_eq!(titles(expect(&shared, 200)), ["b"]);
}

#[test]
fn deleted_entries_can_be_restored_within_limits() {
    let library = Library::open_with(|config| config.limits.free_entries = 3);
    let me = library.member(Plan::Free);
    let (path, ids) = filled(&me, &["a", "b", "c"]);
    let wanted = json!({"entry_ids": ids});
    expect(
        &me.post(&format!("{path}/entries/batch-delete"), wanted.clone()),
        200,
    );
    me.entry(&path, "d");
    let restore = format!("{path}/entries/batch-restore");
    let full = me
        .post(&restore, wanted.clone())
        .expect_error(403, "entry_limit_reached");
    assert_eq!(full["requested"], 3);
    assert_eq!(me.titles(&path), ["d"]);
    library.clock.advance(30 * 86_400);
    let late = expect(&me.post(&restore, wanted), 200);
    assert_eq!(late["entry_ids"], json!([]));
    assert_eq!(me.titles(&path), ["d"]);
}

#[test]
fn faults_are_named_and_nothing_is_deleted() {
    let (library, me) = Library::with_member(Plan::Free);
    let (path, ids) = filled(&me, &["a"]);
    for name in ["batch-delete", "batch-restore"] {
        let address = format!("{path}/entries/{name}");
        for body in [
            json!({}),
            json!({"entry_ids": []}),
            json!({"entry_ids": "a"}),
        ] {
            me.post(&address, body)
                .expect_error(422, "validation_failed");
        }
        let many = json!({"entry_ids": vec![NO_ID; 1001]});
        me.post(&address, many)
            .expect_error(413, "payload_too_large");
        let elsewhere = format!("/collections/{NO_ID}/entries/{name}");
        me.post(&elsewhere, json!({"entry_ids": ids}))
            .expect_error(404, "not_found");
    }
    let address = format!("{path}/entries/batch-delete");
    let stale = [("if-match", "\"1\"")];
    me.send("POST", &address, &json!({"entry_ids": ids}), &stale)
        .expect_error(412, "precondition_failed");
    let other = library.named_member("other@example.org", Plan::Free);
    other
        .post(&address, json!({"entry_ids": ids}))
        .expect_error(404, "not_found");
    assert_eq!(me.titles(&path), ["a"]);
    assert_eq!(expect(&me.get(&path), 200)["deleted_at"], Value::Null);
}
