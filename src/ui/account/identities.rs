//! Linked identities at providers, and those that can be linked.

use crate::ui::page::Moment;
use crate::ui::words::Words;
use askama::Template;

/// An identity as shown to the account's owner.
#[derive(Clone, Debug)]
pub struct IdentityView {
    pub id: String,
    /// The provider's name.
    pub label: String,
    /// The person's name there.
    pub who: String,
    pub linked_at: Moment,
}

/// The page that forwards the browser to a provider.
#[derive(Template)]
#[template(path = "account/onward.html")]
pub struct OnwardPage<'p> {
    pub words: Words,
    pub label: &'p str,
    pub address: &'p str,
}

/// The page that confirms linking an identity.
#[derive(Template)]
#[template(path = "account/confirm_identity.html")]
pub struct ConfirmPage<'p> {
    pub words: Words,
    pub link: &'p str,
    pub label: &'p str,
    pub who: &'p str,
}
