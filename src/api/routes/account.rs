//! The account pages after signing in. Forms are answered with a redirect, so they need no
//! script and a reload submits nothing twice.

use http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use super::auth_messages::error_message;
use super::collections::groups::{AccountGroup, groups_of};
use super::collections::lists::{ExportedCollection, all_of};
use super::decisions::KeptDecision;
use super::jobs::JobReply;
use super::pages::frame::{self, form, redirect, show_titled, words};
use super::reports::SharedReport;
use super::webhooks::Webhook;
use super::{api_keys, decisions, jobs, own_styles, reports, webhooks};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::policy;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::edge::session::{left, providers, session_cookie, visitor};
use crate::api::error::ApiError;
use crate::auth::AuthError;
use crate::auth::accounts::Actor;
use crate::auth::principal::Scopes;
use crate::store::users::{Identity, IdentityRow};
use crate::ui::account::identities::IdentityView;
use crate::ui::account::keys::{KeyView, KeysPage};
use crate::ui::account::overview::{AccountPage, CallsView, DeletePage, LookupsView};
use crate::ui::account::sessions::{SessionView, SessionsPage};
use crate::ui::page::{Frame, Moment};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/account", Action::AccountPage, overview),
        route::post("/account/password", Action::AccountPage, set_password).heavy(),
        route::get("/account/keys", Action::AccountPage, list_keys),
        route::post("/account/keys", Action::AccountPage, create_key),
        route::post("/account/keys/{id}/revoke", Action::AccountPage, revoke_key),
        route::get("/account/sessions", Action::AccountPage, list_sessions),
        route::post(
            "/account/sessions/end-others",
            Action::AccountPage,
            end_other_sessions,
        ),
        route::post(
            "/account/sessions/{id}/end",
            Action::AccountPage,
            end_session,
        ),
        route::get("/account/export", Action::AccountPage, export).heavy(),
        route::get("/account/delete", Action::AccountPage, ask_delete),
        route::post("/account/delete", Action::AccountPage, delete).heavy(),
    ]
}

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// The confirmation to show, by the switch in the page's address.
const NOTICES: [(&str, &str); 3] = [
    ("password", "account.password-set"),
    ("linked", "identities.linked"),
    ("unlinked", "identities.unlinked"),
];

/// `GET /account`.
pub fn overview(context: &RequestContext) -> Result<Reply, ApiError> {
    let done = NOTICES
        .iter()
        .find(|(switch, _)| context.query.get(switch).is_some());
    overview_page(
        context,
        None,
        done.map(|(_, notice)| words(context).get(notice)),
    )
}

/// The page with an error or a confirmation.
pub fn overview_page(
    context: &RequestContext,
    problem: Option<&str>,
    notice: Option<&str>,
) -> Result<Reply, ApiError> {
    let account = context.account()?;
    let (auth, quota) = (&context.app.auth, &context.app.quota);
    let status = policy::quota_status(context)?;
    let monthly = quota.monthly(account.id, account.plan)?;
    let user = auth.store().user(account.id)?;
    let rules = quota.plans().rules(account.plan);
    let main = AccountPage {
        words: words(context),
        email: account.email.as_deref(),
        name: account.name.as_deref(),
        plan: account.plan.as_str(),
        // Operators do not pay for their plan.
        price: rules
            .price
            .as_deref()
            .filter(|_| !gate::is_operator(context)),
        sells_plans: context.app.config.quota.sells_plans,
        lookups: LookupsView {
            used: status.used,
            limit: status.limit,
            resets_at: Moment(status.reset_at),
        },
        month: monthly.map(|month| CallsView {
            used: month.used,
            included: month.included,
            overage: month.overage,
            resets_at: Moment(month.resets_at),
        }),
        collections: (
            context.app.collections.count(account.id)?,
            rules.collections,
        ),
        entries: rules.entries_per_collection,
        bytes: (
            context.app.collections.bytes_kept(account.id)?,
            rules.account_bytes,
        ),
        has_password: user.is_some_and(|user| user.password.is_some()),
        min_chars: auth.password_min_chars(),
        identities: shown(context, auth.identities(account.id)?),
        providers: providers(context),
        problem,
        notice,
    };
    let status = if problem.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    Ok(show_titled(context, "account.title", "/account", main).with_status(status))
}

/// `POST /account/password`.
pub fn set_password(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let account = context.account()?;
    let text = |name| form.get(name).unwrap_or_default();
    let visitor = visitor(context);
    let auth = &context.app.auth;
    match auth.change_password(account, text("present"), text("new"), &visitor) {
        Ok(token) => Ok(
            redirect("/account?password=1").with_cookie(session_cookie(context, token.reveal()))
        ),
        Err(
            cause @ (AuthError::Password(_)
            | AuthError::WrongPassword
            | AuthError::TooManyAttempts { .. }),
        ) => {
            let words = words(context);
            let problem = match &cause {
                AuthError::WrongPassword => words.get("refused.present-wrong").to_owned(),
                other => error_message(words, other),
            };
            overview_page(context, Some(&problem), None)
        }
        Err(cause) => Err(cause.into()),
    }
}

/// `GET /account/keys`.
pub fn list_keys(context: &RequestContext) -> Result<Reply, ApiError> {
    keys_page(context, None, None)
}

fn keys_page(
    context: &RequestContext,
    new_key: Option<&str>,
    problem: Option<&str>,
) -> Result<Reply, ApiError> {
    let rows = context.app.auth.api_keys(context.account()?.id)?;
    let rows = rows.into_iter().map(|row| KeyView {
        id: row.uid,
        name: row.name,
        prefix: row.prefix,
        scopes: Scopes::from_bits(row.scopes).names().join(", "),
        created_at: Moment(row.created_at),
        expires_at: row.expires_at.map(Moment),
        last_used_at: row.last_used_at.map(Moment),
    });
    let main = KeysPage {
        words: words(context),
        keys: rows.collect(),
        new_key,
        problem,
    };
    let status = if problem.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let frame = Frame {
        title: words(context).get("nav.keys"),
        current: "/account/keys",
        script: new_key.map(|_| "new-key.js"),
        ..Frame::default()
    };
    Ok(frame::show(context, &frame, main).with_status(status))
}

/// `POST /account/keys`: the page with the key, shown once.
pub fn create_key(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let account = context.account()?;
    let scopes = Scopes {
        read: form.switch("read")?,
        write: form.switch("write")?,
    };
    if scopes.names().is_empty() {
        return keys_page(
            context,
            None,
            Some(words(context).get("keys.nothing-chosen")),
        );
    }
    let days: Option<i64> = form.get("days").and_then(|days| days.parse().ok());
    let expires_at = days.map(|days| context.app.clock.unix() + days.clamp(0, 3_650) * DAY_SECONDS);
    let actor = Actor::user(&account.uid, context.client);
    let name = form.get("name").unwrap_or_default();
    let made =
        context
            .app
            .auth
            .create_api_key(account.id, &account.uid, name, scopes, expires_at, &actor);
    match made {
        Ok((_, token)) => keys_page(context, Some(token.reveal()), None),
        Err(
            cause @ (AuthError::InvalidName(_) | AuthError::TooManyKeys(_) | AuthError::ExpiryPast),
        ) => keys_page(context, None, Some(&error_message(words(context), &cause))),
        Err(cause) => Err(cause.into()),
    }
}

/// `POST /account/keys/{id}/revoke`.
pub fn revoke_key(context: &RequestContext) -> Result<Reply, ApiError> {
    api_keys::revoke(context)?;
    Ok(redirect("/account/keys"))
}

/// `GET /account/sessions`.
pub fn list_sessions(context: &RequestContext) -> Result<Reply, ApiError> {
    let rows = context.app.auth.sessions(context.account()?.id)?;
    let this = context.caller.session();
    let sessions = rows
        .into_iter()
        .map(|row| SessionView {
            is_this: Some(row.id) == this,
            id: row.uid,
            agent: row.agent,
            address: row.address,
            created_at: Moment(row.created_at),
            seen_at: Moment(row.seen_at),
        })
        .collect();
    Ok(show_titled(
        context,
        "nav.sessions",
        "/account/sessions",
        SessionsPage {
            words: words(context),
            sessions,
        },
    ))
}

/// `POST /account/sessions/{id}/end`.
pub fn end_session(context: &RequestContext) -> Result<Reply, ApiError> {
    let account = context.account()?;
    let actor = Actor::user(&account.uid, context.client);
    let auth = &context.app.auth;
    let ended = auth.end_session(account, context.param("id"), &actor);
    if ended? {
        return Ok(redirect("/account/sessions"));
    }
    Err(ApiError::not_found(
        "session",
        "You have no session with this id.",
    ))
}

/// `POST /account/sessions/end-others`.
pub fn end_other_sessions(context: &RequestContext) -> Result<Reply, ApiError> {
    let account = context.account()?;
    let actor = Actor::user(&account.uid, context.client);
    let this = context.caller.session().unwrap_or_default();
    context.app.auth.end_other_sessions(account, this, &actor)?;
    Ok(redirect("/account/sessions"))
}

/// Everything stored for an account.
#[derive(Serialize)]
struct AccountExport {
    #[serde(flatten)]
    account: Value,
    collections: Vec<ExportedCollection>,
    styles: Value,
    groups: Vec<AccountGroup>,
    decisions: Vec<KeptDecision>,
    reports: Vec<SharedReport>,
    saved_searches: Vec<SavedSearch>,
    webhooks: Vec<Webhook>,
    jobs: Vec<JobReply>,
}

/// A search of the library that the account keeps.
#[derive(Serialize)]
struct SavedSearch {
    name: String,
    /// The query of its address.
    query: String,
}

/// `GET /account/export`: a JSON file.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    let account = context.account()?;
    let everything = AccountExport {
        account: context.app.auth.export(account)?,
        collections: all_of(context, account.id)?,
        styles: own_styles::all_of(context, account.id)?,
        groups: groups_of(context)?,
        decisions: decisions::all_of(context, account.id)?,
        reports: reports::all_of(context, account.id)?,
        saved_searches: saved_searches(context, account.id)?,
        webhooks: webhooks::all_of(context, account.id)?,
        jobs: jobs::all_of(context, account.id)?,
    };
    Ok(Reply::json(&everything)
        .with_header(
            "content-disposition",
            "attachment; filename=\"citation-account.json\"",
        )
        .with_header("cache-control", "no-store"))
}

fn saved_searches(context: &RequestContext, user: i64) -> Result<Vec<SavedSearch>, ApiError> {
    let searches = context.app.store.searches(user)?.into_iter();
    Ok(searches
        .map(|(query, name)| SavedSearch { name, query })
        .collect())
}

/// `GET /account/delete`.
pub fn ask_delete(context: &RequestContext) -> Result<Reply, ApiError> {
    delete_page(context, None)
}

fn delete_page(context: &RequestContext, problem: Option<&str>) -> Result<Reply, ApiError> {
    let main = DeletePage {
        words: words(context),
        email: context.account()?.email.as_deref(),
        problem,
    };
    Ok(show_titled(context, "account.delete", "", main))
}

/// `POST /account/delete`.
pub fn delete(context: &RequestContext) -> Result<Reply, ApiError> {
    let account = context.account()?;
    if form(context)
        .get("confirm")
        .map(str::trim)
        .map(str::to_lowercase)
        .as_deref()
        != Some("delete")
    {
        let reply = delete_page(context, Some(words(context).get("account.delete-type")))?;
        return Ok(reply.with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let actor = Actor::user(&account.uid, context.client);
    context
        .app
        .auth
        .delete_user(account.id, &account.uid, &actor)?;
    Ok(left(context, "/auth/signed-out?deleted=1"))
}

/// A person's name at a provider.
pub fn who(identity: &Identity) -> &str {
    identity.email.as_deref().unwrap_or(&identity.subject)
}

/// Identities as shown on the account page.
fn shown(context: &RequestContext, rows: Vec<IdentityRow>) -> Vec<IdentityView> {
    let shown = rows.into_iter().map(|row| IdentityView {
        label: context
            .app
            .auth
            .provider_label(&row.identity.issuer)
            .to_owned(),
        who: who(&row.identity).to_owned(),
        linked_at: Moment(row.linked_at),
        id: row.uid,
    });
    shown.collect()
}
