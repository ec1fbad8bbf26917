//! The results of the tools. Lists are shortened, and `more` is the number of omitted items; a member
//! without a value is left out. Lists of `Value` are of the interface, each item shortened.

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A result as a tool returns it, without the members that have no value.
pub fn value(result: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(result).unwrap_or_default();
    drop_nulls(&mut value);
    value
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

/// The schema of a tool's result or error: clients validate errors, too.
pub fn or_failure(output: RefOr<Schema>) -> Value {
    let mut output = serde_json::to_value(output).unwrap_or_default();
    let Some(schema) = output.as_object_mut() else {
        return output;
    };
    let required = schema.remove("required").unwrap_or_else(|| json!([]));
    let members = schema.entry("properties").or_insert_with(|| json!({}));
    if let Some(members) = members.as_object_mut() {
        let message = json!({"type": "string", "description": "The error and how to fix it."});
        members.insert(
            "error".to_owned(),
            json!({"description": "The error code."}),
        );
        members.insert("message".to_owned(), message);
    }
    let alternatives = json!([{"required": required}, {"required": ["error", "message"]}]);
    schema.insert("anyOf".to_owned(), alternatives);
    output
}

/// A work by its identifying fields, with the values of the interface, their texts shortened.
#[derive(Default, Serialize, ToSchema)]
pub struct Work {
    #[serde(rename = "type")]
    pub kind: Option<Value>,
    /// Family, Given.
    pub authors: Option<Vec<String>>,
    /// Number of authors omitted.
    pub more_authors: Option<usize>,
    pub year: Option<Value>,
    pub title: Option<Value>,
    pub container_title: Option<Value>,
    pub volume: Option<Value>,
    pub issue: Option<Value>,
    pub pages: Option<Value>,
    pub publisher: Option<Value>,
    pub doi: Option<Value>,
    pub isbn: Option<Value>,
    pub pmid: Option<Value>,
    pub arxiv: Option<Value>,
    /// Only without a DOI, which is the better address.
    pub url: Option<Value>,
    /// The source of the metadata.
    pub source: Option<Value>,
    /// Retractions and corrections.
    pub notices: Option<Vec<Value>>,
}

/// A candidate for a text.
#[derive(Serialize, ToSchema)]
pub struct Candidate {
    #[schema(value_type = f64, minimum = 0, maximum = 1)]
    pub score: Value,
    /// The source of the candidate.
    pub source: Option<Value>,
    #[schema(inline)]
    pub work: Option<Work>,
    /// The fields that agree or differ.
    #[schema(value_type = Object)]
    pub reasons: Map<String, Value>,
}

/// The result for one query.
#[derive(Serialize, ToSchema)]
pub struct LookupResult {
    /// The interpretation of the query.
    pub taken_for: Value,
    /// The identifier that was looked up.
    pub looked_up: Option<Value>,
    /// How it was found.
    pub found_by: Option<Value>,
    /// Why nothing was found.
    pub error: Option<Value>,
    #[schema(inline)]
    pub work: Option<Work>,
    /// Candidates, best first.
    #[schema(inline)]
    pub candidates: Option<Vec<Candidate>>,
    /// Number of items omitted from the list.
    pub more: Option<usize>,
    /// The sources asked, with outcomes.
    pub sources_tried: Option<Vec<Value>>,
    /// Notices about the query.
    pub notices: Option<Vec<Value>>,
}

/// The result for a query, which may name several identifiers.
#[derive(Serialize)]
pub struct Lookup {
    #[serde(flatten)]
    pub query: LookupResult,
    /// The result for each identifier.
    pub results: Option<Vec<LookupResult>>,
}

impl PartialSchema for Lookup {
    /// The members of a result, and the results: a derived schema would be two objects.
    fn schema() -> RefOr<Schema> {
        let mut schema = LookupResult::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            let results = ArrayBuilder::new().items(LookupResult::schema());
            let results = results.description(Some("The result for each of several identifiers."));
            object
                .properties
                .insert("results".to_owned(), results.into());
        }
        schema
    }
}

#[derive(Serialize, ToSchema)]
pub struct Search {
    /// Best first.
    #[schema(inline)]
    pub candidates: Vec<Candidate>,
    /// Number of candidates omitted.
    pub more: Option<usize>,
    pub sources_tried: Option<String>,
}

/// The result for one reference. Everything that qualifies the verdict is kept.
#[derive(Serialize, ToSchema)]
pub struct Verification {
    /// The reference, from 0.
    #[schema(value_type = u64)]
    pub index: Value,
    #[schema(value_type = String)]
    pub verdict: Value,
    /// The reference as sent.
    pub given: Option<String>,
    /// Why.
    pub message: Option<Value>,
    pub score: Option<Value>,
    /// The decision of a person that the verdict follows.
    #[serde(rename = "override")]
    #[schema(value_type = Option<Object>)]
    pub decided: Option<Value>,
    #[schema(inline)]
    pub work: Option<Work>,
    /// The fields that differ.
    pub differences: Option<Vec<Value>>,
    /// Retractions and corrections.
    pub notices: Option<Vec<Value>>,
    pub position: Option<Value>,
    /// The sources asked, with outcomes.
    pub sources_tried: Option<Vec<Value>>,
}

#[derive(Serialize, ToSchema)]
pub struct DocumentResult {
    pub format: Value,
    /// Number of references in its list.
    pub references: Value,
    /// Number of citations in its text.
    pub citations: Value,
    /// Problems of its citations.
    pub findings: Option<Vec<Value>>,
}

#[derive(Serialize, ToSchema)]
pub struct Verdicts {
    /// Number of references by verdict.
    #[schema(value_type = Object)]
    pub summary: Value,
    /// Cost in lookups.
    pub lookups_used: Option<Value>,
    pub lookups_left: Option<Value>,
    #[schema(inline)]
    pub document: Option<DocumentResult>,
    /// Unreadable parts.
    pub problems: Option<Vec<Value>>,
    /// References that were not checked.
    pub left_out: Option<Vec<Value>>,
    /// References that need attention come first.
    #[schema(inline)]
    pub results: Vec<Verification>,
    /// Number of results omitted.
    pub more: Option<usize>,
}

#[derive(Serialize, ToSchema)]
pub struct Formatted {
    pub style: Option<Value>,
    pub locale: Option<Value>,
    /// Warnings of the formatter.
    pub warnings: Option<Vec<Value>>,
    pub bibliography: String,
    /// Number of bytes omitted.
    pub bibliography_bytes_left_out: Option<usize>,
    /// The citation of each work.
    pub in_text: Vec<Value>,
    /// Number of citations omitted.
    pub more: Option<usize>,
}

#[derive(Serialize, ToSchema)]
pub struct Cited {
    pub text: String,
    /// Keys without a known work.
    pub unknown: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Collection {
    #[schema(value_type = String)]
    pub id: Value,
    #[schema(value_type = String)]
    pub name: Value,
    pub tags: Option<Value>,
    #[schema(value_type = u64)]
    pub entry_count: Value,
    pub updated_at: Option<Value>,
}

#[derive(Serialize, ToSchema)]
pub struct Collections {
    /// Oldest first.
    #[schema(inline)]
    pub collections: Vec<Collection>,
    /// Number of collections omitted.
    pub more: Option<usize>,
}

#[derive(Serialize, ToSchema)]
pub struct Entry {
    #[schema(value_type = String)]
    pub id: Value,
    #[schema(inline)]
    pub work: Option<Work>,
    pub note: Option<Value>,
    pub tags: Option<Value>,
    pub review_status: Option<Value>,
    pub citation_key: Option<Value>,
    pub sort_order: Option<Value>,
}

#[derive(Serialize, ToSchema)]
pub struct Entries {
    pub id: Option<Value>,
    pub name: Option<Value>,
    pub description: Option<Value>,
    pub defaultstyle: Option<Value>,
    pub tags: Option<Value>,
    /// Number of entries in the collection.
    pub entry_count: Option<Value>,
    /// 20 at most.
    #[schema(inline)]
    pub entries: Vec<Entry>,
    /// Number of matching entries.
    pub matching: Option<u64>,
    /// Number of entries omitted.
    pub more: Option<usize>,
}

#[derive(Serialize, ToSchema)]
pub struct Created {
    #[schema(value_type = String)]
    pub id: Value,
    #[schema(value_type = String)]
    pub name: Value,
}

#[derive(Serialize, ToSchema)]
pub struct AddedEntry {
    #[schema(value_type = String)]
    pub id: Value,
    #[schema(inline)]
    pub work: Option<Work>,
}

#[derive(Serialize, ToSchema)]
pub struct Added {
    /// The added entries.
    #[schema(inline)]
    pub added: Vec<AddedEntry>,
    /// Number of added entries.
    #[schema(value_type = u64)]
    pub count: Value,
    /// Entries that could not be added.
    pub errors: Option<Vec<Value>>,
    /// Works that the collection already has.
    pub duplicates: Option<Vec<Value>>,
    /// Number of added entries omitted.
    pub more: Option<usize>,
}
