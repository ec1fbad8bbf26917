//! Europe PMC's REST service: the same search for ids and for references.

use citation_model::identifier::{Identifier, percent_encode};
use citation_model::work::Work;
use citation_records::europepmc;

use super::http::Client;
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

/// Europe PMC.
pub struct EuropePmc {
    client: Client,
    /// `&email=…`; empty without a contact.
    email: String,
}

impl EuropePmc {
    pub fn new(settings: ProviderSettings) -> EuropePmc {
        EuropePmc {
            email: settings.mail_parameter("email"),
            client: Client::new(ProviderName::EuropePmc, settings),
        }
    }

    fn ask(&self, query: &str, rows: usize, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let path = format!(
            "/search?resultType=core&format=json&pageSize={rows}&query={}{}",
            percent_encode(query),
            self.email
        );
        self.client
            .works(&path, "application/json", deadline, europepmc::from_search)
    }
}

impl Provider for EuropePmc {
    fn client(&self) -> &Client {
        &self.client
    }

    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let query = match identifier {
            Identifier::Pmid(id) => format!("ext_id:{id} AND src:med"),
            Identifier::Pmcid(id) => format!("pmcid:{id}"),
            Identifier::Doi(id) => format!("doi:\"{id}\""),
            _ => return Ok(None),
        };
        Ok(self.ask(&query, 1, deadline)?.into_iter().next())
    }

    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let words = query.rarest_words();
        if words.is_empty() {
            Ok(Vec::new())
        } else {
            self.ask(&words.join(" "), query.rows(), deadline)
        }
    }
}
