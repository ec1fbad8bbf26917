//! Library catalogues by SRU, in MARC 21: books by ISBN, title and author.

use citation_model::identifier::{Identifier, Isbn, percent_encode};
use citation_model::work::{Source, Work};
use citation_records::marc;

use super::http::Client;
use super::{Deadline, Provider, ProviderResult, ReferenceQuery, interned};
use crate::config::{ProviderSettings, SruSettings};

/// A configured catalogue.
pub struct Sru {
    client: Client,
    settings: SruSettings,
}

impl Sru {
    pub fn new(settings: SruSettings) -> Sru {
        let client = ProviderSettings {
            base_url: settings.url.clone(),
            timeout_ms: settings.timeout_ms,
            max_in_flight: 2,
            max_per_second: settings.max_per_second,
            contact: settings.contact.clone(),
            ..ProviderSettings::default()
        };
        Sru {
            client: Client::of_other(interned(&settings.name), client),
            settings,
        }
    }

    fn ask(&self, query: &str, rows: usize, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let path = path(&self.settings.version, &self.settings.schema, query, rows);
        let read = |xml: &[u8]| marc::from_sru(xml, Source::Catalogue);
        let works = self.client.works(&path, ACCEPT, deadline, read)?;
        Ok(works.into_iter().map(|work| self.named(work)).collect())
    }

    /// The work with an id that no other catalogue uses.
    fn named(&self, mut work: Work) -> Work {
        let id = &work.provenance.record_id;
        work.provenance.record_id = format!("{}:{id}", self.settings.name);
        work
    }
}

pub(super) const ACCEPT: &str = "application/xml, text/xml";

/// The path of a search.
pub(super) fn path(version: &str, schema: &str, query: &str, rows: usize) -> String {
    format!(
        "?version={version}&operation=searchRetrieve&maximumRecords={rows}&recordSchema={}&query={}",
        percent_encode(schema),
        percent_encode(query)
    )
}

/// The query for an ISBN. Books from before 2007 are only catalogued under the ISBN-10.
pub(super) fn isbn_query(index: &str, isbn: &Isbn) -> String {
    let short = isbn.isbn10().map(|short| format!(" or {index}={short}"));
    format!("{index}={isbn}{}", short.unwrap_or_default())
}

/// A relation of the query language that every word must match.
fn all_words(index: &str, text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_asked = !index.is_empty() && !words.is_empty();
    is_asked.then(|| format!("{index} all \"{}\"", words.join(" ")))
}

impl Provider for Sru {
    fn client(&self) -> &Client {
        &self.client
    }

    fn knows(&self, identifier: &Identifier) -> bool {
        matches!(identifier, Identifier::Isbn(_))
    }

    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let Identifier::Isbn(isbn) = identifier else {
            return Ok(None);
        };
        let query = isbn_query(&self.settings.isbn_index, isbn);
        Ok(self.ask(&query, 1, deadline)?.into_iter().next())
    }

    /// Needs a title; articles are not in catalogues, so a reference with a journal is not searched.
    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let title = query.title.as_deref().unwrap_or_default();
        let Some(mut words) = all_words(&self.settings.title_index, title) else {
            return Ok(Vec::new());
        };
        let author = query.author.as_deref().unwrap_or_default();
        if let Some(author) = all_words(&self.settings.author_index, author) {
            words = format!("{words} and {author}");
        }
        self.ask(&words, query.rows(), deadline)
    }
}
