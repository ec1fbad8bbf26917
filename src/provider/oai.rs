//! Sources that are harvested: one part of a list at a time.

use url::Url;

use super::http::{Client, ProviderAnswer};
use super::{Deadline, ProviderResult, interned};
use crate::config::{HarvestKind, HarvestSettings, ProviderName, ProviderSettings};

/// The maximum size of one answer: repositories choose how many records they send at a time.
const MAX_BYTES: u64 = 256 << 20;

/// The time for one answer, in milliseconds: some repositories take a minute to find the first record.
const TIMEOUT_MS: u64 = 300_000;

/// A source.
pub struct Repository {
    client: Client,
    accept: &'static str,
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
            api_key: settings.api_key.clone(),
            ..ProviderSettings::default()
        };
        let accept = match settings.kind {
            HarvestKind::Crossref | HarvestKind::Openalex => "application/json",
            HarvestKind::Datacite => "application/vnd.api+json, application/json",
            HarvestKind::Oai | HarvestKind::List | HarvestKind::Folder => {
                "application/xml, text/xml"
            }
        };
        let client = match settings.kind {
            HarvestKind::Crossref => Client::new(ProviderName::Crossref, client),
            HarvestKind::Openalex => Client::new(ProviderName::OpenAlex, client),
            _ => Client::of_other(interned(&settings.name), client),
        };
        Repository { client, accept }
    }

    /// What is at an address; `None` if there is nothing.
    pub fn fetch(&self, url: &Url, deadline: &Deadline) -> ProviderResult<Option<Vec<u8>>> {
        Ok(body(self.client.fetch(url, self.accept, deadline)?))
    }

    /// The answer to a path and query below the address (`?verb=…`); `None` if there is nothing.
    pub fn ask(&self, query: &str, deadline: &Deadline) -> ProviderResult<Option<Vec<u8>>> {
        Ok(body(self.client.get(query, self.accept, deadline)?))
    }
}

fn body(answer: ProviderAnswer<'_>) -> Option<Vec<u8>> {
    match answer {
        ProviderAnswer::NotFound | ProviderAnswer::NotModified => None,
        ProviderAnswer::Body(body) => Some(body.into_bytes()),
    }
}
