//! The browser's session: who asks for one, its cookie, its end, and who signs in to it.

use super::call::Call;
use super::pages::frame::redirect;
use super::reply::Reply;
use crate::auth::sign_in::Visitor;

/// Characters of a browser's name that are read.
const AGENT_CHARS: usize = 300;

/// The browser that sends the request.
pub fn visitor(call: &Call) -> Visitor {
    let agent = call.header("user-agent").unwrap_or_default();
    Visitor {
        address: call.client,
        agent: agent.chars().take(AGENT_CHARS).collect(),
    }
}

/// The cookie of a new session.
pub fn session_cookie(call: &Call, token: &str) -> String {
    let site = &call.edge.site;
    site.cookie(&site.cookie_name, token, call.app.auth.session_seconds())
}

/// The identity providers: name and label.
pub fn providers(call: &Call) -> Vec<(String, String)> {
    let choices = call.app.auth.providers().into_iter();
    choices.map(|choice| (choice.name, choice.label)).collect()
}

/// Sends the browser on without its session, and without what it has kept of answers. What scripts
/// have kept they remove themselves (`account.js`), since the browser's own list stays.
pub fn left(call: &Call, target: &str) -> Reply {
    let site = &call.edge.site;
    redirect(target)
        .with_cookie(site.cookie(&site.cookie_name, "", 0))
        .with_header("clear-site-data", "\"cache\"")
}
