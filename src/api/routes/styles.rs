//! `/api/v1/styles`, `/styles/search`, `/styles/{id}` and `/locales`.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::format;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::formatting::StyleChoice;
use crate::styles::StyleProblem;
use crate::styles::catalog::{Catalog, StyleFilter};
use crate::styles::elsewhere::elsewhere;
use crate::styles::entry::{StyleEntry, StyleOrigin};
use crate::styles::own::own_name;
use citation_csl::CitationFormat;

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/styles", Action::Public, list).documented(list_operation),
        route::get("/api/v1/styles/search", Action::Public, search).documented(search_operation),
        route::get("/api/v1/styles/{id…}", Action::Public, get).documented(get_operation),
        route::get("/api/v1/locales", Action::Public, locales).documented(locales_operation),
    ]
}

/// The media type of a style's file.
pub const STYLE: &str = "application/vnd.citationstyles.style+xml";

/// A style in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Style)]
pub struct StyleItem {
    /// The short name, by which requests name the style.
    id: String,
    title: String,
    title_short: Option<String>,
    /// `author-date`, `author`, `numeric`, `label` or `note`.
    citation_format: Option<&'static str>,
    default_locale: Option<String>,
    /// Whether the style is dependent.
    dependent: bool,
    /// The parent's short name.
    parent: Option<String>,
    fields: Vec<String>,
    issn: Vec<String>,
    has_bibliography: bool,
    updated: Option<String>,
    license: Option<String>,
    /// A sample entry as HTML, if requested; only of the first styles found.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<String>,
}

/// One style, with a rendered sample on request.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StyleDetail)]
pub struct StyleDetail {
    #[serde(flatten)]
    style: StyleItem,
    /// The style's own address.
    uri: String,
    /// `core`, `installed`, `folder` or `own`.
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<Vec<format::PreviewEntry>>,
}

/// An available locale.
#[derive(Debug, Serialize, ToSchema)]
pub struct LocaleItem {
    /// A language tag: `de-DE`.
    id: String,
}

impl StyleItem {
    pub fn new(catalog: &Catalog, entry: &StyleEntry) -> StyleItem {
        // A dependent style has the bibliography of its parent.
        let parent = entry
            .parent
            .as_deref()
            .and_then(|parent| catalog.find(parent));
        StyleItem {
            id: entry.id.clone(),
            title: entry.title.clone(),
            title_short: entry.title_short.clone(),
            citation_format: entry.citation_format.map(CitationFormat::csl),
            default_locale: entry.default_locale.clone(),
            dependent: entry.parent.is_some(),
            parent: entry.parent.clone(),
            fields: entry.fields.clone(),
            issn: entry.issn.clone(),
            has_bibliography: parent.map_or(entry.has_bibliography, |p| p.has_bibliography),
            updated: entry.updated.clone(),
            license: entry.license.clone(),
            sample: None,
        }
    }
}

/// `GET /api/v1/styles`: popular ones first, then by title, at most fifty.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let catalog = catalog(context)?;
    let limit = context.app.config.limits.style_list as usize;
    let items: Vec<StyleItem> = catalog
        .entries()
        .iter()
        .take(limit)
        .map(|entry| StyleItem::new(&catalog, entry))
        .collect();
    Ok(Reply::json(&items)
        .with_header("total-results", catalog.entries().len().to_string())
        .with_content_etag())
}

/// `GET /api/v1/styles/search?q=&limit=&citation_format=&field=`.
pub fn search(context: &RequestContext) -> Result<Reply, ApiError> {
    let limits = &context.app.config.limits;
    let Some(query) = context.query.get("q") else {
        return Err(ApiError::invalid_parameter(
            "q",
            "q is missing: the text to search for.",
        ));
    };
    let (default, most) = (
        limits.style_search as usize,
        limits.style_search_max as usize,
    );
    let limit = context.query.number("limit", default, 1, most)?;
    let filter = StyleFilter {
        citation_format: citation_format(context)?,
        field: context.query.get("field").map(str::to_owned),
    };
    let catalog = catalog(context)?;
    let found = catalog.search(query, &filter, limit);
    let mut items: Vec<StyleItem> = found
        .iter()
        .map(|entry| StyleItem::new(&catalog, entry))
        .collect();
    if context.query.switch("samples")? {
        for item in items.iter_mut().take(MAX_SAMPLES) {
            item.sample = sample(context, &item.id);
        }
    }
    Ok(Reply::json(&items).with_content_etag())
}

/// Maximum number of samples in a search result.
pub const MAX_SAMPLES: usize = 12;

/// A sample entry in a style; none if the style is broken.
pub fn sample(context: &RequestContext, id: &str) -> Option<String> {
    let choice = StyleChoice::named(Some(id.to_owned()), None);
    context.formatter().sample(&choice).ok()
}

/// `GET /api/v1/styles/{id}?preview=1&locale=`.
pub fn get(context: &RequestContext) -> Result<Reply, ApiError> {
    if let Some(name) = context.param("id").strip_suffix(".csl") {
        return file(context, name);
    }
    let name = context.param("id");
    let catalog = catalog(context)?;
    let entry = find(context, &catalog, name)?.ok_or_else(|| no_such_style(&catalog, name))?;
    let preview = if context.query.switch("preview")? {
        let locale = context.query.get("locale").map(str::to_owned);
        let choice = StyleChoice::named(Some(entry.id.clone()), locale);
        Some(format::preview(context, &choice)?)
    } else {
        None
    };
    let detail = StyleDetail {
        style: StyleItem::new(&catalog, &entry),
        uri: entry.uri.clone(),
        origin: entry.origin.as_str(),
        preview,
    };
    let reply = Reply::json(&detail).with_content_etag();
    Ok(match entry.origin {
        StyleOrigin::Own => reply.with_header("cache-control", "private, no-cache"),
        _ => reply,
    })
}

/// `GET /api/v1/styles/{id}.csl`: the style's file, for example for `pandoc --csl`.
fn file(context: &RequestContext, name: &str) -> Result<Reply, ApiError> {
    let catalog = catalog(context)?;
    let missing = || no_such_style(&catalog, name);
    let entry = catalog.find(name).ok_or_else(missing)?;
    let xml = context.app.styles.xml(entry)?.ok_or_else(missing)?;
    Ok(Reply::bytes(STYLE, xml).with_content_etag())
}

fn no_such_style(catalog: &Catalog, name: &str) -> ApiError {
    let nearest = catalog.nearest(name, 5);
    let suggested: Vec<&Arc<StyleEntry>> = { nearest.iter() }
        .filter_map(|id| catalog.find(id))
        .collect();
    ApiError::not_found(
        "style",
        format!("The style “{}” does not exist.", short(name)),
    )
    .with(
        "suggestions",
        suggested
            .iter()
            .map(|entry| entry.id.clone())
            .collect::<Vec<_>>(),
    )
    .with(
        "suggested_styles",
        suggested
            .iter()
            .map(|entry| json!({"id": entry.id, "title": entry.title}))
            .collect::<Vec<_>>(),
    )
    .with(
        "elsewhere",
        elsewhere(catalog, name)
            .iter()
            .map(|style| style.title)
            .collect::<Vec<_>>(),
    )
}

/// The style with that name: the caller's own, or a public one.
pub fn find(
    context: &RequestContext,
    catalog: &Catalog,
    name: &str,
) -> Result<Option<Arc<StyleEntry>>, ApiError> {
    let known = || catalog.find(name).cloned();
    let (Some(own), Some(account)) = (own_name(name), context.caller.account()) else {
        return Ok(known());
    };
    match context.app.styles.own_entry(account.id, own) {
        Ok(entry) => Ok(Some(Arc::new(entry))),
        Err(StyleProblem::Unknown { .. }) => Ok(known()),
        Err(other) => Err(other.into()),
    }
}

/// `GET /api/v1/locales`.
pub fn locales(context: &RequestContext) -> Result<Reply, ApiError> {
    let items: Vec<LocaleItem> = context
        .app
        .styles
        .locales()
        .tags()
        .map(|tag| LocaleItem { id: tag.to_owned() })
        .collect();
    Ok(Reply::json(&items).with_content_etag())
}

pub fn catalog(context: &RequestContext) -> Result<Arc<Catalog>, ApiError> {
    context.app.styles.catalog().map_err(ApiError::internal)
}

pub fn citation_format(context: &RequestContext) -> Result<Option<CitationFormat>, ApiError> {
    let query = &context.query;
    let Some(text) = query.get("citation_format").filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    match CitationFormat::parse(text) {
        Some(format) => Ok(Some(format)),
        None => Err(ApiError::invalid_parameter(
            "citation_format",
            "citation_format must be author-date, author, numeric, label or note.",
        )),
    }
}

fn short(text: &str) -> String {
    text.chars().take(100).collect()
}

pub fn list_operation() -> Operation {
    Operation::new("list_styles", "styles", "List the first fifty styles")
        .describe("Popular styles first, then by title. `Total-Results` is their number; the search covers all.")
        .reply_list::<StyleItem>(200, "Styles.")
        .conditional()
}

pub fn search_operation() -> Operation {
    Operation::new("search_styles", "styles", "Search the styles")
        .describe("Searches titles, short titles, ids, acronyms, ISSNs and parents; diacritics and case do not matter.")
        .required_query("q", "The text to search for; blank finds all.")
        .query_number("limit", 1, "Maximum number of styles; default 20, at most 100.")
        .query_choice("citation_format", ["author-date", "author", "numeric", "label", "note"], "The format of cites.")
        .query("field", "A discipline, such as `psychology`.")
        .query_switch("samples", "Adds a sample entry to the first twelve styles.")
        .reply_list::<StyleItem>(200, "Styles, best match first.")
        .codes(&[Code::InvalidParameter])
        .conditional()
}

pub fn get_operation() -> Operation {
    Operation::new("get_style", "styles", "One style")
        .describe("With `.csl` after the name: the style's file, for example for `pandoc --csl`.")
        .path("id", "Short name, former name or alias.")
        .query_switch("preview", "Render a sample of four types of entry.")
        .query("locale", "The locale of the sample.")
        .reply::<StyleDetail>(200, "The style.")
        .reply_text(200, "The style.", [STYLE])
        .codes(&[Code::NotFound, Code::ValidationFailed])
        .conditional()
}

pub fn locales_operation() -> Operation {
    Operation::new("list_locales", "styles", "The locales")
        .reply_list::<LocaleItem>(200, "Locales.")
        .conditional()
}
