//! Signing in through an identity provider: OpenID Connect Core 1.0, the authorization code flow
//! with PKCE (RFC 7636), as a relying party.
//!
//! Nothing is kept on the server while somebody is away at the provider: state, nonce and PKCE
//! verifier all follow from one random number in a cookie of that browser, so an answer is taken
//! only from the browser that asked, and for ten minutes. A state that was used is remembered, so
//! that it is used once.
//!
//! - `flow`: the way there and back · `issuer`: what a provider says of itself, and its keys
//! - `jwt`: checking an ID token · `web`: requests to providers

mod flow;
mod issuer;
mod jwt;
mod web;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::config::AuthSettings;
use crate::store::users::Identity;
pub use flow::{Callback, Departure};
use issuer::Issuer;

/// The identity providers.
pub struct Issuers {
    issuers: Vec<Issuer>,
    /// States that were used and when, oldest first.
    used: Mutex<VecDeque<([u8; 32], i64)>>,
}

/// Somebody whom a provider vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub identity: Identity,
    /// Nothing where the provider tells none, or says that it did not verify it.
    pub email: Option<String>,
    pub name: Option<String>,
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
        }
    }

    fn get(&self, name: &str) -> Result<&Issuer, OidcError> {
        self.issuers
            .iter()
            .find(|issuer| issuer.settings.name == name)
            .ok_or(OidcError::UnknownIssuer)
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
            label: match issuer.settings.label.as_str() {
                "" => issuer.settings.name.clone(),
                label => label.to_owned(),
            },
        };
        self.issuers.issuers.iter().map(choice).collect()
    }

    /// Begins a sign-in: where to send the browser, and the cookie that it must come back with.
    /// `redirect_uri` is the address of our callback. `return_to` is a path of ours.
    pub fn depart(
        &self,
        provider: &str,
        return_to: &str,
        links: bool,
        redirect_uri: &str,
    ) -> Result<Departure, super::AuthError> {
        let issuer = self.issuers.get(provider)?;
        let now = self.clock.unix();
        Ok(flow::depart(
            issuer,
            return_to,
            links,
            redirect_uri,
            self.random()?,
            now,
        )?)
    }

    /// Ends a sign-in: checks what the browser brought back, fetches the ID token and checks that.
    pub fn arrive(&self, callback: &Callback<'_>) -> Result<flow::Arrival, super::AuthError> {
        Ok(flow::arrive(&self.issuers, callback, self.clock.unix())?)
    }

    /// Where to send the browser so that it is signed out of a provider too, where the provider
    /// offers that. `method` is how the session was begun.
    pub fn provider_sign_out(&self, method: &str, return_to: &str) -> Option<String> {
        let is_method = |issuer: &&Issuer| {
            issuer.settings.issuer.trim_end_matches('/') == method.trim_end_matches('/')
        };
        let issuer = self.issuers.issuers.iter().find(is_method)?;
        issuer.sign_out_url(return_to, self.clock.unix())
    }
}
