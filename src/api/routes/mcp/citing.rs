//! The tool `cite`: formats the citations of a text.

use std::cell::RefCell;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use super::brief;
use super::outputs::{self, Cited};
use super::route_call::RouteCall;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::gate;
use crate::api::edge::validation;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::schemas::choice;
use crate::formatting::StyleChoice;
use crate::lookup::manuscript::{self, ContentsError};
use citation_citing::{self as citing, CitingError, Sources, UnreadHandling};
use citation_csl::Compiled;
use citation_documents::ManuscriptFormat;
use citation_exchange::{self as exchange, Content, Hints, metadata};
use citation_model::item::Item;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CiteArguments {
    /// The manuscript.
    #[schema(min_length = 1)]
    text: String,
    #[serde(default)]
    #[schema(schema_with = syntaxes)]
    syntax: Syntax,
    /// The works cited by key: BibTeX, CSL-JSON, RIS or another format.
    #[schema(nullable = false)]
    bibliography: Option<String>,
    /// A style by its short name, instead of that of the text.
    #[schema(nullable = false)]
    style: Option<String>,
    /// A language tag: de-DE.
    #[schema(nullable = false)]
    locale: Option<String>,
    /// Ask no external source. Default false.
    #[serde(default)]
    local_only: bool,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Syntax {
    #[default]
    Markdown,
    Latex,
    Typst,
    Html,
}

fn syntaxes() -> Object {
    choice(
        "The language of the text. Default markdown.",
        ["markdown", "latex", "typst", "html"],
    )
}

impl Syntax {
    /// The name of the style.
    fn file_name(self) -> &'static str {
        match self {
            Syntax::Markdown => "text.md",
            Syntax::Latex => "text.tex",
            Syntax::Typst => "text.typ",
            Syntax::Html => "text.html",
        }
    }
}

/// The sources for citations: the given bibliography, and local works.
struct RequestSources<'a> {
    context: &'a RequestContext,
    given: &'a CiteArguments,
    works: HashMap<String, Item>,
    /// Why a work could not be looked up.
    failure: RefCell<Option<ApiError>>,
}

pub fn cite(context: &RequestContext, arguments: &Value) -> Result<Value, ApiError> {
    // It has no route of its own; it is formatting.
    gate::admit_operation(context, Action::Format)?;
    let given: CiteArguments = validation::read(arguments)?;
    let bytes = given.text.as_bytes();
    if bytes.len() > brief::DOCUMENT_BYTES {
        let most = brief::DOCUMENT_BYTES as u64;
        return Err(ApiError::too_many_bytes(most).with("field", "/text"));
    }
    let sources = RequestSources {
        context,
        given: &given,
        works: works(context, given.bibliography.as_deref())?,
        failure: RefCell::new(None),
    };
    // A text is a manuscript of one file: what it includes is missing.
    let companion = |name: &str| {
        if is_included(name) {
            None
        } else {
            sources.file(name)
        }
    };
    let budget = &context.budget;
    let name = given.syntax.file_name();
    let document = manuscript::document(name, bytes, &companion, &context.job);
    budget.check()?;
    let document = document.map_err(|cause| match cause {
        ContentsError::Blocked(cause) => cause.into(),
        cause => ApiError::invalid_field("/text", cause.to_string()),
    })?;
    let set = citing::cite(&document, &[], UnreadHandling::Refuse, &sources, budget);
    if let Some(failure) = sources.failure.into_inner() {
        return Err(failure);
    }
    let set = set.map_err(|cause| match cause {
        CitingError::Exceeded(cause) => ApiError::from(cause).with("field", "/text"),
        CitingError::Style(cause) => ApiError::invalid_field("/style", cause),
        other => ApiError::invalid_field("/text", other.to_string()),
    })?;
    let text = match set.changed.into_iter().next() {
        Some(changed) => String::from_utf8(changed.bytes).unwrap_or_default(),
        None => given.text.clone(),
    };
    let unknown = set.unknown;
    Ok(outputs::value(&Cited { text, unknown }))
}

/// Whether a file that a text names is a part of it, and no bibliography.
fn is_included(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let text = [
        ManuscriptFormat::Tex,
        ManuscriptFormat::Markdown,
        ManuscriptFormat::Typst,
    ];
    extension != "bbl"
        && ManuscriptFormat::of_extension(extension).is_some_and(|format| text.contains(&format))
}

/// The works of a bibliography, by key.
fn works(
    context: &RequestContext,
    bibliography: Option<&str>,
) -> Result<HashMap<String, Item>, ApiError> {
    let Some(text) = bibliography else {
        return Ok(HashMap::new());
    };
    let content = Content::new(text.as_bytes());
    let format = exchange::recognise(&content, Hints::default(), &context.budget)?
        .ok()
        .flatten();
    let format = format
        .ok_or_else(|| ApiError::invalid_field("/bibliography", "has no supported format"))?;
    let reading = exchange::read(&content, format, &context.budget)?;
    let items = reading.items.into_iter().map(|read| {
        let key = if read.citation_key.is_empty() {
            read.item.id.clone()
        } else {
            read.citation_key
        };
        (key, read.item)
    });
    Ok(items.collect())
}

impl RequestSources<'_> {
    /// The certain match of an identifier or a text. Costs a lookup.
    fn find(&self, query: &str) -> Option<Item> {
        if self.failure.borrow().is_some() {
            return None;
        }
        let body = json!({"query": query, "local_only": self.given.local_only});
        match RouteCall::post("/api/v1/lookup", &body).json(self.context) {
            Ok(found) => {
                let item = metadata::read_value(found.get("metadata")?);
                item.ok().map(|(item, _)| item)
            }
            Err(error) => {
                let says_nothing = [
                    Code::WorkNotFound,
                    Code::ValidationFailed,
                    Code::InvalidIsbn,
                ];
                if !says_nothing.contains(&error.code) {
                    *self.failure.borrow_mut() = Some(error);
                }
                None
            }
        }
    }
}

impl Sources for RequestSources<'_> {
    /// Every bibliography that the text names is the given one. Some files are requested
    /// without being named.
    fn file(&self, name: &str) -> Option<Vec<u8>> {
        let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
        let text = self.given.bibliography.as_ref()?;
        { self.given.text.contains(stem) }.then(|| text.clone().into_bytes())
    }

    fn style(&self, name: Option<&str>, locale: Option<&str>) -> Result<Compiled, String> {
        let (style, wanted) = (self.given.style.as_deref(), self.given.locale.as_deref());
        let name = style
            .or(name)
            .map(|name| name.strip_suffix(".csl").unwrap_or(name));
        let locale = wanted.or(locale);
        let choice = StyleChoice::named(name.map(str::to_owned), locale.map(str::to_owned));
        let ready = self
            .context
            .formatter()
            .choose(&choice)
            .map_err(|error| ApiError::from(error).message)?;
        Ok(Compiled::clone(&ready.compiled))
    }

    fn work(&self, key: &str) -> Option<Item> {
        let known = self.works.get(key).cloned();
        known.or_else(|| self.find(citing::identifier(key)?.to_string().as_str()))
    }

    fn reference(&self, text: &str) -> Option<Item> {
        self.find(text)
    }
}
