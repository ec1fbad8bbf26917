//! `/c/{id}/import`: a file into a collection.

use http::Method;
use serde_json::Value;

use super::answers::{failed, list, said, text};
use super::frame::{show, words};
use crate::api::call::Call;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::api::within;
use crate::ui::import::{self, Import, Place, Report};
use crate::ui::page::{Frame, query_value};

/// `GET /c/{id}/import`.
pub fn ask(call: &Call) -> Result<Reply, ApiError> {
    page(call, Import::default())
}

/// `POST /c/{id}/import`: the file goes on to the interface as it came.
pub fn run(call: &Call) -> Result<Reply, ApiError> {
    let path = format!(
        "/api/v1/collections/{}/import",
        query_value(call.param("id"))
    );
    let content_type = call.header("content-type");
    let answer = within::ask(call, Method::POST, &path, content_type, call.body.clone());
    // A file without a usable record has a report too.
    let has_report = answer.is_ok() || answer.error() == "unprocessable_import";
    let view = Import {
        report: has_report.then(|| report(&answer.body)),
        problem: (!answer.is_ok()).then(|| said(words(call), &answer)),
        ..Import::default()
    };
    Ok(page(call, view)?.with_status(answer.status))
}

fn page(call: &Call, view: Import) -> Result<Reply, ApiError> {
    let path = format!(
        "/api/v1/collections/{}?limit=1",
        query_value(call.param("id"))
    );
    let collection = within::get(call, &path);
    if !collection.is_ok() {
        return Err(failed(&collection));
    }
    let words = words(call);
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
    Ok(show(call, &frame, import::import(words, &view)))
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
