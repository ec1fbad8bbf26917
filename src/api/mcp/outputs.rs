//! What the tools give back, as JSON Schema. Lists are cut, and `more` says how many are left out.

use serde_json::{Value, json};

/// An object with these members, the first of which are always there.
fn object(required: &[&str], members: Value) -> Value {
    json!({"type": "object", "required": required, "properties": members})
}

/// What a tool gives back, or why it has nothing to give: clients check failures, too.
pub fn or_failure(mut output: Value) -> Value {
    let required = output["required"].take();
    output["required"] = json!([]);
    output["properties"]["error"] = json!({"description": "The code of a failure."});
    output["properties"]["message"] = text("What a failure is, and what to do.");
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
    count("How many are left out of the list.")
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
            "more_authors": count("Authors that are left out."),
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
            "source": text("Who says so."),
            "notices": details("Retractions and corrections."),
        }),
    )
}

fn candidate() -> Value {
    object(
        &["score", "work"],
        json!({
            "score": {"type": "number", "minimum": 0, "maximum": 1},
            "source": text("Where it was found."),
            "work": work(),
            "reasons": {"type": "object", "description": "What of it agrees."},
        }),
    )
}

fn lookup_members() -> Value {
    json!({
        "taken_for": {"description": "What the query was taken for."},
        "looked_up": {"description": "The identifier that was looked up."},
        "found_by": {"description": "How it was found."},
        "error": {"description": "Why nothing was found."},
        "work": work(),
        "candidates": list(candidate(), "Works that may be meant, best first."),
        "sources_tried": details("What was asked, and what came of it."),
        "notices": details("What is to be known of the query."),
    })
}

pub fn lookup() -> Value {
    let mut members = lookup_members();
    let one = object(&["taken_for"], lookup_members());
    members["results"] = list(one, "Of several identifiers, what became of each.");
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
            "given": text("The reference, as it was given."),
            "message": text("Why."),
            "score": {"type": "number"},
            "work": work(),
            "differences": details("What does not agree."),
            "notices": details("Retractions and corrections."),
            "position": {"type": "object"},
            "sources_tried": details("What was asked, and what came of it."),
        }),
    );
    let document = object(
        &["format", "references", "citations", "findings"],
        json!({
            "format": {"type": "string"},
            "references": count("References of its list."),
            "citations": count("Citations in its text."),
            "findings": details("What its citations lack."),
        }),
    );
    object(
        &["summary", "results"],
        json!({
            "summary": {"type": "object", "description": "How many there are of each verdict."},
            "lookups_used": count("Lookups that this cost."),
            "lookups_left": {"type": ["integer", "null"]},
            "document": document,
            "problems": details("What could not be read."),
            "left_out": details("References that were not checked."),
            "results": list(result, "Those first that somebody has to look at."),
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
            "warnings": details("What the style lacks."),
            "bibliography": {"type": "string"},
            "bibliography_bytes_left_out": count("Bytes behind what is shown."),
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
            "unknown": list(json!({"type": "string"}), "Keys of which no work is known."),
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
        json!({"collections": list(collection, "The oldest first."), "more": more()}),
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
            "entry_count": count("Entries of the collection."),
            "entries": list(entry, "20 at most."),
            "matching": count("How many entries there are."),
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
            "added": list(entry, "What was added."),
            "count": count("How many were added."),
            "errors": details("What could not be added."),
            "duplicates": details("What the collection has already."),
            "more": more(),
        }),
    )
}
