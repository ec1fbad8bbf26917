//! Layer 3: webhooks, which tell programs of an account what happens.
//!
//! An event is stored in the transaction that makes it (triggers of the schema). A thread signs and sends
//! what is due, retries with growing pauses, and keeps what cannot be delivered in a list, from which it can be
//! sent again. A delivery may arrive twice, with the same id, if the server ends before it has noted the answer.

mod signature;

use citation_model::hex::hex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::background::{self, BackgroundThread, Stop};
use crate::clock::{self, Clock};
use crate::config::WebhookSettings;
use crate::provider::WebhookSender;
use crate::store::webhooks::{Attempt, DeliveryRow, WebhookRow};
use crate::store::{Store, StoreError};
pub use signature::signature;

/// The events that a webhook may want.
pub const EVENTS: [&str; 5] = [
    "collection.changed",
    "work.updated",
    "work.retracted",
    "job.done",
    "quota.low",
];

/// The event of a test.
pub const TEST: &str = "test";

/// How long the secret before the current one stays valid, in seconds.
pub const OLD_SECRET_SECONDS: i64 = 86_400;

/// How often the thread looks for what is due.
const LOOK: Duration = Duration::from_millis(250);

/// Webhooks that are sent to at the same time.
const AT_ONCE: u64 = 8;

/// The longest pause between two attempts, in seconds.
const MAX_PAUSE: u64 = 6 * 60 * 60;

/// Days that ended deliveries are kept.
const KEPT_DAYS: i64 = 30;

/// How often old deliveries are removed, in seconds.
const PURGE_SECONDS: i64 = 60;

/// The webhooks of all accounts. Shared by all threads.
pub struct Webhooks {
    store: Arc<Store>,
    settings: WebhookSettings,
    sender: WebhookSender,
    clock: Clock,
    purged_at: AtomicI64,
    /// Whether there may be a webhook. Only this process adds some.
    may_exist: AtomicBool,
}

/// What a user may set.
#[derive(Clone, Debug)]
pub struct WebhookChange {
    pub url: String,
    pub events: Vec<String>,
    pub is_enabled: bool,
}

/// Why a webhook is not stored.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Address(String),
    #[error("an event is one of {}", EVENTS.join(", "))]
    Event,
    #[error("an account may have {0} webhooks")]
    TooMany(u32),
    #[error("no secret can be made: {0}")]
    Random(String),
}

impl Webhooks {
    pub fn new(store: Arc<Store>, settings: WebhookSettings, clock: Clock) -> Arc<Webhooks> {
        let timeout = Duration::from_millis(settings.timeout_ms);
        Arc::new(Webhooks {
            sender: WebhookSender::new(timeout, settings.allow_private),
            store,
            settings,
            clock,
            purged_at: AtomicI64::new(0),
            may_exist: AtomicBool::new(true),
        })
    }

    pub fn list(&self, user: i64) -> Result<Vec<WebhookRow>, StoreError> {
        self.store.webhooks(user)
    }

    /// A webhook of a user; `None` also for one of another user.
    pub fn find(&self, user: i64, uid: &str) -> Result<Option<WebhookRow>, StoreError> {
        self.store.webhook(user, uid)
    }

    /// Adds a webhook with a new secret.
    pub fn add(&self, user: i64, change: &WebhookChange) -> Result<WebhookRow, WebhookError> {
        let row = WebhookRow {
            id: 0,
            uid: uuid::Uuid::new_v4().to_string(),
            user,
            url: change.url.clone(),
            events: checked(change)?,
            secret: new_secret()?,
            old_secret: None,
            is_enabled: change.is_enabled,
            created_at: self.clock.unix(),
        };
        let most = self.settings.max_per_account;
        if !self.store.add_webhook(&row, most)? {
            return Err(WebhookError::TooMany(most));
        }
        self.may_exist.store(true, Ordering::SeqCst);
        Ok(row)
    }

    /// Changes the address, the events and the state of a webhook.
    pub fn change(
        &self,
        row: WebhookRow,
        change: &WebhookChange,
    ) -> Result<WebhookRow, WebhookError> {
        let row = WebhookRow {
            url: change.url.clone(),
            events: checked(change)?,
            is_enabled: change.is_enabled,
            ..row
        };
        self.store.set_webhook(&row)?;
        Ok(row)
    }

    /// Gives a webhook a new secret. The one before it signs too, for a day.
    pub fn rotate(&self, row: WebhookRow) -> Result<WebhookRow, WebhookError> {
        let until = self.clock.unix() + OLD_SECRET_SECONDS;
        let row = WebhookRow {
            old_secret: Some((row.secret, until)),
            secret: new_secret()?,
            ..row
        };
        self.store.set_webhook(&row)?;
        Ok(row)
    }

    pub fn remove(&self, row: &WebhookRow) -> Result<(), StoreError> {
        self.store.remove_webhook(row.id)
    }

    /// Sends a test. Returns the id of the delivery.
    pub fn test(&self, row: &WebhookRow) -> Result<String, StoreError> {
        self.store
            .add_delivery(row.id, TEST, "{}", self.clock.unix())
    }

    /// The deliveries of a webhook, newest first, of one state or all.
    pub fn deliveries(
        &self,
        row: &WebhookRow,
        state: Option<&str>,
        most: u64,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        self.store.deliveries(row.id, state, most)
    }

    /// Sends a delivery that has ended again. False if there is none.
    pub fn redeliver(&self, row: &WebhookRow, uid: &str) -> Result<bool, StoreError> {
        self.store.redeliver(row.id, uid)
    }

    /// Starts the thread that sends.
    pub fn start(self: &Arc<Webhooks>) -> std::io::Result<BackgroundThread> {
        let webhooks = Arc::clone(self);
        BackgroundThread::start("webhooks", move |stop| {
            background::step_back();
            while !stop.wait(LOOK) {
                if let Err(cause) = webhooks.send_due(&stop) {
                    tracing::warn!(%cause, "webhooks cannot be sent; it is tried again");
                }
            }
        })
    }

    /// Sends what is due, one delivery of each webhook at a time. Without a webhook the database is not read.
    fn send_due(&self, stop: &Stop) -> Result<(), StoreError> {
        if !self.exist()? {
            return Ok(());
        }
        self.purge()?;
        loop {
            let due = self.store.begin_deliveries(self.clock.unix(), AT_ONCE)?;
            if due.is_empty() || stop.wait(Duration::ZERO) {
                return Ok(());
            }
            let attempts: Vec<(i64, Attempt)> = std::thread::scope(|scope| {
                let sending: Vec<_> = { due.iter() }
                    .map(|(webhook, delivery)| {
                        let send = move || (delivery.id, self.send(webhook, delivery));
                        scope.spawn(send)
                    })
                    .collect();
                let done = sending.into_iter().map(|thread| thread.join());
                done.filter_map(Result::ok).collect()
            });
            for (delivery, attempt) in attempts {
                self.store
                    .note_attempt(delivery, &attempt, self.clock.unix())?;
            }
        }
    }

    /// Whether there is a webhook. Once there is none, the database is not asked before one is added.
    fn exist(&self) -> Result<bool, StoreError> {
        // Cleared before the database is read, so that one added meanwhile is seen.
        if !self.may_exist.swap(false, Ordering::SeqCst) {
            return Ok(false);
        }
        let exist = self.store.has_webhooks();
        if *exist.as_ref().unwrap_or(&true) {
            self.may_exist.store(true, Ordering::SeqCst);
        }
        exist
    }

    /// Sends one delivery.
    fn send(&self, webhook: &WebhookRow, delivery: &DeliveryRow) -> Attempt {
        let now = self.clock.unix();
        let data: Value = serde_json::from_str(&delivery.data).unwrap_or_default();
        let body = json!({
            "id": delivery.uid,
            "event": delivery.event,
            "created_at": clock::iso8601(delivery.created_at),
            "data": data,
        })
        .to_string();
        let old = webhook.old_secret.as_ref();
        let old = old.filter(|(_, until)| *until > now);
        let secrets = [
            Some(webhook.secret.as_str()),
            old.map(|(old, _)| old.as_str()),
        ];
        let signed = signature(secrets.into_iter().flatten(), now, &body);
        let headers = [
            ("citation-signature", signed.as_str()),
            ("citation-event", delivery.event.as_str()),
            ("citation-delivery", delivery.uid.as_str()),
        ];
        let error = match self.sender.post(&webhook.url, &headers, &body) {
            Ok(status @ 200..=299) => return Attempt::Delivered { status },
            Ok(status) => (Some(status), format!("the answer has status {status}")),
            Err(cause) => (None, cause),
        };
        let pause = self.pause(delivery.attempts);
        Attempt::Failed {
            status: error.0,
            error: error.1,
            next_at: (delivery.attempts < self.settings.max_attempts)
                .then(|| now.saturating_add_unsigned(pause)),
        }
    }

    /// The seconds before the next attempt: twice as long each time, up to a fifth more or less, so that the
    /// deliveries after an outage do not come at once.
    fn pause(&self, attempts: u32) -> u64 {
        let first = u64::from(self.settings.retry_seconds);
        let doubled = first
            .saturating_mul(1 << attempts.saturating_sub(1).min(20))
            .min(MAX_PAUSE);
        let mut random = [0; 1];
        let share = match getrandom::fill(&mut random) {
            Ok(()) => u64::from(u8::from_ne_bytes(random)),
            Err(_) => 128,
        };
        (doubled * (204 + share * 102 / 255) / 255).max(1)
    }

    fn purge(&self) -> Result<(), StoreError> {
        let now = self.clock.unix();
        let due = now - self.purged_at.load(Ordering::Relaxed);
        if (0..PURGE_SECONDS).contains(&due) {
            return Ok(());
        }
        self.purged_at.store(now, Ordering::Relaxed);
        self.store.purge_deliveries(now - KEPT_DAYS * 86_400)
    }
}

/// The events of a change as JSON, if it may be stored.
fn checked(change: &WebhookChange) -> Result<String, WebhookError> {
    WebhookSender::check(&change.url).map_err(WebhookError::Address)?;
    let is_known = |event: &String| EVENTS.contains(&event.as_str());
    if change.events.is_empty() || !change.events.iter().all(is_known) {
        return Err(WebhookError::Event);
    }
    Ok(json!(change.events).to_string())
}

/// `whsec_` and 32 random bytes as hexadecimal digits.
fn new_secret() -> Result<String, WebhookError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|cause| WebhookError::Random(cause.to_string()))?;
    Ok(format!("whsec_{}", hex(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::store::StoreSettings;
    use crate::store::audit::Event;
    use crate::store::users::NewUser;
    use citation_model::plan::Plan;

    #[test]
    fn database_is_read_only_while_there_is_a_webhook() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(folder.path(), &StoreSettings::default()).unwrap());
        let new = NewUser {
            uid: "u".to_owned(),
            email: None,
            name: None,
            plan: Plan::Free,
            password: None,
            identity: None,
        };
        let event = Event::new(0, "server", "user.create");
        let user = store.add_user(&new, &event).unwrap().id;
        let settings = Config::default().webhooks;
        let webhooks = Webhooks::new(Arc::clone(&store), settings, Clock::set_to(0));
        let looks = || webhooks.exist().unwrap() || webhooks.may_exist.load(Ordering::SeqCst);
        assert!(!looks());
        let change = WebhookChange {
            url: "https://receiver.invalid/".to_owned(),
            events: vec!["job.done".to_owned()],
            is_enabled: true,
        };
        let row = webhooks.add(user, &change).unwrap();
        assert!(looks() && looks());
        let row = webhooks.find(user, &row.uid).unwrap().unwrap();
        webhooks.remove(&row).unwrap();
        assert!(!looks());
    }
}
