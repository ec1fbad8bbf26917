//! The caller of a request: the client behind proxies, the credential, the account.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use http::{HeaderMap, HeaderValue};

use crate::api::error::ApiError;
use crate::auth::Auth;
use crate::auth::principal::{Account, Credential, Principal};
use crate::config::{BaseUrl, Config};
use crate::quota::address::{Address, TrustedProxies};
use crate::quota::networks::NetworkKey;
use crate::quota::{BurstKey, Cost, Payer, Quota, Subject};
use citation_model::plan::Plan;

/// The headers that may contain an API key.
pub const KEY_HEADERS: [&str; 3] = ["Authorization", "X-API-Key", "Zotero-API-Key"];

/// The server's address, and what follows from it for cookies and URLs.
#[derive(Clone, Debug)]
pub struct Site {
    pub base_url: BaseUrl,
    pub account_url: BaseUrl,
    pub cookie_name: String,
    proxies: TrustedProxies,
}

impl Site {
    /// `address` is the listening address.
    pub fn new(config: &Config, address: SocketAddr) -> Site {
        let base_url = config.base_url(address);
        Site {
            account_url: config.account_url(address),
            cookie_name: config.cookie_name(&base_url).to_owned(),
            base_url,
            proxies: TrustedProxies {
                networks: config.server.trusted_proxies.clone(),
                header: config.server.forwarded_header,
            },
        }
    }

    /// The client behind the peer of the connection.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let values = headers.get_all(self.proxies.header_name()).iter();
        self.proxies.client(peer, values.map(HeaderValue::as_bytes))
    }

    /// The address that a connection counts for; `None` for a trusted proxy.
    pub fn counted(&self, peer: IpAddr) -> Option<Address> {
        (!self.proxies.trusts(peer)).then(|| Address::of(peer))
    }

    /// A cookie of ours. `seconds` is its lifetime; 0 deletes it.
    pub fn cookie(&self, name: &str, value: &str, seconds: i64) -> String {
        let secure = if self.base_url.is_https() {
            "; Secure"
        } else {
            ""
        };
        format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
    }
}

/// The caller, as far as the request has been admitted.
#[derive(Clone, Debug)]
pub struct Caller {
    pub principal: Option<Principal>,
    pub plan: Plan,
    address: Address,
    /// The network with a quota of its own that the address is in.
    network: Option<NetworkKey>,
    /// The browser sent an expired session.
    pub has_stale_cookie: bool,
    /// The request has a key, and counts against the plan's monthly allowance.
    pub is_metered: bool,
    /// The cost of the request so far.
    pub cost: Arc<Cost>,
}

impl Caller {
    /// A caller known only by address.
    pub fn unknown(quota: &Quota, address: IpAddr) -> Caller {
        Caller::of_address(address, quota.network_of(address))
    }

    fn of_address(address: IpAddr, network: Option<NetworkKey>) -> Caller {
        Caller {
            principal: None,
            plan: Plan::Anonymous,
            address: Address::of(address),
            network,
            has_stale_cookie: false,
            is_metered: false,
            cost: Arc::default(),
        }
    }

    /// An account for which the server itself works, as its jobs do. Its calls count against no monthly
    /// allowance: the request for the job has.
    pub fn working_for(account: Account, cost: Arc<Cost>) -> Caller {
        let principal = Principal {
            account: Arc::new(account),
            credential: Credential::Server,
        };
        Caller {
            cost,
            ..Caller::of_address(IpAddr::V4(Ipv4Addr::LOCALHOST), None).with(principal)
        }
    }

    /// The same caller, with the authenticated account.
    fn with(self, principal: Principal) -> Caller {
        Caller {
            plan: principal.account.plan,
            is_metered: principal.credential.scopes().is_some(),
            principal: Some(principal),
            ..self
        }
    }

    pub fn account(&self) -> Option<&Account> {
        self.principal
            .as_ref()
            .map(|principal| principal.account.as_ref())
    }

    /// The credential of the account.
    pub fn credential(&self) -> Option<Credential> {
        self.principal
            .as_ref()
            .map(|principal| principal.credential)
    }

    /// The subject that lookups are counted for.
    pub fn subject(&self) -> Subject {
        match (self.account(), self.network) {
            (Some(account), _) => Subject::User(account.id),
            (None, Some(network)) => Subject::Network(network),
            (None, None) => Subject::Address(self.address),
        }
    }

    /// The row id of the caller's session.
    pub fn session(&self) -> Option<i64> {
        match self.principal.as_ref()?.credential {
            Credential::Session { id, .. } => Some(id),
            Credential::ApiKey { .. } | Credential::AccessToken { .. } | Credential::Server => None,
        }
    }

    /// The owner of the collections that are searched before the corpus, by row id.
    pub fn user(&self) -> Option<i64> {
        self.account().map(|account| account.id)
    }

    /// The payer of the request.
    pub fn payer(&self) -> Payer {
        Payer {
            subject: self.subject(),
            plan: self.plan,
            metered: self.user().filter(|_| self.is_metered),
            cost: Arc::clone(&self.cost),
        }
    }

    /// The owner of the rate limit bucket.
    pub fn burst_key(&self) -> BurstKey {
        match self
            .principal
            .as_ref()
            .map(|principal| principal.credential)
        {
            Some(Credential::ApiKey { id, .. }) => BurstKey::ApiKey(id),
            Some(Credential::Session { id, .. }) => BurstKey::Session(id),
            Some(Credential::AccessToken { id, .. }) => BurstKey::Grant(id),
            Some(Credential::Server) | None => BurstKey::Address(self.address),
        }
    }
}

/// The result of checking a request's credential.
pub enum Identified {
    /// A valid credential, or none.
    Caller(Caller),
    /// An invalid key; `None` if `Authorization` contains no key.
    BadKey { is_absent: bool },
}

/// Checks the credential of a caller known only by address. A key has priority over a cookie, and an invalid key is never ignored
/// (interface decisions, section 1).
pub fn identify(
    auth: &Auth,
    site: &Site,
    headers: &HeaderMap,
    unknown: Caller,
) -> Result<Identified, ApiError> {
    let (by_key, by_session) = (
        |key: PresentedKey<'_>| match key {
            PresentedKey::Bearer(text) => Ok(auth.by_bearer(text)?),
            PresentedKey::Other(text) => Ok(auth.by_api_key(text)?),
        },
        |value: &str| Ok(auth.by_session(value)?),
    );
    identify_by(site, headers, unknown, by_key, by_session)
}

/// The same, if it needs no database; else `None`.
pub fn identify_at_once(
    auth: &Auth,
    site: &Site,
    headers: &HeaderMap,
    unknown: Caller,
) -> Option<Identified> {
    let (by_key, by_session) = (
        |key: PresentedKey<'_>| match key {
            PresentedKey::Bearer(text) => auth.remembered_bearer(text).ok_or(()),
            PresentedKey::Other(text) => auth.remembered_api_key(text).ok_or(()),
        },
        |value: &str| auth.remembered_session(value).ok_or(()),
    );
    identify_by(site, headers, unknown, by_key, by_session).ok()
}

fn identify_by<E>(
    site: &Site,
    headers: &HeaderMap,
    unknown: Caller,
    by_key: impl FnOnce(PresentedKey<'_>) -> Result<Option<Principal>, E>,
    by_session: impl FnOnce(&str) -> Result<Option<Principal>, E>,
) -> Result<Identified, E> {
    if let Some(key) = presented_key(headers) {
        let Some(key) = key else {
            return Ok(Identified::BadKey { is_absent: true });
        };
        return Ok(match by_key(key)? {
            Some(principal) => Identified::Caller(unknown.with(principal)),
            None => Identified::BadKey { is_absent: false },
        });
    }
    let caller = match cookie(headers, &site.cookie_name) {
        None => unknown,
        Some(value) => match by_session(value)? {
            Some(principal) => unknown.with(principal),
            None => Caller {
                has_stale_cookie: true,
                ..unknown
            },
        },
    };
    Ok(Identified::Caller(caller))
}

/// The key of a request.
enum PresentedKey<'h> {
    /// In `Authorization`, the only place for access tokens.
    Bearer(&'h str),
    Other(&'h str),
}

/// The key of a request. `Some(None)`: an `Authorization` without a key.
fn presented_key(headers: &HeaderMap) -> Option<Option<PresentedKey<'_>>> {
    let authorization = headers.get("authorization");
    let bearer = authorization.and_then(|value| {
        let (scheme, key) = value.to_str().ok()?.trim().split_once(' ')?;
        { scheme.eq_ignore_ascii_case("bearer") }.then(|| PresentedKey::Bearer(key.trim()))
    });
    if bearer.is_some() {
        return Some(bearer);
    }
    match KEY_HEADERS
        .iter()
        .skip(1)
        .find_map(|name| headers.get(*name))
    {
        Some(key) => Some(key.to_str().ok().map(|key| PresentedKey::Other(key.trim()))),
        None => authorization.map(|_| None),
    }
}

/// Whether a request presents a credential, valid or not.
pub fn presents_credential(site: &Site, headers: &HeaderMap) -> bool {
    let has_key = KEY_HEADERS.iter().any(|name| headers.contains_key(*name));
    has_key || cookie(headers, &site.cookie_name).is_some()
}

/// The value of a cookie.
pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let values = headers.get_all("cookie").iter();
    let pairs = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'));
    pairs
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(present, _)| *present == name)
        .map(|(_, value)| value.trim_matches('"'))
}
