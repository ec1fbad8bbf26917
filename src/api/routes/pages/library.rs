//! `/library?q=&tag=&all=&from=&deleted=ID`: the signed-in user's collections, their works with given words or a tag,
//! the tags, and a collection just deleted.

use super::frame::{encode_query, error_message, form, redirect, show, words};
use crate::api::edge::context::{Query, RequestContext};
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::api::routes::collections::transaction::{change as write, read};
use crate::api::routes::collections::{lists, shared, tags};
use crate::clock::iso8601;
use crate::collections::change::NewCollection;
use crate::collections::draft::Annotations;
use crate::collections::snapshot::EntryFilter;
use crate::collections::{CollectionError, Snapshot, input};
use crate::store::collections::{CollectionRow, EntryRow, Range};
use crate::ui::library::{CollectionView, FoundWorkView, LibraryPage, folders};
use crate::ui::page::Frame;
use crate::ui::work::{about, plain_title};
use citation_model::identifier::percent_encode;

/// Maximum number of works in a search result.
const MAX_FOUND: usize = 100;

/// Maximum number of searches that an account keeps.
const MAX_SEARCHES: u64 = 50;

/// Number of works shown as added last.
const MOST_RECENT: u32 = 5;

/// Budget cost of reading an entry and folding its words.
const STEPS_OF_ENTRY: u64 = 200;

/// `GET /library`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None)
}

/// `POST /library`: creates a collection, copies a shared one, or restores a deleted one.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let form = form(context);
    let given = |name: &str| form.get(name).unwrap_or_default();
    if let action @ ("rename-tag" | "remove-tag") = given("do") {
        return match retag(context, given("tag"), given("name"), action == "rename-tag") {
            Ok(address) => Ok(redirect(&address)),
            Err(error) => refused(context, &error),
        };
    }
    if let action @ ("keep-search" | "forget-search") = given("do") {
        let search = given("search");
        return match keep_search(context, search, given("name"), action == "keep-search") {
            Ok(()) => Ok(redirect(&format!("/library?{search}"))),
            Err(error) => refused(context, &error),
        };
    }
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
        Err(error) => refused(context, &error),
    }
}

/// Keeps a search under a name, or forgets it.
fn keep_search(
    context: &RequestContext,
    search: &str,
    name: &str,
    is_kept: bool,
) -> Result<(), ApiError> {
    let (account, store) = (context.account()?, &context.app.store);
    // Only what a search of this page can be.
    let search = search_of(&Query::parse(search), context);
    if !is_kept {
        return Ok(store.remove_search(account.id, &search)?);
    }
    let name = input::name("/name", name, context.app.collections.limits())?;
    if store.put_search(account.id, &search, &name, MAX_SEARCHES)? {
        return Ok(());
    }
    let message = format!("An account may keep {MAX_SEARCHES} searches; forget one first.");
    Err(ApiError::new(Code::Conflict, message).with("limit", MAX_SEARCHES))
}

/// The query of a search: its words and its tag, shortened.
fn search_of(query: &Query, context: &RequestContext) -> String {
    let most = context.app.config.limits.query_chars as usize;
    let shortened = |text: &str| text.chars().take(most).collect::<String>();
    let (words, tag) = (query.given("q"), query.given("tag"));
    let (words, tag) = (words.map(shortened), tag.map(shortened));
    let pairs = [("q", words.as_deref()), ("tag", tag.as_deref())].into_iter();
    let pairs: Vec<(&str, &str)> = pairs
        .filter_map(|(key, value)| Some((key, value?)))
        .collect();
    encode_query(&pairs)
}

/// The page, with the reason why nothing changed.
fn refused(context: &RequestContext, error: &ApiError) -> Result<Reply, ApiError> {
    let problem = error_message(words(context), error);
    Ok(page(context, Some(problem))?.with_status(error.code.status()))
}

/// Renames or removes a tag; returns the address of its works.
fn retag(
    context: &RequestContext,
    tag: &str,
    name: &str,
    is_renamed: bool,
) -> Result<String, ApiError> {
    let name = is_renamed
        .then(|| tags::new_name(context, name))
        .transpose()?;
    write(context, |change| change.retag(tag, name.as_deref()))?;
    let address = name.map(|name| format!("/library?tag={}", percent_encode(&name)));
    Ok(address.unwrap_or_else(|| "/library".to_owned()))
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
    let same = read(context, |snapshot| snapshot.compare_new(&drafts))?;
    let (row, _) = write(context, |change| change.create_with(&new, &drafts, &same))?;
    Ok(row)
}

fn page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let words = words(context);
    let mut view = LibraryPage {
        words,
        is_signed_in: context.caller.session().is_some(),
        problem,
        deleted: context.query.get("deleted").map(str::to_owned),
        ..LibraryPage::default()
    };
    if view.is_signed_in {
        let rows = read(context, |snapshot| Ok(snapshot.collections(false)?))?;
        let now = context.app.clock.unix();
        view.folders = folders(rows.into_iter().map(|row| card(row, now)).collect());
        let rules = context.app.quota.plans().rules(context.caller.plan);
        view.limit = rules.collections;
        view.sells_plans = context.app.config.quota.sells_plans;
        let (query, tag) = (context.query.given("q"), context.query.given("tag"));
        view.searches = context.app.store.searches(context.account()?.id)?;
        view.search = search_of(&context.query, context);
        view.is_all = query.is_none() && tag.is_none() && context.query.switch("all")?;
        if query.is_some() || tag.is_some() || view.is_all {
            search(context, query, tag, &mut view)?
        } else {
            view.recent = recent(context)?
        }
        let tags = read(context, |snapshot| Ok(snapshot.tags()?))?.into_iter();
        view.tags = tags.map(|found| (found.tag, found.entries)).collect();
    }
    let frame = Frame {
        title: words.get("library.title"),
        current: "/library",
        script: Some("library.js"),
        ..Frame::default()
    };
    Ok(show(context, &frame, view))
}

/// The works added last.
fn recent(context: &RequestContext) -> Result<Vec<FoundWorkView>, ApiError> {
    read(context, |snapshot| {
        let collections = snapshot.collections(false)?;
        let rows = snapshot.added_last(MOST_RECENT)?.into_iter();
        let found = rows.filter_map(|entry| {
            let row = collections.iter().find(|row| row.id == entry.collection)?;
            Some(found(snapshot, row, entry))
        });
        found.collect()
    })
}

/// An entry as shown on the page.
fn found(
    snapshot: &Snapshot<'_>,
    collection: &CollectionRow,
    entry: EntryRow,
) -> Result<FoundWorkView, CollectionError> {
    let item = snapshot.item(&entry)?;
    Ok(FoundWorkView {
        collection: collection.uid.clone(),
        collection_name: collection.name.clone(),
        title: plain_title(&item),
        about: about(&item),
        id: entry.uid,
        tags: entry.tags,
    })
}

/// Searches all collections for words and a tag.
fn search(
    context: &RequestContext,
    query: Option<&str>,
    tag: Option<&str>,
    view: &mut LibraryPage,
) -> Result<(), ApiError> {
    let most = context.app.config.limits.query_chars as usize;
    let shortened = |text: &str| text.chars().take(most).collect::<String>();
    let filter = EntryFilter {
        words: query.map(shortened),
        tag: tag.map(shortened),
        ..EntryFilter::default()
    };
    let budget = &context.budget;
    let from = context.query.number("from", 0, 0, u32::MAX as usize)? as u64;
    let mut skipped = from;
    read(context, |snapshot| {
        for row in snapshot.collections(false)? {
            // Without words every entry matches: those of earlier pages need not be read.
            if view.is_all && row.entries <= skipped {
                skipped -= row.entries;
                continue;
            }
            if view.is_cut_off || budget.spend(row.entries * STEPS_OF_ENTRY).is_err() {
                view.is_cut_off = true;
                break;
            }
            let range = Range {
                offset: if view.is_all { skipped as u32 } else { 0 },
                limit: (MAX_FOUND - view.found.len()) as u32,
            };
            let page = snapshot.entries(&row, &filter, range)?;
            let reached = u64::from(range.offset) + page.entries.len() as u64;
            skipped = 0;
            view.is_cut_off = page.total > reached;
            for entry in page.entries {
                view.found.push(found(snapshot, &row, entry.stored.row)?);
            }
        }
        Ok(())
    })?;
    if view.is_all && view.is_cut_off {
        let next = from + view.found.len() as u64;
        view.next = Some(format!("/library?all=1&from={next}"));
    }
    view.query = filter.words;
    view.tag = filter.tag;
    Ok(())
}

fn card(row: CollectionRow, now: i64) -> CollectionView {
    CollectionView {
        entries: row.entries,
        updated: iso8601(row.updated_at).chars().take(10).collect(),
        is_shared: row.share.is_some_and(|share| share.is_open(now)),
        id: row.uid,
        name: row.name,
        tags: row.tags,
    }
}
