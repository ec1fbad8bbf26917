//! `POST /api/v1/collections/{id}/import`: imports bibliography files.

use serde::Serialize;
use utoipa::ToSchema;

use super::dto::{self, SameWork};
use super::entries::ON_DUPLICATE;
use super::transaction::{WRITE_CODES, known_collection, read, versioned, write, write_dry};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::multipart;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::file::{self, readable};
use crate::collections::Change;
use crate::collections::CollectionAction;
use crate::collections::import::{ImportOptions, ImportOutcome, PreparedFile};
use citation_exchange::{Column, Content, Encoding, Format, Hints, Problem, Severity};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::import("/api/v1/collections/{id}/import", Action::Write, import)
            .idempotent()
            .heavy()
            .documented(operation),
    ]
}

/// The result of an import. Every record of the file is imported, skipped or failed.
#[derive(Serialize, ToSchema)]
pub struct ImportReply {
    /// The id of a format, such as `bibtex`.
    format: &'static str,
    /// `utf-8`, `utf-16le`, `utf-16be`, `iso-8859-1` or `windows-1252`.
    encoding: &'static str,
    /// Records in the file.
    total: usize,
    imported: usize,
    /// Skipped because the same work already exists.
    skipped: usize,
    failed: usize,
    entries: Vec<ImportedReply>,
    /// Failed records, in the file's order: `{index, line, column, citation_key, code, message,
    /// snippet}`.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FileProblem>)]
    errors: Vec<Problem>,
    /// Corrected values, likewise.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FileProblem>)]
    warnings: Vec<Problem>,
    /// The columns read from a table, `{name, variable}`; empty for other formats.
    #[schema(value_type = Vec<crate::api::openapi::schemas::TableColumn>)]
    columns: Vec<Column>,
    /// Records that are the same work as an entry, imported or not.
    duplicates: Vec<SameWork>,
    dry_run: bool,
}

/// One imported record.
#[derive(Serialize, ToSchema)]
pub struct ImportedReply {
    /// Position among the records of the file, from 0.
    index: usize,
    /// UUID; null in a dry run.
    entry_id: Option<String>,
    citation_key: Option<String>,
}

/// The uploaded file.
pub struct Upload<'c> {
    pub content: &'c [u8],
    pub name: Option<String>,
    /// The client's content type.
    pub media_type: Option<String>,
}

impl Upload<'_> {
    pub fn hints(&self) -> Hints<'_> {
        Hints {
            file_name: self.name.as_deref(),
            media_type: self.media_type.as_deref(),
        }
    }
}

/// `POST /api/v1/collections/{id}/import`.
pub fn import(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = known_collection(context, CollectionAction::EditEntries)?;
    let given = read_file(context)?;
    let options = ImportOptions {
        on_duplicate: super::entries::on_duplicate(context)?,
        partial: context.query.switch("partial")?,
    };
    let dry_run = context.query.switch("dry_run")?;
    let (format, encoding) = (given.format, given.encoding);
    let body = |outcome| body(outcome, format, encoding, dry_run);
    if let Some(mut error) = given.unprocessable() {
        let body = body(ImportOutcome::nothing(given.file));
        if let Ok(serde_json::Value::Object(members)) = serde_json::to_value(body) {
            error.extra = members;
        }
        return Err(error);
    }
    let file = given.file;
    let compared = read(context, |snapshot| {
        snapshot.compare(&collection, file.drafts())
    })?;
    let job = |change: &Change<'_>| change.import(&collection, &file, &compared, options);
    let reply = |outcome| Reply::json(&body(outcome));
    if dry_run {
        // The version of a rolled-back change does not exist.
        write_dry(context, job, |(_, outcome)| reply(outcome))
    } else {
        write(context, job, |(row, outcome)| {
            versioned(reply(outcome), &row)
        })
    }
}

/// The parsed file.
pub struct ReadFile {
    pub file: PreparedFile,
    format: &'static Format,
    encoding: Encoding,
    is_blank: bool,
}

/// Reads the file in the body.
pub fn read_file(context: &RequestContext) -> Result<ReadFile, ApiError> {
    let upload = find_upload(context)?;
    let content = Content::new(upload.content);
    let format = find_format(context, &upload, &content)?;
    let reading = file::read(context, &content, format)?;
    Ok(ReadFile {
        file: context.app.collections.prepare(reading)?,
        format,
        encoding: content.encoding(),
        is_blank: content.text().trim().is_empty(),
    })
}

impl ReadFile {
    /// The error for a file without a usable record.
    pub fn unprocessable(&self) -> Option<ApiError> {
        if !self.file.is_useless() {
            return None;
        }
        let mut problems = self.file.problems.iter();
        let message = if self.is_blank {
            "The file is empty.".to_owned()
        } else if problems.any(|problem| problem.severity == Severity::Error) {
            "The file contains no usable entry; “errors” lists the problems.".to_owned()
        } else {
            format!("No {} entry was found in the file.", self.format.title)
        };
        Some(ApiError::new(Code::UnprocessableImport, message))
    }
}

/// Finds the file in the body: a part of a form, or the body itself.
pub fn find_upload(context: &RequestContext) -> Result<Upload<'_>, ApiError> {
    let content_type = context.header("content-type").unwrap_or_default();
    let Some(parts) = multipart::parts_of(content_type, &context.body) else {
        return Ok(Upload {
            content: &context.body,
            name: context.query.get("filename").map(str::to_owned),
            media_type: Some(content_type.to_owned()),
        });
    };
    let parts = parts.map_err(|cause| {
        ApiError::new(Code::BadRequest, format!("The form is broken: {cause}."))
    })?;
    let mut files: Vec<_> = parts
        .into_iter()
        .filter(|part| part.file_name.is_some() || part.name == "file")
        .collect();
    // A form may offer a text beside the file; a chosen file replaces it.
    if files
        .iter()
        .any(|part| part.file_name.is_some() && !part.content.is_empty())
    {
        files.retain(|part| part.file_name.is_some());
    }
    let chosen = files.iter().filter(|part| !part.content.is_empty()).count();
    if chosen > 1 {
        let message = format!("The form contains {chosen} files; send one per request.");
        return Err(ApiError::invalid_field("/file", message));
    }
    // Browsers send an empty file if none was chosen.
    files.sort_by_key(|part| part.content.is_empty());
    let Some(part) = files.into_iter().next() else {
        return Err(ApiError::invalid_field(
            "/file",
            "is missing: the form contains no file",
        ));
    };
    Ok(Upload {
        content: part.content,
        media_type: part.content_type,
        name: part.file_name.filter(|name| !name.is_empty()),
    })
}

/// The query's format has priority; then the content, then the name and the media type.
fn find_format(
    context: &RequestContext,
    upload: &Upload<'_>,
    content: &Content<'_>,
) -> Result<&'static Format, ApiError> {
    if let Some(wanted) = context.query.get("format") {
        let named = Format::named(wanted).filter(|format| format.is_readable());
        return named.ok_or_else(|| {
            let names: Vec<&str> = Format::readable().map(|format| format.id).collect();
            let message = format!(
                "format must be one of {}, not “{wanted}”.",
                names.join(", ")
            );
            ApiError::invalid_parameter("format", message)
        });
    }
    file::recognise(context, content, upload.hints())?
        .ok_or_else(|| unknown_format(&["multipart/form-data"]))
}

/// The error for an unrecognised file. `others` are the route's content types besides
/// those of bibliography files.
pub fn unknown_format(others: &[&str]) -> ApiError {
    let names: Vec<&str> = Format::readable().map(|format| format.title).collect();
    ApiError::new(
        Code::UnsupportedMediaType,
        format!(
            "The file's content and its content type match none of {}.",
            names.join(", ")
        ),
    )
    .with("supported", [others, &readable()[..]].concat())
}

fn body(
    imported: ImportOutcome,
    format: &Format,
    encoding: Encoding,
    dry_run: bool,
) -> ImportReply {
    let failed = imported.failed();
    let (errors, warnings) = imported
        .problems
        .into_iter()
        .partition(|problem| problem.severity == Severity::Error);
    let entries: Vec<ImportedReply> = imported
        .entries
        .into_iter()
        .map(|entry| ImportedReply {
            index: entry.index,
            entry_id: (!dry_run).then_some(entry.entry),
            citation_key: entry.citation_key,
        })
        .collect();
    ImportReply {
        format: format.id,
        encoding: encoding.name(),
        total: imported.total,
        imported: entries.len(),
        skipped: imported.skipped,
        failed,
        entries,
        errors,
        warnings,
        columns: imported.columns,
        duplicates: dto::same_works(imported.duplicates),
        dry_run,
    }
}

pub fn operation() -> Operation {
    Operation::new(
        "import_entries",
        "collections",
        "Import a bibliography file",
    )
    .describe(
        "The file is the part `file` of a form, or the body itself. Encoding and format are \
             detected. If the plan does not allow all records, none is imported unless \
             `partial` is set. Every record is imported, skipped or listed under `errors` with its \
             position, also if it exceeds the limits of an entry. A form contains one file.",
    )
    .path("id", "The collection's UUID.")
    .query_choice(
        "on_duplicate",
        ON_DUPLICATE,
        "`add` (the default), `skip` to skip existing works, or `error` for 409 if \
         there are any.",
    )
    .query_choice(
        "format",
        Format::readable().map(|format| format.id),
        "The format of the file, if it should not be detected.",
    )
    .query("columns", file::COLUMNS)
    .query_switch("partial", "Import as many records as the plan allows.")
    .query_switch("dry_run", "Only preview the result.")
    .body_form()
    .body_files(&readable())
    .reply::<ImportReply>(200, "The result.")
    .codes(&WRITE_CODES)
    .codes(&[
        Code::EntryLimitReached,
        Code::UnprocessableImport,
        Code::Conflict,
    ])
}
