//! Layer 2: outside services asked over HTTP for a work, one module a service. Each speaks its
//! own protocol through the one client in `http`, which keeps time, size, rate and addresses in
//! bounds, and leaves the reading of answers to [`crate::records`].
//!
//! Everything blocks: call it off the async threads. Nothing here remembers works; that is for
//! whoever calls.

mod address;
mod breaker;
mod crossref;
mod datacite;
mod deadline;
mod doi;
pub mod download;
mod error;
mod gate;
mod http;
mod openlibrary;
mod settings;
pub mod single_flight;
mod stats;
mod url;
mod watch;

use crate::model::identifier::Identifier;
use crate::model::work::Work;

pub use crossref::Crossref;
pub use datacite::Datacite;
pub use deadline::Deadline;
pub use doi::DoiOrg;
pub use error::{ProviderError, ProviderErrorKind};
pub use openlibrary::OpenLibrary;
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

    fn rows(&self) -> usize {
        self.rows.clamp(1, 100)
    }
}

/// Marks a work as fetched now.
fn finish(mut work: Work) -> Work {
    work.provenance.fetched_at = jiff::Timestamp::now().as_second();
    work
}
