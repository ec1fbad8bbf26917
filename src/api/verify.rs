//! `POST /api/v1/verify` and `/verify/batch`: does a work as cited exist in the sources searched,
//! and do the given fields agree with it?

use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::call::{Call, kind_of};
use super::collections::files::{Upload, find_upload, unknown_format};
use super::error::{ApiError, Code, FieldFault};
use super::file::READABLE;
use super::gate;
use super::lookup::tried_list;
use super::openapi::Operation;
use super::policy;
use super::reply::{Body, Reply};
use super::reverse::{check_text, explanation, parsed, rounded, source_of};
use crate::app::App;
use crate::exchange::metadata::{self, CitationMetadata};
use crate::exchange::{self, Format, Problem};
use crate::lookup::batch;
use crate::lookup::reference::Scope;
use crate::lookup::verify::{self, Verdict, Verification};
use crate::matching::reference::Reference;
use crate::matching::split;
use crate::model::item::Item;
use crate::model::work::Update;
use crate::quota::Reservation;

/// The body of a single verification: `text`, or the metadata itself.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(
    dead_code,
    reason = "only described here: any metadata member may stand in the body"
)]
pub struct VerifyRequest {
    /// A citation in any style, at most 2,000 characters.
    #[schema(max_length = 2000)]
    text: Option<String>,
    /// The fields to check, instead of text. They may also stand in the body itself.
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    metadata: Option<Value>,
    /// Whether only the local corpus is asked; default false.
    #[serde(default)]
    local_only: bool,
}

/// The body of a batch.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VerifyBatchRequest {
    /// Texts, `{text}` or metadata, at most 100.
    #[schema(value_type = Vec<Value>, min_items = 1)]
    references: Vec<Value>,
    /// Whether only the local corpus is asked; default false.
    #[serde(default)]
    local_only: bool,
}

/// What became of one reference.
#[derive(Serialize, ToSchema)]
pub struct VerificationReply<'a> {
    /// The place of the reference in the request, from 0.
    index: usize,
    /// `verified`, `mismatch`, `retracted`, `ambiguous`, `not_found` (in the sources searched),
    /// `not_checked`, or `quota_exhausted`.
    verdict: &'static str,
    /// One sentence.
    message: &'static str,
    /// How well the match fits, 0 to 1; null without one.
    score: Option<f64>,
    /// What was read from the reference.
    #[schema(value_type = Object)]
    input: Value,
    #[serde(rename = "match")]
    #[schema(value_type = Option<CitationMetadata<'static>>)]
    matched: Option<CitationMetadata<'a>>,
    source: Option<&'static str>,
    /// `{field, given, found, severity}`, severity `critical`, `warning` or `info`.
    #[schema(value_type = Vec<Object>)]
    diffs: &'a [verify::Difference],
    /// Notices about the match: `{type, doi, date, source}`.
    #[schema(value_type = Vec<Object>)]
    updates: Value,
    #[schema(value_type = Option<Object>)]
    explanation: Option<super::reverse::Explanation<'a>>,
    /// `{source, outcome}` for every source that was asked.
    #[schema(value_type = Vec<Object>)]
    sources_tried: Value,
}

/// What became of a batch.
#[derive(Serialize, ToSchema)]
pub struct VerifyBatchReply {
    /// In the order of the request.
    #[schema(value_type = Vec<VerificationReply<'static>>)]
    results: Vec<Value>,
    /// What could not be read of a file, and so was not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    problems: Vec<Problem>,
    /// How many references got which verdict.
    #[schema(value_type = Object)]
    summary: Value,
    lookups_used: usize,
    /// Lookups left today.
    remaining: u64,
}

/// `POST /api/v1/verify`.
pub fn one(call: &Call) -> Result<Reply, ApiError> {
    let members = call.json_object()?;
    let local_only = members
        .get("local_only")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    let reference = match members.get("reference") {
        Some(reference) => read_reference(call, "/reference", reference)?,
        None => read_reference(call, "", &Value::Object(members))?,
    };
    let app = &call.app;
    let reservation = gate::reserve(call)?;
    let verification = verify::verify(&app.references, &app.lookup, &reference, scope(local_only))
        .map_err(super::lookup::failed)?;
    if verification.verdict != Verdict::NotChecked {
        gate::commit(call, reservation)?;
    }
    Ok(Reply::json_value(&reply_of(0, &reference, &verification)))
}

/// `POST /api/v1/verify/batch`.
pub fn batch(call: &Call) -> Result<Reply, ApiError> {
    let batch = read_batch(call)?;
    let jobs = set_aside(call, batch.references)?;
    let run = Run {
        app: Arc::clone(&call.app),
        scope: scope(batch.local_only),
        problems: batch.problems,
    };
    let streamed = call
        .header("accept")
        .is_some_and(|accept| accept.contains("application/x-ndjson"));
    if streamed {
        run.stream(jobs)
    } else {
        run.whole(call, jobs)
    }
}

fn scope(local_only: bool) -> Scope {
    if local_only {
        Scope::LocalOnly
    } else {
        Scope::Everywhere
    }
}

/// A reference and the lookup set aside for it; without one the quota is exhausted.
struct Job {
    reference: Reference,
    reservation: Option<Reservation>,
}

/// Sets a lookup aside for each reference, in order, as far as the quota goes. Only where it goes
/// nowhere is the batch refused.
fn set_aside(call: &Call, references: Vec<Reference>) -> Result<Vec<Job>, ApiError> {
    let mut jobs = Vec::with_capacity(references.len());
    let mut exhausted = false;
    for reference in references {
        let reservation = match exhausted {
            true => None,
            false => match gate::reserve(call) {
                Ok(reservation) => Some(reservation),
                Err(error) if error.code == Code::QuotaExhausted && !jobs.is_empty() => None,
                Err(error) => return Err(error),
            },
        };
        exhausted = reservation.is_none();
        jobs.push(Job {
            reference,
            reservation,
        });
    }
    Ok(jobs)
}

/// A batch on its way.
struct Run {
    app: Arc<App>,
    scope: Scope,
    problems: Vec<Problem>,
}

/// What became of one job: the reply, its verdict, and whether it was charged.
struct Done {
    reply: Value,
    verdict: &'static str,
    charged: Option<Reservation>,
}

impl Run {
    fn check(&self, index: usize, job: Job) -> Done {
        let Some(reservation) = job.reservation else {
            let verification = unchecked("The daily lookups were used up before this reference.");
            return self.done(
                index,
                &job.reference,
                &verification,
                Some("quota_exhausted"),
                None,
            );
        };
        match verify::verify(
            &self.app.references,
            &self.app.lookup,
            &job.reference,
            self.scope,
        ) {
            Ok(verification) => {
                let costs = verification.verdict != Verdict::NotChecked;
                self.done(
                    index,
                    &job.reference,
                    &verification,
                    None,
                    costs.then_some(reservation),
                )
            }
            Err(cause) => {
                tracing::error!(%cause, "a reference could not be checked");
                let verification =
                    unchecked("The corpus could not be read, so the reference was not checked.");
                self.done(index, &job.reference, &verification, None, None)
            }
        }
    }

    fn done(
        &self,
        index: usize,
        reference: &Reference,
        verification: &Verification,
        instead: Option<&'static str>,
        charged: Option<Reservation>,
    ) -> Done {
        let mut reply = reply_of(index, reference, verification);
        let verdict = instead.unwrap_or(verification.verdict.as_str());
        if let Some(member) = reply.get_mut("verdict") {
            *member = Value::from(verdict);
        }
        Done {
            reply,
            verdict,
            charged,
        }
    }

    fn whole(self, call: &Call, jobs: Vec<Job>) -> Result<Reply, ApiError> {
        let count = jobs.len();
        let mut results: Vec<Value> = vec![Value::Null; count];
        let mut verdicts = Vec::with_capacity(count);
        let mut used = 0;
        let mut failure = None;
        batch::run(
            jobs,
            batch::WORKERS,
            |n, job| self.check(n, job),
            |n, done| {
                if let Some(reservation) = done.charged {
                    match gate::commit(call, reservation) {
                        Ok(()) => used += 1,
                        Err(error) => failure = Some(error),
                    }
                }
                verdicts.push(done.verdict);
                if let Some(slot) = results.get_mut(n) {
                    *slot = done.reply;
                }
                failure.is_none()
            },
        );
        if let Some(error) = failure {
            return Err(error);
        }
        Ok(Reply::json(&VerifyBatchReply {
            results,
            problems: self.problems,
            summary: summary(&verdicts),
            lookups_used: used,
            remaining: policy::standing(call)?.remaining,
        }))
    }

    /// One result a line, in the order of the request, as they come.
    fn stream(self, jobs: Vec<Job>) -> Result<Reply, ApiError> {
        let (sender, receiver) = tokio::sync::mpsc::channel(16);
        let work = move || {
            let mut order = batch::InOrder::default();
            batch::run(
                jobs,
                batch::WORKERS,
                |n, job| self.check(n, job),
                |n, done| {
                    if let Some(reservation) = done.charged
                        && let Err(cause) = reservation.commit()
                    {
                        tracing::error!(%cause, "a lookup could not be counted");
                    }
                    order.push(n, done.reply).into_iter().all(|(_, reply)| {
                        sender
                            .blocking_send(Bytes::from(format!("{reply}\n")))
                            .is_ok()
                    })
                },
            );
            if !self.problems.is_empty() {
                let line = json!({"problems": self.problems});
                // Whoever has gone away does not miss it.
                let _ = sender.blocking_send(Bytes::from(format!("{line}\n")));
            }
        };
        std::thread::Builder::new()
            .name("verify-batch".to_owned())
            .spawn(work)
            .map_err(ApiError::internal)?;
        let mut reply = Reply::bytes("application/x-ndjson", Bytes::new());
        reply.body = Body::Stream(receiver);
        Ok(reply)
    }
}

fn unchecked(message: &'static str) -> Verification {
    Verification {
        verdict: Verdict::NotChecked,
        message,
        matched: None,
        others: Vec::new(),
        differences: Vec::new(),
        updates: Vec::new(),
        tried: Vec::new(),
    }
}

fn summary(verdicts: &[&'static str]) -> Value {
    let count = |name: &str| verdicts.iter().filter(|v| **v == name).count();
    let mut members = serde_json::Map::new();
    for verdict in Verdict::ALL {
        members.insert(verdict.as_str().to_owned(), count(verdict.as_str()).into());
    }
    members.insert(
        "quota_exhausted".to_owned(),
        count("quota_exhausted").into(),
    );
    Value::Object(members)
}

/// The reply for one reference.
pub fn reply_of(index: usize, reference: &Reference, verification: &Verification) -> Value {
    let matched = verification.matched.as_ref();
    let reply = VerificationReply {
        index,
        verdict: verification.verdict.as_str(),
        message: verification.message,
        score: matched.map(|candidate| rounded(candidate.score)),
        input: parsed(reference),
        matched: matched.map(|candidate| CitationMetadata::of_work(&candidate.work)),
        source: matched.map(source_of),
        diffs: &verification.differences,
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

/// A batch as it was sent.
#[derive(Default)]
struct Batch {
    references: Vec<Reference>,
    local_only: bool,
    /// What could not be read of a file.
    problems: Vec<Problem>,
}

/// The references of a batch, whatever they came as.
fn read_batch(call: &Call) -> Result<Batch, ApiError> {
    let content_type = call.header("content-type").unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default();
    let mut batch = match essence.trim().to_ascii_lowercase().as_str() {
        "" | "application/json" | "text/json" => {
            let request: VerifyBatchRequest = call.json()?;
            Batch {
                references: read_references(call, &request.references)?,
                local_only: request.local_only,
                ..Batch::default()
            }
        }
        "text/plain" => read_list(call, &exchange::decode(&call.body).0)?,
        _ => read_upload(call, &find_upload(call)?)?,
    };
    batch.local_only |= call.query.switch("local_only")?;
    if batch.references.is_empty() {
        return Err(ApiError::invalid_field("/references", "holds no reference"));
    }
    let most = most_references(call);
    if batch.references.len() > most {
        return Err(ApiError::too_many_items("/references", most));
    }
    Ok(batch)
}

/// A bibliography file, or a text file with a list.
fn read_upload(call: &Call, upload: &Upload<'_>) -> Result<Batch, ApiError> {
    let (text, _) = exchange::decode(upload.content);
    let is_text = |name: &String| name.to_ascii_lowercase().ends_with(".txt");
    if upload.name.as_ref().is_some_and(is_text) {
        return read_list(call, &text);
    }
    match upload
        .format
        .or_else(|| exchange::detect(upload.name.as_deref(), &text))
    {
        Some(format) => Ok(read_file(&text, format)),
        None => {
            let others = ["application/json", "text/plain", "multipart/form-data"];
            Err(unknown_format(&others))
        }
    }
}

/// A list as people paste it.
fn read_list(call: &Call, text: &str) -> Result<Batch, ApiError> {
    let references = split(text)
        .iter()
        .take(most_references(call) + 1)
        .enumerate()
        .map(|(n, piece)| {
            check_text(call, &format!("/references/{n}"), &piece.text)?;
            Ok(Reference::parse(&piece.text))
        })
        .collect::<Result<_, ApiError>>()?;
    Ok(Batch {
        references,
        ..Batch::default()
    })
}

fn read_file(text: &str, format: Format) -> Batch {
    let reading = exchange::read(text, format);
    let is_lost = |problem: &Problem| problem.severity == exchange::Severity::Error;
    Batch {
        references: reading
            .items
            .iter()
            .map(|read| Reference::of_item(&read.item))
            .collect(),
        problems: reading.problems.into_iter().filter(is_lost).collect(),
        ..Batch::default()
    }
}

/// References that one call may check.
fn most_references(call: &Call) -> usize {
    call.app.config.limits.batch_items as usize
}

fn read_references(call: &Call, values: &[Value]) -> Result<Vec<Reference>, ApiError> {
    values
        .iter()
        .take(most_references(call) + 1)
        .enumerate()
        .map(|(n, value)| read_reference(call, &format!("/references/{n}"), value))
        .collect()
}

/// A reference: text, `{text}`, `{metadata}` or metadata.
fn read_reference(call: &Call, pointer: &str, value: &Value) -> Result<Reference, ApiError> {
    let members = match value {
        Value::String(text) => {
            check_text(call, pointer, text)?;
            return Ok(Reference::parse(text));
        }
        Value::Object(members) => members,
        other => {
            let message = format!("must be text or metadata, not {}", kind_of(other));
            return Err(ApiError::invalid_field(pointer, message));
        }
    };
    if let Some(Value::String(text)) = members.get("text") {
        check_text(call, &format!("{pointer}/text"), text)?;
        return Ok(Reference::parse(text));
    }
    let item = match members.get("metadata") {
        None | Some(Value::Null) => read_item(pointer, value)?,
        Some(metadata) => read_item(&format!("{pointer}/metadata"), metadata)?,
    };
    let reference = Reference::of_item(&item);
    if reference.tokens.is_empty() {
        return Err(ApiError::invalid_field(
            pointer,
            "says nothing that could be checked; send `text` with the reference as it is written, or \
             `metadata` with a title, names or an identifier",
        ));
    }
    Ok(reference)
}

fn read_item(pointer: &str, value: &Value) -> Result<Item, ApiError> {
    metadata::read_value(value)
        .map(|(item, _)| item)
        .map_err(|faults| {
            let faults = faults
                .into_iter()
                .map(|fault| {
                    FieldFault::new(
                        &format!("{pointer}{}", fault.field),
                        fault.code,
                        fault.message,
                    )
                })
                .collect();
            ApiError::invalid_fields(faults)
        })
}

const CODES: [Code; 5] = [
    Code::ValidationFailed,
    Code::PlanRequired,
    Code::AuthenticationRequired,
    Code::QuotaExhausted,
    Code::PayloadTooLarge,
];

/// What the verdicts mean, for the documentation.
const VERDICTS: &str = "`verified`: the work is known and the reference agrees with it. `mismatch`: an \
                        identifier names another work, or key fields differ. `retracted`: the work has been \
                        retracted or withdrawn. `ambiguous`: several works fit, or one fits too loosely. \
                        `not_found`: not in the sources searched. `not_checked`: a source could not be \
                        asked. Each reference costs one lookup; those not checked cost nothing.";

pub fn one_operation() -> Operation {
    Operation::new(
        "verify",
        "verify",
        "Check one reference against the known works",
    )
    .describe(VERDICTS)
    .body::<VerifyRequest>()
    .reply::<VerificationReply<'static>>(200, "The verdict.")
    .codes(&CODES)
}

pub fn batch_operation() -> Operation {
    Operation::new("verify_batch", "verify", "Check up to 100 references")
        .describe(
            "Takes JSON, `text/plain` with a pasted list, BibTeX, RIS, CSL-JSON, or a form with such a \
             file. With `Accept: \
             application/x-ndjson` one result a line is sent as soon as it is there. Where the quota \
             ends within the batch, the rest is marked `quota_exhausted`.",
        )
        .query_switch("local_only", "Ask only the local corpus.")
        .body::<VerifyBatchRequest>()
        .body_files(&["text/plain"])
        .body_files(&READABLE)
        .body_form()
        .reply::<VerifyBatchReply>(200, "A result for each reference, in order.")
        .codes(&CODES)
        .codes(&[Code::UnsupportedMediaType])
}
