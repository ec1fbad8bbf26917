//! The results of the tools, as JSON Schema. Lists are shortened, and `more` is the number of omitted items.

use serde_json::{Value, json};

/// An object with these members, of which the first ones are required.
fn object(required: &[&str], members: Value) -> Value {
    json!({"type": "object", "required": required, "properties": members})
}

/// A tool's result or error: clients validate errors, too.
pub fn or_failure(mut output: Value) -> Value {
    let required = output["required"].take();
    output["required"] = json!([]);
    output["properties"]["error"] = json!({"description": "The error code."});
    output["properties"]["message"] = text("The error and how to fix it.");
    output["anyOf"] = json!([{"required": required}, {"required": ["error", "message"]}]);
    output
}

fn list(items: Value, description: &str) -> Value {
    json!({"type": "array", "items": items, "description": description})
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn count(description: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "description": description})
}

fn more() -> Value {
    count("Number of items omitted from the list.")
}

/// Details, each shortened.
fn details(description: &str) -> Value {
    json!({"type": ["array", "null"], "description": description})
}

fn work() -> Value {
    object(
        &[],
        json!({
            "type": text("The type of work."),
            "authors": list(json!({"type": "string"}), "Family, Given."),
            "more_authors": count("Number of authors omitted."),
            "year": {"type": "integer"},
            "title": {"type": "string"},
            "container_title": {"type": "string"},
            "volume": {"type": "string"},
            "issue": {"type": "string"},
            "pages": {"type": "string"},
            "publisher": {"type": "string"},
            "doi": {"type": "string"},
            "isbn": {"type": ["string", "array"]},
            "pmid": {"type": "string"},
            "arxiv": {"type": "string"},
            "url": {"type": "string"},
            "source": text("The source of the metadata."),
            "notices": details("Retractions and corrections."),
        }),
    )
}

fn candidate() -> Value {
    object(
        &["score", "work"],
        json!({
            "score": {"type": "number", "minimum": 0, "maximum": 1},
            "source": text("The source of the candidate."),
            "work": work(),
            "reasons": {"type": "object", "description": "The fields that agree."},
        }),
    )
}

fn lookup_members() -> Value {
    json!({
        "taken_for": {"description": "The interpretation of the query."},
        "looked_up": {"description": "The identifier that was looked up."},
        "found_by": {"description": "How it was found."},
        "error": {"description": "Why nothing was found."},
        "work": work(),
        "candidates": list(candidate(), "Candidates, best first."),
        "sources_tried": details("The sources asked, with outcomes."),
        "notices": details("Notices about the query."),
    })
}

pub fn lookup() -> Value {
    let mut members = lookup_members();
    let one = object(&["taken_for"], lookup_members());
    members["results"] = list(one, "The result for each of several identifiers.");
    members["more"] = more();
    object(&["taken_for"], members)
}

pub fn search() -> Value {
    object(
        &["candidates"],
        json!({
            "candidates": list(candidate(), "Best first."),
            "more": more(),
            "sources_tried": {"type": ["string", "null"]},
        }),
    )
}

pub fn verdicts() -> Value {
    const VERDICTS: [&str; 7] = [
        "verified",
        "mismatch",
        "retracted",
        "ambiguous",
        "not_found",
        "not_checked",
        "quota_exhausted",
    ];
    let result = object(
        &["index", "verdict"],
        json!({
            "index": count("The reference, from 0."),
            "verdict": {"type": "string", "enum": VERDICTS},
            "given": text("The reference as sent."),
            "message": text("Why."),
            "score": {"type": "number"},
            "override": {"type": "object", "description": "The decision of a person that the verdict follows."},
            "work": work(),
            "differences": details("The fields that differ."),
            "notices": details("Retractions and corrections."),
            "position": {"type": "object"},
            "sources_tried": details("The sources asked, with outcomes."),
        }),
    );
    let document = object(
        &["format", "references", "citations", "findings"],
        json!({
            "format": {"type": "string"},
            "references": count("Number of references in its list."),
            "citations": count("Number of citations in its text."),
            "findings": details("Problems of its citations."),
        }),
    );
    object(
        &["summary", "results"],
        json!({
            "summary": {"type": "object", "description": "Number of references by verdict."},
            "lookups_used": count("Cost in lookups."),
            "lookups_left": {"type": ["integer", "null"]},
            "document": document,
            "problems": details("Unreadable parts."),
            "left_out": details("References that were not checked."),
            "results": list(result, "References that need attention come first."),
            "more": more(),
        }),
    )
}

pub fn format() -> Value {
    object(
        &["bibliography", "in_text"],
        json!({
            "style": {"type": "string"},
            "locale": {"type": "string"},
            "warnings": details("Warnings of the formatter."),
            "bibliography": {"type": "string"},
            "bibliography_bytes_left_out": count("Number of bytes omitted."),
            "in_text": list(json!({}), "The citation of each work."),
            "more": more(),
        }),
    )
}

pub fn cite() -> Value {
    object(
        &["text", "unknown"],
        json!({
            "text": {"type": "string"},
            "unknown": list(json!({"type": "string"}), "Keys without a known work."),
        }),
    )
}

pub fn collections() -> Value {
    let collection = object(
        &["id", "name", "entry_count"],
        json!({
            "id": {"type": "string"},
            "name": {"type": "string"},
            "tags": {"type": ["array", "null"]},
            "entry_count": count("Its entries."),
            "updated_at": {},
        }),
    );
    object(
        &["collections"],
        json!({"collections": list(collection, "Oldest first."), "more": more()}),
    )
}

pub fn entries() -> Value {
    let entry = object(
        &["id", "work"],
        json!({
            "id": {"type": "string"},
            "work": work(),
            "note": {"type": ["string", "null"]},
            "tags": {"type": ["array", "null"]},
            "review_status": {"type": ["string", "null"]},
            "citation_key": {"type": ["string", "null"]},
            "sort_order": {"type": ["number", "null"]},
        }),
    );
    object(
        &["entries", "matching"],
        json!({
            "id": {"type": "string"},
            "name": {"type": "string"},
            "description": {"type": ["string", "null"]},
            "defaultstyle": {"type": ["string", "null"]},
            "tags": {"type": ["array", "null"]},
            "entry_count": count("Number of entries in the collection."),
            "entries": list(entry, "20 at most."),
            "matching": count("Number of matching entries."),
            "more": more(),
        }),
    )
}

pub fn created() -> Value {
    object(
        &["id", "name"],
        json!({"id": {"type": "string"}, "name": {"type": "string"}}),
    )
}

pub fn added() -> Value {
    let entry = object(
        &["id", "work"],
        json!({"id": {"type": "string"}, "work": work()}),
    );
    object(
        &["added", "count"],
        json!({
            "added": list(entry, "The added entries."),
            "count": count("Number of added entries."),
            "errors": details("Entries that could not be added."),
            "duplicates": details("Works that the collection already has."),
            "more": more(),
        }),
    )
}
