//! Zotero's web API, for reading a library: <https://www.zotero.org/support/dev/web_api/v3/basics>.

use std::collections::BTreeMap;
use std::time::Duration;

use citation_model::identifier::percent_encode;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::http::{Client, ProviderAnswer};
use super::{Deadline, ProviderErrorKind, ProviderResult};
use crate::config::{BaseUrl, ProviderSettings};

/// The address of the API.
pub const ADDRESS: &str = "https://api.zotero.org";

/// Maximum number of items in one request by key.
pub const BATCH: usize = 50;

/// Maximum number of collections in one request.
const PAGE: usize = 100;

/// Maximum number of collections fetched.
const MAX_COLLECTIONS: usize = 10_000;

/// The time-out of one request including retries.
const PATIENCE: Duration = Duration::from_secs(120);

/// A library, with its API key.
pub struct ZoteroLibrary {
    client: Client,
    /// `users/123` or `groups/123`.
    path: String,
}

/// A collection, which may be nested.
#[derive(Clone, Debug, Deserialize)]
pub struct ZoteroCollection {
    pub name: String,
    /// The key of the parent collection, or false.
    #[serde(rename = "parentCollection", default)]
    parent: Value,
}

impl ZoteroCollection {
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_str()
    }
}

impl ZoteroLibrary {
    /// The library at a path below an address; by default that of the key's owner.
    pub fn open(address: BaseUrl, key: &str, path: Option<&str>) -> ProviderResult<ZoteroLibrary> {
        #[derive(Deserialize)]
        struct Key {
            #[serde(rename = "userID")]
            user: u64,
        }
        let settings = ProviderSettings {
            timeout_ms: 30_000,
            max_response_bytes: 64 << 20,
            max_in_flight: 1,
            max_per_second: 5,
            retries: 4,
            breaker_failures: 0,
            base_url: address,
            ..ProviderSettings::default()
        };
        let mut library = ZoteroLibrary {
            client: Client::of_other("zotero", settings).with_credential("zotero-api-key", key)?,
            path: path.unwrap_or_default().to_owned(),
        };
        if path.is_none() {
            let Key { user } = library.ask("/keys/current?v=3")?;
            library.path = format!("users/{user}");
        }
        Ok(library)
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    /// Keys and versions of the top-level items that changed after a version.
    pub fn changed(&self, since: u64) -> ProviderResult<BTreeMap<String, u64>> {
        self.ask(&format!(
            "/{}/items/top?v=3&format=versions&since={since}",
            self.path
        ))
    }

    /// Items by key, at most [`BATCH`], in the API's format.
    pub fn items(&self, keys: &[&str]) -> ProviderResult<Vec<Value>> {
        let keys = percent_encode(&keys.join(","));
        self.ask(&format!(
            "/{}/items?v=3&limit={BATCH}&itemKey={keys}",
            self.path
        ))
    }

    /// Every collection by key.
    pub fn collections(&self) -> ProviderResult<BTreeMap<String, ZoteroCollection>> {
        #[derive(Deserialize)]
        struct Object {
            key: String,
            data: ZoteroCollection,
        }
        let mut found = BTreeMap::new();
        while found.len() < MAX_COLLECTIONS {
            let page: Vec<Object> = self.ask(&format!(
                "/{}/collections?v=3&limit={PAGE}&start={}",
                self.path,
                found.len()
            ))?;
            let (is_last, before) = (page.len() < PAGE, found.len());
            found.extend(page.into_iter().map(|object| (object.key, object.data)));
            if is_last || found.len() == before {
                break;
            }
        }
        Ok(found)
    }

    /// Keys of the items that were deleted after a version.
    pub fn deleted(&self, since: u64) -> ProviderResult<Vec<String>> {
        #[derive(Deserialize)]
        struct Deleted {
            items: Vec<String>,
        }
        let path = format!("/{}/deleted?v=3&since={since}", self.path);
        self.ask::<Deleted>(&path).map(|deleted| deleted.items)
    }

    fn ask<T: DeserializeOwned>(&self, path: &str) -> ProviderResult<T> {
        let deadline = Deadline::of(PATIENCE);
        match self.client.get(path, "application/json", &deadline)? {
            ProviderAnswer::NotFound | ProviderAnswer::NotModified => Err(self
                .client
                .error(ProviderErrorKind::Refused { status: 404 })),
            ProviderAnswer::Body(body) => self
                .client
                .parse(body, &deadline, |bytes| serde_json::from_slice(bytes)),
        }
    }
}
