//! What every request on collections goes through: its transaction, conditions (`If-Match`), and how
//! refusals are said.

use crate::api::call::Call;
use crate::api::error::{ApiError, Code, sentence};
use crate::api::idempotency::{keep, replay};
use crate::api::reply::Reply;
use crate::collections::{Change, CollectionError, Expected, Owner, Reading};
use crate::store::collections::CollectionRow;

fn owner(call: &Call) -> Result<Owner, ApiError> {
    let account = call.account()?;
    let rules = call.app.quota.plans().rules(account.plan);
    Ok(Owner {
        user: account.id,
        collections: rules.collections,
        entries: rules.entries_per_collection,
        bytes: rules.account_bytes,
    })
}

/// A variable part of the path that is a UUID.
pub fn uid(call: &Call, name: &str) -> String {
    call.param(name).to_ascii_lowercase()
}

/// The collection that the path names, which must be the caller's: that is said before anything is
/// said of the body.
pub fn known_collection(call: &Call) -> Result<String, ApiError> {
    let collection = uid(call, "id");
    read(call, |reading| reading.collection(&collection).map(|_| ()))?;
    Ok(collection)
}

/// The collection and the entry that the path names, likewise.
pub fn known_entry(call: &Call) -> Result<(String, String), ApiError> {
    let (collection, entry) = (uid(call, "id"), uid(call, "eid"));
    read(call, |reading| {
        let row = reading.collection(&collection)?;
        reading.has_entry(&row, &entry)
    })?;
    Ok((collection, entry))
}

/// The entries that a body names under `entry_ids`.
pub fn named_entries(uids: &[String]) -> Vec<String> {
    uids.iter().map(|uid| uid.to_ascii_lowercase()).collect()
}

/// Reads what the caller has.
pub fn read<T>(
    call: &Call,
    job: impl FnOnce(&Reading<'_>) -> Result<T, CollectionError>,
) -> Result<T, ApiError> {
    let user = call.account()?.id;
    let result = call.app.collections.read(user, job);
    result.map_err(|error| refused(call, error))
}

/// The reply that the same request was given before, whatever has become of what it was about.
pub fn answered(call: &Call) -> Result<Option<Reply>, ApiError> {
    let Some(request) = &call.idempotent else {
        return Ok(None);
    };
    read(call, |reading| {
        let kept = reading.remembered(&request.key, &request.request)?;
        Ok(kept.map(|kept| replay(&kept)).transpose()?)
    })
}

/// Changes what the caller has, then makes the reply. Under an `Idempotency-Key` the reply is made
/// within the transaction and kept together with the change, so that neither is there without the
/// other.
pub fn write<T>(
    call: &Call,
    job: impl FnOnce(&Change<'_>) -> Result<T, CollectionError>,
    reply: impl FnOnce(T) -> Reply,
) -> Result<Reply, ApiError> {
    let (owner, expected) = (owner(call)?, expected(call)?);
    let collections = &call.app.collections;
    let result = match &call.idempotent {
        None => collections.write(owner, &expected, job).map(reply),
        Some(request) => collections.write(owner, &expected, |change| {
            if let Some(kept) = change.remembered(&request.key, &request.request)? {
                return Ok(replay(&kept)?);
            }
            let reply = reply(job(change)?);
            change.remember(&request.key, &request.request, keep(&reply))?;
            Ok(reply)
        }),
    };
    result.map_err(|error| refused(call, error))
}

/// Tells what [`write()`] would answer, and changes nothing.
pub fn rehearse<T>(
    call: &Call,
    job: impl FnOnce(&Change<'_>) -> Result<T, CollectionError>,
    reply: impl FnOnce(T) -> Reply,
) -> Result<Reply, ApiError> {
    let (owner, expected) = (owner(call)?, expected(call)?);
    let result = call.app.collections.rehearse(owner, &expected, job);
    result.map(reply).map_err(|error| refused(call, error))
}

/// What the caller expects the collection to be: `If-Match`, or else `If-Unmodified-Since`.
fn expected(call: &Call) -> Result<Expected, ApiError> {
    let mut expected = Expected::default();
    if let Some(tags) = call.header("if-match") {
        if tags.trim() != "*" {
            expected.versions = Some(tags.split(',').filter_map(read_tag).collect());
        }
    } else if let Some(date) = call.header("if-unmodified-since") {
        // A date that is none is ignored (RFC 9110, section 13.1.4).
        expected.unchanged_since = read_http_date(date);
    }
    Ok(expected)
}

/// The version in an entity tag. Proxies that compress mark tags as weak; ours stay what they were.
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

/// Adds what says which version a reply is of.
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

/// A refusal as the client sees it.
pub fn refused(call: &Call, error: CollectionError) -> ApiError {
    let message = sentence(&error);
    match error {
        CollectionError::Store(cause) => cause.into(),
        CollectionError::NotFound(resource) => ApiError::not_found(resource.as_str(), message),
        CollectionError::Stale { version } => ApiError::new(Code::PreconditionFailed, message)
            .with("current_etag", etag(version))
            .with_header("etag", etag(version)),
        CollectionError::CollectionLimit { limit, current } => {
            limit_reached(call, Code::CollectionLimitReached, message, limit, current)
        }
        CollectionError::EntryLimit {
            limit,
            current,
            requested,
        } => limit_reached(call, Code::EntryLimitReached, message, limit, current)
            .with("requested", requested)
            .with("available", limit.saturating_sub(current)),
        CollectionError::StorageLimit {
            limit,
            used,
            requested,
        } => storage_limit_reached(call, message, limit, used, requested),
        CollectionError::InvalidOrder { index, message } => {
            ApiError::invalid_field(&format!("/entry_ids/{index}"), message)
        }
        CollectionError::SameCollection => {
            ApiError::invalid_field("/target_collection_id", message)
        }
        CollectionError::SameEntry => ApiError::invalid_field("/delete_entry_id", message),
        CollectionError::Duplicate(duplicates) => ApiError::new(Code::Conflict, message)
            .with("duplicates", super::wire::duplicates_value(&duplicates)),
        CollectionError::Duplicates(found) => ApiError::new(Code::Conflict, message)
            .with("duplicates", super::wire::same_works_value(found)),
        CollectionError::OtherRequest => ApiError::new(Code::IdempotencyMismatch, message),
        CollectionError::Invalid(fault) => super::wire::invalid(fault),
        CollectionError::TooComplex(cause) => cause.into(),
    }
}

/// No room left for all that an account keeps.
pub fn storage_limit_reached(
    call: &Call,
    message: String,
    limit: u64,
    used: u64,
    requested: u64,
) -> ApiError {
    limit_reached(call, Code::StorageLimitReached, message, limit, used)
        .with("used", used)
        .with("requested", requested)
        .with("unit", "bytes")
}

fn limit_reached(call: &Call, code: Code, message: String, limit: u64, current: u64) -> ApiError {
    ApiError::new(code, message)
        .with("limit", limit)
        .with("current", current)
        .with("active_plan", call.caller.plan.as_str())
        .with("upgrade_url", call.edge.site.account_url.as_str())
}

/// What every write to a collection can be refused with.
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
