//! `/c/{id}/e/{eid}`: an entry of a collection and its earlier versions.

use citation_model::identifier::percent_encode;
use serde_json::{Map, Value, json};

use super::collection::{self, split_tags};
use super::formatted::format;
use super::frame::{self, error_message, form, redirect, words, written_names};
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::entries::{self, EntryChange};
use crate::api::routes::collections::transaction::{change as write, read, uid};
use crate::api::routes::lookup;
use crate::collections::Change;
use crate::collections::entry::Entry;
use crate::collections::history::PreviousVersion;
use crate::formatting::StyleChoice;
use crate::store::collections::CollectionRow;
use crate::ui::entry::{EntryPage, VersionView};
use crate::ui::html::Html;
use crate::ui::page::{Frame, Moment};
use crate::ui::rich::rich;
use crate::ui::work::{plain_title, without_tags};
use citation_csl as csl;
use citation_exchange::linked::highwire;
use citation_exchange::metadata::CitationMetadata;
use citation_model::item::Item;
use citation_model::variable::TextVar;

/// The fields of an entry's page besides type and authors, by their API names.
const FIELDS: [&str; 16] = [
    "title",
    "date",
    "journal",
    "container_title",
    "volume",
    "issue",
    "pages",
    "publisher",
    "publisher_place",
    "edition",
    "doi",
    "isbn",
    "issn",
    "url",
    "language",
    "abstract",
];

/// `GET /c/{id}/e/{eid}`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None)
}

fn page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let stored = find(context)?;
    let (row, metadata) = (&stored.entry.stored.row, stored.metadata());
    let (title, tags) = (plain_title(&stored.item), highwire(&stored.item));
    let view = EntryPage {
        words: words(context),
        fields: FIELDS
            .iter()
            .map(|name| (*name, field(&metadata, name)))
            .collect(),
        kind: stored.item.kind.json_name(),
        authors: field(&metadata, "authors"),
        note: row.note.clone().unwrap_or_default(),
        tags: row.tags.join(", "),
        status: row.review_status.as_str(),
        preview: preview(context, &stored),
        access: context
            .app
            .lookup
            .known_access(&stored.item)
            .map_err(lookup::failed)?,
        sentence_case: sentence_case(&stored.item).map(|title| without_tags(&title)),
        versions: stored.history.into_iter().map(version).collect(),
        id: row.uid.clone(),
        collection: stored.collection.uid,
        collection_name: stored.collection.name,
        problem,
        title,
    };
    let frame = Frame {
        title: &view.title,
        current: "/library",
        has_heading: true,
        tags: &tags,
        ..Frame::default()
    };
    Ok(frame::show(context, &frame, &view))
}

/// An entry as shown on its page.
struct StoredEntry {
    collection: CollectionRow,
    entry: Entry,
    item: Item,
    /// Its earlier versions, newest first.
    history: Vec<PreviousVersion>,
}

impl StoredEntry {
    /// The fields by their API names.
    fn metadata(&self) -> Map<String, Value> {
        match json!(CitationMetadata::of_item(&self.item).with_abstract(true)) {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }
}

fn find(context: &RequestContext) -> Result<StoredEntry, ApiError> {
    let (collection, entry) = uids(context);
    read(context, |snapshot| {
        let collection = snapshot.collection(&collection)?;
        let entry = snapshot.entry(&collection, &entry)?;
        Ok(StoredEntry {
            item: snapshot.item(&entry.stored.row)?,
            history: snapshot.history_of(&entry.stored.row)?,
            collection,
            entry,
        })
    })
}

fn uids(context: &RequestContext) -> (String, String) {
    (uid(context, "id"), uid(context, "eid"))
}

fn preview(context: &RequestContext, stored: &StoredEntry) -> Html {
    let wanted = StyleChoice::named(stored.collection.style.clone(), None);
    let formatted = format(context, vec![stored.item.clone()], &wanted);
    let entry = formatted.entries.into_iter().next();
    let html = entry.and_then(|entry| entry.bibliography_html);
    rich(&html.unwrap_or_default())
}

fn version(PreviousVersion { version, changes }: PreviousVersion) -> VersionView {
    let changes = changes.into_iter();
    VersionView {
        number: version.number,
        cause: version.cause.as_str(),
        time: Moment(version.replaced_at),
        changes: changes
            .map(|change| (change.field, shown(&change.from), shown(&change.to)))
            .collect(),
    }
}

/// The value of any field as text.
fn shown(value: &Value) -> String {
    let text = written(value);
    if text.is_empty() && !value.is_null() {
        value.to_string()
    } else {
        text
    }
}

/// `POST /c/{id}/e/{eid}`.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let home = collection::path(context);
    let own = format!("{home}/e/{}", percent_encode(context.param("eid")));
    let wanted = form.get("do").unwrap_or_default();
    let (changed, next) = match wanted.strip_prefix("restore:") {
        Some(number) => (restore(context, number), own),
        None if wanted == "sentence-case" => (take_sentence_case(context), own),
        None if wanted == "remove" => {
            let (collection, entry) = uids(context);
            let remove = |change: &Change<'_>| change.remove(&collection, &entry).map(drop);
            (write(context, remove), home)
        }
        None => (save(context, &form), home),
    };
    match changed {
        Ok(()) => Ok(redirect(&next)),
        Err(error) => {
            let problem = error_message(words(context), &error);
            Ok(page(context, Some(problem))?.with_status(error.code.status()))
        }
    }
}

/// Overwrites the entry's fields with those of the form; fields missing from the form stay.
fn save(context: &RequestContext, form: &Query) -> Result<(), ApiError> {
    let mut metadata = find(context)?.metadata();
    let given = |name: &str| form.get(name).map_or("", str::trim);
    for name in FIELDS.into_iter().chain(["entry_type", "authors"]) {
        // An unchanged text keeps its value: a date may hold more than its text.
        if given(name) == field(&metadata, name) {
            continue;
        }
        match (name, given(name)) {
            (_, "") => metadata.remove(name),
            ("authors", names) => metadata.insert(name.to_owned(), json!(written_names(names))),
            (_, text) => metadata.insert(name.to_owned(), text.into()),
        };
    }
    let beside = EntryChange {
        note: Some(form.get("note").map(str::to_owned)),
        tags: Some(split_tags(form.get("tags").unwrap_or_default())),
        review_status: Some(form.get("review_status").unwrap_or("clean").to_owned()),
    };
    let patch = entries::read_patch(context, &beside)?;
    let (collection, entry) = uids(context);
    let metadata = entries::read_metadata(context, (&collection, &entry), &metadata)?;
    let collections = &context.app.collections;
    write(context, |change| {
        change.replace(collections, (&collection, &entry), &metadata)?;
        change.annotate(&collection, &entry, patch).map(drop)
    })
}

/// The title in sentence case, if suggested.
fn sentence_case(item: &Item) -> Option<String> {
    let title = item.text(TextVar::Title).unwrap_or_default();
    csl::sentence_case(title, item.text(TextVar::Language))
}

/// Applies the suggested title. Changes nothing if it is no longer suggested.
fn take_sentence_case(context: &RequestContext) -> Result<(), ApiError> {
    let mut item = find(context)?.item;
    if let Some(title) = sentence_case(&item) {
        item.set_text(TextVar::Title, title);
    }
    replace(context, item)
}

/// Restores an earlier version.
fn restore(context: &RequestContext, wanted: &str) -> Result<(), ApiError> {
    let mut versions = find(context)?.history.into_iter();
    let found = versions.find(|former| former.version.number.to_string() == wanted);
    match found {
        Some(former) => replace(context, former.version.item),
        None => Err(ApiError::not_found(
            "version",
            "This version is no longer kept.",
        )),
    }
}

fn replace(context: &RequestContext, item: Item) -> Result<(), ApiError> {
    let (collection, entry) = uids(context);
    let collections = &context.app.collections;
    let metadata = collections.metadata(item)?;
    write(context, |change| {
        let target = (collection.as_str(), entry.as_str());
        change.replace(collections, target, &metadata).map(drop)
    })
}

/// A field as text: dates as ISO 8601 to their precision; names one per line as `Family, Given`,
/// institutions as they are.
fn field(metadata: &Map<String, Value>, name: &str) -> String {
    metadata.get(name).map(written).unwrap_or_default()
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => values
            .iter()
            .map(one_of_many)
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(date) => {
            let part = |name: &str| date.get(name).and_then(Value::as_i64);
            match (part("year"), part("month"), part("day")) {
                (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
                (Some(year), Some(month), None) => format!("{year:04}-{month:02}"),
                (Some(year), None, _) => format!("{year:04}"),
                _ => text(value, "literal").to_owned(),
            }
        }
        Value::Bool(_) | Value::Null => String::new(),
    }
}

/// A name, or a keyword.
fn one_of_many(value: &Value) -> String {
    let particle = text(value, "non_dropping_particle");
    let family = [particle, text(value, "family")].join(" ");
    match (family.trim(), text(value, "given")) {
        ("", "") => written(value),
        ("", given) => given.to_owned(),
        (family, "") => family.to_owned(),
        (family, given) => format!("{family}, {given}"),
    }
}

/// A text member; empty if it is not text.
fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
