//! Sends signed bodies to addresses that users have chosen: only to the open internet, unless the operator allows
//! private addresses. Redirects are not followed.

use std::time::Duration;

use ureq::Agent;

use super::{address, http_url};

/// Bytes of an answer that are read, so that the connection can be reused.
const READ_BYTES: u64 = 64 << 10;

/// Sends bodies.
pub struct WebhookSender {
    agent: Agent,
}

impl WebhookSender {
    /// `timeout` is for one request as a whole.
    pub fn new(timeout: Duration, allows_private: bool) -> WebhookSender {
        WebhookSender {
            agent: address::agent(timeout, allows_private),
        }
    }

    /// Checks an address: http or https, without a user.
    pub fn check(address: &str) -> Result<(), String> {
        http_url::parse(address).map(drop)
    }

    /// Posts a JSON body. Returns the status, or why there is none.
    pub fn post(&self, address: &str, headers: &[(&str, &str)], body: &str) -> Result<u16, String> {
        let url = http_url::parse(address)?;
        let mut request = self.agent.post(url.as_str());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.content_type("application/json");
        let mut reply = request.send(body).map_err(|cause| cause.to_string())?;
        let _ = reply
            .body_mut()
            .with_config()
            .limit(READ_BYTES)
            .read_to_vec();
        Ok(reply.status().as_u16())
    }
}
