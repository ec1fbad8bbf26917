//! What the operator sets for a provider. Plain data; the configuration fills it.

use std::time::Duration;

use citation_model::identifier::percent_encode;

/// How one provider is asked. Every field has a default that suits the public service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderSettings {
    /// Whether the provider is asked at all. Default true.
    pub enabled: bool,
    /// `http` or `https`, host, perhaps a port and a path, without a slash at the end. May be a
    /// loopback address (a mirror); redirects to loopback and private addresses are refused all
    /// the same. Default: the public service.
    pub base_url: String,
    /// Milliseconds for name resolution and connection. 100 to 60,000, default 2,000.
    pub connect_timeout_ms: u64,
    /// Milliseconds for one request with its redirects and its whole answer; the lookup's own
    /// budget may be shorter. 100 to 120,000, default 5,000.
    pub timeout_ms: u64,
    /// Bytes of an answer, unpacked. 1,024 to 1 GiB, default 4 MiB.
    pub max_response_bytes: u64,
    /// Requests at a time. 1 to 1,000, default 4.
    pub max_in_flight: u32,
    /// Requests a second at most, spread evenly; 0 means no limit. Default 20.
    pub max_per_second: u32,
    /// How often a request is sent again after a failure that may pass (429, 502 to 504, a broken
    /// connection). 0 to 10, default 2.
    pub retries: u32,
    /// Failures in a row after which the provider is left alone for a while; 0 means never.
    /// Default 5.
    pub breaker_failures: u32,
    /// Milliseconds for which it is then left alone before one request tries again. 100 to
    /// 3,600,000, default 30,000.
    pub breaker_pause_ms: u64,
    /// A mail address or a web page by which the provider can reach the operator; empty for none.
    /// Services let those go first who say who they are. Default empty.
    pub contact: String,
    /// Sent as `X-API-Key` to the base address alone; empty for none. Default empty.
    pub api_key: String,
}

impl ProviderSettings {
    /// The defaults for the service at `base_url`.
    pub fn at(base_url: &str) -> ProviderSettings {
        ProviderSettings {
            enabled: true,
            base_url: base_url.to_owned(),
            connect_timeout_ms: 2_000,
            timeout_ms: 5_000,
            max_response_bytes: 4 * 1024 * 1024,
            max_in_flight: 4,
            max_per_second: 20,
            retries: 2,
            breaker_failures: 5,
            breaker_pause_ms: 30_000,
            contact: String::new(),
            api_key: String::new(),
        }
    }

    /// Crossref's REST API.
    pub fn crossref() -> ProviderSettings {
        ProviderSettings::at("https://api.crossref.org")
    }

    /// DataCite's REST API.
    pub fn datacite() -> ProviderSettings {
        ProviderSettings::at("https://api.datacite.org")
    }

    /// The DOI resolver, for content negotiation and shortDOIs.
    pub fn doi() -> ProviderSettings {
        ProviderSettings::at("https://doi.org")
    }

    /// Open Library.
    pub fn openlibrary() -> ProviderSettings {
        ProviderSettings::at("https://openlibrary.org")
    }

    pub(super) fn connect_timeout(&self) -> Duration {
        Duration::from_millis(self.connect_timeout_ms.max(1))
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms.max(1))
    }

    pub(super) fn breaker_pause(&self) -> Duration {
        Duration::from_millis(self.breaker_pause_ms.max(1))
    }

    /// `citation/0.1.0 (mailto:ops@example.org)`, or with `+https://…` for a web page.
    pub(super) fn user_agent(&self) -> String {
        let product = concat!("citation/", env!("CARGO_PKG_VERSION"));
        match (self.mail(), self.contact()) {
            (Some(mail), _) => format!("{product} (mailto:{mail})"),
            (None, Some(page)) => format!("{product} (+{page})"),
            (None, None) => product.to_owned(),
        }
    }

    /// The contact, where it is a mail address.
    fn mail(&self) -> Option<&str> {
        self.contact()
            .filter(|contact| contact.contains('@') && !contact.contains('/'))
    }

    /// The operator's mail address as a parameter of a query; empty without one.
    pub(super) fn mail_parameter(&self, name: &str) -> String {
        self.mail()
            .map(|mail| format!("&{name}={}", percent_encode(mail)))
            .unwrap_or_default()
    }

    /// The contact, where it can stand in a header as it is.
    fn contact(&self) -> Option<&str> {
        let contact = self.contact.trim();
        let contact = contact.strip_prefix("mailto:").unwrap_or(contact);
        let is_plain = contact
            .bytes()
            .all(|b| b.is_ascii_graphic() && !matches!(b, b'(' | b')'));
        (is_plain && !contact.is_empty()).then_some(contact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_names_the_contact() {
        let agent = |contact: &str| {
            let mut settings = ProviderSettings::crossref();
            contact.clone_into(&mut settings.contact);
            settings.user_agent()
        };
        assert!(agent("https://a.example/x").ends_with(" (+https://a.example/x)"));
        assert!(agent("a@example.org").ends_with(" (mailto:a@example.org)"));
        assert!(!agent("a@example.org\r\nX: y").contains("mailto"));
        assert!(!agent("").contains("mailto"));
    }
}
