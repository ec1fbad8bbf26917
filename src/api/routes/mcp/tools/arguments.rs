//! The arguments of the tools.

use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, OneOfBuilder};
use utoipa::openapi::{Object, ObjectBuilder, Type};

use crate::api::openapi::schemas::choice;

/// Maximum number of works in one call.
pub(super) const MAX_WORKS: usize = 50;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LookupArguments {
    /// An identifier, an address, several of them, or a reference.
    #[schema(min_length = 1)]
    pub query: String,
    /// Ask no external source. Default false.
    #[serde(default)]
    pub local_only: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArguments {
    /// The text to search for.
    #[schema(min_length = 1)]
    pub text: String,
    /// Maximum number of works. Default 5.
    #[schema(minimum = 1, maximum = 10, nullable = false)]
    pub limit: Option<u32>,
    /// Ask no external source. Default false.
    #[serde(default)]
    pub local_only: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VerifyArguments {
    #[schema(schema_with = references)]
    pub references: Vec<Value>,
    /// Ask no external source. Default false.
    #[serde(default)]
    pub local_only: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentArguments {
    /// The document as text: Markdown, LaTeX, BibTeX, RIS, a list of references.
    #[schema(nullable = false)]
    pub text: Option<String>,
    /// A binary document, such as a .docx, in Base64.
    #[schema(nullable = false)]
    pub base64: Option<String>,
    /// The name of the file, whose extension decides its format: paper.docx.
    #[schema(nullable = false)]
    pub filename: Option<String>,
    /// A file on this machine, in the folder that was allowed at the start.
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// Ask no external source. Default false.
    #[serde(default)]
    pub local_only: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FormatArguments {
    #[schema(schema_with = works_schema)]
    #[serde(default)]
    pub entries: Vec<Value>,
    /// The id of one of your collections, instead of entries.
    #[schema(nullable = false)]
    pub collection: Option<String>,
    /// A style by its short name: apa, ieee, chicago-author-date.
    #[schema(nullable = false)]
    pub style: Option<String>,
    /// A language tag: de-DE.
    #[schema(nullable = false)]
    pub locale: Option<String>,
    #[serde(default)]
    #[schema(schema_with = forms)]
    pub form: TextForm,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TextForm {
    #[default]
    Text,
    Html,
    Markdown,
    Latex,
    Typst,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListArguments {
    /// Only collections with these words in name or description.
    #[schema(nullable = false)]
    pub query: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadArguments {
    /// The collection's id.
    pub id: String,
    /// Only entries with these words.
    #[schema(nullable = false)]
    pub query: Option<String>,
    /// Number of entries to skip. Default 0.
    #[schema(nullable = false)]
    pub offset: Option<u32>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateArguments {
    #[schema(min_length = 1)]
    pub name: String,
    #[schema(nullable = false)]
    pub description: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AddArguments {
    /// The collection's id.
    pub collection: String,
    #[schema(schema_with = works_schema)]
    pub entries: Vec<Value>,
}

fn references() -> Array {
    texts_or_metadata(
        "References as texts, or metadata with title, authors, date, doi.",
        100,
    )
}

fn works_schema() -> Array {
    texts_or_metadata("Identifiers, or metadata.", MAX_WORKS)
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
