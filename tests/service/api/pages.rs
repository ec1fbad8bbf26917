//! The pages without a browser: their answers, and the costs of their requests. `tests/browser` tests
//! them in a browser.

use citation::auth::accounts::{Actor, NewAccount};
use citation::auth::principal::Scopes;
use citation::auth::sign_in::Visitor;
use citation_model::plan::Plan;

use crate::support::{Answer, TestApp, add_account, list};

const PAGES: [&str; 9] = [
    "/",
    "/verify",
    "/batch",
    "/styles",
    "/styles/apa",
    "/help",
    "/offline",
    "/status",
    "/library",
];

const BROWSER: [(&str, &str); 1] = [("accept", "text/html,*/*;q=0.8")];

fn post(app: &TestApp, path: &str, fields: &[(&str, &str)]) -> Answer {
    post_as(app, "", path, fields)
}

/// A cookie of somebody who has signed in.
pub(crate) fn session(app: &TestApp, email: &str) -> String {
    let user = app.app.auth.store().user_by_email(email).unwrap().unwrap();
    let visitor = Visitor {
        address: [127, 0, 0, 1].into(),
        agent: String::new(),
    };
    let token = app.app.auth.start_session(&user, "test", &visitor).unwrap();
    format!("session={}", token.reveal())
}

pub(crate) fn post_as(app: &TestApp, cookie: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
    let encode = |text: &str| {
        text.bytes()
            .map(|b| format!("%{b:02X}"))
            .collect::<String>()
    };
    let body: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)))
        .collect();
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("cookie", cookie),
        ("origin", &app.url("")),
    ];
    app.send("POST", path, &headers, Some(body.join("&").as_bytes()))
}

/// The value of a hidden field.
pub(super) fn hidden(page: &str, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let value = page
        .split(&start)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    value
        .unwrap_or_default()
        .replace("&#34;", "\"")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
        .replace("&#38;", "&")
}

#[test]
fn every_page_has_the_readers_language() {
    let app = TestApp::start();
    for path in PAGES {
        for (language, tag) in [("en", "en"), ("de-AT", "de"), ("ar", "ar")] {
            let page = app.get_with(path, &[("accept-language", language)]);
            assert_eq!(page.status, 200, "{path}");
            let html = page.text();
            assert!(html.contains(&format!("<html lang=\"{tag}\"")), "{path}");
            assert!(
                !html.contains("{~") && html.matches("<h1").count() == 1,
                "{path}"
            );
            assert!(
                page.header("content-security-policy")
                    .contains("trusted-types")
            );
        }
    }
}

#[test]
fn missing_page_is_html_or_json_by_accept() {
    let app = TestApp::start();
    let page = app.get_with("/no/such/page", &BROWSER);
    assert_eq!(
        (page.status, page.header("content-type")),
        (404, "text/html; charset=utf-8")
    );
    app.get("/no/such/page").expect_error(404, "not_found");
    app.get_with("/api/v1/no-such-thing", &BROWSER)
        .expect_error(404, "not_found");
    let page = app.get_with("/s/no-such-token", &BROWSER);
    assert_eq!(
        (page.status, page.header("content-type")),
        (404, "text/html; charset=utf-8")
    );
}

#[test]
fn assets_are_immutable_and_packed() {
    let app = TestApp::start();
    let html = app.get("/").text();
    let style = html
        .split('"')
        .find(|part| part.ends_with("/style.css"))
        .unwrap();
    let plain = app.get(style);
    let packed = app.get_with(style, &[("accept-encoding", "br")]);
    assert!(plain.header("cache-control").contains("immutable"));
    assert_eq!(packed.header("content-encoding"), "br");
    assert!(packed.body.len() * 3 < plain.body.len());
    app.get("/assets/0000000000000000/style.css")
        .expect_error(404, "not_found");
}

#[test]
fn list_travels_with_its_form() {
    let app = TestApp::start();
    let first = post(&app, "/cite", &[("q", "10.1038/171737a0"), ("do", "find")]).text();
    assert!(first.contains("Watson, J. D., &amp; Crick"), "{first}");
    let entries = hidden(&first, "entries");
    let second = post(
        &app,
        "/cite",
        &[
            ("entries", &entries),
            ("q", "978-0-262-03384-8"),
            ("style", "ieee"),
            ("do", "find"),
        ],
    );
    let second = second.text();
    assert!(second.contains("[1]") && second.contains("[2]"));
    let entries = hidden(&second, "entries");
    let file = post(
        &app,
        "/cite/export",
        &[("entries", &entries), ("format", "bibtex")],
    );
    assert_eq!(file.text().matches("@").count(), 2);
    let third = post(&app, "/cite", &[("entries", &entries), ("do", "remove:0")]).text();
    assert!(!third.contains("Watson, J. D.") && third.contains("Cormen"));
    for broken in ["not json", "{}", "[1]", "[{\"title\":7}]"] {
        let page = post(&app, "/cite", &[("entries", broken), ("do", "remove:9")]);
        assert_eq!(page.status, 200, "{broken}");
    }
}

/// Without script too: the address and the day are filled in, and nothing is put into the list unasked.
#[test]
fn unfetched_page_is_entered_manually() {
    let app = TestApp::start();
    let address = "https://news.example.org/rain-in-june?utm_source=x";
    let asked = post(&app, "/cite", &[("q", address), ("do", "find")]).text();
    assert!(asked.contains("The page could not be read"), "{asked}");
    assert_eq!(hidden(&asked, "entries"), "[]");
    let page = hidden(&asked, "unread");
    assert!(
        page.contains("\"NewspaperArticle\"") && page.contains("accessed"),
        "{page}"
    );
    let fields = [
        ("entries", "[]"),
        ("unread", &page),
        ("title", "Rain in June"),
        ("authors", "Berg, Ada\nRoe, Jo"),
        ("date", "2020-06-01"),
        ("do", "write"),
    ];
    let written = post(&app, "/cite", &fields).text();
    let entries = hidden(&written, "entries");
    for part in [
        "Rain in June",
        "Berg",
        "https://news.example.org/rain-in-june\"",
    ] {
        assert!(entries.contains(part), "{entries}");
    }
    assert!(written.contains("Added one work"), "{written}");
}

#[test]
fn failed_lines_stay_in_the_box_with_reasons() {
    let app = TestApp::start();
    let pasted = "10.1038/171737a0, 978-0-262-03384-8\n978-0-7432-7356-6\nPMID: 99999999";
    let page = post(&app, "/cite", &[("q", pasted), ("do", "find")]).text();
    let entries = hidden(&page, "entries");
    assert!(
        entries.contains("171737a0") && entries.contains("9780262033848"),
        "{entries}"
    );
    let left = page
        .split("id=\"q\"")
        .nth(1)
        .and_then(|rest| rest.split(['<', '>']).nth(1));
    let left = left.unwrap_or_default();
    assert!(
        left.contains("978-0-7432-7356-6") && left.contains("99999999"),
        "{left}"
    );
    assert!(!left.contains("171737a0"), "{left}");
    assert!(page.contains("Not added yet"), "{page}");
}

#[test]
fn home_page_reads_file_and_reports_shorter_doi() {
    let app = TestApp::start();
    let json = r#"[{"id": "a", "type": "book", "title": "A quiet book"}]"#;
    let nbib = "PMID- 1\nTI  - A quiet article\nFAU - Roe, Jane\nJT  - Annals\nDP  - 2001\n";
    for (file, title) in [(json, "A quiet book"), (nbib, "A quiet article")] {
        let page = post(&app, "/cite", &[("q", file), ("do", "find")]).text();
        let entries = hidden(&page, "entries");
        assert!(entries.contains(title), "{entries}");
    }
    let page = post(
        &app,
        "/cite",
        &[("q", "10.1038/171737a0.pdf"), ("do", "find")],
    )
    .text();
    assert!(
        page.contains("10.1038/171737a0.pdf was not found. This is 10.1038/171737a0"),
        "{page}"
    );
    let project = "SQLite format 3\0 KnowledgeItem ReferenceAuthor";
    let page = post(&app, "/cite", &[("q", project), ("do", "find")]).text();
    assert!(page.contains("a Citavi project"), "{page}");
}

#[test]
fn page_lookups_are_charged() {
    let app = TestApp::start_with(|config| config.quota.anonymous_daily = 2);
    let left = || app.get("/api/v1/me").json()["lookups_remaining"].clone();
    app.get("/cite?q=10.1038/171737a0");
    assert_eq!(left(), 1);
    app.get("/");
    app.get("/styles?q=nature");
    assert_eq!(left(), 1);
    app.get("/cite?q=978-0-262-03384-8");
    let page = app.get("/cite?q=10.1002/j.1538-7305.1948.tb01338.x");
    assert_eq!((page.status, left().as_u64()), (200, Some(0)));
    assert!(page.text().contains("/auth/sign-up"));
}

#[test]
fn page_requires_plan_and_charges_caller() {
    let account = |email, plan| NewAccount {
        email: Some(email),
        plan: Some(plan),
        ..NewAccount::default()
    };
    let app = TestApp::start_with(|config| {
        add_account(config, &account("free@example.org", Plan::Free));
        add_account(config, &account("scholar@example.org", Plan::Academic));
    });
    let list = [("list", "10.1038/171737a0\n978-0-262-03384-8\n")];
    let left = |headers: &[(&str, &str)]| {
        let me = app.get_with("/api/v1/me", headers).json();
        me["lookups_remaining"].as_u64().unwrap()
    };
    let page = post(&app, "/batch", &list).text();
    assert!(page.contains("Sign in to do this"));
    assert_eq!(left(&[]), app.get("/api/v1/me").json()["lookups"]["limit"]);
    let free = session(&app, "free@example.org");
    let scholar = session(&app, "scholar@example.org");
    // Single references are for everybody; a batch is not.
    for (path, costs) in [("/verify", 2), ("/batch", 0)] {
        let before = [&free, &scholar].map(|cookie| left(&[("cookie", cookie)]));
        let page = post_as(&app, &free, path, &list).text();
        let is_refused = page.contains("Your account does not include this");
        assert_eq!(is_refused, costs == 0, "{path}: {page}");
        let page = post_as(&app, &scholar, path, &list).text();
        assert_eq!(page.matches("<li class=\"verdict").count(), 2, "{page}");
        let after = [&free, &scholar].map(|cookie| left(&[("cookie", cookie)]));
        assert_eq!(after, [before[0] - costs, before[1] - 2], "{path}");
    }
}

#[test]
fn api_key_does_not_authenticate_pages() {
    let app = TestApp::start_with(|config| {
        let scholar = NewAccount {
            email: Some("scholar@example.org"),
            plan: Some(Plan::Academic),
            ..NewAccount::default()
        };
        add_account(config, &scholar);
    });
    let (auth, email) = (&app.app.auth, "scholar@example.org");
    let user = auth.store().user_by_email(email).unwrap().unwrap();
    let scopes = Scopes {
        read: true,
        write: true,
    };
    let actor = Actor::user(&user.uid, [127, 0, 0, 1].into());
    let made = auth.create_api_key(user.id, &user.uid, "page", scopes, None, &actor);
    let bearer = format!("Bearer {}", made.unwrap().1.reveal());
    let key = [("authorization", bearer.as_str())];
    let me = |headers: &[(&str, &str)]| app.get_with("/api/v1/me", headers).json();
    let before = (
        me(&key)["lookups"]["used"].clone(),
        me(&[])["lookups"]["used"].clone(),
    );
    assert_eq!(before, (0.into(), 0.into()));
    app.get_with("/cite?q=10.1038/171737a0", &key);
    let after = me(&key);
    assert_eq!(
        (&after["lookups"]["used"], &after["monthly"]["used"]),
        (&0.into(), &0.into())
    );
    assert_eq!(me(&[])["lookups"]["used"], 1);
}

#[test]
fn preferences_redirect_to_this_site_only() {
    let app = TestApp::start();
    for (given, expected) in [
        ("/verify?a=b", "/verify?a=b"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
    ] {
        let answer = post(
            &app,
            "/preferences",
            &[("language", "fr"), ("theme", "dark"), ("return_to", given)],
        );
        assert_eq!((answer.status, answer.header("location")), (303, expected));
        let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
        assert_eq!(cookies.len(), 2);
    }
    let page = app.get_with("/", &[("cookie", "language=fr; theme=dark")]);
    assert!(
        page.text()
            .contains("<html lang=\"fr\" dir=\"ltr\" data-theme=\"dark\">")
    );
}

#[test]
fn only_operators_see_accounts_and_usage() {
    let account = |email| NewAccount {
        email: Some(email),
        password: Some("correct horse battery staple"),
        ..NewAccount::default()
    };
    let app = TestApp::start_with(|config| {
        config.auth.operators = vec![add_account(config, &account("operator@example.org"))];
        add_account(config, &account("reader@example.org"));
    });
    let see = |email: &str| {
        let cookie = session(&app, email);
        let headers = [("cookie", cookie.as_str())];
        let page = app.get_with("/status", &headers).text();
        (app.get_with("/api/v1/operator", &headers), page)
    };
    let (answer, page) = see("reader@example.org");
    answer.expect_error(403, "forbidden");
    assert!(!page.contains("For the operator") && !page.contains("@example.org</th>"));
    let (answer, page) = see("operator@example.org");
    let body = answer.json();
    assert_eq!(body["accounts"]["total"], 2);
    assert_eq!(body["accounts"]["plans"][0]["plan"], "Free");
    assert_eq!(body["accounts"]["newest"][0]["email"], "reader@example.org");
    assert!(body["disk"]["database_bytes"].as_u64() > Some(0));
    assert!(body["disk"]["index_bytes"].as_u64() > Some(0));
    let counts = list(&body["counts"]);
    let has = |of: &str, label: &str| counts.iter().any(|c| c["of"] == of && c["label"] == label);
    assert!(
        has("cache", "credentials") && has("error", "forbidden"),
        "{body}"
    );
    assert!(page.contains("error · forbidden"), "{page}");
    assert!(page.contains("For the operator") && page.contains("reader@example.org"));
    app.get("/api/v1/operator")
        .expect_error(401, "authentication_required");
}

#[test]
fn embedding_is_limited_to_configured_origins() {
    let path = "/embed?q=10.1038/171737a0&style=apa";
    assert_eq!(TestApp::start().get_with(path, &BROWSER).status, 404);
    let app = TestApp::start_with(|config| {
        config.server.embed_origins = vec!["https://library.example".to_owned()];
    });
    let page = app.get_with(path, &BROWSER);
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains("frame-ancestors https://library.example;") && !policy.contains("unsafe"),
        "{policy}"
    );
    assert_eq!(page.header("x-frame-options"), "");
    let html = page.text();
    assert!(html.contains("Watson, J. D.") && html.contains("value=\"apa\""));
    let nothing = app.get_with("/embed?q=10.5555/nothing-of-this-name", &BROWSER);
    assert!(nothing.text().contains("Not in the sources searched"));
}

#[test]
fn library_finds_works_in_every_collection() {
    let app = TestApp::start_with(|config| {
        let scholar = NewAccount {
            email: Some("s@example.org"),
            plan: Some(Plan::Academic),
            ..NewAccount::default()
        };
        add_account(config, &scholar);
    });
    let cookie = session(&app, "s@example.org");
    for name in ["One", "Two"] {
        post_as(
            &app,
            &cookie,
            "/library",
            &[("do", "create"), ("name", name)],
        );
    }
    let headers = [("accept", "text/html"), ("cookie", cookie.as_str())];
    let library = app.get_with("/library", &headers).text();
    let ids = library.split("href=\"/c/").skip(1);
    let ids: Vec<&str> = ids.filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(ids.len(), 2, "{library}");
    for (id, title) in ids
        .iter()
        .zip(["Growth and <b>Form</b>", "Growth of Order"])
    {
        let bib = format!("@book{{a, title={{{title}}}, year={{1917}}}}");
        let path = format!("/api/v1/collections/{id}/import");
        let sent = [
            ("content-type", "application/x-bibtex"),
            ("cookie", cookie.as_str()),
            ("origin", &app.url("")),
        ];
        assert_eq!(
            app.send("POST", &path, &sent, Some(bib.as_bytes())).status,
            200
        );
    }
    let found = app.get_with("/library?q=gr%C3%B6wth", &headers).text();
    assert!(found.contains("2 works found"), "{found}");
    assert!(
        found.contains(&format!("href=\"/c/{}/e/", ids[1])),
        "{found}"
    );
    let found = app.get_with("/library?q=growth+order", &headers).text();
    assert!(found.contains("One work found") && !found.contains("Form"));
}
