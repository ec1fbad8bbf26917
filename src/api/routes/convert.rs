//! `POST /api/v1/import` and `/api/v1/export`: converts bibliography files to entries, and entries to
//! files. Nothing is stored.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;
use utoipa::openapi::{ObjectBuilder, Type};

use super::file::{self, FileForm};
use super::format;
use super::reverse::{self, ParsedReference};
use super::verify::LeftOut;
use crate::api::edge::action::Action;
use crate::api::edge::context::{RequestContext, unsupported};
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::formatting::StyleChoice;
use citation_exchange::metadata::CitationMetadata;
use citation_exchange::{
    Column, Content, Format, Hints, Problem, Reading, Severity, UNKNOWN_COLUMNS, WriteOptions,
};
use citation_matching::reference::Reference;
use citation_matching::{self as matching, Piece, split};
use citation_model::budget::{Exceeded, is_longer};
use citation_model::item::Item;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::import("/api/v1/import", Action::Format, import)
            .heavy()
            .documented(import_operation),
        route::post("/api/v1/export", Action::Format, export)
            .heavy()
            .documented(export_operation),
    ]
}

/// The content of a file.
#[derive(Serialize, ToSchema)]
pub struct FileContents<'a> {
    /// The id of a format, such as `bibtex`, or `text` for references in plain text.
    format: &'static str,
    /// The detected encoding: `utf-8`, `utf-16le`, `iso-8859-1`, `windows-1252`.
    encoding: &'static str,
    /// Number of records in the file.
    total: usize,
    failed: usize,
    entries: Vec<ImportedEntry<'a>>,
    /// The columns read from a table, `{name, variable}`; empty for other formats.
    #[schema(value_type = Vec<crate::api::openapi::schemas::TableColumn>)]
    columns: &'a [Column],
    /// The references of a plain text; empty for other formats.
    references: Vec<String>,
    /// The fields parsed from each of them.
    #[schema(value_type = Vec<super::reverse::ParsedReference<'static>>)]
    parsed: Vec<ParsedReference<'a>>,
    /// Lines of a plain text that are not references, such as page headers.
    left_out: Vec<LeftOut>,
    /// Number of further such lines.
    #[serde(skip_serializing_if = "is_zero")]
    more_left_out: usize,
    /// Records that could not be read: `{index, line, column, citation_key, code, message, snippet}`.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FileProblem>)]
    errors: Vec<&'a Problem>,
    /// The same, for records with corrected values.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FileProblem>)]
    warnings: Vec<&'a Problem>,
}

/// One record of a file.
#[derive(Serialize, ToSchema)]
struct ImportedEntry<'a> {
    /// Position among the records, from 0.
    index: usize,
    /// The line where it starts, from 1.
    line: usize,
    citation_key: &'a str,
    #[schema(value_type = CitationMetadata<'static>)]
    metadata: CitationMetadata<'a>,
}

/// The request body of an export.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"entries": [{"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}], "format": "bibtex"}))]
pub struct ExportRequest {
    /// The entries to write, at most as many as can be formatted.
    #[schema(value_type = Vec<CitationMetadata<'static>>)]
    entries: Value,
    /// The id of a format, such as `bibtex`, or formatted: `text`, `html`, `rtf`, `markdown`.
    #[schema(schema_with = form_names)]
    format: String,
    /// As for formatting entries.
    style: Option<String>,
    /// As for formatting entries.
    locale: Option<String>,
    /// As for formatting entries.
    #[serde(default)]
    first_number: u32,
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
        TextContents::References(list) => return references_reply(context, list, encoding),
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
    let contents = FileContents {
        format: format.id,
        encoding,
        total: reading.total,
        failed: reading.total.saturating_sub(reading.items.len()),
        entries: entries.collect(),
        columns: &reading.columns,
        references: Vec::new(),
        parsed: Vec::new(),
        left_out: Vec::new(),
        more_left_out: 0,
        errors: of(Severity::Error),
        warnings: of(Severity::Warning),
    };
    match contents
        .errors
        .iter()
        .find(|error| error.code == UNKNOWN_COLUMNS)
    {
        Some(error) => {
            let mut refused = ApiError::new(Code::UnprocessableImport, error.message.clone());
            if let Ok(Value::Object(members)) = serde_json::to_value(&contents) {
                refused.extra = members;
            }
            Err(refused)
        }
        None => Ok(Reply::json(&contents)),
    }
}

/// The content of a text.
pub enum TextContents {
    /// The records of a bibliography file.
    Records(&'static Format, Reading),
    /// A plain text.
    References(ReferenceList),
}

/// The references of a plain text.
pub struct ReferenceList {
    pub references: Vec<String>,
    /// Number of references found, including unreadable ones.
    total: usize,
    errors: Vec<Problem>,
    /// The lines between them.
    pub left_out: Vec<matching::LeftOutLine>,
    more_left_out: usize,
}

/// Reads a file in its detected format, else as references.
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

/// Splits a plain text into references. Overlong ones are reported and not returned.
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
            let message = format!("Only the first {total} references of a text are read.");
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

fn references_reply(
    context: &RequestContext,
    list: ReferenceList,
    encoding: &'static str,
) -> Result<Reply, ApiError> {
    let parse = |text: &String| {
        context.budget.spend(Reference::steps(text))?;
        Ok(Reference::parse(text))
    };
    let parsed: Result<Vec<Reference>, Exceeded> = list.references.iter().map(parse).collect();
    let parsed = parsed.map_err(file::too_complex)?;
    Ok(Reply::json(&FileContents {
        format: "text",
        encoding,
        total: list.total,
        failed: list.total - list.references.len(),
        entries: Vec::new(),
        columns: &[],
        references: list.references,
        parsed: parsed.iter().map(reverse::parsed).collect(),
        left_out: list.left_out.into_iter().map(LeftOut::of_line).collect(),
        more_left_out: list.more_left_out,
        errors: list.errors.iter().collect(),
        warnings: Vec::new(),
    }))
}

/// A problem with a reference of a text.
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

/// The format of the file; `None` for plain text, which only some content types allow.
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
    let (items, _) = format::read_entries(&context.job, &request.entries)?;
    let form = form_named(&request.format)?;
    let choice = StyleChoice {
        first_number: request.first_number,
        ..StyleChoice::named(request.style, request.locale)
    };
    file(context, items, form, &choice)
}

/// The file format for a name in a request.
pub fn form_named(name: &str) -> Result<FileForm, ApiError> {
    FileForm::named(name).ok_or_else(|| {
        let names: Vec<&str> = FileForm::all().map(FileForm::name).collect();
        let names = names.join(", ");
        let message = format!("must be one of {names}, not “{name}”");
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
    context.formatter().check_count(&items)?;
    let text = form.write(context, items, &WriteOptions::default(), choice)?;
    let name = format!("attachment; filename=\"bibliography.{}\"", form.extension());
    Ok(Reply::bytes(&form.media_type(), text).with_header("content-disposition", name))
}

pub fn import_operation() -> Operation {
    Operation::new("import_file", "formatting", "Read a bibliography file")
        .describe("Returns the entries of a file and its problems with line numbers, and stores nothing. The format is detected from the content; the content type decides between similar ones. Text sent as text/plain without a known format is split into references; unsupported formats are rejected by name. Costs no lookup.")
        .query("columns", file::COLUMNS)
        .body_files(&["text/plain"])
        .body_files(&file::readable())
        .reply::<FileContents<'static>>(200, "The content of the file.")
        .codes(&[Code::UnprocessableImport])
}

pub fn export_operation() -> Operation {
    Operation::new("export_entries", "formatting", "Write entries as a file")
        .describe("BibTeX, biblatex, RIS and CSL-JSON keep every field, Hayagriva's YAML is for Typst; text, HTML, RTF and Markdown are the bibliography in a style. Costs no lookup.")
        .body::<ExportRequest>()
        .reply_text(200, "The file.", FileForm::all().map(FileForm::media_type))
        .codes(&[Code::UnknownStyle])
}
