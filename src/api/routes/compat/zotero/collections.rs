//! Collections, tags, and deletions.

#![allow(
    clippy::indexing_slicing,
    reason = "reading a JSON value cannot panic, and only objects made here are written"
)]

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::library::{CallerLibrary, owner};
use super::listing::{Listing, PageSize, paged};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::collections::transaction::read;
use crate::api::routes::compat::keys::key;
use crate::store::collections::CollectionRow;
use citation_model::identifier::percent_encode;

/// `GET …/collections` and `…/collections/top`: collections are not nested here.
pub fn all(context: &RequestContext) -> Result<Reply, ApiError> {
    let (account, listing) = (owner(context)?, Listing::of(context)?);
    let library = read(context, |snapshot| {
        CallerLibrary::read(context, account, snapshot)
    })?;
    if library.is_unchanged(context) {
        return Ok(library.unchanged());
    }
    let mut rows: Vec<&CollectionRow> = { library.collections.iter() }
        .filter(|row| row.updated_at > listing.since)
        .collect();
    rows.sort_by_cached_key(|row| row.name.to_lowercase());
    let format = context.query.get("format").unwrap_or("json");
    let size = match format {
        "json" => PageSize::OBJECTS,
        _ => PageSize::KEYS,
    };
    let page = listing.page(rows.len(), size);
    let shown = rows.get(page.clone()).unwrap_or_default();
    let reply = match format {
        "keys" => {
            let keys = shown.iter().map(|row| key(&row.uid) + "\n");
            Reply::bytes("text/plain; charset=utf-8", keys.collect::<String>())
        }
        "versions" => {
            let versions = { shown.iter() }.map(|row| (key(&row.uid), row.updated_at.into()));
            Reply::json_value(&Value::Object(versions.collect()))
        }
        "json" => {
            let objects = shown.iter().map(|row| object(context, &library, row));
            Reply::json_value(&objects.collect())
        }
        _ => {
            let message = "format must be json, keys or versions for collections.";
            return Err(ApiError::invalid_parameter("format", message));
        }
    };
    Ok(library.head(paged(context, reply, &page, rows.len())))
}

/// `GET …/collections/{collection}`.
pub fn one(context: &RequestContext) -> Result<Reply, ApiError> {
    let account = owner(context)?;
    let (library, collection) = read(context, |snapshot| {
        let library = CallerLibrary::read(context, account, snapshot)?;
        let row = library.collection(context.param("collection"))?;
        let collection = object(context, &library, row);
        Ok((library, collection))
    })?;
    let version = collection["version"].to_string();
    let reply = library.head(Reply::json_value(&collection));
    Ok(reply.with_header("last-modified-version", version))
}

fn object(context: &RequestContext, library: &CallerLibrary, row: &CollectionRow) -> Value {
    let (key, site) = (key(&row.uid), &context.edge.site.base_url);
    json!({
        "key": key,
        "version": row.updated_at,
        "library": library.shown(context),
        "links": {
            "self": {
                "href": library.address(context, &format!("collections/{key}")),
                "type": "application/json",
            },
            "alternate": {"href": site.join(&format!("/c/{}", row.uid)), "type": "text/html"},
        },
        "meta": {"numCollections": 0, "numItems": row.entries},
        "data": {
            "key": key, "version": row.updated_at, "name": row.name,
            "parentCollection": false, "relations": {},
        },
    })
}

/// `GET …/tags`: the tags of entries, with counts.
pub fn tags(context: &RequestContext) -> Result<Reply, ApiError> {
    let (account, listing) = (owner(context)?, Listing::of(context)?);
    let (library, tags) = read(context, |snapshot| {
        let library = CallerLibrary::read(context, account, snapshot)?;
        let mut tags: BTreeMap<String, u64> = BTreeMap::new();
        for collection in &library.collections {
            for row in snapshot.rows(collection)? {
                context.budget.spend(1)?;
                for tag in row.tags {
                    *tags.entry(tag).or_default() += 1;
                }
            }
        }
        Ok((library, tags))
    })?;
    if library.is_unchanged(context) {
        return Ok(library.unchanged());
    }
    let page = listing.page(tags.len(), PageSize::OBJECTS);
    let shown = tags.iter().skip(page.start).take(page.len());
    let shown = shown.map(|(tag, count)| {
        let address = library.address(context, &format!("tags/{}", percent_encode(tag)));
        json!({
            "tag": tag,
            "links": {"self": {"href": address, "type": "application/json"}},
            "meta": {"type": 0, "numItems": count},
        })
    });
    let reply = Reply::json_value(&shown.collect());
    Ok(library.head(paged(context, reply, &page, tags.len())))
}

/// `GET …/deleted?since=`: deletions after a version, as long as they can be restored.
pub fn deleted(context: &RequestContext) -> Result<Reply, ApiError> {
    let (account, listing) = (owner(context)?, Listing::of(context)?);
    let (library, collections, items) = read(context, |snapshot| {
        let library = CallerLibrary::read(context, account, snapshot)?;
        let (mut collections, mut items) = (Vec::new(), Vec::new());
        for row in &library.collections {
            items.extend(snapshot.deleted_since(row, listing.since)?);
        }
        for row in snapshot.collections(true)? {
            if row.deleted_at.is_some_and(|at| at > listing.since) {
                items.extend(snapshot.rows(&row)?.into_iter().map(|row| row.uid));
                collections.push(key(&row.uid));
            }
        }
        context.budget.spend(items.len() as u64)?;
        Ok((library, collections, items))
    })?;
    let items: Vec<String> = items.iter().map(|uid| key(uid)).collect();
    Ok(library.head(Reply::json_value(&json!({
        "collections": collections, "items": items, "searches": [], "tags": [], "settings": [],
    }))))
}

fn described(id: &'static str, summary: &'static str) -> Operation {
    Operation::new(id, "compat", summary)
        .path("user", "The number of the caller's library.")
        .reply_text(
            200,
            "The requested data.",
            ["application/json", "text/plain"],
        )
        .codes(&[Code::NotFound, Code::InvalidParameter])
}

fn listed(operation: Operation) -> Operation {
    operation
        .query_number("start", 0, "Number of objects to skip.")
        .query_number("limit", 1, "Objects per page; default 25, at most 100.")
        .reply_empty(
            304,
            "Nothing has changed since `If-Modified-Since-Version`.",
        )
}

pub fn all_operation() -> Operation {
    listed(described(
        "zotero_collections",
        "Collections, in the format of Zotero's web API",
    ))
    .query_choice(
        "format",
        ["json", "keys", "versions"],
        "The format of the response.",
    )
    .query_number("since", 0, "Only changes after this version.")
}

pub fn one_operation() -> Operation {
    described("zotero_collection", "One collection").path("collection", "The collection's key.")
}

pub fn tags_operation() -> Operation {
    listed(described("zotero_tags", "Tags of entries"))
}

pub fn deleted_operation() -> Operation {
    described("zotero_deleted", "Keys of deleted objects").query_number(
        "since",
        0,
        "Only deletions after this version.",
    )
}
