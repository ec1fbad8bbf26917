//! Open Library: `/isbn/{isbn}.json` joined with its work and its authors, and `/search.json` for
//! references.

use citation_model::identifier::{Identifier, percent_encode};
use citation_model::work::Work;
use citation_records::openlibrary::{self, AbstractWork, Author, Edition};

use super::http::{Client, ProviderAnswer, finish};
use super::{Deadline, Provider, ProviderResult, ReferenceQuery};
use crate::config::{ProviderName, ProviderSettings};

/// Maximum number of authors fetched; a book with more of them is cited by its first few anyway.
const MAX_AUTHORS: usize = 10;

/// The requested members of a search result: the work, and its best matching edition.
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
            client: Client::new(ProviderName::OpenLibrary, settings),
        }
    }

    /// The edition at a path, with its work and its authors.
    fn edition(&self, path: &str, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let ProviderAnswer::Body(body) = self.client.get(path, "application/json", deadline)?
        else {
            return Ok(None);
        };
        let edition = self.client.parse(body, deadline, Edition::from_slice)?;
        let work = edition
            .work_key()
            .and_then(|key| self.abstract_work(key, deadline));
        let authors = self.authors(&edition, work.as_ref(), deadline);
        let work = openlibrary::join(&edition, work.as_ref(), &authors);
        work.map(|work| Some(finish(work)))
            .map_err(|error| self.client.malformed(error))
    }

    /// The work of an edition. Optional, so failures are only logged.
    fn abstract_work(&self, key: &str, deadline: &Deadline) -> Option<AbstractWork> {
        let path = format!("/works/{}.json", percent_encode(key));
        self.part(&path, deadline, AbstractWork::from_slice)
    }

    /// The authors that can be fetched before the deadline; the edition's own, else the work's.
    fn authors(
        &self,
        edition: &Edition,
        work: Option<&AbstractWork>,
        deadline: &Deadline,
    ) -> Vec<Author> {
        let mut keys: Vec<&str> = edition.author_keys().take(MAX_AUTHORS).collect();
        if let (true, Some(work)) = (keys.is_empty(), work) {
            keys = work.author_keys().take(MAX_AUTHORS).collect();
        }
        let author = |key: &str| {
            let path = format!("/authors/{}.json", percent_encode(key));
            self.part(&path, deadline, Author::from_slice)
        };
        keys.into_iter()
            .map_while(|key| (!deadline.is_over()).then(|| author(key)))
            .flatten()
            .collect()
    }

    fn part<T, E: ToString>(
        &self,
        path: &str,
        deadline: &Deadline,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Option<T> {
        let answer = self.client.get(path, "application/json", deadline);
        let part = answer.and_then(|answer| match answer {
            ProviderAnswer::Body(body) => self.client.parse(body, deadline, parse).map(Some),
            ProviderAnswer::NotFound | ProviderAnswer::NotModified => Ok(None),
        });
        match part {
            Ok(part) => part,
            Err(error) => {
                tracing::info!(%error, path, "an edition is incomplete");
                None
            }
        }
    }
}

impl Provider for OpenLibrary {
    fn client(&self) -> &Client {
        &self.client
    }

    fn knows(&self, identifier: &Identifier) -> bool {
        match identifier {
            Identifier::Isbn(_) | Identifier::Oclc(_) => true,
            // A work has many editions, and none is specified.
            Identifier::OpenLibrary(id) => !id.is_work(),
            _ => false,
        }
    }

    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        match identifier {
            Identifier::Isbn(isbn) => self.edition(&format!("/isbn/{isbn}.json"), deadline),
            Identifier::Oclc(number) => self.edition(&format!("/oclc/{number}.json"), deadline),
            Identifier::OpenLibrary(id) if !id.is_work() => {
                self.edition(&format!("/books/{id}.json"), deadline)
            }
            _ => Ok(None),
        }
    }

    fn search(&self, query: &ReferenceQuery, deadline: &Deadline) -> ProviderResult<Vec<Work>> {
        let question = match &query.title {
            Some(title) => {
                let author = query
                    .author
                    .iter()
                    .map(|name| format!("&author={}", percent_encode(name)));
                format!(
                    "title={}{}",
                    percent_encode(title),
                    author.collect::<String>()
                )
            }
            None => match query.words().as_str() {
                "" => return Ok(Vec::new()),
                words => format!("q={}", percent_encode(words)),
            },
        };
        let rows = query.rows();
        let path = format!("/search.json?{question}&limit={rows}&fields={SEARCH_FIELDS}");
        match self.client.get(&path, "application/json", deadline)? {
            ProviderAnswer::NotFound | ProviderAnswer::NotModified => Ok(Vec::new()),
            ProviderAnswer::Body(body) => {
                let works = self
                    .client
                    .parse(body, deadline, openlibrary::from_search)?;
                Ok(works.into_iter().map(finish).collect())
            }
        }
    }
}
