//! API keys: create, list, revoke.

use crate::ui::page::Moment;
use crate::ui::words::Words;
use askama::Template;

/// A key as shown to its owner.
#[derive(Clone, Debug)]
pub struct KeyView {
    pub id: String,
    pub name: String,
    pub prefix: String,
    pub scopes: String,
    pub created_at: Moment,
    pub expires_at: Option<Moment>,
    pub last_used_at: Option<Moment>,
}

/// The page.
#[derive(Template)]
#[template(path = "account/keys.html")]
pub struct KeysPage<'p> {
    pub words: Words,
    pub keys: Vec<KeyView>,
    /// The key just created.
    pub new_key: Option<&'p str>,
    pub problem: Option<&'p str>,
}
