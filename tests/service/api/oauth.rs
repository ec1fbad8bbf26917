//! OAuth: programs register, ask the user, get tokens, renew and lose them.

use citation::auth::accounts::{Actor, NewAccount};
use citation::auth::principal::Scopes;
use citation::auth::sign_in::Visitor;
use citation::clock::Clock;
use citation::config::Config;
use citation::store::users::User;
use citation_model::plan::Plan;
use serde_json::{Value, json};
use std::collections::HashMap;

use crate::support::http_stand_in::{Reply, StandIn};
use crate::support::{Answer, TestApp, list};

const NOW: i64 = 1_795_233_600;
const DAY: u64 = 86_400;
const REDIRECT: &str = "http://127.0.0.1:4711/callback?from=here";

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

type Fields<'f> = Vec<(&'f str, String)>;

fn encoded(fields: &[(&str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .finish()
}

/// The parameters of an address.
fn parameters(address: &str) -> HashMap<String, String> {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}

/// Replaces, adds or (without a value) removes a parameter.
fn with<'f>(fields: &Fields<'f>, name: &'f str, value: Option<&str>) -> Fields<'f> {
    let mut fields: Fields<'f> = fields.clone();
    fields.retain(|(present, _)| *present != name);
    fields.extend(value.map(|value| (name, value.to_owned())));
    fields
}

/// A server, a user with a session, and a program.
struct Stage {
    app: TestApp,
    clock: Clock,
    user: User,
    cookie: String,
}

impl Stage {
    fn new() -> Stage {
        Stage::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut Config)) -> Stage {
        let clock = Clock::set_to(NOW);
        let app = TestApp::start_at(clock.clone(), change);
        let new = NewAccount {
            email: Some("user@example.org"),
            plan: Some(Plan::Academic),
            password: Some("correct horse battery"),
            ..NewAccount::default()
        };
        let auth = &app.app.auth;
        let user = auth.add_user(&new, &Actor::command_line()).unwrap();
        let mut stage = Stage {
            app,
            clock,
            user,
            cookie: String::new(),
        };
        stage.sign_in();
        stage
    }

    fn sign_in(&mut self) {
        let visitor = Visitor {
            address: [127, 0, 0, 1].into(),
            agent: String::new(),
        };
        let auth = &self.app.app.auth;
        let user = auth.store().user(self.user.id).unwrap().unwrap();
        let token = auth.start_session(&user, "test", &visitor).unwrap();
        self.cookie = format!("session={}", token.reveal());
    }

    fn register(&self) -> String {
        let body = json!({
            "client_name": "Reading <list>", "redirect_uris": [REDIRECT],
            "token_endpoint_auth_method": "client_secret_basic", "software_id": "x",
        });
        let answer = self.app.post("/oauth/register", &body);
        assert_eq!(answer.status, 201, "{}", answer.text());
        let client = answer.json();
        assert_eq!(client["token_endpoint_auth_method"], "none");
        client["client_id"].as_str().unwrap().to_owned()
    }

    /// The parameters of a good request.
    fn request(&self, client: &str) -> Fields<'static> {
        let fields = [
            ("response_type", "code"),
            ("client_id", client),
            ("redirect_uri", REDIRECT),
            ("state", "a state & more"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        fields
            .map(|(name, value)| (name, value.to_owned()))
            .to_vec()
    }

    fn ask(&self, request: &Fields<'_>) -> Answer {
        let path = format!("/oauth/authorize?{}", encoded(request));
        self.app.get_with(&path, &[("cookie", &self.cookie)])
    }

    fn decide(&self, request: &Fields<'_>, more: &[(&'static str, &str)]) -> Answer {
        let mut fields = request.clone();
        fields.extend(
            more.iter()
                .map(|(name, value)| (*name, (*value).to_owned())),
        );
        self.form("/oauth/authorize", &fields, "same-origin")
    }

    fn form(&self, path: &str, fields: &[(&str, String)], from: &str) -> Answer {
        let headers = [
            ("cookie", self.cookie.as_str()),
            ("sec-fetch-site", from),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        self.app
            .send("POST", path, &headers, Some(encoded(fields).as_bytes()))
    }

    /// The code that a user gives a program.
    #[track_caller]
    fn code(&self, request: &Fields<'_>) -> String {
        let allow = [("decision", "allow"), ("read", "1"), ("write", "1")];
        let answer = self.decide(request, &allow);
        assert_eq!(answer.status, 303, "{}", answer.text());
        let target = answer.header("location");
        assert!(target.starts_with(&format!("{REDIRECT}&")), "{target}");
        let given = parameters(target);
        assert_eq!(given["state"], "a state & more");
        assert_eq!(given["iss"], self.app.url(""));
        given["code"].clone()
    }

    fn post_form(&self, path: &str, fields: &[(&str, String)]) -> Answer {
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        self.app
            .send("POST", path, &headers, Some(encoded(fields).as_bytes()))
    }

    fn exchange(&self, client: &str, code: &str) -> Fields<'static> {
        let fields = [
            ("grant_type", "authorization_code"),
            ("client_id", client),
            ("code", code),
            ("redirect_uri", REDIRECT),
            ("code_verifier", VERIFIER),
        ];
        fields
            .map(|(name, value)| (name, value.to_owned()))
            .to_vec()
    }

    fn renewal(&self, client: &str, token: &Value) -> Fields<'static> {
        let fields = [
            ("grant_type", "refresh_token"),
            ("client_id", client),
            ("refresh_token", token.as_str().unwrap()),
        ];
        fields
            .map(|(name, value)| (name, value.to_owned()))
            .to_vec()
    }

    #[track_caller]
    fn issue(&self, fields: &[(&str, String)]) -> Value {
        let answer = self.post_form("/oauth/token", fields);
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("cache-control"), "no-store");
        answer.json()
    }

    #[track_caller]
    fn refuse(&self, fields: &[(&str, String)], code: &str) {
        let answer = self.post_form("/oauth/token", fields);
        let body = answer.expect_error(400, code);
        assert_eq!(body["error_description"], body["message"]);
    }

    /// Tokens of a new program with the whole request.
    #[track_caller]
    fn tokens(&self, client: &str) -> Value {
        let code = self.code(&self.request(client));
        self.issue(&self.exchange(client, &code))
    }

    /// The status of a call with a token.
    fn call(&self, path: &str, token: &Value) -> u16 {
        let bearer = format!("Bearer {}", token.as_str().unwrap());
        self.app
            .get_with(path, &[("authorization", &bearer)])
            .status
    }

    fn tool(&self, path: &str, bearer: Option<&str>, name: &str, arguments: Value) -> Answer {
        let message = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        });
        let bearer = bearer.map(|token| format!("Bearer {token}"));
        let mut headers = vec![
            ("content-type", "application/json"),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        headers.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
        self.app
            .send("POST", path, &headers, Some(message.to_string().as_bytes()))
    }
}

const ME: &str = "/api/v1/me";
const COLLECTIONS: &str = "/api/v1/collections";

#[test]
fn refusal_leads_to_the_server_that_issues_tokens() {
    let stage = Stage::new();
    let answer = stage
        .app
        .get_with(ME, &[("authorization", "Bearer ca_wrong")]);
    answer.expect_error(401, "invalid_api_key");
    let check = |path: &str, resource: &str, answer: &Answer| {
        let metadata = stage
            .app
            .url(&format!("/.well-known/oauth-protected-resource{resource}"));
        let expected = format!("resource_metadata=\"{metadata}\"");
        let header = answer.header("www-authenticate");
        assert!(
            header.starts_with("Bearer ") && header.contains(&expected),
            "{path}: {header}"
        );
        let found = stage
            .app
            .get(&format!("/.well-known/oauth-protected-resource{resource}"));
        assert_eq!(found.status, 200);
        assert_eq!(found.json()["resource"], stage.app.url(resource));
        assert_eq!(
            found.json()["authorization_servers"],
            json!([stage.app.url("")])
        );
        assert_eq!(found.json()["scopes_supported"], json!(["read", "write"]));
    };
    check(ME, "/api/v1", &answer);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    check(
        "/mcp/account",
        "/mcp/account",
        &stage.app.post("/mcp/account", &ping),
    );
    check(
        "/mcp",
        "/mcp",
        &stage.tool("/mcp", Some("wrong"), "lookup", json!({})),
    );
    assert_eq!(
        stage
            .app
            .get("/.well-known/oauth-protected-resource/other")
            .status,
        404
    );
    let server = stage
        .app
        .get("/.well-known/oauth-authorization-server")
        .json();
    assert_eq!(server["issuer"], stage.app.url(""));
    for (member, path) in [
        ("authorization_endpoint", "/oauth/authorize"),
        ("token_endpoint", "/oauth/token"),
        ("registration_endpoint", "/oauth/register"),
        ("revocation_endpoint", "/oauth/revoke"),
    ] {
        assert_eq!(server[member], stage.app.url(path));
    }
    assert_eq!(server["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(server["client_id_metadata_document_supported"], true);
}

#[test]
fn program_gets_tokens_renews_them_and_loses_all_by_a_second_use() {
    let stage = Stage::new();
    let client = stage.register();
    let page = stage.ask(&stage.request(&client));
    assert_eq!(page.status, 200);
    let html = page.text();
    assert!(
        html.contains("Reading &#60;list&#62;") && html.contains("127.0.0.1"),
        "{html}"
    );
    assert!(
        !page
            .header("content-security-policy")
            .contains("form-action")
    );
    assert_eq!(page.header("x-frame-options"), "DENY");

    let first = stage.tokens(&client);
    assert_eq!(first["token_type"], "Bearer");
    assert_eq!(first["expires_in"], 3_600);
    assert_eq!(first["scope"], "read write");
    let bearer = format!("Bearer {}", first["access_token"].as_str().unwrap());
    let me = stage.app.get_with(ME, &[("authorization", &bearer)]).json();
    assert_eq!(me["auth_method"], "access_token");
    assert_eq!(me["user"]["email"], "user@example.org");
    let made = stage
        .app
        .post_as(&bearer, COLLECTIONS, &json!({"name": "By a program"}));
    assert_eq!(made.status, 201);
    // Only the owner manages keys, and an access token is sent in one place.
    stage
        .app
        .get_with("/api/v1/api-keys", &[("authorization", &bearer)])
        .expect_error(403, "forbidden");
    let token = first["access_token"].as_str().unwrap();
    stage
        .app
        .get_with(ME, &[("x-api-key", token)])
        .expect_error(401, "invalid_api_key");

    let second = stage.issue(&stage.renewal(&client, &first["refresh_token"]));
    assert_ne!(first["refresh_token"], second["refresh_token"]);
    assert_eq!(stage.call(COLLECTIONS, &second["access_token"]), 200);
    let narrow = with(
        &stage.renewal(&client, &second["refresh_token"]),
        "scope",
        Some("read"),
    );
    let third = stage.issue(&narrow);
    assert_eq!(third["scope"], "read");
    stage.clock.advance(3_600);
    assert_eq!(stage.call(COLLECTIONS, &third["access_token"]), 401);
    let fourth = stage.issue(&stage.renewal(&client, &third["refresh_token"]));
    assert_eq!(fourth["scope"], "read write");
    assert_eq!(stage.call(COLLECTIONS, &fourth["access_token"]), 200);

    stage.refuse(
        &stage.renewal(&client, &second["refresh_token"]),
        "invalid_grant",
    );
    assert_eq!(stage.call(COLLECTIONS, &fourth["access_token"]), 401);
    stage.refuse(
        &stage.renewal(&client, &fourth["refresh_token"]),
        "invalid_grant",
    );
}

#[test]
fn code_works_once_and_for_its_request_only() {
    let stage = Stage::new();
    let client = stage.register();
    let code = stage.code(&stage.request(&client));
    let exchange = stage.exchange(&client, &code);
    let tokens = stage.issue(&exchange);
    stage.refuse(&exchange, "invalid_grant");
    assert_eq!(stage.call(COLLECTIONS, &tokens["access_token"]), 401);
    stage.refuse(
        &stage.renewal(&client, &tokens["refresh_token"]),
        "invalid_grant",
    );

    let other = stage.register();
    let wrong = "a".repeat(43);
    for (name, value) in [
        ("code_verifier", wrong.as_str()),
        ("code_verifier", "short"),
        ("client_id", other.as_str()),
        ("redirect_uri", "http://127.0.0.1:4712/callback?from=here"),
    ] {
        let code = stage.code(&stage.request(&client));
        let exchange = stage.exchange(&client, &code);
        stage.refuse(&with(&exchange, name, Some(value)), "invalid_grant");
        // Whoever tried it may have stolen it.
        stage.refuse(&exchange, "invalid_grant");
    }
    let code = stage.code(&stage.request(&client));
    stage.refuse(
        &with(&stage.exchange(&client, &code), "code_verifier", None),
        "invalid_request",
    );
    stage.clock.advance(60);
    stage.refuse(&stage.exchange(&client, &code), "invalid_grant");
    stage.refuse(
        &[("grant_type", "password".to_owned())],
        "unsupported_grant_type",
    );
    stage.refuse(&[], "invalid_request");
    let repeated = [
        ("grant_type", "refresh_token".to_owned()),
        ("grant_type", "refresh_token".to_owned()),
    ];
    stage.refuse(&repeated, "invalid_request");
}

#[test]
fn user_decides_and_only_the_program_is_told() {
    let mut stage = Stage::new();
    let client = stage.register();
    let request = stage.request(&client);

    let denied = stage.decide(&request, &[("decision", "deny"), ("read", "1")]);
    let told = parameters(denied.header("location"));
    assert_eq!(
        (denied.status, told["error"].as_str()),
        (303, "access_denied")
    );
    assert_eq!(told["state"], "a state & more");
    let nothing = stage.decide(&request, &[("decision", "allow")]);
    assert_eq!(nothing.status, 422);

    // Another site cannot decide, and an anonymous user is asked to sign in.
    let mut forged = request.clone();
    forged.extend([("decision", "allow".to_owned()), ("read", "1".to_owned())]);
    assert_eq!(
        stage.form("/oauth/authorize", &forged, "cross-site").status,
        403
    );
    let cookie = std::mem::take(&mut stage.cookie);
    let anonymous = stage.ask(&request);
    assert!(
        anonymous
            .header("location")
            .starts_with("/auth/login?return_to=%2Foauth%2Fauthorize%3F")
    );
    stage.cookie = cookie;

    // What cannot be trusted is not redirected to.
    for (name, value) in [
        ("client_id", Some("unknown")),
        ("client_id", None),
        ("redirect_uri", Some("https://evil.example/callback")),
        ("redirect_uri", Some("http://127.0.0.1:4711/callback")),
        ("redirect_uri", None),
    ] {
        let answer = stage.ask(&with(&request, name, value));
        assert_eq!(
            (answer.status, answer.header("location")),
            (400, ""),
            "{name} {value:?}"
        );
    }
    for (name, value, code) in [
        ("response_type", Some("token"), "unsupported_response_type"),
        ("code_challenge", None, "invalid_request"),
        ("code_challenge_method", Some("plain"), "invalid_request"),
        ("code_challenge_method", None, "invalid_request"),
        ("scope", Some("admin"), "invalid_scope"),
        (
            "resource",
            Some("https://other.example/mcp"),
            "invalid_target",
        ),
    ] {
        let answer = stage.ask(&with(&request, name, value));
        let target = answer.header("location");
        assert!(target.starts_with(REDIRECT), "{name}: {target}");
        let told = parameters(target);
        assert_eq!(
            (told["error"].as_str(), told["state"].as_str()),
            (code, "a state & more")
        );
    }
    // A program on this machine has another port each time.
    let port = with(
        &request,
        "redirect_uri",
        Some("http://127.0.0.1:9/callback?from=here"),
    );
    assert_eq!(stage.ask(&port).status, 200);
}

#[test]
fn token_is_valid_for_its_scopes_and_its_resource() {
    let stage = Stage::new();
    let client = stage.register();
    let resource = stage.app.url("/mcp");
    let request = with(&stage.request(&client), "resource", Some(&resource));
    let code = stage.code(&with(&request, "scope", Some("read offline_access")));
    let tokens = stage.issue(&stage.exchange(&client, &code));
    assert_eq!(tokens["scope"], "read");
    let token = tokens["access_token"].as_str().unwrap();
    assert_eq!(stage.call(COLLECTIONS, &tokens["access_token"]), 401);
    for path in ["/mcp", "/mcp/account"] {
        let answer = stage.tool(path, Some(token), "list_collections", json!({}));
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json()["result"]["isError"], false);
    }
    let answer = stage.tool(
        "/mcp",
        Some(token),
        "create_collection",
        json!({"name": "x"}),
    );
    answer.expect_error(403, "forbidden");
    let header = answer.header("www-authenticate");
    assert!(
        header.contains("error=\"insufficient_scope\", scope=\"read write\""),
        "{header}"
    );
    let elsewhere = stage.app.url("/api/v1");
    let renewal = stage.renewal(&client, &tokens["refresh_token"]);
    stage.refuse(
        &with(&renewal, "resource", Some(&elsewhere)),
        "invalid_grant",
    );
    stage.issue(&with(&renewal, "resource", Some(&resource)));
    // Without a token the tool asks to sign in; the others work.
    let answer = stage.tool("/mcp", None, "list_collections", json!({}));
    answer.expect_error(401, "authentication_required");
    assert_eq!(
        stage
            .tool("/mcp", None, "lookup", json!({"query": "10.1038/171737a0"}))
            .status,
        200
    );
}

#[test]
fn programs_end_with_password_and_account_and_on_their_page() {
    let mut stage = Stage::new();
    let client = stage.register();
    let end = |stage: &Stage| {
        let page = stage
            .app
            .get_with("/account/programs", &[("cookie", &stage.cookie)])
            .text();
        assert!(page.contains("Reading &#60;list&#62;"), "{page}");
        let from = page.find("/account/programs/").unwrap();
        let path = page[from..].split('"').next().unwrap().to_owned();
        assert_eq!(stage.form(&path, &[], "same-origin").status, 303);
    };
    let tokens = stage.tokens(&client);
    assert_eq!(stage.call(ME, &tokens["access_token"]), 200);
    end(&stage);
    assert_eq!(stage.call(ME, &tokens["access_token"]), 401);

    let tokens = stage.tokens(&client);
    let fields = [(
        "token",
        tokens["refresh_token"].as_str().unwrap().to_owned(),
    )];
    assert_eq!(stage.post_form("/oauth/revoke", &fields).status, 200);
    assert_eq!(stage.call(ME, &tokens["access_token"]), 401);
    assert_eq!(stage.post_form("/oauth/revoke", &fields).status, 200);

    let tokens = stage.tokens(&client);
    let access = [("token", tokens["access_token"].as_str().unwrap().to_owned())];
    assert_eq!(stage.post_form("/oauth/revoke", &access).status, 200);
    assert_eq!(stage.call(ME, &tokens["access_token"]), 401);
    let tokens = stage.issue(&stage.renewal(&client, &tokens["refresh_token"]));

    let fields = [
        ("present", "correct horse battery".to_owned()),
        ("new", "another horse battery".to_owned()),
    ];
    assert_eq!(
        stage
            .form("/account/password", &fields, "same-origin")
            .status,
        303
    );
    assert_eq!(stage.call(ME, &tokens["access_token"]), 401);
    stage.sign_in();
    let tokens = stage.tokens(&client);
    stage.form(
        "/account/delete",
        &[("confirm", "delete".to_owned())],
        "same-origin",
    );
    assert_eq!(stage.call(ME, &tokens["access_token"]), 401);
    stage.refuse(
        &stage.renewal(&client, &tokens["refresh_token"]),
        "invalid_grant",
    );
}

#[test]
fn tokens_are_stored_hashed() {
    let stage = Stage::new();
    let client = stage.register();
    let code = stage.code(&stage.request(&client));
    let tokens = stage.issue(&stage.exchange(&client, &code));
    let secrets = [
        code.as_str(),
        tokens["access_token"].as_str().unwrap(),
        tokens["refresh_token"].as_str().unwrap(),
    ];
    let mut read = 0;
    for file in std::fs::read_dir(&stage.app.app.config.data.dir).unwrap() {
        let path = file.unwrap().path();
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        read += bytes
            .windows(client.len())
            .filter(|part| *part == client.as_bytes())
            .count();
        for secret in secrets {
            let found = bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes());
            assert!(!found, "{} has a token", path.display());
        }
    }
    assert!(read > 0, "the files were not read");
}

#[test]
fn registrations_are_limited_and_forgotten() {
    let stage = Stage::with(|config| {
        config.oauth.registrations_per_day = 4;
        config.oauth.max_clients = 3;
    });
    let check = |body: Value, code: &str| {
        stage
            .app
            .post("/oauth/register", &body)
            .expect_error(400, code);
    };
    check(json!({"redirect_uris": []}), "invalid_redirect_uri");
    check(
        json!({"redirect_uris": ["http://app.example/"]}),
        "invalid_redirect_uri",
    );
    check(
        json!({"redirect_uris": ["javascript:alert(1)"]}),
        "invalid_redirect_uri",
    );
    check(
        json!({"redirect_uris": [REDIRECT], "grant_types": ["password"]}),
        "invalid_client_metadata",
    );
    check(json!({"redirect_uris": 7}), "invalid_client_metadata");
    check(json!({}), "invalid_client_metadata");
    let kept = stage.register();
    let tokens = stage.tokens(&kept);
    stage.clock.advance(1);
    let oldest = stage.register();
    stage.clock.advance(1);
    stage.register();
    // The oldest without a user makes room.
    stage.register();
    assert_eq!(stage.ask(&stage.request(&oldest)).status, 400);
    let more = stage
        .app
        .post("/oauth/register", &json!({"redirect_uris": [REDIRECT]}));
    more.expect_error(429, "rate_limited");
    assert!(!more.header("retry-after").is_empty());

    stage.clock.advance(31 * DAY);
    stage.app.app.auth.flush().unwrap();
    let renewed = stage.issue(&stage.renewal(&kept, &tokens["refresh_token"]));
    stage.clock.advance(91 * DAY);
    stage.app.app.auth.flush().unwrap();
    stage.refuse(
        &stage.renewal(&kept, &renewed["refresh_token"]),
        "invalid_grant",
    );
    assert!(
        stage
            .app
            .app
            .auth
            .store()
            .oauth_client(&kept)
            .unwrap()
            .is_none()
    );
}

#[test]
fn program_is_known_by_its_document() {
    let page = StandIn::start(|request| {
        let host = request.header("host").unwrap();
        let id = format!("http://{host}{}", request.target);
        match request.path().as_str() {
            "/client.json" => Reply::json(
                json!({"client_id": id, "client_name": "Documented", "redirect_uris": ["http://127.0.0.1/callback?from=here"]}).to_string(),
            ),
            "/other.json" => Reply::json(json!({"client_id": "https://other.example/x", "redirect_uris": [REDIRECT]}).to_string()),
            "/moved.json" => Reply::redirect("/client.json"),
            _ => Reply::status(404),
        }
    });
    let (origin, trusted) = (page.url(), page.url());
    let stage = Stage::with(move |config| config.oauth.client_origins = vec![trusted]);
    let client = format!("{origin}/client.json");
    let html = stage.ask(&stage.request(&client));
    assert_eq!(html.status, 200, "{}", html.text());
    assert!(html.text().contains("Documented") && html.text().contains(&client));
    let tokens = stage.tokens(&client);
    assert_eq!(stage.call(ME, &tokens["access_token"]), 200);
    assert_eq!(
        page.requests().len(),
        1,
        "the document is read once an hour"
    );
    stage.clock.advance(3_600);
    stage.ask(&stage.request(&client));
    assert_eq!(page.requests().len(), 2);
    for path in ["/other.json", "/moved.json", "/missing.json"] {
        let refused = stage.ask(&stage.request(&format!("{origin}{path}")));
        assert_eq!(refused.status, 400, "{path}");
        assert!(refused.text().contains("cannot be used"), "{path}");
    }
    // Without the operator's leave nothing inside the network is read.
    let strict = Stage::new();
    let before = page.requests().len();
    assert_eq!(strict.ask(&strict.request(&client)).status, 400);
    let inside = format!("https://127.0.0.1:{}/client.json", page.port());
    assert_eq!(strict.ask(&strict.request(&inside)).status, 400);
    assert_eq!(page.requests().len(), before);
}

#[test]
fn server_without_oauth_has_no_sign_in_for_programs() {
    let stage = Stage::with(|config| config.oauth.enabled = false);
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
    ] {
        stage.app.get(path).expect_error(404, "not_found");
    }
    let answer = stage.app.get(COLLECTIONS);
    assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"api\"");
    let answer = stage.tool("/mcp", None, "list_collections", json!({}));
    assert_eq!(
        (answer.status, &answer.json()["result"]["isError"]),
        (200, &json!(true))
    );
}

#[test]
fn key_of_an_account_still_works_beside_tokens() {
    let stage = Stage::new();
    let auth = &stage.app.app.auth;
    let (user, actor) = (&stage.user, Actor::command_line());
    let made = auth.create_api_key(user.id, &user.uid, "test", Scopes::ALL, None, &actor);
    let key = json!(made.unwrap().1.reveal());
    assert_eq!(stage.call(COLLECTIONS, &key), 200);
    let keys = auth.export(
        &auth
            .by_api_key(key.as_str().unwrap())
            .unwrap()
            .unwrap()
            .account,
    );
    assert!(list(&keys.unwrap()["programs"]).is_empty());
}
