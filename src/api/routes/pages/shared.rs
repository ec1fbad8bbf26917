//! `/s/{token}`: a shared collection.

use super::collection::{export_file, lines, style_of};
use super::formatted::{choice, format};
use super::frame::{self, words};
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::collections::shared as api;
use crate::clock::iso8601;
use crate::ui::page::Frame;
use crate::ui::shared::SharedPage;

/// `GET /s/{token}?style=&locale=`.
pub fn show(context: &RequestContext) -> Result<Reply, ApiError> {
    let collection = api::find_whole(context, context.param("token"))?;
    let wanted = style_of(context, &collection.row);
    let formatted = format(context, collection.items.clone(), &wanted);
    let view = SharedPage {
        token: context.param("token").to_owned(),
        words: words(context),
        lines: lines(&collection, &formatted, None),
        // Lists shared without an account have no collection row.
        made: (collection.row.id == 0).then(|| {
            let made = iso8601(collection.row.created_at);
            made.chars().take(10).collect()
        }),
        name: collection.row.name,
        description: collection.row.description.unwrap_or_default(),
        has_hanging_indent: formatted.has_hanging_indent,
        choice: choice(context, formatted.style, wanted)?,
        problem: formatted.problem,
        is_signed_in: context.caller.session().is_some(),
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

/// `GET /s/{token}/export.{format}?style=&locale=`.
pub fn export(context: &RequestContext) -> Result<Reply, ApiError> {
    api::file(context, export_file(context)?)
}
