//! DataCite's REST API: `/dois/{doi}`, and `/dois?query=…` for references.

use citation_model::identifier::{Identifier, percent_encode};
use citation_model::work::Work;
use citation_records::datacite;

use super::http::{Client, RecordRequest};
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

const ACCEPT: &str = "application/vnd.api+json, application/json";

/// DataCite.
pub struct Datacite {
    client: Client,
}

impl Datacite {
    pub fn new(settings: ProviderSettings) -> Datacite {
        Datacite {
            client: Client::new(ProviderName::DataCite, settings),
        }
    }
}

impl Provider for Datacite {
    fn client(&self) -> &Client {
        &self.client
    }

    /// arXiv registers its DOIs here, so an arXiv id is requested by its DOI.
    fn record_request(&self, identifier: &Identifier) -> Option<RecordRequest> {
        let doi = match identifier {
            Identifier::Doi(doi) => doi.clone(),
            Identifier::Arxiv(id) => id.doi(),
            _ => return None,
        };
        Some(RecordRequest {
            path: format!("/dois/{}", percent_encode(doi.as_str())),
            accept: ACCEPT,
            read: datacite::from_envelope,
        })
    }

    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let words = query.rarest_words().join(" ");
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let rows = query.rows();
        let path = format!(
            "/dois?query={}&page%5Bsize%5D={rows}",
            percent_encode(&words)
        );
        self.client
            .works(&path, ACCEPT, deadline, datacite::from_list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_operators_are_escaped() {
        let query = ReferenceQuery::text("title:(x OR \"rain\") AND /snow*/ in Ohio");
        assert_eq!(query.rarest_words(), ["title", "rain", "snow", "Ohio"]);
    }
}
