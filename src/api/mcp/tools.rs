//! The tools: their arguments, routes and results.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::openapi::schema::{Array, ArrayBuilder, OneOfBuilder};
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::route_call::RouteCall;
use super::{brief, citing, outputs, resources};
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::policy;
use crate::api::schemas::choice;
use crate::api::validation;

/// One tool.
pub struct Tool {
    pub name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Whether it changes no stored data.
    is_read_only: bool,
    /// Whether external services may be asked.
    is_open_world: bool,
    schema: fn() -> RefOr<Schema>,
    /// The result on success.
    output: fn() -> Value,
    pub call: fn(&RequestContext, &Value) -> Result<Value, ApiError>,
}

/// Maximum number of works in one call.
const MOST_WORKS: usize = 50;

const TOOLS: [Tool; 10] = [
    Tool {
        name: "lookup",
        title: "Look up a work",
        description: "Returns the work of an identifier or an address: DOI, ISBN, PubMed, arXiv and other \
            identifiers in any spelling, web pages, or several of them. Any other text is \
            searched for; `work` is only present for a certain match. Costs a lookup for each.",
        is_read_only: true,
        is_open_world: true,
        schema: LookupArguments::schema,
        output: outputs::lookup,
        call: lookup,
    },
    Tool {
        name: "search",
        title: "Search for works",
        description: "Returns works that match a free text, best first: a reference in any style, or what is \
            remembered of it. Searches your collections, the local corpus, and external sources if \
            those are not sufficient. A score of 0.95 or more means the right work; below that, it may be another. \
            Costs a lookup.",
        is_read_only: true,
        is_open_world: true,
        schema: SearchArguments::schema,
        output: outputs::search,
        call: search,
    },
    Tool {
        name: "verify",
        title: "Verify references",
        description: "Checks whether the works of a reference list exist in the sources searched and agree with \
            the references: verified, mismatch, retracted, ambiguous, not_found, not_checked or \
            quota_exhausted, with the reasons. Costs a lookup for each; several at once need a paid plan.",
        is_read_only: true,
        is_open_world: true,
        schema: VerifyArguments::schema,
        output: outputs::verdicts,
        call: verify,
    },
    Tool {
        name: "verify_document",
        title: "Verify a document",
        description: "Checks the references of a manuscript, a bibliography file or a pasted list, \
            and its citations: undefined keys, entries never cited.",
        is_read_only: true,
        is_open_world: true,
        schema: DocumentArguments::schema,
        output: outputs::verdicts,
        call: verify_document,
    },
    Tool {
        name: "format",
        title: "Format a bibliography",
        description: "Returns a bibliography in a citation style, and the in-text citation of each work. Works are \
            given by identifier, which costs a lookup, as metadata, or as a collection.",
        is_read_only: true,
        is_open_world: true,
        schema: FormatArguments::schema,
        output: outputs::format,
        call: format,
    },
    Tool {
        name: "cite",
        title: "Cite in a text",
        description: "Returns a manuscript in Markdown, LaTeX, Typst or HTML with its citation markers replaced, \
            such as [@doi:10.1038/171737a0, p. 737], and its bibliography inserted. Keys are defined in \
            `bibliography`, or are identifiers, each of which costs a lookup. `unknown` lists the keys \
            without a known work; they stay marked in the text.",
        is_read_only: true,
        is_open_world: true,
        schema: citing::CiteArguments::schema,
        output: outputs::cite,
        call: citing::cite,
    },
    Tool {
        name: "list_collections",
        title: "List collections",
        description: "Lists your collections, oldest first.",
        is_read_only: true,
        is_open_world: false,
        schema: ListArguments::schema,
        output: outputs::collections,
        call: list_collections,
    },
    Tool {
        name: "read_collection",
        title: "Read a collection",
        description: "Returns entries of one of your collections, 20 at a time. `matching` is their total number.",
        is_read_only: true,
        is_open_world: false,
        schema: ReadArguments::schema,
        output: outputs::entries,
        call: read_collection,
    },
    Tool {
        name: "create_collection",
        title: "Create a collection",
        description: "Creates an empty collection.",
        is_read_only: false,
        is_open_world: false,
        schema: CreateArguments::schema,
        output: outputs::created,
        call: create_collection,
    },
    Tool {
        name: "add_to_collection",
        title: "Add to a collection",
        description: "Adds works to one of your collections, by identifier, which costs a lookup, or as \
            metadata. Existing works are skipped and listed under `duplicates`.",
        is_read_only: false,
        is_open_world: true,
        schema: AddArguments::schema,
        output: outputs::added,
        call: add_to_collection,
    },
];

impl Tool {
    pub fn named(name: &str) -> Option<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    fn described(&self, context: &RequestContext) -> Value {
        let mut schema = serde_json::to_value((self.schema)()).unwrap_or_default();
        if files(context).is_none()
            && let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut)
        {
            members.remove("path");
        }
        let mut annotations = json!({
            "title": self.title,
            "readOnlyHint": self.is_read_only,
            "openWorldHint": self.is_open_world,
        });
        if !self.is_read_only {
            annotations["destructiveHint"] = false.into();
            annotations["idempotentHint"] = (self.name == "add_to_collection").into();
        }
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema,
            "outputSchema": outputs::or_failure((self.output)()),
            "annotations": annotations,
        })
    }
}

/// The answer to `tools/list`.
pub fn list(context: &RequestContext) -> Value {
    let tools: Vec<Value> = TOOLS.iter().map(|tool| tool.described(context)).collect();
    json!({"tools": tools})
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LookupArguments {
    /// An identifier, an address, several of them, or a reference.
    #[schema(min_length = 1)]
    query: String,
    /// Ask no external source. Default false.
    #[serde(default)]
    local_only: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SearchArguments {
    /// The text to search for.
    #[schema(min_length = 1)]
    text: String,
    /// Maximum number of works. Default 5.
    #[schema(minimum = 1, maximum = 10, nullable = false)]
    limit: Option<u32>,
    /// Ask no external source. Default false.
    #[serde(default)]
    local_only: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct VerifyArguments {
    #[schema(schema_with = references)]
    references: Vec<Value>,
    /// Ask no external source. Default false.
    #[serde(default)]
    local_only: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DocumentArguments {
    /// The document as text: Markdown, LaTeX, BibTeX, RIS, a list of references.
    #[schema(nullable = false)]
    text: Option<String>,
    /// A binary document, such as a .docx, in Base64.
    #[schema(nullable = false)]
    base64: Option<String>,
    /// The name of the file, whose extension decides its format: paper.docx.
    #[schema(nullable = false)]
    filename: Option<String>,
    /// A file on this machine, in the folder that was allowed at the start.
    #[schema(nullable = false)]
    path: Option<String>,
    /// Ask no external source. Default false.
    #[serde(default)]
    local_only: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FormatArguments {
    #[schema(schema_with = works_schema)]
    #[serde(default)]
    entries: Vec<Value>,
    /// The id of one of your collections, instead of entries.
    #[schema(nullable = false)]
    collection: Option<String>,
    /// A style by its short name: apa, ieee, chicago-author-date.
    #[schema(nullable = false)]
    style: Option<String>,
    /// A language tag: de-DE.
    #[schema(nullable = false)]
    locale: Option<String>,
    #[serde(default)]
    #[schema(schema_with = forms)]
    form: Form,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    #[default]
    Text,
    Html,
    Markdown,
    Latex,
    Typst,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    /// Only collections with these words in name or description.
    #[schema(nullable = false)]
    query: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    /// The collection's id.
    id: String,
    /// Only entries with these words.
    #[schema(nullable = false)]
    query: Option<String>,
    /// Number of entries to skip. Default 0.
    #[schema(nullable = false)]
    offset: Option<u32>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreateArguments {
    #[schema(min_length = 1)]
    name: String,
    #[schema(nullable = false)]
    description: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AddArguments {
    /// The collection's id.
    collection: String,
    #[schema(schema_with = works_schema)]
    entries: Vec<Value>,
}

fn references() -> Array {
    texts_or_metadata(
        "References as texts, or metadata with title, authors, date, doi.",
        100,
    )
}

fn works_schema() -> Array {
    texts_or_metadata("Identifiers, or metadata.", MOST_WORKS)
}

fn texts_or_metadata(description: &str, most: usize) -> Array {
    let one = OneOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::String))
        .item(ObjectBuilder::new().schema_type(Type::Object));
    let list = ArrayBuilder::new()
        .items(one)
        .description(Some(description));
    list.min_items(Some(1)).max_items(Some(most)).build()
}

fn forms() -> Object {
    choice(
        "The format of the bibliography. Default text.",
        ["text", "html", "markdown", "latex", "typst"],
    )
}

/// `POST /api/v1/lookup`.
fn ask(context: &RequestContext, query: &str, local_only: bool) -> Result<Value, ApiError> {
    let body = json!({"query": query, "local_only": local_only});
    RouteCall::post("/api/v1/lookup", &body).json(context)
}

fn lookup(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: LookupArguments = validation::read(arguments)?;
    let found = ask(context, &given.query, given.local_only)?;
    let mut reply = one_lookup(&found);
    if let Some(results) = found["results"].as_array() {
        brief::put(&mut reply, "results", results.iter().map(one_lookup));
    }
    Ok(reply)
}

fn one_lookup(found: &Value) -> Value {
    let mut reply = json!({"taken_for": found["taken_for"], "looked_up": found["looked_up"]});
    for member in ["found_by", "error"] {
        if !found[member].is_null() {
            reply[member] = found[member].clone();
        }
    }
    if !found["metadata"].is_null() {
        reply["work"] = brief::work(&found["metadata"]);
    }
    if let Some(candidates) = found["candidates"].as_array() {
        brief::put(
            &mut reply,
            "candidates",
            candidates.iter().map(brief::candidate),
        );
        reply["sources_tried"] = brief::list(&found["sources_tried"]);
    }
    if found["notices"]
        .as_array()
        .is_some_and(|notices| !notices.is_empty())
    {
        reply["notices"] = brief::list(&found["notices"]);
    }
    reply
}

fn search(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: SearchArguments = validation::read(arguments)?;
    let limit = given.limit.unwrap_or(5).clamp(1, 10);
    let body = json!({"text": given.text, "limit": limit, "local_only": given.local_only});
    let answer = RouteCall::post("/api/v1/reverse", &body).send(context)?;
    let found: Value = serde_json::from_slice(&answer.body_bytes()).map_err(ApiError::internal)?;
    let mut reply = json!({"sources_tried": answer.header("sources-tried")});
    let candidates = found.as_array().into_iter().flatten();
    brief::put(&mut reply, "candidates", candidates.map(brief::candidate));
    Ok(reply)
}

fn verify(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: VerifyArguments = validation::read(arguments)?;
    let local_only = given.local_only;
    // Lists are part of paid plans; single references are open to everyone.
    if let [reference] = &given.references[..] {
        let body = json!({"reference": reference, "local_only": local_only});
        let result = RouteCall::post("/api/v1/verify", &body).json(context)?;
        let verdict = result["verdict"].as_str().unwrap_or_default();
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

fn verify_document(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
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
fn files(context: &RequestContext) -> Option<&Path> {
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
    let mut reply = json!({
        "summary": found["summary"],
        "lookups_used": found["lookups_used"],
        "lookups_left": found["remaining"],
    });
    let document = &found["document"];
    if !document.is_null() {
        reply["document"] = json!({
            "format": document["format"],
            "references": document["references"],
            "citations": document["citations"],
            "findings": brief::list(&document["findings"]),
        });
    }
    for member in ["problems", "left_out"] {
        if !found[member].is_null() {
            reply[member] = brief::list(&found[member]);
        }
    }
    // If not all fit, those that need attention come first.
    let mut results: Vec<&Value> = found["results"].as_array().into_iter().flatten().collect();
    results.sort_by_key(|result| result["verdict"] == "verified");
    brief::put(
        &mut reply,
        "results",
        results.into_iter().map(brief::verification),
    );
    reply
}

/// The metadata of works given by identifier or as metadata.
fn works(context: &RequestContext, given: Vec<Value>) -> Result<Vec<Value>, ApiError> {
    if given.len() > MOST_WORKS {
        return Err(ApiError::too_many_items("/entries", MOST_WORKS as u64));
    }
    let one = |(at, given): (usize, Value)| {
        let Value::String(query) = &given else {
            return Ok(given);
        };
        let pointer = format!("/entries/{at}");
        let mut found = ask(context, query, false).map_err(|e| e.with("field", pointer.clone()))?;
        match found["metadata"].take() {
            Value::Null => {
                let message = "has no certain match; `search` lists the candidates";
                Err(ApiError::invalid_field(&pointer, message))
            }
            metadata => Ok(metadata),
        }
    };
    given.into_iter().enumerate().map(one).collect()
}

fn format(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: FormatArguments = validation::read(arguments)?;
    let entries = match (&given.collection, given.entries.is_empty()) {
        (None, false) => works(context, given.entries)?,
        (Some(id), true) => {
            let call = RouteCall::get("/api/v1/collections/{id}").path("id", id);
            let mut found = call.json(context)?;
            let entries = found["entries"].as_array_mut().into_iter().flatten();
            entries.map(|entry| entry["metadata"].take()).collect()
        }
        _ => {
            let message = "contains nothing to format; send one of `entries` and `collection`";
            return Err(ApiError::invalid_field("", message));
        }
    };
    let dialect = match given.form {
        Form::Text | Form::Html => None,
        Form::Markdown => Some("markdown"),
        Form::Latex => Some("latex"),
        Form::Typst => Some("typst"),
    };
    let mut body = json!({"entries": entries, "formats": dialect.into_iter().collect::<Vec<_>>()});
    for (member, value) in [("style", given.style), ("locale", given.locale)] {
        if let Some(value) = value {
            body[member] = value.into();
        }
    }
    let formatted = RouteCall::post("/api/v1/format", &body).json(context)?;
    let (whole, markers) = match (given.form, dialect) {
        (Form::Html, _) => (&formatted["html"], &formatted["citations"]),
        (_, Some(dialect)) => {
            let form = &formatted["formats"][dialect];
            (&form["bibliography"], &form["citations"])
        }
        _ => (&formatted["plain"], &formatted["citations"]),
    };
    let mut reply = json!({
        "style": formatted["style"],
        "locale": formatted["locale"],
        "warnings": brief::list(&formatted["warnings"]),
    });
    let whole = whole.as_str().unwrap_or_default();
    let end = whole.floor_char_boundary(brief::DOCUMENT_BYTES);
    reply["bibliography"] = whole.get(..end).unwrap_or_default().into();
    if end < whole.len() {
        reply["bibliography_bytes_left_out"] = (whole.len() - end).into();
    }
    let markers = markers.as_array().into_iter().flatten();
    brief::put(&mut reply, "in_text", markers.cloned());
    Ok(reply)
}

fn list_collections(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: ListArguments = validation::read(arguments)?;
    let call = RouteCall::get("/api/v1/collections");
    let call = match &given.query {
        Some(words) => call.query("q", words),
        None => call,
    };
    let found = call.json(context)?;
    let mut reply = json!({});
    let collections = found.as_array().into_iter().flatten().map(|collection| {
        json!({
            "id": collection["id"], "name": collection["name"], "tags": collection["tags"],
            "entry_count": collection["entry_count"], "updated_at": collection["updated_at"],
        })
    });
    brief::put(&mut reply, "collections", collections);
    Ok(reply)
}

fn read_collection(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: ReadArguments = validation::read(arguments)?;
    let mut query = vec![("offset", given.offset.unwrap_or(0).to_string())];
    query.extend(given.query.map(|words| ("q", words)));
    resources::collection(context, &given.id, &query)
}

fn create_collection(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: CreateArguments = validation::read(arguments)?;
    let body = json!({"name": given.name, "description": given.description});
    let made = RouteCall::post("/api/v1/collections", &body).json(context)?;
    Ok(json!({"id": made["id"], "name": made["name"]}))
}

fn add_to_collection(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    let given: AddArguments = validation::read(arguments)?;
    let body = json!({"entries": works(context, given.entries)?});
    let done = RouteCall::post("/api/v1/collections/{id}/entries/batch", &body)
        .path("id", &given.collection)
        .query("on_duplicate", "skip")
        .json(context)?;
    let mut reply = json!({
        "count": done["count"],
        "errors": brief::list(&done["errors"]),
        "duplicates": brief::list(&done["duplicates"]),
    });
    let added = done["added"].as_array().into_iter().flatten();
    let added =
        added.map(|entry| json!({"id": entry["id"], "work": brief::work(&entry["metadata"])}));
    brief::put(&mut reply, "added", added);
    Ok(reply)
}
