//! What letting programs in needs: the settings, the reader of documents, and the limit of registrations.

use std::time::Duration;

use crate::config::OAuthSettings;
use crate::provider::ClientDocuments;
use crate::quota::address::Address;
use crate::quota::limiter::Limiter;

/// The programs that may ask for access.
pub struct Programs {
    pub(in crate::auth) settings: OAuthSettings,
    pub(in crate::auth) documents: ClientDocuments,
    pub(in crate::auth) registrations: Limiter<Address>,
}

/// Maximum number of addresses in one generation of the limiter.
const ADDRESSES: usize = 100_000;

const DAY_SECONDS: i64 = 24 * 60 * 60;

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

impl Programs {
    pub fn new(settings: &OAuthSettings) -> Programs {
        let timeout = Duration::from_millis(settings.document_timeout_ms);
        Programs {
            documents: ClientDocuments::new(timeout, &settings.client_origins),
            registrations: Limiter::new(ADDRESSES, DAY_MS),
            settings: settings.clone(),
        }
    }

    pub fn is_enabled(&self) -> bool {
        self.settings.enabled
    }

    /// How long a program that no account has let in is known, in seconds.
    pub fn unused_seconds(&self) -> i64 {
        i64::from(self.settings.unused_client_days) * DAY_SECONDS
    }
}
