//! The results of a job: those of its items, while it runs and after it; and the file that it has made.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{CODES, known_job};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::store::jobs::ResultRow;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/jobs/{id}/results", Action::Read, results)
            .heavy()
            .documented(results_operation),
        route::get("/api/v1/jobs/{id}/result", Action::Read, result)
            .heavy()
            .documented(result_operation),
    ]
}

/// Some results of a job.
#[derive(Serialize, ToSchema)]
struct JobResults {
    /// The state of the job before these results were read.
    state: &'static str,
    /// In the order in which they were stored.
    #[schema(value_type = Vec<JobResult>)]
    results: Vec<Value>,
    /// The value of `after` for the results that follow these.
    next_after: u64,
}

/// One result of a job.
#[derive(Serialize, ToSchema)]
#[allow(dead_code, reason = "only described here: results are stored as JSON")]
struct JobResult {
    /// Counts the results of the job, from 1.
    number: u64,
    /// The name of the file; "" if it has none.
    file: String,
    /// The position of the file in the request, from 0.
    file_number: u64,
    /// What the synchronous request says about one item, or about a file that is imported.
    result: Option<Value>,
    /// Why a file or an item has no result.
    error: Option<Value>,
    /// A file that was read: as `document` of `verify/document`.
    document: Option<Value>,
    /// A file that was read: number of its references.
    references: Option<u64>,
    /// A file that was read: its unreadable parts.
    problems: Option<Vec<Value>>,
    /// A file that was read: lines that are no references.
    left_out: Option<Vec<Value>>,
}

/// The default and the maximum number of results in one reply.
const DEFAULT: usize = 100;
const MOST: usize = 1_000;

/// `GET /api/v1/jobs/{id}/results`.
fn results(context: &RequestContext) -> Result<Reply, ApiError> {
    // The state first: results of a job that has ended are then complete.
    let job = known_job(context)?;
    let after = context.query.number("after", 0, 0, u32::MAX as usize)? as u64;
    let most = context.query.number("limit", DEFAULT, 1, MOST)? as u64;
    let app = std::sync::Arc::clone(&context.app);
    let streamed = context
        .header("accept")
        .is_some_and(|accept| accept.contains("application/x-ndjson"));
    if streamed {
        return Ok(Reply::stream("application/x-ndjson", move |sink| {
            let mut after = after;
            loop {
                let Ok(rows) = app.jobs.results(&job, after, MOST as u64) else {
                    return;
                };
                let Some(last) = rows.last().map(|row| row.number) else {
                    return;
                };
                after = last;
                for row in rows {
                    if !sink.send(format!("{}\n", shown(row))) {
                        return;
                    }
                }
            }
        }));
    }
    let rows = app.jobs.results(&job, after, most)?;
    Ok(Reply::json(&JobResults {
        state: job.state.as_str(),
        next_after: rows.last().map_or(after, |row| row.number),
        results: rows.into_iter().map(shown).collect(),
    }))
}

/// A stored result with its number.
fn shown(row: ResultRow) -> Value {
    let stored: Map<String, Value> = serde_json::from_str(&row.result).unwrap_or_default();
    let mut members = Map::new();
    members.insert("number".to_owned(), row.number.into());
    members.insert("file_number".to_owned(), row.place.file.into());
    members.extend(stored);
    Value::Object(members)
}

/// `GET /api/v1/jobs/{id}/result`.
fn result(context: &RequestContext) -> Result<Reply, ApiError> {
    let job = known_job(context)?;
    let Some(output) = context.app.jobs.output(&job)? else {
        let message = if job.state.has_ended() {
            "The job has made no file; its results are under /results."
        } else {
            "The job has not ended yet."
        };
        return Err(ApiError::not_found("result", message));
    };
    let reply = Reply::bytes(&output.media_type, output.content);
    Ok(match output.disposition {
        Some(disposition) => reply.with_header("content-disposition", disposition),
        None => reply,
    })
}

fn results_operation() -> Operation {
    Operation::new("get_job_results", "jobs", "The results of a job so far")
        .describe(
            "In the order in which they were stored, which is not always that of the request: a result has \
             its `index` there. With `Accept: application/x-ndjson` all results behind `after` are sent, \
             one per line.",
        )
        .path("id", "The job's UUID.")
        .query_number("after", 0, "Only results with a larger number.")
        .query_number("limit", 1, "Maximum number of results; default 100, at most 1,000.")
        .reply::<JobResults>(200, "The results.")
        .codes(&CODES)
}

fn result_operation() -> Operation {
    Operation::new("get_job_result", "jobs", "The file that a job has made")
        .path("id", "The job's UUID.")
        .reply_text(200, "The file.", ["text/plain", "application/json"])
        .codes(&CODES)
        .codes(&[Code::NotFound])
}
