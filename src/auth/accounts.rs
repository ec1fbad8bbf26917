//! Changes to accounts and their keys, by their owners and by the operator. Every change is recorded in
//! the audit log.

use serde_json::{Value, json};

use super::principal::{Account, Scopes};
use super::token::{SecretToken, TokenKind};
use super::{Auth, AuthError};
use crate::clock;
use crate::store::api_keys::{ApiKeyRow, NewApiKeyRow, Repeatable};
use crate::store::audit::{AuditFilter, Event};
use crate::store::sessions::{LinkPurpose, SessionRow};
use crate::store::users::{
    Identity, IdentityRow, NewUser, ResetCounts, Unlinked, User, UserChange,
};
use crate::store::{Store, StoreError};
use citation_model::inert::is_invisible;
use citation_model::plan::Plan;

/// The actor of a change, and the request's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    name: String,
    address: Option<String>,
}

impl Actor {
    /// The operator, on the command line.
    pub fn command_line() -> Actor {
        Actor {
            name: "command line".to_owned(),
            address: None,
        }
    }

    /// The program itself.
    pub fn server() -> Actor {
        Actor {
            name: "server".to_owned(),
            address: None,
        }
    }

    /// An anonymous actor.
    pub fn anonymous(address: std::net::IpAddr) -> Actor {
        Actor {
            name: "anonymous".to_owned(),
            address: Some(address.to_string()),
        }
    }

    /// The owner of an account.
    pub fn user(uid: &str, address: std::net::IpAddr) -> Actor {
        Actor {
            name: format!("user:{uid}"),
            address: Some(address.to_string()),
        }
    }

    pub(super) fn event(&self, at: i64, action: &'static str, subject: &str) -> Event {
        let event = Event::new(at, self.name.clone(), action).about(subject);
        match &self.address {
            Some(address) => event.from_address(address.clone()),
            None => event,
        }
    }
}

/// An account to create.
#[derive(Clone, Debug, Default)]
pub struct NewAccount<'a> {
    pub email: Option<&'a str>,
    pub name: Option<&'a str>,
    /// `None`: the configured plan of new accounts.
    pub plan: Option<Plan>,
    /// `None`: no password until the owner sets one through a link.
    pub password: Option<&'a str>,
    pub identity: Option<Identity>,
}

/// Maximum characters of names of people and keys.
const NAME_CHARS: usize = 200;

/// Maximum characters of an e-mail address (RFC 5321, section 4.5.3.1).
const EMAIL_CHARS: usize = 254;

impl Auth {
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Creates an account.
    pub fn add_user(&self, new: &NewAccount<'_>, actor: &Actor) -> Result<User, AuthError> {
        let new = self.new_user(new)?;
        let event = self
            .event(actor, "user.create", &new.uid)
            .with(format!("plan={}", new.plan));
        self.store.add_user(&new, &event).map_err(taken)
    }

    /// Creates the very first account; `None` if there is one.
    pub(super) fn add_first_user(
        &self,
        new: &NewAccount<'_>,
        actor: &Actor,
    ) -> Result<Option<User>, AuthError> {
        let new = self.new_user(new)?;
        let event = self
            .event(actor, "user.create", &new.uid)
            .with("first account");
        self.store.add_first_user(&new, &event).map_err(taken)
    }

    /// Validates and completes an account before it is stored.
    fn new_user(&self, new: &NewAccount<'_>) -> Result<NewUser, AuthError> {
        Ok(NewUser {
            uid: uuid::Uuid::new_v4().to_string(),
            email: new.email.map(check_email).transpose()?,
            name: new.name.map(check_name).transpose()?,
            plan: new.plan.unwrap_or(self.settings.new_plan),
            password: new
                .password
                .map(|password| self.passwords.hash(password))
                .transpose()?,
            identity: new.identity.clone(),
        })
    }

    pub fn set_plan(&self, user: &User, plan: Plan, actor: &Actor) -> Result<(), AuthError> {
        let event = self
            .event(actor, "user.plan", &user.uid)
            .with(format!("from={} to={plan}", user.plan));
        self.change(user.id, &UserChange::Plan(plan), &event)
    }

    /// Disables or enables an account: a disabled one cannot sign in, and its keys are rejected.
    pub fn set_disabled(
        &self,
        user: &User,
        disabled: bool,
        actor: &Actor,
    ) -> Result<(), AuthError> {
        let action = if disabled {
            "user.disable"
        } else {
            "user.enable"
        };
        let event = self.event(actor, action, &user.uid);
        let at = disabled.then_some(event.at);
        self.change(user.id, &UserChange::Disabled(at), &event)
    }

    /// Sets a password and ends all sessions and unused links of the account.
    pub fn set_password(
        &self,
        user: i64,
        uid: &str,
        password: &str,
        actor: &Actor,
    ) -> Result<User, AuthError> {
        let hash = self.passwords.hash(password)?;
        let event = self.event(actor, "user.password", uid);
        self.change(user, &UserChange::Password(hash), &event)?;
        self.store.user(user)?.ok_or(AuthError::Disabled)
    }

    /// Recovers an account that may be compromised: its password, sessions, API keys,
    /// identities and unused links all end. The token is that of the link by which its owner
    /// chooses a new password.
    pub fn reset_user(
        &self,
        user: &User,
        actor: &Actor,
    ) -> Result<(SecretToken, ResetCounts), AuthError> {
        let token = SecretToken::new(TokenKind::Link, self.random()?);
        let event = self.event(actor, "user.reset", &user.uid);
        let expires_at = event.at + self.settings.link_seconds;
        let ended = self
            .store
            .reset_user(user.id, &token.hash(), expires_at, &event)?;
        self.epoch.raise();
        Ok((token, ended))
    }

    /// Deletes an account and everything that belongs to it.
    pub fn delete_user(&self, user: i64, uid: &str, actor: &Actor) -> Result<(), AuthError> {
        let event = self.event(actor, "user.delete", uid);
        self.store.delete_user(user, &event)?;
        self.epoch.raise();
        Ok(())
    }

    fn change(&self, user: i64, change: &UserChange, event: &Event) -> Result<(), AuthError> {
        self.store.change_user(user, change, event)?;
        self.epoch.raise();
        Ok(())
    }

    /// Creates an API key. The token is only returned now. `expires_at` is in Unix seconds.
    pub fn create_api_key(
        &self,
        user: i64,
        uid: &str,
        name: &str,
        scopes: Scopes,
        expires_at: Option<i64>,
        actor: &Actor,
    ) -> Result<(ApiKeyRow, SecretToken), AuthError> {
        let (new, token) = self.new_api_key(user, name, scopes, expires_at)?;
        Ok((self.add_api_key(&new, uid, None, actor)?, token))
    }

    /// Like [`Auth::create_api_key`], for an idempotent request: a repetition fails with a
    /// conflict, and the stored reply is the answer.
    pub fn create_api_key_once(
        &self,
        account: &Account,
        name: &str,
        scopes: Scopes,
        expires_at: Option<i64>,
        request: &Repeatable<'_>,
        actor: &Actor,
    ) -> Result<(ApiKeyRow, SecretToken), AuthError> {
        let (new, token) = self.new_api_key(account.id, name, scopes, expires_at)?;
        let row = self.add_api_key(&new, &account.uid, Some(request), actor)?;
        Ok((row, token))
    }

    fn new_api_key(
        &self,
        user: i64,
        name: &str,
        scopes: Scopes,
        expires_at: Option<i64>,
    ) -> Result<(NewApiKeyRow, SecretToken), AuthError> {
        let name = check_name(name)?;
        let now = self.clock.unix();
        if expires_at.is_some_and(|at| at <= now) {
            return Err(AuthError::ExpiryPast);
        }
        let token = SecretToken::new(TokenKind::ApiKey, self.random()?);
        let new = NewApiKeyRow {
            user,
            uid: uuid::Uuid::new_v4().to_string(),
            name,
            prefix: token.shown().to_owned(),
            hash: token.hash(),
            scopes: scopes.bits(),
            expires_at,
        };
        Ok((new, token))
    }

    fn add_api_key(
        &self,
        new: &NewApiKeyRow,
        uid: &str,
        request: Option<&Repeatable<'_>>,
        actor: &Actor,
    ) -> Result<ApiKeyRow, AuthError> {
        let event = self.event(actor, "api_key.create", uid).with(format!(
            "key={} scopes={}",
            new.uid,
            Scopes::from_bits(new.scopes).names().join("+")
        ));
        let most = self.settings.most_api_keys;
        let added = self.store.add_api_key(new, most, request, &event)?;
        added.ok_or(AuthError::TooManyKeys(most))
    }

    /// Revokes a key. Returns whether the account had it.
    pub fn revoke_api_key(
        &self,
        account: &Account,
        key: &str,
        actor: &Actor,
    ) -> Result<bool, AuthError> {
        let event = self
            .event(actor, "api_key.revoke", &account.uid)
            .with(format!("key={key}"));
        let revoked = self.store.delete_api_key(account.id, key, &event)?;
        self.epoch.raise();
        Ok(revoked)
    }

    pub fn api_keys(&self, user: i64) -> Result<Vec<ApiKeyRow>, StoreError> {
        self.store.api_keys(user)
    }

    pub fn sessions(&self, user: i64) -> Result<Vec<SessionRow>, StoreError> {
        self.store.sessions(user, self.clock.unix())
    }

    pub fn identities(&self, user: i64) -> Result<Vec<IdentityRow>, StoreError> {
        self.store.identities(user)
    }

    /// Adds to the audit log what an operator did that changes no account. `details` has no secrets.
    pub fn note(
        &self,
        actor: &Actor,
        action: &'static str,
        details: String,
    ) -> Result<(), StoreError> {
        let event = self.event(actor, action, "").with(details);
        self.store.record(&event)
    }

    /// Unlinks an identity from an account, and ends the sessions started through its provider, except
    /// the one to `keep`. Returns whether the account had it.
    pub fn unlink_identity(
        &self,
        account: &Account,
        identity: &str,
        keep: i64,
        actor: &Actor,
    ) -> Result<bool, AuthError> {
        let event = self
            .event(actor, "user.identity_unlink", &account.uid)
            .with(format!("identity={identity}"));
        let issuers = self.issuers.addresses();
        let unlinked = self
            .store
            .remove_identity(account.id, identity, &issuers, keep, &event)?;
        self.epoch.raise();
        match unlinked {
            Unlinked::Done => Ok(true),
            Unlinked::NotFound => Ok(false),
            Unlinked::LastWay => Err(AuthError::LastWayIn),
        }
    }

    /// Ends one session. Returns whether the account had it.
    pub fn end_session(
        &self,
        account: &Account,
        session: &str,
        actor: &Actor,
    ) -> Result<bool, AuthError> {
        let event = self
            .event(actor, "session.end", &account.uid)
            .with(format!("session={session}"));
        let ended = self.store.end_session(account.id, session, &event)?;
        self.epoch.raise();
        Ok(ended)
    }

    /// Ends every session but one.
    pub fn end_other_sessions(
        &self,
        account: &Account,
        keep: i64,
        actor: &Actor,
    ) -> Result<(), AuthError> {
        let event = self.event(actor, "session.end_others", &account.uid);
        self.store.end_other_sessions(account.id, keep, &event)?;
        self.epoch.raise();
        Ok(())
    }

    /// Creates a link's token for an account: the link signs in and lets the user choose a password.
    pub fn make_sign_in_link(&self, user: &User, actor: &Actor) -> Result<SecretToken, AuthError> {
        let purpose = LinkPurpose::SignIn { user: user.id };
        self.make_link(
            &purpose,
            self.settings.link_seconds,
            "user.link",
            &user.uid,
            actor,
        )
    }

    /// Creates the token of a link to choose a new password, for an account with this address that has one.
    pub fn password_link(&self, email: &str) -> Result<Option<SecretToken>, StoreError> {
        let user = self.store.user_by_email(email)?;
        let is_open = |user: &User| user.disabled_at.is_none() && user.password.is_some();
        let Some(user) = user.filter(is_open) else {
            return Ok(None);
        };
        match self.make_sign_in_link(&user, &Actor::server()) {
            Ok(token) => Ok(Some(token)),
            Err(AuthError::Store(cause)) => Err(cause),
            Err(other) => Err(StoreError::Internal(other.to_string())),
        }
    }

    /// Creates an invitation link's token.
    pub fn make_invitation(
        &self,
        email: Option<&str>,
        plan: Option<Plan>,
        actor: &Actor,
    ) -> Result<SecretToken, AuthError> {
        let purpose = LinkPurpose::Invitation {
            email: email.map(check_email).transpose()?,
            plan: plan.unwrap_or(self.settings.new_plan),
        };
        self.make_link(
            &purpose,
            self.settings.invitation_seconds,
            "user.invite",
            "",
            actor,
        )
    }

    /// The token of the link that creates the first, the operator's, account; `None` if there are
    /// accounts. An earlier such link becomes invalid.
    pub fn first_run_token(&self) -> Result<Option<SecretToken>, AuthError> {
        if self.store.has_users()? {
            return Ok(None);
        }
        let seconds = self.settings.link_seconds;
        self.make_link(
            &LinkPurpose::FirstAccount,
            seconds,
            "first_link",
            "",
            &Actor::server(),
        )
        .map(Some)
    }

    fn make_link(
        &self,
        purpose: &LinkPurpose,
        seconds: i64,
        action: &'static str,
        subject: &str,
        actor: &Actor,
    ) -> Result<SecretToken, AuthError> {
        let token = SecretToken::new(TokenKind::Link, self.random()?);
        let event = self.event(actor, action, subject);
        self.store
            .add_link(&token.hash(), purpose, event.at + seconds, &event)?;
        Ok(token)
    }

    /// All stored data of an account as JSON. Secrets are not included, since
    /// only their hashes are stored.
    pub fn export(&self, account: &Account) -> Result<Value, AuthError> {
        let user = self.store.user(account.id)?;
        let time = |at: i64| Value::from(clock::iso8601(at));
        let maybe = |at: Option<i64>| at.map_or(Value::Null, time);
        let keys = self.store.api_keys(account.id)?;
        let sessions = self.sessions(account.id)?;
        let filter = AuditFilter {
            account: Some(account.uid.clone()),
            limit: u64::MAX,
            ..Default::default()
        };
        let calls = self.store.calls_of(account.id, i64::MIN..i64::MAX)?;
        Ok(json!({
            "account": user.map(|user| json!({
                "id": user.uid, "email": user.email, "name": user.name, "plan": user.plan.as_str(),
                "has_password": user.password.is_some(), "created_at": time(user.created_at),
            })),
            "identities": self.store.identities(account.id)?.iter().map(|identity| {
                json!({
                    "id": identity.uid, "issuer": identity.identity.issuer,
                    "subject": identity.identity.subject, "email": identity.identity.email,
                    "linked_at": time(identity.linked_at),
                })
            }).collect::<Vec<_>>(),
            "api_keys": keys.iter().map(|key| json!({
                "id": key.uid, "name": key.name, "prefix": key.prefix,
                "scopes": Scopes::from_bits(key.scopes).names(), "created_at": time(key.created_at),
                "expires_at": maybe(key.expires_at), "last_used_at": maybe(key.last_used_at),
            })).collect::<Vec<_>>(),
            "programs": self.store.grants(account.id)?.iter().map(|grant| json!({
                "id": grant.uid, "client_id": grant.client_id, "name": grant.name,
                "scopes": Scopes::from_bits(grant.scopes).names(), "created_at": time(grant.created_at),
                "last_used_at": maybe(grant.last_used_at),
            })).collect::<Vec<_>>(),
            "sessions": sessions.iter().map(|session| json!({
                "id": session.uid, "created_at": time(session.created_at),
                "seen_at": time(session.seen_at), "expires_at": time(session.expires_at),
                "method": session.method, "address": session.address, "agent": session.agent,
            })).collect::<Vec<_>>(),
            "api_calls": calls.iter().map(|day| json!({
                "date": crate::quota::calendar::day_text(day.day), "plan": day.plan.as_str(), "calls": day.calls,
            })).collect::<Vec<_>>(),
            "history": self.store.audit(&filter)?.iter().map(|row| json!({
                "at": time(row.at), "action": row.action, "address": row.address, "details": row.details,
            })).collect::<Vec<_>>(),
        }))
    }

    pub(super) fn event(&self, actor: &Actor, action: &'static str, subject: &str) -> Event {
        let event = actor.event(self.clock.unix(), action, subject);
        if subject.is_empty() {
            Event {
                subject: None,
                ..event
            }
        } else {
            event
        }
    }
}

/// A conflict on a new account can only be due to its address or its identity.
fn taken(error: StoreError) -> AuthError {
    match error {
        StoreError::Conflict(_) => AuthError::EmailTaken,
        other => other.into(),
    }
}

/// Text before and after an `@`, without a space or an invisible character, so that no two addresses look the
/// same in a list. The mail server checks the rest.
fn check_email(text: &str) -> Result<String, AuthError> {
    let email = text.trim();
    let is_plain = !email
        .chars()
        .any(|c| c.is_whitespace() || is_invisible(c) || "<>,;\"".contains(c));
    let has_parts = email
        .rsplit_once('@')
        .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !user.contains('@'));
    if is_plain && has_parts && email.chars().count() <= EMAIL_CHARS {
        return Ok(email.to_owned());
    }
    Err(AuthError::InvalidEmail(text.chars().take(100).collect()))
}

fn check_name(text: &str) -> Result<String, AuthError> {
    let name = text.trim();
    let fits = (1..=NAME_CHARS).contains(&name.chars().count());
    if fits && !name.chars().any(char::is_control) {
        return Ok(name.to_owned());
    }
    Err(AuthError::InvalidName(NAME_CHARS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_addresses_are_validated() {
        for good in [
            "a@example.org",
            " A.b+c@Example.Org ",
            "é@例え.jp",
            "root@localhost",
        ] {
            assert_eq!(check_email(good).unwrap(), good.trim());
        }
        for bad in [
            "",
            "a",
            "@",
            "a@",
            "@b",
            "a b@c",
            "a@b@c",
            "<a@b>",
            "a@b\n",
            "a@b,c@d",
            "a\u{202e}b@c",
            "a\u{200b}@b",
            "a@b\u{9b}c",
            "\u{feff}a@b",
        ] {
            let checked = check_email(bad);
            assert!(checked.is_err() || bad.ends_with('\n'), "{bad:?}");
        }
        assert!(check_email(&format!("{}@b", "a".repeat(300))).is_err());
    }
}
