//! Tools that look up and verify works.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::arguments::{
    DocumentArguments, LookupArguments, MAX_WORKS, SearchArguments, VerifyArguments,
};
use crate::api::edge::context::RequestContext;
use crate::api::edge::policy;
use crate::api::edge::validation;
use crate::api::error::ApiError;
use crate::api::routes::mcp::brief;
use crate::api::routes::mcp::outputs::{
    self, DocumentResult, Lookup, LookupResult, Search, Verdicts,
};
use crate::api::routes::mcp::route_call::RouteCall;

/// `POST /api/v1/lookup`.
pub(super) fn ask(
    context: &RequestContext,
    query: &str,
    local_only: bool,
) -> Result<Value, ApiError> {
    let body = json!({"query": query, "local_only": local_only});
    RouteCall::post("/api/v1/lookup", &body).json(context)
}

pub(super) fn lookup(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: LookupArguments = validation::read(arguments)?;
    let found = ask(context, &given.query, given.local_only)?;
    let mut query = one_lookup(&found);
    let results = found.get("results").map(|_| {
        let (results, more) = brief::fitting(brief::items(&found, "results").map(one_lookup));
        query.more = more;
        results
    });
    Ok(outputs::value(&Lookup { query, results }))
}

fn one_lookup(found: &Value) -> LookupResult {
    let has_candidates = found.get("candidates").is_some_and(Value::is_array);
    let candidates = brief::items(found, "candidates").map(brief::candidate);
    let (candidates, more) = brief::fitting(candidates);
    LookupResult {
        taken_for: brief::member(found, "taken_for").unwrap_or_default(),
        looked_up: brief::member(found, "looked_up"),
        found_by: brief::member(found, "found_by"),
        error: brief::member(found, "error"),
        work: found.get("metadata").and_then(brief::work),
        candidates: has_candidates.then_some(candidates),
        more,
        sources_tried: brief::details(found, "sources_tried").filter(|_| has_candidates),
        notices: brief::details(found, "notices").filter(|notices| !notices.is_empty()),
    }
}

pub(super) fn search(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: SearchArguments = validation::read(arguments)?;
    let limit = given.limit.unwrap_or(5).clamp(1, 10);
    let body = json!({"text": given.text, "limit": limit, "local_only": given.local_only});
    let answer = RouteCall::post("/api/v1/reverse", &body).send(context)?;
    let found: Value = serde_json::from_slice(&answer.body_bytes()).map_err(ApiError::internal)?;
    let candidates = found.as_array().into_iter().flatten();
    let (candidates, more) = brief::fitting(candidates.map(brief::candidate));
    Ok(outputs::value(&Search {
        candidates,
        more,
        sources_tried: answer.header("sources-tried").map(str::to_owned),
    }))
}

pub(super) fn verify(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: VerifyArguments = validation::read(arguments)?;
    let local_only = given.local_only;
    // Lists are part of paid plans; single references are open to everyone.
    if let [reference] = &given.references[..] {
        let body = json!({"reference": reference, "local_only": local_only});
        let result = RouteCall::post("/api/v1/verify", &body).json(context)?;
        let verdict = result.get("verdict").and_then(Value::as_str);
        let verdict = verdict.unwrap_or_default();
        return Ok(verdicts(&json!({
            "summary": {verdict: 1},
            "lookups_used": context.caller.cost.lookups(),
            "remaining": policy::quota_status(context)?.remaining,
            "results": [result],
        })));
    }
    let body = json!({"references": given.references, "local_only": local_only});
    RouteCall::post("/api/v1/verify/batch", &body)
        .json(context)
        .map(|found| verdicts(&found))
}

pub(super) fn verify_document(
    context: &RequestContext,
    arguments: &Value,
) -> Result<Value, ApiError> {
    let given: DocumentArguments = validation::read(arguments)?;
    let (name, content) = match (given.text, given.base64, given.path) {
        (Some(text), None, None) => (given.filename, text.into_bytes()),
        (None, Some(packed), None) => {
            let content = STANDARD.decode(packed.trim());
            let content =
                content.map_err(|_| ApiError::invalid_field("/base64", "is not Base64"))?;
            (given.filename, content)
        }
        (None, None, Some(path)) => (Some(path.clone()), read_file(context, &path)?),
        _ => {
            let message = "contains no document; send one of `text` and `base64`";
            return Err(ApiError::invalid_field("", message));
        }
    };
    RouteCall::post_file("/api/v1/verify/document", name.as_deref(), content)
        .switch("local_only", given.local_only)
        .json(context)
        .map(|found| verdicts(&found))
}

/// The folder whose files the client may name.
pub(super) fn files(context: &RequestContext) -> Option<&Path> {
    context.edge.local.as_ref()?.files.as_deref()
}

/// A file below the allowed folder; links that lead out of it are not followed.
fn read_file(context: &RequestContext, path: &str) -> Result<Vec<u8>, ApiError> {
    let refused = |message: &str| ApiError::invalid_field("/path", message);
    let folder = files(context).ok_or_else(|| refused("cannot be read here; send `text`"))?;
    let folder = folder.canonicalize().map_err(ApiError::internal)?;
    let path = folder.join(path).canonicalize();
    let path = path.map_err(|_| refused("names no file"))?;
    if !path.starts_with(&folder) {
        return Err(refused(
            "is not in the folder that was allowed at the start",
        ));
    }
    let most = context.app.config.limits.import_bytes;
    let length = path.metadata().map_err(|_| refused("names no file"))?.len();
    if length > most {
        return Err(ApiError::too_many_bytes(most).with("field", "/path"));
    }
    std::fs::read(path).map_err(|_| refused("cannot be read"))
}

/// The result for a list of references.
fn verdicts(found: &Value) -> Value {
    let document = found
        .get("document")
        .filter(|document| document.is_object());
    let document = document.map(|document| DocumentResult {
        format: brief::member(document, "format").unwrap_or_default(),
        references: brief::member(document, "references").unwrap_or_default(),
        citations: brief::member(document, "citations").unwrap_or_default(),
        findings: brief::details(document, "findings"),
    });
    // If not all fit, those that need attention come first.
    let mut results: Vec<&Value> = brief::items(found, "results").collect();
    let is_verified = |result: &&Value| result.get("verdict").is_some_and(|v| v == "verified");
    results.sort_by_key(is_verified);
    let (results, more) = brief::fitting(results.into_iter().map(brief::verification));
    outputs::value(&Verdicts {
        summary: brief::member(found, "summary").unwrap_or_default(),
        lookups_used: brief::member(found, "lookups_used"),
        lookups_left: brief::member(found, "remaining"),
        document,
        problems: brief::details(found, "problems"),
        left_out: brief::details(found, "left_out"),
        results,
        more,
    })
}

/// The metadata of works given by identifier or as metadata.
pub(super) fn works(context: &RequestContext, given: Vec<Value>) -> Result<Vec<Value>, ApiError> {
    if given.len() > MAX_WORKS {
        return Err(ApiError::too_many_items("/entries", MAX_WORKS as u64));
    }
    let one = |(at, given): (usize, Value)| {
        let Value::String(query) = &given else {
            return Ok(given);
        };
        let pointer = format!("/entries/{at}");
        let found = ask(context, query, false).map_err(|e| e.with("field", pointer.clone()))?;
        brief::member(&found, "metadata").ok_or_else(|| {
            let message = "has no certain match; `search` lists the candidates";
            ApiError::invalid_field(&pointer, message)
        })
    };
    given.into_iter().enumerate().map(one).collect()
}
