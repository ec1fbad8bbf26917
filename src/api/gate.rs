//! Who may do what: the only place where a request is admitted, counted and charged.
//!
//! A request passes credential → burst → forgery → account → plan → scope by its headers ([`admit`]),
//! then, with its body, the handler, which charges lookups as it makes them, then [`settle`], which
//! counts the API call and writes the headers. The order follows interface decisions, section 1: whoever may not do a thing learns that
//! before anything else is said about it.

use http::Method;

use super::action::{Action, Scope};
use super::body;
use super::call::Call;
use super::caller::{self, Caller, Identified};
use super::error::{ApiError, Code};
use super::policy;
use super::reply::{Body, Reply};
use super::route::{AtOnce, Handler};
use crate::auth::principal::{Credential, Principal};
use crate::quota::limiter::Taken;
use crate::quota::{BurstKey, Priced, QuotaError, Reservation};
use crate::store::StoreError;

/// Decides by the headers alone whether the request may go on to [`pass`]. The caller is known from
/// here on.
pub fn admit(call: &mut Call, action: Action) -> Result<(), ApiError> {
    if action == Action::Probe {
        return Ok(());
    }
    check(call, action).or_else(|error| settle(call, action, Err(error)).map(|_| ()))
}

/// Whether [`admit`] needs nothing but what lies in memory.
pub fn admits_at_once(call: &Call, action: Action) -> bool {
    action == Action::Probe || caller::is_at_hand(&call.app.auth, &call.edge.site, &call.headers)
}

/// Takes an admitted request through its handler and what follows.
pub fn pass(
    call: &mut Call,
    action: Action,
    handler: impl FnOnce(&mut Call) -> Result<Reply, ApiError>,
) -> Result<Reply, ApiError> {
    let result = handler(call);
    match action {
        Action::Probe => result,
        _ => settle(call, action, result),
    }
}

/// Takes a request of one of our own pages through the same stations. The page's request was counted
/// against the burst limit and tried for forgery, so this one is not.
pub fn pass_within(call: &mut Call, action: Action, handler: Handler) -> Result<Reply, ApiError> {
    call.caller = match identify(call)? {
        Identified::Caller(caller) => caller,
        Identified::BadKey { is_absent } => return Err(invalid_key(is_absent)),
    };
    call.caller.is_metered &= action.is_metered();
    let admitted = check_rights(call, action).and_then(|()| call.check_address());
    let result = match admitted {
        Ok(()) => handler(call),
        Err(error) => Err(error),
    };
    settle(call, action, result)
}

/// Like [`pass`], for a handler that may leave the request to another: nothing then.
pub fn pass_at_once(
    call: &Call,
    action: Action,
    at_once: AtOnce,
) -> Option<Result<Reply, ApiError>> {
    let result = at_once(call).transpose()?;
    Some(settle(call, action, result))
}

fn identify(call: &Call) -> Result<Identified, ApiError> {
    caller::identify(&call.app.auth, &call.edge.site, &call.headers, call.client)
}

/// Whether the request may go on, or why not.
fn check(call: &mut Call, action: Action) -> Result<(), ApiError> {
    call.caller = match identify(call)? {
        Identified::Caller(caller) => caller,
        Identified::BadKey { is_absent } => {
            // Whoever tries keys is held back by address.
            take_burst(call, &call.caller)?;
            return Err(invalid_key(is_absent));
        }
    };
    call.caller.is_metered &= action.is_metered();
    take_burst(call, &call.caller)?;
    refuse_forgery(call, action)?;
    if action == Action::AccountPage {
        // A key opens no page.
        let session = call.caller.session();
        return session.map(|_| ()).ok_or_else(not_signed_in);
    }
    check_rights(call, action)?;
    call.check_address()?;
    check_quota(call, action)
}

/// Refuses a large body of a caller whose lookups are used up. A small one is read, and an account's
/// is: they may ask for what costs nothing.
fn check_quota(call: &Call, action: Action) -> Result<(), ApiError> {
    if !action.is_lookup() || call.caller.account().is_some() || body::is_small(&call.headers) {
        return Ok(());
    }
    let caller = &call.caller;
    match call
        .app
        .quota
        .known_exhausted(caller.subject(), caller.plan)
    {
        Some(standing) => Err(policy::quota_exhausted(call, &standing)),
        None => Ok(()),
    }
}

/// Whether the caller's account, plan and credential allow the action.
fn check_rights(call: &Call, action: Action) -> Result<(), ApiError> {
    let account = call.caller.account();
    if action.needs_account() && account.is_none() {
        return Err(authentication_required());
    }
    if action.needs_paid_plan() && !call.caller.plan.is_paid() {
        return Err(policy::plan_required(call));
    }
    check_credential(action, call.caller.principal.as_ref())?;
    if action == Action::Operator && !is_operator(call) {
        return Err(ApiError::new(
            Code::Forbidden,
            "This is for whoever runs the server: `auth.operators` in its configuration names them.",
        ));
    }
    Ok(())
}

fn is_operator(call: &Call) -> bool {
    let operators = &call.app.config.auth.operators;
    let is_named = |uid: &str| {
        operators
            .iter()
            .any(|named| named.eq_ignore_ascii_case(uid))
    };
    call.caller
        .account()
        .is_some_and(|account| is_named(&account.uid))
}

fn take_burst(call: &Call, caller: &Caller) -> Result<(), ApiError> {
    let key = caller.burst_key();
    let taken = call.app.quota.take_burst(key, caller.plan);
    if taken.allowed {
        return Ok(());
    }
    let limit = call.app.quota.plans().rules(caller.plan).burst_per_minute;
    Err(rate_limited(
        &taken,
        limit,
        matches!(key, BurstKey::Address(_)),
    ))
}

fn rate_limited(taken: &Taken, limit: u32, by_address: bool) -> ApiError {
    let seconds = |ms: u64| ms.div_ceil(1000).max(1);
    let (scope, whose) = if by_address {
        ("ip", "this address")
    } else {
        ("credential", "this credential")
    };
    ApiError::new(
        Code::RateLimited,
        format!("{whose} may make {limit} requests a minute; slow down, or wait for a moment.")
            .replacen("this", "This", 1),
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

/// What the browser says of the page that sent the request; nothing where it says nothing. A page of
/// ours is one from the configured address, or from the address that the request itself went to:
/// on a local network people use names that no configuration knows, and no other site can make a
/// browser send its own name as `Host`.
fn comes_from_here(call: &Call) -> Option<bool> {
    if let Some(site) = call.header("sec-fetch-site") {
        return Some(matches!(site, "same-origin" | "none"));
    }
    let origin = call.header("origin")?;
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    let host = call
        .header("host")
        .or_else(|| call.uri.authority().map(|a| a.as_str()));
    let is_here = authority.is_some() && authority == host;
    Some(is_here || origin == call.edge.site.base_url.origin())
}

fn check_credential(action: Action, principal: Option<&Principal>) -> Result<(), ApiError> {
    let Some(Principal {
        credential: Credential::ApiKey { scopes, .. },
        ..
    }) = principal
    else {
        return Ok(());
    };
    if matches!(action, Action::Session | Action::Operator) {
        return Err(ApiError::new(
            Code::Forbidden,
            "This is for the owner of the account, signed in with a browser, and not for a key.",
        ));
    }
    let missing = match action.scope() {
        Some(Scope::Read) if !scopes.read => "read",
        Some(Scope::Write) if !scopes.write => "write",
        _ => return Ok(()),
    };
    let message =
        format!("This API key does not have the scope “{missing}”; make one that has it.");
    Err(ApiError::new(Code::Forbidden, message).with("scope", missing))
}

/// Charges one lookup: sets it aside, tries it, and counts it where it costs something. Without one
/// left it refuses with the daily quota's 429.
pub fn charge<T>(call: &Call, lookup: impl FnOnce() -> Priced<T>) -> Result<T, ApiError> {
    let reservation = reserve(call)?;
    reservation.settle(lookup()).map_err(uncountable)
}

/// Sets one lookup aside, or refuses with the daily quota's 429. Dropping it gives it back.
pub fn reserve(call: &Call) -> Result<Reservation, ApiError> {
    match call.app.quota.reserve(&call.caller.payer()) {
        Ok(reservation) => Ok(reservation),
        Err(QuotaError::Exhausted(standing)) => Err(policy::quota_exhausted(call, &standing)),
        Err(other) => Err(uncountable(other)),
    }
}

/// Counts the call and adds the headers that every answer of a route carries, failures included.
fn settle(call: &Call, action: Action, result: Result<Reply, ApiError>) -> Result<Reply, ApiError> {
    count_call(call, &result);
    let mut headers = Vec::new();
    if action.is_lookup() && !is_refused_earlier(&result) {
        headers.extend(policy::lookup_headers(call)?);
        // What a reply costs that is still being made is not known.
        let is_made = |reply: &Reply| matches!(reply.body, Body::Whole(_));
        if result.as_ref().map_or(true, is_made) {
            let cost = call.caller.cost.lookups();
            headers.push(("x-lookup-cost", cost.to_string()));
        }
    }
    let cookie = session_cookie(call);
    match result {
        Ok(mut reply) => {
            for (name, value) in headers {
                reply = reply.with_header(name, value);
            }
            let sets_cookies = reply.header("set-cookie").is_some();
            reply.headers.extend(
                cookie
                    .filter(|_| !sets_cookies)
                    .map(|cookie| ("set-cookie", cookie)),
            );
            Ok(reply)
        }
        Err(mut error) => {
            error.headers.extend(headers);
            error
                .headers
                .extend(cookie.map(|cookie| ("set-cookie", cookie)));
            Err(error)
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

/// Counts the call of a key in the monthly allowance, where no lookup has done so. As with lookups,
/// what fails is free. What was done is answered, whether the count can be written by now or not.
fn count_call(call: &Call, result: &Result<Reply, ApiError>) {
    let counts = match result {
        Ok(reply) => reply.status.as_u16() < 400,
        Err(error) => error.code == Code::WorkNotFound,
    };
    if counts && let Some(user) = call.caller.payer().take_call() {
        call.app.quota.count_call(user, call.caller.plan);
    }
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
            let value = caller::cookie(&call.headers, name)?;
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

/// A page answers this with the way to sign in.
fn not_signed_in() -> ApiError {
    let message = "This page is for those who have signed in.";
    ApiError::new(Code::AuthenticationRequired, message)
}

fn invalid_key(is_absent: bool) -> ApiError {
    let message = if is_absent {
        "The Authorization header holds no API key; send it as “Authorization: Bearer ck_…”."
    } else {
        "The API key is wrong, expired or revoked, or its account is disabled."
    };
    ApiError::new(Code::InvalidApiKey, message).with_header(
        "www-authenticate",
        "Bearer realm=\"api\", error=\"invalid_token\"",
    )
}

/// A lookup that cannot be counted is not answered: it may be tried again.
fn uncountable(cause: QuotaError) -> ApiError {
    tracing::error!(%cause, "a lookup could not be counted");
    let cause = match cause {
        QuotaError::Write(cause) => StoreError::from(cause),
        QuotaError::Store(cause) => cause,
        QuotaError::Exhausted(_) | QuotaError::Journal(_) => StoreError::Busy,
    };
    match cause {
        StoreError::Full => ApiError::storage_full(),
        _ => ApiError::overloaded(),
    }
}
