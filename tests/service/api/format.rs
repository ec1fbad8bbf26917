//! Formatting over HTTP.

use serde_json::{Value, json};

use crate::support::{TestApp, list};

fn entries() -> Value {
    json!([
        {"id": "b", "entry_type": "Article", "title": "Second things", "authors": [{"family": "Young", "given": "Zoe"}],
         "date": {"year": 2001}, "journal": "Journal of Order", "volume": "2", "pages": "3-9"},
        {"id": "a", "entry_type": "Book", "title": "First <i>things</i> & <script>", "authors": [{"family": "Abel", "given": "Ann"}],
         "date": {"year": 1999}, "publisher": "Example Press"},
    ])
}

#[test]
fn bibliography_has_its_markers() {
    let app = TestApp::start();
    let body = app
        .post(
            "/api/v1/format",
            &json!({"entries": entries(), "style": "apa", "locale": "en-US"}),
        )
        .json();
    assert_eq!(body["citations"], json!(["(Young, 2001)", "(Abel, 1999)"]));
    assert_eq!(body["order"], json!(["a", "b"]));
    assert_eq!(body["entries"][0]["id"], "b");
    assert_eq!(body["entries"][0]["index"], 0);
    assert_eq!(body["entries"][0]["in_text"], "(Young, 2001)");
    let html = body["html"].as_str().unwrap();
    assert!(html.starts_with("<div class=\"csl-bib-body\""), "{html}");
    assert!(html.contains("data-id=\"a\""), "{html}");
    assert!(
        html.contains("&#38; &#60;script&#62;") || html.contains("&amp; &lt;script&gt;"),
        "{html}"
    );
    assert!(!html.contains("<script"), "{html}");
    let plain = body["plain"].as_str().unwrap();
    assert!(
        plain.find("Abel").unwrap() < plain.find("Young").unwrap(),
        "{plain}"
    );
    assert_eq!(body["style"], "apa");
    assert_eq!(body["locale"], "en-US");
    assert_eq!(body["citation_format"], "author-date");
    assert_eq!(body["sorted"], true);
}

#[test]
fn numeric_styles_number_and_group() {
    let app = TestApp::start();
    let request = json!({"entries": entries(), "style": "ieee"});
    let body = app.post("/api/v1/format", &request).json();
    assert_eq!(body["citations"], json!(["[1]", "[2]"]));
    let three: Vec<Value> = (0..3)
        .map(|n| json!({"title": format!("Title {n}"), "entry_type": "Article", "date": {"year": 2000}}))
        .collect();
    let body = app
        .post(
            "/api/v1/format/group-cite",
            &json!({"entries": three, "indices": [0, 1, 2], "style": "nature"}),
        )
        .json();
    assert_eq!(body["citation"], "1–3");
    assert_eq!(body["indices"], json!([0, 1, 2]));
    app.post(
        "/api/v1/format/group-cite",
        &json!({"entries": three, "indices": [0, 7], "style": "ieee"}),
    )
    .expect_error(422, "validation_failed");
    let wrong = app.post(
        "/api/v1/format/group-cite",
        &json!({"entries": three, "indices": [-1], "style": "ieee"}),
    );
    assert_eq!(
        wrong.expect_error(422, "validation_failed")["field"],
        "/indices/0"
    );
    app.post(
        "/api/v1/format/group-cite",
        &json!({"entries": three, "indices": [], "style": "ieee"}),
    )
    .expect_error(422, "validation_failed");
}

#[test]
fn style_and_locale_have_defaults_and_errors() {
    let app = TestApp::start();
    let format = |style: Value, locale: Value| {
        app.post(
            "/api/v1/format",
            &json!({"entries": entries(), "style": style, "locale": locale}),
        )
    };
    assert_eq!(format(Value::Null, Value::Null).json()["style"], "apa");
    assert_eq!(
        format(json!("http://www.zotero.org/styles/ieee"), Value::Null).json()["style"],
        "ieee"
    );
    let error = format(json!("aap"), Value::Null).expect_error(422, "unknown_style");
    assert!(list(&error["suggestions"]).contains(&json!("apa")));
    let answer = format(json!("apa"), json!("de-AT"));
    assert_eq!(answer.status, 200);
    format(json!("apa"), json!("not a tag!")).expect_error(422, "validation_failed");
    app.post("/api/v1/format", &json!({"style": "apa"}))
        .expect_error(422, "validation_failed");
    app.post("/api/v1/format", &json!({"entries": "x"}))
        .expect_error(422, "validation_failed");
}

#[test]
fn style_can_come_with_the_request() {
    let app = TestApp::start();
    let style = r#"<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" class="in-text">
        <info><title>Own</title><id>own</id><updated>2026-01-01T00:00:00Z</updated></info>
        <citation><layout prefix="{" suffix="}"><text variable="title"/></layout></citation>
        </style>"#;
    let body = app
        .post(
            "/api/v1/format",
            &json!({"entries": [{"title": "A title"}], "style_xml": style}),
        )
        .json();
    assert_eq!(body["citations"], json!(["{A title}"]));
    assert_eq!(body["entries"][0]["bibliography"], Value::Null);
    let body = app
        .post(
            "/api/v1/format",
            &json!({"entries": [], "style_xml": "<style>\n<oops</style>"}),
        )
        .expect_error(422, "validation_failed");
    assert_eq!(body["field"], "/style_xml");
    assert!(
        body["message"].as_str().unwrap().contains("line 2"),
        "{body}"
    );
}

#[test]
fn styles_are_listed_searched_and_shown() {
    let app = TestApp::start();
    let answer = app.get("/api/v1/styles");
    let styles = answer.json();
    assert_eq!(list(&styles).len(), 50);
    assert_eq!(styles[0]["id"], "apa");
    assert!(answer.header("total-results").parse::<usize>().unwrap() >= 80);
    let found = app
        .get("/api/v1/styles/search?q=modern%20language&limit=1")
        .json();
    assert_eq!(found[0]["id"], "modern-language-association");
    app.get("/api/v1/styles/search")
        .expect_error(400, "invalid_parameter");
    app.get("/api/v1/styles/search?q=a&limit=0")
        .expect_error(400, "invalid_parameter");
    app.get("/api/v1/styles/search?q=a&limit=x")
        .expect_error(400, "invalid_parameter");
    assert!(
        app.get("/api/v1/styles/search?q=&limit=500")
            .json()
            .as_array()
            .unwrap()
            .len()
            <= 100
    );
    let one = app.get("/api/v1/styles/apa?preview=1").json();
    assert_eq!(list(&one["preview"]).len(), 4);
    app.get("/api/v1/styles/no-such-style")
        .expect_error(404, "not_found");
    let locales = app.get("/api/v1/locales").json();
    assert!(list(&locales).iter().any(|l| l["id"] == "de-DE"));
}

#[test]
fn further_forms_are_written_on_request() {
    let app = TestApp::start();
    let request = json!({
        "entries": [{"id": "a", "entry_type": "Book", "title": "Cats & Dogs", "doi": "https://doi.org/10.1000/x_y",
            "authors": [{"family": "Abel", "given": "Ann"}], "date": {"year": 1999}}],
        "style": "apa", "formats": ["latex", "rtf"], "links": true,
    });
    let body = app.post("/api/v1/format", &request).json();
    assert_eq!(
        body["formats"]["latex"],
        json!({
            "bibliography": "Abel, A. (1999). \\textit{Cats \\& Dogs}. \\href{https://doi.org/10.1000/x\\_y}{https://doi.org/10.1000/x\\_y}\n",
            "citations": ["(Abel, 1999)"],
        })
    );
    let rtf = body["formats"]["rtf"]["bibliography"].as_str().unwrap();
    assert!(
        rtf.starts_with("{\\rtf1") && rtf.contains("{\\i Cats & Dogs}"),
        "{rtf}"
    );
    let html = body["html"].as_str().unwrap();
    assert!(
        html.contains("<a href=\"https://doi.org/10.1000/x_y\">"),
        "{html}"
    );

    let request =
        json!({"entries": entries(), "indices": [0, 1], "style": "nature", "formats": ["typst"]});
    let body = app.post("/api/v1/format/group-cite", &request).json();
    assert_eq!(body["formats"], json!({"typst": "#super[1,2]"}));

    let request = json!({"entries": entries(), "formats": ["latex", "docx"]});
    let body = app
        .post("/api/v1/format", &request)
        .expect_error(422, "validation_failed");
    assert_eq!(body["field"], "/formats/1");
}

#[test]
fn links_contain_only_the_style_address() {
    let app = TestApp::start();
    let format = |request: Value| app.post("/api/v1/format", &request).json();
    let html = |body: Value| {
        body["entries"][0]["bibliography_html"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let entries = json!([{"entry_type": "Article", "title": "Oaks", "doi": "10.1000/xyz"}]);
    let ieee = html(format(
        json!({"entries": entries, "style": "ieee", "links": true}),
    ));
    let link = "<a href=\"https://doi.org/10.1000/xyz\">10.1000/xyz</a>.";
    assert!(ieee.contains(link), "{ieee}");

    let style = r#"<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" class="in-text">
        <info><title>Own</title><id>own</id><updated>2026-01-01T00:00:00Z</updated></info>
        <citation><layout><text variable="title"/></layout></citation>
        <bibliography><layout suffix=".">
          <text variable="PMID" prefix="PMID: "/><text variable="PMCID" prefix="; "/>
          <text variable="DOI" prefix=" http://dx.doi.org/" text-case="uppercase"/>
        </layout></bibliography></style>"#;
    let entries = json!([{"title": "Oaks", "pmid": "12345", "pmcid": "PMC1", "doi": "10.1/a"}]);
    let own = format(json!({"entries": entries, "style_xml": style, "links": true}));
    assert_eq!(
        html(own),
        "PMID: <a href=\"https://www.ncbi.nlm.nih.gov/pubmed/12345\">12345</a>; \
         <a href=\"https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1\">PMC1</a> \
         <a href=\"https://doi.org/10.1/a\">http://dx.doi.org/10.1/A</a>."
    );
}

#[test]
fn entries_are_normalised_before_formatting() {
    let app = TestApp::start();
    let entry = json!({"entry_type": "Article", "title": "Oaks\n   and\telms\u{1}", "pages": "100--105",
        "authors": [{"family": "Van\nDoe", "given": "Ann"}], "date": {"year": 1999}});
    let request = json!({"entries": [entry], "style": "apa", "formats": ["markdown"]});
    let body = app.post("/api/v1/format", &request).json();
    assert_eq!(
        body["plain"],
        "Van Doe, A. (1999). Oaks and elms. 100–105.\n"
    );
    let warnings = list(&body["warnings"]);
    assert!(
        warnings
            .iter()
            .any(|w| w["code"] == "control_characters" && w["index"] == 0),
        "{body}"
    );
}

#[test]
fn dependent_style_can_come_with_the_request() {
    let app = TestApp::start();
    let format = |parent: &str| {
        let style = format!(
            r#"<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" default-locale="de-DE">
            <info><title>Journal</title><id>http://example.org/journal</id>
            <link href="http://www.zotero.org/styles/{parent}" rel="independent-parent"/>
            <updated>2026-01-01T00:00:00Z</updated></info></style>"#
        );
        app.post(
            "/api/v1/format",
            &json!({"entries": entries(), "style_xml": style}),
        )
    };
    let body = format("ieee").json();
    assert_eq!(body["citations"], json!(["[1]", "[2]"]));
    assert_eq!(body["style"], "journal");
    assert_eq!(body["locale"], "de-DE");
    let error = format("no-such-parent").expect_error(422, "validation_failed");
    assert_eq!(error["field"], "/style_xml");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("no-such-parent") && !message.contains("line 0"),
        "{message}"
    );
}

#[test]
fn group_cite_warns_of_unknown_labels_and_locales() {
    let app = TestApp::start();
    let group = |item: Value, locale: &str| {
        let request =
            json!({"entries": entries(), "items": [item], "style": "apa", "locale": locale});
        app.post("/api/v1/format/group-cite", &request).json()
    };
    let codes = |body: &Value| -> Vec<String> {
        let warnings = list(&body["warnings"]).iter();
        warnings
            .map(|w| w["code"].as_str().unwrap().to_owned())
            .collect()
    };
    let body = group(
        json!({"index": 0, "locator": 5, "label": "Chapter"}),
        "en-US",
    );
    let citation = body["citation"].as_str().unwrap();
    assert!(citation.contains("Chapter 5"), "{citation}");
    assert!(codes(&body).is_empty(), "{body}");
    let body = group(
        json!({"index": 0, "locator": "5--7", "label": "zork"}),
        "xx-XX",
    );
    assert_eq!(codes(&body), ["locale_fallback", "unknown_label"]);
    assert!(body["citation"].as_str().unwrap().contains("5–7"), "{body}");
}
