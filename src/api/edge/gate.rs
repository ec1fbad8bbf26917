//! Access control: the only place where a request is admitted, counted and charged.
//!
//! A request passes credential → rate limit → CSRF → account → plan → scope by its headers ([`admit`]),
//! then, with its body, the handler, which charges lookups, then [`finish`], which
//! counts the API call and writes the headers. The order follows interface decisions, section 1: a caller
//! without permission learns nothing else about the request.

use http::Method;

use super::action::{Action, KeyScope};
use super::body;
use super::caller::{self, Caller, Identified};
use super::challenge::challenge;
use super::context::RequestContext;
use super::policy;
use super::reply::{Body, Reply};
use super::route::AtOnce;
use crate::api::error::{ApiError, Code};
use crate::auth::principal::Credential;
use crate::quota::limiter::RateDecision;
use crate::quota::{BurstKey, Charge, QuotaError, Reservation};
use crate::store::StoreError;

/// Decides by the headers whether the request may continue to [`pass`]. The caller is known from
/// here on.
pub fn admit(context: &mut RequestContext, action: Action) -> Result<(), ApiError> {
    let (auth, site) = (&context.app.auth, &context.edge.site);
    let identified = caller::identify(auth, site, &context.headers, context.caller.clone());
    admit_as(context, action, identified)
}

/// The same, if it only needs data in memory; else `None`.
pub fn admit_at_once(context: &mut RequestContext, action: Action) -> Option<Result<(), ApiError>> {
    if action == Action::Probe {
        return Some(Ok(()));
    }
    let (auth, site) = (&context.app.auth, &context.edge.site);
    let unknown = context.caller.clone();
    let identified = caller::identify_at_once(auth, site, &context.headers, unknown)?;
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

/// Runs an admitted request's handler and [`finish`].
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

/// Like [`pass`], for a handler that may decline the request: then `None`.
pub fn pass_at_once(
    context: &RequestContext,
    action: Action,
    at_once: AtOnce,
) -> Option<Result<Reply, ApiError>> {
    let result = at_once(context).transpose()?;
    Some(finish(context, action, result))
}

/// Whether the request may continue.
fn check(
    context: &mut RequestContext,
    action: Action,
    identified: Identified,
) -> Result<(), ApiError> {
    context.caller = match identified {
        Identified::Caller(caller) => caller,
        Identified::BadKey { is_absent } => {
            // Guessing keys is limited by address.
            take_burst(context, &context.caller)?;
            return Err(invalid_key(context, is_absent));
        }
    };
    context.caller.is_metered &= action.is_metered();
    take_burst(context, &context.caller)?;
    check_audience(context)?;
    refuse_forgery(context, action)?;
    if action.is_page() && context.caller.principal.is_some() && context.caller.session().is_none()
    {
        // A key opens no page: pages ignore it.
        context.caller = Caller::unknown(&context.app.quota, context.client);
    }
    if matches!(action, Action::AccountPage | Action::OperatorPage) {
        context.caller.session().ok_or_else(not_signed_in)?;
    }
    if action == Action::AccountPage {
        return Ok(());
    }
    admit_operation(context, action)?;
    context.check_address()?;
    check_quota(context, action)
}

/// Rejects a large body of an anonymous caller without lookups left. Small ones, and those of accounts,
/// are read: the request may be free.
fn check_quota(context: &RequestContext, action: Action) -> Result<(), ApiError> {
    if !action.is_lookup() || context.caller.account().is_some() || body::is_small(&context.headers)
    {
        return Ok(());
    }
    let caller = &context.caller;
    let quota = &context.app.quota;
    match quota.cached_exhausted(caller.subject(), caller.plan) {
        Some(status) => Err(policy::quota_exhausted(context, &status)),
        None => Ok(()),
    }
}

/// Whether the caller's account, plan and credential allow the action. A page calls this too before it
/// performs an action; its own request has passed rate limit and CSRF check, and
/// lookups are charged ([`charge`]) to its caller.
pub fn admit_operation(context: &RequestContext, action: Action) -> Result<(), ApiError> {
    let account = context.caller.account();
    if action.needs_account() && account.is_none() {
        return Err(authentication_required(context));
    }
    if action.needs_paid_plan() && !context.caller.plan.is_paid() {
        return Err(policy::plan_required(context));
    }
    check_credential(context, action)?;
    if matches!(action, Action::Operator | Action::OperatorPage) && !is_operator(context) {
        return Err(ApiError::new(
            Code::Forbidden,
            "Only operators may do this: `auth.operators` in the configuration lists them.",
        ));
    }
    Ok(())
}

/// Whether the caller is an operator.
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

/// Takes one request from the caller's bucket.
pub fn take_burst(context: &RequestContext, caller: &Caller) -> Result<(), ApiError> {
    let key = caller.burst_key();
    let quota = &context.app.quota;
    let limit = quota.burst_per_minute(caller.subject(), caller.plan);
    let taken = quota.take_burst(key, limit);
    if taken.allowed {
        return Ok(());
    }
    Err(rate_limited(
        &taken,
        limit,
        matches!(key, BurstKey::Address(_)),
    ))
}

/// Begins another call within a request, such as a further message of a batch: it takes its own place in the
/// caller's bucket, and counts as a call like one that is sent alone.
pub fn begin_call(context: &RequestContext) -> Result<(), ApiError> {
    take_burst(context, &context.caller)?;
    context.caller.payer().begin_call();
    Ok(())
}

/// Counts a call that was answered, unless one of its lookups has.
pub fn count_answered(context: &RequestContext) {
    if let Some(user) = context.caller.payer().take_call() {
        context.app.quota.count_call(user, context.caller.plan);
    }
}

fn rate_limited(taken: &RateDecision, limit: u32, by_address: bool) -> ApiError {
    let seconds = |ms: u64| ms.div_ceil(1000).max(1);
    let (scope, whose) = if by_address {
        ("ip", "this address")
    } else {
        ("credential", "this credential")
    };
    ApiError::new(
        Code::RateLimited,
        format!("{whose} may make {limit} requests per minute; wait a moment.")
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

/// Rejects writes that another site makes a browser send (CSRF). A write with a session must prove that it
/// comes from this site; a sign-in form must only not come from another one.
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
        "A write with a session cookie must come from this site's own pages; programs must use an API key.",
    ))
}

/// The browser's statement about the page that sent the request; `None` without one. Our pages
/// are those of the configured address, or of the address that the request itself was sent to:
/// local networks use names that no configuration knows, and no other site can make a
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

/// Rejects an access token outside the resource that it was issued for (RFC 8707).
fn check_audience(context: &RequestContext) -> Result<(), ApiError> {
    match context.caller.credential() {
        Some(Credential::AccessToken { audience, .. }) if !audience.covers(context.uri.path()) => {
            let message = format!(
                "The access token is only valid under {}; ask for one for the whole server.",
                audience.path()
            );
            let header = challenge(context, &[("error", "invalid_token")]);
            Err(ApiError::new(Code::InvalidApiKey, message).with_header("www-authenticate", header))
        }
        _ => Ok(()),
    }
}

fn check_credential(context: &RequestContext, action: Action) -> Result<(), ApiError> {
    let credential = context.caller.credential();
    let Some(scopes) = credential.and_then(|credential| credential.scopes()) else {
        return Ok(());
    };
    if matches!(action, Action::Session | Action::Operator) {
        return Err(ApiError::new(
            Code::Forbidden,
            "Only the account's owner, signed in with a browser, may do this; keys and tokens may not.",
        ));
    }
    let missing = match action.scope() {
        Some(KeyScope::Read) if !scopes.read => "read",
        Some(KeyScope::Write) if !scopes.write => "write",
        _ => return Ok(()),
    };
    if let Some(Credential::AccessToken { .. }) = credential {
        let message = format!("The access token does not have the scope “{missing}”; ask for it.");
        // A client that asks again asks for these only, so it must not lose the others.
        let wanted = [scopes.names(), vec![missing]].concat().join(" ");
        let header = challenge(
            context,
            &[("error", "insufficient_scope"), ("scope", wanted.as_str())],
        );
        return Err(ApiError::new(Code::Forbidden, message)
            .with("scope", missing)
            .with_header("www-authenticate", header));
    }
    let message =
        format!("This API key does not have the scope “{missing}”; create one that has it.");
    Err(ApiError::new(Code::Forbidden, message).with("scope", missing))
}

/// Charges one lookup: reserves it, runs it, and counts it unless it is free. Without one
/// left it fails with the daily quota's 429.
pub fn charge<T>(
    context: &RequestContext,
    lookup: impl FnOnce() -> Charge<T>,
) -> Result<T, ApiError> {
    let reservation = reserve(context)?;
    reservation.settle(lookup()).map_err(count_error)
}

/// Reserves one lookup, or fails with the daily quota's 429. Dropping it releases it.
pub fn reserve(context: &RequestContext) -> Result<Reservation, ApiError> {
    match context.app.quota.reserve(&context.caller.payer()) {
        Ok(reservation) => Ok(reservation),
        Err(QuotaError::Exhausted(status)) => Err(policy::quota_exhausted(context, &status)),
        Err(other) => Err(count_error(other)),
    }
}

/// Counts the call and adds the headers of every answer, including errors.
fn finish(
    context: &RequestContext,
    action: Action,
    result: Result<Reply, ApiError>,
) -> Result<Reply, ApiError> {
    count_call(context, &result);
    let mut headers = Vec::new();
    if action.is_lookup() && !is_refused_earlier(&result) {
        headers.extend(policy::lookup_headers(context)?);
        // The cost of a streamed reply is not known yet.
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

/// Whether the request was refused before the daily quota was checked: then it has no quota
/// headers, or others.
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

/// Counts a key's call in the monthly allowance, unless a lookup has done so. Failures are
/// free. A completed request is answered even if the count cannot be stored now.
fn count_call(context: &RequestContext, result: &Result<Reply, ApiError>) {
    let counts = match result {
        Ok(reply) => reply.status.as_u16() < 400,
        Err(error) => error.code == Code::WorkNotFound,
    };
    if counts {
        count_answered(context);
    }
}

/// The cookie that renews or deletes the browser's session.
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

fn authentication_required(context: &RequestContext) -> ApiError {
    ApiError::new(
        Code::AuthenticationRequired,
        "This requires an account: sign in, or send an API key as “Authorization: Bearer ck_…”.",
    )
    .with("actions", vec!["sign_in", "create_free_account"])
    .with_header("www-authenticate", challenge(context, &[]))
}

/// A page answers this with the sign-in page.
fn not_signed_in() -> ApiError {
    let message = "This page requires signing in.";
    ApiError::new(Code::AuthenticationRequired, message)
}

fn invalid_key(context: &RequestContext, is_absent: bool) -> ApiError {
    let message = if is_absent {
        "The Authorization header contains no API key; send it as “Authorization: Bearer ck_…”."
    } else {
        "The API key or token is wrong, expired or revoked, or its account is disabled."
    };
    let header = challenge(context, &[("error", "invalid_token")]);
    ApiError::new(Code::InvalidApiKey, message).with_header("www-authenticate", header)
}

/// A lookup that cannot be counted is not answered: the client may retry.
fn count_error(cause: QuotaError) -> ApiError {
    tracing::error!(%cause, "cannot count a lookup");
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
