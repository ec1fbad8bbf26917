//! The browser's session: its client, its cookie, its end, and the identity providers.

use super::context::RequestContext;
use super::reply::Reply;
use crate::api::routes::pages::frame::redirect;
use crate::auth::sign_in::Visitor;

/// Maximum characters of a browser's name.
const AGENT_CHARS: usize = 300;

/// The browser of the request.
pub fn visitor(context: &RequestContext) -> Visitor {
    let agent = context.header("user-agent").unwrap_or_default();
    Visitor {
        address: context.client,
        agent: agent.chars().take(AGENT_CHARS).collect(),
    }
}

/// The cookie of a new session.
pub fn session_cookie(context: &RequestContext, token: &str) -> String {
    let site = &context.edge.site;
    site.cookie(&site.cookie_name, token, context.app.auth.session_seconds())
}

/// The identity providers: name and label.
pub fn providers(context: &RequestContext) -> Vec<(String, String)> {
    let choices = context.app.auth.providers().into_iter();
    choices.map(|choice| (choice.name, choice.label)).collect()
}

/// Sends the browser on without its session and its HTTP cache. Scripts
/// clear their own storage (`account.js`), since the browser's own list stays.
pub fn left(context: &RequestContext, target: &str) -> Reply {
    let site = &context.edge.site;
    redirect(target)
        .with_cookie(site.cookie(&site.cookie_name, "", 0))
        .with_header("clear-site-data", "\"cache\"")
}
