//! Sessions: where one is signed in, and ending that.

use super::agent::names_of;
use super::moment;
use crate::ui::html::{Html, Template, message};
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
    r#"<tr><th scope="row" title="{raw}">{agent}{this}</th><td>{address}</td><td>{created}</td><td>{seen}</td>
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
    let this = if session.is_this {
        THIS.say(words, &[])
    } else {
        Html::empty()
    };
    ROW.say(
        words,
        &[
            ("agent", agent(words, &session.agent).into()),
            ("raw", session.agent.as_str().into()),
            ("this", this.into()),
            ("address", session.address.as_str().into()),
            ("created", moment(session.created_at).into()),
            ("seen", moment(session.seen_at).into()),
            ("id", session.id.as_str().into()),
        ],
    )
}

/// `Firefox on Windows`; a program that is no browser by what it calls itself.
fn agent(words: Words, agent: &str) -> Html {
    let on = |browser: &str, system: &str| {
        let places = [("browser", browser.into()), ("system", system.into())];
        message(words, "sessions.on", &places)
    };
    match names_of(agent) {
        (Some(browser), Some(system)) => on(browser, system),
        (Some(name), None) | (None, Some(name)) => Html::text(name),
        (None, None) if agent.is_empty() => Html::text(words.get("sessions.unknown")),
        (None, None) => Html::text(agent),
    }
}
