//! The citations of documents over HTTP: whole, and edited with a token.

use serde_json::{Value, json};

use crate::support::{TestApp, list};
use citation_model::plan::Plan;

const PATH: &str = "/api/v1/document";

fn work(id: &str, family: &str, title: &str) -> Value {
    json!({"id": id, "item": {
        "id": "elsewhere", "type": "book", "title": title, "author": [{"family": family, "given": "Ann"}],
        "issued": {"date-parts": [[1815]]}, "custom-of-host": 1,
    }})
}

fn cited(id: &str, work: &str) -> Value {
    json!({"id": id, "cites": [{"id": work}]})
}

fn whole() -> Value {
    json!({
        "style": "apa",
        "forms": ["html", "rtf", "runs"],
        "works": [work("a", "Ash", "Trees"), work("b", "Birch", "Woods")],
        "citations": [
            {"id": "1", "cites": [{"id": "a", "locator": "3", "prefix": "see "}, {"id": "b"}], "text": "(old)"},
            {"id": "2", "cites": [{"id": "b", "mode": "composite"}], "text": "Birch (1815)"},
            {"id": "3", "cites": [{"id": "a"}], "by_hand": true},
            {"id": "4", "cites": [{"id": "gone"}], "text": "(stays)"},
        ],
    })
}

/// The members of the fields of an answer.
fn members(body: &Value, name: &str) -> Vec<Value> {
    let fields = list(&body["citations"]).iter();
    fields.map(|field| field[name].clone()).collect()
}

#[test]
fn fields_have_texts_codes_and_a_list() {
    let app = TestApp::start();
    let body = app.post(PATH, &whole()).json();
    assert_eq!(members(&body, "id"), ["1", "2", "3", "4"]);
    assert_eq!(members(&body, "changed"), [true, false, false, false]);
    assert_eq!(members(&body, "state"), ["set", "set", "kept", "unknown"]);
    let first = &body["citations"][0];
    assert_eq!(first["text"]["plain"], "(see Ash, 1815, p. 3; Birch, 1815)");
    assert!(first["text"]["rtf"].is_string() && first["text"]["html"].is_string());
    assert_eq!(first["text"]["runs"][0]["text"], first["text"]["plain"]);
    assert_eq!(body["citations"][1]["text"]["plain"], "Birch (1815)");
    assert_eq!(body["citations"][3].get("text"), None);
    let code = &first["code"];
    assert_eq!(code["properties"]["plainCitation"], first["text"]["plain"]);
    assert_eq!(code["citationItems"][0]["locator"], "3");
    assert_eq!(code["citationItems"][0]["itemData"]["custom-of-host"], 1);
    let entries = list(&body["bibliography"]["entries"]);
    let ids: Vec<&Value> = entries.iter().map(|entry| &entry["id"]).collect();
    assert_eq!(ids, ["a", "b"]);
    assert_eq!(entries[0]["plain"], "Ash, A. (1815). Trees.");
    assert_eq!(
        entries[0]["runs"][1],
        json!({"text": "Trees", "italic": true})
    );
    assert_eq!(body["bibliography"]["heading"], "References");
    assert_eq!(body["warnings"][0]["code"], "unknown_work");
    assert_eq!(body["warnings"][0]["citation"], "4");
}

#[test]
fn edit_sends_and_gets_what_changed() {
    let app = TestApp::start();
    let first = app.post(PATH, &whole()).json();
    let token = first["token"].as_str().unwrap();
    let same = app.post(PATH, &json!({"token": token})).json();
    assert_eq!(members(&same, "id"), [Value::Null; 0]);
    assert_eq!(same["bibliography"], Value::Null);
    assert_eq!(same["bibliography_changed"], false);

    // A second work of the same author and year changes the first citation and the third, which stays as it is.
    let edit = json!({
        "token": same["token"],
        "works": [work("c", "Ash", "Leaves")],
        "citations": [cited("5", "c")],
        "places": [{"id": "5"}, {"id": "1"}, {"id": "2"}, {"id": "3"}],
    });
    let edited = app.post(PATH, &edit).json();
    assert_eq!(members(&edited, "id"), ["5", "1"]);
    let texts = members(&edited, "text");
    assert_eq!(texts[0]["plain"], "(Ash, 1815a)");
    assert_eq!(texts[1]["plain"], "(see Ash, 1815b, p. 3; Birch, 1815)");
    assert_eq!(list(&edited["bibliography"]["entries"]).len(), 3);
    // The answer got lost; the host sends the edit again.
    let again = app.post(PATH, &edit).json();
    assert_eq!(again["citations"], edited["citations"]);

    let styled = json!({"token": edited["token"], "style": "ieee", "forms": ["html"]});
    let styled = app.post(PATH, &styled).json();
    assert_eq!(members(&styled, "id"), ["5", "1", "2"]);
    assert_eq!(styled["citations"][0]["text"]["plain"], "[1]");
    assert_eq!(styled["citations"][0]["text"].get("rtf"), None);
}

#[test]
fn notes_are_those_of_the_document() {
    let app = TestApp::start();
    let mut request = json!({
        "style": "chicago-notes-bibliography",
        "works": [work("a", "Ash", "Trees"), work("b", "Birch", "Woods")],
        "citations": [
            {"id": "1", "cites": [{"id": "a"}], "note": 1},
            {"id": "2", "cites": [{"id": "a"}], "note": 2},
            {"id": "3", "cites": [{"id": "b", "mode": "composite"}]},
            {"id": "4", "cites": [{"id": "a"}], "note": 3},
        ],
    });
    let body = app.post(PATH, &request).json();
    assert_eq!(body["in_notes"], true);
    assert_eq!(members(&body, "note_number"), [1, 2, 3, 4]);
    let text = |body: &Value, n: usize| body["citations"][n]["text"]["plain"].clone();
    assert_eq!(text(&body, 0), "Ann Ash, Trees (1815).");
    assert_eq!(text(&body, 1), "Ash, Trees.");
    // The author stays in the text, and the rest becomes a note.
    assert_eq!(text(&body, 2), "Ann Birch");
    assert_eq!(body["citations"][2]["note"]["html"], "<i>Woods</i> (1815).");
    // A section begins.
    request["citations"][1]["section"] = true.into();
    let body = app.post(PATH, &request).json();
    assert_eq!(text(&body, 1), "Ann Ash, Trees (1815).");
}

#[test]
fn works_are_named_by_entry_and_identifier() {
    let app = TestApp::start();
    let bearer = app.bearer(Plan::Free);
    let made = app.post_as(&bearer, "/api/v1/collections", &json!({"name": "Mine"}));
    let collection = made.json()["id"].clone();
    let entry = json!({"metadata": {"title": "Oaks", "authors": [{"family": "Oak"}], "date": {"year": 1900}}});
    let path = format!(
        "/api/v1/collections/{}/entries",
        collection.as_str().unwrap()
    );
    let entry = app.post_as(&bearer, &path, &entry).json()["id"].clone();
    let request = json!({
        "works": [
            {"id": "mine", "collection": collection, "entry": entry},
            {"id": "dna", "identifier": "10.1038/171737a0"},
            {"id": "none", "identifier": "10.1038/171737a99"},
            {"id": "other", "collection": collection, "entry": collection},
        ],
        "citations": [
            cited("1", "mine"), cited("2", "dna"), cited("3", "doi:10.1038/171737a0"), cited("4", "none"),
            cited("5", "other"),
        ],
    });
    let body = app.post_as(&bearer, PATH, &request).json();
    let texts: Vec<Value> = members(&body, "text");
    assert_eq!(texts[0]["plain"], "(Oak, 1900)");
    assert_eq!(texts[1]["plain"], "(Watson & Crick, 1953)");
    assert_eq!(texts[2]["plain"], "(Watson & Crick, 1953)");
    assert_eq!(members(&body, "state")[3..], ["unknown", "unknown"]);
    let item = &body["citations"][1]["code"]["citationItems"][0]["itemData"];
    assert_eq!(item["DOI"], "10.1038/171737a0");
    // Entries are their owner's.
    let stranger = app.post(PATH, &request);
    stranger.expect_error(401, "authentication_required");
}

#[test]
fn faults_say_what_to_send() {
    let app = TestApp::start();
    let gone = app.post(PATH, &json!({"token": "gone"}));
    let gone = gone.expect_error(409, "conflict");
    assert_eq!(gone["resource"], "token");
    let token = app.post(PATH, &whole()).json()["token"].clone();
    let stranger = app.bearer(Plan::Free);
    let stranger = app.post_as(&stranger, PATH, &json!({"token": token}));
    stranger.expect_error(409, "conflict");
    let check = |request: Value, field: &str| {
        let error = app.post(PATH, &request);
        let error = error.expect_error(422, "validation_failed");
        assert_eq!(error["field"], field, "{error}");
    };
    check(
        json!({"token": token, "citations": [cited("9", "a")]}),
        "/citations/0/id",
    );
    check(
        json!({"token": token, "places": [{"id": "1"}, {"id": "1"}]}),
        "/places/1/id",
    );
    check(json!({"works": [{"id": "a"}]}), "/works/0");
    check(
        json!({"works": [{"id": "a", "item": {"author": 3}}]}),
        "/works/0/item",
    );
    check(
        json!({"citations": [{"id": "1", "cites": [{"id": "a", "mode": "x"}]}]}),
        "/citations/0/cites/0/mode",
    );
    let style = app.post(PATH, &json!({"style": "aap"}));
    style.expect_error(422, "unknown_style");
}
