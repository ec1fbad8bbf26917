//! Layer 2: external services that are asked for works over HTTP, one module each. Each uses its
//! own protocol through the common client in `http`, which enforces limits of time, size, rate and
//! addresses, and leaves the parsing of answers to [`citation_records`].
//!
//! Everything blocks: do not call it on async threads. Works are not cached here; that is the
//! caller's task.

mod address;
mod arxiv;
mod breaker;
mod client_document;
mod contact;
mod crossref;
mod datacite;
mod deadline;
mod doi;
pub mod download;
mod error;
mod europepmc;
mod gate;
mod http;
mod http_url;
mod instance;
mod loc;
mod oai;
mod openalex;
mod openlibrary;
mod page;
pub mod probe;
mod pubmed;
mod semantic_scholar;
pub mod single_flight;
mod sru;
mod stats;
mod unpaywall;
mod watch;
mod webhook;
pub mod zotero;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use citation_model::identifier::{Doi, Identifier, ShortDoi};
use citation_model::work::{Validator, Work};

use self::http::{Client, RecordRequest};
use crate::config::{ProviderName, ProviderSettings};

pub use arxiv::Arxiv;
pub use client_document::ClientDocuments;
pub use crossref::Crossref;
pub use datacite::Datacite;
pub use deadline::Deadline;
pub use doi::DoiOrg;
pub use error::{ProviderError, ProviderErrorKind, ProviderResult};
pub use europepmc::EuropePmc;
pub use http::{ProviderBudget, Refreshed};
pub use instance::Instance;
pub use loc::Loc;
pub use oai::Repository;
pub use openalex::OpenAlex;
pub use openlibrary::OpenLibrary;
pub use page::{ExpectedContent, FetchedPage, Pages};
pub use pubmed::PubMed;
pub use semantic_scholar::SemanticScholar;
pub use sru::Sru;
pub use stats::{BreakerState, ProviderStats, RECENT};
pub use unpaywall::Unpaywall;
pub use webhook::WebhookSender;

/// The provider of a row of `config::providers`.
pub fn open(name: ProviderName, settings: ProviderSettings) -> Arc<dyn Provider> {
    match name {
        ProviderName::Crossref => Arc::new(Crossref::new(settings)),
        ProviderName::DataCite => Arc::new(Datacite::new(settings)),
        ProviderName::Doi => Arc::new(DoiOrg::new(settings)),
        ProviderName::OpenLibrary => Arc::new(OpenLibrary::new(settings)),
        ProviderName::PubMed => Arc::new(PubMed::new(settings)),
        ProviderName::EuropePmc => Arc::new(EuropePmc::new(settings)),
        ProviderName::Arxiv => Arc::new(Arxiv::new(settings)),
        ProviderName::OpenAlex => Arc::new(OpenAlex::new(settings)),
        ProviderName::SemanticScholar => Arc::new(SemanticScholar::new(settings)),
        ProviderName::Loc => Arc::new(Loc::new(settings)),
        ProviderName::Unpaywall => Arc::new(Unpaywall::new(settings)),
        ProviderName::Citation => Arc::new(Instance::new(settings)),
    }
}

/// A name of the configuration for as long as the program runs. Each name is stored once.
fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(name);
    name
}

/// An external service that knows works.
pub trait Provider: Send + Sync {
    /// Its client, which knows its row.
    fn client(&self) -> &Client;

    /// The request for the record of an identifier, of a service whose answer is that record alone. Other
    /// services have a `find` of their own.
    fn record_request(&self, _: &Identifier) -> Option<RecordRequest> {
        None
    }

    /// The work with this identifier; `Ok(None)` if the service has none, and, without a request,
    /// for an identifier that it cannot resolve.
    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        self.record(identifier, deadline)
    }

    /// The record that `record_request` asks for.
    fn record(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let Some(request) = self.record_request(identifier) else {
            return Ok(None);
        };
        match self.client().record(&request, None, deadline)? {
            Refreshed::Work(work) => Ok(Some(*work)),
            Refreshed::NotFound | Refreshed::Unchanged => Ok(None),
        }
    }

    /// Asks for a work that is stored, with the validator that came with its record.
    fn find_again(
        &self,
        identifier: &Identifier,
        known: Option<&Validator>,
        deadline: &Deadline,
    ) -> ProviderResult<Refreshed> {
        match self.record_request(identifier) {
            Some(request) => self.client().record(&request, known, deadline),
            None => self.find(identifier, deadline).map(Refreshed::from),
        }
    }

    /// Possible works, best first, at most `query.rows`. Empty if the service
    /// cannot search.
    fn search(&self, _: &ReferenceQuery, _: &Deadline) -> ProviderResult<Vec<Work>> {
        Ok(Vec::new())
    }

    /// The DOI of a shortDOI, if the service can resolve it.
    fn expand(&self, _: &ShortDoi, _: &Deadline) -> ProviderResult<Option<Doi>> {
        Ok(None)
    }

    /// Whether the service is the registry of an identifier's kind.
    fn registers(&self, _: &Identifier) -> bool {
        false
    }

    /// Whether an identifier is registered; `Ok(None)` if the service is not the registry of its kind.
    /// A registry that has records has one for each.
    fn is_registered(
        &self,
        identifier: &Identifier,
        deadline: &Deadline,
    ) -> ProviderResult<Option<bool>> {
        if self.registers(identifier) {
            Ok(Some(self.find(identifier, deadline)?.is_some()))
        } else {
            Ok(None)
        }
    }

    /// Whether the service can resolve this identifier.
    fn knows(&self, identifier: &Identifier) -> bool {
        self.client().knows(identifier)
    }

    /// Its id, as in the configuration and in error messages.
    fn name(&self) -> &'static str {
        self.client().provider()
    }

    /// Leaves the provider alone for some time, as it has asked before a restart.
    fn keep_quiet(&self, time: Duration) {
        self.client().keep_quiet(time);
    }

    /// Its counters, for health and metrics.
    fn stats(&self) -> ProviderStats {
        self.client().stats()
    }
}

/// The known fields of a wanted work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceQuery {
    /// The reference as written; may be empty if the fields below are sufficient.
    pub text: String,
    pub title: Option<String>,
    /// The family name of the first author.
    pub author: Option<String>,
    pub year: Option<i32>,
    /// The journal, the book or the proceedings that contains the work.
    pub container: Option<String>,
    /// Maximum number of works: 1 to 100, default 10.
    pub rows: usize,
}

impl Default for ReferenceQuery {
    fn default() -> ReferenceQuery {
        ReferenceQuery {
            text: String::new(),
            title: None,
            author: None,
            year: None,
            container: None,
            rows: 10,
        }
    }
}

impl ReferenceQuery {
    /// A query of text alone.
    pub fn text(text: &str) -> ReferenceQuery {
        ReferenceQuery {
            text: text.to_owned(),
            ..ReferenceQuery::default()
        }
    }

    /// The text, or, if empty, the fields in their usual order in references.
    fn words(&self) -> String {
        let text = self.text.trim();
        if !text.is_empty() {
            return text.to_owned();
        }
        let year = self.year.map(|year| year.to_string());
        let fields = [&self.author, &year, &self.title, &self.container];
        let words: Vec<&str> = fields.into_iter().flatten().map(String::as_str).collect();
        words.join(" ")
    }

    /// The longest words of the title and the author, which are the rarest; without a title, of the whole
    /// text. None of them is an operator of a query language. For services
    /// that require every word to match.
    fn rarest_words(&self) -> Vec<String> {
        const MAX_COUNT: usize = 12;
        let text = match &self.title {
            Some(title) => format!("{} {title}", self.author.as_deref().unwrap_or_default()),
            None => self.words(),
        };
        let mut words: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > 2 && !matches!(*word, "AND" | "NOT"))
            .collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
        words.dedup();
        words.truncate(MAX_COUNT);
        words.into_iter().map(str::to_owned).collect()
    }

    fn rows(&self) -> usize {
        self.rows.clamp(1, 100)
    }
}
