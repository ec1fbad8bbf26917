//! `/c/{id}/import`: a file into a collection.

use http::Method;
use serde_json::Value;

use super::answers::{error_message, failed, list, text};
use super::frame::{show, words};
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::subrequest;
use crate::ui::import::{self, Import, Place, Report};
use crate::ui::page::{Frame, query_value};

/// `GET /c/{id}/import`.
pub fn ask(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, Import::default())
}

/// `POST /c/{id}/import`: the file goes on to the interface as it came.
pub fn run(context: &RequestContext) -> Result<Reply, ApiError> {
    let path = format!(
        "/api/v1/collections/{}/import",
        query_value(context.param("id"))
    );
    let content_type = context.header("content-type");
    let answer = subrequest::ask(
        context,
        Method::POST,
        &path,
        content_type,
        context.body.clone(),
    );
    // A file without a usable record has a report too.
    let has_report = answer.is_ok() || answer.error() == "unprocessable_import";
    let view = Import {
        report: has_report.then(|| report(&answer.body)),
        problem: (!answer.is_ok()).then(|| error_message(words(context), &answer)),
        ..Import::default()
    };
    Ok(page(context, view)?.with_status(answer.status))
}

fn page(context: &RequestContext, view: Import) -> Result<Reply, ApiError> {
    let path = format!(
        "/api/v1/collections/{}?limit=1",
        query_value(context.param("id"))
    );
    let collection = subrequest::get(context, &path);
    if !collection.is_ok() {
        return Err(failed(&collection));
    }
    let words = words(context);
    let view = Import {
        collection: text(&collection.body, "id").to_owned(),
        collection_name: text(&collection.body, "name").to_owned(),
        ..view
    };
    let frame = Frame {
        title: words.get("import.title"),
        current: "/library",
        script: Some("import.js"),
        ..Frame::default()
    };
    Ok(show(context, &frame, import::import(words, &view)))
}

fn report(body: &Value) -> Report {
    let number = |name: &str| body.get(name).and_then(Value::as_u64).unwrap_or(0);
    let places = |name: &str| list(body, name).iter().map(place).collect();
    Report {
        imported: number("imported"),
        skipped: number("skipped"),
        failed: number("failed"),
        errors: places("errors"),
        warnings: places("warnings"),
    }
}

fn place(problem: &Value) -> Place {
    let number = |name: &str| problem.get(name).and_then(Value::as_u64).unwrap_or(0);
    Place {
        line: number("line"),
        column: number("column"),
        key: text(problem, "citation_key").to_owned(),
        message: text(problem, "message").to_owned(),
        snippet: text(problem, "snippet").to_owned(),
    }
}
