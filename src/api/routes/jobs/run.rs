//! Does the work of jobs: each item is what the synchronous request does, in a context of its own whose
//! lookups are held until the result is stored.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method, Uri};
use serde_json::{Value, json};

use super::submit::{self, FormatJobRequest};
use super::{FILE, StoredRequest, failure};
use crate::api::Edge;
use crate::api::edge::caller::Caller;
use crate::api::edge::context::{Query, RequestContext, read_members};
use crate::api::edge::gate;
use crate::api::edge::idempotency::Idempotent;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code, sentence};
use crate::api::routes::collections::files::{self, IMPORT_PATH, Upload};
use crate::api::routes::collections::{export, transaction};
use crate::api::routes::format_batch;
use crate::api::routes::verify_batch::{self, ReferenceBatch};
use crate::api::routes::verify_document::{self, last_segment};
use crate::auth::principal::Account;
use crate::background::BackgroundThread;
use crate::blocking::Job;
use crate::config::FormatSettings;
use crate::formatting::{Formatter, MarkupOptions, StyleChoice};
use crate::harvest::{self, HarvestSummary};
use crate::jobs::archive::folder;
use crate::jobs::{Claim, Interruption, JobKind, JobRunner, SavedResult};
use crate::quota::{Cost, HeldLookups};
use crate::store::jobs::{ItemPlace, JobFile, JobOutput};
use citation_exchange::metadata;
use citation_model::budget::Budget;
use citation_model::item::Item;

/// Starts the threads that run jobs. They end when they are dropped.
pub fn start(edge: &Arc<Edge>) -> std::io::Result<Vec<BackgroundThread>> {
    let runner = RouteRunner {
        edge: Arc::clone(edge),
    };
    edge.app.jobs.start_workers(Arc::new(runner))
}

/// Runs jobs with the handlers of routes.
struct RouteRunner {
    edge: Arc<Edge>,
}

impl JobRunner for RouteRunner {
    fn run(&self, claim: &Claim<'_>) -> Result<Option<JobOutput>, Interruption> {
        let stored = serde_json::from_str(&claim.job.request);
        let request: StoredRequest = stored.map_err(|cause| failed(&ApiError::internal(cause)))?;
        let run = JobRun {
            edge: &self.edge,
            claim,
            request,
        };
        match claim.kind {
            JobKind::Verify => run.verify().map(|()| None),
            JobKind::Import => run.import().map(|()| None),
            JobKind::Export => run.export().map(Some),
            JobKind::Format => run.format().map(Some),
            JobKind::Harvest => run.harvest().map(|()| None),
        }
    }
}

/// A running job.
struct JobRun<'a> {
    edge: &'a Arc<Edge>,
    claim: &'a Claim<'a>,
    request: StoredRequest,
}

fn failed(error: &ApiError) -> Interruption {
    Interruption::Failed(failure(error).to_string())
}

/// Why an item is not done: for now, or for good.
fn refused(error: ApiError) -> Result<ApiError, Interruption> {
    match error.code {
        Code::QuotaExhausted => Err(Interruption::QuotaExhausted),
        Code::ServiceUnavailable | Code::StorageFull => {
            Err(Interruption::Unavailable(error.message))
        }
        _ => Ok(error),
    }
}

/// The steps of a file that is larger than a synchronous request takes grow with it.
fn budget_for(edge: &Edge, bytes: usize) -> Budget {
    let limits = &edge.app.config.limits;
    let times = (bytes as u64).div_ceil(limits.import_bytes.max(1)).max(1);
    Budget::new(
        limits.request_steps.saturating_mul(times),
        limits.request_bytes.saturating_mul(times),
    )
}

/// The context of a synchronous request with the same caller, to check what a job is asked to do.
pub fn route_context(
    context: &RequestContext,
    path: &'static str,
    request: &StoredRequest,
) -> Result<RequestContext, ApiError> {
    let target = Target {
        method: Method::GET,
        path,
    };
    let call = new_context(
        &context.edge,
        &target,
        request,
        context.caller.clone(),
        context.budget.clone(),
    )?;
    call.check_address()?;
    Ok(call)
}

/// A row of the route table.
struct Target {
    method: Method,
    path: &'static str,
}

fn new_context(
    edge: &Arc<Edge>,
    target: &Target,
    request: &StoredRequest,
    caller: Caller,
    budget: Budget,
) -> Result<RequestContext, ApiError> {
    let is_it = |route: &crate::api::edge::route::Route| {
        route.method == target.method && route.path == target.path
    };
    let row = edge.routes.iter().position(is_it);
    let row = row.ok_or_else(|| ApiError::internal(target.path))?;
    let part = |(name, value): &(String, String)| {
        let known = ["id", "format"];
        let name = known.into_iter().find(|known| known == name)?;
        Some((name, value.clone()))
    };
    Ok(RequestContext {
        edge: Arc::clone(edge),
        app: Arc::clone(&edge.app),
        row: Some(row),
        caller,
        method: target.method.clone(),
        uri: Uri::from_static("/"),
        headers: Arc::default(),
        query: Query::of(request.query.clone()),
        path: request.path.iter().filter_map(part).collect(),
        body: Bytes::new(),
        client: IpAddr::V4(Ipv4Addr::LOCALHOST),
        request_id: String::new(),
        idempotent: None,
        job: Job::unbounded(budget.clone()),
        budget,
    })
}

impl JobRun<'_> {
    /// The context of one item.
    fn context(
        &self,
        target: &Target,
        cost: Arc<Cost>,
        bytes: usize,
    ) -> Result<RequestContext, Interruption> {
        let user = &self.claim.user;
        let account = Account {
            id: user.id,
            uid: user.uid.clone(),
            email: user.email.clone(),
            name: user.name.clone(),
            plan: user.plan,
        };
        let caller = Caller::working_for(account, cost);
        let budget = budget_for(self.edge, bytes);
        new_context(self.edge, target, &self.request, caller, budget).map_err(|e| failed(&e))
    }

    /// The context of a file, which is the body.
    fn file_context(
        &self,
        target: &Target,
        cost: Arc<Cost>,
        file: &JobFile,
    ) -> Result<RequestContext, Interruption> {
        let context = self.context(target, cost, file.content.len())?;
        let media_type = file.media_type.as_deref().unwrap_or_default();
        let headers = HeaderValue::from_str(media_type)
            .ok()
            .filter(|_| !media_type.is_empty())
            .map(|value| (CONTENT_TYPE, value));
        Ok(RequestContext {
            headers: Arc::new(HeaderMap::from_iter(headers)),
            body: Bytes::from(file.content.clone()),
            ..context
        })
    }

    fn verify(&self) -> Result<(), Interruption> {
        let names = self.claim.names()?;
        for number in self.claim.job.files_done..self.claim.job.files {
            let is_companion = names.get(number as usize).is_none_or(|(_, is)| *is);
            if !is_companion {
                self.claim.check()?;
                self.verify_file(number, &names)?;
                self.claim.finish_files(number + 1)?;
            }
        }
        self.claim.finish_files(self.claim.job.files)
    }

    fn verify_file(&self, number: u64, names: &[(String, bool)]) -> Result<(), Interruption> {
        const TARGET: Target = Target {
            method: Method::POST,
            path: "/api/v1/jobs/verify",
        };
        let file = self.claim.file(number)?;
        let done = self.claim.items_done(number)?;
        let held = self.claim.hold();
        let context = self.file_context(&TARGET, held.cost(), &file)?;
        let place = |item: u64| ItemPlace { file: number, item };
        let batch = match self.read(&context, &file, names) {
            Ok(batch) => batch,
            Err(error) => {
                let error = failure(&refused(error)?);
                let result = json!({"file": file.name, "error": error});
                return self.save_once(&done, place(0), "unreadable", &result, 0);
            }
        };
        let found = batch.references.len() as u64;
        let read = json!({
            "file": file.name, "references": found, "document": batch.document,
            "problems": batch.problems, "left_out": batch.left_out,
        });
        self.save_once(&done, place(0), FILE, &read, found)?;
        drop(context);
        for (index, item) in (0..batch.references.len()).zip(1..) {
            if done.contains(&item) {
                continue;
            }
            self.claim.check()?;
            let held = self.claim.hold();
            let context = self.context(&TARGET, held.cost(), 0)?;
            let (outcome, result) = match batch.check_one(&context, index) {
                Ok(Some(checked)) => (
                    checked.verdict.as_str(),
                    json!({"file": file.name, "result": checked.reply}),
                ),
                Ok(None) => return Err(Interruption::Yielded),
                Err(error) => {
                    let error = failure(&refused(error)?);
                    ("error", json!({"file": file.name, "error": error}))
                }
            };
            self.save(place(item), outcome, &result, 0, held)?;
        }
        Ok(())
    }

    /// Stores a free result, unless it is there.
    fn save_once(
        &self,
        done: &std::collections::HashSet<u64>,
        place: ItemPlace,
        outcome: &str,
        result: &Value,
        more_items: u64,
    ) -> Result<(), Interruption> {
        if done.contains(&place.item) {
            return Ok(());
        }
        self.save(place, outcome, result, more_items, self.claim.hold())
    }

    /// Stores a result with the lookups held for it.
    fn save(
        &self,
        place: ItemPlace,
        outcome: &str,
        result: &Value,
        more_items: u64,
        held: HeldLookups,
    ) -> Result<(), Interruption> {
        let saved = SavedResult {
            place,
            outcome,
            result: &result.to_string(),
            more_items,
        };
        self.claim.save(&saved, held)
    }

    /// The references of a file.
    fn read(
        &self,
        context: &RequestContext,
        file: &JobFile,
        names: &[(String, bool)],
    ) -> Result<ReferenceBatch, ApiError> {
        let settings = &self.edge.app.config.jobs;
        let most = settings.max_items as usize;
        let local_only = context.query.switch("local_only")?;
        if file.name.is_empty() && file.media_type.as_deref() == Some("application/json") {
            let mut batch = verify_batch::read_json(context, settings.max_bytes, most)?;
            batch.local_only |= local_only;
            return batch.with_decisions(context);
        }
        let upload = Upload {
            content: &file.content,
            name: Some(file.name.clone()).filter(|name| !name.is_empty()),
            media_type: file.media_type.clone(),
        };
        let companion = |path: &str| self.companion(&file.name, path, names);
        let batch = verify_document::read_upload(context, &upload, &companion, most)?;
        if batch.references.len() > most {
            return Err(ApiError::too_many_items("/file", most as u64));
        }
        let batch = ReferenceBatch {
            local_only,
            ..batch
        };
        batch.with_decisions(context)
    }

    /// A file that another one names: in the same folder first, then anywhere.
    fn companion(&self, of: &str, path: &str, names: &[(String, bool)]) -> Option<Vec<u8>> {
        let wanted = last_segment(path);
        let has_name = |name: &str| last_segment(name) == wanted && name != of;
        let beside = |name: &str| has_name(name) && folder(name) == folder(of);
        let position =
            |is_it: &dyn Fn(&str) -> bool| names.iter().position(|(name, _)| is_it(name));
        let number = position(&beside).or_else(|| position(&has_name))?;
        let file = self.claim.file(number as u64).ok()?;
        Some(file.content)
    }

    fn import(&self) -> Result<(), Interruption> {
        const TARGET: Target = Target {
            method: Method::POST,
            path: IMPORT_PATH,
        };
        for number in self.claim.job.files_done..self.claim.job.files {
            self.claim.check()?;
            let file = self.claim.file(number)?;
            let done = self.claim.items_done(number)?;
            let context = self.file_context(&TARGET, Arc::default(), &file)?;
            let mut query = self.request.query.clone();
            if !file.name.is_empty() {
                query.retain(|(name, _)| name != "filename");
                query.push(("filename".to_owned(), file.name.clone()));
            }
            let context = RequestContext {
                query: Query::of(query),
                // The entries and the reply are stored together: after a kill it is replayed.
                idempotent: Some(Idempotent {
                    key: format!("job {} {number}", self.claim.job.uid),
                    request: [0; 32],
                }),
                ..context
            };
            let answered = transaction::answered(&context)
                .and_then(|kept| kept.map_or_else(|| files::import(&context), Ok));
            let (outcome, mut result) = match answered {
                Ok(reply) => ("imported", json!({"result": body(&reply)})),
                Err(error) => ("failed", json!({"error": failure(&refused(error)?)})),
            };
            if let Some(members) = result.as_object_mut() {
                members.insert("file".to_owned(), file.name.into());
            }
            let place = ItemPlace {
                file: number,
                item: 0,
            };
            self.save_once(&done, place, outcome, &result, 1)?;
            self.claim.finish_files(number + 1)?;
        }
        Ok(())
    }

    fn export(&self) -> Result<JobOutput, Interruption> {
        const TARGET: Target = Target {
            method: Method::GET,
            path: export::PATH,
        };
        let most = self.edge.app.config.jobs.max_bytes as usize;
        let context = self.context(&TARGET, Arc::default(), most)?;
        match export::export(&context) {
            Ok(reply) => Ok(output(&reply)),
            Err(error) => Err(failed(&refused(error)?)),
        }
    }

    fn format(&self) -> Result<JobOutput, Interruption> {
        const TARGET: Target = Target {
            method: Method::POST,
            path: "/api/v1/jobs/format",
        };
        let file = self.claim.file(0)?;
        let done = self.claim.items_done(0)?;
        let context = self.file_context(&TARGET, Arc::default(), &file)?;
        let request = context.json_object().map(Value::Object);
        let request = request.and_then(|body| read_members::<FormatJobRequest>(&body));
        let request = request.map_err(|error| failed(&error))?;
        let choice = StyleChoice::named(request.style, request.locale);
        let place = |item: u64| ItemPlace { file: 0, item };
        let found = request.items.len() as u64;
        let read = json!({"file": "", "references": found});
        self.save_once(&done, place(0), FILE, &read, found)?;
        for ((index, value), item) in request.items.iter().enumerate().zip(1..) {
            if done.contains(&item) {
                continue;
            }
            self.claim.check()?;
            let held = self.claim.hold();
            let context = self.context(&TARGET, held.cost(), 0)?;
            let ran = format_batch::run_one(&context, index, value, request.min_score, &choice);
            let (outcome, result) = match ran {
                Ok((status, result)) => (status, json!({"file": "", "result": result})),
                Err(error) => {
                    let error = failure(&refused(error)?);
                    let result = json!({"index": index, "status": "error", "error": error});
                    ("error", json!({"file": "", "result": result}))
                }
            };
            self.save(place(item), outcome, &result, 0, held)?;
        }
        self.bibliography(&choice, context)
    }

    /// One round of a harvest. It remembers itself where it stands, so a job that is interrupted goes on there.
    fn harvest(&self) -> Result<(), Interruption> {
        const TARGET: Target = Target {
            method: Method::POST,
            path: "/api/v1/jobs/harvest",
        };
        let context = self.context(&TARGET, Arc::default(), 0)?;
        if !gate::is_operator(&context) {
            let message = "Only operators may harvest.";
            return Err(failed(&ApiError::new(Code::Forbidden, message)));
        }
        let name = context.query.get("name").unwrap_or_default();
        let settings = submit::known_harvest(&context, name).map_err(|error| failed(&error))?;
        let app = &self.edge.app;
        let last = self.claim.items_done(0)?.into_iter().max();
        let mut items = last.map_or(0, |last| last + 1)..;
        let mut save = |outcome: &str, summary: &HarvestSummary| {
            let item = items.next().unwrap_or_default();
            let result = json!({"file": "", "result": summary});
            let place = ItemPlace { file: 0, item };
            self.save(place, outcome, &result, 1, self.claim.hold())
        };
        let (stop, mut interruption) = (AtomicBool::new(false), None);
        let mut part = |summary: &HarvestSummary| {
            if let Err(cause) = save("part", summary).and_then(|()| self.claim.check()) {
                interruption.get_or_insert(cause);
                stop.store(true, Ordering::Relaxed);
            }
        };
        let now = app.clock.unix();
        let done = harvest::round(&app.corpus, settings, now, &stop, &mut part);
        match (interruption, done) {
            (Some(cause), _) => Err(cause),
            (None, Ok(summary)) => save("harvested", &summary),
            (None, Err(cause)) => {
                let error = ApiError::new(Code::UpstreamError, sentence(&cause));
                Err(failed(&error))
            }
        }
    }

    /// The bibliography of all items that were found.
    fn bibliography(
        &self,
        choice: &StyleChoice,
        context: RequestContext,
    ) -> Result<JobOutput, Interruption> {
        let app = &self.edge.app;
        let settings = FormatSettings {
            max_entries: app.config.jobs.max_items,
            ..app.config.format.clone()
        };
        let mut found = self.claim.results()?;
        found.sort_by_key(|row| row.place.item);
        let items: Vec<Item> = { found.iter() }
            .filter_map(|row| {
                let stored: Value = serde_json::from_str(&row.result).ok()?;
                let result = stored.get("result")?;
                let is_found = result.get("status")?.as_str()? == "ok";
                let metadata = result.get("metadata").filter(|_| is_found)?;
                Some(metadata::read_value(metadata).ok()?.0)
            })
            .collect();
        let times = (items.len() as u64).div_ceil(100).max(1) as usize;
        let import = app.config.limits.import_bytes as usize;
        let budget = budget_for(self.edge, import.saturating_mul(times));
        let job = Job::unbounded(budget);
        let formatter = Formatter {
            settings: &settings,
            job: &job,
            ..context.formatter()
        };
        let formatted = formatter.bibliography(items, choice, &MarkupOptions::default());
        match formatted.map_err(ApiError::from) {
            Ok(formatted) => Ok(output(&Reply::json(&formatted))),
            Err(error) => Err(failed(&refused(error)?)),
        }
    }
}

fn body(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body_bytes()).unwrap_or_default()
}

/// The reply of a route as the file of a job.
fn output(reply: &Reply) -> JobOutput {
    JobOutput {
        media_type: reply.header("content-type").unwrap_or_default().to_owned(),
        disposition: reply.header("content-disposition").map(str::to_owned),
        content: reply.body_bytes().to_vec(),
    }
}
