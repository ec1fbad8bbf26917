//! An identity provider's metadata (OpenID Connect Discovery 1.0) and keys. Both are
//! cached; keys are fetched again for an unknown key id, at a limited rate.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;

use super::OidcError;
use super::jwt::JsonWebKeySet;
use super::web::Web;
use crate::config::IssuerSettings;

pub struct Issuer {
    pub settings: IssuerSettings,
    pub web: Web,
    known: Mutex<IssuerCache>,
}

#[derive(Default)]
struct IssuerCache {
    metadata: Option<(Arc<IssuerMetadata>, i64)>,
    keys: Option<(Arc<JsonWebKeySet>, i64)>,
}

/// The metadata that a relying party needs.
#[derive(Debug, Deserialize)]
pub struct IssuerMetadata {
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    jwks_uri: String,
    pub userinfo_endpoint: Option<String>,
    end_session_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
    /// RFC 9207: the provider adds the issuer to its answers.
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

/// The lifetime of cached metadata and keys.
const METADATA_SECONDS: i64 = 60 * 60;
const KEYS_SECONDS: i64 = 60 * 60;

/// The minimum time before an unknown key id causes another fetch.
const KEYS_PAUSE_SECONDS: i64 = 60;

impl Issuer {
    pub fn new(settings: IssuerSettings, timeout: Duration) -> Issuer {
        Issuer {
            settings,
            web: Web::new(timeout),
            known: Mutex::default(),
        }
    }

    /// The provider's name for users.
    pub fn label(&self) -> &str {
        match self.settings.label.as_str() {
            "" => &self.settings.name,
            label => label,
        }
    }

    /// The provider's metadata.
    pub fn metadata(&self, now: i64) -> Result<Arc<IssuerMetadata>, OidcError> {
        if let Some((metadata, at)) = &self.known().metadata
            && is_fresh(*at, now, METADATA_SECONDS)
        {
            return Ok(Arc::clone(metadata));
        }
        let issuer = self.settings.issuer.as_str();
        let url = format!(
            "{}/.well-known/openid-configuration",
            issuer.trim_end_matches('/')
        );
        let metadata: IssuerMetadata = self.web.get(&url, None)?;
        metadata.check(issuer)?;
        let metadata = Arc::new(metadata);
        self.known().metadata = Some((Arc::clone(&metadata), now));
        Ok(metadata)
    }

    /// The provider's keys, fetched again if none of them is `key_id`.
    pub fn keys(
        &self,
        metadata: &IssuerMetadata,
        key_id: Option<&str>,
        now: i64,
    ) -> Result<Arc<JsonWebKeySet>, OidcError> {
        if let Some((keys, at)) = &self.known().keys {
            let has = key_id.is_none_or(|id| keys.has(id));
            let limit = if has {
                KEYS_SECONDS
            } else {
                KEYS_PAUSE_SECONDS
            };
            if is_fresh(*at, now, limit) {
                return Ok(Arc::clone(keys));
            }
        }
        let keys: Arc<JsonWebKeySet> = Arc::new(self.web.get(&metadata.jwks_uri, None)?);
        self.known().keys = Some((Arc::clone(&keys), now));
        Ok(keys)
    }

    /// The provider's sign-out URL, if offered and cached.
    pub fn sign_out_url(&self, return_to: &str, now: i64) -> Option<String> {
        let metadata = self.metadata(now).ok()?;
        let endpoint = metadata.end_session_endpoint.as_deref()?;
        let query = [
            ("client_id", self.settings.client_id.as_str()),
            ("post_logout_redirect_uri", return_to),
        ];
        Some(with_query(endpoint, &query))
    }

    fn known(&self) -> MutexGuard<'_, IssuerCache> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IssuerMetadata {
    /// The provider must be the configured one, and an https provider must not have plain http
    /// endpoints.
    fn check(&self, issuer: &str) -> Result<(), OidcError> {
        if self.issuer.trim_end_matches('/') != issuer.trim_end_matches('/') {
            let cause = format!("{issuer} calls itself {}", self.issuer);
            return Err(OidcError::Untrusted(cause));
        }
        let endpoints = [
            &self.authorization_endpoint,
            &self.token_endpoint,
            &self.jwks_uri,
        ];
        let others = [&self.userinfo_endpoint, &self.end_session_endpoint];
        let mut all = endpoints.into_iter().chain(others.into_iter().flatten());
        let is_good = |url: &String| {
            url.starts_with("https://")
                || (issuer.starts_with("http://") && url.starts_with("http://"))
        };
        match all.find(|url| !is_good(url)) {
            Some(url) => Err(OidcError::Untrusted(format!(
                "{issuer} has an endpoint at {url}"
            ))),
            None => Ok(()),
        }
    }

    /// Whether the secret is sent in the form. The default is HTTP basic authentication.
    pub fn wants_secret_in_form(&self) -> bool {
        let methods = &self.token_endpoint_auth_methods_supported;
        let has = |name: &str| methods.iter().any(|method| method == name);
        !has("client_secret_basic") && has("client_secret_post")
    }
}

/// A URL with added query parameters.
pub fn with_query(url: &str, pairs: &[(&str, &str)]) -> String {
    let joint = if url.contains('?') { '&' } else { '?' };
    let start = format!("{url}{joint}");
    let query_at = start.len();
    form_urlencoded::Serializer::for_suffix(start, query_at)
        .extend_pairs(pairs)
        .finish()
}

/// A clock that was set back makes everything stale, which only costs a request.
fn is_fresh(at: i64, now: i64, seconds: i64) -> bool {
    (0..seconds).contains(&(now - at))
}

#[cfg(test)]
mod tests {
    #[test]
    fn queries_are_encoded_behind_those_of_the_url() {
        let pairs = [
            ("scope", "openid email"),
            ("redirect_uri", "http://a/b?c=d&é"),
        ];
        let encoded = "scope=openid+email&redirect_uri=http%3A%2F%2Fa%2Fb%3Fc%3Dd%26%C3%A9";
        let with_query = |url| super::with_query(url, &pairs);
        assert_eq!(with_query("https://a"), format!("https://a?{encoded}"));
        assert_eq!(with_query("https://a?b"), format!("https://a?b&{encoded}"));
    }
}
