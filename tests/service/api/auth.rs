//! Signing up, in and out over HTTP, the account pages without script, and sign-in through an
//! identity provider.

use std::collections::HashMap;

use citation::auth::accounts::{Actor, NewAccount};
use citation::clock::Clock;
use citation::config::IssuerSettings;
use serde_json::json;

use crate::support::identity_provider::IdentityProvider;
use crate::support::{Answer, TestApp, list};

const NOW: i64 = 1_795_233_600;
const PASSWORD: &str = "correct horse battery";

/// A browser: it keeps cookies and says where its forms come from.
struct Browser<'a> {
    app: &'a TestApp,
    cookies: HashMap<String, String>,
}

impl Browser<'_> {
    fn new(app: &TestApp) -> Browser<'_> {
        Browser {
            app,
            cookies: HashMap::new(),
        }
    }

    fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, None)
    }

    fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let encode = |text: &str| {
            text.bytes()
                .map(|byte| format!("%{byte:02X}"))
                .collect::<String>()
        };
        let fields: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{name}={}", encode(value)))
            .collect();
        self.send("POST", path, Some(&fields.join("&")))
    }

    fn send(&mut self, method: &str, path: &str, form: Option<&str>) -> Answer {
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let cookies = cookies.join("; ");
        let mut headers = vec![
            ("cookie", cookies.as_str()),
            ("user-agent", "Test <browser>"),
        ];
        if form.is_some() {
            headers.extend([
                ("content-type", "application/x-www-form-urlencoded"),
                ("sec-fetch-site", "same-origin"),
            ]);
        }
        let answer = self
            .app
            .send(method, path, &headers, form.map(str::as_bytes));
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let (value, attributes) = rest.split_once(';').unwrap();
            assert!(
                attributes.contains("HttpOnly")
                    && attributes.contains("SameSite=Lax")
                    && attributes.contains("Path=/")
            );
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    /// Sends JSON, as a script of our own pages does.
    fn json(&self, method: &str, path: &str, more: &[(&str, &str)], body: &str) -> Answer {
        let cookie = format!("session={}", self.cookies["session"]);
        let mut headers = vec![
            ("cookie", cookie.as_str()),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "application/json"),
        ];
        headers.extend(more);
        self.app.send(method, path, &headers, Some(body.as_bytes()))
    }

    fn auth_method(&mut self) -> String {
        self.get("/api/v1/me").json()["auth_method"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Whoever is signed in, by address.
    fn email(&mut self) -> String {
        self.get("/api/v1/me").json()["user"]["email"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

/// Asserts a redirect and gives where it leads.
#[track_caller]
fn leads_to(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").to_owned()
}

/// The text of the first element that opens with `tag`.
fn inner<'t>(html: &'t str, tag: &str) -> &'t str {
    let start = html
        .find(tag)
        .unwrap_or_else(|| panic!("no {tag} in {html}"))
        + tag.len();
    html[start..].split('<').next().unwrap_or_default()
}

#[test]
fn user_signs_up_creates_a_key_and_deletes_the_account() {
    let app = TestApp::start_at(Clock::set_to(NOW), |_| {});
    let mut browser = Browser::new(&app);
    assert_eq!(
        leads_to(&browser.get("/account/keys")),
        "/auth/login?return_to=%2Faccount%2Fkeys"
    );
    let page = browser.get("/auth/login?return_to=/account/keys");
    assert_eq!(page.status, 200);
    assert!(
        page.text()
            .contains("name=\"return_to\" value=\"/account/keys\"")
    );

    let short = browser.post(
        "/auth/sign-up",
        &[("email", "a@example.org"), ("password", "short")],
    );
    assert_eq!(short.status, 422);
    assert!(
        short.text().contains("at least 12 characters") && short.text().contains("a@example.org")
    );
    assert_eq!(
        leads_to(&browser.post(
            "/auth/sign-up",
            &[("email", "a@example.org"), ("password", PASSWORD)]
        )),
        "/account"
    );
    assert_eq!(
        (browser.auth_method(), browser.email()),
        ("session".to_owned(), "a@example.org".to_owned())
    );
    let again = Browser::new(&app).post(
        "/auth/sign-up",
        &[("email", "A@example.org"), ("password", PASSWORD)],
    );
    assert_eq!(again.status, 409);

    let page = browser
        .post(
            "/account/keys",
            &[("name", "<laptop>"), ("read", "1"), ("days", "7")],
        )
        .text();
    let key = inner(&page, "<code class=\"secret\">").to_owned();
    assert!(
        key.starts_with("ck_") && page.contains("&#60;laptop&#62;") && !page.contains("<laptop>")
    );
    let bearer = format!("Bearer {key}");
    let me = app
        .get_with("/api/v1/me", &[("authorization", &bearer)])
        .json();
    assert_eq!(me["user"]["email"], "a@example.org");
    let listed = browser.get("/account/keys").text();
    assert!(!listed.contains(&key) && listed.contains(&key[..9]) && listed.contains("2026-11-28"));
    let id = listed
        .split("/account/keys/")
        .find_map(|part| part.split_once("/revoke").map(|(id, _)| id))
        .unwrap()
        .to_owned();
    assert_eq!(
        leads_to(&browser.post(&format!("/account/keys/{id}/revoke"), &[])),
        "/account/keys"
    );
    app.get_with("/api/v1/me", &[("authorization", &bearer)])
        .expect_error(401, "invalid_api_key");
    assert_eq!(browser.post("/account/keys", &[("name", "x")]).status, 422);

    let export = browser.get("/account/export");
    assert!(export.header("content-disposition").contains("attachment"));
    assert_eq!(export.json()["account"]["email"], "a@example.org");
    let parts = [
        "api_calls",
        "api_keys",
        "collections",
        "decisions",
        "groups",
        "history",
        "identities",
        "jobs",
        "programs",
        "reports",
        "saved_searches",
        "sessions",
        "styles",
        "webhooks",
    ];
    for part in parts {
        assert!(export.json()[part].is_array(), "{part}");
    }
    assert_eq!(
        browser.post("/account/delete", &[("confirm", "no")]).status,
        422
    );
    let gone = browser.post("/account/delete", &[("confirm", "Delete")]);
    assert_eq!(leads_to(&gone), "/auth/signed-out?deleted=1");
    assert_eq!(gone.header("clear-site-data"), "\"cache\"");
    assert_eq!(browser.auth_method(), "anonymous");
    let gone = Browser::new(&app).post(
        "/auth/login",
        &[("email", "a@example.org"), ("password", PASSWORD)],
    );
    assert_eq!(gone.status, 401);
}

#[test]
fn user_signs_in_and_out_and_ends_other_sessions() {
    let app = TestApp::start_at(Clock::set_to(NOW), |_| {});
    let new = NewAccount {
        email: Some("a@example.org"),
        password: Some(PASSWORD),
        ..NewAccount::default()
    };
    app.app.auth.add_user(&new, &Actor::command_line()).unwrap();
    let fields = [
        ("email", "a@example.org"),
        ("password", PASSWORD),
        ("return_to", "/account/sessions"),
    ];
    let (mut here, mut there) = (Browser::new(&app), Browser::new(&app));
    let wrong = here.post(
        "/auth/login",
        &[("email", "a@example.org"), ("password", "a wrong password")],
    );
    assert_eq!(wrong.status, 401);
    assert!(
        wrong
            .text()
            .contains("The e-mail address or the password is wrong.")
            && here.cookies.is_empty()
    );
    assert_eq!(
        leads_to(&here.post("/auth/login", &fields)),
        "/account/sessions"
    );
    assert_eq!(
        leads_to(&there.post("/auth/login", &fields)),
        "/account/sessions"
    );
    let page = here.get("/account/sessions").text();
    assert!(page.contains("Test &#60;browser&#62; <strong>(this session)</strong>"));
    assert_eq!(page.matches("/end\"><button").count(), 2);
    assert_eq!(
        leads_to(&here.post("/account/sessions/end-others", &[])),
        "/account/sessions"
    );
    assert_eq!(
        (here.auth_method(), there.auth_method()),
        ("session".to_owned(), "anonymous".to_owned())
    );
    there.post("/auth/login", &fields);
    let password = [("present", PASSWORD), ("new", "another long password")];
    assert_eq!(
        leads_to(&here.post("/account/password", &password)),
        "/account?password=1"
    );
    assert_eq!(
        (here.auth_method(), there.auth_method()),
        ("session".to_owned(), "anonymous".to_owned())
    );
    let old = here.cookies.clone();
    let out = here.post("/auth/logout", &[]);
    assert_eq!(leads_to(&out), "/auth/signed-out");
    assert_eq!(out.header("clear-site-data"), "\"cache\"");
    here.cookies = old;
    assert_eq!(here.auth_method(), "anonymous");
    assert_eq!(here.get("/auth/signed-out").status, 200);
    let outside = [
        ("email", "a@example.org"),
        ("password", "another long password"),
        ("return_to", "//evil.example"),
    ];
    assert_eq!(leads_to(&here.post("/auth/login", &outside)), "/account");
}

#[test]
fn keys_are_managed_over_the_interface() {
    let app = TestApp::start_at(Clock::set_to(NOW), |config| config.limits.api_keys = 2);
    let mut browser = Browser::new(&app);
    browser.post(
        "/auth/sign-up",
        &[("email", "a@example.org"), ("password", PASSWORD)],
    );
    let cookie = format!("session={}", browser.cookies["session"]);
    let origin = app.url("");
    let send = |method: &str, path: &str, body: &str| {
        let headers = [
            ("cookie", cookie.as_str()),
            ("origin", &origin),
            ("content-type", "application/json"),
        ];
        app.send(method, path, &headers, Some(body.as_bytes()))
    };
    let made = send(
        "POST",
        "/api/v1/api-keys",
        r#"{"name":" laptop ","expires_at":"2026-12-01T00:00:00+01:00","scopes":["read"]}"#,
    );
    assert_eq!(made.status, 201, "{}", made.text());
    let body = made.json();
    assert_eq!(
        (&body["name"], &body["scopes"], &body["expires_at"]),
        (
            &json!("laptop"),
            &json!(["read"]),
            &json!("2026-11-30T23:00:00Z")
        )
    );
    let key = body["key"].as_str().unwrap();
    assert!(key.starts_with(body["prefix"].as_str().unwrap()) && key.len() == 52);
    assert_eq!(
        made.header("location"),
        format!("/api/v1/api-keys/{}", body["id"].as_str().unwrap())
    );
    let listed = send("GET", "/api/v1/api-keys", "").json();
    assert_eq!((list(&listed).len(), &listed[0]["id"]), (1, &body["id"]));
    assert!(listed[0].get("key").is_none());
    for bad in [
        r#"{"name":""}"#,
        r#"{}"#,
        r#"{"name":"x","scopes":[]}"#,
        r#"{"name":"x","scopes":["admin"]}"#,
        r#"{"name":"x","expires_at":"2020-01-01T00:00:00Z"}"#,
        r#"{"name":"x","expires_at":"soon"}"#,
    ] {
        send("POST", "/api/v1/api-keys", bad).expect_error(422, "validation_failed");
    }
    assert_eq!(
        send("POST", "/api/v1/api-keys", r#"{"name":"x"}"#).status,
        201
    );
    let full = send("POST", "/api/v1/api-keys", r#"{"name":"y"}"#).expect_error(403, "forbidden");
    assert_eq!(full["limit"], 2);
    let path = format!("/api/v1/api-keys/{}", body["id"].as_str().unwrap());
    assert_eq!(send("DELETE", &path, "").status, 204);
    send("DELETE", &path, "").expect_error(404, "not_found");
}

#[test]
fn pages_allow_no_script_and_cookies_fit_the_address() {
    let app = TestApp::start_at(Clock::set_to(NOW), |config| {
        config.server.base_url = Some("https://citations.example.org".parse().unwrap());
    });
    let mut browser = Browser::new(&app);
    let page = browser.get("/auth/login");
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains("default-src 'none'")
            && policy.contains("script-src 'self'")
            && !policy.contains("unsafe")
    );
    assert!(!page.text().contains("<script>") && !page.text().contains(" style="));
    assert_eq!(
        (page.header("cache-control"), page.header("referrer-policy")),
        ("no-store", "same-origin")
    );
    let html = page.text();
    for label in [
        "for=\"email\"",
        "for=\"password\"",
        "lang=\"en\"",
        "<h1>",
        "href=\"#main\"",
    ] {
        assert!(html.contains(label), "{label}");
    }
    let style = html.split('"').find(|part| part.ends_with("/style.css"));
    let style = browser.get(style.unwrap());
    assert_eq!(style.status, 200);
    assert!(style.header("cache-control").contains("immutable"));
    let answer = browser.post(
        "/auth/sign-up",
        &[("email", "a@example.org"), ("password", PASSWORD)],
    );
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.starts_with("__Host-session=cs_") && cookie.ends_with("; Secure"),
        "{cookie}"
    );
    assert!(cookie.contains("Max-Age=2592000"));
    // The form of another site does not sign anybody in.
    let forged = app.send(
        "POST",
        "/auth/login",
        &[
            ("origin", "https://evil.example"),
            ("content-type", "application/x-www-form-urlencoded"),
        ],
        Some(b"email=a%40example.org&password=x"),
    );
    assert_eq!(forged.status, 403);
}

#[test]
fn first_account_is_created_by_a_link() {
    let app = TestApp::start_at(Clock::set_to(NOW), |_| {});
    let token = app.app.auth.first_run_token().unwrap().unwrap();
    let path = format!("/auth/link?token={}", token.reveal());
    let mut browser = Browser::new(&app);
    // Opening the link does not use it up.
    assert_eq!(
        (browser.get(&path).status, browser.get(&path).status),
        (200, 200)
    );
    let fields = [
        ("token", token.reveal()),
        ("email", "admin@example.org"),
        ("password", PASSWORD),
    ];
    // Whoever sets up the server goes on to the checklist.
    assert_eq!(leads_to(&browser.post("/auth/link", &fields)), "/operator");
    assert_eq!(browser.email(), "admin@example.org");
    assert_eq!(
        (
            browser.get(&path).status,
            browser.post("/auth/link", &fields).status
        ),
        (404, 404)
    );
}

fn issuer(name: &str, address: &str, secret: &str) -> IssuerSettings {
    IssuerSettings {
        name: name.to_owned(),
        issuer: address.to_owned(),
        client_id: "citation".to_owned(),
        client_secret: serde_json::from_value(secret.into()).unwrap(),
        ..IssuerSettings::default()
    }
}

#[test]
fn user_signs_in_through_a_provider_and_out_of_it() {
    let provider = IdentityProvider::start(NOW);
    let app = TestApp::start_at(Clock::set_to(NOW), |config| {
        config.auth.oidc = vec![issuer("university", &provider.issuer, "s3cret: +")];
    });
    let mut browser = Browser::new(&app);
    assert!(
        browser
            .get("/auth/login")
            .text()
            .contains("/auth/login?provider=university")
    );
    let location =
        leads_to(&browser.get("/auth/login?provider=university&return_to=/account/keys"));
    let back = provider.agree(&location);
    let callback = format!(
        "/auth/callback?code={}&state={}",
        back["code"], back["state"]
    );
    assert_eq!(
        Browser::new(&app).get(&callback).status,
        400,
        "another browser"
    );
    assert_eq!(leads_to(&browser.get(&callback)), "/account/keys");
    assert_eq!(browser.email(), "alice@example.org");
    assert!(!browser.cookies.contains_key("sign-in"));
    assert_eq!(browser.get(&callback).status, 400, "a second time");
    assert_eq!(browser.email(), "alice@example.org");

    let signed_out = leads_to(&browser.post("/auth/logout", &[]));
    let page = browser.get(&signed_out).text();
    assert!(
        page.contains(&format!(
            "url={}/end?client_id=citation&#38;post_logout_redirect_uri=",
            provider.issuer
        )),
        "{page}"
    );
    assert_eq!(browser.auth_method(), "anonymous");

    provider.set(|faults| faults.down = true);
    let location = leads_to(&browser.get("/auth/login?provider=university"));
    let back = provider.agree(&location);
    let down = browser.get(&format!(
        "/auth/callback?code={}&state={}",
        back["code"], back["state"]
    ));
    assert_eq!(down.status, 502);
    assert!(down.text().contains("cannot be reached right now"));
    assert_eq!(browser.get("/auth/login?provider=nowhere").status, 404);
}

#[test]
fn identity_is_linked_when_its_owner_confirms_and_unlinked_again() {
    let provider = IdentityProvider::start(NOW);
    let app = TestApp::start_at(Clock::set_to(NOW), |config| {
        config.auth.oidc = vec![issuer("university", &provider.issuer, "s3cret: +")];
    });
    let fields = [("email", "a@example.org"), ("password", PASSWORD)];
    let mut browser = Browser::new(&app);
    browser.post("/auth/sign-up", &fields);
    let linked = |browser: &Browser| browser.json("GET", "/api/v1/identities", &[], "").json();

    // Another site cannot begin it, and no address alone does.
    let cookie = format!("session={}", browser.cookies["session"]);
    let forged = app.send(
        "POST",
        "/account/identities",
        &[("cookie", &cookie), ("sec-fetch-site", "cross-site")],
        Some(b"provider=university"),
    );
    assert_eq!(forged.status, 403);
    let begin = |browser: &mut Browser| {
        let page = browser.post("/account/identities", &[("provider", "university")]);
        assert_eq!(page.status, 200);
        let html = page.text();
        let location = html.split("url=").nth(1).unwrap().split('"').next();
        let back = provider.agree(&location.unwrap().replace("&#38;", "&"));
        format!(
            "/auth/callback?code={}&state={}",
            back["code"], back["state"]
        )
    };
    // Another session of the same account, in the same browser.
    let callback = begin(&mut browser);
    browser.post("/auth/login", &fields);
    assert_eq!(browser.get(&callback).status, 400);

    let callback = begin(&mut browser);
    let confirm = leads_to(&browser.get(&callback));
    assert_eq!(confirm, "/account/identities/confirm");
    assert_eq!(linked(&browser), json!([]));
    let page = browser.get(&confirm).text();
    assert!(page.contains("university as alice@example.org"), "{page}");
    let link = inner(&page.replace('"', "<"), "name=<link< value=<").to_owned();
    let wrong = browser.post(&confirm, &[("link", "another")]);
    assert_eq!(wrong.status, 422);
    assert_eq!(
        leads_to(&browser.post(&confirm, &[("link", &link)])),
        "/account?linked"
    );
    let identity = linked(&browser)[0].clone();
    assert_eq!(
        (
            &identity["subject"],
            &identity["email"],
            &identity["issuer"]
        ),
        (
            &json!("alice"),
            &json!("alice@example.org"),
            &json!(provider.issuer)
        )
    );
    assert_eq!(identity["linked_at"], "2026-11-21T04:00:00Z");
    let page = browser.get("/account?linked").text();
    assert!(page.contains("<th scope=\"row\">university</th><td>alice@example.org</td>"));
    assert!(page.contains("You can now also sign in with"));
    assert_eq!(leads_to(&browser.get(&confirm)), "/account");

    // Whoever is known at the provider signs in to the account now.
    let mut elsewhere = Browser::new(&app);
    let location = leads_to(&elsewhere.get("/auth/login?provider=university&link=1"));
    let back = provider.agree(&location);
    elsewhere.get(&format!(
        "/auth/callback?code={}&state={}",
        back["code"], back["state"]
    ));
    assert_eq!(elsewhere.email(), "a@example.org");
    let id = identity["id"].as_str().unwrap();
    assert_eq!(
        leads_to(&browser.post(&format!("/account/identities/{id}/unlink"), &[])),
        "/account?unlinked"
    );
    assert_eq!(linked(&browser), json!([]));
    assert_eq!(elsewhere.auth_method(), "anonymous");
    let path = format!("/api/v1/identities/{id}");
    browser
        .json("DELETE", &path, &[], "")
        .expect_error(404, "not_found");
}

#[test]
fn last_credential_of_an_account_is_not_unlinked() {
    let provider = IdentityProvider::start(NOW);
    let app = TestApp::start_at(Clock::set_to(NOW), |config| {
        config.auth.oidc = vec![issuer("university", &provider.issuer, "s3cret: +")];
    });
    let mut browser = Browser::new(&app);
    let location = leads_to(&browser.get("/auth/login?provider=university"));
    let back = provider.agree(&location);
    browser.get(&format!(
        "/auth/callback?code={}&state={}",
        back["code"], back["state"]
    ));
    let listed = browser.json("GET", "/api/v1/identities", &[], "").json();
    let id = listed[0]["id"].as_str().unwrap();
    let path = format!("/api/v1/identities/{id}");
    browser
        .json("DELETE", &path, &[], "")
        .expect_error(409, "conflict");
    let page = browser.post(&format!("/account/identities/{id}/unlink"), &[]);
    assert_eq!(page.status, 422);
    assert!(page.text().contains("Set a password first."));
    browser.post("/account/password", &[("new", PASSWORD)]);
    assert_eq!(browser.json("DELETE", &path, &[], "").status, 204);
}

#[test]
fn repeated_key_request_creates_no_second_key() {
    let app = TestApp::start_at(Clock::set_to(NOW), |_| {});
    let mut browser = Browser::new(&app);
    browser.post(
        "/auth/sign-up",
        &[("email", "a@example.org"), ("password", PASSWORD)],
    );
    let browser = &browser;
    let make = |key: &str, body: &str| {
        browser.json(
            "POST",
            "/api/v1/api-keys",
            &[("idempotency-key", key)],
            body,
        )
    };
    let first = make("k1", r#"{"name":"laptop"}"#);
    assert_eq!(first.status, 201);
    let mut expected = first.json();
    let secret = expected.as_object_mut().unwrap().remove("key").unwrap();
    let again = make("k1", r#"{"name":"laptop"}"#);
    assert_eq!((again.status, again.json()), (200, expected));
    assert_eq!(again.header("idempotent-replay"), "true");
    assert_eq!(again.header("location"), first.header("location"));
    make("k1", r#"{"name":"desk"}"#).expect_error(422, "idempotency_mismatch");
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let send = || make("k2", r#"{"name":"at once"}"#).status;
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        let threads = threads.into_iter();
        threads.map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 1);
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 7);
    // A key that was revoked is not made again either.
    let id = first.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/api-keys/{id}");
    assert_eq!(browser.json("DELETE", &path, &[], "").status, 204);
    assert_eq!(make("k1", r#"{"name":"laptop"}"#).status, 200);
    let listed = browser.json("GET", "/api/v1/api-keys", &[], "").json();
    assert_eq!(list(&listed).len(), 1);
    let database = std::fs::read(app.app.config.data.dir.join("citation.db-wal")).unwrap();
    let secret = secret.as_str().unwrap().as_bytes();
    assert!(!database.windows(secret.len()).any(|part| part == secret));
}

#[test]
fn share_link_is_disabled_with_its_owner() {
    let app = TestApp::start_at(Clock::set_to(NOW), |_| {});
    let mut browser = Browser::new(&app);
    browser.post(
        "/auth/sign-up",
        &[("email", "a@example.org"), ("password", PASSWORD)],
    );
    let made = browser.json("POST", "/api/v1/collections", &[], r#"{"name":"Shared"}"#);
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let shared = browser.json(
        "POST",
        &format!("/api/v1/collections/{id}/share"),
        &[],
        "{}",
    );
    let link = shared.json()["share_url"].as_str().unwrap().to_owned();
    let token = link.rsplit('/').next().unwrap();
    let statuses = || {
        [
            format!("/s/{token}"),
            format!("/api/v1/shared/{token}"),
            format!("/api/v1/shared/{token}/export.bib"),
        ]
        .map(|path| app.get(&path).status)
    };
    assert_eq!(statuses(), [200; 3]);
    let auth = &app.app.auth;
    let user = auth
        .store()
        .user_by_email("a@example.org")
        .unwrap()
        .unwrap();
    auth.set_disabled(&user, true, &Actor::command_line())
        .unwrap();
    assert_eq!(statuses(), [404; 3]);
    auth.set_disabled(&user, false, &Actor::command_line())
        .unwrap();
    assert_eq!(statuses(), [200; 3]);
}

#[test]
fn decisions_and_reports_are_listed_and_withdrawn() {
    let app = TestApp::start_at(Clock::set_to(NOW), |_| {});
    let new = NewAccount {
        email: Some("a@example.org"),
        password: Some(PASSWORD),
        ..NewAccount::default()
    };
    app.app.auth.add_user(&new, &Actor::command_line()).unwrap();
    let fields = [("email", "a@example.org"), ("password", PASSWORD)];
    let (mut here, mut stranger) = (Browser::new(&app), Browser::new(&app));
    assert_eq!(here.post("/auth/login", &fields).status, 303);
    let decision = r#"{"reference": "Doe J. Real & rare. 2001.", "decision": "real", "why": "Seen on paper."}"#;
    let kept = here.json("POST", "/api/v1/verify/overrides", &[], decision);
    assert_eq!(kept.status, 201, "{}", kept.text());
    let report = r#"{"title": "thesis.docx", "rows": [{"text": "Doe J.", "verdict": "verified"}]}"#;
    let shared = here.json("POST", "/api/v1/reports", &[], report);
    assert_eq!(shared.status, 201, "{}", shared.text());

    let page = here.get("/account/reviews").text();
    let texts = [
        "Doe J. Real &amp; rare. 2001.",
        "Right as it stands",
        "Seen on paper.",
        "thesis.docx",
    ];
    for text in texts {
        assert!(
            page.contains(text) || page.contains(&text.replace("&amp;", "&#38;")),
            "{text}"
        );
    }
    let export = here.get("/account/export").json();
    assert_eq!(export["decisions"][0]["why"], "Seen on paper.");
    assert_eq!(export["reports"][0]["title"], "thesis.docx");

    let key = kept.json()["reference_key"].as_str().unwrap().to_owned();
    let token = shared.json()["token"].as_str().unwrap().to_owned();
    assert_eq!(stranger.get("/account/reviews").status, 303);
    assert_eq!(
        leads_to(&here.post("/account/reviews", &[("withdraw", &key)])),
        "/account/reviews"
    );
    assert_eq!(
        leads_to(&here.post("/account/reviews", &[("revoke", &token)])),
        "/account/reviews"
    );
    // A second click changes nothing.
    assert_eq!(
        here.post("/account/reviews", &[("revoke", &token)]).status,
        303
    );
    let page = here.get("/account/reviews").text();
    assert!(!page.contains("Seen on paper.") && !page.contains("thesis.docx"));
    assert_eq!(stranger.get(&format!("/r/{token}")).status, 404);
}
