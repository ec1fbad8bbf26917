//! `/account/jobs`: the account's jobs, their progress and results; starts some of them without script.

use serde_json::Value;

use super::frame::{self, error_message, form, redirect, words};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::transaction::read;
use crate::api::routes::file::FileForm;
use crate::api::routes::jobs::submit::{self, ExportJobRequest};
use crate::api::routes::jobs::{self as api, FILE};
use crate::store::jobs::{JobRow, ResultRow};
use crate::ui::bibliography::format_label;
use crate::ui::jobs::{JobPage, JobResultView, JobView, JobsPage};
use crate::ui::page::{Frame, Moment};

/// The number of jobs on the page, newest first.
const SHOWN: usize = 100;

/// The number of results on a page.
const RESULTS: u64 = 100;

/// `GET /account/jobs`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None)
}

fn page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let jobs = context.app.jobs.list(context.account()?.id)?.into_iter();
    let jobs = jobs.take(SHOWN).map(|job| view(context, job));
    let rows = read(context, |snapshot| Ok(snapshot.collections(false)?))?;
    let formats = FileForm::all().map(|form| {
        let title = match form {
            FileForm::Records(format) => Some(format.title),
            _ => format_label(form.name()),
        };
        (form.ending(), title.unwrap_or(form.name()))
    });
    let main = JobsPage {
        words: words(context),
        jobs: jobs.collect::<Result<_, ApiError>>()?,
        has_batches: context.caller.plan.is_paid(),
        collections: rows.into_iter().map(|row| (row.uid, row.name)).collect(),
        formats: formats.collect(),
        problem,
    };
    let frame = Frame {
        title: words(context).get("jobs.title"),
        current: "/account/jobs",
        script: Some("jobs.js"),
        ..Frame::default()
    };
    Ok(frame::show(context, &frame, main))
}

/// The page, with the reason why nothing happened.
fn refused(context: &RequestContext, error: &ApiError) -> Result<Reply, ApiError> {
    let problem = error_message(words(context), error);
    Ok(page(context, Some(problem))?.with_status(error.code.status()))
}

fn view(context: &RequestContext, job: JobRow) -> Result<JobView, ApiError> {
    let jobs = &context.app.jobs;
    let outcomes = jobs.outcomes(&job)?.into_iter();
    let outcomes: Vec<(String, u64)> = outcomes.filter(|(outcome, _)| outcome != FILE).collect();
    let error: Option<Value> = { job.error.as_deref() }
        .map(serde_json::from_str)
        .transpose()
        .map_err(ApiError::internal)?;
    Ok(JobView {
        state: job.state.as_str(),
        has_ended: job.state.has_ended(),
        has_file: jobs.output(&job)?.is_some(),
        files: (job.files_done, job.files),
        items: (outcomes.iter().map(|(_, n)| n).sum(), job.items),
        outcomes,
        lookups: job.lookups,
        created_at: Moment(job.created_at),
        removed_at: jobs.removed_at(&job).map(Moment),
        error: error.map(|error| text(&error, "/message")),
        id: job.uid,
        kind: job.kind,
    })
}

/// `POST /account/jobs`: cancels or removes a job, or starts an export.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let action = form.get("do").unwrap_or_default();
    let changed = match action.split_once(':').unwrap_or((action, "")) {
        ("cancel", id) => end(context, id, false),
        ("remove", id) => end(context, id, true),
        ("export", _) => {
            let text = |name: &str| form.get(name).unwrap_or_default().to_owned();
            let request = ExportJobRequest {
                collection_id: text("collection"),
                format: text("format"),
                ..ExportJobRequest::default()
            };
            submit::export(context, request).map(drop)
        }
        _ => Ok(()),
    };
    match changed {
        Ok(()) => Ok(redirect("/account/jobs")),
        Err(error) => refused(context, &error),
    }
}

/// Cancels a job, or removes one that has ended. A job that ended before it could be canceled stays.
fn end(context: &RequestContext, id: &str, is_removed: bool) -> Result<(), ApiError> {
    let job = api::find(context, &id.to_ascii_lowercase())?;
    if job.state.has_ended() == is_removed {
        context.app.jobs.cancel(&job)?;
    }
    Ok(())
}

/// `POST /account/jobs/verify`: a form with files.
pub fn verify(context: &RequestContext) -> Result<Reply, ApiError> {
    let admitted = gate::admit_operation(context, Action::PaidLookup);
    match admitted.and_then(|()| submit::verify(context)) {
        Ok(_) => Ok(redirect("/account/jobs")),
        Err(error) => refused(context, &error),
    }
}

/// `GET /account/jobs/{id}?after=`.
pub fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    let job = api::known_job(context)?;
    let after = context.query.number("after", 0, 0, u32::MAX as usize)? as u64;
    let rows = context.app.jobs.results(&job, after, RESULTS)?;
    let is_full = rows.len() as u64 == RESULTS;
    let next = rows.last().map(|row| row.number).filter(|_| is_full);
    let results = rows.iter().filter_map(result);
    let main = JobPage {
        words: words(context),
        results: results.collect(),
        job: view(context, job)?,
        next,
    };
    let frame = Frame {
        title: main.words.get("jobs.title"),
        current: "/account/jobs",
        has_heading: true,
        script: Some("jobs.js"),
        ..Frame::default()
    };
    Ok(frame::show(context, &frame, main))
}

/// A text at a place of an answer; empty if there is none.
fn text(value: &Value, pointer: &str) -> String {
    match value.pointer(pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// A stored result; `None` for what only describes a file.
fn result(row: &ResultRow) -> Option<JobResultView> {
    let stored: Value = serde_json::from_str(&row.result).ok()?;
    let first = |pointers: &[&str]| {
        let texts = pointers.iter().map(|pointer| text(&stored, pointer));
        let mut filled = texts.filter(|text| !text.is_empty());
        filled.next().unwrap_or_default()
    };
    let view = JobResultView {
        number: row.number,
        file: text(&stored, "/file"),
        outcome: first(&["/result/verdict", "/result/status"]),
        given: first(&[
            "/result/text",
            "/result/input/title",
            "/result/metadata/title",
        ]),
        found: first(&["/result/match/title", "/result/bibliography"]),
        doi: Some(text(&stored, "/result/match/doi")).filter(|doi| !doi.is_empty()),
        message: first(&["/error/message", "/result/message", "/result/error/message"]),
    };
    if stored.get("error").is_some_and(|error| !error.is_null()) {
        let outcome = "error".to_owned();
        return Some(JobResultView { outcome, ..view });
    }
    if view.outcome.is_empty() {
        let imported = stored.pointer("/result/imported")?;
        let counts = ["skipped", "failed"].map(|name| {
            let n = text(&stored, &format!("/result/{name}"));
            (name, n)
        });
        let counts = counts.iter().filter(|(_, n)| !n.is_empty() && n != "0");
        let counts = counts.map(|(name, n)| format!("{n} {name}"));
        let all = std::iter::once(format!("{imported} imported")).chain(counts);
        return Some(JobResultView {
            outcome: "imported".to_owned(),
            message: all.collect::<Vec<_>>().join(", "),
            ..view
        });
    }
    Some(view)
}
