//! `POST /api/v1/verify/batch`: a list of references, whatever it comes as, each checked and told
//! where it stands.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::allowance::{Allowance, Refused};
use super::call::Call;
use super::collections::files::{Upload, find_upload, unknown_format};
use super::error::{ApiError, Code};
use super::file::{self, readable};
use super::operation::Operation;
use super::policy;
use super::reply::Reply;
use super::verify::{CODES, LeftOut, Position, VerificationReply, read_reference, reply_of, scope};
use crate::app::App;
use crate::blocking::Job;
use crate::exchange::{self, Content, Format, Hints, Problem};
use crate::lookup::batch;
use crate::lookup::reference::Scope;
use crate::lookup::verify::{self, Verdict, Verification};
use crate::matching::reference::Reference;
use crate::matching::split;
use crate::model::budget::is_longer;
use crate::quota::Priced;

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
    /// Lines of a text that are not references but stand around them, such as the header of a page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    /// How many references got which verdict.
    #[schema(value_type = Object)]
    summary: Value,
    lookups_used: u32,
    /// Lookups left today.
    remaining: u64,
}

/// `POST /api/v1/verify/batch`.
pub fn batch(call: &Call) -> Result<Reply, ApiError> {
    let batch = read_batch(call)?;
    let run = Run {
        app: Arc::clone(&call.app),
        job: call.job.clone(),
        user: call.caller.user(),
        scope: scope(batch.local_only),
        allowance: Allowance::new(call)?,
        problems: batch.problems,
        left_out: batch.left_out,
    };
    let streamed = call
        .header("accept")
        .is_some_and(|accept| accept.contains("application/x-ndjson"));
    if streamed {
        Ok(run.stream(batch.references))
    } else {
        run.whole(call, batch.references)
    }
}

/// A batch on its way.
struct Run {
    app: Arc<App>,
    job: Job,
    user: Option<i64>,
    scope: Scope,
    allowance: Allowance,
    problems: Vec<Problem>,
    left_out: Vec<LeftOut>,
}

/// What became of one reference.
struct Done {
    reply: Value,
    verdict: Verdict,
}

impl Run {
    /// Checks all references, on as many threads as there are for it, and hands over what became of
    /// each. Stops where nobody listens any more.
    fn check_all(&self, references: Vec<Given>, mut take: impl FnMut(usize, Done) -> bool + Send) {
        let helpers = self.job.helpers(batch::WORKERS - 1);
        self.job.away(|| {
            let check = |n, given| self.check(n, &given);
            batch::run(references, 1 + helpers.len(), check, |n, done| {
                done.is_some_and(|done| take(n, done))
            });
        });
    }

    /// Checks one reference, in its turn; nothing where nobody waits for it any more.
    fn check(&self, index: usize, given: &Given) -> Option<Done> {
        // Whoever waits for the turn of a lookup does not hold a place that others need for theirs.
        let charged = self.allowance.charge(index, || {
            let job = self.job.fork();
            let checked = job.hold(Duration::MAX, || self.verify(given, &job)).ok();
            let costs = checked.as_ref().is_some_and(|v| v.verdict.is_answer());
            Priced::new(checked, costs)
        });
        let verification = match charged {
            Ok(checked) => checked?,
            Err(_) if given.is_too_long => unchecked(TOO_LONG),
            Err(Refused::Exhausted) => Verification::of(Verdict::QuotaExhausted, EXHAUSTED),
            Err(Refused::Uncountable | Refused::GivenUp) => unchecked(UNCOUNTABLE),
        };
        let position = given.position.clone();
        Some(Done {
            reply: reply_of(index, &given.reference, &verification, position),
            verdict: verification.verdict,
        })
    }

    fn verify(&self, given: &Given, job: &Job) -> Verification {
        if given.is_too_long {
            return unchecked(TOO_LONG);
        }
        let (app, reference) = (&self.app, &given.reference);
        let (search, resolver) = (&app.references, &app.lookup);
        verify::verify(search, resolver, reference, self.user, self.scope, job).unwrap_or_else(
            |cause| {
                tracing::error!(%cause, "a reference could not be checked");
                unchecked("The corpus could not be read, so the reference was not checked.")
            },
        )
    }

    fn whole(self, call: &Call, references: Vec<Given>) -> Result<Reply, ApiError> {
        let mut results: Vec<Value> = vec![Value::Null; references.len()];
        let mut verdicts = Vec::with_capacity(references.len());
        self.check_all(references, |n, done| {
            verdicts.push(done.verdict);
            if let Some(slot) = results.get_mut(n) {
                *slot = done.reply;
            }
            true
        });
        call.budget.check()?;
        Ok(Reply::json(&VerifyBatchReply {
            results,
            problems: self.problems,
            left_out: self.left_out,
            summary: summary(&verdicts),
            lookups_used: call.caller.cost.lookups(),
            remaining: policy::standing(call)?.remaining,
        }))
    }

    /// One result a line, in the order of the request, as they come.
    fn stream(self, references: Vec<Given>) -> Reply {
        Reply::stream("application/x-ndjson", move |sink| {
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

const TOO_LONG: &str = "This is longer than a reference may be, so it was not checked; it may be several that could not be parted.";
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
struct Batch {
    references: Vec<Given>,
    local_only: bool,
    /// What could not be read of a file.
    problems: Vec<Problem>,
    left_out: Vec<LeftOut>,
}

/// One reference of a batch.
struct Given {
    reference: Reference,
    /// Where it stands in a text or a file.
    position: Option<Position>,
    /// Whether it is over the limit of a reference. In a text, that does not cost its neighbours.
    is_too_long: bool,
}

/// The references of a batch, whatever they came as.
fn read_batch(call: &Call) -> Result<Batch, ApiError> {
    let content_type = call.header("content-type").unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default();
    let mut batch = match essence.trim().to_ascii_lowercase().as_str() {
        "" | "application/json" | "text/json" => read_json(call)?,
        "text/plain" => read_text(call, Hints::default(), &call.body)?,
        _ => read_upload(call, &find_upload(call)?)?,
    };
    batch.local_only |= call.query.switch("local_only")?;
    if batch.references.is_empty() {
        return Err(ApiError::invalid_field("/references", "holds no reference"));
    }
    let most = most_references(call);
    if batch.references.len() > most {
        return Err(ApiError::too_many_items("/references", most as u64));
    }
    Ok(batch)
}

/// JSON, whose limit is that of JSON everywhere; only files may be larger.
fn read_json(call: &Call) -> Result<Batch, ApiError> {
    let limit = call.app.config.limits.json_body_bytes;
    if call.body.len() as u64 > limit {
        return Err(ApiError::too_many_bytes(limit));
    }
    let request: VerifyBatchRequest = call.json()?;
    let references = request
        .references
        .iter()
        .take(most_references(call) + 1)
        .enumerate()
        .map(|(n, value)| {
            Ok(Given {
                reference: read_reference(call, &format!("/references/{n}"), value)?,
                position: None,
                is_too_long: false,
            })
        })
        .collect::<Result<_, ApiError>>()?;
    Ok(Batch {
        references,
        local_only: request.local_only,
        ..Batch::default()
    })
}

/// A bibliography file, or a text file with a list.
fn read_upload(call: &Call, upload: &Upload<'_>) -> Result<Batch, ApiError> {
    let is_text = |name: &String| name.to_ascii_lowercase().ends_with(".txt");
    if upload.name.as_ref().is_some_and(is_text) {
        return read_text(call, upload.hints(), upload.content);
    }
    let content = Content::new(upload.content);
    match file::recognise(call, &content, upload.hints())? {
        Some(format) => read_file(call, &content, format),
        None => {
            let others = ["application/json", "text/plain", "multipart/form-data"];
            Err(unknown_format(&others))
        }
    }
}

/// A list as people paste it, or a bibliography that is sent as text.
fn read_text(call: &Call, hints: Hints<'_>, bytes: &[u8]) -> Result<Batch, ApiError> {
    let content = Content::new(bytes);
    match file::recognise(call, &content, hints)? {
        Some(format) => read_file(call, &content, format),
        None => read_list(call, content.text()),
    }
}

fn read_list(call: &Call, text: &str) -> Result<Batch, ApiError> {
    let most = call.app.config.limits.reference_chars as usize;
    let list = split(text, &call.budget)?;
    let references = list.pieces.iter().take(most_references(call) + 1);
    let references = references.map(|piece| Given {
        reference: Reference::parse(&piece.text),
        position: Some(Position::of_piece(piece)),
        is_too_long: is_longer(&piece.text, most),
    });
    Ok(Batch {
        references: references.collect(),
        left_out: list.left_out.into_iter().map(LeftOut::of_piece).collect(),
        ..Batch::default()
    })
}

fn read_file(call: &Call, content: &Content<'_>, format: &Format) -> Result<Batch, ApiError> {
    let reading = file::read(call, content, format)?;
    let is_lost = |problem: &Problem| problem.severity == exchange::Severity::Error;
    let references = reading.items.iter().map(|read| Given {
        reference: Reference::of_item(&read.item),
        position: Some(Position::of_entry(read)),
        is_too_long: false,
    });
    Ok(Batch {
        references: references.collect(),
        problems: reading.problems.into_iter().filter(is_lost).collect(),
        ..Batch::default()
    })
}

/// References that one call may check.
fn most_references(call: &Call) -> usize {
    call.app.config.limits.batch_items as usize
}

pub fn operation() -> Operation {
    Operation::new("verify_batch", "verify", "Check up to 100 references")
        .describe(
            "Takes JSON, `text/plain` with a pasted list, a bibliography file, or a form with \
             one; a bibliography that is sent as text is read as what it is. Every result of a text \
             or a file says where the reference stands in it. A line of a text that is no reference, \
             such as the header of a page, is listed under `left_out`; what is longer than a \
             reference may be is `not_checked`. With `Accept: \
             application/x-ndjson` one result a line is sent as soon as it is there, and, where there \
             are any, a last line with `problems` and `left_out`, or, where the work had to stop, with \
             `error` and `message`; what it cost is not known when \
             its headers are sent, so `X-Lookup-Cost` is not among them. Where the quota \
             ends within the batch, the rest is marked `quota_exhausted`.",
        )
        .query_switch("local_only", "Ask only the local corpus.")
        .query("columns", file::COLUMNS)
        .body::<VerifyBatchRequest>()
        .body_files(&["text/plain"])
        .body_files(&readable())
        .body_form()
        .reply::<VerifyBatchReply>(200, "A result for each reference, in order.")
        .codes(&CODES)
        .codes(&[Code::UnsupportedMediaType])
}
