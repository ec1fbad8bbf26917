//! OpenAlex's API: `/works/{id}` by its own ids and those of others, and `/works?search=…` for references.

use citation_model::identifier::{Identifier, percent_encode};
use citation_model::work::Work;
use citation_records::openalex;

use super::http::{Client, RecordRequest};
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

/// OpenAlex.
pub struct OpenAlex {
    client: Client,
    /// `&mailto=…`; empty without a contact.
    mailto: String,
}

impl OpenAlex {
    pub fn new(settings: ProviderSettings) -> OpenAlex {
        OpenAlex {
            mailto: settings.mail_parameter("mailto"),
            client: Client::new(ProviderName::OpenAlex, settings),
        }
    }
}

impl Provider for OpenAlex {
    fn client(&self) -> &Client {
        &self.client
    }

    fn record_request(&self, identifier: &Identifier) -> Option<RecordRequest> {
        let key = match identifier {
            Identifier::OpenAlex(id) => id.to_string(),
            Identifier::Doi(id) => format!("doi:{}", percent_encode(id.as_str())),
            Identifier::Pmid(id) => format!("pmid:{id}"),
            Identifier::Pmcid(id) => format!("pmcid:{id}"),
            _ => return None,
        };
        Some(RecordRequest {
            path: format!("/works/{key}?{}", self.mailto.trim_start_matches('&')),
            accept: "application/json",
            read: openalex::from_slice,
        })
    }

    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let words = query.rarest_words();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let path = format!(
            "/works?search={}&per-page={}{}",
            percent_encode(&words.join(" ")),
            query.rows(),
            self.mailto
        );
        self.client
            .works(&path, "application/json", deadline, openalex::from_list)
    }
}
