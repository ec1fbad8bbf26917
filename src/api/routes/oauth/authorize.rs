//! `/oauth/authorize`: asks the signed-in user whether to let a program in, and sends the browser back to the
//! program with the answer.

use http::StatusCode;

use super::parameters::require_enabled;
use crate::api::edge::action::Action;
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::routes::pages::frame::{encode_query, form, redirect, show_titled, words};
use crate::auth::accounts::Actor;
use crate::auth::oauth::OAuthError;
use crate::auth::oauth::request::{AuthorizationRequest, RequestRefusal};
use crate::auth::principal::Scopes;
use crate::blocking::PoolKind;
use crate::ui::account::programs::{ConsentPage, ProgramRefusedPage};
use crate::ui::page::SECURITY_POLICY;

pub fn routes() -> Vec<Route> {
    vec![
        route::get("/oauth/authorize", Action::AccountPage, ask),
        route::post("/oauth/authorize", Action::AccountPage, decide),
    ]
}

/// The parameters of a request, which the form of the page sends again.
const PARAMETERS: [&str; 8] = [
    "response_type",
    "client_id",
    "redirect_uri",
    "state",
    "code_challenge",
    "code_challenge_method",
    "scope",
    "resource",
];

/// `GET /oauth/authorize`: the question.
pub fn ask(context: &RequestContext) -> Result<Reply, ApiError> {
    match read(context, &context.query)? {
        Ok(request) => consent_page(context, &context.query, &request, None),
        Err(refusal) => refused(context, refusal),
    }
}

/// `POST /oauth/authorize`: the user's answer.
pub fn decide(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let request = match read(context, &form)? {
        Ok(request) => request,
        Err(refusal) => return refused(context, refusal),
    };
    if form.get("decision") != Some("allow") {
        let target = answer_with_error(
            context,
            &request.redirect_uri,
            request.state.as_deref(),
            OAuthError::AccessDenied,
        )?;
        return Ok(redirect(&target));
    }
    let scopes = Scopes {
        read: form.switch("read")? && request.scopes.read,
        write: form.switch("write")? && request.scopes.write,
    };
    if scopes.names().is_empty() {
        let problem = words(context).get("keys.nothing-chosen");
        return consent_page(context, &form, &request, Some(problem));
    }
    let account = context.account()?;
    let actor = Actor::user(&account.uid, context.client);
    let code = context.app.auth.allow(account, &request, scopes, &actor)?;
    let target = answer(
        context,
        &request.redirect_uri,
        request.state.as_deref(),
        &[("code", code.reveal())],
    );
    Ok(redirect(&target))
}

/// The request of a program. Its document may have to be read, which may take long.
fn read(
    context: &RequestContext,
    parameters: &Query,
) -> Result<Result<AuthorizationRequest, RequestRefusal>, ApiError> {
    require_enabled(context)?;
    let base = &context.edge.site.base_url;
    let read = |_| context.app.auth.authorization_request(parameters, base);
    Ok(context.job.run_in(PoolKind::Providers, read)?)
}

fn consent_page(
    context: &RequestContext,
    parameters: &Query,
    request: &AuthorizationRequest,
    problem: Option<&str>,
) -> Result<Reply, ApiError> {
    let words = words(context);
    let account = context.account()?;
    let names = [&account.email, &account.name];
    let client = &request.client;
    let main = ConsentPage {
        words,
        name: match client.name.as_str() {
            "" => words.get("programs.unnamed"),
            name => name,
        },
        address: client.is_document.then_some(client.client_id.as_str()),
        destination: &request.destination(),
        is_local: request.is_local(),
        account: { names.into_iter().flatten().next() }.unwrap_or(&account.uid),
        reads: request.scopes.read,
        writes: request.scopes.write,
        fields: { PARAMETERS.into_iter() }
            .filter_map(|name| Some((name, parameters.get(name)?)))
            .collect(),
        problem,
    };
    let reply = show_titled(context, "programs.title", "", main);
    let reply = match problem {
        Some(_) => reply.with_status(StatusCode::UNPROCESSABLE_ENTITY),
        None => reply,
    };
    // Browsers apply `form-action` to the redirect after a form too, and to all that follow it.
    let policy = SECURITY_POLICY.replace("form-action 'self'; ", "");
    Ok(reply.with_header("content-security-policy", policy))
}

/// Tells the user, or the program, what is wrong with a request.
fn refused(context: &RequestContext, refusal: RequestRefusal) -> Result<Reply, ApiError> {
    match refusal {
        RequestRefusal::Redirect {
            redirect_uri,
            state,
            error,
        } => {
            let target = answer_with_error(context, &redirect_uri, state.as_deref(), error)?;
            Ok(redirect(&target))
        }
        RequestRefusal::Here(OAuthError::Auth(cause)) => Err(cause.into()),
        RequestRefusal::Here(cause) => {
            let error = ApiError::from(cause);
            let main = ProgramRefusedPage {
                words: words(context),
                reason: &error.message,
            };
            let reply = show_titled(context, "programs.refused-title", "", main);
            Ok(reply.with_status(error.code.status()))
        }
    }
}

fn answer_with_error(
    context: &RequestContext,
    redirect_uri: &str,
    state: Option<&str>,
    cause: OAuthError,
) -> Result<String, ApiError> {
    if let OAuthError::Auth(cause) = cause {
        return Err(cause.into());
    }
    let error = ApiError::from(cause);
    let told = [
        ("error", error.code.as_str()),
        ("error_description", error.message.as_str()),
    ];
    Ok(answer(context, redirect_uri, state, &told))
}

/// The address of the program with an answer, the request's state, and who answers (RFC 9207).
fn answer(
    context: &RequestContext,
    redirect_uri: &str,
    state: Option<&str>,
    told: &[(&str, &str)],
) -> String {
    let mut pairs = told.to_vec();
    pairs.extend(state.map(|state| ("state", state)));
    pairs.push(("iss", context.edge.site.base_url.as_str()));
    let separator = if redirect_uri.contains('?') { '&' } else { '?' };
    format!("{redirect_uri}{separator}{}", encode_query(&pairs))
}
