//! The transaction, conditions (`If-Match`) and error mapping of all requests on
//! collections.

use crate::api::edge::context::RequestContext;
use crate::api::edge::idempotency::{keep, replay};
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code, sentence};
use crate::collections::{
    Change, CollectionAction, CollectionError, OnConflict, Owner, Precondition, Snapshot,
};
use crate::store::collections::CollectionRow;
use citation_model::plan::Plan;

fn owner(context: &RequestContext) -> Result<Owner, ApiError> {
    let account = context.account()?;
    Ok(context.app.collections.owner(account.id, account.plan))
}

/// A variable part of the path that is a UUID.
pub fn uid(context: &RequestContext, name: &str) -> String {
    context.param(name).to_ascii_lowercase()
}

/// The collection in the path. The caller's role is checked before the body, so that the body's errors
/// are only shown to who may do it.
pub fn known_collection(
    context: &RequestContext,
    action: CollectionAction,
) -> Result<String, ApiError> {
    let collection = uid(context, "id");
    read(context, |snapshot| {
        snapshot.permitted(&collection, action).map(|_| ())
    })?;
    Ok(collection)
}

/// A collection that the query or the body names, likewise.
pub fn known_named(
    context: &RequestContext,
    uid: &str,
    action: CollectionAction,
) -> Result<String, ApiError> {
    let collection = uid.to_ascii_lowercase();
    read(context, |snapshot| {
        snapshot.permitted(&collection, action).map(|_| ())
    })?;
    Ok(collection)
}

/// The collection and the entry in the path, likewise, for an edit.
pub fn known_entry(context: &RequestContext) -> Result<(String, String), ApiError> {
    let (collection, entry) = (uid(context, "id"), uid(context, "eid"));
    read(context, |snapshot| {
        let row = snapshot.permitted(&collection, CollectionAction::EditEntries)?;
        snapshot.has_entry(&row, &entry)
    })?;
    Ok((collection, entry))
}

/// The entries that a body names under `entry_ids`.
pub fn named_entries(uids: &[String]) -> Vec<String> {
    uids.iter().map(|uid| uid.to_ascii_lowercase()).collect()
}

/// Reads the caller's collections.
pub fn read<T>(
    context: &RequestContext,
    job: impl FnOnce(&Snapshot<'_>) -> Result<T, CollectionError>,
) -> Result<T, ApiError> {
    let user = context.account()?.id;
    let result = context.app.collections.read(user, job);
    result.map_err(|error| refused(context, error))
}

/// The stored reply to the same request, whatever the state of its objects.
pub fn answered(context: &RequestContext) -> Result<Option<Reply>, ApiError> {
    let Some(request) = &context.idempotent else {
        return Ok(None);
    };
    read(context, |snapshot| {
        let kept = snapshot.remembered(&request.key, &request.request)?;
        Ok(kept.map(|kept| replay(&kept)).transpose()?)
    })
}

/// Changes the caller's collections.
pub fn change<T>(
    context: &RequestContext,
    job: impl FnOnce(&Change<'_>) -> Result<T, CollectionError>,
) -> Result<T, ApiError> {
    let (owner, expected) = (owner(context)?, expected(context)?);
    let result = context.app.collections.write(owner, &expected, job);
    result.map_err(|error| refused(context, error))
}

/// Changes the caller's collections, then builds the reply. With an `Idempotency-Key` the reply is built
/// inside the transaction and stored together with the change, so that either both exist or
/// neither.
pub fn write<T>(
    context: &RequestContext,
    job: impl FnOnce(&Change<'_>) -> Result<T, CollectionError>,
    reply: impl FnOnce(T) -> Reply,
) -> Result<Reply, ApiError> {
    match &context.idempotent {
        None => change(context, job).map(reply),
        Some(request) => change(context, |change| {
            if let Some(kept) = change.remembered(&request.key, &request.request)? {
                return Ok(replay(&kept)?);
            }
            let reply = reply(job(change)?);
            change.remember(&request.key, &request.request, keep(&reply))?;
            Ok(reply)
        }),
    }
}

/// The collection of the link in the path, if the link allows an action; checked before the body.
pub fn known_by_link(
    context: &RequestContext,
    action: CollectionAction,
) -> Result<CollectionRow, ApiError> {
    // Whoever has the link: credentials are ignored.
    const NOBODY: i64 = 0;
    let collections = &context.app.collections;
    let edit_links = collections.sharing().edit_links;
    let token = context.param("token");
    let found = collections.read(NOBODY, |snapshot| {
        snapshot.permitted_by_link(token, action, edit_links)
    });
    found.map_err(|error| refused(context, error))
}

/// Changes the collection of the link in the path. A conflict is refused: its fields may be private.
pub fn change_by_link<T>(
    context: &RequestContext,
    job: impl FnOnce(&Change<'_>) -> Result<T, CollectionError>,
) -> Result<T, ApiError> {
    let expected = Precondition {
        on_conflict: OnConflict::Refuse,
        ..expected(context)?
    };
    let token = context.param("token");
    let changed = context.app.collections.write_by_link(token, &expected, job);
    changed.map_err(|error| refused(context, error))
}

/// Returns the reply of [`write()`] without changing anything.
pub fn write_dry<T>(
    context: &RequestContext,
    job: impl FnOnce(&Change<'_>) -> Result<T, CollectionError>,
    reply: impl FnOnce(T) -> Reply,
) -> Result<Reply, ApiError> {
    let (owner, expected) = (owner(context)?, expected(context)?);
    let result = context.app.collections.dry_run(owner, &expected, job);
    result.map(reply).map_err(|error| refused(context, error))
}

/// The request's precondition: `If-Match`, or else `If-Unmodified-Since`.
fn expected(context: &RequestContext) -> Result<Precondition, ApiError> {
    let mut expected = Precondition {
        on_conflict: on_conflict(context)?,
        ..Precondition::default()
    };
    if let Some(tags) = context.header("if-match") {
        if tags.trim() != "*" {
            expected.versions = Some(tags.split(',').filter_map(read_tag).collect());
        }
    } else if let Some(date) = context.header("if-unmodified-since") {
        // An invalid date is ignored (RFC 9110, section 13.1.4).
        expected.unchanged_since = read_http_date(date);
    }
    Ok(expected)
}

/// The values of `on_conflict`.
pub const ON_CONFLICT: [&str; 2] = ["refuse", "merge"];

fn on_conflict(context: &RequestContext) -> Result<OnConflict, ApiError> {
    match context.query.get("on_conflict") {
        None | Some("refuse") => Ok(OnConflict::Refuse),
        Some("merge") => Ok(OnConflict::Merge),
        Some(other) => {
            let message = format!("on_conflict is refuse or merge, not “{other}”.");
            Err(ApiError::invalid_parameter("on_conflict", message))
        }
    }
}

/// The version in an entity tag. Compressing proxies mark tags as weak; the value stays the same.
fn read_tag(tag: &str) -> Option<i64> {
    let tag = tag.trim().trim_start_matches("W/").trim_matches('"');
    let version = tag.split_once('-').map_or(tag, |(version, _)| version);
    version.parse().ok()
}

fn read_http_date(text: &str) -> Option<i64> {
    let parser = jiff::fmt::rfc2822::DateTimeParser::new();
    let moment = parser.parse_timestamp(text.trim()).ok()?;
    Some(moment.as_second())
}

/// Adds the headers with the version of a reply.
pub fn versioned(reply: Reply, row: &CollectionRow) -> Reply {
    let reply = reply
        .with_header("etag", etag(row.version))
        .with_header("cache-control", "private, no-cache");
    match http_date(row.updated_at) {
        Some(date) => reply.with_header("last-modified", date),
        None => reply,
    }
}

/// The entity tag of a version.
pub fn etag(version: i64) -> String {
    format!("\"{version}\"")
}

fn http_date(at: i64) -> Option<String> {
    let moment = jiff::Timestamp::from_second(at).ok()?;
    let printer = jiff::fmt::rfc2822::DateTimePrinter::new();
    printer.timestamp_to_rfc9110_string(&moment).ok()
}

/// An error for the client.
pub fn refused(context: &RequestContext, error: CollectionError) -> ApiError {
    let message = sentence(&error);
    match error {
        CollectionError::Store(cause) => cause.into(),
        CollectionError::NotFound(resource) => ApiError::not_found(resource.as_str(), message),
        CollectionError::Stale { version } => ApiError::new(Code::PreconditionFailed, message)
            .with("current_etag", etag(version))
            .with_header("etag", etag(version)),
        CollectionError::NotAllowed { role, .. } => {
            ApiError::new(Code::Forbidden, message).with("role", role.as_str())
        }
        CollectionError::NotByLink { .. } => ApiError::new(Code::Forbidden, message),
        CollectionError::NotYourGroup => ApiError::new(Code::Forbidden, message),
        CollectionError::Conflicting { version, conflicts } => {
            ApiError::new(Code::PreconditionFailed, message)
                .with("conflicts", super::dto::conflicts_value(conflicts))
                .with("current_etag", etag(version))
                .with_header("etag", etag(version))
        }
        CollectionError::TooMany { limit, .. } => {
            ApiError::new(Code::Conflict, message).with("limit", limit)
        }
        CollectionError::CollectionLimit {
            plan,
            limit,
            current,
        } => limit_reached(
            context,
            plan,
            Code::CollectionLimitReached,
            message,
            limit,
            current,
        ),
        CollectionError::EntryLimit {
            plan,
            limit,
            current,
            requested,
        } => limit_reached(
            context,
            plan,
            Code::EntryLimitReached,
            message,
            limit,
            current,
        )
        .with("requested", requested)
        .with("available", limit.saturating_sub(current)),
        CollectionError::StorageLimit {
            plan,
            limit,
            used,
            requested,
        } => storage_limit_reached(context, plan, message, limit, used, requested),
        CollectionError::InvalidOrder { index, message } => {
            ApiError::invalid_field(&format!("/entry_ids/{index}"), message)
        }
        CollectionError::SameCollection => {
            ApiError::invalid_field("/target_collection_id", message)
        }
        CollectionError::SameEntry => ApiError::invalid_field("/delete_entry_id", message),
        CollectionError::Duplicate(duplicates) => ApiError::new(Code::Conflict, message)
            .with("duplicates", super::dto::duplicates_value(&duplicates)),
        CollectionError::Duplicates(found) => ApiError::new(Code::Conflict, message)
            .with("duplicates", super::dto::same_works_value(found)),
        CollectionError::OtherRequest => ApiError::new(Code::IdempotencyMismatch, message),
        CollectionError::Invalid(fault) => fault.into(),
        CollectionError::TooComplex(cause) => cause.into(),
    }
}

/// The storage of an account is full. `plan` is the account's, which is not always the caller's.
pub fn storage_limit_reached(
    context: &RequestContext,
    plan: Plan,
    message: String,
    limit: u64,
    used: u64,
    requested: u64,
) -> ApiError {
    limit_reached(
        context,
        plan,
        Code::StorageLimitReached,
        message,
        limit,
        used,
    )
    .with("used", used)
    .with("requested", requested)
    .with("unit", "bytes")
}

fn limit_reached(
    context: &RequestContext,
    plan: Plan,
    code: Code,
    message: String,
    limit: u64,
    current: u64,
) -> ApiError {
    ApiError::new(code, message)
        .with("limit", limit)
        .with("current", current)
        .with("active_plan", plan.as_str())
        .with("upgrade_url", context.edge.site.account_url.as_str())
}

/// The possible errors of writes to a collection.
pub const WRITE_CODES: [Code; 6] = [
    Code::AuthenticationRequired,
    Code::Forbidden,
    Code::CsrfFailed,
    Code::NotFound,
    Code::PreconditionFailed,
    Code::ValidationFailed,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_name_versions() {
        let check = |tag: &str, expected| assert_eq!(read_tag(tag), expected, "{tag}");
        check(&etag(7), Some(7));
        check(" W/\"7\" ", Some(7));
        check("\"7-1f3a\"", Some(7));
        check("\"seven\"", None);
        check("", None);
    }

    #[test]
    fn dates_are_those_of_http() {
        let date = http_date(784_111_777).unwrap();
        assert_eq!(date, "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(read_http_date(&date), Some(784_111_777));
        assert_eq!(read_http_date("yesterday"), None);
    }
}
