//! APIs of other services, with requests of their clients.

use serde_json::json;

use crate::support::http_stand_in::{Reply, StandIn};
use crate::support::{Answer, TestApp, list};

const DOI: &str = "10.1038/171737a0";

fn get(app: &TestApp, path: &str, accept: &str) -> Answer {
    app.get_with(path, &[("accept", accept)])
}

#[test]
fn doi_resolver_answers_by_content_negotiation() {
    let app = TestApp::start();
    let check = |accept: &str, media_type: &str, part: &str| {
        for path in [
            format!("/doi/{DOI}"),
            format!("/{DOI}"),
            format!("/{}", DOI.replace('/', "%2F")),
        ] {
            let answer = get(&app, &path, accept);
            assert_eq!(answer.status, 200, "{path} {accept}: {}", answer.text());
            assert!(
                answer.header("content-type").starts_with(media_type),
                "{accept}"
            );
            assert!(answer.text().contains(part), "{accept}: {}", answer.text());
            assert!(answer.header("vary").contains("Accept"));
        }
    };
    let csl = "application/vnd.citationstyles.csl+json";
    check(csl, csl, "article-journal");
    check(
        "application/citeproc+json",
        "application/citeproc+json",
        "article-journal",
    );
    check("application/json", "application/json", "article-journal");
    check(
        "text/turtle;q=0.1, application/x-bibtex;q=0.9",
        "application/x-bibtex",
        "@article",
    );
    check(
        "application/x-research-info-systems",
        "application/x-research-info-systems",
        "TY  - JOUR",
    );
    check(
        "text/x-bibliography; style=apa; locale=en-US",
        "text/x-bibliography",
        "Watson, J. D.",
    );
    check(
        "application/vnd.schemaorg.ld+json",
        "application/vnd.schemaorg.ld+json",
        "ScholarlyArticle",
    );
    check(
        "application/*",
        "application/vnd.citationstyles.csl+json",
        "article-journal",
    );
    check("text/turtle", "text/turtle", "dct:creator");
    check("application/rdf+xml", "application/rdf+xml", "<rdf:RDF");
    check(
        "application/vnd.crossref+json",
        "application/vnd.crossref+json",
        "journal-article",
    );
}

#[test]
fn doi_resolver_redirects_to_the_publisher_by_default() {
    let app = TestApp::start();
    let free = app.get("/api/v1/me").json();
    for accept in ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*"] {
        let answer = get(&app, &format!("/{DOI}"), accept);
        assert_eq!(answer.status, 302, "{accept}");
        assert!(answer.header("location").starts_with("http"), "{accept}");
    }
    let unknown = app.get("/10.5555/never-seen");
    assert_eq!(
        unknown.header("location"),
        "https://doi.org/10.5555/never-seen"
    );
    assert_eq!(app.get("/api/v1/me").json()["usage"], free["usage"]);
}

#[test]
fn doi_resolver_rejects_unsupported_types() {
    let app = TestApp::start();
    get(&app, &format!("/doi/{DOI}"), "image/png").expect_error(406, "not_acceptable");
    get(&app, "/doi/10.5555/never-seen", "application/json").expect_error(404, "work_not_found");
    get(&app, "/doi/hello", "application/json").expect_error(422, "invalid_doi");
    let off = TestApp::start_with(|config| config.compat.doi = false);
    assert_eq!(
        get(&off, &format!("/{DOI}"), "application/json").status,
        404
    );
}

#[test]
fn crossref_work_has_its_envelope() {
    let app = TestApp::start();
    let body = app.get(&format!("/crossref/works/{DOI}")).json();
    assert_eq!(
        (&body["status"], &body["message-type"]),
        (&json!("ok"), &json!("work"))
    );
    let message = &body["message"];
    assert_eq!(message["DOI"], DOI);
    assert_eq!(message["author"][0]["family"], "Watson");
    assert_eq!(message["container-title"], json!(["Nature"]));
    let agency = app.get(&format!("/crossref/works/{DOI}/agency")).json();
    assert_eq!(agency["message-type"], "work-agency");
    assert_eq!(agency["message"]["DOI"], DOI);
    let bibtex = app.get(&format!(
        "/crossref/works/{DOI}/transform/application/x-bibtex"
    ));
    assert!(bibtex.text().starts_with("@article"), "{}", bibtex.text());
    let missing = app.get("/crossref/works/10.5555/never-seen");
    assert_eq!(
        (missing.status, missing.text().as_str()),
        (404, "Resource not found.")
    );
}

#[test]
fn crossref_list_is_filtered_paged_and_selected() {
    let app = TestApp::start();
    let get_list = |query: &str| {
        // The index of a new server is being made.
        crate::support::waiting::wait_for(|| {
            let answer = app.get(&format!("/crossref/works?{query}"));
            let body = answer.json();
            assert_eq!(answer.status, 200, "{body}");
            (body["message"]["total-results"].as_u64()? > 0).then_some(body["message"].clone())
        })
    };
    let found = get_list(
        "query.bibliographic=molecular+structure+of+nucleic+acids&rows=3&mailto=a@example.org",
    );
    assert_eq!(found["items"][0]["DOI"], DOI);
    assert_eq!(found["items-per-page"], 3);
    assert!(found["items"][0]["score"].as_f64().unwrap() > 0.0);
    let found = get_list(
        "query=nucleic+acids&filter=type:journal-article,until-pub-date:1953&select=DOI,title",
    );
    for item in list(&found["items"]) {
        let mut names: Vec<&String> = item.as_object().unwrap().keys().collect();
        names.sort();
        assert_eq!(names, ["DOI", "title"]);
    }
    let first = get_list("query=the&rows=2&cursor=*");
    let second = get_list(&format!(
        "query=the&rows=2&cursor={}",
        first["next-cursor"].as_str().unwrap()
    ));
    assert_ne!(first["items"][0]["DOI"], second["items"][0]["DOI"]);
    for query in [
        "",
        "query=a&filter=award.number:1",
        "query=a&filter=from-pub-date:soon",
        "query=a&filter=has-abstract:perhaps",
        "query=a&facet=type-name:*",
        "query=a&sample=3",
        "query=a&sort=refs",
        "query=a&rows=x",
    ] {
        let refused = app.get(&format!("/crossref/works?{query}"));
        assert_eq!(refused.status, 400, "{query}");
        assert_eq!(
            refused.json()["message-type"],
            "validation-failure",
            "{query}"
        );
    }
}

#[test]
fn crossref_filters_of_one_name_are_alternatives_and_dates_have_days() {
    let app = TestApp::start();
    let check = |filter: &str, expected: u64| {
        let found = app.get(&format!("/crossref/works?filter=doi:{DOI}{filter}"));
        assert_eq!(found.header("x-rate-limit-interval"), "60s");
        let found = found.json()["message"]["total-results"].as_u64();
        assert_eq!(found, Some(expected), "{filter}");
    };
    check("", 1);
    check(",doi:10.5555/never-seen", 1);
    check(",type:book,type:journal-article", 1);
    check(",type:book", 0);
    check(",from-pub-date:1953-04-25,until-pub-date:1953-04-25", 1);
    check(",from-pub-date:1953-04-26", 0);
    check(",from-pub-date:1953-05", 0);
    check(",until-pub-date:1953-04-24", 0);
    check(",until-pub-date:1953-04", 1);
    check(",has-abstract:false", 1);
    check(",has-abstract:true", 0);
}

#[test]
fn crossref_journal_is_fetched_from_crossref() {
    let crossref = StandIn::start(|request| match request.path().as_str() {
        "/journals/0028-0836" => Reply::json(
            r#"{"message": {"title": "Nature", "publisher": "Springer", "ISSN": ["0028-0836", "1476-4687"]}}"#,
        ),
        _ => Reply::status(404),
    });
    let url = crossref.url();
    let app = TestApp::start_with(|config| {
        config.providers.crossref.enabled = true;
        config.providers.crossref.base_url = url.parse().unwrap();
    });
    let journal = app.get("/crossref/journals/0028-0836").json();
    assert_eq!(journal["message-type"], "journal");
    let message = &journal["message"];
    assert_eq!(
        (&message["title"], &message["publisher"]),
        (&json!("Nature"), &json!("Springer"))
    );
    assert_eq!(message["ISSN"], json!(["0028-0836", "1476-4687"]));
    for none in ["1234-5679", "hello"] {
        let missing = app.get(&format!("/crossref/journals/{none}"));
        assert_eq!(
            (missing.status, missing.text().as_str()),
            (404, "Resource not found.")
        );
    }
}

#[test]
fn crossref_lists_works_of_a_journal() {
    let app = TestApp::start();
    let found = crate::support::waiting::wait_for(|| {
        let answer = app.get("/crossref/journals/0028-0836/works?query=nucleic+acids");
        let message = answer.json()["message"].clone();
        (message["total-results"].as_u64()? > 0).then_some(message)
    });
    for item in list(&found["items"]) {
        assert!(item["ISSN"].to_string().contains("0028-0836"), "{item}");
    }
}

#[test]
fn crossref_types_are_listed() {
    let app = TestApp::start();
    let types = app.get("/crossref/types").json();
    let items = list(&types["message"]["items"]);
    assert!(items.contains(&json!({"id": "journal-article", "label": "Journal Article"})));
    assert_eq!(
        app.get("/crossref/types/book").json()["message"]["id"],
        "book"
    );
    assert_eq!(app.get("/crossref/types/pie").status, 404);
}

#[test]
fn style_file_is_served_for_other_processors() {
    let app = TestApp::start();
    let style = app.get("/api/v1/styles/apa.csl");
    assert_eq!(style.status, 200);
    assert!(style.header("content-type").contains("style+xml"));
    assert!(style.text().contains("<style "), "{}", style.text());
    let missing = app
        .get("/api/v1/styles/apaa.csl")
        .expect_error(404, "not_found");
    assert!(
        missing["suggestions"].to_string().contains("apa"),
        "{missing}"
    );
}

#[test]
fn description_is_served_as_yaml() {
    let app = TestApp::start();
    let yaml = app.get("/api/openapi.yaml");
    assert!(yaml.header("content-type").starts_with("application/yaml"));
    assert!(yaml.text().contains("\"openapi\": \"3.1.0\"\n"));
}
