//! `/library?q=&deleted=ID`: the collections of whoever has signed in, the works in them that have some words,
//! and the collection deleted just now.

use super::frame::{error_message, form, redirect, show, words};
use crate::api::collections::transaction::{change as write, read};
use crate::api::collections::{lists, shared};
use crate::api::context::RequestContext;
use crate::api::error::ApiError;
use crate::api::reply::Reply;
use crate::clock::iso8601;
use crate::collections::change::NewCollection;
use crate::collections::draft::Annotations;
use crate::collections::input;
use crate::collections::reading::Filter;
use crate::store::collections::{CollectionRow, Range};
use crate::ui::library::{Card, Found, Library};
use crate::ui::page::Frame;
use crate::ui::work::{about, plain_title};
use citation_model::identifier::percent_encode;

/// Works that a search shows.
const MOST_FOUND: usize = 100;

/// What reading an entry and folding its words is worth of the budget.
const STEPS_OF_ENTRY: u64 = 200;

/// `GET /library`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None)
}

/// `POST /library`: a new collection, a copy of one that somebody shares, or a deleted one again.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let given = |name: &str| form.get(name).unwrap_or_default();
    let changed = match given("do") {
        "copy" => copy(context, given("token")),
        "restore" => {
            let uid = given("id").to_ascii_lowercase();
            write(context, |change| change.restore(&uid))
        }
        _ => create(context, given("name")),
    };
    match changed {
        Ok(row) => Ok(redirect(&format!("/c/{}", percent_encode(&row.uid)))),
        Err(error) => {
            let problem = error_message(words(context), &error);
            Ok(page(context, Some(problem))?.with_status(error.code.status()))
        }
    }
}

fn create(context: &RequestContext, name: &str) -> Result<CollectionRow, ApiError> {
    let new = NewCollection {
        name: input::name("/name", name, context.app.collections.limits())?,
        ..NewCollection::default()
    };
    write(context, |change| change.create(&new))
}

fn copy(context: &RequestContext, token: &str) -> Result<CollectionRow, ApiError> {
    let shared = shared::find_whole(context, token)?;
    let new = NewCollection {
        name: shared.row.name,
        description: shared.row.description,
        style: shared.row.style,
        ..NewCollection::default()
    };
    lists::check_default_style(context, new.style.as_deref())?;
    let both = shared.items.into_iter().zip(shared.entries);
    let drafts = both.map(|(item, entry)| {
        let annotations = Annotations {
            tags: entry.stored.row.tags,
            ..Annotations::default()
        };
        context.app.collections.draft(item, annotations)
    });
    let drafts = drafts.collect::<Result<Vec<_>, _>>()?;
    let same = read(context, |reading| reading.compare_new(&drafts))?;
    let (row, _) = write(context, |change| change.create_with(&new, &drafts, &same))?;
    Ok(row)
}

fn page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let words = words(context);
    let mut view = Library {
        words,
        is_signed_in: context.caller.session().is_some(),
        problem,
        deleted: context.query.get("deleted").map(str::to_owned),
        ..Library::default()
    };
    if view.is_signed_in {
        let rows = read(context, |reading| Ok(reading.collections(false)?))?;
        let now = context.app.clock.unix();
        view.collections = rows.into_iter().map(|row| card(row, now)).collect();
        let rules = context.app.quota.plans().rules(context.caller.plan);
        view.limit = rules.collections;
        if let Some(query) = context.query.given("q") {
            search(context, query, &mut view)?;
        }
    }
    let frame = Frame {
        title: words.get("library.title"),
        current: "/library",
        script: Some("library.js"),
        ..Frame::default()
    };
    Ok(show(context, &frame, view))
}

/// Looks for words in all collections.
fn search(context: &RequestContext, query: &str, view: &mut Library) -> Result<(), ApiError> {
    let most = context.app.config.limits.query_chars as usize;
    let words: String = query.chars().take(most).collect();
    let filter = Filter {
        words: Some(words.clone()),
        ..Filter::default()
    };
    let budget = &context.budget;
    read(context, |reading| {
        for row in reading.collections(false)? {
            if view.is_cut_off || budget.spend(row.entries * STEPS_OF_ENTRY).is_err() {
                view.is_cut_off = true;
                break;
            }
            let range = Range {
                offset: 0,
                limit: (MOST_FOUND - view.found.len()) as u32,
            };
            let page = reading.entries(&row, &filter, range)?;
            view.is_cut_off = page.total > page.entries.len() as u64;
            for entry in page.entries {
                let entry = entry.stored.row;
                let item = reading.item(&entry)?;
                view.found.push(Found {
                    collection: row.uid.clone(),
                    collection_name: row.name.clone(),
                    title: plain_title(&item),
                    about: about(&item),
                    id: entry.uid,
                    tags: entry.tags,
                });
            }
        }
        Ok(())
    })?;
    view.query = Some(words);
    Ok(())
}

fn card(row: CollectionRow, now: i64) -> Card {
    Card {
        entries: row.entries,
        updated: iso8601(row.updated_at).chars().take(10).collect(),
        is_shared: row.share.is_some_and(|share| share.is_open(now)),
        id: row.uid,
        name: row.name,
        tags: row.tags,
    }
}
