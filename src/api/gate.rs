//! Who may do what: the only place where a request is admitted, counted and charged.
//!
//! A request passes credential → burst → forgery → account → plan → scope by its headers ([`admit`]),
//! then, with its body, the handler, which charges lookups as it makes them, then [`finish`], which
//! counts the API call and writes the headers. The order follows interface decisions, section 1: whoever may not do a thing learns that
//! before anything else is said about it.

use http::Method;

use super::action::{Action, Scope};
use super::body;
use super::caller::{self, Caller, Identified};
use super::context::RequestContext;
use super::error::{ApiError, Code};
use super::policy;
use super::reply::{Body, Reply};
use super::route::AtOnce;
use crate::auth::principal::{Credential, Principal};
use crate::quota::limiter::Taken;
use crate::quota::{BurstKey, Priced, QuotaError, Reservation};
use crate::store::StoreError;

/// Decides by the headers alone whether the request may go on to [`pass`]. The caller is known from
/// here on.
pub fn admit(context: &mut RequestContext, action: Action) -> Result<(), ApiError> {
    let (auth, site) = (&context.app.auth, &context.edge.site);
    let identified = caller::identify(auth, site, &context.headers, context.client);
    admit_as(context, action, identified)
}

/// The same, where that needs nothing but what lies in memory; else nothing.
pub fn admit_at_once(context: &mut RequestContext, action: Action) -> Option<Result<(), ApiError>> {
    if action == Action::Probe {
        return Some(Ok(()));
    }
    let (auth, site) = (&context.app.auth, &context.edge.site);
    let identified = caller::identify_at_once(auth, site, &context.headers, context.client)?;
    Some(admit_as(context, action, Ok(identified)))
}

fn admit_as(
    context: &mut RequestContext,
    action: Action,
    identified: Result<Identified, ApiError>,
) -> Result<(), ApiError> {
    let checked = identified.and_then(|identified| check(context, action, identified));
    checked.or_else(|error| finish(context, action, Err(error)).map(|_| ()))
}

/// Takes an admitted request through its handler and what follows.
pub fn pass(
    context: &mut RequestContext,
    action: Action,
    handler: impl FnOnce(&mut RequestContext) -> Result<Reply, ApiError>,
) -> Result<Reply, ApiError> {
    let result = handler(context);
    match action {
        Action::Probe => result,
        _ => finish(context, action, result),
    }
}

/// Like [`pass`], for a handler that may leave the request to another: nothing then.
pub fn pass_at_once(
    context: &RequestContext,
    action: Action,
    at_once: AtOnce,
) -> Option<Result<Reply, ApiError>> {
    let result = at_once(context).transpose()?;
    Some(finish(context, action, result))
}

/// Whether the request may go on, or why not.
fn check(
    context: &mut RequestContext,
    action: Action,
    identified: Identified,
) -> Result<(), ApiError> {
    context.caller = match identified {
        Identified::Caller(caller) => caller,
        Identified::BadKey { is_absent } => {
            // Whoever tries keys is held back by address.
            take_burst(context, &context.caller)?;
            return Err(invalid_key(is_absent));
        }
    };
    context.caller.is_metered &= action.is_metered();
    take_burst(context, &context.caller)?;
    refuse_forgery(context, action)?;
    if action.is_page() && context.caller.principal.is_some() && context.caller.session().is_none()
    {
        // A key opens no page: whoever sends one is a stranger there.
        context.caller = Caller::unknown(context.client);
    }
    if action == Action::AccountPage {
        let session = context.caller.session();
        return session.map(|_| ()).ok_or_else(not_signed_in);
    }
    admit_operation(context, action)?;
    context.check_address()?;
    check_quota(context, action)
}

/// Refuses a large body of a caller whose lookups are used up. A small one is read, and an account's
/// is: they may ask for what costs nothing.
fn check_quota(context: &RequestContext, action: Action) -> Result<(), ApiError> {
    if !action.is_lookup() || context.caller.account().is_some() || body::is_small(&context.headers)
    {
        return Ok(());
    }
    let caller = &context.caller;
    match context
        .app
        .quota
        .known_exhausted(caller.subject(), caller.plan)
    {
        Some(standing) => Err(policy::quota_exhausted(context, &standing)),
        None => Ok(()),
    }
}

/// Whether the caller's account, plan and credential allow the action. A page asks this too before it
/// does what a route of the action does; its own request has been counted and tried for forgery, and
/// lookups are charged ([`charge`]) to whoever asked for the page.
pub fn admit_operation(context: &RequestContext, action: Action) -> Result<(), ApiError> {
    let account = context.caller.account();
    if action.needs_account() && account.is_none() {
        return Err(authentication_required());
    }
    if action.needs_paid_plan() && !context.caller.plan.is_paid() {
        return Err(policy::plan_required(context));
    }
    check_credential(action, context.caller.principal.as_ref())?;
    if action == Action::Operator && !is_operator(context) {
        return Err(ApiError::new(
            Code::Forbidden,
            "This is for whoever runs the server: `auth.operators` in its configuration names them.",
        ));
    }
    Ok(())
}

/// Whether the caller runs the server.
pub fn is_operator(context: &RequestContext) -> bool {
    let operators = &context.app.config.auth.operators;
    let is_named = |uid: &str| {
        operators
            .iter()
            .any(|named| named.eq_ignore_ascii_case(uid))
    };
    context
        .caller
        .account()
        .is_some_and(|account| is_named(&account.uid) || context.app.auth.is_operator(&account.uid))
}

/// Takes one request from a caller's bucket.
pub fn take_burst(context: &RequestContext, caller: &Caller) -> Result<(), ApiError> {
    let key = caller.burst_key();
    let taken = context.app.quota.take_burst(key, caller.plan);
    if taken.allowed {
        return Ok(());
    }
    let limit = context
        .app
        .quota
        .plans()
        .rules(caller.plan)
        .burst_per_minute;
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
fn refuse_forgery(context: &RequestContext, action: Action) -> Result<(), ApiError> {
    if matches!(context.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let has_session = context.caller.session().is_some();
    let from_here = comes_from_here(context);
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
fn comes_from_here(context: &RequestContext) -> Option<bool> {
    if let Some(site) = context.header("sec-fetch-site") {
        return Some(matches!(site, "same-origin" | "none"));
    }
    let origin = context.header("origin")?;
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    let host = context
        .header("host")
        .or_else(|| context.uri.authority().map(|a| a.as_str()));
    let is_here = authority.is_some() && authority == host;
    Some(is_here || origin == context.edge.site.base_url.origin())
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
pub fn charge<T>(
    context: &RequestContext,
    lookup: impl FnOnce() -> Priced<T>,
) -> Result<T, ApiError> {
    let reservation = reserve(context)?;
    reservation.settle(lookup()).map_err(uncountable)
}

/// Sets one lookup aside, or refuses with the daily quota's 429. Dropping it gives it back.
pub fn reserve(context: &RequestContext) -> Result<Reservation, ApiError> {
    match context.app.quota.reserve(&context.caller.payer()) {
        Ok(reservation) => Ok(reservation),
        Err(QuotaError::Exhausted(standing)) => Err(policy::quota_exhausted(context, &standing)),
        Err(other) => Err(uncountable(other)),
    }
}

/// Counts the call and adds the headers that every answer of a route carries, failures included.
fn finish(
    context: &RequestContext,
    action: Action,
    result: Result<Reply, ApiError>,
) -> Result<Reply, ApiError> {
    count_call(context, &result);
    let mut headers = Vec::new();
    if action.is_lookup() && !is_refused_earlier(&result) {
        headers.extend(policy::lookup_headers(context)?);
        // What a reply costs that is still being made is not known.
        let is_made = |reply: &Reply| matches!(reply.body, Body::Whole(_));
        if result.as_ref().map_or(true, is_made) {
            let cost = context.caller.cost.lookups();
            headers.push(("x-lookup-cost", cost.to_string()));
        }
    }
    let cookie = session_cookie(context);
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
fn count_call(context: &RequestContext, result: &Result<Reply, ApiError>) {
    let counts = match result {
        Ok(reply) => reply.status.as_u16() < 400,
        Err(error) => error.code == Code::WorkNotFound,
    };
    if counts && let Some(user) = context.caller.payer().take_call() {
        context.app.quota.count_call(user, context.caller.plan);
    }
}

/// The cookie that tells the browser that its session lasts longer now, or is over.
fn session_cookie(context: &RequestContext) -> Option<String> {
    let site = &context.edge.site;
    let name = &site.cookie_name;
    if context.caller.has_stale_cookie {
        return Some(site.cookie(name, "", 0));
    }
    match context.caller.principal.as_ref()?.credential {
        Credential::Session { extended: true, .. } => {
            let value = caller::cookie(&context.headers, name)?;
            Some(site.cookie(name, value, context.app.auth.session_seconds()))
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
