//! `POST /oauth/register`: programs register themselves (RFC 7591).

use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::parameters::require_enabled;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::auth::oauth::ClientMetadata;

/// The path of this route.
pub const REGISTER: &str = "/oauth/register";

pub fn routes() -> Vec<Route> {
    vec![route::post(REGISTER, Action::Public, register).documented(operation)]
}

/// How a program describes itself. Other members are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"client_name": "Reading list", "redirect_uris": ["http://127.0.0.1/callback"]}))]
pub struct ClientRegistration {
    /// Where the user is sent afterwards: https, http on the user's own machine with any port, or a scheme of the
    /// program's own.
    #[schema(max_items = 20)]
    redirect_uris: Vec<String>,
    #[serde(default)]
    #[schema(max_length = 1_000)]
    client_name: Option<String>,
    #[serde(default)]
    #[schema(max_length = 1_000)]
    client_uri: Option<String>,
    /// `none` whatever is asked for: programs have no secret.
    #[serde(default)]
    #[schema(max_length = 100)]
    token_endpoint_auth_method: Option<String>,
    #[serde(default)]
    #[schema(max_items = 20)]
    grant_types: Option<Vec<String>>,
    #[serde(default)]
    #[schema(max_items = 20)]
    response_types: Option<Vec<String>>,
}

/// A registered program.
#[derive(Debug, Serialize, ToSchema)]
pub struct RegisteredClient {
    client_id: String,
    /// Unix seconds.
    client_id_issued_at: i64,
    redirect_uris: Vec<String>,
    client_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_uri: Option<String>,
    token_endpoint_auth_method: &'static str,
    grant_types: [&'static str; 2],
    response_types: [&'static str; 1],
}

/// `POST /oauth/register`: 201 with the client id.
pub fn register(context: &RequestContext) -> Result<Reply, ApiError> {
    require_enabled(context)?;
    if !context.app.config.oauth.dynamic_registration {
        let message =
            "Programs cannot register themselves here; use a client id metadata document.";
        return Err(ApiError::not_found("route", message));
    }
    let given: ClientRegistration = context.json().map_err(in_words_of_oauth)?;
    let metadata = ClientMetadata {
        client_id: None,
        redirect_uris: given.redirect_uris,
        client_name: given.client_name,
        client_uri: given.client_uri,
        token_endpoint_auth_method: given.token_endpoint_auth_method,
        grant_types: given.grant_types,
        response_types: given.response_types,
    };
    let row = context
        .app
        .auth
        .register_client(&metadata, context.client)?;
    let body = RegisteredClient {
        client_id: row.client_id,
        client_id_issued_at: row.read_at,
        redirect_uris: row.redirect_uris,
        client_name: row.name,
        client_uri: row.uri,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
    };
    Ok(Reply::json(&body)
        .with_status(StatusCode::CREATED)
        .with_header("cache-control", "no-store"))
}

/// RFC 7591, section 3.2.2: content that does not fit has a code of its own.
fn in_words_of_oauth(error: ApiError) -> ApiError {
    match error.code {
        Code::ValidationFailed => ApiError::new(Code::InvalidClientMetadata, error.message.clone())
            .with("error_description", error.message),
        _ => error,
    }
}

fn operation() -> Operation {
    Operation::new("register_program", "oauth", "Register a program (RFC 7591)")
        .describe(
            "Anyone may register a program, a limited number a day for each address. A program that no account \
             lets in is forgotten after some time.",
        )
        .body::<ClientRegistration>()
        .reply::<RegisteredClient>(201, "The program, with its client id.")
        .codes(&[
            Code::InvalidClientMetadata,
            Code::InvalidRedirectUri,
            Code::NotFound,
        ])
}
