//! Fetches any web page once: over https if the site supports it, only from the open internet.

use super::http::{Client, ProviderAnswer};
use super::http_url;
use super::{Deadline, ProviderError, ProviderErrorKind, ProviderResult};
use crate::config::ProviderSettings;

/// The expected content of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedContent {
    Page,
    /// Also a file, such as a bibliography.
    PageOrFile,
}

impl ExpectedContent {
    /// The `Accept` header. Servers that can negotiate honour it.
    fn accept(self) -> &'static str {
        match self {
            ExpectedContent::Page => "text/html, application/xhtml+xml;q=0.9",
            ExpectedContent::PageOrFile => "text/html, application/xhtml+xml;q=0.9, */*;q=0.5",
        }
    }
}

/// Fetches pages.
pub struct Pages {
    client: Client,
}

/// A fetched page, truncated if long.
#[derive(Clone, Debug)]
pub struct FetchedPage {
    pub bytes: Vec<u8>,
    /// Whether it is a page, not a file.
    pub is_page: bool,
    /// In lower case, without parameters; empty if absent.
    pub content_type: String,
    /// The encoding in the answer's header.
    pub charset: Option<String>,
    /// The address after all redirects.
    pub url: String,
}

impl Pages {
    /// `trusted` are origins that may be fetched although they are not on the open internet.
    pub fn new(settings: ProviderSettings, trusted: &[String]) -> Pages {
        let trusted = trusted
            .iter()
            .filter_map(|origin| http_url::parse(origin).ok());
        Pages {
            client: Client::of_any_site("page", settings, trusted.collect()),
        }
    }

    /// The page at an address; `None` if it does not exist.
    pub fn fetch(
        &self,
        address: &str,
        wanted: ExpectedContent,
        deadline: &Deadline,
    ) -> ProviderResult<Option<FetchedPage>> {
        let given = http_url::parse(address)
            .map_err(|reason| self.client.error(ProviderErrorKind::Redirect { reason }))?;
        let mut secure = given.clone();
        if !self.client.is_trusted(&given) {
            // Only of `http`, which can always become `https`.
            let _ = secure.set_scheme("https");
        }
        let answer = match self.client.fetch(&secure, wanted.accept(), deadline) {
            Err(error) if secure != given && is_no_connection(&error) => {
                self.client.fetch(&given, wanted.accept(), deadline)?
            }
            answer => answer?,
        };
        let ProviderAnswer::Body(body) = answer else {
            return Ok(None);
        };
        let is_page = body.content_type.is_empty() || body.content_type.contains("html");
        if !is_page && wanted == ExpectedContent::Page {
            let reason = format!("it is {}, not a page", body.content_type);
            return Err(self.client.malformed(reason));
        }
        Ok(Some(FetchedPage {
            is_page,
            content_type: body.content_type.clone(),
            charset: body.charset.clone(),
            url: body.url.clone(),
            bytes: body.into_bytes(),
        }))
    }
}

/// Whether a site could not be reached over https, so that http may be tried.
fn is_no_connection(error: &ProviderError) -> bool {
    matches!(error.kind, ProviderErrorKind::Connection { .. })
}
