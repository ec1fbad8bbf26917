//! Every route with every kind of caller. The cases are generated from the route table, so new rows are
//! covered.

use citation::api::{self, edge::action::Action};
use citation::auth::accounts::{Actor, NewAccount};
use citation::auth::principal::Scopes;
use citation::auth::sign_in::Visitor;
use citation::collections::change::NewCollection;
use citation::collections::draft::Annotations;
use citation::collections::{CollectionError, Owner, Precondition};
use citation::store::users::User;
use citation_model::item::Item;
use citation_model::plan::Plan;
use citation_model::variable::TextVar;

use crate::support::{Answer, TestApp};

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    BadKey,
    NoKeyAtAll,
    RevokedKey,
    ExpiredKey,
    ReadOnlyKey,
    WriteOnlyKey,
    ExpiredSession,
    /// A session, on a request that another site makes the browser send.
    ForgedSession,
    Session,
    Free,
    Academic,
    Business,
    /// A Business key on an object of somebody else, or a session where keys are not let in.
    Stranger,
}

const EVERYBODY: [Who; 14] = [
    Who::Nobody,
    Who::BadKey,
    Who::NoKeyAtAll,
    Who::RevokedKey,
    Who::ExpiredKey,
    Who::ReadOnlyKey,
    Who::WriteOnlyKey,
    Who::ExpiredSession,
    Who::ForgedSession,
    Who::Session,
    Who::Free,
    Who::Academic,
    Who::Business,
    Who::Stranger,
];

/// What is decided for a cell (interface decisions, sections 1 and 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decided {
    /// The handler runs, whatever it then says of the request.
    Admitted,
    /// Status and code.
    Refused(u16, &'static str),
    /// Sent to the sign-in page.
    ToSignIn,
}

/// Open to everybody with no credential or a good one.
fn open(who: Who, is_write: bool) -> Decided {
    match who {
        Who::BadKey | Who::NoKeyAtAll | Who::RevokedKey | Who::ExpiredKey => {
            Decided::Refused(401, "invalid_api_key")
        }
        Who::ForgedSession if is_write => Decided::Refused(403, "csrf_failed"),
        _ => Decided::Admitted,
    }
}

fn decided(action: Action, who: Who, is_write: bool, has_object: bool) -> Decided {
    use Decided::{Admitted, Refused, ToSignIn};
    if action == Action::Probe {
        return Admitted;
    }
    let open = open(who, is_write);
    if open != Admitted {
        return open;
    }
    let is_unknown = matches!(who, Who::Nobody | Who::ExpiredSession);
    let has_session = matches!(who, Who::Session | Who::ForgedSession);
    let paid = matches!(
        action,
        Action::PaidRead | Action::PaidWrite | Action::PaidLookup
    );
    let reads = matches!(
        action,
        Action::Read
            | Action::PaidRead
            | Action::Lookup
            | Action::AccountLookup
            | Action::PaidLookup
            | Action::Format
    );
    let writes = matches!(action, Action::Write | Action::PaidWrite);
    match action {
        // Nobody here is an operator.
        Action::OperatorPage if has_session || who == Who::Stranger => {
            return Refused(403, "forbidden");
        }
        Action::OperatorPage => return ToSignIn,
        Action::AccountPage if has_session => return Admitted,
        Action::AccountPage if who == Who::Stranger => {
            return if has_object {
                Refused(404, "not_found")
            } else {
                Admitted
            };
        }
        Action::AccountPage => return ToSignIn,
        Action::Probe | Action::Public | Action::Page => return Admitted,
        _ => {}
    }
    let is_open_to_all = matches!(action, Action::Lookup | Action::Format);
    if is_unknown {
        return if is_open_to_all {
            Admitted
        } else {
            Refused(401, "authentication_required")
        };
    }
    // Accounts are Free here unless they say otherwise.
    if paid && !matches!(who, Who::Academic | Who::Business | Who::Stranger) {
        return Refused(403, "plan_required");
    }
    if action == Action::Session && !has_session && who != Who::Stranger {
        return Refused(403, "forbidden");
    }
    // Nobody here is an operator.
    if action == Action::Operator {
        return Refused(403, "forbidden");
    }
    if (reads && who == Who::WriteOnlyKey) || (writes && who == Who::ReadOnlyKey) {
        return Refused(403, "forbidden");
    }
    if who == Who::Stranger && has_object && action.needs_account() {
        return Refused(404, "not_found");
    }
    Admitted
}

/// An app with the accounts and objects that the cells need.
struct Cast {
    app: TestApp,
    user: User,
    free: String,
    academic: String,
    business: String,
    revoked: String,
    expired: String,
    read_only: String,
    write_only: String,
}

impl Cast {
    fn new() -> Cast {
        let clock = citation::clock::Clock::set_to(1_795_233_600);
        let app = TestApp::start_at(clock.clone(), |config| {
            config.limits.api_keys = 10_000;
            config.limits.free_collections = 10_000;
        });
        let make = |plan: Plan| {
            let email = format!("{plan}@example.org");
            let new = NewAccount {
                email: Some(&email),
                plan: Some(plan),
                ..NewAccount::default()
            };
            app.app.auth.add_user(&new, &Actor::command_line()).unwrap()
        };
        let user = make(Plan::Free);
        let key = |user: &User, scopes, expires_at| new_key(&app, user, scopes, expires_at).1;
        let (revoked_id, revoked) = new_key(&app, &user, Scopes::ALL, None);
        let account = app.app.auth.by_api_key(&revoked).unwrap().unwrap().account;
        assert!(
            app.app
                .auth
                .revoke_api_key(&account, &revoked_id, &Actor::command_line())
                .unwrap()
        );
        let cast = Cast {
            free: key(&user, Scopes::ALL, None),
            academic: key(&make(Plan::Academic), Scopes::ALL, None),
            business: key(&make(Plan::Business), Scopes::ALL, None),
            expired: key(&user, Scopes::ALL, Some(clock.unix() + 1)),
            read_only: key(
                &user,
                Scopes {
                    read: true,
                    write: false,
                },
                None,
            ),
            write_only: key(
                &user,
                Scopes {
                    read: false,
                    write: true,
                },
                None,
            ),
            revoked,
            user,
            app,
        };
        clock.advance(1);
        cast
    }

    fn session(&self, user: &User) -> String {
        let visitor = Visitor {
            address: [127, 0, 0, 1].into(),
            agent: String::new(),
        };
        let auth = &self.app.app.auth;
        let token = auth.start_session(user, "test", &visitor).unwrap();
        format!("session={}", token.reveal())
    }

    /// The headers that a caller sends.
    fn headers(&self, who: Who, action: Action) -> Vec<(&'static str, String)> {
        let bearer = |key: &str| vec![("authorization", format!("Bearer {key}"))];
        let origin = ("origin", self.app.url(""));
        match who {
            Who::Nobody => Vec::new(),
            Who::BadKey => bearer("ck_not_a_key"),
            Who::NoKeyAtAll => vec![("authorization", "Basic dXNlcjpwYXNz".to_owned())],
            Who::RevokedKey => bearer(&self.revoked),
            Who::ExpiredKey => vec![("x-api-key", self.expired.clone())],
            Who::ReadOnlyKey => bearer(&self.read_only),
            Who::WriteOnlyKey => bearer(&self.write_only),
            Who::ExpiredSession => {
                vec![("cookie", format!("session=cs_{}", "0".repeat(49))), origin]
            }
            Who::ForgedSession => {
                let foreign = ("origin", "https://evil.example".to_owned());
                vec![("cookie", self.session(&self.user)), foreign]
            }
            Who::Session => vec![("cookie", self.session(&self.user)), origin],
            Who::Free => bearer(&self.free),
            Who::Academic => bearer(&self.academic),
            Who::Business => vec![("x-api-key", self.business.clone())],
            Who::Stranger
                if matches!(
                    action,
                    Action::Session | Action::AccountPage | Action::OperatorPage
                ) =>
            {
                vec![("cookie", self.session(&self.user)), origin]
            }
            Who::Stranger => bearer(&self.business),
        }
    }

    /// A new collection of a user with one entry: their ids.
    fn collection(&self, owner: &User) -> (String, String) {
        let collections = &self.app.app.collections;
        let terms = Owner {
            user: owner.id,
            plan: owner.plan,
            collections: u64::MAX,
            entries: u64::MAX,
            bytes: u64::MAX,
        };
        let mut item = Item::default();
        item.set_text(TextVar::Title, "A title");
        let draft = collections.draft(item, Annotations::default()).unwrap();
        let made = collections.write(terms, &Precondition::default(), |change| {
            let new = NewCollection {
                name: "test".to_owned(),
                ..NewCollection::default()
            };
            let (row, entries) =
                change.create_with(&new, std::slice::from_ref(&draft), &vec![None])?;
            Ok::<_, CollectionError>((row.uid, entries[0].stored.row.uid.clone()))
        });
        made.unwrap()
    }

    /// The path with its variable parts filled: with what is the caller's own, or somebody else's.
    fn path(&self, pattern: &str, who: Who) -> String {
        let owner = match who {
            Who::Stranger => self
                .app
                .app
                .auth
                .store()
                .user_by_email("Academic@example.org")
                .unwrap()
                .unwrap(),
            _ => self.user.clone(),
        };
        let id = if pattern.contains("keys/{id}") {
            new_key(&self.app, &owner, Scopes::ALL, None).0
        } else if pattern.contains("sessions/{id}") {
            self.session(&owner);
            self.app.app.auth.sessions(owner.id).unwrap()[0].uid.clone()
        } else {
            uuid::Uuid::new_v4().to_string()
        };
        // A stream of a known collection would not end, and its owner cannot leave it.
        let is_of_unknown = pattern.ends_with("/stream") || pattern.ends_with("/leave");
        if pattern.starts_with("/api/v1/collections/{id}") && !is_of_unknown {
            let (collection, entry) = self.collection(&owner);
            return pattern
                .replace("{id}", &collection)
                .replace("{eid}", &entry)
                .replace("{uid}", &entry)
                .replace("{format}", "bib");
        }
        let path = pattern
            .replace("{doi…}", "10.1038/171737a0")
            .replace("{id…}", "apa");
        let path = path.replace("{format}", "bib").replace("{id}", &id);
        match path.split_once('{') {
            None => path,
            Some(_) => path
                .split('{')
                .map(|part| {
                    part.rsplit_once('}')
                        .map_or(part.to_owned(), |(_, rest)| format!("{id}{rest}"))
                })
                .collect(),
        }
    }
}

fn new_key(
    app: &TestApp,
    user: &User,
    scopes: Scopes,
    expires_at: Option<i64>,
) -> (String, String) {
    let actor = Actor::command_line();
    let auth = &app.app.auth;
    let made = auth.create_api_key(user.id, &user.uid, "test", scopes, expires_at, &actor);
    let (row, token) = made.unwrap();
    (row.uid, token.reveal().to_owned())
}

#[test]
fn every_route_checks_every_caller() {
    let cast = Cast::new();
    let mut cells = 0;
    let mut wrong = Vec::new();
    for (method, pattern, action) in api::rows() {
        for who in EVERYBODY {
            let is_write = method != "GET";
            let headers = cast.headers(who, action);
            let mut headers: Vec<(&str, &str)> = headers
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let body = if action.is_page() { "a=b" } else { "{}" };
            if is_write && !action.is_page() {
                headers.push(("content-type", "application/json"));
            }
            let path = cast.path(pattern, who);
            let answer = cast.app.send(
                method.as_str(),
                &path,
                &headers,
                is_write.then_some(body.as_bytes()),
            );
            let decided = decided(action, who, is_write, pattern.contains('{'));
            if let Err(fault) = check(&answer, action, decided) {
                wrong.push(format!(
                    "{method} {pattern} × {who:?}: {decided:?}, but {fault}"
                ));
            }
            if let Err(fault) = check_caching(&answer, who != Who::Nobody) {
                wrong.push(format!("{method} {pattern} × {who:?}: {fault}"));
            }
            cells += 1;
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {cells} cells:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    println!("{cells} cells");
}

fn check(answer: &Answer, action: Action, decided: Decided) -> Result<(), String> {
    let status = answer.status;
    let text = || {
        format!(
            "{status} {}",
            answer.text().chars().take(200).collect::<String>()
        )
    };
    match decided {
        // A page may refuse what a form says in its own way.
        Decided::Admitted if action.is_page() => {
            if matches!(status, 405 | 500..) {
                Err(text())
            } else {
                Ok(())
            }
        }
        Decided::Admitted if matches!(status, 401 | 403 | 405 | 429 | 500..) => Err(text()),
        Decided::Admitted => Ok(()),
        Decided::ToSignIn => {
            let location = answer.header("location");
            let is_right = status == 303 && location.starts_with("/auth/login?return_to=%2F");
            if is_right { Ok(()) } else { Err(text()) }
        }
        Decided::Refused(expected, _) if action.is_page() => {
            let is_html = answer.header("content-type").starts_with("text/html");
            if status == expected && is_html {
                Ok(())
            } else {
                Err(text())
            }
        }
        Decided::Refused(expected, code) => {
            if status != expected {
                return Err(text());
            }
            let body = answer.json();
            let has = |name: &str| !body[name].is_null();
            let is_complete = match code {
                "authentication_required" => {
                    has("actions")
                        && answer
                            .header("www-authenticate")
                            .starts_with("Bearer realm=\"api\", resource_metadata=\"http")
                }
                "invalid_api_key" => answer.header("www-authenticate").contains("invalid_token"),
                "plan_required" => {
                    let message = body["message"].as_str().unwrap_or_default();
                    let named = ["Academic", "EUR 4", "Business", "EUR 10"]
                        .iter()
                        .all(|part| message.contains(part));
                    named
                        && body["upgrade_url"]
                            .as_str()
                            .is_some_and(|url| url.ends_with("/account"))
                }
                "not_found" => has("resource"),
                _ => true,
            };
            if body["error"] == code && is_complete {
                Ok(())
            } else {
                Err(text())
            }
        }
    }
}

/// What an answer tells caches (RFC 9111): an answer to a credential is its caller's alone; another says
/// how long it holds, and on which credentials it depends unless it is the same for everybody.
fn check_caching(answer: &Answer, has_credential: bool) -> Result<(), String> {
    let lower = |name: &str| answer.header(name).to_ascii_lowercase();
    let (control, vary) = (lower("cache-control"), lower("vary"));
    let directives: Vec<&str> = control.split(',').map(str::trim).collect();
    let varying: Vec<&str> = vary.split(',').map(str::trim).collect();
    let has = |name: &str| directives.contains(&name);
    let fault = |what: &str| {
        let status = answer.status;
        Err(format!(
            "{what}: {status}, cache-control “{control}”, vary “{vary}”"
        ))
    };
    if has_credential || !answer.header("set-cookie").is_empty() {
        let is_private = has("private") || has("no-store");
        let is_shared = directives
            .iter()
            .any(|directive| *directive == "public" || directive.starts_with("s-maxage"));
        return if is_private && !is_shared {
            Ok(())
        } else {
            fault("caches may share it")
        };
    }
    let is_dated = directives
        .iter()
        .any(|directive| directive.starts_with("max-age="));
    if !(has("no-store") || has("no-cache") || is_dated) {
        return fault("does not say how long it holds");
    }
    let on = ["authorization", "x-api-key", "zotero-api-key", "cookie"];
    if has("no-store") || has("public") || on.iter().all(|name| varying.contains(name)) {
        Ok(())
    } else {
        fault("does not depend on the credential")
    }
}

#[test]
fn answers_beside_the_routes_tell_caches_too() {
    let cast = Cast::new();
    let key = format!("Bearer {}", cast.business);
    let check = |method: &str, path: &str, headers: &[(&str, &str)]| {
        for has_credential in [false, true] {
            let mut headers = headers.to_vec();
            if has_credential {
                headers.push(("authorization", &key));
            }
            let answer = cast.app.send(method, path, &headers, None);
            let checked = check_caching(&answer, has_credential);
            assert_eq!(checked, Ok(()), "{method} {path}");
        }
    };
    check("GET", "/nothing", &[]);
    check("GET", "/nothing", &[("accept", "text/html")]);
    check("PUT", "/api/v1/me", &[]);
    check("OPTIONS", "/api/v1/me", &[]);
    let uncompressed = [("accept-encoding", "identity")];
    check("HEAD", "/api/v1/works/10.1038/171737a0", &uncompressed);
    let preflight = [
        ("origin", "https://other.example"),
        ("access-control-request-method", "GET"),
    ];
    check("OPTIONS", "/api/v1/me", &preflight);
    let tag = cast.app.get("/api/v1/works/10.1038/171737a0");
    let tag = tag.header("etag").to_owned();
    let unchanged = [("if-none-match", tag.as_str())];
    check("GET", "/api/v1/works/10.1038/171737a0", &unchanged);
    let answer = cast
        .app
        .get_with("/api/v1/works/10.1038/171737a0", &unchanged);
    assert_eq!(answer.status, 304);
    let asset = cast.app.get("/").text();
    let asset = asset.split('"').find(|part| part.starts_with("/assets/"));
    check("GET", asset.unwrap(), &[("accept-encoding", "gzip")]);
}

#[test]
fn key_in_the_address_is_a_credential() {
    let cast = Cast::new();
    let path = format!("/zotero/keys/{}", cast.business);
    let answer = cast.app.get(&path);
    assert_eq!(check_caching(&answer, true), Ok(()));
    let user = answer.json()["userID"].to_string();
    let path = format!("/zotero/users/{user}/items?key={}", cast.business);
    let answer = cast.app.get(&path);
    assert_eq!(answer.status, 200);
    assert_eq!(check_caching(&answer, true), Ok(()));
}

/// Behind a cache for everybody, nobody may get what another account calls a work.
#[test]
fn own_entry_of_a_work_is_not_for_caches() {
    let cast = Cast::new();
    let key = format!("Bearer {}", cast.business);
    let own =
        r#"{"name": "Mine", "entries": [{"doi": "10.1038/171737a0", "title": "My secret title"}]}"#;
    let headers = [
        ("authorization", key.as_str()),
        ("content-type", "application/json"),
    ];
    let made = cast.app.send(
        "POST",
        "/api/v1/collections",
        &headers,
        Some(own.as_bytes()),
    );
    assert_eq!(made.status, 201, "{}", made.text());
    let accept = ("accept", "application/vnd.citationstyles.csl+json");
    for path in [
        "/api/v1/works/10.1038/171737a0",
        "/doi/10.1038/171737a0",
        "/10.1038/171737a0",
        "/crossref/works/10.1038/171737a0",
    ] {
        let own = cast.app.get_with(path, &[("authorization", &key), accept]);
        assert!(
            own.text().contains("My secret title"),
            "{path}: {}",
            own.text()
        );
        assert_eq!(check_caching(&own, true), Ok(()), "{path}");
        let shared = cast.app.get_with(path, &[accept]);
        assert!(!shared.text().contains("My secret title"), "{path}");
        assert_eq!(check_caching(&shared, false), Ok(()), "{path}");
        // The tag of the own entry is no tag of the public answer.
        let tag = own.header("etag");
        let again = cast.app.get_with(path, &[accept, ("if-none-match", tag)]);
        assert_eq!(again.status, 200, "{path}");
    }
}

#[test]
fn expired_session_cookie_is_deleted() {
    let cast = Cast::new();
    let headers = cast.headers(Who::ExpiredSession, Action::Public);
    let answer = cast
        .app
        .get_with("/api/v1/me", &[("cookie", &headers[0].1)]);
    assert_eq!(answer.json()["auth_method"], "anonymous");
    assert!(
        answer
            .header("set-cookie")
            .starts_with("session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
    );
    let answer = cast
        .app
        .get_with("/api/v1/me", &[("cookie", &cast.session(&cast.user))]);
    assert_eq!(
        (
            answer.json()["auth_method"].as_str(),
            answer.header("set-cookie")
        ),
        (Some("session"), "")
    );
}

#[test]
fn key_has_priority_over_cookie() {
    let cast = Cast::new();
    let session = cast.session(&cast.user);
    let bearer = format!("bearer {}", cast.business);
    let answer = cast.app.get_with(
        "/api/v1/me",
        &[("cookie", &session), ("authorization", &bearer)],
    );
    assert_eq!(
        (
            answer.json()["auth_method"].as_str(),
            answer.json()["plan"].as_str()
        ),
        (Some("api_key"), Some("Business"))
    );
    let answer = cast.app.get_with(
        "/api/v1/me",
        &[("cookie", &session), ("authorization", "Bearer ck_x")],
    );
    answer.expect_error(401, "invalid_api_key");
}

#[test]
fn session_write_must_be_same_origin() {
    let cast = Cast::new();
    let here = cast.app.url("");
    let check = |headers: &[(&str, &str)], expected: u16| {
        let session = cast.session(&cast.user);
        let mut headers = headers.to_vec();
        headers.push(("cookie", &session));
        headers.push(("content-type", "application/json"));
        let answer = cast.app.send(
            "POST",
            "/api/v1/api-keys",
            &headers,
            Some(b"{\"name\":\"x\"}"),
        );
        assert_eq!(answer.status, expected, "{headers:?}: {}", answer.text());
    };
    check(&[], 403);
    check(&[("origin", &here)], 201);
    // The name under which the server was reached is as good as the configured one.
    let (local, other) = ("http://citations.lan:8080", "citations.lan:8080");
    check(&[("origin", local), ("host", other)], 201);
    check(&[("origin", local)], 403);
    check(&[("origin", "null")], 403);
    check(&[("origin", "https://evil.example")], 403);
    check(&[("origin", &format!("{here}.evil.example"))], 403);
    check(&[("sec-fetch-site", "same-origin")], 201);
    check(&[("sec-fetch-site", "none")], 201);
    check(&[("sec-fetch-site", "same-site"), ("origin", &here)], 403);
    check(&[("sec-fetch-site", "cross-site")], 403);
}
