//! Repositories that are harvested by OAI-PMH: one part of a list at a time.

use super::http::{Client, ProviderAnswer};
use super::{Deadline, ProviderResult, interned};
use crate::config::{HarvestSettings, ProviderSettings};

/// The maximum size of one answer: repositories choose how many records they send at a time.
const MAX_BYTES: u64 = 256 << 20;

/// The time for one answer, in milliseconds: some repositories take a minute to find the first record.
const TIMEOUT_MS: u64 = 300_000;

/// A repository.
pub struct Repository {
    client: Client,
}

impl Repository {
    pub fn new(settings: &HarvestSettings) -> Repository {
        let client = ProviderSettings {
            base_url: settings.url.clone(),
            timeout_ms: TIMEOUT_MS,
            max_response_bytes: MAX_BYTES,
            max_in_flight: 1,
            max_per_second: 1,
            retries: 5,
            breaker_failures: 0,
            contact: settings.contact.clone(),
            ..ProviderSettings::default()
        };
        Repository {
            client: Client::of_other(interned(&settings.name), client),
        }
    }

    /// The answer to a query (`?verb=…`); `None` if there is nothing at the address.
    pub fn ask(&self, query: &str, deadline: &Deadline) -> ProviderResult<Option<Vec<u8>>> {
        let accept = "application/xml, text/xml";
        Ok(match self.client.get(query, accept, deadline)? {
            ProviderAnswer::NotFound => None,
            ProviderAnswer::Body(body) => Some(body.into_bytes()),
        })
    }
}
