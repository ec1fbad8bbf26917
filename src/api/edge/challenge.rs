//! The header `WWW-Authenticate`: how a client gets a credential (RFC 6750, section 3; RFC 9728, section 5.1).

use super::context::RequestContext;
use crate::auth::principal::TokenAudience;

/// Where the metadata of a resource is, below the base address.
pub const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource";

/// The resources with metadata of their own: paths below the base address.
pub const RESOURCES: [&str; 4] = ["", "/mcp", "/mcp/account", "/api/v1"];

/// The header for the resource of a request, with further parameters.
pub fn challenge(context: &RequestContext, parameters: &[(&str, &str)]) -> String {
    let mut header = "Bearer realm=\"api\"".to_owned();
    let metadata = context.app.auth.lets_programs_in().then(|| {
        let path = context.uri.path();
        let own = RESOURCES.into_iter().find(|resource| *resource == path);
        let resource = own.unwrap_or(TokenAudience::of_path(path).path());
        let base_url = &context.edge.site.base_url;
        base_url.join(&format!("{RESOURCE_METADATA}{resource}"))
    });
    let metadata = metadata.as_deref().map(|url| ("resource_metadata", url));
    for (name, value) in parameters.iter().copied().chain(metadata) {
        header.push_str(&format!(", {name}=\"{value}\""));
    }
    header
}
