//! Who sends a request, and from where: the client behind proxies, the credential, the account.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use http::{HeaderMap, HeaderValue};

use super::error::ApiError;
use crate::auth::Auth;
use crate::auth::principal::{Account, Credential, Principal};
use crate::config::{BaseUrl, Config};
use crate::quota::address::{Address, TrustedProxies};
use crate::quota::{BurstKey, Cost, Payer, Subject};
use citation_model::plan::Plan;

/// Where the server is reached, and what follows from that for cookies and addresses.
#[derive(Clone, Debug)]
pub struct Site {
    pub base_url: BaseUrl,
    pub account_url: BaseUrl,
    pub cookie_name: String,
    proxies: TrustedProxies,
}

impl Site {
    /// `address` is where the server listens.
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

    /// The client behind the connection's other end.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let values = headers.get_all(self.proxies.header_name()).iter();
        self.proxies.client(peer, values.map(HeaderValue::as_bytes))
    }

    /// The address that a connection is counted for; nothing for a trusted proxy.
    pub fn counted(&self, peer: IpAddr) -> Option<Address> {
        (!self.proxies.trusts(peer)).then(|| Address::of(peer))
    }

    /// A cookie of ours. `seconds` is how long the browser keeps it; 0 takes it away.
    pub fn cookie(&self, name: &str, value: &str, seconds: i64) -> String {
        let secure = if self.base_url.is_https() {
            "; Secure"
        } else {
            ""
        };
        format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
    }
}

/// Who calls, as far as the request has been admitted.
#[derive(Clone, Debug)]
pub struct Caller {
    pub principal: Option<Principal>,
    pub plan: Plan,
    address: Address,
    /// The browser sent a session that is over.
    pub has_stale_cookie: bool,
    /// The request comes with a key, and is part of the plan's monthly allowance.
    pub is_metered: bool,
    /// What the request has cost so far.
    pub cost: Arc<Cost>,
}

impl Caller {
    /// Somebody of whom nothing is known but the address.
    pub fn unknown(address: IpAddr) -> Caller {
        Caller {
            principal: None,
            plan: Plan::Anonymous,
            address: Address::of(address),
            has_stale_cookie: false,
            is_metered: false,
            cost: Arc::default(),
        }
    }

    /// The same caller, with the account that is proved.
    fn with(self, principal: Principal) -> Caller {
        Caller {
            plan: principal.account.plan,
            is_metered: matches!(principal.credential, Credential::ApiKey { .. }),
            principal: Some(principal),
            ..self
        }
    }

    pub fn account(&self) -> Option<&Account> {
        self.principal
            .as_ref()
            .map(|principal| principal.account.as_ref())
    }

    /// Whom lookups are counted for.
    pub fn subject(&self) -> Subject {
        match self.account() {
            Some(account) => Subject::User(account.id),
            None => Subject::Address(self.address),
        }
    }

    /// The session that the caller came with, by number.
    pub fn session(&self) -> Option<i64> {
        match self.principal.as_ref()?.credential {
            Credential::Session { id, .. } => Some(id),
            Credential::ApiKey { .. } => None,
        }
    }

    /// Whose collections are looked in before the corpus is, by number.
    pub fn user(&self) -> Option<i64> {
        self.account().map(|account| account.id)
    }

    /// Who pays for what the request asks for.
    pub fn payer(&self) -> Payer {
        Payer {
            subject: self.subject(),
            plan: self.plan,
            metered: self.user().filter(|_| self.is_metered),
            cost: Arc::clone(&self.cost),
        }
    }

    /// Whose bucket the request is taken from.
    pub fn burst_key(&self) -> BurstKey {
        match self
            .principal
            .as_ref()
            .map(|principal| principal.credential)
        {
            Some(Credential::ApiKey { id, .. }) => BurstKey::ApiKey(id),
            Some(Credential::Session { id, .. }) => BurstKey::Session(id),
            None => BurstKey::Address(self.address),
        }
    }
}

/// What the credential of a request came to.
pub enum Identified {
    /// A good credential, or none.
    Caller(Caller),
    /// A key that is none of ours, or no longer; nothing where `Authorization` holds no key at all.
    BadKey { is_absent: bool },
}

/// Reads the credential. A key goes before a cookie, and a bad key is never taken for no key
/// (interface decisions, section 1).
pub fn identify(
    auth: &Auth,
    site: &Site,
    headers: &HeaderMap,
    client: IpAddr,
) -> Result<Identified, ApiError> {
    let (by_key, by_session) = (
        |key: &str| Ok(auth.by_api_key(key)?),
        |value: &str| Ok(auth.by_session(value)?),
    );
    identify_by(site, headers, client, by_key, by_session)
}

/// The same, where no database has to be asked; else nothing.
pub fn identify_at_once(
    auth: &Auth,
    site: &Site,
    headers: &HeaderMap,
    client: IpAddr,
) -> Option<Identified> {
    let (by_key, by_session) = (
        |key: &str| auth.remembered_api_key(key).ok_or(()),
        |value: &str| auth.remembered_session(value).ok_or(()),
    );
    identify_by(site, headers, client, by_key, by_session).ok()
}

fn identify_by<E>(
    site: &Site,
    headers: &HeaderMap,
    client: IpAddr,
    by_key: impl FnOnce(&str) -> Result<Option<Principal>, E>,
    by_session: impl FnOnce(&str) -> Result<Option<Principal>, E>,
) -> Result<Identified, E> {
    let unknown = Caller::unknown(client);
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

/// The key that a request carries. `Some(None)`: an `Authorization` that holds no key.
fn presented_key(headers: &HeaderMap) -> Option<Option<&str>> {
    let authorization = headers.get("authorization");
    let bearer = authorization.and_then(|value| {
        let (scheme, key) = value.to_str().ok()?.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    if bearer.is_some() {
        return Some(bearer);
    }
    let named = ["x-api-key", "zotero-api-key"];
    match named.into_iter().find_map(|name| headers.get(name)) {
        Some(key) => Some(key.to_str().ok().map(str::trim)),
        None => authorization.map(|_| None),
    }
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
