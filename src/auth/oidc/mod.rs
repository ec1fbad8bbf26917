//! Signing in through an identity provider: OpenID Connect Core 1.0, the authorization code flow
//! with PKCE (RFC 7636), as a relying party.
//!
//! The server stores nothing during a sign-in at the provider: state, nonce and PKCE
//! verifier are derived from a random number in a cookie of that browser, so an answer is only accepted
//! from the browser that started, for ten minutes. Used states are remembered, so
//! that each is used once.
//!
//! - `flow`: the redirect and the callback · `issuer`: a provider's metadata and keys
//! - `groups`: maps groups to plans, operators and roles in collections
//! - `link`: linking identities · `jwt`: validates ID tokens · `web`: requests to
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
use crate::store::collections::ConfiguredGroup;
use crate::store::users::Identity;
pub use flow::{Callback, ProviderRedirect};
pub use groups::{GroupPlan, GroupStatus};
use issuer::Issuer;
use link::PendingLinks;

/// The identity providers.
pub struct Issuers {
    issuers: Vec<Issuer>,
    /// The groups with a role in collections.
    groups: Vec<ConfiguredGroup>,
    /// Used states with the time of use, oldest first.
    used: Mutex<VecDeque<([u8; 32], i64)>>,
    links: PendingLinks,
}

/// An authenticated identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticatedPerson {
    pub identity: Identity,
    pub name: Option<String>,
    pub group_status: GroupStatus,
}

/// A provider as the sign-in page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderChoice {
    /// Its name in URLs.
    pub name: String,
    pub label: String,
}

/// Why a sign-in through a provider failed. The messages are for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OidcError {
    #[error("this identity provider is not configured here")]
    UnknownIssuer,
    /// A missing or expired cookie.
    #[error("this sign-in was not started in this browser, or has expired; please start again")]
    NotBegun,
    #[error("the answer does not belong to this browser's sign-in; please start again")]
    WrongState,
    #[error("this sign-in is already completed; please start again")]
    Used,
    /// The provider's own code, such as `access_denied`.
    #[error("the identity provider refused the sign-in ({0})")]
    Refused(String),
    #[error("the identity provider cannot be reached; try again in a moment")]
    Unreachable(String),
    #[error("the identity provider's answer cannot be trusted; the reason is in the server's log")]
    Untrusted(String),
}

impl OidcError {
    /// The message for the log, beyond that for the user.
    pub fn cause(&self) -> &str {
        match self {
            OidcError::Unreachable(cause)
            | OidcError::Untrusted(cause)
            | OidcError::Refused(cause) => cause,
            _ => "",
        }
    }
}

/// Maximum number of remembered states.
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
                "the identity provider does not use https; use https outside of tests"
            );
        }
        Issuers {
            issuers: settings
                .oidc
                .iter()
                .map(|issuer| Issuer::new(groups::with_shared(issuer, settings), timeout))
                .collect(),
            groups: groups::configured(settings),
            used: Mutex::default(),
            links: PendingLinks::default(),
        }
    }

    /// The addresses of the issuers, without a slash at the end.
    pub fn addresses(&self) -> Vec<&str> {
        let issuers = self.issuers.iter();
        issuers
            .map(|issuer| issuer.settings.issuer.trim_end_matches('/'))
            .collect()
    }

    /// The groups of the configuration that have a role in collections.
    pub fn configured_groups(&self) -> &[ConfiguredGroup] {
        &self.groups
    }

    /// The groups of providers that are groups here too: the address of the issuer, without a slash at the
    /// end, and the value of its claim.
    pub fn shared_groups(&self) -> Vec<(&str, &str)> {
        let issuers = self.issuers.iter();
        let shared = issuers.flat_map(|issuer| {
            let address = issuer.settings.issuer.trim_end_matches('/');
            let groups = issuer.settings.shared_groups.iter();
            groups.map(move |group| (address, group.as_str()))
        });
        shared.collect()
    }

    /// Whether groups of any provider define operators.
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

    /// Records the use of a state; false if it was used before.
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

/// Whether a provider uses plain http to another machine.
fn is_open_to_eavesdroppers(issuer: &str) -> bool {
    let Some(rest) = issuer.strip_prefix("http://") else {
        return false;
    };
    let here = ["127.", "localhost", "[::1]"];
    !here.iter().any(|host| rest.starts_with(host))
}

impl super::Auth {
    /// The providers to choose from.
    pub fn providers(&self) -> Vec<ProviderChoice> {
        let choice = |issuer: &Issuer| ProviderChoice {
            name: issuer.settings.name.clone(),
            label: issuer.label().to_owned(),
        };
        self.issuers.issuers.iter().map(choice).collect()
    }

    /// The name of an issuer: its label, or its URL if it is no longer configured.
    pub fn provider_label<'a>(&'a self, issuer: &'a str) -> &'a str {
        self.issuers
            .by_address(issuer)
            .map_or(issuer, Issuer::label)
    }

    /// Starts a sign-in: the redirect URL, and the cookie to set.
    /// `redirect_uri` is our callback. `return_to` is a path of ours. `links` is the
    /// session whose owner wants to link the identity.
    pub fn authorization_redirect(
        &self,
        provider: &str,
        return_to: &str,
        links: Option<i64>,
        redirect_uri: &str,
    ) -> Result<ProviderRedirect, super::AuthError> {
        let issuer = self.issuers.get(provider)?;
        let now = self.clock.unix();
        let departure = flow::authorization_redirect(
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

    /// Stores an authenticated identity until the session that started linking it
    /// confirms. Fails in any other session.
    pub fn keep_for_link(
        &self,
        session: Option<i64>,
        link: &str,
        person: AuthenticatedPerson,
    ) -> Result<(), OidcError> {
        let now = self.clock.unix();
        let links = &self.issuers.links;
        if session.is_some_and(|session| links.record_authenticated(session, link, person, now)) {
            Ok(())
        } else {
            Err(OidcError::NotBegun)
        }
    }

    /// The identity that awaits confirmation in a session, and its flow id.
    pub fn kept_for_link(&self, session: i64) -> Option<(String, AuthenticatedPerson)> {
        self.issuers.links.waiting(session, self.clock.unix())
    }

    /// Takes the confirmed identity.
    pub fn take_for_link(&self, session: i64, link: &str) -> Option<AuthenticatedPerson> {
        self.issuers.links.take(session, link, self.clock.unix())
    }

    /// Completes a sign-in: validates the callback, fetches the ID token and validates it.
    pub fn complete_sign_in(
        &self,
        callback: &Callback<'_>,
    ) -> Result<flow::CompletedSignIn, super::AuthError> {
        Ok(flow::complete_sign_in(
            &self.issuers,
            callback,
            self.clock.unix(),
        )?)
    }

    /// The URL that also signs the browser out of a provider, if the provider
    /// offers that. `method` is how the session was started.
    pub fn provider_sign_out(&self, method: &str, return_to: &str) -> Option<String> {
        let issuer = self.issuers.by_address(method)?;
        issuer.sign_out_url(return_to, self.clock.unix())
    }
}
