//! Schemas of the API without a Rust type of their own; these types exist only for their schemas.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{
    AdditionalProperties, Array, ArrayBuilder, OneOfBuilder, SchemaFormat, SchemaType,
};
use utoipa::openapi::{KnownFormat, Object, ObjectBuilder, Ref, Schema, Type};

macro_rules! shapes {
    ($($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $member:ident: $kind:ty,)* })*) => {$(
        $(#[$about])*
        #[derive(Serialize, ToSchema)]
        #[allow(dead_code, reason = "only described here")]
        pub struct $name { $($(#[$note])* $member: $kind,)* }
    )*};
}

shapes! {
    /// A notice about a work, such as its retraction.
    UpdateNotice {
        /// `retraction`, `withdrawal`, `expression_of_concern`, `correction`, `reinstatement`, ….
        #[serde(rename = "type")]
        kind: String,
        /// `updated_by`, or `update_to` for the notice itself.
        relation: String,
        /// The other work.
        doi: String,
        /// ISO 8601.
        date: Option<String>,
        /// The source of the notice.
        source: Option<String>,
        /// Why, in the words of the source.
        reasons: Option<Vec<String>>,
    }

    /// The agreement of a field of a reference with a work.
    FieldComparison {
        field: String,
        given: Option<String>,
        found: Option<String>,
        /// 0 to 1.
        similarity: f64,
        /// Its contribution to the log-odds of the score; negative is evidence against.
        weight: f64,
        /// `equal`, `similar`, `different` or `missing`.
        verdict: String,
    }

    /// A field in which a reference and the work differ.
    FieldDifference {
        field: String,
        given: Option<String>,
        found: Option<String>,
        /// `critical`, `warning` or `info`.
        severity: String,
        /// `not_registered`, `other_work` or `unchecked` (of an identifier), or `sources_disagree`.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    }

    /// The decision of a person about a reference.
    AppliedOverride {
        /// The reference as it was checked.
        reference: String,
        /// `real`, or `other_work`: the work found is not the cited one.
        decision: String,
        by: String,
        /// `2026-11-28`.
        date: String,
        why: String,
        /// The verdict that it replaces.
        replaced: String,
    }

    /// What is known of a field of a reference.
    FieldCheck {
        field: String,
        /// `agrees`, `differs`, `missing` (only the work has it) or `unchecked` (no source asked has a value).
        status: String,
        /// The source of the value that it was compared with, or the registry of an identifier; null if unchecked.
        source: Option<String>,
        /// What each source has, if they disagree.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        values: Vec<SourceValue>,
    }

    /// The value of a field at one source.
    SourceValue {
        source: String,
        value: String,
    }

    /// A problem at one position of a file.
    FileProblem {
        /// The record's position, from 0; absent for problems between records.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        citation_key: Option<String>,
        /// Stable: `unbalanced_braces`.
        code: String,
        message: String,
        /// The text at that position.
        snippet: String,
        /// `error` or `warning`.
        severity: String,
    }

    /// A column of a table, and its meaning.
    TableColumn {
        name: String,
        variable: Option<String>,
    }

    /// A corrected value.
    EntryWarning {
        code: String,
        field: String,
        message: String,
    }

    /// A reference: its text, its metadata, or any member of the metadata itself.
    ReferenceRequest {
        text: Option<String>,
        #[schema(value_type = Option<citation_exchange::metadata::CitationMetadata<'static>>)]
        metadata: Option<Value>,
    }

    /// An item to format: one of the members, or any member of the metadata itself.
    FormatItem {
        doi: Option<String>,
        isbn: Option<String>,
        /// A reference, an identifier of any kind, or the address of a page.
        text: Option<String>,
        #[schema(value_type = Option<citation_exchange::metadata::CitationMetadata<'static>>)]
        metadata: Option<Value>,
    }

    /// A form with a file.
    FileUpload {
        #[schema(value_type = String, format = Binary)]
        file: Vec<u8>,
    }

    /// A form with a document and the files that it names.
    DocumentUpload {
        #[schema(value_type = String, format = Binary)]
        file: Vec<u8>,
        #[schema(schema_with = companions)]
        companion: Option<Vec<u8>>,
    }

    /// A message of JSON-RPC 2.0.
    JsonRpcMessage {
        #[schema(max_length = 3)]
        jsonrpc: String,
        /// Absent from notifications.
        #[schema(schema_with = request_id)]
        id: Option<Value>,
        #[schema(max_length = 100)]
        method: Option<String>,
        #[schema(nullable = false)]
        params: Option<BTreeMap<String, Value>>,
    }

    /// A response of JSON-RPC 2.0: a result, or an error.
    JsonRpcResponse {
        jsonrpc: String,
        /// Null if it could not be read.
        #[schema(schema_with = response_id)]
        id: Value,
        #[schema(nullable = false)]
        result: Option<BTreeMap<String, Value>>,
        #[schema(nullable = false)]
        error: Option<JsonRpcError>,
    }

    JsonRpcError {
        code: i32,
        message: String,
        #[schema(nullable = false)]
        data: Option<BTreeMap<String, Value>>,
    }

    /// An entry kept in a browser. Entries over the limits are listed under `errors`.
    LocalEntry {
        #[schema(max_length = 1_000_000)]
        client_id: Option<String>,
        metadata: BTreeMap<String, Value>,
        #[schema(max_length = 1_000_000)]
        note: Option<String>,
        #[schema(schema_with = any_tags)]
        tags: Option<Vec<String>>,
        /// ISO 8601.
        #[schema(max_length = 1_000_000)]
        added_at: Option<String>,
    }
}

fn companions() -> Array {
    let file = ObjectBuilder::new().schema_type(Type::String);
    let file = file.format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
    ArrayBuilder::new().items(file).build()
}

fn request_id() -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Integer]))
        .max_length(Some(1_000))
        .minimum(Some(i64::MIN as f64))
        .maximum(Some(i64::MAX as f64))
        .build()
}

fn response_id() -> Object {
    let kinds = [Type::String, Type::Number, Type::Null];
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter(kinds))
        .build()
}

fn any_tags() -> Array {
    let tag = ObjectBuilder::new().schema_type(Type::String);
    let tags = ArrayBuilder::new().items(tag.max_length(Some(1_000_000)));
    tags.max_items(Some(1_000_000)).build()
}

/// References: each a text, or a [`ReferenceRequest`].
pub fn references() -> Array {
    let one = OneOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::String))
        .item(Ref::from_schema_name("ReferenceRequest"));
    ArrayBuilder::new().items(one).min_items(Some(1)).build()
}

/// How entries are merged: one strategy for all fields, or one for each named field.
pub fn strategies() -> Schema {
    let words = |words: [&'static str; 2]| {
        let word = ObjectBuilder::new().schema_type(Type::String);
        word.enum_values(Some(words)).build()
    };
    let by_field = ObjectBuilder::new()
        .schema_type(Type::Object)
        .additional_properties(Some(AdditionalProperties::from(Schema::from(words([
            "theirs", "ours",
        ])))));
    let one = OneOfBuilder::new()
        .item(words(["fill", "overwrite"]))
        .item(by_field)
        .item(ObjectBuilder::new().schema_type(Type::Null));
    Schema::OneOf(one.build())
}

/// The schema of a member that is one of some words.
pub fn choice<const N: usize>(description: &str, words: [&str; N]) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(words))
        .description(Some(description))
        .build()
}
