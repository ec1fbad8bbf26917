//! `/c/{id}/import`: imports a file into a collection.

use super::frame::{error_message, show, words};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::files;
use crate::api::routes::collections::transaction::{change, known_collection, read, uid};
use crate::collections::CollectionAction;
use crate::collections::import::{ImportOptions, ImportOutcome};
use crate::ui::import::{ImportPage, ImportView};
use crate::ui::page::Frame;
use citation_exchange::Severity;

/// `GET /c/{id}/import`.
pub fn ask(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, ImportPage::default())
}

/// `POST /c/{id}/import`.
pub fn run(context: &RequestContext) -> Result<Reply, ApiError> {
    let (report, error) = match import(context) {
        Ok((outcome, error)) => (Some(report(outcome)), error),
        Err(error) => (None, Some(error)),
    };
    let view = ImportPage {
        report,
        problem: error
            .as_ref()
            .map(|error| error_message(words(context), error)),
        ..ImportPage::default()
    };
    let reply = page(context, view)?;
    Ok(match error {
        Some(error) => reply.with_status(error.code.status()),
        None => reply,
    })
}

/// The import report, also shown if no record is usable.
fn import(context: &RequestContext) -> Result<(ImportOutcome, Option<ApiError>), ApiError> {
    let collection = known_collection(context, CollectionAction::EditEntries)?;
    let given = files::read_file(context)?;
    if let Some(error) = given.unprocessable() {
        return Ok((ImportOutcome::nothing(given.file), Some(error)));
    }
    let file = given.file;
    let compared = read(context, |snapshot| {
        snapshot.compare(&collection, file.drafts())
    })?;
    let options = ImportOptions::default();
    let imported = change(context, |change| {
        change.import(&collection, &file, &compared, options)
    });
    imported.map(|(_, outcome)| (outcome, None))
}

fn page(context: &RequestContext, view: ImportPage) -> Result<Reply, ApiError> {
    let uid = uid(context, "id");
    let row = read(context, |snapshot| snapshot.collection(&uid))?;
    let words = words(context);
    let view = ImportPage {
        words,
        collection: row.uid,
        collection_name: row.name,
        max_bytes: context.app.config.limits.import_bytes,
        ..view
    };
    let frame = Frame {
        title: words.get("import.title"),
        current: "/library",
        script: Some("import.js"),
        ..Frame::default()
    };
    Ok(show(context, &frame, view))
}

fn report(outcome: ImportOutcome) -> ImportView {
    let (imported, skipped) = (outcome.entries.len() as u64, outcome.skipped as u64);
    let failed = outcome.failed() as u64;
    let problems = outcome.problems.into_iter();
    let (errors, warnings) = problems.partition(|problem| problem.severity == Severity::Error);
    ImportView {
        imported,
        skipped,
        failed,
        errors,
        warnings,
    }
}
