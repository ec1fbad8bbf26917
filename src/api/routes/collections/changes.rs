//! What has changed in a collection since a version: as a list, and as a stream of server-sent events.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use tokio::sync::broadcast::Receiver;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

use super::transaction::{etag, read, uid};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::{Operation, one_of};
use crate::clock::iso8601;
use crate::collections::Snapshot;
use crate::store::collections::{ChangeKind, CollectionRow, LoggedChange};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/collections/{id}/changes", Action::Read, list)
            .documented(list_operation),
        route::get(
            "/api/v1/collections/{id}/changes/stream",
            Action::Read,
            stream,
        )
        .documented(stream_operation),
    ]
}

/// Seconds between two signs of life of a silent stream, below the time-outs of usual proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How long a stream lasts. The client then asks again, with its credential and the last version that
/// it has seen; so revoked access, and changes that other processes made, are noticed after this time.
const STREAM_TIME: Duration = Duration::from_secs(300);

/// Milliseconds after which the client asks again.
const RETRY_MS: u32 = 500;

/// The changes after a version.
#[derive(Serialize, ToSchema)]
pub struct ChangesReply {
    /// The current version of the collection.
    version: i64,
    /// Whether all changes are listed. If not, the oldest are no longer kept: read the collection.
    complete: bool,
    /// Oldest first; empty if not complete.
    changes: Vec<LoggedChangeReply>,
}

/// A change of a collection.
#[derive(Serialize, ToSchema)]
pub struct LoggedChangeReply {
    /// The version of the collection that it made.
    version: i64,
    /// ISO 8601, UTC.
    at: String,
    /// The name of who made it; null: the server, or an account that no longer exists.
    by: Option<String>,
    #[schema(schema_with = kinds)]
    kind: &'static str,
    /// UUIDs of the entries concerned; null: too many to list.
    entries: Option<Vec<String>>,
    /// What changed of annotated entries: `note`, `tags`, `review_status`.
    fields: Vec<String>,
}

fn kinds() -> Object {
    one_of(ChangeKind::ALL.map(ChangeKind::as_str))
}

impl From<&LoggedChange> for LoggedChangeReply {
    fn from(change: &LoggedChange) -> LoggedChangeReply {
        LoggedChangeReply {
            version: change.version,
            at: iso8601(change.at),
            by: change.by.clone(),
            kind: change.kind.as_str(),
            entries: change.entries.clone(),
            fields: change.fields.clone(),
        }
    }
}

/// The version after which changes are wanted.
fn since(context: &RequestContext, name: &str) -> Result<Option<i64>, ApiError> {
    let Some(text) = context.query.get(name) else {
        return Ok(None);
    };
    let version = text
        .trim()
        .parse::<i64>()
        .ok()
        .filter(|version| *version >= 0);
    version.map(Some).ok_or_else(|| {
        let message = format!("{name} must be a version of the collection, not “{text}”.");
        ApiError::invalid_parameter(name, message)
    })
}

/// `GET /api/v1/collections/{id}/changes?since=`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let since = since(context, "since")?.unwrap_or_default();
    let collection = uid(context, "id");
    read(context, |snapshot| {
        let row = snapshot.collection(&collection)?;
        let changes = snapshot.changes_since(&row, since)?;
        let body = ChangesReply {
            version: row.version,
            complete: changes.is_some(),
            changes: replies(changes.as_deref().unwrap_or_default()),
        };
        Ok(Reply::json(&body)
            .with_header("etag", etag(row.version))
            .with_header("cache-control", "private, no-cache"))
    })
}

fn replies(changes: &[LoggedChange]) -> Vec<LoggedChangeReply> {
    changes.iter().map(LoggedChangeReply::from).collect()
}

/// `GET /api/v1/collections/{id}/changes/stream`: `since`, or the `Last-Event-ID` of a client that asks
/// again.
pub fn stream(context: &RequestContext) -> Result<Reply, ApiError> {
    let resumed = context
        .header("last-event-id")
        .and_then(|id| id.trim().parse().ok());
    let since = match resumed {
        Some(version) => Some(version),
        None => since(context, "since")?,
    };
    let collection = uid(context, "id");
    let (events, watched) = read(context, |snapshot| {
        let row = snapshot.collection(&collection)?;
        // Watched before the changes are read, so that none is missed in between.
        let watched = context.app.collections.live().watch(row.id);
        Ok((first_events(snapshot, &row, since)?, watched))
    })?;
    let seen = events.seen;
    let watch = Watch {
        first: Some(events.bytes),
        seen,
        watched,
        ends_at: Instant::now() + STREAM_TIME,
    };
    let events = futures_util::stream::unfold(watch, |mut watch| async {
        let event = watch.next().await?;
        Some((event, watch))
    });
    Ok(Reply::events("text/event-stream", events)
        .with_header("cache-control", "private, no-store")
        // Nginx would keep the events back.
        .with_header("x-accel-buffering", "no"))
}

/// The beginning of a stream.
struct FirstEvents {
    bytes: Bytes,
    /// The last version that it tells.
    seen: i64,
}

fn first_events(
    snapshot: &Snapshot<'_>,
    row: &CollectionRow,
    since: Option<i64>,
) -> Result<FirstEvents, crate::collections::CollectionError> {
    let mut text = format!("retry: {RETRY_MS}\n\n");
    let since = since.unwrap_or(row.version);
    match snapshot.changes_since(row, since)? {
        Some(changes) => changes
            .iter()
            .for_each(|change| text.push_str(&event(change))),
        // The client reads the collection anew.
        None => text.push_str(&reload(row.version)),
    }
    Ok(FirstEvents {
        bytes: Bytes::from(text),
        seen: row.version,
    })
}

/// A watcher of a collection, between two events.
struct Watch {
    first: Option<Bytes>,
    /// The last version sent.
    seen: i64,
    watched: Receiver<Arc<LoggedChange>>,
    ends_at: Instant,
}

impl Watch {
    /// The next event, or a comment as a sign of life. `None` ends the stream: when it has lasted long
    /// enough, when the watcher is too slow, and when access has changed; the client asks again.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        let beat = (Instant::now() + HEARTBEAT).min(self.ends_at);
        loop {
            let Ok(received) = timeout_at(beat, self.watched.recv()).await else {
                let is_over = Instant::now() >= self.ends_at;
                return (!is_over).then(|| Bytes::from_static(b": still here\n\n"));
            };
            let change = received.ok()?;
            if change.version <= self.seen {
                continue;
            }
            if change.kind == ChangeKind::MembersChanged || change.version > self.seen + 1 {
                return None;
            }
            self.seen = change.version;
            return Some(Bytes::from(event(&change)));
        }
    }
}

fn event(change: &LoggedChange) -> String {
    let reply = serde_json::to_string(&LoggedChangeReply::from(change)).unwrap_or_default();
    format!("id: {}\nevent: change\ndata: {reply}\n\n", change.version)
}

fn reload(version: i64) -> String {
    format!("id: {version}\nevent: reload\ndata: {{\"version\":{version}}}\n\n")
}

pub fn list_operation() -> Operation {
    Operation::new(
        "list_collection_changes",
        "collections",
        "List what has changed in a collection since a version",
    )
    .describe("The newest 1,000 changes are kept.")
    .path("id", "The collection's UUID.")
    .query_number(
        "since",
        0,
        "The version that the caller has, from its entity tag; default: 0.",
    )
    .reply::<ChangesReply>(200, "The changes.")
    .conditional()
    .codes(&[
        Code::AuthenticationRequired,
        Code::NotFound,
        Code::InvalidParameter,
    ])
}

pub fn stream_operation() -> Operation {
    Operation::new(
        "stream_collection_changes",
        "collections",
        "Receive the changes of a collection as they are made",
    )
    .describe(
        "Server-sent events: `change`, whose data is a change as in the list, and `reload` if changes \
         were missed. The id of an event is the version of the collection; a client that asks again \
         sends it as `Last-Event-ID`. A comment is sent every 15 seconds. The stream ends after 5 \
         minutes, and when access changes: ask again.",
    )
    .path("id", "The collection's UUID.")
    .query_number(
        "since",
        0,
        "The version that the caller has; default: the current one.",
    )
    .reply_text(200, "The events.", ["text/event-stream"])
    .codes(&[Code::AuthenticationRequired, Code::NotFound, Code::InvalidParameter])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_is_three_lines_and_a_blank_one() {
        let change = LoggedChange {
            version: 7,
            at: 0,
            user: None,
            by: Some("A\nB".to_owned()),
            kind: ChangeKind::EntriesAdded,
            entries: Some(vec!["e".to_owned()]),
            fields: Vec::new(),
        };
        let text = event(&change);
        assert!(text.starts_with("id: 7\nevent: change\ndata: {\"version\":7,"));
        assert_eq!(text.lines().count(), 4);
        assert!(text.ends_with("\n\n"));
    }
}
