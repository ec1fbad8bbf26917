//! Signing in and out: with a password, a link or a linked identity.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;

use super::accounts::{Actor, NewAccount};
use super::oidc::{AuthenticatedPerson, GroupPlan, GroupStatus};
use super::principal::{Account, Credential, Principal};
use super::token::{SecretToken, TokenKind};
use super::{Auth, AuthError};
use crate::clock::Clock;
use crate::config::{AuthSettings, NewPlan, SignUp};
use crate::quota::address::Address;
use crate::quota::limiter::Limiter;
use crate::store::StoreError;
use crate::store::sessions::{LinkPurpose, NewSession};
use crate::store::users::{self, User};
use citation_model::plan::Plan;

/// The browser that signs in.
#[derive(Clone, Debug)]
pub struct Visitor {
    pub address: IpAddr,
    /// The browser's user agent.
    pub agent: String,
}

/// The purpose of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkOffer {
    /// Creating the first account, with an address and a password.
    FirstAccount,
    /// Signing in to an account and choosing a password.
    SignIn { email: Option<String> },
    /// Creating an account. The address may be given.
    Invitation { email: Option<String> },
}

/// Maximum characters of a stored user agent.
const AGENT_CHARS: usize = 200;

impl Auth {
    /// Who may create an account.
    pub fn sign_up(&self) -> SignUp {
        self.settings.sign_up
    }

    /// Minimum characters of a password.
    pub fn password_min_chars(&self) -> usize {
        self.passwords.min_chars()
    }

    /// Signs in with an address and a password. The work before the answer is the same whether the
    /// account exists, has a password or is disabled.
    pub fn sign_in(
        &self,
        email: &str,
        password: &str,
        visitor: &Visitor,
    ) -> Result<SecretToken, AuthError> {
        let attempt = self.attempts.begin(email, visitor.address, &self.clock)?;
        let user = self.store.user_by_email(email)?;
        let stored = user.as_ref().and_then(|user| user.password.as_deref());
        let matches = self.passwords.verify(password, stored)?;
        match user {
            Some(user) if matches => self.start_session(&user, "password", visitor),
            user => {
                attempt.fail();
                let subject = user.as_ref().map_or("", |user| &user.uid);
                let actor = Actor::anonymous(visitor.address);
                let event = self.event(&actor, "sign_in.failed", subject);
                self.store.record(&event)?;
                Err(AuthError::WrongPassword)
            }
        }
    }

    /// Creates an account if sign-up is open, and signs in.
    pub fn sign_up_with_password(
        &self,
        email: &str,
        password: &str,
        visitor: &Visitor,
    ) -> Result<SecretToken, AuthError> {
        if self.settings.sign_up != SignUp::Open {
            return Err(AuthError::SignUpClosed);
        }
        self.attempts.begin_sign_up(visitor.address, &self.clock)?;
        let new = NewAccount {
            email: Some(email),
            password: Some(password),
            ..NewAccount::default()
        };
        let user = self.add_user(&new, &Actor::anonymous(visitor.address))?;
        self.start_session(&user, "password", visitor)
    }

    /// Signs in with an authenticated identity. A new identity gets an account if
    /// sign-up is open; an existing account with the same address is never taken over.
    pub fn sign_in_person(
        &self,
        person: &AuthenticatedPerson,
        visitor: &Visitor,
    ) -> Result<SecretToken, AuthError> {
        let issuer = person.identity.issuer.as_str();
        if let Some(mut user) = self.store.user_by_identity(&person.identity)? {
            self.apply_group_status(&mut user, issuer, &person.group_status)?;
            return self.start_session(&user, issuer, visitor);
        }
        if self.settings.sign_up != SignUp::Open {
            return Err(AuthError::SignUpClosed);
        }
        let new = NewAccount {
            email: person.identity.email.as_deref(),
            name: person.name.as_deref(),
            identity: Some(person.identity.clone()),
            ..NewAccount::default()
        };
        let mut user = self.add_user(&new, &Actor::anonymous(visitor.address))?;
        self.apply_group_status(&mut user, issuer, &person.group_status)?;
        self.start_session(&user, issuer, visitor)
    }

    /// Applies the owner's groups to an account.
    fn apply_group_status(
        &self,
        user: &mut User,
        issuer: &str,
        group_status: &GroupStatus,
    ) -> Result<(), AuthError> {
        if let Some(shared) = &group_status.shared {
            let now = self.clock.unix();
            self.store
                .set_claimed_groups(user.id, issuer, shared, now)?;
            let configured = self.issuers.configured_groups();
            self.store.apply_configured_groups(configured, now)?;
        }
        let actor = Actor::server();
        let plan = group_status.plan.map(|plan| match plan {
            GroupPlan::Of(plan) => plan,
            GroupPlan::New => self.settings.new_plan,
        });
        if let Some(plan) = plan.filter(|plan| *plan != user.plan) {
            self.set_plan(user, plan, &actor)?;
            user.plan = plan;
        }
        if let Some(is_operator) = group_status.is_operator
            && is_operator != self.group_operators().contains(&user.uid)
        {
            let event = self
                .event(&actor, "user.operator", &user.uid)
                .with(format!("to={is_operator}"));
            self.store
                .set_group_operator(&user.uid, is_operator, &event)?;
            if is_operator {
                self.group_operators().insert(user.uid.clone())
            } else {
                self.group_operators().remove(&user.uid)
            };
        }
        Ok(())
    }

    /// Links an identity to an account, at its owner's request.
    pub fn link_person(
        &self,
        account: &Account,
        person: &AuthenticatedPerson,
        actor: &Actor,
    ) -> Result<(), AuthError> {
        match self.store.user_by_identity(&person.identity)? {
            Some(user) if user.id == account.id => Ok(()),
            Some(_) => Err(AuthError::IdentityTaken),
            None => {
                let event = self
                    .event(actor, "user.identity", &account.uid)
                    .with(format!("issuer={}", person.identity.issuer));
                let added = self
                    .store
                    .add_identity(account.id, &person.identity, &event);
                added.map_err(|error| match error {
                    StoreError::Conflict(_) => AuthError::IdentityTaken,
                    other => other.into(),
                })
            }
        }
    }

    /// The purpose of a link, without using it up: mail programs open links before people do.
    pub fn link_offer(&self, token: &str) -> Result<LinkOffer, AuthError> {
        let hash = SecretToken::parse(TokenKind::Link, token)
            .ok_or(AuthError::LinkInvalid)?
            .hash();
        match self.store.link(&hash, self.clock.unix())? {
            None => Err(AuthError::LinkInvalid),
            Some(LinkPurpose::FirstAccount) => Ok(LinkOffer::FirstAccount),
            Some(LinkPurpose::Invitation { email, .. }) => Ok(LinkOffer::Invitation { email }),
            Some(LinkPurpose::SignIn { user }) => {
                let user = self.store.user(user)?.ok_or(AuthError::LinkInvalid)?;
                match user.disabled_at {
                    None => Ok(LinkOffer::SignIn { email: user.email }),
                    Some(_) => Err(AuthError::Disabled),
                }
            }
        }
    }

    /// Uses a link up and signs in. `email` counts if the link creates an account and names none.
    pub fn use_link(
        &self,
        token: &str,
        email: &str,
        password: &str,
        visitor: &Visitor,
    ) -> Result<SecretToken, AuthError> {
        let hash = SecretToken::parse(TokenKind::Link, token)
            .ok_or(AuthError::LinkInvalid)?
            .hash();
        let now = self.clock.unix();
        // Everything that can fail is checked before the link is used up.
        self.check_link_form(&self.link_offer(token)?, email, password)?;
        let actor = Actor::anonymous(visitor.address);
        let with = |email, plan| NewAccount {
            email: Some(email),
            password: Some(password),
            plan,
            ..NewAccount::default()
        };
        let user = match self.store.take_link(&hash, now)? {
            None => return Err(AuthError::LinkInvalid),
            Some(LinkPurpose::FirstAccount) => {
                let first = self.add_first_user(&with(email, Some(Plan::Business)), &actor)?;
                let first = first.ok_or(AuthError::LinkInvalid)?;
                // Nobody else can create a first account.
                let _ = self.first_operator.set(first.uid.clone());
                first
            }
            Some(LinkPurpose::Invitation { email: given, plan }) => {
                self.add_user(&with(given.as_deref().unwrap_or(email), Some(plan)), &actor)?
            }
            Some(LinkPurpose::SignIn { user }) => {
                let user = self.store.user(user)?.ok_or(AuthError::LinkInvalid)?;
                self.set_password(user.id, &user.uid, password, &actor)?
            }
        };
        self.start_session(&user, "link", visitor)
    }

    fn check_link_form(
        &self,
        offer: &LinkOffer,
        email: &str,
        password: &str,
    ) -> Result<(), AuthError> {
        self.passwords.check(password)?;
        let email = match offer {
            LinkOffer::SignIn { .. } => return Ok(()),
            LinkOffer::FirstAccount => email,
            LinkOffer::Invitation { email: given } => given.as_deref().unwrap_or(email),
        };
        match self.store.user_by_email(email)? {
            Some(_) => Err(AuthError::EmailTaken),
            None if email.contains('@') => Ok(()),
            None => Err(AuthError::InvalidEmail(email.chars().take(100).collect())),
        }
    }

    /// Changes the password of an account whose owner knows the current one, or has none yet. All
    /// sessions end; the token is that of a new one.
    pub fn change_password(
        &self,
        account: &Account,
        present: &str,
        new: &str,
        visitor: &Visitor,
    ) -> Result<SecretToken, AuthError> {
        let user = self.store.user(account.id)?.ok_or(AuthError::Disabled)?;
        if let Some(stored) = &user.password {
            let attempt = self
                .attempts
                .begin(&user.uid, visitor.address, &self.clock)?;
            if !self.passwords.verify(present, Some(stored))? {
                attempt.fail();
                return Err(AuthError::WrongPassword);
            }
        }
        let actor = Actor::user(&user.uid, visitor.address);
        let user = self.set_password(user.id, &user.uid, new, &actor)?;
        self.start_session(&user, "password", visitor)
    }

    /// Starts a session. The token goes into the browser's cookie.
    pub fn start_session(
        &self,
        user: &User,
        method: &str,
        visitor: &Visitor,
    ) -> Result<SecretToken, AuthError> {
        if user.disabled_at.is_some() {
            return Err(AuthError::Disabled);
        }
        let token = SecretToken::new(TokenKind::Session, self.random()?);
        let actor = Actor::user(&user.uid, visitor.address);
        let event = self
            .event(&actor, "sign_in", &user.uid)
            .with(format!("method={method}"));
        let new = NewSession {
            user: user.id,
            password: user.password.clone(),
            uid: uuid::Uuid::new_v4().to_string(),
            hash: token.hash(),
            expires_at: self.session_expiry(event.at, event.at),
            method: method.to_owned(),
            address: visitor.address.to_string(),
            agent: visitor
                .agent
                .chars()
                .filter(|c| !c.is_control())
                .take(AGENT_CHARS)
                .collect(),
        };
        if self.store.add_session(&new, &event)? {
            return Ok(token);
        }
        Err(AuthError::WrongPassword)
    }

    /// Ends the session of a principal. Returns how it was started.
    pub fn sign_out(
        &self,
        principal: &Principal,
        address: IpAddr,
    ) -> Result<Option<String>, AuthError> {
        let Credential::Session { id, .. } = principal.credential else {
            return Ok(None);
        };
        let method = self.store.session_method(id)?;
        let uid = &principal.account.uid;
        let event = self.event(&Actor::user(uid, address), "sign_out", uid);
        self.store.end_session_number(id, &event)?;
        self.epoch.raise();
        Ok(method)
    }
}

impl From<NewPlan> for Plan {
    fn from(plan: NewPlan) -> Plan {
        match plan {
            NewPlan::Free => Plan::Free,
            NewPlan::Academic => Plan::Academic,
            NewPlan::Business => Plan::Business,
        }
    }
}

/// Limits of failed sign-ins in a period: a number for each account from one address, and
/// a higher one for an address over all accounts. Failures from elsewhere never lock out
/// an address: an account with many failures only accepts fewer attempts from each address. Unknown
/// accounts count like existing ones. Creating accounts is counted separately.
pub struct Attempts {
    buckets: Limiter<AttemptKey>,
    hasher: RandomState,
    most: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum AttemptKey {
    /// The hash of an account's name and an address.
    Pair(u64, Address),
    Address(Address),
    Account(u64),
    SignUp(Address),
}

/// Maximum number of buckets in one generation.
const ATTEMPT_BUCKETS: usize = 100_000;

/// The factor for an address over all accounts, and for an account from all addresses.
const WIDER: u32 = 10;

/// Attempts that an account under attack accepts from each address.
const FEW: u32 = 2;

/// An attempt to sign in. It is free unless it fails.
struct Attempt<'a> {
    attempts: &'a Attempts,
    clock: &'a Clock,
    /// The tokens to return unless the attempt fails.
    taken: Vec<AttemptKey>,
}

impl Attempts {
    pub fn new(settings: &AuthSettings) -> Attempts {
        let period_ms = u64::from(settings.sign_in_window_minutes) * 60_000;
        Attempts {
            buckets: Limiter::new(ATTEMPT_BUCKETS, period_ms),
            hasher: RandomState::new(),
            most: settings.sign_in_attempts,
        }
    }

    /// Starts an attempt, which is counted at once, so that concurrent attempts cannot exceed
    /// the limit.
    fn begin<'a>(
        &'a self,
        account: &str,
        address: IpAddr,
        clock: &'a Clock,
    ) -> Result<Attempt<'a>, AuthError> {
        let (address, account) = (Address::of(address), self.account_key(account));
        let mut attempt = Attempt {
            attempts: self,
            clock,
            taken: Vec::new(),
        };
        let left = attempt.take(AttemptKey::Pair(account, address))?;
        attempt.take(AttemptKey::Address(address))?;
        match attempt.take(AttemptKey::Account(account)) {
            Err(refusal) if self.most - left > FEW => Err(refusal),
            _ => Ok(attempt),
        }
    }

    /// Counts the creation of an account.
    fn begin_sign_up(&self, address: IpAddr, clock: &Clock) -> Result<(), AuthError> {
        self.take(AttemptKey::SignUp(Address::of(address)), clock)?;
        Ok(())
    }

    /// Returns the number left.
    fn take(&self, key: AttemptKey, clock: &Clock) -> Result<u32, AuthError> {
        let taken = self
            .buckets
            .take(key, self.most_of(key), clock.elapsed_ms());
        if taken.allowed {
            return Ok(taken.remaining);
        }
        let retry_seconds = taken.retry_ms.div_ceil(1000).max(1);
        Err(AuthError::TooManyAttempts { retry_seconds })
    }

    fn most_of(&self, key: AttemptKey) -> u32 {
        match key {
            AttemptKey::Pair(..) | AttemptKey::SignUp(_) => self.most,
            AttemptKey::Address(_) | AttemptKey::Account(_) => self.most * WIDER,
        }
    }

    fn account_key(&self, account: &str) -> u64 {
        self.hasher.hash_one(users::email_key(account))
    }
}

impl Attempt<'_> {
    fn take(&mut self, key: AttemptKey) -> Result<u32, AuthError> {
        let left = self.attempts.take(key, self.clock)?;
        self.taken.push(key);
        Ok(left)
    }

    fn fail(mut self) {
        self.taken.clear();
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        for key in self.taken.drain(..) {
            let (most, now_ms) = (self.attempts.most_of(key), self.clock.elapsed_ms());
            self.attempts.buckets.refund(key, most, now_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::config::Config;
    use crate::store::audit::AuditFilter;
    use crate::store::{Store, StoreSettings};

    /// The context of a sign-in.
    #[test]
    fn sign_in_takes_the_same_work_for_unknown_users() {
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.auth.password_memory_kib = 8_192;
        config.auth.password_passes = 1;
        let store = Arc::new(Store::open(directory.path(), &StoreSettings::default()).unwrap());
        let auth = Auth::open(Arc::clone(&store), &config, Clock::set_to(0)).unwrap();
        let add = |email, password| {
            let new = NewAccount {
                email: Some(email),
                password,
                ..NewAccount::default()
            };
            auth.add_user(&new, &Actor::command_line()).unwrap()
        };
        add("member@example.org", Some("correct horse battery"));
        add("without@example.org", None);
        let disabled = add("disabled@example.org", Some("correct horse battery"));
        auth.set_disabled(&disabled, true, &Actor::command_line())
            .unwrap();
        let visitor = Visitor {
            address: "192.0.2.1".parse().unwrap(),
            agent: String::new(),
        };
        let rows = || {
            let filter = AuditFilter {
                limit: 100,
                ..AuditFilter::default()
            };
            store.audit(&filter).unwrap().len()
        };
        for name in ["member", "without", "disabled", "stranger"] {
            let (hashes, written) = (auth.passwords.checked.load(Ordering::Relaxed), rows());
            let email = format!("{name}@example.org");
            let answer = auth.sign_in(&email, "a wrong password", &visitor);
            assert!(matches!(answer, Err(AuthError::WrongPassword)), "{name}");
            let done = auth.passwords.checked.load(Ordering::Relaxed) - hashes;
            assert_eq!((done, rows() - written), (1, 1), "{name}");
        }
    }

    #[test]
    fn attempts_are_kept_in_bounded_memory() {
        let attempts = Attempts::new(&AuthSettings::default());
        let clock = Clock::set_to(0);
        for n in 0..4 * ATTEMPT_BUCKETS as u32 {
            let address = std::net::Ipv4Addr::from(n).into();
            let attempt = attempts.begin("a@example.org", address, &clock);
            if let Ok(attempt) = attempt {
                attempt.fail();
            }
        }
        assert!(attempts.buckets.size() <= 2 * ATTEMPT_BUCKETS);
    }
}
