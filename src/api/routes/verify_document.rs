//! `POST /api/v1/verify/document`: checks the references of a manuscript, a bibliography or a list, sent
//! as a file, and reports their positions.

use super::collections::files::Upload;
use super::file::readable;
use super::verify::{CODES, DocumentFinding, DocumentReply, InputPosition, ReferenceOrigin};
use super::verify_batch::{GivenReference, ReferenceBatch, VerifyBatchReply, read_file, read_list};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::multipart::{self, Part};
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::lookup::manuscript::{self, Contents, ContentsError, Manuscript};
use crate::lookup::overrides::{self, Overrides};
use citation_documents::{Companions, DocumentError};
use citation_exchange::Content;
use citation_model::budget::is_longer;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::import("/api/v1/verify/document", Action::PaidLookup, document)
            .heavy()
            .documented(operation),
    ]
}

/// `POST /api/v1/verify/document`.
pub fn document(context: &RequestContext) -> Result<Reply, ApiError> {
    let most = most_references(context);
    let batch = read(context, most)?;
    let batch = ReferenceBatch {
        local_only: context.query.switch("local_only")?,
        ..batch.bounded("/file", most)?
    };
    batch.run(context)
}

/// The references of the file in the body.
fn read(context: &RequestContext, most: usize) -> Result<ReferenceBatch, ApiError> {
    let (upload, companions) = find_upload(context)?;
    let companion = |path: &str| {
        let wanted = last_segment(path);
        let found = companions.iter().find(|part| {
            let name = part.file_name.as_deref().map(last_segment);
            name.is_some_and(|name| name == wanted)
        });
        found.map(|part| part.content.to_vec())
    };
    read_upload(context, &upload, &companion, most)
}

/// The references of a file, up to the number that shows that it has more than `most`. `companion` gives the
/// files beside it that it names.
pub fn read_upload(
    context: &RequestContext,
    upload: &Upload<'_>,
    companion: Companions<'_>,
    most: usize,
) -> Result<ReferenceBatch, ApiError> {
    let content = Content::new(upload.content);
    let (hints, job) = (upload.hints(), &context.job);
    let contents = manuscript::read(&content, upload.content, hints, companion, job);
    let overrides = match companion(overrides::FILE_NAME) {
        Some(file) => read_overrides(&file)?,
        None => Overrides::default(),
    };
    let (mut batch, format) = match contents.map_err(unreadable)? {
        Contents::Bibliography(format) => (read_file(context, &content, format)?, format.id),
        Contents::List => (read_list(context, content.text(), most)?, "list"),
        Contents::Manuscript(manuscript) => {
            let batch = of_manuscript(context, manuscript);
            return Ok(ReferenceBatch { overrides, ..batch });
        }
    };
    batch.overrides = overrides;
    batch.document = Some(DocumentReply {
        format,
        references: batch.references.len(),
        citations: 0,
        findings: Vec::new(),
    });
    Ok(batch)
}

fn read_overrides(file: &[u8]) -> Result<Overrides, ApiError> {
    Overrides::read(file).map_err(|cause| {
        let message = format!("{}: {cause}", overrides::FILE_NAME);
        ApiError::invalid_field("/companion", message)
    })
}

fn of_manuscript(context: &RequestContext, manuscript: Manuscript) -> ReferenceBatch {
    let most = context.app.config.limits.reference_chars as usize;
    let document = DocumentReply {
        format: manuscript.format.name(),
        references: manuscript.references.len(),
        citations: manuscript.citations,
        findings: manuscript
            .findings
            .into_iter()
            .map(DocumentFinding::of)
            .collect(),
    };
    let references = manuscript.references.into_iter();
    let references = references.map(|reference| GivenReference {
        is_too_long: is_longer(&reference.text, most),
        given: reference.given,
        origin: ReferenceOrigin {
            position: Some(InputPosition::in_document(
                &reference.place,
                reference.key.as_ref(),
            )),
            text: Some(reference.text),
        },
    });
    ReferenceBatch {
        references: references.collect(),
        document: Some(document),
        ..ReferenceBatch::default()
    }
}

/// The name of a file without its folders.
pub fn last_segment(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The document and its companion files.
fn find_upload(context: &RequestContext) -> Result<(Upload<'_>, Vec<Part<'_>>), ApiError> {
    let content_type = context.header("content-type").unwrap_or_default();
    let Some(parts) = multipart::parts_of(content_type, &context.body) else {
        let upload = super::collections::files::find_upload(context)?;
        return Ok((upload, Vec::new()));
    };
    let parts = parts.map_err(|cause| {
        ApiError::new(Code::BadRequest, format!("The form is broken: {cause}."))
    })?;
    let (documents, companions): (Vec<Part<'_>>, Vec<Part<'_>>) =
        parts.into_iter().partition(|part| part.name == "file");
    let mut documents = documents
        .into_iter()
        .filter(|part| !part.content.is_empty());
    let document = documents.next().ok_or_else(|| {
        ApiError::invalid_field("/file", "is missing: the form has no file with this name")
    })?;
    if documents.next().is_some() {
        let message = "is sent twice; companion files go into `companion`";
        return Err(ApiError::invalid_field("/file", message));
    }
    let upload = Upload {
        content: document.content,
        media_type: document.content_type,
        name: document.file_name.filter(|name| !name.is_empty()),
    };
    Ok((upload, companions))
}

fn unreadable(cause: ContentsError) -> ApiError {
    match cause {
        ContentsError::Document(DocumentError::Exceeded(exceeded)) => exceeded.into(),
        ContentsError::Blocked(cause) => cause.into(),
        ContentsError::Unreadable(_)
        | ContentsError::Document(
            DocumentError::Unsupported { .. } | DocumentError::Encrypted(_),
        ) => ApiError::new(Code::UnsupportedMediaType, format!("The file: {cause}."))
            .with("supported", readable()),
        ContentsError::Document(_) => {
            ApiError::new(Code::UnprocessableImport, format!("The file: {cause}."))
        }
    }
}

/// Maximum number of references in a document.
fn most_references(context: &RequestContext) -> usize {
    context.app.config.limits.document_references as usize
}

pub fn operation() -> Operation {
    Operation::new(
        "verify_document",
        "verify",
        "Check the references of a manuscript",
    )
    .describe(
        "Accepts a form with the manuscript as its part `file`, and the bibliographies and included files \
         that it names as parts `companion`, also `citation-verify.toml` with decisions of people \
         about its references; or the manuscript alone as the body, its name in `filename`. \
         Word, OpenDocument, TeX, Markdown, Typst, HTML, RTF and text are read, and so is any file that \
         `verify/batch` accepts. Works that the document embeds with its citations are checked as \
         metadata and compared with its printed list. Every result has the position of the reference, \
         `document` the format of the file, the inconsistent citations and entries, and the pages of a PDF that \
         take too much work to read. With `Accept: \
         application/x-ndjson` the first line is `{\"document\": …}`; the rest is as for `verify/batch`.",
    )
    .query_switch("local_only", "Ask only the local corpus.")
    .query("filename", "The name of a file that is the body itself.")
    .body_document()
    .reply::<VerifyBatchReply>(200, "A result for each reference, in order.")
    .codes(&CODES)
        .codes(&[Code::UnprocessableImport])
}
