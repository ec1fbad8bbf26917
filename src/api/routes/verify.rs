//! `POST /api/v1/verify`: checks whether a cited work exists in the sources searched and whether its
//! fields agree.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::lookup::{SourceTried, tried_list};
use super::reverse::{ParsedReference, check_text, explanation, parsed};
use super::verify_revise::CorrectionRequest;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::edge::validation::kind_of;
use crate::api::error::{ApiError, Code, FieldFault};
use crate::api::openapi::operation::Operation;
use crate::lookup::corrections::corrections;
use crate::lookup::decisions;
use crate::lookup::overrides::{AppliedOverride, reference_key};
use crate::lookup::scope::Scope;
use crate::lookup::verify::{self, Verification, VerificationInput};
use crate::quota::Charge;
use citation_documents as documents;
use citation_exchange::ReadItem;
use citation_exchange::metadata::{self, CitationMetadata};
use citation_matching::certainty::rounded;
use citation_matching::reference::Reference;
use citation_matching::{self as matching, TextPosition};
use citation_model::access::TextAccess;
use citation_model::item::Item;
use citation_model::work::Update;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::post("/api/v1/verify", Action::Lookup, one)
            .heavy()
            .documented(one_operation),
    ]
}

/// The request body of a single verification: `text`, or the metadata itself.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(
    dead_code,
    reason = "only described here: any metadata member may stand in the body"
)]
#[schema(example = json!({"text": "Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8."}))]
pub struct VerifyRequest {
    /// A citation in any style, at most 2,000 characters.
    text: Option<String>,
    /// The fields to check, instead of text. They may also be members of the body itself.
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    metadata: Option<Value>,
    /// Whether only the local corpus is asked; default false.
    #[serde(default)]
    local_only: bool,
}

/// The result for one reference.
#[derive(Serialize, ToSchema)]
pub struct VerificationReply<'a> {
    /// The position of the reference in the request, from 0.
    index: usize,
    /// The position of the reference in a text or a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<InputPosition>,
    /// The reference as the text or the document has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    /// `verified`, `mismatch`, `retracted`, `ambiguous`, `not_found` (in the sources searched),
    /// `not_checked`, or `quota_exhausted`.
    verdict: &'static str,
    /// One sentence.
    message: &'static str,
    /// The probability that the verdict is right, 0 to 1; null for verdicts that decide nothing.
    probability: Option<f64>,
    /// Names the reference among decisions of people.
    reference_key: String,
    /// The decision of a person that the verdict follows.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::api::openapi::schemas::AppliedOverride>)]
    decided: Option<&'a AppliedOverride>,
    /// How well the match fits, 0 to 1; null without one.
    score: Option<f64>,
    /// The fields parsed from the reference.
    #[schema(value_type = ParsedReference<'static>)]
    input: ParsedReference<'a>,
    #[serde(rename = "match")]
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    matched: Option<CitationMetadata<'a>>,
    source: Option<&'static str>,
    /// Other works that match as well; only if the verdict is `ambiguous`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<CitationMetadata<'static>>)]
    others: Vec<CitationMetadata<'a>>,
    /// `{field, given, found, severity}`, severity `critical`, `warning` or `info`.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FieldDifference>)]
    diffs: &'a [verify::Difference],
    /// What is certainly wrong, and what is right: `{field, given, found}`, to be written into the reference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<CorrectionRequest>)]
    corrections: Vec<Value>,
    /// `{field, status, source}` for every field.
    #[schema(value_type = Vec<crate::api::openapi::schemas::FieldCheck>)]
    fields: &'a [verify::FieldCheck],
    /// Other records of the match, under identifiers of their own.
    other_forms: Vec<OtherFormReply<'a>>,
    /// Notices about the match: `{type, doi, date, source}`.
    #[schema(value_type = Vec<crate::api::openapi::schemas::UpdateNotice>)]
    updates: Value,
    #[schema(value_type = Option<super::reverse::Explanation<'static>>)]
    explanation: Option<super::reverse::Explanation<'a>>,
    /// `{source, outcome}` for every source asked; `found` if it has a plausible
    /// work.
    sources_tried: Vec<SourceTried>,
}

/// Another record of a work: its preprint, its publication, another registration.
#[derive(Serialize, ToSchema)]
struct OtherFormReply<'a> {
    /// `preprint`, `published`, `version`, `registration`, `translation` or `original`.
    form: &'static str,
    #[serde(rename = "match")]
    #[schema(value_type = CitationMetadata<'static>)]
    matched: CitationMetadata<'a>,
}

/// The document, and the problems of its citations and references.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DocumentReply {
    /// `docx`, `odt`, `tex`, `markdown`, `typst`, `html`, `rtf`, `text`, `list`, or the id of a
    /// bibliography's format.
    pub format: &'static str,
    /// Number of references.
    pub references: usize,
    /// Number of marked citations.
    pub citations: usize,
    pub findings: Vec<DocumentFinding>,
}

/// An inconsistency within a document.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DocumentFinding {
    /// `undefined_key`, `uncited_entry`, `duplicate_work`, `missing_number`, `missing_file`, `unread_page` or
    /// `unread_field`.
    kind: &'static str,
    /// One sentence.
    message: String,
    /// The keys concerned; texts of the entries that have none; numbers of pages.
    keys: Vec<String>,
    position: InputPosition,
}

impl DocumentFinding {
    pub fn of(finding: documents::Finding) -> DocumentFinding {
        DocumentFinding {
            kind: finding.kind.as_str(),
            position: InputPosition::in_document(&finding.place, None),
            message: finding.message,
            keys: finding.keys,
        }
    }
}

/// A line that is not a reference.
#[derive(Serialize, ToSchema)]
pub struct LeftOut {
    text: String,
    /// Why it is not a reference: one sentence.
    reason: &'static str,
    position: InputPosition,
}

impl LeftOut {
    pub fn of_line(line: matching::LeftOutLine) -> LeftOut {
        LeftOut {
            position: InputPosition::of_place(&line.place),
            reason: line.reason.sentence(),
            text: line.text,
        }
    }
}

/// The position of a reference in the text or the file. Characters are Unicode scalar values
/// of the decoded text, without a byte order mark.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = Position)]
pub struct InputPosition {
    /// The line where it starts, from 1. Documents without lines have paragraphs.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Text: the column where it starts, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// Text: the character where it starts, from 0 at the start of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<usize>,
    /// Text: the character after its last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<usize>,
    /// Files: the entry's key, if the format has keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    citation_key: Option<String>,
    /// Documents: the page, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<usize>,
    /// Documents: the paragraph, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    paragraph: Option<usize>,
    /// Documents: the number of the note, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<usize>,
    /// Documents: the companion file that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl InputPosition {
    pub fn of_place(place: &TextPosition) -> InputPosition {
        InputPosition {
            line: Some(place.line),
            column: Some(place.column),
            start: Some(place.characters.start),
            end: Some(place.characters.end),
            ..InputPosition::default()
        }
    }

    pub fn of_entry(read: &ReadItem) -> InputPosition {
        InputPosition {
            line: Some(read.line),
            citation_key: Some(read.citation_key.clone()).filter(|key| !key.is_empty()),
            ..InputPosition::default()
        }
    }

    pub fn in_document(place: &documents::Place, key: Option<&String>) -> InputPosition {
        InputPosition {
            line: place.line,
            page: place.page,
            paragraph: place.paragraph,
            note: place.note,
            file: place.file.clone(),
            citation_key: key.cloned(),
            ..InputPosition::default()
        }
    }
}

/// `POST /api/v1/verify`.
pub fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    let members = context.json_object()?;
    let local_only = members
        .get("local_only")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    let reference = match members.get("reference") {
        Some(reference) => read_reference(context, "/reference", reference)?,
        None => read_reference(context, "", &Value::Object(members))?,
    };
    let verification = check(context, &reference, context.scope(local_only))?;
    Ok(Reply::json_value(&reply_of(
        0,
        &reference.into(),
        &verification,
        ReferenceOrigin::default(),
    )))
}

/// Checks one reference. Costs a lookup if the sources have answered.
pub fn check(
    context: &RequestContext,
    reference: &Reference,
    scope: Scope,
) -> Result<Verification, ApiError> {
    let app = &context.app;
    let checked = gate::charge(context, || {
        let checked = verify::verify(&app.references, &app.lookup, reference, scope, &context.job);
        let local_works_are_free = app.lookup.local_works_are_free();
        let costs = { checked.as_ref() }.is_ok_and(|checked| checked.costs(local_works_are_free));
        Charge::new(checked, costs)
    })?;
    let mut checked = checked.map_err(super::lookup::failed)?;
    if let Some(account) = context.caller.account() {
        let key = reference_key(&reference.text);
        decisions::of_reference(&app.store, account.id, &key)?.apply(reference, &mut checked);
    }
    Ok(checked)
}

/// The origin of a reference.
#[derive(Clone, Debug, Default)]
pub struct ReferenceOrigin {
    pub position: Option<InputPosition>,
    /// As the document has it.
    pub text: Option<String>,
}

/// The reply for one reference.
pub fn reply_of(
    index: usize,
    given: &VerificationInput,
    verification: &Verification,
    origin: ReferenceOrigin,
) -> Value {
    let reference = &given.reference;
    let matched = verification.matched.as_ref();
    let reply = VerificationReply {
        index,
        position: origin.position,
        text: origin.text.as_deref(),
        verdict: verification.verdict.as_str(),
        message: verification.message,
        probability: verification.probability.map(rounded),
        reference_key: reference_key(&reference.text),
        decided: verification.decided.as_deref(),
        score: matched.map(|candidate| rounded(candidate.score)),
        input: parsed(reference),
        matched: matched.map(|candidate| {
            let known = verification.access != TextAccess::default();
            let access = known.then(|| verification.access.clone());
            CitationMetadata::of_work(&candidate.work).with_access(access)
        }),
        source: matched.map(|candidate| candidate.source()),
        others: { verification.others.iter() }
            .map(|candidate| CitationMetadata::of_work(&candidate.work))
            .collect(),
        diffs: &verification.differences,
        corrections: { corrections(given, verification).into_iter() }
            .map(|made| json!({"field": made.field, "given": made.given, "found": made.found}))
            .collect(),
        fields: &verification.fields,
        other_forms: verification
            .forms
            .iter()
            .map(|other| OtherFormReply {
                form: other.form.as_str(),
                matched: CitationMetadata::of_work(&other.work),
            })
            .collect(),
        updates: notices(&verification.updates),
        explanation: matched.map(explanation),
        sources_tried: tried_list(&verification.tried),
    };
    serde_json::to_value(reply).unwrap_or_default()
}

/// Notices about a work: `{type, relation, doi, date, source}`.
pub fn notices(updates: &[Update]) -> Value {
    let list: Vec<Value> = updates
        .iter()
        .map(|update| {
            json!({
                "type": update.kind.as_str(),
                "relation": update.relation.as_str(),
                "doi": update.doi.as_str(),
                "date": update.date.as_ref().map(|date| date.edtf()),
                "source": update.source,
            })
        })
        .collect();
    Value::Array(list)
}

/// A reference: text, `{text}`, `{metadata}` or metadata.
pub fn read_reference(
    context: &RequestContext,
    pointer: &str,
    value: &Value,
) -> Result<Reference, ApiError> {
    let members = match value {
        Value::String(text) => {
            check_text(context, pointer, text)?;
            return Ok(Reference::parse(text));
        }
        Value::Object(members) => members,
        other => {
            let message = format!("must be text or metadata, not {}", kind_of(other));
            return Err(ApiError::invalid_field(pointer, message));
        }
    };
    if let Some(Value::String(text)) = members.get("text") {
        check_text(context, &format!("{pointer}/text"), text)?;
        return Ok(Reference::parse(text));
    }
    let item = match members.get("metadata") {
        None | Some(Value::Null) => read_item(pointer, value)?,
        Some(metadata) => read_item(&format!("{pointer}/metadata"), metadata)?,
    };
    reference_of(pointer, &item)
}

/// The reference of an item.
pub fn reference_of(pointer: &str, item: &Item) -> Result<Reference, ApiError> {
    let reference = Reference::of_item(item);
    if reference.tokens.is_empty() {
        return Err(ApiError::invalid_field(
            pointer,
            "contains nothing to check; send `text` with the reference, or \
             `metadata` with a title, names or an identifier",
        ));
    }
    Ok(reference)
}

fn read_item(pointer: &str, value: &Value) -> Result<Item, ApiError> {
    metadata::read_value(value)
        .map(|(item, _)| item)
        .map_err(|errors| ApiError::invalid_fields(FieldFault::of_metadata(pointer, errors)))
}

/// The common errors of all verification routes.
pub const CODES: [Code; 3] = [
    Code::ValidationFailed,
    Code::QuotaExhausted,
    Code::PayloadTooLarge,
];

/// The meaning of the verdicts, for the documentation.
const VERDICTS: &str = "`verified`: the work is known and the reference agrees with it. `mismatch`: an \
                        identifier names another work, or key fields differ. `retracted`: the work has been \
                        retracted or withdrawn. `ambiguous`: several works match, or the only match is too weak. \
                        `not_found`: not in the sources searched. `not_checked`: a source did not \
                        answer. Each reference costs one lookup; those not checked are free. \
                        Single references are open to everyone, within the lookup quota.";

pub fn one_operation() -> Operation {
    Operation::new("verify", "verify", "Check one reference")
        .describe(VERDICTS)
        .body::<VerifyRequest>()
        .reply::<VerificationReply<'static>>(200, "The verdict.")
        .codes(&CODES)
}
