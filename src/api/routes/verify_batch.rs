//! `POST /api/v1/verify/batch`: checks a list of references in any form, and reports
//! their positions.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::collections::files::{Upload, find_upload, unknown_format};
use super::file::{self, readable};
use super::verify::{
    CODES, DocumentReply, InputPosition, LeftOut, ReferenceOrigin, VerificationReply,
    read_reference, reply_of,
};
use crate::api::edge::action::Action;
use crate::api::edge::allowance::{Allowance, NoLookup};
use crate::api::edge::context::RequestContext;
use crate::api::edge::policy;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::ApiError;
use crate::api::openapi::operation::Operation;
use crate::api::openapi::schemas::ReferenceRequest;
use crate::app::App;
use crate::blocking::Job;
use crate::lookup::batch;
use crate::lookup::decisions;
use crate::lookup::overrides::Overrides;
use crate::lookup::scope::Scope;
use crate::lookup::verify::{Verdict, Verification, VerificationInput, apply_list_style};
use crate::quota::Charge;
use citation_exchange::{self as exchange, Content, Format, Hints, Problem};
use citation_matching::reference::Reference;
use citation_matching::split;
use citation_model::budget::is_longer;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::import("/api/v1/verify/batch", Action::PaidLookup, batch)
            .heavy()
            .documented(operation),
    ]
}

/// The body of a batch.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"references": ["Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8.", {"metadata": {"title": "A theory of communication", "authors": [{"family": "Shannon", "given": "C. E."}], "date": {"year": 1948}}}], "local_only": true}))]
pub struct VerifyBatchRequest {
    /// Texts, `{text}` or metadata, at most 100.
    #[schema(schema_with = crate::api::openapi::schemas::references)]
    references: Vec<Value>,
    /// Whether only the local corpus is asked; default false.
    #[serde(default)]
    local_only: bool,
}

/// The result of a batch.
#[derive(Serialize, ToSchema)]
pub struct VerifyBatchReply {
    /// The kind of the file; only for documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<DocumentReply>,
    /// In the order of the request.
    #[schema(value_type = Vec<VerificationReply<'static>>)]
    results: Vec<Value>,
    /// Unreadable parts of a file, which were not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<crate::api::openapi::schemas::FileProblem>)]
    problems: Vec<Problem>,
    /// Lines of a text that are not references, such as page headers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    /// Number of references by verdict.
    #[schema(value_type = std::collections::BTreeMap<String, u64>)]
    summary: Value,
    lookups_used: u32,
    /// Lookups left today.
    remaining: u64,
}

/// `POST /api/v1/verify/batch`.
pub fn batch(context: &RequestContext) -> Result<Reply, ApiError> {
    read_batch(context)?.run(context)
}

impl ReferenceBatch {
    /// Rejects a batch without references, and one with too many.
    pub fn bounded(self, pointer: &str, most: usize) -> Result<ReferenceBatch, ApiError> {
        match self.references.len() {
            0 => Err(ApiError::invalid_field(pointer, "contains no reference")),
            n if n > most => Err(ApiError::too_many_items(pointer, most as u64)),
            _ => Ok(self),
        }
    }

    /// With the decisions of the caller's account; those beside a document go before them.
    pub fn with_decisions(mut self, context: &RequestContext) -> Result<ReferenceBatch, ApiError> {
        if let Some(account) = context.caller.account() {
            let own = decisions::of_account(&context.app.store, account.id)?;
            self.overrides.complete(own);
        }
        Ok(self)
    }

    /// Checks the batch; streams lines if the caller accepts them.
    pub fn run(self, context: &RequestContext) -> Result<Reply, ApiError> {
        self.with_decisions(context)?.run_decided(context)
    }

    fn run_decided(self, context: &RequestContext) -> Result<Reply, ApiError> {
        let run = BatchRun {
            app: Arc::clone(&context.app),
            job: context.job.clone(),
            scope: context.scope(self.local_only),
            allowance: Allowance::new(context)?,
            problems: self.problems,
            left_out: self.left_out,
            document: self.document,
            overrides: self.overrides,
        };
        let streamed = context
            .header("accept")
            .is_some_and(|accept| accept.contains("application/x-ndjson"));
        if streamed {
            Ok(run.stream(self.references))
        } else {
            run.whole(context, self.references)
        }
    }
}

/// A running batch.
struct BatchRun {
    app: Arc<App>,
    job: Job,
    scope: Scope,
    allowance: Allowance,
    problems: Vec<Problem>,
    left_out: Vec<LeftOut>,
    document: Option<DocumentReply>,
    overrides: Overrides,
}

/// The result for one reference.
pub struct CheckedReference {
    pub reply: Value,
    pub verdict: Verdict,
}

/// The check of the references of a batch, each by itself.
struct ReferenceCheck<'a> {
    app: &'a App,
    job: &'a Job,
    scope: Scope,
    allowance: &'a Allowance,
    overrides: &'a Overrides,
}

impl ReferenceBatch {
    /// Checks the reference at a position of the batch, and no other. Refuses with the daily quota's 429 if not
    /// a single lookup is left; `None` if nobody waits for it any more.
    pub fn check_one(
        &self,
        context: &RequestContext,
        index: usize,
    ) -> Result<Option<CheckedReference>, ApiError> {
        let Some(given) = self.references.get(index) else {
            return Ok(None);
        };
        let check = ReferenceCheck {
            app: &context.app,
            job: &context.job,
            scope: context.scope(self.local_only),
            allowance: &Allowance::new(context)?,
            overrides: &self.overrides,
        };
        Ok(check.check(0, index, given))
    }
}

impl BatchRun {
    /// Checks all references on the batch's threads, and delivers each result.
    /// Stops if nobody listens any more.
    fn check_all(
        &self,
        references: Vec<GivenReference>,
        mut take: impl FnMut(usize, CheckedReference) -> bool + Send,
    ) {
        let checks = ReferenceCheck {
            app: &self.app,
            job: &self.job,
            scope: self.scope,
            allowance: &self.allowance,
            overrides: &self.overrides,
        };
        let helpers = self.job.helper_permits(batch::WORKERS - 1);
        self.job.without_slot(|| {
            let check = |n, given| checks.check(n, n, &given);
            batch::run(references, 1 + helpers.len(), check, |n, done| {
                done.is_some_and(|done| take(n, done))
            });
        });
    }

    fn whole(
        self,
        context: &RequestContext,
        references: Vec<GivenReference>,
    ) -> Result<Reply, ApiError> {
        let mut results: Vec<Value> = vec![Value::Null; references.len()];
        let mut verdicts = Vec::with_capacity(references.len());
        self.check_all(references, |n, done| {
            verdicts.push(done.verdict);
            if let Some(slot) = results.get_mut(n) {
                *slot = done.reply;
            }
            true
        });
        context.budget.check()?;
        Ok(Reply::json(&VerifyBatchReply {
            document: self.document,
            results,
            problems: self.problems,
            left_out: self.left_out,
            summary: summary(&verdicts),
            lookups_used: context.caller.cost.lookups(),
            remaining: policy::quota_status(context)?.remaining,
        }))
    }

    /// One result per line, in the order of the request, as they become ready.
    fn stream(self, references: Vec<GivenReference>) -> Reply {
        Reply::stream("application/x-ndjson", move |sink| {
            if let Some(document) = &self.document
                && !sink.send(format!("{}\n", json!({"document": document})))
            {
                return;
            }
            let mut order = batch::InOrder::default();
            self.check_all(references, |n, done| {
                let mut ready = order.push(n, done.reply).into_iter();
                ready.all(|(_, reply)| sink.send(format!("{reply}\n")))
            });
            if let Err(cause) = self.job.budget().check() {
                let error = ApiError::from(cause);
                let line = json!({"error": error.code.as_str(), "message": error.message});
                sink.send(format!("{line}\n"));
                return;
            }
            if !self.problems.is_empty() || !self.left_out.is_empty() {
                let line = json!({"problems": self.problems, "left_out": self.left_out});
                sink.send(format!("{line}\n"));
            }
        })
    }
}

impl ReferenceCheck<'_> {
    /// Checks one reference, in its turn; `None` if nobody waits for it any more.
    fn check(&self, turn: usize, index: usize, given: &GivenReference) -> Option<CheckedReference> {
        // A reference that waits for its turn must not hold a worker slot that earlier ones need.
        let charged = self.allowance.charge(turn, || {
            let job = self.job.fork();
            let checked = job
                .with_slot(Duration::MAX, || self.verify(given, &job))
                .ok();
            let costs = checked.as_ref().is_some_and(|v| v.verdict.is_answer());
            Charge::new(checked, costs)
        });
        let verification = match charged {
            Ok(checked) => checked?,
            Err(_) if given.is_too_long => unchecked(TOO_LONG),
            Err(NoLookup::Exhausted) => Verification::of(Verdict::QuotaExhausted, EXHAUSTED),
            Err(NoLookup::Uncountable | NoLookup::GivenUp) => unchecked(UNCOUNTABLE),
        };
        let origin = given.origin.clone();
        Some(CheckedReference {
            reply: reply_of(index, &given.given, &verification, origin),
            verdict: verification.verdict,
        })
    }

    fn verify(&self, given: &GivenReference, job: &Job) -> Verification {
        if given.is_too_long {
            return unchecked(TOO_LONG);
        }
        let (search, resolver) = (&self.app.references, &self.app.lookup);
        let checked = given.given.verify(search, resolver, self.scope, job);
        let mut checked = checked.unwrap_or_else(|cause| {
            tracing::error!(%cause, "cannot check a reference");
            unchecked("The corpus cannot be read, so the reference was not checked.")
        });
        self.overrides.apply(&given.given.reference, &mut checked);
        checked
    }
}

const TOO_LONG: &str = "The text is longer than a reference may be, so it was not checked; it may be several references that could not be separated.";
const EXHAUSTED: &str = "The daily lookups were used up before this reference.";
const UNCOUNTABLE: &str = "The lookup could not be counted, so the reference was not checked.";

fn unchecked(message: &'static str) -> Verification {
    Verification::of(Verdict::NotChecked, message)
}

fn summary(verdicts: &[Verdict]) -> Value {
    let count = |verdict| verdicts.iter().filter(|v| **v == verdict).count();
    let members = Verdict::ALL.map(|verdict| (verdict.as_str().to_owned(), count(verdict).into()));
    Value::Object(members.into_iter().collect())
}

/// A batch as it was sent.
#[derive(Default)]
pub struct ReferenceBatch {
    pub references: Vec<GivenReference>,
    pub local_only: bool,
    /// Unreadable parts of a file.
    pub problems: Vec<Problem>,
    pub left_out: Vec<LeftOut>,
    pub document: Option<DocumentReply>,
    /// Decisions of people about references.
    pub overrides: Overrides,
}

/// One reference of a batch.
pub struct GivenReference {
    pub given: VerificationInput,
    /// Its position in a text or a file.
    pub origin: ReferenceOrigin,
    /// Whether it is over the limit of a reference. In a text, that does not affect its neighbours.
    pub is_too_long: bool,
}

/// The references of a batch, in any form.
fn read_batch(context: &RequestContext) -> Result<ReferenceBatch, ApiError> {
    let content_type = context.header("content-type").unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default();
    let mut batch = match essence.trim().to_ascii_lowercase().as_str() {
        "" | "application/json" | "text/json" => {
            let limit = context.app.config.limits.json_body_bytes;
            read_json(context, limit, most_references(context))?
        }
        "text/plain" => read_text(context, Hints::default(), &context.body)?,
        _ => read_upload(context, &find_upload(context)?)?,
    };
    batch.local_only |= context.query.switch("local_only")?;
    batch.bounded("/references", most_references(context))
}

/// JSON has the general JSON limit; only files may be larger.
pub fn read_json(
    context: &RequestContext,
    limit: u64,
    most: usize,
) -> Result<ReferenceBatch, ApiError> {
    if context.body.len() as u64 > limit {
        return Err(ApiError::too_many_bytes(limit));
    }
    let request: VerifyBatchRequest = context.json()?;
    let references = request
        .references
        .iter()
        .take(most + 1)
        .enumerate()
        .map(|(n, value)| {
            Ok(GivenReference {
                given: read_reference(context, &format!("/references/{n}"), value)?.into(),
                origin: ReferenceOrigin::default(),
                is_too_long: false,
            })
        })
        .collect::<Result<_, ApiError>>()?;
    Ok(ReferenceBatch {
        references,
        local_only: request.local_only,
        ..ReferenceBatch::default()
    })
}

/// A bibliography file, or a text file with a list.
fn read_upload(context: &RequestContext, upload: &Upload<'_>) -> Result<ReferenceBatch, ApiError> {
    let is_text = |name: &String| name.to_ascii_lowercase().ends_with(".txt");
    if upload.name.as_ref().is_some_and(is_text) {
        return read_text(context, upload.hints(), upload.content);
    }
    let content = Content::new(upload.content);
    match file::recognise(context, &content, upload.hints())? {
        Some(format) => read_file(context, &content, format),
        None => {
            let others = ["application/json", "text/plain", "multipart/form-data"];
            Err(unknown_format(&others))
        }
    }
}

/// A pasted list, or a bibliography sent as text.
fn read_text(
    context: &RequestContext,
    hints: Hints<'_>,
    bytes: &[u8],
) -> Result<ReferenceBatch, ApiError> {
    let content = Content::new(bytes);
    match file::recognise(context, &content, hints)? {
        Some(format) => read_file(context, &content, format),
        None => read_list(context, content.text(), most_references(context)),
    }
}

/// Reads a pasted list, up to the number that shows that it has too many references.
pub fn read_list(
    context: &RequestContext,
    text: &str,
    most_references: usize,
) -> Result<ReferenceBatch, ApiError> {
    let most = context.app.config.limits.reference_chars as usize;
    let list = split(text, &context.budget)?;
    let references = list.pieces.iter().take(most_references + 1);
    let references = references.map(|piece| GivenReference {
        given: VerificationInput::text(&piece.text),
        origin: ReferenceOrigin {
            position: Some(InputPosition::of_place(&piece.place)),
            text: Some(piece.text.clone()),
        },
        is_too_long: is_longer(&piece.text, most),
    });
    let mut references: Vec<GivenReference> = references.collect();
    apply_list_style(references.iter_mut().map(|reference| &mut reference.given));
    Ok(ReferenceBatch {
        references,
        left_out: list.left_out.into_iter().map(LeftOut::of_line).collect(),
        ..ReferenceBatch::default()
    })
}

pub fn read_file(
    context: &RequestContext,
    content: &Content<'_>,
    format: &Format,
) -> Result<ReferenceBatch, ApiError> {
    let reading = file::read(context, content, format)?;
    let is_lost = |problem: &Problem| problem.severity == exchange::Severity::Error;
    let references = reading.items.iter().map(|read| GivenReference {
        given: Reference::of_item(&read.item).into(),
        origin: ReferenceOrigin {
            position: Some(InputPosition::of_entry(read)),
            text: None,
        },
        is_too_long: false,
    });
    Ok(ReferenceBatch {
        references: references.collect(),
        problems: reading.problems.into_iter().filter(is_lost).collect(),
        ..ReferenceBatch::default()
    })
}

/// Maximum number of references in one call.
fn most_references(context: &RequestContext) -> usize {
    context.app.config.limits.batch_items as usize
}

pub fn operation() -> Operation {
    Operation::new("verify_batch", "verify", "Check up to 100 references")
        .describe(
            "Accepts JSON, `text/plain` with a pasted list, a bibliography file, or a form with \
             one; a bibliography sent as text is recognised. Every result of a text \
             or a file has the position of the reference. A line of a text that is not a reference, \
             such as a page header, is listed under `left_out`; a text that is longer than a \
             reference may be is `not_checked`. With `Accept: \
             application/x-ndjson` one result per line is sent as soon as it is ready, and, if there \
             are any, a last line with `problems` and `left_out`, or, if the work had to stop, with \
             `error` and `message`; the cost is not known when \
             its headers are sent, so `X-Lookup-Cost` is not among them. If the quota \
             ends within the batch, the rest is marked `quota_exhausted`.",
        )
        .query_switch("local_only", "Ask only the local corpus.")
        .query("columns", file::COLUMNS)
        .body::<VerifyBatchRequest>()
        .schema::<ReferenceRequest>()
        .body_files(&["text/plain"])
        .body_files(&readable())
        .body_form()
        .reply::<VerifyBatchReply>(200, "A result for each reference, in order.")
        .codes(&CODES)
}
