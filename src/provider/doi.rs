//! doi.org: content negotiation, which reaches every registration agency, and the handle API,
//! which resolves shortDOIs and knows which DOIs are registered.

use serde::Deserialize;
use serde_json::value::RawValue;

use citation_model::identifier::{Doi, Identifier, ShortDoi, percent_encode, percent_encode_path};
use citation_model::work::Work;
use citation_records::doi_csl;

use super::http::{Client, ProviderAnswer, finish};
use super::{Deadline, Provider, ProviderErrorKind, ProviderResult};
use crate::config::{ProviderName, ProviderSettings};

const CSL_JSON: &str = "application/vnd.citationstyles.csl+json";

/// The DOI resolver.
pub struct DoiOrg {
    client: Client,
}

impl DoiOrg {
    pub fn new(settings: ProviderSettings) -> DoiOrg {
        DoiOrg {
            client: Client::new(ProviderName::Doi, settings),
        }
    }

    fn negotiate(&self, doi: &Doi, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        let path = format!("/{}", doi_path(doi));
        // Agencies without such metadata answer with 406, with nothing (204), or
        // redirect to a web page.
        let answer = match self.client.get(&path, CSL_JSON, deadline) {
            Err(error) if error.kind == (ProviderErrorKind::Refused { status: 406 }) => {
                return Ok(None);
            }
            answer => answer?,
        };
        let ProviderAnswer::Body(body) = answer else {
            return Ok(None);
        };
        let is_json = body.content_type.is_empty() || body.content_type.contains("json");
        if body.is_empty() || !is_json {
            return Ok(None);
        }
        let work = self.client.parse(body, deadline, doi_csl::from_slice)?;
        Ok(Some(finish(work)))
    }

    /// The handle at an encoded path; `None` if it is not registered.
    fn handle(&self, path: &str, deadline: &Deadline) -> ProviderResult<Option<Handle>> {
        let path = format!("/api/handles/{path}");
        let ProviderAnswer::Body(body) = self.client.get(&path, "application/json", deadline)?
        else {
            return Ok(None);
        };
        let parse = |bytes: &[u8]| serde_json::from_slice::<Handle>(bytes);
        let handle = self.client.parse(body, deadline, parse)?;
        Ok(Some(handle).filter(|handle| handle.response_code != NO_HANDLE))
    }
}

/// The response code of the handle API for a handle that does not exist; its status is 404 too.
const NO_HANDLE: u32 = 100;

/// A DOI encoded for doi.org: the slash after the prefix stays, everything else is encoded.
fn doi_path(doi: &Doi) -> String {
    let registrant = doi.registrant();
    let suffix = doi.as_str().get(registrant.len() + 1..).unwrap_or_default();
    format!("{registrant}/{}", percent_encode(suffix))
}

/// An answer of the handle API.
#[derive(Deserialize)]
struct Handle {
    #[serde(rename = "responseCode")]
    response_code: u32,
    #[serde(default)]
    values: Vec<HandleValue>,
}

#[derive(Deserialize)]
struct HandleValue {
    #[serde(rename = "type", default)]
    kind: String,
    /// Its form depends on the kind, so it is not read before.
    data: Option<Box<RawValue>>,
}

/// The text of a handle value.
#[derive(Deserialize)]
struct HandleText {
    value: String,
}

impl Provider for DoiOrg {
    fn client(&self) -> &Client {
        &self.client
    }

    fn find(&self, identifier: &Identifier, deadline: &Deadline) -> ProviderResult<Option<Work>> {
        match identifier {
            Identifier::Doi(doi) => self.negotiate(doi, deadline),
            Identifier::ShortDoi(short) => match self.expand(short, deadline)? {
                Some(doi) => self.negotiate(&doi, deadline),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn is_registered(
        &self,
        identifier: &Identifier,
        deadline: &Deadline,
    ) -> ProviderResult<Option<bool>> {
        match identifier {
            Identifier::Doi(doi) => Ok(Some(self.handle(&doi_path(doi), deadline)?.is_some())),
            _ => Ok(None),
        }
    }

    fn expand(&self, short: &ShortDoi, deadline: &Deadline) -> ProviderResult<Option<Doi>> {
        let path = percent_encode_path(short.as_str());
        let Some(handle) = self.handle(&path, deadline)? else {
            return Ok(None);
        };
        // The alias of a shortDOI is its DOI (DOI Handbook, «shortDOI service»).
        let aliases = handle
            .values
            .iter()
            .filter(|value| value.kind == "HS_ALIAS");
        let mut dois = aliases.filter_map(|alias| {
            let text: HandleText = serde_json::from_str(alias.data.as_ref()?.get()).ok()?;
            Doi::parse(&text.value).ok()
        });
        Ok(dois.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dois_are_encoded_after_the_prefix() {
        let doi =
            Doi::parse("10.1002/(SICI)1097-0258(19980815)17:15<1661::AID>3.0.CO;2-2").unwrap();
        assert_eq!(
            doi_path(&doi),
            "10.1002/%28sici%291097-0258%2819980815%2917%3A15%3C1661%3A%3Aaid%3E3.0.co%3B2-2"
        );
    }
}
