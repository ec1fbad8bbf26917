//! Replies: a handler's result, before the common headers are added.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use http::StatusCode;
use serde::Serialize;
use tokio::sync::mpsc;

use crate::blocking::Job;
use citation_model::budget::Budget;
use citation_model::hex::hex;

/// A reply. The dispatcher adds the common headers (request id, CORS, compression).
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    /// Names in lower case; a later one with the same name replaces an earlier one, except cookies.
    pub headers: Vec<(&'static str, String)>,
    pub body: Body,
}

/// The body of a reply.
#[derive(Debug)]
pub enum Body {
    Whole(Bytes),
    /// Produced in chunks by the job of the reply, after the head has been sent.
    Producer(Producer),
    /// Chunks from a producer.
    Stream(ReplyChunks),
    /// Chunks that come when something happens, without a job.
    Events(Events),
}

/// Chunks that come when something happens.
pub struct Events(pub Pin<Box<dyn Stream<Item = Bytes> + Send + Sync>>);

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}

/// Produces a body chunk by chunk.
pub struct Producer(Box<dyn FnOnce(&Sink) + Send>);

impl std::fmt::Debug for Producer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Producer")
    }
}

/// Where a producer sends its chunks.
pub struct Sink {
    job: Job,
    chunks: mpsc::Sender<Bytes>,
    patience: Duration,
}

impl Sink {
    /// Sends a chunk. Waits without a worker slot for a client that reads slowly. False if it
    /// no longer reads.
    pub fn send(&self, chunk: impl Into<Bytes>) -> bool {
        let sent = self.chunks.send(chunk.into());
        let sent = self.job.wait_for(self.patience, sent);
        sent.is_some_and(|sent| sent.is_ok())
    }
}

/// The chunks of a body. Dropping them stops their production.
#[derive(Debug)]
pub struct ReplyChunks {
    pub receiver: mpsc::Receiver<Bytes>,
    _cancel: CancelOnDrop,
}

/// Stops the work for an abandoned request.
#[derive(Debug)]
pub struct CancelOnDrop(Option<Budget>);

impl CancelOnDrop {
    pub fn new(budget: Budget) -> CancelOnDrop {
        CancelOnDrop(Some(budget))
    }

    /// Lets the work continue.
    pub fn release(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(budget) = &self.0 {
            budget.cancel();
        }
    }
}

/// Maximum number of chunks buffered for the client.
const CHUNKS_AHEAD: usize = 16;

impl Reply {
    /// No content, status 204.
    pub fn empty() -> Reply {
        Reply {
            status: StatusCode::NO_CONTENT,
            headers: Vec::new(),
            body: Body::Whole(Bytes::new()),
        }
    }

    /// A body of the given content type, status 200.
    pub fn bytes(content_type: &str, body: impl Into<Bytes>) -> Reply {
        Reply {
            status: StatusCode::OK,
            headers: vec![("content-type", content_type.to_owned())],
            body: Body::Whole(body.into()),
        }
    }

    /// A JSON body, status 200.
    pub fn json<T: Serialize>(value: &T) -> Reply {
        match serde_json::to_vec(value) {
            Ok(body) => Reply::bytes("application/json", body),
            // Serialisation only fails for maps with non-text keys, and no reply has one.
            Err(cause) => {
                tracing::error!(%cause, "cannot serialise a reply");
                Reply::bytes("application/json", "{\"error\":\"internal_error\"}")
                    .with_status(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }

    /// A JSON body from a value.
    pub fn json_value(value: &serde_json::Value) -> Reply {
        Reply::bytes("application/json", value.to_string())
    }

    /// A streamed body, status 200.
    pub fn stream(content_type: &str, produce: impl FnOnce(&Sink) + Send + 'static) -> Reply {
        Reply {
            body: Body::Producer(Producer(Box::new(produce))),
            ..Reply::bytes(content_type, Bytes::new())
        }
    }

    /// A body whose chunks come when something happens, status 200.
    pub fn events(
        content_type: &str,
        events: impl Stream<Item = Bytes> + Send + Sync + 'static,
    ) -> Reply {
        Reply {
            body: Body::Events(Events(Box::pin(events))),
            ..Reply::bytes(content_type, Bytes::new())
        }
    }

    /// Separates the reply from the production of its body by the job. `patience` is the maximum
    /// wait for a client to read.
    pub fn start(
        mut self,
        job: &Job,
        patience: Duration,
    ) -> (Reply, Option<impl FnOnce() + use<>>) {
        let Body::Producer(Producer(produce)) = self.body else {
            return (self, None);
        };
        let (chunks, receiver) = mpsc::channel(CHUNKS_AHEAD);
        self.body = Body::Stream(ReplyChunks {
            receiver,
            _cancel: CancelOnDrop::new(job.budget().clone()),
        });
        let sink = Sink {
            job: job.clone(),
            chunks,
            patience,
        };
        (self, Some(move || produce(&sink)))
    }

    pub fn with_status(mut self, status: StatusCode) -> Reply {
        self.status = status;
        self
    }

    /// Sets a header, replacing one of the same name.
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.retain(|(present, _)| *present != name);
        self.headers.push((name, value.into()));
        self
    }

    /// Adds a request header to `Vary`.
    pub fn varying(self, on: &str) -> Reply {
        let vary = match self.header("vary") {
            Some(vary) => format!("{vary}, {on}"),
            None => on.to_owned(),
        };
        self.with_header("vary", vary)
    }

    /// Sets a cookie. A reply can set several.
    pub fn with_cookie(mut self, cookie: String) -> Reply {
        self.headers.push(("set-cookie", cookie));
        self
    }

    /// A strong entity tag from the body, for representations without their own version.
    pub fn with_content_etag(self) -> Reply {
        use sha2::{Digest, Sha256};
        let digest = Sha256::digest(self.body_bytes());
        let tag = hex(digest.iter().take(12));
        self.with_header("etag", format!("\"{tag}\""))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(present, _)| *present == name)
            .map(|(_, value)| value.as_str())
    }

    /// The body if it is complete; empty for a stream.
    pub fn body_bytes(&self) -> Bytes {
        match &self.body {
            Body::Whole(bytes) => bytes.clone(),
            Body::Producer(_) | Body::Stream(_) | Body::Events(_) => Bytes::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;
    use crate::blocking::{Blocking, Limits, PoolKind};
    use crate::config::Config;
    use crate::quota::BurstKey;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn client_that_reads_slowly_holds_no_place_and_ends_the_work_by_leaving() {
        let blocking = Blocking::new(&Limits::of(&Config::default().server));
        let usage = || blocking.usage(PoolKind::Heavy);
        let work = |job: Job, answer: oneshot::Sender<Reply>| {
            let produce = |sink: &Sink| while sink.send("a line\n") {};
            let (reply, rest) =
                Reply::stream("text/plain", produce).start(&job, Duration::from_secs(3_600));
            answer.send(reply).unwrap();
            rest.unwrap()();
        };
        let budget = Budget::unlimited();
        let caller = BurstKey::ApiKey(1);
        let run = blocking.run(PoolKind::Heavy, caller, budget.clone(), work);
        let reply = run.await.unwrap();
        while usage() != (1, 0) {
            tokio::task::yield_now().await;
        }
        assert!(!budget.is_spent());
        drop(reply);
        while usage() != (0, 0) {
            tokio::task::yield_now().await;
        }
        assert!(budget.is_spent());
    }
}
