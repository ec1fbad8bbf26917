//! Accounts, keys, sessions, links, identity providers and the audit log, with a manual clock
//! and misbehaving providers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::support::identity_provider::{Faults, IdentityProvider, read_form};
use citation::auth::accounts::{Actor, NewAccount};
use citation::auth::oidc::{AuthenticatedPerson, Callback, OidcError, ProviderRedirect};
use citation::auth::principal::{Credential, Principal, Scopes};
use citation::auth::sign_in::{LinkOffer, Visitor};
use citation::auth::token::SecretToken;
use citation::auth::{Auth, AuthError};
use citation::clock::Clock;
use citation::collections::change::NewCollection;
use citation::collections::{CollectionError, Collections, Precondition};
use citation::config::{ClaimedGroupSettings, ClaimedRole, Config, IssuerSettings, SignUp};
use citation::quota::plans::Plans;
use citation::store::audit::AuditFilter;
use citation::store::collections::{CollectionRow, Role};
use citation::store::users::User;
use citation::store::{Store, StoreError, StoreSettings};
use citation_model::plan::Plan;
use serde_json::json;

const NOW: i64 = 1_795_233_600;
const DAY: u64 = 86_400;
const PASSWORD: &str = "correct horse battery";

struct Desk {
    directory: tempfile::TempDir,
    store: Arc<Store>,
    clock: Clock,
    auth: Arc<Auth>,
    config: Config,
}

impl Desk {
    fn new() -> Desk {
        Desk::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut Config)) -> Desk {
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.auth.password_memory_kib = 8_192;
        config.auth.password_passes = 1;
        change(&mut config);
        let store = Arc::new(Store::open(directory.path(), &StoreSettings::default()).unwrap());
        let clock = Clock::set_to(NOW);
        let auth = Auth::open(Arc::clone(&store), &config, clock.clone()).unwrap();
        Desk {
            directory,
            store,
            clock,
            auth,
            config,
        }
    }

    /// The command line beside the server: the same directory, another process.
    fn other_process(&self) -> Arc<Auth> {
        let store =
            Arc::new(Store::open(self.directory.path(), &StoreSettings::default()).unwrap());
        Auth::open(store, &self.config, self.clock.clone()).unwrap()
    }

    fn user(&self, email: &str) -> User {
        let new = NewAccount {
            email: Some(email),
            password: Some(PASSWORD),
            ..NewAccount::default()
        };
        self.auth.add_user(&new, &Actor::command_line()).unwrap()
    }

    fn key(&self, user: &User, scopes: Scopes, expires_at: Option<i64>) -> SecretToken {
        let actor = Actor::command_line();
        self.auth
            .create_api_key(user.id, &user.uid, "test", scopes, expires_at, &actor)
            .unwrap()
            .1
    }

    fn by_key(&self, token: &SecretToken) -> Option<Principal> {
        self.auth.by_api_key(token.reveal()).unwrap()
    }

    fn by_session(&self, token: &SecretToken) -> Option<Principal> {
        self.auth.by_session(token.reveal()).unwrap()
    }

    fn actions(&self) -> Vec<String> {
        let filter = AuditFilter {
            limit: 1_000,
            ..AuditFilter::default()
        };
        self.store
            .audit(&filter)
            .unwrap()
            .into_iter()
            .map(|row| row.action)
            .collect()
    }
}

fn visitor(address: &str) -> Visitor {
    Visitor {
        address: address.parse().unwrap(),
        agent: "a browser".to_owned(),
    }
}

#[test]
fn key_proves_its_account_until_it_expires() {
    let desk = Desk::new();
    let user = desk.user("a@example.org");
    let key = desk.key(
        &user,
        Scopes {
            read: true,
            write: false,
        },
        Some(NOW + 100),
    );
    let principal = desk.by_key(&key).unwrap();
    assert_eq!(
        (principal.account.uid.as_str(), principal.account.plan),
        (user.uid.as_str(), Plan::Free)
    );
    assert!(matches!(
        principal.credential,
        Credential::ApiKey {
            scopes: Scopes {
                read: true,
                write: false
            },
            ..
        }
    ));
    desk.clock.advance(99);
    assert!(desk.by_key(&key).is_some());
    desk.clock.advance(1);
    assert!(desk.by_key(&key).is_none());
    assert!(desk.by_session(&key).is_none());
    assert!(matches!(
        desk.auth.create_api_key(
            user.id,
            &user.uid,
            "x",
            Scopes::ALL,
            Some(NOW),
            &Actor::command_line()
        ),
        Err(AuthError::ExpiryPast)
    ));
}

#[test]
fn secret_key_is_not_stored() {
    let desk = Desk::new();
    let user = desk.user("a@example.org");
    let key = desk.key(&user, Scopes::ALL, None);
    let session = desk
        .auth
        .sign_in("a@example.org", PASSWORD, &visitor("192.0.2.1"))
        .unwrap();
    for entry in std::fs::read_dir(desk.directory.path()).unwrap() {
        let path = entry.unwrap().path();
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        for secret in [key.reveal(), session.reveal(), PASSWORD] {
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "{} holds a secret", path.display());
        }
    }
}

#[test]
fn revoked_credentials_are_rejected_by_every_process() {
    let desk = Desk::new();
    let actor = Actor::command_line();
    let user = desk.user("a@example.org");
    let (key, other) = (
        desk.key(&user, Scopes::ALL, None),
        desk.key(&user, Scopes::ALL, None),
    );
    let account = desk.by_key(&key).unwrap().account;
    let row = desk
        .auth
        .api_keys(user.id)
        .unwrap()
        .into_iter()
        .find(|row| key.reveal().starts_with(&row.prefix))
        .unwrap();
    assert!(
        desk.auth
            .revoke_api_key(&account, &row.uid, &actor)
            .unwrap()
    );
    assert!(desk.by_key(&key).is_none() && desk.by_key(&other).is_some());
    assert!(
        !desk
            .auth
            .revoke_api_key(&account, &row.uid, &actor)
            .unwrap()
    );

    let elsewhere = desk.other_process();
    elsewhere.set_plan(&user, Plan::Business, &actor).unwrap();
    assert_eq!(desk.by_key(&other).unwrap().account.plan, Plan::Business);
    elsewhere.set_disabled(&user, true, &actor).unwrap();
    assert!(desk.by_key(&other).is_none());
    elsewhere.set_disabled(&user, false, &actor).unwrap();
    assert!(desk.by_key(&other).is_some());
    elsewhere.delete_user(user.id, &user.uid, &actor).unwrap();
    assert!(desk.by_key(&other).is_none());
}

#[test]
fn other_accounts_key_and_session_cannot_be_ended() {
    let desk = Desk::new();
    let (a, b) = (desk.user("a@example.org"), desk.user("b@example.org"));
    let key = desk.key(&a, Scopes::ALL, None);
    let session = desk
        .auth
        .sign_in("a@example.org", PASSWORD, &visitor("192.0.2.1"))
        .unwrap();
    let stranger = desk.key(&b, Scopes::ALL, None);
    let stranger = desk.by_key(&stranger).unwrap().account;
    let actor = Actor::command_line();
    let (key_row, session_row) = (
        &desk.auth.api_keys(a.id).unwrap()[0],
        &desk.auth.sessions(a.id).unwrap()[0],
    );
    assert!(
        !desk
            .auth
            .revoke_api_key(&stranger, &key_row.uid, &actor)
            .unwrap()
    );
    assert!(
        !desk
            .auth
            .end_session(&stranger, &session_row.uid, &actor)
            .unwrap()
    );
    assert!(desk.by_key(&key).is_some() && desk.by_session(&session).is_some());
}

#[test]
fn uses_are_recorded_once_a_minute() {
    let desk = Desk::new();
    let user = desk.user("a@example.org");
    let key = desk.key(&user, Scopes::ALL, None);
    let used = || {
        desk.auth.flush().unwrap();
        desk.auth.api_keys(user.id).unwrap()[0].last_used_at
    };
    assert_eq!(used(), None);
    desk.by_key(&key);
    assert_eq!(used(), Some(NOW));
    desk.clock.advance(59);
    desk.by_key(&key);
    assert_eq!(used(), Some(NOW));
    desk.clock.advance(1);
    desk.by_key(&key);
    assert_eq!(used(), Some(NOW + 60));
}

#[test]
fn session_lasts_while_it_is_used() {
    let desk = Desk::with(|config| config.session.max_days = 3_650);
    desk.user("a@example.org");
    let session = desk
        .auth
        .sign_in(" A@Example.ORG ", PASSWORD, &visitor("192.0.2.1"))
        .unwrap();
    for _ in 0..10 {
        desk.clock.advance(29 * DAY);
        let principal = desk.by_session(&session).unwrap();
        assert!(matches!(
            principal.credential,
            Credential::Session { extended: true, .. }
        ));
        let again = desk.by_session(&session).unwrap();
        assert!(matches!(
            again.credential,
            Credential::Session {
                extended: false,
                ..
            }
        ));
        desk.auth.flush().unwrap();
    }
    desk.clock.advance(30 * DAY);
    assert!(desk.by_session(&session).is_none());
    desk.auth.flush().unwrap();
    assert!(desk.by_key(&session).is_none());
}

#[test]
fn session_has_absolute_expiry() {
    let desk = Desk::new();
    let user = desk.user("a@example.org");
    let here = visitor("192.0.2.1");
    let session = desk.auth.sign_in("a@example.org", PASSWORD, &here).unwrap();
    for _ in 0..89 {
        desk.clock.advance(DAY);
        assert!(desk.by_session(&session).is_some());
        desk.auth.flush().unwrap();
    }
    let end = NOW + 90 * DAY as i64;
    let rows = desk.auth.sessions(user.id).unwrap();
    assert_eq!(rows[0].expires_at, end);
    desk.clock.advance(DAY - 1);
    assert!(desk.by_session(&session).is_some());
    // A shorter time counts for the sessions that there are.
    let mut config = desk.config.clone();
    config.session.max_days = 80;
    let strict = Auth::open(Arc::clone(&desk.store), &config, desk.clock.clone()).unwrap();
    assert!(strict.by_session(session.reveal()).unwrap().is_none());
    desk.clock.advance(1);
    assert!(desk.by_session(&session).is_none());
}

#[test]
fn changing_the_password_ends_every_other_session() {
    let desk = Desk::new();
    desk.user("a@example.org");
    let here = visitor("192.0.2.1");
    let old = desk.auth.sign_in("a@example.org", PASSWORD, &here).unwrap();
    let account = desk.by_session(&old).unwrap().account;
    let wrong =
        desk.auth
            .change_password(&account, "not the password", "another long password", &here);
    assert!(matches!(wrong, Err(AuthError::WrongPassword)));
    let new = desk
        .auth
        .change_password(&account, PASSWORD, "another long password", &here)
        .unwrap();
    assert!(desk.by_session(&old).is_none() && desk.by_session(&new).is_some());
    assert!(desk.auth.sign_in("a@example.org", PASSWORD, &here).is_err());
    assert!(
        desk.auth
            .sign_in("a@example.org", "another long password", &here)
            .is_ok()
    );
}

#[test]
fn wrong_passwords_lock_only_their_address() {
    let desk = Desk::with(|config| config.auth.sign_in_attempts = 3);
    desk.user("a@example.org");
    let sign_in = |email: &str, password: &str, from: &str| {
        desk.auth.sign_in(email, password, &visitor(from))
    };
    let wrong = |email: &str, from: &str, count: u32| {
        let results = (0..count).map(|_| sign_in(email, "a wrong password", from));
        results
            .filter(|result| matches!(result, Err(AuthError::WrongPassword)))
            .count()
    };
    assert_eq!(wrong("a@example.org", "192.0.2.1", 9), 3);
    let waits = sign_in("A@example.org", PASSWORD, "192.0.2.1");
    assert!(
        matches!(
            waits,
            Err(AuthError::TooManyAttempts {
                retry_seconds: 1..=300
            })
        ),
        "{waits:?}"
    );
    assert!(sign_in("a@example.org", PASSWORD, "192.0.2.2").is_ok());
    // Over all accounts, whether they exist or not, an address has ten times as many.
    let accounts = (0..20).map(|n| format!("{n}@example.org"));
    let failed: usize = accounts.map(|email| wrong(&email, "192.0.2.1", 3)).sum();
    assert_eq!(failed, 27);
    // Many addresses that try one account have few attempts each, and the right password has one.
    for n in 0..40 {
        wrong("a@example.org", &format!("198.51.100.{n}"), 3);
    }
    assert_eq!(wrong("a@example.org", "203.0.113.1", 9), 2);
    assert!(sign_in("a@example.org", PASSWORD, "203.0.113.2").is_ok());
    desk.clock.advance(15 * 60);
    assert!(sign_in("a@example.org", PASSWORD, "192.0.2.1").is_ok());
}

#[test]
fn successful_sign_ins_are_not_counted() {
    let desk = Desk::with(|config| config.auth.sign_in_attempts = 1);
    let here = visitor("192.0.2.1");
    for n in 0..12 {
        let email = format!("{n}@example.org");
        desk.user(&email);
        for _ in 0..3 {
            assert!(desk.auth.sign_in(&email, PASSWORD, &here).is_ok());
        }
    }
    let session = desk.auth.sign_in("0@example.org", PASSWORD, &here).unwrap();
    let account = desk.by_session(&session).unwrap().account;
    for _ in 0..3 {
        desk.auth
            .change_password(&account, PASSWORD, PASSWORD, &here)
            .unwrap();
    }
    // Nor does making an account.
    assert!(
        desk.auth
            .sign_up_with_password("new@example.org", PASSWORD, &here)
            .is_ok()
    );
    assert!(
        desk.auth
            .sign_in("0@example.org", "a wrong password", &here)
            .is_err_and(|error| matches!(error, AuthError::WrongPassword))
    );
}

#[test]
fn disabled_account_cannot_sign_in() {
    let desk = Desk::new();
    let user = desk.user("a@example.org");
    let session = desk
        .auth
        .sign_in("a@example.org", PASSWORD, &visitor("192.0.2.1"))
        .unwrap();
    desk.auth
        .set_disabled(&user, true, &Actor::command_line())
        .unwrap();
    assert!(desk.by_session(&session).is_none());
    let refused = desk
        .auth
        .sign_in("a@example.org", PASSWORD, &visitor("192.0.2.1"));
    assert!(matches!(refused, Err(AuthError::Disabled)));
}

#[test]
fn one_address_is_one_account() {
    let desk = Desk::new();
    desk.user("a@example.org");
    let again = NewAccount {
        email: Some("A@EXAMPLE.org"),
        ..NewAccount::default()
    };
    assert!(matches!(
        desk.auth.add_user(&again, &Actor::command_line()),
        Err(AuthError::EmailTaken)
    ));
}

#[test]
fn accounts_are_created_as_configured() {
    let check = |sign_up: SignUp, open: bool| {
        let desk = Desk::with(|config| config.auth.sign_up = sign_up);
        let made =
            desk.auth
                .sign_up_with_password("a@example.org", PASSWORD, &visitor("192.0.2.1"));
        assert_eq!(made.is_ok(), open, "{sign_up:?}");
        // An invitation works whatever is configured, once.
        let token = desk
            .auth
            .make_invitation(None, Some(Plan::Academic), &Actor::command_line())
            .unwrap();
        let offer = desk.auth.link_offer(token.reveal()).unwrap();
        assert_eq!(offer, LinkOffer::Invitation { email: None });
        let enter = || {
            desk.auth.use_link(
                token.reveal(),
                "b@example.org",
                PASSWORD,
                &visitor("192.0.2.1"),
            )
        };
        let session = enter().unwrap();
        assert_eq!(
            desk.by_session(&session).unwrap().account.plan,
            Plan::Academic
        );
        assert!(matches!(enter(), Err(AuthError::LinkInvalid)));
    };
    check(SignUp::Open, true);
    check(SignUp::Invitation, false);
    check(SignUp::Closed, false);
}

#[test]
fn first_link_creates_one_account() {
    let desk = Desk::new();
    let stale = desk.auth.first_run_token().unwrap().unwrap();
    let token = desk.auth.first_run_token().unwrap().unwrap();
    assert!(matches!(
        desk.auth.link_offer(stale.reveal()),
        Err(AuthError::LinkInvalid)
    ));
    let short = desk.auth.use_link(
        token.reveal(),
        "a@example.org",
        "short",
        &visitor("192.0.2.1"),
    );
    assert!(matches!(short, Err(AuthError::Password(_))));
    let made: Vec<bool> = std::thread::scope(|scope| {
        let enter = |number: usize| {
            let (auth, token) = (&desk.auth, &token);
            scope.spawn(move || {
                let email = format!("{number}@example.org");
                auth.use_link(token.reveal(), &email, PASSWORD, &visitor("192.0.2.1"))
                    .is_ok()
            })
        };
        let threads: Vec<_> = (0..8).map(enter).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(made.iter().filter(|made| **made).count(), 1);
    assert!(desk.auth.first_run_token().unwrap().is_none());
    let first = desk.auth.store().users().unwrap().remove(0);
    assert_eq!(first.plan, Plan::Business);
    assert!(desk.auth.is_first_operator(&first.uid));
    assert_eq!(desk.auth.store().first_operator().unwrap(), Some(first.uid));
}

#[test]
fn link_expires() {
    let desk = Desk::new();
    let user = desk.user("a@example.org");
    let token = desk
        .auth
        .make_sign_in_link(&user, &Actor::command_line())
        .unwrap();
    desk.clock.advance(60 * 60);
    assert!(matches!(
        desk.auth.link_offer(token.reveal()),
        Err(AuthError::LinkInvalid)
    ));
    let token = desk
        .auth
        .make_sign_in_link(&user, &Actor::command_line())
        .unwrap();
    let session = desk
        .auth
        .use_link(
            token.reveal(),
            "",
            "a new long password",
            &visitor("192.0.2.1"),
        )
        .unwrap();
    assert_eq!(desk.by_session(&session).unwrap().account.id, user.id);
    assert!(
        desk.auth
            .sign_in(
                "a@example.org",
                "a new long password",
                &visitor("192.0.2.1")
            )
            .is_ok()
    );
}

#[test]
fn audit_log_is_complete_and_append_only() {
    let desk = Desk::new();
    let actor = Actor::command_line();
    let user = desk.user("a@example.org");
    let key = desk.key(&user, Scopes::ALL, None);
    let account = desk.by_key(&key).unwrap().account;
    let here = visitor("192.0.2.1");
    let session = desk.auth.sign_in("a@example.org", PASSWORD, &here).unwrap();
    let _ = desk
        .auth
        .sign_in("a@example.org", "a wrong password", &here);
    desk.auth
        .sign_out(&desk.by_session(&session).unwrap(), here.address)
        .unwrap();
    desk.auth.set_plan(&user, Plan::Academic, &actor).unwrap();
    let key_id = desk.auth.api_keys(user.id).unwrap()[0].uid.clone();
    desk.auth.revoke_api_key(&account, &key_id, &actor).unwrap();
    desk.auth.delete_user(user.id, &user.uid, &actor).unwrap();
    let expected = [
        "user.create",
        "api_key.create",
        "sign_in",
        "sign_in.failed",
        "sign_out",
        "user.plan",
        "api_key.revoke",
        "user.delete",
    ];
    assert_eq!(desk.actions(), expected);
    let all = AuditFilter {
        limit: 100,
        account: Some(user.uid.clone()),
        ..AuditFilter::default()
    };
    let rows = desk.store.audit(&all).unwrap();
    assert_eq!(rows.len(), expected.len());
    assert_eq!(rows[2].address.as_deref(), Some("192.0.2.1"));
    assert_eq!(rows[5].details, "from=Free to=Academic");
    assert!(
        rows.iter()
            .all(|row| !format!("{row:?}").contains("example.org"))
    );

    let connection = rusqlite::Connection::open(desk.directory.path().join("citation.db")).unwrap();
    for statement in [
        "UPDATE audit SET actor = 'nobody'",
        "DELETE FROM audit",
        "INSERT OR REPLACE INTO audit (id, at, actor, action, details) VALUES (1, 0, '', '', '')",
    ] {
        let refused = connection.execute(statement, []).unwrap_err().to_string();
        assert!(refused.contains("append-only"), "{statement}: {refused}");
    }
}

#[test]
fn account_export_contains_no_secrets() {
    let desk = Desk::new();
    let user = desk.user("a@example.org");
    let key = desk.key(&user, Scopes::ALL, None);
    let account = desk.by_key(&key).unwrap().account;
    let everything = desk.auth.export(&account).unwrap();
    assert_eq!(everything["account"]["email"], "a@example.org");
    assert_eq!(everything["api_keys"][0]["name"], "test");
    assert_eq!(everything["history"][0]["action"], "user.create");
    let text = everything.to_string();
    assert!(!text.contains(key.reveal()) && !text.contains("argon2"));
}

/// A desk whose people sign in through a stand-in provider.
fn desk_with_provider() -> (Desk, IdentityProvider) {
    desk_with_groups(|_| {})
}

fn desk_with_groups(change: impl FnOnce(&mut IssuerSettings)) -> (Desk, IdentityProvider) {
    let provider = IdentityProvider::start(NOW);
    let mut issuer = provider.settings();
    change(&mut issuer);
    (
        Desk::with(|config| config.auth.oidc = vec![issuer]),
        provider,
    )
}

const REDIRECT: &str = "http://127.0.0.1:8080/auth/callback";

/// What a browser brings back from a provider that agreed.
fn callback<'b>(redirect: &'b ProviderRedirect, back: &'b HashMap<String, String>) -> Callback<'b> {
    Callback {
        cookie: Some(&redirect.cookie),
        state: Some(&back["state"]),
        code: Some(&back["code"]),
        error: None,
        issuer: None,
        redirect_uri: REDIRECT,
    }
}

impl Desk {
    fn depart(&self) -> ProviderRedirect {
        self.auth
            .authorization_redirect("university", "/c/7", None, REDIRECT)
            .unwrap()
    }

    /// Comes back from the provider with what it gave, in the browser that has the cookie.
    fn arrive(&self, cookie: Option<&str>, state: &str, code: &str) -> Result<String, OidcError> {
        let callback = Callback {
            cookie,
            state: Some(state),
            code: Some(code),
            error: None,
            issuer: None,
            redirect_uri: REDIRECT,
        };
        match self.auth.complete_sign_in(&callback) {
            Ok(arrival) => {
                assert_eq!(arrival.return_to, "/c/7");
                Ok(arrival.person.identity.email.unwrap_or_default())
            }
            Err(AuthError::Oidc(error)) => Err(error),
            Err(other) => panic!("{other}"),
        }
    }

    /// Whom the provider vouches for.
    fn person(&self, provider: &IdentityProvider) -> AuthenticatedPerson {
        let redirect = self.depart();
        let back = provider.agree(&redirect.location);
        let arrival = self.auth.complete_sign_in(&callback(&redirect, &back));
        arrival.unwrap().person
    }

    /// A whole sign-in.
    fn sign_in_through(&self, provider: &IdentityProvider) -> Result<String, OidcError> {
        let redirect = self.depart();
        let back = provider.agree(&redirect.location);
        self.arrive(Some(&redirect.cookie), &back["state"], &back["code"])
    }
}

#[test]
fn user_signs_in_through_a_provider() {
    let (desk, provider) = desk_with_provider();
    assert_eq!(
        desk.sign_in_through(&provider),
        Ok("alice@example.org".to_owned())
    );
    assert_eq!(
        desk.sign_in_through(&provider),
        Ok("alice@example.org".to_owned())
    );
    // What the provider says of itself and its keys is remembered.
    assert_eq!(provider.requests("/.well-known/openid-configuration"), 1);
    assert_eq!(provider.requests("/keys"), 1);
}

#[test]
fn callback_is_bound_to_its_browser_and_used_once() {
    let (desk, provider) = desk_with_provider();
    provider.set(|faults| faults.careless = true);
    let redirect = desk.depart();
    let back = provider.agree(&redirect.location);
    let (state, code) = (back["state"].as_str(), back["code"].as_str());
    assert_eq!(desk.arrive(None, state, code), Err(OidcError::NotBegun));
    assert_eq!(
        desk.arrive(Some("nonsense"), state, code),
        Err(OidcError::NotBegun)
    );
    assert_eq!(
        desk.arrive(Some(&redirect.cookie), "", code),
        Err(OidcError::WrongState)
    );
    assert_eq!(
        desk.arrive(Some(&redirect.cookie), "forged", code),
        Err(OidcError::WrongState)
    );
    // Another browser's cookie.
    let other = desk.depart();
    assert_eq!(
        desk.arrive(Some(&other.cookie), state, code),
        Err(OidcError::WrongState)
    );
    assert!(desk.arrive(Some(&redirect.cookie), state, code).is_ok());
    // Even where the provider would take the code again.
    assert_eq!(
        desk.arrive(Some(&redirect.cookie), state, code),
        Err(OidcError::Used)
    );
}

#[test]
fn authorization_code_is_bound_to_its_verifier() {
    let (desk, provider) = desk_with_provider();
    let (mine, theirs) = (desk.depart(), desk.depart());
    provider.agree(&mine.location);
    let stolen = provider.agree(&theirs.location)["code"].clone();
    let state = read_form(mine.location.split_once('?').unwrap().1)["state"].clone();
    let refused = desk.arrive(Some(&mine.cookie), &state, &stolen);
    assert_eq!(refused, Err(OidcError::Refused("invalid_grant".to_owned())));
}

#[test]
fn provider_sign_in_expires_after_ten_minutes() {
    let (desk, provider) = desk_with_provider();
    let redirect = desk.depart();
    let back = provider.agree(&redirect.location);
    desk.clock.advance(600);
    assert_eq!(
        desk.arrive(Some(&redirect.cookie), &back["state"], &back["code"]),
        Err(OidcError::NotBegun)
    );
}

#[test]
fn invalid_tokens_are_rejected() {
    let (desk, provider) = desk_with_provider();
    let faults: [fn(&mut Faults); 9] = [
        |faults| faults.nonce = Some("another"),
        |faults| faults.audience = Some("another"),
        |faults| faults.issuer = Some("https://another.example"),
        |faults| faults.age = 361,
        |faults| faults.age = -120,
        |faults| faults.foreign_key = true,
        |faults| faults.unsigned = true,
        |faults| faults.garbage = true,
        |faults| (faults.no_email_in_token, faults.other_user_info) = (true, true),
    ];
    for (fault, change) in faults.into_iter().enumerate() {
        provider.set(change);
        let refused = desk.sign_in_through(&provider);
        assert!(
            matches!(refused, Err(OidcError::Untrusted(_))),
            "{fault}: {refused:?}"
        );
    }
    provider.set(|_| {});
    assert!(desk.sign_in_through(&provider).is_ok());
}

#[test]
fn email_is_taken_from_user_info_if_verified() {
    let (desk, provider) = desk_with_provider();
    provider.set(|faults| faults.no_email_in_token = true);
    assert_eq!(
        desk.sign_in_through(&provider),
        Ok("alice@example.org".to_owned())
    );
    for claim in ["", "false", "null", "1", "\"true\"", "[true]"] {
        provider.set(|faults| faults.email_verified = Some(claim));
        assert_eq!(
            desk.sign_in_through(&provider),
            Ok(String::new()),
            "{claim}"
        );
    }
}

#[test]
fn subjects_are_not_blank_and_differ_in_any_character() {
    let (desk, provider) = desk_with_provider();
    for blank in ["", " ", "\t\u{a0}"] {
        provider.person(blank, "alice@example.org");
        let refused = desk.sign_in_through(&provider);
        assert!(
            matches!(refused, Err(OidcError::Untrusted(_))),
            "{refused:?}"
        );
    }
    let subjects = ["alice", "alice ", "Alice"].map(|subject| {
        provider.person(subject, "alice@example.org");
        desk.person(&provider).identity.subject
    });
    assert_eq!(subjects, ["alice", "alice ", "Alice"]);
}

#[test]
fn rotated_key_is_fetched_at_a_limited_rate() {
    let (desk, provider) = desk_with_provider();
    let move_on = |seconds| {
        desk.clock.advance(seconds);
        provider.set_time(desk.clock.unix());
    };
    assert!(desk.sign_in_through(&provider).is_ok());
    provider.rotate_key();
    // Unknown keys make us ask once a minute, so that nobody can make us ask all the time.
    assert!(desk.sign_in_through(&provider).is_err());
    assert_eq!(provider.requests("/keys"), 1);
    move_on(60);
    assert!(desk.sign_in_through(&provider).is_ok());
    assert_eq!(provider.requests("/keys"), 2);
    assert!(desk.sign_in_through(&provider).is_ok());
    assert_eq!(provider.requests("/keys"), 2);
}

#[test]
fn unavailable_provider_is_reported() {
    let (desk, provider) = desk_with_provider();
    provider.set(|faults| faults.down = true);
    let redirect = desk
        .auth
        .authorization_redirect("university", "/", None, REDIRECT);
    assert!(matches!(
        redirect,
        Err(AuthError::Oidc(OidcError::Unreachable(_)))
    ));
    provider.set(|_| {});
    let redirect = desk.depart();
    let back = provider.agree(&redirect.location);
    provider.set(|faults| faults.down = true);
    let failed = desk.arrive(Some(&redirect.cookie), &back["state"], &back["code"]);
    assert!(
        matches!(failed, Err(OidcError::Unreachable(_))),
        "{failed:?}"
    );
    provider.set(|_| {});
    assert!(desk.sign_in_through(&provider).is_ok());
    assert!(matches!(
        desk.auth
            .authorization_redirect("nowhere", "/", None, REDIRECT),
        Err(AuthError::Oidc(OidcError::UnknownIssuer))
    ));
}

#[test]
fn identity_never_takes_over_account_by_email() {
    let (desk, provider) = desk_with_provider();
    let here = visitor("192.0.2.1");
    let user = desk.user("alice@example.org");
    let alice = desk.person(&provider);
    assert!(matches!(
        desk.auth.sign_in_person(&alice, &here),
        Err(AuthError::EmailTaken)
    ));
    // Its owner may let it in.
    let session = desk
        .auth
        .sign_in("alice@example.org", PASSWORD, &here)
        .unwrap();
    let account = desk.by_session(&session).unwrap().account;
    desk.auth
        .link_person(&account, &alice, &Actor::user(&user.uid, here.address))
        .unwrap();
    let auth = &desk.auth;
    let session = auth.sign_in_person(&desk.person(&provider), &here).unwrap();
    assert_eq!(desk.by_session(&session).unwrap().account.id, user.id);
    // Somebody new gets an account of their own, and finds it again.
    provider.person("bob", "bob@example.org");
    let bob = desk.person(&provider);
    let ids: Vec<i64> = (0..2)
        .map(|_| desk.auth.sign_in_person(&bob, &here).unwrap())
        .map(|session| desk.by_session(&session).unwrap().account.id)
        .collect();
    assert!(ids[0] != user.id && ids[0] == ids[1]);
    // The identity of one account is not linked to another.
    let taken = desk
        .auth
        .link_person(&account, &bob, &Actor::user(&user.uid, here.address));
    assert!(matches!(taken, Err(AuthError::IdentityTaken)));
}

#[test]
fn groups_set_plan_and_operator_at_each_sign_in() {
    let (desk, provider) = desk_with_groups(|issuer| {
        issuer.operator_groups = vec!["Library Staff".to_owned()];
        issuer.business_groups = vec!["lab".to_owned()];
    });
    let here = visitor("192.0.2.1");
    let check = |groups: serde_json::Value, plan: Plan, is_operator: bool| {
        provider.groups(groups);
        let person = desk.person(&provider);
        let session = desk.auth.sign_in_person(&person, &here).unwrap();
        let account = desk.by_session(&session).unwrap().account;
        assert_eq!(account.plan, plan);
        assert_eq!(desk.auth.is_operator(&account.uid), is_operator);
        assert_eq!(desk.other_process().is_operator(&account.uid), is_operator);
        account.uid.clone()
    };
    let uid = check(json!(["lab", "Library Staff"]), Plan::Business, true);
    check(json!(["lab"]), Plan::Business, false);
    check(json!("Library Staff"), Plan::Free, true);
    check(json!(null), Plan::Free, false);
    let filter = AuditFilter {
        limit: 100,
        ..AuditFilter::default()
    };
    let rows = desk.store.audit(&filter).unwrap();
    let actions: Vec<String> = { rows.iter() }
        .filter(|row| row.subject.as_deref() == Some(&uid) && row.actor == "server")
        .map(|row| format!("{} {}", row.action, row.details))
        .collect();
    assert_eq!(actions.len(), 6, "{actions:?}");
    // Groups that only the user info has are asked for.
    provider.set(|faults| faults.no_email_in_token = true);
    check(json!(["lab"]), Plan::Business, false);
}

/// The roles of an account in collections, oldest first.
fn roles(store: &Store, user: i64) -> Vec<(String, Role)> {
    let rows = store.view_collections(|view| view.granted_collections(user));
    let rows: Vec<CollectionRow> = rows.unwrap();
    { rows.into_iter() }
        .map(|row| (row.name, row.role))
        .collect()
}

#[test]
fn configured_groups_have_roles_as_long_as_the_claim_and_the_configuration_say() {
    let (mut desk, provider) = desk_with_groups(|_| {});
    let owner = desk.user("owner@example.org");
    let clock = desk.clock.clone();
    let collections = Collections::new(
        Arc::clone(&desk.store),
        &desk.config.limits,
        &desk.config.sharing,
        Plans::new(&desk.config.quota, &desk.config.limits),
        clock.clone(),
    );
    let create = |name: &str| {
        let new = NewCollection {
            name: name.to_owned(),
            ..NewCollection::default()
        };
        let terms = collections.owner(owner.id, Plan::Business);
        let made: Result<_, CollectionError> =
            collections.write(terms, &Precondition::default(), |change| {
                change.create(&new)
            });
        made.unwrap()
    };
    let (first, second, other) = (create("First"), create("Second"), create("Other"));
    let group = |claim: &str, role, of: &[&CollectionRow]| ClaimedGroupSettings {
        provider: "university".to_owned(),
        claim: claim.to_owned(),
        name: "Cataloguers".to_owned(),
        role,
        collections: of.iter().map(|row| row.uid.clone()).collect(),
    };
    let restart = |desk: &mut Desk, groups: Vec<ClaimedGroupSettings>| {
        desk.config.auth.groups = groups;
        desk.auth = Auth::open(Arc::clone(&desk.store), &desk.config, clock.clone()).unwrap();
        desk.auth.apply_group_settings().unwrap();
    };
    let sign_in = |desk: &Desk, subject: &str, groups: serde_json::Value| {
        let person = provider.vouch(&desk.auth, subject, groups);
        let session = desk.auth.sign_in_person(&person, &visitor("192.0.2.1"));
        desk.by_session(&session.unwrap()).unwrap().account.id
    };
    let named = |name: &str, role| (name.to_owned(), role);

    let both = [&first, &second];
    restart(
        &mut desk,
        vec![
            group("lab", ClaimedRole::Editor, &both),
            group("guests", ClaimedRole::Reader, &[&second, &other]),
        ],
    );
    let version = |row: &CollectionRow| {
        let found = desk
            .store
            .view_collections(|view| view.collection_by_id(row.id));
        let found: Result<CollectionRow, StoreError> = found;
        found.unwrap().version
    };
    let before = version(&first);
    let alice = sign_in(&desk, "alice", json!(["lab", "unnamed"]));
    let editor = [named("First", Role::Editor), named("Second", Role::Editor)];
    assert_eq!(roles(&desk.store, alice), editor);
    // The role is a change of the collection; a sign-in that changes nothing is none.
    assert_eq!(version(&first), before + 1);
    sign_in(&desk, "alice", json!(["lab"]));
    assert_eq!(version(&first), before + 1);
    // The higher of two roles counts.
    sign_in(&desk, "alice", json!(["lab", "guests"]));
    let all = [&editor[..], &[named("Other", Role::Reader)]].concat();
    assert_eq!(roles(&desk.store, alice), all);
    // Another person of the same group.
    let bob = sign_in(&desk, "bob", json!("guests"));
    let reader = [named("Second", Role::Reader), named("Other", Role::Reader)];
    assert_eq!(roles(&desk.store, bob), reader);

    // Leaving the claim ends the role of the one who leaves.
    sign_in(&desk, "alice", json!(["guests"]));
    assert_eq!(roles(&desk.store, alice), reader);
    sign_in(&desk, "alice", json!(null));
    assert_eq!(roles(&desk.store, alice), []);
    assert_eq!(roles(&desk.store, bob), reader);

    // The configuration takes a collection out, and gives another role.
    sign_in(&desk, "alice", json!(["lab"]));
    restart(
        &mut desk,
        vec![
            group("lab", ClaimedRole::Reader, &[&second]),
            group("guests", ClaimedRole::Reader, &[]),
        ],
    );
    assert_eq!(roles(&desk.store, alice), [named("Second", Role::Reader)]);
    assert_eq!(roles(&desk.store, bob), []);
    // A role that the owner has given stays.
    let by_hand: Result<(), StoreError> = desk.store.edit_collections(|edit| {
        let groups = edit.groups(alice)?;
        edit.set_group_role(other.id, groups[0].id, Some(Role::Editor))
    });
    by_hand.unwrap();
    restart(&mut desk, vec![group("lab", ClaimedRole::Reader, &[])]);
    assert_eq!(roles(&desk.store, alice), [named("Other", Role::Editor)]);
    // A group that is named nowhere has no members.
    restart(&mut desk, Vec::new());
    assert_eq!(roles(&desk.store, alice), []);
}

#[test]
fn unlinked_identity_ends_the_memberships_of_its_groups() {
    let (desk, provider) = desk_with_groups(|issuer| issuer.shared_groups = vec!["lab".to_owned()]);
    let user = desk.user("owner@example.org");
    let person = provider.vouch(&desk.auth, "alice", json!(["lab"]));
    let key = desk.key(&user, Scopes::ALL, None);
    let account = desk.by_key(&key).unwrap().account;
    let actor = Actor::user(&user.uid, visitor("192.0.2.1").address);
    desk.auth.link_person(&account, &person, &actor).unwrap();
    let session = desk.auth.sign_in_person(&person, &visitor("192.0.2.1"));
    let session = desk.by_session(&session.unwrap()).unwrap();
    let groups = || -> usize {
        let groups: Result<_, StoreError> =
            desk.store.view_collections(|view| view.groups(user.id));
        groups.unwrap().len()
    };
    assert_eq!(groups(), 1);
    let identity = desk.auth.identities(user.id).unwrap().remove(0).uid;
    let keep = number(&session);
    let unlinked = desk.auth.unlink_identity(&account, &identity, keep, &actor);
    unlinked.unwrap();
    assert_eq!(groups(), 0);
}

#[test]
fn plan_is_unchanged_without_plan_groups() {
    let (desk, provider) = desk_with_provider();
    provider.groups(json!(["lab"]));
    let person = desk.person(&provider);
    let auth = &desk.auth;
    let session = auth.sign_in_person(&person, &visitor("192.0.2.1")).unwrap();
    let account = desk.by_session(&session).unwrap().account;
    let user = desk.store.user(account.id).unwrap().unwrap();
    let actor = Actor::command_line();
    desk.auth.set_plan(&user, Plan::Academic, &actor).unwrap();
    let session = desk
        .auth
        .sign_in_person(&person, &visitor("192.0.2.1"))
        .unwrap();
    let account = desk.by_session(&session).unwrap().account;
    assert_eq!(account.plan, Plan::Academic);
}

/// The number of a session.
fn number(session: &Principal) -> i64 {
    match session.credential {
        Credential::Session { id, .. } => id,
        Credential::ApiKey { .. } | Credential::AccessToken { .. } | Credential::Server => {
            panic!("not a session")
        }
    }
}

#[test]
fn identity_is_linked_only_in_its_own_session() {
    let (desk, provider) = desk_with_provider();
    let here = visitor("192.0.2.1");
    desk.user("a@example.org");
    let sign_in = || {
        let session = desk.auth.sign_in("a@example.org", PASSWORD, &here).unwrap();
        number(&desk.by_session(&session).unwrap())
    };
    let (here, there) = (sign_in(), sign_in());
    let redirect = desk
        .auth
        .authorization_redirect("university", "/account", Some(here), REDIRECT)
        .unwrap();
    let back = provider.agree(&redirect.location);
    let arrival = desk.auth.complete_sign_in(&callback(&redirect, &back));
    let arrival = arrival.unwrap();
    let link = arrival.link.unwrap();
    let keep = |session, link: &str| {
        desk.auth
            .keep_for_link(session, link, arrival.person.clone())
    };
    for (session, link) in [(None, &*link), (Some(there), &*link), (Some(here), "other")] {
        assert_eq!(keep(session, link), Err(OidcError::NotBegun));
    }
    assert_eq!(keep(Some(here), &link), Ok(()));
    assert!(desk.auth.kept_for_link(there).is_none());
    let (waiting, person) = desk.auth.kept_for_link(here).unwrap();
    assert_eq!((&waiting, &person), (&link, &arrival.person));
    assert!(desk.auth.take_for_link(there, &link).is_none());
    desk.clock.advance(600);
    assert!(desk.auth.take_for_link(here, &link).is_none());
}

#[test]
fn last_identity_cannot_be_unlinked() {
    let (desk, provider) = desk_with_provider();
    let here = visitor("192.0.2.1");
    let actor = Actor::command_line();
    let alice = desk.person(&provider);
    let (first, second) = (
        desk.auth.sign_in_person(&alice, &here).unwrap(),
        desk.auth.sign_in_person(&alice, &here).unwrap(),
    );
    let principal = desk.by_session(&first).unwrap();
    let account = &principal.account;
    let rows = || desk.auth.identities(account.id).unwrap();
    let unlink = |uid: &str| {
        desk.auth
            .unlink_identity(account, uid, number(&principal), &actor)
    };
    let linked = rows().remove(0);
    assert_eq!(linked.identity, alice.identity);
    assert_eq!(linked.linked_at, NOW);
    assert!(matches!(unlink(&linked.uid), Err(AuthError::LastWayIn)));
    // What signs in at a provider that is not configured any more is no way in.
    let mut gone = alice.clone();
    gone.identity.issuer = "https://gone.example.org".to_owned();
    desk.auth.link_person(account, &gone, &actor).unwrap();
    assert!(matches!(unlink(&linked.uid), Err(AuthError::LastWayIn)));
    let gone = rows()
        .into_iter()
        .find(|row| row.uid != linked.uid)
        .unwrap();
    assert!(unlink(&gone.uid).unwrap() && !unlink(&gone.uid).unwrap());
    desk.auth
        .set_password(account.id, &account.uid, PASSWORD, &actor)
        .unwrap();
    assert!(desk.by_session(&first).is_none() && desk.by_session(&second).is_none());
    let (first, second) = (
        desk.auth.sign_in_person(&alice, &here).unwrap(),
        desk.auth.sign_in_person(&alice, &here).unwrap(),
    );
    let keep = number(&desk.by_session(&first).unwrap());
    let stranger = desk.user("b@example.org");
    let key = desk.key(&stranger, Scopes::ALL, None);
    let stranger = desk.by_key(&key).unwrap().account;
    let by_stranger = desk
        .auth
        .unlink_identity(&stranger, &linked.uid, keep, &actor);
    assert!(!by_stranger.unwrap());
    let by_owner = desk
        .auth
        .unlink_identity(account, &linked.uid, keep, &actor);
    assert!(by_owner.unwrap() && rows().is_empty());
    assert!(desk.by_session(&first).is_some() && desk.by_session(&second).is_none());
    assert!(matches!(
        desk.auth.sign_in_person(&alice, &here),
        Err(AuthError::EmailTaken)
    ));
}

#[test]
fn reset_revokes_every_credential() {
    let (desk, provider) = desk_with_provider();
    let here = visitor("192.0.2.1");
    let actor = Actor::command_line();
    let user = desk.user("a@example.org");
    let other = desk.user("b@example.org");
    let key = desk.key(&user, Scopes::ALL, None);
    let kept = desk.key(&other, Scopes::ALL, None);
    let session = desk.auth.sign_in("a@example.org", PASSWORD, &here).unwrap();
    let account = desk.by_session(&session).unwrap().account;
    let alice = desk.person(&provider);
    desk.auth.link_person(&account, &alice, &actor).unwrap();
    let stale = desk.auth.make_sign_in_link(&user, &actor).unwrap();

    let (link, ended) = desk.other_process().reset_user(&user, &actor).unwrap();
    assert_eq!(
        (
            ended.sessions,
            ended.api_keys,
            ended.identities,
            ended.links
        ),
        (1, 1, 1, 1)
    );
    assert!(desk.by_session(&session).is_none() && desk.by_key(&key).is_none());
    assert!(desk.auth.sign_in("a@example.org", PASSWORD, &here).is_err());
    assert!(matches!(
        desk.auth.link_offer(stale.reveal()),
        Err(AuthError::LinkInvalid)
    ));
    assert!(desk.auth.identities(user.id).unwrap().is_empty());
    assert!(desk.by_key(&kept).is_some());
    let session = desk
        .auth
        .use_link(link.reveal(), "", "a new long password", &here)
        .unwrap();
    assert_eq!(desk.by_session(&session).unwrap().account.id, user.id);
    let filter = AuditFilter {
        action: Some("user.reset".to_owned()),
        limit: 10,
        ..AuditFilter::default()
    };
    let rows = desk.store.audit(&filter).unwrap();
    assert_eq!(
        rows[0].details,
        "sessions=1 api_keys=1 programs=0 identities=1 links=1"
    );
}

#[test]
fn new_password_ends_unused_links() {
    let desk = Desk::new();
    let here = visitor("192.0.2.1");
    let user = desk.user("a@example.org");
    let stale = desk
        .auth
        .make_sign_in_link(&user, &Actor::command_line())
        .unwrap();
    let session = desk.auth.sign_in("a@example.org", PASSWORD, &here).unwrap();
    let account = desk.by_session(&session).unwrap().account;
    desk.auth
        .change_password(&account, PASSWORD, "another long password", &here)
        .unwrap();
    let used = desk
        .auth
        .use_link(stale.reveal(), "", "a third long password", &here);
    assert!(matches!(used, Err(AuthError::LinkInvalid)));
}

#[test]
fn link_of_a_disabled_account_is_rejected() {
    let desk = Desk::new();
    let here = visitor("192.0.2.1");
    let actor = Actor::command_line();
    let user = desk.user("a@example.org");
    let link = desk.auth.make_sign_in_link(&user, &actor).unwrap();
    let enter = || {
        desk.auth
            .use_link(link.reveal(), "", "a new long password", &here)
    };
    desk.auth.set_disabled(&user, true, &actor).unwrap();
    assert!(matches!(enter(), Err(AuthError::Disabled)));
    desk.auth.set_disabled(&user, false, &actor).unwrap();
    // The refusal changed nothing.
    assert!(desk.auth.sign_in("a@example.org", PASSWORD, &here).is_ok());
    assert!(enter().is_ok());
}

#[test]
fn provider_refusal_is_reported() {
    let (desk, _provider) = desk_with_provider();
    let redirect = desk.depart();
    let state = read_form(redirect.location.split_once('?').unwrap().1)["state"].clone();
    let callback = Callback {
        cookie: Some(&redirect.cookie),
        state: Some(&state),
        code: None,
        error: Some("access_denied<script>"),
        issuer: None,
        redirect_uri: REDIRECT,
    };
    let Err(AuthError::Oidc(OidcError::Refused(error))) = desk.auth.complete_sign_in(&callback)
    else {
        panic!("not refused")
    };
    assert_eq!(error, "access_denied<script>");
    let wrong = Callback {
        issuer: Some("https://evil.example"),
        ..callback
    };
    assert!(desk.auth.complete_sign_in(&wrong).is_err());
}

#[test]
fn sign_out_redirects_to_provider_if_supported() {
    let (desk, provider) = desk_with_provider();
    let url = desk
        .auth
        .provider_sign_out(&provider.issuer, "http://127.0.0.1:8080/")
        .unwrap();
    assert!(
        url.starts_with(&format!(
            "{}/end?client_id=citation&post_logout_redirect_uri=",
            provider.issuer
        )),
        "{url}"
    );
    assert_eq!(desk.auth.provider_sign_out("password", "/"), None);
}
