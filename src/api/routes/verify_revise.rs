//! `POST /api/v1/verify/document/revise`: writes the corrections of a verification into a Word document, as
//! tracked changes and comments. It looks nothing up.

use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::multipart;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::clock::iso8601;
use citation_documents::{self as documents, DocumentError, Place, Revision, Signature};
use citation_exchange::correction::Correction;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::import("/api/v1/verify/document/revise", Action::Format, revise)
            .heavy()
            .documented(operation),
    ]
}

/// The author of tracked changes.
const AUTHOR: &str = "Citation";

/// The maximum number of revisions, and of characters of each of their texts.
const MAX_REVISIONS: usize = 5_000;
const MAX_CHARS: usize = 20_000;

const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/// The fields that can be corrected, as in `corrections` of a result.
const FIELDS: [&str; 8] = [
    "year",
    "volume",
    "issue",
    "pages",
    "container_title",
    "title",
    "doi",
    "author",
];

/// The revision of one reference.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RevisionRequest {
    /// `position` of the result.
    #[schema(minimum = 1, maximum = 10_000_000)]
    paragraph: Option<usize>,
    #[schema(minimum = 1, maximum = 10_000_000)]
    note: Option<usize>,
    /// `text` of the result.
    text: String,
    /// `corrections` of the result.
    #[serde(default)]
    #[schema(max_items = 800)]
    corrections: Vec<CorrectionRequest>,
    /// A comment if there is no correction, or no certain place for it.
    #[serde(default)]
    #[schema(max_length = 20_000)]
    comment: String,
}

/// A new value for a field of a reference.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CorrectionRequest {
    /// `year`, `volume`, `issue`, `pages`, `container_title`, `title`, `doi`, or `author` for a family name.
    field: String,
    #[schema(max_length = 20_000)]
    given: String,
    #[schema(max_length = 20_000)]
    found: String,
}

/// `POST /api/v1/verify/document/revise`: the document.
fn revise(context: &RequestContext) -> Result<Reply, ApiError> {
    let content_type = context.header("content-type").unwrap_or_default();
    let parts = multipart::parts_of(content_type, &context.body).unwrap_or_else(|| Ok(Vec::new()));
    let parts = parts.map_err(|cause| {
        ApiError::new(Code::BadRequest, format!("The form is broken: {cause}."))
    })?;
    let part = |name: &'static str| {
        let found = parts.iter().find(|part| part.name == name);
        found.ok_or_else(|| {
            let message = "is missing: the form has no part with this name";
            ApiError::invalid_field(&format!("/{name}"), message)
        })
    };
    let (file, revisions) = (part("file")?, part("revisions")?);
    let requests: Vec<RevisionRequest> =
        serde_json::from_slice(revisions.content).map_err(|cause| {
            let message = format!("is not a list of revisions: {cause}");
            ApiError::invalid_field("/revisions", message)
        })?;
    if requests.len() > MAX_REVISIONS {
        return Err(ApiError::too_many_items("/revisions", MAX_REVISIONS as u64));
    }
    let revisions = requests.into_iter().enumerate();
    let revisions = revisions.map(|(at, request)| revision(at, request));
    let revisions: Vec<Revision> = revisions.collect::<Result<_, ApiError>>()?;
    let signature = Signature {
        author: AUTHOR,
        date: &iso8601(context.app.clock.unix()),
    };
    let revised = documents::revise(file.content, &revisions, signature, &context.budget);
    let revised = revised.map_err(unreadable)?;
    Ok(Reply::bytes(DOCX, revised.bytes).with_header(
        "content-disposition",
        "attachment; filename=\"revised.docx\"",
    ))
}

fn revision(at: usize, request: RevisionRequest) -> Result<Revision, ApiError> {
    let mut corrections = Vec::new();
    let mut chars = request.text.len().max(request.comment.len());
    for (n, correction) in request.corrections.into_iter().enumerate() {
        let known = FIELDS.into_iter().find(|known| *known == correction.field);
        let field = known.ok_or_else(|| {
            let pointer = format!("/revisions/{at}/corrections/{n}/field");
            ApiError::invalid_field(&pointer, format!("must be one of {}", FIELDS.join(", ")))
        })?;
        chars = chars.max(correction.given.len() + correction.found.len());
        corrections.push(Correction {
            field,
            given: correction.given,
            found: correction.found,
        });
    }
    if chars > MAX_CHARS || corrections.len() > FIELDS.len() * MAX_PER_FIELD {
        let pointer = format!("/revisions/{at}");
        return Err(ApiError::invalid_field(&pointer, "is too long"));
    }
    Ok(Revision {
        place: Place {
            paragraph: request.paragraph,
            note: request.note,
            ..Place::default()
        },
        text: request.text,
        corrections,
        comment: request.comment,
    })
}

/// Names may each have a correction.
const MAX_PER_FIELD: usize = 100;

fn unreadable(cause: DocumentError) -> ApiError {
    match cause {
        DocumentError::Exceeded(exceeded) => exceeded.into(),
        cause => {
            let message = format!("The file is not a Word document that can be changed: {cause}.");
            ApiError::new(Code::UnprocessableImport, message)
        }
    }
}

/// The form.
fn form(revisions: &Value) -> Value {
    json!({
        "type": "object",
        "required": ["file", "revisions"],
        "properties": {
            "file": {"type": "string", "format": "binary", "description": "A .docx."},
            "revisions": {"type": "array", "items": revisions, "maxItems": MAX_REVISIONS, "description": "JSON."},
        },
    })
}

fn operation() -> Operation {
    let revisions = json!({"$ref": "#/components/schemas/RevisionRequest"});
    Operation::new(
        "revise_document",
        "verify",
        "Write corrections into a Word document",
    )
    .describe(
        "As tracked changes, and as comments where nothing is certain; the author decides. The text, the position \
         and the corrections are those of the results of `verify/document`. Only the runs with a correction \
         change. Nothing is looked up.",
    )
    .schema::<RevisionRequest>()
    .schema::<CorrectionRequest>()
    .body_schema("multipart/form-data", form(&revisions))
    .reply_text(200, "The document.", [DOCX])
    .codes(&[Code::ValidationFailed, Code::UnprocessableImport, Code::PayloadTooLarge])
}
