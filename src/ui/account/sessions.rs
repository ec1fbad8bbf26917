//! Sessions: where one is signed in, and ending that.

use super::moment;
use crate::ui::html::{Html, Template};

/// A session as its owner sees it.
#[derive(Clone, Debug)]
pub struct Session {
    pub id: String,
    pub agent: String,
    pub address: String,
    pub created_at: i64,
    pub seen_at: i64,
    /// The one that asks.
    pub is_this: bool,
}

const SESSIONS: Template = Template(
    r#"<div class="wide"><table>
<thead><tr><th scope="col">Browser</th><th scope="col">Address</th><th scope="col">Signed in</th><th scope="col">Last seen</th><th scope="col">End</th></tr></thead>
<tbody>{rows}</tbody>
</table></div>
<form method="post" action="/account/sessions/end-others"><button>End all other sessions</button></form>"#,
);

const ROW: Template = Template(
    r#"<tr><th scope="row">{agent}{this}</th><td>{address}</td><td>{created}</td><td>{seen}</td>
<td><form method="post" action="/account/sessions/{id}/end"><button aria-label="End the session of {agent} from {address}">End</button></form></td></tr>"#,
);

const THIS: Template = Template(" <strong>(this one)</strong>");

/// The main part of the page.
pub fn sessions(sessions: &[Session]) -> Html {
    SESSIONS.fill(&[("rows", Html::join(sessions.iter().map(row)).into())])
}

fn row(session: &Session) -> Html {
    let agent = if session.agent.is_empty() {
        "unknown browser"
    } else {
        session.agent.as_str()
    };
    let this = if session.is_this {
        THIS.html()
    } else {
        Html::empty()
    };
    ROW.fill(&[
        ("agent", agent.into()),
        ("this", this.into()),
        ("address", session.address.as_str().into()),
        ("created", moment(session.created_at).into()),
        ("seen", moment(session.seen_at).into()),
        ("id", session.id.as_str().into()),
    ])
}
