//! Layer 2: outside services asked over HTTP for a work, one module a service. Each speaks its
//! own protocol through the one client in `http`, which keeps time, size, rate and addresses in
//! bounds, and leaves the reading of answers to [`citation_records`].
//!
//! Everything blocks: call it off the async threads. Nothing here remembers works; that is for
//! whoever calls.

mod address;
mod arxiv;
mod breaker;
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
mod openalex;
mod openlibrary;
mod page;
mod pubmed;
mod settings;
pub mod single_flight;
mod stats;
mod watch;
pub mod zotero;

use citation_model::identifier::Identifier;
use citation_model::work::Work;

pub use arxiv::Arxiv;
pub use crossref::Crossref;
pub use datacite::Datacite;
pub use deadline::Deadline;
pub use doi::DoiOrg;
pub use error::{ProviderError, ProviderErrorKind};
pub use europepmc::EuropePmc;
pub use instance::Instance;
pub use loc::Loc;
pub use openalex::OpenAlex;
pub use openlibrary::OpenLibrary;
pub use page::{FetchedPage, Pages, Wanted};
pub use pubmed::PubMed;
pub use settings::ProviderSettings;
pub use stats::{BreakerState, ProviderStats};

/// An outside service that knows works.
pub trait Provider: Send + Sync {
    /// As in configuration and in error messages: `crossref`, `datacite`, `doi`, `openlibrary`.
    fn name(&self) -> &'static str;

    /// Whether the service can know works by this kind of identifier. `find` answers `Ok(None)`
    /// for the others without asking.
    fn knows(&self, identifier: &Identifier) -> bool;

    /// The work with this identifier; `Ok(None)` where the service says that there is none.
    fn find(
        &self,
        identifier: &Identifier,
        deadline: &Deadline,
    ) -> Result<Option<Work>, ProviderError>;

    /// Works that may be the one meant, best first, at most `query.rows`. Empty where the service
    /// cannot search.
    fn search(
        &self,
        query: &ReferenceQuery,
        deadline: &Deadline,
    ) -> Result<Vec<Work>, ProviderError>;

    /// What happened so far, for health and metrics.
    fn stats(&self) -> ProviderStats;
}

/// What is known of a work that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceQuery {
    /// The reference as it was written; may be empty where the fields below say it all.
    pub text: String,
    pub title: Option<String>,
    /// The family name of the first author.
    pub author: Option<String>,
    pub year: Option<i32>,
    /// The journal, the book or the proceedings in which the work stands.
    pub container: Option<String>,
    /// How many works are wanted at most: 1 to 100, default 10.
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

    /// The text, or, where there is none, the fields in the order in which references have them.
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

    /// The longest words of the title and the author, which are the rarest; without a title, of all of the
    /// text. None of them is a sign or a word that a query language reads as an operator. For services
    /// that find only what has every word.
    fn rarest_words(&self) -> Vec<String> {
        const MOST: usize = 12;
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
        words.truncate(MOST);
        words.into_iter().map(str::to_owned).collect()
    }

    fn rows(&self) -> usize {
        self.rows.clamp(1, 100)
    }
}

/// Marks a work as fetched now.
fn finish(mut work: Work) -> Work {
    work.provenance.fetched_at = jiff::Timestamp::now().as_second();
    work
}
