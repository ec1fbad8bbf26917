//! An account as a Zotero library: keys, versions, links.
//!
//! The version of an object is the second of its last change. More changes may follow in the current second,
//! so a client gets the previous second as version, and receives the changes since then again.

use serde_json::{Value, json};

use crate::api::edge::context::RequestContext;
use crate::api::edge::reply::Reply;
use crate::api::error::ApiError;
use crate::api::routes::compat::keys::{key, number};
use crate::auth::principal::Account;
use crate::collections::{CollectionError, Snapshot};
use crate::store::collections::CollectionRow;

/// The caller's library.
pub struct CallerLibrary {
    pub user: u32,
    pub name: String,
    /// The last change.
    version: i64,
    now: i64,
    pub collections: Vec<CollectionRow>,
}

/// Checks that the path names the caller, by number or UUID.
pub fn owner(context: &RequestContext) -> Result<&Account, ApiError> {
    let account = context.account()?;
    let named = context.param("user");
    if named == number(&account.uid).to_string() || named.eq_ignore_ascii_case(&account.uid) {
        return Ok(account);
    }
    let message = "The library does not exist, or the key does not belong to it; /zotero/keys/current has the number.";
    Err(ApiError::not_found("library", message))
}

impl CallerLibrary {
    pub fn read(
        context: &RequestContext,
        account: &Account,
        snapshot: &Snapshot<'_>,
    ) -> Result<CallerLibrary, CollectionError> {
        let collections = snapshot.collections(false)?;
        let deleted = snapshot.collections(true)?;
        let changes = collections.iter().chain(&deleted).map(|row| row.updated_at);
        let names = [&account.name, &account.email];
        let name = names.into_iter().flatten().next();
        Ok(CallerLibrary {
            user: number(&account.uid),
            name: name.unwrap_or(&account.uid).clone(),
            version: changes.max().unwrap_or(0),
            now: context.app.clock.unix(),
            collections,
        })
    }

    /// The library as part of every object.
    pub fn shown(&self, context: &RequestContext) -> Value {
        let href = context.edge.site.base_url.join("/library");
        json!({
            "type": "user", "id": self.user, "name": self.name,
            "links": {"alternate": {"href": href, "type": "text/html"}},
        })
    }

    /// The address of an object in the library.
    pub fn address(&self, context: &RequestContext, path: &str) -> String {
        let path = format!("/zotero/users/{}/{path}", self.user);
        context.edge.site.base_url.join(&path)
    }

    /// The collection of a key.
    pub fn collection(&self, wanted: &str) -> Result<&CollectionRow, CollectionError> {
        let found = self.collections.iter().find(|row| key(&row.uid) == wanted);
        found.ok_or(CollectionError::NotFound(
            crate::collections::Resource::Collection,
        ))
    }

    /// Whether the client has seen the last change.
    pub fn is_unchanged(&self, context: &RequestContext) -> bool {
        let seen = context.header("if-modified-since-version");
        let seen = seen.and_then(|version| version.trim().parse::<i64>().ok());
        seen.is_some_and(|seen| seen >= self.version)
    }

    /// Adds the headers of every response.
    pub fn head(&self, reply: Reply) -> Reply {
        let told = self.version.min(self.now - 1).max(0);
        reply
            .with_header("zotero-api-version", "3")
            .with_header("last-modified-version", told.to_string())
    }

    /// The response to a client that has seen the last change.
    pub fn unchanged(&self) -> Reply {
        self.head(Reply::empty().with_status(http::StatusCode::NOT_MODIFIED))
    }
}
