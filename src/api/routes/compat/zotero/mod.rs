//! Zotero's web API, version 3, read-only (<https://www.zotero.org/support/dev/web_api/v3/basics>): an
//! account is a user's library, its collections are the collections, their entries the items.
//!
//! - `library`: keys and versions of an account's objects · `listing`: list parameters
//! - `items`, `collections`: the responses · `access`: the owner of a key

mod access;
mod collections;
mod items;
mod library;
mod listing;

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue, Uri};

use crate::api::edge::action::Action;
use crate::api::edge::caller::KEY_HEADERS;
use crate::api::edge::context::Query;
use crate::api::edge::route::{Route, get};

/// The rows below a prefix.
macro_rules! rows {
    ($prefix:literal) => {
        vec![
            get(concat!($prefix, "/keys/{key}"), Action::Public, access::key),
            get(
                concat!($prefix, "/users/{user}/items"),
                Action::Read,
                items::all,
            )
            .heavy(),
            get(
                concat!($prefix, "/users/{user}/items/top"),
                Action::Read,
                items::all,
            )
            .heavy(),
            get(
                concat!($prefix, "/users/{user}/items/trash"),
                Action::Read,
                items::none,
            ),
            get(
                concat!($prefix, "/users/{user}/items/{item}"),
                Action::Read,
                items::one,
            )
            .heavy(),
            get(
                concat!($prefix, "/users/{user}/items/{item}/children"),
                Action::Read,
                items::none,
            ),
            get(
                concat!($prefix, "/users/{user}/collections"),
                Action::Read,
                collections::all,
            ),
            get(
                concat!($prefix, "/users/{user}/collections/top"),
                Action::Read,
                collections::all,
            ),
            get(
                concat!($prefix, "/users/{user}/collections/{collection}"),
                Action::Read,
                collections::one,
            ),
            get(
                concat!(
                    $prefix,
                    "/users/{user}/collections/{collection}/collections"
                ),
                Action::Read,
                items::none,
            ),
            get(
                concat!($prefix, "/users/{user}/collections/{collection}/items"),
                Action::Read,
                items::of_collection,
            )
            .heavy(),
            get(
                concat!($prefix, "/users/{user}/collections/{collection}/items/top"),
                Action::Read,
                items::of_collection,
            )
            .heavy(),
            get(
                concat!($prefix, "/users/{user}/tags"),
                Action::Read,
                collections::tags,
            ),
            get(
                concat!($prefix, "/users/{user}/deleted"),
                Action::Read,
                collections::deleted,
            ),
            get(
                concat!($prefix, "/users/{user}/groups"),
                Action::Read,
                items::none,
            ),
        ]
    };
}

/// The rows under `/zotero`, all described.
pub fn routes() -> Vec<Route> {
    let mut rows = rows!("/zotero");
    for row in &mut rows {
        row.operation = match row.path.trim_start_matches("/zotero/") {
            "keys/{key}" => Some(access::operation),
            "users/{user}/items" => Some(items::all_operation),
            "users/{user}/items/top" => Some(items::top_operation),
            "users/{user}/items/{item}" => Some(items::one_operation),
            "users/{user}/collections" => Some(collections::all_operation),
            "users/{user}/collections/{collection}" => Some(collections::one_operation),
            "users/{user}/collections/{collection}/items" => Some(items::of_collection_operation),
            "users/{user}/tags" => Some(collections::tags_operation),
            "users/{user}/deleted" => Some(collections::deleted_operation),
            _ => None,
        };
    }
    rows
}

/// The same at the root, for clients that append the path of the next page to the base address.
pub fn routes_at_root() -> Vec<Route> {
    rows!("")
}

/// The headers of a request, with the key of its query if they have none.
pub fn with_key_of_query(uri: &Uri, headers: &Arc<HeaderMap>) -> Arc<HeaderMap> {
    let mut headers = Arc::clone(headers);
    let is_ours = ["/zotero/", "/users/", "/keys/"]
        .iter()
        .any(|prefix| uri.path().starts_with(prefix));
    if is_ours
        && !KEY_HEADERS.iter().any(|name| headers.contains_key(*name))
        && let Some(key) = Query::parse(uri.query().unwrap_or_default()).get("key")
        && let Ok(value) = HeaderValue::from_str(key)
    {
        Arc::make_mut(&mut headers).insert(HeaderName::from_static("zotero-api-key"), value);
    }
    headers
}
