//! The Library of Congress: its catalogue by SRU, in MARC. Only numbers are looked up: its word index is
//! slow.

use citation_model::identifier::Identifier;
use citation_model::work::{Source, Work};
use citation_records::marc;

use super::http::Client;
use super::{Deadline, Provider, ProviderResult, sru};
use crate::config::{ProviderName, ProviderSettings};

/// The Library of Congress.
pub struct Loc {
    client: Client,
}

impl Loc {
    pub fn new(settings: ProviderSettings) -> Loc {
        Loc {
            client: Client::new(ProviderName::Loc, settings),
        }
    }
}

impl Provider for Loc {
    fn client(&self) -> &Client {
        &self.client
    }

    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let Identifier::Isbn(isbn) = identifier else {
            return Ok(None);
        };
        let query = sru::isbn_query("bath.isbn", isbn);
        let path = sru::path("1.1", "marcxml", &query, 1);
        let read = |xml: &[u8]| marc::from_sru(xml, Source::Loc);
        let works = self.client.works(&path, sru::ACCEPT, deadline, read)?;
        Ok(works.into_iter().next())
    }
}
