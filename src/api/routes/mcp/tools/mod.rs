//! The tools: their arguments, routes and results.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

mod arguments;
mod collections;
mod format;
mod lookup;

use serde_json::{Value, json};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use self::arguments::{
    AddArguments, CreateArguments, DocumentArguments, FormatArguments, ListArguments,
    LookupArguments, ReadArguments, SearchArguments, VerifyArguments,
};
use self::collections::{add_to_collection, create_collection, list_collections, read_collection};
use self::format::format;
use self::lookup::{files, lookup, search, verify, verify_document};
use super::{citing, outputs};
use crate::api::edge::context::RequestContext;
use crate::api::error::ApiError;
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
    output: fn() -> RefOr<Schema>,
    pub call: fn(&RequestContext, &Value) -> Result<Value, ApiError>,
}

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
        output: outputs::Lookup::schema,
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
        output: outputs::Search::schema,
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
        output: outputs::Verdicts::schema,
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
        output: outputs::Verdicts::schema,
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
        output: outputs::Formatted::schema,
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
        output: outputs::Cited::schema,
        call: citing::cite,
    },
    Tool {
        name: "list_collections",
        title: "List collections",
        description: "Lists your collections, oldest first.",
        is_read_only: true,
        is_open_world: false,
        schema: ListArguments::schema,
        output: outputs::Collections::schema,
        call: list_collections,
    },
    Tool {
        name: "read_collection",
        title: "Read a collection",
        description: "Returns entries of one of your collections, 20 at a time. `matching` is their total number.",
        is_read_only: true,
        is_open_world: false,
        schema: ReadArguments::schema,
        output: outputs::Entries::schema,
        call: read_collection,
    },
    Tool {
        name: "create_collection",
        title: "Create a collection",
        description: "Creates an empty collection.",
        is_read_only: false,
        is_open_world: false,
        schema: CreateArguments::schema,
        output: outputs::Created::schema,
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
        output: outputs::Added::schema,
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
