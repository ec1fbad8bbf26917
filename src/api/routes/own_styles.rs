//! `/api/v1/me/styles`: an account's own, private styles.

use http::StatusCode;
use serde_json::{Value, json};

use super::collections::files::find_upload;
use super::collections::transaction::storage_limit_reached;
use super::styles::{STYLE, StyleItem};
use crate::api::edge::action::Action;
use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::edge::route::{self, Route};
use crate::api::error::{ApiError, Code, sentence};
use crate::api::openapi::operation::Operation;
use crate::store::own_styles::OwnStyleLimits;
use crate::styles::StyleProblem;
use crate::styles::entry::StyleEntry;
use crate::styles::own::{OwnProblem, own_name};

/// The routes of this subject.
pub fn routes() -> Vec<Route> {
    vec![
        route::get("/api/v1/me/styles", Action::Read, list).documented(list_operation),
        route::import("/api/v1/me/styles", Action::Write, keep)
            .heavy()
            .documented(keep_operation),
        route::get("/api/v1/me/styles/{name}", Action::Read, file).documented(file_operation),
        route::delete("/api/v1/me/styles/{name}", Action::Write, remove)
            .documented(remove_operation),
    ]
}

/// The accepted content types.
const MEDIA_TYPES: [&str; 3] = [STYLE, "application/xml", "text/xml"];

/// `GET /api/v1/me/styles`.
pub fn list(context: &RequestContext) -> Result<Reply, ApiError> {
    let catalog = context.app.styles.catalog()?;
    let own = context.app.styles.own(context.account()?.id)?;
    let items: Vec<StyleItem> = own
        .iter()
        .map(|entry| StyleItem::new(&catalog, entry))
        .collect();
    Ok(private(Reply::json(&items)))
}

/// `POST /api/v1/me/styles`: 201 with the style, or 200 if it replaces another one.
pub fn keep(context: &RequestContext) -> Result<Reply, ApiError> {
    let (entry, is_new) = store(context, find_upload(context)?.content)?;
    let catalog = context.app.styles.catalog()?;
    let reply = private(Reply::json(&StyleItem::new(&catalog, &entry)));
    if !is_new {
        return Ok(reply);
    }
    let name = own_name(&entry.id).unwrap_or_default();
    Ok(reply
        .with_status(StatusCode::CREATED)
        .with_header("location", format!("/api/v1/me/styles/{name}")))
}

/// Stores a style for the caller. True unless it replaces another one.
pub fn store(context: &RequestContext, xml: &[u8]) -> Result<(StyleEntry, bool), ApiError> {
    let owner = context.account()?;
    let most = context.app.config.format.max_style_bytes;
    if xml.len() as u64 > most {
        return Err(ApiError::too_many_bytes(most).with("field", "/file"));
    }
    let Ok(xml) = std::str::from_utf8(xml) else {
        return Err(ApiError::invalid_field("/file", "is not UTF-8"));
    };
    let room = OwnStyleLimits {
        styles: context.app.config.limits.own_styles,
        bytes: context.app.quota.plans().rules(owner.plan).account_bytes,
    };
    let xml = xml.trim_start_matches('\u{feff}');
    let stored = context.app.styles.keep_own(owner.id, xml, room);
    stored.map_err(|problem| refused(context, problem))
}

fn refused(context: &RequestContext, problem: OwnProblem) -> ApiError {
    let message = sentence(&problem);
    match problem {
        OwnProblem::TooMany { most } => ApiError::new(Code::Conflict, message).with("limit", most),
        OwnProblem::OwnStyleError {
            limit,
            used,
            requested,
        } => storage_limit_reached(
            context,
            context.caller.plan,
            message,
            limit,
            used,
            requested,
        ),
        OwnProblem::Style(StyleProblem::Broken { fault, .. }) => {
            ApiError::invalid_field("/file", fault.to_string())
                .with("line", fault.line)
                .with("column", fault.column)
        }
        OwnProblem::Style(problem @ StyleProblem::ParentMissing { .. }) => {
            ApiError::invalid_field("/file", problem.to_string())
        }
        OwnProblem::Style(other) => ApiError::from(other),
    }
}

/// `GET /api/v1/me/styles/{name}`: the file.
pub fn file(context: &RequestContext) -> Result<Reply, ApiError> {
    let name = name(context);
    let xml = context.app.styles.own_xml(context.account()?.id, name)?;
    let xml = xml.ok_or_else(missing)?;
    let file_name = format!("attachment; filename=\"{name}.csl\"");
    Ok(private(Reply::bytes(STYLE, xml)).with_header("content-disposition", file_name))
}

/// `DELETE /api/v1/me/styles/{name}`: 204.
pub fn remove(context: &RequestContext) -> Result<Reply, ApiError> {
    delete(context, name(context)).map(|()| Reply::empty())
}

/// Deletes one of the caller's styles.
pub fn delete(context: &RequestContext, name: &str) -> Result<(), ApiError> {
    let owner = context.account()?.id;
    if context.app.styles.remove_own(owner, name)? {
        Ok(())
    } else {
        Err(missing())
    }
}

/// The name in the path, with or without its prefix.
fn name(context: &RequestContext) -> &str {
    let name = context.param("name");
    own_name(name).unwrap_or(name)
}

fn missing() -> ApiError {
    ApiError::not_found("style", "You have no style with this name.")
}

/// The styles of an account for its export.
pub fn all_of(context: &RequestContext, user: i64) -> Result<Value, ApiError> {
    let mut styles = Vec::new();
    for entry in context.app.styles.own(user)? {
        let name = own_name(&entry.id).unwrap_or_default();
        let xml = context.app.styles.own_xml(user, name)?;
        styles.push(json!({"id": entry.id, "title": entry.title, "xml": xml}));
    }
    Ok(Value::Array(styles))
}

fn private(reply: Reply) -> Reply {
    reply.with_header("cache-control", "private, no-cache")
}

pub fn list_operation() -> Operation {
    Operation::new("list_own_styles", "styles", "Your own styles")
        .describe("Your requests can use them as styles: `own:thesis`.")
        .reply_list::<StyleItem>(200, "Your styles, by title.")
}

pub fn keep_operation() -> Operation {
    Operation::new("keep_own_style", "styles", "Store an own style")
        .describe(
            "The file is the part `file` of a form, or the body itself: CSL 1.0, independent, or \
             dependent on a known style. Its name is the last part of its address, and it \
             replaces your style with that name. Errors have line and \
             column.",
        )
        .body_form()
        .body_texts(&MEDIA_TYPES)
        .reply::<StyleItem>(201, "The style.")
        .reply::<StyleItem>(200, "The style, which has replaced another one.")
        .codes(&[Code::Conflict])
}

pub fn file_operation() -> Operation {
    Operation::new("get_own_style", "styles", "The file of your own style")
        .path("name", "The style's name: `thesis` or `own:thesis`.")
        .reply_text(200, "The file.", [STYLE])
        .codes(&[Code::NotFound])
}

pub fn remove_operation() -> Operation {
    Operation::new("delete_own_style", "styles", "Delete your own style")
        .path("name", "The style's name: `thesis` or `own:thesis`.")
        .reply_empty(204, "Deleted.")
        .codes(&[Code::NotFound])
}
