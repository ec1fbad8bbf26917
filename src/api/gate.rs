//! Who may do what: the only place where a request is admitted, counted and charged.
//!
//! A request passes credential → burst → forgery → account → plan → scope, then its handler, which
//! charges lookups as it makes them, then [`settle`], which counts the API call and writes the
//! headers. The order follows interface decisions, section 1: whoever may not do a thing learns that
//! before anything else is said about it.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering};

use http::{HeaderMap, Method};

use super::call::Call;
use super::error::{ApiError, Code};
use super::policy;
use super::reply::Reply;
use super::route::Handler;
use crate::auth::AuthError;
use crate::auth::principal::{Account, Credential, Principal};
use crate::config::{BaseUrl, Config};
use crate::model::identifier::Identifier;
use crate::model::plan::Plan;
use crate::quota::address::{Address, TrustedProxies};
use crate::quota::limiter::Taken;
use crate::quota::{BurstKey, QuotaError, Reservation, Subject};
use crate::store::StoreError;

/// What a route lets its caller do. Every row of the route table names one.
// Not every one of them has a row yet; the rules for all stand here together.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Open to everybody and not limited: health and static files. Credentials are not looked at.
    Probe,
    /// Open to everybody: styles, documentation, one's own standing.
    Public,
    /// Open to everybody; part of a paid plan's monthly allowance.
    Format,
    /// A lookup: open to everybody, and counted against the daily quota.
    Lookup,
    /// Reading what is one's own.
    Read,
    /// Changing what is one's own.
    Write,
    /// Reading, for paid plans.
    PaidRead,
    /// Changing what is one's own, for paid plans.
    PaidWrite,
    /// Lookups by the batch, for paid plans.
    PaidLookup,
    /// What only the owner may do who has signed in, and no key: managing keys.
    Session,
    /// A page that is open to everybody.
    Page,
    /// A page for those who have signed in; others are sent to do so.
    AccountPage,
}

/// What a key must be allowed for an action.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Read,
    Write,
}

impl Action {
    /// Whether the caller must have an account.
    pub fn needs_account(self) -> bool {
        use Action::*;
        matches!(self, Read | Write | PaidRead | PaidWrite | PaidLookup | Session | AccountPage)
    }

    /// Whether the caller's plan must be a paid one (specification, section 5.5).
    pub fn needs_paid_plan(self) -> bool {
        matches!(self, Action::PaidRead | Action::PaidWrite | Action::PaidLookup)
    }

    /// Whether lookups are charged.
    pub fn is_lookup(self) -> bool {
        matches!(self, Action::Lookup | Action::PaidLookup)
    }

    /// Whether the answer is a page, failures included.
    pub fn is_page(self) -> bool {
        matches!(self, Action::Page | Action::AccountPage)
    }

    /// Whether a key's call is part of the monthly allowance (interface decisions, section 3).
    fn is_metered(self) -> bool {
        use Action::*;
        matches!(self, Format | Lookup | Read | Write | PaidRead | PaidWrite | PaidLookup)
    }

    fn scope(self) -> Option<Scope> {
        use Action::*;
        match self {
            Lookup | Format | Read | PaidRead | PaidLookup => Some(Scope::Read),
            Write | PaidWrite => Some(Scope::Write),
            Probe | Public | Session | Page | AccountPage => None,
        }
    }
}

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
        let values = headers.get_all(self.proxies.header_name());
        let values: Vec<&str> = values.iter().filter_map(|value| value.to_str().ok()).collect();
        self.proxies.client(peer, values.into_iter())
    }

    /// A cookie of ours. `seconds` is how long the browser keeps it; 0 takes it away.
    pub fn cookie(&self, name: &str, value: &str, seconds: i64) -> String {
        let secure = if self.base_url.is_https() { "; Secure" } else { "" };
        format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
    }
}

/// Who calls, as far as the request has been admitted.
#[derive(Debug)]
pub struct Caller {
    pub principal: Option<Principal>,
    pub plan: Plan,
    address: Address,
    /// The browser sent a session that is over.
    has_stale_cookie: bool,
    /// Lookups charged to this request.
    charged: AtomicU32,
}

impl Caller {
    /// Somebody of whom nothing is known but the address.
    pub fn unknown(address: IpAddr) -> Caller {
        Caller {
            principal: None,
            plan: Plan::Anonymous,
            address: Address::of(address),
            has_stale_cookie: false,
            charged: AtomicU32::new(0),
        }
    }

    pub fn account(&self) -> Option<&Account> {
        self.principal.as_ref().map(|principal| principal.account.as_ref())
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

    fn burst_key(&self) -> BurstKey {
        match self.principal.as_ref().map(|principal| principal.credential) {
            Some(Credential::ApiKey { id, .. }) => BurstKey::ApiKey(id),
            Some(Credential::Session { id, .. }) => BurstKey::Session(id),
            None => BurstKey::Address(self.address),
        }
    }
}

/// Takes a request through admission, its handler and what follows.
pub fn pass(call: &mut Call, action: Action, handler: Handler) -> Result<Reply, ApiError> {
    if action == Action::Probe {
        return handler(call);
    }
    let result = match admit(call, action) {
        Ok(()) if action == Action::AccountPage && call.caller.session().is_none() => {
            Ok(super::account::to_sign_in(call))
        }
        Ok(()) => handler(call),
        Err(error) => Err(error),
    };
    settle(call, action, result)
}

/// Admits a request or says why not. The caller is known from here on.
fn admit(call: &mut Call, action: Action) -> Result<(), ApiError> {
    call.caller = identify(call)?;
    take_burst(call, &call.caller)?;
    refuse_forgery(call, action)?;
    let account = call.caller.account();
    if action == Action::AccountPage {
        return Ok(());
    }
    if action.needs_account() && account.is_none() {
        return Err(authentication_required());
    }
    if action.needs_paid_plan() && !call.caller.plan.is_paid() {
        return Err(policy::plan_required(call));
    }
    check_credential(action, call.caller.principal.as_ref())
}

/// Reads the credential. A key goes before a cookie, and a bad key is never taken for no key
/// (interface decisions, section 1).
fn identify(call: &Call) -> Result<Caller, ApiError> {
    let unknown = Caller::unknown(call.client);
    if let Some(key) = presented_key(call) {
        let found = match key {
            Some(key) => call.app.auth.by_api_key(key).map_err(failed)?,
            None => None,
        };
        return match found {
            Some(principal) => Ok(Caller { plan: principal.account.plan, principal: Some(principal), ..unknown }),
            None => {
                // Whoever tries keys is held back by address.
                take_burst(call, &unknown)?;
                Err(invalid_key(key.is_none()))
            }
        };
    }
    let Some(cookie) = cookie(call, &call.edge.site.cookie_name) else {
        return Ok(unknown);
    };
    match call.app.auth.by_session(cookie).map_err(failed)? {
        Some(principal) => Ok(Caller { plan: principal.account.plan, principal: Some(principal), ..unknown }),
        None => Ok(Caller { has_stale_cookie: true, ..unknown }),
    }
}

/// The key that a request carries. `Some(None)`: an `Authorization` that holds no key.
fn presented_key(call: &Call) -> Option<Option<&str>> {
    let authorization = call.headers.get("authorization");
    let bearer = authorization.and_then(|value| {
        let (scheme, key) = value.to_str().ok()?.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    if bearer.is_some() {
        return Some(bearer);
    }
    match call.headers.get("x-api-key") {
        Some(key) => Some(key.to_str().ok().map(str::trim)),
        None => authorization.map(|_| None),
    }
}

/// The value of a cookie.
pub fn cookie<'c>(call: &'c Call, name: &str) -> Option<&'c str> {
    let headers = call.headers.get_all("cookie").iter();
    let pairs = headers.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(';'));
    pairs
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(present, _)| *present == name)
        .map(|(_, value)| value.trim_matches('"'))
}

fn take_burst(call: &Call, caller: &Caller) -> Result<(), ApiError> {
    let key = caller.burst_key();
    let taken = call.app.quota.take_burst(key, caller.plan);
    if taken.allowed {
        return Ok(());
    }
    let limit = call.app.quota.plans().rules(caller.plan).burst_per_minute;
    Err(rate_limited(&taken, limit, matches!(key, BurstKey::Address(_))))
}

fn rate_limited(taken: &Taken, limit: u32, by_address: bool) -> ApiError {
    let seconds = |ms: u64| ms.div_ceil(1000).max(1);
    let (scope, whose) = if by_address { ("ip", "this address") } else { ("credential", "this credential") };
    ApiError::new(
        Code::RateLimited,
        format!("{whose} may make {limit} requests a minute; slow down, or wait for a moment.").replacen("this", "This", 1),
    )
    .with("limit", limit)
    .with("remaining", 0)
    .with("reset_seconds", seconds(taken.full_ms))
    .with("scope", scope)
    .retry_after(seconds(taken.retry_ms))
    .with_header("x-ratelimit-limit", limit.to_string())
    .with_header("x-ratelimit-remaining", "0")
    .with_header("x-ratelimit-reset", seconds(taken.full_ms).to_string())
    .with_header("x-ratelimit-scope", "burst")
}

/// Refuses writes that another site makes a browser send. A write with a session must show that it
/// comes from here; a form that signs in need only not show the contrary.
fn refuse_forgery(call: &Call, action: Action) -> Result<(), ApiError> {
    if matches!(call.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let has_session = call.caller.session().is_some();
    let from_here = comes_from_here(call);
    let is_forged = match from_here {
        Some(from_here) => !from_here && (has_session || action.is_page()),
        None => has_session,
    };
    if !is_forged {
        return Ok(());
    }
    Err(ApiError::new(
        Code::CsrfFailed,
        "A write with a session cookie must come from this site's own pages; programs use an API key.",
    ))
}

/// What the browser says of the page that sent the request; nothing where it says nothing.
fn comes_from_here(call: &Call) -> Option<bool> {
    if let Some(site) = call.header("sec-fetch-site") {
        return Some(matches!(site, "same-origin" | "none"));
    }
    let origin = call.header("origin")?;
    Some(origin == call.edge.site.base_url.origin())
}

fn check_credential(action: Action, principal: Option<&Principal>) -> Result<(), ApiError> {
    let Some(Principal { credential: Credential::ApiKey { scopes, .. }, .. }) = principal else {
        return Ok(());
    };
    if action == Action::Session {
        return Err(ApiError::new(
            Code::Forbidden,
            "API keys are managed by their owner, signed in with a browser, and not with a key.",
        ));
    }
    let missing = match action.scope() {
        Some(Scope::Read) if !scopes.read => "read",
        Some(Scope::Write) if !scopes.write => "write",
        _ => return Ok(()),
    };
    let message = format!("This API key does not have the scope “{missing}”; make one that has it.");
    Err(ApiError::new(Code::Forbidden, message).with("scope", missing))
}

/// Charges one lookup: sets it aside, tries it, and counts it where it came to a work or to the
/// certainty that no source has one. What is in the caller's own collections is free, and so is what
/// fails (interface decisions, section 3).
pub fn charge<T>(
    call: &Call,
    identifier: Option<&Identifier>,
    lookup: impl FnOnce() -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    if let (Some(account), Some(identifier)) = (call.caller.account(), identifier)
        && call.app.quota.holdings().owns(account.id, identifier).map_err(failed)?
    {
        return lookup();
    }
    let reservation = reserve(call)?;
    let result = lookup();
    let costs = match &result {
        Ok(_) => true,
        Err(error) => error.code == Code::WorkNotFound,
    };
    if costs {
        commit(call, reservation)?;
    }
    result
}

/// Sets one lookup aside, or refuses with the daily quota's 429. Dropping it gives it back.
pub fn reserve(call: &Call) -> Result<Reservation, ApiError> {
    let caller = &call.caller;
    match call.app.quota.reserve(caller.subject(), caller.plan) {
        Ok(reservation) => Ok(reservation),
        Err(QuotaError::Exhausted(standing)) => Err(policy::quota_exhausted(call, &standing)),
        Err(other) => Err(uncountable(&other)),
    }
}

/// Counts a lookup that was set aside.
pub fn commit(call: &Call, reservation: Reservation) -> Result<(), ApiError> {
    reservation.commit().map_err(|cause| uncountable(&cause))?;
    call.caller.charged.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Counts the call and adds the headers that every answer of a route carries, failures included.
fn settle(call: &Call, action: Action, result: Result<Reply, ApiError>) -> Result<Reply, ApiError> {
    let result = count_call(call, action, result);
    let mut headers = Vec::new();
    if action.is_lookup() && !is_refused_earlier(&result) {
        headers.extend(policy::lookup_headers(call)?);
        let cost = call.caller.charged.load(Ordering::Relaxed);
        headers.push(("x-lookup-cost", cost.to_string()));
    }
    let cookie = session_cookie(call);
    match result {
        Ok(mut reply) => {
            for (name, value) in headers {
                reply = reply.with_header(name, value);
            }
            let sets_cookies = reply.header("set-cookie").is_some();
            reply.headers.extend(cookie.filter(|_| !sets_cookies).map(|cookie| ("set-cookie", cookie)));
            Ok(reply)
        }
        Err(mut error) => {
            error.headers.extend(headers);
            error.headers.extend(cookie.map(|cookie| ("set-cookie", cookie)));
            if action.is_page() { Ok(super::account::failure(call, error)) } else { Err(error) }
        }
    }
}

/// Whether the request was refused before the daily quota came into it: then its headers say
/// something else, or nothing.
fn is_refused_earlier(result: &Result<Reply, ApiError>) -> bool {
    result.as_ref().is_err_and(|error| {
        matches!(
            error.code,
            Code::RateLimited
                | Code::QuotaExhausted
                | Code::InvalidApiKey
                | Code::AuthenticationRequired
                | Code::PlanRequired
                | Code::Forbidden
                | Code::CsrfFailed
        )
    })
}

/// Counts the call of a key in the monthly allowance. As with lookups, what fails is free.
fn count_call(call: &Call, action: Action, result: Result<Reply, ApiError>) -> Result<Reply, ApiError> {
    let counts = match &result {
        Ok(reply) => reply.status.as_u16() < 400,
        Err(error) => error.code == Code::WorkNotFound,
    };
    let Some(Principal { account, credential: Credential::ApiKey { .. } }) = &call.caller.principal else {
        return result;
    };
    if counts && action.is_metered() {
        let counted = call.app.quota.count_call(account.id, account.plan);
        counted.map_err(|cause| uncountable(&cause))?;
    }
    result
}

/// The cookie that tells the browser that its session lasts longer now, or is over.
fn session_cookie(call: &Call) -> Option<String> {
    let site = &call.edge.site;
    let name = &site.cookie_name;
    if call.caller.has_stale_cookie {
        return Some(site.cookie(name, "", 0));
    }
    match call.caller.principal.as_ref()?.credential {
        Credential::Session { extended: true, .. } => {
            let value = cookie(call, name)?;
            Some(site.cookie(name, value, call.app.auth.session_seconds()))
        }
        _ => None,
    }
}

fn authentication_required() -> ApiError {
    ApiError::new(
        Code::AuthenticationRequired,
        "This needs an account: sign in, or send an API key as “Authorization: Bearer ck_…”.",
    )
    .with("actions", vec!["sign_in", "create_free_account"])
    .with_header("www-authenticate", "Bearer realm=\"api\"")
}

fn invalid_key(is_no_key: bool) -> ApiError {
    let message = if is_no_key {
        "The Authorization header holds no API key; send it as “Authorization: Bearer ck_…”."
    } else {
        "The API key is wrong, expired or revoked, or its account is disabled."
    };
    ApiError::new(Code::InvalidApiKey, message)
        .with_header("www-authenticate", "Bearer realm=\"api\", error=\"invalid_token\"")
}

/// A lookup or call that cannot be counted is not answered: it may be tried again.
fn uncountable(cause: &QuotaError) -> ApiError {
    tracing::error!(%cause, "a lookup or a call could not be counted");
    ApiError::overloaded()
}

/// A failure of the database.
pub fn failed(cause: StoreError) -> ApiError {
    if cause.is_retryable() { ApiError::overloaded() } else { ApiError::internal(cause) }
}

/// What went wrong with an account, as the interface says it.
pub fn auth_failed(cause: AuthError) -> ApiError {
    use crate::auth::passwords::PasswordError;
    let message = sentence(&cause);
    match cause {
        AuthError::Store(cause) => failed(cause),
        AuthError::Random(_) | AuthError::Io(_) | AuthError::Password(PasswordError::Failed(_)) => {
            ApiError::internal(cause)
        }
        AuthError::Password(PasswordError::Busy) => ApiError::overloaded(),
        AuthError::InvalidName(_) => ApiError::invalid_field("/name", message),
        AuthError::ExpiryPast => ApiError::invalid_field("/expires_at", message),
        AuthError::TooManyKeys(limit) => ApiError::new(Code::Forbidden, message).with("limit", limit),
        AuthError::TooManyAttempts { retry_seconds } => {
            ApiError::new(Code::RateLimited, message).retry_after(retry_seconds)
        }
        AuthError::EmailTaken => ApiError::new(Code::Conflict, message),
        AuthError::LinkInvalid => ApiError::not_found("link", message),
        AuthError::InvalidEmail(_) | AuthError::Password(_) => ApiError::new(Code::ValidationFailed, message),
        AuthError::WrongPassword | AuthError::Disabled | AuthError::SignUpClosed | AuthError::Oidc(_) => {
            ApiError::new(Code::Forbidden, message)
        }
    }
}

/// An error's text as a sentence.
pub fn sentence(cause: &impl std::fmt::Display) -> String {
    let text = cause.to_string();
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), characters.as_str()),
        None => text,
    }
}
