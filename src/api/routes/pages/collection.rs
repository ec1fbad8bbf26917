//! `/c/{id}`: a collection.

use citation_model::identifier::percent_encode;
use serde_json::Value;

use super::formatted::{FormattedList, choice, format, style_choice};
use super::frame::{self, encode_query, error_message, form, redirect, words};
use crate::api::edge::action::Action;
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::gate;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::no_such_route;
use crate::api::error::ApiError;
use crate::api::routes::collections::export::{self, ExportFile};
use crate::api::routes::collections::lists::{self, WholeCollection};
use crate::api::routes::collections::transaction::{change as write, read, uid};
use crate::api::routes::collections::{dto, entries};
use crate::api::routes::file::FileForm;
use crate::api::routes::jobs::submit::verify_works;
use crate::api::routes::lookup_any::{Asked, look_up, refusal};
use crate::collections::change::CollectionPatch;
use crate::collections::draft::{Annotations, check_metadata};
use crate::collections::entries::OnDuplicate;
use crate::collections::input;
use crate::collections::share::ShareOptions;
use crate::formatting::StyleChoice;
use crate::lookup::input::Answer;
use crate::store::collections::CollectionRow;
use crate::ui::bibliography::WorkView;
use crate::ui::collection::CollectionPage;
use crate::ui::html::Html;
use crate::ui::page::Frame;
use crate::ui::work::plain_title;
use citation_exchange::linked::open_url;
use citation_exchange::metadata::CitationMetadata;
use citation_model::identifier::input::Input;
use citation_model::item::Item;
use citation_model::review::ReviewStatus;
use citation_model::variable::TextVar;
use citation_model::work::standing_retraction;

/// `GET /c/{id}?style=&locale=`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None)
}

fn page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let collection = lists::find_whole(context, &uid(context, "id"))?;
    let row = &collection.row;
    let wanted = style_of(context, row);
    let formatted = format(context, collection.items.clone(), &wanted);
    let shown = dto::collection(context, row);
    let access = read(context, |snapshot| snapshot.access(&row.uid))?;
    let edit_links = context.app.collections.sharing().edit_links;
    let main = CollectionPage {
        words: words(context),
        id: row.uid.clone(),
        name: row.name.clone(),
        description: row.description.clone().unwrap_or_default(),
        tags: row.tags.join(", "),
        lines: lines(&collection, &formatted, Reader::Member(&row.uid)),
        has_hanging_indent: formatted.has_hanging_indent,
        choice: choice(context, formatted.style, wanted)?,
        has_batches: context.caller.plan.is_paid(),
        problem: problem.or(formatted.problem),
        data: Html::json(&data(&collection, &shown, access.is_shared(), edit_links)),
        link_can_edit: shown.link_can_edit == Some(true),
        share_url: shown.share_url,
        edit_links,
    };
    let frame = Frame {
        title: &row.name,
        current: "/library",
        script: Some("collection.js"),
        has_heading: true,
        ..Frame::default()
    };
    Ok(frame::show(context, &frame, main))
}

/// The collection in API form, for the page's module: `{collection, etag, is_shared, edit_links}`.
fn data(
    collection: &WholeCollection,
    shown: &dto::Collection,
    is_shared: bool,
    edit_links: bool,
) -> String {
    let etag = lists::etag_with_notices(&collection.row, &collection.entries);
    let body = dto::full(shown, &collection.entries);
    let body = String::from_utf8_lossy(&body);
    let etag = Value::from(etag);
    format!(
        "{{\"collection\":{body},\"etag\":{etag},\"is_shared\":{is_shared},\"edit_links\":{edit_links}}}"
    )
}

/// The style and locale of the query, else the collection's own.
pub fn style_of(context: &RequestContext, row: &CollectionRow) -> StyleChoice {
    let wanted = style_choice(&context.query);
    StyleChoice {
        style: wanted.style.or_else(|| row.style.clone()),
        ..wanted
    }
}

/// `POST /c/{id}`: applies one change and shows the page again.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let uid = uid(context, "id");
    let action = form.get("do").unwrap_or("add");
    let (action, entry) = action.split_once(':').unwrap_or((action, ""));
    let entry = entry.to_ascii_lowercase();
    let changed = match action {
        "format" => return Ok(redirect(&with_style(context, &form))),
        "verify" => {
            return match verify(context, &uid) {
                Ok(job) => Ok(redirect(&format!("/account/jobs/{job}"))),
                Err(error) => refused(context, &error),
            };
        }
        "save" => save(context, &uid, &form),
        "remove" => write(context, |change| change.remove(&uid, &entry).map(drop)),
        "up" => move_up(context, &uid, &entry),
        "share" => {
            let can_edit = form.get("can_edit").is_some();
            let options = ShareOptions {
                can_edit: Some(can_edit && context.app.collections.sharing().edit_links),
                ..ShareOptions::default()
            };
            write(context, |change| change.share(&uid, options).map(drop))
        }
        "unshare" => write(context, |change| change.revoke_share(&uid).map(drop)),
        "delete" => write(context, |change| change.delete(&uid)),
        _ => add(context, &uid, form.get("q").unwrap_or_default()),
    };
    match changed {
        Ok(()) if action == "delete" => {
            let deleted = encode_query(&[("deleted", context.param("id"))]);
            Ok(redirect(&format!("/library?{deleted}")))
        }
        Ok(()) => Ok(redirect(&path(context))),
        Err(error) => refused(context, &error),
    }
}

/// The page, with the reason why nothing changed.
fn refused(context: &RequestContext, error: &ApiError) -> Result<Reply, ApiError> {
    let problem = error_message(words(context), error);
    Ok(page(context, Some(problem))?.with_status(error.code.status()))
}

/// Starts a job that checks all works; gives its id.
fn verify(context: &RequestContext, uid: &str) -> Result<String, ApiError> {
    gate::admit_operation(context, Action::PaidLookup)?;
    let collection = lists::find_whole(context, uid)?;
    let works = collection.items.iter().map(CitationMetadata::of_item);
    verify_works(context, &works.collect::<Vec<_>>())
}

/// The address of the collection's page.
pub fn path(context: &RequestContext) -> String {
    format!("/c/{}", percent_encode(context.param("id")))
}

/// The page's address with the style and locale of the form.
fn with_style(context: &RequestContext, form: &Query) -> String {
    let wanted = style_choice(form);
    let query = [
        ("style", wanted.style.as_deref().unwrap_or_default()),
        ("locale", wanted.locale.as_deref().unwrap_or_default()),
    ];
    format!("{}?{}", path(context), encode_query(&query))
}

/// Name, description and tags.
fn save(context: &RequestContext, uid: &str, form: &Query) -> Result<(), ApiError> {
    let limits = context.app.collections.limits();
    let (name, description) = (form.get("name"), form.get("description"));
    let tags = split_tags(form.get("tags").unwrap_or_default());
    let patch = CollectionPatch {
        name: Some(input::name("/name", name.unwrap_or_default(), limits)?),
        description: Some(input::description("/description", description, limits)?),
        tags: Some(input::tags("/tags", &tags, limits)?),
        ..CollectionPatch::default()
    };
    write(context, |change| change.describe(uid, patch).map(drop))
}

/// Tags as typed, separated by the commas of any script.
pub fn split_tags(text: &str) -> Vec<String> {
    let parts = text.split([',', '،', '，', '、']);
    parts.map(str::to_owned).collect()
}

/// Moves an entry before the one above it.
fn move_up(context: &RequestContext, uid: &str, entry: &str) -> Result<(), ApiError> {
    let entries = lists::find_whole(context, uid)?.entries.into_iter();
    let mut uids: Vec<String> = entries.map(|entry| entry.stored.row.uid).collect();
    if let Some(at) = uids
        .iter()
        .position(|uid| uid == entry)
        .filter(|at| *at > 0)
    {
        uids.swap(at, at - 1);
    }
    write(context, |change| change.reorder(uid, &uids).map(drop))
}

/// Looks up the work named by a text and adds it to the collection.
fn add(context: &RequestContext, uid: &str, text: &str) -> Result<(), ApiError> {
    for (given, input) in Input::list(text.trim()) {
        add_one(context, uid, &given, &input)?;
    }
    Ok(())
}

fn add_one(
    context: &RequestContext,
    uid: &str,
    given: &str,
    input: &Input,
) -> Result<(), ApiError> {
    let (item, annotations) = found(context, given, input)?;
    let new = entries::prepare(context, uid, item, annotations)?;
    write(context, |change| {
        let added = change.add(uid, &new.draft, &new.compared, OnDuplicate::Add);
        added.map(drop)
    })
}

/// The work that a text names, as an entry. Text that no source identifies with certainty is kept as it is,
/// to be completed by hand.
pub fn found(
    context: &RequestContext,
    given: &str,
    input: &Input,
) -> Result<(Item, Annotations), ApiError> {
    let kept = || {
        let mut item = Item::default();
        item.set_text(TextVar::Title, given);
        item
    };
    let asked = Asked {
        input,
        given,
        pointer: "/query",
        local_only: false,
    };
    let (item, is_sure) = match look_up(context, asked)? {
        Answer::Work(found) => (found.work.item, true),
        Answer::Unread { work, .. } => (work.item, false),
        Answer::Candidates(_) | Answer::Missing(_) => (kept(), false),
        answer @ (Answer::Several(_) | Answer::Mistyped(_)) => {
            return Err(refusal("/query", given, &answer));
        }
    };
    check_metadata("/metadata", &item)?;
    let annotations = Annotations {
        review_status: (!is_sure).then_some(ReviewStatus::NeedsReview),
        ..Annotations::default()
    };
    Ok((item, annotations))
}

/// `GET /c/{id}/export.{format}?style=&locale=`.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    export::file(context, export_file(context)?)
}

/// An export format in a page's address, by its name or by the API's file extension.
pub fn export_file(context: &RequestContext) -> Result<ExportFile, ApiError> {
    let named = context.param("format");
    let form = FileForm::named(named).or_else(|| FileForm::with_ending(named));
    let form = form.ok_or_else(|| no_such_route(context.uri.path()))?;
    let file = ExportFile::new(form, style_choice(&context.query));
    Ok(file.with_notes(context.query.switch("notes")?))
}

/// Who sees a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader<'r> {
    /// Whoever has a link that reads.
    Link,
    /// Whoever has a link that edits.
    EditLink,
    /// Somebody with a role in the collection of this UUID.
    Member(&'r str),
}

/// The lines of a collection's list in the style's order. Its people also see buttons, tags and states; whoever
/// has a link sees only the retracted state, and a button for removal if the link allows that.
pub fn lines(
    collection: &WholeCollection,
    formatted: &FormattedList,
    reader: Reader<'_>,
) -> Vec<WorkView> {
    let both = collection.entries.iter().zip(&collection.items);
    let lines = both.enumerate().map(|(index, (entry, item))| {
        let row = &entry.stored.row;
        let (html, in_text) = formatted.entry(index).unwrap_or_default();
        // A notice may have arrived after the entry was last updated.
        let retraction = standing_retraction(&entry.updates);
        let state = match retraction {
            Some(_) => ReviewStatus::Retracted,
            None => row.review_status,
        };
        let is_told = matches!(reader, Reader::Member(_)) || state == ReviewStatus::Retracted;
        let line = WorkView {
            entry: html,
            in_text,
            title: plain_title(item),
            state: if is_told { state.as_str() } else { "" },
            notice: retraction.map(|update| format!("https://doi.org/{}", update.doi.as_str())),
            note: row.note.clone().unwrap_or_default(),
            open_url: open_url(item),
            ..WorkView::default()
        };
        match reader {
            Reader::Member(own) => WorkView {
                tags: row.tags.clone(),
                id: row.uid.clone(),
                page: Some(format!("/c/{own}/e/{}", row.uid)),
                can_rise: index > 0 && !formatted.is_sorted,
                ..line
            },
            Reader::EditLink => WorkView {
                id: row.uid.clone(),
                ..line
            },
            Reader::Link => line,
        }
    });
    formatted.arranged(lines)
}
