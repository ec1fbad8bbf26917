//! News of a shared collection, or of the retractions in it, as Atom and JSON Feed.

use std::fmt::Write;

use serde_json::{Value, json};

use super::dto::share_url;
use super::lists::WholeCollection;
use super::shared::find_whole;
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::clock::iso8601;
use crate::collections::entry::Entry;
use crate::ui::work::plain_title;
use citation_exchange::escaped_xml;
use citation_model::item::Item;
use citation_model::name::Name;
use citation_model::variable::{NameVar, TextVar};
use citation_model::work::{Update, standing_retraction};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/shared/{token}/feed.{format}", Action::Public, feed)
            .documented(operation),
    ]
}

/// The number of entries in a feed.
const ENTRIES: usize = 100;

/// The forms, which are endings of the address.
const FORMATS: [&str; 2] = ["atom", "json"];

/// What a feed tells.
const SUBJECTS: [&str; 2] = ["entries", "retractions"];

/// A feed, before it is written.
struct Feed {
    title: String,
    /// The page of the collection.
    page: String,
    /// The address of the feed itself.
    address: String,
    /// Unix seconds.
    updated_at: i64,
    items: Vec<FeedItem>,
}

/// An entry of a feed.
struct FeedItem {
    /// A URN: the same for the same news.
    id: String,
    title: String,
    url: String,
    authors: Vec<String>,
    tags: Vec<String>,
    text: String,
    published_at: i64,
    updated_at: i64,
}

/// `GET /api/v1/shared/{token}/feed.{format}?of=`.
pub fn feed(context: &RequestContext) -> Result<Reply, ApiError> {
    let token = context.param("token");
    let are_retractions = match context.query.get("of") {
        None | Some("entries") => false,
        Some("retractions") => true,
        Some(other) => {
            let message = format!("of is entries or retractions, not “{other}”.");
            return Err(ApiError::invalid_parameter("of", message));
        }
    };
    let collection = find_whole(context, token)?;
    let feed = Feed {
        title: collection.row.name.clone(),
        page: share_url(context, token),
        address: context.edge.site.base_url.join(&context.uri.to_string()),
        updated_at: collection.row.updated_at,
        items: items(&collection, &share_url(context, token), are_retractions),
    };
    let reply = match context.param("format") {
        "atom" => Reply::bytes("application/atom+xml; charset=utf-8", atom(&feed)),
        "json" => Reply::bytes("application/feed+json", json_feed(&feed).to_string()),
        other => {
            let message = format!("“{other}” is not a form of a feed; use atom or json.");
            return Err(ApiError::not_found("route", message));
        }
    };
    Ok(reply
        .with_header("x-robots-tag", "noindex, nofollow")
        .with_header("referrer-policy", "no-referrer")
        .with_header("cache-control", "no-cache")
        .with_content_etag())
}

/// The newest entries, or the newest retractions.
fn items(collection: &WholeCollection, page: &str, are_retractions: bool) -> Vec<FeedItem> {
    let entries = collection.entries.iter().zip(&collection.items);
    let mut items: Vec<FeedItem> = entries
        .filter_map(|(entry, item)| {
            let retraction = standing_retraction(&entry.updates);
            match (are_retractions, retraction) {
                (true, None) => None,
                (true, Some(retraction)) => Some(retraction_item(entry, item, page, retraction)),
                (false, _) => Some(feed_item(entry, item, page)),
            }
        })
        .collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.published_at));
    items.truncate(ENTRIES);
    items
}

fn feed_item(entry: &Entry, item: &Item, page: &str) -> FeedItem {
    let row = &entry.stored.row;
    let doi = item.text(TextVar::Doi);
    let parts = [
        item.text(TextVar::ContainerTitle).map(str::to_owned),
        item.text(TextVar::Publisher).map(str::to_owned),
        item.year().map(|year| year.to_string()),
        row.note.clone(),
    ];
    FeedItem {
        id: format!("urn:uuid:{}", row.uid),
        title: plain_title(item),
        url: doi.map_or_else(|| page.to_owned(), |doi| format!("https://doi.org/{doi}")),
        authors: item.names(NameVar::Author).iter().map(name).collect(),
        tags: row.tags.clone(),
        text: parts.into_iter().flatten().collect::<Vec<_>>().join(", "),
        published_at: row.added_at,
        updated_at: row.updated_at,
    }
}

fn retraction_item(entry: &Entry, item: &Item, page: &str, notice: &Update) -> FeedItem {
    let of_entry = feed_item(entry, item, page);
    FeedItem {
        id: format!("{}#{}", of_entry.id, notice.doi.as_str()),
        title: format!("Retracted: {}", of_entry.title),
        url: format!("https://doi.org/{}", notice.doi.as_str()),
        text: notice.reasons.join("; "),
        // When the entry was marked.
        published_at: of_entry.updated_at,
        ..of_entry
    }
}

fn name(name: &Name) -> String {
    let parts = [&name.given, &name.family, &name.literal];
    let parts = parts.into_iter().filter_map(|part| part.as_deref());
    parts.collect::<Vec<_>>().join(" ")
}

/// RFC 4287.
fn atom(feed: &Feed) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    xml.push_str("<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    element(&mut xml, "id", &feed.address);
    element(&mut xml, "title", &feed.title);
    element(&mut xml, "updated", &iso8601(feed.updated_at));
    let (own, page) = (escaped_xml(&feed.address), escaped_xml(&feed.page));
    let _ = writeln!(xml, "<link rel=\"self\" href=\"{own}\"/>");
    let _ = writeln!(xml, "<link rel=\"alternate\" href=\"{page}\"/>");
    // An entry without an author takes that of the feed, which must then have one.
    let title = escaped_xml(&feed.title);
    let _ = writeln!(xml, "<author><name>{title}</name></author>");
    for item in &feed.items {
        xml.push_str("<entry>\n");
        element(&mut xml, "id", &item.id);
        element(&mut xml, "title", &item.title);
        element(&mut xml, "published", &iso8601(item.published_at));
        element(&mut xml, "updated", &iso8601(item.updated_at));
        let _ = writeln!(xml, "<link href=\"{}\"/>", escaped_xml(&item.url));
        for author in &item.authors {
            let _ = writeln!(xml, "<author><name>{}</name></author>", escaped_xml(author));
        }
        for tag in &item.tags {
            let _ = writeln!(xml, "<category term=\"{}\"/>", escaped_xml(tag));
        }
        element(&mut xml, "summary", &item.text);
        xml.push_str("</entry>\n");
    }
    xml.push_str("</feed>\n");
    xml
}

fn element(xml: &mut String, name: &str, text: &str) {
    let _ = writeln!(xml, "<{name}>{}</{name}>", escaped_xml(text));
}

/// JSON Feed 1.1.
fn json_feed(feed: &Feed) -> Value {
    let items = feed.items.iter().map(|item| {
        let authors = item.authors.iter().map(|name| json!({"name": name}));
        json!({
            "id": item.id,
            "url": item.url,
            "title": item.title,
            "content_text": item.text,
            "date_published": iso8601(item.published_at),
            "date_modified": iso8601(item.updated_at),
            "authors": authors.collect::<Vec<_>>(),
            "tags": item.tags,
        })
    });
    json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.page,
        "feed_url": feed.address,
        "items": items.collect::<Vec<_>>(),
    })
}

pub fn operation() -> Operation {
    Operation::new(
        "get_shared_feed",
        "collections",
        "A feed of a shared collection",
    )
    .describe("The newest 100, by the time when they were added, or marked as retracted.")
    .path("token", "The share token.")
    .path_choice("format", FORMATS, "Atom, or JSON Feed.")
    .query_choice(
        "of",
        SUBJECTS,
        "All entries (default), or retracted works only.",
    )
    .reply_text(
        200,
        "The feed.",
        ["application/atom+xml", "application/feed+json"],
    )
    .codes(&[Code::NotFound, Code::InvalidParameter])
    .conditional()
}
