//! Sessions: where one is signed in, and ending that.

use super::moment;
use crate::ui::html::{Html, Template};
use crate::ui::words::Words;

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
<thead><tr><th scope="col">{~sessions.browser}</th><th scope="col">{~sessions.address}</th><th scope="col">{~sessions.since}</th><th scope="col">{~sessions.seen}</th><th scope="col">{~sessions.end}</th></tr></thead>
<tbody>{rows}</tbody>
</table></div>
<form method="post" action="/account/sessions/end-others"><button>{~sessions.end-others}</button></form>"#,
);

const ROW: Template = Template(
    r#"<tr><th scope="row">{agent}{this}</th><td>{address}</td><td>{created}</td><td>{seen}</td>
<td><form method="post" action="/account/sessions/{id}/end"><button aria-label="{~sessions.end-this}">{~sessions.end}</button></form></td></tr>"#,
);

const THIS: Template = Template(" <strong>({~sessions.this})</strong>");

/// The main part of the page.
pub fn sessions(words: Words, sessions: &[Session]) -> Html {
    SESSIONS.say(
        words,
        &[(
            "rows",
            Html::join(sessions.iter().map(|item| row(words, item))).into(),
        )],
    )
}

fn row(words: Words, session: &Session) -> Html {
    let agent = if session.agent.is_empty() {
        words.get("sessions.unknown")
    } else {
        session.agent.as_str()
    };
    let this = if session.is_this {
        THIS.say(words, &[])
    } else {
        Html::empty()
    };
    ROW.say(
        words,
        &[
            ("agent", agent.into()),
            ("this", this.into()),
            ("address", session.address.as_str().into()),
            ("created", moment(session.created_at).into()),
            ("seen", moment(session.seen_at).into()),
            ("id", session.id.as_str().into()),
        ],
    )
}
