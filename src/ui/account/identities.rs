//! Identities at providers that sign in to the account, and those that could.

use crate::ui::page::Moment;
use crate::ui::words::Words;
use askama::Template;

/// An identity as the owner of the account sees it.
#[derive(Clone, Debug)]
pub struct Shown {
    pub id: String,
    /// What the provider is known by.
    pub label: String,
    /// What the person is known by there.
    pub who: String,
    pub linked_at: Moment,
}

/// The page from which the browser goes on to a provider.
#[derive(Template)]
#[template(path = "account/onward.html")]
pub struct Onward<'p> {
    pub words: Words,
    pub label: &'p str,
    pub address: &'p str,
}

/// The page that asks whether to link an identity.
#[derive(Template)]
#[template(path = "account/confirm_identity.html")]
pub struct Confirm<'p> {
    pub words: Words,
    pub link: &'p str,
    pub label: &'p str,
    pub who: &'p str,
}
