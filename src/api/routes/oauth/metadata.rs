//! `/.well-known/…`: what clients read before they sign in.

use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::require_enabled;
use super::{registration, token};
use crate::api::edge::action::Action;
use crate::api::edge::challenge::{RESOURCE_METADATA, RESOURCES};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::auth::principal::Scopes;

/// Where the metadata of the server is, below the base address.
const SERVER_METADATA: &str = "/.well-known/oauth-authorization-server";

pub fn routes() -> Vec<Route> {
    vec![
        route::get(SERVER_METADATA, Action::Public, server).documented(server_operation),
        route::get(RESOURCE_METADATA, Action::Public, resource).documented(resource_operation),
        route::get(
            "/.well-known/oauth-protected-resource/{resource…}",
            Action::Public,
            resource,
        )
        .documented(part_operation),
    ]
}

/// What a client needs to know of the server that issues tokens (RFC 8414).
#[derive(Debug, Serialize, ToSchema)]
pub struct AuthorizationServer {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    revocation_endpoint: String,
    /// Absent if programs cannot register themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    registration_endpoint: Option<String>,
    scopes_supported: Vec<&'static str>,
    response_types_supported: [&'static str; 1],
    response_modes_supported: [&'static str; 1],
    grant_types_supported: [&'static str; 2],
    /// `none`: programs have no secret.
    token_endpoint_auth_methods_supported: [&'static str; 1],
    revocation_endpoint_auth_methods_supported: [&'static str; 1],
    code_challenge_methods_supported: [&'static str; 1],
    /// Answers have `iss` (RFC 9207).
    authorization_response_iss_parameter_supported: bool,
    /// A client id may be the address of a document.
    client_id_metadata_document_supported: bool,
    service_documentation: String,
}

/// What a client needs to know of a resource that takes tokens (RFC 9728).
#[derive(Debug, Serialize, ToSchema)]
pub struct ProtectedResource {
    resource: String,
    authorization_servers: Vec<String>,
    scopes_supported: Vec<&'static str>,
    bearer_methods_supported: [&'static str; 1],
    resource_name: &'static str,
    resource_documentation: String,
}

/// `GET /.well-known/oauth-authorization-server`.
pub fn server(context: &RequestContext) -> Result<Reply, ApiError> {
    require_enabled(context)?;
    let base = &context.edge.site.base_url;
    let settings = &context.app.config.oauth;
    let registration = settings.dynamic_registration;
    Ok(Reply::json(&AuthorizationServer {
        issuer: base.as_str().to_owned(),
        authorization_endpoint: base.join("/oauth/authorize"),
        token_endpoint: base.join(token::TOKEN),
        revocation_endpoint: base.join(token::REVOKE),
        registration_endpoint: registration.then(|| base.join(registration::REGISTER)),
        scopes_supported: Scopes::ALL.names(),
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: settings.client_documents,
        service_documentation: base.join("/api/docs"),
    }))
}

/// `GET /.well-known/oauth-protected-resource`, or with the path of a part of the server.
pub fn resource(context: &RequestContext) -> Result<Reply, ApiError> {
    require_enabled(context)?;
    let part = match context.param("resource") {
        "" => String::new(),
        part => format!("/{}", part.trim_end_matches('/')),
    };
    let is_absent = part.starts_with("/mcp") && !context.app.config.compat.mcp;
    if is_absent || !RESOURCES.contains(&part.as_str()) {
        let message = "There is no such resource.";
        return Err(ApiError::not_found("resource", message));
    }
    let base = &context.edge.site.base_url;
    Ok(Reply::json(&ProtectedResource {
        resource: format!("{}{part}", base.as_str()),
        authorization_servers: vec![base.as_str().to_owned()],
        scopes_supported: Scopes::ALL.names(),
        bearer_methods_supported: ["header"],
        resource_name: "Citation",
        resource_documentation: base.join("/api/docs"),
    }))
}

fn server_operation() -> Operation {
    Operation::new("oauth_server", "oauth", "How programs sign in (RFC 8414)")
        .describe("404 if the operator has switched OAuth off.")
        .reply::<AuthorizationServer>(200, "The endpoints and what they support.")
        .codes(&[Code::NotFound])
}

fn resource_operation() -> Operation {
    Operation::new(
        "oauth_resource",
        "oauth",
        "Where programs get tokens for this server (RFC 9728)",
    )
    .reply::<ProtectedResource>(200, "The resource.")
    .codes(&[Code::NotFound])
}

fn part_operation() -> Operation {
    Operation {
        id: "oauth_resource_part",
        summary: "Where programs get tokens for a part of this server (RFC 9728)",
        ..resource_operation()
    }
    .path("resource", "`mcp`, `mcp/account` or `api/v1`.")
}
