//! Requests to identity providers: no redirects, a time-out, a size limit.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;

use super::OidcError;
use citation_model::identifier::percent_encode;

pub struct Web {
    agent: ureq::Agent,
}

/// Maximum size of an answer.
const MAX_BYTES: u64 = 256 * 1024;

impl Web {
    pub fn new(timeout: Duration) -> Web {
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(timeout))
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent(concat!("citation/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        Web { agent }
    }

    /// Gets a JSON document, optionally with an access token.
    pub fn get<T: DeserializeOwned>(
        &self,
        url: &str,
        bearer: Option<&str>,
    ) -> Result<T, OidcError> {
        let mut request = self.agent.get(url).header("accept", "application/json");
        if let Some(token) = bearer {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let (status, body) = read(url, request.call())?;
        if status != 200 {
            return Err(OidcError::Unreachable(format!("{url} answered {status}")));
        }
        parse(url, &body)
    }

    /// Posts a form and returns the status and the body of the answer.
    pub fn post(
        &self,
        url: &str,
        form: &[(&str, &str)],
        basic: Option<(&str, &str)>,
    ) -> Result<(u16, Vec<u8>), OidcError> {
        let mut request = self.agent.post(url).header("accept", "application/json");
        if let Some((user, secret)) = basic {
            // RFC 6749, section 2.3.1: both are encoded first; a space as `%20`, since some
            // providers do not decode `+` here.
            let pair = format!("{}:{}", percent_encode(user), percent_encode(secret));
            request = request.header("authorization", format!("Basic {}", STANDARD.encode(pair)));
        }
        read(url, request.send_form(form.iter().copied()))
    }
}

/// Parses a JSON answer.
pub fn parse<T: DeserializeOwned>(url: &str, body: &[u8]) -> Result<T, OidcError> {
    serde_json::from_slice(body)
        .map_err(|cause| OidcError::Untrusted(format!("{url} sent an unexpected answer: {cause}")))
}

fn read(
    url: &str,
    reply: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<(u16, Vec<u8>), OidcError> {
    let failed = |cause: ureq::Error| OidcError::Unreachable(format!("{url}: {cause}"));
    let mut reply = reply.map_err(failed)?;
    let status = reply.status().as_u16();
    let body = reply
        .body_mut()
        .with_config()
        .limit(MAX_BYTES)
        .read_to_vec()
        .map_err(failed)?;
    Ok((status, body))
}
