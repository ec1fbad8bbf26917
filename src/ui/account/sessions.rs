//! Sessions: a list, and ending them.

use super::agent::names_of;
use crate::ui::page::Moment;
use crate::ui::words::Words;
use askama::Template;

/// A session as shown to its owner.
#[derive(Clone, Debug)]
pub struct SessionView {
    pub id: String,
    pub agent: String,
    pub address: String,
    pub created_at: Moment,
    pub seen_at: Moment,
    /// The current session.
    pub is_this: bool,
}

/// The page.
#[derive(Template)]
#[template(path = "account/sessions.html")]
pub struct SessionsPage {
    pub words: Words,
    pub sessions: Vec<SessionView>,
}

/// `Firefox on Windows`; programs that are not browsers by their own name.
fn agent(words: &Words, agent: &str) -> String {
    match names_of(agent) {
        (Some(browser), Some(system)) => {
            words.fill("sessions.on", &[("browser", &browser), ("system", &system)])
        }
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) if agent.is_empty() => words.get("sessions.unknown").to_owned(),
        (None, None) => agent.to_owned(),
    }
}
