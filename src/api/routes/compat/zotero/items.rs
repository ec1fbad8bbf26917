//! Items: lists and single items, as JSON, keys, versions, a bibliography or a file.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use serde_json::{Map, Value, json};

use super::library::{CallerLibrary, owner};
use super::listing::{self, Listed, Listing, PageSize, paged};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::collections::transaction::read;
use crate::api::routes::compat::formats::{FORMATS, ZoteroFormat};
use crate::api::routes::compat::keys::key;
use crate::clock::iso8601;
use crate::collections::{CollectionError, Resource, Snapshot};
use crate::formatting::MarkupOptions;
use crate::formatting::StyleChoice;
use citation_exchange::zotero::{Blanks, api_object};
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{DateVar, NameVar};

/// The representation of a list or an item.
enum Form {
    Json(Vec<Include>),
    Keys,
    Versions,
    /// The formatted bibliography as HTML.
    Bibliography,
    File(&'static ZoteroFormat),
}

/// An optional part of an item's JSON.
enum Include {
    Data,
    Bibliography,
    Citation,
    File(&'static ZoteroFormat),
}

impl Form {
    fn of(context: &RequestContext) -> Result<Form, ApiError> {
        let refuse = |name: &str, value: &str| {
            let value: String = value.chars().take(40).collect();
            let message = format!("{name} “{value}” is not supported; see docs/compat.md.");
            ApiError::invalid_parameter(name, message)
        };
        let includes = || {
            let given = context.query.get("include").unwrap_or("data");
            let parts = given
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty());
            let includes = parts.map(|part| match (part, ZoteroFormat::named(part)) {
                ("data", _) => Ok(Include::Data),
                ("bib", _) => Ok(Include::Bibliography),
                ("citation", _) => Ok(Include::Citation),
                (_, Some(format)) => Ok(Include::File(format)),
                _ => Err(refuse("include", part)),
            });
            includes.collect::<Result<Vec<Include>, ApiError>>()
        };
        match context.query.get("format").unwrap_or("json") {
            "json" => Ok(Form::Json(includes()?)),
            "keys" => Ok(Form::Keys),
            "versions" => Ok(Form::Versions),
            "bib" => Ok(Form::Bibliography),
            other => match ZoteroFormat::named(other) {
                Some(format) => Ok(Form::File(format)),
                None => Err(refuse("format", other)),
            },
        }
    }

    /// Whether items must be parsed.
    fn has_items(&self) -> bool {
        !matches!(self, Form::Keys | Form::Versions)
    }

    fn page_size(&self) -> PageSize {
        match self {
            Form::Keys | Form::Versions => PageSize::KEYS,
            Form::Bibliography => PageSize::BIBLIOGRAPHY,
            Form::Json(_) | Form::File(_) => PageSize::OBJECTS,
        }
    }
}

/// `GET …/items` and `…/items/top`: there are no child items here.
pub fn all(context: &RequestContext) -> Result<Reply, ApiError> {
    list(context, |library| {
        Ok((0..library.collections.len()).collect())
    })
}

/// `GET …/collections/{collection}/items`, and likewise.
pub fn of_collection(context: &RequestContext) -> Result<Reply, ApiError> {
    list(context, |library| {
        let wanted = library.collection(context.param("collection"))?;
        let position = { library.collections.iter() }.position(|row| row.id == wanted.id);
        Ok(position.into_iter().collect())
    })
}

/// The requested data, from one snapshot of the database.
struct FoundItems {
    library: CallerLibrary,
    listed: Vec<Listed>,
    total: usize,
}

fn list(
    context: &RequestContext,
    within: impl Fn(&CallerLibrary) -> Result<Vec<usize>, CollectionError>,
) -> Result<Reply, ApiError> {
    let (account, form, listing) = (owner(context)?, Form::of(context)?, Listing::of(context)?);
    let mut page = 0..0;
    let FoundItems {
        library,
        listed,
        total,
    } = read(context, |snapshot| {
        let library = CallerLibrary::read(context, account, snapshot)?;
        if library.is_unchanged(context) {
            let listed = Vec::new();
            return Ok(FoundItems {
                library,
                listed,
                total: 0,
            });
        }
        let listed = entries(snapshot, &library, &within(&library)?)?;
        let listed = listing.select(context, snapshot, listed)?;
        let total = listed.len();
        page = listing.page(total, form.page_size());
        let mut listed: Vec<Listed> = { listed.into_iter() }
            .skip(page.start)
            .take(page.len())
            .collect();
        if form.has_items() {
            for listed in &mut listed {
                listed.load(context, snapshot)?;
            }
        }
        Ok(FoundItems {
            library,
            listed,
            total,
        })
    })?;
    if library.is_unchanged(context) {
        return Ok(library.unchanged());
    }
    let reply = written(context, &library, listed, form)?;
    Ok(library.head(paged(context, reply, &page, total)))
}

/// The items in the form that the request asks for.
fn written(
    context: &RequestContext,
    library: &CallerLibrary,
    listed: Vec<Listed>,
    form: Form,
) -> Result<Reply, ApiError> {
    Ok(match form {
        Form::Json(includes) => {
            let objects = listed
                .iter()
                .map(|listed| object(context, library, listed, &includes));
            Reply::json_value(&Value::Array(objects.collect::<Result<_, _>>()?))
        }
        Form::Keys => {
            let keys = listed.iter().map(|listed| key(&listed.row.uid) + "\n");
            Reply::bytes("text/plain; charset=utf-8", keys.collect::<String>())
        }
        Form::Versions => {
            let versions = listed.iter().map(|listed| {
                let row = &listed.row;
                (key(&row.uid), Value::from(row.updated_at))
            });
            Reply::json_value(&Value::Object(versions.collect()))
        }
        Form::Bibliography => bibliography(context, items(listed))?,
        Form::File(format) => file(context, format, &items(listed))?,
    })
}

/// The entries of some of the library's collections.
fn entries(
    snapshot: &Snapshot<'_>,
    library: &CallerLibrary,
    within: &[usize],
) -> Result<Vec<Listed>, CollectionError> {
    let mut listed = Vec::new();
    for position in within {
        let Some(row) = library.collections.get(*position) else {
            continue;
        };
        listed.extend(snapshot.rows(row)?.into_iter().map(|row| Listed {
            collection: *position,
            row,
            item: None,
        }));
    }
    Ok(listed)
}

fn items(listed: Vec<Listed>) -> Vec<Item> {
    listed
        .into_iter()
        .filter_map(|listed| listed.item)
        .collect()
}

/// `GET …/items/{item}`.
pub fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    let (account, form) = (owner(context)?, Form::of(context)?);
    let wanted = context.param("item");
    let (library, listed) = read(context, |snapshot| {
        let library = CallerLibrary::read(context, account, snapshot)?;
        let all: Vec<usize> = (0..library.collections.len()).collect();
        let listed = entries(snapshot, &library, &all)?.into_iter();
        let listed = { listed }.find(|listed| key(&listed.row.uid) == wanted);
        let mut listed = listed.ok_or(CollectionError::NotFound(Resource::Entry))?;
        listed.load(context, snapshot)?;
        Ok((library, listed))
    })?;
    let version = listed.row.updated_at;
    let reply = match form {
        Form::Json(includes) => Reply::json_value(&object(context, &library, &listed, &includes)?),
        Form::Bibliography => bibliography(context, items(vec![listed]))?,
        Form::File(format) => file(context, format, &items(vec![listed]))?,
        Form::Keys | Form::Versions => {
            let message = "keys and versions are only for lists.";
            return Err(ApiError::invalid_parameter("format", message));
        }
    };
    // For a single object, the header has that object's version.
    let reply = library.head(reply);
    Ok(reply.with_header("last-modified-version", version.to_string()))
}

/// Objects that do not exist here: children, groups, the trash, nested collections.
pub fn none(context: &RequestContext) -> Result<Reply, ApiError> {
    let account = owner(context)?;
    let library = read(context, |snapshot| {
        CallerLibrary::read(context, account, snapshot)
    })?;
    let reply = paged(context, Reply::json_value(&json!([])), &(0..0), 0);
    Ok(library.head(reply))
}

fn object(
    context: &RequestContext,
    library: &CallerLibrary,
    listed: &Listed,
    includes: &[Include],
) -> Result<Value, ApiError> {
    let (row, item) = (&listed.row, listed.item.as_ref());
    let item =
        item.ok_or_else(|| ApiError::internal("an item was serialised before it was parsed"))?;
    let key = key(&row.uid);
    let collection = library.collections.get(listed.collection);
    let page = collection.map(|collection| format!("/c/{}/e/{}", collection.uid, row.uid));
    let mut object = json!({
        "key": key,
        "version": row.updated_at,
        "library": library.shown(context),
        "links": {
            "self": {"href": library.address(context, &format!("items/{key}")), "type": "application/json"},
            "alternate": {
                "href": context.edge.site.base_url.join(page.as_deref().unwrap_or("/library")),
                "type": "text/html",
            },
        },
        "meta": meta(item),
    });
    for include in includes {
        let (name, value) = match include {
            Include::Data => ("data", data(library, listed, item)),
            Include::File(format) => {
                let items = std::slice::from_ref(item);
                let text = format.write(items, &context.budget)?;
                let value = match format.name {
                    "csljson" => csl_json(item),
                    _ => text.into(),
                };
                (format.name, value)
            }
            Include::Bibliography => ("bib", formatted(context, item.clone())?.0.into()),
            Include::Citation => ("citation", formatted(context, item.clone())?.1.into()),
        };
        object[name] = value;
    }
    Ok(object)
}

fn csl_json(item: &Item) -> Value {
    // Items contain nothing that JSON cannot represent.
    serde_json::to_value(item).unwrap_or_default()
}

/// The creators and the date, shortened.
fn meta(item: &Item) -> Value {
    let mut meta = Map::new();
    let makers = [
        NameVar::Author,
        NameVar::Editor,
        NameVar::Director,
        NameVar::Performer,
    ];
    let names = makers.into_iter().map(|variable| item.names(variable));
    let names = names
        .into_iter()
        .find(|names| !names.is_empty())
        .unwrap_or_default();
    let summary = match names {
        [] => None,
        [one] => Some(one.heading()),
        [one, two] => Some(format!("{} and {}", one.heading(), two.heading())),
        [first, ..] => Some(format!("{} et al.", Name::heading(first))),
    };
    meta.extend(summary.map(|summary| ("creatorSummary".to_owned(), summary.into())));
    let issued = item.date(DateVar::Issued).and_then(|date| date.start);
    meta.extend(issued.map(|start| ("parsedDate".to_owned(), start.iso().into())));
    meta.insert("numChildren".to_owned(), 0.into());
    Value::Object(meta)
}

fn data(library: &CallerLibrary, listed: &Listed, item: &Item) -> Value {
    let row = &listed.row;
    let mut data = api_object(item, Blanks::Written);
    data.insert("key".to_owned(), key(&row.uid).into());
    data.insert("version".to_owned(), row.updated_at.into());
    if let Some(tags) = data.get_mut("tags").and_then(Value::as_array_mut) {
        for tag in &row.tags {
            if !tags.iter().any(|known| known["tag"] == tag.as_str()) {
                tags.push(json!({"tag": tag}));
            }
        }
    }
    let collection = library.collections.get(listed.collection);
    let collections: Vec<String> = { collection.iter() }.map(|row| key(&row.uid)).collect();
    data.insert("collections".to_owned(), collections.into());
    data.insert("dateAdded".to_owned(), iso8601(row.added_at).into());
    data.insert("dateModified".to_owned(), iso8601(row.updated_at).into());
    Value::Object(data)
}

fn style(context: &RequestContext) -> StyleChoice {
    let given = |name: &str| context.query.given(name).map(str::to_owned);
    StyleChoice::named(given("style"), given("locale"))
}

/// Bibliography entry and citation of a single work, as HTML.
fn formatted(context: &RequestContext, mut item: Item) -> Result<(String, String), ApiError> {
    if item.id.is_empty() {
        item.id = "item".to_owned();
    }
    let markup = MarkupOptions::default();
    let formatted = context
        .formatter()
        .bibliography(vec![item], &style(context), &markup)?;
    let citation = formatted.entries.first().map(|entry| &entry.in_text_html);
    let citation = citation.map(|html| format!("<span>{html}</span>"));
    Ok((formatted.html, citation.unwrap_or_default()))
}

fn bibliography(context: &RequestContext, items: Vec<Item>) -> Result<Reply, ApiError> {
    let markup = MarkupOptions::default();
    let html = context
        .formatter()
        .bibliography(items, &style(context), &markup)?
        .html;
    let xml = "<?xml version=\"1.0\"?>";
    let html = format!("{xml}\n{html}");
    Ok(Reply::bytes("text/html; charset=utf-8", html))
}

/// A file. CSL-JSON is wrapped in an object here.
fn file(
    context: &RequestContext,
    format: &ZoteroFormat,
    items: &[Item],
) -> Result<Reply, ApiError> {
    if format.name == "csljson" {
        let items: Vec<Value> = items.iter().map(csl_json).collect();
        let reply = Reply::json_value(&json!({"items": items}));
        return Ok(reply.with_header("content-type", "application/vnd.citationstyles.csl+json"));
    }
    Ok(format.reply(items, &context.budget)?)
}

fn described(id: &'static str, summary: &'static str) -> Operation {
    let files = FORMATS.iter().map(|format| format.name);
    let forms = ["json", "keys", "versions", "bib"].into_iter().chain(files);
    Operation::new(id, "compat", summary)
        .path(
            "user",
            "The number of the caller's library, from `/zotero/keys/current`.",
        )
        .query_choice("format", forms, "The format of the response.")
        .query(
            "include",
            "Parts of an item, separated by commas: data, bib, citation, or the name of a format.",
        )
        .query("style", "The style of `bib` and `citation`.")
        .query("locale", "Their locale.")
        .reply_text(
            200,
            "The requested data.",
            ["application/json", "text/plain", "text/html"],
        )
        .codes(&[
            Code::NotFound,
            Code::InvalidParameter,
            Code::UnknownStyle,
            Code::TooComplex,
        ])
}

const OF_LISTS: &str = "The headers are `Total-Results`, `Link` and `Last-Modified-Version`; with \
                        `If-Modified-Since-Version` nothing new is answered with 304.";

pub fn all_operation() -> Operation {
    listing::described(described(
        "zotero_items",
        "Items of the library, in the format of Zotero's web API",
    ))
    .describe(OF_LISTS)
    .reply_empty(304, "Nothing has changed since that version.")
}

pub fn top_operation() -> Operation {
    listing::described(described(
        "zotero_top_items",
        "The same: every item is a top-level item",
    ))
    .describe(OF_LISTS)
    .reply_empty(304, "Nothing has changed since that version.")
}

pub fn of_collection_operation() -> Operation {
    listing::described(described(
        "zotero_collection_items",
        "Items of a collection",
    ))
    .describe(OF_LISTS)
    .path("collection", "The collection's key.")
    .reply_empty(304, "Nothing has changed since that version.")
}

pub fn one_operation() -> Operation {
    described("zotero_item", "One item").path("item", "The item's key.")
}
