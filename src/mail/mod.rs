//! Layer 3: mail. A message is stored, and a thread sends it: no request waits for a mail server. What cannot be
//! sent is tried again with growing pauses, then given up. A message may arrive twice if the server ends before it
//! has noted that one was sent.
//!
//! - `smtp`: sends one message

pub mod smtp;

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use crate::auth::Auth;
use crate::background::{self, BackgroundThread, Stop};
use crate::clock::Clock;
use crate::config::MailSettings;
use crate::quota::address::Address;
use crate::quota::limiter::Limiter;
use crate::store::mails::{MailPurpose, MailRow};
use crate::store::{Store, StoreError};
use smtp::Message;

/// How often the thread looks for messages.
const LOOK: Duration = Duration::from_secs(1);

/// Messages that are read at once.
const AT_ONCE: u64 = 16;

/// The longest pause between two attempts, in seconds.
const MAX_PAUSE: i64 = 6 * 60 * 60;

/// What a text has where the link stands.
pub const LINK: &str = "{link}";

/// Maximum number of counted callers in one generation of a limiter.
const COUNTED: usize = 50_000;

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// The mail of the service. Shared by all threads.
pub struct Mail {
    store: Arc<Store>,
    auth: Arc<Auth>,
    settings: MailSettings,
    clock: Clock,
    sent: Limiter<Sender>,
    hasher: RandomState,
}

/// Whom a message counts for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sender {
    Account(i64),
    Client(Address),
    /// The hash of the recipient's address.
    Recipient(u64),
}

/// Who causes a message.
#[derive(Clone, Copy, Debug)]
pub enum CausedBy {
    /// The row id of an account.
    Account(i64),
    /// Somebody without an account.
    Client(Address),
}

/// A recipient to whom a message may be sent.
#[derive(Clone, Debug)]
pub struct Admitted {
    address: String,
    is_sent: bool,
}

/// Why no message may be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    #[error("this server sends no mail")]
    Off,
    #[error("{0} is not an e-mail address")]
    Address(String),
    /// Seconds until one may be sent again.
    #[error("too many messages were sent; wait some time")]
    TooMany { retry_seconds: u64 },
}

impl Mail {
    pub fn new(
        store: Arc<Store>,
        auth: Arc<Auth>,
        settings: MailSettings,
        clock: Clock,
    ) -> Arc<Mail> {
        if !settings.server.is_empty() && !smtp::IS_BUILT_IN {
            tracing::error!(
                "`mail.server` is set, but the program is built without mail: nothing is sent"
            );
        }
        Arc::new(Mail {
            store,
            auth,
            settings,
            clock,
            sent: Limiter::new(COUNTED, DAY_MS),
            hasher: RandomState::new(),
        })
    }

    /// Whether messages are sent.
    pub fn is_on(&self) -> bool {
        !self.settings.server.is_empty() && smtp::IS_BUILT_IN && !self.store.is_read_only()
    }

    /// Whether a message may be sent, which counts it. To a recipient with many messages nothing more is sent,
    /// which nobody is told.
    pub fn admit(&self, by: CausedBy, address: &str) -> Result<Admitted, MailError> {
        if !self.is_on() {
            return Err(MailError::Off);
        }
        let address = checked(address)?;
        let most = self.settings.per_sender_per_day;
        let sender = match by {
            CausedBy::Account(user) => Sender::Account(user),
            CausedBy::Client(client) => Sender::Client(client),
        };
        let now_ms = self.clock.elapsed_ms();
        let taken = self.sent.take(sender, most, now_ms);
        if !taken.allowed {
            let retry_seconds = taken.retry_ms.div_ceil(1_000).max(1);
            return Err(MailError::TooMany { retry_seconds });
        }
        let recipient = Sender::Recipient(self.hasher.hash_one(address.to_lowercase()));
        let most = self.settings.per_recipient_per_day;
        let is_sent = self.sent.take(recipient, most, now_ms).allowed;
        if !is_sent {
            tracing::info!("a recipient has had many messages: no further one is sent");
        }
        Ok(Admitted { address, is_sent })
    }

    /// Stores a message to be sent.
    pub fn post(
        &self,
        to: &Admitted,
        subject: &str,
        text: String,
        purpose: MailPurpose,
    ) -> Result<(), StoreError> {
        if !to.is_sent {
            return Ok(());
        }
        let row = MailRow {
            id: 0,
            address: to.address.clone(),
            subject: subject.chars().filter(|c| !c.is_control()).collect(),
            text,
            purpose,
            attempts: 0,
        };
        self.store.add_mail(&row, self.clock.unix())
    }

    /// Starts the thread that sends; none if no mail is sent.
    pub fn start(self: &Arc<Mail>) -> std::io::Result<Option<BackgroundThread>> {
        if !self.is_on() {
            return Ok(None);
        }
        let mail = Arc::clone(self);
        let thread = BackgroundThread::start("mail", move |stop| {
            background::step_back();
            while !stop.wait(LOOK) {
                if let Err(cause) = mail.send_due(&stop) {
                    tracing::warn!(%cause, "mail cannot be sent; it is tried again");
                }
            }
        });
        thread.map(Some)
    }

    fn send_due(&self, stop: &Stop) -> Result<(), StoreError> {
        let due = self.store.due_mails(self.clock.unix(), AT_ONCE)?;
        for mail in due {
            if stop.wait(Duration::ZERO) {
                return Ok(());
            }
            let now = self.clock.unix();
            let attempts = mail.attempts + 1;
            self.store
                .begin_mail(mail.id, now.saturating_add(self.pause(attempts)))?;
            self.send(&mail, attempts)?;
        }
        Ok(())
    }

    fn send(&self, mail: &MailRow, attempts: u32) -> Result<(), StoreError> {
        let purpose = mail.purpose.as_str();
        let Some(text) = self.text(mail)? else {
            return self.store.remove_mail(mail.id);
        };
        let message = Message {
            address: &mail.address,
            subject: &mail.subject,
            text: &text,
        };
        match smtp::send(&self.settings, &message) {
            Ok(()) => {
                tracing::info!(purpose, "mail sent");
                self.store.remove_mail(mail.id)
            }
            Err(cause) if cause.is_permanent || attempts >= self.settings.max_attempts => {
                tracing::warn!(purpose, attempts, %cause, "mail given up");
                self.store.remove_mail(mail.id)
            }
            Err(cause) => {
                tracing::warn!(purpose, attempts, %cause, "mail not sent; it is tried again");
                Ok(())
            }
        }
    }

    /// The text with its link. A link to choose a password is made when it is sent, so that it is nowhere
    /// stored; there is none for an address without an account.
    fn text(&self, mail: &MailRow) -> Result<Option<String>, StoreError> {
        let MailPurpose::Password { link } = &mail.purpose else {
            return Ok(Some(mail.text.clone()));
        };
        let token = self.auth.password_link(&mail.address)?;
        Ok(token.map(|token| {
            let link = format!("{link}{}", token.reveal());
            mail.text.replace(LINK, &link)
        }))
    }

    /// The seconds before the next attempt: twice as long each time.
    fn pause(&self, attempts: u32) -> i64 {
        let first = i64::from(self.settings.retry_seconds);
        let times = 1_i64 << attempts.saturating_sub(1).min(20);
        first.saturating_mul(times).min(MAX_PAUSE)
    }
}

/// An address that a message may go to: one `@`, no blanks, controls or further recipients.
fn checked(address: &str) -> Result<String, MailError> {
    let address = address.trim();
    let is_plain = |c: char| {
        !c.is_whitespace() && !c.is_control() && !matches!(c, ',' | ';' | '<' | '>' | '"')
    };
    let parts = address.split_once('@');
    let has_parts = parts
        .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    if has_parts && address.chars().count() <= 254 && address.chars().all(is_plain) {
        return Ok(address.to_owned());
    }
    Err(MailError::Address(address.chars().take(100).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_names_one_mailbox() {
        let check = |address: &str, expected: bool| {
            assert_eq!(checked(address).is_ok(), expected, "{address}");
        };
        check("a@example.org", true);
        check(" ü.b+c@example.org ", true);
        check("a@b@example.org", false);
        check("a@example.org, b@example.org", false);
        check("a@example.org\r\nBcc: b@example.org", false);
        check("A <a@example.org>", false);
        check("example.org", false);
        check("@example.org", false);
        check(&format!("{}@example.org", "a".repeat(250)), false);
    }
}
