//! PubMed through NCBI's E-utilities: efetch for records, elink from PubMed Central, esearch for references.

use serde::Deserialize;

use citation_model::identifier::{Identifier, Pmcid, Pmid, percent_encode};
use citation_model::work::Work;
use citation_records::pubmed;

use super::http::{Client, ProviderAnswer, finish};
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

/// PubMed.
pub struct PubMed {
    client: Client,
    /// NCBI's parameters for the client: the program, and the operator if a contact is configured.
    who: String,
}

impl PubMed {
    pub fn new(settings: ProviderSettings) -> PubMed {
        PubMed {
            who: format!("&tool=citation{}", settings.mail_parameter("email")),
            client: Client::new(ProviderName::PubMed, settings),
        }
    }

    fn ask(&self, path: &str, deadline: &Deadline) -> ProviderResult<ProviderAnswer<'_>> {
        self.client
            .get(&format!("{path}{}", self.who), "*/*", deadline)
    }

    /// The records of some ids, in order.
    fn fetch(&self, ids: &[Pmid], deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let list: Vec<&str> = ids.iter().map(Pmid::as_str).collect();
        let path = format!("/efetch.fcgi?db=pubmed&retmode=xml&id={}", list.join(","));
        let ProviderAnswer::Body(body) = self.ask(&path, deadline)? else {
            return Ok(Vec::new());
        };
        let read = |xml: &[u8]| Ok::<_, String>(pubmed::from_set(xml));
        let works = self.client.parse(body, deadline, read)?;
        Ok(works.into_iter().flatten().map(finish).collect())
    }

    /// The PubMed id of an article in PubMed Central.
    fn linked(&self, id: &Pmcid, deadline: &Deadline) -> ProviderResult<Option<Pmid>> {
        let number = id.as_str().trim_start_matches("PMC");
        let path = format!(
            "/elink.fcgi?dbfrom=pmc&db=pubmed&linkname=pmc_pubmed&retmode=json&id={number}"
        );
        let ProviderAnswer::Body(body) = self.ask(&path, deadline)? else {
            return Ok(None);
        };
        let parse = |json: &[u8]| serde_json::from_slice::<LinksAnswer>(json);
        let links = self.client.parse(body, deadline, parse)?;
        let mut ids = links.linksets.iter().flat_map(|set| &set.linksetdbs);
        Ok(ids.find_map(|links| links.links.iter().find_map(pmid)))
    }
}

/// An id, which NCBI sends as a text or as a number.
fn pmid(id: &serde_json::Value) -> Option<Pmid> {
    let text = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    Pmid::parse(&text).ok()
}

/// An answer of elink.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LinksAnswer {
    linksets: Vec<LinkSet>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LinkSet {
    linksetdbs: Vec<LinkSetDb>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LinkSetDb {
    links: Vec<serde_json::Value>,
}

/// An answer of esearch.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SearchAnswer {
    esearchresult: IdList,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct IdList {
    idlist: Vec<serde_json::Value>,
}

impl Provider for PubMed {
    fn client(&self) -> &Client {
        &self.client
    }

    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let id = match identifier {
            Identifier::Pmid(id) => Some(id.clone()),
            Identifier::Pmcid(id) => self.linked(id, deadline)?,
            _ => None,
        };
        let Some(id) = id else { return Ok(None) };
        Ok(self.fetch(&[id], deadline)?.into_iter().next())
    }

    fn registers(&self, identifier: &Identifier) -> bool {
        matches!(identifier, Identifier::Pmid(_))
    }

    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let words = query.rarest_words();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let path = format!(
            "/esearch.fcgi?db=pubmed&retmode=json&sort=relevance&retmax={}&term={}",
            query.rows(),
            percent_encode(&words.join(" AND "))
        );
        let ProviderAnswer::Body(body) = self.ask(&path, deadline)? else {
            return Ok(Vec::new());
        };
        let parse = |json: &[u8]| serde_json::from_slice::<SearchAnswer>(json);
        let found = self.client.parse(body, deadline, parse)?.esearchresult;
        let ids: Vec<Pmid> = found.idlist.iter().filter_map(pmid).collect();
        if ids.is_empty() {
            Ok(Vec::new())
        } else {
            self.fetch(&ids, deadline)
        }
    }
}
