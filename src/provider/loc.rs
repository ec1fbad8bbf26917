//! The Library of Congress: its catalogue by SRU, in MARC. Only numbers are looked up: its word index is
//! slow.

use citation_model::identifier::{Identifier, percent_encode};
use citation_model::work::{Source, Work};
use citation_records::marc;

use super::http::Client;
use super::{Deadline, Provider, ProviderResult};
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
        // Books from before 2007 are only catalogued under the ISBN-10.
        let short = isbn.isbn10().map(|short| format!(" or bath.isbn={short}"));
        let query = format!("bath.isbn={isbn}{}", short.unwrap_or_default());
        let path = format!(
            "?version=1.1&operation=searchRetrieve&maximumRecords=1&recordSchema=marcxml&query={}",
            percent_encode(&query)
        );
        let read = |xml: &[u8]| marc::from_sru(xml, Source::Loc);
        let works = self
            .client
            .works(&path, "application/xml, text/xml", deadline, read)?;
        Ok(works.into_iter().next())
    }
}
