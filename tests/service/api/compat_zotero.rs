//! Zotero's web API, with requests of programs that read a library.

use serde_json::{Value, json};

use citation::auth::accounts::{Actor, NewAccount};
use citation::auth::principal::Scopes;
use citation::auth::sign_in::Visitor;

use crate::support::{Answer, TestApp, list};

const ALPHABET: &str = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ";

pub struct Library {
    pub app: TestApp,
    pub key: String,
    pub user: String,
    collection: String,
}

/// An account with a collection of three entries.
fn library() -> Library {
    library_of(&json!([
        {"entry_type": "Article", "title": "Beta", "authors": [{"family": "Doe", "given": "Jane"}, {"family": "Roe", "given": "R."}],
         "journal": "J", "date": {"year": 2001, "month": 2}, "doi": "10.5555/beta", "keywords": ["k"]},
        {"entry_type": "Book", "title": "Alpha", "authors": [{"family": "Abel", "given": "A."}], "date": {"year": 1999}},
        {"entry_type": "Webpage", "title": "Gamma", "url": "https://example.org/g"},
    ]))
}

/// An account with a collection of these entries.
pub fn library_of(entries: &Value) -> Library {
    let app = TestApp::start();
    let new = NewAccount {
        email: Some("ada@example.org"),
        name: Some("Ada"),
        ..NewAccount::default()
    };
    let (auth, actor) = (&app.app.auth, Actor::command_line());
    let user = auth.add_user(&new, &actor).unwrap();
    let made = auth.create_api_key(user.id, &user.uid, "test", Scopes::ALL, None, &actor);
    let key = made.unwrap().1.reveal().to_owned();
    let bearer = format!("Bearer {key}");
    let body = json!({"name": "Thesis", "entries": entries}).to_string();
    let headers = [
        ("authorization", bearer.as_str()),
        ("content-type", "application/json"),
    ];
    let made = app.send(
        "POST",
        "/api/v1/collections",
        &headers,
        Some(body.as_bytes()),
    );
    assert_eq!(made.status, 201, "{}", made.text());
    let access = app
        .get_with("/zotero/keys/current", &[("zotero-api-key", &key)])
        .json();
    Library {
        user: access["userID"].to_string(),
        collection: made.json()["id"].as_str().unwrap().to_owned(),
        app,
        key,
    }
}

impl Library {
    fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let key = [("zotero-api-key", self.key.as_str())];
        let path = format!("/zotero/users/{}{path}", self.user);
        self.app.get_with(&path, &[&key, headers].concat())
    }

    fn titles(&self, query: &str) -> Vec<String> {
        let items = self.get(&format!("/items?{query}")).json();
        let items = list(&items).iter();
        items
            .map(|item| item["data"]["title"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The key of the item of a title.
    fn item(&self, title: &str) -> String {
        let items = self.get("/items").json();
        let mut items = list(&items).iter();
        let item = items.find(|item| item["data"]["title"] == title).unwrap();
        item["key"].as_str().unwrap().to_owned()
    }
}

#[test]
fn key_route_returns_owner() {
    let library = library();
    let app = &library.app;
    let bearer = format!("Bearer {}", library.key);
    let by_query = format!("/zotero/users/{}/items?key={}", library.user, library.key);
    assert_eq!(app.get(&by_query).status, 200);
    let current = app.get_with("/zotero/keys/current", &[("authorization", &bearer)]);
    assert_eq!(current.json()["username"], "Ada");
    let named = app.get(&format!("/zotero/keys/{}", library.key)).json();
    assert_eq!(named["userID"].to_string(), library.user);
    assert_eq!(named["access"]["user"]["library"], true);
    app.get("/zotero/keys/ck_none")
        .expect_error(404, "not_found");
    app.get("/zotero/keys/current")
        .expect_error(404, "not_found");
    let items = format!("/zotero/users/{}/items", library.user);
    app.get(&items).expect_error(401, "authentication_required");
    app.get(&format!("{items}?key=ck_none"))
        .expect_error(401, "invalid_api_key");
    let key = [("zotero-api-key", library.key.as_str())];
    app.get_with("/zotero/users/1/items", &key)
        .expect_error(404, "not_found");
}

#[test]
fn items_have_the_shape_of_zoteros() {
    let library = library();
    let answer = library.get("/items");
    assert_eq!(answer.header("total-results"), "3");
    assert_eq!(answer.header("zotero-api-version"), "3");
    let key = library.item("Beta");
    assert!(
        key.len() == 8 && key.chars().all(|c| ALPHABET.contains(c)),
        "{key}"
    );
    let item = library.get(&format!("/items/{key}")).json();
    let collection = library.get("/collections").json()[0]["key"].clone();
    let data = &item["data"];
    assert_eq!(data["itemType"], "journalArticle");
    assert_eq!(data["publicationTitle"], "J");
    assert_eq!(data["collections"], json!([collection]));
    assert_eq!(data["tags"], json!([{"tag": "k"}]));
    assert_eq!(data["volume"], "", "fields without a value are empty texts");
    assert_eq!(
        (&data["key"], &data["version"]),
        (&json!(key), &item["version"])
    );
    assert_eq!(item["meta"]["creatorSummary"], "Doe and Roe");
    assert_eq!(item["meta"]["parsedDate"], "2001-02");
    assert_eq!(item["library"]["id"].to_string(), library.user);
    library
        .get("/items/AAAAAAAA")
        .expect_error(404, "not_found");
    for path in ["/items/trash", "/groups", &format!("/items/{key}/children")] {
        assert_eq!(library.get(path).json(), json!([]), "{path}");
    }
}

#[test]
fn items_are_sorted_paged_and_filtered() {
    let library = library();
    assert_eq!(library.titles("sort=title"), ["Alpha", "Beta", "Gamma"]);
    assert_eq!(library.titles("sort=creator&direction=desc")[0], "Beta");
    assert_eq!(library.titles("sort=date")[1..], ["Alpha", "Beta"]);
    assert_eq!(library.titles("q=doe"), ["Beta"]);
    assert_eq!(
        library.titles("itemType=book%20||%20webpage&sort=title"),
        ["Alpha", "Gamma"]
    );
    assert_eq!(
        library.titles("itemType=-book&sort=title"),
        ["Beta", "Gamma"]
    );
    let keys = format!("{},{}", library.item("Alpha"), library.item("Gamma"));
    assert_eq!(
        library.titles(&format!("itemKey={keys}&sort=title")),
        ["Alpha", "Gamma"]
    );
    let page = library.get("/items?sort=title&limit=2");
    assert_eq!(page.json().as_array().map(Vec::len), Some(2));
    let link = page.header("link");
    let next = link
        .split(", ")
        .find(|link| link.ends_with("rel=\"next\""))
        .unwrap();
    assert!(
        next.contains(&format!("/zotero/users/{}/items?", library.user)),
        "{link}"
    );
    assert!(
        next.contains("start=2") && next.contains("limit=2"),
        "{link}"
    );
    assert_eq!(library.titles("sort=title&limit=2&start=2"), ["Gamma"]);
    for query in [
        "sort=size",
        "direction=up",
        "format=atom",
        "include=x",
        "limit=0",
    ] {
        let answer = library.get(&format!("/items?{query}"));
        answer.expect_error(400, "invalid_parameter");
    }
}

#[test]
fn items_have_key_version_file_and_bibliography_forms() {
    let library = library();
    let keys = library.get("/items?format=keys").text();
    assert_eq!(keys.lines().count(), 3);
    let versions = library.get("/items?format=versions").json();
    assert!(versions[library.item("Beta")].is_u64(), "{versions}");
    assert!(
        library
            .get("/items?format=bibtex")
            .text()
            .contains("@article")
    );
    assert!(
        library
            .get("/items?format=ris")
            .text()
            .contains("TY  - JOUR")
    );
    let csl = library.get("/items?format=csljson").json();
    assert_eq!(csl["items"].as_array().map(Vec::len), Some(3));
    let bib = library.get("/items?format=bib&style=apa");
    assert!(bib.header("content-type").starts_with("text/html"));
    assert!(
        bib.text().contains("csl-entry") && bib.text().contains("Doe, J."),
        "{}",
        bib.text()
    );
    let key = library.item("Beta");
    let item = library.get(&format!(
        "/items/{key}?include=data,bib,citation,csljson&style=apa"
    ));
    let item = item.json();
    assert!(item["bib"].as_str().unwrap().contains("Doe, J."), "{item}");
    assert_eq!(item["citation"], "<span>(Doe &amp; Roe, 2001)</span>");
    assert_eq!(item["csljson"]["DOI"], "10.5555/beta");
    library
        .get("/items?format=bib&style=nosuch")
        .expect_error(422, "unknown_style");
}

#[test]
fn collections_hold_their_items() {
    let library = library();
    let collections = library.get("/collections").json();
    let collection = &collections[0];
    assert_eq!(collection["data"]["name"], "Thesis");
    assert_eq!(collection["meta"]["numItems"], 3);
    let key = collection["key"].as_str().unwrap();
    assert_eq!(
        library.get(&format!("/collections/{key}")).json(),
        *collection
    );
    for path in ["items", "items/top"] {
        let items = library.get(&format!("/collections/{key}/{path}"));
        assert_eq!(items.header("total-results"), "3");
    }
    library
        .get("/collections/AAAAAAAA/items")
        .expect_error(404, "not_found");
    let tags = library.get("/tags");
    assert_eq!(tags.json(), json!([]));
}

#[test]
fn unchanged_library_is_not_resent() {
    let library = library();
    // The second in which the library was made may be going on: what is told is the one before.
    let told = library
        .get("/items")
        .header("last-modified-version")
        .to_owned();
    let all = library.get("/items?format=versions").json();
    let newest = all
        .as_object()
        .unwrap()
        .values()
        .filter_map(Value::as_i64)
        .max()
        .unwrap();
    assert!(told.parse::<i64>().unwrap() <= newest);
    let seen = newest.to_string();
    let unchanged = library.get_with("/items", &[("if-modified-since-version", &seen)]);
    assert_eq!((unchanged.status, unchanged.text().as_str()), (304, ""));
    assert_eq!(
        library.get(&format!("/items?since={seen}")).json(),
        json!([])
    );
    let before = (newest - 1).to_string();
    let changed = library.get_with("/items", &[("if-modified-since-version", &before)]);
    assert_eq!(changed.status, 200);
}

#[test]
fn deletions_are_listed() {
    let library = library();
    let key = library.item("Alpha");
    let bearer = format!("Bearer {}", library.key);
    let whole = library.app.get_with(
        &format!("/api/v1/collections/{}", library.collection),
        &[("authorization", &bearer)],
    );
    let whole = whole.json();
    let mut entries = list(&whole["entries"]).iter();
    let entry = entries
        .find(|entry| entry["metadata"]["title"] == "Alpha")
        .unwrap();
    let path = format!(
        "/api/v1/collections/{}/entries/{}",
        library.collection,
        entry["id"].as_str().unwrap()
    );
    let headers = [("authorization", bearer.as_str())];
    assert!(library.app.send("DELETE", &path, &headers, None).status < 300);
    let deleted = library.get("/deleted?since=0").json();
    assert_eq!(deleted["items"], json!([key]));
    assert_eq!(library.get("/items").header("total-results"), "2");
}

#[test]
fn library_is_also_at_the_root() {
    let library = library();
    let key = [("zotero-api-key", library.key.as_str())];
    let path = format!("/users/{}/items", library.user);
    let page = library.app.get_with(&format!("{path}?limit=1"), &key);
    assert!(
        page.header("link")
            .contains(&format!("/users/{}/items?", library.user))
    );
    assert!(!page.header("link").contains("/zotero/"));
}

#[test]
fn pages_carry_works_for_connectors() {
    let library = library();
    let app = &library.app;
    let bearer = format!("Bearer {}", library.key);
    let path = format!("/api/v1/collections/{}", library.collection);
    let headers = [
        ("authorization", bearer.as_str()),
        ("content-type", "application/json"),
    ];
    let shared = app
        .send("POST", &format!("{path}/share"), &headers, Some(b"{}"))
        .json();
    let page = format!("/s/{}", shared["share_token"].as_str().unwrap());
    let html = app.get(&page).text();
    assert_eq!(html.matches("class=\"Z3988\"").count(), 3, "{html}");
    assert!(html.contains("rft.atitle=Beta&#38;rft.jtitle=J"), "{html}");
    for format in ["bibtex", "mods", "endnote-xml", "zotero-json", "html"] {
        assert!(
            html.contains(&format!("{page}/export.{format}?")),
            "{format}: {html}"
        );
    }
    for ending in ["bib", "biblatex.bib", "ris", "bibtex", "md"] {
        assert_eq!(
            app.get(&format!("{page}/export.{ending}")).status,
            200,
            "{ending}"
        );
    }
    // The page of an entry is its owner's.
    let user = app
        .app
        .auth
        .store()
        .user_by_email("ada@example.org")
        .unwrap()
        .unwrap();
    let visitor = Visitor {
        address: [127, 0, 0, 1].into(),
        agent: String::new(),
    };
    let session = app.app.auth.start_session(&user, "test", &visitor).unwrap();
    let cookie = format!("session={}", session.reveal());
    let whole = app.get_with(&path, &[("authorization", &bearer)]).json();
    let entry = whole["entries"][0]["id"].as_str().unwrap();
    let page = format!("/c/{}/e/{entry}", library.collection);
    let html = app.get_with(&page, &[("cookie", &cookie)]).text();
    assert!(
        html.contains("<meta name=\"citation_title\" content=\"Beta\">"),
        "{html}"
    );
    assert!(
        html.contains("<meta name=\"citation_author\" content=\"Doe, Jane\">"),
        "{html}"
    );
}
