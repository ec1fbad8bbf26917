//! `/api/v1/jobs`: requests that are answered in the background.
//!
//! - `submit`: the requests for jobs · `results`: what they have found and made
//! - `run`: does their work, item by item, with the functions of the synchronous requests

mod results;
mod run;
pub mod submit;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::clock;
use crate::store::jobs::JobRow;
pub use run::start;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    let own = vec![
        route::get("/api/v1/jobs", Action::Read, list).documented(list_operation),
        route::get("/api/v1/jobs/{id}", Action::Read, one).documented(one_operation),
        route::delete("/api/v1/jobs/{id}", Action::Write, cancel).documented(cancel_operation),
    ];
    let all = [submit::routes(), own, results::routes()].into_iter();
    all.flatten().collect()
}

/// What a request for a job says besides its files.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct StoredRequest {
    /// The variable parts of the path of the synchronous request.
    path: Vec<(String, String)>,
    query: Vec<(String, String)>,
}

/// A job.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobReply {
    /// UUID.
    id: String,
    /// `verify`, `format`, `import`, `export` or `harvest`.
    kind: String,
    /// `queued`, `running`, `waiting_for_quota`, `done`, `failed` or `canceled`. A job that waits for quota goes on
    /// when the account has lookups again.
    state: &'static str,
    /// Files that were sent, and those of them that are done.
    files: u64,
    files_done: u64,
    /// Items found in the files so far: references, or what the request lists.
    items: u64,
    /// Results so far.
    results: u64,
    lookups_used: u64,
    /// Number of results by outcome, such as a verdict.
    summary: BTreeMap<String, u64>,
    /// Why it failed, as the synchronous request would say.
    #[schema(value_type = Option<super::lookup::ItemFailure>)]
    error: Option<Value>,
    /// ISO 8601, UTC, as the other times.
    created_at: String,
    started_at: Option<String>,
    ended_at: Option<String>,
    /// When the job and its results are removed; null before its end.
    removed_at: Option<String>,
}

/// The outcome of the row that describes a file, which is no item.
pub const FILE: &str = "file";

impl JobReply {
    fn of(context: &RequestContext, job: JobRow) -> Result<JobReply, ApiError> {
        let jobs = &context.app.jobs;
        let summary = jobs.outcomes(&job)?.into_iter();
        let error = job.error.as_deref().map(serde_json::from_str);
        Ok(JobReply {
            summary: summary.filter(|(outcome, _)| outcome != FILE).collect(),
            removed_at: jobs.removed_at(&job).map(clock::iso8601),
            error: error.transpose().map_err(ApiError::internal)?,
            ..JobReply::without_results(job)
        })
    }

    fn without_results(job: JobRow) -> JobReply {
        JobReply {
            id: job.uid,
            kind: job.kind,
            state: job.state.as_str(),
            files: job.files,
            files_done: job.files_done,
            items: job.items,
            results: job.results,
            lookups_used: job.lookups,
            summary: BTreeMap::new(),
            error: None,
            created_at: clock::iso8601(job.created_at),
            started_at: job.started_at.map(clock::iso8601),
            ended_at: job.ended_at.map(clock::iso8601),
            removed_at: None,
        }
    }
}

/// `GET /api/v1/jobs`.
fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    Ok(Reply::json(&all_of(context, context.account()?.id)?))
}

/// The jobs of an account.
pub fn all_of(context: &RequestContext, user: i64) -> Result<Vec<JobReply>, ApiError> {
    let jobs = context.app.jobs.list(user)?.into_iter();
    jobs.map(|job| JobReply::of(context, job)).collect()
}

/// `GET /api/v1/jobs/{id}`.
fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    let job = known_job(context)?;
    Ok(Reply::json(&JobReply::of(context, job)?))
}

/// `DELETE /api/v1/jobs/{id}`.
fn cancel(context: &RequestContext) -> Result<Reply, ApiError> {
    context.app.jobs.cancel(&known_job(context)?)?;
    Ok(Reply::empty())
}

/// The job in the path. One of another account does not exist.
pub fn known_job(context: &RequestContext) -> Result<JobRow, ApiError> {
    find(
        context,
        &super::collections::transaction::uid(context, "id"),
    )
}

/// A job of the caller.
pub fn find(context: &RequestContext, uid: &str) -> Result<JobRow, ApiError> {
    let found = context.app.jobs.find(context.account()?.id, uid)?;
    found.ok_or_else(|| {
        let message = "The job does not exist, or its results were removed.";
        ApiError::not_found("job", message)
    })
}

/// The common errors of the routes of one job.
const CODES: [Code; 3] = [
    Code::AuthenticationRequired,
    Code::Forbidden,
    Code::NotFound,
];

fn list_operation() -> Operation {
    Operation::new("list_jobs", "jobs", "The account's jobs")
        .describe("Newest first, at most 1,000.")
        .reply_list::<JobReply>(200, "The jobs.")
        .codes(&[Code::AuthenticationRequired, Code::Forbidden])
}

fn one_operation() -> Operation {
    Operation::new("get_job", "jobs", "The state of a job")
        .path("id", "The job's UUID.")
        .reply::<JobReply>(200, "The job.")
        .codes(&CODES)
}

fn cancel_operation() -> Operation {
    Operation::new("cancel_job", "jobs", "Cancel or remove a job")
        .describe(
            "A job that has not ended is canceled: it does and charges nothing more, and its results \
             so far stay. A job that has ended is removed with its results.",
        )
        .path("id", "The job's UUID.")
        .reply_empty(204, "Canceled, or removed.")
        .codes(&CODES)
        .codes(&[Code::CsrfFailed])
}

/// The address of a job.
fn location(uid: &str) -> String {
    format!("/api/v1/jobs/{uid}")
}

/// A failure as a job stores it.
fn failure(error: &ApiError) -> Value {
    let mut members = error.extra.clone();
    members.insert("error".to_owned(), error.code.as_str().into());
    members.insert("message".to_owned(), json!(error.message));
    Value::Object(members)
}
