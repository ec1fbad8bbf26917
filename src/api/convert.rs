//! `POST /api/v1/import` and `/api/v1/export`: bibliographies in the formats of other programs become
//! entries, and entries become files. Nothing is kept.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;
use utoipa::openapi::{ObjectBuilder, Type};

use super::context::{RequestContext, unsupported};
use super::error::{ApiError, Code};
use super::file::{self, FileForm};
use super::format::{self, StyleChoice};
use super::operation::Operation;
use super::reply::Reply;
use super::verify::LeftOut;
use citation_exchange::metadata::CitationMetadata;
use citation_exchange::{Column, Content, Format, Hints, Problem, Reading, Severity, WriteOptions};
use citation_matching::{self as matching, Piece, split};
use citation_model::budget::is_longer;
use citation_model::item::Item;

/// What a file holds.
#[derive(Serialize, ToSchema)]
pub struct FileContents<'a> {
    /// The id of a format, such as `bibtex`, or `text` for references in plain text.
    format: &'static str,
    /// As it was recognised: `utf-8`, `utf-16le`, `iso-8859-1`, `windows-1252`.
    encoding: &'static str,
    /// Records in the file.
    total: usize,
    failed: usize,
    entries: Vec<ImportedEntry<'a>>,
    /// What was read from which column of a table, `{name, variable}`; empty for other formats.
    #[schema(value_type = Vec<super::schemas::TableColumn>)]
    columns: &'a [Column],
    /// The references of a plain text, one by one; empty for the other formats.
    references: Vec<String>,
    /// Lines of a plain text that are no references but stand around them, such as the header of a page.
    left_out: Vec<LeftOut>,
    /// How many more such lines there are.
    #[serde(skip_serializing_if = "is_zero")]
    more_left_out: usize,
    /// Records that were not read: `{index, line, column, citation_key, code, message, snippet}`.
    #[schema(value_type = Vec<super::schemas::FileProblem>)]
    errors: Vec<&'a Problem>,
    /// The same, for records that were read otherwise than they stand.
    #[schema(value_type = Vec<super::schemas::FileProblem>)]
    warnings: Vec<&'a Problem>,
}

/// One record of a file.
#[derive(Serialize, ToSchema)]
struct ImportedEntry<'a> {
    /// Position among the records, from 0.
    index: usize,
    /// The line on which it begins, from 1.
    line: usize,
    citation_key: &'a str,
    #[schema(value_type = CitationMetadata<'static>)]
    metadata: CitationMetadata<'a>,
}

/// The body of an export.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"entries": [{"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}], "format": "bibtex"}))]
pub struct ExportRequest {
    /// What to write, at most as many as can be formatted.
    #[schema(value_type = Vec<CitationMetadata<'static>>)]
    entries: Value,
    /// The id of a format, such as `bibtex`, or, formatted: `text`, `html`, `rtf`, `markdown`.
    #[schema(schema_with = form_names)]
    format: String,
    /// As for formatting entries.
    style: Option<String>,
    /// As for formatting entries.
    locale: Option<String>,
}

fn form_names() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(FileForm::all().map(FileForm::name)))
        .build()
}

/// `POST /api/v1/import`.
pub fn import(context: &RequestContext) -> Result<Reply, ApiError> {
    let content = Content::new(&context.body);
    let encoding = content.encoding().name();
    let content_type = context.header("content-type").unwrap_or_default();
    let (format, reading) = match read_text(context, &content, content_type)? {
        TextContents::Records(format, reading) => (format, reading),
        TextContents::References(list) => return Ok(references_reply(list, encoding)),
    };
    let of = |severity: Severity| -> Vec<&Problem> {
        let problems = reading.problems.iter();
        problems
            .filter(|problem| problem.severity == severity)
            .collect()
    };
    let entries = reading.items.iter().map(|read| ImportedEntry {
        index: read.index,
        line: read.line,
        citation_key: &read.citation_key,
        metadata: CitationMetadata::of_item(&read.item),
    });
    Ok(Reply::json(&FileContents {
        format: format.id,
        encoding,
        total: reading.total,
        failed: reading.total.saturating_sub(reading.items.len()),
        entries: entries.collect(),
        columns: &reading.columns,
        references: Vec::new(),
        left_out: Vec::new(),
        more_left_out: 0,
        errors: of(Severity::Error),
        warnings: of(Severity::Warning),
    }))
}

/// What a text holds.
pub enum TextContents {
    /// The records of a bibliography file.
    Records(&'static Format, Reading),
    /// A plain text.
    References(ReferenceList),
}

/// The references of a plain text.
pub struct ReferenceList {
    pub references: Vec<String>,
    /// How many were found, those included that cannot be read.
    total: usize,
    errors: Vec<Problem>,
    /// The lines around them.
    pub left_out: Vec<matching::LeftOut>,
    more_left_out: usize,
}

/// Reads a file in the format that it shows, else as references.
pub fn read_text(
    context: &RequestContext,
    content: &Content<'_>,
    content_type: &str,
) -> Result<TextContents, ApiError> {
    if content.bytes().trim_ascii().is_empty() {
        return Err(ApiError::new(
            Code::UnprocessableImport,
            "The file is empty.",
        ));
    }
    Ok(match format_of(context, content_type, content)? {
        Some(format) => TextContents::Records(format, file::read(context, content, format)?),
        None => TextContents::References(references(context, content)?),
    })
}

/// Takes a plain text apart. What is longer than a reference may be is told, and not given back.
fn references(context: &RequestContext, content: &Content<'_>) -> Result<ReferenceList, ApiError> {
    let most = context.app.config.limits.reference_chars as usize;
    let list = split(content.text(), &context.budget).map_err(file::too_complex)?;
    let (total, is_cut_off) = (list.pieces.len(), list.is_cut_off);
    let mut references = Vec::new();
    let mut errors = Vec::new();
    for (index, piece) in list.pieces.into_iter().enumerate() {
        if is_longer(&piece.text, most) {
            let message = format!("The reference is longer than {most} characters.");
            errors.push(problem_of(Some(index), &piece, "too_long", message));
        } else if is_cut_off && index + 1 == total {
            let message = format!("Of a text, the first {total} references are read.");
            errors.push(problem_of(None, &piece, "too_many", message));
            references.push(piece.text);
        } else {
            references.push(piece.text);
        }
    }
    Ok(ReferenceList {
        references,
        total,
        errors,
        left_out: list.left_out,
        more_left_out: list.more_left_out,
    })
}

fn references_reply(list: ReferenceList, encoding: &'static str) -> Reply {
    Reply::json(&FileContents {
        format: "text",
        encoding,
        total: list.total,
        failed: list.total - list.references.len(),
        entries: Vec::new(),
        columns: &[],
        references: list.references,
        left_out: list.left_out.into_iter().map(LeftOut::of_line).collect(),
        more_left_out: list.more_left_out,
        errors: list.errors.iter().collect(),
        warnings: Vec::new(),
    })
}

/// What is wrong with a reference of a text.
fn problem_of(index: Option<usize>, piece: &Piece, code: &'static str, message: String) -> Problem {
    const SNIPPET: usize = 120;
    Problem {
        index,
        line: piece.place.line,
        column: piece.place.column,
        citation_key: None,
        code,
        message,
        snippet: piece.text.chars().take(SNIPPET).collect(),
        severity: Severity::Error,
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The format that the file shows; nothing for plain text, which only some content types promise.
fn format_of(
    context: &RequestContext,
    content_type: &str,
    content: &Content<'_>,
) -> Result<Option<&'static Format>, ApiError> {
    let hints = Hints {
        media_type: Some(content_type),
        ..Hints::default()
    };
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    match (file::recognise(context, content, hints)?, essence) {
        (Some(format), _) => Ok(Some(format)),
        (
            None,
            "" | "text/plain" | "application/octet-stream" | "application/x-www-form-urlencoded",
        ) => Ok(None),
        (None, named) => {
            let supported = [&["text/plain"], &file::readable()[..]].concat();
            Err(unsupported(&supported, named))
        }
    }
}

/// `POST /api/v1/export`.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: ExportRequest = context.json()?;
    let (items, _) = format::read_entries(&request.entries)?;
    let form = form_named(&request.format)?;
    let choice = StyleChoice::named(request.style, request.locale);
    file(context, items, form, &choice)
}

/// The form of a file by the name that a request gives it.
pub fn form_named(name: &str) -> Result<FileForm, ApiError> {
    FileForm::named(name).ok_or_else(|| {
        let names: Vec<&str> = FileForm::all().map(FileForm::name).collect();
        let names = names.join(", ");
        let message = format!("is “{name}”, but must be one of {names}");
        ApiError::invalid_field("/format", message)
    })
}

/// Items as a file.
pub fn file(
    context: &RequestContext,
    items: Vec<Item>,
    form: FileForm,
    choice: &StyleChoice,
) -> Result<Reply, ApiError> {
    format::check_count(context, &items)?;
    let text = form.write(context, items, &WriteOptions::default(), choice)?;
    let name = format!("attachment; filename=\"bibliography.{}\"", form.extension());
    Ok(Reply::bytes(&form.media_type(), text).with_header("content-disposition", name))
}

pub fn import_operation() -> Operation {
    Operation::new("import_file", "formatting", "Read a bibliography file")
        .describe("Gives the entries of a file and what is wrong with it, line by line, and keeps nothing. The format is recognised by what the file holds, and the content type decides between those that look alike. What is sent as text/plain and shows no format is taken apart into references; a file of a format that is not read is refused by its name. Costs no lookup.")
        .query("columns", file::COLUMNS)
        .body_files(&["text/plain"])
        .body_files(&file::readable())
        .reply::<FileContents<'static>>(200, "What the file holds.")
        .codes(&[Code::UnprocessableImport, Code::UnsupportedMediaType, Code::PayloadTooLarge, Code::TooComplex])
}

pub fn export_operation() -> Operation {
    Operation::new("export_entries", "formatting", "Write entries as a file")
        .describe("BibTeX, biblatex, RIS and CSL-JSON keep every field, Hayagriva's YAML is what Typst reads; text, HTML, RTF and Markdown are the bibliography in a style. Costs no lookup.")
        .body::<ExportRequest>()
        .reply_text(200, "The file.", FileForm::all().map(FileForm::media_type))
        .codes(&[Code::ValidationFailed, Code::UnknownStyle])
}
