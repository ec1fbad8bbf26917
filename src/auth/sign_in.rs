//! Signing in and out: with a password, a link or an identity from elsewhere.

use std::hash::{DefaultHasher, Hash as _, Hasher};
use std::net::IpAddr;

use super::accounts::{Actor, NewAccount};
use super::oidc::Person;
use super::principal::{Account, Credential, Principal};
use super::token::{Token, TokenKind};
use super::{Auth, AuthError};
use crate::clock::Clock;
use crate::config::{AuthSettings, NewPlan, SignUp};
use crate::model::plan::Plan;
use crate::quota::address::Address;
use crate::quota::limiter::Limiter;
use crate::store::sessions::{LinkPurpose, NewSession};
use crate::store::users::{self, User};

/// The browser that signs in.
#[derive(Clone, Debug)]
pub struct Visitor {
    pub address: IpAddr,
    /// How the browser calls itself.
    pub agent: String,
}

/// What a link asks of the one who opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkOffer {
    /// To make the first account, with an address and a password.
    FirstAccount,
    /// To sign in to an account and choose a password.
    SignIn { email: Option<String> },
    /// To make an account. The address may be given.
    Invitation { email: Option<String> },
}

/// Characters of a browser's name that are kept.
const AGENT_CHARS: usize = 200;

impl Auth {
    /// Who may make an account.
    pub fn sign_up(&self) -> SignUp {
        self.settings.sign_up
    }

    /// Characters that a password must have.
    pub fn password_min_chars(&self) -> usize {
        self.passwords.min_chars()
    }

    /// Signs in with an address and a password.
    pub fn sign_in(
        &self,
        email: &str,
        password: &str,
        visitor: &Visitor,
    ) -> Result<Token, AuthError> {
        let retry_seconds = self.attempts.take(email, visitor.address, &self.clock);
        if retry_seconds > 0 {
            return Err(AuthError::TooManyAttempts { retry_seconds });
        }
        let user = self.store.user_by_email(email)?;
        let stored = user.as_ref().and_then(|user| user.password.as_deref());
        let matches = self.passwords.verify(password, stored)?;
        match user {
            Some(user) if matches => {
                let token = self.start_session(&user, "password", visitor)?;
                self.attempts.forgive(email);
                Ok(token)
            }
            Some(user) => {
                let actor = Actor::anonymous(visitor.address);
                let event = self.event(&actor, "sign_in.failed", &user.uid);
                self.store.record(&event)?;
                Err(AuthError::WrongPassword)
            }
            None => Err(AuthError::WrongPassword),
        }
    }

    /// Makes an account where that is open to everybody, and signs in to it.
    pub fn sign_up_with_password(
        &self,
        email: &str,
        password: &str,
        visitor: &Visitor,
    ) -> Result<Token, AuthError> {
        if self.settings.sign_up != SignUp::Open {
            return Err(AuthError::SignUpClosed);
        }
        let retry_seconds = self.attempts.take_address(visitor.address, &self.clock);
        if retry_seconds > 0 {
            return Err(AuthError::TooManyAttempts { retry_seconds });
        }
        let new = NewAccount {
            email: Some(email),
            password: Some(password),
            ..NewAccount::default()
        };
        let user = self.add_user(&new, &Actor::anonymous(visitor.address))?;
        self.start_session(&user, "password", visitor)
    }

    /// Signs in somebody whom an identity provider vouches for. Somebody new gets an account, where
    /// that is open to everybody; an account of the same address is never taken over.
    pub fn sign_in_person(&self, person: &Person, visitor: &Visitor) -> Result<Token, AuthError> {
        let issuer = person.identity.issuer.as_str();
        if let Some(user) = self.store.user_by_identity(&person.identity)? {
            return self.start_session(&user, issuer, visitor);
        }
        if self.settings.sign_up != SignUp::Open {
            return Err(AuthError::SignUpClosed);
        }
        let new = NewAccount {
            email: person.email.as_deref(),
            name: person.name.as_deref(),
            identity: Some(person.identity.clone()),
            ..NewAccount::default()
        };
        let user = self.add_user(&new, &Actor::anonymous(visitor.address))?;
        self.start_session(&user, issuer, visitor)
    }

    /// Lets an identity sign in to an account from now on, at the wish of its owner.
    pub fn link_person(
        &self,
        account: &Account,
        person: &Person,
        actor: &Actor,
    ) -> Result<(), AuthError> {
        match self.store.user_by_identity(&person.identity)? {
            Some(user) if user.id == account.id => Ok(()),
            Some(_) => Err(AuthError::EmailTaken),
            None => {
                let event = self
                    .event(actor, "user.identity", &account.uid)
                    .with(format!("issuer={}", person.identity.issuer));
                Ok(self
                    .store
                    .add_identity(account.id, &person.identity, &event)?)
            }
        }
    }

    /// What a link asks for, without using it up: mail programs open links before people do.
    pub fn link_offer(&self, token: &str) -> Result<LinkOffer, AuthError> {
        let hash = Token::parse(TokenKind::Link, token)
            .ok_or(AuthError::LinkInvalid)?
            .hash();
        match self.store.link(&hash, self.clock.unix())? {
            None => Err(AuthError::LinkInvalid),
            Some(LinkPurpose::FirstAccount) => Ok(LinkOffer::FirstAccount),
            Some(LinkPurpose::Invitation { email, .. }) => Ok(LinkOffer::Invitation { email }),
            Some(LinkPurpose::SignIn { user }) => {
                let user = self.store.user(user)?.ok_or(AuthError::LinkInvalid)?;
                Ok(LinkOffer::SignIn { email: user.email })
            }
        }
    }

    /// Uses a link up and signs in. `email` counts where the link makes an account and names none.
    pub fn use_link(
        &self,
        token: &str,
        email: &str,
        password: &str,
        visitor: &Visitor,
    ) -> Result<Token, AuthError> {
        let hash = Token::parse(TokenKind::Link, token)
            .ok_or(AuthError::LinkInvalid)?
            .hash();
        let now = self.clock.unix();
        // What can be refused is refused before the link is used up.
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
            Some(LinkPurpose::FirstAccount) => self
                .add_first_user(&with(email, None), &actor)?
                .ok_or(AuthError::LinkInvalid)?,
            Some(LinkPurpose::Invitation { email: given, plan }) => {
                self.add_user(&with(given.as_deref().unwrap_or(email), Some(plan)), &actor)?
            }
            Some(LinkPurpose::SignIn { user }) => {
                let user = self.store.user(user)?.ok_or(AuthError::LinkInvalid)?;
                self.set_password(user.id, &user.uid, password, &actor)?;
                user
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

    /// Changes the password of an account whose owner knows the present one, or has none yet. Every
    /// session ends; the token is that of a new one.
    pub fn change_password(
        &self,
        account: &Account,
        present: &str,
        new: &str,
        visitor: &Visitor,
    ) -> Result<Token, AuthError> {
        let user = self.store.user(account.id)?.ok_or(AuthError::Disabled)?;
        if let Some(stored) = &user.password {
            let retry_seconds = self.attempts.take(&user.uid, visitor.address, &self.clock);
            if retry_seconds > 0 {
                return Err(AuthError::TooManyAttempts { retry_seconds });
            }
            if !self.passwords.verify(present, Some(stored))? {
                return Err(AuthError::WrongPassword);
            }
        }
        let actor = Actor::user(&user.uid, visitor.address);
        self.set_password(user.id, &user.uid, new, &actor)?;
        self.start_session(&user, "password", visitor)
    }

    /// Starts a session. The token goes into the browser's cookie.
    pub fn start_session(
        &self,
        user: &User,
        method: &str,
        visitor: &Visitor,
    ) -> Result<Token, AuthError> {
        if user.disabled_at.is_some() {
            return Err(AuthError::Disabled);
        }
        let token = Token::new(TokenKind::Session, self.random()?);
        let actor = Actor::user(&user.uid, visitor.address);
        let event = self
            .event(&actor, "sign_in", &user.uid)
            .with(format!("method={method}"));
        let new = NewSession {
            user: user.id,
            uid: uuid::Uuid::new_v4().to_string(),
            hash: token.hash(),
            expires_at: event.at + self.settings.session_seconds,
            method: method.to_owned(),
            address: visitor.address.to_string(),
            agent: visitor
                .agent
                .chars()
                .filter(|c| !c.is_control())
                .take(AGENT_CHARS)
                .collect(),
        };
        self.store.add_session(&new, &event)?;
        Ok(token)
    }

    /// Ends the session that a principal came with. Gives how it was begun.
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

/// How often sign-ins may be tried: so many in a period for an account, whether it exists or not,
/// and for an address.
pub struct Attempts {
    buckets: Limiter<AttemptKey>,
    most: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum AttemptKey {
    Address(Address),
    /// The hash of what an account is known by.
    Account(u64),
}

/// Accounts and addresses in one generation.
const ATTEMPT_BUCKETS: usize = 100_000;

impl Attempts {
    pub fn new(settings: &AuthSettings) -> Attempts {
        let period_ms = u64::from(settings.sign_in_window_minutes) * 60_000;
        Attempts {
            buckets: Limiter::new(ATTEMPT_BUCKETS, period_ms),
            most: settings.sign_in_attempts,
        }
    }

    /// Counts an attempt. Gives the seconds to wait; 0 where it may be made.
    fn take(&self, account: &str, address: IpAddr, clock: &Clock) -> u64 {
        let waits = [
            self.take_address(address, clock),
            self.take_one(AttemptKey::Account(account_key(account)), clock),
        ];
        waits.into_iter().max().unwrap_or(0)
    }

    fn take_address(&self, address: IpAddr, clock: &Clock) -> u64 {
        self.take_one(AttemptKey::Address(Address::of(address)), clock)
    }

    fn take_one(&self, key: AttemptKey, clock: &Clock) -> u64 {
        let taken = self.buckets.take(key, self.most, clock.elapsed_ms());
        if taken.allowed {
            0
        } else {
            taken.retry_ms.div_ceil(1000).max(1)
        }
    }

    /// Forgets the attempts on an account whose owner has signed in.
    fn forgive(&self, account: &str) {
        self.buckets
            .forget(AttemptKey::Account(account_key(account)));
    }
}

fn account_key(account: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    users::email_key(account).hash(&mut hasher);
    hasher.finish()
}
