//! Crossref's REST API: `/works/{doi}`, and `/works?query.bibliographic=…` for references.

use crate::model::identifier::{Identifier, percent_encode};
use crate::model::work::Work;
use crate::records::crossref;

use super::http::{Answer, Client};
use super::settings::ProviderSettings;
use super::{Deadline, Provider, ProviderError, ProviderStats, ReferenceQuery, finish};

/// The members of a record that are asked for; references above all need not travel. Crossref
/// refuses a whole request for one name that it does not let select (CrossRef/rest-api-doc#306).
const SELECT: &str = "DOI,type,title,subtitle,short-title,original-title,container-title,\
short-container-title,author,editor,translator,chair,published-print,published-online,published,\
issued,posted,approved,created,page,article-number,volume,issue,publisher,publisher-location,\
standards-body,group-title,degree,event,ISBN,ISSN,URL,license,update-to,updated-by,relation";

/// Crossref.
pub struct Crossref {
    client: Client,
    /// `&mailto=…`, which asks for the polite pool; empty without a contact.
    mailto: String,
}

impl Crossref {
    pub fn new(settings: ProviderSettings) -> Crossref {
        let mailto = settings
            .mail()
            .map(|mail| format!("mailto={}", percent_encode(mail)));
        Crossref {
            client: Client::new("crossref", settings),
            mailto: mailto.unwrap_or_default(),
        }
    }

    /// The work that its publisher has under another id of its own.
    fn by_alternative_id(
        &self,
        id: &str,
        deadline: &Deadline,
    ) -> Result<Option<Work>, ProviderError> {
        let path = format!("/works?filter=alternative-id:{}&rows=1", percent_encode(id));
        match self
            .client
            .get(&self.polite(path), "application/json", deadline)?
        {
            Answer::NotFound => Ok(None),
            Answer::Body(body) => {
                let works = self.client.parse(body, deadline, crossref::from_list)?;
                Ok(works.into_iter().flatten().map(finish).next())
            }
        }
    }

    /// A path with the contact in its query.
    fn polite(&self, path: String) -> String {
        match (self.mailto.as_str(), path.contains('?')) {
            ("", _) => path,
            (mailto, true) => format!("{path}&{mailto}"),
            (mailto, false) => format!("{path}?{mailto}"),
        }
    }
}

impl Provider for Crossref {
    fn name(&self) -> &'static str {
        self.client.provider()
    }

    fn knows(&self, identifier: &Identifier) -> bool {
        matches!(identifier, Identifier::Doi(_) | Identifier::Pii(_))
    }

    fn find(
        &self,
        identifier: &Identifier,
        deadline: &Deadline,
    ) -> Result<Option<Work>, ProviderError> {
        let doi = match identifier {
            Identifier::Doi(doi) => doi,
            Identifier::Pii(pii) => return self.by_alternative_id(pii.as_str(), deadline),
            _ => return Ok(None),
        };
        let path = self.polite(format!("/works/{}", percent_encode(doi.as_str())));
        match self.client.get(&path, "application/json", deadline)? {
            Answer::NotFound => Ok(None),
            Answer::Body(body) => {
                let work = self.client.parse(body, deadline, crossref::from_envelope)?;
                Ok(Some(finish(work)))
            }
        }
    }

    fn search(
        &self,
        query: &ReferenceQuery,
        deadline: &Deadline,
    ) -> Result<Vec<Work>, ProviderError> {
        let words = query.words();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let path = format!(
            "/works?query.bibliographic={}&rows={}&select={}",
            percent_encode(&words),
            query.rows(),
            percent_encode(SELECT),
        );
        match self
            .client
            .get(&self.polite(path), "application/json", deadline)?
        {
            Answer::NotFound => Ok(Vec::new()),
            Answer::Body(body) => {
                let works = self.client.parse(body, deadline, crossref::from_list)?;
                // A hit that cannot be cited is no candidate.
                Ok(works.into_iter().flatten().map(finish).collect())
            }
        }
    }

    fn stats(&self) -> ProviderStats {
        self.client.stats()
    }
}
