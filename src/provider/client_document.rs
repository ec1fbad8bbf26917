//! Reads the document by which an OAuth program describes itself: one small JSON file, only from the open
//! internet or from origins that the operator lists. Redirects are not followed.

use std::time::Duration;

use ureq::Agent;
use url::{Origin, Url};

use super::{address, http_url};

/// Maximum size of a document, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// Reads documents.
pub struct ClientDocuments {
    open: Agent,
    inside: Agent,
    trusted: Vec<Origin>,
}

impl ClientDocuments {
    /// `trusted` are origins that are read although they are not on the open internet, also over http.
    pub fn new(timeout: Duration, trusted: &[String]) -> ClientDocuments {
        let trusted = trusted.iter().filter_map(|text| http_url::parse(text).ok());
        ClientDocuments {
            open: address::agent(timeout, false),
            inside: address::agent(timeout, true),
            trusted: trusted.map(|url| url.origin()).collect(),
        }
    }

    /// Whether a text is the address of a document: https (or a trusted origin) with a path, without a user,
    /// a fragment, or `.` and `..` in its path.
    pub fn is_address(&self, text: &str) -> bool {
        let Ok(url) = http_url::parse(text) else {
            return false;
        };
        // What the parser would change has another meaning for others.
        let is_plain = url.as_str() == text && url.path() != "/";
        is_plain && (url.scheme() == "https" || self.trusts(&url))
    }

    fn trusts(&self, url: &Url) -> bool {
        self.trusted.contains(&url.origin())
    }

    /// The content of a document, or why there is none.
    pub fn read(&self, address: &str) -> Result<Vec<u8>, String> {
        let url = http_url::parse(address)?;
        let agent = if self.trusts(&url) {
            &self.inside
        } else {
            &self.open
        };
        let request = agent.get(url.as_str()).header("accept", "application/json");
        let mut reply = request.call().map_err(|cause| cause.to_string())?;
        if reply.status() != 200 {
            return Err(format!("the answer has status {}", reply.status().as_u16()));
        }
        let body = reply.body_mut().with_config().limit(MAX_BYTES);
        body.read_to_vec().map_err(|cause| cause.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_address_is_plain_https_with_a_path() {
        let documents = ClientDocuments::new(
            Duration::from_secs(1),
            &["http://app.example:81".to_owned()],
        );
        let check = |text: &str, expected: bool| {
            assert_eq!(documents.is_address(text), expected, "{text}");
        };
        check("https://app.example/client.json", true);
        check("https://app.example:8443/a/b?c=d", true);
        check("http://app.example:81/client.json", true);
        check("http://app.example/client.json", false);
        check("https://app.example", false);
        check("https://app.example/", false);
        check("https://app.example/a/../b", false);
        check("https://app.example/a#b", false);
        check("https://user@app.example/a", false);
        check("HTTPS://app.example/a", false);
        check("3f0e4c9a-8d3c-4b0e-9a55-0d9a4d6ad1b7", false);
    }

    #[test]
    fn document_of_a_private_address_is_not_read() {
        let documents = ClientDocuments::new(Duration::from_secs(5), &[]);
        let refused = documents.read("https://127.0.0.1:9/client.json");
        let refused = refused.unwrap_err();
        assert!(refused.contains(address::NOT_PUBLIC), "{refused}");
    }
}
