//! Open Library: `/isbn/{isbn}.json` joined with its work and its authors, and `/search.json` for
//! references.

use crate::model::identifier::{Identifier, Isbn};
use crate::model::work::Work;
use crate::records::openlibrary::{self, AbstractWork, Author, Edition};

use super::http::{Answer, Client, encode_query, encode_segment};
use super::settings::ProviderSettings;
use super::{Budget, Provider, ProviderError, ProviderStats, ReferenceQuery, finish};

/// How many authors are asked for; a book with more of them is cited by its first few anyway.
const MAX_AUTHORS: usize = 10;

/// What a search has to answer: the work, and of its editions the one that fits best.
const SEARCH_FIELDS: &str = "key,title,subtitle,author_name,first_publish_year,edition_count,isbn,\
publisher,language,editions,editions.key,editions.title,editions.subtitle,editions.isbn,\
editions.publisher,editions.publish_date,editions.language";

/// Open Library.
pub struct OpenLibrary {
    client: Client,
}

impl OpenLibrary {
    pub fn new(settings: ProviderSettings) -> OpenLibrary {
        OpenLibrary {
            client: Client::new("openlibrary", settings),
        }
    }

    fn by_isbn(&self, isbn: &Isbn, budget: &Budget) -> Result<Option<Work>, ProviderError> {
        let path = format!("/isbn/{}.json", isbn.as_str());
        let Answer::Body(body) = self.client.get(&path, "application/json", budget)? else {
            return Ok(None);
        };
        let malformed = |error| self.client.malformed(error);
        let edition = Edition::from_slice(&body.bytes).map_err(malformed)?;
        let work = edition
            .work_key()
            .and_then(|key| self.abstract_work(key, budget));
        let authors = self.authors(&edition, work.as_ref(), budget);
        let work = openlibrary::join(&edition, work.as_ref(), &authors).map_err(malformed)?;
        Ok(Some(finish(work)))
    }

    /// The work of an edition. An edition is an answer without it, so failures are only logged.
    fn abstract_work(&self, key: &str, budget: &Budget) -> Option<AbstractWork> {
        let bytes = self.part(&format!("/works/{}.json", encode_segment(key)), budget)?;
        AbstractWork::from_slice(&bytes).ok()
    }

    /// Whichever authors can be had within the budget; the edition's own, else the work's.
    fn authors(
        &self,
        edition: &Edition,
        work: Option<&AbstractWork>,
        budget: &Budget,
    ) -> Vec<Author> {
        let mut keys: Vec<&str> = edition.author_keys().take(MAX_AUTHORS).collect();
        if let (true, Some(work)) = (keys.is_empty(), work) {
            keys = work.author_keys().take(MAX_AUTHORS).collect();
        }
        let author = |key: &str| {
            let bytes = self.part(&format!("/authors/{}.json", encode_segment(key)), budget)?;
            Author::from_slice(&bytes).ok()
        };
        keys.into_iter()
            .map_while(|key| (!budget.is_spent()).then(|| author(key)))
            .flatten()
            .collect()
    }

    fn part(&self, path: &str, budget: &Budget) -> Option<Vec<u8>> {
        match self.client.get(path, "application/json", budget) {
            Ok(Answer::Body(body)) => Some(body.bytes),
            Ok(Answer::NotFound) => None,
            Err(error) => {
                tracing::info!(%error, path, "an edition is answered without a part of it");
                None
            }
        }
    }
}

impl Provider for OpenLibrary {
    fn name(&self) -> &'static str {
        self.client.provider()
    }

    fn knows(&self, identifier: &Identifier) -> bool {
        matches!(identifier, Identifier::Isbn(_))
    }

    fn find(
        &self,
        identifier: &Identifier,
        budget: &Budget,
    ) -> Result<Option<Work>, ProviderError> {
        match identifier {
            Identifier::Isbn(isbn) => self.by_isbn(isbn, budget),
            _ => Ok(None),
        }
    }

    fn search(&self, query: &ReferenceQuery, budget: &Budget) -> Result<Vec<Work>, ProviderError> {
        let question = match &query.title {
            Some(title) => {
                let author = query
                    .author
                    .iter()
                    .map(|name| format!("&author={}", encode_query(name)));
                format!(
                    "title={}{}",
                    encode_query(title),
                    author.collect::<String>()
                )
            }
            None => match query.words().as_str() {
                "" => return Ok(Vec::new()),
                words => format!("q={}", encode_query(words)),
            },
        };
        let rows = query.rows();
        let path = format!("/search.json?{question}&limit={rows}&fields={SEARCH_FIELDS}");
        match self.client.get(&path, "application/json", budget)? {
            Answer::NotFound => Ok(Vec::new()),
            Answer::Body(body) => {
                let works = openlibrary::from_search(&body.bytes);
                let works = works.map_err(|error| self.client.malformed(error))?;
                Ok(works.into_iter().map(finish).collect())
            }
        }
    }

    fn stats(&self) -> ProviderStats {
        self.client.stats()
    }
}
