//! `/auth/…`: signing in and out, signing up, one-time links, and the redirects to and from identity
//! providers.

use http::StatusCode;

use super::auth_messages::error_message;
use super::letters;
use super::pages::frame::{self, encode_query, form, own_path, redirect, show_titled, words};
use crate::api::edge::action::Action;
use crate::api::edge::caller::cookie;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::edge::session::{left, providers, session_cookie, visitor};
use crate::api::error::{ApiError, Code};
use crate::auth::AuthError;
use crate::auth::oidc::Callback;
use crate::auth::sign_in::LinkOffer;
use crate::auth::token::SecretToken;
use crate::blocking::PoolKind;
use crate::config::SignUp;
use crate::mail::MailError;
use crate::ui::account::sign_in::{
    ForgottenPage, NewPasswordPage, RefusedPage, SignInPage, SignedOutPage,
};
use crate::ui::page::Frame;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/auth/login", Action::Page, sign_in_page),
        route::post("/auth/login", Action::Page, sign_in).heavy(),
        route::get("/auth/callback", Action::Page, provider_callback),
        route::post("/auth/logout", Action::Page, sign_out),
        route::get("/auth/signed-out", Action::Page, signed_out),
        route::get("/auth/sign-up", Action::Page, sign_up_page),
        route::post("/auth/sign-up", Action::Page, sign_up).heavy(),
        route::get("/auth/forgotten", Action::Page, forgotten_page),
        route::post("/auth/forgotten", Action::Page, send_password_link),
        route::get("/auth/link", Action::Page, link_page),
        route::post("/auth/link", Action::Page, use_link).heavy(),
    ]
}

/// The default target after signing in.
const HOME: &str = "/account";

/// The checklist of operators.
const OPERATOR: &str = "/operator";

/// The redirect path for identity providers.
const CALLBACK: &str = "/auth/callback";

/// The lifetime of the cookie during a redirect to an identity provider, in seconds.
const STAY_SECONDS: i64 = 600;

/// `GET /auth/login?return_to=/path`: the page, or the redirect to the provider in `provider`.
pub fn sign_in_page(context: &RequestContext) -> Result<Reply, ApiError> {
    let return_to = return_to(context.query.get("return_to"));
    if let Some(provider) = context.query.get("provider") {
        return redirect_to_provider(context, provider, return_to);
    }
    if context.caller.session().is_some() {
        return Ok(redirect(return_to));
    }
    Ok(sign_in_form(context, return_to, "", None))
}

/// The empty sign-in page.
fn empty_sign_in(context: &RequestContext) -> SignInPage<'static> {
    SignInPage {
        words: words(context),
        providers: providers(context),
        sign_up_is_open: context.app.auth.sign_up() == SignUp::Open,
        sends_mail: context.app.mail.is_on(),
        ..SignInPage::default()
    }
}

fn sign_in_form(
    context: &RequestContext,
    return_to: &str,
    email: &str,
    problem: Option<&str>,
) -> Reply {
    let main = SignInPage {
        return_to,
        email,
        problem,
        ..empty_sign_in(context)
    };
    show_titled(context, "sign-in.title", "", main)
}

/// `POST /auth/login`.
pub fn sign_in(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let text = |name| form.get(name).unwrap_or_default();
    let target = return_to(form.get("return_to"));
    let auth = &context.app.auth;
    match auth.sign_in(text("email"), text("password"), &visitor(context)) {
        Ok(token) => Ok(signed_in(context, &token, target)),
        Err(cause) => {
            let refusal = refusal(context, cause)?;
            let reply = sign_in_form(context, target, text("email"), Some(&refusal.text));
            let mut reply = reply.with_status(refusal.status);
            if let Some(seconds) = refusal.retry_after {
                reply = reply.with_header("retry-after", seconds.to_string());
            }
            Ok(reply)
        }
    }
}

/// `GET /auth/sign-up`.
pub fn sign_up_page(context: &RequestContext) -> Result<Reply, ApiError> {
    if context.app.auth.sign_up() != SignUp::Open {
        return Ok(refused(context, AuthError::SignUpClosed));
    }
    Ok(sign_up_form(context, "", None))
}

/// A page that only shows an error.
fn refused(context: &RequestContext, cause: AuthError) -> Reply {
    let text = error_message(words(context), &cause);
    let failure = ApiError::from(cause);
    let main = RefusedPage {
        words: words(context),
        problem: Some(&text),
    };
    let title = match failure.code {
        Code::NotFound => "failure.not-found",
        _ => "failure.forbidden",
    };
    show_titled(context, title, "", main).with_status(failure.code.status())
}

fn sign_up_form(context: &RequestContext, email: &str, problem: Option<&str>) -> Reply {
    let main = NewPasswordPage {
        words: words(context),
        action: "/auth/sign-up",
        text: words(context).get("sign-in.sign-up-text"),
        email,
        asks_for_email: true,
        min_chars: context.app.auth.password_min_chars(),
        button: words(context).get("sign-in.sign-up-button"),
        problem,
        ..NewPasswordPage::default()
    };
    show_titled(context, "sign-in.sign-up", "", main)
}

/// `POST /auth/sign-up`.
pub fn sign_up(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let text = |name| form.get(name).unwrap_or_default();
    let auth = &context.app.auth;
    match auth.sign_up_with_password(text("email"), text("password"), &visitor(context)) {
        Ok(token) => Ok(signed_in(context, &token, HOME)),
        Err(cause) => {
            let refusal = refusal(context, cause)?;
            Ok(sign_up_form(context, text("email"), Some(&refusal.text))
                .with_status(refusal.status))
        }
    }
}

/// `GET /auth/forgotten`. Without mail the page does not exist.
pub fn forgotten_page(context: &RequestContext) -> Result<Reply, ApiError> {
    if !context.app.mail.is_on() {
        return Err(route::no_such_route(context.uri.path()));
    }
    Ok(forgotten(context, ForgottenPage::default()))
}

fn forgotten(context: &RequestContext, main: ForgottenPage<'_>) -> Reply {
    let words = words(context);
    let main = ForgottenPage { words, ..main };
    show_titled(context, "sign-in.forgotten", "", main)
}

/// `POST /auth/forgotten`: has a link sent to an address if it has an account, which the answer does not tell.
pub fn send_password_link(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let email = form.get("email").unwrap_or_default();
    let (problem, status) = match letters::admit(context, email) {
        Ok(recipient) => {
            letters::send_password_link(context, &recipient)?;
            let main = ForgottenPage {
                is_sent: true,
                ..ForgottenPage::default()
            };
            return Ok(forgotten(context, main));
        }
        Err(MailError::Off) => return Err(route::no_such_route(context.uri.path())),
        Err(MailError::Address(email)) => {
            let problem = words(context).fill("refused.email", &[("email", &email)]);
            (problem, StatusCode::UNPROCESSABLE_ENTITY)
        }
        Err(MailError::TooMany { .. }) => {
            let problem = words(context).get("mail.too-many").to_owned();
            (problem, StatusCode::TOO_MANY_REQUESTS)
        }
    };
    let main = ForgottenPage {
        email,
        problem: Some(&problem),
        ..ForgottenPage::default()
    };
    Ok(forgotten(context, main).with_status(status))
}

/// `GET /auth/link?token=…`: asks for a password; submitting the form uses up the link.
pub fn link_page(context: &RequestContext) -> Result<Reply, ApiError> {
    link_form(
        context,
        context.query.get("token").unwrap_or_default(),
        "",
        None,
    )
}

fn link_form(
    context: &RequestContext,
    token: &str,
    email: &str,
    problem: Option<&str>,
) -> Result<Reply, ApiError> {
    let auth = &context.app.auth;
    let offer = match auth.link_offer(token) {
        Err(cause @ (AuthError::LinkInvalid | AuthError::Disabled)) => {
            return Ok(refused(context, cause));
        }
        offer => offer?,
    };
    let (title, text, fixed_email) = match &offer {
        LinkOffer::FirstAccount => ("sign-in.welcome", "sign-in.first", None),
        LinkOffer::SignIn { email } => ("sign-in.choose", "sign-in.choose-text", email.as_deref()),
        LinkOffer::Invitation { email } => ("sign-in.sign-up", "sign-in.invited", email.as_deref()),
    };
    let main = NewPasswordPage {
        words: words(context),
        action: "/auth/link",
        token,
        text: words(context).get(text),
        fixed_email,
        email,
        asks_for_email: !matches!(offer, LinkOffer::SignIn { .. }),
        min_chars: auth.password_min_chars(),
        button: words(context).get("sign-in.continue"),
        problem,
    };
    Ok(show_titled(context, title, "", main))
}

/// `POST /auth/link`.
pub fn use_link(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let text = |name| form.get(name).unwrap_or_default();
    // The first account runs the server: it goes on to the checklist.
    let is_first = matches!(
        context.app.auth.link_offer(text("token")),
        Ok(LinkOffer::FirstAccount)
    );
    let next = if is_first { OPERATOR } else { HOME };
    let used = context.app.auth.use_link(
        text("token"),
        text("email"),
        text("password"),
        &visitor(context),
    );
    match used {
        Ok(token) => Ok(signed_in(context, &token, next)),
        Err(cause @ (AuthError::LinkInvalid | AuthError::Disabled)) => Ok(refused(context, cause)),
        Err(cause) => {
            let refusal = refusal(context, cause)?;
            let reply = link_form(context, text("token"), text("email"), Some(&refusal.text))?;
            Ok(reply.with_status(refusal.status))
        }
    }
}

/// `POST /auth/logout`: ends the session, and redirects to the identity provider if it supports
/// sign-out.
pub fn sign_out(context: &RequestContext) -> Result<Reply, ApiError> {
    let method = match &context.caller.principal {
        Some(principal) => context.app.auth.sign_out(principal, context.client)?,
        None => None,
    };
    let target = match method {
        Some(method) if method.contains("://") => {
            format!("/auth/signed-out?{}", encode_query(&[("from", &method)]))
        }
        _ => "/auth/signed-out".to_owned(),
    };
    Ok(left(context, &target))
}

/// `GET /auth/signed-out`. The browser continues to the provider's sign-out by itself: the CSP does
/// not let the form redirect to another site.
pub fn signed_out(context: &RequestContext) -> Result<Reply, ApiError> {
    let home = context.edge.site.base_url.join("/");
    let provider = context
        .query
        .get("from")
        .and_then(|issuer| context.app.auth.provider_sign_out(issuer, &home));
    let frame = Frame {
        title: words(context).get("sign-in.signed-out"),
        next: provider.as_deref(),
        script: Some("signed-out.js"),
        ..Frame::default()
    };
    let main = SignedOutPage {
        words: words(context),
        provider: provider.as_deref(),
        is_deleted: context.query.get("deleted").is_some(),
    };
    Ok(frame::show(context, &frame, main))
}

/// Redirects the browser to an identity provider.
fn redirect_to_provider(
    context: &RequestContext,
    provider: &str,
    return_to: &str,
) -> Result<Reply, ApiError> {
    match begin_stay(context, provider, return_to, None)? {
        Ok((location, cookie)) => Ok(redirect(&location).with_cookie(cookie)),
        Err(cause) => oidc_failed(context, cause),
    }
}

/// The page of an identity provider, and the cookie that must come back. `links`
/// is the session whose owner wants to link the identity.
pub fn begin_stay(
    context: &RequestContext,
    provider: &str,
    return_to: &str,
    links: Option<i64>,
) -> Result<Result<(String, String), AuthError>, ApiError> {
    let site = &context.edge.site;
    let callback = site.base_url.join(CALLBACK);
    let start = |_| {
        let auth = &context.app.auth;
        auth.authorization_redirect(provider, return_to, links, &callback)
    };
    // The provider's configuration may have to be fetched, which may be slow.
    let redirect = context.job.run_in(PoolKind::Providers, start)?;
    Ok(redirect.map(|redirect| {
        let cookie = site.cookie(&stay_cookie(context), &redirect.cookie, STAY_SECONDS);
        (redirect.location, cookie)
    }))
}

/// `GET /auth/callback`: the redirect back from the provider.
pub fn provider_callback(context: &RequestContext) -> Result<Reply, ApiError> {
    let name = stay_cookie(context);
    let forget = context.edge.site.cookie(&name, "", 0);
    let redirect_uri = context.edge.site.base_url.join(CALLBACK);
    let callback = Callback {
        cookie: cookie(&context.headers, &name),
        state: context.query.get("state"),
        code: context.query.get("code"),
        error: context.query.get("error"),
        issuer: context.query.get("iss"),
        redirect_uri: &redirect_uri,
    };
    let complete = |_| context.app.auth.complete_sign_in(&callback);
    let arrival = context.job.run_in(PoolKind::Providers, complete)?;
    let result = arrival.and_then(|arrival| {
        let target = return_to(Some(&arrival.return_to)).to_owned();
        let auth = &context.app.auth;
        if let Some(link) = arrival.link {
            auth.keep_for_link(context.caller.session(), &link, arrival.person)?;
            return Ok(redirect(&target));
        }
        let token = auth.sign_in_person(&arrival.person, &visitor(context))?;
        Ok(signed_in(context, &token, &target))
    });
    match result {
        Ok(reply) => Ok(reply.with_cookie(forget)),
        Err(cause) => Ok(oidc_failed(context, cause)?.with_cookie(forget)),
    }
}

/// The sign-in page with the provider's error. The log has the details.
pub fn oidc_failed(context: &RequestContext, cause: AuthError) -> Result<Reply, ApiError> {
    use crate::auth::oidc::OidcError::{UnknownIssuer, Unreachable};
    let status = match &cause {
        AuthError::Oidc(Unreachable(_)) => StatusCode::BAD_GATEWAY,
        AuthError::Oidc(UnknownIssuer) => StatusCode::NOT_FOUND,
        AuthError::Oidc(_) => StatusCode::BAD_REQUEST,
        AuthError::SignUpClosed | AuthError::Disabled => StatusCode::FORBIDDEN,
        AuthError::EmailTaken => StatusCode::CONFLICT,
        _ => return Err(cause.into()),
    };
    if let AuthError::Oidc(error) = &cause {
        let request_id = &context.request_id;
        tracing::warn!(
            cause = error.cause(),
            request_id,
            "a sign-in through an identity provider failed: {error}"
        );
    }
    let words = words(context);
    let problem = match &cause {
        AuthError::EmailTaken => words.get("refused.link-accounts").to_owned(),
        other => error_message(words, other),
    };
    let main = SignInPage {
        return_to: HOME,
        problem: Some(&problem),
        request_id: Some(&context.request_id),
        ..empty_sign_in(context)
    };
    let reply = show_titled(context, "sign-in.title", "", main);
    Ok(reply.with_status(status))
}

/// The message of a form about a refusal.
struct FormMessage {
    text: String,
    status: StatusCode,
    /// Seconds.
    retry_after: Option<u64>,
}

/// Separates refusals, which the form shows, from failures.
fn refusal(context: &RequestContext, cause: AuthError) -> Result<FormMessage, ApiError> {
    use crate::auth::passwords::PasswordError::{TooLong, TooShort};
    let text = error_message(words(context), &cause);
    let (status, retry_after) = match cause {
        AuthError::WrongPassword => (StatusCode::UNAUTHORIZED, None),
        AuthError::Disabled | AuthError::SignUpClosed => (StatusCode::FORBIDDEN, None),
        AuthError::TooManyAttempts { retry_seconds } => {
            (StatusCode::TOO_MANY_REQUESTS, Some(retry_seconds))
        }
        AuthError::EmailTaken => (StatusCode::CONFLICT, None),
        AuthError::InvalidEmail(_) | AuthError::Password(TooShort(_) | TooLong(_)) => {
            (StatusCode::UNPROCESSABLE_ENTITY, None)
        }
        other => return Err(other.into()),
    };
    Ok(FormMessage {
        text,
        status,
        retry_after,
    })
}

fn signed_in(context: &RequestContext, token: &SecretToken, target: &str) -> Reply {
    redirect(target).with_cookie(session_cookie(context, token.reveal()))
}

/// The cookie during the redirect has the same prefix as the session cookie.
fn stay_cookie(context: &RequestContext) -> String {
    let prefix = if context.edge.site.base_url.is_https() {
        "__Host-"
    } else {
        ""
    };
    format!("{prefix}sign-in")
}

/// A path of this site, or the account page.
fn return_to(text: Option<&str>) -> &str {
    own_path(text).unwrap_or(HOME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_in_returns_to_this_site_only() {
        let check =
            |path: &str, expected: &str| assert_eq!(return_to(Some(path)), expected, "{path:?}");
        check("/c/7?a=b#c", "/c/7?a=b#c");
        check("/", "/");
        for elsewhere in [
            "",
            "account",
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil",
            "/\t/evil.example",
            "/\n/evil.example",
            " /x",
            "/a b",
            "/é",
            "javascript:alert(1)",
            "/%0d%0a\r\nset-cookie: a=b",
        ] {
            check(elsewhere, HOME);
        }
        assert_eq!(return_to(None), HOME);
    }
}
