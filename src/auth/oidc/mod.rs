//! Signing in through an identity provider: OpenID Connect Core 1.0, the authorization code flow
//! with PKCE (RFC 7636), as a relying party.
//!
//! Nothing is kept on the server while somebody is away at the provider: state, nonce and PKCE
//! verifier all follow from one random number in a cookie of that browser, so an answer is taken
//! only from the browser that asked, and for ten minutes. A state that was used is remembered, so
//! that it is used once.
//!
//! - `flow`: the way there and back · `issuer`: what a provider says of itself, and its keys
//! - `groups`: what a person's groups make of an account
//! - `link`: identities that are to be linked · `jwt`: checking an ID token · `web`: requests to
//!   providers

mod flow;
mod groups;
mod issuer;
mod jwt;
mod link;
mod web;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::config::AuthSettings;
use crate::store::users::Identity;
pub use flow::{Callback, Departure};
pub use groups::{GroupPlan, Standing};
use issuer::Issuer;
use link::Links;

/// The identity providers.
pub struct Issuers {
    issuers: Vec<Issuer>,
    /// States that were used and when, oldest first.
    used: Mutex<VecDeque<([u8; 32], i64)>>,
    links: Links,
}

/// Somebody whom a provider vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub identity: Identity,
    pub name: Option<String>,
    pub standing: Standing,
}

/// A provider as the sign-in page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name in addresses.
    pub name: String,
    pub label: String,
}

/// Why a sign-in through a provider failed. The sentences are for the person who signs in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OidcError {
    #[error("there is no identity provider of that name here")]
    UnknownIssuer,
    /// No cookie of ours, or too old a one.
    #[error("this sign-in was not begun in this browser, or too long ago; please begin again")]
    NotBegun,
    #[error(
        "the answer does not belong to the sign-in that this browser began; please begin again"
    )]
    WrongState,
    #[error("this sign-in was completed already; please begin again")]
    Used,
    /// The provider's own code, such as `access_denied`.
    #[error("the identity provider refused the sign-in ({0})")]
    Refused(String),
    #[error("the identity provider cannot be reached now; try again in a moment")]
    Unreachable(String),
    #[error("the identity provider's answer cannot be trusted; the reason is in the server's log")]
    Untrusted(String),
}

impl OidcError {
    /// What the log says, beyond what the person sees.
    pub fn cause(&self) -> &str {
        match self {
            OidcError::Unreachable(cause)
            | OidcError::Untrusted(cause)
            | OidcError::Refused(cause) => cause,
            _ => "",
        }
    }
}

/// States that are remembered at most.
const USED_BOUND: usize = 10_000;

impl Issuers {
    pub fn new(settings: &AuthSettings) -> Issuers {
        let timeout = Duration::from_millis(settings.oidc_timeout_ms);
        for issuer in settings
            .oidc
            .iter()
            .filter(|issuer| is_open_to_eavesdroppers(&issuer.issuer))
        {
            let issuer = issuer.issuer.as_str();
            tracing::warn!(
                issuer,
                "the identity provider is not asked over https; use https outside of tests"
            );
        }
        Issuers {
            issuers: settings
                .oidc
                .iter()
                .map(|issuer| Issuer::new(issuer.clone(), timeout))
                .collect(),
            used: Mutex::default(),
            links: Links::default(),
        }
    }

    /// The addresses of the issuers, without a slash at the end.
    pub fn addresses(&self) -> Vec<&str> {
        let issuers = self.issuers.iter();
        issuers
            .map(|issuer| issuer.settings.issuer.trim_end_matches('/'))
            .collect()
    }

    /// Whether groups of any provider make operators.
    pub fn name_operators(&self) -> bool {
        let mut issuers = self.issuers.iter();
        issuers.any(|issuer| !issuer.settings.operator_groups.is_empty())
    }

    fn get(&self, name: &str) -> Result<&Issuer, OidcError> {
        self.issuers
            .iter()
            .find(|issuer| issuer.settings.name == name)
            .ok_or(OidcError::UnknownIssuer)
    }

    fn by_address(&self, address: &str) -> Option<&Issuer> {
        let address = address.trim_end_matches('/');
        self.issuers
            .iter()
            .find(|issuer| issuer.settings.issuer.trim_end_matches('/') == address)
    }

    /// Remembers that a state was used; says no where it was before.
    fn use_once(&self, state: [u8; 32], now: i64) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while used
            .front()
            .is_some_and(|(_, at)| (now - at).abs() > flow::LIFE_SECONDS)
            || used.len() >= USED_BOUND
        {
            used.pop_front();
        }
        if used.iter().any(|(known, _)| *known == state) {
            return false;
        }
        used.push_back((state, now));
        true
    }
}

/// Whether a provider is asked in clear over more than this machine.
fn is_open_to_eavesdroppers(issuer: &str) -> bool {
    let Some(rest) = issuer.strip_prefix("http://") else {
        return false;
    };
    let here = ["127.", "localhost", "[::1]"];
    !here.iter().any(|host| rest.starts_with(host))
}

impl super::Auth {
    /// The providers to choose from.
    pub fn providers(&self) -> Vec<Choice> {
        let choice = |issuer: &Issuer| Choice {
            name: issuer.settings.name.clone(),
            label: issuer.label().to_owned(),
        };
        self.issuers.issuers.iter().map(choice).collect()
    }

    /// What people know an issuer by: its label, or its address where it is none of ours any more.
    pub fn provider_label<'a>(&'a self, issuer: &'a str) -> &'a str {
        self.issuers
            .by_address(issuer)
            .map_or(issuer, Issuer::label)
    }

    /// Begins a sign-in: where to send the browser, and the cookie that it must come back with.
    /// `redirect_uri` is the address of our callback. `return_to` is a path of ours. `links` is the
    /// session whose owner wants to sign in by the provider too.
    pub fn depart(
        &self,
        provider: &str,
        return_to: &str,
        links: Option<i64>,
        redirect_uri: &str,
    ) -> Result<Departure, super::AuthError> {
        let issuer = self.issuers.get(provider)?;
        let now = self.clock.unix();
        let departure = flow::depart(
            issuer,
            return_to,
            links.is_some(),
            redirect_uri,
            self.random()?,
            now,
        )?;
        if let Some(session) = links {
            self.issuers.links.begin(session, &departure.link, now);
        }
        Ok(departure)
    }

    /// Keeps the identity of somebody who came back until the session that wanted it linked
    /// confirms that. Refused in any other session, and where the session did not begin it.
    pub fn keep_for_link(
        &self,
        session: Option<i64>,
        link: &str,
        person: Person,
    ) -> Result<(), OidcError> {
        let now = self.clock.unix();
        let links = &self.issuers.links;
        match session.is_some_and(|session| links.arrive(session, link, person, now)) {
            true => Ok(()),
            false => Err(OidcError::NotBegun),
        }
    }

    /// The identity that waits to be confirmed in a session, and what it is known by.
    pub fn kept_for_link(&self, session: i64) -> Option<(String, Person)> {
        self.issuers.links.waiting(session, self.clock.unix())
    }

    /// Takes the identity that its owner has confirmed.
    pub fn take_for_link(&self, session: i64, link: &str) -> Option<Person> {
        self.issuers.links.take(session, link, self.clock.unix())
    }

    /// Ends a sign-in: checks what the browser brought back, fetches the ID token and checks that.
    pub fn arrive(&self, callback: &Callback<'_>) -> Result<flow::Arrival, super::AuthError> {
        Ok(flow::arrive(&self.issuers, callback, self.clock.unix())?)
    }

    /// Where to send the browser so that it is signed out of a provider too, where the provider
    /// offers that. `method` is how the session was begun.
    pub fn provider_sign_out(&self, method: &str, return_to: &str) -> Option<String> {
        let issuer = self.issuers.by_address(method)?;
        issuer.sign_out_url(return_to, self.clock.unix())
    }
}
