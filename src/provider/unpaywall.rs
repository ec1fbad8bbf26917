//! Unpaywall's API: `/v2/{doi}`, which knows open copies. Its key is the operator's e-mail address.

use citation_model::identifier::{Identifier, percent_encode};
use citation_records::unpaywall;

use super::Provider;
use super::http::{Client, RecordRequest};
use crate::config::{ProviderName, ProviderSettings};

/// Unpaywall.
pub struct Unpaywall {
    client: Client,
}

impl Unpaywall {
    pub fn new(settings: ProviderSettings) -> Unpaywall {
        Unpaywall {
            client: Client::new(ProviderName::Unpaywall, settings),
        }
    }
}

impl Provider for Unpaywall {
    fn client(&self) -> &Client {
        &self.client
    }

    fn record_request(&self, identifier: &Identifier) -> Option<RecordRequest> {
        let Identifier::Doi(doi) = identifier else {
            return None;
        };
        Some(RecordRequest {
            path: format!("/v2/{}", percent_encode(doi.as_str())),
            accept: "application/json",
            read: unpaywall::from_slice,
        })
    }
}
