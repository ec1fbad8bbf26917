//! `/s/{token}`: a shared collection.

use citation_model::identifier::input::Input;
use citation_model::identifier::percent_encode;

use super::collection::{Reader, export_file, found, lines, style_of};
use super::formatted::{choice, format};
use super::frame::{self, error_message, form, redirect, words};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::transaction::{change_by_link, known_by_link};
use crate::api::routes::collections::{dto, shared as api};
use crate::clock::iso8601;
use crate::collections::CollectionAction;
use crate::collections::compared::Compared;
use crate::collections::entries::OnDuplicate;
use crate::ui::page::Frame;
use crate::ui::shared::SharedPage;

/// `GET /s/{token}?style=&locale=`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    page(context, None)
}

fn page(context: &RequestContext, problem: Option<String>) -> Result<Reply, ApiError> {
    let collection = api::find_whole(context, context.param("token"))?;
    let wanted = style_of(context, &collection.row);
    let formatted = format(context, collection.items.clone(), &wanted);
    let can_edit = dto::link_can_edit(context, &collection.row) == Some(true);
    let reader = if can_edit {
        Reader::EditLink
    } else {
        Reader::Link
    };
    let view = SharedPage {
        token: context.param("token").to_owned(),
        words: words(context),
        lines: lines(&collection, &formatted, reader),
        // Lists shared without an account have no collection row.
        made: (collection.row.id == 0).then(|| {
            let made = iso8601(collection.row.created_at);
            made.chars().take(10).collect()
        }),
        name: collection.row.name,
        description: collection.row.description.unwrap_or_default(),
        has_hanging_indent: formatted.has_hanging_indent,
        choice: choice(context, formatted.style, wanted)?,
        problem: problem.or(formatted.problem),
        is_signed_in: context.caller.session().is_some(),
        can_edit,
    };
    let frame = Frame {
        title: &view.name,
        script: Some("share.js"),
        has_heading: true,
        ..Frame::default()
    };
    let reply = frame::show(context, &frame, &view);
    // The address is the secret: links must not pass it on as referrer.
    Ok(reply
        .with_header("referrer-policy", "no-referrer")
        .with_header("x-robots-tag", "noindex"))
}

/// `POST /s/{token}`: adds or removes a work by a link that allows it, and shows the page again.
pub fn change(context: &RequestContext) -> Result<Reply, ApiError> {
    let row = known_by_link(context, CollectionAction::EditEntries)?;
    let form = form(context);
    let changed = match form.get("do").and_then(|action| action.split_once(':')) {
        Some(("remove", entry)) => change_by_link(context, |change| {
            change
                .remove(&row.uid, &entry.to_ascii_lowercase())
                .map(drop)
        }),
        _ => add(context, &row.uid, form.get("q").unwrap_or_default()),
    };
    match changed {
        Ok(()) => {
            let token = percent_encode(context.param("token"));
            Ok(redirect(&format!("/s/{token}")))
        }
        Err(error) => {
            let problem = error_message(words(context), &error);
            Ok(page(context, Some(problem))?.with_status(error.code.status()))
        }
    }
}

/// Looks up the works named by a text and adds them.
fn add(context: &RequestContext, uid: &str, text: &str) -> Result<(), ApiError> {
    for (given, input) in Input::list(text.trim()) {
        let (item, annotations) = found(context, &given, &input)?;
        let draft = context.app.collections.draft(item, annotations)?;
        change_by_link(context, |change| {
            let added = change.add(uid, &draft, &Compared::nothing(), OnDuplicate::Add);
            added.map(drop)
        })?;
    }
    Ok(())
}

/// `GET /s/{token}/export.{format}?style=&locale=`.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    api::file(context, export_file(context)?)
}
