//! `POST /oauth/token` and `POST /oauth/revoke`: programs exchange codes and refresh tokens, and give tokens up.

use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::parameters::require_enabled;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::pages::frame::form;
use crate::auth::accounts::Actor;
use crate::auth::oauth::request::MAX_PARAMETER_CHARS;

/// The paths of these routes.
pub const TOKEN: &str = "/oauth/token";
pub const REVOKE: &str = "/oauth/revoke";

pub fn routes() -> Vec<Route> {
    vec![
        route::post(TOKEN, Action::Public, issue).documented(token_operation),
        route::post(REVOKE, Action::Public, revoke).documented(revoke_operation),
    ]
}

/// Tokens for a program.
#[derive(Debug, Serialize, ToSchema)]
pub struct Tokens {
    /// For `Authorization: Bearer`.
    access_token: String,
    /// `Bearer`.
    token_type: &'static str,
    /// Seconds.
    expires_in: i64,
    /// Works once, for new tokens.
    refresh_token: String,
    /// What the access token may do: `read`, `write`.
    scope: String,
}

/// `POST /oauth/token`.
pub fn issue(context: &RequestContext) -> Result<Reply, ApiError> {
    require_enabled(context)?;
    let actor = Actor::anonymous(context.client);
    let base = &context.edge.site.base_url;
    let issued = context
        .app
        .auth
        .issue_tokens(&form(context), base, &actor)?;
    Ok(Reply::json(&Tokens {
        access_token: issued.access.reveal().to_owned(),
        token_type: "Bearer",
        expires_in: issued.expires_in,
        refresh_token: issued.refresh.reveal().to_owned(),
        scope: issued.scopes.names().join(" "),
    })
    .with_header("cache-control", "no-store")
    .with_header("pragma", "no-cache"))
}

/// `POST /oauth/revoke`: 200, also for a token that is not known.
pub fn revoke(context: &RequestContext) -> Result<Reply, ApiError> {
    require_enabled(context)?;
    let actor = Actor::anonymous(context.client);
    context.app.auth.revoke_token(&form(context), &actor)?;
    Ok(Reply::json_value(&json!({})).with_header("cache-control", "no-store"))
}

/// The schema of a form: the parameter that it needs, and further ones.
fn form_schema(required: &str, optional: &[(&str, &str)], about: &str) -> Value {
    let text = |about: &str| json!({"type": "string", "maxLength": MAX_PARAMETER_CHARS, "description": about});
    let mut members: serde_json::Map<String, Value> = { optional.iter() }
        .map(|(name, about)| ((*name).to_owned(), text(about)))
        .collect();
    members.insert(required.to_owned(), text(about));
    json!({"type": "object", "required": [required], "properties": members})
}

fn token_operation() -> Operation {
    let schema = form_schema(
        "grant_type",
        &[
            ("client_id", "The program."),
            ("code", "The code of the authorization response."),
            ("code_verifier", "The verifier of PKCE."),
            (
                "redirect_uri",
                "That of the authorization request, if sent.",
            ),
            ("refresh_token", "The newest refresh token."),
            ("scope", "Fewer scopes for the new access token."),
            ("resource", "That of the authorization request, if sent."),
        ],
        "`authorization_code` or `refresh_token`.",
    );
    Operation::new("issue_tokens", "oauth", "Exchange a code or a refresh token")
        .describe(
            "Programs have no secret: a code needs its PKCE verifier (S256), and a refresh token works once. \
             A second use of either revokes everything that came from it.",
        )
        .body_schema("application/x-www-form-urlencoded", schema)
        .reply::<Tokens>(200, "The tokens.")
        .codes(&[
            Code::InvalidRequest,
            Code::InvalidGrant,
            Code::InvalidScope,
            Code::InvalidTarget,
            Code::UnsupportedGrantType,
            Code::NotFound,
        ])
}

fn revoke_operation() -> Operation {
    let optional = [
        ("client_id", "The program."),
        ("token_type_hint", "Not needed."),
    ];
    let schema = form_schema("token", &optional, "The token.");
    Operation::new("revoke_token", "oauth", "Revoke a token (RFC 7009)")
        .describe("A refresh token is revoked with everything that came from it.")
        .body_schema("application/x-www-form-urlencoded", schema)
        .reply_object(200, "The token is not valid any more.")
        .codes(&[Code::InvalidRequest, Code::NotFound])
}
