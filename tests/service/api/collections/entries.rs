//! Entries of collections.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use super::{Library, NO_ID, expect, text};
use crate::support::list;

fn article() -> Value {
    json!({
        "entry_type": "Article", "title": "Molecular Structure of Nucleic Acids",
        "authors": [{"family": "Watson", "given": "J. D."}, {"family": "Crick", "given": "F. H. C."}],
        "date": {"year": 1953}, "journal": "Nature", "volume": "171", "pages": "737-738",
        "doi": "10.1038/171737A0", "abstract": "Short.", "shelf": 3
    })
}

#[test]
fn entry_is_added_changed_and_deleted() {
    let (library, me, path) = Library::with_collection("A");
    let answer = me.post(&format!("{path}/entries"), json!({"metadata": article()}));
    let added = expect(&answer, 201);
    let id = text(&added["id"]);
    let entry_path = format!("{path}/entries/{id}");
    assert_eq!(answer.header("location"), format!("/api/v1{entry_path}"));
    assert_eq!(added["metadata"]["doi"], "10.1038/171737a0");
    assert_eq!(added["metadata"]["extra"], json!({"shelf": 3}));
    assert!(added["metadata"].get("abstract").is_none());
    let expected = [
        ("note", Value::Null),
        ("tags", json!([])),
        ("sort_order", json!(0)),
        ("review_status", json!("clean")),
        ("citation_key", Value::Null),
        ("added_at", json!("2026-11-21T04:00:00Z")),
        ("duplicates", json!([])),
        ("warnings", json!([])),
    ];
    for (member, value) in expected {
        assert_eq!(added[member], value, "{member}");
    }
    assert_eq!(
        me.get(&format!("{path}?include=abstract")).json()["entries"][0]["metadata"]["abstract"],
        "Short."
    );
    assert_eq!(
        me.get(&format!("{entry_path}?include=abstract")).json()["metadata"]["abstract"],
        "Short."
    );

    library.clock.advance(5);
    let changed = json!({"note": " look again ", "tags": ["x", "X"], "review_status": "verified"});
    let changed = expect(&me.patch(&entry_path, changed), 200);
    assert_eq!(
        (
            &changed["note"],
            &changed["tags"],
            &changed["review_status"],
            &changed["updated_at"]
        ),
        (
            &json!("look again"),
            &json!(["x"]),
            &json!("verified"),
            &json!("2026-11-21T04:00:05Z")
        )
    );
    let cleared = expect(&me.patch(&entry_path, json!({"note": null})), 200);
    assert_eq!(
        (&cleared["note"], &cleared["tags"]),
        (&Value::Null, &json!(["x"]))
    );

    for body in [
        json!({"title": "B", "citation_key": "b1"}),
        json!({"metadata": {"title": "B", "citation_key": "b1"}}),
    ] {
        let replaced = expect(&me.put(&format!("{entry_path}/metadata"), body), 200);
        let metadata = json!({"entry_type": "Document", "csl_type": "document", "title": "B", "citation_key": "b1"});
        assert_eq!(
            (&replaced["metadata"], &replaced["citation_key"]),
            (&metadata, &json!("b1"))
        );
    }
    assert_eq!(expect(&me.get(&entry_path), 200)["metadata"]["title"], "B");

    assert_eq!(me.delete(&entry_path).status, 204);
    me.delete(&entry_path).expect_error(404, "not_found");
    assert_eq!(me.titles(&path), Vec::<String>::new());
    expect(&me.post(&format!("{entry_path}/restore"), Value::Null), 200);
    assert_eq!(me.titles(&path), ["B"]);
    assert_eq!(me.delete(&entry_path).status, 204);
    library.clock.advance(30 * 86_400);
    me.post(&format!("{entry_path}/restore"), Value::Null)
        .expect_error(404, "not_found");
}

#[test]
fn faults_in_entries_are_named() {
    let (_, me, path) = Library::with_collection("A");
    let entry = me.entry(&path, "One");
    let entry = format!("{path}/entries/{entry}");
    let entries = format!("{path}/entries");
    let check = |method: &str, path: &str, body: Value, field: &str| {
        let fault = me
            .send(method, path, &body, &[])
            .expect_error(422, "validation_failed");
        assert_eq!(fault["field"], field, "{body}");
    };
    check("POST", &entries, json!({}), "/metadata");
    check("POST", &entries, json!({"metadata": {}}), "/metadata");
    check(
        "POST",
        &entries,
        json!({"metadata": {"volume": "3"}}),
        "/metadata",
    );
    check("POST", &entries, json!({"metadata": "x"}), "/metadata");
    check(
        "POST",
        &entries,
        json!({"metadata": {"title": {}}}),
        "/metadata/title",
    );
    check(
        "POST",
        &entries,
        json!({"metadata": {"title": "x", "authors": [7]}}),
        "/metadata/authors/0",
    );
    check(
        "POST",
        &entries,
        json!({"metadata": {"title": "x"}, "tags": "y"}),
        "/tags",
    );
    check(
        "POST",
        &entries,
        json!({"metadata": {"title": "x"}, "review_status": "odd"}),
        "/review_status",
    );
    check(
        "POST",
        &entries,
        json!({"metadata": {"title": "x"}, "note": "n".repeat(10_001)}),
        "/note",
    );
    check(
        "POST",
        &entries,
        json!({"metadata": {"title": "x", "blob": "b".repeat(40_000)}}),
        "/metadata/extra",
    );
    check("PATCH", &entry, json!({"metadata": {}}), "/metadata");
    check(
        "PATCH",
        &entry,
        json!({"review_status": "odd"}),
        "/review_status",
    );
    check("PATCH", &entry, json!({"tags": null, "note": 7}), "/note");
    check(
        "PUT",
        &format!("{entry}/metadata"),
        json!({"volume": "3"}),
        "/metadata",
    );
    check(
        "PUT",
        &format!("{entry}/metadata"),
        json!({"metadata": []}),
        "/metadata",
    );
    check("POST", &format!("{entry}/merge"), json!({}), "/metadata");
    check(
        "POST",
        &format!("{entry}/merge"),
        json!({"metadata": {"title": "x"}, "strategy": "mix"}),
        "/strategy",
    );
    check(
        "POST",
        &format!("{path}/entries/batch"),
        json!({"entries": []}),
        "/entries",
    );
    check(
        "POST",
        &format!("{path}/entries/batch"),
        json!({"entries": [{}, {"metadata": 1}]}),
        "/entries/0",
    );
    let many = json!({"entries": vec![json!({"title": "x"}); 1001]});
    let fault = me
        .post(&format!("{path}/entries/batch"), many)
        .expect_error(413, "payload_too_large");
    assert_eq!(
        (&fault["limit"], &fault["unit"]),
        (&json!(1000), &json!("items"))
    );
    me.post(
        &format!("{path}/entries?on_duplicate=maybe"),
        json!({"title": "x"}),
    )
    .expect_error(400, "invalid_parameter");
    let fault = me
        .get(&format!("{path}/entries/{NO_ID}"))
        .expect_error(404, "not_found");
    assert_eq!(fault["resource"], "entry");
    assert_eq!(me.titles(&path), ["One"]);
}

#[test]
fn corrected_metadata_is_reported() {
    let (_, me, path) = Library::with_collection("A");
    let body =
        json!({"metadata": {"title": "x", "entry_type": "scroll", "isbn": "978-3-16-148410-1"}});
    let added = expect(&me.post(&format!("{path}/entries"), body), 201);
    assert_eq!(added["review_status"], "needs_review");
    let codes: Vec<&str> = list(&added["warnings"])
        .iter()
        .map(|w| text(&w["code"]))
        .collect();
    assert_eq!(codes, ["invalid_isbn", "unknown_entry_type"]);
}

#[test]
fn batch_adds_valid_entries() {
    let (_, me, path) = Library::with_collection("A");
    expect(
        &me.post(&format!("{path}/entries"), json!({"metadata": article()})),
        201,
    );
    let body = json!({"entries": [
        {"title": "One"}, {"volume": "3"}, article(),
        {"metadata": {"title": "Two"}, "note": "n", "tags": ["t"]}, {"title": "One"}
    ]});
    let done = expect(&me.post(&format!("{path}/entries/batch"), body), 201);
    assert_eq!(done["count"], 4);
    assert_eq!(done["errors"][0]["index"], 1);
    assert_eq!(done["errors"][0]["error"], "validation_failed");
    let twice: Vec<i64> = list(&done["duplicates"])
        .iter()
        .map(|d| d["index"].as_i64().unwrap())
        .collect();
    assert!(twice.contains(&2), "{done}");
    assert_eq!(done["added"][2]["note"], "n");
    assert_eq!(me.titles(&path).len(), 5);
}

#[test]
fn entries_are_paged_and_filtered() {
    let (_, me, path) = Library::with_collection("A");
    let entries: Vec<Value> = (0..25)
        .map(|n| {
            json!({"metadata": {"title": format!("Título {n}"), "authors": [{"family": "Ödön"}]},
                        "tags": if n % 2 == 0 { vec!["Even"] } else { vec![] },
                        "review_status": if n == 7 { "retracted" } else { "clean" }})
        })
        .collect();
    expect(
        &me.post(
            &format!("{path}/entries/batch"),
            json!({"entries": entries}),
        ),
        201,
    );
    let check = |query: &str, places: &[u64], total: &str, has_next: bool| {
        let answer = me.get(&format!("{path}?{query}"));
        let body = expect(&answer, 200);
        let found: Vec<u64> = list(&body["entries"])
            .iter()
            .map(|e| e["sort_order"].as_u64().unwrap())
            .collect();
        assert_eq!(found, places, "{query}");
        assert_eq!(answer.header("total-results"), total, "{query}");
        assert_eq!(
            answer.header("link").contains("rel=\"next\""),
            has_next,
            "{query}"
        );
        assert_eq!(body["entry_count"], 25);
    };
    check("limit=2", &[0, 1], "25", true);
    check("limit=10&offset=20", &[20, 21, 22, 23, 24], "25", false);
    check("offset=30", &[], "25", false);
    check("tag=even&limit=2&offset=1", &[2, 4], "13", true);
    check("q=titulo+11", &[11], "1", false);
    check("q=odon+2&tag=even&limit=3", &[2, 12, 20], "5", true);
    check("review_status=retracted", &[7], "1", false);
    check("q=nothing", &[], "0", false);
    let link = me
        .get(&format!("{path}?limit=2&q=odon"))
        .header("link")
        .to_owned();
    assert!(
        link.contains(&format!("/api/v1{path}?limit=2&q=odon&offset=2>")),
        "{link}"
    );
    assert_eq!(me.get(&path).header("total-results"), "");
    for query in ["limit=0", "limit=x", "offset=-1", "review_status=odd"] {
        me.get(&format!("{path}?{query}"))
            .expect_error(400, "invalid_parameter");
    }
}

#[test]
fn entries_are_reordered() {
    let (_, me, path) = Library::with_collection("A");
    let ids: Vec<String> = ["a", "b", "c", "d"]
        .iter()
        .map(|title| me.entry(&path, title))
        .collect();
    let reorder = |ids: &[&str]| me.patch(&format!("{path}/reorder"), json!({"entry_ids": ids}));
    let done = expect(&reorder(&[&ids[3], &ids[1]]), 200);
    assert_eq!(done["entry_ids"], json!([ids[3], ids[1], ids[0], ids[2]]));
    assert_eq!(me.titles(&path), ["d", "b", "a", "c"]);
    reorder(&[&ids[0], NO_ID]).expect_error(422, "validation_failed");
    let fault = reorder(&[&ids[0], &ids[1], &ids[0]]).expect_error(422, "validation_failed");
    assert_eq!(fault["field"], "/entry_ids/2");
    expect(&reorder(&[]), 200);
    assert_eq!(me.titles(&path), ["d", "b", "a", "c"]);
    // What is deleted leaves no gap, and comes back to where it was.
    assert_eq!(me.delete(&format!("{path}/entries/{}", ids[1])).status, 204);
    assert_eq!(me.titles(&path), ["d", "a", "c"]);
    expect(
        &me.post(&format!("{path}/entries/{}/restore", ids[1]), json!({})),
        200,
    );
    assert_eq!(me.titles(&path), ["d", "b", "a", "c"]);
    me.entry(&path, "e");
    assert_eq!(me.titles(&path), ["d", "b", "a", "c", "e"]);
}

#[test]
fn metadata_is_merged_with_a_list_of_changes() {
    let (_, me, path) = Library::with_collection("A");
    let id = me.entry(&path, "Molecular structure");
    let merge = |body: Value| me.post(&format!("{path}/entries/{id}/merge"), body);
    let filled = expect(&merge(json!({"metadata": article()})), 200);
    assert_eq!(filled["entry"]["metadata"]["title"], "Molecular structure");
    let changed: Vec<&str> = list(&filled["changes"])
        .iter()
        .map(|c| text(&c["field"]))
        .collect();
    assert_eq!(
        changed,
        [
            "abstract",
            "authors",
            "journal",
            "date",
            "doi",
            "entry_type",
            "pages",
            "shelf",
            "volume"
        ]
    );
    assert_eq!(
        expect(&merge(json!({"metadata": article()})), 200)["changes"],
        json!([])
    );
    let taken = expect(
        &merge(json!({"metadata": article(), "strategy": {"title": "theirs"}})),
        200,
    );
    assert_eq!(
        taken["changes"],
        json!([{"field": "title", "from": "Molecular structure", "to": "Molecular Structure of Nucleic Acids"}])
    );
    let bare = expect(
        &merge(json!({"volume": "172", "strategy": "overwrite"})),
        200,
    );
    assert_eq!(bare["entry"]["metadata"]["volume"], "172");

    let other = me.post(
        &format!("{path}/entries"),
        json!({"metadata": {"title": "x", "issue": "4356"}}),
    );
    let other = text(&other.json()["id"]).to_owned();
    let both = expect(&merge(json!({"delete_entry_id": other})), 200);
    assert_eq!(
        both["changes"],
        json!([{"field": "issue", "from": null, "to": "4356"}])
    );
    assert_eq!(me.titles(&path), ["Molecular Structure of Nucleic Acids"]);
    merge(json!({"delete_entry_id": other})).expect_error(404, "not_found");
    merge(json!({"delete_entry_id": id})).expect_error(422, "validation_failed");
}

#[test]
fn duplicates_are_found_and_explained() {
    let (_, me, path) = Library::with_collection("A");
    expect(
        &me.post(&format!("{path}/entries"), json!({"metadata": article()})),
        201,
    );
    me.entry(&path, "Something else altogether");
    let check = |body: Value| expect(&me.post(&format!("{path}/check-duplicates"), body), 200);
    let same = check(
        json!({"metadata": {"doi": "https://doi.org/10.1038/171737a0", "title": "Molecular structure of nucleic acids"}}),
    );
    assert_eq!(same["is_duplicate"], true);
    let first = &same["duplicates"][0];
    assert_eq!(
        (&first["match_type"], &first["entry"]["sort_order"]),
        (&json!("doi"), &json!(0))
    );
    assert!(first["score"].as_f64().unwrap() >= 0.95, "{first}");
    assert!(list(&first["matched_fields"]).contains(&json!("title")));
    let other = check(
        json!({"metadata": {"doi": "10.1000/other", "title": "Molecular structure of nucleic acids"}}),
    );
    assert_eq!(other["is_duplicate"], false);
    let chapter = check(json!({"doi": "10.1038/171737a0", "title": "Preface"}));
    assert!(chapter["duplicates"][0]["score"].as_f64().unwrap() < 0.5);
    assert_eq!(
        check(json!({"title": "Unheard of"})),
        json!({"is_duplicate": false, "duplicates": []})
    );
    assert_eq!(check(Value::Null), json!({"groups": []}));

    let again = me.post(&format!("{path}/entries"), json!({"metadata": article()}));
    assert_eq!(expect(&again, 201)["duplicates"][0]["match_type"], "doi");
    let groups = check(json!({}));
    assert_eq!(list(&groups["groups"][0]).len(), 2);
    let skipped = me.post(
        &format!("{path}/entries?on_duplicate=skip"),
        json!({"metadata": article()}),
    );
    assert_eq!(expect(&skipped, 200)["sort_order"], 0);
    let refused = me.post(
        &format!("{path}/entries?on_duplicate=error"),
        json!({"metadata": article()}),
    );
    assert_eq!(
        refused.expect_error(409, "conflict")["duplicates"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    me.post(&format!("{path}/check-duplicates"), json!({"metadata": 7}))
        .expect_error(422, "validation_failed");
}

#[test]
fn lookups_of_own_works_are_free() {
    let library = Library::open_with(|config| config.quota.free_daily = 1);
    let me = library.member(Plan::Free);
    let path = me.collection("A");
    let mine = json!({"metadata": {"title": "Mine alone", "doi": "10.5555/mine"}});
    let id = text(&expect(&me.post(&format!("{path}/entries"), mine), 201)["id"]).to_owned();
    let look_up = |doi: &str| me.post("/lookup/doi", json!({"doi": doi}));
    for _ in 0..3 {
        let answer = look_up("10.5555/MINE");
        assert_eq!(expect(&answer, 200)["title"], "Mine alone");
        assert_eq!(answer.json()["provenance"]["source"], "collection");
        assert_eq!(answer.header("x-lookup-cost"), "0");
    }
    assert_eq!(me.delete(&format!("{path}/entries/{id}")).status, 204);
    look_up("10.5555/mine").expect_error(404, "work_not_found");
    look_up("10.5555/mine").expect_error(429, "quota_exhausted");
    expect(
        &me.post(&format!("{path}/entries/{id}/restore"), json!({})),
        200,
    );
    expect(&look_up("10.5555/mine"), 200);
    assert_eq!(me.delete(&path).status, 204);
    look_up("10.5555/mine").expect_error(429, "quota_exhausted");
    assert_eq!(expect(&me.get("/me"), 200)["limits"]["collections_used"], 0);
}

#[test]
fn inferred_type_is_not_merged() {
    let (_, me, path) = Library::with_collection("A");
    for (kind, part) in [
        ("Thesis", json!({"title": "Better"})),
        ("Book", json!({"volume": "1", "issue": "2"})),
    ] {
        let body = json!({"entry_type": kind, "title": "One"});
        let added = expect(&me.post(&format!("{path}/entries"), body), 201);
        let merge = format!("{path}/entries/{}/merge", text(&added["id"]));
        for body in [
            json!({"metadata": part, "strategy": "overwrite"}),
            json!({"metadata": part, "strategy": {"entry_type": "theirs"}}),
        ] {
            let merged = expect(&me.post(&merge, body), 200);
            assert_eq!(merged["entry"]["metadata"]["entry_type"], kind);
        }
        let named = json!({"metadata": {"type": "report"}, "strategy": "overwrite"});
        let merged = expect(&me.post(&merge, named), 200);
        assert_eq!(merged["entry"]["metadata"]["entry_type"], "Report");
    }
}

#[test]
fn merge_keeps_notes_and_tags() {
    let library = Library::open_with(|config| {
        config.limits.tags = 3;
        config.limits.note_chars = 12;
    });
    let me = library.member(Plan::Free);
    let path = me.collection("A");
    let add = |title: &str, note: &str, tags: &[&str]| {
        let body = json!({"metadata": {"title": title}, "note": note, "tags": tags});
        let added = expect(&me.post(&format!("{path}/entries"), body), 201);
        text(&added["id"]).to_owned()
    };
    let first = add("Alpha", "mine", &["a", "b"]);
    let merge = |other: &str| {
        let body = json!({"delete_entry_id": other, "strategy": "fill"});
        me.post(&format!("{path}/entries/{first}/merge"), body)
    };
    library.clock.advance(5);
    let merged = expect(&merge(&add("Beta", "theirs", &["B", "c"])), 200);
    let entry = &merged["entry"];
    assert_eq!(
        (&entry["note"], &entry["tags"], &entry["updated_at"]),
        (
            &json!("mine\n\ntheirs"),
            &json!(["a", "b", "c"]),
            &json!("2026-11-21T04:00:05Z")
        )
    );
    let changes = json!([
        {"field": "note", "of": "entry", "from": "mine", "to": "mine\n\ntheirs"},
        {"field": "tags", "of": "entry", "from": ["a", "b"], "to": ["a", "b", "c"]},
    ]);
    assert_eq!(merged["changes"], changes);
    let same = expect(&merge(&add("Gamma", "theirs", &["C"])), 200);
    assert_eq!(same["changes"], json!([]));

    // What both together have no room for is refused, and nothing is lost.
    for other in [add("Delta", "long", &[]), add("Epsilon", "", &["d"])] {
        let fault = merge(&other).expect_error(422, "validation_failed");
        assert_eq!(fault["field"], "/delete_entry_id");
        expect(&me.get(&format!("{path}/entries/{other}")), 200);
    }
    assert_eq!(me.titles(&path), ["Alpha", "Delta", "Epsilon"]);
}

#[test]
fn strategy_for_unknown_field_is_rejected() {
    let (_, me, path) = Library::with_collection("A");
    let entry = me.entry(&path, "One");
    let body = json!({"metadata": {"title": "Two"}, "strategy": {"titel": "theirs"}});
    let fault = me
        .post(&format!("{path}/entries/{entry}/merge"), body)
        .expect_error(422, "validation_failed");
    assert_eq!(
        (&fault["field"], &fault["message"]),
        (
            &json!("/strategy/titel"),
            &json!("/strategy/titel is not a metadata field; did you mean “title”?")
        )
    );
}

#[test]
fn citation_key_is_valid_in_files() {
    let (_, me, path) = Library::with_collection("A");
    let bad = json!({"title": "One", "citation_key": "bad key,{}%\\"});
    let good = json!({"title": "One", "citation_key": "Müller:山田-2020"});
    let check = |method: &str, path: &str, body: Value, field: &str| {
        let fault = me
            .send(method, path, &body, &[])
            .expect_error(422, "validation_failed");
        assert_eq!(fault["field"], field);
        assert!(
            text(&fault["message"]).contains("may contain letters"),
            "{fault}"
        );
    };
    let entries = format!("{path}/entries");
    check("POST", &entries, bad.clone(), "/citation_key");
    check(
        "POST",
        &entries,
        json!({"metadata": bad}),
        "/metadata/citation_key",
    );
    let batch = json!({"entries": [bad, good]});
    let done = expect(&me.post(&format!("{entries}/batch"), batch), 201);
    assert_eq!(
        (&done["count"], &done["errors"][0]["field"]),
        (&json!(1), &json!("/entries/0/citation_key"))
    );
    let entry = format!("{entries}/{}", text(&done["added"][0]["id"]));
    check(
        "PUT",
        &format!("{entry}/metadata"),
        bad.clone(),
        "/citation_key",
    );
    check(
        "POST",
        &format!("{entry}/merge"),
        json!({"metadata": bad}),
        "/metadata/citation_key",
    );

    // A key that came with a file stays good for its entry, and the import says what it is worth.
    let file = br#"[{"id": "x", "type": "book", "title": "Two", "citation-key": "two words"}]"#;
    let import = format!("{path}/import");
    let report = expect(
        &me.send_bytes("POST", &import, "application/json", Some(file), &[]),
        200,
    );
    assert_eq!(
        report["warnings"][0]["code"], "invalid_citation_key",
        "{report}"
    );
    let imported = format!("{entries}/{}", text(&report["entries"][0]["entry_id"]));
    let mut metadata = expect(&me.get(&imported), 200)["metadata"].clone();
    assert_eq!(metadata["citation_key"], "two words");
    metadata["volume"] = json!("2");
    expect(
        &me.put(&format!("{imported}/metadata"), metadata.clone()),
        200,
    );
    let renamed = json!({"title": "Two", "citation_key": "two"});
    expect(&me.put(&format!("{imported}/metadata"), renamed), 200);
    expect(&me.put(&format!("{imported}/metadata"), metadata), 200);
}

#[test]
fn existing_entry_is_marked_as_duplicate() {
    let (_, me, path) = Library::with_collection("A");
    let entries = format!("{path}/entries");
    let add = |body: Value| expect(&me.post(&entries, body), 201)["review_status"].clone();
    assert_eq!(add(article()), "clean");
    assert_eq!(add(article()), "possible_duplicate");
    let own = json!({"metadata": article(), "review_status": "verified"});
    assert_eq!(add(own), "verified");
    let mut odd = article();
    odd["entry_type"] = json!("scroll");
    assert_eq!(add(odd), "possible_duplicate");
    let batch = json!({"entries": [article(), {"title": "Else"}, {"title": "Else"}]});
    let done = expect(&me.post(&format!("{entries}/batch"), batch), 201);
    let statuses = |entries: &Value| -> Vec<String> {
        let entries = list(entries).iter();
        entries
            .map(|entry| text(&entry["review_status"]).to_owned())
            .collect()
    };
    assert_eq!(
        statuses(&done["added"]),
        ["possible_duplicate", "clean", "possible_duplicate"]
    );
    let whole = json!({"name": "B", "entries": [article(), article()]});
    let whole = expect(&me.post("/collections", whole), 201);
    assert_eq!(statuses(&whole["entries"]), ["clean", "possible_duplicate"]);
}
