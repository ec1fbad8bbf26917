//! Citation keys, journals' names and titles in sentence case over HTTP.

use citation_model::plan::Plan;
use serde_json::{Value, json};

use crate::support::TestApp;

#[test]
fn citation_keys_are_made_in_order() {
    let app = TestApp::start_with(|config| config.limits.citation_key_entries = 4);
    let key = app.bearer(Plan::Academic);
    let path = "/api/v1/citation-keys";
    let smith = json!({"title": "On x", "authors": [{"family": "Smith"}], "date": {"year": 2020}});
    let entries = json!([
        smith,
        {"title": "The <i>origin</i>", "date": {"year": 1859}},
        smith,
        {"authors": [{"literal": "World Health Organization"}], "title": "y"},
    ]);
    let answer = app.post_as(&key, path, &json!({"entries": entries}));
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(
        answer.json(),
        json!({"keys": ["Smith2020", "Origin1859", "Smith2020a", "WorldHealthOrganizationnd"]})
    );
    assert_eq!(
        app.post_as(&key, path, &json!({"entries": []})).json(),
        json!({"keys": []})
    );

    let patterned = json!({"entries": [smith, smith], "pattern": "[auth:lower]:[shortyear]"});
    assert_eq!(
        app.post_as(&key, path, &patterned).json(),
        json!({"keys": ["smith:20", "smith:20a"]})
    );
    let wrong = json!({"entries": [smith], "pattern": "[author]"});
    let body = app
        .post_as(&key, path, &wrong)
        .expect_error(422, "validation_failed");
    assert_eq!(body["field"], "/pattern");

    let five = json!({"entries": vec![smith; 5]});
    let body = app
        .post_as(&key, path, &five)
        .expect_error(413, "payload_too_large");
    assert_eq!(
        (&body["limit"], &body["unit"]),
        (&json!(4), &json!("items"))
    );
    let wrong = json!({"entries": [{"title": "a"}, {"title": 7, "date": "yesterday"}, 3]});
    let body = app
        .post_as(&key, path, &wrong)
        .expect_error(422, "validation_failed");
    assert!(body["details"].to_string().contains("/entries/2"), "{body}");
    app.post_as(&key, path, &json!({}))
        .expect_error(422, "validation_failed");
    app.post_as(&key, path, &json!({"entries": "x"}))
        .expect_error(422, "validation_failed");
}

#[test]
fn journals_are_expanded_and_abbreviated() {
    let app = TestApp::start();
    let key = app.bearer(Plan::Business);
    let expand = |text: &str| {
        let answer = app.post_as(
            &key,
            "/api/v1/journal/expand",
            &json!({"abbreviation": text}),
        );
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    for text in ["J. Am. Chem. Soc.", "j am chem soc", "J AM CHEM SOC"] {
        let body = expand(text);
        assert_eq!(body["abbreviation"], text);
        assert_eq!(
            body["full_name"], "Journal of the American Chemical Society",
            "{body}"
        );
        assert_eq!(body["found"], true);
        assert_eq!(body["candidates"][0]["full_name"], body["full_name"]);
        assert_eq!(body["candidates"][0]["source"], "built-in");
    }
    let body = expand("Q. J. Imag. Unic.");
    assert_eq!(body["full_name"], "Q. J. Imag. Unic.");
    assert_eq!(
        (&body["found"], &body["candidates"]),
        (&json!(false), &json!([]))
    );

    let title = json!({"title": "Journal of the American Chemical Society"});
    let body = app
        .post_as(&key, "/api/v1/journal/abbreviate", &title)
        .json();
    assert_eq!(body["abbreviation"], "J. Am. Chem. Soc.", "{body}");
    assert_eq!(body["found"], true);
    let body = app
        .post_as(
            &key,
            "/api/v1/journal/abbreviate",
            &json!({"title": "Nature"}),
        )
        .json();
    assert_eq!(body["abbreviation"], "Nature");

    app.app
        .store
        .set_journal("J. Imag.", "Journal of Imagination")
        .unwrap();
    let body = expand("J Imag");
    assert_eq!(body["full_name"], "Journal of Imagination");
    assert_eq!(body["candidates"][0]["source"], "operator");

    for body in [
        json!({}),
        json!({"abbreviation": " "}),
        json!({"abbreviation": 3}),
    ] {
        app.post_as(&key, "/api/v1/journal/expand", &body)
            .expect_error(422, "validation_failed");
    }
    let long = json!({"abbreviation": "x".repeat(1001)});
    let fault = app.post_as(&key, "/api/v1/journal/expand", &long);
    let fault = fault.expect_error(422, "validation_failed");
    assert_eq!(
        (&fault["field"], &fault["limit"]),
        (&json!("/abbreviation"), &json!(1000))
    );
}

#[test]
fn utilities_require_paid_plan() {
    let app = TestApp::start();
    let free = app.bearer(Plan::Free);
    for (path, body) in [
        ("/api/v1/citation-keys", json!({"entries": []})),
        ("/api/v1/journal/expand", json!({"abbreviation": "Nature"})),
        ("/api/v1/journal/abbreviate", json!({"title": "Nature"})),
    ] {
        app.post(path, &body)
            .expect_error(401, "authentication_required");
        app.post_as(&free, path, &body)
            .expect_error(403, "plan_required");
    }
}

#[test]
fn sentence_case_needs_no_account() {
    let app = TestApp::start();
    let path = "/api/v1/titles/sentence-case";
    let send = |body: Value| {
        let headers = [("content-type", "application/json")];
        app.send("POST", path, &headers, Some(body.to_string().as_bytes()))
    };
    let check = |body: Value, expected: Value| {
        let answer = send(body.clone());
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json()["suggestion"], expected, "{body}");
    };
    check(
        json!({"title": "A Theory of <i>Mind</i> and Matter Waves"}),
        json!("A theory of <i>Mind</i> and matter waves"),
    );
    check(
        json!({"title": "Growth and Decay", "language": "fr"}),
        Value::Null,
    );
    check(
        json!({"title": "A theory of communication", "language": null}),
        Value::Null,
    );
    send(json!({"title": 7})).expect_error(422, "validation_failed");
}

#[test]
fn limits_of_the_configuration_are_described_and_enforced() {
    let app = TestApp::start_with(|config| config.limits.query_chars = 7);
    let document = app.get("/api/openapi.json").json();
    let parameters = &document["paths"]["/api/v1/styles/search"]["get"]["parameters"];
    assert_eq!(parameters[0]["schema"]["maxLength"], 7);
    assert_eq!(app.get("/api/v1/styles/search?q=1234567").status, 200);
    let fault = app.get("/api/v1/styles/search?q=12345678");
    let fault = fault.expect_error(400, "invalid_parameter");
    assert_eq!(
        (&fault["parameter"], &fault["limit"]),
        (&json!("q"), &json!(7))
    );
    let fault = app.get("/api/v1/styles/search?q=a&limit=99999999999999999999999");
    let fault = fault.expect_error(400, "invalid_parameter");
    assert_eq!(fault["limit"], u32::MAX);
}

#[test]
fn oversized_integers_are_rejected() {
    let app = TestApp::start();
    let body = br#"{"text": "Watson 1953", "limit": 123456789012345678901234567890}"#;
    let headers = [("content-type", "application/json")];
    let fault = app.send("POST", "/api/v1/reverse", &headers, Some(body));
    let fault = fault.expect_error(422, "validation_failed");
    assert_eq!(
        fault["message"],
        "/limit must be between 1 and 4294967295, not 123456789012345678901234567890."
    );
}
