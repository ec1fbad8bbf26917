//! Earlier versions of entries.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, Member, NO_ID, expect};
use crate::support::list;

fn entry(me: &Member) -> String {
    let path = me.collection("A");
    let id = me.entry(&path, "One");
    format!("{path}/entries/{id}")
}

fn put(me: &Member, entry: &str, metadata: Value) -> Value {
    expect(&me.put(&format!("{entry}/metadata"), metadata), 200)
}

/// Number, cause and changes of each version, newest first.
fn history(me: &Member, entry: &str) -> Vec<Value> {
    let found = expect(&me.get(&format!("{entry}/history")), 200);
    let versions = list(&found).iter();
    let short = |version: &Value| {
        let changes = list(&version["changes"]).iter();
        let changes: Vec<Value> = changes
            .map(|change| json!([change["field"], change["from"], change["to"]]))
            .collect();
        json!([version["version"], version["cause"], changes])
    };
    versions.map(short).collect()
}

#[test]
fn every_change_of_metadata_leaves_a_version() {
    let (library, me) = Library::with_member(Plan::Free);
    let entry = entry(&me);
    assert_eq!(history(&me, &entry), Vec::<Value>::new());
    put(&me, &entry, json!({"title": "Two", "abstract": "Long."}));
    library.clock.advance(60);
    let merge = json!({"metadata": {"volume": "3"}});
    expect(&me.post(&format!("{entry}/merge"), merge), 200);
    // What is not metadata, and what changes nothing, leaves none.
    expect(&me.patch(&entry, json!({"note": "n"})), 200);
    let same = json!({"title": "Two", "abstract": "Long.", "volume": "3"});
    put(&me, &entry, same);
    let edited = json!([
        1,
        "edited",
        [["abstract", null, "Long."], ["title", "One", "Two"]]
    ]);
    let merged = json!([2, "merged", [["volume", null, "3"]]]);
    assert_eq!(history(&me, &entry), [merged.clone(), edited.clone()]);

    let versions = expect(&me.get(&format!("{entry}/history")), 200);
    assert_eq!(versions[0]["replaced_at"], "2026-11-21T04:01:00Z");
    assert_eq!(versions[0]["metadata"]["abstract"], "Long.");
    let first = versions[1]["metadata"].clone();
    assert_eq!(put(&me, &entry, first)["metadata"]["title"], "One");
    let changes = json!([
        ["abstract", "Long.", null],
        ["title", "Two", "One"],
        ["volume", "3", null]
    ]);
    let restored = json!([3, "restored", changes]);
    assert_eq!(history(&me, &entry), [restored, merged, edited]);
}

#[test]
fn unchanged_put_creates_no_new_version() {
    let (_, me) = Library::with_member(Plan::Free);
    let entry = entry(&me);
    let before = me.get(&entry).header("etag").to_owned();
    let answer = me.put(&format!("{entry}/metadata"), json!({"title": "One"}));
    assert_eq!(
        (answer.status, answer.header("etag")),
        (200, before.as_str())
    );
    put(&me, &entry, json!({"title": "Two"}));
    assert_ne!(me.get(&entry).header("etag"), before);
}

#[test]
fn newest_versions_are_kept() {
    let library = Library::open_with(|config| config.limits.entry_versions = 2);
    let me = library.member(Plan::Free);
    let entry = entry(&me);
    for title in ["Two", "Three", "Four"] {
        put(&me, &entry, json!({"title": title}));
    }
    let expected = [
        json!([3, "edited", [["title", "Three", "Four"]]]),
        json!([2, "edited", [["title", "Two", "Three"]]]),
    ];
    assert_eq!(history(&me, &entry), expected);
}

#[test]
fn history_is_deleted_with_its_entry() {
    let (library, me) = Library::with_member(Plan::Academic);
    let path = me.collection("A");
    let id = me.entry(&path, "One");
    let entry = format!("{path}/entries/{id}");
    put(&me, &entry, json!({"title": "Two"}));
    let target = me.collection("B");
    let uid = |path: &str| path.trim_start_matches("/collections/").to_owned();
    let order = json!({"source_collection_id": uid(&path), "target_collection_id": uid(&target), "entry_ids": [id]});
    expect(&me.post("/collections/batch-move", order), 200);
    me.get(&format!("{entry}/history"))
        .expect_error(404, "not_found");
    let entry = format!("{target}/entries/{id}");
    assert_eq!(history(&me, &entry).len(), 1);

    assert_eq!(me.delete(&entry).status, 204);
    me.get(&format!("{entry}/history"))
        .expect_error(404, "not_found");
    expect(&me.post(&format!("{entry}/restore"), Value::Null), 200);
    assert_eq!(history(&me, &entry).len(), 1);

    let other = library.named_member("other@example.org", Plan::Free);
    other
        .get(&format!("{entry}/history"))
        .expect_error(404, "not_found");
    me.get(&format!("{target}/entries/{NO_ID}/history"))
        .expect_error(404, "not_found");
}
