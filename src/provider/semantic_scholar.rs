//! Semantic Scholar's Graph API: `/paper/{id}`, and `/paper/search/match` for the title of a reference.

use citation_model::identifier::{Identifier, percent_encode};
use citation_model::work::Work;
use citation_records::semantic_scholar::{self, FIELDS};

use super::http::{Client, RecordRequest};
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

/// Semantic Scholar.
pub struct SemanticScholar {
    client: Client,
}

impl SemanticScholar {
    pub fn new(settings: ProviderSettings) -> SemanticScholar {
        SemanticScholar {
            client: Client::new(ProviderName::SemanticScholar, settings),
        }
    }
}

impl Provider for SemanticScholar {
    fn client(&self) -> &Client {
        &self.client
    }

    fn record_request(&self, identifier: &Identifier) -> Option<RecordRequest> {
        let key = match identifier {
            Identifier::Doi(id) => format!("DOI:{}", percent_encode(id.as_str())),
            Identifier::Arxiv(id) => format!("ARXIV:{}", percent_encode(id.as_str())),
            Identifier::Pmid(id) => format!("PMID:{id}"),
            Identifier::Pmcid(id) => format!("PMCID:{}", id.as_str().trim_start_matches("PMC")),
            _ => return None,
        };
        Some(RecordRequest {
            path: format!("/paper/{key}?fields={FIELDS}"),
            accept: "application/json",
            read: semantic_scholar::from_slice,
        })
    }

    /// The one paper whose title is closest; a reference without a title is not searched.
    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let Some(title) = query.title.as_deref().map(str::trim) else {
            return Ok(Vec::new());
        };
        if title.is_empty() {
            return Ok(Vec::new());
        }
        let path = format!(
            "/paper/search/match?query={}&fields={FIELDS}",
            percent_encode(title)
        );
        let read = semantic_scholar::from_list;
        self.client.works(&path, "application/json", deadline, read)
    }
}
