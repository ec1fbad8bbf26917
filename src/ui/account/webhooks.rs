//! Webhooks: addresses that are told what happens in the account.

use crate::ui::page::Moment;
use crate::ui::words::Words;
use askama::Template;

/// The page.
#[derive(Template)]
#[template(path = "account/webhooks.html")]
pub struct WebhooksPage {
    pub words: Words,
    pub webhooks: Vec<WebhookView>,
    /// The events that a webhook may want.
    pub events: &'static [&'static str],
    /// The address in the form, as typed.
    pub url: String,
    /// A secret just made, and the address of its webhook.
    pub secret: Option<(String, String)>,
    pub problem: Option<String>,
    pub notice: Option<&'static str>,
}

/// A webhook as shown to its owner.
#[derive(Clone, Debug, Default)]
pub struct WebhookView {
    /// UUID.
    pub id: String,
    pub url: String,
    pub events: Vec<String>,
    pub is_enabled: bool,
    /// Until when the secret before the last rotation signs too.
    pub old_secret_until: Option<Moment>,
    /// The newest deliveries.
    pub deliveries: Vec<DeliveryView>,
    /// Whether some deliveries were given up.
    pub has_dead: bool,
}

/// One event for a webhook.
#[derive(Clone, Debug, Default)]
pub struct DeliveryView {
    pub id: String,
    pub event: String,
    /// `pending`, `delivered` or `dead`.
    pub state: String,
    pub attempts: u32,
    /// Why the last attempt failed, in English; empty if it did not.
    pub error: String,
    pub created_at: Moment,
}
