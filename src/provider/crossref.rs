//! Crossref's REST API: `/works/{doi}`, `/works?query.bibliographic=…` for references, and
//! `/journals/{issn}`.

use citation_model::identifier::{Identifier, percent_encode};
use citation_model::work::Work;
use citation_records::crossref;

use super::http::{Client, RecordRequest};
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

/// The requested members of a record; references above all are not needed. Crossref
/// rejects a whole request for one name that cannot be selected (CrossRef/rest-api-doc#306).
const SELECT: &str = "DOI,type,title,subtitle,short-title,original-title,container-title,\
short-container-title,author,editor,translator,chair,published-print,published-online,published,\
issued,posted,approved,created,page,article-number,volume,issue,publisher,publisher-location,\
standards-body,group-title,degree,event,ISBN,ISSN,URL,license,link,update-to,updated-by,relation";

/// Crossref.
pub struct Crossref {
    client: Client,
    /// `&mailto=…`, for the polite pool; empty without a contact.
    mailto: String,
}

impl Crossref {
    pub fn new(settings: ProviderSettings) -> Crossref {
        Crossref {
            mailto: settings.mail_parameter("mailto"),
            client: Client::new(ProviderName::Crossref, settings),
        }
    }

    /// The work that its publisher has under another id.
    fn by_alternative_id(&self, id: &str, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let query = format!("filter=alternative-id:{}&rows=1", percent_encode(id));
        Ok(self.list(&query, deadline)?.into_iter().next())
    }

    /// The path with the contact appended.
    fn asking(&self, path: String) -> String {
        match self.mailto.strip_prefix('&') {
            Some(mailto) => format!("{path}?{mailto}"),
            None => path,
        }
    }

    fn list(&self, query: &str, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let path = format!("/works?{query}{}", self.mailto);
        self.client
            .works(&path, "application/json", deadline, crossref::from_list)
    }
}

impl Provider for Crossref {
    fn client(&self) -> &Client {
        &self.client
    }

    /// An element of a list or of another answer is no record of its own.
    fn record_request(&self, identifier: &Identifier) -> Option<RecordRequest> {
        let Identifier::Doi(doi) = identifier else {
            return None;
        };
        Some(RecordRequest {
            path: self.asking(format!("/works/{}", percent_encode(doi.as_str()))),
            accept: "application/json",
            read: crossref::from_envelope,
        })
    }

    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        match identifier {
            Identifier::Issn(issn) => {
                let path = self.asking(format!("/journals/{issn}"));
                self.client
                    .work(&path, "application/json", deadline, |json| {
                        crossref::journal_from_envelope(issn, json)
                    })
            }
            Identifier::Pii(pii) => self.by_alternative_id(pii.as_str(), deadline),
            _ => self.record(identifier, deadline),
        }
    }

    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let words = query.words();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let query = format!(
            "query.bibliographic={}&rows={}&select={}",
            percent_encode(&words),
            query.rows(),
            percent_encode(SELECT),
        );
        self.list(&query, deadline)
    }
}
