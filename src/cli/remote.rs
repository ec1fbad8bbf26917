//! Another server, asked with the API key of an account. The key is read from the environment or a file, so that
//! no list of processes and no history of a shell shows it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use super::Failure;
use crate::config::BaseUrl;

/// The variable with the API key.
const KEY_VARIABLE: &str = "CITATION_API_KEY";

/// Time for one request.
const PATIENCE: Duration = Duration::from_secs(120);

/// The largest reply that is read, in bytes.
const MAX_REPLY: u64 = 1 << 30;

/// Which server, and the key.
#[derive(Clone, Debug, Args)]
pub struct RemoteOptions {
    /// The address of the server
    #[arg(long, value_name = "URL")]
    server: BaseUrl,
    /// A file with an API key of the account (default: the variable CITATION_API_KEY)
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl RemoteOptions {
    pub fn open(&self) -> Result<Remote, Failure> {
        Remote::open(&self.server, self.key_file.as_ref())
    }
}

/// A server.
pub struct Remote {
    agent: ureq::Agent,
    address: String,
    key: String,
}

/// A reply.
pub struct RemoteReply {
    pub status: u16,
    pub body: Vec<u8>,
}

impl RemoteReply {
    pub fn json(&self) -> Result<Value, Failure> {
        Ok(serde_json::from_slice(&self.body)?)
    }

    /// The reply itself, unless it is an error.
    pub fn checked(self) -> Result<RemoteReply, Failure> {
        if self.status < 400 {
            return Ok(self);
        }
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let message = body.get("message").and_then(Value::as_str);
        Err(Failure(match message {
            Some(message) => format!("The server says: {message}"),
            None => format!("The server answers with status {}.", self.status),
        }))
    }

    /// The same, and `None` if the object does not exist.
    pub fn found(self) -> Result<Option<RemoteReply>, Failure> {
        if self.status == 404 {
            return Ok(None);
        }
        self.checked().map(Some)
    }
}

impl Remote {
    pub fn open(server: &BaseUrl, key_file: Option<&PathBuf>) -> Result<Remote, Failure> {
        let text = match key_file {
            Some(path) => std::fs::read_to_string(path)
                .map_err(|cause| Failure(format!("{}: {cause}", path.display())))?,
            None => std::env::var(KEY_VARIABLE).unwrap_or_default(),
        };
        let key = text.trim().to_owned();
        if key.is_empty() {
            return Err(Failure(format!(
                "An API key of the server is required: --key-file, or {KEY_VARIABLE}."
            )));
        }
        // A redirect would send the key elsewhere.
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .max_redirects(0)
            .build();
        Ok(Remote {
            agent: agent.into(),
            address: server.as_str().trim_end_matches('/').to_owned(),
            key,
        })
    }

    pub fn get(&self, path: &str) -> Result<RemoteReply, Failure> {
        self.send("GET", path, "", Vec::new())
    }

    pub fn delete(&self, path: &str) -> Result<RemoteReply, Failure> {
        self.send("DELETE", path, "", Vec::new())
    }

    pub fn post(
        &self,
        path: &str,
        content_type: &str,
        body: Vec<u8>,
    ) -> Result<RemoteReply, Failure> {
        self.send("POST", path, content_type, body)
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        body: Vec<u8>,
    ) -> Result<RemoteReply, Failure> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}/api/v1{path}", self.address))
            .header("authorization", format!("Bearer {}", self.key));
        if !content_type.is_empty() {
            request = request.header("content-type", content_type);
        }
        let mut reply = self.agent.run(request.body(body)?)?;
        let status = reply.status().as_u16();
        let body = reply.body_mut().with_config().limit(MAX_REPLY);
        Ok(RemoteReply {
            status,
            body: body.read_to_vec()?,
        })
    }
}
