//! `GET /zotero/keys/{key}`: the owner and the permissions of a key.

use serde_json::json;

use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::{ApiError, Code};
use crate::api::openapi::operation::Operation;
use crate::api::routes::compat::keys::number;
use crate::auth::principal::Principal;

/// `GET /zotero/keys/current`, or with a key instead of the word.
pub fn key(context: &RequestContext) -> Result<Reply, ApiError> {
    let given = context.param("key");
    let found = match given {
        "current" => context.caller.principal.clone(),
        key => context.app.auth.by_api_key(key)?,
    };
    let missing = || ApiError::not_found("key", "The key does not exist.");
    let Principal {
        account,
        credential,
    } = found.ok_or_else(missing)?;
    let writes = credential.scopes().is_none_or(|scopes| scopes.write);
    let names = [&account.name, &account.email];
    let name = names.into_iter().flatten().next();
    let name = name.unwrap_or(&account.uid);
    Ok(Reply::json_value(&json!({
        "key": given,
        "userID": number(&account.uid),
        "username": name,
        "displayName": name,
        "access": {
            "user": {"library": true, "files": false, "notes": false, "write": writes},
            "groups": {},
        },
    }))
    .with_header("zotero-api-version", "3")
    .with_header("cache-control", "no-store"))
}

pub fn operation() -> Operation {
    Operation::new(
        "zotero_key",
        "compat",
        "The owner of a key, in the format of Zotero's web API",
    )
    .path("key", "`current`, or an API key.")
    .reply_object(
        200,
        "`{key, userID, username, access}`; `userID` is part of the other paths.",
    )
    .codes(&[Code::NotFound])
}
