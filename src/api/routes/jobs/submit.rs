//! `POST /api/v1/jobs/…`: takes a request for a job, checks what can be checked at once, and stores it.

use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{JobReply, StoredRequest, location};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::idempotency::keep;
use crate::api::edge::multipart;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::openapi::schemas::{FormatItem, ReferenceRequest};
use crate::api::routes::collections::entries::ON_DUPLICATE;
use crate::api::routes::collections::{export as collection_export, transaction};
use crate::api::routes::file::{self, readable};
use crate::api::routes::verify_batch;
use crate::collections::CollectionAction;
use crate::config::HarvestSettings;
use crate::formatting::StyleChoice;
use crate::jobs::archive::{self, ArchiveError, ArchiveLimits};
use crate::jobs::{JobKind, JobRequest};
use crate::store::jobs::{AddJobError, JobFile, JobRow, JobState, KeptReply};
use citation_exchange::metadata::CitationMetadata;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    let row = |path, action, handler, operation| {
        route::job(path, action, handler)
            .heavy()
            .idempotent()
            .documented(operation)
    };
    vec![
        row(
            "/api/v1/jobs/verify",
            Action::PaidLookup,
            verify,
            verify_operation,
        ),
        row(
            "/api/v1/jobs/format",
            Action::PaidLookup,
            format,
            format_operation,
        ),
        row(
            "/api/v1/jobs/import",
            Action::Write,
            import,
            import_operation,
        ),
        row(
            "/api/v1/jobs/export",
            Action::Read,
            export_job,
            export_operation,
        ),
        route::post("/api/v1/jobs/harvest", Action::Operator, harvest)
            .idempotent()
            .documented(harvest_operation),
    ]
}

/// The references of a verification job, as JSON.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(dead_code, reason = "only described here: the batch's reader reads it")]
#[schema(example = json!({"references": ["Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature 1953;171:737-8."]}))]
pub struct VerifyJobRequest {
    /// Texts, `{text}` or metadata.
    #[schema(schema_with = crate::api::openapi::schemas::references)]
    references: Vec<Value>,
    /// Whether only the local corpus is asked; default false.
    #[serde(default)]
    local_only: bool,
}

/// The items of a formatting job.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({"items": [{"doi": "10.1038/171737a0"}], "style": "apa"}))]
pub struct FormatJobRequest {
    /// As for `format/batch`.
    #[schema(value_type = Vec<FormatItem>, min_items = 1)]
    pub items: Vec<Value>,
    /// As for formatting entries.
    pub style: Option<String>,
    /// As for formatting entries.
    pub locale: Option<String>,
    /// The minimum score for accepting a work for a text; 0.8 unless configured otherwise.
    #[schema(minimum = 0, maximum = 1)]
    pub min_score: Option<f64>,
}

/// A collection as a file.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({"collection_id": "00000000-0000-4000-8000-00000000000a", "format": "bib"}))]
pub struct ExportJobRequest {
    /// The collection's UUID.
    pub collection_id: String,
    /// The ending of the path of the synchronous request: `bib`, `ris`, `json`, …
    pub format: String,
    /// The style of a formatted file.
    pub style: Option<String>,
    /// The locale of a formatted file.
    pub locale: Option<String>,
    /// `latex` or `utf-8`.
    pub encoding: Option<String>,
    /// Whether notes are included; default false.
    #[serde(default)]
    pub notes: bool,
}

/// What to harvest.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "repository"}))]
pub struct HarvestJobRequest {
    /// The name of a table `[[corpus.harvest]]` of the configuration.
    #[schema(max_length = 32)]
    pub name: String,
}

/// `POST /api/v1/jobs/verify`.
pub fn verify(context: &RequestContext) -> Result<Reply, ApiError> {
    let config = &context.app.config;
    let files = match essence(context).as_str() {
        "" | "application/json" | "text/json" => {
            let most = config.jobs.max_items as usize;
            let batch = verify_batch::read_json(context, config.jobs.max_bytes, most)?;
            batch.bounded("/references", most)?;
            vec![body_file(context, "application/json")]
        }
        _ => uploads(context, true)?,
    };
    context.query.switch("local_only")?;
    submit(context, JobKind::Verify, StoredRequest::default(), files)
}

/// Stores a job that verifies works; gives its id.
pub fn verify_works(
    context: &RequestContext,
    works: &[CitationMetadata<'_>],
) -> Result<String, ApiError> {
    let most = context.app.config.jobs.max_items;
    if works.len() as u64 > u64::from(most) {
        return Err(ApiError::too_many_items("/references", most.into()));
    }
    let references: Vec<Value> = works.iter().map(|work| json!({"metadata": work})).collect();
    let file = JobFile {
        content: json!({"references": references}).to_string().into_bytes(),
        ..body_file(context, "application/json")
    };
    let uid = uuid::Uuid::new_v4().to_string();
    let request = StoredRequest::default();
    submit_as(context, uid.clone(), JobKind::Verify, request, vec![file])?;
    Ok(uid)
}

/// `POST /api/v1/jobs/format`.
fn format(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: FormatJobRequest = context.json()?;
    if request.items.is_empty() {
        return Err(ApiError::invalid_field("/items", "contains no item"));
    }
    let choice = StyleChoice::named(request.style, request.locale);
    context.formatter().choose(&choice)?;
    let files = vec![body_file(context, "application/json")];
    submit(context, JobKind::Format, StoredRequest::default(), files)
}

/// `POST /api/v1/jobs/import`.
fn import(context: &RequestContext) -> Result<Reply, ApiError> {
    let Some(collection) = context.query.given("collection_id") else {
        let message = "collection_id is missing: the UUID of the collection to import into.";
        return Err(ApiError::invalid_parameter("collection_id", message));
    };
    let collection = transaction::known_named(context, collection, CollectionAction::EditEntries)?;
    if context.query.switch("dry_run")? {
        let message = "A job has no dry run; send the file to the collection's import route.";
        return Err(ApiError::invalid_parameter("dry_run", message));
    }
    let request = StoredRequest {
        path: vec![("id".to_owned(), collection)],
        ..StoredRequest::default()
    };
    submit(context, JobKind::Import, request, uploads(context, false)?)
}

/// `POST /api/v1/jobs/export`.
fn export_job(context: &RequestContext) -> Result<Reply, ApiError> {
    export(context, context.json()?)
}

/// Stores a job that writes a collection as a file.
pub fn export(context: &RequestContext, request: ExportJobRequest) -> Result<Reply, ApiError> {
    let collection =
        transaction::known_named(context, &request.collection_id, CollectionAction::Read)?;
    let optional = [
        ("style", request.style),
        ("locale", request.locale),
        ("encoding", request.encoding),
        ("notes", request.notes.then(|| "true".to_owned())),
    ];
    let given = optional.into_iter();
    let stored = StoredRequest {
        path: vec![
            ("id".to_owned(), collection),
            ("format".to_owned(), request.format),
        ],
        query: given
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect(),
    };
    let call = super::run::route_context(context, collection_export::PATH, &stored)?;
    collection_export::ExportFile::of(&call)?;
    submit(context, JobKind::Export, stored, Vec::new())
}

/// `POST /api/v1/jobs/harvest`.
fn harvest(context: &RequestContext) -> Result<Reply, ApiError> {
    let request: HarvestJobRequest = context.json()?;
    known_harvest(context, &request.name)?;
    let stored = StoredRequest {
        query: vec![("name".to_owned(), request.name)],
        ..StoredRequest::default()
    };
    submit(context, JobKind::Harvest, stored, Vec::new())
}

/// The settings of a harvest.
pub fn known_harvest<'c>(
    context: &'c RequestContext,
    name: &str,
) -> Result<&'c HarvestSettings, ApiError> {
    let mut harvests = context.app.config.corpus.harvest.iter();
    let found = harvests.find(|harvest| harvest.name == name);
    found.ok_or_else(|| {
        let message = "is the name of no table [[corpus.harvest]] of the configuration";
        ApiError::invalid_field("/name", message)
    })
}

fn essence(context: &RequestContext) -> String {
    let content_type = context.header("content-type").unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

fn body_file(context: &RequestContext, media_type: &str) -> JobFile {
    JobFile {
        name: String::new(),
        media_type: Some(media_type.to_owned()),
        is_companion: false,
        content: context.body.to_vec(),
    }
}

/// The files of the body: those of a form, or the body itself; archives are unpacked if `with_archives`.
fn uploads(context: &RequestContext, with_archives: bool) -> Result<Vec<JobFile>, ApiError> {
    let content_type = context.header("content-type").unwrap_or_default();
    let mut files = Vec::new();
    match multipart::parts_of(content_type, &context.body) {
        None => files.push(JobFile {
            name: context.query.get("filename").unwrap_or_default().to_owned(),
            ..body_file(context, content_type)
        }),
        Some(parts) => {
            let parts = parts.map_err(|cause| {
                ApiError::new(Code::BadRequest, format!("The form is broken: {cause}."))
            })?;
            let sent = parts
                .into_iter()
                .filter(|part| matches!(part.name.as_str(), "file" | "companion"));
            let sent = sent.filter(|part| !part.content.is_empty());
            files.extend(sent.map(|part| JobFile {
                name: part.file_name.unwrap_or_default(),
                media_type: part.content_type,
                is_companion: part.name == "companion",
                content: part.content.to_vec(),
            }));
        }
    }
    let mut all = Vec::new();
    for file in files {
        if with_archives && archive::is_archive(&file.name, &file.content) {
            all.extend(unpack(context, &file)?);
        } else {
            all.push(file);
        }
    }
    let most = context.app.config.jobs.max_files as usize;
    if all.len() > most {
        return Err(ApiError::too_many_items("/file", most as u64));
    }
    if all
        .iter()
        .all(|file| file.is_companion || file.content.is_empty())
    {
        let message = "is missing: the request contains no file";
        return Err(ApiError::invalid_field("/file", message));
    }
    Ok(all)
}

fn unpack(context: &RequestContext, file: &JobFile) -> Result<Vec<JobFile>, ApiError> {
    let settings = &context.app.config.jobs;
    let limits = ArchiveLimits {
        files: settings.max_files as usize,
        bytes: settings.max_unpacked_bytes,
    };
    archive::unpack(&file.content, limits).map_err(|cause| {
        let code = match cause {
            ArchiveError::TooManyFiles(_)
            | ArchiveError::TooLarge(_)
            | ArchiveError::Ratio(_)
            | ArchiveError::Nested(_) => Code::PayloadTooLarge,
            ArchiveError::Broken(_) | ArchiveError::Encrypted(_) | ArchiveError::Nothing => {
                Code::UnprocessableImport
            }
        };
        ApiError::new(code, format!("The file: {cause}.")).with("field", "/file")
    })
}

/// Stores the job, with its reply if the request has an `Idempotency-Key`.
fn submit(
    context: &RequestContext,
    kind: JobKind,
    mut request: StoredRequest,
    files: Vec<JobFile>,
) -> Result<Reply, ApiError> {
    let own = context.query.pairs();
    let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
    request.query.extend(own);
    let uid = uuid::Uuid::new_v4().to_string();
    submit_as(context, uid, kind, request, files)
}

fn submit_as(
    context: &RequestContext,
    uid: String,
    kind: JobKind,
    request: StoredRequest,
    files: Vec<JobFile>,
) -> Result<Reply, ApiError> {
    let now = context.app.clock.unix();
    let row = JobRow {
        id: 0,
        uid: uid.clone(),
        user: context.account()?.id,
        kind: kind.as_str().to_owned(),
        state: JobState::Queued,
        request: serde_json::to_string(&request).map_err(ApiError::internal)?,
        files: files.len() as u64,
        files_done: 0,
        items: 0,
        results: 0,
        lookups: 0,
        error: None,
        created_at: now,
        started_at: None,
        ended_at: None,
    };
    let job = JobRequest {
        user: row.user,
        plan: context.caller.plan,
        kind,
        request: row.request.clone(),
        files,
    };
    let reply = Reply::json(&JobReply::without_results(row))
        .with_status(StatusCode::ACCEPTED)
        .with_header("location", location(&uid));
    let kept = context.idempotent.as_ref().map(|request| KeptReply {
        key: &request.key,
        request: request.request,
        reply: keep(&reply),
        since: context.app.collections.replies_since(),
    });
    match context.app.jobs.submit(uid, job, kept, now) {
        Ok(_) => Ok(reply),
        Err(AddJobError::Store(cause)) => Err(cause.into()),
        Err(AddJobError::Storage {
            limit,
            used,
            requested,
        }) => {
            let message = format!(
                "Your plan allows {limit} bytes; {used} are used, and {requested} more do not fit."
            );
            let plan = context.caller.plan;
            Err(transaction::storage_limit_reached(
                context, plan, message, limit, used, requested,
            ))
        }
        Err(AddJobError::Repeated) => {
            // The same request at the same time has made the job.
            transaction::answered(context)?.ok_or_else(ApiError::overloaded)
        }
        Err(AddJobError::TooMany { limit }) => {
            let message = format!(
                "An account may have {limit} unfinished jobs; wait for one, or cancel one with DELETE."
            );
            Err(ApiError::new(Code::JobLimitReached, message).with("limit", limit))
        }
    }
}

/// The common errors of all requests for jobs.
const CODES: [Code; 6] = [
    Code::AuthenticationRequired,
    Code::CsrfFailed,
    Code::JobLimitReached,
    Code::StorageLimitReached,
    Code::ValidationFailed,
    Code::PayloadTooLarge,
];

/// What holds for every job.
const ACCEPTED: &str = "The job is stored; `Location` has its address.";

fn verify_operation() -> Operation {
    Operation::new("create_verify_job", "jobs", "Check any number of references")
        .describe(
            "Accepts what `verify/batch` and `verify/document` accept, up to the operator's limits of \
             `[jobs]`: JSON, a list, a bibliography, a manuscript; a form with several parts `file` and \
             `companion`; or a Zip archive of manuscripts. In an archive, a bibliography beside a \
             manuscript is its companion, and so is every file that is neither. Each reference costs one \
             lookup, charged when its result is stored. If the lookups are used up the job waits \
             until there are some again.",
        )
        .query_switch("local_only", "Ask only the local corpus.")
        .query("filename", "The name of a file that is the body itself.")
        .query("columns", file::COLUMNS)
        .body::<VerifyJobRequest>()
        .schema::<ReferenceRequest>()
        .body_files(&["text/plain", "application/zip"])
        .body_files(&readable())
        .body_document()
        .reply::<JobReply>(202, ACCEPTED)
        .codes(&CODES)
        .codes(&[Code::PlanRequired, Code::UnprocessableImport])
}

fn format_operation() -> Operation {
    Operation::new("create_format_job", "jobs", "Format any number of items")
        .describe(
            "The body of `format/batch`, up to the operator's limit of `[jobs]`. Each result is the item \
             formatted by itself; the file of the job, JSON as of `format`, is the bibliography of all items \
             that were found.",
        )
        .body::<FormatJobRequest>()
        .reply::<JobReply>(202, ACCEPTED)
        .codes(&CODES)
        .codes(&[Code::PlanRequired, Code::UnknownStyle])
}

fn import_operation() -> Operation {
    Operation::new(
        "create_import_job",
        "jobs",
        "Import large files into a collection",
    )
    .describe(
        "The body and the query of a collection's import, with the collection in `collection_id`. \
             A form may contain several files; each has a result of its own.",
    )
    .required_query("collection_id", "The collection's UUID.")
    .query_choice(
        "on_duplicate",
        ON_DUPLICATE,
        "`add` (the default), `skip` to skip existing works, or `error`.",
    )
    .query(
        "format",
        "The format of the files, if it should not be detected.",
    )
    .query("columns", file::COLUMNS)
    .query_switch("partial", "Import as many records as the plan allows.")
    .query("filename", "The name of a file that is the body itself.")
    .body_form()
    .body_files(&readable())
    .reply::<JobReply>(202, ACCEPTED)
    .codes(&CODES)
    .codes(&[Code::NotFound])
}

fn export_operation() -> Operation {
    Operation::new("create_export_job", "jobs", "Write a collection as a file")
        .describe("The file is the result of the job.")
        .body::<ExportJobRequest>()
        .reply::<JobReply>(202, ACCEPTED)
        .codes(&CODES)
        .codes(&[Code::NotFound])
}

fn harvest_operation() -> Operation {
    Operation::new("create_harvest_job", "jobs", "Harvest a source now")
        .describe(
            "For operators, signed in with a browser. One round of `citation harvest NAME`: what has changed \
             at the source since the last complete one, or the rest of one that was interrupted. Each \
             result is the sum so far after a part of the source's list. It costs no lookups.",
        )
        .body::<HarvestJobRequest>()
        .reply::<JobReply>(202, ACCEPTED)
        .codes(&CODES)
        .codes(&[Code::Forbidden])
}
