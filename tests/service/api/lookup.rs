//! Lookups over HTTP: local answers, successful and failing providers.

use citation_model::plan::Plan;
use citation_model::work::{Provenance, Source, Work};
use serde_json::json;

use crate::api::collections::Library;
use crate::support::{TestApp, list};

#[test]
fn starter_work_is_found_offline() {
    let app = TestApp::start();
    for spelling in [
        "10.1038/171737a0",
        "https://doi.org/10.1038/171737A0",
        "doi: 10.1038%2F171737a0.",
    ] {
        let answer = app.post("/api/v1/lookup/doi", &json!({"doi": spelling}));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let body = answer.json();
        assert_eq!(body["doi"], "10.1038/171737a0");
        assert_eq!(body["entry_type"], "Article");
        assert_eq!(body["csl_type"], "article-journal");
        assert_eq!(body["date"]["year"], 1953);
        assert_eq!(body["journal"], "Nature");
        assert_eq!(body["authors"][0]["family"], "Watson");
        assert!(body["id"].as_str().is_some_and(|id| !id.is_empty()));
        assert!(
            body["title"]
                .as_str()
                .unwrap()
                .to_lowercase()
                .contains("nucleic acids")
        );
    }
}

#[test]
fn wrong_identifier_is_rejected_with_suggestion() {
    let app = TestApp::start();
    let body = app
        .post("/api/v1/lookup/isbn", &json!({"isbn": "978-0-7432-7356-6"}))
        .expect_error(422, "invalid_isbn");
    assert_eq!(body["normalized"], "9780743273566");
    assert_eq!(body["suggestion"], "9780743273565");
    let body = app
        .post("/api/v1/lookup/doi", &json!({"doi": "hello"}))
        .expect_error(422, "invalid_doi");
    assert_eq!(body["input"], "hello");
    let long = "1".repeat(300);
    app.post("/api/v1/lookup/doi", &json!({"doi": long}))
        .expect_error(422, "validation_failed");
}

#[test]
fn miss_names_the_sources() {
    let app = TestApp::start();
    let body = app
        .post(
            "/api/v1/lookup/doi",
            &json!({"doi": "10.5555/no-such-work"}),
        )
        .expect_error(404, "work_not_found");
    assert_eq!(body["identifier"], "10.5555/no-such-work");
    assert_eq!(body["sources_tried"][0]["source"], "local");
}

#[test]
fn work_has_the_requested_representation() {
    let app = TestApp::start();
    let get = |accept: &str| {
        let answer = app.get_with("/api/v1/works/10.1038/171737a0", &[("accept", accept)]);
        assert_eq!(answer.status, 200, "{accept}: {}", answer.text());
        answer
    };
    assert_eq!(get("application/json").json()["doi"], "10.1038/171737a0");
    assert_eq!(
        get("application/vnd.citationstyles.csl+json").json()["type"],
        "article-journal"
    );
    assert!(get("application/x-bibtex").text().starts_with("@article{"));
    assert!(
        get("application/x-research-info-systems")
            .text()
            .starts_with("TY  - JOUR")
    );
    let entry = get("text/x-bibliography; style=apa; locale=en-US");
    assert!(
        entry
            .header("content-type")
            .starts_with("text/x-bibliography")
    );
    assert!(
        entry
            .text()
            .contains("Watson, J. D., & Crick, F. H. C. (1953)"),
        "{}",
        entry.text()
    );
    let encoded = app.get("/api/v1/works/10.1038%2F171737a0");
    assert_eq!(encoded.status, 200);
    let body = app
        .get_with("/api/v1/works/10.1038/171737a0", &[("accept", "image/png")])
        .expect_error(406, "not_acceptable");
    assert!(list(&body["available"]).len() >= 5);
}

#[test]
fn retracted_work_has_a_notice() {
    let app = TestApp::start();
    let request = json!({"doi": "10.1016/S0140-6736(97)11096-0"});
    let body = app.post("/api/v1/lookup/doi", &request).json();
    let updates = list(&body["updates"]);
    let retraction = updates
        .iter()
        .find(|update| update["type"] == "retraction")
        .unwrap();
    assert_eq!(retraction["doi"], "10.1016/s0140-6736(10)60175-4");
    assert_eq!(retraction["relation"], "updated_by");
}

/// A caller's own entry, edited, and the corpus's record of the same work.
#[test]
fn every_route_prefers_the_callers_own_entry_to_the_corpus() {
    const DOI: &str = "10.1038/171737a0";
    const ISBN: &str = "9780198526636";
    let library = Library::open_with(|config| config.quota.business_daily = 4);
    let me = library.member(Plan::Business);
    let stranger = library.member(Plan::Free);
    let path = me.collection("A");
    for body in [
        json!({"title": "Edited by its owner", "doi": DOI}),
        json!({"title": "Edited book", "isbn": ISBN, "entry_type": "Book"}),
    ] {
        assert_eq!(me.post(&format!("{path}/entries"), body).status, 201);
    }
    let book = json!({"type": "book", "title": "The corpus's book", "ISBN": ISBN});
    let provenance = Provenance {
        source: Source::Openlibrary,
        record_id: String::new(),
        url: None,
        license: None,
        fetched_at: 0,
    };
    let book = Work::new(serde_json::from_value(book).unwrap(), provenance);
    library.app.app.corpus.put_one(&book).unwrap();

    let cited = format!("Watson and Crick (1953). doi:{DOI}");
    // Free lookups first: none of them costs anything, so all four lookups are left.
    for (answer, title) in [
        (me.post("/lookup/doi", json!({"doi": DOI})), "/title"),
        (me.get(&format!("/works/{DOI}")), "/title"),
        (
            me.post("/format/batch", json!({"items": [{"doi": DOI}]})),
            "/results/0/metadata/title",
        ),
        (
            me.post("/reverse", json!({"text": cited})),
            "/0/metadata/title",
        ),
        (me.post("/verify", json!({"text": cited})), "/match/title"),
        (
            me.post("/verify/batch", json!({"references": [cited]})),
            "/results/0/match/title",
        ),
        (
            me.post(
                "/format/batch",
                json!({"items": [{"text": cited}], "min_score": 0}),
            ),
            "/results/0/metadata/title",
        ),
    ] {
        assert_eq!(answer.status, 200, "{}", answer.text());
        let body = answer.json();
        assert_eq!(
            body.pointer(title),
            Some(&json!("Edited by its owner")),
            "{body}"
        );
    }
    // The four that searched by text have used them up; what is one's own is answered all the same.
    for (answer, title) in [
        (me.post("/lookup/isbn", json!({"isbn": ISBN})), "/title"),
        (
            me.post("/format/batch", json!({"items": [{"isbn": ISBN}]})),
            "/results/0/metadata/title",
        ),
    ] {
        assert_eq!(answer.status, 200, "{}", answer.text());
        let body = answer.json();
        assert_eq!(body.pointer(title), Some(&json!("Edited book")), "{body}");
    }
    me.post("/verify", json!({"text": cited}))
        .expect_error(429, "quota_exhausted");

    for caller in [
        stranger.post("/lookup/isbn", json!({"isbn": ISBN})),
        library
            .app
            .post("/api/v1/lookup/isbn", &json!({"isbn": ISBN})),
    ] {
        assert_eq!(caller.json()["title"], "The corpus's book");
    }
}

/// In a path a `?` or `#` that is part of the DOI is encoded, as in every address.
#[test]
fn encoded_question_mark_belongs_to_the_doi_in_a_path() {
    let app = TestApp::start();
    let check = |path: &str, doi: &str| {
        let accept = [("accept", "application/json")];
        let body = app
            .get_with(path, &accept)
            .expect_error(404, "work_not_found");
        assert_eq!(body["identifier"], doi, "{path}");
    };
    let whole = "10.1038/171737a0?style=apa";
    check("/api/v1/works/10.1038/171737a0%3Fstyle=apa", whole);
    check(
        "/api/v1/works/10.1038%2F171737a0%3Fstyle=apa?style=apa",
        whole,
    );
    check(
        "/api/v1/works/https://doi.org/10.1038/171737a0%3Fstyle=apa",
        whole,
    );
    check("/api/v1/works/10.1038/171737a0%23a", "10.1038/171737a0#a");
    // Crossref answers with a text.
    let crossref = app.get("/crossref/works/10.1038/171737a0%3Fstyle=apa");
    assert_eq!(crossref.status, 404);
    assert_eq!(app.get("/api/v1/works/10.1038/171737a0?a=b").status, 200);
    // In a text it may be what an address appended.
    let body = json!({"doi": "10.1038/171737a0?style=apa"});
    assert_eq!(app.post("/api/v1/lookup/doi", &body).status, 200);
}

#[test]
fn doi_has_no_control_characters() {
    let app = TestApp::start();
    for doi in [
        "10.1038/1717\u{0}37a0",
        "10.1038/171737a0\u{0}",
        "10.1038/171737a0\u{7}",
        "10.1038/171737a0%00",
    ] {
        let answer = app.post("/api/v1/lookup/doi", &json!({"doi": doi}));
        answer.expect_error(422, "invalid_doi");
    }
    for path in [
        "/api/v1/works/10.1038/171737a0%00",
        "/api/v1/works/10.1038/%001737a0",
    ] {
        app.get(path).expect_error(422, "invalid_doi");
    }
}
