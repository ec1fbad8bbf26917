//! arXiv's API: `/api/query` for ids and for references.

use citation_model::identifier::{ArxivId, Identifier, percent_encode};
use citation_model::work::Work;
use citation_records::{Abstracts, arxiv};

use super::http::Client;
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

/// arXiv.
pub struct Arxiv {
    client: Client,
}

impl Arxiv {
    pub fn new(settings: ProviderSettings) -> Arxiv {
        Arxiv {
            client: Client::new(ProviderName::Arxiv, settings),
        }
    }

    fn ask(&self, query: &str, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let path = format!("/api/query?{query}");
        // Errors in the query arrive as an entry that is not a work.
        let read = |xml: &[u8]| arxiv::from_feed(xml, Abstracts::Leave);
        self.client
            .works(&path, "application/atom+xml", deadline, read)
    }
}

impl Provider for Arxiv {
    fn client(&self) -> &Client {
        &self.client
    }

    fn knows(&self, identifier: &Identifier) -> bool {
        match identifier {
            Identifier::Arxiv(_) => true,
            Identifier::Doi(doi) => ArxivId::of_doi(doi).is_some(),
            _ => false,
        }
    }

    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let id = match identifier {
            Identifier::Arxiv(id) => Some(id.clone()),
            Identifier::Doi(doi) => ArxivId::of_doi(doi),
            _ => None,
        };
        let Some(id) = id else { return Ok(None) };
        let query = format!("max_results=1&id_list={}", percent_encode(id.as_str()));
        Ok(self.ask(&query, deadline)?.into_iter().next())
    }

    fn registers(&self, identifier: &Identifier) -> bool {
        matches!(identifier, Identifier::Arxiv(_))
    }

    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let words = query.rarest_words();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let terms: Vec<String> = words.iter().map(|word| format!("all:{word}")).collect();
        let terms = percent_encode(&terms.join(" AND "));
        self.ask(
            &format!("max_results={}&search_query={terms}", query.rows()),
            deadline,
        )
    }
}
