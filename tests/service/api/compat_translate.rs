//! Zotero's translation-server, with requests of its clients.

use serde_json::{Value, json};

use crate::support::http_stand_in::{Reply, StandIn};
use crate::support::{Answer, TestApp};

const DOI: &str = "10.1038/171737a0";

fn post(app: &TestApp, path: &str, media_type: &str, body: &str) -> Answer {
    let path = format!("/translate{path}");
    app.send(
        "POST",
        &path,
        &[("content-type", media_type)],
        Some(body.as_bytes()),
    )
}

fn text(app: &TestApp, path: &str, body: &str) -> Answer {
    post(app, path, "text/plain", body)
}

#[track_caller]
fn refused(answer: &Answer, status: u16, words: &str) {
    assert_eq!((answer.status, answer.text().as_str()), (status, words));
    assert!(answer.header("content-type").starts_with("text/plain"));
}

#[test]
fn search_returns_items_of_identifiers() {
    let app = TestApp::start();
    let one = text(&app, "/search", DOI).json();
    let item = &one[0];
    assert_eq!(one.as_array().map(Vec::len), Some(1), "{one}");
    assert_eq!(item["itemType"], "journalArticle");
    assert_eq!(item["publicationTitle"], "Nature");
    assert_eq!(item["DOI"], DOI);
    let author = json!({"creatorType": "author", "firstName": "J. D.", "lastName": "Watson"});
    assert_eq!(item["creators"][0], author, "{item}");
    assert_eq!(item["version"], 0);
    assert_eq!(item["key"].as_str().map(str::len), Some(8));
    assert!(
        item["citationKey"].is_null() && item["tags"].is_array(),
        "{item}"
    );
    let several = text(&app, "/search", &format!("{DOI}\n10.5555/never-seen")).json();
    assert_eq!(several.as_array().map(Vec::len), Some(1));
    let in_words = text(&app, "/search", &format!("see doi:{DOI} for this")).json();
    assert_eq!(in_words[0]["DOI"], DOI);
}

#[test]
fn search_returns_choices_for_words() {
    let app = TestApp::start();
    let words = "watson crick nucleic acids";
    let answer = crate::support::waiting::wait_for(|| {
        let answer = text(&app, "/search", words);
        (answer.status == 300).then_some(answer)
    });
    // The best stands first, whatever its DOI.
    let first = format!("{{\"{DOI}\":");
    assert!(answer.text().starts_with(&first), "{}", answer.text());
    let found = answer.json();
    assert_eq!(found[DOI]["itemType"], "journalArticle", "{found}");
    assert!(
        found[DOI]["description"]
            .as_str()
            .unwrap()
            .contains("1953 – Nature")
    );
    refused(
        &text(&app, "/search?text=0", words),
        501,
        "No identifiers found",
    );
    refused(
        &text(&app, "/search", "10.5555/never-seen"),
        501,
        "No items returned from any translator",
    );
    refused(&text(&app, "/search", ""), 400, "POST data not provided\n");
    refused(
        &post(&app, "/search", "application/json", "{}"),
        415,
        "Unsupported Media Type",
    );
}

#[test]
fn search_costs_lookups() {
    let app = TestApp::start_with(|config| config.quota.anonymous_daily = 1);
    assert_eq!(text(&app, "/search", DOI).header("x-lookup-cost"), "1");
    text(&app, "/search", DOI).expect_error(429, "quota_exhausted");
}

#[test]
fn import_returns_items_of_a_file() {
    let app = TestApp::start();
    let bibtex = "@article{doe, author = {Doe, Jane}, title = {A}, journal = {J}, year = 2001}\n@book{b, title = {B}}";
    let answer = text(&app, "/import", bibtex);
    assert_eq!(
        answer.header("zotero-translator-id"),
        "9cb70025-a888-4a29-a210-93ec52da40d4"
    );
    let items = answer.json();
    assert_eq!(items[0]["itemType"], "journalArticle");
    assert_eq!(
        (&items[0]["date"], &items[0]["citationKey"]),
        (&json!("2001"), &json!("doe"))
    );
    assert_eq!(items[1]["title"], "B");
    for nothing in ["", "what is this"] {
        refused(
            &text(&app, "/import", nothing),
            400,
            "No suitable translators found",
        );
    }
}

#[test]
fn export_writes_items_in_zoteros_formats() {
    let app = TestApp::start();
    let items = json!([{"key": "Q5VYZIG2", "version": 0, "itemType": "newspaperArticle", "title": "Net & <b>",
        "creators": [{"creatorType": "author", "firstName": "Keith", "lastName": "Collins"}],
        "date": "2018-06-11", "publicationTitle": "The Times", "tags": [{"tag": "a", "type": 1}]}]);
    let export = |format: &str| {
        post(
            &app,
            &format!("/export?format={format}"),
            "application/json",
            &items.to_string(),
        )
    };
    let check = |format: &str, media_type: &str, part: &str| {
        let answer = export(format);
        assert_eq!(answer.status, 200, "{format}: {}", answer.text());
        assert_eq!(answer.header("content-type"), media_type, "{format}");
        assert!(answer.text().contains(part), "{format}: {}", answer.text());
    };
    check("bibtex", "application/x-bibtex", "@article");
    check("biblatex", "application/x-bibtex", "journaltitle");
    check("ris", "application/x-research-info-systems", "TY  - NEWS");
    check("csljson", "application/json", "article-newspaper");
    check("mods", "application/mods+xml", "<mods");
    check("refer", "application/x-research-info-systems", "%A Collins");
    check("csv", "text/csv", "Collins");
    check("endnote_xml", "text/xml", "<records>");
    check(
        "coins",
        "text/html",
        "<span class='Z3988' title='ctx_ver=Z39.88-2004&amp;",
    );
    check("rdf_bibliontology", "application/rdf+xml", "<rdf:RDF");
    check("bookmarks", "text/html", "NETSCAPE-Bookmark-file-1");
    check("rdf_dc", "application/rdf+xml", "<dc:creator>Collins");
    check("rdf_zotero", "application/rdf+xml", "<z:itemType>");
    check("refworks_tagged", "text/plain", "A1 Collins");
    check("tei", "text/xml", "<biblStruct");
    check("wikipedia", "text/x-wiki", "{{cite news |last1=Collins");
    refused(&export("evernote"), 400, "Invalid format specified");
    for body in ["{}", "[]", "[{}]", "x"] {
        let answer = post(&app, "/export?format=ris", "application/json", body);
        refused(&answer, 400, "Input must be an array of items as JSON");
    }
    refused(
        &text(&app, "/export?format=ris", "x"),
        415,
        "Unsupported Media Type",
    );
}

/// A site with a page of one work, one that lists several, and a file; and a server that may read it.
fn site() -> (StandIn, TestApp) {
    let site = StandIn::start(|request| {
        let coins = |title: &str| {
            format!(
                "<span class=\"Z3988\" title=\"ctx_ver=Z39.88-2004&amp;rft_val_fmt=info:ofi/fmt:kev:mtx:journal&amp;rft.atitle={title}&amp;rft.jtitle=J\"></span>"
            )
        };
        match request.path().as_str() {
            "/plain" => Reply::whole(
                200,
                "text/html",
                "<html><head><title>Test</title></head><body>x</body></html>",
            ),
            "/multiple" => Reply::whole(
                200,
                "text/html",
                format!(
                    "<html><body>{}{}{}</body></html>",
                    coins("A"),
                    coins("B"),
                    coins("C")
                ),
            ),
            "/bibtex" => Reply::whole(200, "application/x-bibtex", "@article{a, title = {Title}}"),
            "/image" => Reply::whole(200, "image/png", "\u{1}"),
            _ => Reply::whole(404, "text/html", ""),
        }
    });
    let origin = site.url();
    let app = TestApp::start_with(|config| {
        config.lookup.fetch_pages = true;
        config.lookup.fetch_origins = vec![origin];
    });
    (site, app)
}

#[test]
fn web_returns_item_of_a_page() {
    let (site, app) = site();
    let item = &text(&app, "/web", &format!("{}/plain", site.url())).json()[0];
    assert_eq!(
        (&item["itemType"], &item["title"]),
        (&json!("webpage"), &json!("Test"))
    );
    let item = &text(&app, "/web", &format!("{}/bibtex", site.url())).json()[0];
    assert_eq!(item["title"], "Title");
    let by_doi = text(&app, "/web", &format!("https://doi.org/{DOI}")).json();
    assert_eq!(by_doi[0]["DOI"], DOI);
    refused(
        &text(&app, "/web", &format!("{}/404", site.url())),
        400,
        "Remote page not found",
    );
    refused(
        &text(&app, "/web", &format!("{}/image", site.url())),
        400,
        "The remote document is not in a supported format",
    );
    // The server's own network is nobody's to read.
    refused(
        &text(&app, "/web", &app.url("/healthz")),
        500,
        "An error occurred retrieving the document",
    );
    let offline = TestApp::start();
    refused(
        &text(&offline, "/web", "https://example.org/page"),
        501,
        "No translators available\n",
    );
    refused(&text(&app, "/web", "no address"), 400, "URL not provided");
    refused(&text(&app, "/web", ""), 400, "POST data not provided\n");
    refused(
        &post(&app, "/web", "text/xml", "<a/>"),
        415,
        "Unsupported Media Type",
    );
}

#[test]
fn web_returns_choices_and_the_chosen_item() {
    let (site, app) = site();
    let url = format!("{}/multiple", site.url());
    let answer = text(&app, "/web", &url);
    assert_eq!(answer.status, 300, "{}", answer.text());
    let mut choices = answer.json();
    assert_eq!(choices["url"], url);
    assert_eq!(choices["items"], json!({"0": "A", "1": "B", "2": "C"}));
    let send = |body: &Value| post(&app, "/web", "application/json", &body.to_string());
    choices["items"] = json!({"0": "A", "2": "C"});
    let chosen = send(&choices).json();
    assert_eq!(
        (&chosen[0]["title"], &chosen[1]["title"]),
        (&json!("A"), &json!("C"))
    );
    // Another server's session does as well.
    choices["session"] = json!("b9y5s0EW6m5GgLm0");
    assert_eq!(send(&choices).json().as_array().map(Vec::len), Some(2));
    choices["items"] = json!({"0": "Z"});
    refused(
        &send(&choices),
        409,
        "Items specified do not match items available",
    );
    choices["items"] = json!({});
    refused(&send(&choices), 400, "No items specified");
    refused(
        &send(&json!({"url": url, "session": "a"})),
        400,
        "'items' not provided",
    );
    refused(&send(&json!({"url": url})), 400, "'session' not provided");
    let single = text(&app, "/web?single=1", &url).json();
    assert_eq!(single.as_array().map(Vec::len), Some(1));
}

#[test]
fn translation_is_served_at_the_root_if_configured() {
    let app = TestApp::start_with(|config| config.compat.translate_at_root = true);
    let headers = [("content-type", "text/plain")];
    let answer = app.send("POST", "/search", &headers, Some(DOI.as_bytes()));
    assert_eq!(answer.json()[0]["DOI"], DOI);
    let app = TestApp::start_with(|config| config.compat.translate = false);
    assert_eq!(text(&app, "/search", DOI).status, 404);
}
