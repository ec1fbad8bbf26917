//! Another instance of this program, whose corpus many small servers share: `/api/v1/works/{doi}` for a
//! work, and its form of Crossref's search for references.

use citation_model::identifier::{Identifier, percent_encode};
use citation_model::work::Work;
use citation_records::{crossref, doi_csl};

use super::http::{Client, RecordRequest};
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

const CSL_JSON: &str = "application/vnd.citationstyles.csl+json";

/// Another instance.
pub struct Instance {
    client: Client,
}

impl Instance {
    pub fn new(settings: ProviderSettings) -> Instance {
        Instance {
            client: Client::new(ProviderName::Citation, settings),
        }
    }
}

impl Provider for Instance {
    fn client(&self) -> &Client {
        &self.client
    }

    fn record_request(&self, identifier: &Identifier) -> Option<RecordRequest> {
        let Identifier::Doi(doi) = identifier else {
            return None;
        };
        Some(RecordRequest {
            path: format!("/api/v1/works/{}", percent_encode(doi.as_str())),
            accept: CSL_JSON,
            read: doi_csl::from_slice,
        })
    }

    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let words = query.words();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let path = format!(
            "/crossref/works?query.bibliographic={}&rows={}",
            percent_encode(&words),
            query.rows()
        );
        self.client
            .works(&path, "application/json", deadline, crossref::from_list)
    }
}
