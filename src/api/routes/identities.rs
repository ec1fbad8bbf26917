//! Linked identities at providers: linking, listing and unlinking them. The
//! pages under `/account/identities`, and `/api/v1/identities`.

use serde::Serialize;
use utoipa::ToSchema;

use super::account::{overview_page, who};
use super::auth::{begin_stay, oidc_failed};
use super::auth_messages::error_message;
use super::pages::frame::{self, form, redirect, show_titled, words};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::edge::session::providers;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::auth::AuthError;
use crate::auth::accounts::Actor;
use crate::auth::oidc::OidcError;
use crate::clock;
use crate::ui::account::identities::{ConfirmPage, OnwardPage};
use crate::ui::page::Frame;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/identities", Action::Session, list).documented(list_operation),
        route::delete("/api/v1/identities/{id}", Action::Session, delete)
            .documented(delete_operation),
        route::post("/account/identities", Action::AccountPage, begin),
        route::get("/account/identities/confirm", Action::AccountPage, ask),
        route::post("/account/identities/confirm", Action::AccountPage, confirm),
        route::post(
            "/account/identities/{id}/unlink",
            Action::AccountPage,
            unlink,
        ),
    ]
}

/// The page that asks whether to link an identity.
const CONFIRM: &str = "/account/identities/confirm";

/// `POST /account/identities`: a page that sends the browser to a provider, since the CSP does not let
/// a form redirect to another site.
pub fn begin(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let provider = form.get("provider").unwrap_or_default();
    let (location, cookie) = match begin_stay(context, provider, CONFIRM, context.caller.session())?
    {
        Ok(begun) => begun,
        Err(cause) => return oidc_failed(context, cause),
    };
    let choices = providers(context);
    let label = choices.iter().find(|(name, _)| name == provider);
    let label = label.map_or(provider, |(_, label)| label);
    let frame = Frame {
        title: words(context).get("identities.title"),
        next: Some(&location),
        ..Frame::default()
    };
    let main = OnwardPage {
        words: words(context),
        label,
        address: &location,
    };
    Ok(frame::show(context, &frame, main).with_cookie(cookie))
}

/// `GET /account/identities/confirm`.
pub fn ask(context: &RequestContext) -> Result<Reply, ApiError> {
    let auth = &context.app.auth;
    let session = context.caller.session().unwrap_or_default();
    let Some((link, person)) = auth.kept_for_link(session) else {
        return Ok(redirect("/account"));
    };
    let identity = &person.identity;
    let label = auth.provider_label(&identity.issuer);
    let main = ConfirmPage {
        words: words(context),
        link: &link,
        label,
        who: who(identity),
    };
    Ok(show_titled(context, "identities.title", "", main))
}

/// `POST /account/identities/confirm`.
pub fn confirm(context: &RequestContext) -> Result<Reply, ApiError> {
    let (auth, account) = (&context.app.auth, context.account()?);
    let session = context.caller.session().unwrap_or_default();
    let form = form(context);
    let link = form.get("link").unwrap_or_default();
    let linked = match auth.take_for_link(session, link) {
        None => Err(OidcError::NotBegun.into()),
        Some(person) => {
            let actor = Actor::user(&account.uid, context.client);
            auth.link_person(account, &person, &actor)
        }
    };
    finish(context, linked, "/account?linked")
}

/// `POST /account/identities/{id}/unlink`.
pub fn unlink(context: &RequestContext) -> Result<Reply, ApiError> {
    let unlinked = match remove(context) {
        Ok(false) => return Err(not_found()),
        other => other.map(|_| ()),
    };
    finish(context, unlinked, "/account?unlinked")
}

/// Redirects to the account page with a confirmation or an error.
fn finish(
    context: &RequestContext,
    done: Result<(), AuthError>,
    target: &str,
) -> Result<Reply, ApiError> {
    match done {
        Ok(()) => Ok(redirect(target)),
        Err(cause @ (AuthError::LastWayIn | AuthError::IdentityTaken | AuthError::Oidc(_))) => {
            overview_page(context, Some(&error_message(words(context), &cause)), None)
        }
        Err(cause) => Err(cause.into()),
    }
}

fn remove(context: &RequestContext) -> Result<bool, AuthError> {
    let Some(account) = context.caller.account() else {
        return Ok(false);
    };
    let keep = context.caller.session().unwrap_or_default();
    let actor = Actor::user(&account.uid, context.client);
    let auth = &context.app.auth;
    auth.unlink_identity(account, context.param("id"), keep, &actor)
}

fn not_found() -> ApiError {
    ApiError::not_found("identity", "You have no linked identity with this id.")
}

/// A linked identity.
#[derive(Debug, Serialize, ToSchema)]
pub struct LinkedIdentity {
    /// UUID.
    id: String,
    /// The provider’s address.
    issuer: String,
    /// The person's name at the provider.
    subject: String,
    /// The provider's verified e-mail address at the time of linking; null if there was none.
    email: Option<String>,
    /// ISO 8601, UTC.
    linked_at: String,
}

/// `GET /api/v1/identities`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let rows = context.app.auth.identities(context.account()?.id)?;
    let identities = rows.into_iter().map(|row| LinkedIdentity {
        id: row.uid,
        issuer: row.identity.issuer,
        subject: row.identity.subject,
        email: row.identity.email,
        linked_at: clock::iso8601(row.linked_at),
    });
    let identities: Vec<LinkedIdentity> = identities.collect();
    Ok(Reply::json(&identities).with_header("cache-control", "no-store"))
}

/// `DELETE /api/v1/identities/{id}`: 204; the identity can no longer sign in.
pub fn delete(context: &RequestContext) -> Result<Reply, ApiError> {
    if remove(context)? {
        Ok(Reply::empty())
    } else {
        Err(not_found())
    }
}

pub fn list_operation() -> Operation {
    Operation::new("list_identities", "account", "Your linked identities")
        .describe("Identities at providers (OpenID Connect) that sign in to the account. They are linked on the account’s page.")
        .reply_list::<LinkedIdentity>(200, "The identities, oldest first.")
}

pub fn delete_operation() -> Operation {
    Operation::new("unlink_identity", "account", "Unlink an identity")
        .describe(
            "Also ends other sessions started through its provider. Fails with 409 if nobody could \
             sign in to the account any more: set a password first.",
        )
        .path("id", "The identity’s id.")
        .reply_empty(204, "The identity can no longer sign in.")
        .codes(&[Code::NotFound, Code::Conflict])
}
